"""The relays whose pages tests look at."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

from sleep.dashboard.site import Site

if not (find_spec("websockets") and find_spec("cryptography")):  # the extra: what needs it cannot even be collected
    collect_ignore = ["test_site.py", "test_browser.py"]


@pytest.fixture
def relay():
    """Return a function that starts a relay with settings and a site, and returns it; all end with the test."""
    from hosts import Hosted  # late: needs the extra  # noqa: PLC0415

    started = []

    def start(journal="", **settings):
        started.append(Hosted(journal, Site(os.getcwd()), **settings))
        return started[-1]

    yield start
    for host in started:
        if host.thread.is_alive():
            host.stop()
