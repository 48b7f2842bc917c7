"""The YAML that front matter and settings are written in: read fast, written in one form.

Owns the values of YAML (strings, numbers, booleans, null, lists, maps) and where each top-level key of a text stands.
A small reader answers for the common subset without loading anything; whatever it does not understand, broken YAML
too, goes to ruamel.yaml (YAML 1.2), the judge. Refuses duplicate keys, tags that make objects, several documents.
Dates stay the string that was written, and keys are always strings.
"""

from __future__ import annotations

from sleep.documents.yaml import subset
from sleep.documents.yaml.scalar import Unsupported, scalar
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 3 ms
    from collections.abc import Iterator

    from sleep.documents.yaml.scalar import Value

__all__ = ["Broken", "Key", "Unsupported", "dump", "keys", "load"]

_LONGEST_KEY = 100
_BYTES = range(0xDC80, 0xDD00)  # what surrogateescape makes of bytes that are not UTF-8
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class Broken(ValueError):  # said as yaml.Broken  # noqa: N818
    """Text that is no YAML map: `line` (counted from the `first` given to the reader) and `what` is wrong there."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class Key(NamedTuple):
    """The lines of one top-level key and its value: offsets of the first line's start and the last line's end."""

    name: str
    start: int
    end: int


def load(text: str, first: int = 1) -> dict[str, Value]:
    """Return the map that a YAML text holds, empty for an empty text; `first` is the number of its first line.

    Raises:
        Broken: not YAML, or no map; a ValueError with the line and what is wrong.
    """
    try:
        return subset.read(text)[0]
    except Unsupported:
        return _judge(text, first)[0]


def keys(text: str, first: int = 1) -> list[Key] | None:
    """Return where the top-level keys stand, in order; None when the map is not written one key a line.

    Raises:
        Broken: not YAML, or no map.
    """
    try:
        rows = subset.read(text)[1]
    except Unsupported:
        places = _judge(text, first)[1]
        if places is None:
            return None
        return [Key(name, _begin(text, start), _finish(text, start, end)) for name, start, end in places]
    starts = [0]
    while starts[-1] <= len(text):
        starts.append(text.find("\n", starts[-1]) + 1 or len(text) + 1)
    return [
        Key(name, starts[begin] + (begin == 0 and text[:1] == "\ufeff"), min(starts[end], len(text)))
        for name, begin, end in rows
    ]


def dump(value: Value) -> str:
    r"""Return the one form we write: a map as lines `key: value\n`, anything else on one line without a newline."""
    if isinstance(value, dict) and value:
        return "".join(_lines(value, ""))
    return _inline(value)


def _judge(text: str, first: int) -> tuple[dict[str, Value], list[tuple[str, int, int]] | None]:
    from sleep.documents.yaml import ruamel_reader  # late: ruamel.yaml is slow to load  # noqa: PLC0415

    try:
        return ruamel_reader.read(text)
    except ruamel_reader.Fault as fault:
        raise Broken(first + fault.line, fault.what) from None


def _begin(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _finish(text: str, start: int, end: int) -> int:
    """Return the end of the line on which the value's last character stands."""
    end = start + len(text[start:end].rstrip("\r\n"))
    while end < len(text) and text[end] not in "\r\n":
        end += 1
    return end + (2 if text[end : end + 2] == "\r\n" else 1) if end < len(text) else end


def _lines(fields: dict[str, Value], indent: str) -> Iterator[str]:
    for key, value in fields.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{_string(key, key=True)}:\n"
            yield from _lines(value, indent + "  ")
        else:
            yield f"{indent}{_string(key, key=True)}: {_inline(value)}\n"


def _inline(value: Value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_string(key, key=True)}: {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return _float(value)
    return str(value)


def _float(value: float) -> str:
    if value != value:  # not a number  # noqa: PLR0124
        return ".nan"
    if value in {float("inf"), float("-inf")}:
        return ".inf" if value > 0 else "-.inf"
    return repr(value)


def _string(text: str, *, key: bool = False) -> str:
    if _is_plain(text, key=key):
        return text
    return '"' + "".join(sign if sign.isprintable() and sign not in '"\\' else _escape(sign) for sign in text) + '"'


def _escape(sign: str) -> str:
    number = ord(sign)
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if number in _BYTES:
        return sign  # a byte that is not UTF-8 stays that byte
    mark, size = next(pair for pair in (("x", 2), ("u", 4), ("U", 8)) if number < 16 ** pair[1])
    return f"\\{mark}{number:0{size}x}"


def _is_plain(text: str, *, key: bool) -> bool:
    """Whether the words need no quotes in any place that we write them to."""
    if not text or not text[0].isalnum() or text[-1] in " :" or not text.isprintable():
        return False
    if any(sign in text for sign in ",[]{}") or ": " in text or " #" in text:
        return False
    try:
        return scalar(text) == text and not (key and len(text) > _LONGEST_KEY)
    except Unsupported:
        return False
