"""`journal.digest`: printed anywhere, appended where a memory is."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.fixture
def transcript(tmp_path):
    """Return a transcript's path, outside of any memory."""
    lines = [
        {"type": "user", "parentUuid": None, "cwd": "/p", "message": {"content": "Make the lock hold."}},
        "broken",
        {
            "type": "assistant",
            "message": {
                "content": [{"type": "tool_use", "id": "1", "name": "Edit", "input": {"file_path": "/p/lock.py"}}]
            },
        },
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "It holds. Which branch is it for?"}]}},
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines))
    return str(path)


def test_it_needs_no_memory_and_no_git(transcript, tmp_path):
    """Outside of any memory, with nothing on PATH, the digest of a transcript is printed."""
    done = subprocess.run(
        [sys.executable, "-I", "-m", "sleep", "journal.digest", transcript],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "", "HOME": str(tmp_path)},
        check=True,
    )
    assert done.stdout.startswith("**Intent:** Make the lock hold.\n")
    assert "**Files:** lock.py" in done.stdout


def test_facts_say_what_was_not_read(facts, transcript):
    """The facts are the entries, the files, and how many lines could not be read."""
    found = facts("journal.digest", transcript)
    assert (found["unread"], found["redacted"], found["refused"]) == (1, 0, 0)
    assert found["files"]["changed"] == ["lock.py"]
    assert [one["kind"] for one in found["entries"]] == ["note", "change", "question"]


def test_a_budget_bounds_it(run, transcript):
    """With a budget no more is printed; one that is no number is refused by name."""
    code, out, _ = run("journal.digest", transcript, "--budget", "15")
    assert (code, len(out) <= 60) == (0, True)
    code, _, err = run("journal.digest", transcript, "--budget", "few")
    assert code == 2
    assert "--budget" in err


def test_it_is_appended_once(run, facts, transcript):
    """`--into` appends the entries to the open journal, a second time nothing; a dry run writes nothing."""
    run("wake")
    before = facts("journal.show")["entries"]
    code, out, _ = run("journal.digest", transcript, "--into", "--dry-run")
    assert (code, "question" in out) == (0, True)
    assert facts("journal.show")["entries"] == before
    assert run("journal.digest", transcript, "--into")[1] == "3 entries added\n"
    assert run("journal.digest", transcript, "--into")[1] == "0 entries added\n"
    after = facts("journal.show")["entries"][len(before) :]
    assert [one["kind"] for one in after] == ["note", "change", "question"]
    assert [one["number"] for one in after] == ["", "", "Q-001"]
    assert after[1]["fields"]["files"] == "lock.py"
