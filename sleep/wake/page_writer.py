"""Writing the page: what its writer is given, and what of the answer is written.

Owns `wake.page`: the material (a wake of everything, as large as asked for), what must be told, and the page on disk
once the gate has looked at every line. Refuses to commit: the next sleep does, as it commits a person's edits. What
somebody else left there uncommitted is `cycle.adoption`'s, before it is written over.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.errors import UsageError
from sleep.memory import place
from sleep.memory.view import View
from sleep.redaction import homes, terminal
from sleep.store import files
from sleep.store.tree import WorkTree
from sleep.wake import assembly, page, page_gate, page_lines

if TYPE_CHECKING:
    from sleep.memory.place import Place
    from sleep.wake.page_gate import Judgement

BUDGET = 2_000  # tokens of a page
LEAST, MOST = 200, 20_000
_TASK = """# Write the page of this memory

Read what stands below and write one page of at most {budget} tokens (about {characters} characters) for the next
instance, which knows nothing: what this is and for whom; how things stand now, with the latest value only; what waits
on a person; what to do next; the rules; the decisions that hold, each with its reason; what was tried and failed; then
facts and lessons that will be needed again. Markdown: headings, and one fact a line. Names, figures and denials must
stand in what you read. Addresses such as [i2fmb.12] may end a line; lines without are given theirs.

Hand it in with `sleepwake wake.page --write FILE` (or `-` for standard input). Each line is checked against the entries
that it is made of; what is refused is named with the reason: mend it and hand the whole page in again.
"""


_HOLDS = "# What holds, the most binding first (what has no room on the page, `wake` tells below it)\n"


class WrittenPage(NamedTuple):
    """What was judged, the path of the page, its tokens without addresses, and how many it may have."""

    judgement: Judgement
    path: str
    tokens: int
    budget: int


def material(where: Place, budget: int, size: int) -> str:
    """Return what the writer of a page is given: the task, what must be told, the page as it is, and the material.

    `budget` are the tokens of the page, `size` those of the material. Raises UsageError where they are too few or many.
    """
    view = View(WorkTree(where.root))
    records = page_lines.binding_records(page_lines.records_by_address(view))
    rows = [f"- {fragment.kind}: {fragment.text} [{fragment.identity}]" for fragment in records]
    parts = [_TASK.format(budget=_checked(budget), characters=4 * budget)]
    if rows:
        parts.append("\n".join([_HOLDS, *rows, ""]))
    if there := view.read(page.PATH):
        parts.append(f"# The page as it is\n\n{there}")
    parts.append(assembly.peek(where, budget=size).text)
    return "\n".join(parts)


def write(where: Place, text: str, budget: int, *, dry_run: bool = False) -> WrittenPage:
    """Judge a page and write what is taken; nothing of it taken, nothing is written.

    Raises:
        UsageError: the page says nothing, or the budget is too small or too large.
    """
    text = homes.hide("\n".join(map(terminal.strip_escapes, text.splitlines())), (os.path.expanduser("~"),))
    if not any(not line.is_heading for line in page.read(text)):
        raise UsageError("a page has lines below its headings (give it with --write FILE, or - for standard input)")
    with place.jotting(where, "wake.page"):
        judgement = page_gate.judge(View(WorkTree(where.root)), text, _checked(budget), place.secrets())
        shown = page_lines.text_of(judgement.lines)
        if shown and not dry_run:
            content = page.write(judgement.lines)
            files.write(where.root.absolute(page.PATH), content)
            files.write(_note(where), _signed(content))
    return WrittenPage(judgement, page.PATH, page_lines.cost(judgement.lines), budget)


def is_own(where: Place) -> bool:
    """Return whether the page on disk is none, or is as this session last had it written here."""
    text = WorkTree(where.root).read(page.PATH)
    return text is None or files.read(_note(where)) == _signed(text)


def _note(where: Place) -> str:
    """Return the file that says what was last written here, and in which session."""
    return os.path.join(where.root.state_dir, "page")


def _signed(content: str) -> str:
    return f"{blake2b(files.encode(content), digest_size=16).hexdigest()} {settings.session()}\n"


def _checked(budget: int) -> int:
    if not LEAST <= budget <= MOST:
        raise UsageError(f"a page of {budget} tokens (would be right: {LEAST} to {MOST})")
    return budget
