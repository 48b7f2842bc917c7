"""What a secret looks like: the names that promise one, and the judgement of a value.

Owns the tables of names and the tests of one value; `secret_scan` walks the text and asks here. Refuses to look at a
whole text, and to call a value secret for its randomness alone: identifiers of requests, documents and wallets,
signatures and integrity hashes are as random as keys, and agents write about them all day.

Everything works on bytes, the ASCII projection that `redaction` makes of a text.
"""

from __future__ import annotations

import re

# Kinds that say little: where two rules meet, the other one names the secret.
GENERAL = frozenset(
    ("password", "secret", "token", "credential", "api-key", "authorization", "bearer-token", "environment")
)

# After `://`. The group is the secret.
URLS = (
    ("url-password", rb"""[^\s/?#:@"'`<>\\]{0,128}:([^\s/"'`<>\\]{3,256})@(?=[\w.\[$-])"""),
    ("slack-webhook", rb"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,255})"),
    ("discord-webhook", rb"(?:\w{1,10}\.)?discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(\d{15,21}/[\w-]{40,100})"),
    ("webhook", rb"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=([0-9a-f-]{36})"),
    ("webhook", rb"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v\d/hook/([0-9a-f-]{36})"),
    ("telegram-token", rb"api\.telegram\.org/(?:file/)?bot([0-9]{8,10}:[\w-]{35})"),
    ("webhook", rb"hooks\.zapier\.com/hooks/catch/(\d{4,12}/\w{5,20})"),
    ("webhook", rb"[\w-]{1,60}\.webhook\.office\.com/webhookb2/([\w@/-]{60,300})"),
)

