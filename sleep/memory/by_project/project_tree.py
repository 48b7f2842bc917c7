"""The memory of one of several projects: a tree that has only its journals, entries and fragments.

Owns leaving the others out, so that every reader of a memory can read this one too. What belongs to no project is in
the memory of "", with the pages of the whole. Refuses to change a text that belongs to one project entirely.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from sleep.documents import main_page, paths, tier
from sleep.documents.markdown import edit
from sleep.documents.project import own_handoff
from sleep.errors import DocumentError
from sleep.memory.by_project import project_names
from sleep.memory.view import View
from sleep.records import address as addressing

if TYPE_CHECKING:
    from sleep.memory.by_project.project_names import Projects
    from sleep.records.address import InstanceId
    from sleep.store.tree import Tree

_PAGE = "memory/page.md"


class ProjectTree:
    """What is of one project, read from a view of the whole.

    Args:
        view: the whole memory.
        projects: what is whose.
        name: of the project, "" for what is of none.
    """

    __slots__ = ("_mixed", "_name", "_projects", "_sharing", "_view")

    def __init__(self, view: View, projects: Projects, name: str) -> None:
        self._view, self._projects, self._name = view, projects, name
        # The instances that have entries of another project than theirs, and those of them that have some of this one.
        self._mixed = frozenset(address.instance for address in projects.entries)
        self._sharing = frozenset(address.instance for address, owner in projects.entries.items() if owner == name)

    def read(self, path: str) -> str | None:
        """Return a text without what is of other projects, None where nothing of it is of this one."""
        if paths.journal_number(path) is not None:
            return self._journal(path)
        if paths.tier_of(path):
            return self._tier(path)
        if path == paths.MAIN:
            return self._main()
        is_whole = path.startswith(paths.MEMORY) and path not in (_PAGE, *paths.ARCHITECTURE)
        return self._view.read(path) if is_whole or not self._name else None

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths below a folder, without the journals of others."""
        listed = self._view.tree.list(prefix)
        return tuple(path for path in listed if paths.journal_number(path) is None or self._has(path))

    def _has(self, path: str) -> bool:
        instance = self._view.instance_of(path)
        if instance is None:
            return not self._name
        return instance in self._sharing or self._projects.instances.get(instance, "") == self._name

    def _journal(self, path: str) -> str | None:
        text, instance = self._view.read(path), self._view.instance_of(path)
        if text is None or not self._has(path):
            return None
        if instance not in self._mixed:
            return text
        with contextlib.suppress(DocumentError):  # `doctor` reports it
            entries = self._view.journal(path).entries
            others = (entry for entry in entries if self._projects.of(entry.address) != self._name)
            return edit.apply(text, [edit.Edit(entry.start, entry.end, "") for entry in others])
        return text

    def _tier(self, path: str) -> str | None:
        text = self._view.read(path)
        if text is None:
            return None
        of = self._projects.of
        fragments = self._view.tier(path).fragments
        others = [each for each in fragments if self._name not in map(of, each.addresses)]
        return tier.write(text, drop=others) if others else text

    def _main(self) -> str | None:
        """Return the main page: of a project the handoff of its last instance, else all but the handoff."""
        text, of = self._view.read(paths.MAIN), self._projects.instances.get
        if text is None or not self._name:
            owner = next(map(of, self._view.lived), "")
            return main_page.without_handoff(text) if text and owner else text
        last = next((instance for instance in self._view.lived if of(instance) == self._name), None)
        if last is None:
            return ""
        fields = main_page.handoff(text)
        if not fields.get("updated", "").endswith(f" {last}"):
            fields = self._own_handoff(last)
        rows = [f"- {name}: {value}" for name, value in fields.items() if self._is_own(value)]
        return main_page.with_section("", main_page.HANDOFF, "\n".join(rows)) if rows else ""

    def _own_handoff(self, instance: InstanceId) -> dict[str, str]:
        path = self._view.path_of(instance)
        with contextlib.suppress(DocumentError):  # `doctor` reports it
            return own_handoff.fields(self._view.journal(path).entries if path else ())
        return {}

    def _is_own(self, value: str) -> bool:
        """Return whether a field of the handoff quotes nothing, or something of this project."""
        places = addressing.addresses(value)
        return not places or self._name in map(self._projects.of, places)


def of_instance(view: View, projects: Projects, instance: InstanceId) -> Tree:
    """Return the memory of the project of an instance, the whole where it is of none."""
    name = projects.instances.get(instance, "")
    return ProjectTree(view, projects, name) if name else view.tree


def of_name(tree: Tree, name: str) -> Tree:
    """Return the memory of the project of a name; UsageError where a tree has no such project."""
    view = View(tree)
    projects = project_names.read(view)
    return ProjectTree(view, projects, projects.named(name))
