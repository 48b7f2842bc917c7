"""The command that was meant where no task has the name that was typed: `sleep status`, `recal`, `undo`.

Owns what is near: a space for a dot, a slip of the pen, the last part of a name alone, the first part alone. Pure.
Refuses to run what it only guesses.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sleep.errors import UsageError
from sleep.language import words as letters

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_SHOWN = 6  # names of several that were meant
_LEAST, _LONG = 3, 9  # letters of a name from which one slip is forgiven, and from which two are
_LINE = 100  # characters of a command that is repeated


def refuse(words: Sequence[str], names: Collection[str]) -> None:
    """Raise UsageError for a command line that begins with no task's name, with the name that was meant.

    The words are those after the program's name. A first word that is an option is left to who reads options.
    """
    head = next(iter(words), "-")
    if not head.startswith("-") and head not in names:
        raise _error(words, *_meant(words, names))


def refusal_of_rest(words: Sequence[str], names: Collection[str]) -> UsageError | None:
    """Return what is wrong where a plain word after a task's name makes it another's, None where it makes none.

    `sleep status` is this: `sleep` is a task, and takes no plain word.
    """
    head, second = words[0], next(iter(words[1:]), "-")
    below = [name for name in names if name.startswith(f"{head}.")]
    near = [] if second.startswith("-") else _near(f"{head}.{second}", below)
    return _error(words, near, 2) if near else None


def parse_refusal(fault: str, words: Sequence[str], name: str, flags: Collection[str]) -> UsageError:
    """Return what is wrong where Invoke cannot take the words of a task, with the option that was meant.

    Args:
        fault: what Invoke says of it.
        words: those after the program's name.
        name: the task, as Invoke calls it: `wake.wake` is the default task of `wake`; "" for none.
        flags: its options.
    """
    near = _options(words, flags) if name else []
    right = f" (would be right: {' or '.join(near)})" if near else ""
    task = words[0] if name.split(".") == [words[0]] * 2 else name
    return UsageError(f"{fault}{right}", hint=f"sleepwake {task} --help" if task else "sleepwake --list")


def _options(words: Sequence[str], flags: Collection[str]) -> list[str]:
    """Return the options that are meant where words have one that a task has not: a slip, or a part of the name."""
    typed = (word.partition("=")[0] for word in words)
    wrong = next((word for word in typed if word.startswith("--") and len(word) > _LEAST and word not in flags), "")
    long = [flag for flag in flags if wrong and flag.startswith("--")]
    return _near(wrong, long) or [flag for flag in long if flag.startswith(wrong) or wrong.startswith(flag)]


def _meant(words: Sequence[str], names: Collection[str]) -> tuple[list[str], int]:
    """Return the names that may be meant, in their order, and how many words stand for them."""
    head, second = words[0], next(iter(words[1:]), "-")
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
    if not meant:
        return UsageError(wrong, hint="sleepwake --list")
    if len(meant) == 1:
        line = shlex.join(("sleepwake", *meant, *words[count:]))
        right = line if len(line) <= _LINE else f"sleepwake {meant[0]} ..."
        return UsageError(f"{wrong} (would be right: {right})", hint=f"sleepwake {meant[0]} --help")
    more = f" and {len(meant) - _SHOWN} more" if len(meant) > _SHOWN else ""
    return UsageError(f"{wrong} (would be right: one of {', '.join(meant[:_SHOWN])}{more})", hint="sleepwake --list")
