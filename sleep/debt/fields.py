"""Reading JSON that others may have written: fields that are what they should be, and the names of those that are not.

Owns the one way in which the ledger and the files of sessions are read. A field that is missing has its default, and so
has one that is something else, whose name is noted. Standard library only; hooks load it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Parse = Callable[[Any], Any]  # returns None for what is something else

_MOST = 10**15  # a number above is garbage
_NAMED = 5  # of what cannot be read


def text(value: object) -> str | None:
    """Return a text, None for anything else."""
    return value if isinstance(value, str) else None


def whole(value: object) -> int | None:
    """Return a value where it is a whole number from 0, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if 0 <= value <= _MOST and value == int(value) else None


def mapping(value: object) -> dict[str, Any] | None:
    """Return an object, None for anything else."""
    return value if isinstance(value, dict) else None


def texts(value: object) -> tuple[str, ...] | None:
    """Return the texts of an array, None for anything else."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else None


class Reader:
    """One reading: the names of what is not what it should be."""

    __slots__ = ("wrong",)

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def read(self, raw: dict[str, Any], forms: Mapping[str, tuple[Parse, Any]], where: str = "") -> dict[str, Any]:
        """Take fields out of an object, and return them.

        Args:
            raw: the object; what is left in it are keys of others.
            forms: by key, what parses the value, and the default.
            where: the name of the object, with a dot behind it.
        """
        return {key: self.value(raw.pop(key, None), *form, f"{where}{key}") for key, form in forms.items()}

    def value(self, value: object, parse: Parse, default: Any, name: str) -> Any:  # noqa: ANN401  # as it is parsed
        """Return a value as it is parsed, the default where it is missing or something else."""
        if value is None:
            return default
        parsed = parse(value)
        if parsed is None:
            self.wrong.append(name)
            return default
        return parsed

    @property
    def names(self) -> str:
        """The names, as many as a line has room for."""
        more = len(self.wrong) - _NAMED
        return ", ".join(self.wrong[:_NAMED]) + (f" and {more} more" if more > 0 else "")
