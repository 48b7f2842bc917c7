"""The reader of frames: what is a request, and that nothing else gets through or breaks it."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.relay.engine import requests
from sleep.relay.engine.requests import RequestError, read


def _read(**frame):
    return read(json.dumps(frame))


@pytest.mark.parametrize(
    ("frame", "request_"),
    [
        ({"type": "IDENTIFY", "name": "alice", "pubkey": None}, requests.Identify("alice", "")),
        ({"type": "IDENTIFY", "name": "alice"}, requests.Identify("alice", "")),
        (
            {"type": "VERIFY_IDENTITY", "challenge_id": "c", "signature": "s", "timestamp": 1},
            requests.Verify("c", "s", 1),
        ),
        ({"type": "JOIN", "channel": "#love"}, requests.Join("#love")),
        ({"type": "LEAVE", "channel": "#love"}, requests.Leave("#love")),
        ({"type": "MSG", "to": "#love", "content": "hi"}, requests.Say("#love", "hi", "", "")),
        (
            {"type": "MSG", "to": "@x", "content": "hi", "in_reply_to": "m", "sig": "s", "ts": 1},
            requests.Say("@x", "hi", "m", "s"),
        ),
        ({"type": "SET_PRESENCE", "status": "away", "status_text": "brb"}, requests.SetPresence("away", "brb")),
        ({"type": "LIST_CHANNELS"}, requests.ListChannels()),
        ({"type": "LIST_AGENTS", "channel": "#love"}, requests.ListAgents("#love")),
        ({"type": "PING"}, requests.Ping()),
        ({"type": "TYPING", "channel": "#love"}, requests.Typing("#love")),
        ({"type": "SET_NICK", "nick": "bobby"}, requests.SetNick("bobby")),
        (
            {"type": "RESPONDING_TO", "msg_id": "m1", "channel": "#love", "started_at": 1},
            requests.Respond("#love", "m1", 1),
        ),
        ({"type": "CREATE_CHANNEL", "channel": "#x", "invite_only": True}, requests.Create("#x", invite_only=True)),
        ({"type": "INVITE", "channel": "#x", "agent": "@b"}, requests.Invite("#x", "@b")),
        ({"type": "ADMIN_KICK", "agent_id": "@b", "admin_key": "k"}, requests.Kick("@b", "k", "kicked by an operator")),
    ],
)
def test_reads(frame, request_):
    """Each frame of the protocol becomes its request."""
    assert _read(**frame) == request_


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"type": "NOPE"}, "INVALID_MSG"),
        ({"type": ["MSG"]}, "INVALID_MSG"),
        ({"type": "IDENTIFY", "name": 7}, "INVALID_NAME"),
        ({"type": "IDENTIFY", "name": "admin"}, "INVALID_NAME"),
        ({"type": "IDENTIFY", "name": "a", "pubkey": {}}, "INVALID_MSG"),
        ({"type": "MSG", "to": "#love"}, "INVALID_MSG"),
        ({"type": "MSG", "to": "love", "content": "x"}, "INVALID_MSG"),
        ({"type": "MSG", "to": "#love", "content": ""}, "INVALID_MSG"),
        ({"type": "JOIN", "channel": "love"}, "INVALID_NAME"),
        ({"type": "JOIN", "channel": "#" + "x" * 32}, "INVALID_NAME"),
        ({"type": "SET_PRESENCE", "status": "sleeping"}, "INVALID_MSG"),
        ({"type": "SET_PRESENCE", "status": "away", "status_text": "x" * 101}, "INVALID_MSG"),
        ({"type": "SET_NICK", "nick": "x" * 25}, "INVALID_NAME"),
        ({"type": "RESPONDING_TO", "msg_id": "m", "channel": "#a", "started_at": True}, "INVALID_MSG"),
        ({"type": "RESPONDING_TO", "msg_id": "m", "channel": "#a", "started_at": 1e300}, "INVALID_MSG"),
    ],
)
def test_refuses(frame, code):
    """What is not quite a request is refused with the protocol's code."""
    with pytest.raises(RequestError) as caught:
        _read(**frame)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"MSG"', "NaN", '{"type": NaN}', "[" * 100_000, "1" * 100_000, '{"type":"PING"} x', "\x00"],
)
def test_no_frame(text):
    """What is no JSON object is refused, however deep or long."""
    with pytest.raises(RequestError):
        read(text)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_FIELDS = st.sampled_from(
    ["name", "pubkey", "channel", "to", "content", "status", "status_text", "nick", "msg_id", "started_at", "agent",
     "challenge_id", "signature", "timestamp", "in_reply_to", "sig", "admin_key", "agent_id", "reason", "invite_only"]
)  # fmt: skip


@given(
    st.sampled_from(sorted(requests._READERS)) | _VALUES,
    st.dictionaries(_FIELDS, _VALUES | st.sampled_from(["#love", "@bob", "alice", "away", "\ud800", 1])),
)
def test_any_frame(kind, fields):
    """Any object is read as a request or refused, and every text in a request can be written as UTF-8."""
    try:
        found = _read(type=kind, **fields)
    except RequestError as error:
        assert error.code in {"INVALID_MSG", "INVALID_NAME"}  # noqa: PT017  # or none is raised
    else:
        json.dumps(found, ensure_ascii=False).encode()


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_any_text(text):
    """Any text is read or refused."""
    with contextlib.suppress(RequestError):
        read(text)
