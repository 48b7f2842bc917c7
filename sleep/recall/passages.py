"""What recall answers with: passages that fit a budget, or that nothing fits.

Owns the values, the choice of rows within a budget, and their one written form. A row beside one that was chosen joins
its passage: what was said together is read together. Refuses to read the index: rows are handed in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import entries, main_page
from sleep.language import dates, tokens
from sleep.recall.index.rows import HEADING
from sleep.records import topic
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

NAMED = 500.0  # the least score of what was asked for by its address or number
_FIRST = 1_000  # tokens of an answer that are read first
_PATIENCE = 40  # rows in a row that do not fit, after which no more are tried
_LEAST = 8  # tokens of a row that is cut to fit
MEANS = "means nearly the same"  # why a row was found that shares no word with the question,
REPLACES = "took the place of what has the words"  # or a record before the one that it superseded
NOTES = (MEANS, REPLACES)
_TWO = 2  # addresses, from which on they are a range or a list
_HEADINGS, _NAME = 2, 40  # that are shown of those above a line, and characters of each
_LONG, _ECHO = 8, 0.85  # words of a line that can be an echo, and the share of them that another line has
_RANGE, _END = 0.75, 0.25  # tokens of the end of a range of addresses, of a line feed
_LEADS_ON = (":", "：", "?", "？")  # ends of a line that the next one answers: neither is understood alone
_LESS = 0.05  # of the best line's score, by which a line that is about as good may have less
BEFORE = "Before it:"  # stands above the lines of a passage that are before the one that it begins with


class PassageLine(NamedTuple):
    """A row as it can be shown.

    `place` is (document, row); `also` are the other forms of the same entry (`warm: memory/warm/auth.md`); `state` says
    that it no longer binds (`superseded by i9abc.4`); `why` are the words of the question that it has, or a note of
    `NOTES`; `line` is where it begins in its document, from 1; `under` are the headings above it by place, the
    outermost first; `source` is who said it (`person`), "" for the instance that wrote it down.
    """

    place: tuple[int, int]
    text: str
    addresses: tuple[str, ...]
    path: str
    tier: str
    kind: str
    day: str
    score: float
    why: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    state: str = ""
    line: int = 0
    under: tuple[tuple[tuple[int, int], str], ...] = ()
    source: str = ""

    @property
    def shown(self) -> str:
        """The text as it is shown: a heading has its sign."""
        return f"# {self.text}" if self.kind == HEADING else self.text

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing: a heading with no word of the question, a place for words, or a tone check."""
        is_check = self.kind == "tone" and self.text.startswith(entries.TONE_CHECK) and self.score < NAMED
        if is_check or main_page.is_placeholder(self.text):
            return True
        return self.kind == HEADING and not self.why and not topic.from_heading(self.text)


