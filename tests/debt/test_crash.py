"""A process is killed at any moment, and the ledger is readable and made right by whoever writes next."""

from __future__ import annotations

import os
import random
import signal
import time
from itertools import count
from pathlib import Path

import pytest
from world import in_child

from sleep.debt import settlement as settlements

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the victims are forks")
OPERATIONS = ("open", "replace", "unlink", "fsync", "truncate", "ftruncate", "makedirs", "close")


def killing(nth):
    """Have this process killed at its n-th operation on files."""
    seen = count(1)

    def wrap(name):
        honest = getattr(os, name)

        def act(*args, **options):
            if next(seen) == nth:
                os.kill(os.getpid(), signal.SIGKILL)
            return honest(*args, **options)

        setattr(os, name, act)

    for name in OPERATIONS:
        wrap(name)


def everywhere(desk, tmp_path, act):
    """Yield a copy of the desk for each point of an act, killed there; the last one was not killed."""
    for nth in count(1):
        here = desk.copy(tmp_path / f"cut-{nth}")
        paths = {old: old.replace(str(desk.home), str(here.home)) for old in (str(p) for p in desk.home.rglob("*"))}
        move(here, paths)

        def victim():
            killing(nth)  # noqa: B023
            act(here)  # noqa: B023

        ended = in_child(victim)
        assert here.ledger.trouble == ""
        assert not here.aside()
        yield here, ended == 0
        if ended == 0:
            assert nth > 5
            return
        assert ended == -signal.SIGKILL


def move(here, paths):
    """Have what is kept name the copy's transcripts."""
    for file in Path(here.context.state).rglob("*"):
        if file.is_file():
            text = file.read_text()
            for old, new in sorted(paths.items(), key=len, reverse=True):
                text = text.replace(f'"{old}"', f'"{new}"')
            file.write_text(text)


def path_of(here, name="a"):
    """Return where a session's transcript is in a copy."""
    return str(here.home / "transcripts" / name)


def test_stop_killed_everywhere(desk, tmp_path, edit):
    """A stop that is killed leaves the ledger as before or after, and the next one books each change once."""
    path = desk.edits("a", 3)
    desk.stop("a", path)
    desk.append(path, edit(call="x"))
    seen = set()
    for here, _ in everywhere(desk, tmp_path, lambda here: here.stop("a", path_of(here))):
        seen.add(here.records()[0][1])
        here.stop("a", path_of(here))
        assert here.records() == [("a", 4, 2)]
    assert seen == {3, 4}


def test_the_first_stop_killed_everywhere(desk, tmp_path):
    """A first stop that is killed leaves nothing or its record; catching up or the next stop books it once."""
    desk.edits("a", 3)
    for here, _ in everywhere(desk, tmp_path, lambda here: here.stop("a", path_of(here))):
        assert here.records() in ([], [("a", 3, 1)])
        here.stop("a", path_of(here))
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
        here.append(path_of(here), edit(call="x"))
        here.stop("a", path_of(here))
        assert here.ledger.sleeping is None
        assert here.ledger.debt == (1 if has_landed else 4)
        assert here.ledger.find("a").change_count == (1 if has_landed else 6)
        here.stop("a", path_of(here))
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
        here.append(path_of(here), edit(call="x"))
        here.stop("a", path_of(here))
        assert here.ledger.sleeping is None
        assert here.ledger.find("a").change_count == (6 if undone else 1)
        assert here.ledger.debt == (4 if undone else 1)


def test_setting_aside_killed_everywhere(desk, tmp_path):
    """A corrupt ledger is never lost, wherever the one who sets it aside is killed."""
    desk.write("garbage")
    for nth in count(1):
        here = desk.copy(tmp_path / f"cut-{nth}")

        def victim():
            killing(nth)  # noqa: B023
            here.add(1)  # noqa: B023

        ended = in_child(victim)
        assert "garbage" in [*here.aside(), Path(here.context.ledger).read_text()]
        if ended == 0:
            assert (here.aside(), here.ledger.debt) == (["garbage"], 1)
            return


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
    assert desk.known("a").settled.changes == edits
