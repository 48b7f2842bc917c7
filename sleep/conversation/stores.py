"""Originals on disk: one file each below a memory's state folder, named by its address, on this machine only.

Owns the folder. It ignores itself in git: what was said in a conversation is committed as a journal, or not at all.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from sleep.conversation.originals import Originals, encoded
from sleep.errors import DocumentError
from sleep.store import files

if TYPE_CHECKING:
    from sleep.store.context import Context

NAME = ".originals"
_ADDRESS = re.compile(r"[0-9a-f]{4,64}")
_FILE = re.compile(r"([0-9a-f]{64})\.json")
_PRIVATE = 0o600


class Folder:
    """A store in a folder, made when the first originals come."""

    def __init__(self, path: str) -> None:
        self.path = path

    def keep(self, originals: Originals) -> None:
        """Write originals, wholly or not at all; what is there already stays as it is.

        Raises:
            StorageError: the disk refuses.
        """
        path = os.path.join(self.path, f"{originals.address}.json")
        if os.path.exists(path):
            return
        ignore = os.path.join(self.path, ".gitignore")
        if not os.path.exists(ignore):
            files.write(ignore, "*\n")
        temporary = files.prepare(path, encoded(originals.text), _PRIVATE)
        files.replace(temporary, path)

    def find(self, address: str) -> Originals | None:
        """Return the originals of an address or an unambiguous beginning of it, None where there are none.

        Raises:
            DocumentError: the file is not what its name says.
        """
        if not _ADDRESS.fullmatch(address) or not os.path.isdir(self.path):
            return None
        names = [match[1] for name in os.listdir(self.path) if (match := _FILE.fullmatch(name))]
        matching = [name for name in names if name.startswith(address)]
        if len(matching) != 1:
            return None
        path = os.path.join(self.path, f"{matching[0]}.json")
        content = files.read_bytes(path) or b""
        if hashlib.sha256(content).hexdigest() != matching[0]:
            raise DocumentError("was changed: its bytes have another SHA-256 than its name", where=path)
        return Originals(matching[0], content.decode("utf-8", "surrogatepass"))

    def addresses(self) -> list[str]:
        """Return the addresses of all originals, sorted."""
        if not os.path.isdir(self.path):
            return []
        return sorted(match[1] for name in os.listdir(self.path) if (match := _FILE.fullmatch(name)))


def of(context: Context) -> Folder:
    """Return the store of a memory: `memory/state/.originals`."""
    return Folder(os.path.join(context.state, NAME))
