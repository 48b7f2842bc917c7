"""Proposals: what an agent's message puts forward, and a person may take up: options, questions, a choice, an offer.

Owns reading them in the message alone. Refuses to read the reply: that is `dialogue`'s.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import redundancy
from sleep.language import sentences, terms
from sleep.language.acts import alternatives, reasons
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import PERSON, has, without_tag
from sleep.language.acts.likelihood import features
from sleep.language.tokenizer import has_wide

if TYPE_CHECKING:
    from collections.abc import Mapping

# Takes `**Q1 — Store:** Which one?`, `2. Where?` and `Frage 3: Wo?`, leaves `2 of them fail` and `Q-learning`.
_ASKED = re.compile(r"^[\s>*_#+•·-]*(?:(?i:q|question |frage |问题) ?)?(\d{1,2})\s?(?:[).:：、]|[—–-])[*_]*\s+(?=\S)")
_TITLE = re.compile(r"^([^.:：!?？]{2,60})[:：]\s*")
_ASKS = re.compile("[?？]")
_SIGNS = " *_"
_CLOSING = " *_.!?？。"
_SUBJECT = 2  # terms of a question that is about something
_MOST = 300  # characters of a question that is told with its answer, and of options that are told with theirs
_SEVERAL = 2
_OFFERED = 3  # terms of an offer that names what it would do: `Want me to push it?` has fewer


class Asked(NamedTuple):
    """A question that has a number in its message: what is told of it before the answer, and its options by number.

    `parts` are its sentences as they stand in the message, `proposal` is the one that says what the agent would do.
    """

    words: str
    options: Mapping[int, str]
    parts: tuple[str, ...] = ()
    proposal: str = ""


def choice(text: str) -> str:
    """Return the last sentence of a text that puts a choice forward, "" where it only offers to go on."""
    proposal = ""
    for sentence in _sentences(text):
        if has(sentence, "dialogue.proposes") and not redundancy.is_offer(sentence):
            proposal = sentence
    return proposal


def offer(text: str) -> str:
    """Return the last offer of a text that names what is chosen, with what the text says before it that is right.

    `Want me to implement it with the carve-out?` names it, `Want me to push it?` does not.
    """
    spoken = _sentences(text)
    last = next((number for number in range(len(spoken) - 1, -1, -1) if sentences.asks(spoken[number])), -1)
    if last < 0 or not has(spoken[last], "dialogue.names") or has(spoken[last], "dialogue.or"):
        return ""
    before = spoken[last - 1] if last else ""
    return f"{before} {spoken[last]}" if has(before, "dialogue.right") else spoken[last]


def last(text: str) -> str:
    """Return what a text puts forward last: a choice, or a question about something; "" for none."""
    questions_ = [question for question in asked(text)[-1:] if len(terms.light(question)) >= _least(question)]
    return choice(text) or next(iter(questions_), "")


def _least(question: str) -> int:
    """Return how many terms a question has that is about something: an offer to go on has a few."""
    return _OFFERED if redundancy.asks_how_to_go_on(question) else _SEVERAL


def puts_forward(text: str) -> bool:
    """Return whether a text has a choice, options, or a choice that the agent made."""
    return bool(choice(text) or len(alternatives.of_text(text)) > 1 or has(text, "stated.decided", "stated.goes"))


def about(text: str, reply: str) -> str:
    """Return the last thing that a text says it could do of which a reply has a word, "" for none."""
    own = terms.light(reply)
    spoken = (sentence for sentence in reversed(_sentences(text)) if has(sentence, "dialogue.could"))
    return next((sentence for sentence in spoken if own & terms.light(sentence)), "")


def why(text: str, words: str) -> str:
    """Return the reason that the sentence right behind the words of a proposal gives, "" for none."""
    spoken = _sentences(text)
    behind = next((after for own, after in pairwise(spoken) if own == words), "")
    at = reasons.follows(behind) if behind and not sentences.asks(behind) else -1
    return behind[at:].strip(_CLOSING) if at >= 0 else ""


def with_stop(words: str) -> str:
    """Return words with the stop of their script behind them."""
    return f"{words}{'。' if has_wide(words) else '.'}"


def as_question(words: str) -> str:
    """Return a proposal as the question that a person's no answers: `I'd use flock?` of `I'd use flock.`."""
    return f"{words.rstrip(_CLOSING)}{'？' if has_wide(words) else '?'}"


