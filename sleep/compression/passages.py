"""Passages: what was said in a conversation, in runs of whole sentences that can stand alone.

Owns the cut of a message's Markdown and what is known of a run by its place: who said it, under which headings, whether
the message closed a turn, which files it names. A sentence that states something (`statements`) is a passage of its
own, with its kind and its reason. Writes no word of its own; code, tables, what is too long to be a sentence, and what
only says that work goes on are left out, and so is a quotation that reads like a rule. Refuses to choose: that is
`digest`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import message_blocks
from sleep.language import quotation, sentences
from sleep.language.acts import statements
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.kinds import RECORDS
from sleep.redaction import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.transcripts.events import Event

LENGTH = 240  # characters of a passage, unless one sentence is longer
LONGEST = 600  # characters of a sentence; what is longer is a log or a list that lost its lines
_TITLE = 160  # characters of a heading that may open a passage
_TITLE_WORDS = 5  # of a heading that names what stands below it, and says nothing without it
LAST = 2  # `closing` of the agent's last message
_BOLD = 7  # the level of a line that is all bold: below every heading
_SPEECH = ("prompt", "answer", "text", "plan", "ask", "commit", "task")
_OPEN_KINDS = frozenset(kind.name for kind in RECORDS if kind.unsettled)

_ALL_BOLD = re.compile(r"\*\*[^*]+\*\*:?")
_MOVE = 80  # characters of a sentence that tells no more than what comes next
_NEEDS = re.compile(r"(?i)\bneed to\b")  # a move that tells what was found, too
# The agent says what it does next: worth less than what it found.
_NARRATION = re.compile(
    r"^(?:(?:(?:good|great|nice)(?: (?:question|catch|call|point|idea|find))?|ok|okay|perfect|got it)[,.!:;— -]+)?"
    r"(?:(?:now|next|first|then|so|and|also)[, ]+)*"
    r"(?:let me|let's|let us|i['’]ll|i will|i['’]m \w+ing|i need to|now)\b",
    re.IGNORECASE,
)
_PROMISE = re.compile(r"(?i)\b(?:let me(?! know\b)|let['’]?s|let us|i['’]ll|i will|i['’]m \w+ing|i need to)\b")


class Passage(NamedTuple):
    """A run of whole sentences.

    `message` and `order` say where it stands; `place` is how late that is, 0 to 1. `closing` is 1 for a message of the
    agent's that ended a turn, 2 for its last one, else 0. `heading` is the innermost above it. `path` is the file that
    it names, where the text itself does not say the whole path. `at` is when it was said, as the client wrote it, and
    `line` the line of the transcript that says it, 0 where it has none. `states` is the kind of what it states, "" for
    prose, and `why` the reason that it gives.
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
    states: str = ""
    why: str = ""

    @property
    def is_narration(self) -> bool:
        """True if the agent only says what it is about to do."""
        return self.role == "agent" and bool(_NARRATION.match(self.text))

    @property
    def is_heading(self) -> bool:
        """True for a heading of a few words, below which nothing stood that can be kept."""
        is_bold = bool(_ALL_BOLD.fullmatch(self.text))
        return is_bold and self.kind == "text" and len(self.text.split()) <= _TITLE_WORDS


class _Unit(NamedTuple):
    """A sentence, list item or heading of a message; `above` are the headings it stands under.

    `section` is the kind that a heading or a line that ends in a colon, right above it, names exactly. `is_quoted` is
    true for somebody else's words, `masked` is the text with quotations in it blanked, `states` what it states, `why`
    its reason.
    """

    text: str
    above: tuple[str, ...]
    sort: str = "sentence"
    section: str = ""
    is_quoted: bool = False
    states: str = ""
    why: str = ""
    masked: str = ""


def cut(events: Sequence[Event], *, moves: bool = True) -> list[Passage]:
    """Return the passages of what people and agents said, in order; what was said twice is there once.

    Without `moves` short sentences in which an agent says what it does next are left out.
    """
    speech = [event for event in events if event.kind in _SPEECH and event.text]
    closing = _closing(speech)
    end = max(1, sum(event.kind != "task" for event in speech) - 1)
    passages: list[Passage] = []
    seen: set[str] = set()
    for number, event in enumerate(speech):
        place = min(1.0, number / end)
        ends = closing.get(number, 0)
        runs = list(_runs(_units(event, ends, moves=moves)))
        is_promise = ends == LAST and all(_promises(run.text) for run in runs)
        for run in runs:
            if run.text in seen:
                continue
            seen.add(run.text)
            passages.append(
                Passage(
                    run.text,
                    event.role,
                    event.kind,
                    number,
                    len(passages),
                    place,
                    ends,
                    run.above[-1] if run.above else "",
                    is_promise or _is_open(event, run.text, run.above, place),
                    at=event.at,
                    line=event.line,
                    states=run.states,
                    why=run.why,
                )
            )
    return passages


