"""What a conversation was worth beyond its edits: prompts, sentences that choose, and tokens that were written.

Owns what of these one event is. Tokens are those of the text that persons and agents wrote, counted as the product
counts: what a model was sent again, or a client stored twice, is not written again. A sentence counts as a decision by
cheap cues: this is for a score, not for a register.
"""

from __future__ import annotations

import re

from sleep.language import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.transcripts.events import Event

_SAID = ("prompt", "answer", "text", "plan", "ask")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_CHOOSES = re.compile(
    r"\b(?:I|we|you)(?:['’]ve|['’]d| have| had)? (?:also |both |all )?(?:decided|chose|chosen|opted|agreed|picked)\b"
    r"|\bdecided (?:to|on|against|not|that|in favou?r)\b|^\W*decision\b|\b(?:settled on|opt(?:ed|ing)? for)\b"
    r"|\b(?:go|going|went|stick|sticking|stay|staying) with\b|\blet['’]?s (?:go for|use|keep|drop|stay|stick|not)\b"
    r"|\b(?:use|using|used|keep|keeping|kept|prefer|chose|choose|pick)\b.{1,80}\b(?:instead of|rather than)\b"
    r"|\b(?:entschieden|beschlossen|d[ée]cidé|decidimos|decidido)\b",
    re.IGNORECASE,
)
# Of a person these choose, too; an agent says them of its next move.
_DIRECTS = re.compile(
    r"\blet['’]?s (?!(?:also )?(?:see|look|check|start|try|talk|discuss|think|give|me|test)\b)", re.IGNORECASE
)
_DIGIT = re.compile(r"\d+")


def of(event: Event) -> tuple[str, int, int, int] | None:
    """Return (key, turns, decisions, tokens) of what an event says, None where it says nothing.

    The key is the same wherever the same text was stored, and says nothing of it: who wrote it, when, and how long it
    is. Where the time is not known it is "".
    """
    if event.kind not in _SAID or not event.text:
        return None
    is_turn = event.kind == "prompt" and not event.side
    when = "".join(_DIGIT.findall(event.at[:40])) or event.at[:40]
    key = f"{'turn' if is_turn else event.role} {when} {len(event.text)}" if when else ""
    chosen = sum(_chooses(sentence, event.role) for sentence in _SENTENCE.findall(event.text))
    return key, int(is_turn), chosen, tokens.count(event.text)


def _chooses(sentence: str, role: str) -> bool:
    """True if a sentence plainly chooses; a question does not."""
    if sentence.endswith("?"):
        return False
    return bool(_CHOOSES.search(sentence)) or (role == "person" and bool(_DIRECTS.search(sentence)))
