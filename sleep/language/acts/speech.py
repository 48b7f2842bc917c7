"""Speech in a document: whose words a line or a paragraph is, where people and agents take turns.

Owns how a turn begins (a role, a name, the stamp of a message). Refuses to say what is said: nobody's words there are
the author's record.
"""

from __future__ import annotations

import re
from collections import Counter

_SPEAKERS = 0.6
_TURN = re.compile(r"^(?:\*\*)?(?:(user|human)|assistant|ai)(?:\*\*)? ?:", re.IGNORECASE | re.MULTILINE)
_SPEECH = re.compile(
    r"^(?:\[\w+:\d+\] |(?:\*\*)?(?:user|assistant|human|system|ai)(?:\*\*)? ?:)", re.IGNORECASE | re.MULTILINE
)
_NAME = re.compile(r"^(?:\[\w+:\d+\] *)?\*\*([A-Z][\w .'-]{0,24}):?\*\*:?")


def speakers(texts: list[str]) -> frozenset[str]:
    """Return the names that speak, when most of the texts are speech (`**Ana:** ...`), else nothing."""
    names = Counter(name[1] for text in texts if (name := _NAME.match(text)))
    if names.total() <= _SPEAKERS * len(texts):
        return frozenset()
    return frozenset(name for name, times in names.items() if times > 1)


def is_speech(text: str, names: frozenset[str] = frozenset()) -> bool:
    """True for a line of a conversation: somebody's words, not the author's record."""
    name = _NAME.match(text)
    return bool(_SPEECH.search(text)) or bool(name and name[1] in names)


def is_dialogue(text: str) -> bool:
    """True for a text in which a person and an agent take turns, each behind its role."""
    return {bool(turn[1]) for turn in _TURN.finditer(text)} == {True, False}


def last_turn(text: str) -> int:
    """Return where the last turn of a text begins, -1 where it has none."""
    return max((turn.start() for turn in _TURN.finditer(text)), default=-1)


def takes_turn(text: str) -> bool:
    """True for a text that begins with the role of who speaks."""
    return _TURN.match(text) is not None
