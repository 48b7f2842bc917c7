"""What has long stood open, though work went on: listed by itself, kept or given up, and never closed by itself."""

from __future__ import annotations

import json

import pytest

from sleep.errors import UsageError
from sleep.review import agenda, judgement
from sleep.review.judgement import CONFIRM, CORRECT, REJECT, Word

DAYS = 30


@pytest.fixture
def old(scene):
    """A memory with one open record of each kind, of 31 May 2021, and an instance of 40 days later."""
    scene.later(-2000)
    scene.open()
    for kind, title in (
        ("task", "Rotate the keys of the staging host"),
        ("question", "Who pays for the second region?"),
        ("blocker", "The vendor has not sent the licence"),
        ("thread", "Move the queue to its own host"),
        ("decision", "Use flock for the lock"),
        ("constraint", "Never log a token"),
        ("dead end", "Polling the queue"),
    ):
        scene.add(kind, title, **({"why": "it was too slow"} if kind == "dead end" else {}))
    scene.sleep()
    _work(scene, 40)
    return scene


def _work(scene, days, text="the tests are green"):
    """Let days go by, and an instance live that says something."""
    scene.later(days)
    scene.open()
    scene.add("note", text)
    scene.sleep()


def _listed(scene, before=""):
    """Return what is stale, by kind."""
    return [item.fragment.kind for item in agenda.stale(scene.view, DAYS, scene.now(), before)]


def _say(scene, verdict, *handles, **more):
    return judgement.settle(scene.place, scene.now(), handles, Word(verdict, "person", **more))


def _task(scene):
    return str(next(each for each in scene.view.records.values() if each.fragment.kind == "task").fragment.identity)


def test_what_waits_for_somebody_goes_stale_and_what_binds_does_not(old):
    """A task, a question, a blocker and a thread do; a decision, a rule and a dead end never."""
    assert sorted(_listed(old)) == ["blocker", "question", "task", "thread"]


def test_days_are_those_in_which_work_went_on(scene):
    """Nothing goes stale while nobody works, nor in the days that are set; with 0 days nothing ever does."""
    scene.open()
    scene.add("task", "Rotate the keys of the staging host")
    scene.sleep()
    scene.later(400)
    assert _listed(scene) == []
    _work(scene, -400 + DAYS)
    assert _listed(scene) == []
    _work(scene, 2)
    assert _listed(scene) == ["task"]
    assert agenda.stale(scene.view, 0, scene.now()) == []


@pytest.mark.parametrize("words", ["see {task} once more", "Q-001 has no answer yet"])
def test_a_journal_that_names_it_comes_back_to_it(old, words):
    """By its address or its number."""
    gone = "task" if "{" in words else "question"
    _work(old, 1, words.format(task=_task(old)))
    assert gone not in _listed(old)
    assert len(_listed(old)) == 3


def test_a_day_to_come_in_a_journal_makes_nothing_stale(scene):
    """A journal with a day that has not come counts for today."""
    scene.open()
    scene.add("task", "Rotate the keys of the staging host")
    path = scene.view.journals[-1]
    scene.sleep()
    text = scene.text(path).replace("started: 2026", "started: 2099")
    scene.write(path.replace("instance-1", "instance-2"), text.replace("instance: 1", "instance: 2"))
    assert _listed(scene) == []


def test_a_day_that_no_calendar_has_is_none(old):
    """A journal by hand may say any day; what it says is then of no day, and the rest is counted as before."""
    path = old.view.journals[0]
    old.write(path, old.text(path).replace("started: 2021", "started: 0000"))
    assert _listed(old) == []
    assert old.run("status")[0] == 0


def test_one_that_is_kept_counts_from_then(old):
    """`review.confirm` says that it is still open; it goes stale again after as many days."""
    task = _task(old)
    old.open()
    _say(old, CONFIRM, task)
    old.sleep()
    assert "task" not in _listed(old)
    _work(old, DAYS + 1)
    assert "task" in _listed(old)
    assert not old.check()


def test_one_that_is_given_up_is_closed_as_its_kind_is(old):
    """A task is dropped and not done, a thread abandoned; each says since when nobody came back."""
    handles = [item.fragment.handle for item in agenda.stale(old.view, DAYS, old.now())]
    old.open()
    _say(old, REJECT, *handles)
    ended = {each.fragment.kind: each.fragment for each in old.view.records.values() if not each.fragment.is_open}
    assert {kind: each.state for kind, each in ended.items()} == {
        "task": "dropped",
        "thread": "abandoned",
        "question": "answered",
        "blocker": "resolved",
    }
    assert {each.reason for each in ended.values()} == {"nothing has come back to it since 31 May 2021"}
    old.sleep()
    assert _listed(old) == []
    assert not old.check()


def test_a_reason_and_a_correction_are_taken(old):
    """Who gives it up may say why, and who corrects it says what is open in its place."""
    task = _task(old)
    old.open()
    _say(old, REJECT, "Q-001", why="the region was given up")
    (done,) = _say(old, CORRECT, task, text="Rotate the keys of all hosts")
    records = old.view.records.values()
    assert next(each.fragment.reason for each in records if each.fragment.number == "Q-001") == (
        "the region was given up"
    )
    assert done.closed == (task,)
    assert [each.fragment.text for each in records if each.fragment.kind == "task" and each.fragment.is_open] == [
        "Rotate the keys of all hosts"
    ]
    old.sleep()
    assert not old.check()


def test_status_counts_them_and_the_list_names_them(old):
    """`status` says how many and where to look; `review` alone asks about none of them."""
    out = old.run("status")[1]
    assert "4 stale: " in out
    assert ": sleepwake review --stale\n" in out
    assert old.run("review")[1] == "nothing waits for review\n"
    out = old.run("review", "--stale")[1]
    assert "31 May 2021   question  Q-001" in out
    assert "4 stale: " in out
    assert [each["sort"] for each in json.loads(old.run("review", "--stale", "--json")[1])] == ["stale"] * 4


def test_all_of_before_a_day_are_given_up_at_once(old):
    """`review.reject --before` closes what `review --stale` lists of before then; a dry run writes nothing."""
    old.open()
    before = old.everything()
    assert old.run("review.reject", "--before", "2021-05-31")[1].startswith("nothing is stale ")
    code, out, _ = old.run("review.reject", "--before", "1 June 2021", "--dry-run")
    assert (code, out.count(" would be rejected")) == (0, 4)
    assert old.everything() == before
    assert len(json.loads(old.run("review.reject", "--before", "2021-06-01", "--json")[1])) == 4
    assert _listed(old) == []
    assert json.loads(old.run("review.reject", "--before", "2021-06-01", "--json")[1]) == []


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("Q-001", "--before", "2021-06-01"),
        ("--also", "Q-001", "--before", "2021-06-01"),
        ("--before", "some day"),
    ],
)
def test_what_is_meant_has_to_be_clear(old, words):
    """Neither records nor a day, both, or what is no day: one error, and nothing is written."""
    old.open()
    before = old.everything()
    code, _, err = old.run("review.reject", *words)
    assert code == UsageError.exit_code
    assert err.count("(would be right: ") == 1
    assert old.everything() == before
