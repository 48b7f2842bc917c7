"""The last thing that an agent said, from the end of its transcript: for a hook that is not told it.

Owns reading a bounded part of a file. Refuses a client whose transcript is one document.
"""

from __future__ import annotations

import os

from sleep.transcripts import readers

_END = 1 << 16  # bytes: what a turn closes with is shorter


def read(path: str) -> str:
    """Return the last text of the main agent in a transcript, "" for none in its last 64 KB."""
    try:
        with open(path, "rb") as file:
            client = readers.sniff(file.read(readers.HEAD))
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _END))
            lines = file.read(_END).split(b"\n")
    except OSError:
        return ""
    if not client or readers.is_whole(client):
        return ""
    whole = lines if size <= _END else lines[1:]  # the first one is cut
    texts = [event.text for event in readers.reader(client).read(whole) if event.kind == "text" and not event.side]
    return texts[-1] if texts else ""
