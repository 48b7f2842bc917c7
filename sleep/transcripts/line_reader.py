"""A file's lines out of chunks that were cut anywhere, in bounded memory, and which of them are worth reading.

Owns the cut at line ends and the search for signs in whole blocks of lines, so that a line that has none costs nothing
but the search. Refuses to open files: whoever has one gives its chunks.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CHUNK = 1 << 18  # bytes that are well read at once: they stay in the cache while they are searched
LIMIT = 32 << 20  # bytes of a line; what is longer is no transcript's (the longest that was seen has 2.1 MB)


class Block(NamedTuple):
    """Whole lines, from `start` to `end` in `raw`, or the last line if it has no end yet: then `is_ended` is false.

    `size` is the bytes of the file that it takes. A line beyond the limit takes as many, and has nothing in `raw`.
    """

    raw: bytes
    start: int
    end: int
    size: int
    is_ended: bool = True


def blocks(chunks: Iterable[bytes], limit: int = LIMIT) -> Iterator[Block]:
    """Yield what chunks hold in blocks of whole lines; at most one chunk, and one line within the limit, is held."""
    begun: list[bytes] = []  # of a line whose end has not come
    size = 0
    for chunk in chunks:
        first = chunk.find(b"\n") + 1
        size += first or len(chunk)
        if size <= limit:
            begun.append(chunk[:first] if first else chunk)
        else:
            begun.clear()
        if not first:
            continue
        line = b"".join(begun)
        yield Block(line, 0, len(line), size)
        last = chunk.rfind(b"\n") + 1
        if last > first:
            yield Block(chunk, first, last, last - first)
        begun, size = [chunk[last:]], len(chunk) - last
    if size:
        line = b"".join(begun)
        yield Block(line, 0, len(line), size, is_ended=False)


def split(chunks: Iterable[bytes], limit: int = LIMIT) -> Iterator[bytes]:
    """Yield the lines that chunks hold, with their ends; a line beyond the limit is passed over."""
    for block in blocks(chunks, limit):
        at = block.start
        while at < block.end:  # `splitlines` would also cut at a bare carriage return
            end = block.raw.find(b"\n", at, block.end) + 1 or block.end
            yield block.raw[at:end]
            at = end


def lines_with_signs(block: Block, signs: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a block that have one of the signs, in order."""
    raw, start, stop = block.raw, block.start, block.end
    spans: dict[int, int] = {}
    for sign in signs:
        at = raw.find(sign, start, stop)
        while at >= 0:
            end = raw.find(b"\n", at, stop) + 1 or stop
            spans[raw.rfind(b"\n", start, at) + 1 or start] = end
            at = raw.find(sign, end, stop)
    for begin in sorted(spans):
        yield raw[begin : spans[begin]]
