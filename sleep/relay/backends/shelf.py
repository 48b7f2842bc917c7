"""Snapshots of a log in NATS JetStream: each a row of messages under a subject of its own.

Owns the stream `RELAY_SNAPSHOT`. A snapshot counts when all its parts are there, and the newest one by its place in the
log counts, whoever wrote it and whenever: so no writer need know of another. Refuses to know what is in one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nats.js.api import StreamConfig
from nats.js.errors import BadRequestError, NotFoundError

if TYPE_CHECKING:
    from nats.js import JetStreamContext
    from nats.js.api import StreamInfo

STREAM, _ROOT = "RELAY_SNAPSHOT", "relay.snapshot"
_PART = 2**19  # bytes of a message
_OTHER = 10058  # what JetStream calls a stream that is there and is not as it should be
_TRIES = 5  # reading one that is taken away meanwhile, because there are two newer ones


async def ensure_stream(stream: JetStreamContext, config: StreamConfig) -> StreamInfo:
    """Return a stream, made where there is none; one that an operator changed, to have replicas, is left as it is."""
    try:
        return await stream.add_stream(config)
    except BadRequestError as problem:
        if problem.err_code != _OTHER:
            raise
    return await stream.stream_info(config.name)


class _Row(NamedTuple):
    number: int  # of the last record that is in it
    subject: str
    parts: int


class Shelf:
    """The snapshots of one log, which `log` tells from one that had the same name before it."""

    def __init__(self, stream: JetStreamContext, log: str) -> None:
        self._stream = stream
        self._log = log

    async def open(self) -> None:
        """Make the stream where there is none."""
        await ensure_stream(self._stream, StreamConfig(name=STREAM, subjects=[f"{_ROOT}.>"]))

    async def put(self, number: int, node: str, image: bytes) -> None:
        """Keep a snapshot; `number` is that of the last record in it."""
        subject = f"{_ROOT}.{self._log}.{number}.{node}"
        parts = max(1, -(-len(image) // _PART))
        for nth in range(parts):
            part = image[nth * _PART : (nth + 1) * _PART]
            await self._stream.publish(subject, part, headers={"Part": f"{nth + 1}/{parts}"})

    async def newest(self) -> tuple[int, bytes]:
        """Return the newest snapshot and the number of its last record, (0, b"") where there is none."""
        for attempt in range(_TRIES):
            try:
                for row in await self._rows():
                    if await self._is_whole(row):
                        return row.number, await self._read(row)
            except NotFoundError:
                if attempt == _TRIES - 1:
                    raise
                continue
            break
        return 0, b""

    async def tidy(self) -> int:
        """Take away all but the two newest snapshots; return the last record of the older one, 0 if there is one only.

        The log up to there is needed by nobody: who begins with the newest one, or began with the older one, reads on
        behind it.
        """
        whole = [row for row in await self._rows() if await self._is_whole(row)]
        numbers = sorted({row.number for row in whole}, reverse=True)
        if len(numbers) > 1:
            subjects = {row.subject for row in whole if row.number >= numbers[1]}
            for row in await self._rows():
                if row.number < numbers[1] and row.subject not in subjects:
                    await self._stream.purge_stream(STREAM, subject=row.subject)
        for subject in await self._subjects(f"{_ROOT}.>"):
            if not subject.startswith(f"{_ROOT}.{self._log}."):  # of a log that is no more
                await self._stream.purge_stream(STREAM, subject=subject)
        return numbers[1] if len(numbers) > 1 else 0

    async def _rows(self) -> list[_Row]:
        """Return what is there of snapshots, newest first."""
        subjects = (await self._subjects(f"{_ROOT}.{self._log}.>")).items()
        return sorted((_Row(int(subject.split(".")[3]), subject, parts) for subject, parts in subjects), reverse=True)

    async def _subjects(self, pattern: str) -> dict[str, int]:
        return (await self._stream.stream_info(STREAM, subjects_filter=pattern)).state.subjects or {}

    async def _is_whole(self, row: _Row) -> bool:
        last = await self._stream.get_last_msg(STREAM, row.subject)
        return (last.headers or {}).get("Part") == f"{row.parts}/{row.parts}"

    async def _read(self, row: _Row) -> bytes:
        chunks, at = [], 0
        for _ in range(row.parts):
            part = await self._stream.get_msg(STREAM, seq=at + 1, subject=row.subject, next=True)
            chunks.append(part.data or b"")
            at = part.seq or 0
        return b"".join(chunks)
