"""Journaling: opening an instance, adding to its journal, and closing it.

Owns allocation of instance and record numbers, under the lock. Refuses to write a secret: what it stores is redacted
first.
"""

from __future__ import annotations

import contextlib
import os
import random
import shlex
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.documents import entries, front_matter, paths, register
from sleep.documents import journal as journals
from sleep.documents.journal import Draft
from sleep.errors import DocumentError, UsageError
from sleep.journal import change_of_mind, named_record, record_numbers, tone_check
from sleep.memory import foreign_journals, place
from sleep.memory.by_project import project_names
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import classification, kinds
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment, flat
from sleep.redaction import homes, secret_scan
from sleep.store import context as contexts
from sleep.store import files, open_journals
from sleep.store.tree import WorkTree
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sleep.documents.register import Record
    from sleep.memory.place import Place
    from sleep.records.address import Address
    from sleep.store.layout import Root

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TAG = 3
_SESSION = 200  # characters of a session id, at most
BY, DIGEST = "by", "digest"  # who opened a journal, where it was not its instance


class NewEntry(NamedTuple):
    """An entry as written: its address, record number or "", journal, and how many secrets were taken out.

    `asks_tone`: its journal was opened with the last tone, and waits for the instance to say how it starts from it.
    `repeats` is what a person calls the choice or rule that says the same and holds, `closes` the one whose place it
    takes, `near` one whose place it may take, "" for none. `secrets` are their kinds.
    """

    address: Address
    number: str
    path: str
    redacted: int = 0
    opened: bool = False
    asks_tone: bool = False
    repeats: str = ""
    closes: str = ""
    near: str = ""
    secrets: tuple[str, ...] = ()


def new_tag() -> str:
    """Return three random letters."""
    return "".join(random.SystemRandom().choice(_LETTERS) for _ in range(_TAG))


def next_number(view: View) -> int:
    """Return an instance number above every one that a journal or a cycle has; gaps are fine."""
    numbers = [paths.journal_number(path) or 0 for path in view.journals]
    return max([*numbers, *(cycle.instance.number for cycle in view.cycles)], default=0) + 1


def last_opened(where: Place) -> int:
    """Return the highest number of a journal that was opened in this work tree: one in a stash keeps its own."""
    return max((paths.journal_number(journal.path) or 0 for journal in open_journals.read(where.root)), default=0)


def note_opened(where: Place, instance: InstanceId, path: str, now: str) -> None:
    """Note in the git directory that a journal is opened, for what is not committed is easily lost; under the lock."""
    open_journals.add(where.root, open_journals.Opened(str(instance), path, now))


def open_path(
    view: View, instance: int | None = None, session: str | None = None, *, root: Root | None = None
) -> str | None:
    """Return the journal that commands write to: that instance's, that session's, else the newest open one.

    A journal that a digest opened is its session's alone: who names none has another. So it is with one of another
    repository than this process works in, and with one that is open in another clone, where a `root` is given to ask;
    whoever names its number has it where none here has that number.
    """
    foreign = None
    for path in reversed(view.unslept):
        if session and instance is None and session not in (view.read(path) or ""):
            continue  # of a thousand journals one is parsed
        with contextlib.suppress(DocumentError):
            journal = view.journal(path)
            if journal.sealed or not view.instance_of(path):  # nobody's command writes into a journal by hand
                continue
            if _is_meant(view, path, instance, session, root):
                if (session and instance is None) or not (root and foreign_journals.is_foreign(root, view, path)):
                    return path
                foreign = foreign or path
    return foreign if instance is not None else None


def _is_meant(view: View, path: str, instance: int | None, session: str | None, root: Root | None) -> bool:
    journal = view.journal(path)
    if instance is not None:
        return journal.instance.number == instance
    if session:
        return session in view.sessions_in(path)
    name = journal.fields.get(project_names.FIELD)
    is_others = name and root and project_names.of_folder(contexts.here(), root.path) not in ("", name)
    return not is_others and journal.fields.get(BY) != DIGEST


