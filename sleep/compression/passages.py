"""Passages: what was said in a conversation, in runs of whole sentences that can stand alone.

Owns the cut of a message's Markdown and what is known of a run by its place: who said it, under which headings, whether
the message closed a turn, which files it names. Writes no word of its own; code, tables and what is too long to be a
sentence are left out. Refuses to choose: that is `digest`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.memory import extract
from sleep.text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.transcripts.events import Event

LENGTH = 240  # characters of a passage, unless one sentence is longer
LONGEST = 600  # characters of a sentence; what is longer is a log or a list that lost its lines
_TITLE = 160  # characters of a heading that may open a passage
_BOLD = 7  # the level of a line that is all bold: below every heading
_SAID = ("prompt", "answer", "text", "summary", "plan", "ask", "commit", "task")
_OPEN_KINDS = frozenset({"question", "doubt", "task", "blocker", "thread"})

_FENCE = re.compile(r"^(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_ALL_BOLD = re.compile(r"\*\*[^*]+\*\*:?")
_ITEM = re.compile(r"^(?:[-*+•]|(\d{1,3}[.)]))\s+(?:\[[ xX]\]\s+)?(?=\S)")
_RULE = re.compile(r"^[-*_=\s|:>]*$")
# The agent says what it does next: worth less than what it found.
_NARRATION = re.compile(
    r"^(?:(?:good|great|ok|okay|perfect|got it)[,.!:;— -]+)?(?:(?:now|next|first|then|so|and|also)[, ]+)*"
    r"(?:let me|let's|let us|i['’]ll|i will|i['’]m \w+ing|i need to|now)\b",
    re.IGNORECASE,
)
# What is not settled is said in these moods, and under these headings.
_UNSETTLED = re.compile(
    r"\b(?:could|might|may|would|should|worth|consider|eventually|unless|once|until|later|yet|still|remain\w*|todo"
    r"|follow[- ]?ups?|next|pending|want me to|shall i)\b|[?？](?:\s|\W*$)",
    re.IGNORECASE,
)
_UNSETTLED_HEADING = re.compile(
    r"\b(?:issues?|nits?|concerns?|risks?|open|to-?dos?|next|remaining|recommend\w*|suggest\w*|follow[- ]?ups?"
    r"|caveats?|limitations?|known|problems?|questions?|improvements?|pending|left|trade-?offs?|unresolved)\b",
    re.IGNORECASE,
)


class Passage(NamedTuple):
    """A run of whole sentences.

    `message` and `order` say where it stands; `place` is how late that is, 0 to 1. `closing` is 1 for a message of the
    agent's that ended a turn, 2 for its last one, else 0. `heading` is the innermost above it. `path` is the file that
    it names, where the text itself does not say the whole path. `at` is when it was said, as the client wrote it, and
    `line` the line of the transcript that says it, 0 where it has none.
    """

    text: str
    role: str
    kind: str
    message: int
    order: int
    place: float
    closing: int = 0
    heading: str = ""
    is_open: bool = False
    path: str = ""
    at: str = ""
    line: int = 0

    @property
    def is_narration(self) -> bool:
        """True if the agent only says what it is about to do."""
        return self.role == "agent" and bool(_NARRATION.match(self.text))


class _Unit(NamedTuple):
    """A sentence, list item or heading of a message; `above` are the headings it stands under."""

    text: str
    above: tuple[str, ...]
    sort: str = "sentence"


def cut(events: Sequence[Event]) -> list[Passage]:
    """Return the passages of what people and agents said, in order; what was said twice is there once."""
    said = [event for event in events if event.kind in _SAID and event.text]
    closing = _closing(said)
    end = max(1, sum(event.kind != "task" for event in said) - 1)
    found: list[Passage] = []
    seen: set[str] = set()
    for number, event in enumerate(said):
        place = min(1.0, number / end)
        for text, above in _runs(event.text, event.role):
            if text in seen:
                continue
            seen.add(text)
            found.append(
                Passage(
                    text,
                    event.role,
                    event.kind,
                    number,
                    len(found),
                    place,
                    closing.get(number, 0),
                    above[-1] if above else "",
                    _is_open(event, text, above, place),
                    at=event.at,
                    line=event.line,
                )
            )
    return found


def _closing(said: Sequence[Event]) -> dict[int, int]:
    """Return which messages of the agent's ended a turn (1), and which was its last (2)."""
    found: dict[int, int] = {}
    follower = ""
    for number in range(len(said) - 1, -1, -1):
        event = said[number]
        if event.kind == "text" and follower != "agent":
            found[number] = 1 if found else 2
        if event.kind in ("text", "prompt", "answer"):
            follower = event.role
    return found


