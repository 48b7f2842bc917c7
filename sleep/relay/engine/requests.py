"""What a client may send, from the text of a frame to a checked value.

Owns the shapes and limits of requests. Refuses everything else with one sentence: a frame may be anything. What is
passed on is valid text, so that whatever was accepted can be written out again.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from unicodedata import normalize

from sleep.relay.engine import frames, names

if TYPE_CHECKING:
    from collections.abc import Callable

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SIGNATURE, _REFERENCE, _KEY, _REASON, _TOKEN = 1024, 128, 1024, 200, 512  # characters
_TARGET = 64
# What is signed elsewhere has a bar or a brace in it: so nobody can be asked to sign a login or a message.
_NONCE = re.compile(r"[A-Za-z0-9_+/=.-]{16,128}")
_LATEST = 2**53  # the largest whole number that every client reads alike


class Identify(NamedTuple):
    """Who wants in: a name, and for a keyed agent its public key as PEM."""

    name: str
    pubkey: str


class Verify(NamedTuple):
    """The answer to a challenge."""

    challenge: str
    signature: str
    timestamp: int


class Join(NamedTuple):
    """Into a channel, or again for its history."""

    channel: str


class Leave(NamedTuple):
    """Out of a channel."""

    channel: str


class Create(NamedTuple):
    """A new channel."""

    channel: str
    invite_only: bool


class Invite(NamedTuple):
    """An agent (by id or name) may join a channel."""

    channel: str
    agent: str


class Say(NamedTuple):
    """A message to a channel or an agent (by id or name)."""

    to: str
    content: str
    in_reply_to: str
    sig: str


class Chunk(NamedTuple):
    """A piece of a file for an agent (by id or name): it goes as it is, and is kept nowhere."""

    to: str
    content: str


class VerifyRequest(NamedTuple):
    """An agent (by id or name) shall prove that it has its key, by a signature of a nonce."""

    target: str
    nonce: str


class VerifyResponse(NamedTuple):
    """The answer to that. `pubkey` is the key that signed, "" for none; the relay says so, never a client."""

    request: str
    nonce: str
    signature: str
    pubkey: str


class SetPresence(NamedTuple):
    """What others shall see."""

    status: str
    text: str | None


class ListChannels(NamedTuple):
    """Which channels there are."""


class ListAgents(NamedTuple):
    """Who is in a channel."""

    channel: str


class Ping(NamedTuple):
    """Whether the relay still answers."""


class Typing(NamedTuple):
    """Others shall see that something is being written."""

    channel: str


class SetNick(NamedTuple):
    """Another name."""

    nick: str


class Respond(NamedTuple):
    """A claim to be the one who answers a message."""

    channel: str
    message: str
    started: int


class Kick(NamedTuple):
    """The end of an agent's session, by somebody who has the secret for it."""

    agent: str
    secret: str
    reason: str


Request = (
    Identify
    | Verify
    | Join
    | Leave
    | Create
    | Invite
    | Say
    | Chunk
    | VerifyRequest
    | VerifyResponse
    | SetPresence
    | ListChannels
    | ListAgents
    | Ping
    | Typing
    | SetNick
    | Respond
    | Kick
)


