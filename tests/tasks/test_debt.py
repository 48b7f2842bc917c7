"""The commands of sleep debt, as a person and an agent call them."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest

from sleep.debt import book, sessions
from sleep.settings import Settings
from sleep.store import context as contexts


@pytest.fixture
def bare(run, tmp_path, monkeypatch):
    """Go to a folder that has a context folder and nothing else, no git, and return its context."""
    (tmp_path / "bare" / "memory" / "state").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "bare")
    return contexts.require(os.getcwd())


def test_fresh(run, bare):
    """A fresh folder has the bare debt 0, level Alert, and was never slept in."""
    assert run("sleep.debt") == run("sleep.debt", "--json") == (0, "0\n", "")
    code, out, err = run("sleep.status")
    assert (code, err) == (0, "")
    assert re.search(r"^debt +0 .*Alert$", out, re.MULTILINE)
    assert re.search(r"^last sleep +never$", out, re.MULTILINE)
    assert list(Path(bare.state).iterdir()) == []


def test_add_and_done(run, bare, facts):
    """Debt that is added by hand is shown with its words, and settled with a summary."""
    assert run("sleep.add", "2", "Bug fix: auth token refresh")[:2] == (0, "added 2; debt is 2 (Alert)\n")
    assert facts("sleep.add", "3", "Auth talk")["debt"] == 5
    assert run("sleep.debt")[1] == "5\n"
    out = run("sleep.status")[1]
    assert "Bug fix: auth token refresh" in out
    assert "by hand" in out
    told = facts("sleep.done", "Consolidated auth decisions")
    assert (told["debt"], told["settled"], len(told["sessions"])) == (0, 5, 2)
    found = facts("sleep.status")
    assert (found["debt"], found["last_sleep_summary"]) == (0, "Consolidated auth decisions")
    assert (found["last_sleep"], found["sessions"]) == (found["last_sleep_at"][:10], [])
    (slept,) = facts("sleep.history")
    assert (slept["number"], slept["debt"], slept["state"]) == (0, 5, "by hand")
    assert "Consolidated auth" in run("sleep.history")[1]


@pytest.mark.parametrize("score", ["0", "4", "abc", "-1", "2.5", ""])
def test_a_score_that_is_none(run, bare, score):
    """A score that is not 1, 2 or 3 ends with 2 and a sentence on stderr, and nothing is written."""
    code, out, err = run("sleep.add", score, "x")
    assert (code, out) == (2, "")
    assert err.strip()
    assert list(Path(bare.state).iterdir()) == []


def test_words_that_are_missing(run, bare):
    """An entry and a sleep without words end with 2, and nothing is written."""
    for words in (("sleep.add", "2"), ("sleep.add",), ("sleep.done",)):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert "Hint: sleepwake sleep." in err
    assert list(Path(bare.state).iterdir()) == []


def test_words_from_standard_input(run, bare):
    """The words come by standard input where they are `-`."""
    assert run("sleep.add", "1", "-", stdin="from\na pipe\n")[0] == 0
    assert book.read(bare).sessions[0].last_assistant_message == "from\na pipe"
    assert run("sleep.done", "--text", "-", stdin="slept")[0] == 0
    assert book.read(bare).last_sleep_summary == "slept"


def test_start(run, bare, facts):
    """A start sets the epoch and is shown; a second one ends with 7 and names the first; an old one is taken over."""
    run("sleep.add", "2", "x")
    began = facts("sleep.start")
    assert (began["debt"], began["taken_over"]) == (2, None)
    code, out, err = run("sleep.start")
    assert (code, out) == (7, "")
    assert began["epoch"] in err
    assert began["epoch"] in run("sleep.status")[1]
    ledger = json.loads(Path(bare.ledger).read_text())
    ledger["epoch"]["at"] = "2026-01-01T00:00:00.000Z"
    Path(bare.ledger).write_text(json.dumps(ledger))
    assert "2026-01-01" in run("sleep.start")[1]


def test_sessions_are_shown(run, bare):
    """The status lists each session with its client, changes, score, why that is pending, and its words."""
    seen = sessions.Sighting("0b9f2ac6-long", "codex", str(Path(bare.base) / "none.jsonl"))
    book.record_stop(bare, Settings(), seen, "Refactored " + "x" * 100, time.time())
    row = next(line for line in run("sleep.status")[1].splitlines() if "codex" in line)
    assert "pending" in row
    assert "its transcript is missing; Refactored" in row
    assert len(row) < 150


def test_a_ledger_that_cannot_be_read(run, bare):
    """A corrupt ledger is said on the screen with the command that helps, reads as 0, and is rebuilt."""
    Path(bare.ledger).write_text("garbage")
    assert run("sleep.debt") == (0, "0\n", "")
    assert "doctor --rebuild-ledger" in run("sleep.status")[1]
    code, out, err = run("doctor", "--rebuild-ledger")
    assert (code, err) == (0, "")
    assert "cannot be rebuilt" in out
    assert run("doctor", "--rebuild-ledger", "--json")[0] == 0
    assert book.read(bare).trouble == ""
    assert "garbage" in [one.read_text() for one in Path(bare.state).iterdir() if one.is_file()]


@pytest.mark.skipif(os.name == "nt", reason="pipes and links")
@pytest.mark.parametrize("kind", ["folder", "pipe", "circle"])
def test_a_ledger_that_is_no_file(run, scene, kind):
    """What is no file is said with what mends it, commands that write say the same, and hooks go on in silence."""
    (scene.home / "memory" / "state").mkdir(exist_ok=True)
    path = os.path.join(scene.place.root.path, "memory", "state", ".sleep.json")
    make = {"folder": os.mkdir, "pipe": os.mkfifo, "circle": lambda it: os.symlink(it, it)}
    make[kind](path)
    mends = f"mv {path} {path}.moved"
    code, out, err = run("doctor")
    (told,) = [line for line in out.splitlines() if ".sleep.json" in line]
    assert (code, err) == (1, "")
    assert told.startswith("fail  memory/state/.sleep.json: ")
    assert told.endswith(f" -> {mends}")
    assert run("sleep.debt") == (0, "0\n", "")
    for words in (("sleep.status",), ("status",)):
        (told,) = [line for line in run(*words)[1].splitlines() if line.startswith("trouble ")]
        assert told.endswith(f": {mends}")
    for words in (("sleep.add", "1", "x"), ("sleep.done", "x"), ("doctor", "--rebuild-ledger")):
        code, out, err = run(*words)
        assert (code, out) == (10, "")
        assert f"Hint: {mends}\n" in err
    said = json.dumps({"session_id": "s1", "transcript_path": "/nowhere", "cwd": str(scene.home)})
    for event in ("stop", "session-end"):
        assert scene.run("hook", event, stdin=said) == (0, "", "")
    code, out, err = scene.run("hook", "session-start", stdin=said)
    assert (code, err) == (0, "")
    assert out.startswith("# Agent Context")
    assert os.path.lexists(path)
    assert not os.path.isfile(path)
    os.rename(path, f"{path}.moved")
    assert run("doctor", "--rebuild-ledger")[0] == 0
    assert run("sleep.add", "1", "x")[0] == 0
    assert scene.git("status", "--porcelain") == ""


def test_a_ledger_that_may_not_be_read(run, bare, monkeypatch):
    """A ledger that others own is said with what mends it, and nothing takes its place."""
    run("sleep.add", "3", "x")
    before = Path(bare.ledger).read_bytes()
    refused = {os.R_OK}
    monkeypatch.setattr(os, "access", lambda _, mode: mode not in refused)
    mends = f"chmod u+rw {bare.ledger}"
    code, out, err = run("doctor")
    (told,) = [line for line in out.splitlines() if ".sleep.json" in line]
    assert (code, err) == (1, "")
    assert told.endswith(f"may not be read by you -> {mends}")
    code, out, err = run("sleep.add", "1", "x")
    assert (code, out) == (10, "")
    assert f"Hint: {mends}\n" in err
    assert Path(bare.ledger).read_bytes() == before


def test_what_was_set_aside_is_shown(run, bare):
    """What could not be read and was set aside is shown until somebody takes it away."""
    Path(bare.ledger).write_text("garbage")
    run("sleep.add", "1", "x")
    assert ".sleep.json.corrupt-" in run("sleep.status")[1]


def test_a_setting_that_is_none(run, bare):
    """A setting that cannot be taken is an error that names the file it stands in."""
    Path(bare.settings).write_text("debt:\n  must: many\n")
    code, out, err = run("sleep.status")
    assert (code, out) == (5, "")
    assert err.startswith(f"{bare.settings}: debt.must is 'many'")


@pytest.mark.parametrize("text", ["debt:\n  must: many\n", "debt: [\n", "nonsense: 1\n", "format: 1\nwake: 3\n"])
def test_the_number_needs_no_settings(run, bare, monkeypatch, text):
    """The bare number is printed whatever `sleep.yaml` and the variables say of thresholds; a status line needs it."""
    run("sleep.add", "3", "x")
    Path(bare.settings).write_text(text)
    monkeypatch.setenv("SLEEP_DEBT_MUST", "many")
    assert run("sleep.debt") == (0, "3\n", "")
    assert run("sleep.status")[0] != 0


def test_the_number_of_a_newer_format(run, bare):
    """A format that this program does not know is refused: its ledger may be another."""
    Path(bare.settings).write_text("format: 99\n")
    code, out, err = run("sleep.debt")
    assert (code, out) == (5, "")
    assert "upgrade sleepwake" in err


def test_without_any_folder(run, tmp_path, monkeypatch):
    """Where there is no context folder every command of debt ends with 4."""
    monkeypatch.chdir(tmp_path)
    for words in (("sleep.debt",), ("sleep.status",), ("sleep.add", "1", "x"), ("sleep.done", "x"), ("sleep.start",)):
        code, out, err = run(*words)
        assert (code, out) == (4, "")
        assert "sleepwake init" in err
    assert run("sleep.history")[0] == 4


def test_another_folder(run, bare, tmp_path, monkeypatch):
    """`--root` and SLEEP_ROOT name the folder; an older tool's folder will do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old" / "_agent_context").mkdir(parents=True)
    assert run("sleep.add", "1", "x", "--root", str(tmp_path / "old"))[0] == 0
    assert run("sleep.debt", "--root", str(tmp_path / "old"))[1] == "1\n"
    monkeypatch.setenv("SLEEP_ROOT", bare.base)
    assert run("sleep.debt")[1] == "0\n"


