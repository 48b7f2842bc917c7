"""Titles: what a heading says besides the name of a kind.

Owns telling one that only ranks what stands below it (`High priority`) and one that tells a choice (`Keys are refused`)
from the name of a subject. Refuses to say what kind a heading names: that is `classification`'s.
"""

from __future__ import annotations

import re

from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.tokenizer import has_wide

_NUMBERED = re.compile(r"^(?:[\W\d_]|\b[A-Z]{1,4}-?\d+\b)+")  # `3.`, `2026-03-01 -`, `ADR-7:`
# `3. Read it`, `Priority 2 (carried over): read it`
_STEP = re.compile(r"^\W*(?:(?:priority|step|task|p) ?)?\d{1,2}(?: ?\([^()]*\))?(?:[.)]|:| [—–-]) +", re.IGNORECASE)
_ID = re.compile(r"^\W*[A-Z]{1,4}-?\d+\W+\w")  # `D1: ...`, `ADR-7 - ...`
_BRACKET = re.compile(r" *\([^()]*\)$")
_LONGEST = 200  # characters of a title that are looked at
_FEW = 2  # spaces; a title of fewer words names a thing


def ranks(title: str) -> bool:
    """True for a heading that only says how urgent, or which part of a plan, what stands below it is."""
    return has(title, "signs.ranks")


def under(title: str, words: str) -> str:
    """Return the words of an item as they stand below a title or a lead.

    Below one that turns them round it is said before them, for without it they say the opposite: `Do not: push on a
    Friday`, `What was lost: the keys of staging`.
    """
    bare = _without_bracket(title)
    if has(bare, "signs.turns") or (has(bare, "signs.bans") and not has(words, "signs.denies first")):
        return f"{bare}: {words}"
    return words


def needs_no_ban(title: str, words: str) -> bool:
    """True for an item that denies first itself, below a title that forbids: `Never sleep here` below `Don't`."""
    return has(_without_bracket(title), "signs.bans") and has(words, "signs.denies first")


def _without_bracket(title: str) -> str:
    return _BRACKET.sub("", title[-_LONGEST:].strip("#*_ :：")).strip("#*_ :：")


def explains(title: str) -> bool:
    """True for the name of what stands beside a record and is none: its grounds, its context, what follows from it."""
    return form("signs.explains", "labels.why").fullmatch(title.strip("*_ :："))


def is_unmade(title: str) -> bool:
    """True for a heading of choices that are still to be made: `Challenges & decisions needed`."""
    return has(title, "signs.choices to make")


def is_step(title: str) -> bool:
    """True for a heading that has a number and names what to do, and is no part of a plan by rank alone."""
    words = _STEP.sub("", title, count=1)
    return words != title and (has_wide(words) or " " in words) and not (ranks(words) or has(title, "signs.option"))


def is_point(title: str) -> bool:
    """True for a heading that says something, and does not only name a subject: `The cache is never emptied`."""
    return (has_wide(title) or title.count(" ") > _FEW) and not (ranks(title) or has(title, "signs.option"))


def is_numbered(title: str) -> bool:
    """True for a heading that is a choice by its number and name or its stop: `D1: One binary`, `3. Copy the bugs.`."""
    words = _NUMBERED.sub("", title)
    is_one = _ID.match(title) is not None or (words != title and words.rstrip("*_ ").endswith((".", "。")))
    return is_one and bool(words) and not has(words, "signs.no choice heading")


def tells_choice(title: str) -> bool:
    """True for a heading that says what was chosen, and does not only name a subject or ask."""
    words = _NUMBERED.sub("", title)
    return has(words, "signs.choice heading", "phrases.commanded") and (has_wide(words) or words.count(" ") > _FEW)