def _closing(speech: Sequence[Event]) -> dict[int, int]:
    """Return which messages of the agent's ended a turn (1), and which was its last (2)."""
    closing: dict[int, int] = {}
    follower = ""
    for number in range(len(speech) - 1, -1, -1):
        event = speech[number]
        if event.kind == "text" and follower != "agent":
            closing[number] = 1 if closing else LAST
        if event.kind in ("text", "prompt", "answer"):
            follower = event.role
    return closing


def _promises(text: str) -> bool:
    """True for what an agent is about to do: where it says nothing else in the end, that was left undone."""
    return bool(_NARRATION.match(text) and _PROMISE.search(text))


def _is_open(event: Event, text: str, above: tuple[str, ...], place: float) -> bool:
    """True if a passage looks like something that is not settled: a mood, a heading, a person's late question."""
    if event.role == "person":
        return place > 1 / 2 and bool(re.search(r"[?？](?:\s|\W*$)", text))
    if event.kind in ("plan", "task"):
        return event.kind == "task"
    under = any(
        has(heading, "signs.unsettled heading") or classification.heading_kind(heading) in _OPEN_KINDS
        for heading in above
    )
    return under or has(text, "signs.unsettled")


def _runs(units: Iterable[_Unit]) -> Iterator[_Unit]:
    """Yield neighbouring sentences up to the length as one, with the heading that opens them; statements alone.

    What belongs to a list is set apart by `·`, and `…` stands for code or a table that was left out.
    """
    run: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    is_spent = False  # the run is a heading, and what it heads stands alone
    for unit in units:
        sort, words = unit.sort, unit.text
        if unit.states:
            yield unit
            is_spent |= before == "heading"
            before = sort
            continue
        if run and not is_spent and _ends(run, unit):
            yield _Unit(" ".join(run), above)
            run = []
        elif is_spent:
            run, is_spent = [], False
        above = unit.above
        if sort == "heading":
            run = [words] if len(words) <= _TITLE else []
        elif sort == "gap":
            sort = "gap" if before == "sentence" else before
        elif len(words) <= LONGEST:
            run.append(_set_apart(words, sort, before) if run else words)
        before = sort
    if run and not is_spent:
        yield _Unit(" ".join(run), above)


def _ends(run: Sequence[str], unit: _Unit) -> bool:
    """True if a run ends before a unit: a heading, or what would make it too long."""
    return unit.sort == "heading" or sum(map(len, run)) + len(run) + len(unit.text) > LENGTH


def _set_apart(words: str, sort: str, before: str) -> str:
    apart = "…" if before == "gap" else "·" if "item" in (sort, before) else ""
    return f"{apart} {words}" if apart else words


def _units(event: Event, closing: int, *, moves: bool) -> Iterator[_Unit]:
    """Yield the units of a message; what the agent says that it does next comes last, so that findings stand clean."""
    if event.kind == "task":
        yield _Unit(event.text, (), states="task")
        return
    if event.kind == "ask":
        yield from (_Unit(asked, (), states="question") for asked in event.text.split("\n") if asked.strip())
        return
    stated = _stated(list(_read(event.text, event.role)), event, last=closing == LAST)
    units = [unit for unit in stated if _tells(unit, event, closing)]
    aside = [unit for unit in units if event.role == "agent" and _is_narration(unit)]
    yield from (unit for unit in units if unit not in aside)
    yield from aside if moves else filter(_tells_more, aside)


def _tells_more(unit: _Unit) -> bool:
    """True for a move that tells more than what comes next."""
    return len(unit.text) > _MOVE or bool(_NEEDS.search(unit.text))


def _is_narration(unit: _Unit) -> bool:
    return unit.sort == "sentence" and not unit.states and bool(_NARRATION.match(unit.text))


def _tells(unit: _Unit, event: Event, closing: int) -> bool:
    """True for all but sentences that only say that something was heard, or that work goes on."""
    if unit.states or unit.sort != "sentence":
        return True
    waits = event.role == "agent" and statements.waits(unit.text, ends=bool(closing))
    return not waits and not statements.acknowledges(unit.text)


