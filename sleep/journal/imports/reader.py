"""Reading what is to be taken in: files, folders and patterns become sources, each with its day.

Owns the walk, the order in time, and by what name a file is known on every machine. Refuses what is no text or too
large, links that lead out of the folder, and what is this memory's own; each is told, none is passed over in silence.
"""

from __future__ import annotations

import glob
import os
import re
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import front_matter, paths
from sleep.documents import journal as journals
from sleep.documents.project import guidance_marks
from sleep.errors import StorageError, UsageError
from sleep.journal.imports import adr, adr_pages, daily, detection, notes, placement, templates
from sleep.journal.imports.source import (
    ADR,
    BANK,
    CLAUDE,
    CODEX,
    CONTEXT,
    DAILY,
    FORMS,
    JOURNAL,
    Batch,
    Omission,
    Source,
)
from sleep.language import dates
from sleep.memory import place
from sleep.records import kinds
from sleep.store import files, history, layout
from sleep.transcripts import readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.store.layout import Root

LIMIT = 16_000_000  # bytes of a file
_LOOK = 8_000  # bytes of a file that say whether it is text
# What Logseq books below an item: when it was worked at, how it is shown.
_BOOKED = re.compile(
    r"^[ \t]+(?:(?:id|collapsed):: .*|:LOGBOOK:[ \t]*\r?\n(?:.*\n){1,99}?[ \t]*:END:[ \t]*\r?)$", re.MULTILINE
)
_STRANGE = 20  # at most one byte in so many may be a control sign: of noise one in nine is
_CONTROLS = bytes([*range(8), *range(14, 27), *range(28, 32)])
_ENDS = (".md", ".markdown", ".mdc")
_CONVERTED = (".csv", ".tsv", ".htm", ".html", ".org", ".rst", ".opml", ".ipynb", ".docx", ".odt")  # by pandoc
_DATA = (".json", ".xml", ".enex", ".yaml", ".yml")  # whose signs are no words
_PAGES = (".md", ".json")  # of a context tree
_PERSONAL = (CLAUDE, CODEX)  # they lie in a home, whose folders name a person


class _Place(NamedTuple):
    """What one word of the command names: a folder, or "" for files; the files by path below it, and the rest."""

    word: str
    folder: str
    texts: dict[str, str]
    left: list[Omission]


