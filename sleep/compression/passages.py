"""Passages: what was said in a conversation, in runs of whole sentences that can stand alone.

Owns the cut of a message's Markdown and what is known of a run by its place: who said it, under which headings, whether
the message closed a turn, which files it names. A sentence that states something (`statements`) is a passage of its
own, with its kind and its reason. Writes no word of its own; code but for a short line that a sentence leads to,
tables, what is too long to be a sentence, and what only says that work goes on are left out, and so is a quotation that
reads like a rule. Refuses to choose: that is `digest`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import dialogue, message_units, proposals, redundancy
from sleep.compression.message_units import Unit
from sleep.language import quotation, sentences
from sleep.language.acts import first_words, reasons, statements
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.kinds import RECORDS
from sleep.redaction import untrusted
from sleep.transcripts.events import UTTERANCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.transcripts.events import Event

_TITLE_WORDS = 5  # of a heading that names what stands below it, and says nothing without it
ANSWERED, LAST = 1, 2  # `closing` of a message of the agent's that ended a turn, and of its last one
_SPOKEN = (*UTTERANCES, "plan", "commit")  # as Markdown
_SPEECH = (*_SPOKEN, "ask", "task")
_OPEN_KINDS = frozenset(kind.name for kind in RECORDS if kind.unsettled)
_MOVE = 80  # characters of a sentence that tells no more than what comes next


class Passage(NamedTuple):
    """A run of whole sentences.

    `message` and `order` say where it stands; `place` is how late that is, 0 to 1. `closing` is 1 for a message of the
    agent's that ended a turn, 2 for its last one, else 0. `heading` is the innermost above it. `path` is the file that
    it names, where the text itself does not say the whole path. `at` is when it was said, as the client wrote it, and
    `line` the line of the transcript that says it, 0 where it has none. `states` is the kind of what it states, "" for
    prose, and `why` the reason that it gives; `notices` is the kind of what it may mean where it states nothing.
    `reply` are a person's words that took up an agent's, and `until` is the line on which they stand. `reports` is true
    for the one that says what the session did.
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
    notices: str = ""
    reply: str = ""
    until: int = 0
    reports: bool = False

    @property
    def is_narration(self) -> bool:
        """True if the agent only says what it is about to do."""
        return self.role == "agent" and has(self.text, "stated.narrates")

    @property
    def is_heading(self) -> bool:
        """True for a heading of a few words, below which nothing stood that can be kept."""
        is_bold = bool(message_units.ALL_BOLD.fullmatch(self.text))
        return is_bold and self.kind in ("text", "plan") and len(self.text.split()) <= _TITLE_WORDS


def cut(events: Sequence[Event], *, moves: bool = True) -> list[Passage]:
    """Return the passages of what people and agents said, in order; what was said twice is there once.

    Without `moves` short sentences in which an agent says what it does next are left out, unless it ends with nothing
    else, and of those in the middle of a turn all that give no reason.
    """
    speech = [event for event in events if event.kind in _SPEECH and event.text]
    closing = _closing(speech)
    read = [_read(event) for event in speech]
    chosen, vetoed = _replies(speech, read)
    end = max(1, sum(event.kind != "task" for event in speech) - 1)
    passages: list[Passage] = []
    seen: set[str] = set()
    for number, event in enumerate(speech):
        ends = closing.get(number, 0)
        spot = Passage(
            "", event.role, event.kind, number, 0, min(1.0, number / end), ends, at=event.at, line=event.line
        )
        units = _units(event, read[number], ends, moves=moves)
        units = _without_settled(
            units if ends else _without_moves(units, event), speech, number, is_vetoed=number in vetoed
        )
        runs = sorted(message_units.runs(units), key=lambda run: run.start)
        is_promise = ends == LAST and all(_promises(run.text) for run in runs)
        cut_ = [_chosen(spot, choice, speech) for choice in chosen.get(number, ())]
        cut_ += [_passage(spot, run, event, is_promise=is_promise) for run in runs]
        for passage in cut_:
            if passage.text not in seen:
                seen.add(passage.text)
                passages.append(passage._replace(order=len(passages)))
    return passages


