"""`sleepwake mcp`: serve the memory to one client over standard input and output.

Owns what is understood of its words without Invoke, for a client waits for its start.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from sleep.errors import SleepError, UsageError
from sleep.options import Option, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

INSTALL = "pip install 'sleepwake[mcp]'"
_EXTRA = ("mcp", "mcp_types", "anyio")


def read(words: Sequence[str]) -> str | None:
    """Return the root that the words name, "" for none, None where they want more than a plain reading."""
    try:
        options = list(parse(words, (Option("root", "r", is_valued=True),), "mcp"))
    except UsageError:
        return None
    if not options:
        return ""
    root = options.pop()
    return None if options or not root.name or not root.value or root.value.startswith("-") else root.value


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
