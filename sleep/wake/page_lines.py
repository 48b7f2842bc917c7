"""The lines of the page that a wake tells: those that still hold, and of these as many as there is room for.

Owns what drops out by itself: a line that cites a record which was closed, superseded or rejected since. Refuses to
judge a new page: that is `page_gate`'s. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents.verdicts import CORRECTED, REJECTED
from sleep.language import tokens
from sleep.records.kinds import KINDS
from sleep.wake import candidates, page, quality, stock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.wake.page import PageLine

_HEADING = 1.3  # what a page costs, beside its lines alone, with the headings above some of them


def records_by_address(view: View) -> dict[Address, Fragment]:
    """Return the records of a memory as they are now, by the address of each of their entries."""
    return {address: fragment for fragment in candidates.records_of(view) for address in fragment.addresses}


def binding_records(by_address: Mapping[Address, Fragment]) -> list[Fragment]:
    """Return the records that hold and that no document said, each once, the most binding first."""
    records_ = (record for record in dict.fromkeys(by_address.values()) if record.is_open)
    stated = (record for record in records_ if not stock.is_imported(record))
    return sorted(stated, key=lambda record: (KINDS[record.kind].priority, record.kind, record.addresses))


def rejected_addresses(view: View) -> frozenset[Address]:
    """Return the addresses of what was noticed and somebody said is none, or said otherwise."""
    verdicts = view.verdicts(view.journals).values()
    return frozenset(verdict.address for verdict in verdicts if verdict.to in (REJECTED, CORRECTED))


def first_closed(addresses: Iterable[Address], by_address: Mapping[Address, Fragment]) -> Fragment | None:
    """Return the first record among these that holds no more, None where all do."""
    cited = (by_address[address] for address in addresses if address in by_address)
    return next((record for record in cited if not record.is_open), None)


def lines_that_hold(view: View) -> list[PageLine]:
    """Return the lines of the page that still hold, with its headings; nothing where there is no page."""
    lines = page.read(view.read(page.PATH) or "")
    if not lines:
        return []
    by_address, none = records_by_address(view), rejected_addresses(view)
    holding = [
        line for line in lines if none.isdisjoint(line.addresses) and not first_closed(line.addresses, by_address)
    ]
    texts = [line.text for line in holding]  # a merge that kept both sides' lines has some of them twice
    return [line for at, line in enumerate(holding) if line.is_heading or texts.index(line.text) == at]


def fit(lines: Sequence[PageLine], budget: int) -> list[PageLine]:
    """Return as many of the lines as fit, in their order: all of them, or those that tell most for their length."""
    if cost(lines) <= budget:
        return list(lines)
    texts = [(index, line) for index, line in enumerate(lines) if not line.is_heading]
    sources = [quality.SourceLine(line.text, 0, place=index) for index, line in texts]
    judged = quality.judge_lines(sources, 1).lines
    worth = {
        index: own.score / len(line.text) ** quality.LENGTH_POWER
        for (index, line), own in zip(texts, judged, strict=True)
    }
    chosen: list[int] = []
    left = budget / _HEADING
    for index in sorted(worth, key=lambda index: (-worth[index], index)):
        price = tokens.share(f"{lines[index].text}\n")
        if price <= left:
            left -= price
            chosen.append(index)
    fitting = _with_headings(lines, chosen)
    while chosen and (size := cost(fitting)) > budget:  # its headings are long, or above every line
        del chosen[len(chosen) * budget // size :]
        fitting = _with_headings(lines, chosen)
    return fitting


def _with_headings(lines: Sequence[PageLine], chosen: Iterable[int]) -> list[PageLine]:
    some = set(chosen)
    return [line for index, line in enumerate(lines) if line.is_heading or index in some]


def text_of(lines: Iterable[PageLine]) -> str:
    """Return the text of lines as a wake tells it, without their addresses."""
    return page.write(line._replace(addresses=()) for line in lines)


def cost(lines: Iterable[PageLine]) -> int:
    """Return the tokens of lines as a wake tells them."""
    return tokens.count(text_of(lines))
