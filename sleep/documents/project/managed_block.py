"""The block of `core/2.memory.md` that a sleep writes: the decisions and rules that hold, a line each.

Owns the block's form, and what becomes of edits in it: a line that a person added or changed is theirs from then on and
stands below the block, one that they took out stays out while its record holds. Refuses to touch anything else of the
page.

    <!-- written by sleep: decisions and rules that hold; a line of your own moves below this block -->
    - Rule: Never hold the lock while a person is asked [i2bfm.3]
    - D-001 Use flock for the lock (why: it ends with its holder) [i2bfm.2]
    <!-- end of what sleep wrote: i2bfm.3 i2bfm.2; taken out by hand: i1qxk.4; 5d41402a -->
"""

from __future__ import annotations

import re
import zlib

from sleep.documents.markdown import edit, lines
from sleep.records import address as addressing
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    Merge = Callable[[str, str, str], str | None]

PATH = "memory/core/2.memory.md"
PROPOSALS = "memory/proposals.md"  # a page of ours that has such a block too, below its introduction
INTRODUCTION = """# Proposals

Rules of a person's that neither `core/0.soul.md` nor `core/1.user.md` says. Copy a line to the page that it belongs to,
or delete it here: then it does not come back.
"""
OPEN = "<!-- written by sleep: decisions and rules that hold; a line of your own moves below this block -->"
_CLOSE = re.compile(
    r"<!-- end of what sleep wrote: ([^;>]*)(?:; taken out by hand: ([^;>]*))?; ([0-9a-f]{8}) -->"
)  # takes the last line of the example above
_MARK = re.compile(r"\s*\[[^\[\]]*\]\s*$")


class Row(NamedTuple):
    """A line of the block: the record that it tells, by its address, and the line as it is written."""

    address: str
    line: str


class _Block(NamedTuple):
    """The block as it stands in `text[start:end]`: the lines inside, whose they are, what was left out, if edited."""

    start: int
    end: int
    rows: tuple[str, ...] = ()
    wrote: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()
    is_edited: bool = False

    @property
    def is_there(self) -> bool:
        """False where a page has no block."""
        return self.end > self.start


def written(text: str, rows: Sequence[Row], known: Collection[str], more: str = "") -> str:
    """Return the page with the block as it is to be; idempotent.

    Args:
        text: the page.
        rows: the records that hold, in their order.
        known: the lines of records that do not hold any more: they are no hand's.
        more: a line without an address on what has no place, "" for none.
    """
    ours = {_bare(line) for line in (*(row.line for row in rows), *known, more)}
    text = _single(text, ours)
    block = _find(text)
    hand = [line for line in block.rows if block.is_edited and not (_bare(line) in ours or _is_more(line))]
    gone = block.wrote - _addresses("\n".join(block.rows)) if block.is_edited else frozenset()
    out = (block.out | gone) & {row.address for row in rows}
    elsewhere = _addresses("\n".join((_outside(text, block), *hand)))
    shown = [row for row in rows if row.address not in out | elsewhere]
    raw = _rendered(shown, out, more) if shown or out else ()
    if block.is_there:
        newline = edit.newline(text)
        fresh = "".join(f"{line}{newline}" for line in (*raw, *hand))
        return edit.apply(text, [edit.Edit(block.start, block.end, fresh)])
    return _appended(text, raw)


def _appended(text: str, raw: Sequence[str]) -> str:
    """Return a page with a block at its end, set apart by a blank line."""
    if not raw:
        return text
    newline = edit.newline(text)
    lead = "" if not text or text.endswith("\n") else newline
    return f"{text}{lead}{newline if text.strip() else ''}{newline.join(raw)}{newline}"


def without(text: str) -> str:
    """Return the page without the block, for whoever tells the records otherwise."""
    return _outside(text, _find(text)) if OPEN in text else text


def has_lines_to_tell(text: str) -> bool:
    """Return whether a page has lines of a block which may be a hand's, so that `written` needs `known`.

    A block that nobody edited has none, nor has a page with no frame beside it.
    """
    block = _find(text)
    return block.is_edited or any(_is_frame(row.words.strip()) for row in lines.split(_outside(text, block)))


def rows(text: str) -> tuple[str, ...]:
    """Return the lines inside the block, none where there is none."""
    return _find(text).rows


def blanked(text: str) -> str:
    """Return the page with blank lines in the block's place: every other line keeps its number."""
    block = _find(text)
    return text[: block.start] + "\n" * text.count("\n", block.start, block.end) + text[block.end :]


def merged(now: str, before: str, after: str, merge: Merge) -> str | None:
    """Return the page with what a person did to it between `before` and `after`, and the block of `now`.

    None where their words cannot be merged. What they added to the block stands below it, what they took out stays out.
    `merge` is a three-way merge of texts: ours, the base, theirs.
    """
    own, old, new = _find(now), _find(before), _find(after)
    hand = [line for line in new.rows if line not in old.rows]
    newline = edit.newline(after)
    head, tail = _around(after, new)
    bare = f"{head}{''.join(f'{line}{newline}' for line in hand)}{tail}"
    mine, base = "".join(_around(now, own)), "".join(_around(before, old))
    both = bare if mine == base else merge(mine, base, bare)
    if both is None:
        return None
    raw = _less(own, _addresses("\n".join(old.rows)) - _addresses("\n".join(new.rows)) | new.out, hand)
    if raw and new.is_there and both.startswith(head):
        return f"{after[: new.start]}{newline.join((*raw, ''))}{both[len(head) :]}"
    return _appended(both, raw)


