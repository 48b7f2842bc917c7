"""What people did to the tiers by hand: lines that they added, changed and took out, and what a sleep makes of it.

Owns finding it (commits since our last step, and what is not committed yet), the page of edits, and making an entry of
the open journal from each line that was added. A revert, a merge, a squash and the removal of a whole file are no
edits: `doctor` names those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.changes import own_steps, removal
from sleep.documents import cycles, edits, entries, paths, tier
from sleep.documents import journal as journals
from sleep.documents.markdown import edit
from sleep.language import tokens
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import fragment, kinds
from sleep.records.address import InstanceId, Mark
from sleep.records.fragment import flat
from sleep.store import files, history, layout
from sleep.store.git import checkout, file_lists
from sleep.store.git.loose_objects import blob_name
from sleep.store.tree import Overlay, WorkTree
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.documents.edits import Edit, Edits
    from sleep.documents.tier import Loose
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.store.history import Commit
    from sleep.store.layout import Root

STANDS_IN = "stands in"  # the field of an entry whose line a person wrote into a tier
_ANY = Mark((InstanceId(0, "any").entry(1),))
_SHOWN = 40  # tokens of a line that a commit tells
_STRANGE = 10  # one character in so many may be a byte that is not UTF-8: an editor saved it in another encoding
_BULLET = 2  # characters of a list item before its words
_RECENT, _FURTHER = 12, 200  # commits that are looked through, and where they are all people's


class Edited(NamedTuple):
    """What a person did to a document: its text before and after, None where there is none."""

    path: str
    before: str | None
    after: str | None


class Note(NamedTuple):
    """What a sleep writes of the edits: the sentence, a line an edit, and the documents."""

    subject: str
    lines: tuple[str, ...]
    writes: dict[str, str | None]


def note(root: Root, view: View, now: str, *, is_adopted: bool = False) -> Note | None:
    """Return what a sleep writes of what people did by hand, None where that is nothing.

    `is_adopted` says that the tiers are committed as they are: git is not asked what of them is not.
    """
    done = _committed(root, view) if is_adopted else (*_committed(root, view), *_uncommitted(root, view))
    pending = [change for by, changed in done for change in _edits(changed, by, view.edits)]
    pending = [change for change in pending if change not in view.edits.all]
    lines = list(_lines_by_hand(view, pending))
    stood = [kept_edit for edit_ in pending if (kept_edit := _as_it_stands(edit_, lines))]
    writes = _enter_lines(root, view, now, lines)
    if stood:
        writes[edits.PATH] = edits.append(view.read(edits.PATH), stood)
        writes |= _main(view.read(paths.MAIN), edits.Edits(tuple(stood)))
    if not writes:
        return None
    added = (f"added: {tokens.clip(line.fragment.text, _SHOWN)}" for line in lines if not line.addresses)
    return Note(_subject(stood, lines), (*map(_sentence, stood), *added), writes)


def _subject(stood: Sequence[Edit], lines: Sequence[_Line]) -> str:
    gone = sum(change.is_removal for change in stood)
    added = sum(not line.addresses for line in lines)
    counts = ((added, "added"), (len(stood) - gone, "changed"), (gone, "taken out"))
    what = ", ".join(f"{count} {word}" for count, word in counts if count) or "addresses put back"
    return f"adopt lines by hand: {what}"


def _sentence(change: Edit) -> str:
    before = tokens.clip(change.before, _SHOWN)
    if change.is_removal:
        return f"taken out: {before}"
    now = tokens.clip(change.now or "", _SHOWN)
    return f"changed: {before} (its fields)" if now == before else f"changed: {before} -> {now}"


def _main(text: str | None, made: Edits) -> dict[str, str | None]:
    """Return the main page without the lines that name what was taken out, and with what was changed as it is now."""
    rows = []
    for row in (text or "").split("\n"):
        mark = addressing.MARK.search(row)
        edited = made.overruling(addressing.mark_of(mark).addresses[0], row[: mark.start()]) if mark else None
        if edited is None:
            rows.append(row)
        elif edited.now is not None:
            rows.append(row.replace(edited.before, edited.now))
    now = "\n".join(rows)
    return {paths.MAIN: now} if text is not None and now != text else {}


def _as_it_stands(change: Edit, lines: Sequence[_Line]) -> Edit | None:
    """Return an edit as it stands once lines that lost their address have it again; None where it was no edit."""
    line = next((line for line in lines if line.addresses == change.addresses), None)
    if line is None or not change.is_removal:
        return change
    text = flat(line.fragment.text)
    return None if text == change.before else change._replace(now=text, fields=line.fragment.fields)


def _committed(root: Root, view: View) -> Iterator[tuple[str, list[Edited]]]:
    """Yield what people committed, oldest first: who and when, and the files of the tiers before and after."""
    for commit in reversed(_commits(root)) if checkout.head(root) else ():
        changed = _without_restorations(
            root, _changes_of(root, commit, is_whole=bool(view.edits.removed_addresses)), commit.sha
        )
        if not _has_table(changed):
            name = commit.author.partition(" <")[0]
            yield f"{commit.when[:10]} by {name}", changed


def _uncommitted(root: Root, view: View) -> Iterator[tuple[str, list[Edited]]]:
    """Yield what people did and nobody committed, as `_committed` does."""
    head = checkout.head(root)
    changed = _without_restorations(root, _differing(root, head, view)) if head else []
    if changed and not _has_table(changed):
        yield "by hand", changed


def _has_table(changed: Iterable[Edited]) -> bool:
    """Return whether the table of cycles is among the documents: whoever writes it brings tiers along."""
    return any(document.path == cycles.PATH for document in changed)


def _commits(root: Root) -> list[Commit]:
    """Return the commits since our last step that may be edits, newest first."""
    for limit in (_RECENT, _FURTHER):
        commits: list[Commit] = []
        merged = False
        walked = history.commits(root, paths=paths.TIERS, limit=limit)
        for commit in walked:
            claim = own_steps.claim(commit)
            if claim and claim.step != own_steps.UNDO and not merged:
                return commits
            merged = merged or len(commit.parents) > 1
            if any(name == removal.PUT_BACK for name, _ in commit.trailers):
                continue
            if not claim and len(commit.parents) == 1 and not commit.subject.startswith(('Revert "', 'Reapply "')):
                commits.append(commit)
        if len(walked) < limit:
            return commits
    return commits


def _without_restorations(root: Root, changed: list[Edited], sha: str = "") -> list[Edited]:
    """Return what was changed, without files of the tiers that were brought back to an older state of theirs."""
    return [
        document
        for document in changed
        if not (
            paths.tier_of(document.path)
            and document.before
            and document.after
            and removal.is_older(root, document.path, document.after, sha)
        )
    ]


def _changes_of(root: Root, commit: Commit, *, is_whole: bool) -> list[Edited]:
    """Return what a commit did; where it only added tiers, their texts are read if they must be (`is_whole`)."""
    touched = file_lists.touched(root, [commit.sha]).get(commit.sha, ())
    owned = [row for row in touched if layout.is_owned(row.path)]
    if not is_whole and not any(row.before and paths.tier_of(row.path) for row in owned):
        return [Edited(row.path, None, None) for row in owned]
    texts = history.texts(root, {name: name for row in owned for name in (row.before, row.after) if name})
    return [Edited(row.path, texts.get(row.before), texts.get(row.after)) for row in owned]


def _differing(root: Root, head: str, view: View) -> list[Edited]:
    """Return the files of the tiers, and the table of cycles, that are not as in a commit."""
    listed = history.listing(root, head, "memory")
    base = {path: name for path, name in listed.items() if path == cycles.PATH or paths.tier_of(path)}
    there = (path for folder in paths.TIERS for path in view.tree.list(folder))
    after = {path: view.read(path) for path in {*base, cycles.PATH, *filter(paths.tier_of, there)}}
    changed = {path: text for path, text in after.items() if _differs(text, base.get(path, ""))}
    before = history.texts(root, {path: base[path] for path in changed if path in base})
    return [Edited(path, before.get(path), text) for path, text in sorted(changed.items()) if before.get(path) != text]


def _differs(text: str | None, name: str) -> bool:
    """Return whether a text is another than that of a blob, "" for none."""
    return text is None or blob_name(files.encode(text), name) != name


def _is_text(text: str) -> bool:
    """Return whether a document says something: one that was overwritten with bytes is gone as a whole."""
    strange = sum("\udc80" <= letter <= "\udcff" for letter in text)
    return bool(text.strip()) and "\0" not in text and strange * _STRANGE <= len(text)


def _edits(changed: Iterable[Edited], by: str, known: Edits) -> list[Edit]:
    tiers = [document for document in changed if paths.tier_of(document.path) and document.path.endswith(".md")]
    stands = [document for document in tiers if document.before and document.after and _is_text(document.after)]
    before = _fragments(document.before for document in stands)
    if not before and not known.removed_addresses:
        return []
    after = _fragments(document.after for document in tiers)
    return edits.between(before, after, by, known)


def _fragments(texts: Iterable[str | None]) -> list[Fragment]:
    return [fragment for text in texts for fragment in tier.parse(text or "").fragments]


class _Line(NamedTuple):
    """A line without an address, as it is read; `addresses` are those that it had and lost."""

    path: str
    item: Loose
    fragment: Fragment
    addresses: tuple[Address, ...] = ()


def _enter_lines(root: Root, view: View, now: str, lines: Sequence[_Line]) -> dict[str, str | None]:
    """Return the tiers with every line addressed, and the journal that has what people added as entries."""
    if not lines:
        return {}
    new = [line for line in lines if not line.addresses]
    writes: dict[str, str | None] = {}
    marks = {id(line): (Mark(line.addresses), "") for line in lines if line.addresses}
    if new:
        from sleep.journal import writer  # late: most sleeps find no such line  # noqa: PLC0415

        path = writer.open_path(view, root=root)
        if path is None:
            path, text, instance = writer.begin(view, now, root=root, folder="")
        else:
            text, instance = view.read(path) or "", view.journal(path).instance
        text, added = writer.append(view, path, text, instance, [_draft(line) for line in new])
        writes[path] = text
        for line, entry in zip(new, added, strict=True):
            number = "" if entry.number == line.fragment.number else entry.number
            marks[id(line)] = Mark((entry.address,)), number
    changes: dict[str, list[edit.Edit]] = {}
    for line in lines:
        changes.setdefault(line.path, []).extend(_marked(line, *marks[id(line)]))
    return writes | {at: edit.apply(view.read(at) or "", made) for at, made in changes.items()}


def _marked(line: _Line, mark: Mark, number: str) -> Iterator[edit.Edit]:
    """Yield the edits that give a line its number, "" for none, and its mark."""
    first = line.item.lines[0]
    if number:
        yield edit.Edit(first.start + _BULLET, first.start + _BULLET, f"**{number}** ")
    end = first.start + len(first.words.rstrip())
    yield edit.Edit(end, end, f" {mark}")


def _lines_by_hand(view: View, pending: Sequence[Edit]) -> Iterator[_Line]:
    """Yield the lines of tiers that have no address and say something."""
    removals = [change for change in pending if change.is_removal]
    numbers: set[str] | None = None
    for line in _unaddressed(view):
        if numbers is None:
            numbers = {record.fragment.number for record in view.records.values()}
        number = line.fragment.number
        was = next((change for change in removals if _is_same(change, line.fragment)), None)
        if was:
            removals.remove(was)
            yield line._replace(addresses=was.addresses)
        elif not number or number not in numbers:
            numbers.add(number)
            yield line


def _unaddressed(view: View) -> Iterator[_Line]:
    """Yield the lines of tiers that have no address and say something, as they are read."""
    for path in (*paths.HOT, *view.files(paths.WARM), *view.files(paths.COLD)):
        may_be = tier.may_be_loose(view.read(path) or "")  # to parse all takes long
        for item in view.tier(path).loose if may_be else ():
            rows = [line.words for line in item.lines]
            read = fragment.parse_item([f"{rows[0].rstrip()} {_ANY}", *rows[1:]], item.kind)
            if read and any(map(str.isalnum, read.text)):
                yield _Line(path, item, read)


def _is_same(change: Edit, line: Fragment) -> bool:
    """True for a line that is one which was taken out, but for its mark."""
    return change.number == line.number if change.number or line.number else edits.is_alike(change.before, line.text)


def _draft(line: _Line) -> journals.Draft:
    own = tuple((name, value) for name, value in line.fragment.fields if name not in ("source", STANDS_IN))
    fields = (*own, ("source", "person"), (STANDS_IN, line.path))
    if kinds.standing(line.item.kind) == kinds.NOTICED:  # whoever writes it there says that it is not sure
        fields += ((entries.STANDING, kinds.NOTICED),)
    return journals.Draft(kinds.stated(line.item.kind), line.fragment.text, "", fields, line.fragment.number)


def view_with_notes(root: Root, now: str) -> tuple[View, frozenset[str]]:
    """Return the memory as the next sleep will note it, and the marks that its lines by hand do not have yet."""
    tree = WorkTree(root)
    view = View(tree)
    noted = note(root, view, now)
    if noted is None:
        return view, frozenset()
    laid = View(Overlay(tree, noted.writes))
    fragments = (
        laid_fragment for path in noted.writes if paths.tier_of(path) for laid_fragment in laid.tier(path).fragments
    )
    known = {
        address
        for path in noted.writes
        for noted_fragment in view.tier(path).fragments
        for address in noted_fragment.addresses
    }
    marks = frozenset(str(Mark(new.addresses)) for new in fragments if new.identity not in known)
    notes = {path: text for path, text in noted.writes.items() if paths.journal_number(path) is None}
    return View(Overlay(tree, notes)), marks


def without_marks(text: str, marks: frozenset[str]) -> str:
    """Return a text with `[by hand]` in place of each of the marks, which stand for addresses not given yet."""
    for mark in marks:
        text = text.replace(mark, "[by hand]")
    return text
