"""Find secrets in a text and take them out, before the text can reach a commit.

Owns the walk over a text: prefilters, windows, spans, markers. What a secret looks like is `secret_rules`. Refuses to
read the environment (its secrets come in as values), and to report a string for its randomness alone: see there.

How it keeps its speed: everything runs on an ASCII projection of the text, one byte a character, so that offsets are
the same. Two prefilters run at the speed of C: stretches of 20 and more token characters, where shapes are looked up
by prefix, and a few rare pieces of the words that name a secret ("ke" of token and key, "cre" of secret and
credential), where a bounded pattern is tried. Every window is bounded and every failed attempt costs a constant, so
no text makes it quadratic.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.redaction import secret_forms, secret_shapes
from sleep.redaction import secret_rules as rules
from sleep.redaction.secret_forms import places
from sleep.redaction.secret_rules import compiled
from sleep.redaction.secret_shapes import WINDOW
from sleep.redaction.secret_text import Projection, has_any, project, projected
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Iterator, Sequence

KNOWN_MIN = 8

_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_.-"
_ROUNDS = 8
_NEAR = 4096
_MARKER = rb"\[REDACTED:[a-z-]{1,30}\]"
_ECHOES = 16  # values that are looked for again: each costs a pass over the text


class Finding(NamedTuple):
    """A secret in a text: where it starts and ends, and what it is."""

    start: int
    end: int
    kind: str


def find(text: str, known: Sequence[str] = ()) -> list[Finding]:
    """Return the secrets of a text, sorted and without overlap; `known` are secret values from elsewhere."""
    return redact(text, known)[1]


def redact(text: str, known: Sequence[str] = (), projection: Projection | None = None) -> tuple[str, list[Finding]]:
    """Return the text with each secret as `[REDACTED:kind]`, and the secrets with their offsets in the given text.

    `projection` is that of the text, where who asks has it (`project`).

    Redacting the result again changes nothing: a marker can make its surroundings look like a secret, so rounds are
    made until one finds nothing.
    """
    secrets = _scan(text, known, projection)
    if not secrets:
        return text, []
    result = _splice(text, secrets)
    for _ in range(_ROUNDS):
        more = _beside(result, known)
        if not more:
            break
        secrets = sorted({*secrets, *_back(more, secrets)})
        result = _splice(text, secrets)
    return result, secrets


def _beside(text: str, known: Sequence[str]) -> list[Finding]:
    """Return the secrets near markers: elsewhere the text is as it was when it was read."""
    secrets: dict[Finding, None] = {}
    done = 0
    for marker in re.finditer(_MARKER.decode(), text):
        if marker.end() + WINDOW < done:
            continue
        start, done = max(0, marker.start() - _NEAR), marker.end() + _NEAR
        for each in _scan(text[start:done], known):
            if (start == 0 or each.start > WINDOW) and (done >= len(text) or each.end < done - start - WINDOW):
                secrets[Finding(each.start + start, each.end + start, each.kind)] = None
    return sorted(secrets)


_PROMISING = ("pass", "secret", "token", "cred", "key", "pwd", "pat", "auth", "cookie")


@lru_cache(maxsize=1 << 8)  # an environment has the same few names whenever it is asked
def is_secret_name(name: str) -> bool:
    """Say whether an environment variable of this name holds a secret."""
    low = name.lower().replace("path", "")  # no word of its own that promises anything, and in every environment
    if name in {"PWD", "OLDPWD"} or not any(word in low for word in _PROMISING):
        return False
    return rules.secret_name(projected(name))


# --- the walk ------------------------------------------------------------------------------------------------------


def _scan(text: str, known: Sequence[str], projection: Projection | None = None) -> list[Finding]:
    raw, low, words = projection or project(text)
    secrets = [Finding(*span) for span in secret_shapes.find(raw)]
    if b"-" in words:  # what is not begun costs nothing: most texts hold no secret, and a relay asks for each message
        secrets += _dashed(raw, words)
    secrets += _named(raw, low, words)
    if b"://" in words or b"auth" in words or b"bearer" in words:
        secrets += _addressed(raw, low, words)
    if b"phrase" in words or b"mnemonic" in words:
        secrets += _phrases(low, words)
    pieces = secret_forms.announced(words)
    if pieces:
        secrets += (Finding(*span) for span in secret_forms.find(raw, low, pieces))
    secrets += _labelled(text, raw, low, words)
    if known:
        secrets += _known(text, known)
    return _settle(raw, [*secrets, *_again(text, secrets)]) if secrets else []


def _labelled(text: str, raw: bytes, low: bytes, words: bytes) -> list[Finding]:
    """Return the secrets that a person's labels name, in sentences and in tables."""
    labels = list(secret_forms.labels(text, low, words))
    has_column = b"|" in words and has_any(words, (b"pass", b"pwd"))
    if not labels and not has_column:
        return []
    from sleep.redaction import secret_labels  # late: most texts have no label  # noqa: PLC0415

    spans = [*secret_labels.find(text, raw, low, labels), *(secret_labels.columns(raw, low) if has_column else ())]
    return [Finding(*span) for span in spans]