# A name and its value, from the end of the word that promises a secret ("pass", "key", "token", "secret", "cred",
# "pwd") to the first character of the value. One form a group; the text is in lower case.
_QUOTE = rb"""\\{0,7}["'`]"""
_CLOSE = rb"(?:" + _QUOTE + rb"|\*{1,3}|__|[\])]){0,3}"
_SUFFIX = (
    rb"(?:ential)?(?:word|wort|wd|phrase|code)?s?"
    rb"(?:[_-]?(?:value|prod|production|dev|staging|live|main|old|new|b64|base64|base|raw|text|string|default|root|admin"
    rb"|primary|secondary|\d{1,3}))?"
)
_NUMBER = rb"(?![-+]?\d{0,12}(?:\.\d{0,9})?[\s,;}\])])"
_PLACE = rb"(?:[ \t]{1,2}(?:(?:for|of|on|in|to|at)[ \t]\S{1,40}(?:[ \t][^\s:=]{1,30})?|\([^()\n]{1,40}\)))?"
TAIL = (
    _SUFFIX
    + rb"(?:(?P<call>"
    + _QUOTE
    + rb"\)?[ \t]{0,3},[ \t]{0,3}(?="
    + _QUOTE
    + rb"))|(?P<attribute>"
    + _QUOTE
    + rb"[ \t]{1,3}value=)|(?P<element>>(?=[^<\s]))|(?P<assign>"
    + _CLOSE
    + rb"[ \t]{0,24}(?::=|={1,3}|!==?|=>|:(?:[ \t]?[a-z&][\w.\[\]<>|&? ]{0,24}?=(?!=))?|\|)"
    + rb"(?:\*{2,3})?[ \t]{0,24}"
    + _NUMBER
    + rb")|(?P<prose>"
    + _CLOSE
    + _PLACE
    + rb"(?:[ \t]{1,3}(?:is|was)(?:[ \t]set[ \t]to)?:?|[ \t]?[:=])\*{0,3}[ \t]{1,4}"
    + _NUMBER
    + rb")|(?P<flag>[ \t]{1,4}"
    + _NUMBER
    + rb"))(?=\S)"
)
# The same with the value alone on the next line but one at most, in a fence, a list or a quotation or not.
BELOW = (
    _SUFFIX
    + rb"(?P<below>[\])\"'`*_]{0,3}(?:[ \t]{1,3}(?:is|are))?[ \t]{0,3}:\*{0,3}[ \t]{0,3}\r?\n(?:[ \t]{0,8}\r?\n)?"
    rb"(?:[ \t]{0,8}```\w{0,12}\r?\n)?[ \t>*-]{0,8}[`\"']?)"
    rb"(?P<value>[!-_a-~]{16,256})[`\"']?[ \t]{0,4}(?:\r?\n|\Z)"
)
# What must follow a name for a value to be near: the cheap test before `TAIL`.
AHEAD = (
    rb"(?=[a-z0-9_-]{0,16}(?:[\\\]*_`\"')]{0,9}[ \t]{0,24}[:=|,>!](?![ \t]?\d{1,9}[,}\s])"
    rb"|\S{0,4}[ \t]{1,4}(?!\d{1,12}[\s,}\])])(?:is\b|was\b|for\b|of\b|on\b|in\b|to\b|at\b|\(|value|\S{0,60}?\d)))"
)
AUTHORIZATION = (
    rb"auth(?:orization)?" + _CLOSE + rb"[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}(?:" + _QUOTE + rb")?"
    rb"(?:(bearer|basic|token|apikey|key|bot)(?:[ \t]|%20){1,3})?([a-z0-9._~+/=:-]{6,4096})"
)
BEARER = rb"bearer[ \t]{1,3}(?:" + _QUOTE + rb")?([a-z0-9._~+/=-]{16,4096})"
USER = rb"""-u(?:ser)?[ =]["']?[\w.@-]{1,64}:([^\s"'`]{4,200})"""
OPTION = rb"""-[pa][ ]?["']?([^\s"'`]{6,200})"""
COMMAND = rb"\b(?:mysql\w*|mariadb|sshpass|redis-cli|(?:docker|podman|helm) (?:registry )?login)\b[^\n|;&]*\Z"
PHRASE = rb"(?:phrase|mnemonic)s?" + _CLOSE + rb"[^\S\n]{0,4}(?:\([^()\n]{1,30}\))?(?:[:=|]|[ \t]is)[\s\"'`*:>|\\]{1,8}"
PHRASE_WORDS = rb"[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23}(?![a-z])"

_cache: dict[bytes, re.Pattern[bytes]] = {}


def compiled(source: bytes) -> re.Pattern[bytes]:
    """Return the compiled pattern, compiled on first use: hooks import this and mostly never get here."""
    pattern = _cache.get(source)
    if pattern is None:
        pattern = _cache[source] = re.compile(source)
    return pattern


# --- names ---------------------------------------------------------------------------------------------------------

_WORDS = rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_STRONG = frozenset(
    b"password passwords passwd passphrase passcode secret secrets token tokens credential credentials creds"
    b" apikey apikeys accesskey secretkey privatekey authtoken".split()
)
_LAST = frozenset(b"key keys pass pwd pat auth cookie".split())
_STRONG_ENDS = (b"password", b"passwd", b"passphrase", b"secret", b"token", b"apikey", b"accesskey", b"secretkey")
_RANK = frozenset(
    b"value prod production dev staging stage live test main old new base raw text string default".split()
)
# A word that makes the whole name harmless: it names a place, a quantity or a choice, not the secret.
_HARMLESS = frozenset(
    b"id ids name names file files path paths dir directory sock socket host port url uri endpoint type kind format ttl"
    b" expiry expires expiration timeout age length size limit limits count max min num budget input output cached"
    b" cache thinking completion prompt enabled disabled required rotation policy algorithm alg version hash public pub"
    b" page next continuation sync cancel cancellation cursor design field label hint prefix suffix header usage total"
    b" parallelism regex pattern index ref".split()
)
_HARMLESS_KEYS = frozenset(
    b"gpg pgp primary foreign sort partition range hot shortcut short meta compose idempotency arrow object row"
    b" column issue project unique natural composite dedupe group lookup map dict json i18n translation react"
    b" query storage state".split()
)
_KEYS = frozenset(
    b"api access secret private priv auth signing sign encryption encrypt decryption master account"
    b" service app application deploy admin shared hmac jwt aes license licence client consumer"
    b" subscription webhook ingest write server role session crypt vault unseal recovery wallet validator"
    b" root ssh bot integration rails django flask".split()
)


