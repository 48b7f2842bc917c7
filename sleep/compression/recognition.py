"""Recognition: the units of messages as the model of speech acts reads them, and the few that it takes for records.

Owns what of a message is looked at, what stands around it, and how many a conversation may have. Refuses what is
nobody's own speech (quotations, pages that are told of), and to say what a sentence states: only what it may mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import dialogue, message_units, redundancy
from sleep.compression.passages import Passage
from sleep.language import anaphora, quotation, terms
from sleep.language.acts import first_words, grammar, no_records, reasons, statements
from sleep.language.acts.forms import form
from sleep.language.acts.likelihood import features, scorer
from sleep.language.acts.likelihood.features import Sentence, is_english
from sleep.language.acts.likelihood.message_features import Message
from sleep.language.sentences import asks, first_typed, split
from sleep.records import kinds
from sleep.transcripts.events import UTTERANCES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from sleep.compression.message_units import Unit
    from sleep.transcripts.events import Event

RECORDS, PROSE = 6, 6  # of one conversation: what would be a record, what is worth keeping as prose
PLANS = 3  # records of the plans in it that a person agreed to, beside these
_SORTS = ("sentence", "item", "row")
_LEAST = 6  # characters
_NOD = 3  # words of a sentence that only agrees, at most: `You're absolutely right!`
_BRACKETS = (")", "）")
_WAYS = ("decision", "constraint", "task")  # what is none where it is one of several ways
_CHOICES = ("decision", "constraint")  # what is agreed to with a plan
_KINDS = {"signs.postpones": "task", "signs.tried before": "dead end", "signs.requires": "decision"}
_CHOSEN = -1  # the message of what a dialogue decided
_SHARE, _TERMS = 0.6, 4  # of the terms of a record, from which on what has them says it too; how many, at least


class _Guess(NamedTuple):
    """A unit that may be a record; of several the one that sorts first is the likeliest."""

    rank: float
    message: int
    number: int
    kind: str
    unit: Unit
    sentence: Sentence
    behind: str = ""


def find(events: Iterable[Event]) -> list[Passage]:
    """Return what a conversation may hold of records, in its order: the likeliest few of what states nothing.

    Each is a passage with `notices`, beside those of `passages.cut`, which hold its words too. What later turns settle
    is left out.
    """
    speech = [event for event in events if _is_read(event)]
    choices = list(dialogue.choices(speech))
    vetoed = {choice.proposal for choice in choices if choice.vetoes} | dialogue.withdrawn(speech)
    decided = {choice.reply for choice in choices if speech[choice.reply].asked}  # with their questions, as decisions
    likely: list[_Guess] = []
    texts: set[str] = set()  # what was said twice is there once
    left = {"record": RECORDS, "prose": PROSE, "plan": PLANS}
    for guess in sorted(_guesses(speech)):
        place = _place(guess, speech)
        if (
            left[place]
            and guess.message not in decided
            and guess.unit.text not in texts
            and not _is_none(guess, speech, vetoed)
        ):
            left[place] -= 1
            texts.add(guess.unit.text)
            likely.append(guess)
    lasting = _without_overtaken(likely, speech)
    places = {(guess.message, guess.number): guess for guess in _once(lasting, choices)}
    return _without_doubles([_passage(speech[guess.message], guess) for _, guess in sorted(places.items())])


def _without_doubles(passages: Sequence[Passage]) -> list[Passage]:
    """Return passages without those that only say another one's words and its reason in one."""
    whole = tuple(f"{passage.text} {passage.why}" for passage in passages if passage.why)
    return [passage for passage in passages if not passage.text.endswith(whole)]


def _place(guess: _Guess, speech: Sequence[Event]) -> str:
    """Return which of the places of a conversation a guess takes."""
    if speech[guess.message].kind == "plan":
        return "plan"
    return "record" if kinds.is_record(guess.kind) else "prose"