class Passage(NamedTuple):
    """Lines that stand together in one document, in their order; `score` is that of the best of them.

    It is read from the line that it was found for on; what stands before that line comes last (`halves`).
    """

    lines: tuple[PassageLine, ...]

    @property
    def best(self) -> PassageLine:
        """The line that the passage was found for."""
        return self.lines[0] if len(self.lines) == 1 else max(self.lines, key=lambda line: line.score)

    @property
    def score(self) -> float:
        """The score of the best line."""
        return self.best.score

    @property
    def address(self) -> str:
        """The addresses from the first to the last: `i7qxk.3`, `i7qxk.3-5`; the path where there are none.

        Those of a fragment that several entries became are no range: what stands between them is not shown.
        """
        addresses = self.addresses
        if len(addresses) < _TWO:
            return addresses[0] if addresses else self.lines[0].path
        first, last = addresses[0], addresses[-1]
        instance = first.rpartition(".")[0]
        is_merged = any(len(line.addresses) > 1 for line in self.lines)
        is_run = not is_merged and all(address.rpartition(".")[0] == instance for address in addresses)
        return f"{first}-{last.rpartition('.')[2]}" if is_run else " ".join(addresses)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of its entries, in order."""
        if len(self.lines) == 1:
            return self.lines[0].addresses
        return tuple(dict.fromkeys(address for line in self.lines for address in line.addresses))

    @property
    def head(self) -> str:
        """The line above it: address, tier unless it is the journal, other forms, and what has become of it."""
        best = self.best
        also = sorted({form.partition(":")[0] for line in self.lines for form in line.also})
        parts = (
            self.address,
            "" if best.tier == "journal" else best.tier,
            f"also {', '.join(also)}" if also else "",
            self.under,
            *dict.fromkeys(attribution(line.source) for line in self.lines if line.source),
            *dict.fromkeys(line.state for line in self.lines if line.state),
        )
        return " · ".join(filter(None, parts))

    @property
    def under(self) -> str:
        """The last headings that the best line stands under, of those that are not read as lines."""
        if not (above := self._above):
            return ""
        shown = {line.place for line in self.lines if not _fits_head(line)}
        return " › ".join([cut_short(name) for place, name in above if place not in shown][-_HEADINGS:])

    @property
    def _above(self) -> tuple[tuple[tuple[int, int], str], ...]:
        """The headings above the line that the passage begins with, by place: the best line itself, if it is one."""
        best = self.best
        is_head = best is not self.lines[-1] and _fits_head(best)
        return (*best.under, (best.place, best.text)) if is_head else best.under

    @property
    def halves(self) -> tuple[tuple[PassageLine, ...], tuple[PassageLine, ...]]:
        """The lines from the one on that answers, and those before it; headings that the head names are in neither."""
        if len(self.lines) == 1:
            return self.lines, ()
        above = self._above
        named = {place for place, _ in above[-_HEADINGS:]}
        lines = [line for line in self.lines if not (line.place in named and _fits_head(line))]
        best = self.best
        least = best.score - _LESS * abs(best.score)
        at = next((at for at, line in enumerate(lines) if line.score >= least or line.place > best.place), 0)
        while at and _leads_on(lines[at - 1]):
            at -= 1
        return tuple(lines[at:]), tuple(lines[:at])

    @property
    def text(self) -> str:
        """The passage as it is shown: the line that it was found for has the day."""
        begin, before = self.halves
        mark = (BEFORE,) if before else ()
        return "\n".join((self.head, *map(self.shown, begin), *mark, *map(self.shown, before)))

    def shown(self, line: PassageLine) -> str:
        """Return a line as it is shown here: the one that the passage was found for begins with its day."""
        return f"{dates.spoken(line.day)}: {line.shown}" if line is self.best and line.day else line.shown


def attribution(source: str) -> str:
    """Return who said something, as it is shown."""
    return f"said by {'a person' if source == 'person' else 'an agent'}" if source in ("person", "agent") else source


def _fits_head(line: PassageLine) -> bool:
    """Return whether a line is a heading that can be named in the head of a passage, whole."""
    return line.kind == HEADING and not line.addresses and len(line.text) <= _NAME


def _leads_on(line: PassageLine) -> bool:
    """Return whether the line below is not understood without this one: a heading, a question, what ends in a colon."""
    return line.kind == HEADING or line.text.rstrip("*_ ").endswith(_LEADS_ON)


def cut_short(name: str, most: int = _NAME) -> str:
    """Return a heading, or a line of so many characters at most, cut at a word where it is long."""
    return name if len(name) <= most else f"{name[:most].rpartition(' ')[0] or name[:most]}…"


class Result(NamedTuple):
    """The answer to a question.

    `nothing` says why nothing surely fits: without passages nothing does at all, else they are the nearest. `covered`
    is the share of the question's words, by worth, at the best place; `corrected` are the words that were read as
    others; `more` counts rows that did not fit the budget; `note` says which records the passages are, where a question
    asks for all of a kind. `is_exact`: that there is nothing is all there is to say: other words would find no more.
    """

    question: str
    passages: tuple[Passage, ...]
    nothing: str = ""
    covered: float = 0.0
    corrected: tuple[tuple[str, str], ...] = ()
    more: int = 0
    note: str = ""
    is_exact: bool = False

    @property
    def text(self) -> str:
        """The answer as it is shown, best first."""
        return "\n\n".join((*self.lead, *(passage.text for passage in self.passages)))

    @property
    def lead(self) -> tuple[str, ...]:
        """What stands above the passages: that nothing fits, or that what follows may not."""
        if not self.passages:
            return (f"Nothing in this memory fits: {self.nothing}.",)
        return (unsure_notice(self.nothing),) if self.nothing else tuple(filter(None, (self.note,)))


def unsure_notice(why: str) -> str:
    """Return what stands above lines that may not answer."""
    return f"Nothing surely fits: {why}. The nearest:"


def pack(lines: Iterable[PassageLine], budget: int) -> tuple[list[Passage], int]:
    """Return the passages of the best lines that fit so many tokens, best first, and how many lines did not fit.

    `lines` come best first and are only taken while there is room. The first thousand tokens are what a budget of a
    thousand gives: who reads no further has read the best, for what comes later is not joined with it. What was said
    already in nearly the same words is passed over.
    """
    whole: list[dict[tuple[int, int], PassageLine]] = [{}]
    left = float(budget)
    missed = failed = 0
    echoes = _Echoes()
    for line in lines:
        if len(whole) == 1 and left < budget - _FIRST:
            whole.append({})
        chosen = whole[-1]
        if line.is_empty or _is_loose(line, chosen):
            continue
        cost = _cost(line, chosen)
        if cost > left:
            missed += 1
            failed += 1
            if not any(whole) and (short := _clipped(line, left)):
                return [Passage((short,))], missed
            if failed >= _PATIENCE:
                break
            continue
        failed = 0
        if not echoes.has(line):
            chosen[line.place] = line
            left -= cost
    passages = _joined(whole)
    while passages and tokens.count("\n\n".join(passage.text for passage in passages)) > budget:
        next(filter(None, reversed(whole))).popitem()  # the last is the least
        missed += 1
        passages = _joined(whole)
    return passages, missed


def _is_loose(line: PassageLine, chosen: Container[tuple[int, int]]) -> bool:
    """Return whether a line is a heading without a word of the question, and what stands below it is not shown."""
    document, row = line.place
    return line.kind == HEADING and not (line.why or line.addresses or (document, row + 1) in chosen)


class _Echoes:
    """The words of the lines that are shown: what says nearly the same again is known by them."""

    def __init__(self) -> None:
        self._sets: list[frozenset[str]] = []
        self._all: set[str] = set()

    def has(self, line: PassageLine) -> bool:
        """Return whether one line has nearly all words of this one, which is else noted; a short one is never told."""
        own = frozenset(line.text.casefold().split())
        least = _ECHO * len(own)
        # Most lines have words that no line so far has: then none need be compared.
        is_near = len(own) >= _LONG and len(own & self._all) >= least
        if is_near and any(len(own & shown) >= least for shown in self._sets):
            return True
        self._sets.append(own)
        self._all |= own
        return False


def _cost(line: PassageLine, chosen: Container[tuple[int, int]]) -> float:
    """Return the tokens that a line takes beside those that were chosen."""
    document, row = line.place
    beside = ((document, row - 1) in chosen) + ((document, row + 1) in chosen)
    # A line that joins two passages saves a heading; the first that joins makes it longer.
    head = 0.0 if beside == 1 else _head(line)
    return tokens.share(line.shown) + _END + (_RANGE if beside else 0) + head * (1 - beside)


def _joined(whole: Sequence[dict[tuple[int, int], PassageLine]]) -> list[Passage]:
    parts = ([chosen[place] for place in sorted(chosen)] for chosen in whole)
    return [passage for lines in parts for passage in sorted(runs(lines, _is_next), key=lambda passage: -passage.score)]


def _head(line: PassageLine) -> float:
    """Return the tokens of the heading that a line takes by itself, with the blank line before it."""
    return tokens.share(Passage((line,)).head) + tokens.share(dates.spoken(line.day)) + 4 * _END


def _clipped(line: PassageLine, left: float) -> PassageLine | None:
    """Return a line that is too long for any budget of this size, cut at a word."""
    room = int(left - tokens.count(Passage((line,)).head) - 2)
    if room < _LEAST:
        return None
    text = line.text[: room * 4]
    while text:
        short = line._replace(text=f"{text.rpartition(' ')[0] or text}…")
        if tokens.count(text) <= room and tokens.count(Passage((short,)).text) <= left:
            return short
        text = text[: len(text) * 3 // 4]
    return None


def runs(lines: Iterable[PassageLine], goes_on: Callable[[PassageLine, PassageLine], bool]) -> Iterator[Passage]:
    """Yield lines as passages, in each of which every line goes on from the one before."""
    run: list[PassageLine] = []
    for line in lines:
        if run and not goes_on(run[-1], line):
            yield Passage(tuple(run))
            run = []
        run.append(line)
    if run:
        yield Passage(tuple(run))


def _is_next(before: PassageLine, line: PassageLine) -> bool:
    return (before.place[0], before.place[1] + 1) == line.place


def to_json(passages: Sequence[Passage]) -> list[dict[str, object]]:
    """Return passages as values for JSON."""
    return [
        {
            "address": passage.address,
            "addresses": list(passage.addresses),
            "path": passage.best.path,
            "line": passage.best.line,
            "date": passage.best.day,
            "tier": passage.best.tier,
            "kind": passage.best.kind,
            "under": [name for _, name in passage.best.under],
            "source": passage.best.source,
            "score": round(passage.score, 3),
            "why": list(passage.best.why),
            "also": sorted({form for line in passage.lines for form in line.also}),
            "state": "; ".join(dict.fromkeys(line.state for line in passage.lines if line.state)),
            "lines": [line.text for line in passage.lines],
            "begins": passage.lines.index(passage.halves[0][0]),
            "entries": [
                {"addresses": list(line.addresses), "kind": line.kind, "state": line.state} for line in passage.lines
            ],
        }
        for passage in passages
    ]