def test_sleeping_says_what_is_settled(scene, run, facts):
    """A sleep says what it settles, a dry run what it would, an undo what it gives back, the history what it was."""
    run("sleep.add", "2", "Auth talk")
    assert "would settle debt 2 from 1 session" in run("sleep", "--dry-run")[1]
    scene.open()
    scene.add("decision", "Use the lock")
    assert "would settle debt 2 from 1 session" in run("sleep", "--dry-run")[1]
    told = facts("sleep")["settled"]
    assert (told["debt"], len(told["sessions"])) == (2, 1)
    assert facts("sleep")["settled"] is None
    assert facts("sleep.history")[0]["debt"] == 2
    assert "debt 2 would be given back: manual-" in run("sleep.undo", "--dry-run")[1]
    assert "debt 2 is given back: manual-" in run("sleep.undo")[1]
    assert run("sleep.debt")[1] == "2\n"


def test_debt_without_a_journal_is_settled(scene, run):
    """Where nothing is to be slept on but debt stands, of which nothing is told, `sleep` says so and settles it."""
    run("sleep.add", "3", "ok")
    assert run("sleep")[1] == "nothing to consolidate; settled debt 3 from 1 session\n"
    assert run("sleep")[1] == "nothing to sleep on\n"


def test_history_has_both(scene, run, facts):
    """The history has cycles and sleeps by hand, newest first, and as many as are asked for."""
    scene.lived()
    run("sleep.add", "1", "x")
    run("sleep.done", "by hand")
    found = facts("sleep.history")
    assert sorted((one["number"], one["state"]) for one in found) == [(0, "by hand"), (1, "slept")]
    assert len(facts("sleep.history", "--limit", "1")) == 1
    assert run("sleep.history", "--limit", "x")[0] == 2


