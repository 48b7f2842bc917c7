"""A wake: what the next instance reads, in phases, under a hard budget, with a ledger of what it cost and left out.

Owns the shares of the phases (from any view, so also from a past commit) and opening the journal with the tone check.
What must be shown and does not fit is named in one line with the command that fetches it; nothing is cut inside. The
fragments are chosen by `selection` and written by `render`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.changes import hand_edits
from sleep.documents import page_templates, paths, register
from sleep.documents.project import brief_parts
from sleep.errors import UsageError
from sleep.journal import tone_check, writer
from sleep.language import tokens
from sleep.memory import late_moves, place
from sleep.memory.by_project import project_names
from sleep.memory.view import View
from sleep.store.tree import WorkTree
from sleep.tuples import NamedTuple
from sleep.wake import candidates, code_part, page_lines, part_lines, purpose, quality, render, selection, task_rank
from sleep.wake.page import PATH as PAGE
from sleep.wake.page import age as page_age
from sleep.wake.render import Phase, Wake
from sleep.wake.selection import Offers, Share
from sleep.wake.several_projects import project_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sleep.memory.place import Place
    from sleep.recall.past.moment import Moment
    from sleep.records.address import Address
    from sleep.settings import Settings
    from sleep.wake.candidates import Memory
    from sleep.wake.page import PageLine

_TITLE = "# What you knew\n"
_BRIEF = 10_000  # tokens below which a wake that was asked for by its budget is written in brief
_ROOMY = 6_000  # tokens from which on lines are judged by what holds; the least of the phases of the settings
# Tokens, from which on a line is cut later where names return, and older lists say what is next too: before, another
# line tells more.
_LATER = 3_000
_LEDGER = 420  # tokens set aside for the title and the ledger,
_LEDGER_SHARE = 0.2  # and the most that these are of the budget
_BRIEF_LEDGER = 70
_FETCH = {"hot": "cat memory/hot/*.md", "warm": "cat memory/warm/*.md", "journals": "cat journal/*.md"}
_FIRST, _FIRST_BRIEF = 0.6, 0.35  # of what fragments may cost, for records before all else
_TASK = 0.3  # of it, for what is about the task
_HANDOFF = 0.12  # of a brief wake, for purpose and handoff
_DAY, _DAY_BRIEF = 9.0, 8.0  # tokens of the heading above the lines of a journal
_WITHOUT_HEADINGS = 0.92  # of a share that pays for its own headings, for the fragments,
_LESS, _LEAST_ROOM = 0.92, 0.3  # times which it is tried again where a phase costs too much; and the least of it
_NAMES = 0.05  # of what fragments may cost, to name what must be shown and was not
_LEAST_NAMES = 30
_CLOSE = 0.01  # of the budget: what may be left over for want of looking further
_TRIES = 4
_STEP = 3  # tokens that are given back at the least


def wake(
    where: Place,
    now: str,
    *,
    task: str = "",
    budget: int | None = None,
    session: str = "",
    fresh: bool = False,
    project: str = "",
) -> Wake:
    """Open the next instance's journal, or go on with the one that is open, and return what to read.

    Of several projects that is mostly `project`, "" for the one that this process works in.
    """
    _total(where.settings, budget)  # a call that cannot be answered opens no journal
    with place.jotting(where, "wake"):
        view = View(WorkTree(where.root))
        session = session or settings_.session() or ""
        own = project_names.of_reader(view, project, where.root.path)
        path = None if fresh else writer.open_path(view, session=session, root=where.root)
        if path is None:
            path = writer.start(where, now, tone_check.first, session=session).path
            view = View(WorkTree(where.root))
    instance = str(view.journal(path).instance)
    view, marks = hand_edits.view_with_notes(where.root, now)
    last = f"{code_part.beside(where, view, now, _total(where.settings, budget))}Your journal is {path} ({instance}).\n"
    if register.asks_tone(view.journal(path).entries):
        last += f"{tone_check.QUESTION}\n"
    make = partial(assemble, settings=where.settings, task=task, budget=budget, last=last, own=own)
    made = place.safe(view, make)
    return made._replace(text=hand_edits.without_marks(made.text, marks), instance=instance, path=path)


def peek(
    where: Place,
    now: str = "",
    *,
    task: str = "",
    budget: int | None = None,
    at: Moment | None = None,
    project: str = "",
) -> Wake:
    """Return what would be read, now or at a moment of the past, and change nothing.

    Without `now` (ISO 8601) it does not tell what waits for a word; `project` is as in `wake`.
    """
    view, marks = (View(at.tree(where.root)), frozenset[str]()) if at else hand_edits.view_with_notes(where.root, "")
    title = (
        f"{_TITLE}\n({at.label[0].upper()}{at.label[1:]}. Commands below read what is there now.)\n" if at else _TITLE
    )
    last = code_part.beside(where, view, now, _total(where.settings, budget)) if now and not at else ""
    own = project_names.of_reader(view, project, where.root.path)
    make = partial(assemble, settings=where.settings, task=task, budget=budget, title=title, last=last, own=own)
    made = place.safe(view, make)
    return made._replace(text=hand_edits.without_marks(made.text, marks))


def assemble(
    view: View,
    settings: Settings,
    *,
    task: str = "",
    budget: int | None = None,
    last: str = "",
    title: str = _TITLE,
    own: str = "",
) -> Wake:
    """Return what to read for a task within `budget` tokens, which holds for all: `title`, the ledger and `last` too.

    `own` is the project that the reader works in. Raises UsageError for a budget above the ceiling or too small to say
    anything.
    """
    total = _total(settings, budget)
    has_budget = budget is not None
    write = partial(render.written, total=total, title=title, last=last)
    if (projects := project_names.read(view)).names:
        room = total - tokens.count(title) - tokens.count(last)
        make = partial(_part, settings, _is_brief(total, has_budget))
        return project_parts.wake(view, projects, make, partial(write, brief=True), task, total, room, own)
    source = _read(view, settings, task, total, has_budget=has_budget)
    frame = _BRIEF_LEDGER if source.is_brief else min(_LEDGER, int(total * _LEDGER_SHARE))
    left = max(0, total - frame - tokens.count(last) - tokens.count(title) + tokens.count(_TITLE))
    return _fit(source, total, left, partial(write, brief=source.is_brief))


def _fit(source: _Source, total: int, left: int, write: Callable[[Sequence[Phase]], str]) -> Wake:
    """Return what fits `total` tokens as it is written; `left` of them are for all but title and ledger."""
    best: Wake | None = None
    tries, room = 0, 1.0 if source.has_budget else _WITHOUT_HEADINGS
    # What headings and ledger cost, nobody knows before: the most that leaves room for them is looked for.
    while best is None or tries < _TRIES:
        tries += 1
        phases, has_more = _phases(source, left, room)
        listed = render.within(phases, total)
        made = Wake(write(listed), listed, total)
        spare = total - made.cost
        if not source.has_budget and any(phase.cost > phase.budget for phase in phases):
            room *= _LESS  # a phase is over its share
        elif spare >= 0 or not left:
            best = made if best is None or made.cost > best.cost else best
            if spare <= total * _CLOSE or not has_more:
                break
            left += spare
        else:
            left = max(0, left + min(spare, -_STEP * tries))  # further each time, or the same might be chosen again
        if room < _LEAST_ROOM:
            left, room = left // 2, _WITHOUT_HEADINGS
    return best


def _part(settings: Settings, is_brief: bool, view: View, room: int, task: str, is_whole: bool) -> Wake:  # noqa: FBT001
    """Return what is told of one of several projects: in brief, but for what is of the whole, where there is room."""
    source = _read(view, settings, task, room, has_budget=True, is_brief=is_brief or not is_whole)
    return _fit(source, room, room, partial(render.joined, brief=source.is_brief))


class _Source(NamedTuple):
    """What a wake is made of: the memory as it may be shown, what each part of it is worth, alone and to a task.

    `page` are the lines of the page that hold, `page_age` a line that says of when an old page is. `is_brief`: it is
    written in brief; `has_budget`: its budget was asked for, and is not the settings'. `purpose` is told in place of
    one, and made of the lines of journals at `orienting`; those at `state` say what the last sessions with real work
    changed. `parts` are the share and the lines of each part of the brief.
    """

    view: View
    settings: Settings
    memory: Memory
    offers: Offers
    task_shares: Sequence[float]
    page: Sequence[PageLine]
    is_brief: bool
    has_budget: bool
    purpose: str = ""
    orienting: Sequence[int] = ()
    state: frozenset[int] = frozenset()
    parts: Sequence[tuple[float, Sequence[int]]] = ()
    page_age: str = ""


def _is_brief(total: int, has_budget: bool) -> bool:  # noqa: FBT001  # as it was asked for
    """Return whether a wake of so many tokens is written in brief."""
    return total < (_BRIEF if has_budget else _ROOMY)


def _read(
    view: View, settings: Settings, task: str, total: int, *, has_budget: bool, is_brief: bool | None = None
) -> _Source:
    is_brief = _is_brief(total, has_budget) if is_brief is None else is_brief
    write = partial(render.write_fragment, brief=is_brief)
    day = _DAY_BRIEF if is_brief else _DAY
    weights = quality.ROOMY if total >= _ROOMY else quality.WEIGHTS
    room, cites = total * _WITHOUT_HEADINGS**2, not is_brief
    memory = candidates.gather(view, task, write, day, weights, cuts_later=total >= _LATER, room=room, cites=cites)
    near = task_rank.ranks(view, task, memory.candidates)
    shares = task_rank.share_of_task(memory.candidates, task, near)
    offers = selection.weigh(memory, total)
    page = page_lines.lines_that_hold(view)
    derived = purpose.derived(view)
    orienting = () if derived.text or page or purpose.is_said(view) else purpose.lines(memory.candidates)
    names = () if page or purpose.is_said(view) else purpose.people(memory.candidates)
    lead = purpose.shown(derived, memory.candidates, orienting, names)
    state = part_lines.state(memory.candidates) if is_brief else frozenset[int]()
    parts = part_lines.parts(memory.candidates, state, is_small=total < _LATER) if is_brief else ()
    old = page_age(view) if page else ""
    age = f"(This page is {old}.)\n" if old else ""
    return _Source(
        view, settings, memory, offers, shares, page, is_brief, has_budget, lead, orienting, state, parts, age
    )


class _Pages(NamedTuple):
    """The pages as they are shown, the addresses that the page tells, and what the others may cost together."""

    orient: Phase
    page: Phase
    architecture: Phase
    addresses: frozenset[Address]
    shares: tuple[Share, ...]

    @property
    def text(self) -> str:
        """What stands above all else."""
        return self.orient.text + self.page.text


def _pages(source: _Source, left: int) -> _Pages:
    """Return the pages as they are shown, and what hot memory, warm memory and journals may cost.

    The shares in the settings are the most that a page, hot or warm memory may cost; what one leaves is the next one's,
    and at last that of the journals. What warm memory and journals cannot use is hot memory's. With a budget of its
    own, a wake scales those of the pages, and what they leave is for all the others alike. In brief, of the pages only
    purpose and handoff are shown.
    """
    settings = source.settings
    main = settings.wake_main
    scale = min(1.0, left / max(1, main + settings.wake_hot + settings.wake_architecture + settings.wake_warm))
    text = late_moves.main_page_of(source.view)
    if source.is_brief:
        orient = render.opening(text, int(left * _HANDOFF))
        architecture = _architecture(source, 0)
    else:
        main = int(main * scale)
        orient = render.main(text, main) if text.strip() else Phase("orient", "", main, 0)
        architecture = _architecture(source, int(settings.wake_architecture * scale))
    orient = _with_purpose(orient, source.purpose)
    rest = left - orient.cost - architecture.cost
    page, addresses = _page(source, rest if source.has_budget else rest // 2)
    rest -= page.cost
    if source.has_budget:
        shares: tuple[Share, ...] = (Share(("hot", "warm", "journals"), rest),)
    else:
        needs, warm = _needs(source), int(settings.wake_warm * scale)
        hot = int(settings.wake_hot * scale) + max(0, main - orient.cost)
        hot = min(rest, max(hot, min(needs["hot"], rest - min(warm, needs["warm"]) - needs["journals"])))
        warm = min(rest - hot, warm)
        shares = (Share(("hot",), hot), Share(("warm",), warm), Share(("journals",), rest - hot - warm))
    return _Pages(orient, page, architecture, addresses, shares)


def _needs(source: _Source) -> dict[str, int]:
    """Return the tokens that all of each phase would cost, with its headings."""
    costs = dict.fromkeys(_FETCH, 0.0)
    for candidate in source.memory.candidates:
        costs[candidate.phase] += candidate.cost / _WITHOUT_HEADINGS**2
    return {name: int(cost) for name, cost in costs.items()}


def _with_purpose(orient: Phase, purpose: str) -> Phase:
    """Return the first phase with what is told in place of a purpose at its head."""
    text = f"{purpose}\n{orient.text}" if purpose and orient.text.startswith("#") else f"{purpose}{orient.text}"
    return orient._replace(text=text, cost=tokens.count(text))


def _page(source: _Source, budget: int) -> tuple[Phase, frozenset[Address]]:
    """Return what somebody wrote for the next reader, as much as fits, and the addresses that it tells."""
    lines = page_lines.fit(source.page, budget - tokens.count(source.page_age))
    text = page_lines.text_of(lines)
    text = text and f"{text}{source.page_age}"
    missing = len(source.page) - len(lines)
    left_out = f"{missing} of {len(source.page)} lines" if missing else ""
    addresses = frozenset(address for line in lines for address in line.addresses)
    return Phase("page", text, budget, tokens.count(text), left_out, f"cat {PAGE}" if missing else ""), addresses


def _architecture(source: _Source, budget: int) -> Phase:
    for path in (source.settings.architecture,) if source.settings.architecture else paths.ARCHITECTURE:
        text = source.view.read(path)
        if text and text.strip() and text.strip() not in page_templates.FORMS:
            if budget:
                return render.sections("architecture", text, budget, path)
            return Phase("architecture", "", 0, 0, "all", f"cat {path}")
    return Phase("architecture", "", budget, 0)


def _phases(source: _Source, left: int, room: float) -> tuple[list[Phase], bool]:
    """Return the phases, with what is worth most within `left` tokens, and whether more room would show more.

    `room` is the share of the tokens that is for fragments.
    """
    pages = _pages(source, left)
    shares = pages.shares
    placed = source.memory.candidates
    budget = shares[0].budget
    binding = sum(candidate.cost for candidate in placed if candidate.is_binding)
    reserve = budget if len(shares) > 1 else budget * (_FIRST_BRIEF if source.is_brief else _FIRST)
    names = max(_LEAST_NAMES, int(budget * _NAMES)) if binding > reserve else 0
    for_task = task_rank.choose_for_task(source.memory, source.task_shares, budget * _TASK)
    task_text = render.task(placed, for_task)
    task = Phase("task", task_text, tokens.count(task_text), tokens.count(task_text))
    first = max(0.0, budget * room - names - task.cost)
    within = [Share(shares[0].phases, first), *(share._replace(budget=share.budget * room) for share in shares[1:])]
    elsewhere = {*for_task, *source.orienting, *selection.list_records(placed, pages.addresses)}
    chosen = selection.choose(source.offers, within, min(first, reserve), pages.text, elsewhere, source.parts)
    shown = chosen | elsewhere
    missing = selection.missing_records(placed, shown)
    covered = shown | selection.binding(placed) - missing.keys()
    names_text = render.list_missing(list(missing.values()), names, brief=source.is_brief)
    hot = _tier(source, "hot", chosen, covered, int(budget), names_text)
    warm = _tier(source, "warm", chosen, covered, int(shares[1].budget if len(shares) > 1 else budget))
    rest = int(sum(share.budget for share in shares)) - hot.cost - warm.cost - task.cost
    lines = _tier(source, "journals", chosen, covered, max(0, rest))
    has_more = any(page.left_out for page in (pages.orient, pages.page, pages.architecture)) or len(shown) < len(placed)
    above = [pages.orient, *(phase for phase in (pages.page, task) if phase.text)]
    return [*above, hot, pages.architecture, warm, lines], has_more


def _tier(
    source: _Source, name: str, chosen: Collection[int], covered: Collection[int], budget: int, ending: str = ""
) -> Phase:
    """Return the phase of a tier or of the journals: what was chosen of it, and how much of it is not told."""
    placed, brief = source.memory.candidates, source.is_brief
    own = {index for index in chosen if _phase(source, index) == name}
    if name == "journals":
        text = render.excerpts(placed, own, brief=brief)
    elif brief and name == "hot":
        text = render.parts(placed, own, own & source.state)
    else:
        text = render.fragments(source.view, placed, own, brief=brief)
    text += f"\n{ending}" if ending and text and not brief else ending
    left_out = _left_out(source, name, covered)
    return Phase(name, text, budget, tokens.count(text), left_out, _FETCH[name] if left_out else "")


def _phase(source: _Source, index: int) -> str:
    """Return the phase that shows something: in brief what holds stands together, whichever document says it."""
    candidate = source.memory.candidates[index]
    is_part = source.is_brief and (index in source.state or candidate.kind in brief_parts.KINDS)
    return "hot" if is_part else candidate.phase


def _left_out(source: _Source, name: str, covered: Collection[int]) -> str:
    """Return how much of a phase is not told, and how much of that is outdated; "" for nothing.

    A record that a line of its journal tells is `covered` too.
    """
    memory = source.memory
    dropped = memory.outdated.get(name, 0)
    passed = memory.passed if name == "journals" else 0
    there = dropped + passed + sum(candidate.phase == name for candidate in memory.candidates)
    own = {index for index in covered if memory.candidates[index].phase == name}
    missing = there - len(own)
    old = sum(each.phase == name and each.is_old for each in memory.candidates)
    outdated = dropped + old - sum(memory.candidates[index].is_old for index in own)
    unit = "" if source.is_brief else " lines" if name == "journals" else " fragments"
    return f"{missing} of {there}{unit}" + (f" ({outdated} outdated)" if outdated else "") if missing else ""


def _total(settings: Settings, budget: int | None) -> int:
    """Return the tokens that may be printed; raises UsageError for too few or too many."""
    total = settings.wake_budget if budget is None else budget
    if not 200 <= total <= settings_.CEILING:  # noqa: PLR2004
        raise UsageError(f"a budget of {total} tokens (would be right: 200 to {settings_.CEILING})")
    return total
