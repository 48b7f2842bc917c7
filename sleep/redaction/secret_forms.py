"""Secrets that neither their own shape nor an English name before them gives away: forms that one word announces.

Owns the table of forms (what announces one, where its value stands, what a value must be), and the labels by which
people name secrets in eleven languages; `secret_labels` judges what stands behind those. Refuses to search a text that
does not hold the announcing word: that test runs at the speed of C.
"""

from __future__ import annotations

from sleep.redaction import secret_rules as rules
from sleep.redaction.secret_rules import compiled
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import AnyStr

Span = tuple[int, int, str]
_BASE64 = rb"[A-Za-z0-9+/=]"


class Form(NamedTuple):
    """A form: a piece of it in lower case, where its value is (group 1), and what a value must be.

    The source is matched `back` characters before a place of the piece, which has no digit: `announced` has none.
    """

    kind: str
    piece: bytes
    back: int
    source: bytes
    genuine: Callable[[bytes], bool] = lambda value: not rules.placeholder(value[:200])


def _is_password(value: bytes) -> bool:
    return rules.passwordlike(value, quoted=False) and not rules.placeholder(value)


def _is_rich(value: bytes) -> bool:
    """True for a password that has a sign and a digit: behind a name alone much else may stand."""
    return _is_password(value) and compiled(rb"(?=.*[0-9]).*[!@#$%^&?+~=*]").match(value) is not None


_LINES = _BASE64 + rb"{20,}(?:(?:\r?\n|\\n)[ \t]{0,8}" + _BASE64 + rb"{16,})*"
_PHRASE = (  # NAME="several words and a 1": capitals alone, for a sentence that asks for a password is quoted too
    rb"[A-Z]{3,6}=[\"']((?=[^\"'\r\n]{0,99}[0-9])[^\"'\r\n ]{1,40}(?: [^\"'\r\n ]{1,40}){1,9})[\"']"
)
_PAIR = rb"(?:\w{11}|\w{5})[*_` ]{0,4}[:=][*_` ]{0,4}[\w.@+-]{2,80}`? / `?([^\s\"'`]{6,100})"  # name / password

# `PIN: 4711`, `Der PIN lautet 2580`, `PIN?: 6688` of Chinese: capitals, for a pin of a chip has a number too.
_PIN_NAME = rb"(?<![A-Za-z_])(?:PIN|PUK|Pin(?=[:-])|(?<=my )pin(?= is))(?:[- ]?[Cc]ode)?\?{0,2}[\"'*`)]{0,3}"
_PIN = (
    _PIN_NAME + rb"(?: (?:of|for|der|des|du|de|von)(?: [\w?]{2,16}){1,2})?"
    rb"(?:[ \t]{0,2}[:=]|(?: is| ist| est| lautet)(?: now)?:?)?[ \t*`\"']{0,4}"
    rb"([0-9]{4,8})(?=[\"'`*)]{0,3}(?:[.,;!]?(?:\s|\Z)))(?! (?!for\b|f\?r\b|pour\b)\w)"
)
_MAIL_PAIR = rb"(?i)login[a-z *_`:=]{1,16}[\w.+-]{1,64}@[\w.-]{3,64}`? / `?([^\s\"'`]{4,100})"


def _is_private(value: bytes) -> bool:
    """True for a private key in PEM form in base 64, as settings of clusters and of CI hold it."""
    import base64  # late: hooks load this, and mostly never get here  # noqa: PLC0415

    return b"PRIVATE KEY" in base64.b64decode(value[:64])


