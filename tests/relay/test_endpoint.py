"""Where a relay is said to be."""

from __future__ import annotations

import json
import os

import pytest
from together import together

from sleep.errors import RelayError, UsageError
from sleep.relay import endpoint


@pytest.mark.parametrize(
    "url",
    [
        "ws://127.0.0.1:99999",
        "ws://127.0.0.1:x",
        "http://127.0.0.1:6667",
        "ws://",
        "127.0.0.1:6667",
        "ws://[::1",
        "x",
        "ws://ho st:80",
        "ws://a..b",
        f"ws://{'a' * 64}:80",
        "ws://host:80/\n",
        "ws://host:0",
        "ws://\udcff",
    ],
)
def test_urls_that_are_none(tmp_path, url):
    """A port that no machine has, another scheme and half an address are words that are off."""
    with pytest.raises(UsageError, match=r"--url is .+ \(would be right: ws://host:port"):
        endpoint.find(str(tmp_path), {}, url)


@pytest.mark.parametrize(
    "url",
    ["ws://127.0.0.1:6667", "ws://[::1]:1", "wss://chat.example/relay?room=1", "ws://host", "ws://bücher.example"],
)
def test_urls(tmp_path, url):
    """A relay may be anywhere, behind a proxy too."""
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    assert endpoint.find(str(tmp_path), environ, url, "secret") == endpoint.Endpoint(url, "secret", "", 0)


def test_a_second_relay_of_a_memory_takes_nothing_from_the_first(tmp_path):
    """Commands reach the younger of two relays, the older by its URL with its secret, and alone when that is over."""
    environ, here = {"XDG_STATE_HOME": str(tmp_path)}, str(tmp_path)
    older = endpoint.Endpoint("ws://127.0.0.1:1", "", "secret", os.getpid())
    younger = endpoint.Endpoint("ws://127.0.0.1:2", "", "other", os.getpid())
    endpoint.write(here, environ, older)
    endpoint.write(here, environ, younger)
    assert endpoint.find(here, environ) == younger
    assert endpoint.find(here, environ, older.url) == older
    endpoint.erase(here, environ, younger)
    assert endpoint.find(here, environ) == older
    (tmp_path / "sleepwake" / ".relay.json").write_text(json.dumps(older._asdict()))  # as an older version noted it
    assert endpoint.find(here, environ) == older


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the relays are forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the children only write and end
def test_relays_that_start_at_once_are_all_noted(tmp_path):
    """Of twenty relays that write their notes at the same moment each is found by its URL with its secret."""
    environ, here = {"XDG_STATE_HOME": str(tmp_path)}, str(tmp_path)
    relays = [endpoint.Endpoint(f"ws://127.0.0.1:{port}", "", f"secret{port}", os.getpid()) for port in range(1, 21)]
    ended = together(*(lambda relay=relay: endpoint.write(here, environ, relay) for relay in relays))
    assert ended == [0] * len(relays)
    assert [endpoint.find(here, environ, relay.url) for relay in relays] == relays


@pytest.mark.parametrize("text", ["", "{", "5", '{"url": "ws://127.0.0.1:1"}', "[1]", '[{"port": 1}]'])
def test_a_note_that_is_none(tmp_path, text):
    """What another version or a half-written disk left in the place of the notes is no relay, and is written over."""
    environ, here = {"XDG_STATE_HOME": str(tmp_path)}, str(tmp_path)
    (tmp_path / "sleepwake").mkdir()
    (tmp_path / "sleepwake" / ".relay.json").write_text(text)
    with pytest.raises(RelayError, match="no relay runs here"):
        endpoint.find(here, environ)
    noted = endpoint.Endpoint("ws://127.0.0.1:1", "", "", os.getpid())
    endpoint.write(here, environ, noted)
    assert endpoint.find(here, environ) == noted
