"""Findings: what a session found, and a later message of the same session says is mended or gone.

Owns telling which words end which, by the names that both have. Refuses what only a look at the code could tell: what
no words end stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.journal.capture import deeds
from sleep.language import sentences, stems, terms
from sleep.language.acts import states
from sleep.language.acts.grammar import has

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sleep.compression.passages import Passage

_NAME = re.compile(
    r"`([^`\s]{3,80})`|\b([A-Z][a-z]+[A-Z]\w+|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w+|[\w-]+\.[a-z]{1,4})\b"
)
# Takes `Bug 2`, `Issue #3` and `问题 1`, leaves `Step 2` and `2 bugs`.
_LABEL = re.compile(
    r"\b(?:bug|issue|problem|blocker|finding|concern|fehler)s? #?(\d{1,3})\b|(?:问题|缺陷) ?(\d{1,3})", re.IGNORECASE
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_./-]+")
_SHARED = 2  # names, or a name and another word, that a finding and what ends it have in common
_MOST = 2 / 3  # of the words of what says that something is gone, that what it ends has


class _Report(NamedTuple):
    """A sentence that says what was done: its message, its names, the numbers of findings above it, its words."""

    message: int
    text: str
    names: frozenset[str]
    labels: frozenset[str]
    words: frozenset[str]


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
    ends: dict[str, End] = {}
    mended: set[str] = set()  # what mended something is told once
    for run in runs:
        if run.role == "agent" and run.kind == "text" and not run.states and not has(run.text, "stated.promises"):
            later = (_end(run.text, report) for report in reports if report.message > run.message)
            if (end := next((end for end in later if end is not None), None)) is not None:
                ends[run.text] = End() if end.change in mended else end
                mended.update(filter(None, [end.change]))
    return ends


def _reports(run: Passage) -> Iterator[_Report]:
    if run.role != "agent" or run.kind not in ("text", "commit") or run.states:
        return
    labels = _labels(f"{run.heading} {run.text}")
    for sentence in deeds.parts(run.text):
        words = sentence.strip(" ·")
        if deeds.reports(words) or has(words, "findings.all"):
            yield _Report(run.message, words, _names(f"{run.heading} {words}"), labels, _stems(words))


def _end(text: str, report: _Report) -> End | None:
    """Return what becomes of a passage by a report, None where the report says nothing of it."""
    lines = [words for words in sentences.split(text) if has(words, "findings.trouble") and not deeds.reports(words)]
    trouble = " ".join(lines)
    if not lines:
        return _gone(text, report) if states.GONE in states.of(report.text) else None
    if has(trouble, "findings.left") and has(report.text, "findings.all"):
        return End()
    names = _names(trouble)
    shared = names & report.names
    others = _stems(trouble) & report.words - _stems(" ".join(names))
    is_meant = _labels(trouble) & report.labels or (shared and len(shared) + len(others) >= _SHARED)
    return End(text, report.text) if is_meant and deeds.reports(report.text) else None


def _gone(text: str, report: _Report) -> End | None:
    parts = deeds.parts(text)
    left = [part for part in parts if not _is_about(part, report)]
    if len(left) == len(parts):
        return None
    rest = "".join(left).strip(" ·")
    return End(rest if len(_stems(rest)) > _SHARED else "")


def _is_about(text: str, report: _Report) -> bool:
    """True where a passage has most words of what says that something is gone."""
    gone = _stems(" ".join(states.words(states.GONE)))
    about = {stem for stem in report.words if stem not in gone}
    shared = about & _stems(text)
    return len(shared) >= _SHARED and len(shared) >= len(about) * _MOST


def _names(text: str) -> frozenset[str]:
    return frozenset((match[1] or match[2]).rstrip("().,:") for match in _NAME.finditer(text))


def _labels(text: str) -> frozenset[str]:
    return frozenset(match[1] or match[2] for match in _LABEL.finditer(text))


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stems.light, terms.terms(_HUMP.sub(" ", text))))
