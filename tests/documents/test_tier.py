"""Tier documents: reading, and writing by span."""

from __future__ import annotations

from collections import Counter
from itertools import cycle

import pytest
from document_strategies import FRAGMENTS, LINES, TEXTS
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents import tier
from sleep.documents.markdown import lines as reading
from sleep.records.address import Address
from sleep.records.fragment import Fragment, render
from sleep.records.kinds import KINDS

AT = Address(7, "qxk", 2)
HEADS = ["## Decisions", "## questions", "##\tTasks  ##", "## Insights", "### Decisions", "Threads\n---"]
PERSON = [
    *(
        "",
        "",
        "A paragraph of a person.",
        "| a | b |",
        "|---|---|",
        "```\n- x [i1abc.1]\n## Questions\n```",
        "- no address here",
    ),
    *(
        "~~~",
        "```",
        "### A person's order",
        "# Another part",
        "## My own section",
        "Setext\n------",
        "* star [i1abc.1]",
        "<!-- c -->",
    ),
    *(
        "  indented",
        "- wrapped\n  text [i5mmm.1]",
        "- by hand [i5mmm.2]\n\n  - why: loose",
        "- lazy [i5mmm.3]\ncontinuation",
        "#tag",
    ),
    *(
        "- **D-007** numbered [i5mmm.4 i5mmm.5]",
        "- nested [i5mmm.6]\n  - more\n    - deeper",
        "    code",
        "1. one [i5mmm.7]",
        *LINES,
    ),
]
SECTIONS = [f"## {kind.plural}\n" for kind in KINDS.values()]
DAYS = ["### 8 May 2023", "### 30 June 2021\n", "### 8. Mai 2023"]


@st.composite
def documents(draw):
    """Documents of sections and days of ours, fragments, and what persons write, in any order; line ends may differ."""
    parts = st.one_of(
        *map(st.sampled_from, (PERSON, SECTIONS, DAYS)), FRAGMENTS.map(lambda one: render(one).rstrip("\n"))
    )
    lines = "\n".join(draw(st.lists(parts, max_size=10))).split("\n")
    ends = draw(st.sampled_from([["\n"], ["\n"], ["\r\n"], ["\n", "\r\n"], ["\r\n", "\n", "\n"]]))
    text = "".join(f"{line}{end}" for line, end in zip(lines, cycle(ends), strict=False))
    bom = draw(st.sampled_from(["", "", "\ufeff"]))
    return bom + (text if draw(st.booleans()) else text.removesuffix("\n").removesuffix("\r"))


def outside(text, gone=()):
    """The text without its items, without empty headings and blank lines of ours: what a person would miss."""
    document = tier.parse(text)
    at, kept = 0, []
    for item in document.items:
        kept.append(text[at : item.start])
        at = item.end
    kept.append(text[at:])
    return "".join(kept)


def without_sections(text):
    """The lines of a text that say something, without our own headings."""
    plurals = {f"## {kind.plural}" for kind in KINDS.values()} | {"### 8 May 2023", "### 30 June 2021"}
    lines = text.removeprefix("\ufeff").split("\n")
    return [line.rstrip("\r") for line in lines if line.strip() and line.strip() not in plurals]


@given(st.one_of(documents(), TEXTS, st.text()))
def test_sound(text):
    """Any text can be read: items are in order, apart, in the text, and each reads as itself."""
    document = tier.parse(text)
    done = 0
    for item in document.items:
        assert done <= item.start < item.end <= len(text)
        assert text.startswith("- ", item.start)
        done = item.end
    for section in document.sections:
        assert section.start < section.body <= section.end <= section.stop <= len(text)
        assert not text[section.end : section.stop].strip()


@given(
    st.lists(FRAGMENTS, max_size=8),
    st.sampled_from(["", "# Hot\n", "# Hot\r\n\r\nWords.\r\n", "no newline", "```\nopen"]),
)
def test_add(fragments, text):
    """What is added reads back, whatever it holds, and what was there still begins the file."""
    after = tier.write(text, add=fragments, title="Hot")
    assert Counter(tier.parse(after).fragments) == Counter(fragments)
    assert after.startswith(text)
    assert not tier.parse(after).unaddressed


