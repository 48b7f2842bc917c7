"""Where a command works: the memory's root, its settings, and the right to write.

Owns finding them in the order flag, environment, directory; and the one way to begin writing: lock, then finish what
a crash cut off, then look again.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.documents import paths, yaml_reader
from sleep.errors import NoMemoryError
from sleep.redaction import homes, secret_scan
from sleep.store import files, layout, lock, private, step
from sleep.store.git import checkout
from sleep.store.tree import Overlay
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol, TypeVar

    from sleep.memory.view import View
    from sleep.settings import Settings
    from sleep.store.layout import Root
    from sleep.store.lock import Lock
    from sleep.store.repository import Repository

    class _Text(Protocol):
        @property
        def text(self) -> str: ...

    T = TypeVar("T", bound=_Text)


class Place(NamedTuple):
    """A memory's root and its settings."""

    root: Root
    settings: Settings


class Writer(NamedTuple):
    """The right to write: the lock is held, git is idle, nothing is interrupted. `recovered` says what was finished."""

    place: Place
    lock: Lock
    repository: Repository
    recovered: step.Recovery

    @property
    def root(self) -> Root:
        """The memory's root."""
        return self.place.root

    @property
    def settings(self) -> Settings:
        """The memory's settings."""
        return self.place.settings


def find(start: str, explicit: str | None = None) -> Place:
    """Return the place that a command run in `start` works in.

    Raises:
        NoMemoryError: there is no memory.
        GitStateError: there is one, and it is not checked out.
        DocumentError: `sleep.yaml` cannot be read.
    """
    named = explicit or settings_.root_override()
    try:
        root = layout.find_root(start, named)
    except NoMemoryError:
        checkout.refuse_hidden(os.path.join(start, named) if named else start)
        raise
    text = files.read(root.absolute(paths.SETTINGS), within=root.path) or ""
    return Place(root, settings_.resolve(yaml_reader.load_settings(text, paths.SETTINGS)))


def repository(place: Place) -> Repository:
    """Return the repository of a place, opened as its settings say."""
    # late: whoever only reads needs none
    from sleep.store.repository import Repository  # noqa: PLC0415

    settings = place.settings
    return Repository(place.root, run_hooks=settings.git_hooks, sign=None if settings.git_sign else False)


@contextmanager
def writing(place: Place, purpose: str) -> Iterator[Writer]:
    """Hold the lock and the repository, with git idle and any interrupted step finished.

    Raises HeldError when another of our processes is at work for too long, GitStateError when git is.
    """
    with lock.hold(place.root, purpose, place.settings.lock_wait) as held:
        opened = repository(place)
        opened.preflight()
        yield Writer(place, held, opened, step.recover(place.root, held, opened))


@contextmanager
def jotting(place: Place, purpose: str) -> Iterator[Root]:
    """Hold the lock to change a journal that is open, which needs no commit and so no git."""
    with lock.hold(place.root, purpose, place.settings.lock_wait) as held:
        if step.interrupted(place.root):
            step.recover(place.root, held, repository(place))
        checkout.refuse_absent(place.root, paths.JOURNALS)  # what is written would hide what is left out
        yield place.root


def secrets() -> tuple[str, ...]:
    """Return the values of the environment's variables whose names say that they are secret."""
    return private.secrets()


def safe(view: View, make: Callable[[View], T]) -> T:
    """Return what is made of a view, and tells no secret: one may have been committed before a rule knew it.

    Only where it would tell one is it made again, of the documents without secrets.
    """
    known = secrets()
    made = make(view)
    if not secret_scan.find(made.text, known):
        return made
    names = (paths.MAIN, *view.files("memory"), *view.files("journal"))
    texts = {name: secret_scan.redact(text, known)[0] for name in names if (text := view.read(name))}
    return make(type(view)(Overlay(view.tree, texts)))


def clean(text: str) -> str:
    """Return a text without secrets and home directories, and all else as it is, bytes that are no text too."""
    return homes.hide(secret_scan.redact(text, secrets())[0], (os.path.expanduser("~"),))
