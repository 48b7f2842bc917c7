"""The markers in what an agent says: `@@sleep:Ns@@`, `@@cb:Ns@@payload`, and mentions.

Owns their grammar: what is a marker, what is ordinary text, and what of a message is left when the markers are taken
out. Refuses to know what a marker does.

A marker inside Markdown code is text: in a fence (also one that nothing closes), in an inline span, or in an indented
block (only where the message has no list, for there indentation means something else). `-5s`, `1e3s` and unknown
markers are text too. Sleep markers are taken out first, also out of payloads. One pass each, in linear time: a message
may be 2 MiB, and anybody may send it. To tell code from text costs ten times as much as to find a marker: where there
may be code, it is told in the first 128 Ki characters, up to the end of a paragraph; behind, no marker is looked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice
from typing import Literal, NamedTuple, cast

from sleep.relay.engine import names

Mode = Literal["default", "buffer", "drop"]

_MENTIONS = 10_000  # mentions and pieces of code that are looked at in one message
_CODED = 2**17  # characters in which code is told from text
_INDENTS = ("    ", "\t", " \t", "  \t", "   \t")
_DIGITS = 12  # digits before the point, above which a number is as good as infinite

_SLEEP = r"@@sleep:((?>[0-9]++(?:\.[0-9]++)?|\.[0-9]++))s?+(?>(?::(default|buffer|drop))?)@@"
_LEAD = r"^[ \t>]*+(?>(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)*)"  # a fence may stand in a quote or in an item of a list
_BREAK = r"\n(?![ \t>]*+(?:\n|\Z|```|~~~|(?:[-*+]|[0-9]{1,9}[.)]|\#{1,6})[ \t]))"  # a line of the same paragraph
_CODE = rf"""
    {_LEAD}(`{{3,}}+)[^`\n]*+(?=\n|\Z)(?>(?:\n(?![ \t>]*+\1`*+[ \t]*+$)[^\n]*+)*)(?>(?:\n[ \t>]*+\1`*+[ \t]*+$)?)
  | {_LEAD}(~{{3,}}+)[^\n]*+(?>(?:\n(?![ \t>]*+\2~*+[ \t]*+$)[^\n]*+)*)(?>(?:\n[ \t>]*+\2~*+[ \t]*+$)?)
  | \\[\\`]
  | (?<!`)(`{{1,8}}+)(?!`)(?>(?:[^`\n]++|{_BREAK}|(?!\3(?!`))`++)*)\3(?!`)
  | `++
""".replace(" \t", "\\x20\\t")
_INDENTED = r"(?:\A|^[\x20\t]*+\n)(?>(?:(?:\x20{4}|\x20{0,3}\t)[^\n]*+(?:\n|\Z))+)"
_IS_INDENTED = re.compile(r"(?:\A|^[ \t]*+\n)(?: {4}| {0,3}\t)", re.MULTILINE)
_IS_LIST = re.compile(r"^[ \t>]*+(?:[-*+]|[0-9]{1,9}[.)])[ \t]", re.MULTILINE)
_CALLBACK = r"@@cb:((?>[0-9]++(?:\.[0-9]++)?|\.[0-9]++))s(?>(?:\#((?:[A-Za-z0-9_-]|[^\x00-\x7f])+))?)@@"
_MENTION = r"@(?=[\w-])(?<![A-Za-z0-9]@)(?<!@@)((?>(?:[A-Za-z0-9_-]|[^\x00-\x7f])+))"


class Sleep(NamedTuple):
    """How long an agent wants to sleep, in seconds (unclamped), and what becomes of messages meanwhile."""

    seconds: float
    mode: Mode


class Callback(NamedTuple):
    """What is to be said in some seconds (unclamped): in a channel (`#name`), or to the agent itself ("")."""

    seconds: float
    channel: str
    payload: str


class Parsed(NamedTuple):
    """A message without its markers.

    `marked` is true if there was a marker; otherwise `text` is the message as it was, else it is stripped.
    `excess` is true if there were more callbacks than asked for: the first one too many, and all behind it, is gone.
    """

    text: str
    sleep: Sleep | None
    callbacks: tuple[Callback, ...]
    marked: bool
    excess: bool = False


def parse(content: str, most: int = 50) -> Parsed:
    """Return a message without its markers, the sleep that the last one asks for, and the first `most` callbacks."""
    if "@@" not in content:
        return Parsed(content, None, (), marked=False)
    text, sleep, marked = content, None, False
    if "@@sleep:" in content:
        text, sleep, marked = _sleeps(content)
    callbacks: list[Callback] = []
    excess = False
    if "@@cb:" in text:
        text, callbacks, excess = _callbacks(text, most)
        marked = marked or bool(callbacks) or excess
    return Parsed(text.strip() if marked else text, sleep, tuple(callbacks), marked, excess)


def mentions(text: str) -> frozenset[str]:
    """Return the names and ids that a text mentions outside code, folded and without the `@`.

    A mention ends where a name must end: `@bob-smith` is not `@bob`, and `@bob-` is. In scripts that put no space
    between words it may end anywhere.
    """
    if "@" not in text:
        return frozenset()
    handles: set[str] = set()
    pattern, end = _outside(_MENTION, text)
    for match in islice(pattern.finditer(text, 0, end), _MENTIONS):
        if run := match[match.re.groups]:
            for name in map(names.fold, names.words(run)):
                handles.add(name)
                handles.add(name.rstrip("-_"))
            if len(handles) > _MENTIONS:
                break
    return frozenset(handles)


def _sleeps(content: str) -> tuple[str, Sleep | None, bool]:
    pattern, end = _outside(_SLEEP, content)
    pieces = pattern.split(content[:end])
    if len(pieces) == 1:
        return content, None, False
    width = pattern.groups + 1  # a piece of text, then what each group has
    numbers, modes = pieces[width - 2 :: width], cast("list[Mode | None]", pieces[width - 1 :: width])
    last = next((index for index in range(len(numbers) - 1, -1, -1) if numbers[index] is not None), None)
    if last is None:  # all of it was code
        return content, None, False
    codes = pieces[1::width] if width > 3 else []  # noqa: PLR2004  # without code there are the marker's groups only
    rest = chain.from_iterable(zip(pieces[::width], [*codes, None], strict=True)) if codes else pieces[::width]
    mode: Mode = modes[last] or "default"
    return "".join([*filter(None, rest), content[end:]]), Sleep(_seconds(numbers[last]), mode), True


def _callbacks(text: str, most: int) -> tuple[str, list[Callback], bool]:
    """Return the text outside the payloads, the callbacks, and whether there was one too many."""
    (header, limit), (end, _) = _outside(_CALLBACK, text), _outside("@@cb:", text)
    rest: list[str] = []
    callbacks: list[Callback] = []
    start = 0
    while match := _next(header, text, start, limit):
        rest.append(text[start : match.start()])
        if len(callbacks) == most:
            return "".join(rest), callbacks, True
        stop = _next(end, text, match.end(), limit)
        start = stop.start() if stop else len(text)
        number, channel = match.groups()[-2:]
        payload = text[match.end() : start].strip()
        callbacks.append(Callback(_seconds(number), f"#{channel}" if channel else "", payload))
    return "".join([*rest, text[start:]]), callbacks, False


def _next(pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first match that is not code, from a place outside code on."""
    coded = "code" in pattern.groupindex
    while (match := pattern.search(text, start, end)) and coded and match["code"] is not None:
        start = match.end()
    return match


def _seconds(number: str) -> float:
    whole = number.partition(".")[0].lstrip("0")
    return float("inf") if len(whole) > _DIGITS else float(number[:400])


def _outside(pattern: str, text: str) -> tuple[re.Pattern[str], int]:
    """Return a pattern that finds code too, in its first group, where a text may have code; its own groups are last.

    Beside it is where the search for it ends.
    """
    spaced = _is_spaced(text)
    fenced = "`" in text or "~~~" in text
    end = len(text)
    if end > _CODED and (spaced or fenced):
        end = text.rfind("\n\n", 0, _CODED) + 1 or _CODED  # no code goes on behind it, but in a fence
    if (spaced or fenced) and not _compile(pattern, code=False, indented=False).search(text, 0, end):
        return _compile(pattern, code=False, indented=False), end  # there is nothing that could be in code or not
    indented = spaced and bool(_IS_INDENTED.search(text, 0, end)) and not _IS_LIST.search(text, 0, end)
    return _compile(pattern, code=indented or fenced, indented=indented), end


def _is_spaced(text: str) -> bool:
    """Return whether a line may be indented as code is."""
    spaced = text[:1] in " \t" or "\n " in text or "\n\t" in text  # which costs a hundredth of what follows
    return spaced and (text.startswith(_INDENTS) or any(f"\n{indent}" in text for indent in _INDENTS))


@lru_cache
def _compile(pattern: str, *, code: bool, indented: bool) -> re.Pattern[str]:
    if not code:
        return re.compile(pattern)
    codes = _CODE
    for group in (3, 2, 1):  # they come after the group that keeps them
        codes = codes.replace(f"\\{group}", f"\\{group + 1}")
    blocks = f"|{_INDENTED}" if indented else ""
    return re.compile(f"(?P<code>{codes}{blocks})|{pattern}", re.MULTILINE | re.VERBOSE)