def _again(text: str, secrets: list[Finding]) -> Iterator[Finding]:
    """Yield the other places of the values that were found: what was a password once is a secret everywhere."""
    values = dict.fromkeys(text[start:end] for start, end, _ in secrets if KNOWN_MIN <= end - start <= WINDOW)
    kinds = {text[start:end]: kind for start, end, kind in secrets}
    for value in list(values)[:_ECHOES]:
        for each in _known(text, (value,)):
            yield each._replace(kind=kinds[value])


# --- secrets by their name -------------------------------------------------------------------------------------------


def _named(raw: bytes, low: bytes, words: bytes) -> Iterator[Finding]:
    """Yield the values that a name promises to be secret: `API key: ...`, `**Password:** ...`, `--token ...`."""
    for anchor, lead, pieces in _ANCHORS:
        if not has_any(words, pieces):  # a pattern costs a hook as much as all the reading of its message
            continue
        for hit in compiled(anchor + rules.AHEAD).finditer(low):
            start, end = hit.span()
            if lead and low[end - 1] in b"nt":
                start -= 2
                if low[start : start + 2] != lead:
                    continue
            tail = compiled(rules.TAIL).match(low, end, end + 160)
            if tail is not None:
                yield from _value(raw, low, start, tail)
            if b"\n" in low[end : end + _NAME_LINE]:
                yield from _below(raw, low, start, end)


_NAME_LINE = 24  # characters from a name to the end of its line, where its value stands below it
_ANCHORS = (
    (rb"ke[yn]", b"to", (b"key", b"ken")),
    (rb"cre[td]", b"se", (b"cret", b"cred")),
    (rb"p(?:ass|wd|w(?![a-z0-9]))", b"", (b"pass", b"pw")),
)


def _value(raw: bytes, low: bytes, start: int, tail: re.Match[bytes]) -> Iterator[Finding]:
    form = tail.lastgroup or ""
    before = low[max(0, start - 48) : start]
    lead = before[len(before.rstrip(_NAME)) :]
    if form == "flag" and not lead.startswith(b"-"):
        return
    name = raw[start - len(lead) : tail.start(form)]
    kind = rules.promise(name, raw[max(0, start - 9) : start])
    if kind is None:
        return
    quoted, begin, end = _extent(raw, tail.end())
    value = raw[begin:end]
    is_alone = _is_variable(name, form, quoted=quoted) and raw[end : end + 1] in (b"\n", b"\r")
    is_spelled = is_alone and kind == "password" and rules.is_spelled(value)
    if is_spelled or (
        end - begin >= 6 and (quoted or form != "call") and rules.keeps(value, kind, form, quoted=quoted)
    ):
        yield Finding(begin, end, kind)


def _is_variable(name: bytes, form: str, *, quoted: bool) -> bool:
    """Say whether a name is a variable's of an environment, whose bare value is what it says: `DB_PASSWORD=x`."""
    return form == "assign" and not quoted and compiled(rb"[A-Z][A-Z0-9_]*").fullmatch(name) is not None


def _below(raw: bytes, low: bytes, start: int, at: int) -> Iterator[Finding]:
    """Yield the key that stands alone on the line below its name: `token:`, with or without a fence."""
    tail = compiled(rules.BELOW).match(low, at, at + 160)
    if tail is None:
        return
    before = low[max(0, start - 48) : start]
    lead = before[len(before.rstrip(_NAME)) :]
    kind = rules.promise(raw[start - len(lead) : tail.start("below")], raw[max(0, start - 9) : start])
    if kind not in (None, "password") and rules.keylike(raw[slice(*tail.span("value"))], 16):
        yield Finding(*tail.span("value"), kind)