def _words(name: bytes) -> list[bytes]:
    """Return the words of a name in lower case, without what only ranks it at its end: `_OLD`, `2`."""
    words = [word.lower() for word in compiled(_WORDS).findall(name)]
    while words and (words[-1].isdigit() or words[-1] in _RANK):
        words.pop()
    return words


def secret_name(name: bytes) -> bool:
    """Say whether a variable of this name holds a secret; `name` is snake, camel, kebab or capital case."""
    words = _words(name)
    if not words or not _HARMLESS.isdisjoint(words):
        return False
    if not _STRONG.isdisjoint(words) or words[-1].endswith(_STRONG_ENDS):
        return True
    return len(words) > 1 and words[-1] in _LAST and (words[-2] not in _HARMLESS_KEYS)


def secret_key_name(name: bytes) -> bool:
    """Say whether a name that ends in "key" promises a secret in any text, where map keys and sort keys are common."""
    words = _words(name)
    if not _HARMLESS.isdisjoint(words):
        return False
    if len(words) < 2:
        return bool(words) and words[-1].endswith((b"apikey", b"accesskey", b"secretkey", b"privatekey", b"authkey"))
    return words[-2] in _KEYS or (name.upper() == name and b"_" in name and words[-2] not in _HARMLESS_KEYS)


# --- values --------------------------------------------------------------------------------------------------------

_PLACEHOLDER = (
    rb"^\[?i\d{1,7}[a-z]{3}\.\d|"  # an address of the memory
    rb"redacted|placeholder|your[-_ ]|change[-_ ]?me|replace|<[^>]*>|^<|>$|\$\{|\$\(|\{\{|\}\}|%\(|^%[sdvq]$"
    rb"|\.\.\.|\*{3}|x{4}|0{8}|dummy"
    rb"|foobar|lorem|insert[-_]|undefined|process\.env|getenv|environ|^\$[a-z_({]|^%[a-z_]+%$|^#\{|^![a-z]+$|^@[a-z./-]*$|^null$|^none$|^env[.:]"
    rb"|^(?:https?|file|ssh|git|s3|gs)://|^(?:sha\d{1,3}|md5|blake\w{1,3})[-:]|^ssh-|^aaaa[bce]3nza|^urn:|^data:|^arn:"
)
# Words of documentation, of fixtures and of algorithms. What is left of a value without them must still say something.
_FILLER = (
    rb"super|secret|example|password|passwort|passw(?:or)?d|pass|token|keys?|api|test(?:ing|ed)?|my|fake|mock|sample|demo|some|local"
    rb"|dev|default|admin|root|user(?:name)?|client|valid|invalid|wrong|bad|old|new|value|here|the|your|foo|bar|baz|abc|xyz"
    rb"|qwerty|access|auth|private|public|long|random|string|dont|tell|strong|secure|plain|text|prod|stag(?:e|ing)"
    rb"|db|postgres|mysql|redis|mongo|minio|guest|bearer|123456789|12345678|1234567|123456|12345|1234|123|[es]d25519|sha\d+"
    rb"|rs\d{3}|hs\d{3}|es\d{3}|aes\d*|base\d+|utf\d*|md5|oauth\d?|pbkdf2|argon2(?:id|i|d)?|bcrypt|ipv[46]|http[12s]?"
)
_PIECES = rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])"
_CODE = rb"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*|\[[^\[\]]*\]?)+"
_PLAIN = (  # versions, dates, sizes, mail addresses, colours, wallet addresses
    rb"v?\d+(?:[.:/-]\d+)+\S{0,12}|\d{4}-\d\d-\d\d\S*|[\d.,]+[A-Za-z%]{0,4}|\d{1,5}(?:x\d{1,5})+"
    rb"|\d{1,3}-[a-z]{3,20}"  # `12-character`
    rb"|[\w.+-]+@[\w-]+\.[\w.-]+|#[0-9A-Fa-f]{3,8}|0x[0-9A-Fa-f]{1,40}"
)
_PATH = (
    rb"(?:\.{1,2}|~)/|[A-Za-z]:[\\/]|(?:/[\w.@+-]{0,14}[a-z]{3,}[\w.@+-]{0,14}){2,}/?$"
    rb"|/(?:home|Users|root|etc|usr|var|tmp|opt|mnt|srv)/"
)


