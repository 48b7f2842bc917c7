"""A second client of the protocol, as small as can be, written from `facts/relay-protocol.md` alone.

It shares no code with ours but the library that moves the bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PATIENCE = 60  # seconds: of a slow machine, not of the relay


class Peer:
    """A connection; with a name it has identified itself."""

    def __init__(self, url, name="", key=None, **options):
        self.line = connect(url, compression=None, max_size=None, max_queue=None, open_timeout=PATIENCE, **options)
        self.ws = self.line.__enter__()  # later versions of the library want it so
        self.closed = None
        if name:
            self.welcome = self.identify(name, key)
            self.id = self.welcome["agent_id"]
            self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Say good-bye."""
        self.ws.close()
        self.line.__exit__(None, None, None)

    def drop(self):
        """Break the line without a word."""
        self.ws.socket.close()

    def identify(self, name, key=None):
        """Say who this is, with proof if there is a key, and return the welcome."""
        self.send(type="IDENTIFY", name=name, pubkey=key and key.pubkey)
        if key:
            challenge = self.expect("CHALLENGE")
            stamp = int(time.time() * 1000)
            signed = f"AUTH|{challenge['nonce']}|{challenge['challenge_id']}|{stamp}"
            self.send(
                type="VERIFY_IDENTITY",
                challenge_id=challenge["challenge_id"],
                signature=key.sign(f"AGENTCHAT_{signed}"),
                timestamp=stamp,
            )
        return self.expect("WELCOME")

    def send(self, **frame):
        """Send a frame."""
        self.ws.send(json.dumps(frame))

    def say(self, to, content, **more):
        """Send a message."""
        self.send(type="MSG", to=to, content=content, **more)

    def receive(self, timeout=PATIENCE):
        """Return the next frame."""
        frame = json.loads(self.ws.recv(timeout))
        assert isinstance(frame["ts"], int)
        return frame

    def expect(self, kind, timeout=PATIENCE, **fields):
        """Return the next frame of a kind, passing over others."""
        end = time.monotonic() + timeout
        while True:
            frame = self.receive(max(0.0, end - time.monotonic()))
            if frame["type"] == kind and all(frame.get(name) == value for name, value in fields.items()):
                return frame

    def until_now(self):
        """Return everything that the server has sent up to now."""
        self.send(type="PING")
        found = []
        while (frame := self.receive())["type"] != "PONG":
            found.append(frame)
        return found

    def ended(self, timeout=PATIENCE):
        """Return (frames, code, reason) of a connection that the server ends."""
        found, end = [], time.monotonic() + timeout
        try:
            while True:
                found.append(self.receive(max(0.0, end - time.monotonic())))
        except ConnectionClosed as closed:
            return found, closed.rcvd and closed.rcvd.code, closed.rcvd and closed.rcvd.reason


class Key:
    """A key pair and the id that it gives."""

    def __init__(self):
        self.private = Ed25519PrivateKey.generate()
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        self.pubkey = self.private.public_key().public_bytes(serialization.Encoding.PEM, form).decode()
        self.id = "@" + hashlib.sha256(self.pubkey.encode()).hexdigest()[:16]

    def sign(self, text):
        """Return the signature of a text, as base64."""
        return base64.b64encode(self.private.sign(text.encode())).decode()
