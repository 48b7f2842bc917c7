"""The generated parts of the documentation that describe the program: tasks, settings, records, kinds, errors.

Owns turning the program's own tables into Markdown, for cog. Refuses to say what the program does not say itself.

    python -m dev.reference settings
"""

from __future__ import annotations

import ast
import configparser
import inspect
import re
import sys
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from dev import ROOT
from sleep import errors
from sleep.documents import register
from sleep.records.kinds import ENTRIES, RECORDS
from sleep.relay import configuration
from sleep.settings import MEANING, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sleep.records.kinds import Move
    from sleep.tasks.task import Parameter, Task

EVERYWHERE = ("json", "root")
_EXAMPLE = "Example: "
_PACKAGE = ROOT / "sleep"


def part(name: str) -> str:
    """Return one generated part as Markdown, with its final newline."""
    return _PARTS[name]()


def names() -> list[str]:
    """Return every task as a person calls it: `journal.add`, or `sleep` for the default of the collection `sleep`."""
    return [task.name for task in chain(_tasks(), _dev_tasks())]


def _tasks() -> Iterable[Task]:
    from sleep.tasks import collection  # late: the settings and the tables of records need no task  # noqa: PLC0415

    return collection.every().values()


def _dev_tasks() -> Iterable[Task]:
    from dev import commands  # late: as above  # noqa: PLC0415

    return commands.TASKS


def _described(program: str, tasks: Callable[[], Iterable[Task]]) -> str:
    return "\n".join(_task(program, task) for task in tasks())


def _task(program: str, task: Task) -> str:
    says, _, example = inspect.cleandoc(task.about).partition(_EXAMPLE)
    ordered = sorted(task.parameters, key=lambda parameter: not parameter.is_needed)
    own = [parameter for parameter in ordered if parameter.name not in EVERYWHERE]
    common = [f"`--{parameter.name}`" for parameter in ordered if parameter.name in EVERYWHERE]
    lines = [f"### {program} {task.name}", "", " ".join(says.split()), ""]
    if own:
        rows = [(_flag(parameter), parameter.help, _default(parameter)) for parameter in own]
        lines += [*_table(("option", "meaning", "default"), rows), ""]
    if common:
        lines += [f"Also {' and '.join(common)}.", ""]
    if example:
        lines += ["```sh", " ".join(example.split()).removesuffix("."), "```", ""]
    return "\n".join(lines)


def _flag(parameter: Parameter) -> str:
    name = parameter.option
    if parameter.is_needed:
        return f"`{name.upper()}` or `--{name}`"
    takes = "" if parameter.is_flag else f" {name.upper()}"
    short = [f"`-{parameter.letter}`"] if parameter.letter else []
    return ", ".join([f"`{'-' if len(name) == 1 else '--'}{name}{takes}`", *short])


def _default(parameter: Parameter) -> str:
    return f"`{parameter.default}`" if parameter.default and not parameter.is_needed else ""


def _settings() -> str:
    rows = []
    for name, default in Settings._field_defaults.items():
        head, _, rest = name.partition("_")
        grouped = rest and sum(field.startswith(f"{head}_") for field in Settings._fields) > 1
        key = f"{head}.{rest}" if grouped else name
        rows.append((f"`{key}`", f"`SLEEP_{name.upper()}`", _value(default), MEANING[name]))
    return "\n".join(_table(("in sleep.yaml", "in the environment", "default", "meaning"), rows)) + "\n"


def _relay_settings() -> str:
    rows = []
    for name, default in configuration.Configuration._field_defaults.items():
        variables = [f"`SLEEP_{name.upper()}`", *(f"`{also}`" for also in [configuration.ALSO.get(name)] if also)]
        key = name.replace("relay_", "relay.", 1)
        rows.append((f"`{key}`", ", ".join(variables), _value(default), configuration.MEANING[name]))
    return "\n".join(_table(("in sleep.yaml", "in the environment", "default", "meaning"), rows)) + "\n"


def _value(default: object) -> str:
    shown = f"{default:g}" if isinstance(default, float) else str(default)
    shown = shown.lower() if isinstance(default, bool) else shown
    return f"`{shown}`" if shown else ""


