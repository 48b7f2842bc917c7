"""What functions of a text alone returned before.

A command that reads a whole memory asks them the same each time. Owns a table for each of these functions.
`memory/memo_file.py` fills the tables with what an earlier process was told, and keeps what this one asked for; without
it the functions are asked as ever. Refuses functions of anything but a text.
"""

from __future__ import annotations

from functools import lru_cache, wraps

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs a hook 4 ms
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    T = TypeVar("T")

# Texts of a function that are new to a process, and their characters: more is not held. The next one keeps more.
_MOST, _ROOM = 1 << 13, 1 << 21
_FEW = 4  # one in so many came or went, up to which that is not worth the time that writing all takes

Answers = dict[str, "Any"]  # plain values by text


class Table:
    """What one function returned: `known` to earlier processes, and what of it was `asked` for in this one.

    `fresh` is what was asked for and not known, as `strip` makes plain values of it; None while nobody keeps it.
    """

    __slots__ = ("asked", "fresh", "known", "room", "strip")

    def __init__(self, strip: Callable[[Any], object] | None) -> None:
        self.strip = strip
        self.known: Answers = {}
        self.asked: Answers = {}
        self.fresh: dict[str, Any] | None = None
        self.room = 0

    def fill(self, known: Answers) -> None:
        """Answer from these, and begin to keep what is asked for."""
        self.known, self.asked, self.fresh, self.room = known, {}, {}, _ROOM

    def end(self) -> None:
        """Forget all, and keep nothing."""
        self.known, self.asked, self.fresh, self.room = {}, {}, None, 0

    @property
    def changes(self) -> int:
        """How many texts were asked for that were not known, and known that nobody asked for."""
        return len(self.fresh or ()) + len(self.known) - len(self.asked)

    def answers(self) -> Answers:
        """Return what was asked for, as plain values."""
        strip = self.strip
        fresh = self.fresh or {}
        return {**self.asked, **({text: strip(value) for text, value in fresh.items()} if strip else fresh)}


_TABLES: dict[str, Table] = {}
_ANSWERS: list[dict[str, Answers]] = []  # what the tables were filled with: of modules that are loaded late too


def table_of(name: str, strip: Callable[[Any], object] | None = None) -> Table:
    """Return the table of a function, or of who fills one by himself: with what he finds out of several texts."""
    table = _TABLES[name] = Table(strip)
    for known in _ANSWERS:
        table.fill(known.get(name, {}))
    return table


def memo(
    size: int, make: Callable[[Any], T], strip: Callable[[Any], object] | None = tuple
) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Have a function's values kept, the last `size` of them in this process.

    Args:
        size: how many.
        make: makes a value of what `strip` made of it.
        strip: makes a plain value, as `marshal` writes it; None where values are plain.
    """

    def wrap(function: Callable[[str], T]) -> Callable[[str], T]:
        table = table_of(f"{function.__module__}.{function.__name__}", strip)

        @lru_cache(maxsize=size)
        @wraps(function)
        def value(text: str) -> T:
            if table.fresh is None:
                return function(text)
            plain: Any = table.known.get(text)
            if plain is not None:
                table.asked[text] = plain
                return make(plain)
            held: T | None = table.fresh.get(text)
            if held is not None:
                return held
            own = function(text)
            if table.room > 0 and len(table.fresh) < _MOST:
                table.fresh[text] = own
                table.room -= len(text)
            return own

        return value

    return wrap


def fill(known: dict[str, Answers]) -> None:
    """Answer from what earlier processes kept, by the names of functions, and begin to keep what is asked for."""
    _ANSWERS[:] = [known]
    for name, table in _TABLES.items():
        table.fill(known.get(name, {}))


def empty() -> dict[str, Answers] | None:
    """End what `fill` began; return what was asked for since, None where it is nearly what was known before."""
    answers = dict(_parts()) if _is_new() else None
    _ANSWERS.clear()
    for table in _TABLES.values():
        table.end()
    return answers


def _is_new() -> bool:
    tables = [table for table in _TABLES.values() if table.fresh is not None]
    asked = sum(len(table.asked) + len(table.fresh or ()) for table in tables)
    return sum(table.changes for table in tables if table.asked or table.fresh) * _FEW > asked


def _parts() -> Iterator[tuple[str, Answers]]:
    """Yield what was asked for by the names of functions; each ends then, for all of them take much room."""
    for name, table in _TABLES.items():
        if table.asked or table.fresh:
            yield name, table.answers()
            table.end()
