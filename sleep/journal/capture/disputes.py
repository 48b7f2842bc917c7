"""Disputes: what an agent claimed or put forward, and its own session did not leave standing.

Owns which of its words a person contradicted or refused right away, which choices a person dropped later by name, which
words are only guesses, and which errors later work left behind. Refuses to say what holds instead: what was said later
is told for itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import dialogue
from sleep.journal.capture import deeds
from sleep.language import anaphora, lexicon, quotation, sentences, terms
from sleep.language.acts import reply_parts
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.words import terms as search_terms
from sleep.records.kinds import BINDING
from sleep.transcripts.events import UTTERANCES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sleep.compression.passages import Passage
    from sleep.journal.capture.material import Fault
    from sleep.transcripts.events import Event

_HEAD = 2  # sentences of a reply in which it says that something is not so
_CLAIMS = ("text", "plan")
_BREAK = re.compile(r"[,;:!?，。；：！？]|\.(?=\s|$)| [-–—] ")  # where what is named ends


class Objections(NamedTuple):
    """The numbers of an agent's messages that a person's next words contradict, and of those whose plan they refuse.

    `declined` are those that a no follows, to whatever in them it is said.
    """

    contradicted: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()
    declined: frozenset[int] = frozenset()


def objections(turns: Sequence[Event]) -> Objections:
    """Return what persons objected to: that something is so or works, a plan, a proposal, or the call that followed."""
    contradicted, declined = set[int](), set[int]()
    refused = {choice.proposal for choice in dialogue.choices(turns) if choice.vetoes}
    claims: list[int] = []  # since a person's last words
    request = ""
    for number, turn in enumerate(turns):
        if turn.role == "person" and turn.kind in UTTERANCES:
            put = " ".join((request, *(turns[claim].text for claim in claims)))
            contradicted.update(claims if _contradicts(turn.text, put) else ())
            refused.update(claims if turn.kind == "answer" and not turn.asked else ())  # a call was refused
            declined.update(claims if reply_parts.refusal(turn.text)[0] else ())
            claims, request = [], turn.text
        elif turn.kind in _CLAIMS:
            claims.append(number)
    return Objections(frozenset(contradicted), frozenset(refused), frozenset(declined | refused))


def _contradicts(reply: str, put: str) -> bool:
    """True for a reply that denies what was put; to have it tried again does so where nothing came between."""
    own = quotation.masked(reply)
    if any(_denies(words, put) for words in sentences.split(own)[:_HEAD]):
        return True
    is_cut = has(own, "dialogue.interrupted") and not has(put, "dialogue.interrupted")
    return not is_cut and any(has(words, "dialogue.again") for words in sentences.split(own)[:_HEAD])


def _denies(words: str, put: str) -> bool:
    """True for a sentence that says that it is not so, and not of something that nobody spoke of."""
    span = form("dialogue.disputes").span(words)
    if span is None:
        return False
    subject = words[: span[0]].rstrip()
    if anaphora.leans(words[len(subject.rpartition(" ")[0]) :].lstrip()):  # `I press the key and it still fails`
        return True
    named = " ".join(word for word in subject.split() if word.casefold().strip(".,:") not in lexicon.all_words("stop"))
    about = search_terms(named)
    return not about or not set(about).isdisjoint(search_terms(put))


def without_refused(passages: Iterable[Passage], refused: Collection[int]) -> Iterator[Passage]:
    """Yield passages without refused plans, and without what an agent puts forward or announces in refused messages."""
    for passage in passages:
        if passage.message not in refused or passage.role != "agent" or passage.states:
            yield passage
        elif passage.kind != "plan":
            parts = deeds.parts(passage.text)
            left = [part for part in parts if not has(part, "dialogue.proposes", "stated.promises")]
            if words := "".join(left).strip(" ·"):
                yield passage if len(left) == len(parts) else passage._replace(text=words)


def without_dropped(likely: Iterable[Passage], turns: Sequence[Event]) -> Iterator[Passage]:
    """Yield what was noticed without choices and rules that a person drops later by name (`forget SQLite`)."""
    dropped = [(number, named) for number, turn in enumerate(turns) for named in _dropped(turn)]
    for passage in likely:
        later = [named for number, named in dropped if number > passage.message] if passage.notices in BINDING else []
        words = set(search_terms(passage.text)) if later else set()
        if not any(named <= words for named in later):
            yield passage


def _dropped(turn: Event) -> Iterator[set[str]]:
    """Yield the terms of each thing that a person's words drop by name."""
    if turn.role != "person" or turn.kind not in UTTERANCES:
        return
    for sentence in sentences.split(quotation.masked(turn.text)):
        if not sentences.asks(sentence) and (span := form("dialogue.drops").span(sentence)):
            named, _, _ = _BREAK.sub("\n", sentence[span[1] :]).partition("\n")
            if about := set(search_terms(named)) - lexicon.all_words("dialogue.drops beside"):
                yield about


def is_guess(text: str) -> bool:
    """Return whether an agent only supposes what the matter is, and does not say that it has proof."""
    return has(text, "signs.guess") and not has(text, "signs.proof")


def without_past(faults: Iterable[Fault], turns: Sequence[Event]) -> tuple[Fault, ...]:
    """Return errors without those that stand open only because nobody looked back.

    Behind them a person asked for something (`go on` does not), or the agent reported that all went well.
    """
    return tuple(fault for fault in faults if fault.solved or not any(_is_past(fault, turn) for turn in turns))


def _is_past(fault: Fault, turn: Event) -> bool:
    if not 0 < fault.line < turn.line:
        return False
    if turn.kind == "prompt":
        return terms.is_request(turn.text)
    return turn.kind == "text" and has(turn.text, "reports.well", "findings.all")
