"""Deeds: which of what an agent said tells what a session did.

Owns the choice of that sentence: of the last message of a turn with edits, else of an earlier one, else a commit's. It
begins a passage of its own, and what says nothing before it is left out. Refuses to write one: where nobody said what
was done, there is none.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.digest import Placed
from sleep.language import sentences, terms
from sleep.language.acts import statements
from sleep.language.acts.grammar import has

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sleep.compression.passages import Passage

TELLS, ENDS = 2, 1  # a deed or its result; only that something is done
_DEED = ("reports.deed", "reports.result")
_END = ("reports.passive", "reports.end")
_PLAN = ("reports.not", "stated.to do", "stated.promises", "stated.narrates")
_ENOUGH = 8  # terms beyond which a sentence says no more of what was done
_TERMS = 2  # terms of a sentence that says what was done, at least; more of one that only says that something is
_APART = re.compile(r" · |: (?=\*\*)")  # items of a list; what leads to a heading
_RUN_IN = re.compile(r"^\W*\*\*[^*]+\*\*(?: \([^)]*\))?[:：]?\s*[—–-]?\s*(?=\w)")  # `**Summary** Added ...`
_HEADING = re.compile(r"\*\*[^*]+\*\*:?(?: \([^)]*\))?")


class _Place(NamedTuple):
    """Where a sentence stands: the index of its passage, and that of the part of it which begins with the sentence."""

    run: int
    part: int


def reports(sentence: str) -> int:
    """Return how well a sentence says what was done, 0 for one that does not."""
    words = _RUN_IN.sub("", sentence)
    if not has(words, *_DEED, *_END) or _is_besides(sentence):
        return 0
    count = len(terms.terms(words))
    is_only_well = has(words, "reports.well") and not has(words, "reports.deed", "reports.passive")
    if is_only_well or count < _TERMS:
        return 0
    if has(words, *_DEED):
        return TELLS
    return ENDS if count > _TERMS else 0


def _is_besides(sentence: str) -> bool:
    """True for a sentence that tells no deed, whatever its words: a nod, a question, an offer, a cause, a plan."""
    if says_nothing(sentence) or sentences.asks(sentence) or statements.proffers(sentence):
        return True
    return statements.tells_cause(sentence) or has(sentence, *_PLAN)


def says_nothing(text: str) -> bool:
    """True for a text of which no sentence says anything of the work: a nod, a courtesy, a heading, a next move."""
    return all(map(_is_empty, parts(text)))


def _is_empty(part: str) -> bool:
    words = part.strip(" ·")
    if _HEADING.fullmatch(words):
        return True
    if words.endswith((":", "：", ":**")):  # what leads to a list may tell the deed
        return not has(_RUN_IN.sub("", words), "reports.deed") or has(words, "reports.nothing")
    is_nod = statements.acknowledges(words) or statements.is_courtesy(words)
    is_nod = is_nod or has(words, "reports.nothing", "reports.stage")
    return is_nod or (has(words, "stated.narrates") and has(words, "stated.promises"))


def find(runs: Sequence[Passage], worked: Collection[int]) -> Passage | None:
    """Return the passage of a session that says what was done, from the sentence on that says it; None for none.

    `worked` are the messages before which something was edited or committed in the same turn.
    """
    place = _find(runs, worked)
    if place is None:
        return None
    run = runs[place.run]
    return run._replace(text="".join(parts(run.text)[place.part :]).strip(" ·"), reports=True)


def led(placed: Sequence[Placed], reported: Passage | None) -> list[Placed]:
    """Return what a digest holds, with the passage that says what was done before the rest of the outcome.

    What stood before it in the same passage is a passage of its own, where it says anything.
    """
    rows = [row._replace(passage=row.passage._replace(order=2 * row.passage.order)) for row in placed]
    if reported is None:
        return rows
    own = reported._replace(order=2 * reported.order + 1)
    first = next((at for at, row in enumerate(rows) if row.section != "intent"), len(rows))
    for at, row in enumerate(rows):
        if row.passage.order == 2 * reported.order:
            head = row.passage.text.removesuffix(own.text).strip(" ·")
            left = "".join(part for part in parts(head) if not _is_empty(part)).strip(" ·")
            rest = [row._replace(passage=row.passage._replace(text=left))] if left else []
            rows[at : at + 1] = rest
            break
    return [*rows[:first], Placed(own, 0, "outcome"), *rows[first:]]


def _find(runs: Sequence[Passage], worked: Collection[int]) -> _Place | None:
    """Return where the sentence stands that says what was done: at the end of a turn, in a commit, or at work."""
    prose = [index for index, run in enumerate(runs) if run.message in worked and _is_prose(run)]
    closing = sorted({runs[index].message for index in prose if runs[index].closing}, reverse=True)
    for message, before in pairwise((*closing, -1)):
        grade, place = _best(runs, (index for index in prose if runs[index].message == message))
        if grade >= ENDS:
            return place
        if (commit := _last_commit(runs, before, message)) >= 0:
            return _Place(commit, 0)
    return _at_work(runs, prose)


def _at_work(runs: Sequence[Passage], prose: Sequence[int]) -> _Place | None:
    """Return where the last sentence stands that tells a deed in the middle of a turn."""
    graded = (_best(runs, (index,)) for index in reversed(prose) if not runs[index].closing)
    return next((place for grade, place in graded if grade == TELLS), None)


def _is_prose(run: Passage) -> bool:
    return run.role == "agent" and run.kind == "text" and not run.states


def _last_commit(runs: Sequence[Passage], after: int, before: int) -> int:
    """Return the index of the first passage of the last commit between two messages, -1 for none."""
    commits = [run.message for run in runs if run.kind == "commit" and after < run.message < before]
    return next((index for index, run in enumerate(runs) if run.message == commits[-1]), -1) if commits else -1


def _best(runs: Sequence[Passage], indexes: Iterable[int]) -> tuple[int, _Place]:
    """Return how well some passages say what was done, and where the first sentence stands that says it best."""
    graded = [
        (_rank(part), _Place(index, number)) for index in indexes for number, part in enumerate(parts(runs[index].text))
    ]
    (grade, _), place = max(graded, key=lambda rank: rank[0], default=((0, 0), _Place(0, 0)))
    return grade, place


def _rank(part: str) -> tuple[int, int]:
    """Return how well a sentence says what was done, and by how many terms."""
    grade = reports(part)
    return grade, min(_ENOUGH, len(terms.terms(part))) if grade else 0


def parts(text: str) -> list[str]:
    """Return the sentences and items of a passage, with what sets each apart behind it: together they are the text."""
    begins = {start for start, _ in sentences.spans(text)} | {match.end() for match in _APART.finditer(text)}
    cuts = [*sorted({0, *begins}), len(text)]
    return [text[start:end] for start, end in pairwise(cuts) if text[start:end].strip()]
