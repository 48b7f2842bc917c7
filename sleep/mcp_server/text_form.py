"""Facts as text: what a command printed as JSON, as lines that a model reads with few tokens.

Owns the written form: `name: value`, one line each, what is nested two columns further in, what says nothing left out.
"""

from __future__ import annotations

_IN = "  "


def render(facts: object, nothing: str = "none", most: int = 0) -> str:
    """Return facts as text; `nothing` where there are none.

    Of a list that has more than `most` characters, 0 for no end, the last items are told that fit, at least one.
    """
    if not isinstance(facts, list) or not most:
        return "\n".join(_lines(facts)) or nothing
    items: list[str] = []
    for fact in reversed(facts):
        item = "\n".join(_lines([fact]))
        most -= len(item)
        if most < 0 and items:
            before = len(facts) - len(items)
            lead = f"older ones left out here: {before:,}; `recall` finds one of them by what it says"
            return "\n".join([lead, *reversed(items)])
        items.append(item)
    return "\n".join(filter(None, reversed(items))) or nothing


def _lines(value: object) -> list[str]:
    if isinstance(value, dict):
        return [line for name, item in value.items() if _says(item) for line in _named(name.replace("_", " "), item)]
    if isinstance(value, list):
        return [line for item in value if _says(item) for line in _item(_lines(item))]
    return _shown(value).splitlines()


def _named(name: str, value: object) -> list[str]:
    if isinstance(value, list) and all(isinstance(item, str) and "\n" not in item for item in value):
        return [f"{name}: {', '.join(value)}"]
    lines = _lines(value)
    if isinstance(value, (dict, list)) or len(lines) > 1:
        return [f"{name}:", *(_IN + line for line in lines)]
    return [f"{name}: {lines[0]}"]


def _item(lines: list[str]) -> list[str]:
    return [("- " if at == 0 else _IN) + line for at, line in enumerate(lines)]


def _says(value: object) -> bool:
    """Return whether a value is worth a line; nought and no are."""
    if isinstance(value, dict):
        return any(map(_says, value.values()))
    return value is not None and value not in ("", [], {})


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
