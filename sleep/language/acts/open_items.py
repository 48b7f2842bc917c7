"""Open items: what waits below a heading of questions or of blockers, whichever of the two it was listed under.

Owns telling what is asked from what is left to do, what is in the way and what is done: people list them together.
Refuses boxes, labels and headings: those are `classification`'s.
"""

from __future__ import annotations

import re

from sleep.language import sentences
from sleep.language.acts import first_words, grammar, kind_names
from sleep.language.acts.grammar import has

_MARK = re.compile(r"\w[\"'`*)\]”’ ]*[?？]+$")
HELD_UP = ("signs.held up", "signs.needs help")


def of_questions(words: str, *, asks: bool) -> str:
    """Return what an item of a list of questions is; an option, a remark of a talk and a lead are no record.

    `asks` is True for one that ends in a question.
    """
    if is_aside(words) or first_words.leads(words):
        return "note"
    if asks or has(words, "phrases.question", "signs.asks"):
        return "question"
    return kind(words, "question")


def is_closed(text: str) -> bool:
    """True for an item that a mark of its own says is done or dropped: `X (done)`, `X → fixed`, `DONE: X`, `X ✅`."""
    row = text.partition("\n")[0]
    return any(has(words.strip(), "signs.closed") for words in {row, text} if len(words) <= first_words.LIMIT)


def is_aside(words: str) -> bool:
    """True for what belongs to a question and is none: an option, a remark of a talk."""
    return is_option(words) or has(words, "signs.remarks")


def is_option(words: str) -> bool:
    """True for one of several ways: `Option B: go through the proxy`."""
    return has(words, "signs.option")


def bids(text: str) -> bool:
    """True for a paragraph that says what to do: below a heading of tasks stands also what explains them."""
    return first_words.tells(
        first_words.bare(text), "phrases.commanded", "phrases.left", "signs.left", *grammar.TASK.sections
    )


def kind(words: str, listed: str) -> str:
    """Return the kind of an item that waits: done, in the way or left to do, else the kind that it was listed under."""
    if has(words, "signs.done heading", "signs.done first"):
        return "change"
    if listed == "blocker" and has(words, "signs.blocks nothing"):
        return "note"
    if has(words, *grammar.BLOCKED.sections, *HELD_UP):
        return "blocker"
    return "task" if has(words, *grammar.TASK.sections, "phrases.left", "signs.left") else listed


def asks(text: str) -> bool:
    """True if the text ends in a question that nothing after it answers; a lone `?` stands for what is not known."""
    return bool(_MARK.search(text[-80:].rstrip().rstrip(" *_`\"'”’)]")))


def without_offer(text: str) -> str:
    """Return a text without the offer that it ends in (`Want me to push it?`): no answer to that is an answer too."""
    if not asks(text):
        return text
    start, _ = sentences.spans(text)[-1]
    return text[:start].rstrip() if has(text[start:], "phrases.offer") else text


def to_do(bare: str, words: str) -> str:
    """Return what stands behind a label of tasks: one, what is done, or a question (`Open: does flock hold there?`).

    An order to find out is a task, however it ends: `ask Ana: who has the key?`.
    """
    if has(words, "signs.done", "signs.closed") or has(bare, "signs.acted"):
        return "change"
    only_asks = all(each.rstrip(" *_").endswith(("?", "？")) for each in sentences.split(words) or [""])
    return "question" if only_asks and not has(words, "signs.inquires") else "task"


def labelled(label: str, words: str) -> str:
    """Return what stands behind a label of questions: one, or a note where it is an aside, or asks nothing.

    The latter is told to somebody: `Questions for Ana: All clear`.
    """
    is_asked = asks(words) or has(words, "phrases.question", "signs.asks")
    is_told = kind_names.without_owner(label) != label and not is_asked
    return "note" if is_aside(words) or is_told else "question"