def entropy(value: bytes) -> float:
    """Return Shannon's entropy of a value's characters, in bits a character."""
    import math  # late: hooks load this, and mostly never get here  # noqa: PLC0415

    size = len(value)
    counts = [value.count(byte) for byte in set(value)]
    return -sum(count / size * math.log2(count / size) for count in counts)


def stands_in(value: bytes) -> bool:
    """Say whether a value is a form to fill in: `<your-key>`, `${VAR}`, `xxxx`."""
    return compiled(_PLACEHOLDER).search(value.lower()) is not None


def placeholder(value: bytes) -> bool:
    """Say whether a value stands for a secret without being one: `<your-key>`, `${VAR}`, `xxxx`, `test-token-123`."""
    lower = value.lower()
    if stands_in(value):
        return True
    left = compiled(rb"[^a-z0-9?!@#$%^&*]+").sub(b"", compiled(_FILLER).sub(b"", lower))
    if len(left) < 4 and left != lower:
        return True
    if len(set(lower)) < 4 or (len(value) > 12 and len(set(lower)) < 7):
        return True
    steps = bytes(97 + (lower[at] - lower[at - 1] in (0, 1)) for at in range(1, len(lower)))
    return max(map(len, steps.split(b"a"))) * 2 > len(lower)  # 123456789, abcdefgh, aaaaaaaa


def wordy(value: bytes) -> bool:
    """Say whether a value is made of pronounceable words, as identifiers, slugs and paths are."""
    pieces = compiled(_PIECES).findall(value)
    numbers = compiled(rb"[0-9]+").findall(value)
    letters = sum(map(len, pieces))
    digits = sum(map(len, numbers))
    if compiled(rb"[0-9a-f]{24,}").fullmatch(value) or digits > letters > 0:
        return False
    if letters + digits <= 3 * (len(pieces) + len(numbers)):
        return False
    words = [piece for piece in pieces if 3 <= len(piece) <= 14 and compiled(rb"(?i)[aeiouy]").search(piece)]
    return sum(len(word) for word in words if not compiled(rb"(?i)[^aeiouy]{5}").search(word)) >= letters * 0.7


def keylike(value: bytes, floor: int = 16) -> bool:
    """Say whether a value looks like a machine-made key: long enough, mixed, random, neither words nor a plain fact."""
    value = value[:256]
    digits = len(compiled(rb"[0-9]").findall(value))
    if len(value) < (floor if digits else max(floor, 20)) or digits == len(value):
        return False
    if compiled(_PLAIN).fullmatch(value) or compiled(_PATH).match(value) or wordy(value) or placeholder(value):
        return False
    bits = entropy(value)
    if digits:
        return bits >= (2.5 if len(value) < 24 else 3.0)
    mixed = value not in (value.lower(), value.upper())
    return bits >= 3.3 and (mixed or b"-" not in value)


