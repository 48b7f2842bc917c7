"""What a wake tells beside the memory: commits since the last sleep, records of files they changed, and what waits.

Owns the lines and their share of the budget. What git says is quoted, within quotes. Reads git by two bounded
processes; refuses a moment of the past, whose commits are no news.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.code import commit_lines, commits, mentions
from sleep.debt import book
from sleep.language import tokens
from sleep.memory import place
from sleep.plurals import several
from sleep.review import agenda
from sleep.settings import OFF
from sleep.store import context as contexts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.memory.place import Place
    from sleep.memory.view import View

_TITLE = "## In the code since (words of git stand in quotes)\n\n"
_SHARE, _MOST = 0.04, 500  # of a wake's tokens, and tokens
_RECORDS = 8
_PRESSING = 80  # tokens of what contradicts or is due, by name


def beside(where: Place, view: View, now: str, total: int) -> str:
    """Return what was committed to the code, and what waits for a word, with what contradicts and is due by name."""
    code = text(where, view, total)
    listed = agenda.items(view, where.settings.review_most, now)
    asked, pressing = agenda.sentence(listed), "; ".join(agenda.pressing(listed))
    named = f": {tokens.clip(pressing, _PRESSING)}" if pressing else ""
    return place.clean(f"{code}{asked} (`sleepwake review`){named}.\n" if asked else code)


def text(where: Place, view: View, total: int) -> str:
    """Return the part, with a blank line behind it, for a wake of `total` tokens; "" where there is nothing."""
    left = min(_MOST, int(total * _SHARE)) - tokens.count(_TITLE)
    shown = ""
    if where.settings.debt_commits == OFF or left <= 0:
        return shown
    for line in _lines(where, view):
        left -= tokens.count(f"- {line}\n")
        if left < 0:
            break
        shown += f"- {line}\n"
    return f"{_TITLE}{shown}\n" if shown else ""


def _lines(where: Place, view: View) -> Iterator[str]:
    """Yield the lines, the one that says most first."""
    context, here = contexts.of(where.root), contexts.here()
    committed = commits.read(context, where.settings, book.read(context), here)
    rows = commit_lines.describe(committed) if committed else []
    yield from rows[:2]
    binding = [record.fragment for record in view.records.values() if record.fragment.is_open]
    changed = mentions.find(where.root, view, binding, here)
    records = [fragment for fragment in reversed(binding) if fragment.identity in changed]
    for fragment in records[:_RECORDS]:
        files = "; ".join(mentions.sentence(mention, fragment.identity) for mention in changed[fragment.identity])
        yield f"{fragment.handle} ({fragment.kind}) speaks of files that changed: {files}"
    if len(records) > _RECORDS:
        more = several(len(records) - _RECORDS, "more record")
        yield f"{more} on files that changed: `sleepwake decision.show ID` tells"
    yield from rows[2:]
