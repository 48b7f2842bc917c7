"""What stands behind a person's label of a secret: `password: ...`, `密码是 ...`, the cells below a column's head.

Owns what may stand between a label and its value, and what a label makes of a value: a person chooses short passwords
(`abc123`) and tells them in words; code that says the same is a test, and `secret_rules` asks more of it. The labels
are `secret_forms`. Loaded where a text has one.
"""

from __future__ import annotations

import re

from sleep.redaction import secret_rules as rules
from sleep.redaction.secret_forms import CODE, KEY, PASSWORD, PHRASE
from sleep.redaction.secret_rules import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Span = tuple[int, int, str]

_COPULA = (
    r"(?:(?:(?:was|is|wurde)(?: now)? )?(?:changed|(?:re)?set) to:?|改为|改成|(?::|：|=(?!=)|—|–|→|\|)"
    r"|(?:ist|lautet|war|es|est|era|était|é|è|это|is|was)\b(?: (?:now|still|jetzt|nun|ahora|ora))?:?"
    r"|是|为|為|は|が|은|는|이|가)"
)
# The value is alone on the next line, in a fence or not.
_BREAK = r"[ \t]{0,4}\r?\n(?:[ \t]{0,4}\r?\n)?(?:[ \t]{0,8}```\w{0,12}\r?\n)?[ \t]{0,8}"
_MARKS = r"[*_`»”]{0,3}"  # of Markdown, behind a label
_PLACE = r"(?:[ \t]?[(（][^()（）\n]{1,40}[)）])?(?: (?![:=—–→])[^\s:=：|]{1,20}){0,4}?[ \t]{0,2}"
_VALUE = r"([^\s\"'`<>«»“”「」『』，。、；|（）]{4,200})"
_BEHIND = (
    rf"{_MARKS}(?P<place>{_PLACE}){_COPULA}{{1,2}}[ \t*_]{{0,4}}(?P<open>[\"'`„“«「『])?[ \t\xa0]?"
    rf"(?P<user>[\w.@+-]{{1,80}}`?[ \t]?[/／][ \t]?`?)?{_VALUE}"
)
_BELOW = rf"{_MARKS}[ \t\xa0]?[:：]{_MARKS}{_BREAK}`?([!-~]{{4,64}}?)`?[ \t]{{0,4}}(?:\r?\n|\Z)"
_BESIDE = rf"[ \t]?(?:(?<=[ \t])(?=[0-9]{{6}})|[`「『“„]){_VALUE}"  # no copula, but quotes or digits alone
_WORDS_BEHIND = r"[*_`]{0,3}[ \t]{0,2}(?:[:：=]|are |is |是|为)[\s\"'`*:]{0,8}"
# Behind a value of which nothing else is said.
_END = r"[\"'`”“»)*_]{0,4}(?:[.,;!]?[ \t]{0,4}(?:\r?\n|\Z|\|)|[.,;][ \t]| (?:for|für|pour)\b)"
# Of Spanish, Portuguese, Italian, Dutch and Russian nobody wrote down how the words of a sentence end.
_UNREAD = frozenset(("contraseña", "senha", "palavra-passe", "wachtwoord", "пароль"))
_OTHER_VERB = r"\|| (?:es|era|é|è)\b"  # and where a pattern or a table goes on
_LEAVES = ".,;:)]}*"  # what ends a sentence behind a value
_WIDEST = 480  # characters from a label to the end of its value
_AT = frozenset(("for", "of", "on", "in", "at", "to"))
_ENGLISH = frozenset((b"password", b"passcode", b"passphrase", b"pw", b"pwd"))
_ROWS = 200  # of a table
_LINE = 2000  # characters of a table's head, on either side
_SIGNS = b" \t*_`"  # what stands around a name or a value in a cell
_RULE = rb"[ \t]{0,4}\|?[ \t]{0,4}:?-[-:| \t]{1,400}(?:\n|\Z)"  # of a table, below its head
_HEAD = rb"\|[ *_`]{0,4}(?:pass|passwd|pwd)[ *_`]{0,4}\|"  # names of a column alone

_cache: dict[str, re.Pattern[str]] = {}


def _pattern(source: str) -> re.Pattern[str]:
    return _cache.get(source) or _cache.setdefault(source, re.compile(source, re.IGNORECASE))


def find(text: str, raw: bytes, low: bytes, labels: Iterable[tuple[int, int, str]]) -> Iterator[Span]:
    """Yield start, end and kind of the secrets that labels name; a label is its start, its end and what it promises.

    `raw` is the text's projection, `low` that in small letters.
    """
    for start, end, kind in labels:
        if kind == PHRASE:
            yield from _words(text, low, end)
            continue
        if kind == PASSWORD:
            yield from _column(raw, low, start, end)
        hit = _behind(text, raw, (start, end, kind)) or _apart(text, raw, end, kind)
        if hit:
            yield (*hit, kind)


def columns(raw: bytes, low: bytes) -> Iterator[Span]:
    """Yield the passwords of tables whose heads are no label in a sentence: `| pass |`."""
    for head in compiled(_HEAD).finditer(low):
        yield from _column(raw, low, head.start() + 1, head.end() - 1)


