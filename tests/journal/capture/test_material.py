"""Gathering: what broke and how it ended, what was edited how often, and bounded memory."""

from __future__ import annotations

import random

from sleep.documents.journal import Draft
from sleep.journal.capture import digest_drafts, material, session_digest
from sleep.journal.capture.material import Files, Material
from sleep.language import tokens
from sleep.transcripts.events import Event


def run(command, call, line=0):
    """A command is run."""
    return Event("agent", "run", command, id=call, line=line)


def edit(path, call, line=0):
    """A file is edited."""
    return Event("agent", "edit", path=path, id=call, line=line)


def result(call, error="", line=0):
    """A call ends, well or with an error."""
    return Event("tool", "result", error, id=call, ok=not error, line=line)


def gathered(*events, since=0):
    """Take all events."""
    found = Material((), (), since)
    for event in events:
        found.take(event)
    return found


def test_an_error_tells_what_was_edited_until_the_same_command_went_well():
    """The files that were edited between a failure and the next success of the command end the error's story."""
    found = gathered(
        run("cd app && pytest tests -q 2>&1 | tail", "1"),
        result("1", "2 failed"),
        edit("a.py", "2"),
        result("2"),
        edit("a.py", "3"),
        result("3"),
        edit("b.py", "4"),
        result("4", "no such text"),
        run("pytest -x tests", "5"),
        result("5"),
    )
    assert [(one.text, one.solved) for one in found.faults] == [
        ("2 failed", "it went well after edits of a.py"),
        ("no such text", ""),
    ]


def test_an_error_that_ends_by_itself_and_one_that_does_not_end():
    """Tried again with nothing between, an error says so; another command's success ends nothing."""
    again = gathered(run("git push", "1"), result("1", "timed out"), run("git push -f", "2"), result("2"))
    assert [one.solved for one in again.faults] == ["it went well when it was tried again"]
    other = gathered(run("git push", "1"), result("1", "timed out"), run("git pull", "2"), result("2"))
    assert [one.solved for one in other.faults] == [""]


def test_an_edit_that_took_in_the_end_was_no_error():
    """A failed edit of a file that was then edited leaves no error, and the file is one that changed."""
    found = gathered(edit("a.py", "1"), result("1", "read it first"), edit("a.py", "2"), result("2"))
    assert (found.faults, found.files) == ((), Files(("a.py",), edits=(1,)))


def test_an_error_that_comes_back_is_open_again():
    """The same error a second time stands once, later, and is no longer mended."""
    found = gathered(
        run("make", "1"), result("1", "boom"), run("make", "2"), result("2"), run("make", "3"), result("3", "boom")
    )
    assert [(one.text, one.solved) for one in found.faults] == [("boom", "")]


def test_errors_end_in_the_journal_and_in_print():
    """How an error ended stands behind it, marked like the error itself; what an edit mended is a fix."""
    found = session_digest.of([run("make", "1"), result("1", "boom"), run("make", "3"), result("3")])
    assert digest_drafts.drafts(found)[-1] == Draft(
        "note",
        "tool (untrusted): boom (it went well when it was tried again)",
        "",
        (("source", "tool (untrusted)"),),
    )
    found = session_digest.of(
        [run("make", "1"), result("1", "boom"), edit("a.py", "2"), result("2"), run("make", "3"), result("3")]
    )
    assert "boom (it went well after edits of a.py)" in session_digest.markdown(found)
    assert digest_drafts.drafts(found)[-1] == Draft(
        "fix", "tool (untrusted): boom", "", (("change", "edits of a.py"), ("source", "tool (untrusted)"))
    )


def test_edits_are_counted_file_by_file():
    """Each file of a patch counts, what failed does not, and the most edited is first."""
    found = gathered(edit("a", "1"), edit("b", "1"), result("1"), edit("b", "2"), edit("c", "3"), result("3", "no"))
    assert found.files == Files(("b", "a"), ("c",), (2, 1))


def test_what_was_digested_before_only_tells_about_the_rest():
    """Events up to a line are not taken again: but a result behind it finds its call, and the root holds."""
    events = (
        Event("", "root", path="/srv/app", line=1),
        Event("person", "prompt", "Old.", line=2),
        edit("/srv/app/a", "1", 3),
        run("make", "2", 3),
        result("1", "no", 4),
        result("2", "boom", 4),
        Event("person", "prompt", "New in /srv/app/b.", line=5),
        edit("/srv/app/b", "3", 5),
        run("make", "4", 6),
        result("4", line=7),
        Event("", "unread", line=8),
    )
    found = gathered(*events, since=3)
    assert [one.text for one in found.said] == ["New in b."]
    assert found.files == Files(("b",), edits=(1,))
    assert [(one.text, one.solved) for one in found.faults] == [
        ("no", ""),
        ("boom", "it went well when it was tried again"),
    ]
    assert (found.reached, found.unread) == (7, 1)


def test_events_without_lines_are_counted():
    """Where a client writes one document, the number of events stands for the line."""
    events = [Event("person", "prompt", f"Part {number}.") for number in range(5)]
    found = gathered(*events, since=3)
    assert [one.text for one in found.said] == ["Part 3.", "Part 4."]
    assert found.reached == 5


def test_speech_without_end_is_held_within_bounds(monkeypatch):
    """Of more speech than is held, the passages that tell most go on, and the digest is as large as was asked for."""
    monkeypatch.setattr(material, "_MOST", 20_000)
    monkeypatch.setattr(material, "_THINNED", 1_000)
    dice = random.Random(7)
    words = [f"word{number}" for number in range(400)]
    found = Material((), ())
    most = 0
    for number in range(2_000):
        text = f"Part {number} has {' '.join(dice.choices(words, k=12))}."
        found.take(
            Event("agent" if number % 5 else "person", "text" if number % 5 else "prompt", text, line=number + 1)
        )
        most = max(most, sum(len(one.text) for one in found.said))
    assert most <= 21_000
    assert [one.line for one in found.said] == sorted(one.line for one in found.said)
    kept = session_digest.of(found.said, 500)
    assert 300 < tokens.count(session_digest.markdown(kept)) <= 500


def test_a_plan_is_agreed_to_when_its_call_goes_well():
    """A plan that waits for a person or was refused is not; one that a person hands over is."""
    plan = Event("agent", "plan", "# Store\n\nThe rows stay in one file.", id="p")
    for events, ok in (((plan,), False), ((plan, result("p")), True), ((plan, result("p", "no")), False)):
        assert [one.ok for one in gathered(*events).said] == [ok]
    assert gathered(plan, result("q")).said[0].ok is False
    assert gathered(plan._replace(id="")).said[0].ok is True
