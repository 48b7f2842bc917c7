"""All that a summary may tell, before room is asked: facts old and new, the state of the work, the order of it all.

Owns bringing them together. Each is new_facts by a module of its own; what of it stays is `choice`.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages import shapes
from sleep.conversation.messages.shapes import RESULT, TEXT, Part
from sleep.conversation.summary import agent_speech, facts, links, people, results
from sleep.conversation.summary.fact import PINNED, Fact
from sleep.conversation.summary.marks import ERROR
from sleep.conversation.summary.sequels import actions, outcomes, replies, revocation, supersession
from sleep.conversation.summary.state import pictures, progress, workplace

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Message, Turn
    from sleep.conversation.messages.tail import Tail
    from sleep.conversation.summary.people import Known

    Pinned = Callable[[str], bool] | None


_START = 100  # characters by which a request is known that is told head and end


class Inventory(NamedTuple):
    """What may be told: facts of an earlier summary, new ones, the state of the work, both requests word for word.

    `numbers` are those of the last message of a person, by the index of a removed turn; `people` is the last of them.
    `losses` counts by kind what cannot be told.
    """

    old: list[tuple[str, str]]
    facts: list[Fact]
    state: tuple[str, ...]
    numbers: list[int]
    people: int
    requests: tuple[str, str]
    losses: dict[str, int]

    def with_clipped(self, whole: Sequence[Message], stays: Tail, pinned: Pinned) -> Inventory:
        """Return the same with what clipping took out of messages that stay, but for what tools printed."""
        if not whole:
            return self
        turns = [people.spoken(shapes.read_turn(message)) for message in whole]
        speech_ = [turn._replace(parts=tuple(part for part in turn.parts if part.kind == TEXT)) for turn in turns]
        left = "\n".join(part.text for index in stays.clipped for part in shapes.read_turn(stays.messages[index]).parts)
        at = len(self.numbers)
        new_facts = [
            fact for fact in facts.of_turns(speech_, {}, pinned) if fact.kind == PINNED or fact.text not in left
        ]
        added = [fact._replace(at=fact.at + at) for fact in new_facts]
        return self._replace(facts=[*self.facts, *added], numbers=[*self.numbers, *[self.people] * len(turns)])

    def with_requests(self, words: tuple[str, str], now: tuple[str, str], pinned: Pinned) -> Inventory:
        """Return the same with the facts of requests that do not stand word for word."""
        added = [
            fact
            for before, after in zip(words, now, strict=True)
            if before != after
            for fact in facts.of_request(before, -1, pinned=pinned)
            if fact.kind == PINNED or fact.text not in after  # the rest of it stands word for word
        ]
        return self._replace(facts=[*added, *self.facts])


class Speech(NamedTuple):
    """What was said, without what clients put in: the removed turns and those that stay, and the requests in them.

    `quoted` are requests that only a summary of a client tells.
    """

    turns: list[Turn]
    stays: list[Turn]
    asked: list[str]
    asked_later: list[str]
    place: dict[str, str]
    quoted: list[Fact]


def speech(turns: Sequence[Turn], stays: Sequence[Turn], words: bytes, systems: Sequence[Turn] = ()) -> Speech:
    """Return what was said in removed turns and in those that stay, with the messages of the system.

    In `words` each word of the removed ones stands.
    """
    is_mixed = people.may_be_mixed(words)
    speech_ = [people.spoken(turn) for turn in turns] if is_mixed else list(turns)
    place = workplace.lines(turns, [*systems, *stays]) if is_mixed else {}
    later = [people.spoken(turn) for turn in stays]
    asked, asked_later = list(map(people.request_of, speech_)), list(map(people.request_of, later))
    quoted = list(people.quoted_requests(turns, [*asked, *asked_later])) if is_mixed else []
    return Speech(speech_, later, asked, asked_later, place, quoted)


def of(spoken: Speech, known: Known, pinned: Pinned, words: bytes = b"") -> Inventory:
    """Return what may be told of removed turns, before those that stay; in `words` each word of them stands."""
    turns = spoken.turns
    numbers = list(accumulate(map(bool, spoken.asked), initial=known.number))[1:]
    names = {call: name for turn in (*turns, *spoken.stays) for call, name in turn.calls if name}
    new_facts = [fact for text in known.past for fact in facts.of_request(text, -1, pinned=pinned)]
    verbatim = frozenset((known.first, known.latest)) - {""}
    plainly = [
        _without_words(turn) if request in verbatim else turn for turn, request in zip(turns, spoken.asked, strict=True)
    ]
    whole = [*plainly, *spoken.stays]
    done = actions.of_turns(whole)
    looks = done.looks()
    new_facts += facts.of_turns(plainly, names, pinned, words, looks)
    new_facts = _untold(done.settle(new_facts, whole), spoken.asked, verbatim)
    new_facts = links.weigh(
        new_facts, links.find_links(plainly, spoken.stays, words), plainly, names, looks, done.earlier()
    )
    new_facts = people.without_quotations(new_facts, turns, [*verbatim, *known.past, *spoken.asked])
    new_facts += spoken.quoted
    is_over = bool(spoken.asked_later and spoken.asked_later[0])
    new_facts = outcomes.add(new_facts, turns, spoken.asked, is_over=is_over)
    new_facts = replies.apply(new_facts, [*turns, *spoken.stays], len(turns))
    new_facts = list(agent_speech.with_leads(new_facts, turns))
    printed = done.settle(_printed(spoken.stays, len(turns), names), whole)
    calm = done.calm(whole)
    failure = results.last_failure([fact for fact in (*new_facts, *printed) if fact.name and _may_be_last(fact, calm)])
    old = [*known.old, *(_past_error(known) if failure else ())]
    old, new_facts = _outdated(old, new_facts, numbers, turns, words)
    has_passed = failure is not None and done.tests_passed(failure, whole)
    images = pictures.of_turns(turns, numbers)
    state = progress.lines(
        [*turns, *spoken.stays],
        known.state,
        progress.Past(failure, calm, images.line(), has_passed=has_passed, place=spoken.place),
    )
    return Inventory(
        old,
        new_facts,
        state,
        numbers,
        numbers[-1] if numbers else known.number,
        (known.first, known.latest),
        images.losses,
    )


def _past_error(known: Known) -> Iterator[tuple[str, str]]:
    """Yield the last error of an earlier summary as a fact where its state alone told it: a later one stands there."""
    error = progress.last_error(known.state)
    start = error.partition(" … ")[0]
    if error and not any(start in text for _, text in known.old):
        yield ERROR, error


def _outdated(
    old: Sequence[tuple[str, str]], facts_: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn], words: bytes
) -> tuple[list[tuple[str, str]], list[Fact]]:
    """Return the facts of an earlier summary and the new ones, in which those that hold no more say so."""
    rows = [*(Fact(kind, text, 0, supersession.BEFORE) for kind, text in old), *facts_]
    rows = supersession.supersede(rows, numbers, turns, words)
    rows = revocation.revoke(rows, numbers, turns, words)
    return [(fact.kind, fact.text) for fact in rows[: len(old)]], rows[len(old) :]


def _may_be_last(fact: Fact, calm: Container[tuple[int, int]]) -> bool:
    """Return whether a fact may be the last failure: not mended, not pasted, and of no result that tells none."""
    is_past = fact.text.endswith(actions.MENDED) or fact.name == results.PASTED
    return not is_past and fact.part not in calm


def _untold(facts_: Iterable[Fact], asked: Sequence[str], verbatim: Iterable[str]) -> list[Fact]:
    """Return facts without those that stand in what is left of a request which is told head and end."""
    cut = frozenset(verbatim).difference(asked)
    return [fact for fact in facts_ if not (cut and _stands(fact, asked, cut))]


def _stands(fact: Fact, asked: Sequence[str], verbatim: Iterable[str]) -> bool:
    """Return whether a fact of a request stands in what is left of it."""
    if fact.name or fact.kind == PINNED or not 0 <= fact.at < len(asked) or not asked[fact.at]:
        return False
    start = asked[fact.at][:_START]
    return any(text.startswith(start) and fact.text in text for text in verbatim)


def _without_words(turn: Turn) -> Turn:
    """Return a turn without what was said in it: it stands word for word."""
    return turn._replace(parts=tuple(part for part in turn.parts if part.kind != TEXT))


def pins(turns: Sequence[Turn], pinned: Pinned) -> list[str]:
    """Return the pinned lines of turns."""
    if pinned is None and not any(facts.may_pin(part.text) for turn in turns for part in turn.parts):
        return []
    return [fact.text for fact in facts.of_turns(turns, {}, pinned) if fact.kind == PINNED]


def _printed(turns: Sequence[Turn], at: int, names: dict[str, str]) -> list[Fact]:
    """Return the facts of what tools printed in turns that stay."""
    if not any(part.kind == RESULT for turn in turns for part in turn.parts):
        return []
    nothing = Part(TEXT, "")
    printed = [
        turn._replace(parts=tuple(part if part.kind == RESULT else nothing for part in turn.parts)) for turn in turns
    ]
    return [fact._replace(at=fact.at + at) for fact in facts.of_turns(printed, names)]