class RequestError(ValueError):
    """A frame that is no request, and why; `code` is the protocol's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


_decoder = json.JSONDecoder(parse_constant=_no_number)


def _decode(text: str) -> Any:  # noqa: ANN401  # a frame may be anything
    if text[:1] == "{":  # no space to pass over, which costs as much as the rest
        value, end = _decoder.raw_decode(text)
        if end == len(text):
            return value
    return _decoder.decode(text)


def read(text: str) -> Request:
    """Return the request in a frame's text.

    Raises:
        RequestError: it is none.
    """
    try:
        frame = _decode(text)
    except (ValueError, RecursionError):
        raise RequestError("INVALID_MSG", "a frame is one JSON object") from None
    kind = frame.get("type") if isinstance(frame, dict) else None
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        if what := _REFUSED.get(kind) if isinstance(kind, str) else None:
            raise RequestError("NOT_ALLOWED", f"{kind} is not spoken here: {what}; sleepwake help relay says why")
        raise RequestError("INVALID_MSG", "unknown message type")
    return reader(frame)


def _text(frame: dict[str, Any], field: str, most: int = 0, *, needed: bool = True) -> str:
    value = frame.get(field)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value):
        raise RequestError("INVALID_MSG", f"{field} must be text")
    if most and len(value) > most:
        raise RequestError("INVALID_MSG", f"{field} is longer than {most} characters")
    return value if value.isascii() else _SURROGATE.sub("\ufffd", value)


def _number(frame: dict[str, Any], field: str) -> int:
    value = frame.get(field)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LATEST:
        raise RequestError("INVALID_MSG", f"{field} must be a number")
    return int(value)


def _channel(frame: dict[str, Any], field: str = "channel") -> str:
    name = _text(frame, field)
    if not names.is_channel(name):
        raise RequestError("INVALID_NAME", "a channel is # and 1 to 31 letters and digits of one script, - and _")
    return name


def _name(frame: dict[str, Any], field: str, *, nick: bool = False) -> str:
    name = frame.get(field)
    if not isinstance(name, str):
        raise RequestError("INVALID_NAME", f"{field} must be text")
    name = name if name.isascii() or len(name) > _TARGET else normalize("NFC", _SURROGATE.sub("\ufffd", name))
    if why := names.refusal(name, nick=nick):
        raise RequestError("INVALID_NAME", why)
    return name


def _identify(frame: dict[str, Any]) -> Identify:
    name = _name(frame, "name")
    return Identify(name, _text(frame, "pubkey", _KEY, needed=False))


def _say(frame: dict[str, Any]) -> Say:
    to = _text(frame, "to", _TARGET)
    if to[0] not in "#@":
        raise RequestError("INVALID_MSG", "to must be a #channel or an @agent")
    return Say(
        to,
        _text(frame, "content"),
        _text(frame, "in_reply_to", _REFERENCE, needed=False),
        _text(frame, "sig", _SIGNATURE, needed=False),
    )


def _chunk(frame: dict[str, Any]) -> Chunk:
    to = _text(frame, "to", _TARGET)
    if to[0] != "@":
        raise RequestError("INVALID_MSG", "FILE_CHUNK only supports DM targets (@agent)")
    return Chunk(to, _text(frame, "content"))


def _verify_request(frame: dict[str, Any]) -> VerifyRequest:
    target, nonce = _text(frame, "target", _TARGET), _text(frame, "nonce")
    if target[0] != "@":
        raise RequestError("INVALID_MSG", "Target must be an agent (@id)")
    if not _NONCE.fullmatch(nonce):
        raise RequestError("INVALID_MSG", "nonce must be 16 to 128 letters, digits and any of _ - + / = .")
    return VerifyRequest(target, nonce)


def _set_presence(frame: dict[str, Any]) -> SetPresence:
    status = _text(frame, "status", 64)
    if status not in frames.STATUSES:
        valid = ", ".join(sorted(frames.STATUSES))
        raise RequestError("INVALID_MSG", f"Invalid presence status. Must be one of: {valid}")
    return SetPresence(status, _text(frame, "status_text", frames.STATUS_TEXT, needed=False) or None)


def _set_nick(frame: dict[str, Any]) -> SetNick:
    return SetNick(_name(frame, "nick", nick=True))


_READERS: dict[str, Callable[[dict[str, Any]], Request]] = {
    "MSG": _say,
    "PING": lambda _: Ping(),
    "IDENTIFY": _identify,
    "VERIFY_IDENTITY": lambda frame: Verify(
        _text(frame, "challenge_id", _REFERENCE), _text(frame, "signature", _SIGNATURE), _number(frame, "timestamp")
    ),
    "JOIN": lambda frame: Join(_channel(frame)),
    "LEAVE": lambda frame: Leave(_channel(frame)),
    "CREATE_CHANNEL": lambda frame: Create(_channel(frame), frame.get("invite_only") is True),
    "INVITE": lambda frame: Invite(_channel(frame), _text(frame, "agent", _TARGET)),
    "FILE_CHUNK": _chunk,
    "VERIFY_REQUEST": _verify_request,
    "VERIFY_RESPONSE": lambda frame: VerifyResponse(
        _text(frame, "request_id", _REFERENCE),
        _text(frame, "nonce", _REFERENCE),
        _text(frame, "sig", _SIGNATURE, needed=False),
        _text(frame, "pubkey", _KEY, needed=False),
    ),
    "SET_PRESENCE": _set_presence,
    "LIST_CHANNELS": lambda _: ListChannels(),
    "LIST_AGENTS": lambda frame: ListAgents(_channel(frame)),
    "TYPING": lambda frame: Typing(_channel(frame)),
    "SET_NICK": _set_nick,
    "RESPONDING_TO": lambda frame: Respond(
        _channel(frame), _text(frame, "msg_id", _REFERENCE), _number(frame, "started_at")
    ),
    "ADMIN_KICK": lambda frame: Kick(
        _text(frame, "agent_id", _TARGET),
        _text(frame, "admin_key", _TOKEN),
        _text(frame, "reason", _REASON, needed=False) or "kicked by an operator",
    ),
}

# What agentchat's server knows besides, and what an agent can do instead.
_WORK = "work is agreed on in messages"
_ADMIN = "its operator has relay.kick and the settings"
_REFUSED = {
    **dict.fromkeys(("PROPOSAL", "ACCEPT", "REJECT", "COMPLETE", "DISPUTE"), _WORK),
    **dict.fromkeys(("DISPUTE_INTENT", "DISPUTE_REVEAL", "EVIDENCE"), _WORK),
    **dict.fromkeys(("ARBITER_ACCEPT", "ARBITER_DECLINE", "ARBITER_VOTE"), _WORK),
    **dict.fromkeys(("REGISTER_SKILLS", "SEARCH_SKILLS"), "what an agent can do is said in #discovery"),
    **dict.fromkeys(("ADMIN_APPROVE", "ADMIN_REVOKE", "ADMIN_LIST", "ADMIN_BAN", "ADMIN_UNBAN", "ADMIN_MOTD"), _ADMIN),
}
