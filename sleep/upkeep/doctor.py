"""The doctor: what is wrong with a memory, by file and line, and mending what is safe to mend.

Owns the examination of the whole root. Mends only what loses nothing: an interrupted step is finished, what git took
out of the memory is put back, and a merge is resolved where nobody's words are at odds.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections import Counter
from typing import TYPE_CHECKING

from sleep import settings
from sleep.changes import losses
from sleep.cycle import debt_settlement
from sleep.debt import book, sessions, storage, timestamps
from sleep.debt import settlement as cutting
from sleep.documents import cycles, front_matter, paths
from sleep.errors import RecoveryError, SleepError, UsageError
from sleep.memory import merge_conflicts, place
from sleep.memory.finding import Finding
from sleep.memory.view import View
from sleep.redaction import secret_scan
from sleep.store import files, history, intent, layout, lock, open_journals, step
from sleep.store.git import checkout
from sleep.store.tree import WorkTree
from sleep.upkeep import merge_resolution, restoration
from sleep.upkeep import page_checks as pages
from sleep.wake import checks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sleep.memory.place import Place
    from sleep.store.context import Context
    from sleep.store.layout import Root

_LEDGER = "memory/state/.sleep.json"
_SAMPLES = ("memory/warm/general.md", "memory/cold/general.md", "memory/fates/0000-i0aaa.md", "memory/edits.md")
_IMPORT = "sleepwake journal.import"
_AGAIN = "sleepwake doctor --fix` again"
_UNCHANGED = " (nothing was changed)"  # of a command that refuses, which this one is not
_NO_TEXT = re.compile("[\udc80-\udcff]")  # how `files.decode` keeps a byte that is not UTF-8
_PAGES = tuple(f"{paths.MEMORY}{name}/" for name in ("core", "knowledge", "state"))


def examine(where: Place, now: str, *, fix: bool = False) -> list[Finding]:
    """Return everything that is wrong, failures first."""
    findings: list[Finding] = []
    torn = _unreadable_intent(where.root)
    fix = fix and torn is None
    if torn:
        findings.append(torn)
    elif step.interrupted(where.root):
        if fix:
            with place.writing(where, "doctor") as writer:
                findings.append(Finding("git", "note", f"the interrupted step is {writer.recovered.outcome}"))
        else:
            findings.append(Finding("git", "fail", "a step was interrupted", "", "sleepwake sleep.resume"))
    try:
        place.repository(where).preflight()
    except SleepError as error:
        what = error.what.removesuffix(_UNCHANGED)
        findings.append(Finding("git", "fail", what, error.where, error.hint))
    else:
        findings += _ignored_paths(where.root)  # git does not look behind a link, say
    if fix:
        findings += _restore(where, now)
    view = View(WorkTree(where.root))
    findings += _findings_of(lambda: _documents(view))
    if where.settings.format < settings.FORMAT:
        what = (
            f"has format {where.settings.format}, and this program writes {settings.FORMAT}: see sleepwake help formats"
        )
        findings.append(Finding("format", "note", what, paths.SETTINGS, "sleepwake doctor --migrate"))
    if merge_conflicts.find(view, view.journals):  # what stands in such a file is of two sides, or of none
        what = "records, addresses and what git took out are looked at once no file has the marks of a merge"
        findings.append(Finding("documents", "note", what))
    else:
        is_over = not checkout.under_way(where.root)  # what a merge leaves out is put back once it is committed
        findings += _findings_of(lambda: losses.find(where, view)) if is_over else []
        coherence = _findings_of(lambda: checks.check(view, where.settings, now))
        findings += [finding for finding in coherence if is_over or finding.fix != losses.FIX]
    findings += _ledger(where, now)
    with place.jotting(where, "doctor") if fix else contextlib.nullcontext():
        findings += pages.examine(debt_settlement.of(where).context, fix=fix)
    return sorted(dict.fromkeys(findings), key=lambda finding: finding.rank)


def _findings_of(examination: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what an examination finds, or what keeps it from reading: the others go on."""
    findings = []
    try:
        for finding in examination():
            findings.append(finding)  # noqa: PERF402  # what was found before stays
    except SleepError as error:
        findings.append(Finding("documents", "fail", error.what, error.where, error.hint))
    return findings


def _unreadable_intent(root: Root) -> Finding | None:
    """Return the finding on a record of an interrupted step that cannot be read; nothing is mended beside one."""
    try:
        intent.load(root)
    except RecoveryError as error:
        return Finding("git", "fail", error.what, error.where, error.hint)
    return None