def _read(event: Event) -> list[Unit]:
    """Return the units of what was said; what a tool asks, and a task, state what they are.

    The subject of a commit is set apart from what follows, as an item.
    """
    if event.kind in _SPOKEN:
        units = list(message_units.read(event.text, event.role))
        at = next((number for number, unit in enumerate(units) if unit.text), 0)
        if event.kind == "commit" and units:  # its subject ends without a stop
            units[at] = units[at]._replace(sort="item")
        return units
    if event.kind == "ask":
        return [Unit(asked, (), states="question") for asked in event.text.split("\n") if asked.strip()]
    return [Unit(event.text, (), states="task")]


def _passage(spot: Passage, run: Unit, event: Event, *, is_promise: bool) -> Passage:
    is_question = run.states == "question" and event.kind == "text"
    return spot._replace(
        text=proposals.with_options(run.text, event.text) if is_question else run.text,
        heading=run.above[-1] if run.above else "",
        is_open=is_promise or _is_open(event, run.text, run.above, spot.place),
        states=run.states,
        why=run.why,
    )


def _chosen(spot: Passage, choice: dialogue.Choice, speech: Sequence[Event]) -> Passage:
    """Return what a person chose, with the line of the proposal and the words that took it up."""
    text = proposals.declare(choice.text) if choice.is_proposed and not choice.vetoes else choice.text
    decision = spot._replace(text=text, states="decision", why=choice.why)
    if not choice.is_proposed:
        return decision
    return decision._replace(line=speech[choice.proposal].line, until=spot.line, reply=choice.answer)


def _replies(
    speech: Sequence[Event], read: Sequence[list[Unit]]
) -> tuple[dict[int, list[dialogue.Choice]], frozenset[int]]:
    """Return what persons chose, by message, and the agent's messages whose choices they refused.

    The words of a proposal that was chosen are told as the choice, and not again where they stand.
    """
    chosen: dict[int, list[dialogue.Choice]] = {}
    vetoed = set(dialogue.withdrawn(speech))
    for choice in dialogue.choices(speech):
        if choice.vetoes:
            vetoed.add(choice.proposal)
        if choice.text:
            chosen.setdefault(choice.reply, []).append(choice)
        for message in (choice.proposal, choice.reply) if choice.is_proposed else (choice.reply,):
            for number, unit in enumerate(read[message]):
                if choice.text and _is_retold(unit, choice, speech[message]):
                    read[message][number] = Unit("", unit.above, "break")
    return chosen, frozenset(vetoed)


def _is_retold(unit: Unit, choice: dialogue.Choice, event: Event) -> bool:
    """True for a unit that holds what was chosen, or stands in it: a question, or the words that answer it."""
    words = " ".join(unit.text.replace("**", "").split())
    is_reply = event.role == "person"
    is_part = bool(words) and words in choice.text and (is_reply or words.endswith(("?", "？")) or event.kind == "ask")
    if is_reply:
        return choice.text in words or is_part or choice.is_whole
    is_settled = any(
        settled in words or words in settled for settled in choice.settled if words and unit.sort != "heading"
    )
    return choice.text in words or is_part or is_settled


def _without_settled(units: Iterable[Unit], speech: Sequence[Event], number: int, *, is_vetoed: bool) -> Iterator[Unit]:
    """Yield units, without what they state where later turns settle it, or where they only tell it again.

    Settled is what was answered, done, or refused.
    """
    is_void = is_vetoed or dialogue.is_recap(speech, number)  # of its choices none is made here
    for unit in units:
        is_closed = (unit.states == "decision" and is_void) or dialogue.is_settled(
            speech, number, unit.states, unit.text
        )
        yield unit._replace(states="", why="") if is_closed else unit


def _without_moves(units: Iterable[Unit], event: Event) -> Iterator[Unit]:
    """Yield units of the middle of a turn: what an agent does next, without a reason, chooses nothing that lasts."""
    for unit in units:
        is_choice = unit.states == "decision" and not unit.why
        is_move = is_choice and event.role == "agent" and has(unit.text, "stated.narrates")
        yield unit._replace(states="") if is_move else unit


