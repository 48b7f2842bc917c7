"""Which lines of journals tell a part of the brief.

Owns finding them among what may be shown. Refuses to choose as many as there is room for: that is `selection`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.documents.project import brief_parts
from sleep.documents.project.brief_parts import NEXT, STATE
from sleep.language.acts.forms import form
from sleep.records.kinds import DONE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sleep.wake.candidates import Candidate

_STATE = 6  # lines that say how things stand
_PATH = re.compile(r"(?:\w+: )?\W*[\w~.-]*[/\\.][\w/\\.-]*\w\W*(?:$| [-–—(])")  # takes what a list of files says of one

_COMMIT = re.compile(r"\W*(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40}\b")  # takes what a list of commits says of one


def state(candidates: Sequence[Candidate]) -> frozenset[int]:
    """Return the indexes of the lines of journals that say how the last sessions with real work left things.

    What stands below a heading of state is told before what was changed, and no file or commit of a list. A change of a
    session before the last ones is history, also where these changed nothing.
    """
    of_journals = [(index, _number(candidate)) for index, candidate in enumerate(candidates) if _is_line(candidate)]
    recent = sorted({number for _, number in of_journals})[-brief_parts.SESSIONS :]
    lines: dict[int, set[int]] = {}
    for index, number in of_journals:
        candidate = candidates[index]
        if _is_of_state(candidate) and (candidate.kind == STATE or number in recent):
            lines.setdefault(number, set()).add(index)
    newest = sorted(lines, reverse=True)[: brief_parts.SESSIONS]
    best = [
        (candidates[index].kind != STATE, place, -candidates[index].quality.score, index)
        for place, number in enumerate(newest)
        for index in lines[number]
    ]
    return frozenset(index for *_, index in sorted(best)[:_STATE])


def _number(candidate: Candidate) -> int:
    return paths.journal_number(candidate.path) or 0


def _is_of_state(candidate: Candidate) -> bool:
    if candidate.kind == STATE:
        return not form("reports.all well").fullmatch(candidate.fragment.text.rpartition(": ")[2])
    text = candidate.fragment.text
    return candidate.kind in DONE and not (_PATH.match(text) or _COMMIT.match(text))


def _is_line(candidate: Candidate) -> bool:
    """Return whether something is a line of a journal that says something by itself, and not what a page is about."""
    return candidate.phase == "journals" and not (candidate.is_spare or candidate.title)


def parts(
    candidates: Sequence[Candidate], state: Collection[int], *, is_small: bool = False
) -> list[tuple[float, list[int]]]:
    """Return by part of the brief, in the reader's order, its share and the indexes of what tells it.

    That is lines of journals, and tasks that were noticed: what a session left open comes before how it went. With
    `is_small` there is little room: what is next is only what the last sessions left open.
    """
    groups = []
    for part in brief_parts.PARTS:
        lines = [
            index
            for index, candidate in enumerate(candidates)
            if (candidate.kind in part.kinds and _is_line(candidate)) or _is_left_open(candidate, part.kinds)
        ]
        if part.name == NEXT and is_small:
            lines = _newest(candidates, lines)
        groups.append((part.share, sorted(state) if part.name == STATE else lines))
    return groups


def _newest(candidates: Sequence[Candidate], lines: Sequence[int]) -> list[int]:
    """Return the indexes of what the last sessions that left anything open left so: their lists say what is next."""
    numbers = sorted({_number(candidates[index]) for index in lines})[-brief_parts.SESSIONS :]
    return [index for index in lines if _number(candidates[index]) in numbers]


def _is_left_open(candidate: Candidate, kinds: Collection[str]) -> bool:
    fragment = candidate.fragment
    return fragment.is_noticed and fragment.stated_kind == "task" and "task" in kinds
