"""The sections that are read from pages: soul, user and memory, the core index, tasks, features, knowledge.

Owns the lines of the requirement, and which file belongs to which section. One scan a folder; of a page no more is read
than its section shows. What cannot be read keeps its line, with the reason.
"""

from __future__ import annotations

import os
import re

from sleep.documents import front_matter
from sleep.plurals import several
from sleep.tuples import NamedTuple
from sleep.wake.snapshot import page_files, page_outline, prose
from sleep.wake.snapshot.parts import Item, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.front_matter import Words
    from sleep.store.context import Context

WHY_OF_A_TASK = 100
WHY, LATEST = 120, 120
CORE = {  # by section: the page, and the heading above it
    "Soul": ("0.soul.md", "## Soul (Agent Identity, Principles, Rules)"),
    "User": ("1.user.md", "## User (Preferences, Project Details, Rules)"),
    "Memory": ("2.memory.md", "## Memory (Technical Decisions, Known Issues, Session Log)"),
}
FIRST_INDEXED = 3
# Fields that say nothing about whom the page is of.
_BARE = frozenset({"type", "updated", "created", "date", "version"})
NAMING = frozenset({"name", "title", "description", "summary"})
_OF_TASK = frozenset({"status", "priority", "updated_at", "updated", "created_at", "created"})
_OF_FEATURE = frozenset({"status", "tags", "related_tasks"})
_OF_KNOWLEDGE = NAMING | {"tags", "pinned"}
_NUMBER = re.compile(r"(\d{1,6})(?!\d)")
_KEY = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*:[ \t]*\S", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
# The day of what a sleep wrote into a page (`project.dated_lines`), by which the page is newer than it says itself.
_SLEPT = re.compile(r"^(?:- |### )(\d{4}-\d\d-\d\d)(?:: .*\[i\d| - Sleep on i)", re.MULTILINE)
_STATUS = ("in_progress", "active", "doing", "blocked", "in_review", "review", "todo", "planning")
_PRIORITY = {
    "critical": 0,
    "urgent": 0,
    "highest": 0,
    "high": 1,
    "p0": 0,
    "p1": 1,
    "p2": 2,
    "p3": 3,
    "low": 3,
    "lowest": 4,
}
_MEDIUM = 2
_MANAGED = "<!-- written by sleep: decisions"  # what `project.managed_block` begins with


class KnowledgePage(NamedTuple):
    """A knowledge page: its file, name, and index line; and its body, read only where it is pinned."""

    slug: str
    name: str
    line: str
    pinned: bool
    body: str


def _own(text: str) -> str:
    """Return a core page without the block that a sleep wrote: its records have sections of their own."""
    if _MANAGED not in text:
        return text
    from sleep.documents.project import managed_block  # late: few starts have one  # noqa: PLC0415

    return managed_block.without(text)


def _conflict(text: str) -> str:
    """Return what is wrong with a page in which a merge left both sides: neither is told as if it held; "" for none."""
    if ">>>>>>> " not in text:
        return ""
    from sleep.documents.markdown import conflict_marks  # late: few starts meet one  # noqa: PLC0415

    return "has a conflict of a merge in it: sleepwake doctor" if conflict_marks.starts(text, quoting=True) else ""


def core(context: Context, name: str) -> Part | None:
    """Return a core page as a section; None where there is none, or nothing but headings, comments and placeholders."""
    file, heading = CORE[name]
    path = os.path.join(context.folder, "core", file)
    where = display_path(context, "core", file)
    read = page_files.single(context, path)
    if read is None:
        return None
    if problem := read.problem or _conflict(read.text):
        return Part(name, heading, [Item(f"({where} {problem})", where)], count=f"{where} {problem}", where=where)
    text = prose.printable(page_outline.without_comments(_own(read.text))).strip()
    start, end, body = front_matter.span(text)
    tells = any(key.lower() not in _BARE for key in _KEY.findall(text[start:end]))
    if not tells and page_outline.is_empty(text[body:]):
        return None
    count = f"{where} ({len(text):,} characters)"
    bare = text[body:].strip()
    less = Part(name, heading, count=count, where=where, page=bare) if body and bare else None
    return Part(name, heading, count=count, where=where, page=text, less=less)


def display_path(context: Context, *names: str) -> str:
    """Return a path of the context folder as a reader at its base names it."""
    return "/".join((os.path.basename(context.folder), *names))


