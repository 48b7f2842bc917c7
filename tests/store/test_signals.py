"""A step hears the signals that ask it to end where a git child can be ended, and between steps."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from itertools import count

import pytest
from world import START, WRITES, World, in_child

from sleep.store import step

_EVENTS = ("fcntl.flock", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime", "subprocess.Popen")
_BEFORE = {path: START.get(path) for path in WRITES}


def _signalling(world, number, moment):
    """Take a step in a child that gets a signal, with the git that runs by then; return its end.

    The moment is an event's ordinal, or the end of the path of a file that is about to be removed.
    """
    seen = count(1)

    def look(event, given):
        is_write = event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR)
        if not is_write and event not in _EVENTS:
            return
        if next(seen) == moment or (event == "os.remove" and str(given[0]).endswith(str(moment))):
            os.killpg(0, number)

    def act():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        sys.addaudithook(look)
        try:
            world.apply()
        except KeyboardInterrupt:
            os._exit(130)

    return in_child(act)


def _cut(tmp_path, number, moments):
    """Assert that a step with a signal at each of these moments leaves nothing that would have to be finished."""
    first = World(tmp_path / "first")
    first.person_works()
    outcomes = set()
    for moment in moments:
        world = World.__new__(World)
        world.top = world.home = tmp_path / f"{number}-{str(moment)[-4:]}"
        shutil.copytree(first.top, world.top, symlinks=True)
        head, persons = world.head(), world.persons()
        ended = _signalling(world, number, moment)
        assert ended in {0, 130, -number}
        assert world.leftovers() == []
        assert not step.interrupted(world.root)
        assert world.persons() == persons
        now = world.texts()
        assert now in (_BEFORE, WRITES)
        assert (world.head() == head) == (now == _BEFORE)
        assert not world.git("status", "--porcelain", "--", *WRITES)
        outcomes.add((ended, now == WRITES))
        world.apply()
        assert world.texts() == WRITES
        shutil.rmtree(world.top)
        if ended == 0:
            break
    return outcomes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_at_counted_moments(tmp_path, number):
    """A step that is asked to end, with its git, leaves no lock, record or file to mend: it is taken back, or done."""
    _cut(tmp_path, number, ["/.git/index.lock", *sorted(random.Random(number).sample(range(4, 80), 4))])


@pytest.mark.torture
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_at_every_moment(tmp_path, number):
    """A step that is asked to end at any of its events leaves nothing to mend, and is now taken back and now done."""
    outcomes = _cut(tmp_path, number, count(1))
    assert {done for _, done in outcomes} == {True, False}