def gather(
    words: Sequence[str],
    root: Root,
    form: str = "",
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Batch:
    """Return what files, folders and quoted patterns hold, in order of time; journals stay in the order given.

    Args:
        words: what a person named: files, folders, patterns.
        root: the memory, whose own documents are left out.
        form: what all of it is; detected for each place where it is "".
        notice: called with the files read, and with all.

    Raises:
        UsageError: there is no such file, or no such form; a file that was named cannot be read.
    """
    if form and form not in FORMS:
        raise UsageError(f"--from takes one of {', '.join(FORMS)}, not {form!r}")
    places = list(_once(chain.from_iterable(_places(word, root, form) for word in words)))
    forms: dict[str, str] = {}
    sources: list[Source] = []
    pages: dict[str, str] = {}
    total, read = sum(len(origin.texts) for origin in places), 0
    for origin in filter(lambda origin: origin.texts, places):
        where = os.path.realpath(origin.folder or origin.word).replace(os.sep, "/")
        kind = forms[origin.word] = form or detection.form_of(where, origin.texts)
        days = _Days(origin)
        for path, text in origin.texts.items():
            notice(read, total)
            read += 1
            repository = _repository(origin, path, kind, root)
            sources += (each._replace(repository=repository) for each in _sources(origin, path, text, kind, days))
        if kind == CONTEXT:
            pages |= {page: text for path, text in origin.texts.items() if (page := placement.page_of(path))}
    if {*forms.values()} - {JOURNAL}:
        sources.sort(key=lambda source: source.date)
    return Batch(sources, list(chain.from_iterable(origin.left for origin in places)), pages, forms)


def _places(word: str, root: Root, form: str) -> Iterator[_Place]:
    if os.path.isdir(word):
        yield _folder(word, root, form)
        return
    matches = [word] if os.path.isfile(word) else sorted(glob.glob(word, recursive=True))
    if not matches:
        raise UsageError(f"{word}: no such file (a file, a folder with .md files, or a pattern)")
    one_pattern = _Place(word, "", {}, [])
    for path in matches:
        if os.path.isdir(path):
            yield _folder(path, root, form)
            continue
        is_other = not form and path.lower().endswith(_CONVERTED + _DATA)
        text = _own(path, root) or (_no_markdown(path) if is_other else _text(path, form))
        if len(matches) == 1:
            if isinstance(text, Omission):
                raise UsageError(f"{path}: {text.why}")
            yield _Place(path, "", {path: text}, [])
            return
        if isinstance(text, Omission):
            one_pattern.left.append(text)
        else:
            one_pattern.texts[path] = text
    if one_pattern.left and not one_pattern.texts:
        first = one_pattern.left[0]
        raise UsageError(f"{word}: matches nothing that can be taken in ({first.path} {first.why})")
    if one_pattern.texts:
        yield one_pattern


def _once(places: Iterable[_Place]) -> Iterator[_Place]:
    """Yield places without the files that one before has: a folder and a file in it may both be named."""
    seen: set[str] = set()
    for origin in places:
        for path in tuple(origin.texts):
            real = os.path.realpath(os.path.join(origin.folder, path))
            if real in seen:
                del origin.texts[path]
                origin.left.append(Omission(path, "is named twice"))
            seen.add(real)
        yield origin


def _folder(folder: str, root: Root, form: str) -> _Place:
    """Return the files of a folder: of a context tree pages and lists, of any other what is Markdown."""
    origin = _Place(folder, folder, {}, [])
    top = os.path.realpath(folder)
    is_tree = form == CONTEXT or (not form and detection.is_tree(top.replace(os.sep, "/"), _is_there(folder)))
    for at, names, inside in os.walk(folder):
        names.sort()
        for name in filter(lambda name: os.path.islink(os.path.join(at, name)), names):
            origin.left.append(Omission(_below(folder, at, name), "is a link to a folder, and links are not followed"))
        names[:] = [name for name in names if not name.startswith(".")]
        for name in sorted(name for name in inside if not name.startswith(".")):
            path = _below(folder, at, name)
            is_page = name.lower().endswith(_PAGES if is_tree else _ENDS)
            text = _admitted(os.path.join(at, name), top, root, form) if is_page else _no_markdown(path)
            if isinstance(text, Omission):
                origin.left.append(text._replace(path=path))
            else:
                origin.texts[path] = text
    if not origin.texts:
        why = f" ({origin.left[0].path} {origin.left[0].why})" if origin.left else ""
        raise UsageError(f"{folder}: holds nothing that can be taken in{why}; .md files would be right")
    return origin


def _is_there(folder: str) -> Callable[[str], bool]:
    return lambda path: os.path.isfile(os.path.join(folder, *path.split("/")))


def _below(folder: str, at: str, name: str) -> str:
    return os.path.relpath(os.path.join(at, name), folder).replace(os.sep, "/")


def _admitted(path: str, top: str, root: Root, form: str) -> str | Omission:
    real = os.path.realpath(path)
    if os.path.islink(path):
        if os.path.commonpath((real, top)) != top:
            return Omission(path, "is a link that leads out of the folder")
        below = os.path.relpath(real, top).replace(os.sep, "/")
        is_seen = below.lower().endswith(_ENDS) and not any(part.startswith(".") for part in below.split("/"))
        if is_seen and os.path.isfile(real):
            return Omission(path, f"is a link to {below}, which is here too")
    return _own(path, root) or _text(path, form)


def _own(path: str, root: Root) -> Omission | None:
    """Return why a file is left out that is this memory's own, by its path, or by the instance that its text names."""
    own = os.path.relpath(os.path.realpath(path), root.path).replace(os.sep, "/")
    if paths.is_own(own):
        return Omission(path, "is a document of this memory")
    if own.startswith(paths.JOURNALS) and (
        instance := journals.identity_in(front_matter.peek(_beginning(path)).fields)
    ):
        return Omission(path, f"is the journal of {instance} under another name (mv would bring it back)")
    return None


def _beginning(path: str) -> str:
    content = _content(path)
    return "" if isinstance(content, Omission) else files.decode(content)


def _text(path: str, form: str) -> str | Omission:
    """Return a file's text, or why it is not taken in; a transcript is where a person says what form it has."""
    content = _content(path)
    if isinstance(content, Omission):
        return content
    if not form and _is_transcript(path, content):
        return Omission(path, "is a transcript (sleepwake journal.capture takes it)")
    text = _BOOKED.sub(lambda rows: "\n" * rows[0].count("\n"), guidance_marks.bare(files.decode(content)))
    if not text.removeprefix("\ufeff").strip():
        return Omission(path, "is empty")
    blank = templates.is_template(os.path.basename(path), text)
    return Omission(path, "is a template: a form that nobody filled in") if blank else text


def _no_markdown(path: str) -> Omission:
    """Return why a file of another format is left out, and for one that pandoc reads how to make it Markdown."""
    way = " (pandoc -t gfm FILE -o FILE.md makes it so)" if path.lower().endswith(_CONVERTED) else ""
    return Omission(path, f"is no Markdown{way}")


def _is_transcript(path: str, content: bytes) -> bool:
    """Return whether a file is a client's lines, or a history in Markdown in which somebody speaks."""
    head = content[: readers.HEAD]
    client = readers.sniff(head)
    if client not in readers.MARKDOWN:
        return bool(client) and path.endswith(".jsonl")
    return any(event.role == "person" for event in readers.reader(client).read(head.splitlines(keepends=True)))


def _content(path: str) -> bytes | Omission:
    if not os.path.isfile(path):
        return Omission(path, "is no regular file" if os.path.exists(path) else "is a link to nothing")
    try:
        if os.path.getsize(path) > LIMIT:
            return Omission(path, f"is larger than {LIMIT // 1_000_000} MB (cut it into parts)")
        content = files.read_bytes(path)
    except (OSError, StorageError) as error:
        return Omission(path, f"cannot be read: {error}")
    if content is None:
        return Omission(path, "is there no more")
    start = content[:_LOOK]
    is_noise = _STRANGE * (len(start) - len(start.translate(None, _CONTROLS))) > len(start)
    return Omission(path, "is no text (UTF-8 would be right)") if is_noise else content


def _sources(origin: _Place, path: str, text: str, form: str, days: _Days) -> Iterator[Source]:
    """Yield what one file becomes: a journal, or one for each day of a long log."""
    name = place.clean(os.path.basename(path))
    where = _known_as(origin, path, form)
    if form == DAILY:
        parts = daily.split(text)
        if len(parts) > 1:  # what stands above the days has none
            title = daily.title_of(text)
            for part in parts:
                yield Source(name, part.text, form, where, part.date, part.line, part.date, title=title)
            return
        day = daily.day_of(path if origin.folder else name, days.order) or dates.of(text, name, days.order)
        yield Source(name, text, form, where, "", 1, *_dated(day, days, path, form))
        return
    if form in (ADR, BANK, JOURNAL) and (several := adr_pages.split(text)):
        for own in several:
            dated = _dated(own.record.date if own.record else "", days, path, ADR)
            source = Source(name, own.text, form, where, own.name, own.line, *dated)
            yield _with_record(source, own.record)
        return
    if form == ADR:
        record = adr.read(text, name)
        day = record.date if record else adr.date(text, name)
        source = Source(name, text, form, where, "", 1, *_dated(day, days, path, form))
        yield _with_record(source, record)
        return
    if form == JOURNAL:
        yield Source(name, text, form, where, date=dates.of(text, name, days.order))
        return
    note = notes.read(text, path if origin.folder else name, form, f"{where}:1")
    source = Source(name, _fenced(name, text), form, where, "", 1, *_dated(note.date, days, path, form))
    yield source._replace(drafts=note.drafts, refused=note.refused)


def _with_record(source: Source, record: adr.Adr | None) -> Source:
    """Return the source with the decision that it records, whose pieces are no others; an index decides nothing."""
    if record:
        return source._replace(adr=record, refused=adr.refused(source.text))
    return source._replace(refused=frozenset(kinds.BINDING)) if notes.is_index(source.text) else source


def _dated(day: str, days: _Days, path: str, form: str) -> tuple[str, str]:
    return (day, "") if day else days.of(path, form)


def _fenced(name: str, text: str) -> str:
    """Return a page as Markdown: a list in JSON as a block of code."""
    if not name.lower().endswith(".json"):
        return text
    fence = "```" if "```" not in text else "`````"
    return f"# {name}\n\n{fence}json\n{text.rstrip()}\n{fence}\n"


def _known_as(origin: _Place, path: str, form: str) -> str:
    """Return by what a file is known on every machine: its path in its repository, else below the folder given."""
    real = _real(origin, path)
    git = None if form in _PERSONAL else layout.find_git(os.path.dirname(real))
    if git:
        known = os.path.relpath(real, git[0])
    elif origin.folder:
        known = os.path.join(os.path.basename(os.path.realpath(origin.folder)), path)
    else:
        known = os.path.basename(path)
    return place.clean(known.replace(os.sep, "/"))


def _repository(origin: _Place, path: str, form: str, root: Root) -> str:
    """Return the name of a file's repository, "" where it is the memory's own or a clone of that, a home, or none."""
    folder = "" if form in _PERSONAL else os.path.dirname(_real(origin, path))
    return place.clean(layout.repository_name(folder, root.path))


def _real(origin: _Place, path: str) -> str:
    return os.path.realpath(os.path.join(origin.folder, path) if origin.folder else path)


class _Days:
    """When the files of a place were made or last changed: told by git, asked once, else by the file system."""

    def __init__(self, origin: _Place) -> None:
        self.order = daily.order_of(origin.texts)  # of day and month in the names of the files
        self._origin = origin
        self._told: Mapping[str, tuple[str, str]] | None = None
        self._git: tuple[str, str, str] | None = None

    def of(self, path: str, form: str) -> tuple[str, str]:
        """Return a file's day as ISO, and what told it; ("", "") where nothing does.

        A decision record is of the day on which it was made, whatever was mended since; a note of its last change. Of
        records and logs the file system says only when they were laid there, which is no day of theirs.
        """
        real = _real(self._origin, path)
        if self._told is None:
            self._git = layout.find_git(os.path.dirname(real))
            self._told = _changed(self._git, os.path.realpath(self._origin.folder or real))
        if self._git and (days := self._told.get(os.path.relpath(real, self._git[0]).replace(os.sep, "/"))):
            return days[form == ADR], "git"
        if form in (ADR, DAILY):
            return "", ""
        try:
            return datetime.fromtimestamp(os.stat(real).st_mtime, UTC).strftime("%Y-%m-%d"), "file time"
        except OSError:
            return "", ""


def _changed(git: tuple[str, str, str] | None, below: str) -> dict[str, tuple[str, str]]:
    """Return the days of the last and of the first commit of each file below a path, by its path in the work tree."""
    if git is None:
        return {}
    root = layout.Root(git[0], *git, "")
    at = os.path.relpath(below, git[0]).replace(os.sep, "/")
    only = () if at == "." else (at,)
    spans: dict[str, tuple[str, str]] = {}
    for commit, rows in history.walk(root, only):  # the newest first
        day = commit.when[:10]
        for row in rows:
            spans[row.path] = (spans.get(row.path, (day,))[0], day)
    return spans
