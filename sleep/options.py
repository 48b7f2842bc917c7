"""Reading the words of a command line by a table of options: for whatever cannot wait for Invoke.

Owns the forms that are understood: `--name value`, `--name=value`, `-n value`, flags, `--` before plain words. Refuses
to know a command: each brings its table. argparse would cost a hook or a session's start 8 ms.
"""

from __future__ import annotations

from sleep.errors import UsageError
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


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
    by_name = {name: one for one in options for name in (f"--{one.name}", f"-{one.letter}")}
    hint = f"sleepwake {command} --help"
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        option = by_name.get(name)
        is_plain = word == "-" or not word.startswith("-") or (is_open and " " in name)
        if word == "--" and not is_open:
            yield from (Word("", plain, (plain,)) for plain in rest)
            return
        if is_plain:
            yield Word("", word, (word,))
        elif is_open and (option is None or (option.is_valued and not equals and not rest)):
            yield Word(name, "", (word,))
        elif option is None or (equals and not option.is_valued):
            raise UsageError(f"{command} cannot take {word}", hint=hint)
        elif not option.is_valued or equals:
            yield Word(option.name, value, (word,))
        elif rest:
            yield Word(option.name, rest[0], (word, rest.pop(0)))
        else:
            raise UsageError(f"{name} wants a value", hint=hint)
