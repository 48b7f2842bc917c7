"""Asking a memory: from what a person typed to what they read, now, at a moment of the past, or over all of it.

Owns the two forms of an answer: text and values for JSON. Refuses to print, and to load
what a cold start would feel: no Invoke, no rich, no settings. Whoever asks without a terminal (a server, a hook's
child) calls `answer`.
"""

from __future__ import annotations

import itertools
import re
import time
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import UsageError
from sleep.language import dates, tokens, words
from sleep.language.tokenizer import has_wide
from sleep.plurals import several
from sleep.recall import passages as forms
from sleep.recall import search
from sleep.recall.index import access, rows
from sleep.recall.lists import list_lines
from sleep.recall.postings import Limits
from sleep.records import kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sleep.recall.index.database import Index
    from sleep.recall.passages import Passage, PassageLine, Result
    from sleep.recall.past.moment import Moment
    from sleep.recall.past.past_rows import FullIndex, Removal
    from sleep.recall.search import Near
    from sleep.store.layout import Root

    Progress = Callable[[int, int], None]

_TIERS = (rows.JOURNAL, *rows.TIERS)
_LEAST_BUDGET = 100  # tokens
_DIGITS = 30  # of a budget
_FRAME = 40  # of them, for what stands around the passages
_MARKS = "*_`~.,;:!?()[]\"'“”‘’"  # around a word
_GAP = re.compile(r"[\s\[\]()<>]+")  # between words, and between the parts of a link
_WHY = 6  # words of a question that a passage says it has
_SHA = 7
_PERSON = "person"  # who is named on his own lines where others speak, too
_AGAIN = "Ask again in other words, as somebody may have written it down."
_OFFER = "An embedding model finds these by itself: recall.vectors in `sleepwake help recall.md`."
_MOVE = ("record", "to")  # fields of an event that its title says
_UNTOLD = "without a commit that says so (left out in a merge, or not committed yet)"


class Query(NamedTuple):
    """What was asked, as it was typed: words, and "" or false for what was not said. Lists are of repeated flags."""

    question: str
    budget: str = ""
    tier: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    since: str = ""
    at: str = ""
    whole_past: bool = False
    least: bool = False
    project: str = ""


class Answer(NamedTuple):
    """An answer: the passages, the budget, the moment it is of (None for now), and where what is gone last stood."""

    result: Result
    budget: int
    at: Moment | None = None
    gone: Mapping[str, Removal] = {}
    advice: str = ""

    @property
    def text(self) -> str:
        """The answer as it is read, within the budget: a heading a passage, with why it was found, and its lines."""
        lead = self._lead()
        if not self.result.passages:
            advice = (self.advice,) if self.advice else ()
            return "\n".join((*lead, *self.result.lead, *advice))
        shown, more = list(self.result.passages), self.result.more
        written = [_written(passage, self.gone) for passage in shown]
        while True:
            advice = (self.advice,) if self.result.nothing and self.advice else ()
            text = "\n\n".join((*lead, *written, *advice, *_note(more, self.budget)))
            if tokens.count(text) <= self.budget or len(shown) == len(shown[0].lines) == 1:
                return text
            more += 1
            shorter = _shorter(shown.pop())
            shown += [shorter] if shorter else []
            written[-1:] = [_written(shorter, self.gone)] if shorter else []

    def plain(self) -> dict[str, object]:
        """Return the answer as values for JSON."""
        passages = forms.to_json(self.result.passages)
        for values, passage in zip(passages, self.result.passages, strict=True):
            values["why"] = list(_why(passage))
            if gone := self.gone.get(_key(passage.best)):
                values["gone"] = gone._asdict() | {"path": passage.best.path}
        return {
            "question": self.result.question,
            "at": self.at and self.at.facts,
            "nothing": self.result.nothing if not self.result.passages else "",
            "unsure": self.result.nothing if self.result.passages else "",
            "note": self.result.note,
            "passages": passages,
            "corrected": dict(self.result.corrected),
            "covered": round(self.result.covered, 3),
            "more": self.result.more,
        }

    def _lead(self) -> list[str]:
        read = [f"“{word}” was read as “{other}”." for word, other in self.result.corrected if self.result.passages]
        label = [f"What was known {self.at.label}."] if self.at else []
        # What says that nothing surely fits begins an answer; what leads to records stands right above them.
        unsure = self.result.lead if self.result.passages and self.result.nothing else ()
        note = (self.result.note,) if self.result.note else ()
        lead = " ".join((*unsure, *label, *read, *note))
        return [lead] if lead else []