def declare(words: str) -> str:
    """Return what a question puts forward as a person's yes makes it: `Use flock.` of `Should we use flock?`.

    Words that ask no leave, say more, or have two sides are returned as they are.
    """
    match, own = form("dialogue.asks leave").written().match(words), without_tag(words, PERSON)
    if not match or _ASKS.search(own.rstrip(_CLOSING)) or has(words, "dialogue.or"):
        return words
    bare = own[match.end() :].rstrip(_CLOSING)
    return with_stop(f"{bare[:1].upper()}{bare[1:]}")


def questions(text: str) -> list[str]:
    """Return what a text asks, without leave to go on."""
    return [sentence for sentence in asked(text) if not redundancy.is_offer(sentence)]


def with_options(question: str, text: str) -> str:
    """Return a question that asks which of the options of its text it shall be, with as many of these as fit."""
    options = alternatives.of_text(text)
    if len(options) < _SEVERAL or not has(question, "dialogue.which"):
        return question
    listed = "; ".join(f"{number}: {words}" for number, words in options.items())
    return f"{question} {listed}" if len(listed) <= _MOST else question


def asked(text: str) -> list[str]:
    """Return all that a text asks."""
    return [sentence for sentence in _sentences(text) if sentences.asks(sentence)]


def alternatives_of(text: str) -> list[str]:
    """Return the sentences of a text that set two sides against each other."""
    return [sentence for sentence in _sentences(text) if has(sentence, "dialogue.either")]


def sides(put: str, *, is_own: bool = False) -> tuple[str, list[str]]:
    """Return the last question of a text, or what it sets against each above, and its two sides, if it has them.

    An agent may only ask how to go on; whoever answers a question of their own (`is_own`) does not. A question that
    only points back (`Which one?`) has the sides of what stands before it.
    """
    question = next(iter(asked(put)[-1:]), "")
    above = "" if len(terms.light(question)) >= _SUBJECT else next(iter(alternatives_of(put)[-1:]), "")
    between = form("dialogue.or", "dialogue.in place of") if is_own else form("dialogue.or")  # `A instead of B`
    parts = [part for part in between.written().split(above or question) if terms.light(part)]
    is_offer = not above and not is_own and has(question, "signs.goes on")
    if len(parts) < _SEVERAL or is_offer:
        return question, []
    return f"{above} {question}".strip(), parts


def items(text: str) -> tuple[str, ...]:
    """Return the items of a text's last numbered list that put something forward, no fact and no one of several ways.

    Each is told with as many of its sentences as fit. There are none where one only asks.
    """
    listed = alternatives.of_text(text).values()
    is_choice = any(has(sentence, "dialogue.which", "signs.unmade") for sentence in _sentences(text))
    if is_choice or len(listed) < _SEVERAL or any(sentences.asks(item) for item in listed):
        return ()
    return tuple(beginning(item) for item in listed if _puts_forward(item))


def several(text: str, reply: str) -> tuple[str, ...]:
    """Return the options of a text that a reply takes by number, () where it does not take more than one."""
    listed, numbers = alternatives.of_text(text), alternatives.several(reply)
    options = [beginning(listed[number]).rstrip(".: ") for number in numbers if number in listed]
    return () if len(options) < len(numbers) or any(map(sentences.asks, options)) else tuple(options)


