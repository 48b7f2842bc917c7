"""Names of kinds: whether a heading or label is nothing but the name of a kind or several (`Open questions`).

Owns the words that make such a name, in any script, whose list it is (`Questions for Ana`), and which headings are
known whole, whatever words they are made of (`五、遗留问题`, `Pendências conhecidas`). Refuses to say which kind
another names: that is `classification`'s.
"""

from __future__ import annotations

import re

from sleep.language import lexicon
from sleep.language.acts.forms import form
from sleep.language.tokenizer import WIDE, by_script, has_wide

# The words and runs of which the name of a kind is made, and what joins two names.
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_RUN = re.compile(rf"[{WIDE}]+|[^{WIDE}]+")
LINKS = "的与和及或の と 및 와 과"
# Whose, or of what: `Bob's rules`, `Waiting on Ana`, `Next steps for Local Models`.
_OWNER = re.compile(r"^[A-Z][\w-]+['’]s (?=\w)|(?<=\w) (?:for|from|on|nach|für) (?:the )?[A-Z`\d].*$")

_SIGNS = 3  # of the bare name of a kind in a script without spaces, at most
_HEADING_LIMIT = 160  # a longer heading says what it says in its first words
# `五、`, `第五节`, `（五）`, `⑤`, `IV.`, `3)`; leaves `一致性`
_COUNT = r"[（(]?第?[一二三四五六七八九十]+[节節章部]?(?:[、.．:：)） ]|(?<=[节節章部]))"
_NUMBERING = rf"^[\W\d_]*(?:{_COUNT}|[①-⑳]|[IVX]+[.)] )?[\W\d_]*"
_TRIM = re.compile(
    rf"{_NUMBERING}(?:\([^)]*\)[\W\d_]*)?|(?<![\W_])[\W_]*(?:\([^)]*\)|（[^）]*）|\[[^]]*\]|【[^】]*】)?[\W_]*$"
)
_NUMBERED = re.compile(_NUMBERING)
BRACKETS = re.compile(r"\([^)]*\)|（[^）]*）")
_ASIDE = re.compile(r"(?:, | [—–-] ).*")  # what stands behind the name of a heading
# Kinds that have headings which are known whole (`headings.whole KIND`), whatever words they are made of.
_WHOLE = ("dead end", "blocker", "question", "constraint", "task", "decision", "thread")


def without_owner(title: str) -> str:
    """Return a title without whose list it is."""
    return _OWNER.sub("", title)


def without_aside(title: str) -> str:
    """Return a title without what stands behind a comma or dash: `Open work, ranked`."""
    return _ASIDE.sub("", title)


def without_brackets(title: str) -> str:
    """Return a title without what stands in brackets."""
    return BRACKETS.sub("", title)


def trimmed(title: str) -> str:
    """Return a heading without its number, the signs around it and the bracket behind it."""
    return _TRIM.sub("", _unmarked(title)).strip(" :：")


def _unmarked(title: str) -> str:
    return title[:_HEADING_LIMIT].replace("*", "").replace("`", "")


def whole_kinds(title: str) -> list[str]:
    """Return the kinds of a heading that is known whole, with what its bracket says or without it."""
    names = dict.fromkeys((_NUMBERED.sub("", _unmarked(title)).rstrip(" :："), trimmed(title)))
    return [kind for name in names for kind in _WHOLE if form(f"headings.whole {kind}").fullmatch(name)]


def is_name(title: str) -> bool:
    """Return whether a heading, trimmed of its numbering and brackets, is nothing but the name of a kind or several.

    One that says more (`What not to do when the rules change`) names a subject.
    """
    words = WORD.findall(title.casefold())
    return bool(words) and all(_is_part(run) for word in words for run in _RUN.findall(word))


def is_label(kind: str, name: str) -> bool:
    """Return whether a label says a kind and no more, by one word or, without spaces, a short one: not `用户决定`."""
    is_short = len(name) <= _SIGNS if has_wide(name) else len(WORD.findall(name)) == 1
    return name.casefold() == kind or bool(is_short and is_name(name) and form(f"labels.{kind}").fullmatch(name))


def _is_part(run: str) -> bool:
    """True for a word, or a run of a script without spaces, that names a kind or narrows one."""
    known, wide = by_script(lexicon.all_words("kinds", "narrows"))
    if not has_wide(run):
        return run.isdigit() or run in known or run.rpartition("-")[2] in lexicon.all_words("kinds ending")
    for name in wide:
        run = run.replace(name, "")
    return all(letter in LINKS for letter in run)
