"""Our hooks in the text of a client's settings: recognize them, put them in, take them out.

Pure: texts in, texts out. A command is ours if it has `sleepwake` and ` hook ` in it, whatever the program's path.
Everything else in the text stays as it is, to the byte.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.clients.installation import json_spans
from sleep.errors import DocumentError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.clients.client_table import Client

NAME = "sleepwake"
_PORTABLE = f"command -v {NAME} >/dev/null 2>&1 || exit 0; exec {NAME} hook "  # silent where there is none
SILENT = f"no {NAME} is on PATH, so the hooks that others get do nothing here"

# A tool of this kind whose hooks write the same ledger.
_ALIKE = re.compile(r"\b(agentcontext|dreamcontext)\b.* hook ")


class OwnHook(NamedTuple):
    """A command of ours in a settings text: the client's event, the command, and the timeout that it says."""

    event: str
    command: str
    timeout: object


def command(script: str, event: str) -> str:
    """Return the command line for an event of ours; the path is quoted for the shell that clients run hooks with.

    Without a path it runs what PATH has, and nothing where PATH has nothing: so it may stand in a file that others get.
    """
    if not script:
        return f"{_PORTABLE}{event}"
    quoted = f'"{script}"' if os.name == "nt" else shlex.quote(script)
    return f"{quoted} hook {event}"


def is_portable(line: str) -> bool:
    """Return whether a command line of ours runs whatever PATH has, silent where that is nothing."""
    return line.startswith(_PORTABLE)


def script_of(line: str) -> str:
    """Return the path of the program that a command line runs, "" if it has none or that cannot be told."""
    if is_portable(line):
        return ""
    try:
        return next(iter(shlex.split(line)), "")
    except ValueError:
        return ""


def is_ours(line: object) -> bool:
    """Return whether a command is one of our hooks, of whatever version and place."""
    return isinstance(line, str) and "sleepwake" in line and " hook " in line


