"""The marks of what matters in speech: words that tell a constraint, a decision, a question, a to-do, an error.

Owns the words, and finding them. How it keeps its speed: a text is made plain once, by a table, and its lines are
asked in one step whether any of their words is a mark; only those in which one is are looked at. Refuses to
understand: a mark says that its sentence is looked at, and what it is worth at the most.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

PINNED, CONSTRAINT, DECISION, QUESTION, TODO, ERROR = "pinned", "constraint", "decision", "question", "todo", "error"
REQUEST, FACT, TOOL, PROSE = "request", "fact", "tool", "prose"
KINDS = (PINNED, CONSTRAINT, DECISION, QUESTION, TODO, ERROR, REQUEST, FACT, TOOL, PROSE)
HIGH = frozenset(KINDS[:6])  # what binds, was chosen, is open or went wrong comes before what was merely said


class Mark(NamedTuple):
    """What a word tells: the kind of its sentence, and how strongly, 1 to 4."""

    kind: str
    weight: float


# Words and phrases, apart by commas; `*` at the end: any ending.
_WORDS: tuple[tuple[str, float, str], ...] = (
    (
        CONSTRAINT,
        3,
        """
        never, must not, must never, without asking, without permission, without approval, without my, without
        explicit*, without telling, without checking, without prior, without first, forbid*, forbidden, under no
        circumstances, hands off, no exceptions, non-negotiable, off limits, off-limits, prohibited, don't ever,
        do not ever, not allowed, constraint, constraints, hard limit, hard rule, ground rule
        """,
    ),
    (
        CONSTRAINT,
        2.2,
        """
        must, always, do not, don't, mandatory, at most, at least, no more than, no less than, make sure, only
        use, only ever, only if, only when, only after, may not, cannot be, not permitted, leave alone, alone,
        stay away, stay within, from now on, going forward, wait for my, wait for the, required to, policy,
        untouched, not exceed, refrain, is frozen, are frozen, ask me, ask first, check with me
        """,
    ),
    (
        CONSTRAINT,
        1.4,
        """
        only, require*, requirement*, prefer*, avoid*, please, ensure, limit*, budget, deadline, below, within,
        keep the, keep it, keep all, keep our, keep every, except, unless, compatib*, confidential, preserve,
        read-only, rule, rules, without, should not, shouldn't, can't, cannot, won't, permission, approval,
        maximum, minimum, freeze, remember that, insist*
        """,
    ),
    (
        DECISION,
        3,
        """
        decided, decision, decisions, decide on, we chose, i chose, chose, chosen, go with, going with, went
        with, gone with, stick with, sticking with, settled on, settle on, settled for, landed on, opted for,
        opting for, opt for, verdict, in favour of, in favor of, agreed to, agreed on, agreed that, final call,
        final choice, final answer, ruled out, we picked, i picked, we pick, rejected, standardise on,
        standardize on, standardising on, standardizing on, we will use, we'll use, let's use, let us use, let
        us take, let us go, let's take, weighing, weighed, let's go, let's keep, let's stick, we will go, we'll
        go, we will keep, we'll keep, converged on, consensus, committed to, made up my mind, the winner, is
        settled, are settled
        """,
    ),
    (
        DECISION,
        2,
        """
        choose, choice, picked, adopt*, we will, we'll, we are going, we're going, i'll use, i will use, switch
        to, switching to, switched to, moving to, move to, instead of, rather than, approach is, plan is,
        dropped, dropping, deferred, replaced by, replaces, replace, approved, confirmed, signed off, concluded,
        conclusion, resolved to, favour*, preferred, vetoed, voted, ditch*, deprecat*, retire, revert to,
        reverted to, trade-off, tradeoff, will stay, will live, will be the, is now the, no longer, for good,
        outweigh*, beats, wins
        """,
    ),
    (
        DECISION,
        1.2,
        """
        because, let's, let us, agreed, going for, we went, we want, i want, makes sense, better to, the plan
        """,
    ),
    (
        QUESTION,
        2.2,
        """
        open question, question is, unclear, undecided, unresolved, tbd, not sure, whether, we don't know, don't
        know yet, unknown, wonder*, find out, figure out, to be decided, to be clarified, to be confirmed,
        nobody knows, remains open, still open, confirm with, clarify, need to know, pending, awaiting, not
        decided, not yet clear, no idea, open issue, question, questions, left open, up for debate, yet to be
        """,
    ),
    (
        TODO,
        3,
        """
        todo, todos, fixme, action item, action items, next step, next steps, follow up, follow-up, followup,
        don't forget, do not forget, remember to, backlog, outstanding, left to do, remaining work, still
        missing, still need*, still to, remains to, not yet, come back to, pick up, for later, unfinished, not
        done, needs doing, owed
        """,
    ),
    (
        TODO,
        1.5,
        """
        need to, needs to, have to, has to, remaining, before we, before release, before the release, before
        launch, blocked, blocker, postponed, later, next, missing, must still, afterwards, wip, in progress, due
        """,
    ),
    (
        ERROR,
        2.2,
        """
        error, errors, errored, exception, failed, failure, failures, fails, failing, fatal, crash*, panic*,
        traceback, refused, denied, timed out, timeout, segfault, aborted, killed, corrupt*, root cause, caused
        by, culprit, broke, broken, deadlock*, regress*, could not, couldn't, not found, did not work, didn't
        work, the cause, turned out, workaround
        """,
    ),
    (
        ERROR,
        1.4,
        """
        fixed, fixes, fix, resolved, solved, bug, bugs, leak*, mismatch, conflict, unexpected, does not work,
        doesn't work, works now, works, worked, passed, passes, retry, retried, reproduc*, rolled back,
        reverted, succeeded, warning, misconfigured, stale, wrong, missing from, dead end, gave up, no effect,
        in vain, fail, cured, went away, disappeared, verified
        """,
    ),
)
# Where the language is another: fewer words, looked for only in text that is not ASCII.
_OTHER: tuple[tuple[str, float, str], ...] = (
    (
        CONSTRAINT,
        3,
        """
        必须, 必須, 不要, 禁止, 不得, 务必, 只能, 永远不, 永不, 切勿, 严禁, 不允许, 请勿, 绝不, 必ず,
        しないで, 厳禁, 반드시, 금지, 절대, 하지 마, никогда, нельзя, запрещ,
        обязательно, niemals, dürfen, müssen, jamás, não pode, ne
        jamais, à ne pas
        """,
    ),
    (
        DECISION,
        3,
        """
        决定, 決定, 决策, 選択, 选择, 采用, 改用, 選んだ, することに, 하기로, 결정, решили,
        решил, решение, выбрали, entschieden für, décidé, décision,
        decisión, decisão, optamos
        """,
    ),
    (
        QUESTION,
        2,
        """
        ？, 未定, 待定, 不确定, 不清楚, 要確認, 미정, неясно, вопрос, está claro
        """,
    ),
    (
        TODO,
        2,
        """
        待办, 下一步, 还需要, 残り, 次に, 할 일, 다음, осталось, сделать, nächste, à
        faire
        """,
    ),
    (
        ERROR,
        2,
        """
        错误, 失败, 异常, 修复, エラー, 失敗, 原因, 오류, 실패, ошибк, исправ
        """,
    ),
)
# Of what tools print only this is looked for inside; anybody can write there what reads like a rule.
BROKEN = ("error", "fail", "xception", "fatal", "panic", "denied", "refused", "timed out", "raceback", "not found")
KEYWORDS = frozenset("result decided found error success created updated deleted confirmed output".split())  # noqa: SIM905  # reads better
# Labels (`Decision: ...`) by their last word.
LABELS: dict[str, Mark] = {
    word: Mark(kind, 4 if kind != FACT else 3)
    for kind, words in (
        (DECISION, "decision decisions decided resolution verdict choice chosen agreed agreement conclusion adr"),
        (
            CONSTRAINT,
            "constraint constraints rule rules must never always policy requirement requirements limit limits",
        ),
        (QUESTION, "question questions unclear unknown unresolved tbd q"),
        (TODO, "todo todos next steps step action actions task tasks pending remaining fixme left blocker blocked"),
        (ERROR, "error errors failure cause fix fixed bug problem issue workaround resolved exception warning fatal"),
        (
            FACT,
            "result results found success created updated deleted confirmed output note important fact summary outcome",
        ),
    )
    for word in words.split()
}
# Words too frequent to be looked for, the most frequent first; a phrase is looked for by the rarest of its words.
_FREQUENT = """
    the to and of a in is it that for on with be as this we not have are you at i if or will from can has an by
    do use all now let so no my me more need only once should then want yet going does most after check find
    good i'll let's we'll we're us
