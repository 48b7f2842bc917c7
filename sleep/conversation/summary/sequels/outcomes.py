"""What came of each request: the words in which the agent reported it, right before the person spoke again.

Owns finding them and how much of them is told. Refuses to judge whether a report is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.conversation.messages.shapes import TEXT
from sleep.conversation.summary import agent_speech, source_text
from sleep.conversation.summary.fact import HIGH, JOINT, PART, REPORT, Fact, bare, clipped
from sleep.language import sentences
from sleep.language.acts.forms import form
from sleep.transcripts import boilerplate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

_ENOUGH, _MOST = 100, 260  # characters after which no sentence more is told, and of all
_LOOK = 480  # characters of a line that are read
_LINES = 24  # lines of a report that are looked at
_SHORT = 100  # characters of a sentence that only says that work goes on or went well, or agrees
_SHOWN = ("```", "|")  # how code and a table begin
_WORTH = 2.5
_KEYWORD = 2.5  # worth from which on a fact has one
_WORDS = 2  # of a request that is more than a nod


def add(facts: Sequence[Fact], turns: Sequence[Turn], asked: Sequence[str], *, is_over: bool) -> list[Fact]:
    """Return facts with a report for each request that has one; what a report says is not told twice.

    `asked` are the requests by turn; `is_over` says that a person speaks right behind these turns.
    """
    standing: dict[int, list[str]] = {at: [] for at in _closing(turns, asked, is_over=is_over)}
    for fact in facts:
        if fact.at in standing and not fact.name and _stands(fact):
            standing[fact.at].append(fact.text)
    if not standing:
        return list(facts)
    reports = [report for at, known in standing.items() if (report := _report(turns[at], at, known))]
    texts = {report.at: report.text for report in reports}
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
    return len(text.split(None, _WORDS)) > _WORDS


def _report(turn: Turn, at: int, known: Sequence[str]) -> Fact | None:
    """Return what a closing message says first, without what is known; None for nothing."""
    number, text = next((number, part.text) for number, part in enumerate(turn.parts) if part.kind == TEXT)
    words: list[str] = []
    for sentence in _sentences(text):
        if not any(sentence.removeprefix(JOINT) in own or own in sentence for own in known):
            size = sum(map(len, words))
            if size >= _ENOUGH and not (sentence.startswith(JOINT) and size + len(sentence) <= _MOST):
                break  # of a list that was begun the items go on as far as they fit
            words.append(sentence)
    report = " ".join(words).replace(f" {JOINT}", JOINT).strip(" ·:")
    return Fact(REPORT, clipped(report, _MOST), _WORTH, at, number << PART) if report else None


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a report that say something: no headings, code, rows of tables or announcements.

    What leads to code or a table, and what goes on behind it, say nothing without it.
    """
    for line, before, after in _lines(text):
        if line.rstrip().endswith(":") and after.startswith(_SHOWN):
            continue
        mark = "" if line[0].isalpha() else JOINT  # of an item, before its first sentence
        words = bare(line)[:_LOOK]
        goes_on = words[:1].islower() and before.startswith(_SHOWN)
        spans = sentences.spans(words)
        if len(words) == _LOOK and len(spans) > 1:  # the last of them was cut
            spans = spans[:-1]
        for start, stop in spans[goes_on:]:
            if not _is_empty(sentence := words[start:stop]):
                yield mark + sentence
                mark = ""


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the lines of a report that speak, each with the one before and the one behind it, whatever they are."""
    lines = [line for line in text.split("\n") if line.strip()][:_LINES]
    starts = [line.lstrip() for line in ("", *lines, "")]
    is_code = False
    for number, line in enumerate(lines, 1):
        if starts[number].startswith("```"):
            is_code = not is_code
        elif not is_code and not _is_form(line):
            yield line, starts[number - 1], starts[number + 1]


def _is_empty(sentence: str) -> bool:
    """Return whether a sentence reports nothing: `Excellent!`, `Now let me see.`; a plain no does."""
    if " " not in sentence.strip():
        return form("dialogue.no").written().match(sentence) is None
    is_short = len(sentence) <= _SHORT
    return agent_speech.narrates(sentence) or (is_short and form("reports.stage", "reports.agrees").search(sentence))


def _is_form(line: str) -> bool:
    """Return whether a line is a row of a table, of a drawing or of a list of files, or a heading."""
    return line.lstrip().startswith("|") or source_text.is_row(line) or _is_title(line)


def _is_title(line: str) -> bool:
    """Return whether a line is a heading; one that ends in a colon says what its list is about."""
    return source_text.is_title(line) or (source_text.is_heading(line) and not line[0].isalpha())