def wanted(client: Client, script: str, events: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Return what the settings shall hold for each event, by the client's name for it."""
    entries = {}
    for theirs, ours in events:
        limit = client.seconds(ours) * client.unit
        entry = {"type": "command", client.command: command(script, ours), client.timeout: limit}
        entries[theirs] = {"hooks": [entry]} if client.nested else entry
    return entries


def fresh(client: Client, entries: dict[str, Any]) -> str:
    """Return a settings file with nothing but our entries."""
    hooks = {name: [entry] for name, entry in entries.items()}
    return json.dumps({**dict(client.fresh), "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"


def read(text: str, where: str) -> dict[str, list[Any]]:
    """Return the lists under `hooks`, none of an empty text.

    Raises DocumentError for a text that cannot be edited without losing something.
    """
    try:
        value = json_spans.parse(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"is no JSON ({error}); comments cannot be kept", where=where) from None
    hooks = _hooks(value) if isinstance(value, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise DocumentError("is JSON, but no settings with hooks (an object of lists)", where=where)
    return hooks


def own_hooks(client: Client, text: str, where: str = "") -> list[OwnHook]:
    """Return our commands in a text, in its order."""
    return [
        OwnHook(event, _line(client, entry), entry.get(client.timeout))
        for event, listed in read(text, where).items()
        for _, entry in _entries(client, listed)
        if is_ours(_line(client, entry))
    ]


def alike(client: Client, text: str, where: str = "") -> list[str]:
    """Return the commands of other tools that keep the same ledger, which is then written twice."""
    lists = read(text, where).values()
    lines = [_line(client, entry) for listed in lists for _, entry in _entries(client, listed)]
    return [line for line in lines if _ALIKE.search(line) and not is_ours(line)]


def merged(client: Client, text: str, entries: dict[str, Any], where: str = "") -> str:
    """Return the text with each entry once: in the place of an old one of ours, else as the last of its event."""
    for event in read(text, where):
        text = _settled(client, text, event, entries)
    if json_spans.parse(text).get("hooks", {}) is None:
        text = json_spans.put(text, ("hooks",), {})
    missing = [event for event in entries if not _mine(client, text, event)]
    for event in missing:
        text = json_spans.put(text, ("hooks", event, -1), entries[event])
    for name, value in client.fresh:
        if name not in json_spans.parse(text):
            text = json_spans.put(text, (name,), value)
    return text


def _settled(client: Client, text: str, event: str, entries: dict[str, Any]) -> str:
    """Return the text with at most one entry of ours for an event that stands there, the wanted one."""
    mine = _mine(client, text, event)
    groups = [path for path in mine if len(path) == len(("hooks", event, 0))]
    keep = groups[0] if groups and event in entries else None
    for path in reversed(mine):
        if path != keep:
            text = json_spans.drop(text, path)
    if mine and event not in entries:
        text = _tidied(text, event)
    if keep and json_spans.parse(text)["hooks"][event][keep[2]] != entries[event]:
        text = json_spans.put(text, keep, entries[event])
    return text


def without(client: Client, text: str, where: str = "") -> str:
    """Return the text without any entry of ours."""
    for event in read(text, where):
        text = _settled(client, text, event, {})
    return text


def restored(client: Client, text: str, before: str) -> str:
    """Return the person's settings from a text that our entries have been taken out of; `before` is the first original.

    If nothing else changed since, that is `before` itself. Otherwise an empty `hooks` or an empty event that `before`
    has is put back, and what a new settings file of ours holds besides hooks is removed.
    """
    try:
        old, new = json_spans.parse(before) if before.strip() else {}, json_spans.parse(text)
    except (ValueError, RecursionError):
        return text
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return text
    if _bare(client, old, old) == _bare(client, new, old):
        return before
    for name in [name for name, _ in client.fresh if name in new and name not in old]:
        text = json_spans.drop(text, (name,))
    for path, empty in _emptied(old, new):
        text = json_spans.put(text, path, empty)
    return text


def _emptied(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[json_spans.Path, object]]:
    """Yield where a person had empty hooks or an empty event that are not there any more, and what stood there."""
    if "hooks" in old and "hooks" not in new and not old["hooks"]:
        yield ("hooks",), old["hooks"]
    events = _hooks(old)
    for event, listed in events.items() if isinstance(events, dict) else ():
        if listed == [] and event not in _hooks(new):
            yield ("hooks", event), []


def _bare(client: Client, value: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """Return settings without empty hooks and without what only a fresh file of ours holds besides."""
    hooks = _hooks(value)
    full = {event: listed for event, listed in hooks.items() if listed} if isinstance(hooks, dict) else hooks
    ours = {name for name, _ in client.fresh if name not in old}
    rest = {name: item for name, item in value.items() if name != "hooks" and name not in ours}
    return rest | ({"hooks": full} if full else {})


def _hooks(value: dict[str, Any]) -> Any:  # noqa: ANN401  # whatever stands there
    """Return what stands under `hooks`; null, which some tools write for nothing, is nothing."""
    hooks = value.get("hooks")
    return {} if hooks is None else hooks


def _mine(client: Client, text: str, event: str) -> list[json_spans.Path]:
    """Return where our entries of an event are, in order: whole groups, or entries in a group with others in it."""
    listed = _hooks(json_spans.parse(text)).get(event, [])
    paths: dict[json_spans.Path, None] = {}
    for path, entry in _entries(client, listed):
        if is_ours(_line(client, entry)):
            group = listed[path[0]]
            alone = not client.nested or all(is_ours(_line(client, entry_)) for entry_ in group["hooks"])
            paths[("hooks", event, *(path[:1] if alone else path))] = None
    return list(paths)


def _entries(client: Client, listed: list[Any]) -> Iterator[tuple[json_spans.Path, dict[str, Any]]]:
    for index, group in enumerate(listed):
        if not isinstance(group, dict):
            continue
        if not client.nested:
            yield (index,), group
        elif isinstance(inner := group.get("hooks"), list):
            yield from (((index, "hooks", at), entry) for at, entry in enumerate(inner) if isinstance(entry, dict))


def _line(client: Client, entry: object) -> str:
    line = entry.get(client.command, "") if isinstance(entry, dict) else ""
    return line if isinstance(line, str) else ""


def _tidied(text: str, event: str) -> str:
    """Return the text without an event that we emptied, and without `hooks` if that was the last."""
    hooks = json_spans.parse(text)["hooks"]
    if hooks[event]:
        return text
    return json_spans.drop(text, ("hooks",) if len(hooks) == 1 else ("hooks", event))
