"""A wake: what the next instance reads, in phases, under a hard budget, with a ledger of what it cost and left out.

Owns the shares of the phases (from any view, so also from a past commit) and opening the journal with the tone check.
What must be shown and does not fit is named in one line with the command that fetches it; nothing is cut inside. The
fragments are chosen by `selection` and written by `reading`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.cycle import byhand, journaling, place, reading, selection
from sleep.cycle.reading import Part
from sleep.cycle.selection import Placed, Share
from sleep.cycle.view import View
from sleep.errors import DocumentError, UsageError
from sleep.memory import journal as journals
from sleep.memory import page, paths, records
from sleep.memory.journal import Draft
from sleep.store import files
from sleep.store.tree import WorkTree
from sleep.text import tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sleep.cycle.place import Place
    from sleep.recall.moment import Moment
    from sleep.settings import Settings

_TITLE = "# What you knew\n"
_BRIEF = 6_000  # tokens below which a wake is written in brief
_LEDGER = 420  # tokens set aside for the title and the ledger, at most this share of the budget:
_LEDGER_SHARE = 0.2
_BRIEF_LEDGER = 70
_FETCH = {"hot": "cat memory/hot/*.md", "warm": "cat memory/warm/TOPIC.md", "journals": "cat journal/instance-N.md"}
_FIRST = 0.2  # of what fragments may cost, that what must be shown has to itself at the least
_HANDOFF = 0.12  # of a brief wake, for the handoff
_WITHOUT_HEADINGS = 0.92  # of a share that pays for its own headings, for the fragments; and what is tried when that is
_LESS, _LEAST_ROOM = 0.92, 0.3  # too much
_TELLS = 1_500  # tokens, from which on the last journals are told of; a shorter wake shows only what was kept
_NAMES = 0.05  # of what fragments may cost, to name what must be shown and was not
_LEAST_NAMES = 30
_CLOSE = 0.01  # of the budget: what may be left over for want of looking further
_TRIES = 4
_STEP = 3  # tokens that are given back at the least


class Wake(NamedTuple):
    """What is read: the text, its phases, the budget, and the journal that was opened ("" when only looked at)."""

    text: str
    parts: tuple[Part, ...]
    budget: int
    instance: str = ""
    path: str = ""

    @property
    def cost(self) -> int:
        """The tokens of the whole text."""
        return tokens.count(self.text)


def wake(
    where: Place, now: str, *, task: str = "", budget: int | None = None, session: str = "", fresh: bool = False
) -> Wake:
    """Open the next instance's journal, or go on with the one that is open, and return what to read."""
    _total(where.settings, budget)  # a call that cannot be answered opens no journal
    with place.jotting(where, "wake"):
        view = View(WorkTree(where.root))
        session = session or settings_.session() or ""
        path = None if fresh else journaling.open_path(view, session=session)
        if path is None:
            path = journaling.start(where, now, session=session).path
            view = View(WorkTree(where.root))
            text, _ = journals.append(view.read(path) or "", tone_check(view, path), view.journal(path).instance)
            files.write(where.root.absolute(path), text, within=where.root.path)
            view = View(WorkTree(where.root))
    instance = str(view.journal(path).instance)
    view, marks = byhand.foreseen(where.root, now)
    last = f"Your journal is {path} ({instance}).\n"
    assembled = assemble(view, where.settings, task=task, budget=budget, last=last)
    assembled = assembled._replace(text=byhand.unmarked(assembled.text, marks))
    return assembled._replace(instance=instance, path=path)


def peek(where: Place, *, task: str = "", budget: int | None = None, at: Moment | None = None) -> Wake:
    """Return what would be read, now or at a moment of the past, and change nothing."""
    view, marks = (View(at.tree(where.root)), frozenset[str]()) if at else byhand.foreseen(where.root, "")
    title = (
        f"{_TITLE}\n({at.label[0].upper()}{at.label[1:]}. Commands below read what is there now.)\n" if at else _TITLE
    )
    assembled = assemble(view, where.settings, task=task, budget=budget, title=title)
    return assembled._replace(text=byhand.unmarked(assembled.text, marks))