"""
_RANK = {word: rank for rank, word in enumerate(_FREQUENT.split())}
_SIGNS = "\n'_"  # that stay; others are spaces
_PLAIN = bytes(
    ord(sign.lower()) if sign.isascii() and (sign.isalnum() or sign in _SIGNS) else 32 for sign in map(chr, range(256))
)
_LISTED_ENDINGS = ",s,ed,d,ing,es,e,en,ion,ment,ments,ly,le,ility,tion"
_ENDINGS = tuple(ending.encode() for ending in _LISTED_ENDINGS.split(","))
# The least that a word must tell for an agent's sentence to be looked at; of a person every sentence is.
_CLEAR = {CONSTRAINT: 2.0, DECISION: 1.5, QUESTION: 2.0, TODO: 2.0, ERROR: 1.3, FACT: 9.0}
_STRONG = 2.2


def _rarest(words: list[str]) -> str:
    return max(words, key=lambda word: _RANK.get(word, len(_RANK) + len(word)))


class _Table(NamedTuple):
    """Words that are marks by themselves, and by one word of theirs the phrases, padded with spaces, and stems.

    `heads` are all of these words, `clear` those that tell enough in an agent's speech, `strong` the strongest.
    """

    entries: dict[bytes, tuple[Mark | None, tuple[tuple[bytes, Mark], ...]]]
    heads: frozenset[bytes]
    clear: frozenset[bytes]
    strong: frozenset[bytes]


@functools.cache
def _table() -> _Table:
    words: dict[bytes, Mark] = {}
    phrases: dict[bytes, list[tuple[bytes, Mark]]] = {}
    for kind, weight, listed in _WORDS:
        for one in (word.strip() for word in listed.split(",")):
            phrase = " ".join(one.replace("-", " ").split()).encode()
            mark = Mark(kind, weight)
            if phrase.endswith(b"*") and b" " in phrase:
                head = max(phrase[:-1].split()[:-1], key=len)
                phrases.setdefault(head, []).append((b" " + phrase[:-1], mark))
            elif phrase.endswith(b"*"):
                for ending in _ENDINGS:
                    words.setdefault(phrase[:-1] + ending, mark)
            elif b" " in phrase:
                head = _rarest(phrase.decode().split()).encode()
                phrases.setdefault(head, []).append((b" " + phrase + b" ", mark))
            else:
                words.setdefault(phrase, mark)
    for keyword in sorted(KEYWORDS):
        words.setdefault(keyword.encode(), Mark(FACT, 0.0))  # counts with its colon: see `facts`
    best = dict(words)
    for head, found in phrases.items():
        mark = max((mark for _, mark in found), key=lambda one: one.weight)
        if head not in best or best[head].weight < mark.weight:
            best[head] = mark
    clear = frozenset(word for word, mark in best.items() if mark.weight >= (_CLEAR[mark.kind]) or not mark.weight)
    strong = frozenset(word for word, mark in best.items() if mark.weight >= _STRONG)
    entries = {word: (words.get(word), tuple(phrases.get(word, ()))) for word in best}
    return _Table(entries, frozenset(best), clear, strong)


def plain(text: str) -> bytes:
    """Return a text as it is compared: one byte a character, in lower case, signs as spaces, lines kept."""
    if not text.isascii():
        text = text.replace("’", "'")
    return text.encode("ascii", "replace").translate(_PLAIN)


def marked(lines: list[bytes], *, strongly: bool = False) -> list[int]:
    """Return the indexes of the plain lines in which a word stands that may be a mark, in an agent's speech."""
    clean = (_table().strong if strongly else _table().clear).isdisjoint
    return [index for index, line in enumerate(lines) if not clean(line.split())]


def is_marked(line: bytes) -> bool:
    """Return whether a word stands in a plain line that may be a mark, in an agent's speech."""
    return not _table().clear.isdisjoint(line.split())


def marks(line: bytes) -> list[Mark]:
    """Return the marks of a plain line."""
    entries, heads, _, _ = _table()
    found = []
    padded = b""
    for word in sorted(heads.intersection(line.split())):  # a set has another order in each process
        mark, phrases = entries[word]
        if mark is not None:
            found.append(mark)
        if phrases:
            padded = padded or b" %b " % line
            for phrase, told in phrases:
                if phrase in padded:
                    found.append(told)
    return found


@functools.cache
def _other() -> tuple[re.Pattern[str], list[Mark]]:
    patterns = ("|".join(word.strip() for word in words.split(",")) for _, _, words in _OTHER)
    return re.compile("|".join(f"({pattern})" for pattern in patterns)), [
        Mark(kind, weight) for kind, weight, _ in _OTHER
    ]


def other(text: str) -> list[tuple[int, Mark]]:
    """Return (offset, mark) of the words of other languages in a text that is not ASCII."""
    pattern, table = _other()
    return [(found.start(), table[(found.lastindex or 1) - 1]) for found in pattern.finditer(text.lower())]
