"""Reading the words of a command line by a table of options.

Owns the forms that are understood: `--name value`, `--name=value`, `-n value`, flags, `--` before plain words. Refuses
to know a command: each brings its table. argparse would cost a hook or a session's start 8 ms.
"""

from __future__ import annotations

from sleep.errors import UsageError
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


# The option that a command has may be called by its other name.
SYNONYMS = {"reason": "why", "why": "reason"}


class Option(NamedTuple):
    """An option: its long name, its letter ("" for none), and whether a value follows it."""

    name: str
    letter: str = ""
    is_valued: bool = False


class Word(NamedTuple):
    """A part of the command line: the option's name ("" for a plain word), its value, and the words as they stood."""

    name: str
    value: str
    words: tuple[str, ...]


def parse(words: Sequence[str], options: Iterable[Option], command: str, *, is_open: bool = False) -> Iterator[Word]:
    """Yield the options and plain words of a command line, in order.

    Where it `is_open` another reads it after, so what is wrong is left as it stands, and prose that begins with a dash
    is a plain word.

    Raises:
        UsageError: an option that the table does not have, one without its value, or a flag with one.
    """
    table, rest = tuple(options), list(words)
    while rest:
        word = rest.pop(0)
        if word == "--" and not is_open:
            yield from (Word("", plain, (plain,)) for plain in rest)
            return
        if word == "-" or not word.startswith("-") or (is_open and " " in word.partition("=")[0]):
            yield Word("", word, (word,))
            continue
        try:
            yield _option(word, rest, table, command)
        except UsageError:
            if not is_open:
                raise
            yield Word(word.partition("=")[0], "", (word,))


def _option(word: str, rest: list[str], options: Sequence[Option], command: str) -> Word:
    """Return the option that a word names, and take its value off the `rest` where it stands there."""
    name, equals, value = word.partition("=")
    option = next((option for option in options if name in (f"--{option.name}", f"-{option.letter}")), None)
    if option is None or (equals and not option.is_valued):
        raise UsageError(f"{command} cannot take {word}", hint=f"sleepwake {command} --help")
    if equals or not option.is_valued:
        return Word(option.name, value, (word,))
    if not rest:
        raise UsageError(f"{name} wants a value", hint=f"sleepwake {command} --help")
    return Word(option.name, rest[0], (word, rest.pop(0)))