def of_both(before: str, ours: str, theirs: str, merge: Merge) -> str | None:
    """Return the page that two branches changed since `before`, with the block of `ours`, which a sleep writes anew.

    None where people's words are at odds, or where somebody edited the block of `theirs`.
    """
    blocks = [_find(text) for text in (before, ours, theirs)]
    old, mine, other = (
        "".join(_around(text, block)) for text, block in zip((before, ours, theirs), blocks, strict=True)
    )
    if blocks[2].is_edited:
        return None
    if other in (old, mine):
        return ours
    both = other if mine == old else merge(mine, old, other)
    own = blocks[1]
    return None if both is None else _appended(both, ours[own.start : own.end].splitlines())


def _less(block: _Block, gone: Collection[str], hand: Sequence[str]) -> tuple[str, ...]:
    """Return a block's lines without the records that were taken out of it and those that lines of a hand tell."""
    left = _addresses("\n".join(hand)).union(gone)
    rows = [line for line in block.rows if not _is_more(line) and _addresses(line).isdisjoint(left)]
    out = block.wrote & set(gone)
    rest = next(filter(_is_more, block.rows), "")
    shown = [Row(" ".join(sorted(_addresses(line))), line) for line in rows]
    return _rendered(shown, out, rest) if shown or out else ()


def _around(text: str, block: _Block) -> tuple[str, str]:
    """Return what stands before the block and behind it, without the blank line that sets it apart."""
    if not block.is_there:
        return text, ""
    head, newline = text[: block.start], edit.newline(text)
    return head.removesuffix(newline) if head.endswith(newline * 2) else head, text[block.end :]


def proposals(text: str) -> str | None:
    """Return the page of proposals, None for one that says nothing but its introduction."""
    return None if text.strip() == INTRODUCTION.strip() else text


def merged_proposals(now: str | None, before: str | None, after: str | None, merge: Merge) -> str | None:
    """Return as `merged` does for the page of proposals, which may be gone; where words are at odds ours stay."""
    both = merged(now or INTRODUCTION, before or INTRODUCTION, after or INTRODUCTION, merge)
    return now if both is None else proposals(both)


def is_proposal_kept(before: str, after: str) -> bool:
    """Return whether a change of the page of proposals kept all that is a person's."""
    return is_kept(before or INTRODUCTION, after or INTRODUCTION)


def is_kept(before: str, after: str) -> bool:
    """Return whether a change of the page kept all that is a person's, and brought nothing but the block."""
    block = _find(before)
    inside = {line.strip() for line in block.rows}
    old, new = ({line.strip() for line in without(text).split("\n")} for text in (before, after))
    gone, fresh = old - new, new - old
    return all(map(_is_frame, gone)) and all(line in inside or not line or _is_frame(line) for line in fresh)


def _find(text: str) -> _Block:
    """Return the block, an empty one at the end where there is none; without its last line it is its first alone."""
    rows = lines.split(text)
    first = next((index for index, row in enumerate(rows) if row.words.strip() == OPEN), None)
    if first is None:
        return _Block(len(text), len(text))
    closes = ((index, _CLOSE.fullmatch(rows[index].words.strip())) for index in range(first + 1, len(rows)))
    last, match = next(((index, match) for index, match in closes if match), (first, None))
    inside = tuple(row.words for row in rows[first + 1 : last] if row.words.strip() and row.words.strip() != OPEN)
    wrote, out, checksum = (match[1], match[2] or "", match[3]) if match else ("", "", "")
    edited = _sum(inside, wrote.split(), out.split()) != checksum
    return _Block(rows[first].start, rows[last].end, inside, frozenset(wrote.split()), frozenset(out.split()), edited)


def _single(text: str, ours: Collection[str]) -> str:
    """Return the page without the frames of further blocks, as a merge leaves them, and the lines of ours in them."""
    block = _find(text)
    rows = lines.split(text)
    gone, is_inside = [], False
    for row in rows:
        if block.start <= row.start < block.end:
            continue
        words = row.words.strip()
        is_inside = words == OPEN or (is_inside and not _is_frame(words))
        if _is_frame(words) or (is_inside and _bare(words) in ours):
            gone.append(edit.Edit(row.start, row.end, ""))
    return edit.apply(text, gone)


def _is_frame(words: str) -> bool:
    return words == OPEN or bool(_CLOSE.fullmatch(words))


def _outside(text: str, block: _Block) -> str:
    return text[: block.start] + text[block.end :]


def _rendered(shown: Sequence[Row], out: Collection[str], more: str) -> tuple[str, ...]:
    inside = [*(row.line for row in shown), *([more] if more else [])]
    wrote, left = [row.address for row in shown], sorted(out)
    by_hand = f"; taken out by hand: {' '.join(left)}" if left else ""
    return OPEN, *inside, f"<!-- end of what sleep wrote: {' '.join(wrote)}{by_hand}; {_sum(inside, wrote, left)} -->"


def _sum(inside: Sequence[str], wrote: Sequence[str], out: Sequence[str]) -> str:
    """Return what tells whether somebody edited the block; no secret is kept by it."""
    content = "\n".join((*(line.rstrip() for line in inside), *wrote, *sorted(out)))
    return f"{zlib.crc32(content.encode('utf-8', 'surrogateescape')):08x}"


def _addresses(text: str) -> frozenset[str]:
    return frozenset(map(str, addressing.addresses(text)))


def _bare(line: str) -> str:
    return _MARK.sub("", line).strip()


def _is_more(line: str) -> bool:
    return bool(_MORE.fullmatch(line.strip()))


_MORE = re.compile(r"- and \d+ more: .*")


def more(count: int, command: str) -> str:
    """Return the line on what has no place, "" for none."""
    return f"- and {count} more: {command}" if count else ""
