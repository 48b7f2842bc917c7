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
from sleep.conversation.summary import agent_speech, marks, results, sieve, source_text
from sleep.conversation.summary.agent_speech import LABEL
from sleep.conversation.summary.fact import LONG, PART, PINNED, REQUEST, Fact, clipped, flat, lead
from sleep.conversation.summary.marks import CONSTRAINT, DECISION, FACT, QUESTION, TODO
from sleep.language import sentences
from sleep.language.acts import reasons
from sleep.language.output import pastes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

SHORT = 120  # characters of a user's message that is kept as it stands
LINE = 320  # characters of a line that is one fact; a longer one is cut into sentences
_LONG_LINE = 500  # characters of a line that has a mark in nearly every case
_ONE = 100  # characters of a line that is not cut
_LONGEST = 2_000  # characters of a person's sentence, which is clipped only where room lacks
_LINES = 80  # lines of a user's message of which each is a fact; of a longer one those with a mark
_OLDEST, _NEWEST = 300, 1_200  # messages, at both ends of a very long history, of which every mark counts
_STRONG = 2.6  # worth of a person's short message from which on it is more than a request
_ORDER = 1.8  # what a person's short message is worth at the least
_FIRM = 3  # what a rule in a question weighs at the least
_UNMARKED = 0.8  # what a person's sentence is worth without any mark
_NOD = 3  # times; a short message that is said as often says nothing
_EVALUATED = 6_000  # lines that are weighed, in all
_MUCH, _FEWER = 2_000_000, 1_500  # characters of speech from which on fewer are, the strongest, evenly spread
_EDGE, _PAGED = 8, 0.6  # lines at both ends of a page that count in full, and what the others count
_LEAST = 6  # lines of one message that are weighed
_PIN = re.compile(r"[-*+>\s]*pin:\s*(.*\S)", re.IGNORECASE)
_QUESTION_ENDS = frozenset("?？\"'”’)]*_")


def of_turns(
    turns: Sequence[Turn],
    names: dict[str, str],
    pinned: Callable[[str], bool] | None = None,
    words: bytes = b"",
    passed_by: frozenset[tuple[int, int]] = frozenset(),
) -> list[Fact]:
    """Return the facts of turns in order; `names` are the tools' names by the ids of calls.

    Of the results in `passed_by`, by (turn, part), none are.

    In `words`, where they are known, each word stands that stands in the turns.

    Of a history that is longer than any model reads, the middle is looked through for strong marks only.
    """
    pinned = _never if pinned is None and words and b"pin:" not in words else pinned
    parts, seen = _parts(turns, passed_by)
    middle = range(_OLDEST, len(parts) - _NEWEST)
    share, is_long = _share(parts, has_middle=bool(middle))
    facts: list[Fact] = []
    read = _Read(set(), set())
    ends = [part for at, part in enumerate(parts) if at not in middle]
    broken = _signs_of_failure(ends, words)
    for part in ends:
        if part.kind == RESULT:
            tool = names.get(part.tool, part.tool) or "tool"
            facts += results.extract(part.text, tool, part.at, part.number, broken)
        elif part.is_user:
            own = of_request(part.text, part.at, part.number, pinned, read, most=int(share * len(part.text)))
            facts += own if seen[part.text] < _NOD else _worn(own)
    speech = [part for at, part in enumerate(parts) if part.kind == TEXT and (at in middle or not part.is_user)]
    facts += of_speech(speech, pinned, read, strongly=is_long)
    return facts


def _signs_of_failure(parts: Sequence[_Spoken], words: bytes) -> Sequence[str]:
    """Return the words of failure that may stand in results of ASCII."""
    printed = [part.text for part in parts if part.kind == RESULT]
    return sieve.likely(marks.broken(), words, printed) if words else sieve.standing(marks.broken(), printed)


