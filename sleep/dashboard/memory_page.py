"""The pages about the memory, rendered from facts.

Pure: values in, HTML out, every text escaped by `markup`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.dashboard import plot
from sleep.dashboard.markup import Markup, element, join, table
from sleep.documents.paths import TIER_NAMES
from sleep.plurals import several

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.dashboard.overview import CommitDetail, CycleSummary, Debt, Facts, OpenKind
    from sleep.memory.memory_figures import WaitingJournal

_LAST = 10  # cycles in the table
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?(?:Z|[+-]00:00|([+-]\d\d:\d\d))", re.ASCII)
_SHORT = 7  # characters of a commit's id


def memory(facts: Facts) -> str:
    """Return the page of the memory."""
    parts = [element("p", trouble, class_="trouble", role="note") for trouble in facts.troubles]
    if any(facts.head.values()):
        parts.append(_section("In short", _head(facts.head)))
    if facts.debt:
        parts.append(_section("Sleep debt", _debt(facts.debt), _waiting(facts.waiting)))
    if facts.sizes:
        parts.append(_section("What stands", _counts(facts.kinds)))
        parts += (_section(kind.plural, *_records(kind)) for kind in facts.kinds if kind.total)
        parts.append(_section("Tiers", *_tiers(facts)))
        parts.append(_section("Last cycles", _cycles(facts.cycles[-_LAST:])))
    return _page("Memory", element("p", facts.where, class_="aside") if facts.where else "", *parts)


def commit(detail: CommitDetail) -> str:
    """Return the page of a commit."""
    entry = detail.commit
    about = (("Commit", element("code", entry.sha)), ("When", _when(entry.when)), ("Author", entry.author))
    return _page(
        entry.subject,
        element("dl", *(part for name, says in about for part in (element("dt", name), element("dd", says)))),
        element("pre", entry.body.strip(), tabindex="0", role="region", aria_label="The message") if entry.body else "",
        _section(
            "Files",
            element("ul", *(element("li", element("code", path)) for path in detail.paths))
            if detail.paths
            else element("p", "It changed no file."),
        ),
    )


def missing() -> str:
    """Return the page for a commit that is none of a cycle's."""
    return _page("No such commit", element("p", "None of the last cycles has a commit of this name."))


def closed() -> str:
    """Return the page for who asks for the memory without the key."""
    return _page(
        "Memory",
        element("p", "The memory is shown to who started the relay."),
        element(
            "p",
            "Open the link that ",
            element("code", "relay.serve"),
            " printed; ",
            element("code", "relay.status"),
            " prints it again.",
        ),
    )


def _head(head: Mapping[str, tuple[str, ...]]) -> Markup:
    rows = ((name, lines) for name, lines in head.items() if lines)
    return element(
        "dl",
        *(
            part
            for name, lines in rows
            for part in (element("dt", name.capitalize()), *(element("dd", line) for line in lines))
        ),
    )


def _debt(debt: Debt) -> Markup:
    slept = join(("last settled ", _when(debt.slept))) if debt.slept else "never settled"
    return join(
        (
            element("p", element("strong", debt.level), f": {debt.points} of {debt.must}", class_="level"),
            element("meter", min=0, max=debt.must, value=min(debt.points, debt.must), aria_label="Sleep debt"),
            element("p", f"{several(debt.sessions, 'session')} not consolidated; ", slept, ".", class_="aside"),
        )
    )


def _tiers(facts: Facts) -> Sequence[Markup]:
    now = table(
        "What each tier holds now",
        ("tier", "tokens", "files", "fragments"),
        ((size.tier, f"{size.tokens:,}", size.files, size.fragments) for size in facts.sizes),
    )
    if not any(cycle.sizes for cycle in facts.cycles):
        return (now, element("p", "No cycle is in this branch's history yet, so there is nothing to plot."))
    rows = (
        (cycle.cycle, *(f"{size:,}" for size in cycle.sizes))
        if cycle.sizes
        else (cycle.cycle, *("unknown" for _ in TIER_NAMES))
        for cycle in facts.cycles
    )
    figures = table("Tokens in each tier after each cycle", ("cycle", *TIER_NAMES), rows)
    return (
        now,
        plot.draw([(cycle.cycle, cycle.sizes) for cycle in facts.cycles]),
        element("details", element("summary", "The same as a table"), figures),
    )


def _cycles(rows: Sequence[CycleSummary]) -> Markup:
    if not rows:
        return element("p", "No cycle was slept yet.")
    cells = (
        (
            _fixed(row.cycle),
            join((_when(row.slept), element("small", f"{row.instance}, {row.journal:,} tokens to {row.hot:,} in hot"))),
            _steps(row),
        )
        for row in reversed(rows)
    )
    return table("The last cycles, newest first", ("cycle", "slept", "commits"), cells)


def _steps(cycle: CycleSummary) -> Markup:
    if not cycle.steps:
        return join(("not in this branch's history",))
    links = (
        element("li", element("a", step.sha[:_SHORT], href=f"/commit/{step.sha}"), " ", step.step)
        for step in cycle.steps
    )
    return element("ul", *links, class_="plain")


def _waiting(journals: Sequence[WaitingJournal]) -> Markup:
    if not journals:
        return element("p", "No journal waits for a sleep.", class_="aside")
    state = {True: "open", False: "closed"}
    items = (
        element("li", f"instance {each.number}: {several(each.entries, 'entry')}, {state[each.is_open]}")
        for each in journals
    )
    return join((element("p", "Journals that no cycle has slept on:"), element("ul", *items)))


def _counts(kinds: Sequence[OpenKind]) -> Markup:
    """Return how many records of each kind stand; those of which there are some lead to their section."""
    return element(
        "ul",
        *(
            element("li", element("a", words, href=f"#{_name(kind.plural)}") if kind.total else words)
            for kind in kinds
            for words in (several(kind.total, kind.name),)
        ),
        class_="counts",
    )


def _records(kind: OpenKind) -> Sequence[Markup]:
    rows = (
        (_fixed(record.handle), join((record.text, element("small", record.says) if record.says else "")), record.state)
        for record in kind.records
    )
    caption = f"{kind.plural} that stand: what no cycle has slept on first, then hot, warm and cold memory"
    shown = table(caption, ("number", kind.name, "state"), rows)
    more = kind.total - len(kind.records)
    return (shown, element("p", f"and {more:,} more", class_="aside")) if more > 0 else (shown,)


def _when(time: str) -> Markup:
    """Return a moment such as 2026-01-02T03:04:05Z in a form that is good to read; anything else as it is."""
    match = _MOMENT.fullmatch(time)
    return element("time", f"{match[1]} {match[2]} {match[3] or 'UTC'}", datetime=time) if match else join((time,))


def _fixed(words: object) -> Markup:
    return element("span", words, class_="fixed")


def _name(title: str) -> str:
    return title.lower().replace(" ", "-")


def _section(title: str, *inside: object) -> Markup:
    name = _name(title)
    return element("section", element("h2", title, id=name), *inside, aria_labelledby=name)


def _page(title: str, *inside: object) -> str:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · sleepwake"),
        element("link", rel="icon", href="/icon.svg"),
        element("link", rel="stylesheet", href="/style.css"),
    )
    here = "page" if title == "Memory" else None
    links = (element("a", "Agents", href="/"), " ", element("a", "Memory", href="/memory", aria_current=here))
    nav = element("nav", *links, aria_label="Pages")
    body = element(
        "body",
        element("a", "Skip to the content", href="#main", class_="skip"),
        element("header", element("p", "sleepwake", class_="brand"), nav),
        element("main", element("h1", title), *inside, id="main"),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"
