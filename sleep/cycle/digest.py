"""From a transcript to a digest: what was asked, how it ended, what is open, what was learnt, and the files.

Owns what is taken from a transcript, what it becomes in a journal, and how it is printed. Everything that is kept has
been cleaned first: secrets and home directories are out, paths below the project are relative. Of what tools printed
only errors are read; they are clipped, marked as untrusted, and refused where they read like an instruction. Who
journals it is `journaling`'s to say.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import digest as choosing
from sleep.compression import passages
from sleep.errors import DocumentError, UsageError
from sleep.memory import extract
from sleep.memory.journal import Draft
from sleep.memory.kinds import KINDS
from sleep.text import redaction, sentences, tokens, untrusted
from sleep.transcripts import commands, readers
from sleep.transcripts.events import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.compression.digest import Placed
    from sleep.compression.passages import Passage

BUDGET = 2_000  # tokens
ERROR = 200  # characters of an error that are kept
_ERRORS = 5
_LAST = 2  # `closing` of the agent's last message
_FILES = 125  # tokens of the first round that the files may take; the others are counted
_SAID = ("prompt", "answer", "text", "summary", "plan", "ask")
_NAME = re.compile(r"[\w-][\w.-]*\.\w{1,8}\b")
# What an agent says of a kind that binds later instances is not its to decree by the way: it is kept as prose.
_AS_PROSE = {"constraint": "insight", "thread": "task", "tone": "insight", "relation": "insight", "handoff": "note"}


class Files(NamedTuple):
    """The files that the agent edited, most edited first: those that changed, and those where no edit took."""

    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


class Digest(NamedTuple):
    """What is kept of a transcript, in the order in which it is printed, and what was refused.

    `unread` counts lines that could not be read, `redacted` secrets that were taken out, `refused` errors that read
    like instructions.
    """

    placed: tuple[Placed, ...]
    files: Files
    errors: tuple[str, ...]
    budget: int
    unread: int = 0
    redacted: int = 0
    refused: int = 0


def read(path: str) -> Iterator[Event]:
    """Yield the events of a transcript, read line by line.

    Raises:
        UsageError: there is no such file.
        DocumentError: no reader knows it.
    """
    try:
        with open(path, "rb") as lines:
            client = readers.sniff(lines.read(readers.HEAD))
            if not client:
                known = ", ".join(readers.READERS)
                raise DocumentError(f"not a transcript of a client that is known ({known})", where=path)
            lines.seek(0)
            yield from readers.reader(client).read(lines)
    except (FileNotFoundError, IsADirectoryError):
        raise UsageError(f"{path}: no such file (a client's transcript)") from None


def of(
    events: Iterable[Event], budget: int = BUDGET, *, homes: Sequence[str] = (), known: Sequence[str] = ()
) -> Digest:
    """Return the digest of what happened, within a budget of tokens.

    Args:
        events: of one transcript, in order.
        budget: tokens, at most, of the digest as it is printed.
        homes: home directories, which become `~`.
        known: values of secrets, which are taken out wherever they stand.
    """
    gathered = _Gathered(homes, known)
    for event in events:
        gathered.take(event)
    files = gathered.files()
    said = passages.cut([*gathered.said, *gathered.tasks()])
    labelled = [one._replace(path=_label(one.text, gathered.paths)) for one in said]
    chosen = choosing.choose(labelled, budget, taken=tokens.share(_files(files, budget)))
    # On one line a secret can show that did not across lines.
    placed = [one._replace(passage=one.passage._replace(text=gathered.clean(one.passage.text))) for one in chosen]
    found = Digest(tuple(placed), files, gathered.errors, budget, gathered.unread, gathered.redacted, gathered.refused)
    return _fitted(found)


class _Gathered:
    """What is taken from the events of a transcript, cleaned."""

    def __init__(self, homes: Sequence[str], known: Sequence[str]) -> None:
        self.said: list[Event] = []
        self.unread = 0
        self.redacted = 0
        self.refused = 0
        self.paths: dict[str, frozenset[str]] = {}
        self._homes, self._known = homes, known
        self._root: re.Pattern[str] | None = None
        self._edits: list[tuple[str, str]] = []
        self._failed: set[str] = set()
        self._errors: dict[str, None] = {}
        self._tasks = Event("agent", "tasks")

    def take(self, event: Event) -> None:
        """Take one event; a sub-agent's are its parent's to report."""
        if event.kind == "unread":
            self.unread += 1
        elif event.kind == "root":
            root = re.escape(event.path.rstrip("/\\"))
            self._root = re.compile(rf"(?<![\w./~-]){root}[/\\]+") if root else None
        elif event.side:
            return
        elif event.kind in _SAID:
            self.said.append(event._replace(text=self.clean(event.text)))
        elif event.kind == "tasks":
            self._tasks = event
        elif event.kind == "run" and (message := commands.commit_message(event.text)):
            self.said.append(event._replace(kind="commit", text=self.clean(message)))
        elif event.kind == "result" and not event.ok:
            self._failed.add(event.id)
            self._error(event.text)
        if event.path and event.kind in ("edit", "call"):
            path = self.clean(event.path).replace("\\", "/")
            name = os.path.basename(path)
            self.paths[name] = self.paths.get(name, frozenset()) | {path}
            if event.kind == "edit":
                self._edits.append((path, event.id))

    def _error(self, text: str) -> None:
        words = self.clean(" ".join(text.split()))
        if untrusted.is_instruction(text):  # all of it, before it is clipped
            self.refused += 1
            return
        if len(words) > ERROR:
            words = f"{words[: ERROR // 2 - 1].rsplit(' ', 1)[0]}…{words[-ERROR // 2 :].split(' ', 1)[-1]}"
        if words:
            self._errors.pop(words, None)
            self._errors[words] = None

    def clean(self, text: str) -> str:
        """Return a text without secrets and home directories, with paths below the project relative."""
        text, found = redaction.redact(text, self._known)
        self.redacted += len(found)
        if self._root:
            text = self._root.sub("", text)
        return redaction.homes(text, self._homes)

    @property
    def errors(self) -> tuple[str, ...]:
        """The last errors, each once."""
        return tuple(self._errors)[-_ERRORS:]

    def tasks(self) -> list[Event]:
        """Return the tasks that the agent's last list leaves open, as something that is said at the end."""
        rows = self._tasks.text.split("\n")
        left = [row.removeprefix("- [ ] ") for row in rows if row.startswith("- [ ] ")]
        return [self._tasks._replace(kind="task", text=self.clean(row)) for row in left]

    def files(self) -> Files:
        """Return the files that edits went to."""
        times: dict[str, int] = {}
        tried: dict[str, None] = {}
        for path, call in self._edits:
            if call in self._failed:
                tried[path] = None
            else:
                times[path] = times.get(path, 0) + 1
        changed = sorted(times, key=lambda path: -times[path])
        return Files(tuple(changed), tuple(path for path in tried if path not in times))