def _extent(raw: bytes, at: int) -> tuple[bool, int, int]:
    """Return whether the value that starts here is quoted, and its span."""
    opening = compiled(rb"""(\\{0,7})(["'`])""").match(raw, at)
    if opening is not None:
        mark = re.escape(opening[0])
        inside = rb"[^\\\r\n%s]" % opening[2] if opening[1] else rb"(?:[^\\\r\n%s]|\\[^\r\n])" % opening[2]
        closed = compiled(rb"(%s{1,512}?)%s" % (inside, mark)).match(raw, opening.end())
        if closed is not None:
            return True, *closed.span(1)
        at = opening.end()
    bare = compiled(rb"""[^\s"'`\\<>]{1,512}""").match(raw, at)
    if bare is None:
        return False, at, at
    value = bare[0]
    cut = compiled(rb"[;,&#](?=[A-Za-z_][\w .-]{0,40}=)").search(value)
    value = value[: cut.start()] if cut is not None else value
    value = value.removesuffix(b"**").rstrip(b",;.)]}|:").removesuffix(b"**")
    return opening is not None, at, at + len(value)


# --- secrets by their place ------------------------------------------------------------------------------------------


def _addressed(raw: bytes, low: bytes, words: bytes) -> Iterator[Finding]:
    """Yield what stands in addresses and headers: passwords of URLs, webhooks, `Authorization`, `curl -u`."""
    for at in places(low, b"://", words):
        for kind, source in rules.URLS:
            match = compiled(source).match(raw, at + 3)
            if match is not None and (kind != "url-password" or _is_url_password(match)):
                yield Finding(*match.span(1), kind)
    for at in places(low, b"auth", words):
        match = compiled(rules.AUTHORIZATION).match(low, at, at + 8192)
        if match is not None and _is_credential(raw[slice(*match.span(2))], match[1]):
            yield Finding(*match.span(2), "authorization")
    for at in places(low, b"bearer", words):
        match = compiled(rules.BEARER).match(low, at, at + 8192)
        if match is not None and rules.keylike(raw[slice(*match.span(1))], 16):
            yield Finding(*match.span(1), "bearer-token")


def _is_url_password(match: re.Match[bytes]) -> bool:
    """Say whether the password of an address is one, and not its user, a port or a stand-in."""
    password = match[1]
    user = match[0][: match.start(1) - match.start() - 1]
    if password.lower() == user.lower() or compiled(rb"\d{2,5}(?:[^\w]|$)").match(password):
        return False
    return not rules.placeholder(password) and not password.startswith((b"$", b"{", b"[", b"%"))


def _is_credential(value: bytes, scheme: bytes | None) -> bool:
    """Say whether a value of an `Authorization` header is a key, or a name and password in base 64."""
    encoded = scheme == b"basic" and len(value) > 11 and not rules.placeholder(value)
    return encoded or rules.keylike(value, 8 if scheme else 20)


def _dashed(raw: bytes, words: bytes) -> Iterator[Finding]:
    """Yield what a dash announces: private keys in PEM form, `curl -u name:password`, Mailchimp's keys."""
    if not has_any(words, (b"-u", b"-p", b"-a", b"-----begin")):
        return
    for hit in compiled(rb"-(?:----BEGIN |us?(?:(?:er)?[ =]|[0-9])|(?<=\s-)[pa][ ]?[\"'!-~]{6})").finditer(raw):
        if hit[0].endswith(b"BEGIN "):
            yield from _block(raw, hit.start())
            continue
        option = hit[0][1:2] in (b"p", b"a")
        if option and not compiled(rules.COMMAND).search(raw, max(0, hit.start() - 120), hit.start()):
            continue
        match = compiled(rules.OPTION if option else rules.USER).match(raw, hit.start(), hit.start() + WINDOW)
        is_login = not option and b"curl " in raw[max(0, hit.start() - 120) : hit.start()]
        if match and (rules.passwordlike(match[1], quoted=True) or (is_login and rules.is_spelled(match[1]))):
            yield Finding(*match.span(1), "password")
        if hit.start() >= 32:
            spans = secret_shapes.matches("mailchimp-key", secret_shapes.MAILCHIMP, raw, hit.start() - 32)
            yield from (Finding(*span) for span in spans)


_LINE = 70  # characters of a key's longest line
_HEADERS = rb"(?:(?:\s|\\+[nr]|[>|+-]){1,12}(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{1,100}){0,5}"


