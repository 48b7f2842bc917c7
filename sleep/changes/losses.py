"""What a memory has lost, as findings: all of it for the doctor; for a sleep, what was lost since it was last whole.

Owns the sentence of each finding with the command that mends it, and the note, in the git directory, of the last commit
at which nothing was missing. Refuses to mend: that is `upkeep.restoration`'s.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.changes import missing_pages, missing_records, removal, sealed_journals
from sleep.changes.missing_records import Scope
from sleep.documents import cycles, fates_page, paths
from sleep.errors import SleepError
from sleep.language import tokens
from sleep.memory import place
from sleep.memory.finding import Finding
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.redaction import secret_scan
from sleep.store import files, history, layout, open_journals
from sleep.store.git import checkout, file_lists
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.changes.missing_records import Gaps, Missing
    from sleep.changes.removal import LostJournal
    from sleep.memory.place import Place
    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.store.layout import Root

FIX = "sleepwake doctor --fix"
_CHECK = "losses"
_STATES = "record states"
_CHECKED = "checked"
_WATCHED = (paths.JOURNALS, paths.MAIN, cycles.PATH)
_SHOWN = 25  # tokens of a record


class Losses(NamedTuple):
    """What is not where it should be: journals, and entries of slept journals that no tier has.

    `journals` are those that history has and the memory lacks; `gaps` is what the tiers lack, but for what a person
    took out, which is in `meant`, by address, with the commit. `former` counts tasks, blockers and dead ends that steps
    dropped as prose, before they were records.
    """

    journals: tuple[LostJournal, ...]
    gaps: Gaps
    meant: dict[Address, str]
    former: int = 0


def find(where: Place, view: View) -> list[Finding]:
    """Return all that is lost: records, pages, sealed journals that changed, and journals that git put aside."""
    findings = list(_findings(look(where, view)))
    for page in missing_pages.find(where.root, view):
        is_fates = page.path.startswith(fates_page.FOLDER)
        what = "is not what the cycle wrote" if is_fates and view.read(page.path) else "is gone"
        level = "warn" if is_fates else "fail"
        findings.append(Finding(_CHECK, level, f"{what}; git has it: {page.commit[:7]}", page.path, FIX))
    return [*findings, *sealed_journals.findings(where.root, view), *_put_aside(where, view)]


def look(where: Place, view: View, scope: Scope | None = None) -> Losses:
    """Return what is lost of a memory, by its journals (of all, or within a scope) and by HEAD's history."""
    gaps = missing_records.find(view, where.settings.keep_hot, scope)
    whole = [address for path in gaps.bare for address in _addresses(view, path)]
    fates = removal.fates(where.root, (*(gap.address for gap in gaps.missing), *whole))
    noted = view.edits.removed()  # when it was taken out: a squash may have lost the commit
    meant = {gap.address: "" for gap in gaps.missing if gap.address in noted}
    meant |= {address: fate.commit for address, fate in fates.items() if fate.by == removal.HAND}
    bare = tuple(path for path in gaps.bare if meant.keys().isdisjoint(_addresses(view, path)))
    former = _former(view, gaps, bare, fates)
    elsewhere = former | meant.keys()
    left = tuple(gap for gap in gaps.missing if gap.address not in elsewhere)
    journals = removal.lost_journals(where.root, view)
    instances = {journal.instance for journal in journals}
    missed = tuple(instance for instance in gaps.without_journal if instance not in instances)
    return Losses(tuple(journals), gaps._replace(missing=left, bare=bare, without_journal=missed), meant, len(former))


def _former(view: View, gaps: Gaps, bare: Collection[str], fates: Mapping[Address, removal.Fate]) -> set[Address]:
    """Return the tasks and their like that were prose once, which steps drop as they say in their commits."""
    by_others = {address for address, fate in fates.items() if fate.by != removal.STEP}
    records = (gap for gap in gaps.missing if gap.what == missing_records.RECORD)
    prose = (gap for gap in records if kinds.must_state(gap.fragment.kind))
    former = {gap.address for gap in prose if gap.journal not in bare} - by_others
    return {at for at in former if not _is_later(view, at) and (at in fates or not _has_stood(view, at))}


def _has_stood(view: View, address: Address) -> bool:
    """Return whether the cycles wrote down last that an entry is in a tier, though a rebase left no commit of that."""
    pages = (
        text for name in view.files(fates_page.FOLDER) if f"{address.instance}." in (text := view.read(name) or "")
    )
    sections = (section for text in pages for section in fates_page.read(text).sections)
    fates = [row.fate for section in sections for row in section.rows if address in row.addresses]
    return bool(fates) and fates[-1] == "kept"


def _is_later(view: View, address: Address) -> bool:
    """Return whether an entry came to its journal after that was slept on, by what the cycle wrote down of it."""
    tail = f"-{address.instance}.md"
    pages = [page for page in view.files(fates_page.FOLDER) if page.endswith(tail)]
    last = max((fates_page.last_ordinal(view.read(page) or "", address.instance) for page in pages), default=0)
    return 0 < last < address.ordinal


def _addresses(view: View, path: str) -> list[Address]:
    return [entry.address for entry in view.journal(path).entries]


