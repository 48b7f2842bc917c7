"""The words of a line as a wake shows them: without decoration, without a label that tells nothing, and not too long.

Owns what decorates a line (pictures, emphasis, comments, dashes around it) and where a long one ends. Refuses to read
journals: that is `excerpt`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon, tokenizer
from sleep.language.acts.forms import form
from sleep.records.kinds import is_kind
from sleep.redaction import untrusted

PROMPT = "prompt"  # the mark of what a person said in a session,
PERSON = "Person"  # and what stands before it
MOST = 110  # characters of a line; of a script without spaces, half as many
_SLACK = 20  # characters more, where a clause ends there; twice as many, where the line does
_CLAUSE_FROM = 0.9  # of the characters, from which on a clause may end a line, which a sentence may from a half on
_SIGN = "[✅☑✔❌✗✘⚠⏳⛔🚫🔴🟡🟢]"  # how something stands: without it `Payment works` may say the contrary
_PICTURES = rf"(?:(?!{_SIGN})[\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f300-\U0001faff])+"
_DECORATION = re.compile(rf"<!--.*?-->|!\[[^\]]*\]\([^)]*\)|(?<=\*\*){_PICTURES} ?| ?{_PICTURES}")
_SIGNS = re.compile(rf"{_SIGN}+ ?")
_BOLD = re.compile(r"(?<![\w/*])\*\*(?=[^\s*/])(.+?)(?<=[^\s*/])\*\*(?![/*])")  # takes `**so**`, leaves `src/**/a.py`
_EDGE = re.compile(r"^\*\*(?=\w)|(?<=[\w:.])\*\*$")  # half of it, where a sentence goes on in the next line
_ITALIC = re.compile(r"([_*])(?=[^\s_*])([^_*]* [^_*]*)(?<=[^\s_*])\1")  # a whole line, leaves `_name_`
_DASHES = re.compile(r"^(?:[-–—]+ )+|(?: [-–—]+)+$")  # around a line; leaves `--force is slow`
_DASH_SIGNS = "-–—"
_LINK = re.compile(r"(?<!!)\[([^\]\[]+)\]\([^()\s]*\)")  # takes `[the page](https://a.example/b)`
LABEL = re.compile(r"([^\W\d_][^:：()（）.,;`]{1,24}?)(?: ?[(（]([^()（）]{2,40})[)）])?[:：] ?(?=\S)")
_CODE = re.compile(r"`[^`]*`|\S*[\d/_.\\]\S*")
_PLAIN_WORD = re.compile(r"[^\W\d_]{3,}")
_SUBJECT_OF_COMMIT = re.compile(r"\W?(?:build|chore|ci|docs|feat|fix|perf|refactor|style|test)(?:\([\w-]+\))?!?: ")
_NUMBER = re.compile(r"((?:[A-Z]\w+: )?)\d{1,2}[.)] (?=(\S+))")  # takes `2. ` of `Change: 2. the lock`
_SPACE = re.compile(r"[ \t\r\f\v]+")
_CLAUSE = re.compile(  # leaves the full stop of `e.g. this` and `· 3. that`
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)(?<!\bz\.B)(?<!· \d)(?<!· \d\d)[.;!?](?=\s)"
    r"|[。；！？]|, | — | – | \(|，|、"
)
_STOPS = ".;!?。；！？"
_TRAIL = " ,;:(—–-，、"
_BRACKETS = {"(": ")", "[": "]", "（": "）", "「": "」", "『": "』", "【": "】", "《": "》"}
_UNTRUSTED = f"{untrusted.MARK}:"
_SAYS = 20  # characters behind a label that say something without it; of a script without spaces, half as many


def bare(text: str) -> str:
    """Return a line without what decorates it: pictures, comments, emphasis, dashes around it.

    Signs of how something stands (`✅`, `❌`) are left.
    """
    if not text.isascii() or "<!" in text or "![" in text:
        text = _DECORATION.sub("", text)
    return plain(text)


def unsigned(text: str) -> str:
    """Return a line without signs of how something stands, as it is judged and compared."""
    return text if text.isascii() else plain(_SIGNS.sub("", text))


def plain(text: str) -> str:
    """Return a line without emphasis and without dashes around it; of code nothing is taken."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "**" in text:
        text = _EDGE.sub("", _BOLD.sub(r"\1", text))
    if "  " in text or not text.isprintable():
        text = _SPACE.sub(" ", text)
    text = text.strip()
    if text[:1] in ("_", "*") and (remark := _ITALIC.fullmatch(text)):
        text = remark[2]
    return _DASHES.sub("", text) if text[:1] in _DASH_SIGNS or text[-1:] in _DASH_SIGNS else text


