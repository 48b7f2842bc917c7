"""The one way a task speaks: facts as JSON or as text, errors as one sentence and the next step.

Owns the task decorator, which translates a `SleepError` once, and printing. Refuses to decide anything about the
subject.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from typing import TYPE_CHECKING, Any

from invoke.exceptions import Exit
from invoke.tasks import Task
from invoke.tasks import task as invoke_task

from sleep.errors import SleepError
from sleep.tasks.arguments import decimal, here, now, number, prose, wanted
from sleep.tasks.output import PATIENCE, facts, failure, progress, say, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from invoke.parser.argument import Argument

__all__ = [
    "PATIENCE",
    "decimal",
    "facts",
    "grid",
    "here",
    "named",
    "now",
    "number",
    "progress",
    "prose",
    "say",
    "table",
    "task",
    "wanted",
]

_HELP = {"json": "print facts as JSON", "root": "the memory's root; default: SLEEP_ROOT, else found upwards from here"}
_WIDE = 200  # characters of a table where no terminal says how wide it is


class _Task(Task[Any]):
    """A task that can be asked for its arguments more than once: Invoke's gives its help away with the first answer."""

    def arg_opts(self, name: str, default: Any, taken_names: set[str]) -> dict[str, Any]:
        """Return an argument's options; `-h` asks for help with every task, and a hyphen is no letter.

        What is given as a plain word has its first letter or none, and leaves the others to options.
        """
        others = set(name[1:]) - {name[0]} if name in self.positional else set()
        return super().arg_opts(name, default, taken_names | others | {"-", "h"})

    def get_arguments(self, ignore_unknown_help: bool | None = None) -> list[Argument]:
        """Return the arguments, each with its help."""
        texts = dict(self.help)
        try:
            return super().get_arguments(ignore_unknown_help)
        finally:
            self.help = texts


def task(*names: Any, **options: Any) -> Callable[[Callable[..., object]], Task[Any]]:
    """Make a function an Invoke task whose `SleepError`s become a sentence on stderr and an exit code.

    Takes what `invoke.task` takes; the help of `json` and `root` is everywhere the same. A body that returns an int
    exits with it.
    """

    def wrap(body: Callable[..., object]) -> Task[Any]:
        parameters = inspect.signature(body).parameters
        own = {name: says for name, says in _HELP.items() if name in parameters} | options.get("help", {})

        @functools.wraps(body)
        def run(*args: Any, **kwargs: Any) -> None:
            try:
                code = body(*args, **kwargs)
            except SleepError as error:
                raise Exit(failure(error), error.exit_code) from None
            except BrokenPipeError:
                # The reader has seen enough; keep the interpreter from complaining at its end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                raise Exit(code=0) from None
            if isinstance(code, int) and code:
                raise Exit(code=code)

        made: Task[Any] = invoke_task(*names, klass=_Task, **{**options, "help": own})(run)
        return made

    return wrap


def named(value: object) -> object:
    """Return a value with every named tuple in it, however deep, as a dictionary: so that facts keep their names."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: named(item) for name, item in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [named(item) for item in value]
    return {name: named(item) for name, item in value.items()} if isinstance(value, dict) else value


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
        shown.add_row(*row)
    Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False, markup=False).print(shown)