def _numbers_of(view: View, session: str) -> Iterator[int]:
    """Yield the instances that a session was, the last first."""
    for path in reversed(view.unslept):
        with contextlib.suppress(DocumentError):
            if session in (view.read(path) or "") and session in view.sessions_in(path):
                yield view.journal(path).instance.number
    yield from (cycle.instance.number for cycle in reversed(view.cycles) if session in cycle.sessions)


def begin(
    view: View,
    now: str,
    *,
    client: str = "",
    session: str = "",
    further: Mapping[str, object] | None = None,
    above: int = 0,
    root: Root | None = None,
    folder: str | None = None,
) -> tuple[str, str, InstanceId]:
    """Return the path, the text and the instance of a new journal, empty and not yet written.

    Its number is above all that the memory has, and above `above`. `further` fields of its front matter come last. With
    `root` its name has its tag where others journal too: two journals of one number meet in a merge as two files; and
    it names the repository of the `folder` that the instance works in (this process's), where that is another's.
    Raises UsageError for a session id that no journal can bear.
    """
    instance = InstanceId(max(next_number(view), above + 1), new_tag())
    continues = next(_numbers_of(view, session), None) if session else None
    fields: dict[str, object] = {"started": now, entries.FIELD: entries.FORM}
    if client:
        fields["client"] = flat(place.clean(client))
    if session:
        fields["sessions"] = [_session_id(session)]
    if continues is not None:
        fields["continues"] = continues
    if root and (name := project_names.of_folder(contexts.here() if folder is None else folder, root.path)):
        fields[project_names.FIELD] = name
    tag = instance.tag if root and foreign_journals.is_shared(root) else ""
    return paths.journal(instance.number, tag), journals.start(instance, {**fields, **(further or {})}), instance


def start(
    where: Place, now: str, first: Callable[[View], Sequence[Draft]], *, client: str = "", session: str = ""
) -> NewEntry:
    """Open a new instance's journal with its `first` entries; the caller holds the lock."""
    view = View(WorkTree(where.root))
    above = last_opened(where)
    path, text, instance = begin(view, now, client=client, session=session, above=above, root=where.root)
    checks = first(view)
    text, _ = append(view, path, text, instance, checks)
    files.write(where.root.absolute(path), text, within=where.root.path)
    note_opened(where, instance, path, now)
    return NewEntry(instance.entry(0), "", path, opened=True, asks_tone=tone_check.asks(checks))


def _session_id(session: str) -> str:
    if not session.translate(dict.fromkeys(b"-_.:")).isalnum() or session != place.clean(session)[:_SESSION]:
        raise UsageError(f"{session[:40]!r} is no session id (would be right: letters, digits and -_.:)")
    return session


def open_instance(where: Place, now: str, *, client: str = "", session: str = "") -> NewEntry:
    """Open a new instance's journal, whether or not others are open (parallel agents have one each).

    It begins with the tone of the last one, where that left one.
    """
    with place.jotting(where, "journal.open"):
        return start(where, now, tone_check.question, client=client, session=session)


def add(where: Place, now: str, draft: Draft, *, instance: int | None = None) -> NewEntry:
    """Append an entry to the open journal, opening one when none is.

    Raises:
        UsageError: an unknown kind, nothing said, or an instance that is not open.
        MoveError: an event that moves a record where it cannot go.
    """
    if not kinds.is_kind(draft.kind):
        meant = classification.asked_kind(draft.kind)
        hint = f"sleepwake journal.add --kind {shlex.quote(meant)} ..." if meant else ""
        raise UsageError(f"no kind is called {draft.kind!r} (would be right: {', '.join(kinds.ENTRIES)})", hint=hint)
    if not (draft.title.strip() or draft.body.strip()):
        raise UsageError("the entry has no text (--text, or - for standard input)", hint='sleepwake note "..."')
    draft = _sure(draft)
    with place.jotting(where, "journal.add"):
        return write(where, now, lambda _view: draft, instance=instance)