def _puts_forward(item: str) -> bool:
    """True for an item that says what shall be: it bids, or says what should be or would be right."""
    words = (_bare(item[start:end]) for start, end in sentences.spans(item))
    return any(has(each, "dialogue.puts forward") or "imperative" in features.hints(each) for each in words)


def beginning(text: str, most: int = _MOST) -> str:
    """Return the first sentences of a text that have so many characters at most, one in any case."""
    ends = [end for _, end in sentences.spans(text)]
    return text[: max((end for end in ends if end <= most), default=next(iter(ends), 0))]


def beside(put: str) -> tuple[str, ...]:
    """Return what a message asks last and lists of options, where it lists any."""
    options = alternatives.of_text(put)
    return (*options.values(), *questions(put)[-1:]) if len(options) > 1 else ()


def ends_in_question(text: str) -> bool:
    """True where the last that a text says is a question, and none whether a choice of its own is right."""
    asked = questions(text)
    if not asked or not text.rstrip(_CLOSING).endswith(asked[-1].rstrip(_CLOSING)):
        return False
    return not has(asked[-1], "dialogue.proposes") and len(terms.terms(asked[-1])) >= _SUBJECT


def poses(text: str) -> list[str]:
    """Return the questions of a text that ask what shall be: `Should we ...?`, `how about we ...?`."""
    return [asks for asks in asked(text) if has(asks, "dialogue.poses", "dialogue.proposes")]


def figure(text: str) -> str:
    """Return the last question of a text where it asks for a figure that shall be, "" for others (`Which PR?`)."""
    question = last(text)
    return question if has(question, "dialogue.how much") else ""


def numbered(text: str) -> dict[int, Asked]:
    """Return the questions of a text that have numbers, each with its options."""
    blocks: dict[int, list[str]] = {}
    number = 0
    for line in text.split("\n"):
        if match := _ASKED.match(line):
            number = int(match[1])
            blocks[number] = [line[match.end() :]]
        elif number and (line.strip() or not blocks[number][-1].strip()):
            is_apart = not blocks[number][-1].strip() and not alternatives.is_option(line)
            number = 0 if is_apart else number  # behind an empty line only options go on
            if number:
                blocks[number].append(line)
        elif number:
            blocks[number].append("")
    read = {number: _asked(lines) for number, lines in blocks.items()}
    return {number: question for number, question in read.items() if question.words}


def _asked(lines: list[str]) -> Asked:
    """Return the question of a block; without words where it asks nothing."""
    listed = alternatives.of_text("\n".join(lines[1:]))
    words = " ".join(_bare(line) for line in lines if not alternatives.is_option(line) and line.strip())
    title = _TITLE.match(words)
    spoken = sentences.split(words[title.end() :] if title else words)
    leads = [sentence for sentence in spoken if sentence.endswith((":", "："))]
    asks = [sentence for sentence in spoken if sentences.asks(sentence) or sentence.endswith(("?)", "？）"))]
    question = _headed(title[0].strip() if title else "", asks, leads, is_choice=len(listed) > 1)
    return Asked(question if len(question) <= _MOST else "", listed, (*asks, *leads), choice(words))


def _headed(title: str, asks: list[str], leads: list[str], *, is_choice: bool) -> str:
    """Return a question behind its title; of what only lists options the title, or what leads to them."""
    if asks:
        return f"{title} {asks[0]}".strip()
    return (title or next(iter(leads), "")) if is_choice else ""


def _bare(line: str) -> str:
    return line.replace("**", "").strip(_SIGNS)


def shares(text: str, other: str, least: int) -> bool:
    """True if a text takes up so many terms of another, and half of them where more are asked for."""
    wanted = terms.light(text)
    both = wanted & terms.light(other)
    return len(both) >= least and (least == 1 or len(both) >= len(wanted) / 2)


def _sentences(text: str) -> list[str]:
    rows = [row.strip("-*+> \t") for row in text.split("\n")]
    return [row[start:end] for row in rows for start, end in sentences.spans(row)]