def passwordlike(value: bytes, *, quoted: bool) -> bool:
    """Say whether a value under the name of a password is one: people choose short ones, so less is asked of it."""
    letters = compiled(rb"[A-Za-z]").search(value) is not None
    if not 6 <= len(value) <= 200 or not letters or compiled(rb"\s|[(){}]").search(value):
        return False
    digits = compiled(rb"[0-9]+").findall(value)
    # A letter that is not ASCII is a question mark in the projection: one inside a word is none of a password.
    marks = compiled(rb"[!@#$%^&+~=]|(?<![A-Za-z])\?|\?(?![A-Za-z])|[^|]\*").search(value) is not None
    rich = digits and marks and value not in (value.lower(), value.upper())
    if stands_in(value) if rich else placeholder(value):
        return False
    if not (digits or marks):
        return quoted and len(value) >= 12 and not wordy(value)
    if is_plain(value, quoted=quoted) and not keylike(value, 8):
        return False
    return not wordy(value) or _is_broken_up(value, has_marks=marks, longest=max(map(len, digits), default=0))


# What has a digit and is no password: an algorithm, a version, a size, a record's number, a step, a product.
_FACTS = (
    rb"(?i)(?:sha|md|aes|rsa|utf|base|argon|[bs]crypt|pbkdf|oauth|http|ipv|ed|es|rs|hs|cost|v|x|id|step|stage|phase|page"
    rb"|line|row|level|rule|case|option|field|column|version|note|file|varchar|n?char|u?int|float)[-_]?[0-9]+\S{0,6}"
    rb"|(?:text|input|value|item|arg|param|part|form|box|slot|group|section|chapter|table|figure|round|task|tab)[1-9]"
    rb"|[A-Za-z]{1,8}-[0-9]{1,5}|1password\S{0,8}|[0-9]fa|[0-9]+(?:bits?|bytes?|chars?|days?|min|sec|hours?|times?)"
)
_SHORT = rb"(?=[^0-9]{0,63}[0-9])(?=[0-9]{0,63}[^0-9])[A-Za-z0-9!*?^][A-Za-z0-9!@#$%^&*?+~=.]{3,63}"
_HYPHENS = rb"[A-Za-z]{3,}(?:-[A-Za-z]{2,}){1,4}-[0-9]{1,6}"


def is_fact(value: bytes) -> bool:
    """Say whether a value names a thing by its number: `sha256`, `varchar255`, `field2`."""
    return compiled(_FACTS).fullmatch(value) is not None


def is_short(value: bytes) -> bool:
    """Say whether a short value can be a password, where a person called it one: `abc123`, `Admin@2024`, `123qwe`."""
    if is_fact(value) or stands_in(value) or (is_plain(value) and not compiled(_MIXED).match(value)):
        return False
    if compiled(_HYPHENS).fullmatch(value):
        return True
    return compiled(_SHORT).fullmatch(value) is not None and compiled(rb"[a-z]\.[a-z]").search(value) is None


_MIXED = rb"[0-9]{3,}[A-Za-z]{3,}"  # and no size
# How words end that say what a password is or does, in English, German and French, and such words with other ends.
_ENDS = tuple(
    b"ed ing able ible ables ibles al als ion ions ive ives ant ants ent ents ance ence ness ity ory ary ly ful less"
    b" ous ic ics ise ises ize izes or ors er ers ect ects string strings text word words phrase phrases key keys"
    b" name names hash salt type types value values file files field fields case ware self where body one"
    b" lich los voll bar ung ungs en iert ert rt tzt nnt el ell ells els ig"
    b" oire if ifs ide ides nu nus vide coffre que ques aire aires iste istes exe exes uste ustes cte ctes".split()
)
_SPELLED = range(8, 41)  # characters of a password of letters alone
_ORDINARY = frozenset(
    b"whatever everywhere elsewhere somewhere anywhere someone everyone tomorrow database keychain bitwarden lastpass"
    b" dashboard clipboard postgres sensitive standard mismatch username keyboard argument variable resource".split()
)