def _noted(root: Root) -> str:
    """Return the commit at which nothing was missing, "" where the file of this machine names none."""
    name = (files.read(_place(root)) or "").strip()
    return name if history.is_id(name) else ""


def is_noted(where: Place) -> bool:
    """Return whether nothing was missing at the commit that is checked out."""
    last = _noted(where.root)
    return bool(last) and last == checkout.head(where.root)


def since(where: Place, view: View, own: Collection[str] | None = None) -> list[Finding]:
    """Return what was lost by the commits since the one at which nothing was missing; [] if none changed the memory.

    `own` are the documents that our own commit of a person's edits changed, if nothing was missing just before it.
    """
    now = checkout.head(where.root)
    last = _noted(where.root)
    if now is None or last == now:
        return []
    try:
        if own is not None:
            changed: frozenset[str] | None = _of_memory(own)
        else:
            changed = _changed(where.root, last, now) if last else None
    except SleepError:  # the commit is gone, or it is another clone's
        changed = None
    scope = None
    if changed is not None:
        if not changed - set(view.unslept):
            return []
        scope = _scope(where.root, last, view, changed)
    losses = look(where, view, scope)
    named = [finding for finding in _findings(losses) if finding.level != "note"]
    # What a person deleted in a commit stays deleted, and is said once.
    named += [
        _deleted(journal)._replace(level="warn")
        for journal in losses.journals
        if journal.commit and journal.path in (changed or ())
    ]
    return [*named, *sealed_journals.findings(where.root, view, changed)]


def is_done(findings: Iterable[Finding]) -> bool:
    """Return whether these findings of `since` name no loss, or only what a person took out, which is named once."""
    once = (_CHECK, _STATES, sealed_journals.CHECK)
    return all(finding.level == "warn" and finding.check in once for finding in findings)


def _changed(root: Root, last: str, now: str) -> frozenset[str]:
    """Return the documents of the memory that commits changed on the way from one commit to another; so did a merge."""
    walked = history.walk(root, layout.OWNED, whole=True, rev=f"{last}...{now}")
    names = {change.path for _, rows in walked for change in rows}
    if any(len(commit.parents) > 1 for commit, _ in walked):
        names |= {cycles.PATH, *(row.path for row in file_lists.differences(root, last, now))}
    return _of_memory(names)


def _of_memory(names: Collection[str]) -> frozenset[str]:
    return frozenset(path for path in names if paths.tier_of(path) or path.startswith(_WATCHED))


def _scope(root: Root, last: str, view: View, changed: frozenset[str]) -> Scope:
    """Return where to look for what was lost since a commit: what stood in files that changed, and other journals."""
    tiers = [path for path in changed if paths.tier_of(path)]
    before = history.read_many(root, last, [*tiers, cycles.PATH])
    stood = frozenset(str(address) for path in tiers for address in addressing.addresses(before.get(path, "")))
    slept = {cycle.instance for cycle in cycles.read(before.get(cycles.PATH))}
    fresh = (view.path_of(cycle.instance) for cycle in view.cycles if cycle.instance not in slept)
    return Scope(stood, frozenset((*changed, *filter(None, fresh))))


def note(where: Place) -> None:
    """Note that nothing is missing at the commit that is checked out; under the lock."""
    now = checkout.head(where.root)
    if now and _noted(where.root) != now:
        os.makedirs(where.root.state_dir, exist_ok=True)
        files.write(_place(where.root), f"{now}\n", sync=False)


def secrets(view: View) -> Iterator[Finding]:
    """Yield the secrets that stand in what is loaded first, whoever committed them."""
    for path in (paths.MAIN, *paths.HOT):
        yield from secrets_in(path, view.read(path) or "", " is committed")


def secrets_in(path: str, text: str, where: str = "") -> Iterator[Finding]:
    """Yield the secrets of a document; `where` is told with each."""
    for secret in secret_scan.find(text, place.secrets()):
        at = f"{path}:{text.count(chr(10), 0, secret.start) + 1}"
        yield Finding("secrets", "fail", f"a secret ({secret.kind}){where}", at, f"sleepwake memory.redact {path}")


def _place(root: Root) -> str:
    return os.path.join(root.state_dir, _CHECKED)


