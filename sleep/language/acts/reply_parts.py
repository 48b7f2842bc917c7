"""Replies: what a person's short answer says besides what it takes or refuses: what instead, and why.

Owns reading the reply: the no that it begins with, the words behind it, and the reason that it gives (`no, too
expensive`, `1, we don't want another service`). Refuses to say what of the message before becomes a choice by it: that
is `dialogue`'s. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import sentences, terms, tokenizer
from sleep.language.acts import alternatives, grammar, reasons, statements
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.acts.likelihood import features
from sleep.language.tokenizer import has_wide

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNS = " *_.,;:!—–-，。；！、"
_APART = tuple(",.;:!–—-，。；：！、\n")  # behind a no that stands alone
_PART = re.compile(r"(?:[,;:.!](?=\s)|\s[—–-]+(?=\s)|[，；：。！、\n]|\s(?=\())[\s(]*")
# Takes `A1 - SQLite`, `1. a` and `2: yes`, leaves `2 days` and `A1`.
_ANSWERED = re.compile(
    r"[*_-]*\s*(?:(?i:[aqf]|answer |antwort |答) ?)?#?(\d{1,2})\s?(?:[).:：、=]|[—–-])[*_]*\s*(\S.*)"
)
_COMPACT = re.compile(r"\W*(?:\d{1,2}\W{0,2}[A-Da-d]\b[\s,;.)]*){2,}")  # takes `1a, 2b` and `1: a 2: b`
_PAIR = re.compile(r"(\d{1,2})\W{0,2}([A-Da-d])\b")
_CLAUSE = re.compile("[，。！；]")
_PICK_END = re.compile(r"[,;，；：:(]| [—–-] ")
_LEAST = 2  # characters of a reason
_SHORTENED = 6  # characters of a word that is the beginning of a longer one


def refusal(answer: str) -> tuple[str, str]:
    """Return the no that a reply begins with and what stands behind it, "" where it is part of a sentence.

    Both are "" for a reply that does not begin with a no.
    """
    no = _no(answer)
    rest = answer[len(no) :]
    is_apart = rest.startswith(_APART) or form("dialogue.denies").written().match(answer)
    return no.strip(_SIGNS), rest.strip(_SIGNS) if no and is_apart else ""


def _no(answer: str) -> str:
    """Return the no that a reply begins with, with the signs before it."""
    match = form("dialogue.no").written().match(answer)
    return match[0] if match else ""


def instead(answer: str) -> str:
    """Return what a reply chooses instead: `keep sqlite` of `no, keep sqlite`; "" for none, as of `don't keep it`."""
    first = _first(refusal(answer)[1])
    return first if form("dialogue.instead", "dialogue.refuses").written().match(first) else ""


def alternative(answer: str) -> str:
    """Return what a reply would rather have: `rather argon2` of `no, rather argon2, it is slower`; "" for none."""
    first = _first(refusal(answer)[1])
    return bare(first).strip(_SIGNS) if form("dialogue.rather").written().match(first) else ""


def objection(answer: str) -> str:
    """Return why a reply says no: `too expensive` of `no, too expensive`; "" for any other."""
    first = _first(refusal(answer)[1])
    why = reason(answer) if form("dialogue.no").written().match(first) else ""  # `no, no Redis, that is too much`
    return _argument(first) or why if first else ""


def rejection(answer: str, *, is_question: bool) -> str:
    """Return the no of a reply with what it would rather have, "" where it says neither that nor why.

    What contradicts a report (`no, it still fails`) objects to nothing, unless something was asked.
    """
    no = refusal(answer)[0]
    if rather := alternative(answer):
        return f"{no}, {rather}"
    why = objection(answer)
    return no if why and (is_question or not has(why, "dialogue.disputes")) else ""


def reason(answer: str) -> str:
    """Return the reason that a reply gives behind what it takes: `it is embedded` of `SQLite, it is embedded`."""
    return _parted(answer)[1]


def bare(answer: str) -> str:
    """Return a reply without the reason that it gives and what follows that."""
    return _parted(answer)[0]


def _parted(answer: str) -> tuple[str, str]:
    """Return what a reply says before its reason, and the reason; all of it and "" where it gives none."""
    for part in _PART.finditer(answer):
        if why := _argument(_first(answer[part.end() :])):
            return answer[: part.start()], why
    if parts := reasons.split(answer):
        return answer[parts.start : parts.end].strip(_SIGNS), answer[parts.why_start : parts.why_end].strip(_SIGNS)
    return answer, ""


def refuses(answer: str, put: str) -> bool:
    """Return whether a no is said to a message: a ban (`don't deploy on Fridays`) may speak of something else.

    It does where most of its terms are the message's, and it names no more than that by the way (`though`).
    """
    if form("dialogue.denies").written().match(answer) or refusal(answer)[1]:
        return True
    first = _first(answer)
    if has(first, "dialogue.concedes"):
        return False
    own = terms.light(first[len(_no(answer)) :])
    return 2 * len(own & terms.light(put)) >= len(own)


def names(text: str, words: str) -> bool:
    """True if a reply names what a text has: every word of it but for small ones (`let's go with`).

    Of a long word its beginning does: `postgres` of `PostgreSQL`.
    """
    own = form("dialogue.picks").written().sub("", words.strip(_SIGNS)).strip(_SIGNS)
    if has_wide(own):
        return own.casefold() in text.casefold()
    light = terms.light(own)
    theirs = {part for word in terms.light(text) for part in (word, *word.split("_"))}  # `aliases` of `user_aliases`
    return bool(light) and all(
        word in theirs or (len(word) >= _SHORTENED and any(their.startswith(word) for their in theirs))
        for word in light
    )


def final(answer: str) -> str:
    """Return a reply behind its last second thought: `Postgres` of `SQLite. No wait, Postgres`."""
    again = list(form("dialogue.thinks again").written().finditer(answer))
    return answer[again[-1].end() if again else 0 :].strip(_SIGNS if again else None)


def find_pick(answer: str, sides: Sequence[str], *, is_free: bool) -> str:
    """Return the sentence of a reply that takes one of several sides, "" where none does, or one takes another.

    The first may take it by a single word of it where that is free (`is_free`), any other only by nothing but its
    words.
    """
    first, *others = [*sentences.typed(answer), ""]
    part = _pick(first)
    named = _named(sides, part)
    if not named and is_free and not has(first, "dialogue.no", "signs.tried before"):
        named = [side for side in sides if terms.light(side) & terms.light(part)]
    if named:
        return first if len(named) == 1 else ""
    takes = {sentence: _named(sides, _pick(sentence)) for sentence in others if not sentences.asks(sentence)}
    sides_named = {side for named in takes.values() for side in named}
    return next((sentence for sentence, named in takes.items() if named), "") if len(sides_named) == 1 else ""


def _pick(sentence: str) -> str:
    """Return what a sentence takes: `sqlite` of `Yes, take sqlite, it is embedded`."""
    return _PICK_END.split(form("dialogue.picks").written().sub("", sentence.strip(_SIGNS)))[0]


def _named(sides: Sequence[str], part: str) -> list[str]:
    return [side for side in sides if names(side, part)]


def why(answer: str, choice: str) -> str:
    """Return why a reply chooses, "" where it does not say: `too slow` of `B. too slow` and of `A is too slow. So b).`.

    That stands before the clause that chooses, or right behind one that says nothing else, or is argued (`reason`).
    """
    return _why_beside(answer, choice) or reason(answer)


def _why_beside(answer: str, choice: str) -> str:
    """Return what stands beside the clause of a reply that chooses, by words that are in the choice or by a number."""
    spoken = [own.strip(_SIGNS) for own in _CLAUSE.split(answer)] if has_wide(answer) else sentences.typed(answer)
    at = next((at for at, own in enumerate(spoken) if own.strip(_SIGNS) in choice or alternatives.number_of(own)), -1)
    if at > 0:
        before = " ".join(own for own in spoken[:at] if not _is_aside(own))
        return "" if sentences.asks(before) else before[len(_no(before)) :].strip(_SIGNS)
    if at < 0 or len(spoken) == 1 or _PICK_END.search(spoken[0]):
        return ""
    behind = sentences.first_typed(answer.strip()[len(spoken[0]) :].lstrip(_SIGNS)).strip(_SIGNS)
    return behind if _is_told(behind) and behind not in choice else ""


def _is_told(sentence: str) -> bool:
    """True for a sentence that neither asks, bids nor thanks, and does not go on to something else."""
    is_other = sentences.asks(sentence) or has(sentence, "dialogue.but") or grammar.lead(sentence)
    return not (is_other or _is_aside(sentence))


def _is_aside(sentence: str) -> bool:
    """True for a sentence that bids, or only greets, thanks or nods."""
    bids = features.hints(sentence) & {"imperative", "asks for", "moves"}
    return bool(bids) or statements.nods().issuperset(tokenizer.words(sentence)) or has(sentence, "signs.leaves")


def agrees_to_all(answer: str) -> bool:
    """True for a reply that begins with a yes to all that was put forward: `Agreed on all four points.`."""
    first = _first(answer)
    is_yes = has(first, "dialogue.agrees to all") and not sentences.asks(first)
    return is_yes and not has(answer, "dialogue.but")


def numbered(reply: str) -> list[tuple[int, str]]:
    """Return the numbered answers of a reply, none where it says something else first."""
    answers: list[tuple[int, str]] = []
    if _COMPACT.fullmatch(reply):
        return [(int(pair[1]), pair[2]) for pair in _PAIR.finditer(reply)]
    for line in filter(None, map(str.strip, reply.split("\n"))):
        if match := _ANSWERED.match(line):
            answers.append((int(match[1]), match[2]))
        elif answers:
            answers[-1] = (answers[-1][0], f"{answers[-1][1]} {line}")
        else:
            return []
    return answers


def _first(words: str) -> str:
    """Return the first sentence of what somebody typed."""
    return sentences.first_typed(words).strip(_SIGNS)


def _argument(words: str) -> str:
    """Return words that argue, without the `because` before them; "" for any other."""
    match = form("dialogue.argues").written().match(words)
    if not match or sentences.asks(words):
        return ""
    word = form("dialogue.argues word").written().match(words)
    bare = words[word.end() if word else 0 :].strip(_SIGNS)
    return bare if len(bare) >= _LEAST else ""
