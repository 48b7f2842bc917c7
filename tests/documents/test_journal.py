"""Journals: reading entries, and appending them."""

from __future__ import annotations

import itertools

import pytest
from document_strategies import MARKDOWN, TEXTS
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents import journal
from sleep.documents.entries import split_fields
from sleep.documents.hand.annotation import mark
from sleep.documents.journal import Draft, append, read, start
from sleep.documents.markdown import edit
from sleep.records.address import InstanceId
from sleep.records.fragment import flat
from sleep.records.kinds import KINDS, event, names

OWN = InstanceId(9, "zzz")
HEAD = start(OWN, {"started": "2026-11-21T09:05:36Z"})


@st.composite
def drafts(draw):
    """Entries of every kind, with the fields that it has."""
    kind = draw(st.sampled_from(names()))
    known = KINDS[kind].fields if kind in KINDS else ("record", "to", "reason", "by")
    fields = draw(st.lists(st.tuples(st.sampled_from([*known, "thread", "topic"]), TEXTS), max_size=3))
    letter = KINDS[kind].letter if kind in KINDS else ""
    number = f"{letter}-{draw(st.integers(1, 9999)):03d}" if letter else ""
    return Draft(kind, draw(TEXTS), draw(st.one_of(TEXTS, MARKDOWN)), tuple(fields), number)


def cited(text):
    """A text as it stands in an entry of this journal: without marks of its own."""
    return journal._cited(text, OWN)


@given(drafts())
@example(Draft("note", "decision"))
@example(Draft("note", "Decision: not one"))
@example(Draft("decision", "", "body alone"))
@example(Draft("note", "see [i9zzz.5]", "see\n\n[i9zzz.5 decision D-001]", (("topic", "x [i9zzz.7]"),)))
@example(Draft("decision", "", "\udc00 **Why:** so", (("topic", "a"),), "D-001"))
def test_round_trip(draft):
    """What is appended reads back: kind, title on one line, number and fields with a value.

    A reason that only the body names is read as one more field, the first.
    """
    text, address = append(HEAD, draft, OWN)
    (entry,) = read(text).entries
    assert (entry.address, entry.kind, entry.number) == (address, draft.kind, draft.number)
    assert entry.title == cited(flat(draft.title))
    written = [(name, cited(flat(value))) for name, value in draft.fields if flat(value)]
    start = int("why" not in dict(written) and entry.fields[:1] == (("why", entry.field("why")),))
    assert list(entry.fields[start : start + len(written)]) == written


@given(
    st.lists(
        st.sampled_from(["Words.", "- item", "", "  more", "| a |", "> quote", "سلام", "使用锁", "`x` and y", "1. one"])
    )
)
def test_body(lines):
    """A body of ordinary Markdown reads back as it was written, but for blank lines around it."""
    body = "\n".join(lines)
    text, _ = append(HEAD, Draft("decision", "title", body, (("why", "so"),)), OWN)
    assert read(text).entries[0].body == body.strip("\n").rstrip()


@given(st.lists(drafts(), max_size=4), MARKDOWN, st.sampled_from(["\n", "\r\n"]))
def test_contained(written, more, newline):
    """No body can end its entry, begin another or swallow the next, and no byte that was there changes."""
    text = HEAD.replace("\n", newline)
    for draft in [*written, Draft("question", "last", more), Draft("doubt", "after")]:
        longer, _ = append(text, draft, OWN)
        assert longer.startswith(text)
        text = longer
    found = read(text)
    assert [one.kind for one in found.entries] == [*(one.kind for one in written), "question", "doubt"]
    ordinals = [one.address.ordinal for one in found.entries]
    assert ordinals == sorted(set(ordinals))
    assert found.unmarked == 0
    assert mark(text, OWN, {}) == text


@given(MARKDOWN, drafts(), MARKDOWN)
def test_after_hand_written(before, draft, after):
    """An entry appended below what a person wrote is read, and so it stays when they write on and all is marked."""
    text = f"{HEAD}\n{before}"
    longer, address = append(text, draft, OWN)
    assert longer.startswith(text)
    found = {entry.address: entry for entry in read(longer).entries}
    assert found[address].kind == draft.kind
    marked = mark(f"{longer}\n\n{after.replace('i9zzz', 'i8zzz')}", OWN, {})
    again = {entry.address: entry for entry in read(marked).entries}
    assert again[address].kind == draft.kind
    assert again[address].title == found[address].title