@given(documents(), st.lists(FRAGMENTS, max_size=4))
def test_add_to_any(text, fragments):
    """Adding to any document loses no fragment and changes no byte of what was there."""
    after = tier.write(text, add=fragments, title="x")
    before = tier.parse(text)
    assert Counter(tier.parse(after).fragments) == Counter([*before.fragments, *fragments])
    if text.strip():
        assert without_sections(outside(after)) == without_sections(outside(text))


@given(documents(), st.data())
def test_drop(text, data):
    """Dropping takes out exactly the items that were named; all other lines that say something stay in order."""
    before = tier.parse(text)
    gone = data.draw(st.lists(st.sampled_from(before.fragments), unique=True)) if before.fragments else []
    after = tier.write(text, drop=gone, title="x")
    if not text.strip():
        return
    assert Counter(tier.parse(after).fragments) == Counter(one for one in before.fragments if one not in gone)
    assert without_sections(outside(after)) == without_sections(outside(text))


@given(documents(), st.data(), st.lists(FRAGMENTS, max_size=4))
def test_drop_with_add(text, data, fragments):
    """Dropping and adding in one write takes out what was named, adds all, and leaves every other line in order."""
    before = tier.parse(text)
    gone = data.draw(st.lists(st.sampled_from(before.fragments), unique=True)) if before.fragments else []
    after = tier.write(text, drop=gone, add=fragments, title="x")
    wanted = Counter([*(one for one in before.fragments if one not in gone), *fragments])
    assert Counter(tier.parse(after).fragments) == wanted
    if text.strip():
        assert without_sections(outside(after)) == without_sections(outside(text))


@given(documents(), st.data(), FRAGMENTS)
def test_replace(text, data, fresh):
    """Replacing an item changes its bytes and no others."""
    before = tier.parse(text)
    if not before.items:
        return
    item = data.draw(st.sampled_from(before.items))
    fresh = fresh._replace(kind=item.fragment.kind)
    after = tier.write(text, replace={item.fragment: fresh})
    if before.fragments.count(item.fragment) == 1:
        assert after.startswith(text[: item.start])
        assert after.endswith(text[item.end :])
    fresh = fresh._replace(when=item.fragment.when)  # it stays where it stands
    wanted = Counter(fresh if one == item.fragment else one for one in before.fragments)
    assert Counter(tier.parse(after).fragments) == wanted


@given(documents())
def test_drop_and_add(text):
    """Dropping all fragments and adding them again gives the same fragments."""
    before = tier.parse(text).fragments
    bare = tier.write(text, drop=before, title="x")
    assert not tier.parse(bare).fragments
    assert Counter(tier.parse(tier.write(bare, add=before, title="x")).fragments) == Counter(before)


@given(documents())
def test_nothing_to_do(text):
    """Writing nothing leaves every byte of a document that says something."""
    assert not text.strip() or tier.write(text) == text


