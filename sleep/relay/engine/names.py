"""Names of agents and channels: which are allowed, and which two are one to the eye.

Owns the alphabet (letters, digits and marks of any one script, `-` and `_`), the reserved names and the skeleton under
which a name is unique: case, accents, look-alikes (0 and O; 1, l, I and i; rn and m; vv and w; letters of Cyrillic and
Greek that look like Latin ones) and the two dashes do not tell names apart. A name in two scripts is none, but for
those that are written together: so no letter stands in for one of another script. A part of what UTS 39 asks for.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

NAME, NICK, CHANNEL = 32, 24, 32  # characters at most; a channel's with its sign
_PLAIN = re.compile(r"[A-Za-z0-9_-]++")
_KEYED = re.compile(r"[2-9a-fol]{16}")  # as a skeleton
_LOOKS = dict(
    zip(
        "авеԁһіїјкмнорсԛѕтухԝʏӏүıαβεικνορϲτυχγηω",
        "abedhlljkmhopcqstyxwylylabelkvopctuxynw",
        strict=True,
    )
)
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "_": "-", "ー": "-", "一": "-", **_LOOKS})
_ACCENT = re.compile("[\u0300-\u036f]+")
_MARKS = 3  # in a row, above or below one letter
# Letters and marks that show nothing.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")
_EAST_ASIA = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "LATIN"})
_TOGETHER = ({"HANGUL", "CJK", "LATIN"}, {"BOPOMOFO", "CJK", "LATIN"}, {"HIRAGANA", "KATAKANA", "CJK", "LATIN"})
_SAME = {"IDEOGRAPHIC": "CJK", "KATAKANA-HIRAGANA": "KATAKANA", "ARABIC-INDIC": "ARABIC", "EXTENDED": "ARABIC"}
_COMMON = frozenset({"COMBINING", "MODIFIER", "DIGIT", "LOW", "HYPHEN-MINUS"})
_UNSPACED = frozenset({*_EAST_ASIA, "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"} - {"LATIN"})


def fold(name: str) -> str:
    """Return a name as it is compared: without its case, and however its signs are put together."""
    return name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


def skeleton(name: str) -> str:
    """Return what is left of a name when what the eye may confuse is made one; names of one skeleton are one name."""
    if name.isascii():
        plain = name.lower()
    else:
        plain = _ACCENT.sub("", unicodedata.normalize("NFKD", name).casefold())
        plain = unicodedata.normalize("NFC", plain)
    return plain.translate(_ALIKE).replace("rn", "m").replace("vv", "w")


RESERVED = frozenset(
    map(skeleton, ("server", "admin", "system", "root", "moderator", "mod", "bot", "agentchat", "operator"))
)


def refusal(name: str, *, nick: bool = False) -> str:
    """Return why a name cannot be had by anybody, "" if it can."""
    most = NICK if nick else NAME
    if len(name) > most or not _is_word(name):
        return f"a name has 1 to {most} letters and digits of one script, - and _"
    if skeleton(name) in RESERVED:
        return f"the name {name} is reserved"
    if _KEYED.fullmatch(skeleton(name)):
        return f"the name {name} has the form of an id"
    return ""


def is_channel(name: str) -> bool:
    """Return whether this can be a channel's name, `#` included."""
    return name.startswith("#") and len(name) <= CHANNEL and _is_word(name[1:])


def words(run: str) -> list[str]:
    """Return what a mention may mean whose signs are these, the longest first.

    It ends where no sign of a name stands. Where words are written without a space between them, it may end anywhere.
    """
    if run.isascii():
        return [run]
    name = unicodedata.normalize("NFC", run[: 2 * NAME])
    end = next((at for at, sign in enumerate(name) if not _is_sign(sign)), len(name))
    ends = {end, *(at for at in range(1, min(end, NAME + 1)) if _script(name[at]) in _UNSPACED)}
    return [name[:at] for at in sorted(ends, reverse=True) if at]


def _is_word(name: str) -> bool:
    if name.isascii():
        return bool(_PLAIN.fullmatch(name))
    if name != unicodedata.normalize("NFKC", name) or not all(map(_is_sign, name)) or _UNSEEN.search(name):
        return False
    kinds = "".join(unicodedata.category(sign)[0] for sign in name)
    if kinds.startswith("M") or "M" * (_MARKS + 1) in kinds:
        return False
    scripts = {_script(sign) for sign in name} - _COMMON
    return len(scripts) <= 1 or any(scripts <= group for group in _TOGETHER)


@lru_cache(4096)
def _is_sign(sign: str) -> bool:
    return sign in "-_" or unicodedata.category(sign) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd")


@lru_cache(4096)
def _script(sign: str) -> str:
    """Return the script of a sign, as the first word of its name in Unicode says it."""
    first = unicodedata.name(sign, "?").split(" ")[0].removesuffix(":")
    return _SAME.get(first, first)
