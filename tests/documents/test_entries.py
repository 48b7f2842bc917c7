"""Entries that say where they end, and what is written behind them by hand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from document_strategies import LINES
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sleep.documents import entries, front_matter, journal
from sleep.documents.hand import annotation, hand_reader
from sleep.documents.journal import Draft
from sleep.records import address as addressing
from sleep.records.address import InstanceId

BODY = st.lists(st.sampled_from(LINES), max_size=8).map("\n".join)
ONE = InstanceId(7, "qxk")
EMPTY = journal.start(ONE, {entries.FIELD: entries.FORM})
DRAFTS = (
    Draft("decision", "Use flock", "", (("why", "it ends"), ("topic", "locks")), "D-001"),
    Draft("note", "Title", "A body.\n\n### Deeper\n\n- item\n\n```\nopen"),
    Draft("insight", "Only words"),
    Draft("handoff", "Read it", "", (("unknown name", "kept"), ("next priority", "race"))),
)


def written(drafts):
    """Return a journal with these entries."""
    text = EMPTY
    for draft in drafts:
        text, _ = journal.append(text, draft, ONE)
    return text


def facts(text, addresses):
    """Return what the entries of some addresses say, without where they stand."""
    return [entry[:6] for entry in journal.read(text).entries if entry.address in addresses]


def is_field(by_hand):
    """True for text that begins as a field does: right below an entry's fields it is one more of them."""
    return re.match(r"- [a-z][a-z ]*: \S", by_hand) is not None


def test_a_field_that_a_person_adds_is_the_entrys():
    """`- why: so` right below the fields of an entry is its reason; behind a blank line it is a person's own words."""
    before = written([Draft("decision", "Use flock", "", (("topic", "locks"),), "D-001")])
    assert journal.read(f"{before}- why: so\n").entries[0].field("why") == "so"
    assert journal.read(f"{before}\n- why: so\n").entries[0].field("why") == ""


@example(drafts=[], by_hand="- item one\n\u2028\n| a | b |", gap="")
@given(st.lists(st.sampled_from(DRAFTS), max_size=3), BODY, st.sampled_from(["", "\n", "\n\n"]))
def test_text_by_hand_is_covered(drafts, by_hand, gap):
    """Text written by hand behind entries is entries of its own after marking; no entry changes."""
    assume(gap == "\n\n" or not is_field(by_hand))  # of an entry without fields one blank line is its form
    before = written(drafts)
    own = {entry.address for entry in journal.read(before).entries}
    assert len(own) == len(drafts)
    text = f"{before}{gap}{by_hand}"
    marked = annotation.mark(text, ONE, {})
    found = journal.read(marked)
    assert found.unmarked == 0
    assert facts(marked, own) == facts(before, own)
    assert marked.startswith(before.rstrip("\n"))
    new = [entry for entry in found.entries if entry.address not in own]
    rest = marked[len(before) :]
    assert not rest.strip() or not journal.read(text).unmarked or new
    assert annotation.mark(marked, ONE, {}) == marked


@example(drafts=[DRAFTS[0]], by_hand="   ", last=DRAFTS[0])
@example(drafts=[DRAFTS[0]], by_hand="<script>", last=DRAFTS[0])
@example(drafts=[DRAFTS[0]], by_hand="  ```", last=DRAFTS[0])
@given(st.lists(st.sampled_from(DRAFTS), min_size=1, max_size=3), BODY, st.sampled_from(DRAFTS))
def test_an_entry_behind_text_by_hand(drafts, by_hand, last):
    """An entry that is added behind text by hand is read back, and the ones before it say what they said."""
    assume(not is_field(by_hand))
    before = written(drafts)
    own = {entry.address for entry in journal.read(before).entries}
    text, address = journal.append(f"{before}{by_hand}", last, ONE)
    assert facts(text, own) == facts(before, own)
    alone = journal.read(written([last])).entries[0]
    assert [entry[1:6] for entry in journal.read(text).entries if entry.address == address] == [alone[1:6]]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("by_hand", ["words", "### Heading\n\nwords", "- item\n", "```\ncode\n```\n", "  words\n"])
