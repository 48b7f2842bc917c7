"""The first entry of a journal: the closing tone of the instance before, quoted, to be acknowledged.

Owns its words. The first instance of a memory has none. Refuses to open a journal, and to answer for its instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.documents.journal import Draft
from sleep.errors import DocumentError
from sleep.language import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.memory.view import View

_MOST = 120  # tokens of a tone that is quoted
QUESTION = f"It begins with the last tone. {register.ASK}: `{register.ANSWER}`"


def first(view: View) -> list[Draft]:
    """Return the first entry of a journal that is about to be opened, none where no instance was before.

    It asks the instance how it starts, where the one before left a tone. An import is no instance that spoke.
    """
    for earlier in reversed(view.journals):
        try:
            entries = view.journal(earlier).entries
        except DocumentError:
            continue  # `status` and `wake.check` report it
        if not entries or view.journal(earlier).is_import:
            continue
        last = register.closing_tone(entries)
        tone = "It left no tone."
        if last:
            tone = f"It closed with: {tokens.clip(last.words, _MOST)} ({last.address})"
            tone += f"\n\n{register.ASK}: `{register.ANSWER}`"
        return [Draft("tone", f"tone check against instance {view.journal(earlier).instance}", tone)]
    return []


def question(view: View) -> list[Draft]:
    """Return the first entry of a journal that is opened without a wake: none where there is no tone to start from."""
    checks = first(view)
    return checks if asks(checks) else []


def asks(drafts: Sequence[Draft]) -> bool:
    """Return whether one of the entries that a journal begins with asks its instance for the tone."""
    return any(register.ASK in each.body for each in drafts)
