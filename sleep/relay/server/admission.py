"""Who is who: from a connection that says a name to an agent that has one.

Owns identification: ephemeral agents get a new id, keyed ones prove that they have their key. Nothing is known of
anybody before that, and a challenge is good for one try. Owns also the secret that ends sessions, and the check of a
signature by which an agent proves to another one that it has its key.
"""

from __future__ import annotations

import hmac
import json
import secrets
from typing import TYPE_CHECKING

from sleep.relay import identity
from sleep.relay.engine import requests
from sleep.relay.engine.effects import Arrived, Kicked
from sleep.relay.engine.frames import error
from sleep.relay.server.windows import Window

if TYPE_CHECKING:
    from sleep.relay.configuration import Configuration
    from sleep.relay.engine.effects import Now
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.machine import Engine
    from sleep.relay.engine.requests import Request
    from sleep.relay.server.connection import Connection

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


class Gate:
    """What a connection can ask before it is an agent's."""

    def __init__(self, engine: Engine, admin: str, configuration: Configuration) -> None:
        self._engine = engine
        self._seconds = configuration.relay_challenge  # that a challenge is good for
        self._chunks = configuration.relay_chunks
        self._admin = admin  # the secret that ends sessions

    def ask(self, connection: Connection, request: Request, now: Now) -> Frame | Arrived:
        """Return the answer to a stranger, or the agent that it turns out to be."""
        if isinstance(request, requests.Identify):
            return self._identify(connection, request, now)
        if isinstance(request, requests.Verify):
            return self._verify(connection, request, now)
        if isinstance(request, requests.ListChannels):
            return self._engine.channels(now)
        if isinstance(request, requests.Ping):
            return {"type": "PONG", "ts": now.wall}
        return error("AUTH_REQUIRED", "Must IDENTIFY first", now.wall)

    def kick(self, request: requests.Kick, now: Now) -> Frame | Kicked:
        """Return whose session ends, or why none does."""
        if not hmac.compare_digest(request.secret.encode(), self._admin.encode()):
            return error("AUTH_REQUIRED", "Invalid admin key", now.wall)
        name = request.agent if request.agent.startswith("@") else f"@{request.agent}"
        agent = self._engine.world.find(name)
        if agent is None:
            return error("AGENT_NOT_FOUND", f"Agent {name} not found", now.wall)
        return Kicked(agent.id, request.reason)

    def limit(self, connection: Connection, now: Now) -> Frame | None:
        """Count a piece of a file; return why it does not go on, where there were too many within a second."""
        if connection.chunks is None:
            connection.chunks = Window(self._chunks, 1.0)
        if connection.chunks.allow(now.mono):
            return None
        return error("RATE_LIMITED", f"File chunk rate limit (max {self._chunks}/sec)", now.wall)

    def prove(self, connection: Connection, response: requests.VerifyResponse) -> tuple[requests.VerifyResponse, str]:
        """Return an agent's answer with the key that signed it, "" for none, and the same as the text of a frame."""
        proven = identity.signed(connection.pubkey, response.signature, response.nonce)
        checked = response._replace(signature="", pubkey=connection.pubkey if proven else "")
        fields = {"request_id": checked.request, "nonce": checked.nonce, "pubkey": checked.pubkey}
        return checked, json.dumps({"type": "VERIFY_RESPONSE", **fields})

    def _identify(self, connection: Connection, request: requests.Identify, now: Now) -> Frame | Arrived:
        if connection.challenge is not None:
            return error("INVALID_MSG", "Challenge already pending", now.wall)
        if request.pubkey and not identity.is_key(request.pubkey):
            return error("INVALID_MSG", "pubkey must be an Ed25519 key as SPKI PEM", now.wall)
        agent = identity.agent_id(request.pubkey) if request.pubkey else ""
        if why := self._engine.refusal(request.name, agent):
            return error("INVALID_NAME", why, now.wall)
        if not agent:
            return Arrived(self._new_id(), request.name, keyed=False)
        challenge, nonce = f"chal_{secrets.token_hex(8)}", secrets.token_hex(16)
        connection.challenge = (challenge, nonce, request.pubkey, request.name, now.mono + self._seconds)
        until = now.wall + round(self._seconds * 1000)
        return {
            "type": "CHALLENGE",
            "ts": now.wall,
            "challenge_id": challenge,
            "nonce": nonce,
            "expires_at": until,
        }

    def _verify(self, connection: Connection, request: requests.Verify, now: Now) -> Frame | Arrived:
        challenge, nonce, pubkey, name, until = connection.challenge or ("", "", "", "", 0.0)
        connection.challenge = None
        if not pubkey or request.challenge != challenge or now.mono > until:
            return error("VERIFICATION_EXPIRED", "Challenge not found or expired", now.wall)
        if not identity.proves(pubkey, request.signature, nonce, challenge, request.timestamp):
            return error("VERIFICATION_FAILED", "Invalid signature", now.wall)
        agent = identity.agent_id(pubkey)
        if why := self._engine.refusal(name, agent):  # somebody was quicker
            return error("INVALID_NAME", why, now.wall)
        connection.pubkey = pubkey
        return Arrived(agent, name, keyed=True)

    def _new_id(self) -> str:
        while True:
            ident = "@" + "".join(secrets.choice(_ALPHABET) for _ in range(8))
            if self._engine.is_free(ident):
                return ident
