"""A kind, a client and a section of the snapshot are one row each: added to a copy of the package, they work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
KIND = """
    Kind(
        "wager",
        "Wagers",
        priority=2,
        fields=("stake",),
        example="W-007",
        states=("open", "settled"),
        moves=(
            Move("settle", "settled", ("open",), _OUTCOME, "Say how a wager ended.", "who won"),
            _again("renew", "open", ("settled",), "Offer a wager again."),
        ),
        unsettled=True,
        hot="threads",
        section="Wagers Made",
        held="open wagers",
        main_rank=8,
        briefing_rank=6,
        session_rank=3,
        tools=("list", "show", "settle"),
        about="Who bets what.",
    ),
"""
SECTION = '    Section("Wagers Made", (Turn(205, LINE, "what was bet"), Turn(905, ALL, "all of it")), full=30),\n'
CLIENT = '''
"""Crow: a client of the test."""

from sleep.clients.client_table import Client

CLIENT = Client(
    name="crow",
    title="Crow",
    program="crow",
    folder=".crow",
    events=(("Wake", "session-start"), ("Rest", "stop")),
    project=".crow/hooks.json",
    user=".crow/hooks.json",
    prompt="Word",
    signs=((20, "/nest/"),),
    limits=(("stop", 4),),
    is_bare=True,
)
'''
READER = '''
"""Crow's transcript: JSON lines of `{crow, path}`."""

import json

from sleep.transcripts.events import Event

SIGNS = (b'"edit"',)


def sniff(head):
    return b'{"crow"' in head


def read(lines):
    for number, line in enumerate(lines):
        found = json.loads(line)
        yield Event("agent", found["crow"], found.get("says", ""), path=found.get("path", ""), id=f"c{number}")
'''


def put(path: Path, before: str, text: str) -> None:
    """Insert a text before the first place of another, which must be there."""
    old = path.read_text(encoding="utf-8")
    assert before in old, path
    path.write_text(old.replace(before, text + before, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a folder with a copy of the package that has a kind, a section and a client more."""
    top = tmp_path_factory.mktemp("house")
    for name in ("sleep", "dev"):
        shutil.copytree(ROOT / name, top / name)  # with what is compiled, which the copy would compile again
    own = top / "sleep"
    put(own / "records/kind_table.py", '    Kind("tone"', KIND.lstrip("\n"))
    put(own / "wake/snapshot/sections.py", '    Section(\n        "Commands"', SECTION)
    put(own / "clients/client_table.py", '    "copilot": "sleep.clients', '    "crow": "sleep.clients.crow:CLIENT",\n')
    put(own / "transcripts/readers.py", '    "opencode": "sleep', '    "crow": "sleep.transcripts.formats.crow",\n')
    (own / "clients/crow.py").write_text(CLIENT.lstrip("\n"), encoding="utf-8")
    (own / "transcripts/formats/crow.py").write_text(READER.lstrip("\n"), encoding="utf-8")
    return top


@pytest.fixture
def run(copy, tmp_path):
    """Return what runs a command of the copy in a project of its own, with a memory."""
    project = tmp_path / "project"
    project.mkdir()
    environ = {**os.environ, "PYTHONPATH": str(copy)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)

    def call(*words, says="", ok=True, code="from sleep.__main__ import main; main()"):
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=project,
            env=environ,
            input=says,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not ok or done.returncode == 0, done.stderr
        return done.stdout if ok else done.stderr

    call("init")
    call.top = project
    return call


def test_a_kind_is_a_row(run):
    """A kind that only its row names is journaled, numbered, slept on, told by wake and snapshot, found, and moved."""
    added = run("journal.add", "--kind=wager", "--text=Ana bets that flock holds", "--field=stake=a cake")
    assert added.startswith("W-001 [")
    run("sleep")
    hot = (run.top / "memory/hot/threads.md").read_text(encoding="utf-8")
    assert "## Wagers\n" in hot
    assert "**W-001** Ana bets that flock holds" in hot
    assert "- open wagers: 1 (`sleepwake wager.list`)" in (run.top / "main.md").read_text(encoding="utf-8")
    assert "W-001 Ana bets that flock holds (stake: a cake)" in run("snapshot")
    assert "## Wagers Made" in run("snapshot", "--budget", "3000")
    assert "Ana bets that flock holds" in run("wake", "--peek")
    assert "Ana bets that flock holds" in run("recall", "who bets on flock")
    assert "W-001" in run("wager.list")
    assert "can become: settled" in run("wager.show", "W-001")
    assert "--outcome is needed" in run("wager.settle", "W-001", ok=False)
    assert "W-001: open -> settled" in run("wager.settle", "W-001", "--outcome=she won")
    run("sleep")
    assert "W-001" not in run("wager.list")


def test_docs_and_tools_have_the_kind(run):
    """The generated pages and the tools of the MCP server have the kind's commands, states and fields."""
    code = "from dev import reference; from sleep.mcp_server.tools import TOOLS; import json, sys\n"
    code += (
        "print(json.dumps([reference.part('moves'), reference.part('kinds'), reference.part('tasks'), list(TOOLS)]))"
    )
    moves, kinds, tasks, tools = json.loads(run(code=code))
    assert "| wager | open (born in it) | settled (outcome) |" in moves
    assert "wager" in kinds
    assert "### sleepwake wager.settle" in tasks
    assert {"wager_list", "wager_show", "wager_settle"} <= set(tools)


def test_the_dashboard_has_the_kind(run):
    """The dashboard lists a kind that only its row names behind those that a person asks for first."""
    run("journal.add", "--kind=wager", "--text=Ana bets that flock holds", "--field=stake=a cake")
    code = "from sleep.dashboard import overview; print([kind.name for kind in overview.Reader('.').read().kinds])"
    first = "'thread', 'task', 'blocker', 'question', 'doubt', 'constraint', 'decision', 'wager', 'dead end'"
    assert run(code=code) == f"[{first}]\n"


def test_a_client_is_a_module(run):
    """A client that only its row names gets hooks, is told by its transcript, counted, and answered in its form."""
    assert "crow" in run("clients.install", "--help")
    script = "import sys, sleep.clients.installation.client_programs as p; p.script = lambda: '/usr/bin/sleepwake'\n"
    script += "from sleep.__main__ import main; main()"
    run("clients.install", "--client=crow", code=script)
    hooks = json.loads((run.top / ".crow/hooks.json").read_text(encoding="utf-8"))["hooks"]
    assert hooks["Rest"] == [{"hooks": [{"type": "command", "command": "/usr/bin/sleepwake hook stop", "timeout": 4}]}]
    nest = run.top / "nest"
    nest.mkdir()
    (nest / "a.jsonl").write_text('{"crow": "edit", "path": "a.py"}\n', encoding="utf-8")
    says = {"session_id": "c1", "transcript_path": str(nest / "a.jsonl"), "hook_event_name": "Rest"}
    run("hook", "stop", says=json.dumps(says))
    (session,) = json.loads(run("sleep.status", "--json"))["sessions"]
    assert session["client"] == "crow"
    assert session["change_count"] == 1
    told = json.loads(run("hook", "session-start", says=json.dumps({**says, "hook_event_name": "Wake"})))
    assert list(told) == ["additionalContext"]