def _block(raw: bytes, first: int) -> Iterator[Finding]:
    match = compiled(
        rb"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----((?>(?:[^-]++|-(?!----))*))"
        rb"(-?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"  # in a diff, each line begins with one more
    ).match(raw, first)
    if match is None:
        return
    end = match.end()
    body = match[1]
    if not match[2]:
        torn = compiled(_HEADERS + rb"(?:[A-Za-z0-9+/=]{16,}|\s|\\+[nr]|[\"',+|>-])+").match(raw, match.start(1))
        end = torn.end() if torn is not None else match.start(1)
        body = raw[match.start(1) : end].rstrip()
        end = match.start(1) + len(body)
    runs = [len(run) for run in compiled(rb"[A-Za-z0-9+/=]{16,}").findall(body)]
    if max(runs, default=0) >= 40 and (b"..." not in body or sum(runs) > _LINE * 2):  # an example's is one line
        yield Finding(first, end, "private-key")


def _phrases(low: bytes, words: bytes) -> Iterator[Finding]:
    """Yield wallet seed phrases: twelve words and more after a label."""
    for anchor in (b"phrase", b"mnemonic"):
        for at in places(low, anchor, words):
            label = compiled(rules.PHRASE).match(low, at, at + 80)
            phrase = label and compiled(rules.PHRASE_WORDS).match(low, label.end(), label.end() + 256)
            if phrase and _PROSE.isdisjoint(phrase[0].replace(b",", b" ").split()):
                yield Finding(*phrase.span(), "seed-phrase")


_PROSE = frozenset((b"the", b"and", b"for", b"was", b"are", b"not"))  # no words of a seed phrase


def _known(text: str, known: Sequence[str]) -> Iterator[Finding]:
    for value in known:
        if not _is_worth_hiding(value):
            continue
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        for form in {value, escaped}:
            at = text.find(form)
            while at >= 0:
                yield Finding(at, at + len(form), "environment")
                at = text.find(form, at + len(form))


def _is_worth_hiding(value: str) -> bool:
    """Say whether a value from the environment is worth hiding: not short, not words, not a path, not a number."""
    if len(value) < KNOWN_MIN or value.isdigit() or re.fullmatch(r"[a-z]+(?:[ _.,/:-][a-z]+)*", value):
        return False
    if re.match(r"[/~.]|[A-Za-z]:[\\/]|\w+://[^@]*$", value) or ("/" in value and rules.wordy(projected(value))):
        return False
    return not rules.placeholder(projected(value)[:-1])


# --- spans -----------------------------------------------------------------------------------------------------------


def _settle(raw: bytes, secrets: list[Finding]) -> list[Finding]:
    """Join what overlaps (the first rule names it, a name's value last) and leave markers alone."""
    joined: list[Finding] = []
    for each in sorted(secrets):
        if joined and each.start < joined[-1].end:
            last = joined[-1]
            kind = min(last.kind, each.kind, key=lambda kind: kind in rules.GENERAL)
            joined[-1] = Finding(last.start, max(last.end, each.end), kind)
        else:
            joined.append(each)
    markers = [match.span() for match in compiled(_MARKER).finditer(raw)]
    return joined if not markers else [piece for each in joined for piece in _outside(each, markers)]


def _outside(secret: Finding, markers: list[tuple[int, int]]) -> Iterator[Finding]:
    at = secret.start
    for start, end in markers:
        if end <= at or start >= secret.end:
            continue
        if start > at:
            yield Finding(at, start, secret.kind)
        at = max(at, end)
    if at < secret.end:
        yield Finding(at, secret.end, secret.kind)


def _splice(text: str, secrets: list[Finding]) -> str:
    parts = []
    at = 0
    for start, end, kind in secrets:
        parts += [text[at:start], f"[REDACTED:{kind}]"]
        at = end
    return "".join([*parts, text[at:]])


def _back(more: list[Finding], earlier: list[Finding]) -> Iterator[Finding]:
    """Yield findings in the redacted text as findings in the original."""
    shifts: list[tuple[int, int]] = [(0, 0)]
    shift = 0
    for start, end, kind in earlier:
        after = start + shift + len(f"[REDACTED:{kind}]")
        shift = after - end
        shifts.append((after, shift))
    for start, end, kind in more:
        moved = max(entry for entry in shifts if entry[0] <= start)[1]
        yield Finding(start - moved, end - moved, kind)
