"""What is wrong with the pages that a session is told: core, tasks, features, knowledge, and the two records in JSON.

Owns the schema of those pages, and saying of each fault where it is and what mends it. Reads them as the snapshot does,
so that what it finds is what a session would miss. Refuses to change anybody's words: with `fix` it takes a byte order
mark away, which no reader needs and some stumble over. `doctor` calls it; the tiers are examined there.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING

from sleep import settings
from sleep.documents import front_matter, paths
from sleep.errors import SleepError
from sleep.memory.finding import Finding
from sleep.store import context as contexts
from sleep.store import files
from sleep.wake.snapshot import build, page_files, page_outline, pages, prose, releases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sleep.documents.front_matter import Words
    from sleep.store.context import Context
    from sleep.wake.snapshot.page_files import File

    Kind = Callable[[str, str, dict[str, Words]], Iterator[Finding]]

BUDGET = 9_500  # what a hook has for everything
STATUS_OF_TASK = ("todo", "in_progress", "in_review", "blocked", "completed")
STATUS_OF_FEATURE = (
    "planning",
    "planned",
    "in_progress",
    "in_review",
    "active",
    "blocked",
    "done",
    "completed",
    "deprecated",
)
PRIORITY = ("critical", "high", "medium", "low")
_BOM = b"\xef\xbb\xbf"
_ALL = frozenset(
    {"id", "name", "title", "description", "summary", "status", "priority", "tags", "pinned", "parent_task"}
    | {"related_tasks", "created", "updated", "created_at", "updated_at"}
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?")
_LEFT = re.compile(
    r"\{\{[A-Z_]+\}\}|\((?:To be defined|Add |Project-specific|Specific, testable|How this feature)[^()]*\)"
)
_LINK = re.compile(r"\]\((?P<path>[^()\s#?:]+)(?:#[^()\s]*)?\)")
_CORE_PAGES = {"Soul": "0.soul.md", "User": "1.user.md", "Memory": "2.memory.md"}
_JSON = ("CHANGELOG.json", "RELEASES.json")
_warn, _reference = partial(Finding, "pages", "warn"), partial(Finding, "references", "warn")
_unshown = partial(Finding, "unshown", "note", "no section of a snapshot shows it")


def examine(context: Context, *, fix: bool = False) -> list[Finding]:
    """Return what is wrong with the pages of a context, failures first; with `fix` what is safe to mend is mended."""
    tasks = _tasks(context)
    findings = [
        *_byte_order_marks(context, fix=fix),
        *_pages(context, ("state",), partial(_task, tasks)),
        *_pages(context, ("core", "features"), partial(_feature, tasks)),
        *_pages(context, ("knowledge",), _knowledge),
        *_core(context),
        *_json(context),
        *_unshown_files(context),
        *_oversized(context),
    ]
    return sorted(findings, key=lambda finding: finding.rank)


def _byte_order_marks(context: Context, *, fix: bool) -> Iterator[Finding]:
    """Report, or take away, byte order marks."""
    for names in (("core",), ("core", "features"), ("knowledge",), ("state",)):
        for file in page_files.files(context, *names).files:
            if not (file.name.lower().endswith((".md", ".markdown", ".json")) and _is_marked(file.path)):
                continue
            where = _path(context, *names, file.name)
            if not fix:
                yield Finding("pages", "note", "begins with a byte order mark", where, "sleepwake doctor --fix")
                continue
            try:
                files.write(file.path, (files.read(file.path) or "").removeprefix("\ufeff"))
                yield Finding("pages", "note", "had a byte order mark, which is gone", where)
            except SleepError as error:
                yield _warn(f"keeps its byte order mark: {error.what}", where, error.hint)


def _is_marked(path: str) -> bool:
    """Return whether a file begins with a byte order mark; what is a link, or no file, is left alone."""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as begun:
            return begun.read(len(_BOM)) == _BOM
    except OSError:  # reported with what the page should be
        return False


def _pages(context: Context, names: tuple[str, ...], kind: Kind) -> Iterator[Finding]:
    """Examine every page of a folder: that it can be read, its front matter, its links, and what its kind asks for."""
    folder = page_files.pages(context, *names)
    if folder.problem:
        yield Finding("pages", "fail", folder.problem, f"{_path(context, *names)}/", f"ls -ld {_path(context, *names)}")
    for file in folder.files:
        yield from _page(context, file, _path(context, *names, file.name), kind)


def _page(context: Context, file: File, where: str, kind: Kind | None) -> Iterator[Finding]:
    read = page_files.whole(context, file.path)
    if read.problem:
        yield Finding("pages", "fail", read.problem, where, f"ls -ld {where}")
        return
    try:
        front_matter.read(read.text)
    except ValueError as error:
        line = getattr(error, "line", 1)
        yield Finding(
            "pages", "fail", f"front matter: {getattr(error, 'what', error)}", f"{where}:{line}", "mend the line"
        )
    yield from _placeholders(read.text, where)
    yield from _links(context, read.text, file.path, where)
    if kind:
        yield from kind(read.text, where, front_matter.words(read.text, _ALL))


def _task(tasks: frozenset[str], text: str, where: str, fields: dict[str, Words]) -> Iterator[Finding]:
    yield from _choice_field(text, where, fields, "status", STATUS_OF_TASK, missing="it is shown as unknown")
    yield from _choice_field(text, where, fields, "priority", PRIORITY, missing="it is shown as -")
    yield from _date_fields(text, where, fields, ("updated_at", "updated", "created_at", "created"))
    parent = front_matter.as_line(fields.get("parent_task"))
    if parent and parent not in tasks:
        yield _reference(f"no task is called {parent}", _line(text, where, "parent_task"), "mend the name")


def _feature(tasks: frozenset[str], text: str, where: str, fields: dict[str, Words]) -> Iterator[Finding]:
    yield from _choice_field(text, where, fields, "status", STATUS_OF_FEATURE, missing="it is shown as unknown")
    yield from _list_fields(text, where, fields, "tags", "related_tasks")
    gone = [task for task in front_matter.as_list(fields.get("related_tasks")) if task not in tasks]
    line = _line(text, where, "related_tasks") if gone else ""
    for task in gone:
        yield _reference(f"no task is called {task}", line, "take it out, or mend the name")
    if not page_outline.first_line(page_outline.section(text[front_matter.span(text)[2] :], "why")):
        yield _warn("says no why (a section `## Why` with a sentence)", where, "write why it is there")


def _knowledge(text: str, where: str, fields: dict[str, Words]) -> Iterator[Finding]:
    yield from _list_fields(text, where, fields, "tags")
    if not front_matter.as_line(fields.get("description")) and not front_matter.as_line(fields.get("summary")):
        yield _warn("has no description, which the index shows", where, "description: ... on top")
    pinned = front_matter.as_line(fields.get("pinned"))
    if pinned and pinned.lower() not in {"true", "false", "yes", "no", "on", "off", "0", "1"}:
        yield _warn(f"pinned is {pinned} (true or false)", _line(text, where, "pinned"), "pinned: true")


def _indexed(_: str, where: str, fields: dict[str, Words]) -> Iterator[Finding]:
    if not front_matter.as_line(fields.get("summary")) and not front_matter.as_line(fields.get("description")):
        yield _warn("has no summary, which the index shows", where, "summary: ... on top")


def _core(context: Context) -> Iterator[Finding]:
    folder = page_files.files(context, "core")
    if folder.problem:
        yield Finding("pages", "fail", folder.problem, f"{_path(context, 'core')}/", f"ls -ld {_path(context, 'core')}")
    for file in folder.files:
        where = _path(context, "core", file.name)
        if file.name in _CORE_PAGES.values():
            yield from _page(context, file, where, None)
        elif file.name.lower().endswith((".md", ".markdown")) and pages.is_indexed(file.name):
            yield from _page(context, file, where, _indexed)


def _json(context: Context) -> Iterator[Finding]:
    for name in _JSON:
        where = _path(context, "core", name)
        read = page_files.single(context, os.path.join(context.folder, "core", name))
        if read is None:
            continue
        records, problem = releases.load(read)
        if problem:
            line = re.search(r"line (\d+)", problem)
            yield Finding("records", "fail", problem, f"{where}:{line[1]}" if line else where, "mend the file")
        for number, record in enumerate(records, 1):
            if name == _JSON[1] and releases.version(str(record.get("version", ""))) is None:
                yield Finding(
                    "records",
                    "warn",
                    f"entry {number} has no version that can be compared",
                    where,
                    '"version": "1.2.0"',
                )
            elif name == _JSON[0] and not _DATE.fullmatch(str(record.get("date", ""))):
                yield Finding("records", "warn", f"entry {number} has no date", where, '"date": "2026-02-26"')


def _other_files(context: Context, *names: str) -> list[str]:
    """Return the names of the files in a folder of pages that are no pages."""
    listed = {file.name for file in page_files.pages(context, *names).files if not os.path.isdir(file.path)}
    return [file.name for file in page_files.files(context, *names).files if file.name not in listed]


def _unshown_files(context: Context) -> Iterator[Finding]:
    """Report the files that no section shows."""
    for file in page_files.files(context, "core").files:
        is_page = pages.is_indexed(file.name) and not os.path.isdir(file.path)
        if not is_page and file.name not in {*_CORE_PAGES.values(), *_JSON, "features"}:
            yield _unshown(_path(context, "core", file.name), "name it N.name.md with N from 3 on")
    for names in (("core", "features"), ("knowledge",), ("state",)):
        for name in _other_files(context, *names):
            yield _unshown(_path(context, *names, name), f"{_path(context, *names)}/name.md")
    for file in page_files.files(context).files:
        if not paths.is_own(f"{paths.MEMORY}{file.name}"):
            yield _unshown(_path(context, file.name), f"{_path(context, 'knowledge')}/name.md")
    for name in contexts.FOLDERS:
        other = os.path.join(context.base, name)
        if other != context.folder and os.path.isdir(other) and name != contexts.FOLDERS[0]:
            yield Finding(
                "unshown", "warn", f"is not read: {_path(context)}/ comes before it", f"{name}/", "move its pages"
            )


def _oversized(context: Context) -> Iterator[Finding]:
    """Report what a hook's budget has no room for, of what a person wants to be told whole."""
    for section in build.snapshot(context, settings.Settings(), BUDGET).sections:
        if section.rung == "full" or section.name not in {*_CORE_PAGES, "Pinned Knowledge"}:
            continue
        if section.name in _CORE_PAGES:
            where = _path(context, "core", _CORE_PAGES[section.name])
            what = f"does not fit into a session start's {BUDGET:,}: {section.rung} instead of full"
        else:
            where = f"{_path(context, 'knowledge')}/"
            count = f"{section.of - section.shown} of {section.of} pinned pages"
            what = f"{count} do not fit into a session start's {BUDGET:,}"
        yield Finding("sizes", "warn", what, where, "sleepwake snapshot --budget 9500 --tokens")


