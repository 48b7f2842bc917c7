"""The names of kinds as headings have them, and which headings are nothing but such a name.

Owns the words of which the names are made (`Open questions`, `Key decisions`, `Next steps`), in the languages that
there are cues in. A heading that says more (`What not to do when the rules change`) names a subject, and gives what
stands below it no kind. Refuses to say which kind it is: that is `extract`'s, by the cues. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon
from sleep.language.tokenizer import WIDE, has_wide

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_RUN = re.compile(rf"[{WIDE}]+|[^{WIDE}]+")
_LINKS = "的与和及或の と 및 와 과"  # what joins two names, or a name and what narrows it


def is_name(title: str) -> bool:
    """Return whether a heading, trimmed of its numbering and brackets, is nothing but the name of a kind or several."""
    words = _WORD.findall(title.casefold())
    return bool(words) and all(_is_known(run) for word in words for run in _RUN.findall(word))


def _is_known(run: str) -> bool:
    """True for a word, or a run of a script without spaces, that names a kind or narrows one."""
    known, wide = _vocabulary()
    if not has_wide(run):
        return run.isdigit() or run in known
    for name in wide:
        run = run.replace(name, "")
    return all(letter in _LINKS for letter in run)


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return what a name is of and what narrows it without naming a subject; and the runs, the longest first."""
    words = lexicon.all_words("kinds") | lexicon.all_words("narrows")
    wide = sorted(filter(has_wide, words), key=lambda run: (-len(run), run))
    return words.difference(wide), tuple(wide)
