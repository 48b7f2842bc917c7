"""Agents that send and receive until their relay is killed, for tests that kill one."""

from __future__ import annotations

import itertools
import threading
import time

from peer import PATIENCE, Peer
from websockets.exceptions import ConnectionClosed

PATIENT = {"relay_max_buffer": 100_000, "relay_queue": 2**28}


class Sender:
    """An agent that sends direct messages, with a pause after every 50, and notes which were echoed."""

    def __init__(self, url, name, to, pause=0.001):
        self.peer, self.to, self.echoed, self.pause = Peer(url, name), to, {}, pause
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.writer = threading.Thread(target=self._write, daemon=True)
        self.reader.start()
        self.writer.start()

    def _write(self):
        try:
            for number in itertools.count():
                self.peer.say(self.to, f"{self.peer.name} {number}")
                if number % 50 == 0:
                    time.sleep(self.pause)
        except (ConnectionClosed, OSError):
            pass

    def _read(self):
        try:
            while True:
                frame = self.peer.receive()
                if frame["type"] == "MSG" and frame["from"] == self.peer.id:
                    self.echoed[frame["msg_id"]] = frame["content"]
        except (ConnectionClosed, OSError, TimeoutError):
            pass

    def join(self):
        """Wait until the connection has ended."""
        self.writer.join(PATIENCE)
        self.reader.join(PATIENCE)
        self.peer.close()


def receive(peer, into):
    """Take in messages until the connection ends."""
    try:
        while True:
            frame = peer.receive()
            if "msg_id" in frame:
                into.setdefault(frame["msg_id"], set()).add(frame["content"])
    except (ConnectionClosed, OSError, TimeoutError):
        pass
