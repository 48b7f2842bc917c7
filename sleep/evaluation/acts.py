"""The records of single messages, for a harness that has labels of its own.

Owns what such a harness is told of a message: the records that a session of this one message would leave in its
journal, by the code that captures sessions. Refuses to score.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sleep.compression.redundancy import Recalled
from sleep.journal.capture import session_entries
from sleep.language.acts import reasons
from sleep.records.known_texts import KnownTexts
from sleep.settings import Settings
from sleep.transcripts import readers

if TYPE_CHECKING:
    from sleep.documents.journal import Draft

CLIENT = "claude-code"  # whose transcript the message is put into
KINDS = ("constraint", "decision", "question", "task", "blocker", "dead end", "insight", "fix")


def records(role: str, text: str) -> list[dict[str, str | None]]:
    """Return the records (kind, text, why, standing) that a session of one message leaves in its journal.

    Args:
        role: `user` or `assistant`.
        text: the message, as it stands in a transcript.
    """
    content = [{"type": "text", "text": text}] if role == "assistant" else text
    line = json.dumps({"type": role, "uuid": "1", "message": {"role": role, "content": content}}).encode()
    digest = session_entries.digest(readers.reader(CLIENT).read([line]), Settings().journal_tokens, Recalled(()))
    if not session_entries.is_telling(digest):
        return []
    return [_record(entry) for entry in session_entries.new_entries(digest, "", KnownTexts(())) if entry.kind in KINDS]


def _record(draft: Draft) -> dict[str, str | None]:
    text = f"{draft.title} {draft.body}".strip()
    return {
        "kind": draft.kind.replace(" ", "_"),
        "text": text,
        "why": dict(draft.fields).get("why") or reasons.find(text) or None,
        "standing": draft.standing,
    }
