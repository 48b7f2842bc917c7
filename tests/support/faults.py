"""Faults in the middle of a step: what a test wants to happen before one of its operations."""

from __future__ import annotations

import contextlib

import pytest

from sleep.store import files, intent, step
from sleep.store.exchange import Exchange
from sleep.store.repository import Repository

# The operations of a step, and by their arguments what they are called here; "" for one that is no operation of it.
_OPERATIONS = (
    (files, "prepare", lambda path, *_, at="", **__: f"temp:{path}" if at else ""),
    (Exchange, "_store", lambda *_: "blobs"),
    (intent, "save", lambda *_: "intent"),
    (Exchange, "_set_aside", lambda _, swap: f"replace:{swap.path}"),
    (Repository, "track", lambda *_: "intent-to-add"),
    (step, "_refuse_when_asked_to_end", lambda *_: "commit"),
    (intent, "forget", lambda *_: "forget"),
)


@contextlib.contextmanager
def raised(fault):
    """Have `fault` called with its name before each file or git operation of a step; None for a step without."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, point in _OPERATIONS if fault else ():
            patch.setattr(owner, name, _after(fault, point, getattr(owner, name)))
        yield


def _after(fault, point, honest):
    def operation(*words, **options):
        if called := point(*words, **options):
            fault(called)
        return honest(*words, **options)

    return operation
