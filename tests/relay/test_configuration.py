"""Where a setting comes from."""

from __future__ import annotations

import pytest

from sleep.errors import UsageError
from sleep.relay.configuration import MEANING, Configuration, resolve, rules


def test_documented():
    """Every setting says what it means."""
    assert set(MEANING) == set(Configuration._fields)


def test_order():
    """A flag goes before our variable, ours before agentchat's, and that before the default."""
    environ = {"AGENTCHAT_SLEEP_MAX_BUFFER": "7", "AGENTCHAT_CB_MAX_DURATION_S": "60", "SLEEP_RELAY_MAX_SLEEP": "30.5"}
    found = resolve(environ, relay_port=1, relay_host=None)
    assert (found.relay_max_buffer, found.relay_max_sleep, found.relay_port) == (7, 30.5, 1)
    assert found.relay_host == "127.0.0.1"
    made = rules(found._replace(relay_channels="#a, #b"))
    assert (made.buffer, made.longest, made.public) == (7, 30.5, ("#a", "#b"))


def test_channels():
    """A public channel has a channel's name."""
    with pytest.raises(UsageError, match="general"):
        resolve({"SLEEP_RELAY_CHANNELS": "general"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "x"),
        ("GRACE", "nan"),
        ("GRACE", "-1"),
        ("MAX_BUFFER", "1.5"),
        ("DURABLE_SLEEP", "maybe"),
        ("JOURNAL", "on"),
    ],
)
def test_wrong(name, value):
    """A value of the wrong shape is refused with the variable named."""
    with pytest.raises(UsageError, match=f"SLEEP_RELAY_{name}"):
        resolve({f"SLEEP_RELAY_{name}": value})


@pytest.mark.parametrize("name", ["relay_port", "relay_dashboard_port"])
def test_a_port_that_no_machine_has(name):
    """A port ends at 65535, wherever it is given."""
    assert getattr(resolve({}, **{name: 65_535}), name) == 65_535
    for way in (({}, None, {name: 65_536}), ({}, {name.removeprefix("relay_"): 65_536}, {})):
        environ, file, flags = way
        with pytest.raises(UsageError, match=f"{name}: 65536 is no port"):
            resolve(environ, file, **flags)