def _demand(move: Move, born: str) -> str:
    return move.to if move.is_free or move.to == born else f"{move.to} ({register.demand(move)})"


def _moves() -> str:
    rows = []
    for kind in RECORDS:
        for state in kind.states:
            to = ", ".join(_demand(move, kind.born) for move in kind.moves if state in move.origins)
            rows.append((kind.name, f"{state} (born in it)" if state == kind.born else state, to or "final"))
    return "\n".join(_table(("record", "state", "can become (and what it must say)"), rows)) + "\n"


def _kinds() -> str:
    rows = []
    for kind in ENTRIES.values():
        number = f"{kind.letter}-001" if kind.letter else "by address" if kind.is_record else ""
        form = "record" if kind.is_record else "prose"
        rows.append((kind.name, f"`## {kind.plural}`", ", ".join(kind.fields), form, number))
    return "\n".join(_table(("kind", "section in a tier", "own fields", "is", "called"), rows)) + "\n"


def families() -> list[type[errors.SleepError]]:
    """Return the error families that have a section in `docs/recovery.md`, by exit code."""
    classes = [
        member for _, member in inspect.getmembers(errors, inspect.isclass) if issubclass(member, errors.SleepError)
    ]
    return sorted((family for family in classes if family.anchor), key=lambda family: (family.exit_code, family.anchor))


def _errors() -> str:
    rows = [
        ("0", "done, or nothing was needed", ""),
        ("1", "a check failed (`wake.check`, `doctor`), `sleep` names a loss, or `clients.install` refused a file", ""),
    ]
    for family in families():
        says = inspect.cleandoc(family.__doc__ or "").rstrip(".")
        rows.append((str(family.exit_code), says, f"[{family.anchor}](recovery.md#{family.anchor})"))
    rows += [("3", "a bug of ours; the log's path is printed", "[bug](recovery.md#bug)"), ("130", "interrupted", "")]
    rows.sort(key=lambda row: int(row[0]))
    return "\n".join(_table(("exit code", "what", "what to do"), rows)) + "\n"


def _packages() -> str:
    """Return the map of the package: a table of its layers, highest first, each room with its modules and purpose."""
    rows = []
    for layer in _layers():
        for room in sorted(layer):
            rows.append((f"`{room}`", str(_modules(room)), _purpose(room)))
            rows += [(f"`{floor}`", str(_modules(floor)), _purpose(floor)) for floor in _floors(room)]
    return "\n".join(_table(("room", "modules", "what it is for"), rows)) + "\n"


def _layers() -> list[list[str]]:
    """Return the names of the rooms by layer, highest first, as the contract `layers` has them."""
    contracts = configparser.ConfigParser()
    contracts.read_string((ROOT / ".importlinter").read_text(encoding="utf-8"))
    layers = contracts["importlinter:contract:layers"]["layers"].strip().splitlines()
    return [re.findall(r"\w+", layer) for layer in layers]


def _floors(room: str) -> list[str]:
    """Return the sub-packages of a room, at any depth, as `room.floor`."""
    inner = sorted((_PACKAGE / room).rglob("*/__init__.py"))
    return [".".join(path.parent.relative_to(_PACKAGE).parts) for path in inner]


def _modules(room: str) -> int:
    folder = _PACKAGE.joinpath(*room.split("."))
    return sum(path.name != "__init__.py" for path in folder.glob("*.py")) if folder.is_dir() else 1


def _purpose(room: str) -> str:
    """Return the first sentence of a room's own docstring."""
    place = _PACKAGE.joinpath(*room.split("."))
    source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    doc = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(doc.split("\n\n")[0].split())


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [tuple(heads), ("---",) * len(heads), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines]


_PARTS: dict[str, Callable[[], str]] = {
    "tasks": partial(_described, "sleepwake", _tasks),
    "dev tasks": partial(_described, "inv", _dev_tasks),
    "settings": _settings,
    "relay settings": _relay_settings,
    "moves": _moves,
    "kinds": _kinds,
    "errors": _errors,
    "packages": _packages,
}

if __name__ == "__main__":
    sys.stdout.write(part(sys.argv[1]) if len(sys.argv) > 1 else "\n".join([*_PARTS, *names()]) + "\n")