def answer(
    root: Root, asked: Query, progress: Progress | None = None, today: str = "", near: Near | None = None
) -> Answer:
    """Return what the memory has on a question.

    Args:
        root: the memory root.
        asked: the question and its options.
        progress: is told how much is read, and of how much, where the index is made or a past is read.
        today: the ISO day that `last week` is told from; default: today, in UTC.
        near: finds rows that mean nearly the same; None for words alone.

    Raises:
        UsageError: an option is off, or the memory has no such moment or project.
    """
    today = today or time.strftime("%Y-%m-%d", time.gmtime())
    budget, limits = _budget(asked.budget), _limits(asked, today)
    _check(asked)
    at = _moment(root, asked.at, today) if asked.at else None
    now = access.open_index(root, progress)
    try:
        all_ = _full_index(now, root, limits, progress) if asked.whole_past else None
        is_part = bool(asked.project or (at and at.sha))
        index = all_.asked if all_ else _index_of(now, root, at, asked.project, progress) if is_part else now
        day, strict = at.when[: len("2026-03-01")] if at and at.when else today, not asked.least
        made = search.recall(index, asked.question, budget - _FRAME, limits, today=day, strict=strict, near=near)
    finally:
        now.close()
    made = made._replace(passages=_split(made.passages))
    if not asked.least:
        made = made._replace(passages=_about(made.passages, asked.question))
    if all_ is None:
        return Answer(made, budget, at, advice=_advice(asked, made, has_model=near is not None))
    short = " This clone has only the newest part of the history: git fetch --unshallow." if all_.is_short else ""
    return _with_gone(made, all_, budget, _advice(asked, made, has_model=near is not None) + short)


def _check(asked: Query) -> None:
    """Raise UsageError for options that exclude each other, and for no question."""
    if asked.at and asked.whole_past:
        raise UsageError("--at and --ever exclude each other (--at asks one moment, --ever all of them)")
    if asked.project and asked.whole_past:
        raise UsageError("--project and --ever exclude each other (--ever asks the whole memory)")
    if not asked.question.strip():
        raise UsageError("there is no question", hint='sleepwake recall "why is the lock a file"')


def _moment(root: Root, name: str, today: str) -> Moment:
    from sleep.recall.past import moment  # late: git is asked of the past only  # noqa: PLC0415

    return moment.find(root, name, today)


def _index_of(now: Index, root: Root, at: Moment | None, project: str, progress: Progress | None) -> Index:
    """Return the index of a moment, or of now, of one project or of all."""
    from sleep.memory.by_project import project_tree  # late: few ask for one  # noqa: PLC0415
    from sleep.recall.past.past_index import PastIndex  # late: same  # noqa: PLC0415
    from sleep.store.tree import WorkTree  # late: same  # noqa: PLC0415

    tree = at.tree(root) if at and at.sha else WorkTree(root)
    made = PastIndex(now)
    made.become(project_tree.of_name(tree, project) if project else tree, progress)
    return made


def _full_index(now: Index, root: Root, limits: Limits, progress: Progress | None) -> FullIndex:
    from sleep.recall.past import past_rows  # late: same  # noqa: PLC0415
    from sleep.store.tree import WorkTree  # late: same  # noqa: PLC0415

    return past_rows.build(now, root, WorkTree(root), limits.tiers, progress)