def tone_check(view: View, path: str) -> Draft:
    """Return the first entry of a journal: the closing tone of the instance before, quoted, to be acknowledged."""
    before = [one for one in view.journals if one != path]
    for earlier in reversed(before):
        try:
            entries = view.journal(earlier).entries
        except DocumentError:
            continue  # `status` and `wake.check` report it
        if not entries or view.journal(earlier).is_import:
            continue
        last = records.closing_tone(entries)
        said = (
            f"It closed with: {tokens.clip(records.whole(last), 120)} ({last.address})" if last else "It left no tone."
        )
        return Draft("tone", f"tone check against instance {view.journal(earlier).instance}", said)
    return Draft("tone", "tone check", "There is no earlier instance.")


def assemble(
    view: View, settings: Settings, *, task: str = "", budget: int | None = None, last: str = "", title: str = _TITLE
) -> Wake:
    """Return what to read for a task within `budget` tokens, which holds for all: `title`, the ledger and `last` too.

    Raises UsageError for a budget above the ceiling or too small to say anything.
    """
    total = _total(settings, budget)
    brief = total < _BRIEF
    memory = _memory(view, task, brief=brief, told=total >= _TELLS)
    frame = _BRIEF_LEDGER if brief else min(_LEDGER, int(total * _LEDGER_SHARE))
    left = max(0, total - frame - tokens.count(last) - tokens.count(title) + tokens.count(_TITLE))
    best: Wake | None = None
    tries, room = 0, _WITHOUT_HEADINGS
    # What headings and ledger cost, nobody knows before: the most that leaves room for them is looked for.
    while best is None or tries < _TRIES:
        tries += 1
        shares = _shares(view, settings, left, given=budget is not None, brief=brief)
        parts = _parts(memory, *shares, room if budget is None else 1.0)
        found = Wake(_written(parts, total, title, last, brief=brief), tuple(parts), total)
        spare = total - found.cost
        if budget is None and any(one.cost > one.budget for one in parts):
            room *= _LESS  # a phase is over its share
        elif spare >= 0 or not left:
            best = found if best is None or found.cost > best.cost else best
            if budget is None or spare <= total * _CLOSE or not any(one.left_out for one in parts):
                break
            left += spare
        else:
            left = max(0, left + min(spare, -_STEP * tries))  # further each time, or the same might be chosen again
        if room < _LEAST_ROOM:
            left, room = left // 2, _WITHOUT_HEADINGS
    return best


class _Memory(NamedTuple):
    """What of the tiers may be shown, what its names are worth, and for which task."""

    view: View
    placed: tuple[Placed, ...]
    known: Mapping[str, float]
    task: str
    brief: bool


def _memory(view: View, task: str, *, brief: bool, told: bool) -> _Memory:
    placed = [(path, one) for path in (*paths.HOT, *view.files(paths.WARM)) for one in view.tier(path).fragments]
    known = selection.heard(view, placed)
    placed += selection.called_for(view, task)
    placed += selection.told(view, placed) if told else []
    now = [(path, one) for path, one in placed if not one.is_superseded or path.startswith(paths.COLD)]
    shown = tuple(Placed(path, one, reading.line(one, brief=brief)) for path, one in now)
    return _Memory(view, shown, known, task, brief)


