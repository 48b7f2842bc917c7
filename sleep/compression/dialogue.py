"""Dialogue: what a turn makes of the one before it: a proposal chosen or refused, a question answered, a task done.

Owns reading a person's reply to what an agent put forward, and telling what later turns settle. A choice is the words
of the proposal with the person's yes. Refuses what only leaves to go on (`Want me to run the tests?`): a yes to it
decides nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import proposals, redundancy
from sleep.language import sentences, terms
from sleep.language.acts import alternatives, reasons, reply_parts, task_ends
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.acts.likelihood import features
from sleep.language.tokenizer import has_wide
from sleep.language.words import terms as search_terms
from sleep.transcripts.events import UTTERANCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.transcripts.events import Event

_REPLIES = ("prompt", "answer")
_LONG = 200  # characters of a reply that takes up what was said; a longer one speaks for itself
_SIGNS = " *_.,;:!—–-，。；！"
_SUBJECT = 2  # terms of a question that is about something
_ANSWER = 400  # characters of an answer that are told with its question, whole sentences
_REMARK = re.compile(r" \((?:[Rr]ecommended|[Ee]mpfohlen|推荐)\)$")  # the client's options have it behind them
_BARE, _BARE_WIDE = 24, 8  # characters of a reply that says nothing but what it takes
_SEVERAL = 2  # questions with numbers, sides of a question
_OFFERED = 4  # terms of an offer that names what is put off: `Want me to push it?` has two
_LETTER = re.compile(r"(?:(?i:option) )?\(?([A-Da-d])\)?")
_PART = re.compile(r"[,;，；:：(]| [—–-] ")
_LATER = 3  # messages of a person's in which an answer may come late
_HEAD = 3  # last words of the first side of a question, which name it: before them stands what both are about
_SHORT = 12  # words of a yes to a proposal, at most


class Choice(NamedTuple):
    """What a person chose: the words, which message it answers, by which message and words, and what it refuses.

    `answer` are the words of the reply. `is_proposed` is true where the choice has the proposal's words, `vetoes` where
    what the agent chose does not hold. `settled` are other words of the proposal that the reply settles: the question,
    the options that were not taken; `is_whole` is true where the reply says nothing besides. `why` is the reason that
    the reply gives.
    """

    text: str
    proposal: int
    reply: int
    answer: str
    is_proposed: bool = True
    vetoes: bool = False
    settled: tuple[str, ...] = ()
    is_whole: bool = False
    why: str = ""


def choices(turns: Sequence[Event]) -> Iterator[Choice]:
    """Yield what persons chose of what an agent put forward right before, or instead of it."""
    for number, turn in enumerate(turns):
        if turn.asked and (words := _decision(turn.asked, turn.text)):
            ask = (before for before in range(number - 1, -1, -1) if turns[before].kind == "ask")
            yield Choice(words, next(ask, number), number, turn.text, is_whole=True)
    for proposal, reply in _exchanges(turns):
        yield from _decided(turns, proposal, reply)


def _decided(turns: Sequence[Event], proposal: int, reply: int) -> Iterator[Choice]:
    """Yield what a reply decides of the message before it."""
    put, answer = turns[proposal].text, reply_parts.final(turns[reply].text)
    if listed := _numbered(put, answer) or _agreed(put, answer):
        yield from (choice._replace(proposal=proposal, reply=reply) for choice in listed)
        return
    is_short = len(answer) <= _LONG and not sentences.asks(answer)
    choice = _choice(put, answer) if is_short else None
    if choice and choice.text:
        yield _with_reason(choice, put)._replace(proposal=proposal, reply=reply)
    elif late := _late(turns, proposal, reply) or _of_own_question(turns, proposal, reply):
        yield late
    elif choice:
        yield choice._replace(proposal=proposal, reply=reply)


def _agreed(put: str, answer: str) -> list[Choice]:
    """Return the items of a message's list where a reply agrees to all of them, or takes several by number."""
    if options := proposals.several(put, answer):
        words = proposals.with_stop(f"{answer.strip(' .!')}: {'; '.join(options)}")
        return [Choice(words, 0, 0, answer, settled=options, is_whole=True)]
    items = proposals.items(put) if reply_parts.agrees_to_all(answer) else ()
    agreed = (_with_reason(Choice(item, 0, 0, answer, settled=(item,)), put) for item in items)
    return [choice._replace(is_whole=len(sentences.split(answer)) == 1) for choice in agreed]