def _parts(turns: Sequence[Turn], passed_by: frozenset[tuple[int, int]]) -> tuple[list[_Spoken], dict[str, int]]:
    """Return what is looked at, once where it is said again, and how often each text is said."""
    seen: dict[str, int] = {}
    parts = []
    for at, turn in enumerate(turns):
        is_user = turn.role == "user"
        for number, (kind, text, name) in enumerate(turn.parts if turn.role != "system" else ()):
            if kind not in (TEXT, RESULT) or (at, number) in passed_by:
                continue
            seen[text] = times = seen.get(text, 0) + 1
            if times == 1:
                parts.append(_Spoken(text, at, number, is_user, kind, name))
    return parts, seen


class _Read(NamedTuple):
    """What was read before: lines and sentences that were weighed, and what says nothing where an agent says it."""

    seen: set[str]
    idle: set[str]


class _Spoken(NamedTuple):
    """A part of a turn: its text, its place, whether a person wrote it, and the tool that printed it."""

    text: str
    at: int
    number: int
    is_user: bool = False
    kind: str = TEXT
    tool: str = ""


def _share(parts: Sequence[_Spoken], *, has_middle: bool) -> tuple[float, bool]:
    """Return how many lines are weighed for each character of speech, and whether there is too much of it."""
    spoken = sum(len(part.text) for part in parts if part.kind == TEXT)
    is_long = spoken > _MUCH or has_middle
    return (_FEWER if is_long else _EVALUATED) / max(spoken, 1), is_long


