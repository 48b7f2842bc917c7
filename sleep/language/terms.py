"""Terms: what a text speaks of, told by the form of its words alone.

Owns the recogniser: names (of code, files, people, products), ids, figures, and the words that carry meaning. Refuses
to say which of them matter: that takes a history (`salience`). A line is cut into tokens once and each token is looked
at once, by patterns that cannot run over each other, so the time is linear. All that is returned is casefolded.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon, stems
from sleep.language.tokenizer import has_wide, is_state, pairs, surface
from sleep.tuples import NamedTuple

_CODE = re.compile(r"`([^`\n]{2,80})`")
_EDGE = ".:'’-–—/&\\~"
_ENDS = (".", ":", "!", "?")
_DATE = r"\d{4}-\d\d-\d\d(?:t[\d:.]+(?:z|[+-][\d:]+)?)?"
_FIGURE = re.compile(rf"{_DATE}|[~≈+$€£¥-]{{0,2}}\d[\d.,:/%–-]*(?:[a-zµ%°]{{1,3}})?(?:/[a-z]{{1,4}})?", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+\.\d+(?:\.\d+)+(?::\d+)?|v\d+(?:\.\d+)*", re.IGNORECASE)  # and IP addresses
_HASH = re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # e.g, i.e, a.m
_JOINT = re.compile(r"[/:@+]|\.(?!\d)|-")
_HUMP = re.compile(r"[a-z][A-Z]")
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)*s?")
_FORMS = (_VERSION.fullmatch, _HASH.fullmatch, _ABBREVIATION.fullmatch, _HUMP.search)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST = 4  # words of one name; a longer run of capitals is a title, and is read as several
_LEAST = 3  # characters of a name or a word that tells something
_LONG = 160  # characters of a token that can still name something
_REQUEST = 3  # terms of one word that a request has; fewer are a "yes", a "go on" or a greeting
_STATEMENT = 6  # terms of what says anything; fewer are `Next task please.`, `ok next.`
_ARTICLES = frozenset({"the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "its"})


class Terms(NamedTuple):
    """The terms of a text by what they are.

    `names` are told by their form, `capitals` only by a capital inside a sentence, `figures` are numbers, dates and
    times, `words` are the words that carry meaning.
    """

    names: frozenset[str]
    capitals: frozenset[str]
    figures: frozenset[str]
    words: frozenset[str]


class _Sorts(NamedTuple):
    names: set[str]
    capitals: set[str]
    figures: set[str]
    words: set[str]


class _Token(NamedTuple):
    """What is known of a token by itself.

    `bare` is it without the signs around it. It may be part of a run of capitals (`is_capital`), and a run may go on
    behind it (`goes_on`); `ends` says that a sentence does.
    """

    bare: str
    is_capital: bool
    goes_on: bool
    ends: bool
    names: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def terms(text: str) -> frozenset[str]:
    """Return everything that a text speaks of, casefolded: its names, capitals, figures and words.

    How rare a term is, and so how much it tells, is the caller's to count: in how few fragments or instances it stands.
    """
    return frozenset().union(*find(text))


@lru_cache(maxsize=1 << 14)  # what is open is compared with each log
def light(text: str) -> frozenset[str]:
    """Return everything that a text speaks of, without endings."""
    return frozenset(map(stems.light, terms(text)))


def is_request(text: str) -> bool:
    """Return whether what a person says is more than an assent or a greeting."""
    return sum(" " not in term for term in terms(text)) >= _REQUEST


def is_telling(text: str) -> bool:
    """True for a text that says more than a few words."""
    return len(terms(text)) >= _STATEMENT


def names(text: str) -> frozenset[str]:
    """Return what names one thing by its form, of three characters or more.

    `code`, paths, URLs, file names, CamelCase, snake_case, ABBREVIATIONS, #123, @user, --flag, versions, hashes, ids of
    letters and digits, runs of two to four Capitalised Words; and the like inside of longer names, so that
    `src/read_item.py` is also `read_item`.
    """
    return find(text).names


@lru_cache(maxsize=1 << 8)  # `salience.mentions` keeps what it makes of them
def find(text: str) -> Terms:
    """Return the terms of a text, each under what it is."""
    sorts = _Sorts(set(), set(), set(), set())
    for line in text.split("\n"):
        for code in _CODE.finditer(line):
            inside = code[1].strip().casefold()
            if len(inside) >= _LEAST and any(map(str.isalpha, inside)):
                sorts.names.add(inside)
        _read(line, sorts)
    return Terms(*map(frozenset, sorts))


def _read(line: str, sorts: _Sorts) -> None:
    """Add the terms of one line; its spans of code are read like the rest, besides standing as wholes."""
    run: list[str] = []  # the capitalised words so far that have one space between them
    opening = first = True  # a sentence begins, where a capital says nothing; so it did where the run began
    end = -2  # of the last word of the run, if the run may go on behind it
    for match in surface().finditer(line):
        token = match[0]
        is_long = len(token) > _LONG
        if is_long and not has_wide(token[0]):
            continue  # a blob, a URL with a page of parameters: it names nothing
        bare, is_capital, goes_on, ends, names_, figures, words = _look(token) if is_long else _known(token)
        if is_capital:
            if _is_parted(run, line, end, match.start()):
                _close(run, sorts, first)
            first = first if run else opening
            run.append(bare)
            end = match.end() if goes_on else -2
        elif run:
            _close(run, sorts, first)
        opening = ends or (opening and not bare)
        if words:
            sorts.words.update(words)
        if names_:
            sorts.names.update(names_)
        if figures:
            sorts.figures.update(figures)
    _close(run, sorts, first)


def _is_parted(run: list[str], line: str, end: int, start: int) -> bool:
    """Return whether a capitalised word does not go on with a run that ends at `end`, one space before it."""
    return bool(run) and not (start == end + 1 and line[end] == " " and len(run) < _MOST)


def _look(token: str) -> _Token:
    """Return what is known of a token by itself."""
    bare = "" if is_state(token) else token.strip(_EDGE)
    ends = token.endswith(_ENDS)
    if not bare:
        return _Token("", is_capital=False, goes_on=False, ends=ends)
    sorts = _Sorts(set(), set(), set(), set())
    _sort(bare, token, sorts)
    return _Token(
        bare,
        (len(bare) > 1 and bare[0].isupper() and bare.isalpha()) and token[0] == bare[0],
        token[-1] == bare[-1],
        ends,
        tuple(sorts.names),
        tuple(sorts.figures),
        tuple(sorts.words),
    )


_known = lru_cache(maxsize=1 << 14)(_look)  # most tokens come again


def _close(run: list[str], sorts: _Sorts, first: bool) -> None:  # noqa: FBT001  # said where it is set
    """Add a run of capitalised words, with and without its article; one word only inside a sentence. Empty the run."""
    if len(run) > 1:
        sorts.names.add(" ".join(run).casefold())
        first = False
        if run[0].casefold() in _ARTICLES:
            del run[0]
            if len(run) > 1:
                sorts.names.add(" ".join(run).casefold())
    if len(run) == 1 and not first and not _is_formed(run[0]) and not _is_common(run[0].casefold()):
        sorts.capitals.add(_named(run[0]))
    run.clear()


def _sort(bare: str, token: str, sorts: _Sorts) -> None:
    """Put one token, without the signs around it, under what it is."""
    if has_wide(bare[0]):
        sorts.words.update(pairs(bare))
    elif _FIGURE.fullmatch(bare) and not _is_formed(bare):
        if len(bare) > 1:
            sorts.figures.add(bare.casefold())
    elif len(bare) < _LEAST:
        return
    elif token.startswith("--"):
        sorts.names.add(f"--{bare.casefold()}")
    elif _WORD.fullmatch(bare) and not _is_formed(bare):
        if not _is_common(folded := bare.casefold()):
            sorts.words.add(folded)
    else:
        sorts.names.update(map(_named, _nested_names(bare)))


def _nested_names(bare: str) -> set[str]:
    """Return the names that a token of several parts is and holds: `src/read_item.py`, `read_item`."""
    names = {part for part in _JOINT.split(bare) if len(part) >= _LEAST and _is_formed(part)}
    if names or "/" in bare or "_" in bare or _is_led(bare):
        names.add(bare)
    last = bare.rpartition("/")[2]
    if len(last) >= _LEAST and "." in last and _is_led(last):
        names.add(last)
    return names


def _is_common(word: str) -> bool:
    """True for a folded word that stands in texts about anything, and not only in questions."""
    return word in lexicon.words("common") or (
        word in lexicon.words("stop") and word not in lexicon.words("stop.search")
    )


def _named(bare: str) -> str:
    """Return how a name is told again: folded, an abbreviation in the singular."""
    singular = bare[-1] == "s" and _ABBREVIATION.fullmatch(bare)
    return (bare[:-1] if singular else bare).casefold()


def _is_led(bare: str) -> bool:
    """True for what a letter, `#` or `@` leads: main.md, k8s, #123; not for 12-hour, nor for a.m."""
    return (bare[0].isalpha() or bare[0] in "#@") and any(map(str.isalnum, bare)) and not _INITIALS.fullmatch(bare)


def _is_formed(part: str) -> bool:
    """True for a word that no prose writes: snake_case, CamelCase, ABBREVIATION, a version, a hash."""
    return "_" in part.strip("_") or any(form(part) for form in _FORMS)
