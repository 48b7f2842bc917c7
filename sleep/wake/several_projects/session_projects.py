"""What a session that starts is told of several projects: its own first, and the others in a line each.

Owns which project a session is of (the repository that it works in), and whose a record is: what its topic names, else
what the head of its journal says. Loads nothing that a hook could not afford, and reads the heads of the journals of
records, and the last journals whole; of a memory of one project nothing. Refuses to find out what projects there are:
sleeps write their names on the main page.
"""

from __future__ import annotations

import os

from sleep.debt import due, sessions
from sleep.documents import entries, front_matter, paths
from sleep.records import address as addressing
from sleep.records.address import InstanceId
from sleep.settings import named_projects
from sleep.store import files, layout
from sleep.wake.snapshot import page_files, prose
from sleep.wake.snapshot.held_records import TOOL
from sleep.wake.snapshot.parts import Item, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.documents.entries import Entry
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings
    from sleep.store.context import Context

_LAST = 64  # journals, the newest, in which the plans of projects are looked for
_SEVERAL = 2
_LINE = 160  # characters of a plan
NAME = "Other Projects"
_COMMAND = "`sleepwake wake --project NAME`"
_FIELD = "project"  # of a journal's front matter
_ORIGIN = ("repository", "path")  # of an import, the first that is there
_QUOTES = "'\""
_TOPIC = "\n- topic: "  # of an entry


