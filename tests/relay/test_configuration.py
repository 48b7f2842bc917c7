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
    with pytest.raises(UsageError, match=r"^relay\.channels: 'general'"):
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
    """A value of the wrong shape is refused with the variable named once, and the setting as the file names it."""
    with pytest.raises(UsageError, match=rf"^SLEEP_RELAY_{name}: relay\.{name.lower()} is '{value}'"):
        resolve({f"SLEEP_RELAY_{name}": value})
    with pytest.raises(UsageError, match=rf"^sleep\.yaml: relay\.{name.lower()} is '{value}'"):
        resolve({}, {name.lower(): value})


@pytest.mark.parametrize("pause", ["0", "1e-20"])
def test_pings_have_a_pause(pause):
    """A relay that pings without end does nothing else and cannot be ended, so that is refused."""
    with pytest.raises(UsageError, match=r"relay\.heartbeat: .* is too short"):
        resolve({"SLEEP_RELAY_HEARTBEAT": pause})
    assert resolve({"SLEEP_RELAY_HEARTBEAT": "0.5"}).relay_heartbeat == 0.5


@pytest.mark.parametrize("name", ["relay_port", "relay_dashboard_port"])
def test_a_port_that_no_machine_has(name):
    """A port ends at 65535, wherever it is given."""
    assert getattr(resolve({}, **{name: 65_535}), name) == 65_535
    for way in (({}, None, {name: 65_536}), ({}, {name.removeprefix("relay_"): 65_536}, {})):
        environ, file, flags = way
        with pytest.raises(UsageError, match=f"{name.replace('_', '.', 1)}: 65536 is no port"):
            resolve(environ, file, **flags)
