"""`sleepwake mcp`: serve the memory to one client over standard input and output."""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import find_spec

from sleep import extra_install
from sleep.errors import SleepError

_EXTRA = ("mcp", "mcp_types", "anyio")


def is_installed() -> bool:
    """Return whether the extra is there, without loading it."""
    return find_spec("mcp") is not None and find_spec("anyio") is not None


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
        raise SleepError(f"the library {error.name} is not installed", hint=extra_install.command("mcp")) from None
    gc.freeze()
    gc.enable()
    if sys.stdin.isatty():
        sys.stderr.write("this speaks MCP on standard input and output: a client starts it (sleepwake mcp --help)\n")
    server.run(root)
    os._exit(0)  # a thread may still read what nobody waits for
