"""What functions of a text alone returned before: a command that reads a whole memory asks them the same each time.

Owns a table for each of these functions. `memory/memo_file.py` fills the tables with what an earlier process was told,
and keeps what this one asked for; without it the functions are asked as ever. Refuses functions of anything but a text,
and values that `marshal` cannot write: a function returns a plain one, of which `make` makes what is asked for.
"""

from __future__ import annotations

from functools import lru_cache, wraps

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs a hook 4 ms
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

_MOST = 1 << 14  # texts of a function: of more a process would keep too much in its memory
_FEW = 8  # one in so many, up to which what is new is not worth the time that writing all takes

Answers = dict[str, object]  # plain values by text


class Table:
    """What one function returned: `known` to earlier processes, and `asked` in this one, None while nobody keeps it."""

    __slots__ = ("asked", "known")

    def __init__(self) -> None:
        self.known: Answers = {}
        self.asked: Answers | None = None


_TABLES: dict[str, Table] = {}
_ANSWERS: list[dict[str, Answers]] = []  # what the tables were filled with: of modules that are loaded late too


def memo(size: int, make: Callable[[Any], T]) -> Callable[[Callable[[str], object]], Callable[[str], T]]:
    """Have a function's values kept, and the last `size` in this process as `make` makes them."""

    def wrap(function: Callable[[str], object]) -> Callable[[str], T]:
        name = f"{function.__module__}.{function.__name__}"
        table = _TABLES[name] = Table()
        for known in _ANSWERS:
            table.known, table.asked = known.get(name, {}), {}

        @lru_cache(maxsize=size)
        @wraps(function)
        def value(text: str) -> T:
            if table.asked is None:
                return make(function(text))
            plain = table.known.get(text)
            if plain is None:
                plain = function(text)
            if len(table.asked) < _MOST:
                table.asked[text] = plain
            return make(plain)

        return value

    return wrap


def fill(known: dict[str, Answers]) -> None:
    """Answer from what earlier processes kept, by the names of functions, and begin to keep what is asked for."""
    _ANSWERS[:] = [known]
    for name, table in _TABLES.items():
        table.known, table.asked = known.get(name, {}), {}


def empty() -> tuple[dict[str, Answers], bool]:
    """End what `fill` began; return what was asked for since, and whether it is other than what was known before."""
    asked = {name: table.asked for name, table in _TABLES.items() if table.asked}
    other = sum(len(own.keys() ^ _TABLES[name].known.keys()) for name, own in asked.items())
    is_new = other * _FEW > sum(map(len, asked.values()))
    _ANSWERS.clear()
    for table in _TABLES.values():
        table.known, table.asked = {}, None
    return asked, is_new
