"""The form that a journal written by hand gets when it is taken in: ours, with a mark on every idea.

Refuses to let a secret or a home directory through, and to drop front matter that somebody wrote.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sleep.documents import entries, front_matter
from sleep.documents import journal as journals
from sleep.documents.hand import annotation
from sleep.documents.markdown import edit
from sleep.memory import place
from sleep.redaction import homes, secret_scan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.records.address import InstanceId


def clean(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return a text without secrets and home directories, and line and kind of each secret.

    A secret of many lines leaves as many, empty ones: what stands below it keeps its line.
    """
    parts, at = [], 0
    secrets = []
    for start, end, kind in secret_scan.find(text, place.secrets()):
        secrets.append((text.count("\n", 0, start) + 1, kind))
        ends = re.findall(r"\r?\n", text[start:end])
        parts += [text[at:start], f"[REDACTED:{kind}]", *ends]
        at = end
    return homes.hide("".join([*parts, text[at:]]), (os.path.expanduser("~"),)), secrets


def canonical(
    text: str,
    instance: InstanceId,
    fields: Mapping[str, object],
    used: Mapping[str, int],
    refused: frozenset[str] = frozenset(),
    title: str = "",
) -> tuple[str, int]:
    """Return a hand-written journal in our form, and how many secrets were taken out.

    Kinds that are refused are given to no piece: it is a note then. Front matter of its own is kept as a fenced block,
    since there can be only one at the top. `title` is that of the page of which the text is a part.
    """
    text, secrets = clean(text)
    text = text.removeprefix("\ufeff")
    newline = edit.newline(text)
    head = front_matter.peek(text)
    if head.fields:
        inner = text[head.start : head.end].removesuffix(newline)
        text = f"```yaml{newline}{inner}{newline}```{newline}{text[head.body :]}"
    start_ = journals.start(instance, {**fields, entries.STANDING: entries.MARKED}).replace("\n", newline)
    body = text if text.endswith("\n") or not text else text + newline
    return annotation.mark(f"{start_}{newline}{body}", instance, used, refused, title), len(secrets)