def _choice(put: str, answer: str) -> Choice | None:
    """Return what a short reply chooses of a message, or instead of it; None for nothing."""
    if chosen := _chosen(put, answer):
        beside = proposals.beside(put)
        is_whole = bool(beside) and len(answer) <= (_BARE_WIDE if has_wide(answer) else _BARE)
        return Choice(chosen, 0, 0, answer, settled=beside, is_whole=is_whole)
    if own := _own_answer(put, answer) or _either(put, answer) or _put_off(put, answer):
        return Choice(own, 0, 0, answer, settled=tuple(each for each in proposals.alternatives_of(put) if each in own))
    return _refusal(put, answer)


def _with_reason(choice: Choice, put: str) -> Choice:
    """Return a choice with its reason apart: the reply's, else that of its own words or of the sentence behind them.

    A reason with the reply behind it stays where it is, else a no would be told as the end of a reason.
    """
    own, text = reasons.split(choice.text), choice.text
    stated = text[own.why_start : own.why_end].strip(_SIGNS + "?？") if own else ""
    if own and any(stated in " ".join(words.replace("**", "").split()) for words in (put, choice.answer)):
        text = proposals.with_stop(text[own.start : own.end].strip(_SIGNS))
        return choice._replace(text=text, why=choice.why or stated)
    own_why = choice.why or reply_parts.why(choice.answer, choice.text)
    why = own_why or proposals.why(put, choice.text)
    words = text.rstrip(_SIGNS).removesuffix(why).rstrip(_SIGNS)
    is_bare = len(choice.answer) - len(own_why) <= (_BARE_WIDE if has_wide(choice.answer) else _BARE)
    is_told = bool(why and words) and words != text.rstrip(_SIGNS)
    return choice._replace(
        text=proposals.with_stop(words) if is_told else text,
        why=why if words else "",
        is_whole=choice.is_whole or (bool(own_why) and is_bare),
    )


def _refusal(put: str, answer: str) -> Choice | None:
    """Return a reply that refuses what a message puts forward, with why or what it says instead, where it says so.

    A no to a question refuses nothing, unless it says why, or instead what becomes of something that it names.
    """
    if not form("dialogue.no").written().match(answer) or not reply_parts.refuses(answer, put):
        return None
    own, is_question = reply_parts.instead(answer), proposals.ends_in_question(put)
    words = "" if own else proposals.last(put)
    if words and (no := reply_parts.rejection(answer, is_question=sentences.asks(words))):
        return Choice(_answered(proposals.as_question(words), no), 0, 0, answer, vetoes=True, settled=(words,))
    is_about = not set(search_terms(own)).isdisjoint(search_terms(put))
    if is_question and (not is_about or redundancy.asks_how_to_go_on(proposals.asked(put)[-1])):
        return None
    is_announced = is_about and has(put, "stated.promises", "dialogue.designs")
    is_instead = is_question or is_announced or proposals.puts_forward(put)
    return Choice(own if is_instead else "", 0, 0, answer, is_proposed=False, vetoes=True)


def is_settled(turns: Sequence[Event], number: int, kind: str, text: str) -> bool:
    """Return whether later turns settle what a message asks or leaves to do."""
    if kind == "question":
        return is_answered(turns, number, text)
    if kind != "task" or turns[number].kind == "task":
        return False
    return any(ends(turns, number, text) for ends in (is_done, redundancy.is_denied, _is_taken_up))


