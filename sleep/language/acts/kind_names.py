"""Names of kinds: whether a heading or label is nothing but the name of a kind or several (`Open questions`).

Owns the words that make such a name, in any script, and whose list it is (`Questions for Ana`). Refuses to say which
kind it names: that is `classification`'s.
"""

from __future__ import annotations

import re

from sleep.language import lexicon
from sleep.language.tokenizer import WIDE, by_script, has_wide

# The words and runs of which the name of a kind is made, and what joins two names.
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_RUN = re.compile(rf"[{WIDE}]+|[^{WIDE}]+")
_LINKS = "的与和及或の と 및 와 과"
# Whose, or of what: `Bob's rules`, `Waiting on Ana`, `Next steps for Local Models`.
_OWNER = re.compile(r"^[A-Z][\w-]+['’]s (?=\w)|(?<=\w) (?:for|from|on|nach|für) (?:the )?[A-Z`\d].*$")


def without_owner(title: str) -> str:
    """Return a title without whose list it is."""
    return _OWNER.sub("", title)


def is_name(title: str) -> bool:
    """Return whether a heading, trimmed of its numbering and brackets, is nothing but the name of a kind or several.

    One that says more (`What not to do when the rules change`) names a subject.
    """
    words = WORD.findall(title.casefold())
    return bool(words) and all(_is_part(run) for word in words for run in _RUN.findall(word))


def _is_part(run: str) -> bool:
    """True for a word, or a run of a script without spaces, that names a kind or narrows one."""
    known, wide = by_script(lexicon.all_words("kinds", "narrows"))
    if not has_wide(run):
        return run.isdigit() or run in known or run.rpartition("-")[2] in lexicon.all_words("kinds ending")
    for name in wide:
        run = run.replace(name, "")
    return all(letter in _LINKS for letter in run)
