"""The deterministic compressor: whole sentences of the fragments, chosen to say most for their length.

Owns the choice: what repeats is merged, each fragment is cut into its sentences, and budgeted coverage of their terms
decides which stay. Writes no word of its own. A sentence that stays keeps the label it stands under (`**Fix:** ...`).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.compression import coverage
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE, Answer, Fate
from sleep.language import anaphora, salience, sentences, similarity, term_weights, tokens
from sleep.language.acts import no_records
from sleep.records import classification
from sleep.records.fragment import Fragment, render
from sleep.records.kinds import priority
from sleep.redaction import untrusted
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from sleep.compression.contract import Present, Request

NAME = "extractive/5"
FAMILY = NAME.partition("/")[0] + "/"  # what the names of all its versions begin with
# What each idea adds is measured by leaving it out (`sleepwake bench.memory --ablate`).
IDEAS = ("sentences", "coverage", "forms", "acts", "kinds", "reuse", "merging")
LESS = "over the budget: it says less for its length"
MADE_ROOM = "made room: others say more for their length"
_NORMAL = re.compile(r"[\W_]+")
# `[D3:12] **Ana:** `, `**Root cause:** `, and the same without the signs.
_LEAD = re.compile(
    r"(?:[-*+] +|\d{1,9}[.)] +)?(?:\[[^\]\n]{1,24}\] +)?"
    r"(?:(?:\*\*|__)[^*_\n]{1,48}(?:\*\*|__):? +|[^\W\d_][\w.'’/-]*(?: [\w.'’/-]+){0,3}: +)?"
)
# A label within a text: of `**Task:** Move it **Outcome:** Moved. It holds.` the last sentence stands under the second.
_LABEL = re.compile(r"(?<=\s)(?:\*\*[^*_\n]{1,48}(?::\*\*|\*\*:)|__[^*_\n]{1,48}(?::__|__:))\s+")
_BOLD = re.compile(r"\*\*|__")
# By priority: what is lost last counts for more. Tone, blockers and tasks; insights and dead ends; the rest.
_WORTH = {0: 4.0, 1: 4.0, 2: 4.0, 3: 3.0, 4: 2.0}
_SAYING = frozenset({"files", "error", "change"})  # `Files` alone says nothing, nor does an error without its change
_VERBATIM = frozenset({"tone", "handoff"})
_EFFORT = 2.0  # tokens that one more line costs its reader
_REUSE = 8.0  # what a name that is sure to return is worth, beside a word
_MARGIN, _SPACE = 0.5, 0.25  # of a token: for rounding up each line that may be shortened, and between sentences
_MOST = 16  # addresses from which on a fragment gains none by a repetition: they stand in no budget
_SHORT = 60  # tokens of prose below which nothing is cut out of it: two sentences said together are one thought
_COVERED = 0.8  # of a fragment's terms, from which on what is kept says it
_FEWEST = 4  # terms without which nothing can be told of them
_CAPTION = 0.2  # what only names other words is worth, beside a plain fragment
_LIVED = 2.0  # what an instance says itself is worth, beside what a document says that was taken in
_PAST = 0.2  # what a superseded fragment is worth, beside another


class Cut(NamedTuple):
    """A fragment's text: its label, its sentences as runs (start, end) of the text, and which lean on which.

    `labels` are runs as well: of each sentence the label that it stands under, empty where it begins with one.
    """

    lead: str
    runs: tuple[tuple[int, int], ...]
    labels: tuple[tuple[int, int], ...]
    leans: Mapping[int, int] = coverage.NO_LEANS

    def spans(self, parts: Iterable[int]) -> tuple[tuple[int, int], ...]:
        """Return the runs of some sentences, in their order, with a label before the first that stands under it."""
        spans: list[tuple[int, int]] = []
        for part in parts:
            label = self.labels[part]
            if label[1] > label[0] >= (spans[-1][1] if spans else 0):
                spans.append(label)
            spans.append(self.runs[part])
        return tuple(spans)


def cost(fragment: Fragment) -> int:
    """Return the tokens of a fragment as it is written in a tier."""
    return tokens.count(render(fragment))


def density(fragment: Fragment) -> float:
    """Return how much a fragment says for its length: the worth of its terms by its tokens."""
    return _worth(fragment) * sum(term_weights.terms(fragment.text).values()) / cost(fragment)


def full_text(fragment: Fragment) -> str:
    """Return all that a fragment says: its text, and the fields that say what its text does not."""
    further = _further(fragment)
    return f"{fragment.text} {further}" if further else fragment.text


def _further(fragment: Fragment) -> str:
    if not fragment.fields:
        return ""
    return " ".join(value for name, value in fragment.fields if name in _SAYING)


@lru_cache(maxsize=1 << 11)
def normal(text: str) -> str:
    """Return a text's words alone, folded: two fragments with the same are one."""
    return _NORMAL.sub(" ", text.casefold()).strip()


