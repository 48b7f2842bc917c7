"""Names of agents and channels: which are allowed, and which two are one to the eye.

Owns the alphabet, the reserved names and the skeleton under which a name is unique: case, look-alikes (0 and O; 1, l, I
and i; rn and m; vv and w) and the two dashes do not tell names apart. Other scripts are not in the alphabet at all.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
_NICK = re.compile(r"[A-Za-z0-9_-]{1,24}")
_CHANNEL = re.compile(r"#[A-Za-z0-9_-]{1,31}")
_KEYED = re.compile(r"[2-9a-fol]{16}")  # as a skeleton
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "_": "-"})


def skeleton(name: str) -> str:
    """Return what is left of a name when what the eye may confuse is made one; names of one skeleton are one name."""
    return name.lower().translate(_ALIKE).replace("rn", "m").replace("vv", "w")


RESERVED = frozenset(
    map(skeleton, ("server", "admin", "system", "root", "moderator", "mod", "bot", "agentchat", "operator"))
)


def refusal(name: str, *, nick: bool = False) -> str:
    """Return why a name cannot be had by anybody, "" if it can."""
    if not (_NICK if nick else _NAME).fullmatch(name):
        return f"a name has 1 to {24 if nick else 32} letters, digits, - and _"
    if skeleton(name) in RESERVED:
        return f"the name {name} is reserved"
    if _KEYED.fullmatch(skeleton(name)):
        return f"the name {name} has the form of an id"
    return ""


def is_channel(name: str) -> bool:
    """Return whether this can be a channel's name, `#` included."""
    return bool(_CHANNEL.fullmatch(name))