def _is_open(event: Event, text: str, above: tuple[str, ...], place: float) -> bool:
    """True if a passage looks like something that is not settled: a mood, a heading, a person's late question."""
    if event.role == "person":
        return place > 1 / 2 and bool(re.search(r"[?？](?:\s|\W*$)", text))
    if event.kind in ("plan", "task"):
        return event.kind == "task"
    under = any(_UNSETTLED_HEADING.search(one) or extract.heading_kind(one) in _OPEN_KINDS for one in above)
    return under or bool(_UNSETTLED.search(text))


def _runs(text: str, role: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (passage, headings above it): neighbouring sentences up to the length, with the heading that opens them.

    What belongs to a list is set apart by `·`, and `…` stands for code or a table that was left out.
    """
    run: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    for unit in _units(text, role):
        sort, words = unit.sort, unit.text
        if run and (sort == "heading" or sum(map(len, run)) + len(run) + len(words) > LENGTH):
            yield " ".join(run), above
            run = []
        above = unit.above
        if sort == "heading":
            run = [words] if len(words) <= _TITLE else []
        elif sort == "gap":
            sort = "gap" if before == "sentence" else before
        elif len(words) <= LONGEST:
            apart = "…" if before == "gap" else "·" if "item" in (sort, before) else ""
            run.append(f"{apart} {words}" if run and apart else words)
        before = sort
    if run:
        yield " ".join(run), above


def _units(text: str, role: str) -> Iterator[_Unit]:
    """Yield the units of a message; what the agent says that it does next comes last, so that findings stand clean."""
    units = list(_read(text))
    aside = [unit.sort == "sentence" and role == "agent" and bool(_NARRATION.match(unit.text)) for unit in units]
    yield from (unit for unit, is_aside in zip(units, aside, strict=True) if not is_aside)
    yield from (unit for unit, is_aside in zip(units, aside, strict=True) if is_aside)


def _read(text: str) -> Iterator[_Unit]:
    above: list[tuple[int, str]] = []
    for sort, level, words in _blocks(text):
        if sort == "heading" or (sort == "text" and _ALL_BOLD.fullmatch(words)):
            depth = level if sort == "heading" else _BOLD
            above = [one for one in above if one[0] < depth]
            title = words.strip("*: ")
            if title:
                above.append((depth, title))
                yield _Unit(f"**{title}**", tuple(one for _, one in above), "heading")
            continue
        headings = tuple(one for _, one in above)
        if sort == "gap":
            yield _Unit("", headings, sort)
        elif sort == "item":
            yield _Unit(words, headings, "item")
        else:
            for sentence in sentences.split(words):
                yield _Unit(sentence, headings)


def _blocks(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield (heading, text, item or gap; level of a heading; words) of a message; code and tables are gaps."""
    sort, words, fence = "", [""], ""
    for raw in text.replace("\r\n", "\n").split("\n"):
        line = raw.strip()
        if fence:
            fence = "" if line.startswith(fence) and not line.strip(fence[0]) else fence
            continue
        opens, heading, item = _FENCE.match(line), _HEADING.match(line), _ITEM.match(line)
        if sort and (opens or heading or item or _RULE.match(line) or line.startswith("|")):
            yield sort, 0, " ".join(words)
            sort = ""
        if opens or line.startswith("|"):
            yield "gap", 0, ""
            fence = opens[1] if opens else ""
        elif heading:
            yield "heading", len(heading[1]), heading[2]
        elif item:
            # A number says which it is and stays; a bullet says nothing.
            sort, words = "item", [line if item[1] else line[item.end() :]]
        elif not _RULE.match(line) and not line.startswith("|"):
            line = line.lstrip("> ")
            words = [*words, line] if sort else [line]
            sort = sort or "text"
    if sort:
        yield sort, 0, " ".join(words)
