"""What is worth keeping of what people and agents said: sentences that bind, chose, ask or failed, and short orders.

Owns the cut into facts, and what each is worth by itself. Refuses to know how much room there is (`choice`). The
texts come in without secrets.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import RESULT, TEXT
from sleep.conversation.summary import results, sieve
from sleep.conversation.summary.fact import PART, PINNED, REQUEST, Fact, clipped, flat
from sleep.language import sentences
from sleep.language.acts import marks, statements
from sleep.language.acts.marks import CONSTRAINT, DECISION, FACT, QUESTION, TODO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

SHORT = 120  # characters of a user's message that is kept as it stands
LINE = 320  # characters of a line that is one fact; a longer one is cut into sentences
_ONE = 100  # characters of a line that is not cut
_LONGEST = 480  # characters of a sentence
_LINES = 80  # lines of a user's message of which each is a fact; of a longer one those with a mark
_OLDEST, _NEWEST = 300, 1_200  # messages, at both ends of a very long history, of which every mark counts
_STRONG = 2.6  # worth of a person's short message from which on it is more than a request
_ORDER = 1.8  # what a person's short message is worth at the least
_SAID = 0.8  # what a person's sentence is worth without any mark
_NOD = 3  # times; a short message that is said as often says nothing
_EVALUATED = 6_000  # lines that are weighed, in all
_LONG, _FEWER = 2_000_000, 1_500  # characters of speech from which on fewer are, the strongest, evenly spread
_LEAST = 6  # lines of one message that are weighed
_LEAD = re.compile(r"\s*(?:[-*+•>|]\s+|#{1,6}\s+)+")
_PUT_IN = ("<", "# AGENTS.md instructions")
_PIN = re.compile(r"[-*+>\s]*pin:\s*(.*\S)", re.IGNORECASE)
_LABEL = re.compile(r"[\W_]{0,6}([A-Za-z][\w /'-]{0,30}?)\s?[*_]{0,2}:(?=[\s*_]|$)")
_NARRATES = re.compile(
    r"(?:next,? |now,? |then,? )?(?:let me|i['’]ll|i will|i['’]m|i am|looking|reading|i have (?:read|looked)|we see)\b",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)", re.MULTILINE)
_ASKING = frozenset("?？\"'”’)]*_")


def of_turns(turns: Sequence[Turn], names: dict[str, str], pinned: Callable[[str], bool] | None = None) -> list[Fact]:
    """Return the facts of turns in order; `names` are the tools' names by the ids of calls.

    Of a history that is longer than any model reads, the middle is looked through for strong marks only.
    """
    seen: dict[str, int] = {}  # what is said again is not looked at again
    parts = []
    spoken = 0
    for at, turn in enumerate(turns):
        if turn.role == "system":
            continue
        is_user = turn.role == "user"
        for number, (kind, text, name) in enumerate(turn.parts):
            if kind not in (TEXT, RESULT):
                continue
            seen[text] = times = seen.get(text, 0) + 1
            if times > 1 or (is_user and is_put_in(text)):
                continue
            parts.append((at, number, is_user, kind, text, name))
            spoken += len(text) if kind == TEXT else 0
    is_long = spoken > _LONG or len(parts) > _OLDEST + _NEWEST
    share = (_FEWER if is_long else _EVALUATED) / max(spoken, 1)
    first, last = (_OLDEST, len(parts) - _NEWEST) if len(parts) > _OLDEST + _NEWEST else (len(parts), len(parts))
    found: list[Fact] = []
    own: list[_Spoken] = []
    read = _Read(set(), set())
    printed = [text for *_, kind, text, _ in (*parts[:first], *parts[last:]) if kind == RESULT]
    broken = sieve.standing(marks.broken(), printed)
    for index, (at, number, is_user, kind, text, name) in enumerate(parts):
        is_middle = first <= index < last
        if kind == RESULT:
            if not is_middle:
                found += results.extract(text, names.get(name, name) or "tool", at, number, broken)
        elif is_user and not is_middle:
            most = max(_LEAST, int(share * len(text)))
            said = of_request(text, at, number, pinned, read, most=most)
            found += said if seen[text] < _NOD else (one._replace(worth=one.worth * 0.3) for one in said)
        else:
            own.append(_Spoken(text, at, number, is_user))
    found += of_speech(own, pinned, read, strongly=is_long)
    return found


class _Read(NamedTuple):
    """What was read before: lines and sentences that were weighed, and what says nothing where an agent says it."""

    seen: set[str]
    idle: set[str]


class _Spoken(NamedTuple):
    text: str
    at: int
    number: int
    is_user: bool = False


def is_put_in(text: str) -> bool:
    """Return whether a user's text is what a client put there: something in tags, or the project's instructions."""
    return text.startswith(_PUT_IN) and (text[0] != "<" or text.rstrip().endswith(">"))


def _some(indexes: list[int], most: int) -> list[int]:
    """Return at most so many of the indexes, evenly spread."""
    if len(indexes) <= most:
        return indexes
    step = len(indexes) / most
    return [indexes[int(number * step)] for number in range(most)]


def of_request(
    text: str,
    at: int,
    number: int = 0,
    pinned: Callable[[str], bool] | None = None,
    read: _Read | None = None,
    *,
    most: int = 1_000,
) -> Iterator[Fact]:
    """Yield the facts of what a person said; at most `most` of its lines are looked at, besides pins."""
    place = number << PART
    stripped = text.strip()
    if 0 < len(stripped) <= SHORT and "\n" not in stripped and not _PIN.match(stripped):
        kind, worth = _weighed(marks.plain(stripped), stripped, is_user=True)
        kind = PINNED if pinned and pinned(stripped) else kind if worth >= _STRONG else REQUEST
        yield Fact(kind, stripped, max(worth, _ORDER + _length(stripped)), at, place)
        return
    lines = text.split("\n")
    if len(lines) > _LINES:
        yield from of_speech([_Spoken(text, at, number, is_user=True)], pinned, read)
        return
    read = _Read(set(), set()) if read is None else read
    plain = marks.plain(text).split(b"\n")
    pins = set(_pins(lines, pinned)) if pinned or "pin:" in text.lower() else set()
    fenced = _fenced(lines) - pins if "```" in text or "~~~" in text else frozenset()
    asked = [index for index, line in enumerate(lines) if index not in fenced and line and not line.isspace()]
    for index in [*sorted(pins), *_some([one for one in asked if one not in pins], max(most, _LEAST))]:
        if index in pins:
            yield _pin(lines[index], at, place + index)
        else:
            yield from _of_line(lines[index], plain[index], place + index, at, read, is_user=True)


def of_speech(
    spoken: Sequence[_Spoken],
    pinned: Callable[[str], bool] | None = None,
    read: _Read | None = None,
    *,
    strongly: bool = False,
) -> Iterator[Fact]:
    """Yield the facts of what agents said, and people at length, looked for in all of it at once.

    With `strongly`, only strong marks count. What is in `read` is passed over, and what is read is added.
    """
    joined = "\n".join([one.text for one in spoken])
    lines = joined.split("\n")
    plain = marks.plain(joined).split(b"\n")
    starts = [0, *accumulate(one.text.count("\n") + 1 for one in spoken)]
    asked = set(marks.marked(plain, strongly=strongly))
    if not strongly:
        asked.update([index for index, line in enumerate(lines) if _signed(line)])
    if "```" in joined or "~~~" in joined:
        for start, one in zip(starts, spoken, strict=False):
            if "```" in one.text or "~~~" in one.text:
                asked.difference_update([start + index for index in _fenced(one.text.split("\n"))])
    pins = set(_pins(lines, pinned)) if pinned or "pin:" in joined.lower() else set()
    asked.difference_update(pins)
    read = _Read(set(), set()) if read is None else read
    for index in [*sorted(pins), *_some(sorted(asked), _FEWER if strongly else _EVALUATED)]:
        owner = bisect_right(starts, index) - 1
        one = spoken[owner]
        place = (one.number << PART) + index - starts[owner]
        if index in pins:
            yield _pin(lines[index], one.at, place)
        elif lines[index].strip():
            yield from _of_line(lines[index], plain[index], place, one.at, read, is_user=one.is_user)


def _pin(line: str, at: int, place: int) -> Fact:
    return Fact(PINNED, found[1] if (found := _PIN.match(line)) else line.strip(), 9, at, place)


def _pins(lines: Sequence[str], pinned: Callable[[str], bool] | None) -> Iterator[int]:
    """Yield the indexes of lines that must stay."""
    for index, line in enumerate(lines):
        if _PIN.match(line) or (pinned and line.strip() and pinned(line.strip())):
            yield index


def _signed(line: str) -> bool:
    """Return whether a line has a sign of a question, a label or a box, or words of another script."""
    return "?" in line or ":" in line[:48] or "[ ]" in line or not line.isascii()


def _fenced(lines: Sequence[str]) -> frozenset[int]:
    """Return the indexes of lines that are code."""
    found: list[int] = []
    opened = -1
    for index, line in enumerate(lines):
        if _FENCE.match(line):
            if opened >= 0:
                found += range(opened, index + 1)
                opened = -1
            else:
                opened = index
    return frozenset(found)


def _of_line(line: str, plain: bytes, place: int, at: int, read: _Read, *, is_user: bool) -> Iterator[Fact]:
    """Yield the facts of a line that is not blank: itself, or its sentences."""
    seen, idle = read
    if line in seen:
        return
    seen.add(line)
    skipped = found.end() if (found := _LEAD.match(line)) else len(line) - len(line.lstrip())
    bare = line[skipped:].rstrip()
    plain = plain[skipped : skipped + len(bare)]
    cuts = sentences.spans(bare) if len(bare) > _ONE else [(0, len(bare))]
    if len(cuts) == 1 or (len(bare) <= LINE and _is_labelled(bare)):
        kind, worth = _weighed(plain, bare, is_user=is_user)
        if kind:
            yield Fact(kind, flat(clipped(bare, _LONGEST)), worth, at, place)
        return
    is_ascii = bare.isascii()
    taken = -1
    for index, (start, stop) in enumerate(cuts):
        said = bare[start:stop]
        if index == taken or said in seen or (said in idle and is_ascii and not is_user):
            continue
        is_asked = not is_ascii or marks.is_marked(plain[start:stop]) or _signed(said)
        (seen if is_asked or is_user else idle).add(said)
        kind, worth = (
            _weighed(plain[start:stop], said, is_user=is_user)
            if is_asked
            else (REQUEST if is_user else "", _SAID + _length(said))
        )
        if kind == DECISION and index + 1 < len(cuts):
            begin, end = cuts[index + 1]
            if end - start < LINE and statements.reason(bare[begin:end]):
                said, taken = bare[start:end], index + 1
        if kind:
            yield Fact(kind, flat(clipped(said, _LONGEST)), worth, at, place)


def _is_labelled(line: str) -> bool:
    """Return whether a line is one fact by its label (`Decision: ...`) or by a keyword with its colon."""
    if ":" not in line:
        return False
    label = _LABEL.match(line)
    return bool(label and label[1].lower().rsplit(None, 1)[-1] in marks.labels()) or bool(_keyword().search(line))


@functools.cache
def _keyword() -> re.Pattern[str]:
    """Return what finds a keyword with its colon."""
    return re.compile(rf"(?:{'|'.join(sorted(marks.keywords()))}):", re.IGNORECASE)


def _scored(plain: bytes, text: str) -> dict[str, float]:
    """Return what the marks and signs of a sentence say, by kind."""
    score: dict[str, float] = {}
    for kind, weight in marks.marks(plain) + ([] if text.isascii() else marks.others(text)):
        if weight:
            known = score.get(kind, 0.0)
            score[kind] = known + 0.25 * weight if known > weight else weight + 0.25 * known
        elif _keyword().search(text):
            score[FACT] = 3.0
    if ":" in text[:44] and (label := _LABEL.match(text)):
        own = label[1].lower().rsplit(None, 1)[-1]
        if own in marks.labels():
            kind, weight = marks.labels()[own]
            score[kind] = max(score.get(kind, 0.0), weight) + 0.5
        else:
            score.setdefault(FACT, 0.9)
    if text[-1] in _ASKING and sentences.asks(text):
        score[QUESTION] = max(score.get(QUESTION, 0.0), 1.6) + 0.6
    if "[ ]" in text:
        score[TODO] = 4.0
    return score


def _weighed(plain: bytes, text: str, *, is_user: bool) -> tuple[str, float]:
    """Return the kind of a sentence and what it is worth; "" for one that is not worth keeping."""
    score = _scored(plain, text)
    if not score and not is_user:
        return "", 0.0
    telling = 0.5 if results.is_telling(text) else 0.0
    if not is_user and _NARRATES.match(text):
        score = {kind: weight - 0.8 for kind, weight in score.items()}  # what an agent does next is seen soon enough
    if not score:
        return REQUEST, _SAID + _length(text) + telling
    kind = max(score, key=score.__getitem__) if len(score) > 1 else next(iter(score))
    worth = score[kind] + 0.15 * (len(score) - 1) + telling + _length(text)
    if is_user:
        worth += 0.9
    elif kind == CONSTRAINT:
        worth -= 0.6  # an agent's "must" mostly explains; a person's binds
    return kind, worth


def _length(text: str) -> float:
    """Return what the length of a sentence adds: a few letters say little by themselves."""
    return -0.6 if len(text) < 14 else 0.0 if len(text) < 240 else -0.2  # noqa: PLR2004  # see above
