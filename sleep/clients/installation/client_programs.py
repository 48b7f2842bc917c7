"""The programs on this machine: ours, which hooks run, and the clients', with their versions.

Owns finding them and asking clients for their version, bounded in time. Refuses to start a client in any other way.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.clients.installation.hook_entries import NAME as _NAME

if TYPE_CHECKING:
    from sleep.clients.client_table import Client

_PATIENCE = 20.0


class Program(NamedTuple):
    """A client's program: where it is and what it says its version is, both "" when it was not found."""

    path: str = ""
    version: str = ""

    @property
    def number(self) -> tuple[int, ...]:
        """The version as numbers, () when there are none."""
        match = re.search(r"\d+(?:\.\d+)+", self.version)
        return tuple(int(part) for part in match[0].split(".")) if match else ()


def script() -> str:
    """Return the absolute path of the installed `sleepwake`, "" if this program was not installed as one."""
    beside = os.path.join(os.path.dirname(sys.executable), _NAME)
    called = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) in {_NAME, f"{_NAME}.exe"} else ""
    named = (called, beside, f"{beside}.exe", on_path())
    return next(
        (os.path.abspath(path) for path in named if path and os.access(path, os.X_OK) and os.path.isfile(path)), ""
    )


def on_path() -> str:
    """Return where PATH has a `sleepwake`, "" where it has none."""
    return shutil.which(_NAME) or ""


def is_here(client: Client) -> bool:
    """Return whether the program of a client is on PATH."""
    return shutil.which(client.program) is not None


def of(client: Client) -> Program:
    """Return the program of a client, asked for its version."""
    path = shutil.which(client.program)
    if not path:
        return Program()
    try:
        asked = subprocess.run(
            (path, "--version"),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
            env={**settings.environment(), "SLEEP_OFF": "1"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return Program(path)
    lines = asked.stdout.decode("utf-8", "replace").strip().splitlines()
    return Program(path, lines[0].strip() if lines else "")
