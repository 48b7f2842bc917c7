"""The relays that tests speak to."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest
from room import Room

_NEED = (
    *(
        "test_client.py",
        "protocol/test_agentchat.py",
        "protocol/test_conformance.py",
        "test_tasks.py",
        "runner/test_agent.py",
        "server/test_frame_codec.py",
    ),
    *("server/test_hub.py", "server/test_kill.py", "server/test_pings.py"),
    *("backends/test_kill.py", "backends/test_log.py", "backends/test_nats.py"),
)
if not (find_spec("websockets") and find_spec("cryptography")):  # the extra: what needs it cannot even be collected
    collect_ignore = [*_NEED]
UNDER_TEST = os.environ.get("RELAY_UNDER_TEST", "")  # another implementation, for the conformance cases


@pytest.fixture
def relay(tmp_path):
    """Return a function that starts a relay with settings and returns it; all end with the test."""
    from hosts import Hosted  # late: needs the extra  # noqa: PLC0415

    started = []

    def start(journal="", **settings):
        started.append(Hosted(journal, **settings))
        return started[-1]

    yield start
    for one in started:
        if one.thread.is_alive():
            one.stop()


@pytest.fixture
def room():
    """Return a room with three agents, who have heard each other arrive."""
    made = Room()
    for name in ("ann", "bob", "cat"):
        made.arrive(name)
    made.quiet()
    return made


@pytest.fixture
def url(request):
    """Return the URL of a relay without limits, or of the server that RELAY_UNDER_TEST names."""
    return UNDER_TEST or request.getfixturevalue("relay")().url


@pytest.fixture
def peer(url):
    """Return a function that returns an agent of a name; all leave with the test."""
    from peer import Peer  # late: as above  # noqa: PLC0415

    here = []

    def come(name="", key=None, at=url, **options):
        here.append(Peer(at, name, key, **options))
        return here[-1]

    yield come
    for one in here:
        one.close()
