"""YAML as front matter and settings hold it, read fast.

Owns the values of YAML (strings, numbers, booleans, null, lists, maps) and where each top-level key of a text stands.
A line is looked at once and nothing is loaded, for hooks read with it; where it answers, its answer is that of
ruamel.yaml (YAML 1.2). Whatever it does not understand for certain, broken YAML too, is left to `yaml_oracle`:
tabs, anchors, tags, several documents, values that go on in another line (but block scalars), odd numbers. Refuses
duplicate keys. Dates stay the string that was written, and keys are always strings.
"""

from __future__ import annotations

from itertools import pairwise

from sleep.documents.yaml_values import INDICATORS, LONGEST_KEY, Broken, Unsupported, plain, quoted, refuse, scalar
from sleep.errors import DocumentError
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 3 ms
    from sleep.documents.yaml_values import Value

_DEEPEST = 40


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
        return subset(text)[0]
    except Unsupported:
        return _judge(text, first)[0]


def load_settings(text: str, where: str) -> dict[str, Value]:
    """Return the map that a `sleep.yaml` holds; DocumentError, with what mends it, where it is none."""
    try:
        return load(text)
    except Broken as error:
        hint = "mend the line; sleepwake help configuration"
        raise DocumentError(str(error), where=where, hint=hint) from None


def keys(text: str, first: int = 1) -> list[Key] | None:
    """Return where the top-level keys stand, in order; None when the map is not written one key a line.

    Raises:
        Broken: not YAML, or no map.
    """
    try:
        rows = subset(text)[1]
    except Unsupported:
        places = _judge(text, first)[1]
        if places is None:
            return None
        return [
            Key(name, (max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1), _finish(text, start, end))
            for name, start, end in places
        ]
    starts = [0]
    while starts[-1] <= len(text):
        starts.append(text.find("\n", starts[-1]) + 1 or len(text) + 1)
    return [
        Key(name, starts[begin] + (begin == 0 and text[:1] == "\ufeff"), min(starts[end], len(text)))
        for name, begin, end in rows
    ]


def subset(text: str) -> tuple[dict[str, Value], list[tuple[str, int, int]]]:
    """Return the map and, for each top-level key, its name, first line and the line after its last (from 0).

    Raises:
        Unsupported: not in the subset.
    """
    reader = _Reader(text)
    value = reader.document()
    return value, reader.top


def _judge(text: str, first: int) -> tuple[dict[str, Value], list[tuple[str, int, int]] | None]:
    from sleep.documents import yaml_oracle  # late: ruamel.yaml is slow to load  # noqa: PLC0415

    try:
        return yaml_oracle.read(text)
    except Broken as broken:
        raise Broken(first + broken.line, broken.what) from None


def _finish(text: str, start: int, end: int) -> int:
    """Return the end of the line on which the value's last character stands."""
    end = start + len(text[start:end].rstrip("\r\n"))
    while end < len(text) and text[end] not in "\r\n":
        end += 1
    return end + (2 if text[end : end + 2] == "\r\n" else 1) if end < len(text) else end


class _Reader:
    """The lines of a text and the line that is read next."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.lines = text.split("\n")
        if not "".join(self.lines).isprintable():  # also tabs, lone CR, other line ends, and what YAML forbids
            refuse()
        self.at = 0
        self.done = 0  # the line after the last one that belongs to a value
        self.top: list[tuple[str, int, int]] = []

    def document(self) -> dict[str, Value]:
        if self.indent() == 0 and self.lines[self.at].rstrip(" ") == "---":
            self.at += 1
        indent = self.indent()
        value = self.map(indent, 0) if indent >= 0 and not self.ended() else {}
        if value and self.indent() == 0 and self.lines[self.at].rstrip(" ") == "...":
            self.at += 1
        if self.indent() >= 0:
            refuse()
        return value

    def ended(self) -> bool:
        return self.lines[self.at].startswith(("---", "..."))

    def indent(self) -> int:
        """Move to the next line that says something; return its indentation, -1 at the end."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            bare = line.lstrip(" ")
            if bare and bare[0] != "#":
                return len(line) - len(bare)
            self.at += 1
        return -1

    def block(self, indent: int, depth: int) -> Value:
        if depth > _DEEPEST:
            refuse()
        if _is_dash(self.lines[self.at][indent:]):
            return self.items(indent, depth)
        return self.map(indent, depth)

    def map(self, indent: int, depth: int) -> dict[str, Value]:
        out: dict[str, Value] = {}
        while self.indent() == indent and not (indent == 0 and self.ended()):
            start = self.at
            line = self.lines[start]
            key, after = _key(line, indent)
            if key in out:
                refuse()
            out[key] = self.value(line[after:].strip(" "), indent, depth, flush=True)
            if depth == 0:
                self.top.append((key, start, self.done))
        if self.indent() > indent:
            refuse()
        return out

    def items(self, indent: int, depth: int) -> list[Value]:
        out: list[Value] = []
        while self.indent() == indent and _is_dash(self.lines[self.at][indent:]):
            line = self.lines[self.at]
            bare = line[indent + 1 :].lstrip(" ")
            if _is_dash(bare):
                refuse()
            if bare and _has_key(bare):  # a map that begins on the line of the dash
                inner = len(line) - len(bare)
                self.lines[self.at] = " " * inner + bare
                out.append(self.block(inner, depth + 1))
            else:
                out.append(self.value(bare.rstrip(" "), indent, depth, flush=False))
        if self.indent() > indent:
            refuse()
        return out

    def value(self, rest: str, indent: int, depth: int, *, flush: bool) -> Value:
        """Return the value that begins with `rest`, the remainder of the line, and move behind it."""
        self.at += 1
        self.done = self.at
        if not rest or rest[0] == "#":
            return self.below(indent, depth, flush=flush)
        if rest[0] in "|>":
            return self.scalar(rest, indent)
        value: Value
        if rest[0] in "'\"":
            value, end = quoted(rest, 0)
        elif rest[0] in "[{":
            value, end = _flow(rest, 0, 0)
        else:
            return plain(rest)
        tail = rest[end:]
        if tail.strip(" ") and not tail.lstrip(" ").startswith("#" if tail[0] == " " else "\n"):
            refuse()
        return value

    def below(self, indent: int, depth: int, *, flush: bool) -> Value:
        deeper = self.indent()
        if deeper > indent:
            return self.block(deeper, depth + 1)
        if flush and deeper == indent and _is_dash(self.lines[self.at][indent:]):
            return self.items(indent, depth + 1)
        return None

    def scalar(self, header: str, indent: int) -> str:
        style, chomp = header[0], header[1:2] if header[1:2] in {"+", "-"} else ""
        tail = header[1 + len(chomp) :]
        if tail.strip(" ") and not (tail[0] == " " and tail.lstrip(" ")[0] == "#"):
            refuse()
        rows = self.scalar_rows(indent, keeps_blank=chomp == "+")
        text = "\n".join(rows).rstrip("\n")
        if not text or (self.at == len(self.lines) - 1 and self.lines[-1]) or (style == ">" and not _folds(rows)):
            refuse()
        blank = len(rows) - text.count("\n") - 1
        if style == ">":
            text = _fold(text)
        return text + {"": "\n", "-": "", "+": "\n" * (blank + 1)}[chomp]

    def scalar_rows(self, indent: int, *, keeps_blank: bool) -> list[str]:
        """Return the lines of a block scalar without their indentation, and move behind them."""
        rows: list[str] = []
        width = 0
        while self.at < len(self.lines) - 1:
            line = self.lines[self.at]
            bare = line.lstrip(" ")
            deep = len(line) - len(bare)
            if bare and deep <= indent:
                break
            if bare and deep < (width := width or deep):
                refuse()
            if line and not width:
                refuse()  # blank lines before the text may say how deep it is
            rows.append(line[width:])
            self.at += 1
            if line[width:] or keeps_blank:
                self.done = self.at
        return rows


