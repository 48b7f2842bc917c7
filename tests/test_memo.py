"""What functions of a text returned before, and that it is told as if they were asked."""

from __future__ import annotations

import marshal

import pytest

from sleep import memo
from sleep.code import mentions
from sleep.documents import journal
from sleep.documents.hand import subject
from sleep.language import salience, similarity
from sleep.language.acts import forms, states
from sleep.memory import focus
from sleep.recall import synonyms
from sleep.recall.index import row_values
from sleep.records import classification, known_texts, noun_phrases
from sleep.records.relations import oppositions
from sleep.review import tensions
from sleep.wake import purpose, quality
from sleep.wake.journal_lines import excerpt
from sleep.wake.outdated import renames, versions

TEXTS = (
    "Use `src/lock.py` of the Ledger instead of flock, not the store: 30 retries in v2.1.0",
    "The store is fixed and no longer fails; see https://example.org/a?b=c",
    "锁的状态：已修复，不再使用 flock 了",
    "---\ninstance: 7\n---\n\n## Decision: keep it [i7abc.2 decision D-001]\n\n- why: it ends\n- ✅ one\n\n| a | b |\n",
    "",
    "# Notes\n\n## Decisions\n\n### 8 May 2023\n\n- **D-001** Use it [i7abc.2]\n  - why: fast\n\n- loose\n  one\n",
    "\ud800 half of a pair",
    "Renamed `old_name` to `new_name` in app v2.1.0",
    "My human: Ada",
    "Ladle: a marketplace for cooks",
)
KEPT = (
    quality._words,
    quality._features,
    salience.mentions,
    similarity._sense,
    oppositions.signs,
    known_texts._statement,
    noun_phrases.read,
    excerpt.read,
    states.of,
    forms._source,
    forms._searched,
    forms._runs,
    journal._by_hand,
    focus.lines_of,
    classification.heading_kind,
    row_values._values,
    synonyms._terms,
    subject.of_heading,
    mentions._words,
    renames._read,
    versions._named,
    purpose.says_who,
    purpose.presents,
)
OWN = {  # the texts of those that are not asked about any text
    forms._source: ("stated.decided", "phrases.task|marks.decision.firm"),
    forms._runs: (r"\b(?:decided|chose) to", "a?"),
    forms._searched: (r" \bA|B", r"s \bA\W|\bB", "sw 决定|A", "s 决定|A", "c A|(?-i:B)", "s A|(?-i:B)"),
}
ABOVE = {journal._by_hand: "7 abc\n", row_values._values: "journal/instance-7.md\n"}  # what stands above a text


@pytest.fixture
def shout():
    """A function that is kept, and the texts that it was really asked about."""
    asked = []

    @memo.memo(8, tuple, list)
    def shout(text):
        asked.append(text)
        return (text.upper(),)

    yield shout, asked
    memo.empty()
    del memo._TABLES[f"{__name__}.shout"]


@pytest.mark.parametrize("function", KEPT, ids=lambda function: f"{function.__module__}.{function.__name__}")
def test_what_was_kept_is_what_the_function_says(function):
    """Values that were written to a disk and read again are those that the function returns, of the same types."""
    texts = OWN.get(function) or [ABOVE.get(function, "") + text for text in TEXTS]
    said = [function(text) for text in texts]
    function.cache_clear()
    memo.fill({})
    assert [function(text) for text in texts] == said
    asked = memo.empty()
    function.cache_clear()
    memo.fill(marshal.loads(marshal.dumps(asked)))  # noqa: S302  # our own
    again = [function(text) for text in texts]
    assert (again, list(map(type, again))) == (said, list(map(type, said)))
    assert memo.empty() is None


def test_every_function_that_is_kept_is_tried():
    """No function is kept whose values nobody has compared."""
    functions = {f"{function.__module__}.{function.__name__}" for function in KEPT}
    assert {*functions, tensions.__name__} == memo._TABLES.keys()  # whose pairs tests/review compares


def test_what_is_known_is_not_asked_for_again(shout):
    """A function is asked for what no earlier process has kept, and once."""
    function, asked = shout
    memo.fill({f"{__name__}.shout": {"a": ["A"]}})
    assert [function("a"), function("b"), function("b")] == [("A",), ("B",), ("B",)]
    assert asked == ["b"]
    assert memo.empty()[f"{__name__}.shout"] == {"a": ["A"], "b": ["B"]}


def test_what_is_new_is_asked_for_once_however_many_are():
    """What is held for the next process answers this one too, where its last few answers do not."""
    asked = []

    @memo.memo(1, list, None)
    def listed(text):
        asked.append(text)
        return [text]

    memo.fill({})
    assert [listed(text) for text in ("one", "two", "one")] == [["one"], ["two"], ["one"]]
    memo.empty()
    del memo._TABLES[f"{__name__}.listed"]
    assert asked == ["one", "two"]


def test_nothing_is_kept_where_nobody_began_to(shout):
    """Outside of `fill` and `empty` a function is asked as ever, and nothing stays behind."""
    function, asked = shout
    assert function("a") == ("A",)
    assert memo.empty() is None
    assert asked == ["a"]


def test_a_module_that_is_loaded_late_is_answered_too():
    """A function that is defined after the tables were filled finds what was kept of it."""
    name = f"{__name__}.late"
    memo.fill({name: {"a": ["kept"]}})

    @memo.memo(8, list, None)
    def late(text):
        return [text]

    assert (late("a"), late("b")) == (["kept"], ["b"])
    assert memo.empty()[name] == {"a": ["kept"], "b": ["b"]}
    del memo._TABLES[name]


def test_a_little_that_is_new_is_not_worth_writing(shout):
    """Until one text in eight is another one, a command leaves what is kept as it is."""
    function, _ = shout
    known = {f"{__name__}.shout": {str(number): [str(number)] for number in range(16)}}
    memo.fill(known)
    for number in range(1, 17):
        function(str(number))
    assert memo.empty() is None
    function.cache_clear()
    memo.fill(known)
    for number in range(3, 19):
        function(str(number))
    assert memo.empty() is not None
