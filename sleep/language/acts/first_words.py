"""What a text begins with: its label, what it is about, and the rule or choice that its first words are.

Owns telling these apart from the words behind them. Refuses to say what a label names, and what kind the text is: that
is `classification`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import sentences
from sleep.language.acts import grammar
from sleep.language.acts.grammar import has

if TYPE_CHECKING:
    from collections.abc import Iterator

LABEL = re.compile(
    r"^(?:\[[^\]]{1,24}\] *){0,3}(?:\*\*|__)?([^\W\d_][^*_:：\n]{1,60}?)(?:\*\*|__)? ?[:：](?:\*\*|__)? *",
    re.IGNORECASE,
)
# `**Why:** ...`, `**Why**: ...`
BOLD_LABEL = re.compile(r"(?:\*\*|__)([^*_\n]{1,60})(?:[:：](?:\*\*|__)|(?:\*\*|__) ?[:：])")
LIMIT = 2_000  # characters; a longer text is judged by its first words, so that work stays linear in the journal
_CLOCK = r"[\[*]{0,2}\d{1,2}:\d\d(?: ?[ap]m)?[\]*]{0,2}(?: [–—-]|:)? +(?=[^\W\d_])"  # of a line of a day's log
_DECORATION = re.compile(rf"^(?:[-*+>] +|\d+[.)] +|\[[ xX]\] *|{_CLOCK}|~~|[^\w\s\"'`(\[*_<#@/$~.\\-]+ *)+")
_SIGN = re.compile(
    r"^(\*\*|__)[^\w\s\"'`(\[*_<#@/$~.\\-][^\w\"'`(\[*_<#@/$~.\\\n-]{0,7}(?=[^\W_])"
)  # `**⚠️ ` of `**⚠️ No**`
# What Logseq writes before an item of a list: takes `TODO [#A] Call Ana`; leaves `TODO: call Ana`, which is a label.
KEYWORD = re.compile(
    r"^(?:(DONE)|TODO|(?:DOING|NOW|LATER|WAITING)(?= (?:\[#[A-C]\] )?[A-Z\[]))(?: \[#[A-C]\])? +(?=[^\W_]|\[\[)"
)
_COLON = re.compile(r"[:：]")
ROWS = 12  # lines of a paragraph that are looked at
_SUBJECT = re.compile(r"^\W*[^\W_][^.:：!?。！？\n]{1,58}[:：][*_]* *(?=\S)")  # `Skill ids: always write them whole`
# The number of a tracker that an item begins with: takes `#57` of `- [x] **#57 Chat**`, `AB-57`; leaves `PR #57`, and
# what has a number in its name: `GLM-5`, `GPT-4.1`, `SHA-256`.
_TICKET = re.compile(
    r"(?:[^\w#]|\d{1,3}[.)] |\[[^\]\n]{0,12}\])*"
    r"(#\d{1,6}|(?!(?:UTF|SHA|AES|RSA|ISO|ERC)-)[A-Z][A-Z\d]{1,9}-\d{2,6})(?![\w-])"
)
_STOP = re.compile(r"(?<=[.!?][\s\"”*])|(?<=[。！？])")  # where a sentence may end: less than `sentences`, and soon


@lru_cache(maxsize=1 << 8)  # a text is asked for them by one reader after another
def bare(text: str) -> str:
    """Return the first words of a text without the signs of an item; a keyword (`TODO call Ana`) becomes a label."""
    words = _SIGN.sub(r"\1", _DECORATION.sub("", text[:LIMIT], count=1), count=1)
    keyword = KEYWORD.match(words)
    return f"{keyword[1] or 'TODO'}: {words[keyword.end() :]}" if keyword else words


def before_colon(text: str) -> str:
    """Return what stands before the first colon of a text, also a wide one; the text where there is none."""
    return _COLON.split(text, maxsplit=1)[0]


def ticket_of(text: str) -> str:
    """Return the number of a tracker that a text begins with behind the signs of an item: `#57`, "" for none."""
    match = _TICKET.match(text)
    return match[1] if match else ""


def leads(words: str) -> bool:
    """True for words that end in a colon: they lead to what follows."""
    return words.rstrip("*_ \n").endswith((":", "："))


def label_of(text: str) -> re.Match[str] | None:
    """Return the label that a text begins with behind the signs of an item, whatever it names."""
    return LABEL.match(bare(text))


def behind_label(row: str) -> str:
    """Return the words of a line behind its label, whatever that names; all of it where it has none."""
    label = LABEL.match(row)
    return row[label.end() :] if label else row


def behind(label: re.Match[str]) -> str:
    """Return the words behind a label; where its bold goes on in them (`**Open: the gate.** ...`) without it."""
    rest = label.string[label.end() :]
    is_open = label[0].count("**") % 2 == 1 and rest.count("**") % 2 == 1
    return rest.replace("**", "", 1) if is_open else rest


def beginnings(words: str) -> Iterator[str]:
    """Yield a text, and its words behind what it is about, where it says so first (`Skill ids: ...`)."""
    yield words
    if subject := _SUBJECT.match(words):
        yield words[subject.end() :]


def tells(sentence: str, *sections: str) -> bool:
    """True if a sentence has a form of these sections, or has it behind what it is about."""
    return any(has(words, *sections) for words in beginnings(sentence))


def is_rule(words: str) -> bool:
    """True if the first sentence of a text, or that behind what it is about, lays down a rule."""
    return any(map(_begins_with_rule, beginnings(words)))


def lays_down(words: str, heading: str) -> bool:
    """True if a text begins with the first words of a rule (`Never ...`), or with a rule below a heading of such.

    A heading speaks of rules that has a word for them beside others: `Behaviour & rules`, `Workflow notes`.
    """
    sentence = _first_sentence(behind_label(words.partition("\n")[0]))
    if has(sentence, "rules.passes") or not _begins_with_rule(sentence):
        return False
    return has(sentence, "signs.rule begins", "signs.told rule") or has(heading, "signs.of work", "signs.of rules")


def decides(words: str) -> bool:
    """True if a text tells of a choice as one: a sentence begins with it, or says who made it (`Ana chose`).

    Of several lines, each with its label (`**Task:** ...`, `**Outcome:** ...`), one does.
    """
    rows = map(behind_label, words.split("\n")[:ROWS])
    return any(has(part, "signs.decides") for row in rows for part in _STOP.split(row))


def chooses(text: str) -> bool:
    """True if a text says that a choice was made."""
    return has(text[:LIMIT], *grammar.DECISION.sections)


def _begins_with_rule(words: str) -> bool:
    sentence = _first_sentence(words)
    return grammar.rule(sentence) >= 0 or has(sentence, "signs.lesson rule", "signs.told rule")


def _first_sentence(words: str) -> str:
    start, end = next(iter(sentences.spans(words)), (0, 0))
    return words[start:end].strip(" *_")