_ARGUMENT = rb"[\"']?([^\s\"'|;&]{4,100})"
# Commands that take a password by its place: a word of the command, and the command up to the password.
_COMMANDS = (
    (b"echo", rb"echo (?:-n )?[\"']?[\w.-]{1,64}:([^\s\"']{4,100})[\"']? ?\| ?(?:sudo )?chpasswd\b"),
    (
        b"echo",
        rb"echo (?:-n )?" + _ARGUMENT + rb"[\"']? ?\| ?(?:sudo -S|(?:docker|podman|helm)\b[^\n|]{1,120}-stdin)",
    ),
    (b"zip", rb"(?:(?<![\w.-])|(?<=un))zip(?= )[^\n|;&]{0,80} -P ?" + _ARGUMENT),  # not `wget .../a.zip -P folder1`
    (b"htpasswd", rb"htpasswd -[A-Za-z]{0,6}b[A-Za-z]{0,6} [^\s-]\S{0,99} \S{1,64} " + _ARGUMENT),
    (b"-pw", rb"-pw[ =]" + _ARGUMENT),
    (b"-pass", rb"-pass(?:in|out)?[ =]pass:([^\s\"']{4,100})"),
    (b"requirepass", rb"requirepass[ \t]{1,4}" + _ARGUMENT),
    (b"psk=", rb"psk=[\"']([^\"'\s]{8,63})[\"']"),
    (b"_pwd=", rb"_(?:PWD|pwd)=" + _ARGUMENT),
)

_FORMS = (
    Form("password", b"credentials", 0, _PAIR, _is_rich),
    Form("password", b"login", 0, _PAIR, _is_rich),
    Form("password", b"login", 0, _MAIL_PAIR, rules.is_short),
    Form("pin", b"pin", 0, _PIN, lambda _: True),
    Form("pin", b"puk", 0, _PIN, lambda _: True),
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
    *(Form("password", piece, 0, source, rules.is_short) for piece, source in _COMMANDS),
    Form("password", b"pwd=", 1, rb"[;\"']Pwd=([^;\"'\s]{4,128})(?=[;\"'\s])", rules.is_short),
    Form("password", b"pwd=", 0, _PHRASE),
    Form("password", b"pass=", 0, _PHRASE),
    Form("password", b"word=", 0, _PHRASE),
)
_COOKIE = rb"(?i)cookie:[ \t]{0,4}([^\r\n\"']{1,4000})"
_CRUMB = rb"[\w.-]{1,80}=([^;\s]{8,2000})"
# What a person's label promises, and its names by language, in small letters; `secret_labels` reads what stands behind.
PASSWORD, KEY, CODE, PHRASE = "password", "api-key", "one-time-code", "seed-phrase"
NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    PASSWORD: {
        "de": ("passwort", "kennwort"),
        "en": ("password", "passcode", "passphrase", "pw", "pwd"),
        "es": ("contraseña",),
        "fr": ("mot de passe", "mdp", "code d'accès"),
        "it": ("password",),
        "ja": ("パスワード", "合言葉"),
        "ko": ("비밀번호", "패스워드", "암호"),
        "nl": ("wachtwoord",),
        "pt": ("senha", "palavra-passe"),
        "ru": ("пароль",),
        "zh": ("密码", "密碼", "口令"),
    },
    KEY: {
        "de": ("schlüssel",),
        "fr": ("clé api", "clé d'api", "clé secrète"),
        "ja": ("apiキー", "秘密鍵", "トークン"),
        "ko": ("api 키", "토큰"),
        "ru": ("ключ api", "api-ключ", "api ключ", "токен"),
        "zh": ("密钥", "密鑰", "令牌"),
    },
    CODE: {
        "de": ("bestätigungscode",),
        "en": ("verification code",),
        "es": ("código de verificación",),
        "fr": ("code de vérification",),
        "ja": ("確認コード", "認証コード", "暗証番号"),
        "ko": ("인증번호", "인증 코드"),
        "pt": ("código de verificação",),
        "ru": ("код подтверждения",),
        "zh": ("验证码", "驗證碼"),
    },
    PHRASE: {
        "zh": ("助记词", "助記詞"),
    },
}
_BY_NAME = {name: kind for kind, tongues in NAMES.items() for names in tongues.values() for name in names}
_ASCII = bytes(range(128))
# The bytes of UTF-8 that begin no letter of a name: ASCII, what goes on, punctuation and arrows, pictures.
_LETTERLESS = bytes((*range(0xC0), 0xE2, *range(0xF0, 0x100)))
_OTHERS = tuple(  # the signs of a name that is not ASCII, in one of its cases, the name, and what it promises
    (sign, name, kind)
    for name, kind in _BY_NAME.items()
    if not name.isascii()
    for sign in {form.encode().translate(None, _ASCII) for form in (name, name.capitalize(), name.upper())}
)
# A rare piece of a text's words, and the names of ASCII that have it: most texts hold none.
_LATIN = tuple(
    (piece, tuple((name.encode(), kind) for name, kind in _BY_NAME.items() if piece in name.encode()))
    for piece in b"pass pw nnwort woord senha mdp verification".split()
)
_BEFORE = frozenset(b"_.$-\\\"'")  # behind these a name is a piece of code, an option or a path
_INSIDE = frozenset((b"mdp", b"pw", b"pwd", b"password"))  # names that stand in other words
_PAIR_BEFORE = rb"(?:\A|[\s*_`(|>])[a-z]{2,12} ?/ ?\Z"  # `login/password`, and no path


