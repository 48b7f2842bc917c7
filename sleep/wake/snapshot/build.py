"""Building the snapshot and the briefing of a sub-agent.

Owns the order of sections in full, guarding each on its own, and the ledger of what each cost. Same files, same text:
no clock, no environment. Refuses to fail: what goes wrong in a section is one line in its place.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sleep.wake.snapshot import briefing as briefings
from sleep.wake.snapshot import debt_section, ladder, pages, prose, record_sections, releases
from sleep.wake.snapshot.parts import LEFT_OUT, Item, Part, Shown, full, size, units
from sleep.wake.snapshot.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sleep.settings import Settings
    from sleep.store.context import Context

    Maker = tuple[str, Callable[[], Part | list[Part] | None]]

TITLE = "# Agent Context — Auto-loaded"
BRIEFING_TITLE = "# Agent Context — Sub-agent Briefing"
_REST = "sleepwake snapshot"  # prints what was left out
_CHARACTERS = 4  # of a token, in text that is all ASCII; `tokens.count` knows the rest, and takes 3 ms to load


class Section(NamedTuple):
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
    sections: tuple[Section, ...]


def snapshot(context: Context, settings: Settings, budget: int | None = None, session: str = "") -> Built:
    """Return what a session that starts is told.

    Args:
        context: whose memory.
        settings: the levels of sleep debt.
        budget: UTF-16 units, and bytes, that the text may have; None for everything, in the requirement's order.
        session: the id of a session that was compacted, which is told what it journaled itself; "" for any other.
    """
    held = Standing(context, session)
    parts = _gathered(
        (
            *((("This Session", partial(_own, context, session, budget)),) if session else ()),
            *((name, partial(pages.page, context, name, file, heading)) for name, file, heading in pages.CORE),
            ("Handoff", partial(record_sections.handoff, context, held)),
            ("Active Threads", partial(record_sections.threads, held)),
            ("Open Questions", partial(record_sections.questions, held)),
            ("Standing Constraints", partial(record_sections.constraints, held)),
            ("Standing Decisions", partial(record_sections.decisions, held)),
            ("Open Tasks", partial(record_sections.tasks, held)),
            ("Dead Ends", partial(record_sections.dead_ends, held)),
            ("Commands", partial(record_sections.commands, context)),
            ("Extended Core Files", partial(pages.core_index, context)),
            ("Active Tasks", partial(pages.active, context)),
            ("Sleep State", partial(debt_section.state, context, settings)),
            ("Recent Changelog", partial(releases.changelog, context)),
            ("Latest Release", partial(releases.release, context)),
            ("Features", partial(pages.features, context)),
            ("Knowledge Index", partial(pages.known, context)),
        )
    )
    frame = ladder.Frame(TITLE, _REST)
    if budget is None:
        return _built([full(part) for part in parts], frame)
    parts.sort(key=lambda part: ladder.ORDER.index(part.name))
    return _bounded(parts, ladder.SNAPSHOT, budget, frame)


def briefing(context: Context, settings: Settings, budget: int, prompt: str = "") -> Built:  # noqa: ARG001  # as `snapshot`
    """Return what a sub-agent is told: neither soul, user and memory, nor sleep debt.

    Args:
        context: whose memory.
        settings: not asked.
        budget: as in `snapshot`.
        prompt: what the sub-agent is to do, "" where the client does not say it.
    """
    held = Standing(context)
    parts = _gathered(
        (
            ("Project", partial(briefings.project, context)),
            ("Rules and Records", partial(briefings.records, held, prompt)),
            ("Active Tasks", partial(pages.active, context, briefings.TASKS)),
            ("Knowledge Index", partial(pages.known, context, briefings.KNOWLEDGE)),
            ("Extended Core Files", partial(pages.core_index, context, briefings.CORE)),
        )
    )
    if not parts:
        return Built("", ())
    parts.insert(int(parts[0].name == "Project"), briefings.directory(context))
    return _bounded(parts, ladder.BRIEFING, budget, ladder.Frame(BRIEFING_TITLE, _REST))


def _own(context: Context, session: str, budget: int | None) -> Part | None:
    from sleep.wake.snapshot import interrupted_session as sessions  # late: only a start after a compaction wants it  # noqa: PLC0415

    return sessions.section(context, session, None if budget is None else budget * ladder.SESSION // ladder.ALL)


def _gathered(makers: Iterable[Maker]) -> list[Part]:
    parts: list[Part] = []
    for name, make in makers:
        try:
            made = make()
        except Exception as error:  # noqa: BLE001  # whatever it is, it must not cost the other sections
            line = f"({prose.flat(str(error)) or type(error).__name__})"
            made = Part(name, f"## {name}", [Item(line, name)], count=line, where="sleepwake doctor")
        parts += made if isinstance(made, list) else [made] if made else []
    return parts


def _bounded(parts: list[Part], steps: Iterable[ladder.Step], budget: int, frame: ladder.Frame) -> Built:
    built = _built(ladder.climbed(parts, steps, budget, frame), frame)
    return built if size(built.text) <= budget else built._replace(text="")


def _built(shown: list[Shown], frame: ladder.Frame) -> Built:
    out = [one.part.name for one in shown if one.rung == LEFT_OUT]
    texts = [frame.title, *(one.text for one in shown if one.text), frame.last(out)]
    ledger = tuple(
        Section(one.part.name, one.rung, units(one.text), size(one.text), _tokens(one.text), one.shown, one.of)
        for one in shown
    )
    return Built("\n\n".join(filter(None, texts)) if shown else "", ledger)


def _tokens(text: str) -> int:
    if text.isascii():
        return -(-len(text) // _CHARACTERS)
    from sleep.language import tokens  # late: see above  # noqa: PLC0415

    return tokens.count(text)
