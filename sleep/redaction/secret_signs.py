"""Whether a text may hold a secret: a look at its lines that loads no rule, for what a session start waits for.

Owns the signs that nearly every secret of `secret_scan` has: a word of letters and digits that is long, or stands in a
line with a name that promises a secret, an address, or letters of another script. Refuses to say what is one: to load
the rules for that costs a hook 8 ms, and the lines of most memories have no sign.
"""

from __future__ import annotations

_LEAST, _LONG = 6, 18  # characters of a word of letters and digits, and of one that is suspicious alone
_LONG_LETTERS = 30  # of one of capitals and small letters
_NEAR = 14  # characters from a name to the sign behind it
_ALONE = ("PRIVATE KEY", "PIN", "PUK", "/home/", "Users/", "sers\\", "/root/")
_ADDRESS = " ["  # of the memory (`[i7qxk.12]`) stand behind what a line says
_NAMES = (
    *("pass", "pw", "wort", "woord", "senha", "mdp", "secret", "token", "key", "cred", "auth", "bearer", "cookie"),
    *("login", "curl", "sql", "echo", "zip", "psk", "://"),
)
# Behind these, letters alone may be a secret.
_SPOKEN = ("passwo", "passwd", "passco", "de passe", "phrase", "nnwort", "mnemonic")
# Letters are `a` (those of a hash `h`), capitals `A`, digits and the signs of passwords `0`;
# what no word of a secret has parts words.
_LETTERS, _DIGITS, _JOINTS = "abcdefghijklmnopqrstuvwxyz", "0123456789@#$%^&+", "_-!?"
_HASH = range(7, 13)  # characters of a commit's name, as it is told


def _class_of(sign: str) -> str:
    if sign in _LETTERS.upper():
        return "A"
    return "h" if sign in "abcdef" else "a" if sign in _LETTERS else "0" if sign in _DIGITS else " "


_CLASSES = {code: _class_of(sign) for code, sign in enumerate(map(chr, range(128))) if sign not in _JOINTS}


def may_hold(text: str) -> bool:
    """Return whether a text may hold a secret or a home directory; where it says no, there very seldom is one."""
    return any(sign in text for sign in _ALONE) or any(map(_is_suspicious, text.splitlines()))


def _is_suspicious(line: str) -> bool:
    says = line.partition(_ADDRESS)[0]
    low = says.lower()
    longest = _longest(says.translate(_CLASSES).split())
    if longest >= _LONG or (longest and not says.isascii()):
        return True
    return any(name in low for name in _NAMES) if longest else any(name in low for name in _SPOKEN) and _is_spoken(low)


def _longest(words: list[str]) -> int:
    """Return the characters of the longest word of letters and digits; one of long letters counts as long enough."""
    longest = 0
    for word in words:
        size = len(word)
        if size < _LEAST:
            continue
        if "0" not in word:
            longest = _LONG if size >= _LONG_LETTERS and "A" in word and _is_small(word) else longest
        elif size > longest and not (size in _HASH and not word.strip("h0")):
            # A time of a day has one letter.
            longest = size if word.count("a") + word.count("h") + word.count("A") > 1 else longest
    return longest


def _is_small(word: str) -> bool:
    return "a" in word or "h" in word


def _is_spoken(low: str) -> bool:
    """Say whether a sign of a value follows a name behind which letters alone may be one."""
    return any(sign in rest[:_NEAR] for name in _SPOKEN for rest in low.split(name)[1:] for sign in ":=")