def _is_dash(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _has_key(text: str) -> bool:
    if text[0] in "'\"":
        return text[quoted(text, 0)[1] :].lstrip(" ").startswith(":")
    if text[0] in "[{#":
        return False
    return ": " in text or text.endswith(":")


def _key(line: str, start: int) -> tuple[str, int]:
    """Return the key that begins at `start`, and the offset after its colon."""
    if line[start] in "'\"":
        key, end = quoted(line, start)
        after = end + len(line[end:]) - len(line[end:].lstrip(" ")) + 1
        if line[after - 1 : after] != ":" or line[after : after + 1].strip(" "):
            refuse()
    else:
        colon = line.find(": ", start)
        if colon < 0:
            colon = len(line.rstrip(" ")) - 1
        key, after = line[start:colon].rstrip(" "), colon + 1
        if line[colon] != ":" or not key or key[0] in INDICATORS or " #" in key:
            refuse()
    if len(key) > LONGEST_KEY:
        refuse()
    return key, after


def _folds(rows: list[str]) -> bool:
    """Whether no line of a folded scalar is indented further or ends in a space: those do not fold."""
    return not any(row.startswith(" ") or row.endswith(" ") for row in rows)


def _fold(text: str) -> str:
    parts = text.split("\n")
    out = [parts[0] or "\n"]
    for before, part in pairwise(parts):
        if not part:
            out.append("\n")
        else:
            out.append(part if not before else f" {part}")
    return "".join(out)


def _flow(text: str, start: int, depth: int) -> tuple[Value, int]:
    """Return the list or map in brackets that begins at `start`, and the offset after it."""
    if depth > _DEEPEST:
        refuse()
    close = "]" if text[start] == "[" else "}"
    values: list[Value] = []
    pairs: dict[str, Value] = {}
    at = _skip(text, start + 1)
    while text[at] != close:
        if close == "}":
            key, at = _flow_key(text, at)
            if key in pairs:
                refuse()
            pairs[key], at = _flow_value(text, _skip(text, at), depth)
        else:
            value, at = _flow_value(text, at, depth)
            values.append(value)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != close:
            refuse()
    return (values if close == "]" else pairs), at + 1


def _flow_value(text: str, at: int, depth: int) -> tuple[Value, int]:
    if text[at] in "[{":
        return _flow(text, at, depth + 1)
    if text[at] in "'\"":
        return quoted(text, at)
    return _flow_plain(text, at)


def _flow_plain(text: str, at: int) -> tuple[Value, int]:
    end = at
    while text[end] not in ",]}":
        if (
            text[end] in "[{"
            or (text[end] == ":" and text[end + 1 : end + 2] in " ,[]{}")
            or text[end : end + 2] == " #"
        ):
            refuse()
        end = end + 1 if end + 1 < len(text) else refuse()
    word = text[at:end].rstrip(" ")
    if not word or word[0] in INDICATORS:
        refuse()
    return scalar(word), end


def _flow_key(text: str, at: int) -> tuple[str, int]:
    """Return a key between braces, and the offset after its colon."""
    if text[at] in "'\"":
        key, end = quoted(text, at)
        end = _skip(text, end)
    else:
        end = text.find(": ", at)
        key = text[at:end].rstrip(" ")
        if end < 0 or not key or key[0] in INDICATORS or " #" in key or any(sign in key for sign in ",[]{}"):
            refuse()
    if text[end : end + 2] != ": " or len(key) > LONGEST_KEY:
        refuse()
    return key, end + 2


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] == " ":
        at += 1
    return at if at < len(text) else refuse()