def index(context: Context) -> list[tuple[str, str]]:
    """Return the line and the name of each core page from number 3 on, in the order of numbers."""
    lines = []
    for file in _files(context, "core"):
        number = _NUMBER.match(file.name)
        if number is None or not is_indexed(file.name) or os.path.isdir(file.path):
            continue
        name, says = file.stem[number.end() :].strip(". _-").replace("_", " ") or file.name, ""
        if not file.name.lower().endswith(".json"):
            text, problem = _top(context, file.path)
            found_fields = front_matter.words(text, NAMING)
            name = first(found_fields, "name", "title") or name
            says = f"({problem})" if problem else first(found_fields, "summary", "description")
        line = f"- **{name}** ({display_path(context, 'core', file.name)})"
        lines.append((int(number[1]), file.name, f"{line}: {says}" if says else line, name))
    return [(line, name) for _, _, line, name in sorted(lines)]


def is_indexed(name: str) -> bool:
    """Return whether a core file's number is 3 or above."""
    number = _NUMBER.match(name)
    return number is not None and int(number[1]) >= FIRST_INDEXED


def core_index(context: Context, most: int | None = None) -> Part | None:
    """Return the section of the core pages that are not shown themselves; `most` as in `known`."""
    items = [Item(line, name) for line, name in index(context)]
    where = display_path(context, "core/")
    return _list("Extended Core Files", items, where, f"{several(len(items), 'file')} in {where}", most)


def tasks(context: Context, *, why: bool = True) -> list[Item]:
    """Return every task that is not completed: those under way first, then by priority, then the latest."""
    ranked = []
    for file in _files(context, "state", only_pages=True):
        read = (page_files.whole if why else page_files.beginning)(context, file.path)
        if read.problem:
            ranked.append(((0, 0), "", file.stem, f"- {file.stem} ({read.problem})"))
            continue
        fields = front_matter.words(read.text, _OF_TASK)
        status = front_matter.as_line(fields.get("status")) or "unknown"
        if status.lower() == "completed":
            continue
        priority = front_matter.as_line(fields.get("priority")) or "-"
        updated = first(fields, "updated_at", "updated", "created_at", "created") or "-"
        slept = max(_SLEPT.findall(read.text), default="")
        updated = slept if slept > updated[: len(slept)] else updated
        line = f"- {file.stem} (status: {status}, priority: {priority}, updated: {updated})"
        if why and (says := page_outline.first_line(page_outline.section(_under(read.text), "why"))):
            line += f"\n  Why: {prose.cut(says, WHY_OF_A_TASK)}"
        rank = _STATUS.index(status.lower()) if status.lower() in _STATUS else len(_STATUS)
        ranked.append(((rank, _PRIORITY.get(priority.lower(), _MEDIUM)), updated, file.stem, line))
    ranked.sort(key=lambda task: task[1], reverse=True)  # the latest first, of one day by name: both sorts are stable
    ranked.sort(key=lambda task: task[0])
    return [Item(line, stem) for _, _, stem, line in ranked]


def active(context: Context, most: int | None = None) -> Part | None:
    """Return the section of active tasks; with `most`, as in `known`, without why."""
    items = tasks(context, why=most is None)
    where = display_path(context, "state/")
    return _list("Active Tasks", items, where, f"{several(len(items), 'active task')} in {where}", most)


def features(context: Context) -> Part | None:
    """Return the section of features: status, tags, why, tasks, and what happened last."""
    items = [Item(_feature(context, file), file.stem) for file in _files(context, "core", "features", only_pages=True)]
    where = display_path(context, "core/features/")
    return _list("Features", items, where, f"{several(len(items), 'feature')} in {where}")


def _feature(context: Context, file: page_files.File) -> str:
    read = page_files.whole(context, file.path)
    if read.problem:
        return f"- **{file.stem}** ({read.problem})"
    fields = front_matter.words(read.text, _OF_FEATURE)
    tags = ", ".join(_tags(fields))
    status = front_matter.as_line(fields.get("status")) or "unknown"
    lines = [f"- **{file.stem}** (status: {status}{f', tags: {tags}' if tags else ''})"]
    if why := page_outline.first_line(page_outline.section(_under(read.text), "why")):
        lines.append(f"  Why: {prose.cut(why, WHY)}")
    if related := front_matter.as_list(fields.get("related_tasks")):
        lines.append(f"  Tasks: {', '.join(related)}")
    if latest := _latest(page_outline.section(_under(read.text), "changelog")):
        lines.append(f"  Latest: {prose.cut(latest, LATEST)}")
    return "\n".join(lines)


