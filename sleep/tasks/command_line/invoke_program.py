"""Invoke's tasks, made of ours: for `inv`, for the pages of help, and for what a plain reading leaves.

Owns the one door to Invoke. Refuses to know what a task does.
"""

from __future__ import annotations

import inspect
import shlex
import sys
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection
from invoke.exceptions import Exit, ParseError
from invoke.parser.argument import Argument
from invoke.program import Program
from invoke.tasks import Task as InvokeTask

from sleep import __version__
from sleep.errors import SleepError
from sleep.tasks import collection
from sleep.tasks.command_line import near_names
from sleep.tasks.output import discard, failure, failure_facts, for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.tasks.task import Parameter, Task


class _Task(InvokeTask[Any]):
    """A task of ours as Invoke's: its `SleepError`s become a sentence on stderr and an exit code."""

    def __init__(self, own: Task) -> None:
        self._own = own
        super().__init__(self._run, name=own.name.rpartition(".")[2], positional=[])
        self.__doc__, self.__module__ = own.about, own.body.__module__

    def get_arguments(self, ignore_unknown_help: bool | None = None) -> list[Argument]:
        """Return the arguments, what is needed before what may be given."""
        del ignore_unknown_help
        names: dict[str, list[str]] = {}
        for name, parameter in self._own.spellings().items():
            names.setdefault(parameter.name, []).append(name)
        ordered = sorted(self._own.parameters, key=lambda parameter: not parameter.is_needed)
        return [_argument(parameter, names[parameter.name]) for parameter in ordered]

    def _run(self, context: Any, **values: Any) -> None:
        if self._own.remainder:
            values[self._own.remainder] = _remainder(getattr(context, "remainder", ""))
        try:
            code = self._own.body(**values)
        except SleepError as error:
            if values.get("json"):
                failure_facts(error)
            raise Exit(failure(error), error.exit_code) from None
        except BrokenPipeError:
            discard()
            raise Exit(code=0) from None
        if code:
            raise Exit(code=code)


def _argument(parameter: Parameter, names: Sequence[str]) -> Argument:
    kind = list if parameter.is_list else bool if parameter.is_flag else str
    return Argument(
        names=(*names, *parameter.letter),
        kind=kind,
        default=None if parameter.is_needed else [] if parameter.is_list else parameter.default,
        help=parameter.help,
        positional=parameter.is_needed,
        attr_name=parameter.name if parameter.name != parameter.option else None,
    )


def _remainder(text: str) -> list[str]:
    """Return the words behind `--`; Invoke joins them with spaces, which cannot be undone."""
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    return words if text in ("", " ".join(words)) else shlex.split(text)


def made(tasks: Iterable[Task]) -> Collection:
    """Return a namespace of tasks; one that is called as a collection of others is its default."""
    namespace, own = Collection(), list(tasks)
    heads = {task.name.partition(".")[0] for task in own if "." in task.name}
    for task in own:
        head, dot, _ = task.name.partition(".")
        if not dot and head not in heads:
            namespace.add_task(_Task(task))
            continue
        if head not in namespace.collections:
            namespace.add_collection(Collection(head))
        namespace.collections[head].add_task(_Task(task), default=not dot)
    return namespace


def whole() -> Collection:
    """Return the namespace of all tasks."""
    return made(collection.every().values())


def join(names: Mapping[str, object]) -> Collection:
    """Return the tasks of a `tasks.py`, by its global names, and beside them those of a memory.

    What is there keeps its name: a task of the memory of the same name is left to `sleepwake`. A namespace of its own
    (`ns` or `namespace`) goes on as it is.
    """
    own = next((names[name] for name in ("ns", "namespace") if isinstance(names.get(name), Collection)), None)
    joined = own if isinstance(own, Collection) else Collection()
    if own is None:
        for value in names.values():
            if isinstance(value, InvokeTask):
                joined.add_task(value)
    every = whole()
    for name, task in every.tasks.items():
        if not _has(joined, name):
            joined.add_task(task, name)
    for name, inner in every.collections.items():
        if not _has(joined, name):
            joined.add_collection(inner, name)
    return joined


