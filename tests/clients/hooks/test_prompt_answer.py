"""What a prompt is answered, from the outside: off until it is wanted, and then little, sure, and once."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from sleep.clients.hooks import client_output, hook, hook_child, log, shown_entries
from sleep.debt import sessions
from sleep.language import tokens
from sleep.recall.index import index_file, index_form
from sleep.recall.index.database import Index
from tests.clients.hooks.test_hook import errors
from tests.recall.test_search import journal

ON = "format: 1\nrecall:\n  inject: on\n"
ASKED = "Why does the store use flock with a timeout?"
SAID = "The store takes flock with a timeout of 30 s, because no server is needed."
TOLD = "The harbour crane is painted yellow for the visitors of the museum."


def write(memory, path, text):
    """Write a document whose file is some seconds old."""
    place = Path(memory.base, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    os.utime(place, (time.time() - 10,) * 2)


def indexed(memory):
    """Bring the index up to date, as a session start would."""
    built = Index(index_file.open_file(os.path.join(memory.base, ".git/sleepwake", index_form.NAME)))
    built.refresh(memory.base)
    built.close()


@pytest.fixture
def planted(memory):
    """Return a memory with journals, an index of them, and the setting on."""
    subprocess.run(["git", "init", "--quiet", memory.base], check=True)
    write(memory, "memory/sleep.yaml", ON)
    write(memory, "journal/instance-1.md", journal(1, "2026-05-08", SAID, "Café opens at nine.", TOLD))
    write(memory, "journal/instance-2.md", journal(2, "2026-05-09", *(f"Subject {one} is green." for one in range(30))))
    indexed(memory)
    return memory


def prompt(text=ASKED, session="s", **more):
    """Return what a client says at a prompt."""
    return {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": text, **more}


def test_a_prompt_is_given_what_the_memory_surely_has(planted, run):
    """The passage stands in the client's form, with address and day, and nothing else does."""
    said = run("user-prompt-submit", prompt())
    assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    lead, line = said.context.split("\n")
    assert lead.startswith("From this project's memory")
    assert line == f"- [i1abc.1 · 2026-05-08] {SAID}"
    assert errors(planted) == []


@pytest.mark.parametrize("name", ["hook_context", "system-reminder"])
def test_what_stands_before_a_prompt_does_not_hide_it(planted, run, name):
    """Gemini CLI puts what a start was told into the first prompt, Qwen Code its reminders: the rest is asked."""
    said = run("user-prompt-submit", prompt(f"<{name}># Context\n\n{TOLD}</{name}>\n\n{ASKED}"))
    assert SAID in said.context
    assert TOLD not in said.context
    assert run("user-prompt-submit", prompt(f"<{name}>{ASKED}</{name}>", session="t")) == ""


def test_off_is_the_default(planted, run):
    """Without the setting nothing is said, nothing is looked for, and nothing is written down but the session."""
    write(planted, "memory/sleep.yaml", "format: 1\n")
    assert run("user-prompt-submit", prompt()) == ""
    assert sessions.read(planted, "s") is not None
    assert not Path(planted.state, shown_entries.FOLDER).exists()


def test_it_is_given_once_a_session(planted, run):
    """The same session is not given it again; another one is, and so is one after a compaction or `/clear`."""
    assert run("user-prompt-submit", prompt())
    assert run("user-prompt-submit", prompt()) == ""
    assert run("user-prompt-submit", prompt(session="other"))
    run("session-start", {"session_id": "s", "source": "resume", "hook_event_name": "SessionStart"})
    assert run("user-prompt-submit", prompt()) == ""
    run("session-start", {"session_id": "s", "source": "compact", "hook_event_name": "SessionStart"})
    assert run("user-prompt-submit", prompt())


def test_without_a_session_it_is_given_each_time(planted, run):
    """A client that names no session is answered all the same."""
    assert run("user-prompt-submit", prompt(session=""))
    assert run("user-prompt-submit", prompt(session=""))


def test_what_the_snapshot_said_is_not_said_again(planted, run):
    """An entry that the session start showed, with its address, is in the context already."""
    write(planted, "memory/hot/context.md", f"# Context\n\n## Constraints\n\n- {SAID} [i1abc.1]\n")
    indexed(planted)
    assert "[i1abc.1]" in run("session-start", {"session_id": "s", "hook_event_name": "SessionStart"})
    assert run("user-prompt-submit", prompt()) == ""
    assert run("user-prompt-submit", prompt(session="other"))


def test_what_a_wake_printed_is_not_said_again(planted, run, sleepwake):
    """What `wake` printed in a session is in its context."""
    write(planted, "memory/hot/context.md", f"# Context\n\n## Constraints\n\n- {SAID} [i1abc.1]\n")
    indexed(planted)
    code, said, _ = sleepwake("wake", "--session", "s", "--task", "make the store's flock faster")
    assert code == 0
    assert "i1abc.1" in said
    assert run("user-prompt-submit", prompt()) == ""


def test_what_the_session_journaled_is_not_said_to_it(planted, run):
    """A session knows what it wrote itself, unless it was compacted since."""
    own = journal(3, "2026-05-10", "The kiln fires porcelain at 1260 degrees in nine hours.")
    write(planted, "journal/instance-3.md", own.replace("---\n# J", "sessions:\n  - s\n---\n# J"))
    indexed(planted)
    asked = "at how many degrees does the kiln fire porcelain?"
    assert run("user-prompt-submit", prompt(asked)) == ""
    assert "1260" in run("user-prompt-submit", prompt(asked, session="other"))
    run("pre-compact", {"session_id": "s", "hook_event_name": "PreCompact"})
    assert "1260" in run("user-prompt-submit", prompt(asked))