def _restore(where: Place, now: str) -> Iterator[Finding]:
    """Put back what git took out of the memory; yields what was done, or why it could not be."""
    try:
        if resolved := _resolved(where):
            yield _resolution(where, resolved)
            return
        parted = restoration.part_journals(where)
        view = View(WorkTree(where.root))
        merge_conflicts.refuse(view, view.journals)
        for commit in (*parted, *restoration.restore(where, now)):
            yield Finding("losses", "note", f"{commit.subject}{f' ({commit.sha[:7]})' if commit.sha else ''}")
        with place.jotting(where, "doctor") as root:
            view = View(WorkTree(where.root))
            there = {str(view.instance_of(path)) for path in view.journals}
            open_journals.forget(root, losses.forgettable(root, there))
    except SleepError as error:
        yield Finding("losses", "fail", f"could not be put back: {error.what}", error.where, error.hint)


def _resolved(where: Place) -> tuple[str, ...]:
    """Resolve what a merge that is under way, or a stash, left of documents that a sleep writes; returns which."""
    root = where.root
    if not (checkout.under_way(root) or checkout.is_squash(root) or checkout.has_stash(root)):
        return ()
    with place.jotting(where, "doctor") as root:
        return merge_resolution.resolve(root)


def _resolution(where: Place, resolved: Sequence[str]) -> Finding:
    """Return what was resolved, and how to go on; of a stash that met a conflict git keeps all."""
    names = ", ".join(resolved)
    work = checkout.under_way(where.root)
    if work or checkout.is_squash(where.root):
        command = work[1].partition(",")[0] if work else "git commit"
        onward = f"{command}, then `{_AGAIN}: git may stop once more, and it brings back the other side"
        return Finding("git", "note", f"the merge is resolved in {names}; nothing was committed", "", onward)
    what = f"the conflict with a stash is resolved in {names}: tiers are as HEAD has them"
    return Finding("git", "note", what, "", f"`git stash show -p` has your own edits, to be made again; then `{_AGAIN}")


def _ignored_paths(root: Root) -> Iterator[Finding]:
    """Yield a finding where git ignores what a sleep writes: files that are there, or the next ones by their names."""
    there = (path for folder in layout.OWNED for path in files.list_files(root.path, folder) if layout.is_owned(path))
    names = dict.fromkeys((paths.MAIN, cycles.PATH, *paths.HOT, *there, paths.journal(0), *_SAMPLES))
    feed = b"".join(os.fsencode(root.in_tree(path)) + b"\0" for path in names)
    _, out, _ = history.ask(root, "check-ignore", "-z", "--stdin", feed=feed, fine=(0, 1))
    ignored = [root.from_tree(os.fsdecode(name)) for name in out.split(b"\0")[:-1]]
    if ignored:
        more = f" (and {len(ignored) - 1} more)" if len(ignored) > 1 else ""
        what = f"is ignored by git{more}; memory has to be committed"
        yield Finding("git", "fail", what, ignored[0], f"`git check-ignore -v '{ignored[0]}'` names the line")


def examine_pages(context: Context) -> list[Finding]:
    """Return what is wrong with a context folder that is no memory root, such as an older tool's; mends nothing."""
    findings = [*_no_settings(context), *pages.examine(context)]
    if trouble := book.read(context).trouble:
        findings.insert(0, Finding("ledger", "fail", trouble, context.ledger, storage.remedy(context)))
    return findings


def _no_settings(context: Context) -> Iterator[Finding]:
    """Yield a finding where the folder was a memory of ours and its settings file is gone: no command finds it then."""
    git = layout.find_git(context.base)
    if git is None or not context.is_own or os.path.exists(context.settings):
        return
    root = layout.root_in(git, context.base)
    if paths.SETTINGS in checkout.absent(root):
        try:
            checkout.refuse_absent(root)
        except SleepError as error:
            yield Finding("documents", "fail", error.what, error.where, error.hint)
        return
    if not any(os.path.exists(root.absolute(name)) for name in (cycles.PATH, paths.MAIN, paths.JOURNALS)):
        return
    is_in_head = checkout.head(root) and history.read(root, "HEAD", paths.SETTINGS) is not None
    fix = f"git checkout HEAD -- {paths.SETTINGS}" if is_in_head else "`sleepwake init` lays it anew"
    what = "is gone, and by it every command finds the memory"
    yield Finding("documents", "fail", what, paths.SETTINGS, fix)