def _split(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
    """Return the passages, best first, each of what was said together.

    What stands together in a journal or a page was. Hot, warm and cold memory have their items by kind and day, so
    beside one stands what may have nothing to do with it: there entries of one instance are a passage.
    """
    cut = [
        part
        for passage in passages
        for part in (forms.runs(passage.lines, _is_of_one_instance) if passage.best.tier in rows.HELD else (passage,))
    ]
    return passages if len(cut) == len(passages) else tuple(sorted(cut, key=lambda passage: -passage.score))


def _about(passages: tuple[Passage, ...], question: str) -> tuple[Passage, ...]:
    """Return the passages that have what was asked for; what only stands near such is left out if there is any."""
    named = tuple(passage for passage in passages if passage.score >= forms.NAMED)
    if named and len(question.split()) == 1:
        return named
    fits = tuple(each for each in passages if each.score >= list_lines.LEAST or any(line.why for line in each.lines))
    return fits or passages


def _with_gone(made: Result, all_: FullIndex, budget: int, advice: str) -> Answer:
    """Return an answer whose lines have their own paths, and say by document and row where they last stood."""
    passages: list[Passage] = []
    gone: dict[str, Removal] = {}
    for passage in made.passages:
        known = all_.gone.get(passage.best.path)
        lines = tuple(all_.shown(line) for line in passage.lines)
        if known is None:
            passages.append(passage)
            continue
        gone.update({_key(line): known for line in lines})
        passages += forms.runs(lines, _is_next)
    passages.sort(key=lambda passage: -passage.score)
    return Answer(made._replace(passages=tuple(passages)), budget, None, gone, advice)


def _shorter(passage: Passage) -> Passage | None:
    """Return a passage without the line that is worth least, None for nothing left."""
    least = min(passage.lines, key=lambda line: line.score)
    # In the middle it would tear it.
    ends = [line for line in (passage.lines[-1], passage.lines[0]) if line is not passage.best]
    left = [line for line in passage.lines if line is not (min(ends, key=lambda line: line.score) if ends else least)]
    return passage._replace(lines=tuple(left)) if left else None


def _note(more: int, budget: int) -> tuple[str, ...]:
    return (f"({several(more, 'more line')} did not fit the budget of {budget:,} tokens)",) if more else ()


def _is_next(before: PassageLine, line: PassageLine) -> bool:
    """Return whether a line is of the same entry as the one before or of the next: of what is gone no more is known."""
    return 0 <= _ordinal(line.addresses[:1]) - _ordinal(before.addresses[-1:]) <= 1


def _is_of_one_instance(before: PassageLine, line: PassageLine) -> bool:
    first, second = ({address.partition(".")[0] for address in each.addresses} for each in (before, line))
    return bool(first & second) or first == second


def _ordinal(addresses: tuple[str, ...]) -> int:
    return int(addresses[0].rpartition(".")[2]) if addresses else 0


def _written(passage: Passage, gone: Mapping[str, Removal]) -> str:
    best = passage.best
    tiers = [best.tier, *(form.partition(":")[0] for line in passage.lines for form in line.also)]
    kind = best.kind if best.kind != "note" and not best.text.casefold().startswith(best.kind) else ""
    why = _why(passage)
    matches = [word for word in why if word not in forms.NOTES]
    fits = f"matches {', '.join(matches)}" if matches else "".join(why)
    if best.score >= forms.NAMED:
        fits = "asked for by name"
    sources = dict.fromkeys(forms.attribution(source) for source in _sources(passage))
    day, tiers_ = dates.spoken(best.day), ", ".join(dict.fromkeys(tiers))
    parts = (passage.address, day, tiers_, kind, passage.under, *sources, fits)
    head = " · ".join(filter(None, parts))
    if removal := gone.get(_key(best)):
        last = f"{removal.last[:_SHA]}:{removal.path}" if removal.last else removal.path
        since = f"since {dates.spoken(removal.since)} (commit {removal.by[:_SHA]})" if removal.by else _UNTOLD
        head += f"\n  gone {since}; last in {last}"
    return "\n".join((head, *_lines(passage)))


def _sources(passage: Passage) -> list[str]:
    """Return what the lines that are read are from; without a person where others speak, too: his lines say it."""
    sources = dict.fromkeys(line.source for line in itertools.chain(*passage.halves))
    if len(sources) > 1:
        sources.pop(_PERSON, None)
    return list(sources)


def _lines(passage: Passage) -> Iterator[str]:
    """Yield the lines of a passage; of several entries each with its address, of one instance with the end of that."""
    begin, above = passage.halves
    several = len({line.addresses for line in (*begin, *above)}) > 1
    is_one = len({address.partition(".")[0] for line in passage.lines for address in line.addresses}) == 1
    sources = _sources(passage)
    before: tuple[str, ...] = ()
    for line in (*begin, *above):
        if line is next(iter(above), None):
            yield f"  {forms.BEFORE}"
        lead = f"{line.addresses[0]} " if several and line.addresses not in ((), before) else ""
        lead = f".{lead.partition('.')[2]}" if lead and is_one else lead
        first, *rest = _move_once(line) if kinds.event_record(line.kind) else _with_state(line)
        speaker = forms.attribution(line.source) if lead and line.source == _PERSON != sources[0] else ""
        yield " ".join(filter(None, (f"  {lead}{first}", speaker and f"({speaker})")))
        yield from (f"    {other.strip()}" for other in rest)
        before = line.addresses


def _with_state(line: PassageLine) -> list[str]:
    """Return the lines of an entry with its state: of a record that was asked for by name also that it holds."""
    first, *rest = line.shown.split("\n")
    holds = kinds.ENTRIES[line.kind].born if line.score >= forms.NAMED and kinds.is_record(line.kind) else ""
    state = line.state or holds
    return [f"{first} ({state})" if state else first, *rest]


def _move_once(line: PassageLine) -> list[str]:
    """Return the lines of an entry that moves a record: its title says which, and to what; its state is that move."""
    first, *rest = line.shown.split("\n")
    fields = [(other, *other.strip().split(": ", 1)) for other in rest]
    repeats = [field for field in fields if field[1] in _MOVE and field[-1].partition(" ")[0] in first.split()]
    to, by = (next((field[-1] for field in fields if field[1] == name), "") for name in ("to", "by"))
    own = f"{to} by {by}" if by else f"{to} in {''.join(line.addresses[:1])}"
    state = f" ({line.state})" if line.state not in ("", to) and not line.state.startswith(own) else ""
    return [first + state, *(field[0] for field in fields if field not in repeats)]


def _why(passage: Passage) -> tuple[str, ...]:
    """Return the words of the passage, as they stand there, that the question has too."""
    wanted = dict.fromkeys(term for line in passage.lines for term in line.why)
    spelled: dict[str, str] = {}
    for line in passage.lines:
        for token in _GAP.split(line.text) if wanted else ():
            whole = "" if has_wide(token) else token.strip(_MARKS).lower()
            for term in words.terms(token):
                spelled.setdefault(term, whole)
    shared: list[str] = []
    for term in wanted:
        if shared and has_wide(term) and shared[-1][-1] == term[0]:  # pairs of characters that overlap
            shared[-1] += term[1:]
        else:
            shared.append(spelled.get(term) or term)
    return tuple(dict.fromkeys(shared))[:_WHY]


def _key(line: PassageLine) -> str:
    return f"{line.place[0]}.{line.place[1]}"


def _budget(typed: str) -> int:
    if not typed.strip():
        return search.BUDGET
    digits = typed.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < _DIGITS and int(digits) >= _LEAST_BUDGET):
        raise UsageError(f"--budget is {typed[:_DIGITS]!r} (would be right: a whole number from {_LEAST_BUDGET})")
    return int(digits)