@pytest.mark.parametrize(
    "text",
    [
        *(
            "```",
            "```\nx",
            "~~~~ py\nx\n~~~",
            "````\n```",
            "<!-- open",
            "<script>\nx",
            "<pre>",
            "<?php",
            "<![CDATA[",
            "<!X",
            "<style>",
        ),
        *(
            "- ```\n  open",
            "> ```\n> open",
            "- <!--",
            "<div>",
            "<!-- a --> <!--",
            "<textarea>\n\nx",
            "   ```",
            "Words\n<!--",
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_open_above(text, newline):
    """What a hand-written text leaves open is closed before an entry is appended."""
    text = f"{HEAD}\n{text}".replace("\n", newline)
    longer, address = append(text, Draft("decision", "use flock", "Words."), OWN)
    assert longer.startswith(text)
    entry = read(longer).entries[-1]
    assert (entry.address, entry.title, entry.body) == (address, "use flock", "Words.")


@pytest.mark.parametrize(
    ("body", "read_as"),
    [
        ("# One\n\nwords\n\nTwo\n---", "### One\n\nwords\n\n#### Two"),
        ("###### deep", "###### deep"),
        ("```\nopen", "````text\n```\nopen\n````"),
        ("<!-- open", "```text\n<!-- open\n```"),
        ("```\n# in code\n```", "```\n# in code\n```"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("see\n\n[i9zzz.7 D-001]", "see\n\n(i9zzz.7 D-001)"),
        ("see\n\n[i8abc.7]", "see\n\n[i8abc.7]"),
        ("  \n\n", ""),
    ],
)
def test_flattened(body, read_as):
    """Headings go two levels down, what leaves something open is fenced, and own marks become words."""
    text, _ = append(HEAD, Draft("note", "x", body), OWN)
    assert read(text).entries[0].body == read_as


def test_form():
    """An entry is written as a person would write it."""
    draft = Draft(
        "decision", "use flock\nfor the lock", "It is there.", (("why", "fast"), ("alternatives", "")), "D-014"
    )
    text, address = append(HEAD, draft, OWN)
    assert text == f"{HEAD}\n## Decision: use flock for the lock [i9zzz.1 D-014]\n\n- why: fast\n\nIt is there.\n"
    assert str(address) == "i9zzz.1"


def test_ordinals():
    """An ordinal that the text names is never given out, not even where it names the last of all."""
    text = f"{HEAD}\n## Note: see [i9zzz.3] [i9zzz.1]\n"
    assert journal.last_ordinal(text, OWN) == 3
    assert list(itertools.islice(journal.free_ordinals(text, OWN), 2)) == [4, 5]
    full = text + "i9zzz.9999999"
    assert list(itertools.islice(journal.free_ordinals(full, OWN), 2)) == [2, 4]
    longer, address = append(full, Draft("note", "x"), OWN)
    assert read(longer).entries[-1].address == address


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("- why: fast\n- Alternatives considered: none", {"why": "fast", "alternatives": "none"}, ""),
        ("**Why:** fast\n**Rejected**: x", {"why": "fast", "alternatives": "x"}, ""),
        ("Why: fast\n\nWords: not a field", {"why": "fast"}, "Words: not a field"),
        ("- why: fast\n  and there\n- next", {"why": "fast and there"}, "- next"),
        ("- alternatives:\n  - filelock\n  - portalocker\n\nWords", {"alternatives": "filelock; portalocker"}, "Words"),
        ("- alternatives: two\n  - filelock\n    is slow", {"alternatives": "two; filelock is slow"}, ""),
        ("- why:\n\nWords", {}, "- why:\n\nWords"),
        ("```\nwhy: code\n```", {}, "```\nwhy: code\n```"),
        ("````\n```\nwhy: code\n````", {}, "````\n```\nwhy: code\n````"),
        (
            "* revisit when: 3.12 is out\r\n* confidence: high\r\n",
            {"revisit when": "3.12 is out", "confidence": "high"},
            "",
        ),
        ("commit: abc", {"commit": "abc"}, ""),
        ("change: abc", {}, "change: abc"),
    ],
)
def test_fields(text, fields, body):
    """Fields are read as persons write them, with the deeper lines right below; all else stays in the body."""
    assert split_fields(text, "decision") == (tuple(fields.items()), body)


@given(MARKDOWN, st.sampled_from(names()))
def test_no_word_lost(text, kind):
    """Splitting fields off loses no word."""
    fields, body = split_fields(text, kind)
    left = " ".join([body, *(value for _, value in fields)])
    for word in text.split():
        if word.isalpha() and not text.lower().count(f"{word.lower()}:"):
            assert word in left


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("## Decision: a [i9zzz.1]\n\nb\n\n### c\n\nd\n\n## e\n", [("a", "b\n\n### c\n\nd")]),
        ("## Decision: a [i9zzz.1] ##\n\nb\n", [("a", "b")]),
        ("Decision: a [i9zzz.1]\n---\n\nb\n", [("a", "b")]),
        ("- a [i9zzz.1]\n  b\n- c [i9zzz.2]\n\n  d\n", [("c", "  d")]),
        ("a [i9zzz.1]\n\n```\nx\n```\n\n# h\n", [("a", "```\nx\n```")]),
        ("a [i9zzz.1 see above]\n", []),
        ("a [i8zzz.1]\n", []),
        ("```\na [i9zzz.1]\n```\n", []),
    ],
)
def test_entries(text, titles):
    """An entry reaches to the next marked piece or heading of its level; marks count at the end of first words."""
    assert [(one.title, one.body) for one in read(f"{HEAD}\n{text}").entries] == titles


