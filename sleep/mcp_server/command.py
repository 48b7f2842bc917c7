"""`sleepwake mcp`: serve the memory to one client over standard input and output.

Owns its words and its exit codes. A client waits for its start, so nothing here loads Invoke or argparse.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from sleep.errors import SleepError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

INSTALL = "pip install 'sleepwake[mcp]'"
HELP = """\
Usage: sleepwake mcp [--root DIR]

Serve the memory to an agent over the Model Context Protocol, on standard input and output; an agent's client starts it.

  --root DIR   the memory's root; default: SLEEP_ROOT, else found upwards from the folder that the client starts it in
"""
_EXTRA = ("mcp", "mcp_types", "anyio")


def main(words: Sequence[str]) -> int:
    """Run the command and return its exit code; as a program of its own it does not come back."""
    try:
        root = read(words)
        if root is None:
            sys.stdout.write(HELP)
            return 0
        serve(root)
    except SleepError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


def read(words: Sequence[str]) -> str | None:
    """Return the root that the words name, "" for none, None for help; raises UsageError for other words."""
    root, rest = "", list(words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in {"--root", "-r"}:
            if not equals and not rest:
                raise UsageError(f"{name} wants a value", hint="sleepwake mcp --help")
            root = value if equals else rest.pop(0)
        elif name in {"--help", "-h"} and not equals:
            return None
        else:
            raise UsageError(f"mcp cannot take {name}{equals}{value}", hint="sleepwake mcp --help")
    return root


def serve(root: str) -> None:
    """Serve until the client goes away, and end the process.

    Raises SleepError without the extra.
    """
    gc.disable()  # loading the SDK makes many objects, and none that is in the way
    try:
        from sleep.mcp_server import server  # late: an extra, and 600 ms  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise SleepError(f"the library {error.name} is not installed", hint=INSTALL) from None
    gc.freeze()
    gc.enable()
    if sys.stdin.isatty():
        sys.stderr.write("this speaks MCP on standard input and output: a client starts it (sleepwake mcp --help)\n")
    server.run(root)
    os._exit(0)  # a thread may still read what nobody waits for
