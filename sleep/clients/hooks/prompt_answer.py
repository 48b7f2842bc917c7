"""What a prompt is answered with: the few passages of the memory that are surely about it, each once a session.

Owns what is left out (what the session was given already, and what it journaled itself), the budget, and the written
form: facts with their addresses, a line each, nothing that reads as an order.
"""

from __future__ import annotations

import os

from sleep.clients import client_table
from sleep.clients.hooks import shown_entries
from sleep.errors import StorageError
from sleep.store import files, layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sleep.clients.hooks.hook_run import Call
    from sleep.recall.prompt_match import Row
    from sleep.store.context import Context

REFRESH = ("recall", "memory", "--json")  # whatever is asked, the index is brought up to date first
_LEAD = "From this project's memory (notes of earlier sessions, which may be older than the code):"
_CHARACTERS, _FIRST_WIDE = 4, "\u3040"  # of a token, and where `tokens`, which takes 4 ms to load, knows better
# Commands of the client, what a program reports, and what the client says of itself: none of it is a person's words.
_NOT_ASKED = (
    *("/", "<", "!", "#", "[Request interrupted"),
    "This session is being continued from a previous conversation",
)
_LEAST = 25  # tokens of a row that is cut to fit
_EVENT = "UserPromptSubmit"
_FRONT = 2_048  # bytes of a journal that name its sessions
_MARKS = str.maketrans(dict.fromkeys("[],\"'", " "))  # around a name in a list


def prompted(call: Call) -> str:
    """Return what a client is answered to a prompt, "" for nothing.

    A session whose start nobody saw is opened: the hooks were installed meanwhile.
    """
    payload, context = call.said, call.context
    known = shown_entries.read(context, payload.session) if payload.session else {}
    if known is None:
        _open(call)
    asked = _typed(payload.prompt)
    if not _is_asking(asked) or not call.settings.recall_inject:
        return ""
    path = _index(context)
    if not path:
        return ""
    from sleep.recall import prompt_match  # late: where it is wanted  # noqa: PLC0415

    passages = prompt_match.find_rows(path, context.base, asked, known or {})
    rows = [row for row in passages if not _is_own(context, row, payload.session)]
    chosen = list(_fitted(rows, call.settings.recall_inject_budget))
    if not chosen:
        return ""
    if payload.session:
        shown_entries.add(context, payload.session, (key for row, _ in chosen for key in row.keys))
    from sleep.clients.hooks import client_output  # late: most prompts are given nothing  # noqa: PLC0415

    lines = "\n".join((_LEAD, *(line for _, line in chosen)))
    return client_output.formed(
        client_output.clipped(lines, client_output.CAP),
        payload.event or _EVENT,
        bare=client_table.known(payload.client).is_bare,
    )


def _typed(prompt: str) -> str:
    """Return a prompt without what hooks and the client put before a person's words, in elements of their own."""
    if not prompt.lstrip().startswith("<"):
        return prompt
    from sleep.transcripts import boilerplate  # late: patterns, for few prompts  # noqa: PLC0415

    return boilerplate.strip(prompt)


def _is_asking(prompt: str) -> bool:
    """Return whether a prompt may be about anything: a person's, and more than one plain word (`continue`)."""
    words = prompt.strip()
    return not words.startswith(_NOT_ASKED) and not (words.isascii() and words.rstrip(".!?").isalpha())


def _open(call: Call) -> None:
    from sleep.debt import book, sessions  # late: once a session  # noqa: PLC0415

    if sessions.read(call.context, call.said.session) is None:
        book.record_start(call.context, call.seen, call.now)
    if call.settings.recall_inject:
        shown_entries.begin(call.context, call.said.session, ())


def is_stale(context: Context) -> bool:
    """Return whether there is no index of a memory as it is now."""
    from sleep.recall import prompt_match  # late: where it is wanted  # noqa: PLC0415

    path = _index(context)
    return bool(path) and prompt_match.is_stale(path, context.base)


def _index(context: Context) -> str:
    """Return where the index of a memory is, "" without git; there need not be one."""
    from sleep.recall.index.index_form import NAME  # late: where it is wanted  # noqa: PLC0415

    git = layout.find_git(context.base)
    return os.path.join(git[1], "sleepwake", NAME) if git else ""


def _is_own(context: Context, row: Row, session: str) -> bool:
    """Return whether a row is of this very session's journal, and the session has not been compacted since."""
    if row.tier or not session:
        return False
    try:
        with open(files.open_regular(os.path.join(context.base, *row.path.split("/")), context.base), "rb") as file:
            front = file.read(_FRONT).partition(b"\n---")[0].decode("utf-8", "replace")
    except (OSError, StorageError):
        return True
    is_own = session in front.translate(_MARKS).split()
    if is_own:
        from sleep.debt import sessions  # late: seldom asked  # noqa: PLC0415

        known = sessions.read(context, session)
        return known is None or known.compacted is None
    return False


def _fitted(rows: Iterable[Row], budget: int) -> Iterator[tuple[Row, str]]:
    """Yield rows as lines while there is room for them; the last may be cut at a word."""
    left = budget - _tokens(_LEAD) - 1
    for row in rows:
        line = _line(row, row.text)
        if _tokens(line) + 1 > left:
            if left >= _LEAST:
                yield row, _cut(line, left - 1)
            return
        left -= _tokens(line) + 1
        yield row, line


def _line(row: Row, text: str) -> str:
    head = " · ".join(part for part in (" ".join(row.addresses) or row.path, row.day, row.tier, row.state) if part)
    return f"- [{head}] {_flat(text)}"


def _flat(text: str) -> str:
    line = " ".join(text.split())
    if line.isprintable():
        return line
    from sleep.wake.snapshot import prose  # late: 1 ms, for what hardly ever is  # noqa: PLC0415

    return prose.flat(line)


def _cut(line: str, room: int) -> str:
    from sleep.language import tokens  # late: see below  # noqa: PLC0415

    return tokens.clip(line, room)


def _tokens(text: str) -> int:
    if not text or max(text) < _FIRST_WIDE:
        return -(-len(text) // _CHARACTERS)
    from sleep.language import tokens  # late: 4 ms, where that tells anything  # noqa: PLC0415

    return tokens.count(text)
