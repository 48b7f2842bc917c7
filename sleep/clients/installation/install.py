"""Putting our hooks into clients' settings, and taking them out.

Gathers the text that is there, decides the text that shall be (`entries`), and replaces the file. Keeps one backup of
what was there before the first time. Never touches another tool's hook, and never a file it could not give back whole.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from sleep.clients import client_table as clients
from sleep.clients.installation import client_programs, exclusions, hook_entries, json_spans, settings_files
from sleep.errors import DocumentError, SleepError, StorageError, UsageError
from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from sleep.clients.client_table import Client
    from sleep.clients.installation.settings_files import Choice, Place

PROMPT = "user-prompt-submit"
BACKUP = ".sleepwake-backup"
_COPIED = ("skills", "sleepwake", ".claude-plugin", "plugin.json")  # a plugin that was copied there loads by itself


class Outcome(NamedTuple):
    """What became of a file of a client, or of several ("").

    `what` is `installed` (there was nothing of ours), `updated`, `same`, `removed`, `absent`, `refused`, or `left` to a
    person; `notes` are sentences for the person.
    """

    client: str
    path: str
    what: str
    notes: tuple[str, ...] = ()


def named(words: Sequence[str], where: Place) -> list[Client]:
    """Return the clients that a person named; without names those that are installed or known to the project.

    Raises UsageError for a name that is no client's.
    """
    names = list(dict.fromkeys(part.strip().lower() for word in words for part in word.split(",") if part.strip()))
    if unknown := [name for name in names if name not in clients.CLIENTS]:
        raise UsageError(f"no client is called {unknown[0]!r} (would be right: {', '.join(clients.CLIENTS)})")
    if names:
        return [clients.of(name) for name in names]
    every = [clients.of(name) for name in clients.CLIENTS]
    seen = [client for client in every if client_programs.is_here(client) or _is_known(client, where)]
    return seen or every[:1]


def install(client: Client, where: Place, *, dry: bool = False) -> Outcome:
    """Put our hooks into a client's settings, each once."""
    choice = settings_files.chosen(client, where)
    path = choice.path
    prompt = prompts(client, where)
    why, there = _unneeded(client, where)
    if why and not (prompt and client.has_plugin):  # the plugin has no hook that costs every prompt a process
        return _lent(client, where, there, why, dry=dry)
    program = client_programs.of(client)
    hidden = client.older if program.number and program.number < client.since else ()
    own = () if why else tuple(event for event in client.events if event[0] not in hidden)
    wanted = hook_entries.wanted(client, choice.script, (*own, *prompt))
    silent = hook_entries.SILENT if not choice.script and not client_programs.on_path() else ""
    unknown = f"{client.title} {program.version} does not know {', '.join(hidden)}; left out" if hidden else ""
    try:
        what, more = _write(client, where, choice, wanted, dry=dry)
    except DocumentError as error:
        snippet = json.dumps({"hooks": {name: [entry] for name, entry in wanted.items()}}, indent=2, ensure_ascii=False)
        return Outcome(client.name, path, "refused", (error.what, f"put this into it by hand:\n{snippet}"))
    except StorageError as error:
        return Outcome(client.name, path, "refused", (str(error),))
    return Outcome(
        client.name, path, what, tuple(filter(None, (choice.reason, silent, why, unknown, *more, client.trust)))
    )


def _lent(client: Client, where: Place, path: str, why: str, *, dry: bool) -> Outcome:
    """Leave a client with the hooks that it has from elsewhere, from a file or a plugin, and take out its own."""
    gone = [each.path for each in uninstall(client, where, dry=dry) if each.what == "removed"] if path else []
    notes = (f"{'would be ' if dry else ''}taken out of {each}, for each ran twice" for each in gone)
    return Outcome(client.name, path, "updated" if gone else "same", (why, *notes))


