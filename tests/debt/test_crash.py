"""A process is killed at any moment, and the ledger is readable and made right by whoever writes next."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from itertools import count
from pathlib import Path

import pytest
from world import in_child

from sleep.debt import settlement as settlements

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the victims are forks")
OPERATIONS = ("open", "replace", "unlink", "fsync", "truncate", "ftruncate", "makedirs", "close")


def copying(folder, copies):
    """Have this process copy a folder to `copies/1`, `copies/2` and so on before each of its operations on files."""
    numbers, busy = count(1), []

    def wrap(name):
        honest = getattr(os, name)

        def act(*args, **options):
            if not busy:
                busy.append(name)
                shutil.copytree(folder, copies / str(next(numbers)))
                busy.clear()
            return honest(*args, **options)

        setattr(os, name, act)

    for name in OPERATIONS:
        wrap(name)


def everywhere(desk, tmp_path, act):
    """Yield the desk as each point of an act leaves it, with a ledger that can be read; the last is not cut off."""
    for here, is_end in cuts(desk, tmp_path, act):
        assert here.ledger.trouble == ""
        assert not here.aside()
        yield here, is_end


def cuts(desk, tmp_path, act):
    """Yield the desk as one leaves it who is killed at each point of an act, and whether it came to its end instead.

    A child acts once and ends, and what is on disk before each of its operations is what a kill there leaves.
    """
    folder, copies, now = Path(desk.context.folder), tmp_path / "copies", desk.now
    transcripts = {path: (path.read_bytes(), path.stat().st_mtime) for path in desk.home.glob("transcripts/*")}

    def victim():
        copying(folder, copies)
        act(desk)

    assert in_child(victim) == 0
    folder.rename(copies / "end")
    points = [*map(str, range(1, len(os.listdir(copies)))), "end"]
    assert len(points) > 5
    for point in points:
        shutil.rmtree(folder, ignore_errors=True)
        (copies / point).rename(folder)
        desk.now = now
        for path, (content, then) in transcripts.items():
            path.write_bytes(content)  # the file stays the same one
            os.utime(path, (then, then))
        yield desk, point == "end"


def test_stop_killed_everywhere(desk, tmp_path, edit):
    """A stop that is killed leaves the ledger as before or after, and the next one books each change once."""
    path = desk.edits("a", 3)
    desk.stop("a", path)
    desk.append(path, edit(call="x"))
    seen = set()
    for here, _ in everywhere(desk, tmp_path, lambda here: here.stop("a", path)):
        seen.add(here.records()[0][1])
        here.stop("a", path)
        assert here.records() == [("a", 4, 2)]
    assert seen == {3, 4}


def test_the_first_stop_killed_everywhere(desk, tmp_path):
    """A first stop that is killed leaves nothing or its record; catching up or the next stop books it once."""
    path = desk.edits("a", 3)
    for here, _ in everywhere(desk, tmp_path, lambda here: here.stop("a", path)):
        assert here.records() in ([], [("a", 3, 1)])
        here.stop("a", path)
        assert (here.records(), here.ledger.debt) == ([("a", 3, 1)], 1)


def test_add_killed_everywhere(desk, tmp_path):
    """An entry that is cut off is there or not."""
    desk.add(2)
    assert {here.ledger.debt for here, _ in everywhere(desk, tmp_path, lambda here: here.add(1))} == {2, 3}


@pytest.mark.parametrize("landed", [True, False])
def test_settling_killed_everywhere(desk, tmp_path, edit, landed):
    """A sleep that is killed while it settles is settled by the next who writes if it landed, else its debt stands."""
    path = desk.edits("a", 5)
    desk.stop("a", path)
    desk.add(2)

    def sleep(here):
        settlement = here.begin()
        if landed:
            here.land(1, "i1abc")
            settlements.settle(here.context, settlement, "cycle 1", here.tick(), here.settings)

    for here, _ in everywhere(desk, tmp_path, sleep):
        has_landed = Path(here.context.folder, "cycles.md").exists()
        here.append(path, edit(call="x"))
        here.stop("a", path)
        assert here.ledger.sleeping is None
        assert here.ledger.debt == (1 if has_landed else 4)
        assert here.ledger.find("a").change_count == (1 if has_landed else 6)
        here.stop("a", path)
        assert here.ledger.find("a").change_count == (1 if has_landed else 6)


def test_giving_back_killed_everywhere(desk, tmp_path, edit):
    """An undo that is killed gives back everything once, or nothing while the cycle stands."""
    path = desk.edits("a", 5)
    desk.stop("a", path)
    desk.add(2)
    desk.sleep()

    def undo(here):
        settlements.begin_undo(here.context, 1, "i1abc", here.tick())
        Path(here.context.folder, "cycles.md").unlink()
        settlements.give_back(here.context, 1, "i1abc", here.settings)

    for here, _ in everywhere(desk, tmp_path, undo):
        undone = not Path(here.context.folder, "cycles.md").exists()
        here.append(path, edit(call="x"))
        here.stop("a", path)
        assert here.ledger.sleeping is None
        assert here.ledger.find("a").change_count == (6 if undone else 1)
        assert here.ledger.debt == (4 if undone else 1)


def test_setting_aside_killed_everywhere(desk, tmp_path):
    """A corrupt ledger is never lost, wherever the one who sets it aside is killed."""
    desk.write("garbage")
    for here, is_end in cuts(desk, tmp_path, lambda here: here.add(1)):
        assert "garbage" in [*here.aside(), Path(here.context.ledger).read_text()]
        assert not is_end or (here.aside(), here.ledger.debt) == (["garbage"], 1)


@pytest.mark.parametrize(
    "moments", [pytest.param(8, id="smoke"), pytest.param(300, id="torture", marks=pytest.mark.torture)]
)
def test_killed_at_any_moment(desk, edit, moments):
    """However often those who write are killed, the ledger is readable and every change is somewhere once."""
    chance = random.Random(5)
    path = desk.edits("a", 0)

    def act():
        for at in count():
            desk.append(path, edit(call=f"{os.getpid()}-{at}"))
            desk.stop("a", path)
            desk.add(1)
            desk.done()

    for _ in range(moments):
        pause = chance.uniform(0.005, 0.06)
        ended = in_child(act, meanwhile=lambda pid: (time.sleep(pause), os.kill(pid, signal.SIGKILL)))  # noqa: B023
        assert ended == -signal.SIGKILL
        assert desk.ledger.trouble == ""
        assert not desk.aside()
    desk.stop("a", path)
    desk.done()
    edits = len(Path(path).read_text().splitlines())
    booked = sum(one.change_count for entry in desk.ledger.history for one in entry.sessions if one.session_id == "a")
    assert booked == edits or len(desk.ledger.history) == 100
    assert desk.known("a").settled == edits