def _is_read(event: Event) -> bool:
    """True for what somebody says, and for a plan that a person let the agent carry out."""
    return bool(event.text) and (event.kind in UTTERANCES or (event.kind == "plan" and event.ok))


def _is_step(text: str) -> bool:
    """True for what a plan has somebody do without a reason; what it has them keep or use is a choice."""
    is_choice = form("dialogue.lays down").written().match(first_words.bare(text)) or reasons.split(text)
    return "imperative" in features.hints(text) and not is_choice


def _once(likely: Iterable[_Guess], choices: Iterable[dialogue.Choice]) -> Iterator[_Guess]:
    """Yield the guesses without records that say again what a likelier one does, or what a dialogue decided.

    Those had their places: what is said again makes no room for a weaker guess.
    """
    answers = (f"{choice.text} {choice.why} {first_typed(choice.answer)}" for choice in choices if choice.text)
    known = [(_CHOSEN, terms.terms(words)) for words in answers]
    for guess in likely:
        if not kinds.is_record(guess.kind):
            yield guess
        elif not _is_retold(guess, known):
            known.append((guess.message, terms.terms(guess.unit.text)))
            yield guess


def _without_overtaken(likely: Iterable[_Guess], speech: Sequence[Event]) -> Iterator[_Guess]:
    """Yield guesses without tasks that are none any more; they had their places, and make no room for weaker ones."""
    for guess in likely:
        if guess.kind != "task" or not redundancy.is_overtaken(speech, guess.message, guess.unit.text):
            yield guess


def _guesses(speech: Sequence[Event]) -> Iterator[_Guess]:
    last = max(
        (number for number, event in enumerate(speech) if event.role == "agent" and event.kind == "text"), default=-1
    )
    for message, event in enumerate(speech):
        units = list(message_units.read(event.text, event.role))
        for number, sentence in sentences(units, event.role):
            guess = _guess(sentence, units[number].section, last=message == last)
            if guess and (event.kind != "plan" or (guess.kind in _CHOICES and not _is_step(sentence.text))):
                behind = message_units.behind(units, number)
                yield _Guess(-guess.rank, message, number, guess.kind, units[number], sentence, behind)


def _guess(sentence: Sentence, section: str, *, last: bool) -> scorer.Guess | None:
    """Return what a sentence may be, None for one that states a record or is likely none."""
    stated = statements.state(sentence.text, sentence.role, section, last=last) if sentence.states else None
    if stated is None:
        guess = _by_form(sentence, "signs.postpones", "signs.tried before") or scorer.guess(sentence)
        return guess if guess and kinds.is_record(guess.kind) else _by_form(sentence, "signs.requires") or guess
    is_bare = not section and sentence.role == grammar.AGENT and statements.only_intends(sentence.text, stated)
    return scorer.Guess("decision", 1) if is_bare else None


def _by_form(sentence: Sentence, *sections: str) -> scorer.Guess | None:
    """Return what a person's words are by the first of some forms that they have, None for no such words."""
    if sentence.role != grammar.PERSON or sentence.sort == "row" or asks(sentence.text):
        return None
    return next((scorer.Guess(_KINDS[name], 1) for name in sections if grammar.has(sentence.text, name)), None)


def _is_retold(guess: _Guess, known: Iterable[tuple[int, frozenset[str]]]) -> bool:
    """True for what was chosen in answer to the agent, and for what another message said: a plan, reported later."""
    own = terms.terms(guess.unit.text)
    least = max(_TERMS, _SHARE * len(own))
    return any(message != guess.message and len(own & other) >= least for message, other in known)


