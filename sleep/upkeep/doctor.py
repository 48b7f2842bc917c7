"""The doctor: what is wrong with a memory, by file and line, and mending what is safe to mend.

Owns the examination of the whole root. Mends only what loses nothing: an interrupted step is finished, and what git
took out of the memory is put back.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from sleep import settings
from sleep.changes import losses
from sleep.cycle import debt_settlement
from sleep.debt import book, sessions, storage, timestamps
from sleep.debt import settlement as cutting
from sleep.documents import front_matter, paths
from sleep.errors import SleepError, UsageError
from sleep.memory import merge_conflicts, place
from sleep.memory.finding import Finding
from sleep.memory.view import View
from sleep.redaction import secret_scan
from sleep.store import files, history, layout, lock, open_journals, step
from sleep.store.git import checkout
from sleep.store.tree import WorkTree
from sleep.upkeep import page_checks as pages
from sleep.upkeep import restoration
from sleep.wake import checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.memory.place import Place
    from sleep.store.context import Context

_LEDGER = "memory/state/.sleep.json"
_PAGES = tuple(f"{paths.MEMORY}{name}/" for name in ("core", "knowledge", "state"))


def examine(where: Place, now: str, *, fix: bool = False) -> list[Finding]:
    """Return everything that is wrong, failures first."""
    findings: list[Finding] = []
    if step.interrupted(where.root):
        if fix:
            with place.writing(where, "doctor") as writer:
                findings.append(Finding("git", "note", f"the interrupted step is {writer.recovered.outcome}"))
        else:
            findings.append(Finding("git", "fail", "a step was interrupted", "", "sleepwake sleep.resume"))
    try:
        place.repository(where).preflight()
    except SleepError as error:
        findings.append(Finding("git", "fail", error.what, error.where, error.hint))
    if fix:
        findings += _restored(where, now)
    view = View(WorkTree(where.root))
    findings += _documents(view)
    if where.settings.format < settings.FORMAT:
        what = f"has format {where.settings.format}, and this program writes {settings.FORMAT}: see docs/formats.md"
        findings.append(Finding("format", "note", what, paths.SETTINGS, "sleepwake doctor --migrate"))
    findings += losses.find(where, view)
    findings += _ledger(where, now)
    findings += checks.check(view, where.settings, now)
    with place.jotting(where, "doctor") if fix else contextlib.nullcontext():
        findings += pages.examine(debt_settlement.of(where).context, fix=fix)
    return sorted(findings, key=lambda finding: ("fail", "warn", "note").index(finding.level))


def _restored(where: Place, now: str) -> Iterator[Finding]:
    """Put back what git took out of the memory; yields what was done, or why it could not be."""
    try:
        view = View(WorkTree(where.root))
        merge_conflicts.refuse(view, view.journals)
        for commit in restoration.restore(where, now):
            yield Finding("losses", "note", f"{commit.subject}{f' ({commit.sha[:7]})' if commit.sha else ''}")
        with place.jotting(where, "doctor") as root:
            view = View(WorkTree(where.root))
            gone = losses.unaccounted(root, {str(view.instance_of(path)) for path in view.journals})
            open_journals.forget(root, [journal.instance for journal in gone])
    except SleepError as error:
        yield Finding("losses", "fail", f"could not be put back: {error.what}", error.where, error.hint)


def examine_pages(context: Context) -> list[Finding]:
    """Return what is wrong with a context folder that is no memory root, such as an older tool's; mends nothing."""
    findings = pages.examine(context)
    if trouble := book.read(context).trouble:
        findings.insert(0, Finding("ledger", "fail", trouble, context.ledger, storage.remedy(context)))
    return findings


def _ledger(where: Place, now: str) -> Iterator[Finding]:
    """Yield what is wrong with the ledger and with the files of sessions, all of which belong to this machine alone."""
    context = debt_settlement.of(where).context
    ledger = book.read(context)
    if ledger.trouble:
        yield Finding("ledger", "fail", ledger.trouble, _named(where, context.ledger), storage.remedy(context))
    for path in storage.aside(context.state):
        what = "what could not be read was set aside here; look at it, then remove it"
        yield Finding("ledger", "warn", what, _named(where, path), storage.REBUILD)
    for path in sessions.troubles(context):
        yield Finding("ledger", "warn", "what is known of a session cannot be read", _named(where, path), "remove it")
    if cutting.is_cut_off(context, ledger, timestamps.seconds(now) or 0.0):
        what = "a sleep was cut off before it settled its debt"
        yield Finding("ledger", "note", what, fix="the next sleep, or any sleep.* command that writes, puts it right")
    if checkout.head(where.root) and history.read_many(where.root, "HEAD", [_LEDGER]).get(_LEDGER) is not None:
        what = "is committed, and it names paths and quotes messages of this machine"
        yield Finding("ledger", "warn", what, _LEDGER, f"git rm --cached {_LEDGER}")


def _named(where: Place, path: str) -> str:
    return os.path.relpath(path, where.root.path).replace(os.sep, "/")


def _documents(view: View) -> Iterator[Finding]:
    known = place.secrets()
    for path in (*view.files(paths.MEMORY), *view.unslept, paths.MAIN):
        text = view.read(path) or ""
        if not path.startswith(_PAGES):  # `pages` says it with the line
            try:
                front_matter.read(text)
            except ValueError as error:
                yield Finding("documents", "fail", f"front matter: {error}", path, "mend the line")
        for secret in secret_scan.find(text, known):
            line = text.count("\n", 0, secret.start) + 1
            yield Finding(
                "secrets", "fail", f"a secret ({secret.kind})", f"{path}:{line}", f"sleepwake memory.redact {path}"
            )
        if "\udc80" <= max(text, default="") <= "\udcff":
            yield Finding("documents", "warn", "has bytes that are not UTF-8; they are kept as they are", path)
    for conflict in merge_conflicts.find(view, (*view.files(paths.MEMORY), *view.journals)):
        what = "a conflict mark of a merge (<<<<<<<) was left here"
        yield Finding("documents", "fail", what, conflict.where, conflict.hint)
    for path in view.files(paths.JOURNALS):
        if paths.journal_number(path) is None:
            yield Finding(
                "documents",
                "warn",
                "is not named instance-N.md, so it is no journal",
                path,
                f"sleepwake journal.import {path}",
            )


def dismiss(where: Place) -> bool:
    """Forget an interrupted step and leave every file as it is; returns whether there was one.

    For when a person has put right what neither finishing nor rolling back could.
    """
    with lock.hold(where.root, "doctor", where.settings.lock_wait):
        there = step.interrupted(where.root)
        step.dismiss(where.root)
    return there


def redact(where: Place, file: str) -> list[str]:
    """Take the secrets out of a file of the memory and return their kinds.

    Raises UsageError for a file that is not there, or that is no memory.
    """
    path = os.path.relpath(os.path.realpath(file), where.root.path).replace(os.sep, "/")
    if not os.path.isfile(file):
        raise UsageError(f"{file}: no such file")
    if not layout.is_owned(path):
        raise UsageError(f"{file} is no file of the memory at {where.root.path}")
    with place.jotting(where, "memory.redact"):
        text, secrets = secret_scan.redact(files.read(file) or "", place.secrets())
        if secrets:
            files.write(file, text, within=where.root.path)
    return [secret.kind for secret in secrets]
