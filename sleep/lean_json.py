"""JSON without loading `json`: for what a hook loads.

`json` compiles eight patterns when it is loaded, 1.5 ms of a hook's 20; its scanner and encoder in C need none. Values,
text and errors (ValueError) are the same. Refuses keys that are no strings where it indents.
"""

from __future__ import annotations

from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    def make_scanner(context: object) -> Any: ...  # noqa: ANN401, D103
    def make_encoder(*settings: object) -> Any: ...  # noqa: ANN401, D103
    def encode_basestring(text: str) -> str: ...  # noqa: D103
    def encode_basestring_ascii(text: str) -> str: ...  # noqa: D103

else:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

_SPACE = " \t\n\r"


# What `json.JSONDecoder` tells the scanner; a constant is NaN, Infinity or -Infinity.
_scan = make_scanner(
    SimpleNamespace(
        strict=True, object_hook=None, object_pairs_hook=None, parse_float=float, parse_int=int, parse_constant=float
    )
)


def scan(text: str, at: int = 0) -> tuple[Any, int]:
    """Return the value that begins at a place of a text, and where it ends; ValueError where none begins."""
    try:
        value, end = _scan(text, at)
    except (StopIteration, SystemError):  # the latter where C looks for the error of a module that is not loaded
        raise ValueError(f"no JSON value at character {at}") from None
    return value, end


def loads(text: str) -> Any:  # noqa: ANN401  # as json's
    """Return the value that a text is; ValueError for anything else."""
    value, end = scan(text, len(text) - len(text.lstrip(_SPACE)))
    if text[end:].strip(_SPACE):
        raise ValueError(f"more than one JSON value: from character {end}")
    return value


def dumps(value: object, *, ascii_only: bool = True, compact: bool = False, indent: int = 0) -> str:
    """Return a value as JSON: `compact` without spaces, with `indent` a line for each member."""
    string = encode_basestring_ascii if ascii_only else encode_basestring
    signs = (":", ",") if compact else (": ", ", ")
    plain = make_encoder(None, _refuse, string, None, *signs, False, False, True)
    return _indented(value, plain, string, " " * indent, "\n") if indent else "".join(plain(value, 0))


def _indented(value: object, plain: Any, string: Any, indent: str, start: str) -> str:  # noqa: ANN401
    inner = start + indent
    if isinstance(value, dict) and value:
        rows = [f"{string(key)}: {_indented(member, plain, string, indent, inner)}" for key, member in value.items()]
        return f"{{{inner}{f',{inner}'.join(rows)}{start}}}"
    if isinstance(value, (list, tuple)) and value:
        rows = [_indented(item, plain, string, indent, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(rows)}{start}]"
    return "".join(plain(value, 0))


def _refuse(value: object) -> None:
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")
