"""How much a conversation changed, counted exactly, and read on from where the last count stopped.

Owns what counts: edits that took, each call once by its id. A call without an id counts each time. Only lines that can
have an edit or a failure in them are parsed. Refuses to open files (the caller gives chunks of bytes from `offset` on)
and to say what a count is worth: that is the debt's.

What is repeated: one message of the model stands on several lines, and one session is saved many times, also in pieces;
`merge` is the union. A fork begins with its parent's conversation: the same `uuid`s, message ids and call ids under a
session id of its own, some of the client's own lines left out and others put between. `without` the `ids` of its parent
it is its own.
"""

from __future__ import annotations

from itertools import chain

from sleep.transcripts import contents, line_reader, readers
from sleep.transcripts.contents import NOTHING, Contents, Sum
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator


class Count(NamedTuple):
    """A count and where it stopped.

    `client` is "" while no reader knows the file. `offset` is where the next line begins and `lines` how many stand
    before; both stay 0 where the file is one document. `held` is what stands before, `tail` what a last line holds that
    has no end yet: it is read again next time. `is_torn` says that this line, or the document, is cut off, `skipped`
    how many lines were beyond the limit.
    """

    client: str = ""
    offset: int = 0
    lines: int = 0
    held: Contents = NOTHING
    tail: Contents = NOTHING
    skipped: int = 0
    is_torn: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the count as values that JSON has."""
        return {**self._asdict(), "held": contents.to_json(self.held), "tail": contents.to_json(self.tail)}

    @classmethod
    def from_json(cls, stored: object) -> Count | None:
        """Return the count that `to_json` gave, None for anything else; keys beyond those are an older program's."""
        if not isinstance(stored, dict) or not stored.keys() >= set(cls._fields):
            return None
        client, offset, lines, _, _, skipped, is_torn = (stored[name] for name in cls._fields)
        known = any(client == name for name in ("", *readers.READERS))
        before, tail = contents.from_json(stored["held"]), contents.from_json(stored["tail"])
        if not (known and all(map(contents.is_number, (offset, lines, skipped))) and isinstance(is_torn, bool)):
            return None
        return None if before is None or tail is None else cls(client, offset, lines, before, tail, skipped, is_torn)


def count_on(count: Count, chunks: Iterable[bytes]) -> Count:
    """Return the count after what the file holds from `count.offset` to its end.

    Args:
        count: what was counted so far; `Count()` to begin with.
        chunks: the file's bytes from that offset on, cut anywhere: lines, or faster, `line_reader.CHUNK` bytes each.
    """
    rest = iter(chunks)
    client = count.client
    if not count.offset:  # nothing is settled yet, not even whose it is
        head = list(_head(rest))
        rest = chain(head, rest)
        client = readers.sniff(b"".join(head)[: readers.HEAD])
    count = count._replace(client=client, tail=NOTHING, is_torn=False)
    if not client:
        return count
    return (_document if readers.is_whole(client) else _read_on)(count, rest)


def _head(chunks: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        yield chunk
        size += len(chunk)
        if size >= readers.HEAD:
            return


def _document(count: Count, chunks: Iterable[bytes]) -> Count:
    """Count a transcript that is one document: all of it, anew."""
    pieces, size = [], 0
    for chunk in chunks:
        size += len(chunk)
        if size > line_reader.LIMIT:
            return count._replace(held=NOTHING, skipped=1, is_torn=True)
        pieces.append(chunk)
    total = Sum()
    is_sound = total.take(readers.reader(count.client).read(line_reader.split(pieces)))
    return count._replace(held=total.held(), skipped=0, is_torn=not is_sound)


def _read_on(count: Count, chunks: Iterable[bytes]) -> Count:
    """Count a transcript of lines from where the last count stopped.

    Each line is read by itself, and what is repeated is told by its id: it does not matter where a count ended.
    """
    reader = readers.reader(count.client)
    total, tail = Sum(count.held), Sum()
    offset, number, skipped, is_torn = count.offset, count.lines, count.skipped, False
    for block in line_reader.blocks(chunks):
        if not block.is_ended:
            is_torn = not block.end or not tail.take(reader.read((block.raw,)))
            continue
        offset += block.size
        number += block.raw.count(b"\n", block.start, block.end) or 1
        skipped += not block.end
        for line in line_reader.lines_with_signs(block, reader.SIGNS):
            total.take(reader.read((line,)))
    return count._replace(
        offset=offset, lines=number, held=total.held(), tail=tail.held(), skipped=skipped, is_torn=is_torn
    )


def changes(count: Count) -> int:
    """Return how many edits took, of the session and its sub-agents; a patch counts once for each file."""
    every = _all(count)
    return sum(files for call, files in every.calls.items() if call not in every.failed) + every.loose


def calls(count: Count) -> int:
    """Return how many calls made these edits; a patch of many files is one."""
    return len(ids(count) - _all(count).failed) + _all(count).loose


def failures(count: Count) -> int:
    """Return how many calls that were to edit failed."""
    return len(ids(count) & _all(count).failed)


def ids(count: Count) -> frozenset[str]:
    """Return the ids of the calls that were to edit, whether they took or failed."""
    return frozenset((*count.held.calls, *count.tail.calls))


def subtract(count: Count, counted: Collection[str]) -> Count:
    """Return a count without the calls that another session, the parent of a fork, has counted.

    To be reckoned with, not to be read on: what repeats one of the calls would bring it back.
    """
    return count._replace(held=contents.subtract(count.held, counted), tail=contents.subtract(count.tail, counted))


def merge(first: Count, second: Count) -> Count:
    """Return the union of two counts of one session that was saved twice; it reads on where the second stopped."""
    return second._replace(held=contents.union(_all(first), second.held), skipped=first.skipped + second.skipped)


def _all(count: Count) -> Contents:
    return contents.union(count.held, count.tail)
