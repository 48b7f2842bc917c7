"""Lines about the memory in the pages that agents read by themselves: `AGENTS.md` and `CLAUDE.md`.

Owns one block between two marks: which pages get it, putting it in, and taking it out again. All else in a page stays
as it is, to the byte, and taken out the page is what it was. A block that a person changed is theirs: it is left, and
that is said.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sleep.clients.client_table import AGENTS, CLIENTS, of
from sleep.clients.installation import install as install_
from sleep.documents.markdown import edit
from sleep.documents.project.guidance_marks import BEGIN, END, MARKED
from sleep.store import context, files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.clients.client_table import Client
    from sleep.clients.installation.install import Outcome
    from sleep.clients.installation.settings_files import Place

BLOCK = f"""\
{BEGIN}
## Memory of earlier sessions

This project keeps a memory with `sleepwake`: decisions with their reasons, open questions, constraints, what was tried.

- `sleepwake recall "question" --budget 1000` answers from it; each passage has an address such as `i7qxk.12`.
- `sleepwake trace i7qxk.12` leads from an address to where it was said, and to the commits.
- `sleepwake wake --peek --task "what is to be done"` prints what is worth reading before a task.
- `sleepwake decide "..." --why "..."` keeps a decision for later sessions.
- `sleepwake journal.add --kind KIND --text "..."` keeps a question, doubt, constraint, task, blocker, insight, dead
  end, fix or handoff. `--said-by person` marks a person's word. `sleepwake task.done` closes a task.
- Where `sleepwake` is no command, the start of a session names the one that works.
- Sealed journals and the files in `memory/hot`, `memory/warm` and `memory/cold` are written by the program alone.
{END}"""
_ELSEWHERE = "- Where `sleepwake` is no command, the start of a session names the one that works.\n"
_WORK = "constraint, task, blocker, insight, dead end and handoff. `sleepwake task.done` closes a task."
_THIRD = BLOCK.replace(
    BLOCK[BLOCK.index("- `sleepwake decide") : BLOCK.index(_ELSEWHERE)],
    """\
- `sleepwake journal.add --kind decision --text "..." --why "..."` keeps a decision for later sessions; other kinds are
  question, doubt, constraint, task, blocker, insight, dead end, fix and handoff. `sleepwake task.done` closes a task.
""",
)
_SECOND = _THIRD.replace("dead end, fix and", "dead end and")
_FIRST = _SECOND.replace(_ELSEWHERE, "").replace(_WORK, "constraint, insight, dead end and handoff.")
FORMER = (_FIRST, _SECOND, _THIRD)  # blocks of earlier versions, which are replaced
_MARK = re.compile(rf"(?m)^(?:{BEGIN}|{END})[ \t]*\r?$")
_IMPORTS = re.compile(r"(?m)^[ \t]*(?:[-*][ \t]+)?@(?:\./)?AGENTS\.md\b")
_LEFT = (
    "the block between the sleep marks was edited by hand, and is left as it is; take it out by hand,"
    " and `sleepwake clients.install` writes a new one"
)
_UNPAIRED = "it has sleep marks that are no pair, and is left as it is"


def pages(clients: Iterable[Client], where: Place) -> list[str]:
    """Return the pages that these clients read, each real file once.

    A client with pages of its own reads `AGENTS.md` only where there is none of those, or where that says `@AGENTS.md`.
    None is made for such a client alone: later a page of its own would hide it.
    """
    paths, agents = [], os.path.join(where.project, AGENTS)
    for client in clients:
        own = next((path for path in _own(client, where) if os.path.exists(path)), "")
        if own and not _IMPORTS.search(files.read(own) or ""):
            paths.append(own)
        elif client.reads_agents and (not client.pages or os.path.lexists(agents)):
            paths.insert(0, agents)
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def _own(client: Client, where: Place) -> list[str]:
    return [os.path.join(where.project, *name.split("/")) for name in client.pages]


def install(clients: Sequence[Client], where: Place, *, dry: bool = False) -> list[Outcome]:
    """Put the block into the pages of a project that these clients read."""
    memory = context.find(where.project)
    if where.user or memory is None or memory.separate or not os.path.exists(memory.settings):
        return []
    return [install_.change("", path, where, with_block, BEGIN, dry=dry) for path in pages(clients, where)]


def uninstall(staying: Sequence[Client], where: Place, *, dry: bool = False) -> list[Outcome]:
    """Take the block out of every page that none of the clients reads that keep our hooks."""
    if where.user:
        return []
    staying_pages = {os.path.realpath(path) for path in pages(staying, where)}
    own = (path for name in CLIENTS for path in _own(of(name), where))
    every = (os.path.join(where.project, AGENTS), *own)
    real = {os.path.realpath(path): path for path in every if os.path.exists(path)}
    left = [path for target, path in real.items() if target not in staying_pages]
    outcomes = [install_.change("", path, where, without, BEGIN, dry=dry) for path in left]
    return [outcome for outcome in outcomes if outcome.what != "same"]


def with_block(text: str | None) -> str:
    """Return a page with the block: in the place of an old one, else at its end; ValueError says why it is left.

    The page's final line feed, or its lack, is kept, so that `without` can tell what was there.
    """
    span = _span(text or "")
    newline = edit.newline((text or "")[slice(*span)] if span else text or "")
    block = BLOCK.replace("\n", newline)
    if text is None:
        return block + newline
    if span:
        return text[: span[0]] + block + text[span[1] :]
    if not text or text.endswith("\n"):
        return text + newline + block + newline
    return text + newline + newline + block


def without(text: str | None) -> str | None:
    """Return a page without the block, None if it was made for the block; ValueError says why it is left."""
    span = _span(text or "")
    if text is None or span is None:
        return text
    before, after = text[: span[0]], text[span[1] :]
    newline = edit.newline(text[span[0] : span[1]])
    if not before and after == newline:
        return None
    ended = after.startswith(newline)
    for _ in range(1 if ended else 2):
        before = before.removesuffix(newline)
    return before + after.removeprefix(newline)


def _span(text: str) -> tuple[int, int] | None:
    blocks = list(MARKED.finditer(text))
    if len(_MARK.findall(text)) != 2 * len(blocks) or len(blocks) > 1:
        raise ValueError(_UNPAIRED)
    if not blocks:
        return None
    if blocks[0][0].replace("\r\n", "\n") not in (BLOCK, *FORMER):
        raise ValueError(_LEFT)
    return blocks[0].span()
