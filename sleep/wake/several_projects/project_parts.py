"""The parts of a wake of several projects: each is the wake of the memory of one, within its share of the room.

Owns giving each the room that those before it left, and naming those for which there is none. Refuses to choose what
is told of one: whoever makes the wake of one does that.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sleep.documents import main_page, paths
from sleep.language import tokens
from sleep.memory.by_project.project_tree import ProjectTree
from sleep.memory.view import View
from sleep.wake.render import Phase, Wake, ledger
from sleep.wake.several_projects import project_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.memory.by_project.project_names import Projects
    from sleep.wake.several_projects.project_shares import Shares

    # Returns the wake of one memory, of which are given its tokens, its task, and whether it has no name.
    Make = Callable[[View, int, str, bool], Wake]

_WHOLE = "general"  # what a ledger calls what is of no project
_OTHERS = "others"
_COMMAND = "sleepwake wake --project {}"
_PLAN = 30  # tokens of what is next in a project that is not told


def wake(
    view: View,
    projects: Projects,
    make: Make,
    write: Callable[[Sequence[Phase]], str],
    task: str,
    total: int,
    room: int,
    own: str = "",
) -> Wake:
    """Return the wake of a memory of several projects, one below the other.

    Args:
        view: the memory.
        projects: what is whose.
        make: returns the wake of the memory of one.
        write: returns the whole text of the parts, with title and ledger.
        task: what the instance is going to do, or "".
        total: the tokens that the whole text may have,
        room: and those of it that are for parts and ledger.
        own: the project that the reader works in, "" for none.
    """
    left = max(0, room - _ledger_room(projects, total))
    parts = _parts(view, projects, make, task, project_shares.divide(("", *projects.names), task, left, own), left)
    while (text := write(parts)) and tokens.count(text) > total and any(part.text for part in parts):
        parts = _without_last(parts)
    return Wake(text, tuple(parts), total)


def _parts(view: View, projects: Projects, make: Make, task: str, shares: Shares, room: int) -> list[Phase]:
    """Return a phase for each project that is told, in order, and a last one that names the others and what is next.

    Those of few instances are made first: what they leave is for those that have more to say.
    """
    sizes = Counter(projects.instances.values())
    left, weight = float(room - tokens.count(_others(view, projects, shares.others))), 1.0
    parts: dict[str, Phase] = {}

    def tell(name: str, budget: float) -> float:
        own_task = task if name in shares.asked or not shares.asked else ""  # of another project nothing is about it
        parts[name] = _part(make, View(ProjectTree(view, projects, name)), name, own_task, int(budget))
        return left - parts[name].cost

    for name, share in sorted(shares.parts, key=lambda part: (sizes[part[0]], part)):
        left, weight = tell(name, left * share / weight if weight > share else left), weight - share
    others = list(shares.others)
    while others and left >= project_shares.LEAST:
        left = tell(others.pop(0), left)
    listed = [parts[name] for name in shares.order if name in parts]
    if text := _others(view, projects, others):
        listed.append(Phase(_OTHERS, text, 0, tokens.count(text)))
    return listed


def _others(view: View, projects: Projects, names: Sequence[str]) -> str:
    """Return a line for each project that is not told, with what is next there; "" for none."""
    rows = []
    for name in names:
        main = ProjectTree(view, projects, name).read(paths.MAIN) or ""
        plan = main_page.handoff(main).get("next_priority", "")
        rows.append(f"- {name}: next: {tokens.clip(plan, _PLAN)}\n" if plan else f"- {name}\n")
    return "".join([f"# Also here, and not told (`{_COMMAND.format('NAME')}`)\n", *rows]) if rows else ""


def _part(make: Make, view: View, name: str, task: str, budget: int) -> Phase:
    title = f"# Project {name}\n" if name else ""
    own = make(view, max(0, budget - tokens.count(title)), task, not name)
    text = f"{title}{own.text}" if own.text.strip() else ""
    pages = [phase for phase in own.phases if phase.left_out and (phase.name != "orient" or not name)]
    absent = [(phase.left_out.partition(" (")[0], phase.name) for phase in pages]
    left_out = ", ".join(f"{count} of {phase}" for count, phase in absent)
    command = _COMMAND.format(name) if name else "cat main.md"
    return Phase(name or _WHOLE, text, budget, tokens.count(text), left_out, command if left_out else "")


def _ledger_room(projects: Projects, total: int) -> int:
    """Return the tokens that the ledger of so many projects may cost."""
    names = (_WHOLE, *projects.names)[: 1 + max(1, total // project_shares.LEAST)]
    most = f"{total} of {total}"
    absent = f"{most} of hot, {most} of journals"
    rows = [Phase(name, "", total, total, absent, _COMMAND.format(name)) for name in names]
    return tokens.count(ledger(rows, total, total, brief=True))


def _without_last(parts: Sequence[Phase]) -> list[Phase]:
    """Return the parts, the last one that tells something without its text."""
    last = max(index for index, part in enumerate(parts) if part.text)
    return [part._replace(text="", cost=0) if index == last else part for index, part in enumerate(parts)]
