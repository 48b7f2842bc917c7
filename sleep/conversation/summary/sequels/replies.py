"""What a reply makes of what the agent said right before it: a veto and an answer stand with what they are about.

Owns finding the agent's words. Refuses to guess where nothing is shared: then a veto stands alone, and a question stays
open.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import CALL, RESULT, TEXT
from sleep.conversation.summary.fact import JOINT, PINNED, REQUEST, Fact, bare, clipped, flat
from sleep.conversation.summary.marks import DECISION, FACT, QUESTION
from sleep.conversation.summary.sequels.supersession import words_of
from sleep.conversation.summary.state import file_changes
from sleep.language import sentences
from sleep.language.acts import alternatives
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

_LONG = 400  # characters of a reply in which a veto is looked for
_QUOTED = 220  # characters of what it vetoes
_WORTH = 3.6
_NEAR = 40  # lines of the agent's last words that are held against a reply
_ASKS = "AskUserQuestion"  # the form in which clients ask
_CHOSEN = re.compile(r"\"([^\"\n]{4,600})\"=\"([^\"]{1,600})\"")
_WORDS = re.compile(r"the user said:\s*(.+)", re.DOTALL)
_REFUSED = "user doesn't want to proceed"
_ITEMS = re.compile(r"(?m)^\s*1[.)].*\n+(?:.*\n+){0,3}\s*2[.)]")  # a list of the reply's own
_PASSED = 4  # messages of a person behind which an agent's question that none of them answers is not open
_ITEM_BY_ITEM = 1_500  # characters of a reply that answers a list item by item
_PICK, _PICKED = 90, 120  # characters of a sentence that picks, and of what it picks
VETOES, ANSWERED = " — vetoes: ", " — answered: "


class Reply(NamedTuple):
    """A person's reply: the index of its turn, its words, what of the agent's it is about and where that stands.

    `is_veto` tells a veto from an answer, `is_pick` an answer by letter or number. What was asked or proposed may be a
    call. `item` is the number of the reply in a list of them, 0 outside one.
    """

    at: int
    text: str
    to: str
    origin: int
    is_veto: bool
    is_pick: bool = False
    item: int = 0


def apply(facts: Sequence[Fact], turns: Sequence[Turn], end: int) -> list[Fact]:
    """Return facts in which replies stand with what they are about.

    The facts are of the turns before `end`; of the turns behind it, which stay, nothing is told but that they reply.
    """
    speech = ["" if turn.role == "tool" else _speech(turn) for turn in turns]
    spoke, person = _last(turns, "assistant"), _last(turns, "user")
    out = _join([_unasked(fact, turns, spoke) if fact.kind == QUESTION else fact for fact in facts], turns, speech, end)
    latest = [at for at, turn in enumerate(turns) if turn.role == "user" and speech[at]][-_PASSED:]
    passed = latest[0] if len(latest) == _PASSED else 0
    return [
        _unanswered(fact, turns) if fact.kind == QUESTION and fact.at < passed else fact
        for fact in out
        if not (fact.kind == QUESTION and fact.at < person and _is_offer(fact))
    ]


def _join(facts: Sequence[Fact], turns: Sequence[Turn], speech: Sequence[str], end: int) -> Iterable[Fact]:
    """Return facts of the turns before `end` in which each reply stands with what it is about."""
    replies = list(_replies(turns, speech))
    if not replies:
        return facts
    out = dict(enumerate(facts))
    answers: dict[tuple[int, str], int] = {}  # the facts of answers, by the turn and the words
    numbers: dict[int, list[int]] = {}  # by turn: a reply is about facts of two turns, of however many there are
    for number, fact in out.items():
        numbers.setdefault(fact.at, []).append(number)
    for new, reply in enumerate(replies, len(out)):
        places = [number for at in {reply.origin, reply.at} for number in numbers.get(at, ())]
        near = {number: out[number] for number in places if number in out}
        if reply.at >= end:
            out.update({number: _settled(fact, reply) for number, fact in near.items()})
        elif whole := _whole(near.values(), reply):
            first = new if reply.is_veto else answers.setdefault((reply.at, reply.text), new)
            near.pop(first, None)
            for number in _past(near, reply):
                del out[number]
            out[first] = _joint(out[first], whole) if first in out else whole
            if first == new:
                numbers.setdefault(whole.at, []).append(new)
    return out.values()


def _past(near: dict[int, Fact], reply: Reply) -> list[int]:
    """Return the numbers of facts that stand in a reply told with what it is about."""
    return [number for number, fact in near.items() if _is_asked(fact, reply) or _is_reply(fact, reply)]


def _replies(turns: Sequence[Turn], texts: Sequence[str]) -> Iterator[Reply]:
    """Yield the vetoes and the answers of people, each with the agent's words that it is about."""
    last: tuple[int, str] = (-1, "")
    calls: dict[str, tuple[str, Turn, int]] = {}
    for at, turn in enumerate(turns):
        for number, (call, name) in enumerate(turn.calls):
            calls[call] = name, turn, number
        if turn.results:
            yield from _answers(at, turn, calls)
        speech = texts[at]
        if not speech:
            continue
        if turn.role == "assistant":
            last = (at, speech)
        elif turn.role == "user":
            if last[0] >= 0 and len(speech) <= _ITEM_BY_ITEM and (answers := list(_by_item(at, speech, *last))):
                yield from answers
            elif last[0] >= 0 and len(speech) <= _LONG:
                yield from _about(at, speech.strip(), *last)
            last = (-1, "")


