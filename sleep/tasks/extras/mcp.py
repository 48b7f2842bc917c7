"""`mcp`: serve the memory to an agent over the Model Context Protocol."""

from __future__ import annotations

from sleep.mcp_server import stdio
from sleep.tasks.task import task


@task("mcp")
def mcp(root: str = "") -> None:
    """Serve the memory to an agent over the Model Context Protocol, on standard input and output; its client starts it.

    A client is told of it once: `claude mcp add sleep -- sleepwake mcp`, `codex mcp add sleep -- sleepwake mcp`.

    Example: sleepwake mcp
    """
    stdio.serve(root)


TASKS = (mcp,)