def _findings(losses: Losses) -> Iterator[Finding]:
    for journal in losses.journals:
        if journal.commit:
            yield _deleted(journal)
        else:
            what = f"the journal of {journal.instance} is gone; git's history holds it"
            yield Finding(_CHECK, "fail", what, journal.path, FIX)
    for instance in losses.gaps.without_journal:
        what = f"the journal of {instance}, which was slept on, is gone, and this history does not hold it"
        names = f"{paths.journal(instance.number)} {paths.journal(*instance)}"
        fix = f"fetch it from another clone: `git log --all -- {names}`"
        yield Finding(_CHECK, "fail", what, paths.JOURNALS, fix)
    for path in losses.gaps.bare:
        yield Finding(_CHECK, "fail", "was slept on, and nothing of it stands in a tier", path, FIX)
    for gap in losses.gaps.missing:
        yield Finding(_CHECK, "fail", _says(gap), gap.journal, FIX)
    for move in losses.gaps.refused:
        fix = (
            "leave it if the state is right, else journal the move that is; `sleepwake thread.list --all` shows states"
        )
        yield Finding(_STATES, "warn", f"{move.address} was passed over: {move.why}", move.journal, fix)
    if losses.former:
        what = (
            f"{losses.former} tasks, blockers and dead ends stand in journals alone: they were no records when slept on"
        )
        yield Finding(_CHECK, "note", what, paths.JOURNALS, "`sleepwake recall` finds them, and journal.add holds them")
    for address, sha in losses.meant.items():
        by = f" in {sha[:7]}" if sha else ""
        by = by if sha != removal.UNCOMMITTED else " and it is not committed yet"
        yield Finding(_CHECK, "note", f"{address} was taken out of memory by hand{by}, and stays out")


def _deleted(journal: LostJournal) -> Finding:
    sha = journal.commit[:7]
    what = f"the journal of {journal.instance} was deleted in {sha}"
    return Finding(_CHECK, "note", what, journal.path, f"git checkout {sha}^ -- {journal.path}")


def _says(gap: Missing) -> str:
    fragment = gap.fragment
    name = f"{fragment.kind} {fragment.number}".strip()
    words = tokens.clip(fragment.text, _SHOWN)
    if gap.what == missing_records.RECORD:
        return f"{name} [{gap.address}] is in no tier: {words}"
    return f"{name} [{fragment.identity}] does not know that it is {fragment.state} [{gap.address}]: {words}"


def _put_aside(where: Place, view: View) -> Iterator[Finding]:
    """Yield the journals that were opened here and were never committed, and are not there; and what a stash holds."""
    aside = file_lists.stashed(where.root, paths.JOURNALS.rstrip("/"))
    instances = {path: removal.instance_of(text) for path, (_, text) in aside.items()}
    for path, (rev, _) in aside.items():
        instance = instances[path]
        if instance is None or view.path_of(instance) is not None:
            continue
        if view.read(path) is None:
            yield Finding(_CHECK, "warn", f"the journal of {instance} is in the stash", path, "git stash pop")
        else:
            free = paths.journal(instance.number, instance.tag)
            what = f"{view.instance_of(path)} and, in the stash, {instance} claim this file"
            yield Finding(_CHECK, "warn", what, path, f"git show '{rev}:{where.root.in_tree(path)}' > {free}")
    there = {str(view.instance_of(path)) for path in view.journals} | {str(instance) for instance in instances.values()}
    unseen = unaccounted(where.root, there)
    apart = _committed(where.root, unseen, "--all", "--reflog")
    for journal in unseen:
        what = f"the journal of {journal.instance}, opened {journal.when}, is gone and was never committed (git clean?)"
        fix = f"`sleepwake journal.capture` has what its session said, if the transcript is there; {FIX} forgets it"
        if sha := apart.get(journal.instance):
            what = f"the journal of {journal.instance} is in commits that no branch has (a detached HEAD, a rebase?)"
            fix = f"`git branch {journal.instance} {_tip(where.root, sha)[:12]}` keeps them"
        yield Finding(_CHECK, "warn", what, journal.path, fix)


def _tip(root: Root, sha: str) -> str:
    """Return the newest commit that git remembers behind one that no branch has: what was slept there ends with it."""
    words = ("rev-list", "--topo-order", "--max-count=1", "--reflog", "--ancestry-path", f"^{sha}")
    return history.ask(root, *words)[1].decode().strip() or sha


def forgettable(root: Root, there: set[str]) -> list[str]:
    """Return the instances of `unaccounted` journals that no commit has: once it was said, nothing is left to do."""
    absent = unaccounted(root, there)
    apart = _committed(root, absent, "--all", "--reflog")
    return [journal.instance for journal in absent if journal.instance not in apart]


def unaccounted(root: Root, there: set[str]) -> list[open_journals.Opened]:
    """Return the journals that were opened here, and that neither the memory (`there`) nor any branch has."""
    absent = [journal for journal in open_journals.read(root) if journal.instance not in there]
    if not absent:
        return []
    known = _committed(root, absent, "--all")
    return [journal for journal in absent if journal.instance not in known]


def _committed(root: Root, opened: Sequence[open_journals.Opened], *where: str) -> dict[str, str]:
    """Return by instance the newest commit of those that git is asked for which changed its journal."""
    if not opened:
        return {}
    instances = {root.in_tree(journal.path): journal for journal in opened}
    names = history.specs(root, [journal.path for journal in opened])
    form = ("--full-history", "--format=%H", "--name-only", "--diff-filter=AM")
    _, log, _ = history.ask(root, "log", *where, *form, "--", *names)
    commits: dict[str, str] = {}
    sha = ""
    for line in log.decode(errors="replace").split("\n"):
        sha = line if history.is_id(line) else sha
        journal = instances.get(line)
        if journal and journal.instance not in commits:
            own = removal.instance_of(history.read(root, sha, journal.path) or "")
            if str(own) == journal.instance:
                commits[journal.instance] = sha
    return commits
