"""Bringing a memory to the format of this program, in one commit that a person reviews.

Owns the change of `sleep.yaml` and the pages of fates of cycles that wrote none down. Refuses to touch anything else: a
memory of an older format is read, slept on and undone as it is until somebody asks for this.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.cycle import adoption
from sleep.documents import fates_page, paths
from sleep.documents.fates_page import Page
from sleep.documents.markdown import edit
from sleep.history.step_fates import Past
from sleep.memory import place
from sleep.plurals import several
from sleep.store import files, step
from sleep.store.plan import Plan
from sleep.upkeep import statistics

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleep.memory.place import Place

STEP = "migrate"
_FORMAT = re.compile(r"(?m)^format:.*$")


class Migration(NamedTuple):
    """What was done: the format before and after, the pages that were written, and the commit ("" where none was)."""

    before: int
    after: int
    pages: tuple[str, ...] = ()
    sha: str = ""


def migrate(where: Place, notice: Callable[[int, int], None] = lambda _done, _all: None) -> Migration:
    """Bring a memory to this program's format, and say what was done; `notice` is called with the cycles done and all.

    Raises what a step of a sleep raises; nothing was changed then.
    """
    before = where.settings.format
    if before >= settings.FORMAT:
        return Migration(before, before)
    with place.writing(where, STEP) as writer:
        adoption.adopt(writer)
        pages = _pages(where, notice)
        text = files.read(where.root.absolute(paths.SETTINGS), within=where.root.path) or ""
        writes: dict[str, str | None] = {paths.SETTINGS: _with_format(text), **pages}
        lines = [f"- format: {before} -> {settings.FORMAT}; older programs refuse it from here on"]
        lines += [f"- {path}: the fates of a cycle that did not write them down" for path in pages]
        subject = f"migrate to format {settings.FORMAT}, {several(len(pages), 'cycle')}"
        plan = Plan(STEP, subject, "\n".join(lines), (("Sleep-Step", STEP),), writes)
        sha = step.apply(where.root, plan, writer.lock, writer.repository)
    return Migration(before, settings.FORMAT, tuple(pages), sha)


def _with_format(text: str) -> str:
    line = f"format: {settings.FORMAT}"
    if _FORMAT.search(text):
        return _FORMAT.sub(line, text, count=1)
    return f"{line}{edit.newline(text)}{text}"


def _pages(where: Place, notice: Callable[[int, int], None]) -> dict[str, str]:
    """Return by path the pages of the cycles that have none and that history still holds."""
    past = Past(where.root)
    sizes = {
        (after.cycle, after.instance): (after.hot, after.warm, after.cold) for after in statistics.over_time(where)
    }
    pages: dict[str, str] = {}
    rows = past.now.cycles
    for done, row in enumerate(rows):
        notice(done, len(rows))
        path = fates_page.path(*row.key)
        own = [step for step in past.steps if step.key == row.key]
        sections = tuple(fates.section for step in own for fates in past.fates(step))
        after = tuple(size for size in sizes.get(row.key, ()) if size is not None)
        page = Page(sections, after if len(after) == len(paths.TIERS) else ())
        if past.now.read(path) is None and (page.sections or page.sizes):
            pages[path] = fates_page.render(*row.key, page)
    notice(len(rows), len(rows))
    return pages