def _shares(
    view: View, settings: Settings, left: int, *, given: bool, brief: bool
) -> tuple[Part, Part, tuple[Share, ...], float]:
    """Return the pages as they are shown, what fragments may cost, and of that the share that is for musts alone.

    The shares in the settings are the most that a phase may cost. With a budget of its own, a wake scales those of the
    pages, and what they leave is for the fragments of hot and warm memory alike. In brief, of the pages only the
    handoff is shown.
    """
    main, hot, architecture, warm = (
        settings.wake_main,
        settings.wake_hot,
        settings.wake_architecture,
        settings.wake_warm,
    )
    scale = min(1.0, left / max(1, main + hot + architecture + warm))
    first = _FIRST if given else 1.0
    text = view.read(paths.MAIN) or ""
    if brief:
        orient = reading.handoff(text, int(left * _HANDOFF))
        page_ = _architecture(view, settings, 0)
    else:
        main = int(main * scale)
        keep = (page.HANDOFF, page.STATE)
        orient = (
            reading.sections("orient", text, main, paths.MAIN, keep) if text.strip() else Part("orient", "", main, 0)
        )
        page_ = _architecture(view, settings, int(architecture * scale))
    rest = left - orient.cost - page_.cost
    if given:
        return orient, page_, (Share(hot=True, rest=True, budget=rest),), first
    hot = min(rest, int(hot * scale) + max(0, main - orient.cost))
    return orient, page_, (Share(True, False, hot), Share(False, True, min(rest - hot, int(warm * scale)))), first


def _architecture(view: View, settings: Settings, budget: int) -> Part:
    candidates = (settings.architecture,) if settings.architecture else paths.ARCHITECTURE
    for path in candidates:
        text = view.read(path)
        if text and text.strip():
            if budget:
                return reading.sections("architecture", text, budget, path)
            return Part("architecture", "", 0, 0, "all", f"cat {path}")
    return Part("architecture", "", budget, 0)


def _parts(
    memory: _Memory, orient: Part, architecture: Part, shares: Sequence[Share], first: float, room: float
) -> list[Part]:
    """Return the phases, with the fragments that are worth most within their shares."""
    budget = shares[0].budget
    musts = sum(one.cost for one in memory.placed if one.must)
    names = max(_LEAST_NAMES, int(budget * _NAMES)) if musts > budget * first else 0
    within = [
        one._replace(budget=max(0, int(one.budget * room) - (0 if index else names)))
        for index, one in enumerate(shares)
    ]
    must = max(0, int(budget * first) - names)
    chosen = selection.choose(memory.placed, memory.known, within, memory.task, must, orient.text)
    of: dict[str, set[int]] = {"hot": set(), "warm": set(), "journals": set()}
    for index in chosen:
        of[memory.placed[index].phase].add(index)
    missing = [one.fragment for index, one in enumerate(memory.placed) if one.must and index not in chosen]
    said = reading.named(missing, names, brief=memory.brief)
    warm = _tier(memory, "warm", of["warm"], shares[-1].budget, "")
    rest = max(0, shares[-1].budget - warm.cost)
    told = _tier(memory, "journals", of["journals"], rest, "")
    return [orient, _tier(memory, "hot", of["hot"], budget, said), architecture, warm, told]


def _tier(memory: _Memory, name: str, chosen: Collection[int], budget: int, said: str) -> Part:
    text = reading.fragments(memory.view, memory.placed, chosen, brief=memory.brief)
    text += f"\n{said}" if said and text and not memory.brief else said
    there = sum(one.phase == name for one in memory.placed)
    missing = there - len(chosen)
    left_out = f"{missing} of {there}" + ("" if memory.brief else " fragments") if missing else ""
    return Part(name, text, budget, tokens.count(text), left_out, _FETCH[name] if missing else "")


def _total(settings: Settings, budget: int | None) -> int:
    """Return the tokens that may be printed; raises UsageError for too few or too many."""
    total = settings.wake_budget if budget is None else budget
    if not 200 <= total <= settings_.CEILING:  # noqa: PLR2004
        raise UsageError(f"a budget of {total} tokens (would be right: 200 to {settings_.CEILING})")
    return total


def _written(parts: Sequence[Part], total: int, title: str, last: str, *, brief: bool) -> str:
    """Return the whole text, with a ledger whose figures add up to its tokens."""
    gap = "" if brief else "\n"
    shown = title + "".join(f"{gap}{part.text}" for part in parts if part.text) + gap
    size = tokens.count(shown + reading.ledger(parts, 0, total, brief=brief) + last)  # the figure has a fixed width
    return shown + reading.ledger(parts, size, total, brief=brief) + last
