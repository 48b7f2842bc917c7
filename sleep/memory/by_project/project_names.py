"""Which project each journal and entry is of, in a memory that holds several; a memory of one has no names.

Owns telling it from what is there: the repository that a session worked in, the repository or the folder that logs
were taken in from, and the first part of a topic (`api/login`). A folder says so only where several have logs of their
own, by day: two folders of pages are two subjects of one project. Topics do only where most journals name one such: a
session that goes through several works on parts of one project. Refuses to guess by words.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.documents import front_matter, paths, yaml_reader
from sleep.errors import SleepError, UsageError
from sleep.language import days, lexicon
from sleep.records.fragment import flat
from sleep.store import context as contexts
from sleep.store import layout, private
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sleep.documents.entries import Entry
    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId

_LEAST, _SEVERAL = 3, 2  # logs or entries by which a name is one of a project, and projects that are several
_LOOK = 12  # journals, the newest, among which one is looked for that is of another repository
TOPIC = "topic"
FIELD = "project"  # of a journal's front matter: the repository that its session worked in
_MOST = 0.5  # of the journals, in which topics name one project where they are the names of projects
_LOG = "daily"  # the form of an import that has a text a day
NAMED = re.compile(rf"^- {TOPIC}: ([^/\n]+?) ?/ ?[^/\s]", re.MULTILINE)  # takes `- topic: api/login`
STATE = "\n- projects: "  # of the main page, before their names
_WORD = re.compile(r"[^\W\d_]+")
_PERIOD = re.compile(r"[\d\W_]*[^\W\d_]+[-_ ]?\d+")  # takes `week-12`, `2026-week-12`, leaves `web3d`
_HAS_TOPIC = f"\n- {TOPIC}: "


class Projects(NamedTuple):
    """The names of a memory's projects, that of the newest journal first, and what is whose.

    `instances` has the project of each instance that has one, `entries` that of entries which are of another. What is
    of no project, or of all, is of "".
    """

    names: tuple[str, ...] = ()
    instances: Mapping[InstanceId, str] = {}
    entries: Mapping[Address, str] = {}

    def of(self, address: Address) -> str:
        """Return the project of what stands at an address, "" for none."""
        return self.entries.get(address, self.instances.get(address.instance, ""))

    def named(self, name: str) -> str:
        """Return the project of a name in any case of letters; UsageError where there is none."""
        if name.casefold() not in self.names:
            known = f"would be right: {', '.join(sorted(self.names))}" if self.names else "it is of one project"
            raise UsageError(f"this memory has no project {name!r} ({known})")
        return name.casefold()


def read(view: View, session: str = "") -> Projects:
    """Return the projects of a memory, with that of a session that writes its first words; none where it has one."""
    setting = _setting(view)
    listed = settings_.named_projects(setting)
    if setting == settings_.OFF:
        return Projects()
    folders: dict[InstanceId, str] = {}
    logs: Counter[str] = Counter()
    topics: list[list[str]] = []  # of journals that are neither imports nor of a repository
    repositories = {session} - {""}  # of sessions: one is enough
    for path in view.journals:
        text, instance = view.read(path) or "", view.instance_of(path)
        fields = front_matter.peek(text).fields if instance else {}
        origin = fields.get("imported")
        if instance and isinstance(origin, dict):
            folders[instance] = name = of_import(origin, listed)
            logs[name] += origin.get("from") == _LOG
        elif instance and (name := _of_session(fields)):
            folders[instance] = name
            repositories.add(name)
        else:
            topics.append(_topics(text, listed))
    known = listed or _often(logs, topics) | repositories
    return _of_names(view, known, folders) if listed or len(known) >= _SEVERAL else Projects()


def _topics(text: str, listed: frozenset[str]) -> list[str]:
    """Return the first parts of the topics of a journal that may be projects."""
    names = [name.casefold() for name in NAMED.findall(text)] if _HAS_TOPIC in text else []
    return [name for name in names if name in listed or not _is_place(name)]


def _often(logs: Counter[str], topics: Sequence[list[str]]) -> frozenset[str]:
    """Return the names that enough logs have, and enough topics where most journals name one such."""
    naming = sum(len({*names}) == 1 for names in topics)
    counts = logs + Counter(chain.from_iterable(topics)) if naming >= len(topics) * _MOST else logs
    return frozenset(name for name, count in counts.items() if name and count >= _LEAST)


def _setting(view: View) -> str:
    with contextlib.suppress(SleepError):  # of the past, perhaps, and of another program
        fields = yaml_reader.load_settings(view.read(paths.SETTINGS) or "", paths.SETTINGS)
        return settings_.resolve(fields).projects
    return ""


def current(view: View, session: str = "") -> Projects:
    """Return the projects of a memory whose main page names several, or its last sessions with this one do; else none.

    Else no other journal is read: a sleep on one of a thousand of one project costs what it did.
    """
    texts = (view.read(path) or "" for path in view.journals[: -_LOOK - 1 : -1])
    last = {session, *(_of_session(front_matter.peek(text).fields) for text in texts)} - {""}
    return read(view, session) if len(last) >= _SEVERAL or STATE in (view.read(paths.MAIN) or "") else Projects()


def near(view: View, text: str) -> Projects:
    """Return the projects of a memory as `current` does, and where a journal of this text is imported or has topics."""
    fields = front_matter.peek(text).fields
    origin, own = fields.get("imported"), _of_session(fields)
    is_named = (isinstance(origin, dict) and bool(of_import(origin))) or bool(NAMED.search(text))
    return read(view, own) if is_named else current(view, own)


def sharing(view: View, text: str) -> Callable[[Address], bool]:
    """Return what tells whether something at an address is of the project of a journal (its text), or of none."""
    own = _of_session(front_matter.peek(text).fields)
    projects = current(view, own) if own else Projects()
    return lambda address: projects.of(address) in ("", own)


def of_reader(view: View, asked: str, base: str) -> str:
    """Return the project that was asked for, else the one that this process works in; errors as in `named`.

    `base` is the folder of the memory.
    """
    return read(view).named(asked) if asked else of_folder(contexts.here(), base).casefold()


def _of_session(fields: Mapping[str, object]) -> str:
    return str(fields.get(FIELD) or "").casefold()


def of_folder(folder: str, base: str) -> str:
    """Return the repository that a folder is in as journals name it, "" where it is the memory's own or none."""
    return flat(private.clean(layout.repository_name(folder, base)))