def _label(text: str, paths: Mapping[str, frozenset[str]]) -> str:
    """Return the whole path of the first file that a text names by its last part only, "" where that is unclear."""
    for name in _NAME.findall(text):
        if len(own := paths.get(name, frozenset())) == 1:
            (path,) = own
            if path not in text and "/" in path:
                return path
    return ""


def _files(files: Files, budget: int) -> str:
    """Return the files by directory: `docs/: a.md, b.md; sleep/: c.py`, as many as there is room for."""
    room = min(_FILES, budget / 2)
    shown: list[str] = []
    for path in files.changed:
        if tokens.share("; ".join([*shown, path])) > room:
            break
        shown.append(path)
    folders: dict[str, list[str]] = {}
    for path in shown:
        folders.setdefault(os.path.dirname(path), []).append(os.path.basename(path))
    parts = [f"{folder}/: {', '.join(own)}" if folder else ", ".join(own) for folder, own in folders.items()]
    if more := len(files.changed) - len(shown):
        parts.append(f"and {more} more")
    if files.unchanged and tokens.share(one := f"not changed: {', '.join(files.unchanged[:3])}") <= room:
        parts.append(one)
    return "; ".join(parts)


def _fitted(digest: Digest) -> Digest:
    """Return the digest without what does not fit its budget: errors first, then what came in last."""
    while tokens.count(markdown(digest)) > digest.budget and (digest.errors or digest.placed):
        if digest.errors:
            digest = digest._replace(errors=digest.errors[1:])
        else:
            last = max(one.round for one in digest.placed)
            weakest = max(index for index, one in enumerate(digest.placed) if one.round == last)
            digest = digest._replace(placed=digest.placed[:weakest] + digest.placed[weakest + 1 :])
    return digest


