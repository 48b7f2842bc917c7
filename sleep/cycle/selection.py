"""What of the tiers a wake shows: the fragments that say most of what the next instance is likely to need.

Owns gathering what may be shown, and the choice: what must be shown first, then whatever is worth most for its length,
by what was spoken of often and lately (`salience`) and by what a task names. Refuses to write text: that is `reading`.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import coverage, extractive, salience, words
from sleep.cycle import hearing
from sleep.memory import address as addressing
from sleep.memory import paths, records
from sleep.memory.fragment import Fragment
from sleep.memory.kinds import priority
from sleep.text import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.cycle.view import View

_TASK = 4.0  # what a word of the task is worth, beside a name that is certain to be spoken of
_NAMED = 40.0  # and a record, address or topic that it names
_OPEN = 0.05  # what a record that binds is worth beside what it says
_ASKED = "?"
_LEAST, _LONGEST = 20, 400  # characters of a line of a journal that is shown
_UNTRUSTED = "tool (untrusted):"
_EFFORT = 6.0  # tokens: what a line costs its reader beside its words, so that the shortest are not preferred


class Placed(NamedTuple):
    """A fragment, where it stands, and its lines as they would be shown."""

    path: str
    fragment: Fragment
    text: str

    @property
    def must(self) -> bool:
        """True for what must be shown: a thread, question, doubt or constraint that is open."""
        return self.fragment.is_open and self.fragment.kind in records.MOVES and self.fragment.kind != "decision"

    @property
    def is_hot(self) -> bool:
        """True for what stands in hot memory."""
        return paths.tier_of(self.path) == "hot"

    @property
    def phase(self) -> str:
        """The phase of the wake that shows it: `hot`, `warm` (also for what cold memory was asked for), `journals`."""
        if paths.journal_number(self.path):
            return "journals"
        return "hot" if self.is_hot else "warm"

    @property
    def cost(self) -> float:
        """The tokens of its lines."""
        return tokens.share(self.text)


class Share(NamedTuple):
    """Tokens for fragments: of hot memory, of the rest, or of both."""

    hot: bool
    rest: bool
    budget: int

    def takes(self, one: Placed) -> bool:
        """True for a fragment that is paid for by this share."""
        return self.hot if one.is_hot else self.rest


def called_for(view: View, task: str) -> list[tuple[str, Fragment]]:
    """Return what cold memory holds under a topic, record number or address that the task names."""
    if not task.strip():
        return []
    named = handles(task)
    said = task.casefold()
    found = []
    for path in view.files(paths.COLD):
        whole = paths.topic_of(path).replace("-", " ") in said or paths.topic_of(path) in said
        if whole or named:
            found += [(path, one) for one in view.tier(path).fragments if whole or _is_named(one, named)]
    return found


def handles(task: str) -> frozenset[str]:
    """Return the addresses and record numbers that a task names."""
    return frozenset(map(str, addressing.addresses(task))) | {found[0] for found in addressing.NUMBER.finditer(task)}


def _is_named(fragment: Fragment, named: frozenset[str]) -> bool:
    return fragment.number in named or any(str(address) in named for address in fragment.addresses)


def told(view: View, placed: Sequence[tuple[str, Fragment]]) -> list[tuple[str, Fragment]]:
    """Return the lines of the last journals that memory does not hold as they are, newest journal first.

    What a record says is told by its register; what a tool printed, and code, is not shown.
    """
    known = {extractive.normal(one.text) for _, one in placed}
    known_records = {address for _, one in placed if one.kind in records.MOVES for address in one.addresses}
    found = []
    for path in reversed(_slept(view)[-salience.RECENT :]):
        for line in hearing.spoken(view, path):
            if line.address is None or line.address in known_records or not _LEAST <= len(line.text) <= _LONGEST:
                continue
            if line.text.startswith(_UNTRUSTED) or (words_ := extractive.normal(line.text)) in known:
                continue
            known.add(words_)
            if view.edits.overruling(line.address, line.text):
                continue  # a person changed it, or took it out
            found.append((path, Fragment("note", line.text, (line.address,), when=line.when)))
    return found


def _slept(view: View) -> list[str]:
    waiting = frozenset(view.unslept)
    return [path for path in view.journals if path not in waiting]


def heard(view: View, placed: Iterable[tuple[str, Fragment]]) -> dict[str, float]:
    """Return what each name and pair of names is worth, by what the instances spoke of that were slept on."""
    return hearing.heard(view, _slept(view)[-salience.RECENT :], placed)


def choose(
    placed: Sequence[Placed], known: Mapping[str, float], shares: Sequence[Share], task: str, first: int, said: str = ""
) -> frozenset[int]:
    """Return the indexes of the fragments to show.

    Args:
        placed: what may be shown.
        known: what the names are worth, as `heard`.
        shares: the tokens that may be spent; the first pays for what must be shown.
        task: what the instance is going to do, or "".
        first: tokens of the first share that what must be shown has to itself.
        said: what is shown anyway.
    """
    worths = _worths(placed, known, task)
    times = Counter(key for line in said.split("\n") for key in salience.worth(line, known))
    lines = [
        coverage.Line((coverage.Part(worth, one.cost),), 0, whole=True)
        for one, worth in zip(placed, worths, strict=True)
    ]
    chosen: set[int] = set()

    def take(indexes: Sequence[int], budget: float) -> float:
        """Choose among some within a budget; return what they cost."""
        offered = [lines[index] for index in indexes]
        kept = coverage.choose(offered, budget, said=times, fade=salience.FADE, effort=_EFFORT)
        taken = [index for index, parts in zip(indexes, kept, strict=True) if parts]
        chosen.update(taken)
        times.update(key for index in taken for key in worths[index])
        return sum(placed[index].cost for index in taken)

    reserve = min(float(first), shares[0].budget)
    kinds = sorted({priority(one.fragment.kind) for one in placed if one.must})
    spent = 0.0
    for kind in kinds:  # in order of priority, half of what is left at the most, so that every kind has some
        mine = [index for index, one in enumerate(placed) if one.must and priority(one.fragment.kind) == kind]
        spent += take(mine, (reserve - spent) / (1 if kind == kinds[-1] else 2))
    spent += take([index for index, one in enumerate(placed) if one.must and index not in chosen], reserve - spent)
    for share in shares:
        left = share.budget - spent
        spent = 0.0
        if left > 0:
            take([index for index, one in enumerate(placed) if index not in chosen and share.takes(one)], left)
    return frozenset(chosen)


def _worths(placed: Sequence[Placed], known: Mapping[str, float], task: str) -> list[dict[str, float]]:
    """Return what each fragment says, with what it is worth; what a task asks for stands beside it."""
    found = []
    for one in placed:
        worth: dict[str, float] = {}
        for line in (one.fragment.text, *(value for _, value in one.fragment.fields)):
            worth.update(salience.worth(line, known))
        if one.must:
            worth[f"{_ASKED}{one.fragment.identity}"] = _OPEN
        found.append(worth)
    if task.strip():
        named = handles(task)
        for one, worth, asked in zip(placed, found, _asked(placed, task), strict=True):
            worth.update(asked)
            if _is_named(one.fragment, named):
                worth[f"{_ASKED}{_ASKED}{one.fragment.identity}"] = _NAMED
    return found


def _asked(placed: Sequence[Placed], task: str) -> list[dict[str, float]]:
    """Return for each fragment the words of the task that it says, each worth more the fewer say it, and the shorter.

    The weights are those of BM25 (Robertson and Zaragoza, 2009) where a word counts once.
    """
    query = sorted(words.terms(task))
    says = [_terms(one) for one in placed]
    count = {term: sum(term in one for one in says) for term in query}
    rare = {term: math.log(1 + (len(says) - found + 0.5) / (found + 0.5)) for term, found in count.items() if found}
    most = max(rare.values(), default=1.0)
    mean = sum(map(len, says)) / max(1, len(says)) or 1.0
    found = []
    for one in says:
        length = 2.2 / (1 + 1.2 * (0.25 + 0.75 * len(one) / mean))
        # Rounded, for a logarithm's last bit is not the same on every machine.
        found.append({_ASKED + term: round(_TASK * rare[term] / most * length, 6) for term in rare if term in one})
    return found


def _terms(one: Placed) -> frozenset[str]:
    texts = (
        paths.topic_of(one.path).replace("-", " "),
        one.fragment.text,
        *(value for _, value in one.fragment.fields),
    )
    return frozenset(term for text in texts for term in words.terms(text))
