"""A real relay for tests, on a free port: in a thread of this process, or as a process that can be killed.

Run as a program it serves: `python hosts.py JOURNAL '{"relay_rate_ms": 0}'` prints the URL.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading

from peer import PATIENCE

from sleep.relay import commands
from sleep.relay.configuration import Configuration
from sleep.relay.server.hub import Server
from sleep.relay.server.persistence import Journal

FREE = {"relay_rate_ms": 0, "relay_frames": 0, "relay_early_frames": 0, "relay_address_frames": 0, "relay_port": 0}


class Hosted:
    """A relay in a thread, with a site if it is given one; `call` runs something in its loop."""

    def __init__(self, journal="", site=None, **settings):

        self.site = site
        self.given = Configuration(**{**FREE, **settings})
        self.journal = str(journal)
        self.ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self.thread.start()
        assert self.ready.wait(PATIENCE)

    async def _run(self):

        self.loop, self.end = asyncio.get_running_loop(), asyncio.Event()
        self.server = Server(self.given, Journal(self.journal) if self.journal else None, site=self.site)
        await self.server.start()
        self.port, self.url = self.server.port, f"ws://127.0.0.1:{self.server.port}"
        self.ready.set()
        await self.end.wait()
        await self.server.stop()

    def call(self, function):
        """Return what a function returns, run in the relay's loop."""

        async def run():
            return function()

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(PATIENCE)

    def stop(self):
        """End it in good order."""
        self.loop.call_soon_threadsafe(self.end.set)
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


class Process:
    """A relay in a process of its own, with a journal."""

    def __init__(self, journal, **settings):
        words = [sys.executable, __file__, str(journal), json.dumps({**FREE, **settings})]
        path = os.pathsep.join(filter(None, sys.path))
        self.child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path})
        self.url = self.child.stdout.readline().strip()
        assert self.url, "the relay did not start"

    def kill(self):
        """End it with -9."""
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()

    def stop(self):
        """End it with SIGTERM, and return its exit code."""
        self.child.terminate()
        code = self.child.wait(PATIENCE)
        self.child.stdout.close()
        return code


def main():

    path, settings = sys.argv[1:]
    given = Configuration(**json.loads(settings))
    asyncio.run(commands.run(given, path, (), lambda noted, _: print(noted.url, flush=True)))


if __name__ == "__main__":
    main()
