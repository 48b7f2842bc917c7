"""Journals that are open in another clone, where their owner may go on writing.

Owns distinguishing them from journals that were opened here, and naming their owners. If two clones wrote into one
journal, one address would name two entries; and what is added after a sleep elsewhere would be in no tier. Refuses to
change anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import front_matter, journal, paths
from sleep.errors import GitStateError
from sleep.store import history, open_journals
from sleep.store.git import checkout
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sleep.memory.view import View
    from sleep.store.layout import Root

_DAY = 86400
_DAYS = 1  # without a commit of it, after which a journal that another person opened is slept on by anybody
_LATELY = "--since=90.days"  # so that git does not walk the whole history of the code beside a memory
_NAMES = "--format=%aN%x00%an%x00%aE%x00%ae"
_ENDED = "\nended:"
_HEAD = 600  # characters in which a journal says that it is closed, for most


class Foreign(NamedTuple):
    """An open journal of another clone: its path, who committed it first, and the day of its last commit."""

    path: str
    who: str
    day: str

    @property
    def reason(self) -> str:
        """Why it is not slept on, and how it is all the same."""
        command = f"sleepwake sleep --instance {paths.journal_number(self.path)}"
        return f"is open in another clone (committed by {self.who}, {self.day}), and left to it; {command} takes it"


def is_foreign(root: Root, view: View, path: str) -> bool:
    """Return whether an open journal came here by a commit, and was opened in another clone."""
    return bool(_foreign(root, view, (path,)))


def of_others(root: Root, view: View, now: float) -> dict[str, Foreign]:
    """Return by path the open journals that another person opened elsewhere and committed within a day.

    One of a person's own, from another machine of hers or a clone that is gone, is not among them: a person has several
    addresses, such as one that a forge writes into a squash, so one name or one address of one commit is enough. A
    program may have committed it for somebody, so a name is that of who committed it.

    Args:
        root: where the memory is.
        view: the memory.
        now: seconds since 1970.
    """
    foreign = {}
    there = _foreign(root, view, view.unslept)
    if not there or not history.ask(root, "remote")[1]:  # from nowhere else did it come
        return {}
    own = _own_names(root)
    for path in there:
        form = "--format=%as%x00%at%x00%aN%x00%an%x00%aE%x00%ae"
        _, out, _ = history.ask(root, "log", form, "--", *history.specs(root, (path,)))
        commits = [row.split("\0") for row in out.decode(errors="replace").split("\n") if row]
        day, when, *_ = commits[0]
        names = {name.casefold() for _, _, *each in commits for name in each}
        if own.isdisjoint(names) and now - int(when) < _DAYS * _DAY:
            foreign[path] = Foreign(path, next(filter(None, commits[-1][2:])), day)
    return foreign


def is_shared(root: Root) -> bool:
    """Return whether another person, or a program, lately committed journals of a memory that has a remote.

    False where git cannot be asked: to journal needs no git.
    """
    try:
        if checkout.head(root) is None or not history.ask(root, "remote")[1]:
            return False
        _, out, _ = history.ask(root, "log", _LATELY, _NAMES, "--", *history.specs(root, (paths.JOURNALS,)))
        own = _own_names(root)
    except GitStateError:
        return False
    commits = dict.fromkeys(out.decode(errors="replace").split("\n"))
    return any(own.isdisjoint(map(str.casefold, names.split("\0"))) for names in commits if names)


def _foreign(root: Root, view: View, names: Iterable[str]) -> list[str]:
    opened = {known.instance for known in open_journals.read(root)}
    there = [path for path in _open(view, names) if str(view.instance_of(path)) not in opened]
    if not there or checkout.head(root) is None:
        return []
    committed = history.blob_ids(root, "HEAD", there)
    return [path for path in there if path in committed]


def _open(view: View, names: Iterable[str]) -> Iterator[str]:
    """Yield the journals to which commands still write, by their front matter."""
    for path in names:
        text = view.read(path) or ""
        if _ENDED in text[:_HEAD] or view.instance_of(path) is None:
            continue
        fields = front_matter.peek(text).fields
        if not fields.get("ended") and not journal.is_import(fields):
            yield path


def _own_names(root: Root) -> frozenset[str]:
    """Return name and mail address of whoever commits here, in small letters, none where git knows none."""
    code, out, _ = history.ask(root, "var", "GIT_AUTHOR_IDENT", fine=(0, 128))
    name, _, rest = out.decode(errors="replace").rpartition(" <") if code == 0 else ("", "", "")
    return frozenset(filter(None, (name.casefold(), rest.partition(">")[0].casefold())))
