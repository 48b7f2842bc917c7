"""Plain words where Invoke wants a flag: `sleepwake sleep.undo 3` for `--cycle 3`.

Owns the table of tasks that take them. The last flag of a task takes all that follow, prose as one text; a text that
other options stand beside has to be one word, for a `--why` without quotes would lose the rest of it to the text.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from sleep.errors import UsageError
from sleep.options import Option, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from invoke.collection import Collection
    from invoke.tasks import Task

# The flag of each plain word in turn, "" for one that stays plain.
FLAGS = {
    "journal.import": ("", "--also"),
    "review.confirm": ("", "--also"),
    "review.reject": ("", "--also"),
    "topic.list": ("--topic",),
    "topic.merge": ("", "--also"),
    "sleep.undo": ("--cycle",),
    "memory.diff": ("--cycle",),
    "compress": ("--file",),
    "journal.capture": ("--transcript",),
    "conversation.originals": ("--address",),
    "sleep.add": ("--score", "--text"),
    "sleep.done": ("--text",),
    "note": ("--text",),
    "decide": ("--text",),
}
_QUOTED = ("note", "decide")
_PROSE = "--text"


def flagged(words: Sequence[str], namespace: Collection) -> list[str]:
    """Return the words of a command line with the plain ones that Invoke cannot take turned into a flag's values.

    Raises:
        UsageError: several plain words where one is a text.
    """
    name = next(iter(words), "")
    if words[1:] in (["--help"], ["-h"]):  # Invoke would take it for a value that is still missing
        return ["--help", name]
    if name not in FLAGS:
        return list(words)
    flags = [flag for flag in FLAGS[name] if not flag or flag == "--also" or flag not in words]
    out, prose = [name], []
    for word in parse(words[1:], _options(namespace[name]), name, is_open=True):
        if word.name:
            flag = _PROSE if word.words == (_PROSE, word.value) else ""
        else:
            flag = flags.pop(0) if len(flags) > 1 else "".join(flags)
        if flag == _PROSE:
            prose.append(word.value)
        else:
            out += [flag, word.value] if flag else word.words
    _refuse_several(name, prose)
    return [*out, f"{_PROSE}={' '.join(prose)}"] if prose else out


def _refuse_several(name: str, prose: Sequence[str]) -> None:
    if len(prose) > 1 and name in _QUOTED:
        right = f"sleepwake {name} {shlex.quote(' '.join(prose))}"
        raise UsageError(f"{name} takes one text, in quotes (would be right: {right})", hint=f"sleepwake {name} --help")


def _options(task: Task[Any]) -> Iterator[Option]:
    for argument in task.get_arguments():
        for name in argument.names:
            shown = name.replace("_", "-")
            yield Option(shown, shown if len(shown) == 1 else "", argument.kind is not bool)
