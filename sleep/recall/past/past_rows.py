"""What a memory once held and holds no more: every row that a commit of the branch had, and that stands nowhere now.

Owns telling what is gone (a journal, a tier, a page, or an earlier form of a line), in which commit it last stood, and
laying it beside what is there now. A row is not gone that was moved, that got its mark, or whose every sentence stands
in the journal that its address leads to; nor is what the program writes anew from the rest. Refuses to write anything,
and to show a secret that was taken out of the files later.

Each text of history is read once or twice, newest first, and only lines that went are looked at more closely: a row
that came and went many times is known by its last form.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import front_matter, main_page, paths
from sleep.documents.markdown import lines
from sleep.recall.index import rows
from sleep.recall.past.past_index import PastIndex
from sleep.records import address as addressing
from sleep.records.kinds import is_kind
from sleep.store import history, layout, private
from sleep.store.files import decode
from sleep.store.git import file_lists
from sleep.store.history import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.recall.index.database import Index
    from sleep.recall.index.rows import Row
    from sleep.recall.passages import PassageLine
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

_NOBODY = "i9999999zzz"  # an instance that there will not be
_AT_ONCE = 64  # changes whose texts are in memory together
_HEADING = re.compile(r"(#{1,6})(?:\s|$)")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.!?;:]\s|\n")
_JOURNALS = 64  # that are kept as read
_LINKS = re.compile(r"(?m)^\s*(?:- )?(?:status|supersedes|superseded by): .*\n?")  # what a tier says of its own
_MANAGED = re.compile(rf"(?ms)^{re.escape(main_page.OURS)}.*?(?=^##? |\Z)")


class Removal(NamedTuple):
    """Where a row last stood: its document, the last commit that had it, the commit that took it out, and its date.

    `by` and `since` are "" where no commit of its own did: a merge left it out, or it is not committed yet.
    """

    path: str
    last: str
    by: str
    since: str


class FullIndex(NamedTuple):
    """An index of what is there and what is gone.

    `gone` says where what is gone last stood, by the index's document; `real` are the addresses that its stand-ins are
    for; `is_short` says that only the newest part of the history is here.
    """

    asked: Index
    gone: Mapping[str, Removal]
    real: Mapping[str, tuple[str, ...]]
    is_short: bool

    def shown(self, line: PassageLine) -> PassageLine:
        """Return a line as it is shown: with its own path, tier and addresses, and with no secret."""
        removal = self.gone.get(line.path)
        if removal is None:
            return line
        tier = rows.tier_of(removal.path) or "page"
        addresses = tuple(real for address in line.addresses for real in self.real.get(address, (address,)))
        return line._replace(text=private.clean(line.text), path=removal.path, tier=tier, addresses=addresses)


def build(
    now: Index, root: Root, tree: Tree, tiers: Collection[str], progress: Callable[[int, int], None] | None = None
) -> FullIndex:
    """Return the index of all that a memory ever held.

    Args:
        now: the index of what is there.
        root: the memory root.
        tree: what is there.
        tiers: those that are asked for, none for all of the memory.
        progress: is told how many changes of documents are read, and of how many.
    """
    past = PastIndex(now)
    texts: dict[str, str] = {}
    places: dict[str, Removal] = {}
    real: dict[str, tuple[str, ...]] = {}
    journals = frozenset(tree.list(paths.JOURNALS))
    for removal, removed in _gone(past, root, tree, progress):
        tier = rows.tier_of(removal.path)
        if tiers and tier not in tiers:
            continue
        for day, own in itertools.groupby(removed, key=lambda row: row.day):
            # As a journal, for the index passes over what tiers say and a journal says too.
            folder = "journal" if not tiers else removal.path.rpartition("/")[0]
            name = f"{folder}/gone-{len(texts)}.md"
            items = list(own)
            if tier != rows.JOURNAL or removal.path in journals:  # else it would be taken for a form of what is there
                items = [row._replace(addresses=(_stand_in(real, row.addresses),)) for row in items]
            texts[name], places[name] = _document(day, items), removal
    past.lay(texts)
    return FullIndex(past, places, real, bool(file_lists.boundary(root)))


def _stand_in(real: dict[str, tuple[str, ...]], addresses: tuple[str, ...]) -> str:
    """Return an address that nothing else has, and note which it is for."""
    made = f"{_NOBODY}.{len(real) + 1}"
    real[made] = addresses
    return made


def _gone(
    now: Index, root: Root, tree: Tree, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[Removal, list[Row]]]:
    """Yield what each commit took out for good, newest first."""
    pages = {path: tree.read(path) or "" for path in _documents(tree)}
    standing = {line.strip() for text in pages.values() for line in text.split("\n")}
    seen = _present(now, pages)
    journals = _JournalWords(tree)
    listed = _forms(history.walk(root, layout.OWNED, whole=True))
    for at in range(0, len(listed), _AT_ONCE):
        part = listed[at : at + _AT_ONCE]
        contents = _contents(root, part)
        for form in part:
            change = form.change
            before, after = contents[change.before], contents[change.after]
            if not change.after:
                journals.remember(change.path, before)
            removed = _removed(change.path, before, after, standing)
            removed = [row for row in removed if not (_plain(row.text) in seen or journals.has(row, change.path))]
            if removed:
                seen.update(_plain(row.text) for row in removed)
                yield form.removal, removed
        if progress:
            progress(min(at + _AT_ONCE, len(listed)), len(listed))


def _present(now: Index, pages: Mapping[str, str]) -> set[str]:
    """Return what the rows of now say: those of the index, and of pages that it does not read."""
    unread = (rows.read(path, text) for path, text in pages.items() if not rows.tier_of(path))
    texts = (text for (text,) in now.base.execute("SELECT text FROM row"))
    return {"", *map(_plain, texts), *(_plain(row.text) for own in unread for row in own)}


class _Form(NamedTuple):
    """A form that a document had, `change.before`, and what became of it.

    `commit` took it out. With `is_last` it brought it, and none took it out: a merge left it out, or it is there now.
    """

    commit: Commit
    change: Change
    is_last: bool = False

    @property
    def removal(self) -> Removal:
        """Where it last stood."""
        sha, when = self.commit.sha, self.commit.when
        if self.is_last:
            return Removal(self.change.path, sha, "", "")
        return Removal(self.change.path, self.commit.parents[0] if self.commit.parents else "", sha, when)


def _contents(root: Root, forms: Iterable[_Form]) -> dict[str, str]:
    """Return the texts that forms were and became, by the names of their blobs."""
    names = {name for form in forms for name in (form.change.before, form.change.after) if name}
    return {name: decode(content or b"") for name, content in history.blobs(root, names).items()} | {"": ""}


def _forms(walked: Sequence[tuple[Commit, tuple[Change, ...]]]) -> list[_Form]:
    """Return every form of every document, newest first."""
    went = {(change.path, change.before) for _, changed in walked for change in changed}
    forms = []
    for commit, changed in walked:
        for change in changed:
            if not change.path.endswith(".md") or not layout.is_owned(change.path):
                continue
            if change.after and (change.path, change.after) not in went:
                forms.append(_Form(commit, Change(change.path, change.after, ""), is_last=True))
            if change.before:
                forms.append(_Form(commit, change))
    return forms


def _documents(tree: Tree) -> list[str]:
    listed = [path for folder in layout.OWNED[1:] for path in tree.list(folder)]
    return [path for path in (paths.MAIN, *listed) if path.endswith(".md") and layout.is_owned(path)]


def _removed(path: str, before: str, after: str, standing: Collection[str]) -> list[Row]:
    """Return the rows that a change took out of a document, as far as lines tell."""
    after_lines = set(after.split("\n"))
    went = [line for line in before.split("\n") if line not in after_lines and line.strip() not in standing]
    parsed = rows.read(path, _reduced(_MANAGED.sub("", before), frozenset(went))) if went else []
    return [row for row in parsed if row.kind != rows.HEADING]


def _reduced(text: str, wanted: frozenset[str]) -> str:
    """Return the entries, items and paragraphs of a text that have a wanted line, with front matter and headings."""
    try:
        start = front_matter.read(text).body
    except ValueError:
        start = 0
    pieces, block, level = [text[:start]], [], 0
    written = text[start:].split("\n")
    fenced = lines.code(written)
    for at, line in enumerate((*written, "#")):
        title = _HEADING.match(line) if at not in fenced else None
        depth = len(title[1]) if title else 0
        if level and not 0 < depth <= level:  # an entry goes on to the next heading that is not below its own
            block.append(line)
            continue
        if depth or (at not in fenced and (not line.strip() or _BULLET.match(line))):
            pieces += ["\n".join(block), ""] if wanted.intersection(block) else []
            block, level = [], 0
        if depth and addressing.trailing_mark(line):
            block, level = [line], depth
        elif depth:
            pieces += [line, ""]
        else:
            block.append(line)
    return "\n".join(pieces[:-2])


class _JournalWords:
    """Whether what a row said is said by the journal that its addresses lead to, of now or in its last form."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._paths: dict[int, list[str]] = {}
        for path in tree.list(paths.JOURNALS):
            self._paths.setdefault(paths.journal_number(path) or 0, []).append(path)
        self._gone: dict[str, str] = {}
        self._texts: dict[str, tuple[str, str]] = {}

    def remember(self, path: str, text: str) -> None:
        """Note what a journal said before it was taken out, unless it is known by a later form."""
        number = paths.journal_number(path)
        if number is not None and path not in self._paths.get(number, ()):
            self._paths.setdefault(number, []).append(path)
            self._gone[path] = text

    def has(self, row: Row, path: str) -> bool:
        """Return whether each sentence of a row of a document stands in the journal of one of its addresses."""
        if path in self._gone:
            return False
        journals = [text for address in row.addresses if (text := self._text(address))]
        text = addressing.NUMBER.sub("", _LINKS.sub("", row.text))
        sentences = filter(None, map(_spelled, _SENTENCE.split(text)))
        return bool(journals) and all(any(f" {sentence} " in text for text in journals) for sentence in sentences)

    def _text(self, address: str) -> str:
        """Return the words of the journal that has an address, "" where there is none any more."""
        own = addressing.parse(address)
        for path in self._paths.get(own.number, ()) if own else ():
            if path not in self._texts:
                if len(self._texts) >= _JOURNALS:
                    del self._texts[next(iter(self._texts))]
                text = self._gone.get(path) or self._tree.read(path) or ""
                self._texts[path] = text, f" {_spelled(addressing.MARK.sub('', text))} "
            text, words = self._texts[path]
            if str(own) in text:
                return words
        return ""


def _spelled(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _plain(text: str) -> str:
    """Return what a row says, whatever its marks, spaces and case."""
    return " ".join(addressing.MARK.sub("", text).split()).casefold()


def _document(day: str, items: Iterable[Row]) -> str:
    """Return rows as a document that has the same rows."""
    head = f"---\ndate: {day}\n---\n\n" if day else ""
    return head + "\n".join(_item(row) for row in items) + "\n"


def _item(row: Row) -> str:
    kind = f" {row.kind}" if is_kind(row.kind) and row.kind != "note" else ""
    mark = f" [{' '.join(row.addresses)}{kind}]" if row.addresses else ""
    return f"- {row.text.replace(chr(10), f'{chr(10)}  ')}{mark}"
