"""Options that somebody lists, and which of them a reply names: by letter, by number, by order.

Owns the list in an agent's words (`B) a file of its own`, `2. on demand`, `- **C)** none`) and the forms of a reply
(`A`, `let's go with #2`, `the second one`). Refuses to judge whether a reply agrees.
"""

from __future__ import annotations

import re

from sleep.language.acts.forms import form

_OPTION = re.compile(
    r"^[\s>*_+•·-]*(?:(?i:option|variante?|choice|approach|plan|方案|选项)\s*)?"
    r"([A-Da-d]|[1-9]|[一二三四])\s?[).:：、—–-][*_]*\s+(?=\S)"
)
# `B) yes, let's`, `I think A) is fine`, `#4 and #5`: each of them; lists of a reply's own (`1. ...`) name none.
_SIGNED = re.compile(r"(?<![\w(])\(?([A-Da-d])\)|#([1-9])\b|\A\W*([A-D])[.:,;]")
_LISTED = re.compile(r"(?<![a-z0-9'’])[1-9a-d](?![a-z0-9])", re.IGNORECASE)  # in `I'd take A and 3`: A, 3
_NUMBERS = {"a": 1, "b": 2, "c": 3, "d": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_ORDINALS = ("first", "second", "third", "fourth")
_SIGNS = " *_"


def of_text(text: str) -> dict[int, str]:
    """Return the last list of options in a text by their numbers."""
    options: dict[int, str] = {}
    for line in text.split("\n"):
        if match := _OPTION.match(line):
            number = number_of_sign(match[1])
            options = {} if number == 1 else options
            options[number] = line[match.end() :].replace("**", "").strip(_SIGNS)
    return options


def is_option(line: str) -> bool:
    """True for a line that begins with the letter or number of an option."""
    return _OPTION.match(line) is not None


def number_of(answer: str) -> int:
    """Return the number of the option that a reply names, 0 for none."""
    for place, ordinal in enumerate(_ORDINALS, 1):
        if form(f"dialogue.{ordinal}").search(answer):
            return place
    match = form("dialogue.option").written().search(answer)
    return number_of_sign(next((group for group in match.groups() if group), "")) if match else 0


def numbers_of(answer: str) -> list[int]:
    """Return the numbers of all options that a reply names by a sign, else of those that it names."""
    if listed := several(answer):
        return listed
    signs = [number_of_sign(sign) for groups in _SIGNED.findall(answer) for sign in groups if sign]
    return list(dict.fromkeys(signs)) or [number for number in (number_of(answer),) if number]


def several(answer: str) -> list[int]:
    """Return the numbers of a reply that takes more than one and says nothing else: 1 and 3 of `do A and C please`."""
    is_list = form("dialogue.several").written().match(answer)
    return list(dict.fromkeys(map(number_of_sign, _LISTED.findall(answer)))) if is_list else []


def number_of_sign(sign: str) -> int:
    """Return the number that a letter or a number stands for, 0 for none."""
    sign = sign.lower()
    return _NUMBERS.get(sign) or (int(sign) if sign.isdigit() else 0)