@pytest.mark.parametrize(
    "text",
    [
        *("", "  \n", "continue", "ok do it", "yes", "go on", f"/recall {ASKED}", f"!{ASKED}", f"# {ASKED}"),
        f"<task-notification>{ASKED}</task-notification>",
        f"[Request interrupted by user] {ASKED}",
        f"This session is being continued from a previous conversation that ran out of context. {ASKED}",
    ],
)
def test_what_is_no_persons_question_is_given_nothing(planted, run, text):
    """Words of every day, commands of the client, and what a program says."""
    assert run("user-prompt-submit", prompt(text)) == ""
    assert errors(planted) == []


@pytest.mark.parametrize("budget", [60, 100, 400])
def test_the_budget_holds(planted, run, budget):
    """The text has at most so many tokens; what is longer is cut at a word, or left out."""
    long = " ".join(f"the quarry of {name} delivers granite and marble," for name in ("Oslo", "Bern", "Riga") * 8)
    write(planted, "journal/instance-3.md", journal(3, "2026-05-10", long, long.replace("Oslo", "Graz")))
    write(planted, "memory/sleep.yaml", f"{ON}  inject_budget: {budget}\n")
    indexed(planted)
    text = run("user-prompt-submit", prompt("which quarry delivers granite and marble?")).context
    assert 0 < tokens.count(text) <= budget
    assert text.count("\n- [") <= 2


def test_no_room_is_nothing(planted, run):
    """A budget that holds no line gives nothing."""
    write(planted, "memory/sleep.yaml", f"{ON}  inject_budget: 20\n")
    assert run("user-prompt-submit", prompt()) == ""


def test_a_line_is_a_line(planted, run):
    """What a memory says cannot begin another line, turn the writing round or leave the form."""
    text = 'The gantry needs "grease"\\ \u202eon Monday; \x1b[31mthe winch needs oil.'
    write(planted, "journal/instance-3.md", journal(3, "2026-05-10", f"{text}\n  # Heading\n  more about it"))
    indexed(planted)
    said = run("user-prompt-submit", prompt("does the gantry need grease, or the winch?")).context
    assert len(said.split("\n")) == 2
    assert said.isprintable() or said.replace("\n", "").isprintable()


def test_copilot_takes_another_form(planted, run, monkeypatch):
    """Copilot is answered without the outer key."""
    monkeypatch.setenv("COPILOT_CLI", "1")
    assert set(json.loads(run("user-prompt-submit", prompt()))) == {"additionalContext"}


def test_an_event_of_another_name_is_answered_with_it(planted, run):
    """Gemini's name of the event comes back to it."""
    said = run("user-prompt-submit", prompt(hook_event_name="BeforeAgent"))
    assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"


@pytest.mark.parametrize("content", [b"", b"no database" * 999, None])
def test_an_index_that_cannot_be_read_is_nothing(planted, run, content):
    """A damaged, an empty and a missing index: nothing is said, none is made, and the damage is logged."""
    path = Path(planted.base, ".git/sleepwake", index_form.NAME)
    for one in list(path.parent.glob(f"{index_form.NAME}*")):
        one.unlink()
    if content is not None:
        path.write_bytes(content)
    assert run("user-prompt-submit", prompt()) == ""
    assert (path.read_bytes() if path.exists() else None) == content
    assert bool(errors(planted)) == bool(content)


def test_a_disk_that_refuses_costs_no_answer(planted, run):
    """Where it cannot be written down what was given, it is given all the same."""
    Path(planted.state, shown_entries.FOLDER).write_text("a file where a folder should be", encoding="utf-8")
    assert SAID in run("user-prompt-submit", prompt())
    assert SAID in run("user-prompt-submit", prompt())


def test_a_start_brings_the_index_up_to_date(planted, run):
    """A session start has the index refreshed by a child, once; a prompt never does."""
    write(planted, "journal/instance-3.md", journal(3, "2026-05-10", "The kiln fires porcelain at 1260 degrees."))
    asked = prompt("at how many degrees does the kiln fire porcelain?")
    assert run("user-prompt-submit", asked) == ""
    run("session-start", {"session_id": "s", "hook_event_name": "SessionStart"})
    assert "1260" in run("user-prompt-submit", asked)
    assert errors(planted) == []


def test_an_index_that_is_up_to_date_needs_no_child(planted, run, monkeypatch):
    """No child runs where nothing changed, nor where the setting is off."""
    monkeypatch.setattr(hook_child, "run", lambda words, *_: pytest.fail(f"ran {words}"))
    start = {"session_id": "s", "hook_event_name": "SessionStart"}
    run("session-start", start)
    write(planted, "memory/sleep.yaml", "format: 1\n")
    write(planted, "journal/instance-3.md", journal(3, "2026-05-10", "New."))
    run("session-start", start)
    assert [line for line in errors(planted) if "ran" in line] == []


def test_sessions_that_are_long_over_are_forgotten(planted, run):
    """What a session of last year was given is removed at the next start."""
    run("user-prompt-submit", prompt(session="old"))
    (old,) = Path(planted.state, shown_entries.FOLDER).iterdir()
    os.utime(old, (1, 1))
    run("session-start", {"session_id": "s", "hook_event_name": "SessionStart"})
    assert not old.exists()


def test_what_is_said_stays_below_the_clients_cap(planted, run):
    """A budget of a person's own that is far too large is bounded as every answer is."""
    write(planted, "memory/sleep.yaml", f"{ON}  inject_budget: 100000\n")
    assert client_output.size(run("user-prompt-submit", prompt()).context) <= client_output.CAP
    assert hook.main(["user-prompt-submit"]) == 0
    assert log.last_error(planted) == ""
