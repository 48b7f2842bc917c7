"""Which lines of a person's message are pasted: rows, logs, traces, programs, diffs, and what is quoted.

Owns telling them by their form and by their neighbours: a line alone may be the person's own, many like it are not.
What is pasted binds nobody and asks nothing. Refuses to read what a line means, and prose, however long: whoever pastes
a page of rules may mean each of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language.output import listings
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEAST = 4  # lines of a form by which a paste is told
_BREAK = 4  # lines of prose, more than others, behind which a paste has ended
_LOOK = 300  # characters of a line that are looked at
_LONG, _DENSE = 1_200, 0.08  # characters of a line that is no sentence, and the part of them that are signs
_WORD = 10  # characters for each space in a line of prose, at most
_WORDS = 4  # plain words with which a sentence begins
_LESS = -1  # what a line of prose counts
# `2026-03-01 10:11:12`, `[10:11:12]`, `Mar  3 10:11`, `10.0.0.1 - - [`, `[  12.345]`; not a day alone.
_STAMP = re.compile(
    r"[\W_]{0,3}(?:\d{4}[-/.]\d\d[-/.]\d\d[T ,]+\d\d:\d\d|\d\d:\d\d:\d\d|\d\d/[A-Z][a-z]{2}/\d{4}"
    r"|[A-Z][a-z]{2} +\d+ \d\d:\d\d|(?:\d{1,3}\.){3}\d{1,3} - |\[ *\d+\.\d+\])"
)
# `ERROR worker-3 ...`, `[info] x`, `level=warn`, `npm ERR! x`
_LEVEL = re.compile(
    r"\W{0,2}(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|npm ERR!|[a-z]+=\S+ [a-z]+=)(?=\W|$|\w+=)"
)
# `  at a.b(C.java:1)`, `Caused by: x`, `  File "x", line 3`, `java.io.IOException: Broken pipe`
_TRACE = re.compile(
    r"\s*(?:at [\w$.<>]+ ?\(|File \"|Caused by: |Traceback \(|\.\.\. \d+ more"
    r"|[\w$]+(?:[.:]+[\w$]+)*(?:Error|Exception)\b(?::|$))"
)
# `12,user12,active,3.5`, `a\tb\tc`, `a;b;c`, `a | b | c`; not `apples, pears, plums`
_ROW = re.compile(r"(?:[^,\n]*,(?! )){2}|[^\t\n]+\t[^\t\n]*\t|(?:[^;\n]*;(?! )){2}|\s*\w[^|\n]* \| [^|\n]* \| ")
_DIFF = re.compile(r"@@ -\d|diff --git |index [0-9a-f]{7,}\.\.|(?:---|\+\+\+) [ab/]")
# `ok  \tpkg`, `--- PASS: TestX`, `PASSED tests/a.py::b`, `[12/40] x`, `100%|###`
_RUN = re.compile(r"\s*(?:ok|FAIL|\?) +\t|\s*(?:---|===) [A-Z]+:? |(?:PASS|FAIL)(?:ED)?\b|\[\d+/\d+\]|\s*\d+%")
_COMMENT = re.compile(r"\s*(?:#(?!#*\s+[A-Z])|//|/\*|\*|--)")
_INDENTED = re.compile(r"\s{4,}\S|\t\S| {2,3}(?![-*+•]\s|\d{1,2}[.)]\s)\S")
_LISTED = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")
_FIELD = re.compile(
    r"\s*(?:- )?[\"']?[\w.$/-]{1,60}[\"']?\s?:\s*(?:[\"'\[{]|-?\d[\d.]*,?$|true|false|null|\S*$)"
)  # of YAML, JSON
_PLAIN = re.compile(r"\(?[A-Za-z'’-]+[,;:.!?)]*")
_SIGNS = re.compile(r"[{}\[\]()<>=;:\"'`|\\/_,]")
_QUOTE = re.compile(r"\s{0,3}>")
_IMPORT = re.compile(r"(?:import [\w.{}*, ]+|from \S+ import .*|#include .*|(?:using|package) [\w.]+)(?:;|$)")
# `<li><a href="x">Files</a></li>`, `</body>`, `<!DOCTYPE html`; not `<rules>`, nor what only begins with an address
_MARKUP = re.compile(
    r"(?i)\s*</?(?:!doctype|html|head|body|title|meta|link|script|style|div|span|p|br|hr|a|img|[uo]l|li|h[1-6]|table"
    r"|t[rdh]|t(?:head|body)|form|input|label|button|nav|section|svg|path)\b[^<>]{0,200}(?:>|$)"
)
# `100   606    0   606`, `Dload  Upload   Total   Spent`: figures alone, and columns apart by spaces
_FIGURES = re.compile(r"(?=\D*\d)[\d\W_]{20,}$")
_COLUMNS = re.compile(r"\s*[^\s.,;!?]+(?: [^\s.,;!?]+){0,3}(?: {2,}\S+(?: \S+){0,3}){3,}\s*$")
# `From: Ana <ana@box.org>`, `Sent: Monday 3 March`, `件名: x`: with two others the subject heads a mail, which `From`,
# `To` and `Date` alone do not (they may be a journey's).
_HEADER = re.compile(
    r"(?i)\W{0,2}(?:from|sent|to|cc|date|von|gesendet|an|datum|发件人|发送时间|收件人|抄送|日期|差出人|送信日時|宛先)"
    r"\W{0,2}[:：] ?\S"
)
_SUBJECT = re.compile(r"(?i)\W{0,2}(?:subject|betreff|主题|件名)\W{0,2}[:：] ?\S")
_HEADERS = 3  # lines of the head of a mail
# What a terminal draws: `│ model: large │`, `╭────╮`, `  ⎿  Read 3 lines`
_BOX = re.compile(r"\s*[│╭╰┌└├─━┃⎿║╔╚]")
# What a shell asks with: `(env) ann@box:~/src$ make`, `[ann@box src]# ls`, `PS C:\src> dir`. What stands below it is
# what it printed, to the next empty line.
_PROMPT = re.compile(
    r"\s*(?:\([\w.-]{1,40}\) )?(?:[\w.-]{1,40}@[\w.-]{1,60}:[~/][^\n$#%]{0,120}[$#%]"
    r"|\[[\w.-]{1,40}@[\w.-]{1,60} [^\]\n]{1,80}\][$#%]|(?:PS )?[A-Z]:\\[^\n>]{0,120}>)(?:\s|$)"
)
_PROMPT_SIGNS = ("@", ":\\")  # one of them stands in each
_LEAD = re.compile(r"\s*(?:(?:[-*+•>|]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+)?")
_DOCSTRING = '"""'
_PRINTED = (_STAMP, _LEVEL, _TRACE, _RUN, _IMPORT, _MARKUP, _FIGURES, _COLUMNS, _BOX, _HEADER)


