"""What the rest of the program asks of the table of kinds: by name, by heading, by letter, by the words of a person.

Owns the names that come of a row: its event, its noticed form, its key in JSON; and the two standings of a record.
Refuses to look at text.
"""

from __future__ import annotations

from sleep.records.kind_table import ROWS, Kind, Move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Kind", "Move"]

EVENT = " event"
# What an event says beside the record it moves.
EVENT_FIELDS = ("record", "to", "reason", "by")
# What every entry may say beside the fields of its kind.
COMMON_FIELDS = (
    *("thread", "topic", "time", "source", "transcript", "boilerplate", "status", "stands in"),
    *("standing", "quotation", "confirms", "corrects"),
)
# A record is stated, and binds, or it was noticed in passing, and waits for somebody's word.
STATED, NOTICED = "stated", "noticed"
STANDINGS = (STATED, NOTICED)
_NOTICED = f"{NOTICED} "
BINDING = ("decision", "constraint")  # kinds whose records settle something, and can be at odds
AT_ODDS = "at odds with"  # their field: the record that held when one was journaled, and says otherwise
COMMIT = "commit"  # a field of records: what was committed for it
# How sure a decision is.
CONFIDENCE, CONFIDENCES = "confidence", ("high", "medium", "low")

# Kinds of which people make lists, those whose lists are of what is open, and those that stand in these lists.
LISTED = frozenset(("constraint", "decision", "question", "task", "blocker", "dead end"))
OPEN = frozenset(("question", "task", "blocker"))
WAITING = OPEN | {"thread"}
# Kinds of entries that tell what was done.
DONE = frozenset(("change", "fix"))

ENTRIES: dict[str, Kind] = {kind.name: kind for kind in ROWS}
LASTING = frozenset(kind.name for kind in ROWS if kind.is_lasting)
KINDS: dict[str, Kind] = {
    **ENTRIES,
    **{
        f"{_NOTICED}{kind.name}": Kind(
            f"{_NOTICED}{kind.name}", f"{kind.plural} noticed", kind.priority, kind.fields, hot=kind.hot
        )
        for kind in ROWS
        if kind.is_record
    },
}
BY_PLURAL: dict[str, Kind] = {kind.plural.casefold(): kind for kind in KINDS.values()}
RECORDS: tuple[Kind, ...] = tuple(kind for kind in ROWS if kind.is_record)
LETTERS = "".join(kind.letter for kind in RECORDS)


def is_record(kind: str) -> bool:
    """True for the name of a kind of record."""
    return kind in ENTRIES and ENTRIES[kind].is_record


def of_letter(letter: str) -> Kind:
    """Return the kind whose records have numbers of this letter; StopIteration for none."""
    return next(kind for kind in RECORDS if kind.letter == letter)


def of_section(section: str) -> list[Kind]:
    """Return the kinds that a section of the snapshot lists, in the order of the table."""
    return [kind for kind in RECORDS if kind.section == section]


def of_part(part: str) -> tuple[str, ...]:
    """Return the kinds that a part of the brief tells, as `main.md` orders them."""
    return tuple(kind.name for kind in sorted(RECORDS, key=lambda kind: kind.main_rank) if kind.part == part)


def event(kind: str) -> str:
    """Return the kind of entry that moves a record of `kind`: `thread event`."""
    return kind + EVENT


def event_record(kind: str) -> Kind | None:
    """Return the kind of record that an entry of this kind moves, or None if it is no event."""
    record = KINDS.get(kind.removesuffix(EVENT)) if kind.endswith(EVENT) else None
    return record if record and record.is_record else None


def noticed(kind: str) -> str:
    """Return the kind of a fragment that was noticed and not stated: `noticed task`; of prose it is the kind itself."""
    return f"{_NOTICED}{kind}" if is_record(kind) else kind


def stated(kind: str) -> str:
    """Return the kind of entry that a fragment's kind is of: a `noticed task` was journaled as a task."""
    return kind.removeprefix(_NOTICED)


def standing(kind: str) -> str:
    """Return the standing of a fragment of this kind: `noticed` or `stated`."""
    return NOTICED if kind.startswith(_NOTICED) else STATED


def must_state(kind: str) -> bool:
    """True for a kind whose records bind only where somebody stated them: any other entry of it was noticed."""
    return kind in ENTRIES and ENTRIES[kind].must_state


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
    return next((kind.name for kind in ROWS if bare in (kind.name, kind.command)), name)


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


def field_names(kind: str) -> frozenset[str]:
    """Return the names of the fields that an entry of this kind may have."""
    own = EVENT_FIELDS if event_record(kind) else ENTRIES[kind].fields if kind in ENTRIES else ()
    return frozenset(
        (*own, *COMMON_FIELDS, *((AT_ODDS,) if kind in BINDING else ()), *((COMMIT,) if is_record(kind) else ()))
    )


def further_fields(known: Sequence[str]) -> Iterator[str]:
    """Yield each kind of entry that has fields beside those that are known, with these: `fix: error, change`."""
    for kind in ROWS:
        if names := [name for name in kind.fields if name not in known]:
            yield f"{kind.name}: {', '.join(names)}"


# What a label of a field is read as: every field by its name, and what people write in its place.
FIELD_NAMES: dict[str, str] = {
    **{name: name for kind in ROWS for name in kind.fields},
    **{name: name for name in (*EVENT_FIELDS, *COMMON_FIELDS, AT_ODDS)},
    **dict.fromkeys(("rationale", "reasoning", "because", "motivation"), "why"),
    **dict.fromkeys(("alternatives considered", "alternative", "considered"), "alternatives"),
    **dict.fromkeys(("rejected", "rejected alternatives", "options considered"), "alternatives"),
    "confidence level": "confidence",
    **dict.fromkeys(("revisit", "revisit-when", "revisit if", "revisit trigger", "revisit conditions"), "revisit when"),
    **dict.fromkeys(("answer", "outcome"), "reason"),
}
