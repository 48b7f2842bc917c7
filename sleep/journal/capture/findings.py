"""Findings: what a session found, and a later message of the same session says is mended or gone.

Owns telling which words end which, by the names that both have. Refuses what only a look at the code could tell: what
no words end stands.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sleep.journal.capture import deeds
from sleep.language import sentences, terms
from sleep.language.acts import states
from sleep.language.acts.grammar import has

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.compression.passages import Passage

    _Key = tuple[str, str]

_NAME = re.compile(
    r"`([^`\s]{3,80})`|\b([A-Z][a-z]+[A-Z]\w+|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w+|[\w-]{1,80}\.[a-z]{1,4})\b"
)
# Takes `Bug 2`, `Issue #3` and `问题 1`, leaves `Step 2` and `2 bugs`.
_LABEL = re.compile(
    r"\b(?:bug|issue|problem|blocker|finding|concern|fehler)s? #?(\d{1,3})\b|(?:问题|缺陷) ?(\d{1,3})", re.IGNORECASE
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_./-]+")
_SHARED = 2  # names, or a name and another word, that a finding and what ends it have in common
_MOST = 2 / 3  # of the words of what says that something is gone, that what it ends has
_LOOK = 100  # later reports with a name or word in common that are looked at for a passage
_ALL = ("", "all")  # the key of what says that all was done


class _Report(NamedTuple):
    """A sentence that says what was done: its message, its names, the numbers of findings above it, its words.

    `gone` are the words of what it says is gone; none where it says so of nothing.
    """

    message: int
    text: str
    names: frozenset[str]
    labels: frozenset[str]
    words: frozenset[str]
    gone: frozenset[str]
    is_deed: bool


class _Claim(NamedTuple):
    """What of a passage a report may end: the names, numbers and words of its trouble, or the words of its parts.

    `is_left` is true where it tells of all that remains.
    """

    text: str
    names: frozenset[str]
    labels: frozenset[str]
    words: frozenset[str]
    parts: tuple[tuple[str, frozenset[str]], ...]
    is_left: bool


class End(NamedTuple):
    """What becomes of a passage that a later one ends: the words of it that stand, and the change that mended it.

    Without `change` it is only gone.
    """

    rest: str = ""
    change: str = ""


def ended(runs: Sequence[Passage], worked: Collection[int]) -> Mapping[str, End]:
    """Return what becomes of the passages that tell of what a later message says is mended or gone, by their texts.

    `worked` are the messages before which something was edited in the same turn.
    """
    reports = [report for run in runs if run.message in worked for report in _reports(run)]
    index = _index(reports)
    ends: dict[str, End] = {}
    mended: set[str] = set()  # what mended something is told once
    for run in runs:
        if index and run.role == "agent" and run.kind == "text" and not run.states:
            claim = _claim(run.text)
            later = (_end(claim, report) for report in _later(claim, reports, index, run.message))
            if (end := next((end for end in later if end is not None), None)) is not None:
                ends[run.text] = End() if end.change in mended else end
                mended.update(filter(None, [end.change]))
    return ends


def _reports(run: Passage) -> Iterator[_Report]:
    if run.role != "agent" or run.kind not in ("text", "commit") or run.states:
        return
    labels = _labels(f"{run.heading} {run.text}")
    for sentence in deeds.parts(run.text):
        text = sentence.strip(" ·")
        is_deed = bool(deeds.reports(text))
        if is_deed or has(text, "findings.all"):
            words = _stems(text)
            gone = words - _gone_words() if states.GONE in states.of(text) else frozenset()
            yield _Report(run.message, text, _names(f"{run.heading} {text}"), labels, words, gone, is_deed)


def _index(reports: Sequence[_Report]) -> Mapping[_Key, list[int]]:
    """Return the numbers of the reports by what a passage that they end has of them.

    What says that something is gone is found by its rarest words: a passage that has most of them has one of these.
    """
    often = Counter(word for report in reports for word in report.gone)
    index: dict[_Key, list[int]] = {}
    for number, report in enumerate(reports):
        rare = sorted(report.gone, key=lambda word: (often[word], word))
        keys = {*_keys("name", report.names), *_keys("label", report.labels)}
        keys |= _keys("word", rare[: len(rare) - math.ceil(len(rare) * _MOST) + 1])
        for key in sorted(keys | ({_ALL} if has(report.text, "findings.all") else set())):
            index.setdefault(key, []).append(number)
    return index


def _later(
    claim: _Claim, reports: Sequence[_Report], index: Mapping[_Key, list[int]], message: int
) -> Iterator[_Report]:
    """Yield the first reports behind a message that may end a claim."""
    keys = {*_keys("name", claim.names), *_keys("label", claim.labels)} | ({_ALL} if claim.is_left else set())
    keys |= _keys("word", frozenset(word for _, words in claim.parts for word in words))
    numbers: set[int] = set()
    for key in keys:
        known = index.get(key, [])
        start = bisect_right(known, message, key=lambda number: reports[number].message)
        numbers.update(known[start : start + _LOOK])
    yield from (reports[number] for number in sorted(numbers)[:_LOOK])


def _keys(sort: str, words: Iterable[str]) -> set[_Key]:
    return {(sort, word) for word in words}


def _claim(text: str) -> _Claim:
    """Return what a passage claims; nothing of what an agent is about to do."""
    nothing: frozenset[str] = frozenset()
    if has(text, "stated.promises"):
        return _Claim(text, nothing, nothing, nothing, (), is_left=False)
    lines = [words for words in sentences.split(text) if has(words, "findings.trouble") and not deeds.reports(words)]
    if not lines:
        parts = tuple((part, _stems(part)) for part in deeds.parts(text))
        return _Claim(text, nothing, nothing, nothing, parts, is_left=False)
    trouble = " ".join(lines)
    names = _names(trouble)
    words = _stems(trouble) - _stems(" ".join(names))
    return _Claim(text, names, _labels(trouble), words, (), has(trouble, "findings.left"))


def _end(claim: _Claim, report: _Report) -> End | None:
    """Return what becomes of a passage by a report, None where the report says nothing of it."""
    if claim.parts:
        return _gone(claim, report.gone)
    if claim.is_left and has(report.text, "findings.all"):
        return End()
    shared = len(claim.names & report.names)
    is_meant = claim.labels & report.labels or (shared and shared + len(claim.words & report.words) >= _SHARED)
    return End(claim.text, report.text) if is_meant and report.is_deed else None


def _gone(claim: _Claim, about: frozenset[str]) -> End | None:
    """Return what is left of a passage without the parts that have most words of what is gone, None where none has."""
    least = max(_SHARED, len(about) * _MOST)
    left = [part for part, words in claim.parts if len(about & words) < least]
    if len(left) == len(claim.parts):
        return None
    rest = "".join(left).strip(" ·")
    return End(rest if len(_stems(rest)) > _SHARED else "")


@lru_cache(maxsize=1)
def _gone_words() -> frozenset[str]:
    return _stems(" ".join(sorted(states.words(states.GONE))))


def _names(text: str) -> frozenset[str]:
    return frozenset((match[1] or match[2]).rstrip("().,:") for match in _NAME.finditer(text))


def _labels(text: str) -> frozenset[str]:
    return frozenset(match[1] or match[2] for match in _LABEL.finditer(text))


def _stems(text: str) -> frozenset[str]:
    return terms.light(_HUMP.sub(" ", text))
