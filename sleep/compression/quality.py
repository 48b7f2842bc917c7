"""Quality: how much a line of a journal tells whoever comes next, judged by its form and by the journals around it.

Owns the features of a line and their weights. A feature is a property of any journal (length, place, age, how many
instances speak of its words, whether it is a path, a log line, a row of figures), never of a subject. Refuses to choose
among lines: that is `choosing`. Pure.

The weights were set by hand from what a regression on checklists of four projects found to have the same sign in every
fold (docs/evaluation.md); an even mixture of both did no better than the hand alone where a project was left out.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[^\W_{_WIDE}][\w'’-]*|[{_WIDE}]+")
_DIGIT = re.compile(r"\d+")
_NAME = re.compile(
    r"(?<=[\w,;] )[A-Z][A-Za-z]+"
)  # takes the second word of `the Ledger`, leaves the first of a sentence
_BARE = re.compile(r"[`'\"]?(?:\S*[/\\]\S*|\S+\.\w{1,5}|\S*)[`'\"]?")  # takes `src/a.py`, leaves `src/a.py is new`
_LOG = re.compile(r"\[?\d{1,2}:\d\d|\d{4}-\d\d-\d\d[T ]\d\d|\[(?:check|ok|info|x)\]", re.IGNORECASE)  # `08:21 ok`
_LABEL = re.compile(r"[^:：]{2,40}[:：] ?\S")  # takes `host: a.example`
_SHORT, _LONG = 25, 160  # characters below which a line tells little, and from which on more do not tell more
_OPENING = 12  # lines, in which a journal says what it is about
_MANY = 3.0  # instances that repeat a line word for word, from which on it is boilerplate
_NAMES, _CUES = 4.0, 2.0  # names and cues of a line, from which on more do not tell more
_POWER = 2  # of the rank of a line
_PERSON = frozenset(
    """
    user owner he she his her prefers prefer wants want asked master human boss team client name called email
    account timezone lives customer 主人 用户 客户
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_CUE = frozenset(
    """
    because decided decision chose why reason instead root cause lesson learned important critical rule policy
    must never always avoid fix fixed bug broken failed fails error blocked blocker issue problem workaround
    requires required needs goal purpose mission strategy plan architecture design uses
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_BINDS = frozenset(
    """
    must never always don't cannot mustn't 必须 禁止 不要 永不 不得
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
# Of these, a line that is old tells what was then.
_VOLATILE = frozenset(
    """
    pending next status currently yet only todo progress waiting remaining now blocked tomorrow today tonight ready soon
    broken crashed down offline online connected disconnected missing empty version draft archived primary focus needs
    """.split()  # noqa: SIM905  # same
)
_VOLATILE_WIDE = (
    "待",
    "进行中",
    "目前",
    "当前",
    "下一",
    "暂",
    "未完成",
    "等待",
    "版本",
    "状态",
    "草稿",
    "空置",
    "已连接",
    "归档",
)
_ROUTINE = frozenset(
    """
    test tests verification command commands metrics stats statistics checklist log timeline output result
    results commit commits files 测试 文件 统计 日志
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_STOP = frozenset(
    """
    a an the and or but if then than that this these those of to in on at by for with from into onto over under
    about as is are was were be been being am do does did done doing have has had having i you he she it we they
    me him her us them my your his its our their who which what when where why how not no nor so too very can
    could will would shall should may might just also there here up out off down again once during before after
    until while both each few more most other some such own same all any it's i'm
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
WEIGHTS = {
    "length": 0.9,
    "short": -0.5,
    "rare": -1.0,
    "bare": -1.0,
    "new": 0.6,
    "topic": 0.9,
    "repeated": -0.8,
    "person": 0.45,
    "names": 0.35,
    "figures": -0.4,
    "routine": -0.35,
    "heading": -0.6,
    "cue": 0.35,
    "log": -0.6,
    "label": 0.1,
    "done": -0.1,
    "binds": 0.35,
    "place": 0.1,
    "row": -0.3,
    "opening": 0.2,
}


class Line(NamedTuple):
    """A line: its words, the instance (by age: 0 is the oldest), its heading, and where it stands there.

    `form` is `item`, `heading`, `row` (of a table), `done` (an item that is ticked) or "".
    """

    text: str
    instance: int
    heading: str = ""
    place: int = 0
    form: str = ""


class Judged(NamedTuple):
    """A line's terms, its quality (0 to 1, by rank), and whether it tells only of its own time."""

    terms: frozenset[str]
    quality: float
    volatile: bool


class Judgement(NamedTuple):
    """What was found: each line, what a term is worth that few lines have, and how many lines there are."""

    lines: tuple[Judged, ...]
    rarity: dict[str, float]


def terms(text: str) -> frozenset[str]:
    """Return the words of a text that say something, stemmed; of scripts without spaces, pairs of characters."""
    return _told(_TOKEN.findall(text.lower()))


def _told(tokens: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for token in tokens:
        if token[0] >= "\u3040":
            found.update(token[at : at + 2] for at in range(max(1, len(token) - 1)))
        elif token not in _STOP and len(token) > 1:
            found.add(_stem(token))
    return frozenset(found)


@lru_cache(maxsize=1 << 15)  # the same words return in every line
def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:  # noqa: PLR2004  # letters that are left
            return word[: -len(ending)]
    return word


def judged(lines: Sequence[Line], instances: int) -> Judgement:
    """Return what each line is worth beside the others; `instances` is how many there are."""
    tokens = [_TOKEN.findall(line.text.lower()) for line in lines]
    said = [_told(one) for one in tokens]
    count = Counter(term for one in said for term in one)
    rarity = {term: log(len(lines) / number) for term, number in count.items()}
    spread = _spread(lines, said, instances)
    shapes = _repeats(lines)
    most = log(max(2, len(lines)))
    worth = [
        _worth(line, frozenset(own), sum(rarity[term] for term in told) / max(1, len(told)) / most, told, spread)
        + _around(line, instances, shapes)
        for line, own, told in zip(lines, tokens, said, strict=True)
    ]
    order = sorted(range(len(lines)), key=lambda index: (worth[index], index))
    rank = {index: (place / len(lines)) ** _POWER for place, index in enumerate(order, 1)}
    found = (
        Judged(told, rank[index], is_volatile(line.text, own))
        for index, (line, own, told) in enumerate(zip(lines, tokens, said, strict=True))
    )
    return Judgement(tuple(found), rarity)


def is_volatile(text: str, tokens: Iterable[str] | None = None) -> bool:
    """True for a line that tells what is so now, and not what binds."""
    own = set(_TOKEN.findall(text.lower()) if tokens is None else tokens)
    if own & _BINDS or any(word in text for word in _BINDS if word[0] > "\u3000"):
        return False
    return bool(own & _VOLATILE) or any(word in text for word in _VOLATILE_WIDE)


def _spread(lines: Sequence[Line], said: Sequence[frozenset[str]], instances: int) -> dict[str, float]:
    """Return for each term in how many instances it was said: 0 to 1, on the scale of a logarithm."""
    found: dict[str, set[int]] = {}
    for line, told in zip(lines, said, strict=True):
        for term in told:
            found.setdefault(term, set()).add(line.instance)
    most = log(1 + max(1, instances))
    return {term: log(1 + len(own)) / most for term, own in found.items()}


def shape(text: str) -> str:
    """Return a text that others differ from only by figures and case."""
    return _DIGIT.sub("#", text.lower())


def _repeats(lines: Sequence[Line]) -> dict[str, int]:
    """Return in how many instances besides its own a line stands, whatever its figures are."""
    found: dict[str, set[int]] = {}
    for line in lines:
        found.setdefault(shape(line.text), set()).add(line.instance)
    return {key: len(own) - 1 for key, own in found.items() if len(own) > 1}


def _around(line: Line, instances: int, shapes: dict[str, int]) -> float:
    """Return what a line is worth by where it stands."""
    found = WEIGHTS["new"] * (line.instance + 1) / max(1, instances)
    if shapes:
        found += WEIGHTS["repeated"] * min(1.0, shapes.get(shape(line.text), 0) / _MANY)
    if line.place < _OPENING:
        found += WEIGHTS["opening"]
    if line.heading and not _ROUTINE.isdisjoint(_TOKEN.findall(line.heading.lower())):
        found += WEIGHTS["routine"]
    return found + WEIGHTS.get(line.form, 0.0)


def _worth(line: Line, own: frozenset[str], rare: float, told: frozenset[str], spread: dict[str, float]) -> float:
    """Return what a line is worth by its words."""
    text = line.text
    wide = 0 if text.isascii() else sum(sign > "\u2e80" for sign in text)
    size = len(text) + wide
    found = WEIGHTS["length"] * min(1.0, size / _LONG) + WEIGHTS["rare"] * rare
    found += WEIGHTS["topic"] * sum(spread[term] for term in told) / max(1, len(told))
    found += WEIGHTS["short"] if size < _SHORT else 0.0
    found += WEIGHTS["bare"] if _BARE.fullmatch(text) else 0.0
    is_person = not own.isdisjoint(_PERSON) or (wide and any(word in text for word in _PERSON if word[0] > "\u3000"))
    found += WEIGHTS["person"] if is_person else 0.0
    found += WEIGHTS["names"] * min(1.0, (len(_NAME.findall(text)) + text.count("`") // 2) / _NAMES)
    found += WEIGHTS["figures"] * min(1.0, 4 * sum(map(str.isdigit, text)) / max(1, len(text)))
    found += WEIGHTS["cue"] * min(1.0, len(own & _CUE) / _CUES)
    binds = not own.isdisjoint(_BINDS) or (wide and any(word in text for word in _BINDS if word[0] > "\u3000"))
    found += WEIGHTS["binds"] if binds else 0.0
    found += WEIGHTS["log"] if _LOG.match(text) else 0.0
    found += WEIGHTS["label"] if _LABEL.match(text) else 0.0
    return found + (WEIGHTS["place"] if "http" in text or "@" in text else 0.0)
