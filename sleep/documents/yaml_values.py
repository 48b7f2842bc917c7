"""The values of YAML, each on one line: what a plain or quoted word means, and the one form that we write.

Owns what a plain word means in YAML 1.2, what the escapes stand for, and what has to be quoted. Refuses (`Unsupported`)
a number in a form that is not the usual one, and anything that has no certain meaning.
"""

from __future__ import annotations

from sys import maxunicode

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 3 ms
    from collections.abc import Iterator
    from typing import NoReturn, TypeAlias

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("~", "null", "Null", "NULL", ""), None),
}
INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`<=")
_NUMERIC = frozenset("0123456789abcdefABCDEFxoinIN_.+-")
_ESCAPES = dict(zip('0abtnvfre "/\\N_LP', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))
_HEX = {"x": 2, "u": 4, "U": 8}
_DIGITS = 100  # of a number; Python refuses to read thousands
_SURROGATES = range(0xD800, 0xE000)
LONGEST_KEY = 100
_BYTES = range(0xDC80, 0xDD00)  # what surrogateescape makes of bytes that are not UTF-8
_ESCAPED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class Broken(ValueError):  # said as yaml.Broken  # noqa: N818
    """Text that is no YAML map: `line` (counted from the `first` given to the reader) and `what` is wrong there."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class Unsupported(Exception):  # not an error: the judge is asked  # noqa: N818
    """The subset reader does not answer for this text."""


def scalar(text: str) -> Value:
    """Return what a plain scalar says.

    Raises:
        Unsupported: a number in a form that is not the usual one.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-.":
        return text
    digits = text[1:] if text[0] in "+-" else text
    whole, dot, part = digits.partition(".")
    if len(text) <= _DIGITS and digits.isascii() and whole.isdecimal() and (whole == "0" or whole[0] != "0"):
        if not dot:
            return int(text)
        if part.isdecimal():
            return float(text)
    return text if _is_word(text) else refuse()


def _is_word(text: str) -> bool:
    """Return whether what begins like a number is none in any form: it has other letters, or signs inside."""
    signs = any(sign in "+-" and text[at - 1] not in "eE" for at, sign in enumerate(text) if at)
    return signs or not _NUMERIC.issuperset(text) or text.count(".") > 1


def refuse() -> NoReturn:
    """Leave the text to the judge."""
    raise Unsupported


def plain(text: str) -> Value:
    """Return a plain scalar outside of brackets; a comment may follow it."""
    comment = text.find(" #")
    if comment >= 0:
        text = text[:comment].rstrip(" ")
    if ": " in text or text[-1] == ":":
        refuse()
    if text[0] in INDICATORS and (text[0] != "-" or len(text) == 1 or text[1] == " "):
        refuse()
    return scalar(text)


def quoted(text: str, start: int) -> tuple[str, int]:
    """Return a quoted scalar that ends on its line, and the offset after it."""
    quote, at, parts = text[start], start + 1, []
    while True:
        end = text.find(quote, at)
        if end < 0:
            refuse()
        if quote == "'":
            parts.append(text[at:end])
            if text[end + 1 : end + 2] != "'":
                return "".join(parts), end + 1
            parts.append("'")
            at = end + 2
            continue
        slash = text.find("\\", at, end)
        if slash < 0:
            parts.append(text[at:end])
            return "".join(parts), end + 1
        sign = text[slash + 1]
        parts.append(text[at:slash])
        at = slash + 2
        if sign in _HEX:
            digits = text[at : at + _HEX[sign]]
            at += _HEX[sign]
            parts.append(_character(digits, _HEX[sign]))
        else:
            parts.append(_ESCAPES.get(sign) or refuse())


def _character(digits: str, size: int) -> str:
    if len(digits) != size or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
        refuse()
    number = int(digits, 16)
    if number in _SURROGATES or number > maxunicode:
        refuse()
    return chr(number)


def dump(value: Value) -> str:
    r"""Return the one form we write: a map as lines `key: value\n`, anything else on one line without a newline."""
    if isinstance(value, dict) and value:
        return "".join(_lines(value, ""))
    return _inline(value)


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
    if sign in _ESCAPED:
        return _ESCAPED[sign]
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
        return scalar(text) == text and not (key and len(text) > LONGEST_KEY)
    except Unsupported:
        return False