def _ledger(where: Place, now: str) -> Iterator[Finding]:
    """Yield what is wrong with the ledger and with the files of sessions, all of which belong to this machine alone."""
    context = debt_settlement.of(where).context
    ledger = book.read(context)
    if ledger.trouble:
        yield Finding("ledger", "fail", ledger.trouble, _relative(where, context.ledger), storage.remedy(context))
    for path in storage.aside(context.state):
        what = "what could not be read was set aside here; look at it, then remove it"
        yield Finding("ledger", "warn", what, _relative(where, path), storage.REBUILD)
    for path in sessions.troubles(context):
        yield Finding(
            "ledger", "warn", "what is known of a session cannot be read", _relative(where, path), "remove it"
        )
    if cutting.is_cut_off(context, ledger, timestamps.seconds(now) or 0.0):
        what = "a sleep was cut off before it settled its debt"
        yield Finding("ledger", "note", what, fix="the next sleep, or any sleep.* command that writes, puts it right")
    if checkout.head(where.root) and history.read_many(where.root, "HEAD", [_LEDGER]).get(_LEDGER) is not None:
        what = "is committed, and it names paths and quotes messages of this machine"
        yield Finding("ledger", "warn", what, _LEDGER, f"git rm --cached {_LEDGER}")


def _relative(where: Place, path: str) -> str:
    return os.path.relpath(path, where.root.path).replace(os.sep, "/")


def _documents(view: View) -> Iterator[Finding]:
    for path in (*view.files(paths.MEMORY), *view.unslept, paths.MAIN):
        text = view.read(path) or ""
        if not path.startswith(_PAGES):  # `pages` says it with the line
            try:
                front_matter.read(text)
            except ValueError as error:
                yield Finding("documents", "fail", f"front matter: {error}", path, "mend the line")
        yield from losses.secrets_in(path, text)
        if _NO_TEXT.search(text):
            what = "has bytes that are not UTF-8; they are kept as they are"
            yield Finding("documents", "warn", what, path, f"`git log -p -- {path}` shows what it was")
    for path in sorted({*view.journals}.difference(view.unslept)):
        yield from _secrets_in_sealed(path, view.read(path) or "")
    for conflict in merge_conflicts.find(view, (*view.files(paths.MEMORY), *view.journals)):
        what = "a conflict mark of a merge (<<<<<<<) was left here"
        yield Finding("documents", "fail", what, conflict.where, conflict.hint)
    for path in view.files(paths.JOURNALS):
        if paths.journal_number(path) is None:
            yield _misnamed_journal(view, path)


def _secrets_in_sealed(path: str, text: str) -> Iterator[Finding]:
    """Yield one finding for a journal that was slept on: rules may know today what they did not know then."""
    if kinds := Counter(secret.kind for secret in secret_scan.find(text, place.secrets())):
        what = f"a closed journal has {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}"
        yield Finding("secrets", "warn", what, path, f"sleepwake memory.redact {shlex.quote(path)}")


def _misnamed_journal(view: View, path: str) -> Finding:
    """Return the finding on a file that is no journal by its name: it may be one by its text, which is not imported."""
    instance = view.instance_of(path)
    if instance is None:
        return Finding(
            "documents",
            "warn",
            "is not named instance-N.md, so it is no journal",
            path,
            f"{_IMPORT} {shlex.quote(path)}",
        )
    if there := view.path_of(instance):
        return Finding(
            "documents", "warn", f"is a copy of {there}, and no journal by its name", path, f"rm {shlex.quote(path)}"
        )
    name = paths.journal(instance.number)
    name = name if view.read(name) is None else paths.journal(*instance)
    return Finding(
        "documents", "fail", f"is the journal of {instance} by another name", path, f"mv {shlex.quote(path)} {name}"
    )


def dismiss(where: Place) -> bool:
    """Forget an interrupted step and leave every file as it is; returns whether there was one.

    For when a person has put right what neither finishing nor rolling back could.
    """
    with lock.hold(where.root, "doctor", where.settings.lock_wait):
        there = step.interrupted(where.root)
        intent.forget(where.root)
    return there


def redact(where: Place, file: str) -> list[str]:
    """Take the secrets out of a file of the memory and return their kinds.

    Raises UsageError for a file that is not there, or that is no memory.
    """
    path = os.path.relpath(os.path.realpath(file), where.root.path).replace(os.sep, "/")
    if not os.path.isfile(file):
        raise UsageError(f"{file}: no such file (would be right: a file of the memory)")
    if not layout.is_owned(path):
        raise UsageError(f"{file} is no file of the memory at {where.root.path}")
    with place.jotting(where, "memory.redact"):
        text, secrets = secret_scan.redact(files.read(file) or "", place.secrets())
        if secrets:
            files.write(file, text, within=where.root.path)
    return [secret.kind for secret in secrets]