def _sure(draft: Draft) -> Draft:
    """Return a draft whose confidence is one of the three that there are; UsageError for another word."""
    says = dict(draft.fields).get(kinds.CONFIDENCE, "").strip()
    if not says or says in kinds.CONFIDENCES:
        return draft
    if says.casefold() not in kinds.CONFIDENCES:
        raise UsageError(f"confidence is {', '.join(kinds.CONFIDENCES[:-1])} or {kinds.CONFIDENCES[-1]}, not {says!r}")
    fields = ((name, value.strip().casefold() if name == kinds.CONFIDENCE else value) for name, value in draft.fields)
    return draft._replace(fields=tuple(fields))


def add_all(where: Place, now: str, drafts: Sequence[Draft], *, instance: int | None = None) -> list[NewEntry]:
    """Append several entries at once; one whose first words the journal has under its kind is not written again."""

    def new(view: View, path: str) -> list[Draft]:
        there = {(entry.kind, entry.title) for entry in view.journal(path).entries} if path else set()
        return [draft for draft in drafts if (draft.kind, flat(redact(draft)[0].title)) not in there]

    with place.jotting(where, "journal.digest"):
        return _write(where, now, new, instance)


def write(
    where: Place, now: str, make: Callable[[View], Draft], *, instance: int | None = None, settles: bool = False
) -> NewEntry:
    """Append the entry that `make` returns for the memory as it is now; the caller holds the lock.

    One that `settles` what waits closes by entries of its own what it takes the place of.
    """
    return _write(where, now, lambda view, _path: [make(view)], instance, settles=settles)[0]


def _write(
    where: Place,
    now: str,
    make: Callable[[View, str], Sequence[Draft]],
    instance: int | None,
    *,
    settles: bool = False,
) -> list[NewEntry]:
    """Append what `make` returns for the memory and its open journal (""), one that is opened now where none is."""
    view = View(WorkTree(where.root))
    path = open_path(view, instance, settings_.session(), root=where.root) or ""
    if not path and instance is not None:
        raise UsageError(f"instance {instance} is not open", hint="sleepwake journal.open")
    drafts = make(view, path)  # what is refused opens no journal
    if not drafts:
        return []
    is_new = not path
    first = tone_check.question(view) if is_new else []
    if is_new:
        session, above = settings_.session() or "", last_opened(where)
        path, text, number = begin(view, now, session=session, above=above, root=where.root)
    else:
        text, number = view.read(path) or "", view.journal(path).instance
    text, added = append(view, path, text, number, [*first, *drafts], settles=settles)
    files.write(where.root.absolute(path), text, within=where.root.path)
    if is_new:
        note_opened(where, number, path, now)
    asks = tone_check.asks(first) and not any(draft.kind == "tone" for draft in drafts)
    return [entry._replace(opened=is_new, asks_tone=asks) for entry in added[len(first) :]]


def append(
    view: View, path: str, text: str, instance: InstanceId, drafts: Sequence[Draft], *, settles: bool = False
) -> tuple[str, list[NewEntry]]:
    """Return a journal's text with entries at its end, redacted and numbered, and what they became; writes nothing.

    A choice or a rule that takes the place of one that held is followed by the entry that closes that one, which is not
    among what is returned; one that is at odds with another names it. Not where they settle what waits.
    """
    used = (
        record_numbers.used(view)
        if any(kinds.ENTRIES[draft.kind].letter for draft in drafts if draft.kind in kinds.KINDS)
        else {}
    )
    done = []
    standing: list[Fragment] | None = None
    for draft in drafts:
        clean, secrets = redact(draft)
        is_choice = not settles and change_of_mind.concerns(clean)
        if is_choice:
            standing = _standing(view, text) if standing is None else standing
            clean = change_of_mind.at_odds(clean, standing)
        kind = kinds.ENTRIES.get(clean.kind)
        if kind and kind.letter and not clean.number and clean.standing == kinds.STATED:
            used[kind.letter] = used.get(kind.letter, 0) + 1
            clean = clean._replace(number=addressing.number(kind.letter, used[kind.letter]))
        text, address = journals.append(text, clean, instance)
        done.append(NewEntry(address, clean.number, path, len(secrets), secrets=secrets))
        if is_choice:
            text, standing, done[-1] = _with_closing(text, clean, done[-1], standing or [])
    return text, done


