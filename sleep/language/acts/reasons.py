"""Reasons: the words of a sentence, or of the one beside it, that say why something is chosen, ruled or left.

Owns where a reason begins and ends: behind a word (`because`, `, since`), as an aim (`so that`, `to avoid`), behind a
dash or a colon where a sentence follows that explains, in a bracket at the end (`(not used here)`), before (`Since X,
we ...`, `X, so we ...`), and in the sentence after (`Otherwise ...`, `That way ...`) or before (`So we ...`). Refuses
to guess: what merely follows is no reason. Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.language import quotation, sentences
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.acts.likelihood import features

_LEAST = 3  # words of what is left when its reason is taken out, and of an explanation
_VERBS = frozenset({"states", "lacks", "able", "will", "demands", "breaks"})  # hints at a verb
_WEIGHS = frozenset({"lacks", "breaks", "limit"})  # hints at what speaks for or against something
_SECTIONS = ("reasons.because", "reasons.aim", "reasons.bracket", "reasons.explains")
_SIGNS = " ,，;；:：—–-("
_CLOSING = " ,，、;—–-"
_COMMAS = ",，、"
_AIM = "to "
_PART = re.compile(r"(?:[,;](?=\s)|\s[—–-]+(?=\s)|[，；])\s*")
_WIDE = str.maketrans("（）", "()")  # brackets


class Parts(NamedTuple):
    """Where in a sentence what is no reason begins and ends, and where its reason does."""

    start: int
    end: int
    why_start: int
    why_end: int


def split(sentence: str, start: int = 0, *, is_rule: bool = False, is_open: bool = False) -> Parts | None:
    """Return the parts of a sentence that gives its reason, None for any other.

    Args:
        sentence: its words, quotations blanked.
        start: where its own words begin, behind a label.
        is_rule: it lays down a rule, which what follows its colon explains.
        is_open: it says what is left to do or in the way, which its clauses say together.
    """
    sections = _SECTIONS[:-1] if is_open else _SECTIONS
    sentence = sentence.translate(_WIDE)
    return _leading(sentence, start) or next(
        (parts for name in sections if (parts := _trailing(sentence, start, name, is_rule=is_rule))),
        None,
    )


def follows(sentence: str) -> int:
    """Return where the reason begins in a sentence that only gives one for what was said before it, -1 for none."""
    if match := form("reasons.next").written().match(sentence):
        return match.end()
    return 0 if form("reasons.effect").written().match(sentence) else -1


def at_end(text: str) -> Parts | None:
    """Return the parts of a text whose last sentence is the reason of what stands before it, None for any other."""
    spans = sentences.spans(text)
    start = spans[-1][0] if len(spans) > 1 else 0
    at = follows(text[start:]) if start else -1
    return Parts(0, start, start + at, len(text)) if at >= 0 else None


def find(text: str) -> str:
    """Return the first reason that a text gives by a word for it (`because`, `, since`), "" where it gives none."""
    for sentence in sentences.split(text):
        masked = quotation.masked(sentence)
        if parts := _leading(masked, 0) or _trailing(masked, 0, "reasons.because", is_rule=False):
            return sentence[parts.why_start : parts.why_end].strip(_SIGNS)
    return ""


def before(sentence: str, start: int) -> Parts | None:
    """Return the parts of a sentence whose reason stands before what begins at `start` (`X, so please don't ...`)."""
    match = form("reasons.then").written().search(sentence[:start])
    why = sentence[: match.start()].strip(_CLOSING) if match else ""
    at = sentence.index(why) if why else 0
    return Parts(start, len(sentence), at, at + len(why)) if _count(why) >= _LEAST else None


def argued(sentence: str, start: int = 0) -> Parts | None:
    """Return the parts of what a person says with an argument behind a comma or a dash, None for any other."""
    for part in _PART.finditer(sentence, start):
        words = sentence[part.end() :]
        own = sentence[start : part.start()]
        if _count(own) < _LEAST or has(own, "reasons.condition") or has(words, "rules.rule"):
            continue
        if form("dialogue.argues", "reasons.argues").written().match(words):
            word = form("dialogue.argues word").written().match(words)
            return Parts(start, part.start(), part.end() + (word.end() if word else 0), len(sentence))
    return None


def concludes(sentence: str) -> bool:
    """Return whether a sentence draws a conclusion from the one before it (`So we ...`)."""
    return has(sentence, "reasons.so")


def _leading(sentence: str, start: int) -> Parts | None:
    words = sentence[start:]
    lead = form("reasons.lead").written().match(words)
    if not lead or _count(words[lead.end() :]) < _LEAST:
        return None
    word = form("reasons.lead word").written().match(words)
    why_end = len(words[: lead.end()].rstrip(_CLOSING))
    if not word and (at := max(words.rfind(sign, 0, lead.end()) for sign in _COMMAS)) >= 0:  # `X, so we ...`
        why_end = at
    return Parts(start + lead.end(), len(sentence), start + (word.end() if word else 0), start + why_end)


def _trailing(sentence: str, start: int, section: str, *, is_rule: bool) -> Parts | None:
    for match in form(section).written().finditer(sentence, start):
        why = match.end() if section == "reasons.because" else _begin(sentence, match.start())
        before, behind = sentence[start : match.start()], sentence[why:]
        if before.rstrip(" (").count("(") > before.count(")") or has(before, "reasons.hangs"):
            continue  # the choice would lose the bracket that is explained, or what comes behind its `and`
        if _count(before) >= _LEAST and behind.strip() and _is_reason(section, before, behind, is_rule=is_rule):
            return Parts(start, match.start(), why, _end(sentence, match.start()))
    return None


def _is_reason(section: str, before: str, behind: str, *, is_rule: bool) -> bool:
    """True where what a form of this section leads to is a reason: most forms say so, a colon or a bracket need not."""
    if section == "reasons.explains":  # `My preferences are: ...` announces
        return not has(before, "reasons.announces") and _explains(behind, is_rule=is_rule)
    if section == "reasons.aim" and behind.startswith(_AIM):  # `I want the page to stay` says what is wanted
        return not has(before, "reasons.wishes")
    return section != "reasons.bracket" or _closes(behind)


def _end(sentence: str, at: int) -> int:
    """Return where a reason ends: at the bracket that it stands in, or with the sentence."""
    closing = sentence.find(")", at) if "(" in sentence[at : at + 3] else -1
    return closing if closing >= 0 else len(sentence)


def _explains(words: str, *, is_rule: bool) -> bool:
    """True for a sentence of its own: behind a rule any that lays down none, else one that weighs something."""
    if _count(words) < _LEAST or (is_rule and has(words, "rules.rule")):
        return False
    hints = features.hints(words)
    weighs = not _WEIGHS.isdisjoint(hints) or has(words, "reasons.weighs")
    return not _VERBS.isdisjoint(hints) and (is_rule or weighs)


def _closes(words: str) -> bool:
    """True for words of a bracket that ends with its sentence: a list of names in one is no reason."""
    inside, _, rest = words.partition(")")
    return _count(inside) >= _LEAST and not rest.strip(" .;*") and "(" not in inside


def _begin(sentence: str, at: int) -> int:
    return len(sentence) - len(sentence[at:].lstrip(_SIGNS))


def _count(words: str) -> int:
    """Return how many words a text has; two characters of a script without spaces are one."""
    return sum(1 if word.isascii() else max(1, len(word) // 2) for word in words.split())
