"""Which commits are activity of their own, and what they score."""

from __future__ import annotations

import time

import pytest

from sleep.code import own_activity
from sleep.debt import book, sessions, timestamps
from tests.code.conftest import NOON


@pytest.fixture
def own(team):
    """Return a function that tells what of the commits is activity of its own."""
    team.slept()

    def own(**settings):
        settings = team.scene.place.settings._replace(**settings)
        made = team.read()
        return own_activity.read(team.context, settings, made, NOON + 7 * 86_400.0)

    return own


def session(team, tmp_path, began, ended, *, name="s", with_transcript=True):
    """Have a client's session from one moment to another."""
    transcript = tmp_path / f"{name}.jsonl"
    if with_transcript:
        transcript.write_text("", encoding="utf-8")
    sessions.update(
        team.context,
        name,
        client="claude",
        transcript_path=str(transcript) if with_transcript else "",
        started_at=timestamps.iso(began),
        ended_at=timestamps.iso(ended),
    )


def test_what_a_session_committed_is_its_own(own, team, tmp_path):
    """A commit during a session with a transcript, or minutes after it, is not counted again; others are."""
    for hours in range(4):
        team.commit("a.py", f"hour {hours}", at=NOON + 3600 * hours)
    session(team, tmp_path, NOON + 3000.0, NOON + 3500.0)
    assert own().commits == 3  # the one 100 seconds after it is the session's
    session(team, tmp_path, NOON + 7000.0, NOON + 7300.0, name="t")
    assert own().commits == 2


def test_an_agent_without_a_transcript_is_activity_of_its_own(own, team, tmp_path):
    """Of a session without a transcript no edit is counted: its commits are."""
    team.commit("a.py", at=NOON + 3600)
    session(team, tmp_path, NOON + 3000.0, NOON + 4000.0, with_transcript=False)
    assert own().commits == 1


def test_only_score_scores(own, team):
    """By default commits are told; with `score` the files in them are changes, in the requirement's bands."""
    assert own(debt_commits="score") == (0, 0, 0)
    for number in range(4):
        team.commit(f"{number}.py", text="x")
    assert own() == (4, 4, 0)
    assert own(debt_commits="score") == (4, 4, 2)


def test_the_ledger_is_never_written(own, team):
    """The score is in the ledger as it is read, and not in its file."""
    for number in range(9):
        team.commit("a.py", f"{number}")
    context, settings = team.context, team.scene.place.settings
    before = book.read(context)
    assert own_activity.scored(context, settings, before) is before
    assert own_activity.scored(context, settings._replace(debt_commits="score"), before).debt == before.debt + 3
    assert book.read(context) == before
    assert own().score == 0


def test_status_and_debt_say_it(own, team, tmp_path):
    """`sleep.status`, `sleep.debt` and `status` count commits, the directive too; a sleep starts anew."""
    for number in range(3):
        team.commit("src/a.py", f"Change {number}")
    session(team, tmp_path, team.at - 30.0, team.at + 30.0)
    scene = team.scene
    _, said, _ = scene.run("sleep.status")
    assert "commits     3 commits since the last sleep" in said
    assert "1 file, by Ada (1 of them of sessions that are counted)\n" in said
    assert scene.run("sleep.debt")[1] == "0\n"
    _, said, _ = scene.run("sleep.status", SLEEP_DEBT_COMMITS="score")
    assert "debt        1 of 10" in said
    assert "(1 of them of sessions that are counted; the others score 1)" in said
    assert scene.run("sleep.debt", SLEEP_DEBT_COMMITS="score")[1] == "1\n"
    assert "debt        1 of 10" in scene.run("status", SLEEP_DEBT_COMMITS="score")[1]
    assert "commits" not in scene.run("sleep.status", SLEEP_DEBT_COMMITS="off")[1]


def test_commits_alone_can_be_slept_on(own, team, monkeypatch):
    """Where commits are debt and nothing else is, a sleep settles them: they are counted from there."""
    now = int(time.time())
    for number in range(4):
        team.commit("a.py", f"{number}", at=now - 3600 + number)
    scene = team.scene
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{role}_DATE")
    scene.run("sleep")  # takes the first sleep's own moment, which is yet to come, out of the way
    score = {"SLEEP_DEBT_COMMITS": "score"}
    assert scene.run("sleep.debt", **score)[1] == "2\n"
    code, said, _ = scene.run("sleep", "--dry-run", **score)
    assert (code, "nothing to consolidate; would settle debt 2" in said) == (0, True)
    code, said, _ = scene.run("sleep", **score)
    assert (code, "nothing to consolidate; settled debt 2" in said) == (0, True)
    assert scene.run("sleep.debt", **score)[1] == "0\n"
    assert "nothing to sleep on" in scene.run("sleep", **score)[1]
    assert own().commits == 0