def _is_none(guess: _Guess, speech: Sequence[Event], vetoed: Container[int]) -> bool:
    """True for what was refused, holds for the moment only, is only put forward, or is settled by later words."""
    text, is_agents = guess.unit.text, speech[guess.message].role == grammar.AGENT
    if _is_remark(guess, is_agents=is_agents) or _is_passing(guess, speech) or _leans(guess):
        return True
    if guess.kind == "decision":
        return guess.message in vetoed or (_is_told(text) if is_agents else _is_asked(text))
    if guess.kind == "constraint":
        return grammar.has(guess.sentence.text, "rules.passes")
    if _is_of_turn(guess, speech):
        return True
    is_idle = guess.kind == "question" and (redundancy.asks_how_to_go_on(text) or not (is_agents or _weighs(text)))
    return is_idle or dialogue.is_settled(speech, guess.message, guess.kind, text)


def _is_remark(guess: _Guess, *, is_agents: bool) -> bool:
    """True for one of several ways, for what an agent did or would do if it were asked, and for a verdict as a task."""
    text, lead = guess.unit.text, _announcement(guess.unit)
    if guess.kind == "task" and (no_records.is_verdict(text) or no_records.is_ticked(text)):
        return True
    is_over = guess.kind == "task" and (no_records.is_report(text) or no_records.leads_deeds(guess.sentence.lead))
    is_unmade = no_records.is_unmade(text) or (guess.kind in _WAYS and no_records.is_unmade(lead))
    return is_unmade or (is_agents and (is_over or statements.proffers(text)))


def _announcement(unit: Unit) -> str:
    """Return the line that announces a unit, as a lead: that of its list (`You could:`), else the heading above it."""
    return unit.lead or (f"{unit.above[-1]}:" if unit.above else "")


def _is_told(text: str) -> bool:
    """True for what an agent reports that it did, or only proposes: its choice is the person's yes to it."""
    is_said = no_records.is_report(text) or no_records.is_merge(text) or no_records.is_verdict(text)
    return is_said or grammar.has(text, "dialogue.proposes")


def _is_asked(text: str) -> bool:
    """True for what a person asks: its answer would be the choice. What is asked in brackets is beside it."""
    own = grammar.without_tag(text, grammar.PERSON)  # `..., right?` asks for a nod
    return grammar.has(own, "signs.inverted") or (asks(own) and not own.rstrip().endswith(_BRACKETS))


def _is_of_turn(guess: _Guess, speech: Sequence[Event]) -> bool:
    """True for what the model takes for work that is left, though it was the work of a turn in the conversation.

    That is what a person asks of an agent that answers with more than a nod. What an agent leaves stands at the end;
    of what it says before a person's next words only English is sure enough, for few messages of other languages
    taught the model.
    """
    after = next((event for event in speech[guess.message + 1 :] if event.role != speech[guess.message].role), None)
    if guess.kind not in ("task", "blocker") or after is None:
        return False
    if after.role == grammar.PERSON:
        return not is_english(guess.sentence.text)
    if grammar.has(guess.unit.text, "signs.postpones"):
        return False
    hints = features.hints(guess.unit.text)
    is_request = bool(hints & {"imperative", "asks for"}) or (guess.kind == "task" and "todo" not in hints)
    return is_request and not statements.acknowledges(after.text)


def _weighs(question: str) -> bool:
    """True for what a person asks of what shall be; where a thing is and what it does, the agent looks up.

    English alone has the words for it.
    """
    return grammar.has(question, "signs.deliberates") or not is_english(question)


def _leans(guess: _Guess) -> bool:
    """True for what nobody could settle: it leans on words that are not told with it."""
    return kinds.is_record(guess.kind) and anaphora.leans(guess.unit.text) and not _lead(guess)


def _is_passing(guess: _Guess, speech: Sequence[Event]) -> bool:
    """True for what an agent is kept by, does next without a reason, or looks at, where its turn says more."""
    spoken = [event.role for event in speech[guess.message :] if event.kind in UTTERANCES]
    if spoken[:2] != [grammar.AGENT, grammar.AGENT]:
        return False
    is_move = grammar.has(guess.unit.text, "stated.narrates") and reasons.split(guess.sentence.text) is None
    is_move = is_move or any(grammar.has(words, "stated.looks") for words in split(guess.unit.text))
    return guess.kind == "blocker" or (guess.kind == "decision" and is_move)