def markdown(digest: Digest) -> str:
    """Return the digest as it is printed: a paragraph or list a section, the most important first."""
    sections: dict[str, list[str]] = {name: [] for name in choosing.SECTIONS}
    for one in digest.placed:
        sections[one.section].append(choosing.said(one.passage))
    if files := _files(digest.files, digest.budget):
        sections["files"] = [files]
    sections[f"errors, from {untrusted.MARK}"] = list(digest.errors)
    shown = [
        "\n- ".join([f"**{name.capitalize()}:** {said[0]}", *said[1:]]) + "\n"
        for name, said in sections.items()
        if said
    ]
    return "\n".join(shown)


def drafts(digest: Digest) -> list[Draft]:
    """Return the entries that a digest becomes in a journal, each with who said it."""
    entries = [_draft(one) for one in digest.placed]
    changed = next((index for index, one in enumerate(entries) if one.kind == "change"), None)
    if listed := "; ".join(digest.files.changed):
        if changed is None:
            entries.append(Draft("change", "Files", "", (("files", listed),)))
        else:
            entries[changed] = entries[changed]._replace(fields=(*entries[changed].fields, ("files", listed)))
    # The mark stands in the words too: fields of a note do not go with it into the tiers.
    entries += [
        Draft("note", f"{untrusted.MARK}: {error}", "", (("source", untrusted.MARK),)) for error in digest.errors
    ]
    return entries


def _draft(placed: Placed) -> Draft:
    passage = placed.passage
    kind, said = _kind(placed), choosing.said(passage)
    # A record's words are all its statement; prose has its first sentence for a heading.
    title, *rest = [said] if KINDS[kind].is_record else sentences.split(said)
    fields = (("source", passage.role), ("time", passage.at))
    return Draft(kind, title, " ".join(rest), tuple(one for one in fields if one[1]))


def _kind(placed: Placed) -> str:
    """Return the kind of entry that a passage becomes; a record only where its own words say so plainly."""
    passage = placed.passage
    if passage.kind == "task":
        return "task"
    said = extract.text_kind(passage.text, extract.heading_kind(passage.heading) if passage.heading else "")
    if said == "decision" and (passage.is_open or "·" in passage.text or not extract.chooses(passage.text)):
        said = "note"  # a list, a mood or a mere change is no choice
    return _of_person(passage, said) if passage.role == "person" else _of_agent(placed, said)


def _of_person(passage: Passage, said: str) -> str:
    """A person's rules and choices bind; what stands in a document that they pasted does not say whose it is."""
    return said if said in ("constraint", "decision") and not passage.heading else "note"


def _of_agent(placed: Placed, said: str) -> str:
    passage = placed.passage
    last = passage.closing >= _LAST or passage.kind == "ask"
    if last and any(sentence.endswith(("?", "？")) for sentence in sentences.split(passage.text)):
        return "question"
    if passage.is_narration or said == "question":
        return "note"  # what the conversation went on from
    if said == "note" and placed.section == "outcome":
        return "change"
    if said == "note" and last and placed.section == "open items":
        return "task"
    return _AS_PROSE.get(said, said)