def _has(namespace: Collection, name: str) -> bool:
    return name in namespace.tasks or name in namespace.collections


class _Program(Program):
    """Invoke's program, with a page of help that begins with how a task is called."""

    def print_task_help(self, name: str) -> None:
        """Print what a task does, its plain words and its options."""
        task = collection.find(name) or collection.find(name.rpartition(".")[0])
        if task is None:
            super().print_task_help(name)
            return
        own = {parameter.name: parameter for parameter in task.parameters}
        words = [_shown(own[name]) for name in task.plain]
        rest = ["--", f"{task.remainder.upper()}..."] if task.remainder else []
        text = "".join(f"  {line}".rstrip() + "\n" for line in inspect.cleandoc(task.about).splitlines())
        ordered = sorted(task.parameters, key=lambda parameter: (parameter.letter, parameter.option))
        options = [_option(parameter) for parameter in ordered]
        line = " ".join(["sleepwake", task.name, *words, *["[options]"] * bool(options), *rest])
        sys.stdout.write(f"Usage: {line}\n\n{text}\n")
        if options:
            sys.stdout.write("Options:\n")
            self.print_columns(options)


def _shown(parameter: Parameter) -> str:
    """Return a plain word as a line on how to call a task shows it: `HANDLE`, `[TEXT]`, `[ALSO...]`."""
    word = parameter.option.upper() + "..." * parameter.is_list
    return word if parameter.is_needed else f"[{word}]"


def _option(parameter: Parameter) -> tuple[str, str]:
    """Return an option as a page of help shows it, with its help: `-k STRING, --kind=STRING`, `-j, --json`."""
    value = "" if parameter.is_flag else "STRING"
    short = f"-{parameter.letter} {value}".rstrip() + ", " if parameter.letter else ""
    return f"{short}--{parameter.option}{f'={value}' if value else ''}", parameter.help


def run(argv: Sequence[str]) -> None:
    """Run a command line by Invoke: a page of help, a list, or words that no plain reading takes.

    Raises:
        UsageError: it cannot be taken; what was meant is named.
    """
    words = list(argv[1:])
    task = next(filter(None, map(collection.find, _naming(words))), None)
    kin = collection.family(task) if task else []
    namespace = made(kin) if task else whole()
    if not task and words[0] not in namespace.task_names:
        near_names.refuse(words, list(collection.every()))
    program = _Program(
        name="sleepwake", binary="sleepwake", binary_names=["sleepwake"], namespace=namespace, version=__version__
    )
    try:
        program.create_config()
        program.parse_core([argv[0], *_spelt_out(words, task)])
        program.parse_collection()
        program.parse_tasks()
        program.parse_cleanup()
        program.update_config()
        program.execute()
    except Exit as end:
        if end.message:
            sys.stderr.write(for_terminal(f"{end.message}\n", sys.stderr))
        sys.exit(end.code)
    except ParseError as error:
        if meant := near_names.refusal_of_rest(words, [own.name for own in kin]):
            raise meant from None
        raise near_names.parse_refusal(str(error), words, task, [own.name for own in kin]) from None


def _naming(words: Sequence[str]) -> list[str]:
    """Return the words that may name a task; what stands behind `--list` names a group.

    What stands before a command may be the value of an option: `--root there status`.
    """
    plain = [word for word in words if not word.startswith("-")]
    if words[0] in near_names.LISTS:
        return []
    return plain if words[0].startswith("-") else plain[:1]


def _spelt_out(words: list[str], task: Task | None) -> list[str]:
    """Return words as Invoke takes them: with options in place of plain words."""
    if words[1:] in (["--help"], ["-h"]):  # Invoke would take it for a value that is still missing
        return ["--help", words[0]]
    if task is None or words[0] != task.name or "--" in words:
        return words
    return [task.name, *task.words(task.read(words[1:]))]