def _closing(speech: Sequence[Event]) -> dict[int, int]:
    """Return which messages of the agent's ended a turn (1), and which was its last (2)."""
    closing: dict[int, int] = {}
    follower = ""
    for number in range(len(speech) - 1, -1, -1):
        event = speech[number]
        if event.kind == "text" and follower != "agent":
            closing[number] = 1 if closing else LAST
        if event.kind in UTTERANCES:
            follower = event.role
    return closing


def _promises(text: str) -> bool:
    """True for what an agent is about to do: where it says nothing else in the end, that was left undone."""
    return has(text, "stated.narrates") and has(text, "stated.promises")


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


def _units(event: Event, read: list[Unit], closing: int, *, moves: bool) -> Iterator[Unit]:
    """Yield the units of a message; what the agent says that it does next comes last, so that findings stand clean."""
    if event.kind not in _SPOKEN:
        yield from (unit for unit in read if unit.text)
        return
    stated = _with_statements(read, event, last=closing == LAST)
    units = [unit for unit in stated if _is_worth_telling(unit, event, closing)]
    units = list(redundancy.without_offers(units, is_answered=closing == ANSWERED))
    aside = _aside(units) if event.role == "agent" else []
    others = [unit for unit in units if unit not in aside]
    yield from others
    is_all = closing == LAST and not any(unit.text for unit in others)
    yield from aside if moves or is_all else _select_moves(aside, closing)


def _aside(units: Sequence[Unit]) -> list[Unit]:
    """Return what only tells how the work goes on, but no lead of the list behind it (`I need to:`)."""
    pairs = zip(units, (*units[1:], Unit("", ())), strict=False)
    return [
        own for own, after in pairs if _is_narration(own) and not (after.sort == "item" and first_words.leads(own.text))
    ]


def _select_moves(moves: Sequence[Unit], closing: int) -> list[Unit]:
    """Return the moves that tell more than what comes next; in the middle of a turn, where it came, only a reason."""
    if not closing:
        return [unit for unit in moves if reasons.split(unit.text)]
    return [unit for unit in moves if len(unit.text) > _MOVE or has(unit.text, "stated.needs")]


def _is_narration(unit: Unit) -> bool:
    return unit.sort == "sentence" and not unit.states and has(unit.text, "stated.narrates")


def _is_worth_telling(unit: Unit, event: Event, closing: int) -> bool:
    """True for all but sentences that only say that something was heard, goes on or goes well, or ask to be told more.

    What an agent thinks it was asked (`The user wants ...`) the person's own words tell. That all went well is said by
    the last message; before, it is a stage of the work that is over.
    """
    if unit.states == "question" and event.role == "agent" and statements.is_courtesy(unit.text):
        return False
    if unit.states or unit.sort != "sentence":
        return True
    if statements.acknowledges(unit.text):
        return False
    is_idle = statements.is_courtesy(unit.text) or statements.waits(unit.text, ends=closing == LAST)
    is_stage = closing != LAST and has(unit.text, "reports.stage")
    is_nothing = has(unit.text, "reports.nothing") and (" " in unit.text or not first_words.leads(unit.text))
    is_nothing = is_nothing or statements.retells(unit.text)
    return event.role != "agent" or not (is_idle or is_stage or is_nothing)


def _with_statements(units: list[Unit], event: Event, *, last: bool) -> Iterator[Unit]:
    """Yield the units with what they state; a reason that stands beside it goes to what it is the reason of."""
    is_reported = False  # the paragraph tells what a page says: what follows in it was not decided here
    waiting: list[Unit] = []  # a sentence from which the next may draw its conclusion
    number = 0
    while number < len(units):
        unit = units[number]
        number += 1
        if unit.sort in ("heading", "gap", "break", "row"):
            is_reported = False
            yield from waiting
            waiting = []
            if unit.sort not in ("break", "row"):  # a table is a gap, which stands before its rows
                yield unit
            continue
        masked = unit.masked or quotation.masked(unit.text)
        is_reported = is_reported or quotation.reports(unit.text)
        is_foreign = unit.is_quoted or is_reported
        is_own = _is_speech(event, unit) and not is_foreign
        statement = statements.state(masked, event.role, unit.section, last=last) if is_own else None
        follower = _follower(units, number)
        if statement is None or _is_answered(statement, units, number):
            yield from waiting
            waiting = [] if is_foreign and _commands(unit.text, masked) else [unit]
            continue
        stating, waiting, is_spent = _with_reason(unit, statement, waiting, follower)
        if not stating.why:
            behind = message_units.behind(units, number - 1)
            stating = _with_reason_behind(unit, stating, statement, event.role, behind)
        number += is_spent
        yield from waiting
        waiting = []
        yield stating
    yield from waiting


