"""Which kinds of record a question asks for, and about what: `open questions about the parser`, `what is blocked?`.

Owns telling it by the forms `asks.kind.*` of the languages. Pure; refuses to look at a memory.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sleep.language import lexicon, stopwords, words
from sleep.language.acts.forms import form
from sleep.language.tokenizer import fold
from sleep.records.kinds import KINDS

if TYPE_CHECKING:
    from sleep.recall.question import Question
    from sleep.records.kinds import Kind

_WORD = re.compile(r"[^\s?!,;:？！，。、]+")
_FORMS = "asks.kind."
_LONGEST = 200  # characters of a question; what is longer is a task or a paste
_OPEN, _NEXT = "open", "next"  # forms that ask for several kinds
_HANDOFF = "handoff"


class KindRequest(NamedTuple):
    """What a question asks of the records.

    `kinds` are those it asks for; `terms` what it asks about, in order, none where it asks for all of them;
    `is_closed`: it asks for those that no longer bind.
    """

    kinds: tuple[str, ...]
    terms: tuple[str, ...]
    is_closed: bool

    @property
    def label(self) -> str:
        """The records as a person names them: `open questions, open doubts`."""
        return ", ".join(_label(KINDS[kind], is_closed=self.is_closed) for kind in self.kinds)


def parse(asked: Question) -> KindRequest | None:
    """Return what a question asks of the records, None where it asks for no kind of them."""
    rest = asked.text
    asks = [name for name in names() if form(_FORMS + name).search(rest)] if len(rest) <= _LONGEST else []
    if not asks:
        return None
    for name in asks:
        rest = form(_FORMS + name).written().sub(" ", rest)
    is_closed = form("asks.closed").search(rest)
    rest = form("asks.closed").written().sub(" ", rest)
    return KindRequest(kinds(asks[0]), _terms(asked, rest), is_closed)


def names() -> tuple[str, ...]:
    """Return the names of the forms: kinds, and those that ask for several. The first that a question has counts."""
    return tuple(name.removeprefix(_FORMS) for name in lexicon.names(_FORMS, "en"))


def kinds(name: str) -> tuple[str, ...]:
    """Return the kinds that a form asks for: its own, and those that share its heading."""
    if name == _OPEN:
        return tuple(kind for kind, known in KINDS.items() if known.unsettled)
    if name == _NEXT:
        return (_HANDOFF, *(kind for kind, known in KINDS.items() if known.part == _NEXT))
    own = KINDS[name]
    beside = (kind for kind, known in KINDS.items() if own.section and known.section == own.section and kind != name)
    return (name, *beside) if own.heads_section else (name,)


def _terms(asked: Question, rest: str) -> tuple[str, ...]:
    """Return the terms of a question that stand in what is left of it, without words that narrow nothing down."""
    spoken = (word for word in _WORD.findall(stopwords.without_small(rest)) if fold(word) not in _small())
    if asked.days:
        spoken = (word for word in spoken if not (word[:1].isdigit() or fold(word) in lexicon.all_words("months")))
    left = {term for word in spoken for term in words.terms(word)}
    return tuple(term for term in asked.terms if term in left and term not in asked.unmissed)


@lru_cache(maxsize=1)
def _small() -> frozenset[str]:
    return lexicon.all_words("asks.anything")


def _label(kind: Kind, *, is_closed: bool) -> str:
    state = ("closed " if is_closed else f"{kind.states[0]} ") if kind.states else ""
    return f"{state}{kind.plural.lower()}"