def _write(client: Client, where: Place, choice: Choice, wanted: dict[str, Any], *, dry: bool) -> tuple[str, list[str]]:
    """Write the wanted entries into a settings file and take ours out of the others; return what it was, and notes."""
    path = choice.path
    text = files.read(path)
    before: list[hook_entries.OwnHook] = []
    notes: list[str] = []
    if text is None or not text.strip():
        after = hook_entries.fresh(client, wanted)
    else:
        after = hook_entries.merged(client, text, wanted, path)
        before = hook_entries.own_hooks(client, text, path)
        notes = [f"also there: {line}" for line in hook_entries.alike(client, text, path)]
    moved = _others(client, where, path)
    if not dry:
        for file, rest, old in [(path, after, text), *moved]:
            replace(file, old, rest, where)
        notes += filter(None, (settings_files.keep_out(where, choice),))
    notes += [f"{'would be ' if dry else ''}taken out of {other}" for other, _, _ in moved]
    return "same" if after == text and not moved else "updated" if before or moved else "installed", notes


def uninstall(client: Client, where: Place, *, dry: bool = False) -> list[Outcome]:
    """Take our hooks out of a client's settings, out of each file they may be in; the memory stays."""
    outcomes = []
    for path in settings_files.files_of(client, where):
        try:
            text = files.read(path)
            after = hook_entries.without(client, text, path) if text else text
            is_ours = text is not None and after != text
            notes = [_restore(client, path, after, where)] if is_ours and after and not dry else []
            if not dry:
                notes += tidy(path, where)
            outcomes.append(Outcome(client.name, path, "removed" if is_ours or notes else "absent", tuple(notes)))
        except (DocumentError, StorageError) as error:
            outcomes.append(Outcome(client.name, path, "refused", (str(error),)))
    changed = [outcome for outcome in outcomes if outcome.what != "absent"]
    return changed or outcomes[:1]


def is_in(client: Client, where: Place) -> bool:
    """Return whether a client's settings for a place have hooks of ours."""
    return bool(_own(client, where)[1])


def plugin(client: Client, where: Place) -> str:
    """Return the name under which our plugin for a client is switched on for a project, "" if it is not."""
    if not client.has_plugin:
        return ""
    homes = settings_files.files_of(client, where._replace(user=True))
    if os.path.exists(os.path.join(os.path.dirname(homes[0]), *_COPIED)):
        return "sleepwake@skills-dir"
    for path in (*homes, *settings_files.files_of(client, where._replace(user=False))):
        try:
            value = json_spans.parse(files.read(path) or "{}")
        except (ValueError, RecursionError, StorageError):
            continue
        enabled = value.get("enabledPlugins") if isinstance(value, dict) else None
        if isinstance(enabled, dict):
            for name, on in enabled.items():
                if name.partition("@")[0] == "sleepwake" and on:
                    return str(name)
    return ""


def prompts(client: Client, where: Place) -> tuple[tuple[str, str], ...]:
    """Return the event at which a client's prompts are spoken to, where the memory is to do that; else none."""
    return ((client.prompt, PROMPT),) if client.prompt and settings_files.speaks_to_prompts(where) else ()


def borrowed(client: Client, where: Place) -> tuple[str, list[hook_entries.OwnHook]]:
    """Return our hooks in the settings of another client that this one runs too, and the file; "" and [] for none."""
    is_lent = client.runs_hooks_of and not where.user
    return _own(clients.of(client.runs_hooks_of), where) if is_lent else ("", [])


def _own(client: Client, where: Place) -> tuple[str, list[hook_entries.OwnHook]]:
    """Return the first of a client's settings files that has hooks of ours, and these; "" and [] for none."""
    for path in settings_files.files_of(client, where):
        try:
            if own := hook_entries.own_hooks(client, files.read(path) or "", path):
                return path, own
        except SleepError:
            continue
    return "", []


def _unneeded(client: Client, where: Place) -> tuple[str, str]:
    """Return why a client has our hooks already, and in which file, "" if it has not, or a plugin has them."""
    if name := plugin(client, where):
        return f"the plugin {name} has the hooks already; with both, each would run twice", ""
    path, own = borrowed(client, where)
    return (f"{client.title} runs these hooks too", path) if own else ("", "")