def _with_reason(
    unit: Unit, statement: statements.Statement, waiting: list[Unit], follower: Unit | None
) -> tuple[Unit, list[Unit], bool]:
    """Return a unit with its statement and reason, the sentences before it that are none, and if the next one is."""
    if why := unit.text[statement.why_start : statement.why_end].strip():
        return _stating(unit, statement, why), waiting, False
    if statement.kind in statements.REASONED:
        at = reasons.follows(follower.text) if follower else -1
        if follower and at >= 0:
            return _stating(unit, statement, follower.text[at:]), waiting, True
        if waiting and not waiting[-1].is_quoted and reasons.concludes(unit.text):
            return _stating(unit, statement, waiting[-1].text), waiting[:-1], False
    return _stating(unit, statement, ""), waiting, False


def _with_reason_behind(unit: Unit, stating: Unit, statement: statements.Statement, role: str, behind: str) -> Unit:
    """Return what a unit states with the reason behind the code or list that it leads to, an intent only with one."""
    at = reasons.follows(behind) if statement.kind in statements.REASONED else -1
    if at >= 0:
        return stating._replace(why=behind[at:])
    is_bare = role == "agent" and not unit.section and statements.only_intends(unit.text, statement)
    return unit if is_bare else stating


def _is_answered(statement: statements.Statement, units: Sequence[Unit], number: int) -> bool:
    """True for a question that the next unit, of this number, answers, or that goes on with another or an offer."""
    if statement.kind != "question":
        return False
    follower = _follower(units, number)
    if follower is not None and statements.answers(follower.text):
        return True
    return _is_alternative(units, number - 1) or _is_offered(units, number - 1)


def _is_alternative(units: Sequence[Unit], number: int) -> bool:
    """True for the end of the question before it: `Should it stay in the page? Or only in the tray?`."""
    if not statements.names_another(units[number].text):
        return False
    before = next((unit.text for unit in reversed(units[:number]) if unit.sort != "break"), "")
    return sentences.asks(before)


def _is_offered(units: Sequence[Unit], number: int) -> bool:
    """True for a question that goes on with the offer before it: `Would you like me to: draw it? Write it? Both?`."""
    while number > 0 and statements.offers_more(units[number].text):
        number -= 1
        while number > 0 and units[number].sort == "break":
            number -= 1
        if has(units[number].text, "signs.offer"):
            return True
    return False


def _follower(units: Sequence[Unit], number: int) -> Unit | None:
    """Return the sentence with this number where it goes on from a sentence."""
    goes_on = number < len(units) and units[number].sort == units[number - 1].sort == "sentence"
    return units[number] if goes_on else None


def _is_speech(event: Event, unit: Unit) -> bool:
    """True for what is said to somebody: no plan, no commit, no document with headings that a person pasted."""
    return event.kind in UTTERANCES and not (event.role == "person" and unit.above)


def _commands(text: str, masked: str) -> bool:
    """True for a quotation that reads like a rule, a choice or an instruction: nobody here said it."""
    statement = statements.state(masked, "person")
    return bool(statement and statement.kind in ("constraint", "decision")) or untrusted.is_instruction(text)


def _stating(unit: Unit, statement: statements.Statement, why: str) -> Unit:
    words = unit.text[statement.start : statement.end].strip(" ,;—–")
    if why and words[-1:].isalnum():
        words = proposals.with_stop(words)
    return unit._replace(text=words, states=statement.kind, why=why)
