"""Which commits are steps of ours: judged by what they changed, since anybody's commit can carry our trailers.

A squash merge takes over the trailers of what it squashed, an amended step keeps them, a shallow clone cuts a step from
what was before it. Owns the rule for each step: the paths that it may touch, and what it may do there. Refuses to take
a step again: what another version or a model wrote is theirs all the same.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from sleep.documents import cycles, fates_page, front_matter, main_page, paths, tier
from sleep.documents.project import page_forms
from sleep.errors import GateError
from sleep.records import address as addressing
from sleep.records import topic_changes
from sleep.store import history, layout
from sleep.store.files import decode
from sleep.store.git import file_lists
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root

UNDO, SEAL, HANDOFF = "undo", "seal", "handoff"
_PUT_IN = "## Note"  # the heading that sealing gives to words that have none
_HEADING = re.compile(r"#{1,6}(?:\s|$)")


class Claim(NamedTuple):
    """What a commit's trailers say that it is: a step of a cycle of an instance (`i7qxk`), or the undoing of one."""

    step: str
    cycle: int
    instance: str
    compressor: str

    @property
    def key(self) -> tuple[int, str]:
        """The cycle; its number alone may be that of two, slept on two branches."""
        return self.cycle, self.instance

    def is_step_of(self, key: tuple[int, str]) -> bool:
        """Return whether it is a step of a cycle, and no undoing of it."""
        return self.key == key and self.step != UNDO


def trailers(commit: Commit) -> dict[str, str]:
    """Return the trailers that a commit has once: a squash merge may carry those of many steps, and is none of them."""
    counts = Counter(name for name, _ in commit.trailers)
    return {name: value for name, value in commit.trailers if counts[name] == 1}


def claim(commit: Commit) -> Claim | None:
    """Return what a commit's trailers say, None where they say nothing, or the same thing twice as a squash does."""
    each = trailers(commit)
    undo = each.get("Sleep-Undo", "")
    number = undo or each.get("Sleep-Cycle", "")
    step = UNDO if undo else each.get("Sleep-Step", "")
    if not number.isdigit() or not step:
        return None
    return Claim(step, int(number), each.get("Sleep-Instance", ""), each.get("Sleep-Compressor", ""))


def fits(claim: Claim, touched: Iterable[str]) -> bool:
    """Return whether a step of this name may touch all of these paths."""
    if claim.step == UNDO:
        return all(map(layout.is_owned, touched))
    names = [name for name in touched if fates_page.key_of(name) != claim.key]
    if claim.step == SEAL:
        instance = addressing.parse_instance(claim.instance)
        return len(names) == 1 and instance is not None and paths.journal_number(names[0]) == instance.number
    if claim.step == HANDOFF:
        return cycles.PATH in names and all(map(_is_handed_over, names))
    names = [name for name in names if name != topic_changes.PATH]  # where a step says which topics it folded
    return claim.step in fates_page.STEPS and bool(names) and all(map(paths.tier_of, names))


def _is_handed_over(name: str) -> bool:
    """Return whether a handoff may write a path."""
    return name in (paths.MAIN, cycles.PATH) or bool(paths.tier_of(name) or page_forms.of(name))


def shaped(root: Root, commits: Sequence[Commit]) -> dict[str, tuple[Claim, tuple[Change, ...]]]:
    """Return by id those of the commits that touch what the step that they say they are touches, and their changes.

    One without a parent here is none, nor is a merge: what it changed cannot be told.
    """
    claims = {commit.sha: own for commit in commits if len(commit.parents) == 1 and (own := claim(commit))}
    changed = file_lists.touched(root, claims)
    each = ((sha, claim, changed.get(sha, ())) for sha, claim in claims.items())
    return {sha: (claim, rows) for sha, claim, rows in each if fits(claim, (row.path for row in rows))}


def steps(root: Root, commits: Sequence[Commit]) -> dict[str, Claim]:
    """Return by id those of the commits that are wholly a step of ours, or an undo, judged by content."""
    fitting = shaped(root, commits)
    names = (name for _, rows in fitting.values() for row in rows for name in row[1:] if name)
    texts = {name: decode(content or b"") for name, content in history.blobs(root, names).items()} | {"": ""}
    return {
        sha: claim
        for sha, (claim, rows) in fitting.items()
        if _is_recorded(changed := _Changed(root, sha, claim, rows, texts))
        and _RULES.get(claim.step, _is_move)(changed)
    }