def of_import(origin: Mapping[str, object], listed: frozenset[str] = frozenset()) -> str:
    """Return the project that a document was taken in from, by the record of its import; "" for none.

    It is its repository, where that is not the memory's, else the top folder of its path, below one that only holds
    projects (`packages/api/logs/1.md`); a folder for logs or pages names none (`docs/log/1.md`). One that is `listed`
    is a project wherever it stands.
    """
    if repository := str(origin.get("repository") or ""):
        return repository.casefold()
    folders = str(origin.get("path") or "").casefold().split("/")[:-1]
    if own := next((folder for folder in folders if folder in listed), ""):
        return own
    holders = lexicon.words("projects.holders")
    top = next((folder for folder in folders if folder not in holders), "")
    return "" if _is_place(top) else top


def _is_place(name: str) -> bool:
    """Return whether a folder is one for logs, pages or a time (`daily-logs`, `Q1-2026`), and names no project."""
    words = _WORD.findall(name)
    is_period = bool(_PERIOD.fullmatch(name)) or all(len(word) == 1 or days.month(word) for word in words)
    return is_period or name.startswith(".") or lexicon.all_words("projects.places").issuperset(words)


def _of_names(view: View, known: frozenset[str], folders: Mapping[InstanceId, str]) -> Projects:
    instances = {instance: name for instance, name in folders.items() if name in known}
    entries: dict[Address, str] = {}
    names: list[str] = []
    for path in view.journals:
        instance = view.instance_of(path)
        if instance is None:
            continue
        own: dict[Address, str] = {}
        if _HAS_TOPIC in (view.read(path) or ""):
            own = _of_topics(view.journal(path).entries, known)
            if instance not in instances and len({*own.values()}) == 1:
                instances[instance] = next(iter(own.values()))
            entries |= {address: name for address, name in own.items() if name != instances.get(instance)}
        names += [*own.values(), instances.get(instance, "")]
    newest_first = dict.fromkeys(name for name in reversed(names) if name)
    return Projects(tuple(newest_first), instances, entries)


def _of_topics(entries: Iterable[Entry], known: frozenset[str]) -> dict[Address, str]:
    """Return the projects of entries whose topics name one."""
    topics = ((entry.address, entry.field(TOPIC).partition("/")[0].strip().casefold()) for entry in entries)
    return {address: name for address, name in topics if name in known}
