"""What people asked in a conversation: the first request, the latest, and those between.

Owns what an earlier summary already told of them, and whose words a user's message holds: what a client puts in is
nobody's, and a summary that the client had a model write is the agent's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import TEXT, Part
from sleep.conversation.summary import sieve, summary_text
from sleep.conversation.summary.compatible import HEADER
from sleep.conversation.summary.fact import PART, PINNED, REQUEST, Fact
from sleep.transcripts import boilerplate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

# A message that is one element of a client: `<turn_aborted>...</turn_aborted>`; tags of HTML are people's.
_ELEMENT = re.compile(r"\s*<((?:[a-z]+_)+[a-z]+|skill)\b[^<>]{0,200}>")
_RULES = re.compile(r"\s*# AGENTS\.md instructions[^\n]{0,400}\n\s*<INSTRUCTIONS>")
# Without one of these no text holds what `boilerplate` takes out.
_SIGNS = (
    "<", "[Request", "[Image", "Queued", "Caveat: ", "exiting plan mode", "ontinue the conversation", "Resume dir",
    "Base directory for this skill",
)  # fmt: skip
_CONTINUED = (
    "This session is being continued from a previous conversation", "Another language model started to solve",
    "The conversation history before this point was compacted",
)  # fmt: skip


_BEGINS = (*_CONTINUED, "# AGENTS.md instructions")
_QUOTES = ('"', "“", "”")
# The parts of a summary that a client had a model write: its draft, the summary, and what people said, quoted.
_DRAFT, _AFTER_DRAFT = re.compile(r"\s*\**Analysis:?\**:?\s*\n"), re.compile(r"(?m)^\**Summary:?\**:?[ \t]*$")
_QUOTED_PART = re.compile(r"(?m)^[ \t]*(?:#+ |\d{1,2}\. )?\**All user messages:?\**:?[ \t]*$")
_QUOTED_END = re.compile(r"(?m)^(?:#+ |\d{1,2}\. |\*\*)\S")
_QUOTED_ITEM = re.compile(r"(?m)^[ \t]*[-*•] +")
_WORTH = 2.0  # of a request that a client's summary quotes
_LEAST = 10  # characters of a quotation that is known by its words
_ANY = tuple(sign.lower() for sign in (*_SIGNS, *_BEGINS, HEADER))


def may_be_mixed(words: bytes) -> bool:
    """Return whether a client may have put something into texts of which this has each word, in small letters."""
    return any(sieve.known((sign,), words) for sign in _ANY)


class Known(NamedTuple):
    """What is known of the requests in what is removed, and from an earlier summary.

    `first` and `latest` stand word for word, `latest` is "" where the latest request is among what stays; `past` are
    those that were the latest before. `old` are the facts of the earlier summary, `state` the lines of its state,
    `number` how many messages of people it stood for.
    """

    first: str
    latest: str
    old: list[tuple[str, str]]
    past: list[str]
    state: tuple[str, ...]
    number: int


def known(removed: Sequence[Turn], asked: Sequence[str], stays: Iterable[str]) -> Known:
    """Return what is known of the requests.

    `asked` are the requests in the removed turns, "" where there is none, and `stays` those in the turns that stay.
    """
    first = latest = ""
    old: list[tuple[str, str]] = []
    past: list[str] = []
    state: tuple[str, ...] = ()
    number, had_summary = 0, False
    for text in filter(None, map(summary_of, removed)):
        before = summary_text.read(text)
        had_summary = True
        first = first or before.first
        old += before.facts
        state, number = before.state or state, max(number, before.people)
        if before.latest:
            past.append(before.latest)
    requests = list(filter(None, asked))
    if not first and not had_summary and requests:
        first = requests[0]
    if not any(stays):  # else the latest request stays anyway
        if requests:
            latest = requests[-1] if requests[-1] != first else ""
        elif past:
            latest = past.pop()
    return Known(first, latest, old, past, state, number)


def summary_of(turn: Turn) -> str:
    """Return the text of the summary that a user's turn carries, "" for none."""
    if turn.role == "user":
        for kind, text, _ in turn.parts:
            if kind == TEXT and summary_text.is_summary(text):
                return text
    return ""


def spoken(turn: Turn) -> Turn:
    """Return a user's turn without a summary and without what a client put in; another as it is.

    A summary that a client had a model write is the agent's.
    """
    if turn.role != "user" or not any(_is_mixed(part.text) for part in turn.parts if part.kind == TEXT):
        return turn
    if any(part.text.startswith(_CONTINUED) for part in turn.parts):
        turn = turn._replace(role="assistant")
    parts = [_own(part) for part in turn.parts if not (part.kind == TEXT and summary_text.is_summary(part.text))]
    parts = [*_arguments(turn, parts), *parts]
    return turn._replace(parts=tuple(part for part in parts if part.kind != TEXT or part.text))


