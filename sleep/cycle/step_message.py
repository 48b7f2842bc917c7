"""What a step says about itself to the person who reviews its commit. Words and counts only."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.plurals import several
from sleep.store.plan import SUBJECT_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.compression.contract import Answer
    from sleep.records.fragment import Fragment

_MOVES = 12  # of records that are named
_CLOSE = 0.98  # of the ratio, which counts as met
_NONE: Mapping[Fragment, Fragment | None] = MappingProxyType({})


def counted(fragments: Sequence[Fragment], most: int | None = None) -> str:
    """Return what a person would say they are: `3 decisions, 8 more`; of `most` kinds of records, if given."""
    counts = [*Counter(fragment.kind for fragment in fragments if fragment.is_record).items()][:most]
    words = [several(number, kind) for kind, number in counts]
    rest = len(fragments) - sum(number for _, number in counts)
    if rest:
        words.append(f"{rest} more" if words else several(rest, "fragment"))
    return ", ".join(words)


def subject(step: str, fragments: Sequence[Fragment], *tails: str, nothing: str = "nothing") -> str:
    """Return a step's subject: what it moved, and the tail, of which shorter forms may follow the one that is wanted.

    What does not fit the line of a commit is counted together first, then the tail grows shorter: how it ends is never
    cut off.
    """
    room = SUBJECT_LIMIT - len("sleep: ")
    forms = [f"{step}, {counted(fragments, most) or nothing} {tail}" for tail in tails for most in (None, 3, 2, 1)]
    return next((form for form in forms if len(form) <= room), forms[-1])


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return names with commas, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def report(
    answer: Answer, exact: Sequence[Fragment], changed: Mapping[Fragment, Fragment | None] = _NONE, superseded: int = 0
) -> tuple[str, ...]:
    """Return the lines of a commit's body: what was kept, merged and dropped, what made room, and what went wrong.

    `changed` are the fragments that stood there and are shorter now, or went (None). `superseded` counts the older
    fragments of which what was kept tells a change.
    """
    fates: dict[str, list[Fragment]] = {}
    for fate in answer.fates:
        fates.setdefault(fate.fate, []).append(fate.before)
    survivors = len(fates.get(WHOLE, ())) + len(fates.get(SHORTENED, ()))
    prose = f"{survivors} of {several(len(answer.fates), 'other fragment' if exact else 'fragment')}"
    lines = [f"kept: {several(len(exact), 'record')} whole, {prose}" if exact else f"kept: {prose}"]
    if SHORTENED in fates:
        is_own = answer.compressor.startswith(extractive.FAMILY)
        how = "to the sentences that say most" if is_own else f"by {answer.compressor}"
        lines.append(f"shortened: {len(fates[SHORTENED])} {how}")
    if MERGED in fates:
        lines.append(f"merged: {len(fates[MERGED])} that repeat another")
    if DROPPED in fates:
        lines.append(f"dropped (over the budget; the journal keeps them): {_kinds(fates[DROPPED])}")
    if superseded:
        lines.append(f"superseded: {superseded} older, by what tells them anew")
    if leaving := [old for old, new in changed.items() if new is None]:
        why = "stood there and say less for their length (the journal keeps them)"
        lines.append(f"made room: {_kinds(leaving)}, which {why}")
    if shorter := len(changed) - len(leaving):
        lines.append(f"shortened where it stood, to make room: {several(shorter, 'fragment')}")
    return (*lines, answer.note) if answer.note else tuple(lines)


def _kinds(fragments: Iterable[Fragment]) -> str:
    """Return how many of each kind there are: `1 insight, 2 notes`."""
    counts = Counter(fragment.kind for fragment in fragments)
    return ", ".join(several(number, kind) for kind, number in sorted(counts.items()))


def moved(changes: Iterable[tuple[Fragment, Fragment]]) -> tuple[str, ...]:
    """Return the line that says which records are in another state now, or have a field said anew, if any."""
    in_order = sorted(changes, key=lambda change: change[1].addresses[-1])
    moves = [f"{new.handle} {new.state if new.state != old.state else _fields(old, new)}" for old, new in in_order]
    return (f"moved: {listed(moves, _MOVES)}",) if moves else ()


def _fields(old: Fragment, new: Fragment) -> str:
    anew = ", ".join(name for name, value in new.fields if old.field(name) != value)
    return f"({anew})" if anew else f"{new.state} again"


def relocated(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the line that says what stood there and goes to another topic now, by (topic before, topic after)."""
    counts = Counter(pairs)
    ways = [f"{old} to {new}{f' ({number})' * (number > 1)}" for (old, new), number in sorted(counts.items())]
    return (f"to another topic: {counts.total()} that stood there, {listed(ways, _MOVES)}",) if ways else ()


def refused(number: int) -> tuple[str, ...]:
    """Return the line that says how many fragments of a tool's were not taken, if any."""
    return (f"refused: {number} fragments of a tool's that read as an instruction",) if number else ()


def short(before: int, after: int, ratio: float, exact: Sequence[Fragment], answer: Answer) -> str:
    """Return why a ratio was not met, or "" when it was: by records, by prose, or by both."""
    if not after or before / after >= ratio * _CLOSE:
        return ""
    kept_tokens = sum(map(extractive.cost, exact))
    prose_tokens = sum(extractive.cost(fate.before) for fate in answer.fates)
    verb = "is" if len(exact) == 1 else "are"
    why = [f"{several(len(exact), 'record')} ({kept_tokens} tokens) {verb} kept whole"] if exact else []
    if not why or prose_tokens < ratio * _CLOSE * (after - kept_tokens):
        why.append(_room(answer))
    return f"{before / after:.1f}:1 instead of {ratio:g}:1, because {' and '.join(why)}"


def _room(answer: Answer) -> str:
    """Return why prose took more than its share."""
    if all(fate.fate in (WHOLE, MERGED) for fate in answer.fates):
        has_made_room = any(fate.fate == DROPPED for fate in answer.standing or ())
        return "what stood there made room for the rest" if has_made_room else "there is room for the rest"
    if answer.standing is not None:
        return "the ratio holds for the tier as a whole, where this says more for its length than what stood there"
    return "the tier has room for more of the rest"


def repeated(number: int) -> tuple[str, ...]:
    """Return the line that says how many records say what one says that stands, if any."""
    return (f"said again: {several(number, 'record')}, each one with the record that says it",) if number else ()


def settled(rejected: int, leaving: int) -> tuple[str, ...]:
    """Return the line about what was noticed and waits no more; of so many that leave some were rejected."""
    stated = leaving - rejected
    words = [f"{stated} stated"] * bool(stated) + [f"{rejected} rejected"] * bool(rejected)
    return (f"noticed before, and settled: {', '.join(words)}",) if words else ()
