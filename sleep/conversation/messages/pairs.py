"""Where a history may be cut: never between a call and its results, nor between reasoning and what follows it.

Owns the rule. The cut moves only towards keeping more. Results whose call stands nowhere do not hold it back: there is
nothing to keep them with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sleep.conversation.messages.shapes import Turn


def cut(turns: Sequence[Turn], keep: int, roles: Sequence[str] = ()) -> int:
    """Return the index of the first message to keep, at most `len(turns) - keep`; linear in what is kept.

    With `roles`, the roles as the messages have them, what is kept does not begin with a user's message, unless nothing
    stands before it.
    """
    inseparable = _held(turns)
    start, orphans = _down(turns, keep, roles, inseparable, frozenset())
    if orphans:  # results without a call: once more, without waiting for it
        start, _ = _down(turns, keep, roles, inseparable, orphans)
    return start


def _down(
    turns: Sequence[Turn], keep: int, roles: Sequence[str], inseparable: Collection[int], orphans: Collection[str]
) -> tuple[int, frozenset[str]]:
    """Return the index, and the results that were still without their call when the beginning was reached."""
    at = len(turns)
    floor = max(0, at - keep)
    awaited: set[str] = set()
    while at > 0:
        if at <= floor and not awaited and at not in inseparable and not (roles and roles[at] == "user"):
            break
        at -= 1
        awaited.update(result for result in turns[at].results if result not in orphans)
        if awaited:
            awaited.difference_update(call for call, _ in turns[at].calls)
    return at, frozenset(awaited)


def _held(turns: Sequence[Turn]) -> frozenset[int]:
    """Return the indexes of messages that belong to the one before them, for other reasons than an id.

    A result without an id answers the call before it. Of one answer of a model, items stand together: reasoning, words
    and calls.
    """
    indexes = []
    has_call = False
    for index, turn in enumerate(turns):
        if turn.role == "tool":
            if has_call and not turn.results:
                indexes.append(index)
            continue
        has_call = bool(turn.calls)
        if index and (turns[index - 1].reasons or (turn.item and turns[index - 1].item)):
            indexes.append(index)
    return frozenset(indexes)
