"""`note` and `decide`: `journal.add` for the two kinds that are written most, with the text as the one plain word."""

from __future__ import annotations

from sleep.tasks import journal
from sleep.tasks.form import task

_TEXT = "what it says, in your own words and in quotes; - reads standard input"


@task(
    "note",
    quoted="text",
    help={
        "text": _TEXT,
        "thread": "the thread it belongs to, e.g. T-001",
        "topic": "the topic it goes to when it cools",
        "said_by": journal.SAID_BY_HELP,
    },
)
def note(text: str, thread: str = "", topic: str = "", said_by: str = "", json: bool = False, root: str = "") -> None:
    """Write a note into the open journal: what the next instance should know and no record says.

    Notes cool into topics and are shortened. What has to hold is a record: `decide` for a decision, `journal.add --kind
    constraint` for a rule, `--kind question` or `--kind task` for what is open.

    Example: sleepwake note "The importer reads dates as UTC, whatever the file says"
    """
    journal.write("note", text, {"thread": thread, "topic": topic, **journal.speaker(said_by)}, root=root, json=json)


@task(
    "decide",
    quoted="text",
    help={
        "text": _TEXT,
        "why": "the reason; without it nobody can tell later whether the decision still holds",
        **journal.DECISION_HELP,
        "said_by": journal.SAID_BY_HELP,
    },
)
def decide(
    text: str,
    why: str = "",
    alternative: list[str] | None = None,
    confidence: str = "",
    revisit_when: str = "",
    thread: str = "",
    topic: str = "",
    said_by: str = "",
    commit: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Write a decision into the open journal, with its reason; it is told to later sessions until it is superseded.

    It says which fields are missing. `decision.list` shows the decisions, `decision.supersede` replaces one.

    Example: sleepwake decide "Use flock for the lock" --why "no server is needed" --alternative "a file with a pid"
    """
    fields = {"why": why, "confidence": confidence, "revisit when": revisit_when, "thread": thread, "topic": topic}
    fields |= {"commit": commit, "alternatives": "; ".join(alternative or []), **journal.speaker(said_by)}
    journal.write("decision", text, fields, root=root, json=json)


TASKS = (note, decide)