def _words(text: str, low: bytes, end: int) -> Iterator[Span]:
    label = _pattern(_WORDS_BEHIND).match(text, end, end + 40)
    words = label and compiled(rules.PHRASE_WORDS).match(low, label.end(), label.end() + 256)
    if words:
        yield (*words.span(), PHRASE)


def _behind(text: str, raw: bytes, label: tuple[int, int, str]) -> tuple[int, int] | None:
    """Return the span of a value that a sign or a verb joins to its label, or nothing."""
    start, end, kind = label
    hit = _pattern(_BEHIND).match(text, end, end + _WIDEST)
    if hit is None or (raw[start:end].lower() in _ENGLISH and _is_code(hit, text)):
        return None
    at = hit.start(4)
    if hit["user"] and not _is_for_two(text, start):
        at = hit.start("user")
    value = text[at : hit.end()].rstrip(_LEAVES)
    end = at + len(value)
    is_spelled = kind == PASSWORD and rules.is_spelled(raw[at:end])  # asked first: it compiles no pattern
    is_spelled = is_spelled and _is_alone(text, label, (hit.end("place"), at, end))
    return (at, end) if is_spelled or _is_promised(value, raw, end, kind) else None


def _is_alone(text: str, label: tuple[int, int, str], value: tuple[int, int, int]) -> bool:
    """Say whether a label of a language whose words are known is followed by a value alone.

    `value` is where what joins the two begins, where the value does, and its end.
    """
    joint, at, end = value
    if text[label[0] : label[1]].lower() in _UNREAD or _pattern(_OTHER_VERB).search(text, joint, at):
        return False
    return _pattern(_END).match(text, end) is not None


def _apart(text: str, raw: bytes, end: int, kind: str) -> tuple[int, int] | None:
    """Return the span of a value alone on the line below its label, of a password in quotes beside it, or nothing."""
    if kind not in (PASSWORD, KEY):
        return None
    hit = _pattern(_BELOW).match(text, end, end + _WIDEST)
    if hit is None and kind == PASSWORD:
        hit = _pattern(_BESIDE).match(text, end, end + _WIDEST)
    value = hit[1].rstrip(_LEAVES) if hit else ""
    if hit is None or not _is_promised(value, raw, hit.start(1) + len(value), kind):
        return None
    return hit.start(1), hit.start(1) + len(value)


def _is_code(hit: re.Match[str], text: str) -> bool:
    """Say whether an English label may be code (`password="..."`) or no label: `the password hash is ...`."""
    place = hit["place"].split()
    named = not place or place[0].startswith(("(", "（")) or place[0].lower() in _AT
    is_literal = hit["open"] in ('"', "'") and not any(map(str.isalpha, text[hit.end("place") : hit.start("open")]))
    return text[hit.end("place")] == "=" or is_literal or not named


def _is_for_two(text: str, start: int) -> bool:
    """Say whether a label is for a name and a password: `login/password`, `账号密码`."""
    before = text[max(0, start - 3) : start].rstrip()
    return before[-1:] in frozenset("/／&+、和与號号名户戶")


def _is_promised(value: str, raw: bytes, end: int, kind: str) -> bool:
    """Say whether a value, with what follows it, is what its label promises."""
    if not value.isascii() or value.startswith(("$", "%", "@", "-", "{", "[", "(", "#")):
        return False
    own = value.encode()
    if kind == KEY:
        return rules.keylike(own, 16)
    if value.isdigit():  # and not a number of something
        least, most = (4, 8) if kind == CODE else (6, 12)
        return least <= len(value) <= most and not compiled(rb"[ \t]?[\w?%(]|[.,][0-9]").match(raw, end, end + 2)
    if kind == CODE:
        return False
    if rules.is_fact(own):
        return False
    return rules.passwordlike(own, quoted=False) or (raw[end : end + 1] not in b"(/[{:=_-" and rules.is_short(own))


def _column(raw: bytes, low: bytes, start: int, end: int) -> Iterator[Span]:
    """Yield the passwords of a Markdown table, in the column whose head is the name from start to end."""
    begin, stop = low.rfind(b"\n", max(0, start - _LINE), start) + 1, low.find(b"\n", end, end + _LINE)
    if stop < 0 or start - begin > _LINE or low[max(begin, start - 8) : start].rpartition(b"|")[2].strip(_SIGNS):
        return
    column = low.count(b"|", begin, start)
    if b"|" not in low[begin:stop] or low[begin:stop].split(b"|")[column].strip(_SIGNS) != low[start:end]:
        return
    rule = compiled(_RULE).match(low, stop + 1)
    at = rule.end() if rule else len(raw)
    for _ in range(_ROWS):
        stop = raw.find(b"\n", at)
        cells = raw[at:stop].split(b"|") if stop > 0 else []
        if len(cells) <= max(column, 1):
            break
        value = cells[column].strip(_SIGNS)
        if value and (rules.keeps(value, PASSWORD, "prose", quoted=False) or rules.is_short(value)):
            first = raw.index(value, at + sum(len(cell) + 1 for cell in cells[:column]))
            yield first, first + len(value), PASSWORD
        at = stop + 1