class Paste(NamedTuple):
    """A run of pasted lines: the index of the first, and of the one behind the last."""

    start: int
    stop: int


def of_text(text: str) -> list[Paste]:
    """Return the pastes in a person's message, in order, and what is quoted; none where all of it is quoted."""
    pastes = of_programs(text)
    if ">" in text:
        pastes = sorted([*pastes, *_quotes(text.split("\n"))])
    return pastes


def of_programs(text: str) -> list[Paste]:
    """Return the runs of lines in a person's message that a program printed or reads, in order."""
    screens = list(_screens(text.split("\n"))) if any(sign in text for sign in _PROMPT_SIGNS) else []
    if text.count("\n") < _HEADERS - 1 and (len(text) < _LONG or _has_spaces(text)):
        return screens
    runs = list(_runs(text.split("\n")))
    if not screens:
        return runs
    there = lines_of(screens)
    return sorted([*screens, *(run for run in runs if there.isdisjoint(range(*run)))])


def lines_of(pastes: Sequence[Paste]) -> set[int]:
    """Return the indexes of all lines in pastes."""
    return {index for paste in pastes for index in range(*paste)}


def _quotes(lines: Sequence[str]) -> Iterator[Paste]:
    """Yield lines that are quoted, of a message that says something of its own too."""
    quoted = [index for index, line in enumerate(lines) if _QUOTE.match(line)]
    if quoted and len(quoted) < sum(map(bool, map(str.strip, lines))):
        yield from (Paste(index, index + 1) for index in quoted)