def is_recap(turns: Sequence[Event], number: int) -> bool:
    """Return whether a message of the agent's answers a person who asks what was decided: it tells, and decides not."""
    if turns[number].role != "agent":
        return False
    asked = next((turn for turn in reversed(turns[:number]) if turn.role == "person" and turn.kind in UTTERANCES), None)
    return asked is not None and len(asked.text) <= _LONG and has(asked.text, "dialogue.recalls")


def is_answered(turns: Sequence[Event], number: int, question: str) -> bool:
    """Return whether the turn after a message answers its question: takes it up, chooses, says yes or no."""
    asks_person = turns[number].role == "agent"
    after = _reply(turns, number, question)
    if after is None or _postpones(after.text, question):
        return False
    if not asks_person:  # an agent answers what it is asked, in whatever words, or asks back in one sentence
        return len(sentences.split(after.text)) > 1 or not sentences.asks(after.text.strip())
    if turns[number].kind == "ask":
        return True
    reply = after.text.strip()
    if listed := _numbered(turns[number].text, reply):
        return any(words in question or question in words for choice in listed for words in choice.settled)
    return not sentences.asks(reply) and _takes_up(turns[number].text, question, reply)


def _reply(turns: Sequence[Event], number: int, question: str) -> Event | None:
    """Return what the other side said next; of questions that a tool asked, each has an answer of its own."""
    later = turns[number + 1 :]
    after = next((turn for turn in later if turn.role != turns[number].role and turn.kind in UTTERANCES), None)
    return next((turn for turn in later if question in turn.asked), after) if turns[number].kind == "ask" else after


def _takes_up(put: str, question: str, reply: str) -> bool:
    """Return whether a reply answers this question of a message: by its words, a yes, a no, or what takes it up."""
    if proposals.shares(question, reply, 1) or len(terms.light(question)) < _SUBJECT:
        return True
    if any(proposals.shares(asked, reply, 1) for asked in proposals.questions(put) if asked not in question):
        return False
    takes = form("dialogue.yes", "dialogue.no", "dialogue.takes it").written().match(reply)
    return bool(takes or alternatives.number_of(reply))


def _postpones(reply: str, question: str) -> bool:
    """True if a reply puts an answer off: a short one anyhow, of a long one a sentence that speaks of the question."""
    if len(reply) <= _LONG:
        return has(reply, "dialogue.postpones")
    return any(proposals.shares(question, own, 1) for own in sentences.split(reply) if has(own, "dialogue.postpones"))


def _is_taken_up(turns: Sequence[Event], number: int, task: str) -> bool:
    """Return whether a person asked for a task later in a few words, and the agent went on from there."""
    for later in range(number + 1, len(turns) - 1):
        turn = turns[later]
        if turn.role == "person" and turn.kind in _REPLIES and len(turn.text) <= _LONG and _asks_for(turn.text, task):
            return any(after.role == "agent" and after.kind in UTTERANCES for after in turns[later + 1 :])
    return False


def _asks_for(words: str, task: str) -> bool:
    """True for a request most of whose terms a task has."""
    if not features.hints(words) & {"imperative", "asks for"} or has(words, "dialogue.postpones"):
        return False
    return proposals.shares(words, task, 2)


def is_done(turns: Sequence[Event], number: int, task: str) -> bool:
    """Return whether a later message of the agent's says that a task was done, or that it is so now."""
    for turn in turns[number + 1 :]:
        if turn.role == "agent" and turn.kind in ("text", "commit"):
            rows = (row for row in re.split(r"\n+", turn.text) if proposals.shares(task, row, 2))
            if any(task_ends.reports(row) or task_ends.holds(row, task) for row in rows):
                return True
    return False


