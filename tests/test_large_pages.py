"""Large pages under a process that forks."""

from __future__ import annotations

import sys

import large_pages
import pytest
from world import in_child


def test_a_process_that_gathered_its_memory_has_what_it_had():
    """What stood in small pages reads the same in large ones, and what is new can be written."""

    def act():
        texts = [f"text {number}" for number in range(100_000)]
        large_pages.gather()
        texts.append("new")
        assert texts == [*(f"text {number}" for number in range(100_000)), "new"]

    assert in_child(act) == 0


@pytest.mark.parametrize("fault", [OSError, AttributeError])
def test_a_system_without_large_pages_is_none_the_worse(monkeypatch, fault):
    """Where the system's library has no such call, or there is no list of a process's memory, nothing happens."""

    def library(_name):
        raise fault

    monkeypatch.setattr(large_pages.ctypes, "CDLL", library)
    large_pages.gather()
    monkeypatch.setattr(sys, "platform", "win32")
    large_pages.gather()
