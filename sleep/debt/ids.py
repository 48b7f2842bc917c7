"""The ids of sessions, which clients make up: what of them can stand in a path, a commit, front matter and a ledger.

Pure. Owns the letters that an id may have, and the hash that takes the place of what has others.
"""

from __future__ import annotations

from sleep.errors import UsageError

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:")
_LONGEST = 200


def safe(session_id: str) -> str:
    """Return an id that can stand anywhere.

    One of letters, digits and `-_.:` stays as it is, another becomes `odd-` and its hash. UsageError for none at all.
    """
    bare = session_id.strip()
    if not bare:
        raise UsageError("the session has no id (the client gave none)")
    if len(bare) <= _LONGEST and _PLAIN.issuperset(bare):
        return bare
    return f"odd-{hashed(bare.encode('utf-8', 'surrogatepass'))}"


def hashed(content: bytes) -> str:
    """Return 128 bits that stand for a few bytes, as 32 hexadecimal digits (FNV-1a: `hashlib` costs a hook 3 ms)."""
    value = 0x6C62272E07BB014262B821756295C58D
    for byte in content:
        value = (value ^ byte) * 0x0000000001000000000000000000013B & (1 << 128) - 1
    return f"{value:032x}"