def compress(request: Request, without: frozenset[str] = frozenset()) -> Answer:
    """Return the fragments of a request that fit its budget, shortened where some of their sentences say it.

    See `contract.Compressor`. `without` names `IDEAS` to leave out.
    """
    candidates = request.candidates
    into = {} if "merging" in without else _find_repetitions(candidates, request.present)
    own = [index for index in range(len(candidates)) if index not in into]
    fragments = (*request.standing, *(candidates[index] for index in own))
    cuts = [cut(fragment.text, whole=_is_whole(fragment, without)) for fragment in fragments]
    lines = [_line(*pair, without, request) for pair in zip(fragments, cuts, strict=True)]
    chosen = _choose(lines, request, cuts, without)
    outcomes = list(map(_fate_with, fragments, cuts, chosen))
    count = len(request.standing)
    leaving = [fragment for fragment, outcome in zip(request.standing, outcomes, strict=False) if not outcome]
    stay = {index: outcome for index, outcome in zip(own, outcomes[count:], strict=True) if outcome}
    fates = _fates(candidates, into, stay, leaving)
    if not request.room:
        return Answer(fates, NAME)
    standing = (
        outcome or Fate(fragment, DROPPED, None, MADE_ROOM)
        for fragment, outcome in zip(request.standing, outcomes, strict=False)
    )
    return Answer(fates, NAME, standing=tuple(standing))


def _fates(
    candidates: Sequence[Fragment],
    into: Mapping[int, int],
    stay: Mapping[int, Fate],
    leaving: Sequence[Fragment],
) -> tuple[Fate, ...]:
    """Return what becomes of each candidate.

    Args:
        candidates: the fragments.
        into: which candidate repeats which, as `_find_repetitions` returns it.
        stay: by candidate, the fates of those that stay; what repeats them gives them its addresses.
        leaving: the standing fragments that make room.
    """
    after = {index: outcome.after for index, outcome in stay.items() if outcome.after}
    for index, other in into.items():
        if other in after and len(after[other].addresses) < _MOST:
            after[other] = after[other].with_addresses(candidates[index])
    sayers = _sayers(after)
    fates = []
    for index, fragment in enumerate(candidates):
        first = into.get(index)
        if index in after:
            fates.append(stay[index]._replace(after=after[index]))
        elif first is None:
            fates.append(Fate(fragment, DROPPED, None, _why(fragment, sayers)))
        elif first in after:
            fates.append(Fate(fragment, MERGED, after[first], str(candidates[first].identity)))
        elif first >= 0:
            over = f"over the budget, as {candidates[first].identity}, which it repeats"
            fates.append(Fate(fragment, DROPPED, None, over))
        elif any(_same(fragment, other) for other in leaving):
            fates.append(Fate(fragment, DROPPED, None, "over the room, with what it repeats"))
        else:
            fates.append(Fate(fragment, MERGED, None, "what stands there already"))
    return tuple(fates)


def _choose(
    lines: Sequence[coverage.Line], request: Request, cuts: Iterable[Cut], without: frozenset[str]
) -> list[tuple[int, ...]]:
    """Return the sentences of each line that say most together within the room: all, where all has room."""
    room = request.room or request.budget
    if sum(line.overhead + sum(part.cost for part in line.parts) for line in lines) <= room:
        return [tuple(range(len(line.parts))) for line in lines]
    times = Counter(term for cut_ in cuts for term in term_weights.terms(cut_.lead))  # labels say their terms anyway
    fade = 1.0 if "coverage" in without else coverage.FADE
    return coverage.choose(lines, room, spoken=times, fade=fade, effort=_EFFORT)


def _fate_with(fragment: Fragment, cut_: Cut, parts: Sequence[int]) -> Fate | None:
    """Return the fate of a fragment with some of its sentences, None where none is chosen."""
    if not parts:
        return None
    fate = WHOLE if len(parts) == len(cut_.runs) else SHORTENED
    return Fate(fragment, fate, _shortened(fragment, cut_, parts), "", cut_.spans(parts))


