"""The kinds of entry: one table, and what the rest of the program asks of it.

Owns names, headings, letters, priorities, fields and states. Refuses to look at text: that is `extract`'s.

A task, a blocker or a dead end is a record where it was stated. One that was only noticed (in passing, in a transcript,
in a document that was imported) is a fragment of a kind of its own, `noticed task`: prose, which no entry can be.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of entry.

    `plural` heads its section in a tier. `letter` numbers its records for people. `states` is empty for prose, else the
    kind is a record and the first state is the one it is born in. `priority` orders what is lost last (0 is last).
    `fields` are what a person is asked for.
    """

    name: str
    plural: str
    priority: int
    fields: tuple[str, ...] = ()
    letter: str = ""
    states: tuple[str, ...] = ()

    @property
    def is_record(self) -> bool:
        """True for what is kept whole in a register and never compressed while it is open."""
        return bool(self.states)

    @property
    def label(self) -> str:
        """The word that heads an entry of this kind: `Dead end`."""
        return self.name.capitalize()


# The order of priorities is that of section 6 of the design: constraints, questions and doubts, decisions with their
# why, tone and relationship, technical facts, procedure.
_ALL = (
    Kind("constraint", "Constraints", 0, ("why",), states=("active", "lifted")),
    Kind("question", "Questions", 1, ("why",), "Q", ("open", "answered")),
    Kind("doubt", "Doubts", 1, ("why",), states=("open", "resolved")),
    Kind(
        "decision",
        "Decisions",
        2,
        ("why", "alternatives", "confidence", "revisit when"),
        "D",
        ("standing", "reversed", "superseded"),
    ),
    Kind("thread", "Threads", 2, ("next",), "T", ("active", "paused", "resolved", "abandoned")),
    Kind("tone", "Tone", 3),
    Kind("relation", "Relations", 3),
    Kind("blocker", "Blockers", 3, ("why",), states=("open", "resolved")),
    Kind("task", "Tasks", 3, ("why",), states=("open", "done", "dropped")),
    Kind(
        "handoff",
        "Handoff",
        3,
        ("session summary", "next priority", "open risk", "emotional register", "for my successor"),
    ),
    Kind("insight", "Insights", 4),
    Kind("dead end", "Dead ends", 4, ("why",), states=("standing", "retried")),
    Kind("change", "Changes", 5, ("commit", "files")),
    Kind("note", "Notes", 5),
)
# The records that bind only where they were stated.
WORK = ("blocker", "task", "dead end")
_NOTICED = "noticed "

ENTRIES: dict[str, Kind] = {kind.name: kind for kind in _ALL}
KINDS: dict[str, Kind] = {
    **ENTRIES,
    **{
        f"{_NOTICED}{name}": Kind(
            f"{_NOTICED}{name}", f"{ENTRIES[name].plural} noticed", ENTRIES[name].priority, ENTRIES[name].fields
        )
        for name in WORK
    },
}
BY_PLURAL: dict[str, Kind] = {kind.plural.casefold(): kind for kind in KINDS.values()}
RECORDS: tuple[Kind, ...] = tuple(kind for kind in _ALL if kind.is_record)
EVENT = " event"
# What an event says beside the record it moves.
EVENT_FIELDS = ("record", "to", "reason", "by")


def event(kind: str) -> str:
    """Return the kind of entry that moves a record of `kind`: `thread event`."""
    return kind + EVENT


def event_record(kind: str) -> Kind | None:
    """Return the kind of record that an entry of this kind moves, or None if it is no event."""
    found = KINDS.get(kind.removesuffix(EVENT)) if kind.endswith(EVENT) else None
    return found if found and found.is_record else None


def noticed(kind: str) -> str:
    """Return the kind of a fragment that was noticed and not stated: `noticed task`; most kinds are the same."""
    return f"{_NOTICED}{kind}" if kind in WORK else kind


def stated(kind: str) -> str:
    """Return the kind of entry that a fragment's kind is of: a `noticed task` was journaled as a task."""
    return kind.removeprefix(_NOTICED)


def named(words: str) -> str:
    """Return the kind whose name a heading or label is (`Open tasks`, `**Dead end:**`), "" where it is none."""
    bare = " ".join(words.replace("*", " ").replace("_", " ").strip(" :#").casefold().split()).removeprefix("open ")
    return bare if bare in ENTRIES else BY_PLURAL[bare].name if bare in BY_PLURAL else ""


def key(kind: str) -> str:
    """Return a kind as a name in JSON: `dead_end`."""
    return kind.replace(" ", "_")


def spelt(name: str) -> str:
    """Return the kind that a name means which is written otherwise (`dead_end`, `deadend`), else the name."""
    bare = name.strip().casefold().replace("_", " ").replace("-", " ")
    return next((kind for kind in ENTRIES if bare in (kind, command(kind))), name)


def command(kind: str) -> str:
    """Return what the commands of a kind begin with: `deadend`, in `deadend.list`."""
    return kind.replace(" ", "")


def names() -> tuple[str, ...]:
    """Return every kind of entry, events included, in order of priority."""
    return (*ENTRIES, *(event(kind.name) for kind in RECORDS))


def is_kind(name: str) -> bool:
    """True for the name of a kind of entry, events included."""
    return name in ENTRIES or event_record(name) is not None


def priority(kind: str) -> int:
    """Return when an entry of this kind is lost: 0 last, 5 first."""
    record = event_record(kind)
    return record.priority if record else KINDS[kind].priority if kind in KINDS else KINDS["note"].priority


# What every entry may say beside the fields of its kind.
COMMON_FIELDS = ("thread", "topic", "time", "source", "transcript", "boilerplate", "status", "stands in")


def field_names(kind: str) -> frozenset[str]:
    """Return the names of the fields that an entry of this kind may have."""
    own = EVENT_FIELDS if event_record(kind) else ENTRIES[kind].fields if kind in ENTRIES else ()
    return frozenset((*own, *COMMON_FIELDS))


FIELD_NAMES = {
    "why": "why",
    "reason": "reason",
    "rationale": "why",
    "reasoning": "why",
    "because": "why",
    "motivation": "why",
    "alternatives": "alternatives",
    "alternatives considered": "alternatives",
    "alternative": "alternatives",
    "considered": "alternatives",
    "rejected": "alternatives",
    "rejected alternatives": "alternatives",
    "options considered": "alternatives",
    "confidence": "confidence",
    "confidence level": "confidence",
    "revisit": "revisit when",
    "revisit when": "revisit when",
    "revisit-when": "revisit when",
    "revisit if": "revisit when",
    "revisit conditions": "revisit when",
    "thread": "thread",
    "topic": "topic",
    "time": "time",
    "record": "record",
    "to": "to",
    "by": "by",
    "answer": "reason",
    "outcome": "reason",
    "next": "next",
    "commit": "commit",
    "files": "files",
    "session summary": "session summary",
    "next priority": "next priority",
    "open risk": "open risk",
    "emotional register": "emotional register",
    "for my successor": "for my successor",
    "boilerplate": "boilerplate",
    "source": "source",
    "stands in": "stands in",
    "transcript": "transcript",
    "status": "status",
}