def _worn(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield the facts of a message that is said again and again, which say less each time."""
    return (fact._replace(worth=fact.worth * 0.3) for fact in facts)


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
        yield _order(stripped, at, place, is_pinned=bool(pinned and pinned(stripped)))
        return
    lines = text.split("\n")
    pasted = pastes.of_text(text)
    foreign = pastes.lines_of(pasted)
    if pasted:
        yield from results.of_pastes(lines, pasted, at, number)
    if len(lines) - len(foreign) > _LINES:
        page = of_speech([_Spoken(text, at, number, is_user=True)], pinned, read)
        yield from page if at < 0 else _of_page(page, place, len(lines))
        return
    read = read or _Read(set(), set())
    plain = marks.plain(text).split(b"\n")
    pins = _pins(text, pinned)
    passed_by = pins | source_text.fenced(text) | foreign
    asked = [index for index, line in enumerate(lines) if index not in passed_by and line and not line.isspace()]
    for index in [*sorted(pins), *_some(asked, max(most, _LEAST))]:
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
    joined = "\n".join([part.text for part in spoken])
    lines = joined.split("\n")
    plain = marks.plain(joined).split(b"\n")
    starts = [0, *accumulate(part.text.count("\n") + 1 for part in spoken)]
    asked = set(marks.marked(plain, strongly=strongly, longest=1 << 30 if strongly else _LONG_LINE))
    if not strongly:
        asked.update([index for index, line in enumerate(lines) if _signed(line)])
    asked.difference_update(_foreign(spoken, starts, has_fences=source_text.has_fences(joined)))
    pins = _pins(joined, pinned)
    asked.difference_update(pins)
    read = read or _Read(set(), set())
    for index in [*sorted(pins), *_some(sorted(asked), _FEWER if strongly else _EVALUATED)]:
        owner = bisect_right(starts, index) - 1
        part = spoken[owner]
        place = (part.number << PART) + index - starts[owner]
        if index in pins:
            yield _pin(lines[index], part.at, place)
        elif lines[index].strip():
            yield from _of_line(lines[index], plain[index], place, part.at, read, is_user=part.is_user)


def _foreign(spoken: Sequence[_Spoken], starts: Sequence[int], *, has_fences: bool) -> Iterator[int]:
    """Yield the indexes of lines that are code or pasted; `starts` are those of the parts' first lines."""
    for start, part in zip(starts, spoken, strict=False):
        if has_fences:
            yield from (start + index for index in source_text.fenced(part.text))
        if part.is_user:
            yield from (start + index for index in pastes.lines_of(pastes.of_text(part.text)))


def _order(text: str, at: int, place: int, *, is_pinned: bool) -> Fact:
    """Return the fact that a short message of a person is."""
    plain = marks.plain(text)
    kind, worth = _weighed(plain, text, plain.split(), is_user=True)
    kind = PINNED if is_pinned else _unbound(kind, text) if worth >= _STRONG else REQUEST
    return Fact(kind, text, max(worth, _ORDER + _length(text)), at, place)


def _unbound(kind: str, line: str) -> str:
    """Return the kind of a line in a person's message: a quotation, as of what others say in a chat, binds nobody."""
    return REQUEST if kind in (CONSTRAINT, DECISION) and line.lstrip().startswith(">") else kind


def _of_page(facts: Iterable[Fact], place: int, size: int) -> Iterator[Fact]:
    """Yield the facts of a page of so many lines: those in its middle are worth less than what people type."""
    for fact in facts:
        is_middle = _EDGE <= fact.place - place < size - _EDGE and fact.kind != PINNED
        yield fact._replace(worth=fact.worth * _PAGED) if is_middle else fact


def _pin(line: str, at: int, place: int) -> Fact:
    pin = _PIN.match(line)
    return Fact(PINNED, pin[1] if pin else line.strip(), 9, at, place)


def _pins(text: str, pinned: Callable[[str], bool] | None) -> set[int]:
    """Return the indexes of lines that must stay."""
    if pinned is _never or (pinned is None and not may_pin(text)):
        return set()
    is_pinned = pinned or (lambda _: False)
    lines = enumerate(text.split("\n"))
    return {index for index, line in lines if _PIN.match(line) or (line.strip() and is_pinned(line.strip()))}


def may_pin(text: str) -> bool:
    """Return whether `pin:` stands anywhere in a text, in any case; letters of other scripts are none of it."""
    return b"pin:" in text.encode("ascii", "replace").lower()


def _never(_: str) -> bool:
    """Say of a line, where none begins with `pin:`, that it need not stay."""
    return False


def _signed(line: str) -> bool:
    """Return whether a line has a sign of a question, a label or a box, or words of another script."""
    return "?" in line or ":" in line[:48] or "[ ]" in line or not line.isascii()


def _of_line(line: str, plain: bytes, place: int, at: int, read: _Read, *, is_user: bool) -> Iterator[Fact]:
    """Yield the facts of a line that is not blank: itself, or its sentences."""
    if line in read.seen:
        return
    read.seen.add(line)
    if _is_title(line, is_user=is_user):
        return
    skipped = lead(line)
    bare = line[skipped:].rstrip()
    longest = _ONE
    if not is_user and line.lstrip().startswith("|"):  # a row of a table
        bare, longest = bare.rstrip("| "), LINE
    elif not is_user and len(bare) <= _ONE:
        bare = agent_speech.without_move(bare)
    plain = plain[skipped : skipped + len(bare)]
    cuts = [(0, len(bare))] if len(bare) <= longest else sentences.spans(bare)
    if len(cuts) == 1 or (len(bare) <= LINE and _is_labelled(bare)):
        weighed = [(bare, *_weighed(plain, bare, plain.split(), is_user=is_user))]
    else:
        weighed = list(_sentences(bare, plain, cuts, read, is_user=is_user))
    most = _LONGEST if is_user else LONG
    for text, kind, worth in weighed:
        if kind:
            yield Fact(_unbound(kind, line) if is_user else kind, _whole(text, most), worth, at, place)


def _is_title(line: str, *, is_user: bool) -> bool:
    """Return whether a line only announces; of an agent's titles (`### Step 2: x`) only a label tells."""
    is_own = not is_user and source_text.is_title(line) and not _is_labelled(line[lead(line) :].rstrip())
    return is_own or source_text.is_heading(line)


def _whole(text: str, longest: int) -> str:
    """Return a sentence on one line, not longer than so many characters."""
    whole = text if len(text) <= longest else clipped(text, longest)
    return flat(whole) if "\r" in whole else whole.strip()


def _sentences(
    line: str, plain: bytes, cuts: Sequence[tuple[int, int]], read: _Read, *, is_user: bool
) -> Iterator[tuple[str, str, float]]:
    """Yield the sentences of a line, each with its kind and worth; a choice takes the reason behind it along.

    Of an agent's, those that have a mark or a sign.
    """
    seen, idle = read
    is_asked = not line.isascii()  # of another script, or with signs of one
    has_signs = "?" in line or ":" in line or "[ ]" in line
    is_clean = marks.clear().isdisjoint
    reason = -1  # the place of one that went along
    for at, (start, stop) in enumerate(cuts):
        text = line[start:stop]
        if at == reason or text in seen or (text in idle and not is_user):
            continue
        words = plain[start:stop].split()
        if is_asked or not is_clean(words) or (has_signs and _signed(text)):
            seen.add(text)
            kind, worth = _weighed(plain[start:stop], text, words, is_user=is_user)
            if kind == DECISION and (end := _reason(line, cuts, at)):
                text, reason = line[start:end], at + 1
            yield text, kind, worth
        elif is_user:
            seen.add(text)
            yield text, REQUEST, _UNMARKED + _length(text)
        else:
            idle.add(text)


def _reason(line: str, cuts: Sequence[tuple[int, int]], at: int) -> int:
    """Return where the reason ends that stands behind a sentence, 0 where none does."""
    if at + 1 == len(cuts):
        return 0
    begin, end = cuts[at + 1]
    return end if end - cuts[at][0] < LINE and reasons.follows(line[begin:end]) > 0 else 0


def _is_labelled(line: str) -> bool:
    """Return whether a line is one fact by its label (`Decision: ...`) or by a keyword with its colon."""
    if ":" not in line:
        return False
    label = LABEL.match(line)
    return bool(label and label[1].lower().rsplit(None, 1)[-1] in marks.labels()) or bool(_keyword().search(line))


@functools.cache
def _keyword() -> re.Pattern[str]:
    """Return what finds a keyword with its colon."""
    return re.compile(rf"(?:{'|'.join(sorted(marks.keywords()))}):", re.IGNORECASE)


def _scored(plain: bytes, text: str, words: list[bytes]) -> dict[str, float]:
    """Return what the marks and signs of a sentence say, by kind."""
    score: dict[str, float] = {}
    for kind, weight in marks.marks(plain, words) + ([] if text.isascii() else marks.others(text)):
        if weight:
            known = score.get(kind, 0.0)
            score[kind] = known + 0.25 * weight if known > weight else weight + 0.25 * known
        elif _keyword().search(text):
            score[FACT] = 3.0
    if ":" in text[:44] and (label := LABEL.match(text)):
        own = label[1].lower().rsplit(None, 1)[-1]
        if own in marks.labels():
            kind, weight = marks.labels()[own]
            score[kind] = max(score.get(kind, 0.0), weight) + 0.5
        else:
            score.setdefault(FACT, 0.9)
    if text[-1] in _QUESTION_ENDS and sentences.asks(text):
        score[QUESTION] = max(score.get(QUESTION, 0.0), 1.6) + 0.6
    if "[ ]" in text:
        score[TODO] = 4.0
    return score


def _weighed(plain: bytes, text: str, words: list[bytes], *, is_user: bool) -> tuple[str, float]:
    """Return the kind of a sentence of these words and what it is worth; "" for one that is not worth keeping."""
    score = _scored(plain, text, words)
    if not score and not is_user:
        return "", 0.0
    detail = 0.5 if results.is_telling(text) else 0.0
    if not score:
        return REQUEST, _UNMARKED + _length(text) + detail
    kind = max(score, key=score.__getitem__) if len(score) > 1 else next(iter(score))
    worth = score[kind] + 0.15 * (len(score) - 1) + detail + _length(text)
    if not is_user:
        return agent_speech.weigh(kind, worth, text, score[kind])
    is_asked = kind == CONSTRAINT and score[kind] < _FIRM and sentences.asks(text)
    return REQUEST if is_asked else kind, worth + 0.9


def _length(text: str) -> float:
    """Return what the length of a sentence adds: a few letters say little by themselves."""
    return -0.6 if len(text) < 14 else 0.0 if len(text) < 240 else -0.2  # noqa: PLR2004  # see above
