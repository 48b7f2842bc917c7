"""A wake: what the next instance reads, in phases, under a hard budget, with a ledger of what it cost and left out.

Owns the shares of the phases (from any view, so also from a past commit) and opening the journal with the tone check.
What must be shown and does not fit is named in one line with the command that fetches it; nothing is cut inside. The
fragments are chosen by `selection` and written by `render`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.changes import hand_edits
from sleep.documents import journal as journals
from sleep.documents import page_templates, paths, register
from sleep.documents.journal import Draft
from sleep.errors import DocumentError, UsageError
from sleep.journal import writer
from sleep.language import tokens
from sleep.memory import place
from sleep.memory.view import View
from sleep.store import files
from sleep.store.tree import WorkTree
from sleep.wake import candidates, render, selection
from sleep.wake.render import Part
from sleep.wake.selection import Offers, Share

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sleep.memory.place import Place
    from sleep.recall.past.moment import Moment
    from sleep.settings import Settings
    from sleep.wake.candidates import Memory

_TITLE = "# What you knew\n"
_BRIEF = 6_000  # tokens below which a wake is written in brief
_LEDGER = 420  # tokens set aside for the title and the ledger, at most this share of the budget:
_LEDGER_SHARE = 0.2
_BRIEF_LEDGER = 70
_FETCH = {"hot": "cat memory/hot/*.md", "warm": "cat memory/warm/TOPIC.md", "journals": "cat journal/instance-N.md"}
_FIRST, _FIRST_BRIEF = 0.6, 0.35  # of what fragments may cost, for records before all else
_TASK = 0.3  # of it, for what is about the task
_HANDOFF = 0.12  # of a brief wake, for purpose and handoff
_DAY, _DAY_BRIEF = 9.0, 8.0  # tokens of the heading above the lines of a journal
_WITHOUT_HEADINGS = 0.92  # of a share that pays for its own headings, for the fragments; and what is tried when that is
_LESS, _LEAST_ROOM = 0.92, 0.3  # too much
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
        path = None if fresh else writer.open_path(view, session=session)
        if path is None:
            path = writer.start(where, now, session=session).path
            view = View(WorkTree(where.root))
            text, _ = journals.append(view.read(path) or "", tone_check(view, path), view.journal(path).instance)
            files.write(where.root.absolute(path), text, within=where.root.path)
            view = View(WorkTree(where.root))
    instance = str(view.journal(path).instance)
    view, marks = hand_edits.foreseen(where.root, now)
    last = f"Your journal is {path} ({instance}).\n"
    assembled = assemble(view, where.settings, task=task, budget=budget, last=last)
    assembled = assembled._replace(text=hand_edits.unmarked(assembled.text, marks))
    return assembled._replace(instance=instance, path=path)


def peek(where: Place, *, task: str = "", budget: int | None = None, at: Moment | None = None) -> Wake:
    """Return what would be read, now or at a moment of the past, and change nothing."""
    view, marks = (View(at.tree(where.root)), frozenset[str]()) if at else hand_edits.foreseen(where.root, "")
    title = (
        f"{_TITLE}\n({at.label[0].upper()}{at.label[1:]}. Commands below read what is there now.)\n" if at else _TITLE
    )
    assembled = assemble(view, where.settings, task=task, budget=budget, title=title)
    return assembled._replace(text=hand_edits.unmarked(assembled.text, marks))


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
        last = register.closing_tone(entries)
        said = (
            f"It closed with: {tokens.clip(register.whole(last), 120)} ({last.address})" if last else "It left no tone."
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
    line = partial(render.line, brief=brief)
    memory = candidates.gather(view, task, line, _DAY_BRIEF if brief else _DAY)
    given = _Given(view, memory, selection.weigh(memory), candidates.asked(memory.placed, task), brief)
    frame = _BRIEF_LEDGER if brief else min(_LEDGER, int(total * _LEDGER_SHARE))
    left = max(0, total - frame - tokens.count(last) - tokens.count(title) + tokens.count(_TITLE))
    best: Wake | None = None
    tries, room = 0, 1.0 if budget is not None else _WITHOUT_HEADINGS
    # What headings and ledger cost, nobody knows before: the most that leaves room for them is looked for.
    while best is None or tries < _TRIES:
        tries += 1
        parts = _parts(given, *_shares(view, settings, left, given=budget is not None, brief=brief), room)
        found = Wake(_written(parts, total, title, last, brief=brief), tuple(parts), total)
        spare = total - found.cost
        if budget is None and any(one.cost > one.budget for one in parts):
            room *= _LESS  # a phase is over its share
        elif spare >= 0 or not left:
            best = found if best is None or found.cost > best.cost else best
            if spare <= total * _CLOSE or not any(one.left_out for one in parts):
                break
            left += spare
        else:
            left = max(0, left + min(spare, -_STEP * tries))  # further each time, or the same might be chosen again
        if room < _LEAST_ROOM:
            left, room = left // 2, _WITHOUT_HEADINGS
    return best


class _Given(NamedTuple):
    """What a wake is made of: the memory as it may be shown, what each is worth, alone and to a task, and the form."""

    view: View
    memory: Memory
    offers: Offers
    asked: Sequence[float]
    brief: bool


def _shares(
    view: View, settings: Settings, left: int, *, given: bool, brief: bool
) -> tuple[Part, Part, tuple[Share, ...]]:
    """Return the pages as they are shown, and what hot memory, warm memory and journals may cost.

    The shares in the settings are the most that a page, hot or warm memory may cost; what one leaves is the next one's,
    and at last that of the journals. With a budget of its own, a wake scales those of the pages, and what they leave is
    for all the others alike. In brief, of the pages only purpose and handoff are shown.
    """
    main, hot, architecture, warm = (
        settings.wake_main,
        settings.wake_hot,
        settings.wake_architecture,
        settings.wake_warm,
    )
    scale = min(1.0, left / max(1, main + hot + architecture + warm))
    text = view.read(paths.MAIN) or ""
    if brief:
        orient = render.opening(text, int(left * _HANDOFF))
        page_ = _architecture(view, settings, 0)
    else:
        main = int(main * scale)
        orient = render.main(text, main) if text.strip() else Part("orient", "", main, 0)
        page_ = _architecture(view, settings, int(architecture * scale))
    rest = left - orient.cost - page_.cost
    if given:
        return orient, page_, (Share(("hot", "warm", "journals"), rest),)
    hot = min(rest, int(hot * scale) + max(0, main - orient.cost))
    warm = min(rest - hot, int(warm * scale))
    return orient, page_, (Share(("hot",), hot), Share(("warm",), warm), Share(("journals",), rest - hot - warm))


def _architecture(view: View, settings: Settings, budget: int) -> Part:
    candidates = (settings.architecture,) if settings.architecture else paths.ARCHITECTURE
    for path in candidates:
        text = view.read(path)
        if text and text.strip() and text.strip() not in page_templates.FORMS:
            if budget:
                return render.sections("architecture", text, budget, path)
            return Part("architecture", "", 0, 0, "all", f"cat {path}")
    return Part("architecture", "", budget, 0)


def _parts(given: _Given, orient: Part, architecture: Part, shares: Sequence[Share], room: float) -> list[Part]:
    """Return the phases, with what is worth most within their shares."""
    memory, placed = given.memory, given.memory.placed
    budget = shares[0].budget
    musts = sum(one.cost for one in placed if one.must)
    reserve = budget if len(shares) > 1 else budget * (_FIRST_BRIEF if given.brief else _FIRST)
    names = max(_LEAST_NAMES, int(budget * _NAMES)) if musts > reserve else 0
    asked = candidates.about(memory, given.asked, budget * _TASK)
    about = _about(given, asked)
    first = max(0.0, budget * room - names - about.cost)
    within = [Share(shares[0].phases, first), *(one._replace(budget=one.budget * room) for one in shares[1:])]
    chosen = selection.choose(given.offers, within, min(first, reserve), orient.text, asked)
    of: dict[str, set[int]] = {"hot": set(), "warm": set(), "journals": set()}
    for index in chosen:
        of[placed[index].phase].add(index)
    shown = chosen | set(asked)
    told = {address for index in shown for address in placed[index].fragment.addresses}
    missing = [one.fragment for one in placed if one.must and one.fragment.identity not in told]
    said = render.named(missing, names, brief=given.brief)
    hot = _tier(given, "hot", of["hot"], shown, int(budget), said)
    warm = _tier(given, "warm", of["warm"], shown, int(shares[1].budget if len(shares) > 1 else budget), "")
    total = int(sum(one.budget for one in shares))
    lines = _tier(given, "journals", of["journals"], shown, max(0, total - hot.cost - warm.cost - about.cost), "")
    return [orient, *([about] if about.text else []), hot, architecture, warm, lines]


def _about(given: _Given, asked: Sequence[int]) -> Part:
    text = render.task(given.memory.placed, asked)
    cost = tokens.count(text)
    return Part("task", text, cost, cost)


def _tier(given: _Given, name: str, chosen: Collection[int], shown: Collection[int], budget: int, said: str) -> Part:
    placed = given.memory.placed
    if name == "journals":
        text = render.excerpts(placed, chosen, brief=given.brief)
    else:
        text = render.fragments(given.view, placed, chosen, brief=given.brief)
    text += f"\n{said}" if said and text and not given.brief else said
    there = sum(one.phase == name for one in placed)
    missing = there - sum(placed[index].phase == name for index in shown)
    what = "" if given.brief else " lines" if name == "journals" else " fragments"
    left_out = f"{missing} of {there}{what}" if missing else ""
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
    size = tokens.count(shown + render.ledger(parts, 0, total, brief=brief) + last)  # the figure has a fixed width
    return shown + render.ledger(parts, size, total, brief=brief) + last
