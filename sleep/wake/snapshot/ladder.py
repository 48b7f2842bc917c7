"""Which section gets how much of a budget.

Owns the climb; the table is `sections`. Every section starts left out; the steps raise one after the other, each to
the highest rung that its share of the budget, and what is still free, can hold. So nothing is ever cut to fit, the sum
is under the budget after every step, and the same sections in the same budget are always the same text.
"""

from __future__ import annotations

from sleep.plurals import several
from sleep.tuples import NamedTuple
from sleep.wake.snapshot.parts import COUNT, LEFT_OUT, RUNGS, Part, Shown, fitted, full, left_out, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Turn(NamedTuple):
    """A turn of a section: when it comes among the turns of all, how far it may raise the section, and why.

    `share` is in thousandths of the budget: `LINE` is the lowest rung, `ALL` all that is free.
    """

    number: int
    share: int
    why: str


LINE = 0
ALL = 1000
_LEAST = 300  # bytes of a share, in a small budget


def climbed(parts: Sequence[Part], steps: Iterable[tuple[str, Turn]], budget: int, frame: Frame) -> list[Shown]:
    """Return the sections as the steps raise them; a section that no step names stays left out."""
    if frame.size(()) + sum(part.weight + 2 for part in parts) <= budget and all(part.is_whole for part in parts):
        return [full(part) for part in parts]
    now = {part.name: left_out(part) for part in parts}
    spent = 0
    for name, turn in steps:
        before = now.get(name)
        if before is None:
            continue
        # What is said of those left out counts too, and this one may be the last of them.
        out = [section.part.name for section in now.values() if section.rung == LEFT_OUT and section is not before]
        free = budget - frame.size(out) - spent + before.size
        room = min(free, max(budget * turn.share // ALL, _LEAST))
        after = _line(before.part, free) if turn.share == LINE else fitted(before.part, room)
        if after.size <= free and _is_higher(after, before):
            spent += after.size - before.size
            now[name] = after
    return list(now.values())


class Frame(NamedTuple):
    """What stands around the sections: the title, and a last line for those that are left out."""

    title: str
    rest: str

    def size(self, out: Sequence[str]) -> int:
        """Return the bytes of both."""
        return size(self.title) + (size(self.last(out)) + 2 if out else 0)

    def last(self, out: Sequence[str]) -> str:
        """Return the last line, "" where nothing is left out."""
        if not out:
            return ""
        return f"Left out for want of room: {several(len(out), 'section')} (`{self.rest}`)"


def _line(part: Part, room: int) -> Shown:
    """Return a section's count, or the whole where that is no longer."""
    text = f"{part.heading}\n\n{part.count}"
    if part.weight <= size(text):
        return fitted(part, room)
    shown = Shown(part, COUNT, text, 0, max(len(part.items), 1))
    return shown if shown.size <= room else left_out(part)


def _is_higher(after: Shown, before: Shown) -> bool:
    return (RUNGS.index(after.rung), after.shown, len(after.text)) > (
        RUNGS.index(before.rung),
        before.shown,
        len(before.text),
    )
