"""Which section gets how much of a budget.

Owns the tables and the climb. Every section starts left out; the steps of a table raise one after the other, each to
the highest rung that its share of the budget, and what is still free, can hold. So nothing is ever cut to fit, the sum
is under the budget after every step, and the same sections in the same budget are always the same text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.wake.snapshot.parts import COUNT, LEFT_OUT, RUNGS, Part, Shown, fitted, full, left_out, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Step(NamedTuple):
    """Raise a section into a share of the budget (in thousandths; `LINE` is its lowest rung, 1000 all that is free)."""

    name: str
    share: int
    why: str


LINE = 0
ALL = 1000
_LEAST = 300  # bytes of a share, in a small budget

# The order in which a bounded snapshot is printed: what the next turn needs, who we are, what there is to look up.
ORDER = (
    "This Session",
    "Handoff",
    "Active Threads",
    "Active Tasks",
    "Standing Constraints",
    "Standing Decisions",
    "Open Tasks",
    "Open Questions",
    "Dead Ends",
    "Commands",
    "Soul",
    "User",
    "Memory",
    "Sleep State",
    "Extended Core Files",
    "Features",
    "Knowledge Index",
    "Pinned Knowledge",
    "Recent Changelog",
    "Latest Release",
)
SESSION = 200  # thousandths that the session's own section may have at the most
_FLOOR = (
    Step("Active Tasks", LINE, "work under way is never unknown"),
    Step("Pinned Knowledge", LINE, "somebody said it is needed in every session"),
    Step("This Session", LINE, "after a compaction: that what was being done is written down"),
    Step("Handoff", LINE, "where the last instance stopped"),
    Step("Standing Constraints", LINE, "they bind whatever is done"),
    Step("Standing Decisions", LINE, "what was decided is not decided again"),
    Step("Open Tasks", LINE, "what is not done, and what blocks it"),
    Step("Soul", LINE, "who the agent is"),
    Step("Commands", ALL, "one line that leads to all the rest"),
    Step("Active Threads", LINE, "what is in the air"),
    Step("Memory", LINE, "what a person wrote down"),
    Step("User", LINE, "how a person wants to be worked with"),
    Step("Knowledge Index", LINE, "that there is something to look up"),
    Step("Open Questions", LINE, "what nobody knows yet"),
    Step("Dead Ends", LINE, "what failed before"),
    Step("Sleep State", LINE, "whether to consolidate first"),
    Step("Extended Core Files", LINE, "that there is more of the core"),
    Step("Features", LINE, "that there is a map of the product"),
    Step("Recent Changelog", LINE, "git has it too"),
    Step("Latest Release", LINE, "git has it too"),
)
# Handoff, threads and tasks stand in the first 2,000 of a hook's 9,500, which a client shows when it cuts; after a
# compaction what the session itself journaled does.
_SHARES = (
    Step("This Session", 150, "after a compaction: the newest of what was asked, decided, and left open"),
    Step("Handoff", 90, "what to do next, and the risk in it"),
    Step("Active Threads", 45, "the work it belongs to"),
    Step("Active Tasks", 75, "the first of them with why; the others by name"),
    Step("Standing Constraints", 110, "a broken one costs more than a missing fact"),
    Step("Standing Decisions", 130, "with their why, the newest first"),
    Step("Open Tasks", 70, "blockers first"),
    Step("Open Questions", 50, "so that nobody answers one in passing"),
    Step("Dead Ends", 50, "so that nobody tries one again"),
    Step("Soul", 110, "its first paragraphs"),
    Step("User", 80, "its first paragraphs"),
    Step("Memory", 90, "its first paragraphs"),
    Step("Pinned Knowledge", 120, "at least every name, and the first bodies"),
    Step("Knowledge Index", 90, "as many names as can be"),
    Step("Sleep State", 30, "debt and the last sleep"),
    Step("Extended Core Files", 40, "names and paths"),
    Step("Features", 50, "names"),
    Step("Recent Changelog", 40, "the newest three, shortened"),
    Step("Latest Release", 20, "the version"),
)
_REST = (
    Step("This Session", SESSION, "and no more: the rest stands in its journal"),
    Step("Handoff", 110, "a little more, so that the tasks still begin in the first 2,000"),
    Step("Active Threads", 60, "same"),
    Step("Standing Constraints", 200, "what binds comes before all that only informs"),
    Step("Standing Decisions", 220, "same"),
    Step("Open Tasks", 120, "same"),
    Step("Open Questions", 90, "same"),
    Step("Dead Ends", 90, "same"),
    Step("Soul", ALL, "what is left goes first to who the agent is"),
    Step("User", ALL, "and for whom"),
    Step("Pinned Knowledge", 400, "one page after the other"),
    Step("Memory", 300, "what a person wrote down"),
    Step("Active Tasks", 250, "a quarter at the most: a list is long, and its files are near"),
    Step("Pinned Knowledge", ALL, "one page more, perhaps"),
    Step("Memory", ALL, "to its end"),
    Step("Standing Constraints", ALL, "to the last"),
    Step("Standing Decisions", ALL, "same"),
    Step("Open Tasks", ALL, "same"),
    Step("Open Questions", ALL, "same"),
    Step("Dead Ends", ALL, "same"),
    Step("Knowledge Index", 300, "a list again"),
    Step("Extended Core Files", ALL, "with summaries"),
    Step("Features", ALL, "with why and what happened last"),
    Step("Active Tasks", ALL, "all that is still free"),
    Step("Knowledge Index", ALL, "same"),
    Step("Recent Changelog", ALL, "whole"),
    Step("Latest Release", ALL, "whole"),
    Step("Sleep State", ALL, "with its sessions"),
    Step("Handoff", ALL, "its last word, where there is room for everything else"),
    Step("Active Threads", ALL, "same"),
)
SNAPSHOT = (*_FLOOR, *_SHARES, *_REST)

# A sub-agent is told what the project is, what binds it, where to look, and what is known.
BRIEFING = (
    Step("Rules and Records", LINE, "what binds the session binds who works for it"),
    Step("Active Tasks", LINE, "work under way is never unknown"),
    Step("Pinned Knowledge", LINE, "nor is what is needed in every session"),
    Step("Project", ALL, "what it is for"),
    Step("Rules and Records", ALL, "2,000 bytes at the most"),
    Step("Context Directory", ALL, "where to look"),
    Step("Knowledge Index", 350, "what need not be found out again"),
    Step("Active Tasks", 200, "what goes on around it"),
    Step("Extended Core Files", 120, "where the stack, the schema and the style are written"),
    Step("Pinned Knowledge", ALL, "as far as it fits"),
    Step("Knowledge Index", ALL, "what is still free"),
    Step("Active Tasks", ALL, "same"),
    Step("Extended Core Files", ALL, "same"),
)


def climbed(parts: Sequence[Part], steps: Iterable[Step], budget: int, frame: Frame) -> list[Shown]:
    """Return the sections as the steps raise them; a section that no step names stays left out."""
    if frame.size(()) + sum(part.weight + 2 for part in parts) <= budget and all(part.is_whole for part in parts):
        return [full(part) for part in parts]
    now = {part.name: left_out(part) for part in parts}
    spent = 0
    for step in steps:
        before = now.get(step.name)
        if before is None:
            continue
        # What is said of those left out counts too, and this one may be the last of them.
        out = [one.part.name for one in now.values() if one.rung == LEFT_OUT and one is not before]
        free = budget - frame.size(out) - spent + before.size
        room = min(free, max(budget * step.share // ALL, _LEAST))
        after = _line(before.part, free) if step.share == LINE else fitted(before.part, room)
        if after.size <= free and _is_higher(after, before):
            spent += after.size - before.size
            now[step.name] = after
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
        return f"Left out for want of room: {len(out)} {'sections' if len(out) > 1 else 'section'} (`{self.rest}`)"


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
