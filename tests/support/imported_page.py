"""An imported page, and the records that it states."""

from __future__ import annotations

from sleep.documents import journal
from sleep.documents.hand.annotation import mark
from sleep.records.address import InstanceId

OWN = InstanceId(9, "zzz")
IMPORTED = {"standing": "marked", "imported": {"from": "journal", "path": "a.md", "hash": "0"}}


def records(text, title=""):
    """Return the records of an imported page, or of a part of one, those that were only noticed in brackets."""
    done = mark(f"{journal.start(OWN, IMPORTED)}\n{text}", OWN, {}, title=title)
    entries = [entry for entry in journal.read(done, OWN).entries if entry.kind != "note"]
    return [f"({entry.kind})" if entry.noticed else f"{entry.kind}: {entry.title}" for entry in entries]