DOCUMENT = """# Hot

Words of a person.

## Questions

- **Q-001** What about Windows? [i7qxk.1]

## Doubts

A person's own paragraph.

- It may be slow. [i7qxk.2]

## Notes

- One. [i7qxk.3]
- Two. [i7qxk.4]
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_emptied(newline):
    """A section that loses its last line goes; one in which a person wrote stays."""
    text = DOCUMENT.replace("\n", newline)
    question, doubt, *_ = tier.parse(text).fragments
    after = tier.write(text, drop=[question, doubt])
    wanted = DOCUMENT.replace("## Questions\n\n- **Q-001** What about Windows? [i7qxk.1]\n\n", "")
    assert after == wanted.replace("- It may be slow. [i7qxk.2]\n", "").replace("\n", newline)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_last_section_leaves_no_blank_line(newline):
    """What set a section apart goes with it: a page that loses its last ones ends with one line end, as before."""
    text = "# Hot\n\n## Questions\n\n- What? [i7qxk.1]\n\n## Notes\n\n### 1 May 2026\n\n- One. [i7qxk.3]\n"
    text = text.replace("\n", newline)
    question, note = tier.parse(text).fragments
    assert tier.write(text, drop=[note]) == text.partition(f"{newline}## Notes")[0]
    emptied = tier.write(text, drop=[question, note])
    assert emptied == f"# Hot{newline}"
    assert tier.write(emptied, add=[question]) == text.partition(f"{newline}## Notes")[0]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_added_where(newline):
    """A fragment is added behind the last line of its section; new sections stand in the order of kinds, by plural."""
    doubt = Fragment("doubt", "Really?", (AT,))
    insight = Fragment("insight", "Aha.", (AT,))
    after = tier.write(DOCUMENT.replace("\n", newline), add=[insight, doubt])
    wanted = DOCUMENT.replace("slow. [i7qxk.2]\n", "slow. [i7qxk.2]\n- Really? [i7qxk.2]\n")
    wanted = wanted.replace("## Notes", "## Insights\n\n- Aha. [i7qxk.2]\n\n## Notes")
    assert after == wanted.replace("\n", newline)


def _note(ordinal: int, when: str = "", kind: str = "note") -> Fragment:
    return Fragment(kind, f"Words {ordinal}.", (Address(7, "qxk", ordinal),), when=when)


@st.composite
def pages(draw):
    """What a page holds after each of some writes: dated fragments of few kinds and days, in any order."""
    kinds, days = st.sampled_from(["constraint", "question", "insight", "note"]), st.sampled_from(["1", "2", "13"])
    fragments = [_note(number, f"{draw(days)} May 2026", draw(kinds)) for number in range(draw(st.integers(1, 9)))]
    return draw(st.lists(st.lists(st.sampled_from(fragments), unique=True), min_size=1, max_size=5))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@given(pages())
def test_order_of_a_page(newline, contents):
    """A page that grew and shrank in any writes reads as one that was written at once."""
    grown, before = f"# Hot{newline}", []
    for content in contents:
        gone = [one for one in before if one not in content]
        grown = tier.write(grown, drop=gone, add=[one for one in content if one not in before])
        before = content
    assert grown == tier.write(f"# Hot{newline}", add=before)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_day_gives_way_to_two_things(newline):
    """Where a day goes, its section gains another and a new section follows, nothing of what is added is lost."""
    old, other = _note(1, "1 May 2026", "constraint"), _note(2, "1 May 2026")
    stays = _note(5, "4 April 2026", "constraint")
    added = [_note(3, "3 May 2026", "constraint"), _note(4, "3 May 2026", "insight")]
    for standing in ([old, other], [stays, old, other]):
        page = tier.write(f"# Hot{newline}", add=standing)
        wanted = tier.write(f"# Hot{newline}", add=[*(one for one in standing if one != old), *added])
        assert tier.write(page, drop=[old], add=added) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "# Hot\r\n\r\n## Notes\n- Old. [i7qxk.1]\n### 3 May 2026\n\n- New. [i7qxk.2]\r\n",
        "# Hot\n\n## Notes\n\r\n- Old. [i7qxk.1]\r\n\n### 3 May 2026\n\n- New. [i7qxk.2]\r\n",
        "# Hot\n\n## Notes\n\t \n- Old. [i7qxk.1]\n\t\n### 3 May 2026\n\n- New. [i7qxk.2]",
    ],
)
def test_line_ends_that_differ(text):
    """On a page whose lines end in two ways, or whose blank lines are not empty, no heading is cut in two."""
    old, new = tier.parse(text).fragments
    third = _note(3)
    for gone, added in (([old], []), ([], [third]), ([old], [third]), ([new], [third])):
        after = tier.write(text, drop=gone, add=added)
        assert Counter(tier.parse(after).fragments) == Counter([*{old, new}.difference(gone), *added])
        assert without_sections(outside(after)) == ["# Hot", *["### 3 May 2026"] * (new not in gone)]


def test_what_stands_is_set_apart():
    """Of undated items below a heading without a blank line one goes, and what sets the others apart stays."""
    text = "## Notes\n- One. [i7qxk.1]\n- Two. [i7qxk.2]\n\n### 3 May 2026\n\n- Three. [i7qxk.3]\n"
    two = tier.parse(text).fragments[1]
    assert tier.write(text, drop=[two]) == text.replace("- Two. [i7qxk.2]\n", "")


def test_an_underlined_title_ends_no_day():
    """What a person underlined becomes a heading when the item above goes: what is below keeps its day all the same."""
    text = "## Notes\n\n### 3 May 2026\n\n- Old. [i7qxk.1]\nMine\n----\n\n- New. [i7qxk.2]\n"
    old, new = tier.parse(text).fragments
    assert tier.parse(tier.write(text, drop=[old])).fragments == (new,)


def test_replaced_run_keeps_order():
    """What takes the place of a day that goes stands by day too, with one blank line on each side."""
    first, last, new = _note(1, "1 May 2026"), _note(3, "3 May 2026"), _note(2, "2 May 2026")
    text = tier.write("# Hot\n", add=[first, last])
    assert tier.write(text, drop=[first], add=[new]) == tier.write("# Hot\n", add=[new, last])
    assert tier.write(text, drop=[last], add=[new]) == tier.write("# Hot\n", add=[first, new])


def test_undated_leave_no_blank_lines():
    """What stands above the first day leaves no second blank line when it goes."""
    above, dated = _note(1), _note(2, "2 May 2026")
    text = tier.write("# Hot\n", add=[above, dated])
    assert tier.write(text, drop=[above]) == tier.write("# Hot\n", add=[dated])


def test_new():
    """An empty file gets its title and its sections in the order of priority."""
    notes = [Fragment("note", "n", (AT,)), Fragment("constraint", "c", (AT,))]
    written = tier.write("", add=notes, title="Context")
    assert written == "# Context\n\n## Constraints\n\n- c [i7qxk.2]\n\n## Notes\n\n- n [i7qxk.2]\n"
    assert reading.page_title(written) == "Context"


@pytest.mark.parametrize(
    "text", ["## Questions", "## Questions\n", "## Questions\n## Doubts", "## Questions\n\n\n## Doubts\n"]
)
def test_into_empty_section(text):
    """A heading without content takes in what is added."""
    added = Fragment("question", "Why?", (AT,))
    after = tier.write(text, add=[added])
    assert tier.parse(after).fragments == (added,)
    assert after.startswith("## Questions\n\n- Why?")


def test_no_kind_of_ours():
    """A fragment of a kind that we do not have becomes a note, and is not lost."""
    after = tier.write("", add=[Fragment("thread event", "x", (AT,)), Fragment("above", "y", (AT,))])
    assert [(one.kind, one.text) for one in tier.parse(after).fragments] == [("note", "x"), ("note", "y")]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("## Questions\n\n### About locks\n\n- Why? [i1abc.1]\n", ["question"]),
        ("## Questions\n#42 is related\n- Why? [i1abc.1]\n", ["question"]),
        ("## QUESTIONS ##\n- Why? [i1abc.1]\n", ["question"]),
        ("Questions\n---------\n- Why? [i1abc.1]\n", ["note"]),
        ("\ufeff## Questions\n- Why? [i1abc.1]\n", ["question"]),
        ("## Questions\n# Part two\n- Why? [i1abc.1]\n", ["note"]),
        ("## Questions\n## Mine\n- Why? [i1abc.1]\n", ["note"]),
        ("- Why? [i1abc.1]\n", ["note"]),
        ("```\n## Questions\n```\n- Why? [i1abc.1]\n", ["note"]),
        ("```\n- Why? [i1abc.1]\n```\n", []),
        ("````\n```\n- Why? [i1abc.1]\n````\n", []),
        ("```\n## Questions\n- Why? [i1abc.1]\n", ["question"]),
        ("* Why? [i1abc.1]\n", []),
    ],
)
def test_kinds(text, kinds):
    """An item is of the kind of the section of level 2 that it stands in; code holds no items."""
    assert [one.kind for one in tier.parse(text).fragments] == kinds


def test_loose():
    """An item's field below a blank line, as formatters leave it, is still its field."""
    (fragment,) = tier.parse("## Decisions\n\n- Use flock. [i1abc.1]\n\n  - why: fast\n\nWords.\n").fragments
    assert fragment.field("why") == "fast"


