"""Which records a question asks for: those of a kind (`open questions on the parser`), of a day, of a session.

Owns telling it by the forms `asks.kind.*`, `asks.session` and their like, and by the name of a kind (`rules`). Pure;
refuses to look at a memory.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.language import lexicon, stopwords, words
from sleep.language.acts import kind_names
from sleep.language.acts.forms import form
from sleep.language.tokenizer import fold, has_wide
from sleep.recall import periods
from sleep.records.kinds import KINDS, is_record

if TYPE_CHECKING:
    from sleep.recall.question import Question

_WORD = re.compile(r"[^\s?!,;:？！，。、]+")
_FORMS = "asks.kind."
_LONGEST = 200  # characters of a question; what is longer is a task or a paste
_OPEN, _NEXT = "open", "next"  # forms that ask for several kinds
_HANDOFF = "handoff"
_SHOWN = ("handoff", "insight", "fix")  # kinds that people ask for by name, besides records
_NUMBER = re.compile("[0-9]+")
LAST = "last"  # the instance of the last session
_VOICE = "asks.voice"
_SINCE = "periods.since"
_NEAR = 4  # characters behind the name of an instance
_OF_SESSION = ("asks.session", "asks.instance")


class ListRequest(NamedTuple):
    """What a question asks of the records.

    `kinds` are those it asks for, none where it asks for whatever is there; `terms` what it asks about, in order, none
    where it asks for all of them; `is_closed`: it asks for those that no longer bind; `instance` is whose it asks for:
    a number, `LAST`, or "" for those of all; `is_since`: it asks for those of all later instances, too; `is_purpose`:
    it asks what the project is for, `is_voice`: what the person of a session said.
    """

    kinds: tuple[str, ...]
    terms: tuple[str, ...] = ()
    is_closed: bool = False
    instance: str = ""
    is_purpose: bool = False
    is_voice: bool = False
    is_since: bool = False

    @property
    def is_next(self) -> bool:
        """Whether it asks for what comes next: the last handoff beside what is open."""
        return self.kinds[:1] == (_HANDOFF,) and len(self.kinds) > 1

    def label(self, link: str) -> str:
        """Return the records as a person names them, with `and` or `or`: `open questions and doubts of instance 29`."""
        names: list[str] = []
        before = ""
        for kind in self.kinds:
            known = KINDS[kind]
            state = "" if not known.states else "closed" if self.is_closed else known.states[0]
            plural = known.plural.lower()
            plural += "s" if plural == kind and not self.is_next else ""
            names.append(f"{state} {plural}" if state != before else plural)
            before = state
        *first, last = names
        joined = f"{', '.join(first)} {link} {last}" if first else last
        return f"{joined} of {self.session}" if self.instance else joined

    @property
    def session(self) -> str:
        """The session that is asked for, as a person names it."""
        later = " and later" if self.is_since else ""
        return "the last session" if self.instance == LAST else f"instance {self.instance}{later}"


def parse(asked: Question) -> ListRequest | None:
    """Return what a question asks of the records, None where it asks for no list of them."""
    rest = asked.text
    if len(rest) > _LONGEST:
        return None
    if form("asks.purpose").search(rest):
        return ListRequest((), is_purpose=True)
    asks = [name for name in names() if _is_asked_by(name, rest)]
    instance = _instance(rest)
    is_since = _asks_since(asked, instance)
    for section in (*(_FORMS + name for name in asks), *_of_session(instance, is_since=is_since)):
        rest = form(section).written().sub(" ", rest)
    if not asks and form(_VOICE).search(rest):
        return _voice(asked, rest, instance)
    if not asks and (named := _named(rest, is_of_session=bool(instance))):
        asks, rest = [named[0]], named[1]
    if not (asks or instance or asked.days):
        return None
    return _of_all_since(_request(asked, asks, rest, instance), is_since=is_since)


def _of_all_since(request: ListRequest | None, *, is_since: bool) -> ListRequest | None:
    """Return a request for an instance as one for it and all later ones, where a question says `since`."""
    return request._replace(is_since=True) if request and is_since and request.instance else request


def _voice(asked: Question, rest: str, instance: str) -> ListRequest:
    """Return what is asked of the words of a session's person."""
    rest = form(_VOICE).written().sub(" ", rest)
    small = _small([], instance) | frozenset(map(fold, lexicon.all_words("asks.said")))
    return ListRequest((), _terms(asked, rest, small), instance=instance, is_voice=True)