def _others(client: Client, where: Place, path: str) -> list[tuple[str, str, str]]:
    """Return the other files of a place that have entries of ours, as (path, text without them, text)."""
    others = []
    for other in settings_files.files_of(client, where):
        text = (files.read(other) if other != path else None) or ""
        rest = hook_entries.without(client, text, other)
        if rest != text:
            others.append((other, rest, text))
    return others


def replace(path: str, before: str | None, after: str, where: Place) -> None:
    """Write the text of a settings file, and keep a copy of what was there before the first time."""
    if after == before:
        return
    within = where.within(path, os.path.dirname(path))
    files.resolve(path, within)  # nothing is written where the settings cannot be
    if before is not None and not os.path.lexists(path + BACKUP):
        if not where.user:
            exclusions.add(where.project, [path + BACKUP])
        files.write(path + BACKUP, before, files.permissions(path), within=within)
    files.write(path, after, within=within)


def _restore(client: Client, path: str, after: str, where: Place) -> str:
    """Write the text that is left, or remove a file that was ours alone; return a note."""
    backup = files.read(path + BACKUP)
    rest = {name: value for name, value in json_spans.parse(after).items() if name not in client.stamps}
    if backup is None and rest == dict(client.fresh):
        files.delete(path)
        _prune(os.path.dirname(path), where.top)
        return "nothing else was in it: the file is gone"
    within = where.within(path, os.path.dirname(path))
    text = after if backup is None else hook_entries.restored(client, after, backup)
    files.write(path, text, within=within)
    return "as it was before the first installation" if text == backup else "what else is in it stays"


def tidy(path: str, where: Place) -> list[str]:
    """Remove what an installation left beside a settings file that has none of our hooks any more; return notes.

    A backup stays where the file itself is gone: it is all that is left of it.
    """
    notes = []
    gone = [path]
    if os.path.lexists(path):
        if os.path.lexists(path + BACKUP):
            files.delete(path + BACKUP)
            notes.append("the copy of what was there before the first installation is removed")
        gone.append(path + BACKUP)
    if not where.user and exclusions.remove(where.project, gone):
        notes.append("its lines in .git/info/exclude are taken out")
    return notes


def change(
    client: str, path: str, where: Place, make: Callable[[str | None], str | None], sign: str, *, dry: bool
) -> Outcome:
    """Replace a page by what is made of its text, None for no file; a link's target in its place.

    What has the `sign` is ours. ValueError of `make` says why a page is left.
    """
    try:
        text = files.read(path)
        after = make(text)
        if after == text:
            return Outcome(client, path, "same")
        if not dry:
            within = where.within(path, os.path.dirname(os.path.dirname(path)))
            files.resolve(path, within)
            if after is None:
                files.delete(os.path.realpath(path))
                _prune(os.path.dirname(path), where.top)
            else:
                files.write(path, after, within=within)
    except ValueError as error:
        return Outcome(client, path, "left", (str(error),))
    except StorageError as error:
        return Outcome(client, path, "refused", (str(error),))
    if sign in (after or ""):
        return Outcome(client, path, "updated" if sign in (text or "") else "installed")
    stays = f"our lines {'would be' if dry else 'are'} out, the page stays"
    return Outcome(client, path, "removed", (gone(dry=dry) if after is None else stays,))


def gone(*, dry: bool) -> str:
    """Return what is said of a file that held nothing but ours."""
    return f"nothing else {'is' if dry else 'was'} in it: the file {'would go' if dry else 'is gone'}"


def _prune(folder: str, top: str) -> None:
    """Remove a folder and those above it below `top`, as far as nothing is in them."""
    while folder.startswith(top + os.sep):
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = os.path.dirname(folder)


def _is_known(client: Client, where: Place) -> bool:
    return any(os.path.lexists(path) for path in settings_files.files_of(client, where)) or (
        not where.user and os.path.isdir(os.path.join(where.project, client.folder))
    )
