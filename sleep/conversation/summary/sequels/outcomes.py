"""What came of each request: the words in which the agent reported it, right before the person spoke again.

Owns finding them and how much of them is told. Refuses to judge whether a report is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.conversation.messages.shapes import TEXT
from sleep.conversation.summary import agent_speech, source_text
from sleep.conversation.summary.fact import HIGH, JOINT, PART, REPORT, Fact, bare, clipped
from sleep.documents.markdown import tables
from sleep.language import sentences, tokenizer
from sleep.language.acts.forms import form
from sleep.transcripts import boilerplate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

_ENOUGH, _MOST = 100, 260  # characters after which no sentence more is told, and of all
_REST = 800  # characters of what the report says besides, which is told where there is room
_LOOK = 480  # characters of a line that are read
_LINES = 24  # lines of a report that are looked at
_SHORT = 100  # characters of a sentence that only says that work goes on or went well, or agrees
_ITEM = 45  # characters from which on an item that leads to code says something itself
_SHOWN = "```"  # how code begins
_WORTH, _REST_WORTH = 2.5, 1.0
_KEYWORD = 2.5  # worth from which on a fact has one
_WORDS, _BROAD = 2, 6  # of a request that is more than a nod: words, or signs of a script without spaces


def add(facts: Sequence[Fact], turns: Sequence[Turn], asked: Sequence[str], *, is_over: bool) -> list[Fact]:
    """Return facts with a report for each request that has one; what a report says is not told twice.

    `asked` are the requests by turn; `is_over` says that a person speaks right behind these turns.
    """
    spoken: dict[int, list[Fact]] = {at: [] for at in _closing(turns, asked, is_over=is_over)}
    for fact in facts:
        if fact.at in spoken and not fact.name:
            spoken[fact.at].append(fact)
    reports = [report for at, known in spoken.items() for report in _reports(turns[at], at, known)]
    texts = {report.at: report.text for report in reversed(reports)}
    rest = [
        fact for fact in facts if fact.at not in texts or fact.name or _stands(fact) or fact.text not in texts[fact.at]
    ]
    return [*rest, *reports]


def _stands(fact: Fact) -> bool:
    """Return whether a fact is told by itself, also where a report has it: what binds, is open, or has a keyword."""
    return fact.kind in HIGH or fact.worth >= _KEYWORD


def _closing(turns: Sequence[Turn], asked: Sequence[str], *, is_over: bool) -> Iterator[int]:
    """Yield the indexes of the agent's last words before a person speaks, where more was asked than a nod."""
    last, request = -1, ""
    for at, turn in enumerate(turns):
        if asked[at]:
            if last >= 0 and _is_request(request):
                yield last
            last, request = -1, asked[at]
        elif turn.role == "assistant":
            for part in turn.parts:
                if part.kind == TEXT and part.text.strip() != boilerplate.NO_RESPONSE:
                    last = at
    if is_over and last >= 0 and _is_request(request):
        yield last


def _is_request(text: str) -> bool:
    return len(text.split(None, _WORDS)) > _WORDS or tokenizer.count_broad(text) >= _BROAD


def _reports(turn: Turn, at: int, known: Sequence[Fact]) -> Iterator[Fact]:
    """Yield what a closing message says first, without what is known, and apart what it says behind that."""
    number, text = next((number, part.text) for number, part in enumerate(turn.parts) if part.kind == TEXT)
    standing, others = [fact.text for fact in known if _stands(fact)], [fact.text for fact in known]
    words: list[str] = []
    rest: list[str] = []
    for sentence in _sentences(text):
        own = rest if rest or _is_full(words, sentence) else words
        if not _is_known(sentence, others if own is rest else standing):
            own.append(sentence)
        if sum(map(len, rest)) > _REST:
            rest.pop()
            break
    for place, (line, worth) in enumerate(((clipped(_line(words), _MOST), _WORTH), (_line(rest), _REST_WORTH))):
        if line:
            yield Fact(REPORT, line, worth, at, (number << PART) + place)


def _is_full(words: Sequence[str], sentence: str) -> bool:
    """Return whether what is said first has no room for a sentence: items of its list go on as far as they fit."""
    size = sum(map(len, words))
    return size >= _ENOUGH and not (sentence.startswith(JOINT) and size + len(sentence) <= _MOST)


def _is_known(sentence: str, texts: Sequence[str]) -> bool:
    return any(sentence.removeprefix(JOINT) in text or text in sentence for text in texts)


def _line(words: Sequence[str]) -> str:
    """Return sentences and items on one line; what follows an item without a stop stands apart from it."""
    line = ""
    for sentence in words:
        is_apart = sentence.startswith(JOINT) or line[-1:].isalnum()
        line += (JOINT if is_apart else " ") + sentence.removeprefix(JOINT)
    return line.strip(" ·:：")


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a report that say something: no headings, code or announcements.

    What leads to code, and what goes on behind it, say nothing without it.
    """
    for line, before, after in _lines(text):
        is_item = not line[0].isalpha() and len(line) > _ITEM
        if line.rstrip().endswith((":", "：")) and after.startswith(_SHOWN) and not is_item:
            continue
        mark = "" if line[0].isalpha() else JOINT  # of an item, before its first sentence
        words = bare(line)[:_LOOK]
        goes_on = line[0].islower() and before.startswith(_SHOWN)
        spans = [(0, len(words))] if " | " in words else sentences.spans(words)  # a row of a table is told whole
        if len(words) == _LOOK and len(spans) > 1:  # the last of them was cut
            spans = spans[:-1]
        for start, stop in spans[goes_on:]:
            if not _is_empty(sentence := words[start:stop]):
                yield mark + sentence
                mark = ""


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the lines of a report that speak, each with the one before and the one behind it, whatever they are."""
    lines = list(_as_items([line for line in text.split("\n") if line.strip()][:_LINES]))
    starts = [line.lstrip() for line in ("", *lines, "")]
    is_code = False
    for number, line in enumerate(lines, 1):
        if starts[number].startswith("```"):
            is_code = not is_code
        elif not is_code and not _is_form(line):
            yield line, starts[number - 1], starts[number + 1]


def _as_items(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with each row of a table as an item of a list, without the row that names its columns."""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if not line.lstrip().startswith("|"):
            yield line
        elif not tables.is_delimiter(after) and not tables.is_delimiter(line):
            yield f"- {line.strip(' |')}"


def _is_empty(sentence: str) -> bool:
    """Return whether a sentence reports nothing: `Excellent!`, `Now let me see.`; a plain no does."""
    if " " not in sentence.strip() and tokenizer.count_broad(sentence) < _BROAD:
        return form("dialogue.no").written().match(sentence) is None
    is_short = len(sentence) <= _SHORT
    return agent_speech.narrates(sentence) or (is_short and form("reports.stage", "reports.agrees").search(sentence))


def _is_form(line: str) -> bool:
    """Return whether a line is a row of a drawing or of a list of files, or a heading."""
    return source_text.is_row(line) or _is_title(line)


def _is_title(line: str) -> bool:
    """Return whether a line is a heading; one that ends in a colon says what its list is about."""
    return source_text.is_title(line) or (source_text.is_heading(line) and not line[0].isalpha())
