"""The commands, as a user calls them, each a process of its own."""

from __future__ import annotations

import getpass
import json
import os
import subprocess
import sys

import pytest

from sleep.relay.engine import names
from sleep.tasks.extras import relay

pytestmark = pytest.mark.relay
COMMAND = (
    "import sys; from invoke.program import Program; from sleep.tasks.command_line import invoke_program; "
    "from sleep.tasks.extras import relay; "
    "Program(namespace=invoke_program.made(relay.TASKS)).run(['sleepwake', *sys.argv[1:]])"
)


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in an empty folder and returns (exit code, output, errors)."""
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "SLEEP_RELAY_RATE_MS": "0"}

    def run(*words, start=False, **more):
        call = [sys.executable, "-c", COMMAND, *words]
        options = {"cwd": tmp_path, "env": {**environ, **more}, "text": True, "stdin": subprocess.DEVNULL}
        if start:
            return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        ended = subprocess.run(call, capture_output=True, timeout=60, check=False, **options)
        return ended.returncode, ended.stdout, ended.stderr

    return run


@pytest.fixture
def served(run):
    """Return the facts of a relay that was started by command, and end it as Ctrl-C does."""
    child = run("relay.serve", "--port", "0", "--json", start=True)
    lines = []
    while not lines or not lines[-1].startswith("}"):
        lines.append(child.stdout.readline())
        assert lines[-1], lines
    yield json.loads("".join(lines))
    child.terminate()
    assert child.wait(60) == 0
    child.stdout.close()


def test_whole(run, served):
    """A relay is served, spoken to, listened to, looked at, and rid of a sleeper."""
    listener = run(
        "relay.listen", "--name", "lis", "--json", "--seconds", "300", "--identity", "lis.json", "--new", start=True
    )
    assert json.loads(listener.stdout.readline())["event"] == "welcome"
    code, out, err = run("relay.send", "--to", "@lis", "--text", "hello", "--name", "bob", "--json")
    assert code == 0, err
    ident = json.loads(out)["msg_id"]
    heard = {}
    while heard.get("ident") != ident:
        heard = json.loads(listener.stdout.readline())
    assert (heard["event"], heard["text"], heard["name"]) == ("message", "hello", "bob")
    status = json.loads(run("relay.status", "--json")[1])
    assert [(one["name"], one["presence"]) for one in status["agents"]] == [("lis", "online")]
    shown = run("relay.status")[1]
    assert "lis" in shown
    assert shown.endswith(f"dashboard: {served['dashboard']}\n")
    assert served["dashboard"].startswith(served["url"].replace("ws:", "http:") + "/?token=")
    code, out, err = run("relay.kick", "lis", "--reason", "enough")
    assert (code, out.strip().split()[1:]) == (0, ["is", "out"]), err
    rest = listener.communicate(timeout=60)[0].splitlines()
    assert json.loads(rest[-1]) == {"event": "ended", "why": "enough"}
    assert served["url"].startswith("ws://127.0.0.1:")


def test_an_identity_has_a_name(run, served, tmp_path):
    """Who speaks with an identity, agentchat's too, has its name, unless another one is given."""
    assert run("relay.listen", "--identity", "eve.json", "--new", "--name", "eve", "--seconds", "0.1")[0] == 0
    kept = json.loads((tmp_path / "eve.json").read_text())
    theirs = {"name": "dave", "publicKey": kept["pubkey"], "privateKey": kept["privkey"]}
    (tmp_path / "dave.json").write_text(json.dumps(theirs))
    for words, name in ((("eve.json",), "eve"), (("dave.json",), "dave"), (("dave.json", "--name", "eva"), "eva")):
        code, out, err = run("relay.send", "--to", "#love", "--text", "x", "--json", "--identity", *words)
        assert code == 0, err
        assert json.loads(out)["echo"]["from_name"] == name


def test_refusals(run, served):
    """What goes wrong is one sentence and an exit code."""
    code, _, err = run("relay.send", "--to", "@nobody", "--text", "x", "--name", "bob")
    assert (code, err.splitlines()[0]) == (12, "@nobody: Agent @nobody not found")
    assert run("relay.send", "--text", "x")[0] == 2
    assert run("relay.kick", "nobody")[0] == 12
    assert run("relay.status", "--url", "ws://127.0.0.1:9")[0] == 12
    assert run("relay.serve", "--host", "0.0.0.0", "--port", "0", "--journal", "off")[0] == 12  # noqa: S104


def test_none(run):
    """Without a relay the commands say how to get one."""
    code, _, err = run("relay.status")
    assert code == 12
    assert "relay.serve" in err


def test_without_the_extra(run, tmp_path):
    """Without the libraries the commands say what to install."""
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "websockets.py").write_text("raise ModuleNotFoundError('x', name='websockets')")
    code, _, err = run("relay.serve", PYTHONPATH=os.pathsep.join([str(tmp_path / "absent"), *filter(None, sys.path)]))
    assert code == 12
    assert "pip install 'sleepwake[relay]'" in err


@pytest.mark.parametrize(
    ("user", "name"), [("ana", "ana"), ("root", "root-user"), ("ana.maria", "ana-maria"), ("bot", "bot-user")]
)
def test_who_gives_no_name_has_one_that_is_accepted(monkeypatch, user, name):
    """The name of the machine's user is taken, or what the relay accepts in its place: root may speak too."""
    monkeypatch.setattr(getpass, "getuser", lambda: user)
    assert relay._name("") == name
    assert not names.refusal(name)
