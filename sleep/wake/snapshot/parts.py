"""A section of a snapshot, and showing it in less room: full, summary, count.

Owns the rungs. A section steps down instead of being cut: first its last items are only named, then they are counted
with the place that lists them, then the section is one line, then it is left out. Pure: no file is read here.

Room is measured in bytes of UTF-8, of which there are never fewer than UTF-16 units: what holds for the one holds for
the other.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FULL, SUMMARY, COUNT, LEFT_OUT = "full", "summary", "count", "left out"
RUNGS = (LEFT_OUT, COUNT, SUMMARY, FULL)
_BLANK = 2  # line feeds below a heading, and behind a section
_COMMA = 2  # a comma and a space
_ALSO = "also: "  # before the names, below items in full
_NAMING = 3  # what part of a list's room is kept for the names of those that are not in full
_WALL = 1_200  # bytes of names that a reader looks at


class Item(NamedTuple):
    """One thing of a section: as it is shown, and its name."""

    full: str
    name: str


class Part(NamedTuple):
    """A section before it is known how much room it gets.

    `name` is what the ledger calls it, `heading` the line above it. `items` stand in it in the order in which they are
    kept, `between` them what parts them; `page` is the text of a page instead. `count` is the one line that is left of
    it on the lowest rung, `where` the place that lists what is not shown, or the command that does. `picks`: an item
    that does not fit is passed over for a later one. `less` is the same section with less in it, which a summary is
    made of. At most `most` items are shown in full. `counts`: what is not is counted, not named, for an address tells
    a reader nothing.
    """

    name: str
    heading: str
    items: Sequence[Item] = ()
    count: str = ""  # type: ignore[assignment]  # in place of the method of tuples
    where: str = ""
    between: str = "\n"
    picks: bool = False
    page: str = ""
    less: Part | None = None
    most: int | None = None
    counts: bool = False

    @property
    def weight(self) -> int:
        """Bytes of the section in full."""
        inside = size(self.page) + sum(size(item.full) + len(self.between) for item in self.items)
        return len(self.heading) + _BLANK + inside - (len(self.between) if self.items else 0)

    @property
    def is_whole(self) -> bool:
        """True if the section may be shown in full at all."""
        return self.most is None or len(self.items) <= self.most


class Shown(NamedTuple):
    """A section as it is shown: text without a final line feed, rung, and how many of how many items stand in full."""

    part: Part
    rung: str
    text: str
    shown: int
    of: int

    @property
    def size(self) -> int:
        """Bytes of the text, with the blank line that parts it from the next."""
        return size(self.text) + _BLANK if self.text else 0


def size(text: str) -> int:
    """Return the bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def units(text: str) -> int:
    """Return the UTF-16 units of a text."""
    return len(text) if text.isascii() else len(text) + sum(sign > "\uffff" for sign in text)


def left_out(part: Part) -> Shown:
    """Return a section that is not shown."""
    return Shown(part, LEFT_OUT, "", 0, _number(part))


def full(part: Part) -> Shown:
    """Return a section with everything in it."""
    body = part.page or part.between.join(item.full for item in part.items)
    return Shown(part, FULL, f"{part.heading}\n\n{body}", _number(part), _number(part))


def fitted(part: Part, room: int) -> Shown:
    """Return as much of a section as fits the room, which has to hold the blank line behind it too."""
    room -= _BLANK
    if part.weight <= room and part.is_whole:
        return full(part)
    less = part.less or part
    if less is not part and less.weight <= room:
        return Shown(part, SUMMARY, full(less).text, 0, _number(part))
    head = f"{part.heading}\n\n"
    inside = room - size(head)
    shown = _page(less, inside) if part.page else _listed(less, inside)
    shown = shown or (Shown(part, COUNT, part.count, 0, _number(part)) if size(part.count) <= inside else None)
    return shown._replace(part=part, text=head + shown.text) if shown else left_out(part)


def fitting(items: Iterable[Item], room: int) -> list[Item]:
    """Return the items that fit so many bytes, each on a line, from the first on."""
    chosen: list[Item] = []
    for item in items:
        room -= size(item.full) + 1
        if room < 0:
            break
        chosen.append(item)
    return chosen


def _number(part: Part) -> int:
    return max(len(part.items), 1)


def _page(part: Part, room: int) -> Shown | None:
    """Return the first paragraphs of a page and where the rest is."""
    from sleep.wake.snapshot import page_outline  # late: where everything fits, nobody looks for a place to cut  # noqa: PLC0415

    rest = f"\n\n(the rest: {part.where})"
    left, end_of_text = room - size(rest), 0
    for end in page_outline.ends(part.page):
        left -= size(part.page[end_of_text:end])
        if left < 0:
            break
        end_of_text = end
    return Shown(part, SUMMARY, part.page[:end_of_text] + rest, 0, 1) if end_of_text else None


def _listed(part: Part, room: int) -> Shown | None:
    """Return the items that fit in full, and the names of the others, for which a third of the room is kept."""
    if len(part.items) == 1:  # its name says no more than the count
        return None
    counted = size(_line(part, (), len(part.items), 1)) if part.counts else _WALL
    names = min(_names(part, part.items), room // _NAMING if not part.counts else room, counted)
    left = room - names
    chosen: list[int] = []
    for number, item in enumerate(part.items):
        if len(chosen) == part.most:
            break
        cost = size(item.full) + len(part.between)
        if cost > left:
            if part.picks:
                continue
            break
        left -= cost
        chosen.append(number)
    return _mixed(part, chosen, left + names if part.is_whole else names)


def _mixed(part: Part, chosen: Sequence[int], room: int) -> Shown | None:
    """Return the chosen items in full and, in the room below them, as many names of the others as fit."""
    keep = set(chosen)
    rest = [item for number, item in enumerate(part.items) if number not in keep]
    shown = "".join(part.items[number].full + part.between for number in chosen)
    if part.counts:
        if not keep:
            return None
        return Shown(part, SUMMARY, shown + _line(part, (), len(rest), len(keep)), len(keep), len(part.items))
    if _names(part, rest) <= room:
        return Shown(part, SUMMARY, shown + _line(part, rest, 0, len(keep)), len(keep), len(part.items))
    left = room - size(_line(part, rest[:1], len(rest) - 1, len(keep))) + size(rest[0].name) + _COMMA
    named = 0
    for item in rest:
        left -= size(item.name) + _COMMA
        if left < 0:
            break
        named += 1
    if not named and (not keep or size(_line(part, (), len(rest), len(keep))) > room):
        return None
    text = shown + _line(part, rest[:named], len(rest) - named, len(keep))
    return Shown(part, SUMMARY, text, len(keep), len(part.items))


def _names(part: Part, items: Sequence[Item]) -> int:
    """Return the bytes of a line with all these names; one or two more than it has."""
    return size(_line(part, (), 0, 1)) + len(_ALSO) + sum(size(item.name) + _COMMA for item in items)


def _line(part: Part, named: Sequence[Item], more: int, above: int) -> str:
    """Return the line below the items in full: the names of others, how many more there are, and where."""
    says = ", ".join(item.name for item in named)
    if more:
        says = f"{says}, and {more} more" if says else f"{more} more"
    return f"- {_ALSO if above and named else ''}{says} ({part.where})"
