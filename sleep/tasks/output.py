"""What a command prints: text, facts, a failure, a bar while it works.

Owns the form of each on stdout and stderr. Loads no rich before a bar or a table of figures is wanted.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
import unicodedata
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from sleep.errors import StorageError
from sleep.records import kinds
from sleep.redaction import secret_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TextIO

    from sleep.errors import SleepError

OWN_PICTURE = 'data-made-by="sleepwake"'
PATIENCE = 1.0  # seconds before a bar is shown
_QUIET = 15.0  # seconds from one line to the next, where nobody is looking
_NO_TEXT = re.compile("[\ud800-\udfff]")  # what no reader of JSON takes: a byte that is not UTF-8, half of a pair
LINE = 90  # characters of what an entry says, in a row of a table
_LONGEST = 1000  # characters of a line of an error
_WIDE = 200  # characters of a table where no terminal says how wide it is


def say(text: str) -> None:
    """Print text; bytes that were no UTF-8 in a document come out as they went in, half of a surrogate pair as U+FFFD.

    On a terminal it is without what drives one: a memory has words of files and commands that nobody looked through.
    Elsewhere, where an agent may read it, it is without secrets: one may have been committed before a rule knew it.

    Raises:
        StorageError: it cannot be written: the disk is full.
        BrokenPipeError: whoever reads has seen enough.
    """
    _write(for_terminal(text, sys.stdout) if sys.stdout.isatty() else without_secrets(text))


def without_secrets(text: str) -> str:
    """Return text without secrets; one that has no sign of any loads no rule."""
    if not secret_signs.may_hold(text):
        return text
    from sleep.redaction import secret_scan  # late: most output has no sign  # noqa: PLC0415
    from sleep.store import private  # late: same  # noqa: PLC0415

    return secret_scan.redact(text, private.secrets())[0]


def for_terminal(text: str, stream: TextIO) -> str:
    """Return text for a stream: for a terminal without escape sequences, and without signs that hide or turn words."""
    if not stream.isatty():
        return text
    from sleep.redaction import terminal  # late: most output goes to a program  # noqa: PLC0415

    return terminal.strip_escapes(text)


def _write(text: str) -> None:
    out = text if text.endswith("\n") else text + "\n"
    try:
        try:
            sys.stdout.write(out)
        except UnicodeEncodeError:
            sys.stdout.flush()
            whole = re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", out)  # the rest are bytes
            sys.stdout.buffer.write(whole.encode("utf-8", "surrogateescape"))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(error) from error


def unwritable(error: OSError) -> StorageError:
    """Return the error for output that cannot be written, and let go nowhere what is left of it."""
    from sleep.store import files  # late: a disk is seldom full  # noqa: PLC0415

    discard()
    refusal = files.refusal(error, "standard output")
    refusal.hint = "what the command did is done, and only its output is lost: look with sleepwake status"
    return refusal


def draw(path: str, picture: str) -> None:
    """Write an SVG, marked as ours: only such a file is ever overwritten (see `arguments.target`)."""
    from sleep.store import files  # late: few commands draw  # noqa: PLC0415

    files.write(path, picture.replace("<svg ", f"<svg {OWN_PICTURE} ", 1))


def discard() -> None:
    """Let go nowhere what is still to be printed: nobody reads it, and the interpreter would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def clip(words: str, most: int) -> str:
    """Return words as they are shown: at most so many characters, cut at a word, the sign of the cut among them."""
    cut = words[: most - 1]
    return words if len(words) <= most else f"{(cut.rpartition(' ')[0] or cut).rstrip()}…"


def facts(value: object) -> None:
    """Print facts as JSON, a named tuple as an object with its names; a byte that is not UTF-8 becomes U+FFFD.

    Each of its texts is without secrets, as what `say` prints.
    """
    known = keyed(value)
    text = json.dumps(known, indent=2, ensure_ascii=False, default=str)
    if not sys.stdout.isatty() and secret_signs.may_hold(text):
        text = json.dumps(_without_secrets(known), indent=2, ensure_ascii=False, default=str)
    _write(for_terminal(_NO_TEXT.sub("\ufffd", text), sys.stdout))