def test_unaddressed():
    """An item without an address is told by where it stands, and no fragment."""
    document = tier.parse("# x\n\n- no address\n- one [i1abc.1]\n")
    assert document.unaddressed == (5,)
    assert len(document.fragments) == 1


@example(["- x", "- y"])
@given(st.lists(st.sampled_from(["```a", "~~~", "- x [i1abc.1]", "````", "## Notes", "`````"]), max_size=30))
def test_stray_fences(lines):
    """Stray fences never make a write fail or lose what it adds."""
    added = Fragment("note", "kept", (AT,))
    assert added in tier.parse(tier.write("\n".join(lines), add=[added], title="x")).fragments


@given(st.lists(st.one_of(st.sampled_from(LINES), FRAGMENTS.map(render)), max_size=8).map("\n".join))
@example("- [i1abc.2]\n")
@example("- runs ```python a.b()``` and ~~~ [i1abc.2]\n- more [i1abc.3]\n")
@example(" ```\n- x [i1abc.2]\n ```\n- y [i1abc.3]\n")
@example("\t~~~\n- x [i1abc.2]\n~~~\n")
@example("- words [i1abc.2]\n  and more\n- more\n")
def test_told_without_parsing(text):
    """A file without a sign of items that have no address has none, and its fragments are counted as if it was read."""
    assert tier.may_be_loose(text) or not tier.parse(text).loose
    assert tier.count(text) == len(tier.parse(text).fragments)


