"""Many processes at one ledger: nothing is lost, and nothing is booked or settled twice."""

from __future__ import annotations

import os
import random
import time

import pytest
from together import together

from sleep.debt import settlement as settlements
from sleep.errors import SleepError

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes are forks"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # the children only stop and end
]
TRIES = [pytest.param(12, id="smoke"), pytest.param(1_000, id="torture", marks=pytest.mark.torture)]


def test_fifty_stops_of_fifty_sessions(desk):
    """Fifty sessions that stop at once leave fifty records with their own counts."""
    paths = {f"s{number}": desk.edits(f"s{number}", 1 + number % 12) for number in range(50)}
    ended = together(*(lambda name=name, path=path: desk.stop(name, path) and 0 for name, path in paths.items()))
    assert ended == [0] * 50
    assert sorted(desk.records()) == sorted(
        (name, 1 + number % 12, sum(number % 12 >= bound for bound in (0, 3, 8))) for number, name in enumerate(paths)
    )
    assert desk.ledger.debt == sum(one.score for one in desk.ledger.sessions)
    assert not [name for name in desk.state() if "tmp" in name]


def test_one_session_that_stops_many_times_at_once(desk):
    """One session that stops twenty times at once is counted once."""
    path = desk.edits("a", 7)
    assert together(*[lambda: desk.stop("a", path) and 0] * 20) == [0] * 20
    assert (desk.records(), desk.ledger.debt) == ([("a", 7, 2)], 2)


def test_eight_starts_have_one_winner(desk):
    """Of eight that start a sleep by hand at once one does, and the others are told."""

    def start():
        try:
            desk.start()
        except SleepError:
            return 7
        return 0

    assert sorted(together(*[start] * 8)) == [0] + [7] * 7


def test_adding_at_once(desk):
    """Entries that are added in the same moment all stay."""
    assert together(*[lambda: desk.add(1) and 0] * 12) == [0] * 12
    assert (desk.ledger.debt, len({one[0] for one in desk.records()})) == (12, 12)


@pytest.mark.parametrize("tries", TRIES)
def test_a_sleep_races_stops(tmp_path, desk, edit, tries):
    """A sleep among stops settles exactly what stood when it began: each change is settled once or stands once."""
    chance = random.Random(21)
    for number in range(tries):
        here = type(desk)(tmp_path / f"{number}")
        names = [f"s{at}" for at in range(4)]
        did = {name: chance.randrange(0, 12) for name in names}
        paths = {name: here.edits(name, did[name]) for name in names}
        for name in names[:3]:
            here.stop(name, paths[name])
        more = {name: chance.randrange(0, 4) for name in names}
        pauses = [chance.uniform(0, 0.01) for _ in range(6)]

        def stop(name, pause):
            time.sleep(pause)
            here.append(paths[name], "".join(edit(call=f"{name}-x{at}") for at in range(more[name])))  # noqa: B023
            here.stop(name, paths[name])  # noqa: B023
            return 0

        def sleep():
            settlement = here.begin()  # noqa: B023
            time.sleep(pauses[4])  # noqa: B023
            settlements.settle(here.context, settlement, "cycle 1", here.now, here.settings)  # noqa: B023
            return 0

        acts = [lambda name=name, pause=pauses[at]: stop(name, pause) for at, name in enumerate(names)]
        assert together(sleep, *acts) == [0] * 5
        (entry,) = here.ledger.history
        slept = {one.session_id: one.change_count for one in entry.sessions}
        left = {one.session_id: one.change_count for one in here.ledger.sessions}
        for name in names:
            assert slept.get(name, 0) + left.get(name, 0) == did[name] + more[name], (number, name)
        assert here.ledger.sleeping is None
        here.stop("s0", paths["s0"])
        assert here.ledger.find("s0").change_count == left.get("s0", 0)


@pytest.mark.parametrize("tries", TRIES)
def test_done_races_stops(tmp_path, desk, tries):
    """A sleep by hand among stops ends readable, with each session settled or standing."""
    chance = random.Random(22)
    for number in range(tries):
        here = type(desk)(tmp_path / f"{number}")
        paths = {f"s{at}": here.edits(f"s{at}", 4) for at in range(3)}
        pauses = [chance.uniform(0, 0.004) for _ in paths]

        def stop(name, pause):
            time.sleep(pause)
            here.stop(name, paths[name])  # noqa: B023
            return 0

        acts = [lambda name=name, pause=pause: stop(name, pause) for name, pause in zip(paths, pauses, strict=True)]
        assert together(lambda: here.done() and 0, *acts) == [0] * 4  # noqa: B023
        ledger = here.ledger
        assert ledger.trouble == ""
        slept = [one.session_id for one in ledger.history[0].sessions]
        assert sorted(slept + [one.session_id for one in ledger.sessions]) == sorted(paths)
        assert ledger.debt + ledger.history[0].debt == 6