# Of several words the last: which words stand beside each other, a text's words alone do not tell.
_ANNOUNCED = tuple(dict.fromkeys(piece.split()[-1] for piece in (*(form.piece for form in _FORMS), b"cookie:")))


def announced(words: bytes) -> set[bytes]:
    """Return the words that announce a form and stand in a text's words: at the speed of C, for most hold none."""
    return {piece for piece in _ANNOUNCED if piece in words}


def find(raw: bytes, low: bytes, pieces: Container[bytes]) -> Iterator[Span]:
    """Yield start, end and kind of the secrets in forms; `raw` is the text's projection, `low` that in lower case.

    `pieces` are the words that are `announced` in it; a text that is not ASCII may hold others.
    """
    for form in _FORMS:
        for at in places(low, form.piece, pieces):
            hit = compiled(form.source).match(raw, max(0, at - form.back))
            if hit and form.genuine(hit[1]):
                yield (*hit.span(1), form.kind)
    for at in places(low, b"cookie:", pieces):
        yield from _crumbs(raw, at)


def _crumbs(raw: bytes, at: int) -> Iterator[Span]:
    """Yield the values of a header's cookies that are keys: `theme=dark` is none."""
    header = compiled(_COOKIE).match(raw, at)
    for crumb in compiled(_CRUMB).finditer(raw, *header.span(1)) if header else ():
        if rules.keylike(crumb[1].removeprefix(b"s%3A"), 12):
            yield (*crumb.span(1), "cookie")


def labels(text: str, low: bytes, words: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and promise of the labels of secrets in a text: names in words, none in code."""
    for piece, own in _LATIN:
        if piece in words:
            for name, kind in own:
                for at in places(low, name, words):
                    if at == 0 or _begins(low, at, name):
                        yield at, at + len(name), kind
    if not text.isascii():
        raw = text.encode("utf-8", "surrogatepass")
        signs = raw.translate(None, _ASCII) if raw.translate(None, _LETTERLESS) else b""  # few, beside all of a text
        others = {label: promise for sign, label, promise in _OTHERS if sign in signs}
        small = text.lower() if others else ""
        for sign, promise in others.items() if len(small) == len(text) else ():
            for at in places(small, sign, small):
                yield at, at + len(sign), promise


def _begins(low: bytes, at: int, name: bytes) -> bool:
    """Say whether a name of ASCII begins a word of a sentence here, or of a label of two: `login/password`."""
    before = low[at - 1]
    if before in _BEFORE or (name in _INSIDE and low[at - 1 : at].isalnum()):
        return False
    return before != ord("/") or compiled(_PAIR_BEFORE).search(low, max(0, at - 16), at) is not None


def places(text: AnyStr, piece: AnyStr, words: AnyStr | Container[AnyStr]) -> Iterator[int]:
    """Yield where a piece stands in a text; nowhere where the last of its words does not stand in `words`."""
    at = text.find(piece) if piece.split()[-1] in words else -1
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)
