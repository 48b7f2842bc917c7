"""`sleepwake snapshot`: print what a session that starts is told.

Owns its words and its exit codes: 0 also where there is no memory, 2 for words it cannot take. Its help is that of the
task. It is on the path of every session start, so nothing here loads argparse.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as defaults
from sleep.debt import timestamps
from sleep.errors import SleepError, UsageError
from sleep.options import Option, parse
from sleep.store import context as contexts
from sleep.wake.snapshot import build, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.wake.snapshot.build import Built

BUDGET_HELP = (
    "at most so many UTF-16 units and bytes (of hooks 9500); sections step down (full, summary, count), least important"
    " first; default: everything"
)
TOKENS_HELP = "print what each section costs, and on which rung it is, instead of the text"
_OPTIONS = (
    Option("budget", "b", is_valued=True),
    Option("root", "r", is_valued=True),
    Option("tokens", "t"),
    Option("json", "j"),
)


class Words(NamedTuple):
    """What the command was asked for."""

    budget: int | None = None
    tokens: bool = False
    json: bool = False
    root: str | None = None


def show(asked: Words) -> None:
    """Print what was asked for, nothing where there is no memory.

    Raises:
        NoMemoryError: a root was named, and there is no memory.
    """
    here = contexts.here() or os.sep
    where = contexts.find(here, asked.root or defaults.root_override())
    if where is None and asked.root:
        contexts.require(here, asked.root)
    if where is None:
        return
    built = build.snapshot(where, levels(where), asked.budget, today=timestamps.date(time.time()), folder=here)
    if asked.json:
        import json  # late: nobody else needs it here  # noqa: PLC0415

        ledger = [section._asdict() for section in built.sections]
        _print(json.dumps({"text": built.text, "budget": asked.budget, "sections": ledger}, ensure_ascii=False) + "\n")
    elif asked.tokens:
        _print(ledger_of(built, asked.budget))
    elif built.text:
        _print(f"{built.text}\n")


def read(words: Sequence[str]) -> Words:
    """Return what the words ask for.

    Raises:
        UsageError: a word that is none of ours, or a budget that is no number.
    """
    words_of: dict[str, str] = {}
    for word in parse(words, _OPTIONS, "snapshot"):
        if not word.name:
            raise UsageError(f"snapshot cannot take {word.value}", hint="sleepwake snapshot --help")
        words_of[word.name] = word.value
    budget = budget_of(words_of["budget"]) if "budget" in words_of else None
    return Words(budget, "tokens" in words_of, "json" in words_of, words_of.get("root"))


def budget_of(value: str) -> int:
    """Return the budget that a flag gives; raises UsageError for what is no whole number from 1."""
    if not (value.isascii() and value.isdecimal() and len(value) < 12 and int(value)):  # noqa: PLR2004
        raise UsageError(
            f"--budget is {value!r} (would be right: a whole number from 1)", hint="sleepwake snapshot --help"
        )
    return int(value)


def levels(where: Context) -> Settings:
    """Return the settings, for the levels of debt; where they cannot be read the defaults, and a word about it."""
    from sleep.documents import yaml_reader  # late: many trees have no settings  # noqa: PLC0415
    from sleep.store import files  # late: as above  # noqa: PLC0415

    try:
        return defaults.resolve(yaml_reader.load_settings(files.read(where.settings) or "", where.settings))
    except SleepError as error:
        sys.stderr.write(f"{where.settings}: {error.what}; the levels of debt are the defaults\n")
        return defaults.Settings()


def ledger_of(built: Built, budget: int | None) -> str:
    """Return the ledger as a table."""
    rows = [("section", "rung", "items", "units", "bytes", "tokens")]
    rows += [
        (
            section.name,
            section.rung,
            f"{section.shown} of {section.of}",
            f"{section.units:,}",
            f"{section.bytes:,}",
            f"{section.tokens:,}",
        )
        for section in built.sections
    ]
    from sleep.language import tokens  # late: only the table counts them over all  # noqa: PLC0415

    size, units, count = parts.size(built.text), parts.units(built.text), tokens.count(built.text)
    rows.append(("in all", "", f"of {budget:,}" if budget else "", f"{units:,}", f"{size:,}", f"{count:,}"))
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        words = [word.ljust(wide[at]) if at < 2 else word.rjust(wide[at]) for at, word in enumerate(row)]  # noqa: PLR2004
        lines.append("  ".join(words).rstrip())
    return "\n".join(lines) + "\n"


def _print(text: str) -> None:
    """Write UTF-8 whatever the terminal is set to; a reader that has gone away is no error."""
    out = sys.stdout
    try:
        if hasattr(out, "buffer"):
            out.flush()
            out.buffer.write(text.encode("utf-8", "replace"))
            out.buffer.flush()
        else:
            out.write(text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
