"""What a client makes of frames, whatever they are."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.errors import RelayError
from sleep.relay import endpoint, notices
from sleep.relay.endpoint import Endpoint
from sleep.relay.notices import Repeats, read


def test_server_alone():
    """Only what the server says wakes or fires; another's words are words."""
    wake = {"type": "MSG", "from": "@server", "content": "@@wake@@", "buffered": 2, "dropped": 1, "ts": 5}
    assert read(wake) == notices.Woke(2, 1, 5)
    assert isinstance(read({**wake, "from": "@eve"}), notices.Message)
    fire = {"type": "MSG", "from": "@server", "content": "@@cb-fire@@x", "cb_id": "cb_1", "cb_origin": "@a", "to": "@a"}
    assert read(fire) == notices.Fired("@a", "x", "@a", "cb_1", 0)
    assert isinstance(read({**fire, "from": "@eve"}), notices.Message)


def test_repeats():
    """A message counts once, a replay always, and the memory of them is bounded."""
    repeats = Repeats()
    assert not repeats.again({"msg_id": "m1"})
    assert repeats.again({"msg_id": "m1"})
    assert not repeats.again({"msg_id": "m1", "replay": True})
    assert not repeats.again({"type": "MSG"})
    for number in range(20_000):
        assert not repeats.again({"cb_id": f"c{number}"})
    assert len(repeats._known) == 10_000


_VALUES = (
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9) | st.lists(st.integers(), max_size=2)
)


_FIELDS = ["from", "content", "ts", "buffered", "dropped", "replay", "cb_id", "msg_id", "agent_id", "name", "code"]


@given(st.sampled_from([*notices._READERS, "NEW"]), st.dictionaries(st.sampled_from(_FIELDS), _VALUES))
def test_any(kind, fields):
    """Any frame is read as something."""
    assert isinstance(read({"type": kind, **fields}), tuple)
    assert Repeats().again(fields) is False


def test_place(tmp_path):
    """The note of a running relay is its owner's alone, is found again, and is not taken for another's."""
    environ, here = {"XDG_STATE_HOME": str(tmp_path)}, str(tmp_path)
    with pytest.raises(RelayError, match="no relay runs"):
        endpoint.find(here, environ)
    noted = Endpoint("ws://127.0.0.1:1", "t", "secret", os.getpid())
    endpoint.write(here, environ, noted)
    path = tmp_path / "sleepwake" / ".relay.json"
    assert path.stat().st_mode & 0o077 == 0
    assert endpoint.find(here, environ) == noted
    assert endpoint.find(here, environ, "ws://127.0.0.1:1") == noted
    assert endpoint.find(here, environ, "ws://other:1", "x") == Endpoint("ws://other:1", "x", "", 0)
    endpoint.erase(here, environ, noted._replace(pid=1))
    assert path.exists()
    endpoint.erase(here, environ, noted)
    assert not path.exists()
    path.write_text(json.dumps([noted._replace(pid=2**22 + 1)._asdict()]))
    with pytest.raises(RelayError):
        endpoint.find(here, environ)
