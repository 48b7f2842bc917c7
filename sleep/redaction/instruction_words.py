"""Whether a text has the words at all that an instruction to its reader is made of (`untrusted`).

Owns a quick look: a hook asks it of what git says, and only where it says yes are the patterns of `untrusted` loaded,
which takes 13 ms. Says yes to whatever `untrusted` takes, and to some that it leaves. Pure.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
_ROLES = frozenset({"system", "assistant", "developer", "human", "user"})
_NOUNS = frozenset(
    [
        "instruction",
        "instructions",
        "prompt",
        "prompts",
        "message",
        "messages",
        "directive",
        "directives",
        "task",
        "tasks",
    ]
)
_SECRETS = frozenset(
    ["prompt", "credentials", "secrets", "password", "passwords", "key", "keys", "tokens", "variables"]
)
# A form is there only if each of its sets has a word of the text.
_FORMS = (
    (
        frozenset({"ignore", "disregard", "forget", "override", "bypass"}),
        frozenset(
            [
                "previous",
                "prior",
                "preceding",
                "above",
                "earlier",
                "system",
                "your",
                "all",
                "instruction",
                "instructions",
                "rules",
            ]
        )
        | {"guidelines"},
    ),
    (
        frozenset({"you", "assistant", "agent", "model", "ai"}),
        frozenset({"must", "should", "shall", "need", "have", "are", "will"}),
    ),
    (frozenset({"from"}), frozenset({"now"}), frozenset({"on"})),
    (frozenset({"act", "behave", "respond"}), frozenset({"as"})),
    (frozenset({"new", "updated", "revised", "real", "hidden", "system", "developer"}), _NOUNS),
    (frozenset({"do"}), frozenset({"not"}), frozenset({"tell", "mention", "inform", "reveal", "alert"})),
    (frozenset({"print", "reveal", "show", "send", "post", "upload", "exfiltrate", "leak"}), _SECRETS),
)
_BRACKETED = frozenset({"inst", "system", "sys"})


def may_instruct(text: str) -> bool:
    """Return False for a text that surely is no instruction to its reader."""
    if not (text.isascii() and text.isprintable()) or "<" in text or "untrusted" in text.lower():
        return True
    words = _WORD.findall(text.lower())
    own = frozenset(words)
    if words and (words[0] in _ROLES or ("[" in text and not own.isdisjoint(_BRACKETED))):
        return True
    return any(all(not own.isdisjoint(part) for part in form) for form in _FORMS)