def _arguments(turn: Turn, parts: Sequence[Part]) -> Iterator[Part]:
    """Yield what a person gave to commands in a turn, once: the text of a command's skill has it again."""
    there = "\n".join(part.text for part in parts if part.kind == TEXT)
    has_skill = any(boilerplate.is_skill(part.text) for part in turn.parts if part.kind == TEXT)
    for part in turn.parts:
        words = boilerplate.arguments(part.text) if part.kind == TEXT else ""
        if not words and has_skill and part.kind == TEXT:
            words = boilerplate.command(part.text)  # given nothing: it is all that was asked
        if words and words not in there:
            yield Part(TEXT, words)
            there += f"\n{words}"


def request_of(turn: Turn) -> str:
    """Return what a person asked in a turn as it was spoken, "" where none did."""
    if turn.role != "user":
        return ""
    return "\n".join([text for part in turn.parts if part.kind == TEXT and (text := part.text.strip())])


def without_quotations(facts: Iterable[Fact], turns: Sequence[Turn], asked: Iterable[str]) -> list[Fact]:
    """Return facts without those in which an agent only quotes what a person asked: the request is told itself."""
    facts = list(facts)
    quoted = {fact.text: words for fact in facts if not fact.name and (words := _quotation(fact.text))}
    if not quoted:
        return facts
    there = "\n".join(" ".join(text.split()) for text in asked)
    past = {text for text, words in quoted.items() if words in there}
    return [fact for fact in facts if not (fact.text in past and _is_quoted(fact, turns))]


def quoted_requests(turns: Sequence[Turn], asked: Iterable[str]) -> Iterator[Fact]:
    """Yield what people said by a summary that a client had a model write, where it is not among what they asked."""
    there = ""
    for at, turn in enumerate(turns):
        for number, part in enumerate(turn.parts if turn.role == "user" else ()):
            if part.kind == TEXT and part.text.startswith(_CONTINUED):
                there = there or "\n".join(" ".join(text.split()) for text in asked)
                requests = [" ".join(text.split()) for text in _QUOTED_ITEM.split(_parted(part.text)[1])]
                for place, text in enumerate(dict.fromkeys(requests)):
                    words = text.strip("".join(_QUOTES)).rstrip("….")
                    if text and words not in there:
                        yield Fact(REQUEST, text, _WORTH, at, (number << PART) + place)


def _parted(text: str) -> tuple[str, str]:
    """Return what a summary of a client says, without its draft, and the part in which it quotes people."""
    text = boilerplate.summary(text)
    if _DRAFT.match(text) and (after := _AFTER_DRAFT.search(text)):
        text = text[after.end() :]
    title = _QUOTED_PART.search(text)
    if title is None:
        return text, ""
    end = _QUOTED_END.search(text, title.end())
    stop = end.start() if end else len(text)
    return f"{text[: title.start()]}{text[stop:]}", text[title.end() : stop]


def _is_quoted(fact: Fact, turns: Sequence[Turn]) -> bool:
    """Return whether an agent said what is told here, and nobody pinned it."""
    return fact.kind != PINNED and 0 <= fact.at < len(turns) and turns[fact.at].role == "assistant"


def _quotation(text: str) -> str:
    """Return the words of a text that is nothing but a quotation, or a sentence of one; "" for none."""
    bare = text.strip()
    if not (bare.startswith(_QUOTES) or bare.endswith(_QUOTES)):
        return ""
    words = " ".join(bare.strip("".join(_QUOTES)).rstrip("….").split())
    return words if len(words) >= _LEAST and not any(sign in words for sign in _QUOTES) else ""


def _is_mixed(text: str) -> bool:
    if text.startswith(_BEGINS) or summary_text.is_summary(text):
        return True
    for sign in _SIGNS:  # noqa: SIM110  # asked of every message
        if sign in text:
            return True
    return False


def _own(part: Part) -> Part:
    """Return a part without what a client put in."""
    if part.kind != TEXT:
        return part
    if part.text.startswith(_CONTINUED):
        return part._replace(text=_parted(part.text)[0])
    text = boilerplate.strip(part.text)
    return part._replace(text="" if _is_put_in(text) else text)


def _is_put_in(text: str) -> bool:
    """Return whether all of a text is a client's: one element of its own, or the project's instructions."""
    if element := _ELEMENT.match(text):
        return text.rstrip().endswith(f"</{element[1]}>")
    return _RULES.match(text) is not None and text.rstrip().endswith("</INSTRUCTIONS>")
