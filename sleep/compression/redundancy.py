"""Redundancy: what of a conversation is small talk, was read from the memory, or stands in a journal already.

Owns these three refusals. What a person typed to greet, to agree or to run a command of the client's is small talk, and
so is an answer to a greeting that did nothing. A passage that bears an address, or stands nearly word for word in the
memory, was read from there: taken in again it would return for ever. What an entry of the journal says in its own words
is not said a second time. Refuses to guess at meaning: words alone decide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import lexicon, sentences, terms, tokenizer
from sleep.language.acts import statements
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.output import program_output
from sleep.records import address as addressing
from sleep.transcripts.events import UTTERANCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sleep.compression.message_units import Unit
    from sleep.transcripts.events import Event

_COMMAND = re.compile(r"/[\w:-]{1,40}")
_PLAN = re.compile(r"\s*(Implement the following plan:)\s*\n(.*)", re.DOTALL)
_ACTS = frozenset({"edit", "run", "call", "plan", "ask", "tasks"})
_RUN = 5  # words in a row that tell where a text is from
_OWN = 6  # words that a passage has at least, to be told as one of the memory's own
_SHARE = 0.8  # of its words that stand in such runs; of its terms that an entry has
_FIRST = 3  # words that tell that an entry was made of a message
_NOD = re.compile(r"(.{1,30}?)[,.:;!，。：；！](?=.)\s*")
_DIGITS = re.compile(r"\d+")
_NEW = 1 / 4  # of what an echo speaks of, or one word: beyond it, it tells something


def is_small_talk(text: str) -> bool:
    """True for what a person types to greet, to thank, to agree, to leave, or to run one of the client's commands."""
    bare = text.strip()
    if _COMMAND.match(bare):
        return bare in lexicon.words("client commands")
    nods = lexicon.all_words("greetings") | lexicon.all_words("assents")
    return nods.issuperset(tokenizer.words(bare)) or has(bare, "signs.leaves")


def is_echo(text: str, request: str) -> bool:
    """True for what an agent says that only takes in a person's words, such as `Understood, I won't rename nodes`.

    What answers a question is none, nor what has a name, a figure or a not that the person did not say.
    """
    is_question = sentences.asks(request) or has(request, "signs.inverted")
    is_turn = has(text, "changes.denies") and not has(request, "changes.denies")  # `Okay, I can't drop it.`
    return not (is_question or is_turn) and all(_echoes(sentence, request) for sentence in sentences.split(text))


def _echoes(sentence: str, request: str) -> bool:
    nod = _NOD.match(sentence)
    if not nod or not statements.acknowledges(nod[1]):
        return False
    rest = sentence[nod.end() :]
    named = terms.find(rest)
    is_named = named.names | named.capitals <= terms.terms(request)
    if not is_named or not set(_DIGITS.findall(rest)) <= set(_DIGITS.findall(request)):
        return False
    own, there = _pieces(rest), _pieces(request)
    return len(own - there) <= max(1, len(own) * _NEW)


def _pieces(text: str) -> frozenset[str]:
    """Return what a text speaks of, by letters where a script has no spaces."""
    spoken = frozenset(term for term in terms.light(text) if not tokenizer.has_wide(term))
    return (spoken - lexicon.all_words("stop")) | frozenset(filter(tokenizer.has_wide, text))


def is_offer(text: str) -> bool:
    """True if what an agent asks is only leave to go on: `Want me to push it?`, `What would you like to do next?`.

    A question that names a choice or wants to know something is none.
    """
    return _asks_only(text, _is_leave)


def asks_how_to_go_on(text: str) -> bool:
    """True if what an agent asks is only for the next turn, though it may name a choice: `Shall I push, or test it?`.

    The answer to such a question may be a choice; unanswered it is nothing that stands open.
    """
    return _asks_only(text, lambda question: _is_leave(question) or has(question, "signs.goes on"))


def without_offers(units: Iterable[Unit], *, is_answered: bool) -> Iterator[Unit]:
    """Yield units, where a person spoke behind them without what an agent would do next if that person wished.

    `Want me to push it?`, `If you like, I can add one.`
    """
    for unit in units:
        is_open = is_answered and unit.sort == "sentence" and not unit.states
        if not is_open or not (statements.proffers(unit.text) or asks_how_to_go_on(unit.text)):
            yield unit


def _asks_only(text: str, fits: Callable[[str], bool]) -> bool:
    asked = [question for question in sentences.split(text) if sentences.asks(question)]
    return bool(asked) and all(map(fits, asked))


def _is_leave(question: str) -> bool:
    return has(question, "signs.offer") and not _is_choice(question)


def is_only_offer(text: str) -> bool:
    """True for an offer that says nothing besides."""
    return is_offer(text) and all(sentences.asks(sentence) for sentence in sentences.split(text))