def _choice_field(
    text: str, where: str, fields: dict[str, Words], name: str, known: tuple[str, ...], *, missing: str
) -> Iterator[Finding]:
    value = front_matter.as_line(fields.get(name))
    if not value:
        yield _warn(f"has no {name}: {missing}", where, f"{name}: {known[0]}")
    elif value.lower() not in known:
        yield Finding("pages", "note", f"{name} is {value} (usual: {', '.join(known)})", _line(text, where, name), "")


def _list_fields(text: str, where: str, fields: dict[str, Words], *names: str) -> Iterator[Finding]:
    for name in names:
        if isinstance(fields.get(name), str):
            yield Finding("pages", "note", f"{name} is no list", _line(text, where, name), f"{name}: [one, two]")


def _date_fields(text: str, where: str, fields: dict[str, Words], names: tuple[str, ...]) -> Iterator[Finding]:
    for name in names:
        value = front_matter.as_line(fields.get(name))
        if value and not _DATE.fullmatch(value):
            yield _warn(f"{name} is {value}, no date", _line(text, where, name), f"{name}: 2026-02-26")


def _placeholders(text: str, where: str) -> Iterator[Finding]:
    """Report placeholders that a template left, outside of comments and code."""
    for number, line in page_outline.prose_lines(text):
        if match := _LEFT.search(line):
            yield Finding(
                "placeholders", "warn", f"{prose.cut(match[0], 60)} is still there", f"{where}:{number}", "say it"
            )


def _links(context: Context, text: str, path: str, where: str) -> Iterator[Finding]:
    """Report links to files that are not there, as seen from the page or from the base."""
    for number, line in page_outline.prose_lines(text):
        for link in _LINK.finditer(line):
            name = link["path"]
            places = (os.path.join(os.path.dirname(path), name), os.path.join(context.base, name.lstrip("/")))
            if not any(map(os.path.exists, places)):
                yield _reference(f"leads to {name}, which is not there", f"{where}:{number}", "mend the link")


def _tasks(context: Context) -> frozenset[str]:
    """Return what tasks are called: names of pages, and ids."""
    names = set()
    for file in page_files.pages(context, "state").files:
        fields = front_matter.words(page_files.beginning(context, file.path).text, frozenset({"id", "name"}))
        names |= {file.stem, front_matter.as_line(fields.get("id")), front_matter.as_line(fields.get("name"))}
    return frozenset(names)


def _line(text: str, where: str, name: str) -> str:
    return f"{where}:{front_matter.line_of(text, name)}"


def _path(context: Context, *names: str) -> str:
    return pages.display_path(context, *names)