def _screens(lines: Sequence[str]) -> Iterator[Paste]:
    """Yield what stands in a shell's window: from a line with its prompt to the next empty one."""
    start = -1
    for index, line in enumerate([*lines, ""]):
        if start < 0 and _PROMPT.match(line):
            start = index
        elif start >= 0 and not line.strip():
            yield Paste(start, index)
            start = -1


def _runs(lines: Sequence[str]) -> Iterator[Paste]:
    """Yield runs of lines of which most are no prose, told by their sum: such a line counts one, prose less."""
    scores = _scores(lines)
    start = stop = -1
    total = best = number = 0
    for index, score in enumerate([*scores, *[_LESS] * (_BREAK + 1)]):
        if start < 0:
            if score > 0:
                start, stop, total, best, number = index, index + 1, score, score, 1
            continue
        total += score
        number += score > 0
        if total >= best and score > 0:
            best, stop = total, index + 1
        if total <= 0 or total < best - _BREAK:
            if number >= _LEAST and best >= _LEAST:
                yield Paste(start, _to_end(lines, scores, stop))
            elif best >= _LEAST * 2:
                yield Paste(start, stop)
            start = -1


def _to_end(lines: Sequence[str], scores: Sequence[int], stop: int) -> int:
    """Return where a paste ends with what is indented behind it."""
    while stop < len(lines) and scores[stop] == 0 and lines[stop].strip():
        stop += 1
    return stop


def _scores(lines: Sequence[str]) -> list[int]:
    """Return what each line counts: 1 for one that a program printed or reads, -1 for prose, 0 for neither."""
    scores: list[int] = []
    in_diff = in_text = was_comment = False
    for line in lines:
        is_comment = line.startswith("#")
        if is_comment and was_comment:  # headings do not stand below each other
            scores[-1:] = [1, 1]
            continue
        was_comment = is_comment
        if in_text or line.count(_DOCSTRING) == 1:
            in_text = in_text != (line.count(_DOCSTRING) % 2 == 1)
            scores.append(1 if _DOCSTRING in line else 0)
            continue
        in_diff = bool(_DIFF.match(line)) or (in_diff and line[:1] in ("+", "-", " ", "\\"))
        scores.append(1 if in_diff else _score(line[:_LOOK]) if len(line) < _LONG else _long(line))
    return scores


def _score(line: str) -> int:
    """Return what a line counts by itself."""
    is_indented = _INDENTED.match(line) is not None
    if any(form.match(line) for form in _PRINTED):
        return 1
    if _SUBJECT.match(line):
        return 2 * _LEAST - _HEADERS + 1
    if _is_prose(line):
        return 0 if is_indented and not _LISTED.match(line) else _LESS
    if _FIELD.match(line) or _ROW.match(line):
        return 1
    if _LISTED.match(line):
        return _LESS
    is_source = listings.is_source(line)
    return 1 if is_source else 0 if is_indented or not line.strip() or _COMMENT.match(line) else _LESS


def _is_prose(line: str) -> bool:
    """Return whether a line begins as a sentence does: with a few plain words."""
    words = _LEAD.sub("", line).split(None, _WORDS)
    return len(words) >= _WORDS and all(map(_PLAIN.fullmatch, words[:_WORDS]))


def _long(line: str) -> int:
    """Return what a very long line counts: much where it is full of signs."""
    return 2 * _LEAST if not _has_spaces(line) and len(_SIGNS.findall(line)) > _DENSE * len(line) else _LESS


def _has_spaces(line: str) -> bool:
    """Return whether a line has as many spaces as prose has."""
    return line.count(" ") * _WORD > len(line)