def _exchanges(turns: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Yield (message of the agent's, reply of the person's) that follow each other."""
    last = -1
    for number, turn in enumerate(turns):
        if turn.role == "agent" and turn.kind == "text":
            last = number
        elif turn.role == "person" and turn.kind in _REPLIES and not turn.asked:
            if last >= 0:
                yield last, number
            last = -1


def _decision(question: str, answer: str) -> str:
    """Return a question and what a person answered to it, "" where that chooses nothing."""
    words = _REMARK.sub("", proposals.beginning(" ".join(answer.split()), _ANSWER)).strip(_SIGNS)
    if not words or len(words) > _ANSWER or sentences.asks(words):
        return ""
    verdict = words if len(words) <= _LONG else proposals.beginning(words, _LONG)
    if has(verdict, "dialogue.postpones", "dialogue.defers", "dialogue.leaves open"):
        return ""
    return "" if redundancy.asks_how_to_go_on(question) else _answered(" ".join(question.split()), words)


def _answered(question: str, answer: str) -> str:
    """Return a question with what a person says to it."""
    return proposals.with_stop(f"{question} {answer.strip(_SIGNS)}")


def _numbered(put: str, answer: str) -> list[Choice]:
    """Return what a reply decides by the numbers of the questions that it answers: `A1 - SQLite`, `1. a`, `1a, 2b`."""
    questions, answers = proposals.numbered(put), reply_parts.numbered(answer)
    if len(questions) < _SEVERAL:
        return []
    listed = []
    for number, own in answers:
        question = questions.get(number)
        if question is None:
            return []
        letter = _LETTER.fullmatch(own.strip(_SIGNS))
        option = question.options.get(alternatives.number_of_sign(letter[1]), "") if letter else ""
        is_left = has(own, "dialogue.defers")  # the choice is the agent's own
        if words := question.proposal if is_left else _decision(question.words, (option or own).rstrip("?？")):
            listed.append(Choice(words, 0, 0, own, settled=(*question.parts, *question.options.values())))
    return [choice._replace(is_whole=len(listed) == len(answers)) for choice in listed]


def _either(put: str, answer: str, *, is_own: bool = False) -> str:
    """Return the last question of a text that names two sides, and the side that a reply names; "" for any other.

    Where nothing is asked, two sides that the text sets against each other (`Either A or B would do.`).
    """
    question, sides = proposals.sides(put, is_own=is_own)
    pick = reply_parts.find_pick(answer, sides, is_free=sentences.asks(question))
    return _answered(question, pick) if pick else ""


def _late(turns: Sequence[Event], proposal: int, reply: int) -> Choice | None:
    """Return what a person answers some messages later to a question of two sides: its subject, and one of them."""
    question, sides = proposals.sides(turns[proposal].text)
    if not sides:
        return None
    first, *others = (terms.light(" ".join(side.split()[-_HEAD:]) if not at else side) for at, side in enumerate(sides))
    subject = terms.light(question).difference(first, *others)
    prompts = [number for number in range(reply + 1, len(turns)) if turns[number].kind == "prompt"]
    for number in prompts[:_LATER]:
        for sentence in sentences.typed(turns[number].text):
            words = terms.light(sentence)
            is_short = len(sentence.split()) <= _SHORT and not sentences.asks(sentence)
            if is_short and words & subject and sum(not words.isdisjoint(side) for side in (first, *others)) == 1:
                return Choice(_answered(question, sentence), proposal, number, sentence, settled=(question,))
    return None


def _of_own_question(turns: Sequence[Event], proposal: int, reply: int) -> Choice | None:
    """Return what a person decides of a question of their own, of which an agent told both sides or handed it back.

    `Should I use A or B?`, `B is slower.`, `A then`; `Should we support A?`, `It costs two days. And you?`, `drop it`.
    """
    asked = next(iter(proposals.asked(turns[proposal].text)[-1:]), "")
    before, answer = _person_before(turns, proposal), reply_parts.final(turns[reply].text)
    own = "\n".join(sentences.typed(turns[before].text)) if before >= 0 else ""
    question = next(iter(proposals.poses(own)[-1:]), "")
    if not question or max(len(own), len(answer)) > _LONG:
        return None
    words = _verdict(question, answer) if asked and len(terms.light(asked)) < _SUBJECT else ""
    if not words and not sentences.asks(answer) and not has(answer, "dialogue.postpones"):
        words = _either(own, answer, is_own=True)
    return _with_reason(Choice(words, before, reply, answer, settled=(question,)), own) if words else None


def _verdict(question: str, answer: str) -> str:
    """Return a question with what a person answers to it themselves, "" where that decides nothing."""
    if sentences.asks(answer) or has(answer, "dialogue.postpones", "dialogue.but"):
        return ""
    if form("dialogue.yes").written().match(answer):
        return question
    first = reply_parts.bare(answer).split("\n")[0].strip(_SIGNS)
    is_order = form("dialogue.instead", "dialogue.orders").written().match(first)
    words = reply_parts.rejection(answer, is_question=True) or (first if is_order else "")
    return _answered(question, words) if words else ""


def withdrawn(turns: Sequence[Event]) -> frozenset[int]:
    """Return the messages of persons who took back what they chose there, when the agent asked about it."""
    messages = set()
    for proposal, reply in _exchanges(turns):
        if proposals.asked(turns[proposal].text) and form("dialogue.takes back").written().match(turns[reply].text):
            messages.add(_person_before(turns, proposal))
    return frozenset(messages)


def _person_before(turns: Sequence[Event], number: int) -> int:
    """Return the number of the last message of a person's before one, -1 for none."""
    return next((before for before in range(number - 1, -1, -1) if turns[before].role == "person"), -1)


def _put_off(put: str, answer: str) -> str:
    """Return the last offer of a text and the words that leave it for later, "" for one that is about nothing.

    What was proposed otherwise is put off by words that say what it is not for (`not in this PR`).
    """
    question = next(iter(proposals.asked(put)[-1:]), "")
    is_offer = redundancy.asks_how_to_go_on(question) and len(terms.light(question)) >= _OFFERED
    if len(reply_parts.bare(answer).split()) > _SHORT:
        return ""
    words = question if is_offer and has(answer, "dialogue.holds off") else ""
    if not words and has(answer, "dialogue.not here"):
        words = proposals.last(put) or proposals.about(put, reply_parts.bare(answer))
    return _answered(words, answer) if words else ""


def _chosen(proposal: str, answer: str) -> str:
    """Return the words of the proposal that a reply chooses, "" for none."""
    options = alternatives.of_text(proposal)
    number = alternatives.number_of(answer) or alternatives.number_of(reply_parts.bare(answer))
    if number and len(options) > 1:
        return options.get(number, "")
    if number or len(reply_parts.bare(answer).split()) > _SHORT or has(answer, "dialogue.but", "dialogue.postpones"):
        return ""
    if len(options) > 1:
        named = [option for option in options.values() if reply_parts.names(option, answer)]
        return named[0] if len(named) == 1 and proposals.asked(proposal) else ""
    if not form("dialogue.yes").written().match(answer) or _either(proposal, answer):
        return ""
    return proposals.choice(proposal) or proposals.offer(proposal)


def _own_answer(put: str, answer: str) -> str:
    """Return a question and what a reply decides of it in its own words: `Should it be capped? Yes, cap it at five.`.

    "" where the question asks for no choice, or the reply only says yes or no, or does not take it up.
    """
    match = form("dialogue.yes", "dialogue.no").written().match(answer)
    rest = answer[match.end() if match else 0 :].strip(_SIGNS)
    first = sentences.first_typed(rest).strip(_SIGNS)
    if not match:
        figure = proposals.figure(put) if first[:1].isdigit() and len(first.split()) <= _SHORT else ""
        return _answered(figure, first) if figure else ""
    if not first or has(rest, "dialogue.but"):
        return ""
    verb = terms.light(first.split()[0])
    asked = [question for question in proposals.questions(put) if has(question, "dialogue.poses")]
    question = next((question for question in asked if verb & terms.light(question)), "")
    return _answered(question, answer[: answer.index(first) + len(first)]) if question else ""