class SessionProjects:
    """Whose what is. `own` is the session's project, "" for none; `names` are all; `page` is the main page's handoff's.

    Args:
        context: whose memory.
        own: the session's project.
        page: the text of the main page.
        listed: the names that the settings list, and no others count; none where they list none.
    """

    def __init__(self, context: Context, own: str, page: str, listed: frozenset[str]) -> None:
        self.own = own if own in listed or not listed else ""
        self._listed = listed
        self._context = context
        self._page = page
        self._known: dict[str, str] = {}  # by address of an instance
        self._plans: dict[str, Entry | None] | None = None
        self.names = {*(listed or _row(page, "- projects").split(", ")), self.own} - {""}
        self._giver = addressing.parse_instance(_row(page, "- updated").rpartition(" ")[2]) or InstanceId(0, "")
        self.page = self._of_instance(*self._giver)
        # Of journals that wait for a sleep no page says anything.
        self.names |= {self.page, *(self._of_path(waiting.path) for waiting in due.unslept(context))} - {""}

    def of(self, record: Fragment) -> str:
        """Return a record's project, "" for none."""
        topic = _first(record.field("topic"))
        return topic if topic in self.names else self._of_address(record.identity)

    def told(self, records: list[Fragment]) -> list[Fragment]:
        """Return the session's own records and then those of no project; where it has none, all with their project."""
        if self.own:
            # One that two projects have said in the same words is of both.
            whose = [({self.of(record), *map(self._of_address, record.addresses[1:])}, record) for record in records]
            own = [record for names, record in whose if self.own in names]
            return own + [record for names, record in whose if "" in names and self.own not in names]
        return [
            record._replace(text=f"{name}: {record.text}") if (name := self.of(record)) else record
            for record in records
        ]

    def plan(self) -> Entry | None:
        """Return the last handoff of the session's project, None where that stands on the main page, or nowhere."""
        entry = self._handoffs.get(self.own)
        return None if entry and self.page == self.own and entry.address[:2] <= self._giver else entry

    @property
    def is_page_told(self) -> bool:
        """True where the handoff of the main page is the session's project's, or of none."""
        return not self.own or self.page in ("", self.own)

    def of_entry(self, entry: Entry) -> str:
        """Return the project of an entry's journal, "" for none."""
        return self._of_address(entry.address)

    def of_session(self, session_id: str) -> str:
        """Return the project that a session works in, "" for none, and where nobody saw it begin."""
        known = sessions.read(self._context, session_id)
        name = layout.repository_name(known.cwd, self._context.base).casefold() if known and known.cwd else ""
        return name if name in self._listed or not self._listed else ""

    def _of_address(self, address: Address) -> str:
        return self._of_instance(*address[:2])

    def others(self) -> Part | None:
        """Return the section that names the other projects, each with what is next there."""
        items = [Item(f"- {name}{self._next(name)}", name) for name in sorted(self.names - {self.own})]
        if not items:
            return None
        items[-1] = Item(f"{items[-1].full}\n- {_COMMAND} tells one of them", items[-1].name)
        return Part(
            NAME,
            f"## {NAME if self.own else 'Projects'}",
            items,
            count=", ".join(item.name for item in items),
            where=_COMMAND,
        )

    def _next(self, name: str) -> str:
        entry = self._handoffs.get(name)
        words = entry.field("next priority") or entry.words if entry else ""
        if name == self.page and not (entry and entry.address[:2] > self._giver):
            words = _row(self._page, "- next_priority") or words
        return f": next: {prose.cut(prose.flat(words), _LINE)}" if words else ""

    @property
    def _handoffs(self) -> dict[str, Entry | None]:
        """The last handoff of each project among the last journals."""
        if self._plans is None:
            self._plans = {}
            folder = os.path.join(self._context.base, "journal")
            numbered = ((paths.journal_number(f"{paths.JOURNALS}{name}") or 0, name) for name in files.names(folder))
            for _, name in sorted(numbered, reverse=True)[:_LAST]:
                if self.names <= self._plans.keys():
                    break
                owner = self._of_path(os.path.join(folder, name))
                text = page_files.text(self._context, folder, name) if owner and owner not in self._plans else ""
                if "\n## Handoff" in text:
                    written = (each for each in entries.read(prose.printable(text)) if each.kind == "handoff")
                    handoffs = [each for each in written if each.source != TOOL]
                    self._plans.update({owner: handoffs[-1]} if handoffs else {})
        return self._plans

    def _of_instance(self, number: int, tag: str) -> str:
        key = f"i{number}{tag}"
        if key not in self._known:
            names = (paths.journal(number), paths.journal(number, tag))
            heads = (page_files.beginning(self._context, os.path.join(self._context.base, name)).text for name in names)
            self._known[key] = next((self._of_text(text) for text in heads if f"\ntag: {tag}\n" in text), "")
        return self._known[key]

    def _of_path(self, path: str) -> str:
        return self._of_text(page_files.beginning(self._context, path).text)

    def _of_text(self, text: str) -> str:
        """Return the project that a journal's head says: a session's; else, of the names, an import's or a topic's."""
        start, end, _ = front_matter.span(text)
        head = text[start - 1 : end]
        if "imported:" in head:
            origin = next(filter(None, (_row(head, f"  {name}") for name in _ORIGIN)), "")
            return next((name for name in origin.strip(_QUOTES).casefold().split("/") if name in self.names), "")
        own = _row(head, _FIELD).strip(_QUOTES).casefold()
        if not own and _TOPIC in text:
            topics = (_first(rest.partition("\n")[0]) for rest in text.split(_TOPIC)[1:])
            own = next((name for name in topics if name in self.names), "")
        return own if own in self._listed or not self._listed else ""


def _row(text: str, name: str) -> str:
    """Return what the first line `NAME: ...` of a text says, "" where there is none."""
    return text.partition(f"\n{name}: ")[2].partition("\n")[0]


def _first(topic: str) -> str:
    """Return the first part of a topic, which may be a project (`api` of `api / login`)."""
    return topic.partition("/")[0].strip().casefold()


def find(context: Context, settings: Settings, own: str, page: str) -> SessionProjects | None:
    """Return whose what is in a memory, for a session in a repository; None where the memory is of one project.

    `own` is the repository's name, `page` the text of the main page.
    """
    listed = named_projects(settings.projects)
    known = SessionProjects(context, own.casefold(), page, listed)
    return known if listed or len(known.names) >= _SEVERAL else None
