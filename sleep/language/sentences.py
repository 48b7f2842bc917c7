"""Where the sentences of a text on one line begin and end.

Owns the cut. A sentence ends at `.`, `!`, `?` or `…` where what follows does not go on in small letters, and at the
full stops of Chinese and Japanese; what closes a quotation, brackets or code belongs to it. Refuses abbreviations, the
numbers of lists, and what stands between two backticks.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = re.compile(r"\s*")
_CLOSING = 16  # characters behind a question mark, at most
_SIGN = "[.!?…]"
_SHORT = 9  # characters of an abbreviation, at most
# Not behind the number of an item.
_NUMBERS = (r"^\d", r"^\d\d", r"\s\d", r"\s\d\d", r"^\*\*\d", r"^\*\*\d\d", r"\s\*\*\d", r"\s\*\*\d\d")  # bold, too
_NO_END = "".join(rf"(?<!{before}{_SIGN})" for before in _NUMBERS)
_ASKS = re.compile(r"[?？][\"'”’)\]*_` ]*$")
# Most ends stand behind none of the signs that could make them none: these are told at once.
_ADDRESS = r"\[i\d[^\]]*\]\s*$"  # the last address belongs to the sentence before it: `It holds. [i7qxk.12]`
_BEHIND = rf"(?:(?<!\d{_SIGN})|{_NO_END})[\"')\]*`_”’“»]*(?=(\s+)(?!{_ADDRESS})[^\sa-z»])"
_PLAIN_END = re.compile(_SIGN + _BEHIND)
_STOP = re.compile(rf"\.{_BEHIND}")  # of a text without another sign, found much faster than one of several
_END = re.compile(rf"{_PLAIN_END.pattern}|[。！？][」』”’）]*(?!\s*{_ADDRESS})")
# Ends that the next sentence, in small letters, does not show: before a file's name, and where a person typed.
# What agents stream in parts lacks the blank between them: `The check is there.Now the tests.`, not `session.State is`.
_GLUED = (
    r"(?<=[a-zäöüß)`\"”][.!?])(?=(?:The|Now|I|Let|We|It|This|That|There|Then|If|But|And|So|Since|You|These|Those|They|Here"
    r"|Never|Always|Instead|Also)(?:['’]\w+)? [a-z`])"
)
_NAMED = re.compile(rf"{_GLUED}|(?<!\.\.)(?<=[.!?])[*_\"')\]]{{0,3}}\s+(?=[a-z][\w/-]*[._/][\w./-]*\w)")
_TYPED = re.compile(rf"{_GLUED}|(?<!\.\.)(?<=[^\d\s.][.!?])[\"')\]]{{0,3}}\s+(?=[a-z])")


def spans(text: str) -> list[tuple[int, int]]:
    """Return the runs (start, end) of the sentences, without the space between them; none for an empty text."""
    runs = []
    if text.isascii():  # what follows begins where the space behind an end ends
        pattern = _PLAIN_END if "?" in text or "!" in text else _STOP
        ends = [match.span(1) for match in pattern.finditer(text)]
    else:
        ends = [(match.end(), match.end(1)) for match in _END.finditer(text)]
    last = text.rfind("`")
    if last >= 0:
        ends = list(_outside(text, ends, last))
    at = len(text) - len(text.lstrip())
    for end, after in ends:
        if _abbreviations().search(text, max(0, end - _SHORT), end):
            continue
        if at < end:
            runs.append((at, end))
        at = after
        if after < 0:
            space = _SPACE.match(text, end)
            at = space.end() if space else end
    if at < len(text):
        runs.append((at, len(text)))
    return runs


@lru_cache(maxsize=1)
def _abbreviations() -> re.Pattern[str]:
    """Return what finds one that a text ends in: `Dr.`, `z. B.`, and any small letter that stands alone."""
    words = "|".join(sorted(lexicon.all_words("abbreviations")))
    return re.compile(rf"(?<![\w.])(?:[a-zа-я]|[a-zа-я]\.\s?[^\W\d_]|{words})\.$")


def _outside(text: str, ends: list[tuple[int, int]], last: int) -> Iterator[tuple[int, int]]:
    """Yield the ends that do not stand between two backticks; `last` is where the last of these stands."""
    looked = ticks = 0
    for end, after in ends:
        ticks += text.count("`", looked, end)
        looked = end
        if not ticks % 2 or end > last:
            yield end, after


def clauses(text: str, *, is_typed: bool) -> list[tuple[int, int]]:
    """Return the runs of the sentences as people write them to each other, without space around them.

    One may begin with a file's name, or in small letters where a person typed.
    """
    runs = []
    for start, stop in spans(text):
        at = looked = start
        ticks = 0
        for end in (*(_TYPED if is_typed else _NAMED).finditer(text, start, stop), None):
            until = end.start() if end else stop
            ticks += text.count("`", looked, until)
            looked = until
            if end and (ticks % 2 or _abbreviations().search(text, max(0, until - _SHORT), until)):
                continue
            bare = text[at:until].strip()
            first = text.index(bare, at) if bare else at
            runs.append((first, first + len(bare)))
            at = end.end() if end else stop
    return [(start, end) for start, end in runs if start < end]


def typed(text: str) -> list[str]:
    """Return the sentences of what a person typed, without space around them."""
    return [text[start:end] for start, end in clauses(text, is_typed=True)]


def first_typed(text: str) -> str:
    """Return the first sentence of what a person typed, "" for none."""
    return next(iter(typed(text)), "")


def asks(text: str) -> bool:
    """Return whether a text ends in a question mark, behind which only signs stand that close something."""
    return _ASKS.search(text[-_CLOSING:].rstrip()) is not None


def split(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in spans(text)]