def is_overtaken(turns: Sequence[Event], number: int, text: str) -> bool:
    """Return whether what an agent would do next is no task: its turn went on, or a person replied to it.

    It was done, or the person who knew it chose something else; who only asks something did not. What an agent says is
    left stays a task.
    """
    if turns[number].role != "agent" or has(text, "stated.to do"):
        return False
    later = [turn for turn in turns[number + 1 :] if turn.kind in UTTERANCES]
    is_within = any(turn.role == "agent" for turn in later[:1])
    replies = (turn.text for turn in later if turn.role == "person" and not sentences.asks(turn.text.strip()))
    return is_within or any(not is_small_talk(reply) for reply in replies)


def is_denied(turns: Sequence[Event], number: int, text: str) -> bool:
    """Return whether a person's next words say of an agent's task that it is none: `there are no old saves`."""
    after = next((turn for turn in turns[number + 1 :] if turn.kind in UTTERANCES), None)
    if turns[number].role != "agent" or after is None or after.role != "person":
        return False
    needless = form("dialogue.needless").written()
    rests = (needless.split(words)[1:] for words in sentences.typed(after.text))
    denied = (terms.light(words[-1].split(",")[0]) for words in rests if words)
    return any(names and names <= terms.light(text) for names in denied)


def _is_choice(sentence: str) -> bool:
    return has(sentence, "signs.wants to know") and not has(sentence, "signs.or else")


def without_commands(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events without the commands that a person gave to the client, whatever their arguments."""
    for event in events:
        if event.kind != "prompt" or not event.text.startswith("/"):
            yield event
            continue
        command, _, rest = event.text.partition("\n\n")
        if command.split(None, 1)[0] not in lexicon.words("client commands"):
            yield event
        elif rest.strip():
            yield event._replace(text=rest.strip())


def without_pastes(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events, of what a person typed only what is theirs.

    That is no line of a terminal, and of a plan that a client had them send (`Implement the following plan:`) its
    title: the plan is the agent's.
    """
    for event in events:
        if event.kind != "prompt":
            yield event
        elif plan := _PLAN.match(event.text):
            title = next(filter(None, (row.strip("#*_ ") for row in plan[2].split("\n"))), "")
            yield event._replace(text=f"{plan[1]} {title}")
            yield event._replace(role="agent", kind="plan", text=plan[2])
        else:
            yield event._replace(text=program_output.without_pastes(event.text))


def without_greetings_back(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events without what the agent answered to a greeting by words alone."""
    held: list[Event] | None = None  # what the agent said since a greeting
    for event in events:
        if event.role == "person" and not event.side:
            greets = lexicon.all_words("greetings").issuperset(tokenizer.words(event.text))
            held = [] if event.kind == "prompt" and greets else None
        elif held is not None and event.kind == "text" and not event.side:
            held.append(event)
            continue
        elif held is not None and event.kind in _ACTS and not event.side:
            yield from held
            held = None
        yield event


class Recalled:
    """What a memory says of itself, to know it again in a transcript.

    Args:
        texts: the documents that are shown to agents.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs: set[int] = set()
        for text in texts:
            self._runs.update(_runs(tokenizer.words(addressing.MARK.sub(" ", text))))

    def has(self, text: str) -> bool:
        """True if a text bears an address, or stands word for word in the memory, but for a few words."""
        if addressing.MARK.search(text):
            return True
        own = tokenizer.words(text)
        if len(own) < _OWN:
            return False
        ours = 0
        end = 0  # of the words counted
        for start, run in enumerate(_runs(own)):
            if run in self._runs:
                ours += start + _RUN - max(end, start)
                end = start + _RUN
        return ours >= _SHARE * len(own)


class KnownMoments:
    """What journals told of other sessions, by the moment: a client that forks a session repeats its lines.

    Args:
        entries: (when it was said, as the client wrote it; the first words of the entry).
    """

    def __init__(self, entries: Iterable[tuple[str, str]] = ()) -> None:
        self._at: dict[str, list[str]] = {}
        self.add(entries)

    def add(self, entries: Iterable[tuple[str, str]]) -> None:
        """Take in further entries."""
        for at, title in entries:
            # A moment by the millisecond, for a second holds too much; what all sessions end with tells none.
            if "." in at and not is_offer(title):
                self._at.setdefault(at, []).append(f" {' '.join(tokenizer.words(title)[:_FIRST])} ")

    def has(self, at: str, text: str) -> bool:
        """True if an entry was made of what was said at this moment."""
        titles = self._at.get(at)
        return bool(titles) and any(first in f" {' '.join(tokenizer.words(text))} " for first in titles or ())


def _runs(words: Sequence[str]) -> Iterator[int]:
    """Yield a number for every run of so many words; in one process the same words have the same."""
    for at in range(len(words) - _RUN + 1):
        yield hash(tuple(words[at : at + _RUN]))