def fitting(fragments: Sequence[Fragment], request: Request) -> frozenset[int]:
    """Return the indexes of the fragments that say most together within the room of a request, each whole."""
    plain_ = request._replace(name_worths=salience.NOTHING)
    lines = [_line(own, cut(own.text, whole=True), frozenset({"sentences"}), plain_) for own in fragments]
    return frozenset(index for index, parts in enumerate(coverage.choose(lines, request.room)) if parts)


@lru_cache(maxsize=1 << 11)  # what stands in a tier is cut again in each cycle
def cut(text: str, *, whole: bool = False) -> Cut:
    """Cut a text on one line into its label and its sentences; `whole` leaves it in one."""
    label = _LEAD.match(text)
    at = label.end() if label and label.end() < len(text) else 0
    if whole:
        return Cut(text[:at], ((at, len(text)),), ((0, at),))
    runs = tuple((at + start, at + end) for start, end in sentences.spans(text[at:])) or ((at, len(text)),)
    labels = _labels(text, runs)
    # What stands under a label within the text answers how it begins: an outcome without its task says half.
    leans = {index: 0 for index in range(1, len(runs)) if max(labels[index]) > at}
    leans |= {index: index - 1 for index in range(1, len(runs)) if anaphora.leans(text[slice(*runs[index])])}
    return Cut(text[: runs[0][0]], runs, labels, leans)


