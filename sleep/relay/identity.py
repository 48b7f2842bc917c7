"""Keyed identities: Ed25519 keys, the ids that come from them, and the proof of having one.

Owns everything that touches a key. An id is `@` and the first 16 hex digits of the SHA-256 of the public key's PEM
text. A file of an identity is agentchat's: JSON with `name`, `pubkey` and `privkey` (in files that agentchat writes
`publicKey` and `privateKey`), readable by its owner alone.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sleep.errors import RelayError
from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Mapping

_PRIVATE = 0o600


def agent_id(pubkey: str) -> str:
    """Return the id of the agent that has a public key."""
    return "@" + hashlib.sha256(pubkey.encode()).hexdigest()[:16]


def is_key(pubkey: str) -> bool:
    """Return whether a text is an Ed25519 public key in the one PEM form, so that a key has one id.

    The final newline may be missing: some clients trim.
    """
    try:
        return pubkey.rstrip("\n") == _pem(_public(pubkey)).rstrip("\n") and not pubkey.endswith("\n\n")
    except ValueError:
        return False


def proves(pubkey: str, signature: str, nonce: str, challenge: str, timestamp: int) -> bool:
    """Return whether a signature (base64) answers a challenge."""
    return signed(pubkey, signature, _login(nonce, challenge, timestamp))


def signed(pubkey: str, signature: str, text: str) -> bool:
    """Return whether a signature (base64) of a text is by the owner of a public key."""
    try:
        _public(pubkey).verify(base64.b64decode(signature, validate=True), text.encode())
    except (InvalidSignature, ValueError, binascii.Error):
        return False
    return True


def _public(pubkey: str) -> Ed25519PublicKey:
    key = serialization.load_pem_public_key(pubkey.encode())
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("no Ed25519 key")  # noqa: TRY004  # of a text, not of a type
    return key


def _pem(key: Ed25519PublicKey) -> str:
    pem: bytes = key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return pem.decode()


def _login(nonce: str, challenge: str, timestamp: int) -> str:
    return f"AGENTCHAT_AUTH|{nonce}|{challenge}|{timestamp}"


class Identity(NamedTuple):
    """A name and a key of its own."""

    name: str
    key: Ed25519PrivateKey

    @property
    def pubkey(self) -> str:
        """The public key as PEM."""
        return _pem(self.key.public_key())

    def answer(self, nonce: str, challenge: str, timestamp: int) -> str:
        """Return the signature that answers a challenge, as base64."""
        signature: bytes = self.key.sign(_login(nonce, challenge, timestamp).encode())
        return base64.b64encode(signature).decode()

    @classmethod
    def new(cls, name: str) -> Identity:
        """Return an identity that nobody had before."""
        return cls(name, Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: str) -> Identity:
        """Return the identity in a file.

        Raises:
            RelayError: there is none, or it is not one.
        """
        text = files.read(path)
        if text is None:
            raise RelayError("there is no identity here", where=path, hint="sleepwake relay.listen --new makes one")
        try:
            fields: Mapping[str, Any] = json.loads(text)
            pem = str(fields.get("privkey") or fields["privateKey"])
            key = serialization.load_pem_private_key(pem.encode(), password=None)
            name = str(fields.get("name") or "")
        except (ValueError, TypeError, AttributeError, KeyError):
            key, name = None, ""
        if not isinstance(key, Ed25519PrivateKey):
            raise RelayError("is no identity (JSON with an Ed25519 key as PEM in privkey or privateKey)", where=path)
        return cls(name, key)

    def save(self, path: str) -> None:
        """Write the identity to a file that only its owner can read."""
        pem: bytes = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        content = {"name": self.name, "pubkey": self.pubkey, "privkey": pem.decode()}
        files.write(path, json.dumps(content, indent=2) + "\n", _PRIVATE)