def _without_secrets(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_secrets(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_without_secrets, value))
    return without_secrets(value) if isinstance(value, str) else value


def keyed(value: object, name: str = "") -> object:
    """Return facts as JSON has them: kinds of entries as names (`dead_end`), where one is a `kind`, and as a key."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {_key(key): keyed(item, str(key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [keyed(item, name) for item in value]
    return _key(value) if name in ("kind", "kinds") else value


def _key(word: object) -> object:
    return kinds.key(word) if isinstance(word, str) and (word in kinds.KINDS or kinds.is_kind(word)) else word


def failure(error: SleepError) -> str:
    """Return what is wrong, the next step, and where more is said; of a line that is very long its two ends."""
    more = _more(error)
    return _ends(f"{error}\nMore: {more}" if more else str(error))


def failure_facts(error: SleepError) -> None:
    """Print what is wrong as the one JSON object of a command that was asked for JSON and failed.

    Where nobody can read it, the sentence on stderr and the exit code say it.
    """
    try:
        texts = {"error": error.what, "where": error.where, "hint": error.hint, "more": _more(error)}
        facts({name: _ends(text) for name, text in texts.items()})
    except (BrokenPipeError, StorageError):
        discard()


def _ends(text: str) -> str:
    """Return text of which each very long line is its two ends: an error repeats what it was given."""
    half = _LONGEST // 2
    lines = text.split("\n")
    return "\n".join(line if len(line) <= _LONGEST else f"{line[:half]} … {line[-half:]}" for line in lines)


def wants_json(words: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON, also one that cannot be read."""
    options = words[: words.index("--")] if "--" in words else words
    return "--json" in options or "-j" in options


def _more(error: SleepError) -> str:
    return f"sleepwake help recovery#{error.anchor}" if error.anchor else ""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a plain table with columns that are aligned on a terminal, where a sign of Chinese takes two cells."""
    rows = [[" ".join(cell.splitlines()) for cell in row] for row in rows]
    widths = [max(_cells(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    lines = [
        "  ".join(cell + " " * (width - _cells(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [heads, *rows]
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def grid(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with a title, as wide as the terminal, or as it needs to be where there is none."""
    # late: rich costs 60 ms, and few tasks have tables of figures
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    shown = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for index, head in enumerate(heads):
        shown.add_column(head, justify="right" if index else "left", no_wrap=True)
    for row in rows:
        shown.add_row(*(for_terminal(cell, sys.stdout) for cell in row))
    # Written by `_write`: rich itself would end the command with 1 where its reader has seen enough.
    text, is_terminal = io.StringIO(), sys.stdout.isatty()
    width = None if is_terminal else _WIDE
    Console(file=text, force_terminal=is_terminal, width=width, highlight=False, markup=False).print(shown)
    _write(text.getvalue())


@contextmanager
def progress(what: str, patience: float = 0.0) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on stderr while a body runs; yields a function of (done, all).

    The bar appears once the body has taken `patience` seconds. Where no person is looking, a line now and then says
    how far it is.
    """
    start = time.monotonic()
    if not sys.stderr.isatty():
        yield _lines(what, start)
        return
    with ExitStack() as stack:
        shown: list[Callable[[int, int], None]] = []

        def notice(done: int, total: int) -> None:
            if not shown and time.monotonic() - start >= patience:
                shown.append(stack.enter_context(_bar(what)))
            if shown:
                shown[0](done, total)

        yield notice


def _lines(what: str, start: float) -> Callable[[int, int], None]:
    """Return a function of (done, all) that prints a line on stderr at most every `_QUIET` seconds."""
    last = start

    def notice(done: int, total: int) -> None:
        nonlocal last
        moment = time.monotonic()
        if moment - last >= _QUIET and done < total:
            last = moment
            sys.stderr.write(f"{what}: {done:,} of {total:,} after {moment - start:.0f} s\n")
            sys.stderr.flush()

    return notice


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    # late: rich costs 60 ms, and only a person at a terminal has use for it
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(shown, completed=done, total=total)