@lru_cache(maxsize=1 << 14)  # a wake asks it of a line to compare it, and to write it
def unlabelled(text: str) -> str:
    """Return a line without a label that tells nothing: of `Learning (Tools): ...`, but not of `Dead end: ...`.

    Nor does one before the subject of a commit, which has its own (`Fix: fix(lock): ...`). The bracket of a rule says
    where or how long it holds: `Rule (staging): ...` stays.
    """
    label = LABEL.match(text) if ":" in text or "：" in text else None
    if not label:
        return text
    words = text[label.end() :]
    is_empty = _is_empty(label[1]) and not (label[2] and form("labels.constraint").fullmatch(label[1]))
    if not (is_empty or _SUBJECT_OF_COMMIT.match(words)):
        return text
    return words if len(words) + tokenizer.count_broad(words) >= _SAYS else text


@lru_cache(maxsize=1 << 10)  # many lines have the same label
def _is_empty(label: str) -> bool:
    return form("labels.empty").fullmatch(label)


def unnumbered(text: str) -> str:
    """Return a line without its number in a list: of `2. the lock`, but not of `2. August`."""
    number = _NUMBER.match(text)
    if number is None or number[2].strip(".,:").lower() in lexicon.all_words("months"):
        return text
    return f"{number[1]}{text[number.end() :]}"


def is_of_log(text: str) -> bool:
    """Return whether a line has only what a clock or git says of a session: `Commit: 1a2b3c4`."""
    label, colon, words = text.partition(": ")
    if not colon or not form("labels.of a log").fullmatch(label):
        return False
    return _SUBJECT_OF_COMMIT.match(words) is not None or len(_PLAIN_WORD.findall(_CODE.sub(" ", words))) <= 1


def is_a_tools(text: str) -> bool:
    """Return whether only a tool's words begin a line, or it has such words and reads like an instruction."""
    if _UNTRUSTED not in text:
        return False
    label, _, words = text.partition(": ")
    own = words if is_kind(label.casefold()) else text
    return own.startswith(_UNTRUSTED) or untrusted.is_instruction(text)


def cut(text: str, most: int = MOST) -> str:
    """Return a line, or as much of it as fits, to the end of a clause where there is one, with `…`."""
    if tokenizer.count_broad(text) > len(text) // 4:
        most //= 2
    if len(text) <= most + 2 * _SLACK:
        return text
    at = _end(text, most)
    opened = _opened(text[:at])
    at = next((start for start in opened if start >= most // 2), at)
    shown = text[:at].rstrip(_TRAIL) or text[:at]
    shown += "`" if shown.count("`") % 2 else ""
    shown += "".join(_BRACKETS[text[start]] for start in reversed(opened) if start < most // 2)
    return shown if shown[-1] in _STOPS else f"{shown}…"


def _end(text: str, most: int) -> int:
    """Return where a clause ends, else a word, or where the room does."""
    ends = [
        clause.end() if clause[0] in _STOPS else clause.start()
        for clause in _CLAUSE.finditer(text, most // 2, most + _SLACK)
        if clause[0] in _STOPS or clause.start() >= most * _CLAUSE_FROM
    ]
    space = text.rfind(" ", most // 2, most)
    return ends[-1] if ends else space if space > 0 else most


def _opened(text: str) -> list[int]:
    """Return where the brackets are that a text opens and does not close, those of code apart."""
    opened: list[int] = []
    is_code = False
    for at, sign in enumerate(text):
        is_code ^= sign == "`"
        if is_code:
            continue
        if sign in _BRACKETS:
            opened.append(at)
        elif opened and sign == _BRACKETS[text[opened[-1]]]:
            opened.pop()
    return opened