def _latest(changelog: str) -> str:
    """Return the newest entry of a changelog that is not the page's own creation."""
    entries = []
    for title, body in page_outline.entries(changelog):
        if title.endswith("- Created") or prose.is_placeholder(title):
            continue
        when, _, what = title.partition(" - ")
        says = page_outline.first_item(body) or what
        day = _DATE.search(when)
        entries.append((day[0] if day else "", f"{when} - {says}" if says else when))
    # The newest stands at the top; where one below has a later day, that one is.
    return max(entries, key=lambda entry: entry[0], default=("", ""))[1]


def knowledge(context: Context) -> list[KnowledgePage]:
    """Return every knowledge page, those that are pinned first."""
    known = []
    for file in _files(context, "knowledge", only_pages=True):
        text, problem = _top(context, file.path)
        fields = front_matter.words(text, _OF_KNOWLEDGE)
        pinned = front_matter.is_true(fields.get("pinned"))
        name = first(fields, "name", "title") or file.stem
        says = f"({problem})" if problem else first(fields, "description", "summary") or _opening(text)
        tags = _tags(fields)
        line = f"- **{file.stem}** ({display_path(context, 'knowledge', file.name)})"
        line += (f": {says}" if says else "") + (f" [{', '.join(tags)}]" if tags else "")
        body = _body(context, file.path, display_path(context, "knowledge", file.name)) if pinned else ""
        known.append(KnowledgePage(file.stem, name, line, pinned, body))
    return sorted(known, key=lambda page: not page.pinned)  # stable: they come by slug


def knowledge_pages(context: Context, most: int | None = None) -> list[Part]:
    """Return the knowledge index and the pinned pages, each where there is one.

    Of the index `most` pages have a line, where a number is given; the others are named.
    """
    everything = knowledge(context)
    pinned = [page for page in everything if page.pinned]
    where = display_path(context, "knowledge/")
    listed = _list(
        "Knowledge Index",
        [Item(page.line, page.slug) for page in everything],
        where,
        f"{several(len(everything), 'page')} in {where}" + (f", {len(pinned)} of them pinned" if pinned else ""),
        most,
    )
    bodies = [Item(f"### {page.name}\n\n{page.body}".rstrip(), page.slug) for page in pinned]
    whole = Part(
        "Pinned Knowledge",
        "## Pinned Knowledge",
        bodies,
        count=f"{several(len(pinned), 'pinned page')} in {where}",
        where=where,
        between="\n\n",
        picks=True,
    )
    return [part for part in (listed, whole if bodies else None) if part]


def _body(context: Context, path: str, where: str) -> str:
    read = page_files.whole(context, path)
    if read.problem:
        return f"({where} {read.problem})"
    text = page_outline.without_comments(read.text)
    return prose.printable(_under(text)).strip()


def _top(context: Context, path: str) -> tuple[str, str]:
    """Return the beginning of a page with all of its front matter, and why it cannot be read."""
    read = page_files.beginning(context, path)
    if not read.whole and read.text.startswith("---") and not front_matter.span(read.text)[2]:
        read = page_files.whole(context, path)
    return read.text, read.problem


def _under(text: str) -> str:
    """Return a page without its front matter."""
    return text[front_matter.span(text)[2] :]


def _opening(text: str) -> str:
    """Return the first line of a page that has no description."""
    return prose.cut(page_outline.first_line(_under(text)), WHY)


def _files(context: Context, *names: str, only_pages: bool = False) -> Iterable[page_files.File]:
    folder = (page_files.pages if only_pages else page_files.files)(context, *names)
    if folder.problem:
        raise OSError(f"{display_path(context, *names)}/ {folder.problem}")
    return folder.files


def _list(name: str, items: list[Item], where: str, count: str, most: int | None = None) -> Part | None:
    if not items:
        return None
    clean = [Item(prose.printable(item.full), item.name) for item in items]
    return Part(name, f"## {name}", clean, count=count, where=where, most=most)


def first(fields: dict[str, Words], *names: str) -> str:
    """Return the first of these fields that says something, on one line; "" for none."""
    return next((prose.flat(words) for name in names if (words := front_matter.as_line(fields.get(name)))), "")


def _tags(fields: dict[str, Words]) -> list[str]:
    return [
        tag
        for tag in (prose.flat(word.strip().lstrip("#")) for word in front_matter.as_list(fields.get("tags")))
        if tag
    ]
