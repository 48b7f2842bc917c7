"""The gate for text in a compressor's own words: ordinary words are free, and nothing else is."""

from __future__ import annotations

import pytest

from sleep.compression import gate
from sleep.documents import paths
from sleep.errors import GateError

_BEFORE = {paths.CONTEXT: "# Context\n\n## Insights\n\n- The parser of `src/a.py` reads 312 rows twice [i1abc.1]\n"}
_WARM = "memory/warm/parser-2.md"
_AFTER = "# Parser, part 2\n\n## Insights\n\n### 8 May 2023\n\n- {} [i1abc.1]\n"


def _check(text, *, own_words):
    after = {paths.CONTEXT: "# Context\n", _WARM: _AFTER.format(text)}
    gate.check({**_BEFORE, _WARM: ""}, after, own_words=own_words)


def test_ordinary_words_are_free_only_where_it_is_said():
    """A paraphrase passes with own words, and is refused without, as extractive text must be."""
    text = "`src/a.py` goes over its 312 rows again"
    _check(text, own_words=True)
    with pytest.raises(GateError, match="not in the input: again, goes, its, over"):
        _check(text, own_words=False)


@pytest.mark.parametrize("word", ["313", "src/b.py", "Redis", "`rows of`", "read_rows", "seven"])
def test_names_and_numbers_are_not(word):
    """A name, a number, a path or an id that is not in the input is refused whoever wrote it."""
    for own_words in (True, False):
        with pytest.raises(GateError, match="not in the input"):
            _check(f"the parser and {word} read", own_words=own_words)
