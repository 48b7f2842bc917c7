"""A journal that somebody wrote without the program: which instance it is, and the front matter that it gets.

Owns its identity, which follows from its number and its words, so that a dry run, two machines and the sleep itself
give it the same. Only ever inserts: what a person wrote stays byte for byte. Refuses front matter that cannot be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import entries, front_matter
from sleep.documents import journal as journals
from sleep.documents.markdown import edit
from sleep.records.address import InstanceId

if TYPE_CHECKING:
    from sleep.documents.yaml_values import Value

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Fields that the program gives a meaning; a person's own of these names would be taken for its.
_OURS = ("tag", entries.FIELD, "ended", "sessions", "by", "continues", "source", "imported", "digested", "compacted")


def instance(text: str, number: int) -> InstanceId | None:
    """Return the instance that a journal without an identity is, by the number in its file's name; None for ours.

    Raises ValueError when there is front matter that cannot be read.
    """
    return None if journals.instance_of(text) else InstanceId(number, _tag(text))


def with_identity(text: str, number: int) -> str:
    """Return such a journal with front matter that names its instance; one of ours as it is. Errors as above."""
    own = instance(text, number)
    if own is None:
        return text
    head = front_matter.read(text)
    fields: dict[str, Value] = {"instance": own.number, "tag": own.tag, entries.FIELD: entries.FORM}
    stated = head.fields.get("instance")
    if not any(name in head.fields for name in _OURS) and (stated is None or str(stated) == str(number)):
        return front_matter.set_fields(text, fields)
    newline = edit.newline(text)
    above = f"{front_matter.render(fields)}```yaml\n".replace("\n", newline)
    gap = "" if text[: head.body].endswith("\n") else newline
    top = int(text.startswith("\ufeff"))
    edits = [edit.Edit(top, top, above), edit.Edit(head.body, head.body, f"{gap}```{newline}")]
    return edit.apply(text, edits)


def _tag(text: str) -> str:
    import hashlib  # late: it loads OpenSSL, and few journals are without an identity  # noqa: PLC0415

    digest = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:8], "big")
    letters = []
    for _ in range(3):
        digest, at = divmod(digest, len(_LETTERS))
        letters.append(_LETTERS[at])
    return "".join(letters)