def _limits(asked: Query, today: str) -> Limits:
    tiers = tuple(_of(asked.tier, _TIERS, "tier"))
    named = tuple(_of(asked.kind, kinds.names(), "kind"))
    if not asked.since.strip():
        return Limits(tiers, named)
    from sleep.recall.past import moment  # late: git is asked of the past only  # noqa: PLC0415

    return Limits(tiers, named, moment.day(asked.since, today))


def _of(typed: Sequence[str], known: Sequence[str], what: str) -> list[str]:
    """Return the words of a repeated flag, each of which may be a list with commas."""
    words = [word.strip().casefold() for value in typed for word in value.split(",") if word.strip()]
    named = [kinds.spelt(word).replace("-", " ").replace("_", " ") for word in words]
    for word in named:
        if word not in known:
            shown = ", ".join(name for name in known if not kinds.event_record(name))
            raise UsageError(f"there is no {what} {word!r} (would be right: {shown})")
    return list(dict.fromkeys(named))


def _advice(asked: Query, made: Result, *, has_model: bool) -> str:
    """Return what may help where nothing surely fits; other words do not where that is all there is to say."""
    limits = [f"in {', '.join((*asked.tier, *asked.kind))} only"] if asked.tier or asked.kind else []
    limits += [f"since {asked.since}"] if asked.since else []
    limits += [f"in the project {asked.project} only"] if asked.project else []
    looked = f"It was looked for {' and '.join(limits)}." if limits else ""
    past = "" if asked.whole_past or asked.at else "--ever looks in what is gone, too."
    again = () if made.is_exact else (_AGAIN,) if has_model else (_AGAIN, _OFFER)
    return " ".join(filter(None, (looked, past, *again)))
