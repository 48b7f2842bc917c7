"""Where a relay is said to be."""

from __future__ import annotations

import pytest

from sleep.errors import UsageError
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
