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
_SPOKEN = (
    "passwo",
    "passwd",
    "passco",
    "de passe",
    "phrase",
    "nnwort",
    "mnemonic",
)  # behind these, letters alone may be one
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
    words = [word for word in says.translate(_CLASSES).split() if len(word) >= _LEAST]
    if any(len(word) >= _LONG_LETTERS and _has_both(word) for word in words):
        return True
    longest = max((len(word) for word in words if _is_mixed(word)), default=0)
    low = says.lower()
    if longest:
        return longest >= _LONG or not says.isascii() or any(name in low for name in _NAMES)
    spoken = [name for name in _SPOKEN if name in low]
    return any(sign in rest[:_NEAR] for name in spoken for rest in low.split(name)[1:] for sign in ":=")


def _has_both(word: str) -> bool:
    return "A" in word and ("a" in word or "h" in word)


def _is_mixed(word: str) -> bool:
    """Say whether a word has digits and letters, and is neither a time of a day (one letter) nor a commit's name."""
    if "0" not in word or (len(word) in _HASH and not word.strip("h0")):
        return False
    return word.count("a") + word.count("h") + word.count("A") > 1