def _speech(turn: Turn) -> str:
    texts = [part.text for part in turn.parts if part.kind == TEXT]
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def _answers(at: int, turn: Turn, calls: dict[str, tuple[str, Turn, int]]) -> Iterator[Reply]:
    """Yield what a person said in refusing calls, and answered in a form that the client showed."""
    for part in turn.parts:
        if part.kind != RESULT:
            continue
        if _REFUSED in part.text[:_LONG]:
            words = _WORDS.search(part.text)
            call = _named(part.name, calls)
            yield Reply(at, flat(clipped(words[1].strip(), _LONG)) if words else "no", call, at, is_veto=True)
        elif part.name in calls and calls[part.name][0] == _ASKS:
            for question, answer in _CHOSEN.findall(part.text):
                yield Reply(at, answer, question, at, is_veto=False)


def _named(call: str, calls: dict[str, tuple[str, Turn, int]]) -> str:
    """Return a call by its tool's name and what it was given; `calls` are tools, turns and places by their ids."""
    if call not in calls:
        return file_changes.named(call or "tool", "")
    name, turn, number = calls[call]
    arguments = [part.text for part in turn.parts if part.kind == CALL]
    return file_changes.named(name, arguments[number] if number < len(arguments) else "")


def _by_item(at: int, reply: str, origin: int, speech: str) -> Iterator[Reply]:
    """Yield the answers of a reply that is a list, each to the item of its number in the list of questions before it.

    An answer keeps its number, so that a short one is not taken for a piece of others: `1. no`.
    """
    if "2" not in reply or "?" not in speech or not _ITEMS.search(reply):
        return
    asked, answers = alternatives.of_text(speech), alternatives.of_text(reply)
    if not answers.keys() <= asked.keys() or not any("?" in asked[number] for number in answers):
        return
    for number, answer in answers.items():
        yield Reply(at, f"{number}. {answer}", asked[number], origin, is_veto=False, is_pick=True, item=number)


def _about(at: int, reply: str, origin: int, speech: str) -> Iterator[Reply]:
    """Yield what a reply is to the words before it: a veto, or else answers."""
    lines = [sentence for line in speech.split("\n")[-_NEAR:] for sentence in sentences.split(bare(line))]
    questions = [line for line in lines if sentences.asks(line)]
    if questions and (picked := _picked(reply, speech)):
        yield Reply(at, picked, questions[-1], origin, is_veto=False, is_pick=True)
    elif proposal := _vetoed(
        reply, [line for line in lines if line not in questions], is_asked=lines[-1:] == questions[-1:]
    ):
        yield Reply(at, flat(reply), proposal, origin, is_veto=True)
    elif not sentences.asks(reply) and not form("dialogue.postpones").search(reply):
        is_plain = form("dialogue.yes", "dialogue.no").written().match(reply) is not None
        for line in questions:
            if is_plain or words_of(line) & words_of(reply):
                yield Reply(at, flat(reply), line, origin, is_veto=False)


def _picked(reply: str, speech: str) -> str:
    """Return the sentence of a reply that picks options by letter or number, and what they are; "" for none."""
    listed = alternatives.of_text(speech)
    if len(listed) < 2 or _ITEMS.search(reply):  # noqa: PLR2004  # one is none to choose from
        return ""
    for sentence in [part for line in reply.split("\n") for part in sentences.split(line)]:
        texts = [listed[number] for number in alternatives.numbers_of(sentence) if number in listed]
        if texts:
            return f"{clipped(flat(sentence), _PICK)} ({clipped('; '.join(map(flat, texts)), _PICKED)})"
    return ""


