"""What a sleep that nobody asked for may not do to a person's repository."""

from __future__ import annotations

import json

from talk import Talk

RUN = {"SLEEP_SLEEP_AUTO": "run"}


def _worked(person):
    """Leave an instance with work in it, closed and not slept on."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "it ends with its holder")
    person.sleepwake("journal.close")


def test_an_uncommitted_line_of_mine_is_not_committed(person):
    """A line in main.md that a person has not committed stays uncommitted, and the answer says what waits for it."""
    _worked(person)
    person.write("main.md", person.read("main.md") + "\nA line of mine, not ready.\n")
    person.write("memory/core/1.user.md", "Half a thought of mine.\n")
    before = person.git("rev-parse", "HEAD")
    said = person.sleepwake("sleep.attend", "--limit", "60", **RUN)
    assert "main.md: has changes that nobody committed" in said
    assert person.git("rev-parse", "HEAD") == before
    person.git("checkout", "main.md")
    assert json.loads(person.sleepwake("sleep.attend", "--limit", "60", **RUN))["slept"]
    assert "Half a thought" not in person.git("log", "--patch")
    assert person.git("status", "--porcelain").strip() == "M memory/core/1.user.md"


def test_a_session_without_work_makes_no_commit(person, tmp_path):
    """Greetings that a client ended with are no reason for commits; a sleep by hand takes them along."""
    talk = Talk(tmp_path / "talk.jsonl", "s1", cwd=str(person.folder))
    talk.prompt("Next task please.").says("Which task would you like me to take up?")
    talk.prompt("ok next.").says("Understood. I am ready for the next task.")
    assert "journal/instance-1.md" in person.sleepwake("journal.capture", str(talk.path))
    before = person.git("rev-parse", "HEAD")
    done = json.loads(person.sleepwake("sleep.attend", "--limit", "60", **RUN))
    assert (done["slept"], done["errors"]) == ([], [])
    assert person.git("rev-parse", "HEAD") == before
    person.sleepwake("sleep")
    assert person.git("rev-parse", "HEAD") != before


def test_a_sleep_by_itself_says_what_it_did(person):
    """The session that starts is told how many commits were made for it, and how they are taken back."""
    _worked(person)
    before = person.git("rev-parse", "HEAD").strip()
    payload = {"session_id": "s2", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(person.folder)}
    said = person.sleepwake("hook", "session-start", stdin=json.dumps(payload), **RUN)
    count = person.git("rev-list", "--count", f"{before}..HEAD").strip()
    assert f"slept by itself (sleep.auto is run) on instance 1: {count} commits" in said
    assert "sleep.undo" in said
    assert "slept by itself" in (person.folder / ".git/sleepwake/hooks.log").read_text()


def test_a_memory_of_its_own_begins_by_itself(person):
    """After `init --separate` the first sleep needs nobody's hand; from then on an uncommitted page stops one."""
    code = person.folder.parent / "code"
    code.mkdir()
    person = type(person)(code)
    person.git("init", "--quiet")
    person.sleepwake("init", "--separate")
    own = code / ".sleepwake"
    (own / "main.md").write_text((own / "main.md").read_text().replace("(Say here", "Labels. (Say here"))
    _worked(person)
    done = json.loads(person.sleepwake("sleep.attend", "--limit", "60"))
    assert (done["errors"], [number for number, _ in done["slept"]]) == ([], [1])
    assert person.git("-C", str(own), "status", "--porcelain", "--", "main.md", "memory", "journal") == ""
    (own / "main.md").write_text((own / "main.md").read_text() + "\nA line of mine.\n")
    _worked(person)
    assert "nobody committed" in person.sleepwake("sleep.attend", "--limit", "60", SLEEP_SLEEP_COOLDOWN="0")
