"""Memories of several projects: logs of two of them taken in, day by day in turn; and topics of a monorepo."""

from __future__ import annotations

from scene import Memory

from sleep.documents import journal, paths
from sleep.documents.journal import Draft
from sleep.journal.imports import conversion
from sleep.records.address import InstanceId

SHIP = "# {day}\n\n## Done\n\n- The hull of the ship has plank {number}\n\n## Next\n\n- Ship: paint plank {number}\n"
TOWER = "# {day}\n\n## Done\n\n- The tower has storey {number}\n\n## Next\n\n- Tower: plaster storey {number}\n"


def take_log(memory, text, day="", **origin):
    """Add a log as a document that was taken in, with this record of its import, and sleep on it."""
    memory.last += 1
    fields = {"started": "2026-11-21T10:00:00Z", "ended": "2026-11-21T10:00:00Z", "source": "log.md", "date": day}
    fields |= {"imported": {"from": "daily", **origin}}
    instance = InstanceId(memory.last, "abc")
    written, _ = conversion.canonical(text, instance, fields, memory.view.used_numbers())
    memory.texts[paths.journal(memory.last)] = written
    memory.sleep()
    return instance


def two_logs(days=3, forms=(SHIP, TOWER), folders=("ship", "tower")):
    """Return a memory with a log a day of each of two projects, in folders of their own."""
    memory = Memory()
    for number in range(1, days + 1):
        for form, folder in zip(forms, folders, strict=True):
            day = f"2026-03-{number:02}"
            take_log(memory, form.format(day=day, number=number), day, path=f"{folder}/{day}.md")
    return memory


def live(memory, *drafts, ended="2026-11-21T10:00:00Z", **fields):
    """Add a journal of an instance with these entries (kind, title and fields), and sleep on it."""
    memory.last += 1
    instance = InstanceId(memory.last, "abc")
    text = journal.start(instance, {"format": 2, "started": "2026-11-21T10:00:00Z", "ended": ended, **fields})
    for kind, title, own in drafts:
        text, _ = journal.append(text, Draft(kind, title, "", tuple(own.items())), instance)
    memory.texts[paths.journal(memory.last)] = text
    memory.sleep()
    return instance


def monorepo():
    """Return a memory whose topics name two projects, three instances each in turn."""
    memory = Memory()
    for number, part in enumerate(("login", "limits", "audit"), start=1):
        live(
            memory,
            ("note", f"The api answers in {number}0 ms", {"topic": f"api/{part}"}),
            ("blocker", f"The {part} certificate is expired", {"topic": f"api/{part}"}),
            ("handoff", f"The {part} works", {"next priority": f"Log each {part}"}),
        )
        live(
            memory,
            ("note", f"The page loads in {number}5 ms", {"topic": "web/page"}),
            ("handoff", f"Page {number} works", {"next priority": f"Draw page {number + 1}"}),
        )
    return memory
