r"""What a pattern is made of: its alternatives, and the letters that whatever it matches has.

Owns taking a pattern apart as it is written, so that a text is searched for one only if it may have it. Tells of
letters only what is plain: a class, a set and what need not be there tell nothing. Pure.
"""

from __future__ import annotations

import re

SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)  # an escape, a set, what groups and what parts
_PIECE = re.compile(
    r"""(?P<letters>[^\\\[\](){}.^$|?*+]+)(?![?*{])  # without one that may be missing
    | (?P<opening>\((?:\?(?:-i)?:|(?!\?))) | (?P<around>\(\?) | (?P<bar>\|)
    | (?P<closing>\))(?P<missing>[?*]|\{0?,[0-9]*\})?
    | \\. | \[\^?\]?(?:\\.|[^\]\\])*\] | \{[0-9,]+\}""",
    re.DOTALL | re.VERBOSE,
)
_LEAST = 2  # letters that tell anything
_NONE = frozenset[str]()


def alternatives(pattern: str) -> list[str]:
    """Return what stands between the `|` of a pattern that are in no group."""
    parts, depth, start = [], 0, 0
    for sign in SIGN.finditer(pattern):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if sign[0] == "|" and not depth:
            parts.append(pattern[start : sign.start()])
            start = sign.end()
    return [*parts, pattern[start:]]


class _Group:
    """A group that is read: what its alternatives so far need, and the best that the one under way needs."""

    __slots__ = ("best", "every", "is_around")

    def __init__(self, *, is_around: bool = False) -> None:
        self.is_around = is_around  # it matches no letters
        self.every: list[frozenset[str]] = []
        self.best = _NONE

    def take(self, runs: frozenset[str]) -> None:
        """Keep what tells more: long runs more than short ones, few more than many."""
        if runs and (not self.best or _weight(runs) > _weight(self.best)):
            self.best = runs

    def part(self) -> None:
        """End an alternative."""
        self.every.append(self.best)
        self.best = _NONE

    def needed(self) -> frozenset[str]:
        """Return runs of which whatever the group matches has one."""
        self.part()
        return _NONE.union(*self.every) if all(self.every) and not self.is_around else _NONE


def needed(pattern: str) -> frozenset[str]:
    """Return runs of letters of which all that a pattern matches has one, in some case; nothing where none is plain."""
    groups = [_Group()]
    for piece in _PIECE.finditer(pattern):
        match piece.lastgroup:
            case "letters" if len(piece[0]) >= _LEAST:
                groups[-1].take(frozenset({piece[0].lower()}))
            case "opening" | "around":
                groups.append(_Group(is_around=piece.lastgroup == "around"))
            case "bar":
                groups[-1].part()
            case "closing" | "missing":
                runs = groups.pop().needed()
                groups[-1].take(_NONE if piece["missing"] else runs)
    every = groups[0].needed()
    return frozenset(run for run in every if not any(other in run for other in every - {run}))


def _weight(runs: frozenset[str]) -> tuple[int, int]:
    return min(map(len, runs), default=0), -len(runs)