def _with_closing(
    text: str, draft: Draft, entry: NewEntry, standing: Sequence[Fragment]
) -> tuple[str, list[Fragment], NewEntry]:
    """Return the text with the entry that closes what a draft takes the place of, what holds then, and which."""
    past, address = change_of_mind.superseded(draft, standing), entry.address
    repeats = change_of_mind.repeated(draft, address, standing)
    entry = entry._replace(repeats=repeats, closes=past.handle if past else "")
    if not entry.repeats and not entry.closes:
        entry = entry._replace(near=change_of_mind.near(draft, address, standing))
    if past:
        closing = change_of_mind.closing(past, draft.number or str(address), draft)
        text, _ = journals.append(text, closing, address.instance)
    held = [record for record in standing if record is not past]
    if draft.standing == kinds.STATED:
        words = draft.words
        held.append(Fragment(draft.kind, words, (address,), draft.number, draft.fields))
    return text, held, entry


def _standing(view: View, text: str) -> list[Fragment]:
    """Return the choices and rules that hold now for whoever writes a journal: those of other projects do not."""
    records = (record.fragment for record in view.records.values())
    own = project_names.sharing(view, text)
    return [record for record in records if record.kind in kinds.BINDING and record.is_open and own(record.identity)]


def redact(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """Return a draft without secrets and homes, each field read with its name, and the kinds of its secrets."""
    secrets: list[str] = []
    known = place.secrets()

    def clean(text: str) -> str:
        text, findings = secret_scan.redact(text, known)
        secrets.extend(finding.kind for finding in findings)
        return homes.hide(text, (os.path.expanduser("~"),))

    fields = tuple((name, clean(f"{name}: {value}").removeprefix(f"{name}: ")) for name, value in draft.fields)
    return draft._replace(title=clean(draft.title), body=clean(draft.body), fields=fields), tuple(secrets)


def move(
    where: Place, now: str, handle: str, kind: str, to: str, says: str, *, by: str = ""
) -> tuple[Record, NewEntry]:
    """Journal that a record goes to another state; returns the record as it was, and the entry.

    Raises:
        UsageError: no such record, or none that takes its place.
        MoveError: not a legal move, with the legal ones named, or without what it must say.
    """
    with place.jotting(where, f"{kinds.ENTRIES[kind].command}.{to}"):
        moved: list[Record] = []

        def make(view: View) -> Draft:
            record = named_record.find(view.records.values(), kind, handle)
            if by:
                named_record.refuse_successor(view.records.values(), record, by)
            words = "; ".join(word for word in (f"by {by}" if by else "", says) if word)
            register.moved(record.fragment, to, words, record.fragment.identity)
            moved.append(record)
            title = f"{record.fragment.handle} {to}"
            name = register.reference(record.fragment)
            fields = (("record", name), ("to", to), ("by", by), ("reason", says))
            return Draft(kinds.event(kind), title, fields=tuple(field for field in fields if field[1]))

        added = write(where, now, make)
        return moved[0], added


def amend(where: Place, now: str, handle: str, kind: str, field: str, says: str) -> tuple[Record, NewEntry]:
    """Journal that a record says one of its fields anew (a thread its next step); returns as `move`, errors as there.

    Raises UsageError also where nothing is said.
    """
    if not says.strip():
        raise UsageError(f"--text says what the {field} is", hint='--text "..."')
    return move(where, now, handle, kind, field, says)


def close(where: Place, now: str, *, instance: int | None = None) -> str:
    """Close the open journal: nothing can be added any more. Returns its path."""
    with place.jotting(where, "journal.close"):
        view = View(WorkTree(where.root))
        path = open_path(view, instance, settings_.session(), root=where.root)
        if path is None:
            raise UsageError("no journal is open", hint="sleepwake journal.open")
        text = view.read(path) or ""
        files.write(where.root.absolute(path), front_matter.set_fields(text, {"ended": now}), within=where.root.path)
        return path
