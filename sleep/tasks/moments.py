"""`--at`: the moment of the past that a reading task answers of, found once and said one way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.tasks.arguments import now

if TYPE_CHECKING:
    from sleep.memory.place import Place
    from sleep.recall.past.moment import Moment

AT_HELP = "a commit, a day (2026-03-01, `March 2026`, `last week`), `cycle 12` or `instance 7`"


def at(where: Place, name: str) -> Moment | None:
    """Return the moment that a flag gives, None for none; UsageError for no such moment."""
    if not name.strip():
        return None
    from sleep.recall.past import moment as moments  # late: of the present nobody asks the past  # noqa: PLC0415

    return moments.find(where.root, name, now()[: len("2026-03-01")])


def as_facts(moment: Moment | None) -> dict[str, object]:
    """Return what facts say of it."""
    return {"at": moment.facts} if moment else {}


def lead(moment: Moment | None) -> str:
    """Return the line above an answer."""
    return f"{moment.label[0].upper()}{moment.label[1:]}.\n\n" if moment else ""
