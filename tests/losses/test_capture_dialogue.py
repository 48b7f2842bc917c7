"""What a session says is in its journal as it was said: a choice with its reason, a question, the files."""

from __future__ import annotations

import pytest
from captured import Session, journals, records


@pytest.fixture
def session(person, tmp_path):
    """Return a session that has begun."""
    return Session(person, tmp_path / "client")


def test_what_is_decided_and_asked_is_recorded_as_such(person, session):
    """A choice behind `Done.`, in a list or with a label is a decision with its why; each open question is one."""
    session.prompt("Make the config reader hold comments, please.").edits("parser.py")
    session.says(
        "Done. I decided to write a recursive descent parser because the grammar has nested comments. "
        "parser.py and builder.py are in place."
    )
    session.prompt("Build the queue of jobs.").edits("queue.py")
    session.says(
        "The queue works. I decided to use a lease table because workers may die. "
        "Open question: should a lease be renewed while a job runs?"
    )
    session.prompt("Move the callers to the new endpoint.").edits("api.py")
    session.says(
        "I've updated the three call sites. **Decision:** keep the old endpoint until v3, because mobile ships late."
    )
    session.prompt("Make money exact.").edits("money.py")
    session.says(
        "Changes:\n- `total()` takes a currency\n- I chose half-even rounding, because totals drift by a cent otherwise"
    )
    session.prompt("Sum up the retries.").edits("retry.py")
    text = session.says("## Open questions\n\n- Should retries be capped?\n- Who owns the cron job?").end()
    assert set(records(text, "decision")) == {
        "I decided to write a recursive descent parser.",
        "I decided to use a lease table.",
        "keep the old endpoint until v3.",
        "I chose half-even rounding.",
    }
    for why in ("the grammar has nested comments.", "workers may die.", "mobile ships late."):
        assert f"- why: {why}\n" in text
    asked = ["should a lease be renewed while a job runs?", "Should retries be capped?", "Who owns the cron job?"]
    assert sorted(records(text, "question")) == sorted(asked)
    assert records(text, "task") == []
    assert "half-even" in person.sleepwake("decision.list")


def test_narration_leaves_nothing(person, session):
    """What an agent says that it does next, and that it heard, is in no journal."""
    session.prompt("Raise the retries of the queue to five.").says("Understood.").says("Now the retry constant.")
    session.edits("retry.py").says("Let me run the tests.").runs("pytest -q", said="3 passed")
    text = session.says("Done. The queue in `retry.py` tries five times now.").end()
    assert "tries five times" in text
    for words in ("Understood", "Now the retry", "Let me run", "Done."):
        assert words not in text


def test_lines_of_progress_leave_nothing(person, session):
    """What a client's agent says while it waits is in no journal; what still runs when the session ends is."""
    session.prompt("Watch the release of the queue.").says("Working...").says("Still running.")
    session.says("The build is still running.").says("Still running. I’ll keep monitoring at the same cadence.")
    session.says("Running the tests…").runs("gh run watch", said="ok")
    text = session.says("Release 1.4 of the queue is out. The mirror job is still pending.").end()
    assert "Release 1.4" in text
    assert "The mirror job is still pending." in text
    for words in ("Working", "Still running", "build is still", "keep monitoring", "Running the tests"):
        assert words not in text


def test_a_trivial_session_leaves_nothing(person, tmp_path):
    """A session without work or a statement leaves no journal."""
    said = {"s1": ("Next task please.", "ok next."), "s2": ("And now?", "Next one."), "s3": ("hi", "Hello! Ready.")}
    for name, (asked, answered) in said.items():
        one = Session(person, tmp_path / "client", name)
        before = journals(person)
        assert one.prompt(asked).says(answered).end() == before


def test_file_lists_of_two_sessions_are_both_kept(person, tmp_path):
    """Two sessions' lists of files are compared by the files: the second is no repetition of the first."""
    for name, files in (("s1", ("p0.py", "p1.py")), ("s2", ("q0.py", "q1.py"))):
        one = Session(person, tmp_path / "client", name).prompt(f"Write the parts {files[0]} and {files[1]}.")
        for file in files:
            one.edits(file)
        one.end()
    person.sleepwake("sleep")
    hot = person.read("memory/hot/context.md")
    for file in ("p0.py", "p1.py", "q0.py", "q1.py"):
        assert f"{file}" in hot.replace("Write the parts", "")
    assert "what stands there already" not in person.git("log", "--format=%B")


def test_files_of_a_subagent_are_the_sessions(person, session, tmp_path):
    """What a sub-agent wrote is in the list of the session's files, though its transcript is a file of its own."""
    session.prompt("Let a helper write crew.py, and write main_own.py yourself.").edits("main_own.py")
    helper = Session.__mro__[1](tmp_path / "client/s1/subagents/agent-a1.jsonl", "a1", cwd=session.cwd)
    helper.prompt("Write crew.py.").edits("crew.py").edits("broken.py", ok=False, said="no such file").says("Done it.")
    text = session.says("The helper wrote the crew, and `main_own.py` starts it.").end()
    assert "main_own.py" in text
    assert "crew.py" in next(line for line in text.split("\n") if line.startswith("- files:"))
    assert "broken.py" not in text
    assert "Done it" not in text


def test_the_last_of_many_decisions_are_kept(person, session):
    """Of more choices than a digest has room for, the last are in the journal, too."""
    session.prompt("Plan the workshop.").edits("plan.md")
    for number in range(100, 400):
        session.says(f"I decided to buy part {number} from shop {number * 7}: it stands nearest to door {number}.")
    made = [title for title in records(session.end(), "decision") if "buy part" in title]
    assert 10 < len(made) < 300
    assert [f"part {number} " in made[number - 400] for number in range(395, 400)] == [True] * 5
