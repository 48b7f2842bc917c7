"""A task: what a command does, with the options that the parameters of its function are.

Owns reading the words of a command line by them, for every task alike. Refuses to guess: what it cannot read is handed
on as it stands, to be explained by who has the time. Loads no Invoke, which costs 60 ms; `command_line.invoke_program`
makes Invoke's tasks of these.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from sleep import options
from sleep.errors import UsageError
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

_HELP = {"json": "print facts as JSON", "root": "the memory's root; default: SLEEP_ROOT, else found upwards from here"}


class _Needed:
    """The default of what has none: a class, for Invoke copies tasks, and of an object it would make another."""


class Parameter(NamedTuple):
    """A parameter of a task: its name, the letter of its option ("" for none), its default, and its help."""

    name: str
    letter: str
    default: Any
    help: str

    @property
    def option(self) -> str:
        """The name of its option, without dashes before it."""
        return self.name.strip("_").replace("_", "-")

    @property
    def is_needed(self) -> bool:
        """Whether it has to be given."""
        return self.default is _Needed

    @property
    def is_list(self) -> bool:
        """Whether it may be given again."""
        return self.default is None

    @property
    def is_flag(self) -> bool:
        """Whether no value follows its option."""
        return isinstance(self.default, bool)


class Reading(NamedTuple):
    """What words say to a task: the values of parameters by name, and the words that it cannot take."""

    values: dict[str, Any]
    rest: list[str]


class Task:
    """A function as a task.

    Args:
        name: what a person calls it: `journal.add`.
        body: what it does; its parameters are texts, flags (False by default), and lists (None by default). An
            int that it returns is the exit code.
        plain: the parameters that plain words give, in turn, those that are needed by default; a list that is last
            takes all that follow.
        joined: the one of them that several plain words are one text for.
        quoted: the one of them that is a text, and has to be one word.
        remainder: the list that what follows `--` goes to.
        more: texts that the body takes by name besides, after those that are needed.
        letters: whether options have letters.
        help: what the parameters mean, by name.
    """

    def __init__(
        self,
        name: str,
        body: Callable[..., int | None],
        *,
        plain: Sequence[str] = (),
        joined: str = "",
        quoted: str = "",
        remainder: str = "",
        more: Sequence[str] = (),
        letters: bool = True,
        help: Mapping[str, str] | None = None,  # noqa: A002  # as Invoke calls it
    ) -> None:
        self.name, self.body, self.remainder = name, body, remainder
        self._joined, self._quoted = joined, quoted
        code, own = body.__code__, body.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        defaults = dict.fromkeys(names[: len(names) - len(own)], _Needed)
        self.plain = tuple(plain) or tuple(defaults)
        defaults |= dict.fromkeys(more, "") | dict(zip(names[len(defaults) :], own, strict=True))
        if strange := {*(help or ())} - defaults.keys():
            raise ValueError(f"{name} has no {', '.join(strange)}")
        texts = {**_HELP, **(help or {})}
        self.parameters = tuple(_parameters(defaults, texts, self.plain, remainder, letters=letters))

    @property
    def about(self) -> str:
        """What it does, and an example."""
        return self.body.__doc__ or ""

    def read(self, words: Sequence[str]) -> Reading:
        """Return what words say.

        Raises:
            UsageError: several plain words where one is a text, to which the rest of an unquoted `--why` would go; the
                name of an option behind one dash.
        """
        table = self.spellings()
        spelt = {f"--{name}" for name in table} | {f"-{parameter.letter}" for parameter in self.parameters}
        values: dict[str, Any] = {}
        rest: list[str] = []
        plain, ended = [], list(words)
        end = ended.index("--") if "--" in ended else len(ended)
        self._refuse_one_dash(ended[:end], table)
        options_ = [options.Option(name, parameter.letter, not parameter.is_flag) for name, parameter in table.items()]
        for word in options.parse(ended[:end], options_, self.name, is_open=True):
            parameter = table.get(word.name)
            if not word.name:
                plain.append(word.value)
            elif parameter is None or (len(word.words) > 1 and word.value in spelt):
                rest += word.words
            elif parameter.is_list:
                values.setdefault(parameter.name, []).append(word.value)
            elif parameter.name in values:
                rest += word.words
            else:
                values[parameter.name] = parameter.is_flag or word.value
        if self.remainder:
            values[self.remainder] = ended[end + 1 :]
        else:
            plain += ended[end + 1 :]
        return Reading(values, rest + self._take(plain, values, is_strange=bool(rest)))

    def spellings(self) -> dict[str, Parameter]:
        """Return the parameters by the names of their options, and by their other names."""
        table = {parameter.option: parameter for parameter in self.parameters}
        return table | {
            name: table[own] for name, own in options.SYNONYMS.items() if own in table and name not in table
        }

    def _refuse_one_dash(self, words: Sequence[str], names: Collection[str]) -> None:
        """Raise UsageError for the name of an option behind one dash: `-why` would be read as `-w hy`.

        What stands behind an option is its value.
        """
        for before, word in zip(("", *words), words, strict=False):
            if word[:1] == "-" and word[1:] in names and not before.startswith("-"):
                right = shlex.join(("sleepwake", self.name, *(f"-{each}" if each == word else each for each in words)))
                hint = f"sleepwake {self.name} --help"
                raise UsageError(f"{self.name} has no option {word} (would be right: {right})", hint=hint)

    def _take(self, words: Sequence[str], values: dict[str, Any], *, is_strange: bool) -> list[str]:
        """Give plain words to the parameters that they are for, and return those that are for none.

        Where `is_strange`, an option that the task has not stands among them, and is to be explained first.
        """
        lists = {parameter.name for parameter in self.parameters if parameter.is_list}
        free = [name for name in self.plain if name in lists or name not in values]
        left = list(words)
        while left and free:
            name = free.pop(0)
            if name in lists:
                values[name] = [*values.get(name, ()), *left]
                return []
            if name == self._joined:
                values[name] = " ".join(left)
                return []
            if name == self._quoted and len(left) > 1 and not is_strange:
                right = f"sleepwake {self.name} {shlex.quote(' '.join(left))}"
                hint = f"sleepwake {self.name} --help"
                raise UsageError(f"{self.name} takes one text, in quotes (would be right: {right})", hint=hint)
            values[name] = left.pop(0)
        return left

    def is_whole(self, reading: Reading) -> bool:
        """Return whether all words were taken, and all that is needed was given."""
        needed = {parameter.name for parameter in self.parameters if parameter.is_needed}
        return not reading.rest and needed <= reading.values.keys()

    def words(self, reading: Reading) -> list[str]:
        """Return words that say the same to who takes no plain word but for what is needed."""
        words = []
        for parameter in self.parameters:
            value = reading.values.get(parameter.name, [])
            if parameter.is_flag:
                words += [f"--{parameter.option}"] if value else []
            else:
                words += [f"--{parameter.option}={each}" for each in (value if isinstance(value, list) else [value])]
        return [*words, *reading.rest]


def task(name: str, **options: Any) -> Callable[[Callable[..., int | None]], Task]:
    """Make a function a task of this name; takes what `Task` takes."""
    return lambda body: Task(name, body, **options)


def _parameters(
    defaults: Mapping[str, object], texts: Mapping[str, str], plain: Sequence[str], remainder: str, *, letters: bool
) -> list[Parameter]:
    """Return parameters with letters: the first of the name that is free. `-h` asks for help with every task."""
    names = {*defaults, "-", "h"}
    made = []
    for name, default in defaults.items():
        if name == remainder:
            continue
        # What is given as a plain word has its first letter or none, and leaves the others to options.
        may_have = name[0] if default is _Needed or name in plain else name.replace("_", "-")
        letter = next((sign for sign in may_have if letters and sign != name and sign not in names), "")
        names.add(letter)
        made.append(Parameter(name, letter, default, texts.get(name, "")))
    return made