def _stated(units: list[_Unit], event: Event, *, last: bool) -> Iterator[_Unit]:
    """Yield the units with what they state; a reason that follows goes to what it is the reason of."""
    is_reported = False  # the paragraph tells what a page says: what follows in it was not decided here
    number = 0
    while number < len(units):
        unit = units[number]
        number += 1
        if unit.sort in ("heading", "gap", "break"):
            is_reported = False
            if unit.sort != "break":
                yield unit
            continue
        masked = unit.masked or quotation.masked(unit.text)
        is_reported = is_reported or quotation.reports(unit.text)
        is_foreign = unit.is_quoted or is_reported
        statement = None if is_foreign else _statement(unit, event, masked, last=last)
        follower = _follower(units, number)
        if is_foreign:
            if not _commands(unit.text, masked):
                yield unit
        elif statement is None or _is_answered(statement, follower):
            yield unit
        else:
            why = unit.text[masked.find(statement.why, statement.end) :] if statement.why else ""
            reason = "" if why else _reason(statement, follower)
            number += bool(reason)
            yield _of(unit, statement, why or reason)


def _statement(unit: _Unit, event: Event, masked: str, *, last: bool) -> statements.Statement | None:
    return statements.state(masked, event.role, unit.section, last=last) if _is_speech(event, unit) else None


def _is_answered(statement: statements.Statement, follower: _Unit | None) -> bool:
    return statement.kind == "question" and follower is not None and statements.answers(follower.text)


def _follower(units: Sequence[_Unit], number: int) -> _Unit | None:
    """Return the sentence with this number where it goes on from a sentence."""
    goes_on = number < len(units) and units[number].sort == units[number - 1].sort == "sentence"
    return units[number] if goes_on else None


def _reason(statement: statements.Statement, follower: _Unit | None) -> str:
    """Return the reason of a choice or a rule that the next sentence gives, or ""."""
    if follower is None:
        return ""
    at = statements.reason(follower.text) if statement.kind in ("decision", "constraint") else 0
    return follower.text[at:] if at else ""


def _is_speech(event: Event, unit: _Unit) -> bool:
    """True for what is said to somebody: no plan, no commit, no document with headings that a person pasted."""
    return event.kind in ("prompt", "answer", "text") and not (event.role == "person" and unit.above)


def _commands(text: str, masked: str) -> bool:
    """True for a quotation that reads like a rule, a choice or an instruction: nobody here said it."""
    statement = statements.state(masked, "person")
    return bool(statement and statement.kind in ("constraint", "decision")) or untrusted.is_instruction(text)


def _of(unit: _Unit, statement: statements.Statement, why: str) -> _Unit:
    words = unit.text[statement.start : statement.end].strip(" ,;—–")
    if why and words[-1:].isalnum():
        words = f"{words}."
    return unit._replace(text=words, states=statement.kind, why=why)


def _read(text: str, role: str) -> Iterator[_Unit]:
    above: list[tuple[int, str]] = []
    section = ""  # what a heading, or a line that ends in a colon, names for what is directly below it
    is_listed = False
    for sort, level, words, is_quoted in message_blocks.parse(text):
        if depth := _BOLD if sort == "text" and _ALL_BOLD.fullmatch(words) else level:
            above = [heading for heading in above if heading[0] < depth]
            title = words.strip("*: ")
            section, is_listed = statements.named(title) if level != 1 else "", False
            if title:
                above.append((depth, title))
                yield _Unit(f"**{title}**", _titles(above), "heading")
            continue
        headings = _titles(above)
        if sort == "gap":
            yield _Unit("", headings, sort)
        elif sort == "item":
            is_listed = True
            yield _Unit("", headings, "break")
            yield from _item(words, headings, section, role, is_quoted=is_quoted)
        else:
            yield _Unit("", headings, "break")
            if leads := statements.named(words) if words.endswith((":", "：")) else "":
                section, is_listed = leads, False
            elif is_listed:
                section = ""
            section_ = "" if leads else section
            yield from _sentence_units(words, _Unit("", headings, "sentence", section_, is_quoted), role)


def _titles(above: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in above)


def _sentence_units(words: str, form: _Unit, role: str) -> Iterator[_Unit]:
    """Yield the sentences of a block as units of one form."""
    for sentence, masked in _sentences(words, role):
        yield form._replace(text=sentence, masked=masked)


def _item(words: str, above: tuple[str, ...], section: str, role: str, *, is_quoted: bool) -> Iterator[_Unit]:
    """Yield an item of a list: whole below a heading that gives its kind, else cut where a sentence of it states."""
    clauses = _sentences(words, role)
    if section or len(clauses) == 1 or not any(statements.state(masked, role, last=True) for _, masked in clauses):
        yield _Unit(words, above, "item", section, is_quoted)
    else:
        yield from _sentence_units(words, _Unit("", above, "item", "", is_quoted), role)


def _sentences(words: str, role: str) -> list[tuple[str, str]]:
    """Return the sentences of a block, and each with its quotations blanked.

    One may begin with a file's name, or in small letters where a person typed.
    """
    masked = quotation.masked(words)
    return [(words[start:end], masked[start:end]) for start, end in sentences.clauses(words, is_typed=role == "person")]