def test_status_shows_debt_and_the_last_error_of_a_hook(scene, run, facts):
    """`status` has debt, level, and the last line that a hook logged as an error."""
    run("sleep.add", "3", "x")
    out = run("status")[1]
    assert re.search(r"^debt +3 of 10 .* Alert$", out, re.MULTILINE)
    assert re.search(r"^purpose     What this project is for", out, re.MULTILINE)
    assert "hook error" not in out
    log = scene.top / ".git" / "sleepwake" / "hooks.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text("2026-11-21T10:00:00Z stop INFO x\n2026-11-21T10:00:01Z stop ERROR it broke\n")
    assert "hook error  2026-11-21T10:00:01Z stop ERROR it broke" in run("status")[1]
    assert facts("status")["last_hook_error"].endswith("it broke")
    Path(contexts.of(scene.place.root).ledger).write_text("[]")
    assert "doctor --rebuild-ledger" in run("status")[1]


def test_a_cycle_that_was_squashed_has_its_figures(scene):
    """Of a cycle whose commits a squash took the history tells the tokens, and that its steps are in no history."""
    scene.lived(1)
    scene.git("checkout", "--quiet", "-b", "feature")
    scene.open()
    scene.add("decision", "Use flock", why="it ends")
    scene.sleep()
    scene.git("checkout", "--quiet", "main")
    scene.git("merge", "--quiet", "--squash", "feature")
    scene.git("commit", "--quiet", "--message=feature")
    rows = {row[:1]: row for row in scene.run("sleep.history")[1].splitlines()}
    assert re.search(r" \d+ -> \d+ +not in history +0? +slept", rows["2"])
    assert re.search(r" \d+ -> \d+ +\d commits ", rows["1"])


def test_a_cycle_of_a_branch_that_was_thrown_away_is_no_last_sleep(run, scene, facts):
    """`sleep.status` names the last sleep of this branch, and apart from it the one of another that settled debt."""
    scene.add("note", "on main")
    scene.sleep()
    scene.git("checkout", "--quiet", "-b", "side")
    scene.add("note", "on side")
    run("sleep.add", "3", "a talk that no journal has")
    scene.sleep()
    assert "elsewhere" not in run("sleep.status")[1]
    scene.git("checkout", "--quiet", "main")
    scene.git("branch", "--quiet", "--delete", "--force", "side")
    out = run("sleep.status")[1]
    assert re.search(r"^last sleep .*: cycle 1$", out, re.MULTILINE)
    assert re.search(r"^elsewhere .*cycle 2 of .* settled debt 3, is not on this branch", out, re.MULTILINE)
    known = facts("sleep.status")
    assert (known["last_sleep_summary"], known["elsewhere"]["cycle"], known["elsewhere"]["debt"]) == ("cycle 1", 2, 3)
