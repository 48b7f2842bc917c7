"""Notes of other tools: Claude Code's memory, Codex memories, memory banks, context trees.

Owns what their front matter and file names say beside the words: the day, a rule or a task that a whole file is, and
which files only repeat what stands in others. What the words are is told by
`records.classification`, as for any journal. Pure.

Formats: https://code.claude.com/docs/en/memory (an index `MEMORY.md`, topic files with `name`, `description`, `type`),
https://github.com/openai/codex (`memories/`), https://docs.cline.bot/prompting/cline-memory-bank.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import front_matter
from sleep.documents.journal import Draft
from sleep.documents.markdown import blocks
from sleep.journal.imports import source
from sleep.language import dates, days
from sleep.records import kinds
from sleep.records.fragment import flat

if TYPE_CHECKING:
    from collections.abc import Mapping

RECORDS = frozenset(kind.name for kind in kinds.RECORDS)
_DATES = ("updated", "updated_at", "date", "last_updated", "modified", "created", "created_at")
_STAMP = re.compile(
    r"^[-*]?[ \t]*\[(\d{4}-\d\d-\d\d)(?:[ T]\d\d:\d\d(?::\d\d)?)?\]", re.MULTILINE
)  # of an entry of a bank
_WHY = re.compile(r"^(?:[-*] +)?(?:\*\*|__)?Why:?(?:\*\*|__)?:?[ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)]|\|(?![ \t]*:?-))[ \t]*\S.*", re.MULTILINE)  # a row of a table too
_LINK = re.compile(r"\]\([^)\s]+\.md\)")
_REPEATS = ("memory_summary.md", "raw_memories.md")
_ENDS = 1_000  # characters of the beginning and of the end of a page that may say its day
# The state of a task page, and what it is here.
_TASKS = {
    **dict.fromkeys(("in_progress", "in-progress", "in progress", "active", "doing", "started"), "thread"),
    **dict.fromkeys(("todo", "open", "pending", "planned", "backlog", ""), "task"),
    **dict.fromkeys(("blocked", "waiting"), "blocker"),
    **dict.fromkeys(("completed", "complete", "done", "closed", "cancelled"), "change"),
}


class Note(NamedTuple):
    """What is known of a page: its day (ISO or ""), the entries that it is as a whole, the kinds its pieces are not."""

    date: str
    drafts: tuple[Draft, ...] = ()
    refused: frozenset[str] = frozenset()


def read(text: str, path: str, form: str, where: str) -> Note:
    """Return what is known of a page of some form at a path below its folder; `where` is its file for `source`."""
    head = front_matter.peek(text)
    fields, body = head.fields, text[head.body :]
    day = _date(fields, body, path)
    name = path.rpartition("/")[2]
    if form == source.CLAUDE and is_index(body):
        return Note(day, refused=RECORDS)
    if form == source.CLAUDE and _type(fields) == "feedback":
        return Note(day, _rule(fields, body, where), frozenset({"constraint"}))
    if form == source.CODEX and name in _REPEATS:
        return Note(day, refused=RECORDS)
    if form == source.CONTEXT and path.startswith("state/"):
        return Note(day, _task(fields, body, where), frozenset({"thread"}))
    return Note(day)


def is_index(text: str) -> bool:
    """True for a page most of whose items point to another page: what they say stands there."""
    items = _ITEM.findall(text)
    return 2 * sum(map(bool, map(_LINK.search, items))) > len(items)


def _date(fields: Mapping[str, object], body: str, path: str) -> str:
    texts = [str(fields[key]) for key in _DATES if fields.get(key)]
    order = days.order_of(body)
    texts.append(dates.written(f"{body[:_ENDS]}\n{body[_ENDS:][-_ENDS:]}", order))
    texts.append(path.rpartition("/")[2].replace("_", "-"))
    stamps = filter(None, (days.first(stamp) for stamp in _STAMP.findall(body)))
    return next((iso for text in texts if (iso := days.first(text, order))), "") or max(stamps, default="")


def _type(fields: Mapping[str, object]) -> str:
    inner = fields.get("metadata")
    return str(fields.get("type") or (inner.get("type") if isinstance(inner, dict) else "") or "").casefold()


def is_typed(text: str) -> bool:
    """True for a page whose front matter has the fields of Claude Code's topic files."""
    fields = front_matter.peek(text).fields
    return bool(fields.get("name") and fields.get("description") and _type(fields))


def _rule(fields: Mapping[str, object], body: str, where: str) -> tuple[Draft, ...]:
    """Return the rule that a page of feedback is: its first paragraph, and why."""
    first = next((block for block in blocks.parse(body) if block.kind == "paragraph"), None)
    words = first.words(body) if first else ""
    rule = flat(_WHY.split(words, maxsplit=1)[0]) or flat(str(fields.get("description") or ""))
    why = _WHY.search(body)
    reasons = (("why", reason),) if why and (reason := flat(why[1])) else ()
    return (Draft("constraint", rule, "", (*reasons, ("source", where))),) if rule else ()


def _task(fields: Mapping[str, object], body: str, where: str) -> tuple[Draft, ...]:
    """Return the task that a page of `state/` is: under way, to be done, held up, or done."""
    title = next((head.words(body) for head in blocks.headings(body)), "")
    name = flat(str(fields.get("name") or title))
    kind = _TASKS.get(str(fields.get("status") or "").casefold(), "task")
    says = flat(str(fields.get("description") or ""))
    return (Draft(kind, name, says, (("source", where),)),) if name else ()