def is_spelled(value: bytes) -> bool:
    """Say whether letters alone can be a password, where a label promises one and nothing follows: `correcthorse`.

    A word of a sentence would say what the password is (`required`, `encrypted`, `vergessen`), a name in code has a
    capital inside (`SecretStr`).
    """
    low = value.lower()
    if len(value) not in _SPELLED or not value.isalpha() or value[1:] != low[1:] or low.endswith(_ENDS):
        return False
    return low not in _ORDINARY and not placeholder(value)


def _is_broken_up(value: bytes, *, has_marks: bool, longest: int) -> bool:
    """Say whether signs or a number of several digits break words up as no identifier or path does."""
    if compiled(rb"[.|:/_,-]").search(value) is None:
        return True
    return compiled(rb"[.|:/]").search(value) is None and (has_marks or longest > 1)


def is_plain(value: bytes, *, quoted: bool = False) -> bool:
    """Say whether a value is a fact by its form: a version, a date, a path, or code where nothing quotes it."""
    if compiled(_PLAIN).fullmatch(value) or compiled(_PATH).match(value):
        return True
    return not quoted and compiled(_CODE).fullmatch(value) is not None


def genuine(body: bytes, *, proof: bool) -> bool:
    """Say whether what follows a prefix is a token's body; one of the exact shape is, even if a person made it up."""
    return keylike(body) if proof else not stands_in(body[:200])


def promise(name: bytes, before: bytes) -> str | None:
    """Return what kind of secret a name promises, or nothing; `before` is the text that leads to its last word."""
    low = name.lower()
    words = name.lstrip(b"-.")
    if b"passphrase" in low or b"passw" in low or low.endswith((b"pwd", b"passcode")):
        return None if low in (b"pwd", b"oldpwd", b"$pwd") else "password"
    short = low.rstrip(b"0123456789_")
    for word in (b"pass", b"pw"):
        if short.endswith(word):
            owner = short[: -len(word)]
            camel = name[len(owner) :].startswith(b"Pass")
            return "password" if not owner[-1:].isalpha() or camel else None
    if b"key" in low:
        return _key_promise(words, before)
    if not secret_name(words):
        return None
    return "token" if b"token" in low else "secret" if b"secret" in low else "credential"


# What a sentence tells as a password.
_SPOKEN = (
    rb"[!@#$%^&*?].*[0-9]|[0-9].*[!@#$%^&*?]|^[A-Za-z]{4,}[0-9]{1,6}$"
    rb"|^[A-Za-z]{3,}(?:-[A-Za-z]{2,}){0,4}-[0-9]{2,6}$"
)


def _key_promise(words: bytes, before: bytes) -> str | None:
    if words.lower().rstrip(b"s") == b"key":  # "API key": the word before it decides
        words = before.split(b"\n")[-1].strip() + b"_" + words
        words = words.rsplit(b" ", 1)[-1]
    low = words.lower()
    if not secret_key_name(words):
        return None
    if b"private" in low:
        return "private-key"
    return "aws-secret-key" if b"secret" in low and b"access" in low else "api-key"


def keeps(value: bytes, kind: str, form: str, *, quoted: bool) -> bool:
    """Say whether a value keeps the promise of its name, in the form in which `TAIL` found the two."""
    if kind == "password":
        if form in ("prose", "assign") and not quoted and is_fact(value):
            return False
        sure = quoted or form != "prose" or compiled(_SPOKEN).search(value) is not None or keylike(value, 8)
        return sure and passwordlike(value, quoted=quoted)
    if kind == "aws-secret-key" and compiled(rb"(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9/+]{40}").fullmatch(value):
        return True
    if compiled(rb"\s|[(){}]").search(value):
        return False
    if form == "flag" or (form == "assign" and kind != "private-key"):
        return keylike(value, 10)
    return keylike(value, 16)
