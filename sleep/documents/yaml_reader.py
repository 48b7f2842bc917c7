"""YAML as front matter and settings hold it, read fast.

Owns the values of YAML: strings, numbers, booleans, null, lists, maps.
A line is looked at once and nothing is loaded, for hooks read with it; where it answers, its answer is that of
ruamel.yaml (YAML 1.2). Whatever it does not understand for certain, broken YAML too, is left to `yaml_oracle`:
tabs, anchors, tags, several documents, values that go on in another line, braces, a list or a map inside of a list,
odd numbers. Refuses duplicate keys. Dates stay the string that was written, and keys are always strings.
"""

from __future__ import annotations

from sleep.documents.yaml_values import INDICATORS, LONGEST_KEY, Broken, Unsupported, plain, quoted, refuse, scalar
from sleep.errors import DocumentError

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 3 ms
    from sleep.documents.yaml_values import Value

_DEEPEST = 40


def load(text: str, first: int = 1) -> dict[str, Value]:
    """Return the map that a YAML text holds, empty for an empty text; `first` is the number of its first line.

    Raises:
        Broken: not YAML, or no map; a ValueError with the line and what is wrong.
    """
    try:
        return subset(text)
    except Unsupported:
        from sleep.documents import yaml_oracle  # late: ruamel.yaml is slow to load  # noqa: PLC0415

        try:
            return yaml_oracle.read(text)
        except Broken as broken:
            raise Broken(first + broken.line, broken.what) from None


def load_settings(text: str, where: str) -> dict[str, Value]:
    """Return the map that a `sleep.yaml` holds; DocumentError, with what mends it, where it is none."""
    try:
        return load(text)
    except Broken as error:
        hint = "mend the line; sleepwake help configuration"
        raise DocumentError(str(error), where=where, hint=hint) from None


def subset(text: str) -> dict[str, Value]:
    """Return the map.

    Raises:
        Unsupported: not in the subset.
    """
    return _Reader(text).document()


class _Reader:
    """The lines of a text and the line that is read next."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.lines = text.split("\n")
        if not "".join(self.lines).isprintable():  # also tabs, lone CR, other line ends, and what YAML forbids
            refuse()
        self.at = 0

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

    def map(self, indent: int, depth: int) -> dict[str, Value]:
        out: dict[str, Value] = {}
        while self.indent() == indent and not (indent == 0 and self.ended()):
            line = self.lines[self.at]
            key, after = _key(line, indent)
            if key in out:
                refuse()
            out[key] = self.value(line[after:].strip(" "), indent, depth)
        if self.indent() > indent:
            refuse()
        return out

    def items(self, indent: int) -> list[Value]:
        out: list[Value] = []
        while self.indent() == indent and _is_dash(self.lines[self.at][indent:]):
            line = self.lines[self.at]
            self.at += 1
            out.append(_inline(line[indent + 1 :].strip(" ")))
        if self.indent() > indent:
            refuse()
        return out

    def value(self, rest: str, indent: int, depth: int) -> Value:
        """Return the value that begins with `rest`, the remainder of the line, and move behind it."""
        self.at += 1
        if rest and rest[0] != "#":
            return _inline(rest)
        deeper = self.indent()
        if deeper >= indent and _is_dash(self.lines[self.at][deeper:]):
            return self.items(deeper)
        if deeper > indent:
            return self.map(deeper, depth + 1) if depth < _DEEPEST else refuse()
        return None


def _is_dash(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _inline(rest: str) -> Value:
    """Return the value that ends on its line; a comment may follow it."""
    if not rest or rest[0] == "#":
        refuse()
    value: Value
    if rest[0] in "'\"":
        value, end = quoted(rest, 0)
    elif rest[0] == "[":
        value, end = _list(rest)
    else:
        return plain(rest)
    tail = rest[end:]
    if tail and not (tail[0] == " " and tail.lstrip(" ")[0] == "#"):
        refuse()
    return value


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


def _list(text: str) -> tuple[list[Value], int]:
    """Return the list in brackets that a text begins with, and the offset after it."""
    values: list[Value] = []
    at = _skip(text, 1)
    while text[at] != "]":
        value, at = quoted(text, at) if text[at] in "'\"" else _item(text, at)
        values.append(value)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != "]":
            refuse()
    return values, at + 1


def _item(text: str, at: int) -> tuple[Value, int]:
    end = at
    while text[end] not in ",]":
        is_key = text[end] == ":" and text[end + 1 : end + 2] in " ,[]{}"
        if text[end] in "[{}" or is_key or text[end : end + 2] == " #":
            refuse()
        end = end + 1 if end + 1 < len(text) else refuse()
    word = text[at:end].rstrip(" ")
    if not word or word[0] in INDICATORS:
        refuse()
    return scalar(word), end


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] == " ":
        at += 1
    return at if at < len(text) else refuse()