def test_sections():
    """An entry knows the headings it stands under, from the outermost in, marked ones included."""
    below = "x [i9zzz.2]\n\n### B\n\n**C:**\n- y [i9zzz.3]\n\n## D\n\nz [i9zzz.4]\n"
    text = f"{HEAD}\n## A [i9zzz.1]\n\n| a |\n|---|\n\n{below}"
    top = "Journal: instance 9"
    assert [one.sections for one in read(text).entries] == [(top,), (top, "A"), (top, "A", "B", "**C:**"), (top, "D")]


def test_unmarked():
    """Pieces without an address are counted; headings and labels are none."""
    assert read(f"{HEAD}\n## A\n\nx\n\n**Items:**\n- y\n- z\n\n> quote\n").unmarked == 4
    assert read(f"{HEAD}\n> quote\n").unmarked == 1


@pytest.mark.parametrize("tag", ["abc", "yes", "off", "nan", "inf", "nul", "xyz", "try"])
def test_start(tag):
    """A new journal names its instance, whatever YAML thinks of the tag, and is not sealed."""
    instance = InstanceId(7, tag)
    text = start(instance, {"started": "2026-11-21T09:05:36Z"})
    found = read(text)
    assert (found.instance, found.entries, found.sealed) == (instance, (), False)
    assert read(text.replace("---\n#", "ended: 2026-11-21\n---\n#")).sealed


@pytest.mark.parametrize("text", ["", "words", "---\na: b\n---\nwords", "---\ninstance: 7\ntag: ABC\n---\n"])
def test_no_instance(text):
    """A text that names no instance is refused, unless the caller knows which it is."""
    assert journal.instance_of(text) is None
    with pytest.raises(ValueError, match="without instance and tag"):
        read(text)
    assert read(text, OWN).instance == OWN


@given(st.one_of(st.text(), MARKDOWN, TEXTS))
def test_never_fails(text):
    """Any text without front matter can be read, and appended to."""
    text = "\n" + text
    longer, address = append(text, Draft("note", "x"), OWN)
    assert longer.startswith(text)
    assert [one.address for one in read(longer, OWN).entries][-1] == address
    assert edit.newline(longer) in {"\n", "\r\n"}


def test_event():
    """A move of a record reads back with the record, the state and the reason."""
    fields = (("record", "T-001"), ("to", "paused"), ("reason", "waiting"))
    text, _ = append(HEAD, Draft(event("thread"), "T-001 paused", fields=fields), OWN)
    (entry,) = read(text).entries
    assert (entry.kind, entry.fields) == ("thread event", fields)
