"""Speech in a document: whose words a line or a paragraph is, where people and agents take turns.

Owns how a turn begins (a role, a name, the stamp of a message). Refuses to say what is said: nobody's words there are
the author's record.
"""

from __future__ import annotations

import re
from collections import Counter

from sleep.language import lexicon
from sleep.language.tokenizer import has_wide

_PARTS = "record.parts"
_SPEAKERS = 0.6
_TURNS = 3  # different ones of a dialogue, at least
_LINE = 160  # characters of a turn that are looked at
_SENTENCE = 4  # words of a turn, its role included: what has fewer is a name
_TURN = re.compile(r"^(?:\*\*)?(?:(user|human)|assistant|ai)(?:\*\*)? ?:", re.IGNORECASE | re.MULTILINE)
_SPEECH = re.compile(
    r"^(?:\[\w+:\d+\] |(?:\*\*)?(?:user|assistant|human|system|ai)(?:\*\*)? ?:)", re.IGNORECASE | re.MULTILINE
)
_NAME = re.compile(r"^(?:\[\w+:\d+\] *)?\*\*([A-Z][\w .'-]{0,24}):?\*\*:?")


def speakers(texts: list[str]) -> frozenset[str]:
    """Return the names that speak, when most of the texts are speech (`**Ana:** ...`), else nothing.

    What names a part of a record (`**Decision:**`, `**Context:**`) is nobody.
    """
    parts = lexicon.all_words("kinds", "generic", "subject.none", _PARTS)
    names = Counter(name[1] for text in texts if (name := _NAME.match(text)))
    names = Counter({name: names[name] for name in names if not parts.issuperset(name.casefold().rstrip(".").split())})
    if names.total() <= _SPEAKERS * len(texts):
        return frozenset()
    return frozenset(name for name, times in names.items() if times > 1)


def is_part(text: str) -> bool:
    """True for a part of a record by its label, that explains what another part states: `**Rationale:** ...`."""
    label = _NAME.match(text)
    return label is not None and label[1].casefold() in lexicon.all_words(_PARTS)


def is_speech(text: str, names: frozenset[str] = frozenset()) -> bool:
    """True for a line of a conversation: somebody's words, not the author's record."""
    name = _NAME.match(text)
    return bool(_SPEECH.search(text)) or bool(name and name[1] in names)


def is_dialogue(text: str) -> bool:
    """True for a text in which a person and an agent take turns, each behind its role.

    Each says a sentence, and one of them speaks again: `User: Ana` and `Assistant: Claude` above a log are no dialogue.
    """
    roles = {
        text[turn.start() : turn.start() + _LINE].split("\n", 1)[0]: bool(turn[1]) for turn in _TURN.finditer(text)
    }
    spoken = {is_person for line, is_person in roles.items() if len(line.split()) > _SENTENCE or has_wide(line)}
    return len(roles) >= _TURNS and len(spoken) > 1


def last_turn(text: str) -> int:
    """Return where the last turn of a text begins, -1 where it has none."""
    return max((turn.start() for turn in _TURN.finditer(text)), default=-1)


def takes_turn(text: str) -> bool:
    """True for a text that begins with the role of who speaks."""
    return _TURN.match(text) is not None
