"""When the last sleep was: by the ledger of this machine, and by the memory's own table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sleep.debt import book, last_sleep
from sleep.debt.ledger import Ledger, PastSleep
from sleep.store.context import Context

HEAD = "# Cycles\n\n| cycle | instance | slept | sessions | tokens before | tokens after | steps |\n| --- | --- |\n"


@pytest.fixture
def context(tmp_path):
    """Return a context folder."""
    (tmp_path / "memory/state").mkdir(parents=True)
    return Context(str(tmp_path), str(tmp_path / "memory"))


def slept(context, *rows):
    """Write the table of cycles: (number, instance, when)."""
    lines = (f"| {number} | {instance} | {when} | - | 9 | 4 | handoff |\n" for number, instance, when in rows)
    Path(context.folder, "cycles.md").write_text(HEAD + "".join(lines), encoding="utf-8")


def test_never(context):
    """Neither knows a sleep."""
    assert last_sleep.read(context, Ledger()) is None


def test_a_clone_knows_it_from_the_table(context):
    """Where there is no ledger the last row of the table tells; lines of another form are passed over."""
    slept(context, (1, "i1abc", "2026-11-20T10:00:00Z"), (2, "i2abc", "2026-11-21T10:00:00Z"), (3, "i3abc", "soon"))
    known = last_sleep.read(context, book.read(context))
    assert (known.when, known.summary, known.cycle, known.instance) == ("2026-11-21", "cycle 2", 2, "i2abc")
    assert not os.path.exists(context.ledger)


def test_the_newer_of_both_counts(context):
    """A sleep by hand after the last cycle, and a cycle that came from another machine after the ledger's sleep."""
    slept(context, (1, "i1abc", "2026-11-20T10:00:00Z"))
    book.done(context, "by hand", 1_795_255_200.0)  # 2026-11-21T10:00:00Z
    assert last_sleep.read(context, book.read(context)).summary == "by hand"
    assert last_sleep.read(context, book.read(context)).cycle == 0
    slept(context, (1, "i1abc", "2026-11-20T10:00:00Z"), (2, "i2xyz", "2026-11-22T10:00:00Z"))
    assert last_sleep.read(context, book.read(context)).summary == "cycle 2"


def test_a_ledger_without_times_tells_the_day(context):
    """The requirement's ledger has only the day of the last sleep."""
    old = Ledger(last_sleep="2026-02-24", last_sleep_summary="auth")
    assert last_sleep.read(context, old)[1:3] == ("2026-02-24", "auth")


def test_a_cycle_is_as_late_as_it_was_settled(context):
    """The table has when the journal ended; the ledger that settled it knows when the sleep was."""
    slept(context, (1, "i1abc", "2026-11-20T10:00:00Z"))
    settled = PastSleep("2026-11-21T10:00:00.000Z", "cycle 1", cycle=1, instance="i1abc")
    ledger = Ledger(history=(settled,), last_sleep="2026-11-21", last_sleep_at=settled.at)
    assert last_sleep.read(context, ledger).when == "2026-11-21"


def test_a_cycle_that_the_ledger_alone_has_is_no_standing_one(context):
    """It was undone, or is on another branch."""
    undone = PastSleep("2026-11-21T10:00:00.000Z", "cycle 1", cycle=1, instance="i1abc", returned=True)
    ledger = Ledger(history=(undone,), last_sleep="2026-11-21", last_sleep_at=undone.at)
    assert last_sleep.read(context, ledger) is None
    assert last_sleep.elsewhere(context, ledger) is None


def test_a_cycle_of_another_branch_is_told_as_such(context):
    """A cycle that the ledger settled and the table has not is no last sleep, and is named apart until it is there."""
    slept(context, (1, "i1abc", "2026-11-20T10:00:00Z"))
    away = PastSleep("2026-11-21T10:00:00.000Z", "cycle 2", debt=3, cycle=2, instance="i2abc")
    ledger = Ledger(history=(away,), last_sleep="2026-11-21", last_sleep_at=away.at, last_sleep_summary="cycle 2")
    assert last_sleep.read(context, ledger).summary == "cycle 1"
    assert last_sleep.elsewhere(context, ledger) == away
    slept(context, (1, "i1abc", "2026-11-20T10:00:00Z"), (2, "i2abc", "2026-11-21T09:00:00Z"))
    assert last_sleep.read(context, ledger).summary == "cycle 2"
    assert last_sleep.elsewhere(context, ledger) is None
