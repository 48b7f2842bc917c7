"""The forms of speech: patterns of the data files by name, each compiled when it is first asked.

Owns how rows become one phrase: `{NAME}` in a row stands for the section `part.NAME`, a section `marks.*` gives words
instead of patterns, and the rows of all languages count alike. Refuses to say what a form means: that is `grammar`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon
from sleep.language.acts.phrase import Phrase

_ANY, _ENDING = re.compile(r"\\\*"), r"\\w*"  # `regress*`
_PART = re.compile(r"\{([a-z][a-z ]*)\}")


@lru_cache(maxsize=1 << 7)
def form(*sections: str) -> Phrase:
    """Return what finds any form of these sections, in any language."""
    return Phrase("|".join(row for section in sections for row in _rows(section)))


def _rows(section: str) -> list[str]:
    if section.startswith("marks."):
        return [rf"\b(?<![./]){_ANY.sub(_ENDING, re.escape(words))}\b" for words in lexicon.phrases(section)]
    return [_expand(row) for row in lexicon.rows(section)]


def _expand(row: str) -> str:
    """Return a row with the parts it names written out."""
    return _PART.sub(lambda part: f"(?:{'|'.join(map(_expand, lexicon.rows(f'part.{part[1]}')))})", row)