@given(st.lists(st.one_of(st.sampled_from([*LINES, *HEADS]), FRAGMENTS.map(render)), max_size=8).map("\n".join))
@example("\ufeff## Decisions\n- **D-001** Use it [i1abc.2]\n")
@example("## DECISIONS ##\r\n\r\n- Use it [i1abc.2]\r\n")
@example("# x\n## Noticed decisions\n- Use it [i1abc.2]\n")
def test_records_stand_below_headings_that_name_them(text):
    """A file without a heading of a kind of records has no record, whatever else stands in it."""
    assert tier.may_hold_records(text) or not any(fragment.is_record for fragment in tier.parse(text).fragments)


def test_what_is_emptied_is_told_by_what_stands_in_it():
    """Of a page of many days each is emptied by its own items: no other is looked at for it."""

    class Items(tuple):
        __slots__ = ()

        def __iter__(self):
            raise AssertionError("all items are looked at for one day")

    days = range(1, 25)
    notes = [Fragment("note", f"it ran {day}", (Address(day, "abc", 1),), when=f"{day} May 2023") for day in days]
    document = tier.parse(tier.write("", add=notes, title="Hot"))
    gone = tier._emptied(document._replace(items=Items(document.items)), set(notes[::2]))
    assert [part.name for part in gone] == [note.when for note in notes[::2]]


def test_a_long_page_is_read_once_behind_any_number_of_short_ones():
    """A step writes hundreds of short pages, and the long ones that it asks for behind them are not read again."""
    long = tier.write("", title="Long", add=[Fragment("note", f"{at} " * 99, (AT,)) for at in range(400)])
    first = tier.parse(long)
    for at in range(300):
        tier.parse(f"# Page {at}\n")
    assert tier.parse(long) is first
    assert tier.parse("# Page 299\n") is tier.parse("# Page 299\n")
