"""The command that was meant where no task has the name that was typed: `sleep status`, `recal`, `undo`.

Owns what is near: a space for a dot, a slip of the pen, the last part of a name alone, the first part alone, a kind of
entry in the place of a task; and what is said of words that a task cannot take. Pure.
Refuses to run what it only guesses.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sleep.errors import UsageError
from sleep.language import words as letters
from sleep.records.kinds import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sleep.tasks.task import Reading, Task

LISTS = ("--list", "-l")  # before the name of a group
_SHOWN = 6  # names of several that were meant
_LEAST, _LONG = 3, 9  # letters of a name from which one slip is forgiven, and from which two are
_ASKED = 3  # words of a question, one fewer with its mark
_LINE = 100  # characters of a command that is repeated
_UNQUOTED = frozenset('"$`\\!')  # signs that a shell reads between double quotes
_OTHER = {
    "dashboard": "relay.serve",
    "thread.reopen": "thread.resume",
    "stats": "memory.stats",
    "ask": "recall",
    "search": "recall",
    "find": "recall",
}  # what people say for a task by another name
_SAYING = ("--reason", "--outcome", "--answer", "--text", "--why")  # what is told of a record, each where it is asked
_NEW = ("", "add", "new", "open", "create")  # what may stand behind a kind, where an entry of it is to be written


def refuse(words: Sequence[str], names: Collection[str]) -> None:
    """Raise UsageError for a command line that begins with no task's name, with the name that was meant.

    The words are those after the program's name. A first word that is an option is left to who reads options.
    """
    head = next(iter(words), "-")
    if head in LISTS and not words[-1].startswith("-"):
        _refuse_group(words[-1], names)
    if not head.startswith("-") and head not in names:
        meant, count = _meant(words, names)
        raise (_entry(words, names) if count == 1 else None) or _error(words, meant, count)


def refusal_of_rest(words: Sequence[str], names: Collection[str]) -> UsageError | None:
    """Return what is wrong where a plain word after a task's name makes it another's, None where it makes none.

    `sleep status` is this: `sleep` is a task, and takes no plain word.
    """
    head, second = words[0], next(iter(words[1:]), "-")
    below = [name for name in names if name.startswith(f"{head}.")]
    near = [] if second.startswith("-") else _near(f"{head}.{second}", below)
    return _error(words, near, 2) if near else None


def parse_refusal(fault: str, words: Sequence[str], task: Task | None, names: Collection[str]) -> UsageError:
    """Return what is wrong where the words of a task cannot be taken: what it needs, or the option that was meant.

    Args:
        fault: what Invoke says of it.
        words: those after the program's name.
        task: the one they are for, None for none.
        names: those of the tasks of its group.
    """
    if not task:
        return UsageError(fault, hint="sleepwake --list")
    if words[0].startswith("-"):
        line = shlex.join(("sleepwake", task.name, *(word for word in words if word != task.name)))
        what = f"a command comes before its options (would be right: {line[:_LINE]})"
        return UsageError(what, hint=f"sleepwake {task.name} --help")
    hint = f"sleepwake {task.name} --help"
    reading = task.read(words[1:])
    needed = [
        parameter for parameter in task.parameters if parameter.is_needed and parameter.name not in reading.values
    ]
    strange = next(iter(reading.rest), "")
    if strange.startswith("-"):
        return UsageError(_strange_option(strange, task), hint=hint)
    if needed:
        what = "; ".join(f"{parameter.option.upper()}, {parameter.help}" for parameter in needed)
        listing = f"{task.name.partition('.')[0]}.list"
        return UsageError(f"{task.name} needs {what}", hint=f"sleepwake {listing}" if listing in names else hint)
    if strange and (right := _with_saying(words, reading, task)):
        what = f"{task.name} takes {strange!r} only behind an option (would be right: {right})"
        return UsageError(what, hint=hint)
    return UsageError(_strange_word(strange, task) if strange else fault, hint=hint)


def _refuse_group(word: str, names: Collection[str]) -> None:
    """Raise UsageError for a word behind `--list` that no group of commands has, with the group that was meant."""
    groups = list(dict.fromkeys(name.partition(".")[0] for name in names if "." in name))
    if word in groups:
        return
    near = _near(word, groups)
    right = f" (would be right: {' or '.join(f'sleepwake --list {name}' for name in near)})" if near else ""
    raise UsageError(f"no group of commands is called {word!r}{right}", hint="sleepwake --list")


def _with_saying(words: Sequence[str], reading: Reading, task: Task) -> str:
    """Return the command with its last plain words behind the option that says them, "" where several could be meant.

    That is `question.answer Q-001 --answer yes` of `question.answer Q-001 yes`.
    """
    flags = [f"--{parameter.option}" for parameter in task.parameters if parameter.name not in reading.values]
    own = [flag for flag in flags if flag in _SAYING]
    count = len(reading.rest)
    if len(own) != 1 or list(words[-count:]) != list(reading.rest):
        return ""
    line = shlex.join(("sleepwake", *words[:-count], own[0], " ".join(reading.rest)))
    return line if len(line) <= _LINE else ""


def _strange_word(word: str, task: Task) -> str:
    """Return what is wrong with a plain word that a task cannot take."""
    options = [parameter for parameter in task.parameters if not parameter.is_flag and parameter.name != "root"]
    flags = [f"--{parameter.option}" for parameter in options]
    shown = ", ".join([*flags[:_SHOWN], *["..."] * (len(flags) > _SHOWN)])
    where = f"{word!r} only behind an option ({shown})" if flags else f"no such word as {word!r}"
    return f"{task.name} takes {where}"


def _strange_option(word: str, task: Task) -> str:
    """Return what is wrong with an option, or an option and its value, that a task cannot take."""
    option, equals, _ = word.partition("=")
    flags = [f"--{parameter.option}" for parameter in task.parameters]
    own = next(
        (own for name, own in task.spellings().items() if option in (f"--{name}", f"-{own.letter}")),
        None,
    )
    if own and own.is_flag and equals:
        return f"{task.name} takes {option} without a value"
    if own:
        return f"{task.name} takes {option} once{'' if own.is_flag else ', with a value behind it'}"
    near = _options(option, flags)
    right = f" (would be right: {' or '.join(near)})" if near else ""
    return f"{task.name} has no option {option}{right}"


def _options(wrong: str, flags: Collection[str]) -> list[str]:
    """Return the options that are meant by one that a task has not: a slip, or a part of the name."""
    if not wrong.startswith("--") or len(wrong) <= _LEAST:
        return []
    near = _near(wrong, flags) or [flag for flag in flags if flag.startswith(wrong) or wrong.startswith(flag)]
    return near or ([flag for flag in flags if flag in _SAYING] if wrong in _SAYING else [])


def _entry(words: Sequence[str], names: Collection[str]) -> UsageError | None:
    """Return what is wrong where a kind of entry is taken for a task: `handoff "..."`, `task.add "..."`."""
    head, _, verb = words[0].lower().partition(".")
    kind = next((name for name in ENTRIES if name.replace(" ", "") == head.replace("-", "").replace("_", "")), "")
    rest = words[1:]
    has_tasks = any(name.startswith(f"{head}.") for name in names)
    if not kind or verb not in _NEW or (has_tasks and not verb and not rest):
        return None
    text = " ".join(rest) if rest and not rest[0].startswith("-") else ""
    text = text if len(text) < _LINE and not _UNQUOTED.intersection(text) else ""
    right = f'sleepwake journal.add --kind {shlex.quote(kind)} --text "{text or "..."}"'
    return UsageError(
        f"no command is called {words[0]!r} (would be right: {right})", hint="sleepwake journal.add --help"
    )


def _meant(words: Sequence[str], names: Collection[str]) -> tuple[list[str], int]:
    """Return the names that may be meant, in their order, and how many words stand for them."""
    head, second = words[0], next(iter(words[1:]), "-")
    if (other := _OTHER.get(head.lower(), "")) in names:
        return [other], 1
    below = [name for name in names if "." in name]
    if not second.startswith("-") and (near := _near(f"{head}.{second}", below)):
        return near, 2
    first = head.lower().partition(".")[0]
    parts = [name for name in names if head.lower() in name.split(".")]
    # The first part may stand before another that no task has, or be more than one: `thread.close`, `threads`.
    parts = parts or [name for name in below if name.partition(".")[0] in (first, first.removesuffix("s"))]
    return _near(head, names) or sorted(parts, key=lambda name: not name.startswith(f"{first}.")), 1


def _near(word: str, names: Collection[str]) -> list[str]:
    """Return the names that are as near to a word as a slip of the pen: the word itself, else the nearest."""
    word = word.lower()
    most = (len(word) >= _LEAST) + (len(word) >= _LONG)
    slips = {name: letters.unlike(word, name, most) for name in names}
    near = [name for name in names if slips[name][0] <= most]
    return [name for name in near if slips[name] == min(slips.values())]


def _error(words: Sequence[str], meant: Sequence[str], count: int) -> UsageError:
    wrong = f"no command is called {' '.join(words[:count])!r}"
    asked = " ".join(words)
    if not meant and _is_question(asked):
        right = f"sleepwake recall {shlex.quote(asked if len(asked) <= _LINE else '...')}"
        return UsageError(f"{wrong} (would be right: {right})", hint="sleepwake recall --help")
    if not meant:
        return UsageError(wrong, hint="sleepwake --list")
    if len(meant) == 1:
        line = shlex.join(("sleepwake", *meant, *words[count:]))
        right = line if len(line) <= _LINE else f"sleepwake {meant[0]} ..."
        return UsageError(f"{wrong} (would be right: {right})", hint=f"sleepwake {meant[0]} --help")
    more = f" and {len(meant) - _SHOWN} more" if len(meant) > _SHOWN else ""
    return UsageError(f"{wrong} (would be right: one of {', '.join(meant[:_SHOWN])}{more})", hint="sleepwake --list")


def _is_question(text: str) -> bool:
    """Return whether words that name no command are a question to the memory: `what is blocked`."""
    spoken = text.split()
    return len(spoken) >= _ASKED - text.endswith("?") and not any(word.startswith("-") for word in spoken)