def test_an_entry_ends_where_it_says(draft, by_hand):
    """What is right behind an entry is not its own, whatever form it has."""
    before = written([draft])
    assert facts(before + by_hand, {ONE.entry(1)}) == facts(before, {ONE.entry(1)})
    assert "words" not in journal.read(before + by_hand).entries[0].body


def test_the_first_form_reads_as_before():
    """In a journal without the form, an entry reaches to the next mark or heading, as it always did."""
    text = written(DRAFTS[2:3]).replace("form: 2\n", "") + "\nwords\n"
    assert journal.read(text).entries[0].body == "words"
    assert journal.read(text).unmarked == 0


def test_an_entry_in_code_is_none():
    """A heading with a mark that a person quotes in a fence or a comment is no entry."""
    for quoted in ("```\n## Note: x [i7qxk.1]\n```\n", "<!--\n## Note: x [i7qxk.1]\n-->\n"):
        assert journal.read(f"{EMPTY}\n{quoted}").entries == ()


def test_lines_of_their_own():
    """A line with a kind's label, and a line behind a short item, are pieces; fields and wrapped lines are not."""
    said = (
        "**Decision:** Use Redis\n**Why:** it is fast\nOpen question: who pays?\n\n"
        "- write it\nWe must never wait.\n- a line of some length that was wrapped by an editor at a width of\neighty\n"
    )
    marked = annotation.mark(f"{EMPTY}\n{said}", ONE, {})
    kinds = [one.kind for one in journal.read(marked).entries]
    assert kinds == ["decision", "question", "note", "constraint", "note"]
    assert addressing.MARK.sub("", marked).replace(" \n", "\n") == f"{EMPTY}\n{said}"


@given(
    st.lists(st.sampled_from(DRAFTS), max_size=4), BODY, st.sampled_from(["", "\n", "\n\n", "## Note: a [i7qxk.40]\n"])
)
def test_the_lean_reader_is_judged(drafts, by_hand, gap):
    """Read by lines, a journal says what it says to the reader that parses Markdown, whoever wrote in it."""
    for text in (written(drafts), f"{written(drafts)}{gap}{by_hand}"):
        head = front_matter.read(text)
        found, unmarked = hand_reader.read(text, head, ONE, "")
        read = journal.read(text)
        assert (list(read.entries), read.unmarked) == (found, unmarked)


@example(said=[("note", "- item one\n  ```"), ("note", "  ```")])
@given(st.lists(st.tuples(st.sampled_from(["note", "decision", "dead end"]), BODY), max_size=4))
def test_what_hooks_read_is_judged(said):
    """A hook reads of what the program wrote the same entries, but for the title above them."""
    text = written([Draft(kind, "A title", body) for kind, body in said])
    assert entries.read(text) == [entry._replace(sections=()) for entry in journal.read(text).entries]


def test_code_that_a_person_closed_makes_a_hook_read_nothing_again(monkeypatch):
    """Behind each entry only what stands there is looked through; the rest, once more, only if it leaves code open."""
    monkeypatch.setattr(entries, "_code", None)
    text = EMPTY
    for _ in range(3):
        text = f"{journal.append(text, DRAFTS[0], ONE)[0]}\nby hand\n\n```\ncode\n```\n"
    assert len(entries.read(text)) == 3


@given(BODY)
def test_plain_bodies_need_no_parser(body):
    """A body whose lines can be nothing but paragraphs and lists has the form that the parser would give it."""
    head = "## Note: A title [i7qxk.1]\n\n- topic: x\n"
    quick = journal._contained(head, body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "_PLAIN", re.compile("(?!)"))
        assert journal._contained(head, body) == quick


def test_a_journal_of_the_program_needs_no_parser():
    """To write and read a journal with plain words neither mistune nor ruamel.yaml is loaded."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from sleep.documents import entries, journal\n"
        "from sleep.records.address import InstanceId\n"
        "one = InstanceId(7, 'qxk')\n"
        "text = journal.start(one, {entries.FIELD: entries.FORM})\n"
        "for number in (1, 2):\n"
        "    text, _ = journal.append(text, journal.Draft('note', 'a', 'Words.\\n\\n- an item'), one)\n"
        "assert len(journal.read(text).entries) == 2\n"
        "print({'mistune', 'ruamel.yaml'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(Path(journal.__file__).parents[2])],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"
