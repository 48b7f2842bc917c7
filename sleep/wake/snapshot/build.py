"""Building the snapshot and the briefing of a sub-agent.

Owns gathering the sections, guarding each on its own, and the ledger of what each cost. Same files, same text:
no clock (the day is handed in), no environment. Refuses to fail: what goes wrong in a section is one line in its place.
"""

from __future__ import annotations

import os

from sleep.documents import paths
from sleep.redaction import secret_signs
from sleep.settings import OFF
from sleep.store import layout
from sleep.tuples import NamedTuple
from sleep.wake.snapshot import briefing as teller
from sleep.wake.snapshot import held_records, ladder, prose, sections
from sleep.wake.snapshot.held_records import Standing
from sleep.wake.snapshot.parts import LEFT_OUT, Item, Part, Shown, full, size, units
from sleep.wake.snapshot.sections import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.wake.several_projects.session_projects import SessionProjects
    from sleep.wake.snapshot.sections import Section as Row

TITLE = "# Agent Context — Auto-loaded"
BRIEFING_TITLE = "# Agent Context — Sub-agent Briefing"
_REST = "sleepwake snapshot"  # prints what was left out
_CHARACTERS = 4  # of a token, in text that is all ASCII; `tokens.count` knows the rest, and takes 3 ms to load


class Cost(NamedTuple):
    """What a section cost: its rung (`full`, `summary`, `count`, `left out`), and how many of its items are whole."""

    name: str
    rung: str
    units: int
    bytes: int
    tokens: int
    shown: int
    of: int


class Built(NamedTuple):
    """A snapshot: its text without a final line feed ("" where there is nothing to tell), and its ledger."""

    text: str
    sections: tuple[Cost, ...]


def snapshot(
    context: Context,
    settings: Settings,
    budget: int | None = None,
    session: str = "",
    today: str = "",
    folder: str = "",
) -> Built:
    """Return what a session that starts is told.

    Args:
        context: whose memory.
        settings: the levels of sleep debt.
        budget: UTF-16 units, and bytes, that the text may have; None for everything, in the requirement's order.
        session: the id of a session that was compacted, which is told what it journaled itself; "" for any other.
        today: the day, ISO 8601, by which a decision may have become due; "" for none.
        folder: where the session works: of several projects its own is told; "" for nowhere.
    """
    standing = Standing(context, session, _projects(context, settings, folder))
    source = Source(context, settings, standing, budget, session, today=today)
    rows = sections.SNAPSHOT if budget is not None else sorted(sections.SNAPSHOT, key=lambda row: row.full)
    parts = _gather(rows, source)
    frame = ladder.Frame(TITLE, _REST)
    if budget is None:
        return _shown(parts, lambda known: [full(part) for part in known], frame)
    return _fit(parts, sections.SNAPSHOT, budget, frame)


def briefing(context: Context, settings: Settings, budget: int, prompt: str = "", folder: str = "") -> Built:
    """Return what a sub-agent is told: neither soul, user and memory, nor sleep debt.

    Args:
        context: whose memory.
        settings: as in `snapshot`, and so is the rest.
        budget: of the text.
        prompt: what the sub-agent is to do, "" where the client does not say it.
        folder: where it works.
    """
    standing = Standing(context, projects=_projects(context, settings, folder))
    parts = _gather(sections.BRIEFING, Source(context, settings, standing, budget, prompt=prompt))
    if teller.is_empty(parts):
        return Built("", ())
    return _fit(parts, sections.BRIEFING, budget, ladder.Frame(BRIEFING_TITLE, _REST))


def _projects(context: Context, settings: Settings, folder: str) -> SessionProjects | None:
    """Return whose what is for a session in a folder, None where all is of one project; most need not look further."""
    if settings.projects == OFF or not os.path.exists(context.settings):
        return None
    try:
        page = held_records.read(context, paths.MAIN)
    except OSError:  # the handoff says it
        return None
    own = layout.repository_name(folder, context.base)
    if not own and "\n- projects: " not in page:
        return None
    from sleep.wake.several_projects import session_projects  # late: most memories are of one  # noqa: PLC0415

    return session_projects.find(context, settings, own, page)


def _gather(rows: Iterable[Row], source: Source) -> list[Part]:
    parts: dict[str, Part] = {}
    for row in rows:
        try:
            made = row.part(source)
        except Exception as error:  # noqa: BLE001  # whatever it is, it must not cost the other sections
            line = f"({prose.flat(str(error)) or type(error).__name__})"
            made = Part(row.name, f"## {row.name}", [Item(line, row.name)], count=line, where="sleepwake doctor")
        parts.update((part.name, part) for part in (made if isinstance(made, list) else [made] if made else ()))
    return [parts[row.name] for row in rows if row.name in parts]


def _without_secrets(part: Part) -> Part:
    """Return a section without secrets and homes: some may have been committed before a rule knew them, or by hand."""
    from sleep.redaction import homes, secret_scan  # late: what is shown seldom has a sign of one  # noqa: PLC0415

    def clean(text: str) -> str:
        return homes.hide(secret_scan.redact(text)[0], ())

    items = [Item(clean(item.full), clean(item.name)) for item in part.items]
    less = part.less and _without_secrets(part.less)
    return part._replace(
        page=clean(part.page), heading=clean(part.heading), count=clean(part.count), items=items, less=less
    )


def _fit(parts: list[Part], rows: Iterable[Row], budget: int, frame: ladder.Frame) -> Built:
    steps = list(sections.steps(rows))
    built = _shown(parts, lambda known: ladder.climbed(known, steps, budget, frame), frame)
    return built if size(built.text) <= budget else built._replace(text="")


def _shown(parts: list[Part], choose: Callable[[list[Part]], list[Shown]], frame: ladder.Frame) -> Built:
    """Return what is chosen of the sections; where that has a sign of a secret, of them without secrets."""
    built = _build(choose(parts), frame)
    return _build(choose(list(map(_without_secrets, parts))), frame) if secret_signs.may_hold(built.text) else built


def _build(shown: list[Shown], frame: ladder.Frame) -> Built:
    out = [section.part.name for section in shown if section.rung == LEFT_OUT]
    texts = [frame.title, *(section.text for section in shown if section.text), frame.last(out)]
    ledger = tuple(
        Cost(
            section.part.name,
            section.rung,
            units(section.text),
            size(section.text),
            _tokens(section.text),
            section.shown,
            section.of,
        )
        for section in shown
    )
    return Built("\n\n".join(filter(None, texts)) if shown else "", ledger)


def _tokens(text: str) -> int:
    if text.isascii():
        return -(-len(text) // _CHARACTERS)
    from sleep.language import tokens  # late: see above  # noqa: PLC0415

    return tokens.count(text)
