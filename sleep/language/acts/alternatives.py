"""Options that somebody lists, and which of them a reply names: by letter, by number, by order.

Owns the list in an agent's words, of a line each (`B) a file of its own`, `2. on demand`, `- **C)** none`) or in a
sentence (`a) poll, b) subscribe`), and the forms of a reply (`A`, `let's go with #2`, `the second one`). Refuses to
judge whether a reply agrees.
"""

from __future__ import annotations

import re

from sleep.language import sentences
from sleep.language.acts.forms import form

_OPTION = re.compile(
    r"^[\s>*_+•·-]*(?:(?i:option|variante?|choice|approach|plan|方案|选项)\s*)?"
    r"([A-Da-d]|[1-9]|[一二三四])\s?[).:：、—–-][*_]*\s+(?=\S)"
)
_INLINE = re.compile(r"(?<![\w(])\(?([a-d1-4])\)\s+(?=\S)|(?<![\w万])(?:其|第)?([一二三四])(?:种)?是")
# `B) yes, let's`, `I think A) is fine`, `#4 and #5`: each of them; lists of a reply's own (`1. ...`) name none.
_SIGNED = re.compile(r"(?<![\w(])\(?([A-Da-d])\)|#([1-9])\b|\A\W*([A-D])[.:,;]")
_LAST = re.compile(r"(?<![\w(])\(?([A-Da-d])\)(?=[\s.!]*\Z|[,;.]\s)")  # ends a clause: `it is slow, so a)`
_LISTED = re.compile(r"(?<![a-z0-9'’])[1-9a-d](?![a-z0-9])", re.IGNORECASE)  # in `I'd take A and 3`: A, 3
_NUMBERS = {"a": 1, "b": 2, "c": 3, "d": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_ORDINALS = ("first", "second", "third", "fourth")
_SIGNS, _ENDS = " *_", " *_,;.，；。"
_SEVERAL = 2


def of_text(text: str) -> dict[int, str]:
    """Return the last list of options in a text by their numbers, else those that the last sentence with any lists."""
    options: dict[int, str] = {}
    for line in text.split("\n"):
        if match := _OPTION.match(line):
            number = number_of_sign(match[1])
            options = {} if number == 1 else options
            options[number] = line[match.end() :].replace("**", "").strip(_SIGNS)
    return options or next(filter(None, map(_inline, reversed(text.split("\n")))), {})


def _inline(line: str) -> dict[int, str]:
    """Return the options that a line lists by numbers that count up from one, none where it lists fewer than two."""
    signs: list[re.Match[str]] = []
    for sign in _INLINE.finditer(line):
        if number_of_sign(sign[1] or sign[2]) == len(signs) + 1:
            signs.append(sign)
    if len(signs) < _SEVERAL:
        return {}
    ends = [*(after.start() for after in signs[1:]), len(line)]
    words = [line[sign.end() : end] for sign, end in zip(signs, ends, strict=True)]
    words[-1] = sentences.split(words[-1])[0]
    return {number: _without_or(own).strip(_ENDS) for number, own in enumerate(words, 1)}


def _without_or(words: str) -> str:
    """Return an option without the `or` behind it that leads to the next."""
    ends = (match for match in form("dialogue.or").written().finditer(words) if match.end() == len(words))
    return next((words[: match.start()] for match in ends), words)


def is_option(line: str) -> bool:
    """True for a line that begins with the letter or number of an option."""
    return _OPTION.match(line) is not None


def number_of(answer: str) -> int:
    """Return the number of the option that a reply takes, 0 for none, for several, and for one it speaks against."""
    if len(_signed(answer)) > 1 or form("dialogue.against").search(answer):
        return 0
    for place, ordinal in enumerate(_ORDINALS, 1):
        if form(f"dialogue.{ordinal}").search(answer):
            return place
    match = form("dialogue.option").written().search(answer) or _LAST.search(answer)
    return number_of_sign(next((group for group in match.groups() if group), "")) if match else 0


def _signed(answer: str) -> list[int]:
    """Return the numbers that a reply names by a sign: 1 of `So a).`."""
    return list(dict.fromkeys(number_of_sign(sign) for groups in _SIGNED.findall(answer) for sign in groups if sign))


def numbers_of(answer: str) -> list[int]:
    """Return the numbers of all options that a reply names by a sign, else of those that it names."""
    if listed := several(answer):
        return listed
    return _signed(answer) or [number for number in (number_of(answer),) if number]


def several(answer: str) -> list[int]:
    """Return the numbers of a reply that takes more than one and says nothing else: 1 and 3 of `do A and C please`."""
    is_list = form("dialogue.several").written().match(answer)
    return list(dict.fromkeys(map(number_of_sign, _LISTED.findall(answer)))) if is_list else []


def number_of_sign(sign: str) -> int:
    """Return the number that a letter or a number stands for, 0 for none."""
    sign = sign.lower()
    return _NUMBERS.get(sign) or (int(sign) if sign.isdigit() else 0)
