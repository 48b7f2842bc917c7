"""`conversation`: consolidating a history in a file, and finding what was removed.

What a history holds drives no terminal: its escape sequences are not shown. JSON and the result's file have them.
"""

from __future__ import annotations

import json as json_
import os
from typing import Any

from sleep.conversation import MemoryConsolidator, originals, stores
from sleep.conversation.messages import counters, loader, shapes, validator
from sleep.cycle import compressor as compressors
from sleep.errors import DocumentError, NoMemoryError, UsageError
from sleep.memory import place
from sleep.redaction import terminal
from sleep.store import context, files
from sleep.tasks.arguments import content, decimal, here, number, target
from sleep.tasks.output import facts, say
from sleep.tasks.task import task


@task(
    "conversation.consolidate",
    help={
        "file": "JSON, JSON lines, or a transcript: Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI, OpenCode",
        "format": f"how the file is written ({', '.join(loader.FORMATS)}); default: told by what is in it",
        "max_tokens": "the context window's tokens; default 30000",
        "threshold": "the part of it from which on a history is consolidated; default 0.8",
        "target": "the part of it that is left at the most; default half of the threshold",
        "strategy": "default or compatible",
        "counter": "plain, or an encoding of tiktoken, such as o200k_base",
        "model": "let the compressor that is set up write prose, judged before it is used",
        "out": "where to write; default beside the file, as NAME.consolidated.json",
        "dry_run": "write nothing",
        "check": "also say what a provider would refuse, before and after; exits with 1 if the result is refused",
    },
    letters=False,
)
def consolidate(
    file: str, format: str = "auto", max_tokens: str = "", threshold: str = "", target: str = "",  # noqa: A002  # the flag's name
    strategy: str = "default", counter: str = "plain", model: bool = False, out: str = "", dry_run: bool = False,
    check: bool = False, json: bool = False, root: str = "",
) -> int:  # fmt: skip
    """Print what a consolidation does to the history in a file, and write the result beside it, never over it.

    Example: sleepwake conversation.consolidate session.jsonl --max-tokens 50000 --dry-run
    """
    record = loader.read(content(file), format, file)
    goal = _goal(out, file)
    store = _store(root)
    try:
        consolidator = MemoryConsolidator(
            _share(threshold, "threshold") or 0.8,
            number(max_tokens, "max-tokens") or 30_000,
            strategy,
            target_pct=_share(target, "target"),
            shape=record.shape,
            counter=counters.named(counter),
            store=store if not dry_run else originals.Memory(),
            compressor=compressors.choose(here(root)) if model else None,
            secrets=place.secrets(),
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    outcome = consolidator.outcome(record.messages)
    wrong = validator.faults(outcome.messages, record.shape) if check else []
    was = validator.faults(record.messages, record.shape) if check else []
    path = "" if dry_run or not outcome.report.changed else _written(goal, outcome.messages)
    report = outcome.report._asdict() | {"fits": outcome.report.fits, "format": record.format, "unread": record.unread}
    report |= {"due": consolidator.should_consolidate(outcome.report.tokens_before), "written": path}
    if check:
        report |= {"refused_before": was, "refused": wrong}
    if json:
        facts(report | {"summary": outcome.summary})
        return int(bool(wrong))
    _say(report, outcome.summary)
    return int(bool(wrong))


@task(
    "conversation.originals",
    plain=("address",),
    help={
        "address": "the address that a summary names, or its beginning",
        "all": "also what earlier consolidations removed",
    },
)
def originals_(address: str = "", all: bool = False, json: bool = False, root: str = "") -> None:  # noqa: A002  # the flag's name
    """Print the messages that a consolidation removed; without an address, list what there is.

    Example: sleepwake conversation.originals 5f70a1b2c3d4
    """
    store = stores.of(context.require(os.getcwd(), root or None))
    if not address:
        addresses = store.addresses()
        return facts(addresses) if json else say("\n".join(addresses) if addresses else "there are no originals here")
    archive = store.find(address)
    if archive is None:
        raise DocumentError(
            f"no originals, or several, begin with {address}", where=store.path, hint="sleepwake conversation.originals"
        )
    messages = originals.all_of(store, archive.address) if all else archive.messages
    if json:
        return facts({"address": archive.address, "messages": messages})
    for index, message in enumerate(messages):
        turn = shapes.read_turn(message)
        _show(f"--- {index} {turn.role or 'message'}")
        for part in turn.parts:
            _show(f"{f'[{part.kind} {part.name}] ' if part.kind != shapes.TEXT else ''}{part.text}")
    return None


def _store(root: str) -> stores.Folder | None:
    """Return the store of the memory here, None where there is none: a history can be consolidated anywhere."""
    try:
        return stores.of(context.require(os.getcwd(), root or None))
    except NoMemoryError:
        if root:
            raise
        return None


def _beside(file: str) -> str:
    base = os.path.splitext(file)[0]
    path, count = f"{base}.consolidated.json", 1
    while os.path.lexists(path):
        count += 1
        path = f"{base}.consolidated-{count}.json"
    return path


def _goal(out: str, file: str) -> str:
    """Return where the result goes."""
    if out and os.path.exists(out) and os.path.samefile(out, file):
        raise UsageError(f"{out}: is the file that is read (would be right: a new name)")
    if out:
        target(out, "out")
    return out or _beside(file)


def _written(path: str, messages: list[shapes.Message]) -> str:
    text = json_.dumps(messages, ensure_ascii=False, indent=1, default=str) + "\n"
    temporary = files.prepare(path, text.encode("utf-8", "replace"))
    files.replace(temporary, path)
    return path


def _show(text: str) -> None:
    say(terminal.strip_escapes(text))


def _share(value: str, name: str) -> float | None:
    """Return the part of the context window that a flag gives, None for none; UsageError for more than all of it."""
    share = decimal(value, name)
    if share is not None and share > 1:
        raise UsageError(f"--{name} is {value!r}, but a part of the context window is at most 1 (would be right: 0.8)")
    return share


def _say(report: dict[str, Any], summary: str) -> None:
    due = "at the threshold or above it" if report["due"] else "below the threshold"
    _show(
        f"read        {report['format']} as {report['shape']}"
        + (f", {report['unread']} not read" if report["unread"] else "")
    )
    _show(f"tokens      {report['tokens_before']:,} -> {report['tokens_after']:,}, target {report['target']:,} ({due})")
    _show(f"messages    {report['removed']} removed, {report['remaining']} left, {report['clipped']} of them clipped")
    for name in ("kept", "dropped"):
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(report[name].items())) or "none"
        _show(f"{name:12}{counts}")
    _show(f"redacted    {report['redacted']}")
    why = "not kept: there is no memory here" if report["removed"] else "none: nothing was removed"
    _show(f"originals   {report['address'] or why}")
    for name in ("verdict", "note", "written"):
        if report[name]:
            _show(f"{name:12}{report[name]}")
    for name in ("refused_before", "refused"):
        for fault in report.get(name, []):
            _show(f"{name}: {fault}")
    _show(f"\n{summary}" if summary else "nothing was done: there is nothing new to consolidate")


TASKS = (consolidate, originals_)
