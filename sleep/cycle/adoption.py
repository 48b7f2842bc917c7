"""Adoption: what people and agents left uncommitted becomes a commit of its own before a cycle begins.

Owns which files a sleep takes over, and the commit of the notes on edits by hand. Refuses secrets, and half-staged
files.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.changes import hand_edits
from sleep.cycle import cycle_plan
from sleep.cycle.cycle_plan import TakenStep
from sleep.cycle.outcome import Decided
from sleep.debt import due
from sleep.documents import cycles, paths
from sleep.documents.project import page_forms
from sleep.errors import GitStateError, SecretError
from sleep.memory import place
from sleep.memory.view import View
from sleep.plurals import several
from sleep.redaction import secret_scan
from sleep.store import context as contexts
from sleep.store import files, layout, step
from sleep.store.git import checkout
from sleep.store.plan import Plan
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.changes.hand_edits import Note
    from sleep.memory.place import Place, Writer
    from sleep.store.git.porcelain import Change
    from sleep.store.layout import Root

_MANY = 2  # phrases of a subject, beside which there is no room for a name


def adopt(writer: Writer, owned: Sequence[str] = layout.OWNED) -> TakenStep | None:
    """Commit what a person or an agent changed in owned files, as it is.

    Raises:
        GitStateError: an owned file is partly staged or in conflict: it cannot be committed without losing the split.
        SecretError: a secret stands in it; the line is named.
    """
    pending = writer.repository.pending(owned) if owned else ()
    adopted = adoption(writer.root, pending, {})
    if adopted is None:
        return None
    sha = step.adopt(writer.root, adopted.plan, pending, writer.lock, writer.repository)
    return adopted._replace(sha=sha) if sha else None


def adopt_file(where: Place, path: str, purpose: str) -> None:
    """Commit an owned file as somebody left it, before a command writes it anew; errors as in `adopt`."""
    with place.writing(where, purpose) as writer:
        adopt(writer, (path,))


def note(writer: Writer, view: View, now: str) -> TakenStep | None:
    """Commit what the memory makes of lines that people added to its tiers, changed in them or took out.

    A sleep has adopted these first, or refused to go on.
    """
    edits = hand_edits.note(writer.root, view, now, is_adopted=True)
    if edits is None:
        return None
    noted = noting(edits)
    sha = step.apply(writer.root, noted.plan, writer.lock, writer.repository)
    return noted._replace(sha=sha) if sha else None


def noting(edits: Note) -> TakenStep:
    """Return the step that commits a note on edits by hand."""
    body = "\n".join(f"- {line}" for line in edits.lines)
    plan = Plan("adopt", edits.subject, body, (("Sleep-Step", "adopt"),), edits.writes)
    return TakenStep(0, Decided("adopt", edits.subject, edits.lines, edits.writes), plan)


def adoption(root: Root, pending: Sequence[Change], laid: Mapping[str, str | None]) -> TakenStep | None:
    """Return the step that adopts what is pending or `laid`, not yet taken, or None; errors as in `adopt`."""
    changed = (change.path for change in pending if layout.is_owned(change.path))
    names = list(dict.fromkeys((*changed, *laid)))
    if not names:
        return None
    known, deleted = place.secrets(), []
    for path in names:
        text = laid.get(path) or files.read(root.absolute(path), within=root.path)
        if text is None:
            deleted.append(path)
            continue
        _refuse_secret(path, text, known)
    body = "\n".join(f"- {name}{' (deleted)' if name in deleted else ''}" for name in names)
    new = _new(root, pending, laid)
    subject, body = (secret_scan.redact(words, known)[0] for words in (_subject(names, new, deleted), body))
    plan = Plan("adopt", subject, body, (("Sleep-Step", "adopt"),), {})
    return TakenStep(0, Decided("adopt", plan.subject, tuple(names), dict.fromkeys(names)), plan)


def _refuse_secret(path: str, text: str, known: Sequence[str]) -> None:
    """Raise SecretError for a secret in a file's text, in UTF-16 too, or in its name."""
    shown, named = secret_scan.redact(path, known)
    if named:
        raise SecretError(
            f"a secret ({named[0].kind}) is in the name of this file (it would be committed)",
            where=shown,
            hint="rename it",
        )
    text = text.replace("\0", "")
    if secrets := secret_scan.find(text, known):
        line = text.count("\n", 0, secrets[0].start) + 1
        raise SecretError(
            f"a secret ({secrets[0].kind}) stands here (it would be committed)",
            where=f"{path}:{line}",
            hint=f"sleepwake memory.redact {path}",
        )


def _new(root: Root, pending: Sequence[Change], laid: Iterable[str]) -> list[str]:
    """Return the paths of what nobody committed before, and of what is laid where nothing stands."""
    untracked = (change.path for change in pending if change.untracked and layout.is_owned(change.path))
    return list(dict.fromkeys((*untracked, *(path for path in laid if not os.path.lexists(root.absolute(path))))))


def _subject(names: Sequence[str], new: Sequence[str], deleted: Sequence[str]) -> str:
    """Return the subject of a commit that adopts files: what is new or was deleted is called so.

    A single one is named where there is room for its name.
    """
    edited = [name for name in names if name not in new and name not in deleted]
    phrases = [edited[0] if len(edited) == 1 else f"{len(edited)} edited files"] if edited else []
    if new:
        phrases.append(new[0] if len(names) == 1 else several(len(new), "new file"))
    if deleted:
        is_named = len(deleted) == 1 and len(phrases) < _MANY
        phrases.append(f"the deletion of {deleted[0] if is_named else several(len(deleted), 'file')}")
    return f"adopt {', '.join([*phrases[:-2], ' and '.join(phrases[-2:])])}"


def unfinished(writer: Writer) -> frozenset[str]:
    """Return the project's pages that have changes which nobody committed: a sleep by itself leaves them alone."""
    pending = writer.repository.pending(layout.OWNED)
    return frozenset(change.path for change in pending if page_forms.of(change.path))


def own_journals(writer: Writer, instance: int | None) -> tuple[str, ...]:
    """Return what a sleep by itself adopts: the journals that it sleeps on, and nothing of a person's.

    In a repository of its own that has no commit yet all is adopted: what `init` laid belongs to nobody's work.
    Raises GitStateError where a page that it would write has changes that nobody committed: writing would commit them.
    """
    if checkout.head(writer.root) is None and due.has_own_repository(contexts.of(writer.root)):
        return layout.OWNED
    view = View(WorkTree(writer.root))
    for change in writer.repository.pending(layout.OWNED):
        if change.path in (paths.MAIN, cycles.PATH) or paths.tier_of(change.path):
            raise GitStateError(
                "has changes that nobody committed, and a sleep by itself leaves them alone",
                where=change.path,
                hint="sleepwake sleep",
            )
    return tuple(cycle_plan.chosen(view, instance))