def _vetoed(reply: str, lines: Sequence[str], *, is_asked: bool) -> str:
    """Return which of an agent's sentences a reply vetoes, "" for none; a plain no to a question answers it."""
    is_no = form("dialogue.no").written().match(reply)
    if not lines or not (is_no or form("dialogue.veto").written().search(reply)):
        return ""
    if proposal := _nearest(reply, lines):
        return proposal
    if is_asked or not is_no:
        return ""
    return next((line for line in reversed(lines) if form("dialogue.proposes").search(line)), lines[-1])


def _nearest(reply: str, lines: Sequence[str]) -> str:
    """Return the line that shares most words with a reply, the later of equals; "" where none shares any."""
    words = words_of(reply)
    best, most = "", 0
    for line in lines:
        shared = len(words & words_of(line))
        if shared >= max(most, 1):
            best, most = line, shared
    return best


def _whole(facts: Iterable[Fact], reply: Reply) -> Fact | None:
    """Return a reply and what it is about as one fact; None for an answer to what none of these facts asks."""
    asked = [fact.text for fact in facts if fact.kind == QUESTION and _is_asked(fact, reply)]
    if not (_is_form(reply) or reply.is_veto or reply.is_pick or asked):
        return None
    return Fact(DECISION, _text(reply, asked), _WORTH, reply.at, reply.item)


def _joint(answer: Fact, other: Fact) -> Fact:
    """Return an answer with another question that the same words answer: the answer is told once, behind both."""
    before, _, words = answer.text.rpartition(ANSWERED)
    question = other.text.rpartition(ANSWERED)[0]
    return answer if question in before else answer._replace(text=f"{before}{JOINT}{question}{ANSWERED}{words}")


def _is_form(reply: Reply) -> bool:
    """Return whether a reply is an answer in a form that a client showed."""
    return reply.origin == reply.at and not reply.is_veto


def _is_asked(fact: Fact, reply: Reply) -> bool:
    """Return whether a fact is what a reply is about: of a form that a client showed, what it gave back."""
    if _is_form(reply):
        return fact.at == reply.at and fact.name == _ASKS
    return _is_of(fact, reply.origin, reply.to)


def _text(reply: Reply, asked: Sequence[str]) -> str:
    """Return a reply with what it is about, for an answer the line in which that was asked."""
    if reply.is_veto:
        return f"{reply.text}{VETOES}{clipped(reply.to, _QUOTED)}"
    question = next((line for line in asked if reply.to in line), reply.to)
    return f"{clipped(flat(question), _QUOTED)}{ANSWERED}{clipped(flat(reply.text), _QUOTED)}"


def _is_reply(fact: Fact, reply: Reply) -> bool:
    """Return whether a fact is the reply, or what the client made of it where a call was refused."""
    return _is_of(fact, reply.at, reply.text) or (fact.at == reply.at and bool(fact.name) and _REFUSED in fact.text)


def _settled(fact: Fact, reply: Reply) -> Fact:
    """Return a fact that says whether a message that stays replies to it."""
    if not _is_of(fact, reply.origin, reply.to) or (not reply.is_veto and fact.kind != QUESTION):
        return fact
    return fact._replace(text=f"{fact.text} ({'vetoed' if reply.is_veto else 'answered'} below)", kind=FACT)


def _is_of(fact: Fact, at: int, words: str) -> bool:
    """Return whether a fact was said in a turn and is, or is in, some words of it, whatever of both is bold."""
    if fact.at != at or fact.name or fact.kind == PINNED:
        return False
    own, words = fact.text.replace("**", ""), words.replace("**", "")
    return own in words or words in own


def _is_offer(fact: Fact) -> bool:
    """Return whether a fact is a question of the agent to the person: whatever is said next, it is not open then."""
    return not fact.name and form("dialogue.offers").written().match(fact.text) is not None


def _unanswered(fact: Fact, turns: Sequence[Turn]) -> Fact:
    """Return an agent's question as a fact, where the person passed over it again and again: it waits no more."""
    is_agent = not fact.name and 0 <= fact.at < len(turns) and turns[fact.at].role == "assistant"
    return fact._replace(kind=FACT) if is_agent and "?" in fact.text else fact


def _unasked(fact: Fact, turns: Sequence[Turn], spoke: int) -> Fact:
    """Return a person's question as a request where the agent spoke after it: it had its answer."""
    is_person = not fact.name and 0 <= fact.at < len(turns) and turns[fact.at].role == "user"
    return fact._replace(kind=REQUEST) if fact.kind == QUESTION and is_person and fact.at < spoke else fact


def _last(turns: Sequence[Turn], role: str) -> int:
    """Return the index of the last turn in which somebody of a role said something, -1 for none."""
    for at in range(len(turns) - 1, -1, -1):
        turn = turns[at]
        if turn.role == role and any(part.kind == TEXT and part.text.strip() for part in turn.parts):
            return at
    return -1
