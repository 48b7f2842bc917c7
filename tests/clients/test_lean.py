"""What hooks load: every agent waits for it on every turn."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.conftest import SOUL
from tests.clients.hooks.test_hook import own
from tests.clients.hooks.test_prompt_answer import SAID, planted, prompt

assert planted  # a fixture
# Each costs a hook 3 to 200 ms.
HEAVY = {
    *("argparse", "asyncio", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "git", "hashlib", "html"),
    *("importlib.metadata", "importlib.resources", "inspect", "invoke", "logging", "mistune", "pathlib", "platform"),
    *("rich", "ruamel", "select", "shlex", "shutil", "socket", "ssl", "subprocess", "tempfile", "threading", "urllib"),
    *("uuid", "zoneinfo"),
}
# What a stop may not load, and a start may: the first is its bar of 2.5 times an empty Python.
RARE = {
    "sleep.wake",
    "sleep.clients.hooks.client_output",
    "sleep.clients.hooks.hook_child",
    "sleep.clients.hooks.session_context",
    "sleep.clients.hooks.log",
    "json",
}
CODE = """
import sys
from sleep import __main__
try:
    __main__.main(["sleepwake", "hook", sys.argv[1]])
except SystemExit as end:
    code = end.code
sys.stderr.write("\\n".join([str(code), *sys.modules]))
"""


def loaded(memory, event, given):
    """Return the modules that a hook loads in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, event],
        input=json.dumps(given).encode(),
        capture_output=True,
        cwd=memory.base,
        check=True,
    )
    code, *names = done.stderr.decode().split("\n")
    assert code == "0"
    return set(names), done.stdout.decode()


@pytest.fixture
def given(transcript):
    """Return what a client says, with a transcript."""
    return {
        "session_id": "s",
        "transcript_path": transcript(5, "Write"),
        "last_assistant_message": "I made the key change in the lock: it passes.",
        "hook_event_name": "Stop",
    }


@pytest.mark.parametrize(
    "event", ["stop", "session-start", "subagent-start", "user-prompt-submit", "pre-compact", "session-end"]
)
def test_no_hook_loads_anything_heavy(memory, given, event):
    """No hook loads git, Invoke, a parser of Markdown or YAML, nor what is slow in the standard library."""
    names, _ = loaded(memory, event, {**given, "prompt": "x"})
    assert not {name for name in names if name in HEAVY or name.partition(".")[0] in HEAVY}


def test_a_prompt_that_is_answered_loads_as_little(planted):
    """With the index asked and a passage given, neither Python's own `sqlite3` nor what indexes is loaded."""
    names, said = loaded(planted, "user-prompt-submit", prompt())
    assert SAID in said
    assert not {name for name in names if name in HEAVY or name.partition(".")[0] in HEAVY}
    assert not names & {
        "sqlite3",
        "typing",
        "sleep.recall.index.database",
        "sleep.recall.index.rows",
        "sleep.recall.index.index_file",
        "sleep.language.tokens",
    }
    assert "sleep.recall.prompt_match" in names


def test_a_prompt_loads_no_index_where_that_is_off(memory):
    """Where the setting is off a prompt loads nothing that asks an index."""
    names, said = loaded(memory, "user-prompt-submit", prompt())
    assert said == ""
    assert not any(name.startswith(("sleep.recall", "_sqlite3")) for name in names)


def test_a_stop_loads_what_a_stop_needs(memory, given):
    """A stop loads neither the snapshot nor the answers, and counts all the same."""
    names, said = loaded(memory, "stop", given)
    assert said == ""
    assert "sleep.debt.book" in names
    assert not {name for name in names if name in RARE or name.startswith("sleep.wake.")}


def test_a_stop_that_asks_loads_as_little(memory, given, monkeypatch):
    """Where the agent is asked to journal, edits or none, nothing heavy is loaded; by default nothing for it is."""
    own(memory)
    names, _ = loaded(memory, "stop", given)
    assert "sleep.clients.hooks.journal_request" not in names
    monkeypatch.setenv("SLEEP_JOURNAL_ASK", "once")
    monkeypatch.setenv("CLAUDECODE", "1")
    spoken = {
        "stop_hook_active": False,
        "last_assistant_message": "The ledger takes flock now, because the network drive has no server.",
    }
    for session in ("edited", "talked"):
        names, said = loaded(memory, "stop", {**given, **spoken, "session_id": session})
        assert "journal.add" in said
        assert not {name for name in names if name in HEAVY or name.partition(".")[0] in HEAVY}
        Path(given["transcript_path"]).write_text("", encoding="utf-8")


@pytest.mark.parametrize("event", ["session-start", "subagent-start"])
def test_a_start_loads_neither_typing_nor_what_runs_children(memory, given, event):
    """A start that has nothing done by a child loads neither typing nor signals, nor tables of all signs."""
    names, said = loaded(memory, event, given)
    assert said
    assert not names & {"typing", "signal", "contextlib", "unicodedata", "sleep.clients.hooks.hook_child"}


def test_a_start_says_the_soul(memory, given):
    """The start of a session, in a process of its own, prints the snapshot."""
    assert SOUL.rpartition("\n")[2] in loaded(memory, "session-start", {"session_id": "t"})[1]
    assert given


def test_nothing_is_loaded_for_what_is_ignored(memory):
    """A sub-agent's stop, and a hook that is switched off, load nothing of the ledger."""
    names, _ = loaded(memory, "subagent-stop", {"session_id": "s"})
    assert not any(name.startswith("sleep.debt") for name in names)
