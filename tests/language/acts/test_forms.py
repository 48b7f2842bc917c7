"""Phrases: searched fast, and finding what the pattern as it is written finds."""

from __future__ import annotations

import functools
import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.language import lexicon
from sleep.language.acts.forms import Phrase, form
from sleep.language.acts.pattern_parts import alternatives

SEARCHED = ("headings.", "labels.", "phrases.", "signs.", "stated.", "rules.rule")
ALL = [form(name) for name in lexicon._sections("en") if name.startswith(SEARCHED)]
WORDS = sorted({word for one in ALL for word in re.findall(r"[^\W\d_]{2,}|[:：✅~(]", one.source)})
SAID = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=7).map(" ".join)


@functools.cache  # each worker imports this module, and one asks
def _written():
    return [(one, re.compile(one.source, re.IGNORECASE)) for one in dict.fromkeys(ALL)]


@given(SAID, st.sampled_from([str, str.upper, str.title]))
@example("DECIDED TO keep İ", str)
@example("TODO: fix", str)
@example("todo: fix", str)
@example("ſhould never", str)
def test_finds_what_the_written_pattern_finds(text, case):
    """Grouped alternatives and small letters change nothing about whether a phrase is found."""
    text = case(text)
    for one, written in _written():
        assert one.search(text) == (written.search(text) is not None), (one.source, text)
        assert one.fullmatch(text) == (written.fullmatch(text) is not None), (one.source, text)


def test_no_form_reads_the_rest_of_a_line_from_each_of_its_signs():
    """No searched form begins with whatever follows on the line: its time would grow with the square of the line."""
    names = [name for name in lexicon._sections("en") if name.startswith(SEARCHED) and not name.startswith("labels.")]
    rest = re.compile(r"(?:\\S|\\w|\.)?(?:\.|\\S)[*+]")  # `\S.*x`, `.*x`
    assert [row for name in names for row in alternatives(form(name).source) if rest.match(row)] == []


def _rows_of_all_languages():
    """Yield the name and each alternative of every form, in whatever language."""
    for name in dict.fromkeys(name for language in lexicon.LANGUAGES for name in lexicon._sections(language)):
        if name.startswith((*SEARCHED, "dialogue.", "reports.", "rules.")):
            yield from ((name, row) for row in alternatives(form(name).source))


def test_no_form_reads_a_row_of_signs_twice():
    """No form has two runs of signs side by side: on a row of signs each end of the first would start the second."""
    twice = re.compile(r"\\W\*(?:\((?:[^()]|\([^()]*\))*\)[?*])+\\W[*+]")  # `\W*(?:a )?\W*`
    assert [row for row in _rows_of_all_languages() if twice.search(row[1])] == []


def test_no_form_reads_a_row_of_signs_from_each_of_them():
    """No form begins with a sign and a run of signs without a bound, of which each sign would start another."""
    each = re.compile(r"(?:\[(?:\\.|[^\]^])+\]|\(\?:[^()]*\|\[[^\]^]+\][^()]*\)) ?\??\\W[*+](?!\$)")  # `[(:] ?\W*a`
    assert [row for row in _rows_of_all_languages() if each.match(row[1])] == []


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("reports.deed", "- 2. ** Added x to the page"),
        ("reports.deed", "** Added x to the page"),
        ("signs.merges", "- 1. **Conflict 2**"),
        ("signs.merges", "** pages:** `keep both"),
        ("signs.closed", "Which license? ( **done** )"),
        ("signs.done heading", "Plan — **done**"),
        ("signs.done heading", "Plan: **erledigt**"),
        ("phrases.decision", "It is slow. **Ana confirmed: one file"),
        ("phrases.decision", "- **Ana confirmed: one file"),
        ("dialogue.drops", "还是，不用"),
    ],
)
def test_signs_before_words_hide_no_form(section, text):
    """A form is found behind the signs of an item and of bold words."""
    assert form(section).search(text)


@pytest.mark.parametrize(
    ("text", "is_rule"),
    [
        ("Reviews before each merge, no exceptions.", True),
        ("Reviews before each merge (no exceptions)", True),
        ("Reviews before each merge:\t no exceptions", True),
        ("No exceptions were raised.", False),
        ("Reviews\nno exceptions were raised", False),
    ],
)
def test_no_exceptions_makes_a_rule_of_what_stands_before_it_on_its_line(text, is_rule):
    """`no exceptions` is a rule where something stands before it on the line."""
    assert form("rules.rule").search(text) is is_rule


def test_no_letter_of_a_pattern_has_another_case_than_its_small_one():
    """Whatever letter a pattern's letter matches in any case has the same small letter, or is known to be odd."""
    cased = "".join(one for one in map(chr, range(sys.maxunicode + 1)) if one.lower() != one or one.upper() != one)
    cases = {}
    for one in cased:
        cases.setdefault(one.lower(), set()).add(one)
    for letter in sorted({letter for one in ALL for letter in one.source if letter.isalpha()}):
        found = {one for one in re.findall(re.escape(letter), cased, re.IGNORECASE) if one not in "İıſᲀᲁᲂᲃᲄᲅᲆᲇᲈ"}
        assert found == cases.get(letter.lower(), set()) - {"İ"}, letter


@pytest.mark.parametrize(
    ("patterns", "text", "found"),
    [
        ((r"\bnext\b|^later", "(?:a|b)[|)]c"), "see a|c", True),
        ((r"\bnext\b|^later",), "not later", False),
        ((r"^(?:now|then)\b", r"\bwhy(?=\?)"), "But WHY?", True),
        ((r"[^]|]x",), "|x", False),
        (("(?:决|改)定", "改?ok", "(?:选)?ja"), "ok", True),
        (("(?:决|改)定", "改?ok", "(?:选)?ja"), "ja", True),
        (("(?:决|改)定", "选"), "他 改定", True),
        (("(?:决|改)定", "选"), "decided", False),
    ],
)
def test_alternatives_are_taken_apart_at_the_top_only(patterns, text, found):
    """A `|` in a group or a set parts nothing."""
    assert Phrase("|".join(patterns)).search(text) is found
