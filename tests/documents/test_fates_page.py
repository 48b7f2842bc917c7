"""The page of a cycle's fates says again what it was given, and tells apart what is not the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import fates_page
from sleep.documents.fates_page import JOURNAL, Page, Row, Run, Section
from sleep.records.address import InstanceId

_OWN = InstanceId(7, "qxk")
_WORDS = st.text("abc de", max_size=12).map(lambda text: " ".join(text.split()))
_PLACES = st.sampled_from(
    (
        "",
        JOURNAL,
        "memory/hot/context.md",
        "memory/warm/auth-2.md",
        "memory/warm/a\n| b \r|c .md",
        "memory/cold/50%.md",
        "memory/warm/a%7Cb%25.md",
    )
)
_FATES = st.sampled_from(("kept", "merged", "dropped", "shortened", "arrived", "referenced"))
_ADDRESSES = st.lists(st.builds(_OWN.entry, st.integers(1, 30)), min_size=1, max_size=3, unique=True).map(tuple)
_ROWS = st.builds(
    Row, _FATES, st.sampled_from(("", "note", "dead end")), _ADDRESSES, _PLACES, _PLACES, _WORDS, st.integers(1, 3)
)
_RUNS = st.builds(
    Run, st.sampled_from(("i7qxk.3", fates_page.BETWEEN)), st.integers(0, 9), st.integers(0, 9), _FATES, _WORDS
)
_SECTIONS = st.builds(
    Section,
    st.sampled_from(("hot to warm", "journal to hot")),
    st.sampled_from(("", "extractive/5")),
    st.lists(_ROWS, max_size=6).map(tuple),
    st.lists(_RUNS, max_size=4).map(tuple),
    st.integers(0, 9),
    _WORDS,
)


@given(st.lists(_SECTIONS, max_size=2, unique_by=lambda section: section.step), st.sampled_from(((), (1, 20, 300))))
def test_what_is_written_is_read(sections, sizes):
    """Every row, run and figure of a page is read as it was written, whatever stands on one line."""
    sections = [section for section in sections if section != Section(section.step)]  # of nothing there is nothing
    sections.sort(key=lambda section: section.step)
    page = fates_page.read(fates_page.render(12, _OWN, Page(tuple(sections), sizes)))
    assert page.sizes == sizes
    assert [one._replace(rows=(), runs=()) for one in page.sections] == [
        one._replace(rows=(), runs=()) for one in sections
    ]
    for one, given_ in zip(page.sections, sections, strict=True):
        assert sorted(one.rows) == sorted(given_.rows)
        assert sorted(one.runs) == sorted(given_.runs)


def test_entries_that_follow_are_a_range():
    """A reviewer reads the same fate of entries that follow on one another as one range."""
    rows = tuple(
        Row("kept", "note", (_OWN.entry(number),), JOURNAL, "memory/hot/context.md") for number in (1, 2, 3, 7)
    )
    text = fates_page.render(12, _OWN, Page((Section("journal to hot", rows=rows),)))
    assert "| kept | note | i7qxk.1-3 i7qxk.7 | journal | hot/context |  |\n" in text


def test_a_cycles_page_has_a_name_of_its_own():
    """The number and the instance of a cycle name its page, and are read off its path."""
    assert fates_page.path(12, _OWN) == "memory/fates/0012-i7qxk.md"
    assert fates_page.key_of("memory/fates/0012-i7qxk.md") == (12, "i7qxk")
    assert fates_page.key_of("memory/warm/0012-i7qxk.md") is None


def test_a_section_that_stays_is_read_and_written_once():
    """A step that adds its section to a page does not read or write anew what the steps before it wrote."""
    row = Row("kept", "note", (_OWN.entry(1),), JOURNAL, "memory/hot/context.md")
    first = Page((Section("hot to warm", "extractive", (row,)),))
    text = fates_page.render(3, _OWN, first)
    known = fates_page.read(text)
    before = fates_page._read_section.cache_info().misses, fates_page._section.cache_info().misses
    more = Page((*known.sections, Section("warm to cold", "extractive", (row,))))
    assert fates_page.read(fates_page.render(3, _OWN, more)) == more
    after = fates_page._read_section.cache_info().misses, fates_page._section.cache_info().misses
    assert after[0] - before[0] == 1
    assert after[1] - before[1] <= 2  # the new one, and what a step without rows says