def _request(asked: Question, asks: list[str], rest: str, instance: str) -> ListRequest | None:
    """Return what is asked of the first kind, or of an instance, by what is left of a question."""
    rest = form("asks.standing").written().sub(" ", rest)
    is_closed = form("asks.closed").search(rest)
    rest = form("asks.closed").written().sub(" ", rest)
    terms = _terms(asked, rest, _small(asks, instance))
    if asks:
        return ListRequest(kinds(asks[0]), terms, is_closed, "" if asks[0] == _NEXT else instance)
    return ListRequest((), terms, instance=instance) if instance or not terms else None


def _named(text: str, *, is_of_session: bool) -> tuple[str, str] | None:
    """Return the kind whose name a question begins with, and what is left of it: `rules`, `Regeln zu Tests`.

    Nothing or a small word stands behind the name. In a script without spaces the name is what ends it.
    """
    spoken = stopwords.without_small(text).split() if has_wide(text) else _WORD.findall(text)
    if has_wide(text):
        name, rest = "".join(spoken[-1:]), spoken[:-1]
    else:
        before = lexicon.all_words("asks.anything", "topic.determiners", *(["stop"] if is_of_session else []))
        spoken = [*itertools.dropwhile(lambda word: fold(word) in before, spoken)]
        behind = lexicon.all_words("stop", "asks.anything", *(["asks.acts"] if is_of_session else []))
        own = [*itertools.takewhile(lambda word: fold(word) not in behind, spoken)]
        name, rest = " ".join(own), spoken[len(own) :]
    if not kind_names.is_name(name):
        return None
    from sleep.records import classification  # late: 20 ms, and few questions begin so  # noqa: PLC0415

    kind = classification.heading_kind(name)
    return (kind, " ".join(rest)) if kind in _SHOWN or is_record(kind) else None


def _small(asks: list[str], instance: str) -> frozenset[str]:
    """Return the words that narrow nothing down in such a question."""
    acts = ("asks.happened", "asks.acts") if instance else () if asks else ("asks.happened",)
    return frozenset(map(fold, lexicon.all_words("asks.anything", *acts)))


def _instance(text: str) -> str:
    """Return the number of the instance that a question names, `LAST` for the last session, "" for none."""
    span = form("asks.instance").span(text)
    if span and not _is_of_something(text, span[1]):
        return session_number(text)
    return LAST if form("asks.session").search(text) else ""


def _asks_since(asked: Question, instance: str) -> bool:
    """Return whether a `since` stands before the instance of a question, in a script without spaces behind it.

    Where the question names a day, the `since` is of that.
    """
    if asked.days or instance in ("", LAST):
        return False
    first, end = form("asks.instance").span(asked.text) or (0, 0)
    behind = asked.text[end:]
    return form(_SINCE).search(asked.text[:first]) or (has_wide(behind) and form(_SINCE).search(behind[:_NEAR]))


def _of_session(instance: str, *, is_since: bool) -> tuple[str, ...]:
    """Return the forms of the words of a question that name its session."""
    return (*_OF_SESSION, _SINCE) if is_since else _OF_SESSION if instance else ()


def session_number(text: str) -> str:
    """Return the number of the first session that a text names, whosever it is: `12` of `Session 12`, "" for none."""
    span = form("asks.instance").span(text)
    number = _NUMBER.search(text, *span) if span else None
    return str(int(number[0])) if number else ""


def _is_of_something(text: str, end: int) -> bool:
    """Return whether what looks like an instance, and ends there, is one of something: `session 12 of the course`."""
    after = _WORD.search(text, end)
    # In English `do` asks (`what did instance 9 do about undo`), in Portuguese it is `of the`.
    parts = lexicon.all_words("asks.part") - lexicon.words("asks.happened")
    return after is not None and fold(after[0]) in parts


def _is_asked_by(name: str, text: str) -> bool:
    """Return whether a form finds its records in a question that does not ask for a fact about them before.

    `where did we leave off` asks for what is next by its `where`, `where is the todo list` for a place.
    """
    span = form(_FORMS + name).span(text)
    if span is None:
        return False
    fact = form("asks.fact").span(text)
    return fact is None or (span[0] < fact[1] and fact[0] < span[1])


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


def _terms(asked: Question, rest: str, small: frozenset[str]) -> tuple[str, ...]:
    """Return the terms of a question that stand in what is left of it, without words that narrow nothing down."""
    if asked.days:
        rest = periods.without_named(form("periods.since").written().sub(" ", rest))
        small |= frozenset(map(fold, lexicon.all_words("months")))
    rest = stopwords.without_small(rest).replace("’", "'")
    spoken = (word for word in _WORD.findall(rest) if fold(word) not in small)
    left = {term for word in spoken if not (asked.days and word[:1].isdigit()) for term in words.terms(word)}
    return tuple(term for term in asked.terms if term in left and term not in asked.unmissed)
