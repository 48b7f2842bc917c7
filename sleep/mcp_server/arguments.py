"""A call's arguments: checked against the tool's fields, and turned into a command's words.

Owns the sentence for each way an argument can be wrong: a model reads it and tries again. Refuses to know tools: they
are handed in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep import options
from sleep.errors import UsageError
from sleep.mcp_server.tools import FLAG, LIST, LONGEST, MANY, NUMBER, TEXT, WORD
from sleep.store import private

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.mcp_server.tools import Field, Tool


class Asked(NamedTuple):
    """What a command is run with: its words, and what stands on its standard input."""

    words: tuple[str, ...]
    text: str = ""


def checked(tool: Tool, values: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments that were given, without those that say nothing.

    Raises:
        UsageError: one is missing, unknown, of the wrong type, too long, or not among the choices.
    """
    known = {field.name: field for field in tool.fields}
    values = {_spelling(name, known): value for name, value in values.items()}
    for name in values:
        if name not in known:
            named = ", ".join(known) or "nothing"
            raise UsageError(f"{tool.name} cannot take {_shown(name)} (would be right: {named})")
    known_values = {name: _value(known[name], value) for name, value in values.items() if value not in (None, "", [])}
    for field in tool.fields:
        if field.required and field.name not in known_values:
            raise UsageError(f"{tool.name} needs {field.name}: {field.says}")
    return known_values


def _spelling(name: str, known: Mapping[str, Field]) -> str:
    """Return the name that a tool has for an argument which may be called by its other name."""
    own = options.SYNONYMS.get(name, "")
    return own if own in known and name not in known else name


def asked(tool: Tool, values: Mapping[str, object]) -> Asked:
    """Return the words of a tool's command and its standard input; raises what `checked` does."""
    valid = checked(tool, values)
    words, text = list(tool.words), ""
    for field in tool.fields:
        value = valid.get(field.name, field.default or None)
        if value is None or value is False:
            continue
        if field.form == TEXT:
            words.append(f"{field.flag}-")
            text = str(value)
        elif field.form == FLAG:
            words.append(field.flag)
        else:
            words += [f"{field.flag}{item}" for item in (value if isinstance(value, list) else [value])]
    return Asked(tuple(words), text)


def _value(field: Field, value: object) -> object:
    if field.form == FLAG:
        if not isinstance(value, bool):
            raise _wrong(field, value, "true or false")
        return value
    if field.form == NUMBER:
        return _number(field, value)
    if field.form == LIST:
        if not isinstance(value, list):
            raise _wrong(field, value, "a list")
        if len(value) > MANY:
            raise UsageError(f"{field.name} has {len(value)} values (would be right: at most {MANY})")
        return [_text(field, item) for item in value]
    return _text(field, value)


def _number(field: Field, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
        raise _wrong(field, value, "a whole number")
    if value < field.least or (field.most and value > field.most):
        most = f" to {field.most}" if field.most else ""
        raise _wrong(field, value, f"a whole number from {field.least}{most}")
    return int(value)


def _text(field: Field, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(field, value, "a string")
    if field.choices and value not in field.choices:
        if (plain := value.replace("_", " ")) in field.choices:  # `dead_end`, as tools and results call it
            return plain
        raise _wrong(field, value, f"one of: {', '.join(field.choices)}")
    most = LONGEST[TEXT if field.form == TEXT else WORD]
    if len(value) > most:
        raise UsageError(f"{field.name} has {len(value)} characters (would be right: at most {most})")
    if field.pattern and not re.fullmatch(field.pattern, value):
        raise _wrong(field, value, field.says)
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise UsageError(f"{field.name} has a character that no text has (NUL, or half of a pair)")
    if field.required and not value.strip():
        raise UsageError(f"{field.name} is empty (would be right: {field.says})")
    return value


def _wrong(field: Field, value: object, right: str) -> UsageError:
    return UsageError(f"{field.name} is {_shown(value)} (would be right: {right})")


def _shown(value: object) -> str:
    """Return the beginning of a value as a complaint quotes it: a secret is taken out before it is cut."""
    return repr(private.clean(str(value))[:80])
