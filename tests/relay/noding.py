"""Nodes of a relay over NATS for tests, and NATS itself. As a program it is a node: `noding.py NATS SETTINGS`."""

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
from pathlib import Path

from hosting import FREE

from sleep.relay.backends.nats import NatsNode
from sleep.relay.configuration import Configuration


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
        program = shutil.which("nats-server") or str(Path(sys.executable).with_name("nats-server"))
        words = [program, "-js", "-sd", str(self.folder), "-a", "127.0.0.1", "-p", str(self.port)]
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
        code = self.child.wait(15)
        self.child.stdout.close()
        return code


async def _main(url, settings):
    node = NatsNode(Configuration(**json.loads(settings)), url)
    await node.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(f"ws://127.0.0.1:{node.port}", flush=True)
    await stop.wait()
    await node.stop()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