def _labels(text: str, runs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return for each sentence the run of the label that it stands under."""
    begin = runs[0][0]
    if ":" not in text[begin:] or not _BOLD.search(text, begin):
        return ((0, begin),) * len(runs)
    inner = [(0, begin), *(label.span() for label in _LABEL.finditer(text, begin))]
    starts = {start for start, _ in inner[1:]}
    above = (max(label for label in inner if label[1] <= max(start, begin)) for start, _ in runs)
    return tuple((start, start) if start in starts else label for (start, _), label in zip(runs, above, strict=True))


def _is_whole(fragment: Fragment, without: frozenset[str]) -> bool:
    is_exact = fragment.kind in _VERBATIM or untrusted.is_marked(fragment.text)
    return is_exact or bool(fragment.fields) or "sentences" in without or _is_short(fragment.text)


@lru_cache(maxsize=1 << 13)
def _is_short(text: str) -> bool:
    """True for prose of one thought; what somebody said in a conversation (`Ana: ...`) has greetings around it."""
    if tokens.count(text) >= _SHORT:
        return False
    label = _LEAD.match(text)
    return not (label and label[0].strip()) or bool(classification.label_kind(text))


def _line(fragment: Fragment, cut_: Cut, without: frozenset[str], request: Request) -> coverage.Line:
    names = request.name_worths
    worth = 1.0 if "kinds" in without else _worth(fragment)
    if not request.lived.isdisjoint(fragment.instances):
        worth *= _LIVED
    parts = []
    for start, end in cut_.runs:
        sentence = fragment.text[start:end]
        times = worth if "acts" in without else worth * term_weights.factor(sentence)
        terms = _weighed(sentence, times, form="forms" not in without)
        if names and "reuse" not in without:
            terms = {**terms}
            value = _REUSE * times
            for name, chance in salience.worth(sentence, names).items():
                terms[name] = terms.get(name, 0.0) + value * chance
        if fragment.fields and start == cut_.runs[0][0] and (further := _further(fragment)):
            terms = {**{term: times * form for term, form in term_weights.terms(further).items()}, **terms}
        parts.append(coverage.Part(terms, tokens.share(sentence) + _SPACE))
    if _is_whole(fragment, without):
        all_of_it = cost(_shortened(fragment, cut_, range(len(cut_.runs))))
        return coverage.Line(tuple(parts), all_of_it - sum(part.cost for part in parts), whole=True)
    label = render(fragment._replace(text=plain(max((fragment.text[slice(*run)] for run in cut_.labels), key=len))))
    return coverage.Line(tuple(parts), tokens.share(label) + _MARGIN, leans=cut_.leans)


@lru_cache(maxsize=1 << 11)  # what stands in a tier is weighed again in each cycle
def _weighed(sentence: str, times: float, *, form: bool) -> Mapping[str, float]:
    """Return the terms of a sentence, each with what it is worth where a plain one is worth `times`."""
    return {term: times * (worth if form else 1.0) for term, worth in term_weights.terms(sentence).items()}


def _worth(fragment: Fragment) -> float:
    worth = _WORTH.get(priority(fragment.kind), 1.0) * (_PAST if fragment.is_superseded else 1.0)
    return worth if fragment.is_record or not no_records.is_caption(fragment.text) else worth * _CAPTION


def plain(lead: str) -> str:
    """Return a label without the signs that make it bold."""
    return _BOLD.sub("", lead)


def _shortened(fragment: Fragment, cut_: Cut, parts: Sequence[int]) -> Fragment:
    """Return the fragment with some of its sentences, as they stand, under their labels."""
    return fragment._replace(text=shortened(fragment.text, cut_, parts).strip())


def shortened(text: str, cut_: Cut, parts: Iterable[int]) -> str:
    """Return some sentences of a text under their labels, the first of which is not bold any more."""
    words, before = "", 0
    for start, end in cut_.spans(parts):
        run = plain(text[start:end]) if not words and (start, end) in cut_.labels else text[start:end]
        words += run if start == before or not words or words[-1].isspace() else f" {run}"
        before = end
    return words


def sayings(fragment: Fragment) -> Iterator[Hashable]:
    """Yield what leads to a fragment from one that repeats it: its words, of prose also its kind with its `leads`."""
    if not fragment.is_superseded:
        text = full_text(fragment)
        yield normal(text)
        if not fragment.is_record:
            yield from ((fragment.kind, *lead) for lead in similarity.leads(text))


def repetitions(request: Request) -> tuple[tuple[int, int], ...]:
    """Return which candidates of a request repeat which, -1 for what stands there: all that it takes of `present`."""
    return tuple(sorted(_find_repetitions(request.candidates, request.present).items()))


def _find_repetitions(candidates: Sequence[Fragment], present: Present) -> dict[int, int]:
    """Return which candidate repeats which: its index and the other's, -1 for what stands in memory already.

    Of two candidates the one that says more stays, of two that say the same in other words the newer one.
    """
    first: dict[str, int] = {}
    into: dict[int, int] = {}
    led: dict[Hashable, list[int]] = {}
    for index, fragment in enumerate(candidates):
        text = normal(full_text(fragment)) or fragment.text
        if fragment.is_superseded:
            continue
        if present.has(text):
            into[index] = -1
        elif text in first:
            into[index] = first[text]
        else:
            first[text] = index
            if not fragment.fields:
                leads = [(fragment.kind, *lead) for lead in similarity.leads(fragment.text)]
                near = sorted({at for lead in leads for at in led.get(lead, ())})
                _note_repetitions(index, candidates, near, present, leads, into)
                for lead in leads:
                    led.setdefault(lead, []).append(index)
    return {index: _last(into, index) for index in into}


def _same(fragment: Fragment, other: Fragment) -> bool:
    return normal(full_text(fragment)) == normal(full_text(other)) or similarity.repeats(
        full_text(fragment), full_text(other)
    )


def _note_repetitions(
    index: int,
    candidates: Sequence[Fragment],
    near: Iterable[int],
    present: Present,
    leads: Iterable[Hashable],
    into: dict[int, int],
) -> None:
    """Note whether a candidate says what stands in memory, or one that is `near` it; or is said by that."""
    text = full_text(candidates[index])
    if present.has(*leads, fits=lambda other: similarity.repeats(text, full_text(other))):
        into[index] = -1
        return
    for at in near:
        if at in into:
            continue
        other = full_text(candidates[at])
        if similarity.repeats(other, text):
            into[at] = index
        elif similarity.repeats(text, other):
            into[index] = at
            return


def _last(into: Mapping[int, int], index: int) -> int:
    while index in into:
        index = into[index]
    return index


def _sayers(fragments: Mapping[int, Fragment]) -> dict[str, Fragment]:
    """Return for each term the first kept fragment that says it."""
    sayers: dict[str, Fragment] = {}
    for fragment in fragments.values():
        for term in term_weights.terms(full_text(fragment)):
            sayers.setdefault(term, fragment)
    return sayers


def _why(fragment: Fragment, sayers: Mapping[str, Fragment]) -> str:
    """Return why a fragment was dropped: its words stand in one or two others, or it says less for its length."""
    terms = term_weights.terms(full_text(fragment)).keys()
    others = [sayers[term] for term in terms if term in sayers]
    most = sorted(dict.fromkeys(others), key=lambda other: (-others.count(other), str(other.identity)))[:2]
    while most and _share(terms, most[:-1]) >= _COVERED:
        most.pop()
    if len(terms) >= _FEWEST and _share(terms, most) >= _COVERED:
        return f"its words are said by {' and '.join(dict.fromkeys(str(other.identity) for other in most))}"
    return LESS


def _share(terms: Collection[str], others: Sequence[Fragment]) -> float:
    """Return the share of the terms that stand in these fragments."""
    there = {term for other in others for term in term_weights.terms(full_text(other))}
    return sum(term in there for term in terms) / max(1, len(terms))
