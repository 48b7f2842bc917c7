"""Secrets that neither their own shape nor an English name before them gives away: forms that one word announces.

Owns the table of forms (what announces one, where its value stands, what a value must be), tables of Markdown with a
column of passwords, and the names of passwords in other languages. `redaction` asks here. Refuses to search a text
that does not hold the announcing word: that test runs at the speed of C.
"""

from __future__ import annotations

import re

from sleep.redaction import secret_rules as rules
from sleep.redaction.secret_rules import compiled
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import AnyStr

Span = tuple[int, int, str]
_ROWS = 200  # of a table
_BASE64 = rb"[A-Za-z0-9+/=]"


class Form(NamedTuple):
    """A form: a piece of it in lower case, where its value is (group 1), and what a value must be.

    The source is matched `back` characters before a place of the piece, which has no digit: `announced` has none.
    """

    kind: str
    piece: bytes
    back: int
    source: bytes
    genuine: Callable[[bytes], bool] = lambda _value: True


def _is_password(value: bytes) -> bool:
    return rules.passwordlike(value, quoted=False)


def _is_rich(value: bytes) -> bool:
    """True for a password that has a sign and a digit: behind a name alone much else may stand."""
    return _is_password(value) and compiled(rb"(?=.*[0-9]).*[!@#$%^&?+~=*]").match(value) is not None


_LINES = _BASE64 + rb"{20,}(?:(?:\r?\n|\\n)[ \t]{0,8}" + _BASE64 + rb"{16,})*"
_PHRASE = (  # NAME="several words and a 1": capitals alone, for a sentence that asks for a password is quoted too
    rb"[A-Z]{3,6}=[\"']((?=[^\"'\r\n]{0,99}[0-9])[^\"'\r\n ]{1,40}(?: [^\"'\r\n ]{1,40}){1,9})[\"']"
)
_PAIR = rb"(?:\w{11}|\w{5})[*_` ]{0,4}[:=][*_` ]{0,4}[\w.@+-]{2,80}`? / `?([^\s\"'`]{6,100})"  # name / password


def _is_private(value: bytes) -> bool:
    """True for a private key in PEM form in base 64, as settings of clusters and of CI hold it."""
    import base64  # late: hooks load this, and mostly never get here  # noqa: PLC0415

    return b"PRIVATE KEY" in base64.b64decode(value[:64])


_FORMS = (
    Form("password", b"credentials", 0, _PAIR, _is_rich),
    Form("password", b"login", 0, _PAIR, _is_rich),
    Form("azure-secret", b"q~", 4, rb"([\w~.]{3}\dQ~[\w~.-]{31,40})"),
    Form("azure-signature", b"sig=", 1, rb"[?&;]sig=([A-Za-z0-9%+/=_-]{40,120})"),
    Form("secret", b"django-insecure-", 0, rb"(django-insecure-[^\s\"'`]{20,80})"),
    Form("private-key", b"client-key-data", 0, rb"client-key-data[\"']?\s{0,4}:\s{0,4}[\"']?(" + _BASE64 + rb"{40,})"),
    Form("private-key", b"crudjti", 7, rb"(LS0tLS1CRUdJTi" + _LINES + rb")", _is_private),
    Form("private-key", b"blbnnzac", 2, rb"(b3BlbnNzaC1rZXktdjE" + _LINES + rb")"),
    Form("private-key", b"private-lines:", 0, rb"Private-Lines:\s{0,4}\d{1,4}(?:\s|\\+[nr]){1,9}(" + _LINES + rb")"),
    Form("api-key", b"flyv", 0, rb"FlyV1 (fm2_[\w+/=,-]{60,})"),
    Form("api-key", b"access_token$", 0, rb"(access_token\$(?:production|sandbox)\$\w{16}\$[0-9a-f]{32})"),
    Form("private-key", b"ibadan", 6, rb"(MII\w{3}IBADAN" + _LINES + rb")"),
    Form("private-key", b"ibaakc", 6, rb"(MII\w{3}IBAAKC" + _LINES + rb")"),
    Form("private-key", b"mighageamb", 0, rb"(MIGHAgEAMB" + _LINES + rb")"),
    Form("private-key", b"mhccaqeei", 0, rb"(MHcCAQEEI" + _LINES + rb")"),
    Form(
        "password",
        b"machine",
        0,
        rb"machine\s{1,4}\S{1,100}\s{1,8}login\s{1,4}\S{1,100}\s{1,8}password\s{1,4}(\S{4,200})",
        _is_password,
    ),
    Form("password", b"pwd=", 0, _PHRASE),
    Form("password", b"pass=", 0, _PHRASE),
    Form("password", b"word=", 0, _PHRASE),
)
_COOKIE = rb"(?i)cookie:[ \t]{0,4}([^\r\n\"']{1,4000})"
_CRUMB = rb"[\w.-]{1,80}=([^;\s]{8,2000})"
_HEAD = rb"\|[ *_`]{0,4}(?:pass(?:word|wort|wd|phrase)?|kennwort|pwd)[ *_`]{0,4}\|"
_RULE = rb"[ \t]{0,4}\|?[ \t]{0,4}:?-[-:| \t]{1,400}\n"  # of a table, below its head
# Names of passwords in other languages, as the start of a word that no case changes; `_FOREIGN` is matched there.
_ASCII = bytes(range(128))
_NAMES = {
    name: name.encode().translate(None, _ASCII)
    for name in ("ontraseña", "密码", "密碼", "口令", "パスワード", "비밀번호", "ароль")
}
_ASCII_NAMES = (b"kennwort", b"passwort", b"mot de passe", b"senha")
_COPULA = r"(?:ist|lautet|war|es|est|era|était|é|это|—|–|是|为|為|は|が|:|：|=)"
_FOREIGN = (
    rf"(?i)(?:{'|'.join(_NAMES)}|kennwort|passwort|mot de passe|senha)[*_`\"'»“”]{{0,3}}"
    rf"(?: [^\s:=：]{{1,20}}){{0,4}}?[ \t]{{0,2}}{_COPULA}{{1,2}}[ \t*_]{{0,4}}[\"'`„“«]?"
    r"([^\s\"'`<>«»“”，。、；|]{6,200})"
)
_cache: dict[str, re.Pattern[str]] = {}