def bare(text: str) -> Counter[str]:
    """Return the lines that somebody said in a journal, without what opening and sealing put there."""
    try:
        body = front_matter.read(text).body
    except ValueError:
        body = 0
    lines = (addressing.MARK.sub("", line).rstrip() for line in text[body:].split("\n"))
    return Counter(line for line in lines if line and line != _PUT_IN)


class _Changed(NamedTuple):
    """What a commit changed: the texts before and after by their blobs' ids."""

    root: Root
    sha: str
    claim: Claim
    changes: tuple[Change, ...]
    texts: Mapping[str, str]

    def before(self, path: str) -> str:
        return next((self.texts[change.before] for change in self.changes if change.path == path), "")

    def after(self, path: str) -> str:
        return next((self.texts[change.after] for change in self.changes if change.path == path), "")


def _is_seal(changed: _Changed) -> bool:
    """Sealing closes a journal and marks what is in it: no line goes, none comes."""
    (journal,) = (change for change in changed.changes if fates_page.key_of(change.path) != changed.claim.key)
    before, after = changed.before(journal.path), changed.after(journal.path)
    return bool(journal.before and journal.after) and bare(before) == bare(after)


def _is_recorded(changed: _Changed) -> bool:
    """A step writes nothing into its cycle's page of fates but what the page's form has a place for."""
    if changed.claim.step == UNDO:
        return True
    text = changed.after(fates_page.path(*changed.claim.key))
    return not text or fates_page.render(*changed.claim.key, fates_page.read(text)) == text


def _is_move(changed: _Changed) -> bool:
    """A step between tiers leaves alone what people wrote there, and brings no word that was not there before."""
    from sleep.compression import extractive, gate  # noqa: PLC0415  # late: a wake asks for claims alone

    tiers = [change for change in changed.changes if paths.tier_of(change.path)]
    before = {change.path: changed.texts[change.before] for change in tiers}
    after = {change.path: changed.texts[change.after] for change in tiers}
    if _others(before) != _others(after):
        return False
    if not changed.claim.compressor.startswith(extractive.FAMILY):
        return True
    instance = addressing.parse_instance(changed.claim.instance)
    names = [] if instance is None else [paths.journal(instance.number), paths.journal(*instance)]
    sources = history.read_many(changed.root, changed.sha, names) if changed.claim.step == "journal to hot" else {}
    try:
        gate.refuse_invented(before, after, list(sources.values()))
    except GateError:
        return False
    return True


def _others(documents: Mapping[str, str]) -> Counter[str]:
    """Return the lines of tiers' files that are neither of a fragment nor headings."""
    lines: Counter[str] = Counter()
    for text in documents.values():
        at = 0
        for item in (*tier.parse(text).items, None):
            rest = text[at : item.start if item else len(text)]
            lines.update(line for row in rest.split("\n") if (line := row.strip()) and not _HEADING.match(line))
            at = item.end if item else at
    return lines


def _is_handoff(changed: _Changed) -> bool:
    """A handoff writes the cycle's line, the sections of the main page that are ours, and what is ours in pages."""
    pages = ((change.path, page_forms.of(change.path)) for change in changed.changes)
    if not all(form.is_kept(changed.before(path), changed.after(path)) for path, form in pages if form):
        return False
    main = [main_page.unmanaged(text) for text in (changed.before(paths.MAIN), changed.after(paths.MAIN))]
    old, new = (set(cycles.read(text)) for text in (changed.before(cycles.PATH), changed.after(cycles.PATH)))
    own = {row.key for row in new - old}
    return main[0] in ("", main[1]) and old <= new and own == {changed.claim.key}


def _is_undo(changed: _Changed) -> bool:
    """An undo takes the cycle's line out, and no journal comes or goes."""
    whole = all(
        change.before and change.after for change in changed.changes if paths.journal_number(change.path) is not None
    )
    gone, left = (
        {row.key for row in cycles.read(text)} for text in (changed.before(cycles.PATH), changed.after(cycles.PATH))
    )
    return whole and gone - left == {changed.claim.key} and left <= gone


_RULES = {SEAL: _is_seal, HANDOFF: _is_handoff, UNDO: _is_undo}
