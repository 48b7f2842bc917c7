"""A model's reply: read as fragments, and what became of each that it was given.

Owns the reading (a reply may be fenced, starred, indented; its meaning is not guessed) and the pairing of what was
given with what came back, by address and then by terms. Refuses to judge: `judge` does.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, product
from typing import TYPE_CHECKING

from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE, Fate
from sleep.documents import tier
from sleep.language import terms
from sleep.records import address as addressing
from sleep.records.fragment import flat
from sleep.records.kinds import BY_PLURAL
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

_FENCE = re.compile(r"\A\s*```[^\n`]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_BULLET = re.compile(r"(?m)^(?:[*+•]|\d{1,3}[.)])[ \t]+")
_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+([^\n]*[^ \t:#\n])[ \t:#]*$")
_BRACKETS = re.compile(r"\[([^\[\]\n]*)\][ \t.]*$", re.MULTILINE)
_HALF = 0.5


class Read(NamedTuple):
    """What a reply holds: fragments in order, and the beginnings of items that carry no address."""

    fragments: tuple[Fragment, ...]
    bare: tuple[str, ...]


def read(text: str) -> Read:
    """Read a reply."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if fenced := _FENCE.match(text):
        text = fenced[1]
    text = _HEADING.sub(_heading, _BULLET.sub("- ", text))
    document = tier.parse(_BRACKETS.sub(_mark, text))
    bare = (document.text[at:].partition("\n")[0] for at in document.unaddressed)
    return Read(document.fragments, tuple(bare))


def _heading(match: re.Match[str]) -> str:
    title = match[1].strip("*_: ")
    return f"## {title}" if title.casefold() in BY_PLURAL else match[0]


def _mark(match: re.Match[str]) -> str:
    """Return a mark in its one form, where only commas kept it from that."""
    words = match[1].replace(",", " ").replace(";", " ").split()
    return f"[{' '.join(words)}]" if words and all(map(addressing.parse, words)) else match[0]


def pair(sources: Sequence[Fragment], come: Sequence[Fragment]) -> list[int | None]:
    """Return for each fragment given the index of the one in `come` that it became or went into, None for none.

    Word for word first. Then each that came takes what it shares most terms with, of those whose address it carries.
    Then what is left goes where its address stands, if the address is its own, or at least half of its terms do.
    """
    into: list[int | None] = [_verbatim(fragment, come) for fragment in sources]
    new_terms = [terms.terms(fragment.all_words) for fragment in come]
    meant = [terms.terms(fragment.all_words) for fragment in sources]
    open_pairs = product((old for old, new in enumerate(into) if new is None), range(len(come)))
    near = sorted(
        (-len(meant[old] & new_terms[new]), old, new) for old, new in open_pairs if _shares(sources[old], come[new])
    )
    for _, old, new in near:
        if into[old] is None and new not in into:
            into[old] = new
    own = _own_addresses(sources)
    for shared, old, new in near:
        is_own = not own.isdisjoint(set(sources[old].addresses).intersection(come[new].addresses))
        if into[old] is None and (is_own or -shared >= _HALF * max(1, len(meant[old]))):
            into[old] = new
    return into


def _own_addresses(sources: Sequence[Fragment]) -> set[Address]:
    """Return the addresses that one fragment alone has."""
    bearers = Counter(chain.from_iterable(set(fragment.addresses) for fragment in sources))
    return {address for address, count in bearers.items() if count == 1}


def _verbatim(fragment: Fragment, come: Sequence[Fragment]) -> int | None:
    words = flat(fragment.text)
    same = (new for new, other in enumerate(come) if other.text == words and other.kind == fragment.kind)
    return next((new for new in same if _shares(fragment, come[new])), None)


def _shares(fragment: Fragment, other: Fragment) -> bool:
    return any(address in other.addresses for address in fragment.addresses)


def fates(
    sources: Sequence[Fragment], come: Sequence[Fragment], into: Sequence[int | None], name: str
) -> tuple[Fate, ...]:
    """Return the fate of each fragment given; what came carries all addresses of what went into it, the first first."""
    after = [
        _addressed(fragment, [old for old, at in zip(sources, into, strict=True) if at == new])
        for new, fragment in enumerate(come)
    ]
    made = []
    for fragment, new in zip(sources, into, strict=True):
        if new is None:
            made.append(Fate(fragment, DROPPED, None, f"left out by {name}"))
        elif flat(fragment.text) == after[new].text and fragment.fields == after[new].fields:
            made.append(Fate(fragment, WHOLE, after[new]))
        elif list(into).count(new) > 1:
            made.append(Fate(fragment, MERGED, after[new], str(after[new].identity)))
        else:
            made.append(Fate(fragment, SHORTENED, after[new], f"in the words of {name}"))
    return tuple(made)


def _addressed(item: Fragment, sources: Sequence[Fragment]) -> Fragment:
    """Return a fragment with the addresses of all that it was made of, and a day where one of those has one."""
    own = chain.from_iterable(source.addresses for source in sources)
    days = [source.when for source in sources if source.when]
    when = item.when if item.when in days or not days else days[0]
    return item._replace(addresses=tuple(dict.fromkeys((*own, *item.addresses))), when=when)