# What announces a form, by a sign that is rare in texts and stands in several of them; "" for those that share none.
_SIGNS = (b"=", b"~", b"-", b":")
# Of several words the last: which words stand beside each other, a text's words alone do not tell.
_ANNOUNCED = tuple(
    piece.split()[-1] for piece in (*(form.piece for form in _FORMS), b"cookie:", b"-|", b"- |", *_ASCII_NAMES)
)
_BY_SIGN = tuple((sign, tuple(piece for piece in _ANNOUNCED if sign in piece)) for sign in _SIGNS)
_WITHOUT = tuple(piece for piece in _ANNOUNCED if not any(sign in piece for sign in _SIGNS))


def announced(words: bytes) -> set[bytes]:
    """Return the words that announce a form and stand in a text's words: at the speed of C, for most hold none."""
    pieces = {piece for piece in _WITHOUT if piece in words}
    for sign, own in _BY_SIGN:
        if sign in words:
            pieces.update([piece for piece in own if piece in words])
    return pieces


def find(text: str, raw: bytes, low: bytes, pieces: Container[bytes]) -> Iterator[Span]:
    """Yield start, end and kind of the secrets in forms; `raw` is the text's projection, `low` that in lower case.

    `pieces` are the words that are `announced` in it; a text that is not ASCII may hold others.
    """
    for form in _FORMS:
        for at in places(low, form.piece, pieces):
            hit = compiled(form.source).match(raw, max(0, at - form.back))
            if hit and form.genuine(hit[1]) and not rules.placeholder(hit[1][:200]):
                yield (*hit.span(1), form.kind)
    for at in places(low, b"cookie:", pieces):
        yield from _crumbs(raw, at)
    if b"-|" in pieces or (b"|" in pieces and b"- |" in low):
        yield from _cells(raw, low)
    yield from _foreign(text, low, pieces)


def _crumbs(raw: bytes, at: int) -> Iterator[Span]:
    """Yield the values of a header's cookies that are keys: `theme=dark` is none."""
    header = compiled(_COOKIE).match(raw, at)
    for crumb in compiled(_CRUMB).finditer(raw, *header.span(1)) if header else ():
        if rules.keylike(crumb[1].removeprefix(b"s%3A"), 12):
            yield (*crumb.span(1), "cookie")


def _cells(raw: bytes, low: bytes) -> Iterator[Span]:
    """Yield the passwords in the column of that name of a Markdown table."""
    for head in compiled(_HEAD).finditer(low):
        start, end = low.rfind(b"\n", 0, head.start()) + 1, low.index(b"\n", head.end() - 1)
        rule = compiled(_RULE).match(low, end + 1)
        if rule is None:
            continue
        column = low.count(b"|", start, head.start() + 1)
        at = rule.end()
        for _ in range(_ROWS):
            end = raw.find(b"\n", at)
            cells = raw[at:end].split(b"|") if end > 0 else []
            if len(cells) <= column:
                break
            value = cells[column].strip(b" \t*_`")
            if value and rules.keeps(value, "password", "prose", quoted=False):
                begin = raw.index(value, at + sum(len(cell) + 1 for cell in cells[:column]))
                yield begin, begin + len(value), "password"
            at = end + 1


def _foreign(text: str, low: bytes, pieces: Container[bytes]) -> Iterator[Span]:
    """Yield what a sentence or a label in another language tells as a password: more than letters alone."""
    starts = [at for name in _ASCII_NAMES for at in places(low, name, pieces)]
    if not text.isascii():
        signs = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)  # few, beside all of a text
        starts += [at for name, sign in _NAMES.items() if sign in signs for at in places(text, name, name)]
    for start in starts:
        pattern = _cache.get(_FOREIGN) or _cache.setdefault(_FOREIGN, re.compile(_FOREIGN))
        hit = pattern.match(text, start)
        value = hit[1].rstrip(".,;:)") if hit else ""
        if hit and value.isascii() and rules.passwordlike(value.encode(), quoted=False):
            yield hit.start(1), hit.start(1) + len(value), "password"


def places(text: AnyStr, piece: AnyStr, words: AnyStr | Container[AnyStr]) -> Iterator[int]:
    """Yield where a piece stands in a text; nowhere where the last of its words does not stand in `words`."""
    at = text.find(piece) if piece.split()[-1] in words else -1
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)