def _passage(event: Event, guess: _Guess) -> Passage:
    """Return what may be a record as a passage, its reason apart."""
    text, is_persons = guess.unit.text, event.role == grammar.PERSON
    start = grammar.lead(guess.sentence.text) if is_persons and guess.kind == "constraint" else 0
    parts: reasons.Parts | statements.Statement = statements.reasoned(
        guess.sentence.text, guess.kind, start, is_argued=is_persons
    )
    beside = "" if parts.why_end > parts.why_start else _why_beside(guess)
    if not beside and parts.why_end <= parts.why_start and guess.kind in statements.REASONED:
        parts = reasons.at_end(text) or parts
    words = text[parts.start : parts.end].strip(" ,;—–(")
    if anaphora.leans(words) and (lead := _lead(guess)) not in ("", beside):
        words = f"{lead} {words}"
    why = next(iter(split(text[parts.why_start : parts.why_end])), "").strip() or beside
    if asks(why):  # whoever asks it does not know it
        why = ""
    place = Passage(words, event.role, event.kind, guess.message, 0, 0.0, at=event.at, line=event.line)
    return place._replace(why=why, notices=guess.kind)


def _lead(guess: _Guess) -> str:
    """Return the sentence that a choice or a rule goes on from, "" for none: what leans on it is told with it.

    What people type has a line of its own, and goes on all the same.
    """
    goes_on = guess.sentence.role == grammar.PERSON or not guess.sentence.begins
    return guess.sentence.before if guess.kind in statements.REASONED and goes_on else ""


def _why_beside(guess: _Guess) -> str:
    """Return the reason of a choice or a rule that the sentence after it gives, or the one before it; "" for none."""
    before, after = guess.sentence.before, guess.sentence.after or guess.behind
    if guess.kind not in statements.REASONED:
        return ""
    if after and (at := reasons.follows(after)) >= 0:
        return after[at:]
    is_said = len(before.split()) > _NOD and not statements.acknowledges(before)
    return before if is_said and not guess.sentence.begins and reasons.concludes(guess.sentence.text) else ""


def sentences(units: Sequence[Unit], role: str) -> Iterator[tuple[int, Sentence]]:
    """Yield the units that may mean something, by their number, with what stands around each."""
    units = [unit._replace(text="") if unit.sort == "gap" else unit for unit in units]  # code is no speech
    spoken = [number for number, unit in enumerate(units) if unit.sort != "break"]
    message = Message([(unit.sort, unit.text) for unit in units])
    is_reported = False
    for place, number in enumerate(spoken):
        unit = units[number]
        if unit.sort in ("heading", "gap"):
            is_reported = False
        if unit.sort not in _SORTS or not _LEAST <= len(unit.text) <= message_units.LONGEST:
            continue
        is_reported = is_reported or quotation.reports(unit.text)
        if not (unit.is_quoted or is_reported or (role == "person" and unit.above)):
            yield number, _around(units, role, spoken, place)._replace(around=message.around(number))


def _around(units: Sequence[Unit], role: str, spoken: Sequence[int], place: int) -> Sentence:
    """Return a unit with what stands around it; `place` is its own among the numbers of the `spoken` ones."""
    number = spoken[place]
    unit, before = units[number], units[number - 1] if number else None
    after = units[number + 1] if number + 1 < len(units) else None
    masked = unit.masked or quotation.masked(unit.text)
    stated = statements.state(masked, role, unit.section, last=True) if unit.sort != "row" else None
    return Sentence(
        masked,
        role,
        unit.sort,
        unit.above,
        unit.lead,
        units[spoken[place - 1]].text if place else "",
        after.text if after and after.sort == unit.sort == "sentence" else "",
        place,
        len(spoken),
        before is None or before.sort != "sentence",
        stated.kind if stated else "",
    )
