"""The commands, as a user calls them, each a process of its own."""

from __future__ import annotations

import getpass
import json
import os
import re
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from sleep import extra_install, settings
from sleep.relay import configuration
from sleep.relay.endpoint import Endpoint
from sleep.relay.engine import names
from sleep.tasks.extras import relay

pytestmark = pytest.mark.relay
COMMAND = (
    "import sys; from invoke.program import Program; from sleep.tasks.command_line import invoke_program; "
    "from sleep.tasks.extras import relay; "
    "Program(namespace=invoke_program.made(relay.TASKS)).run(['sleepwake', *sys.argv[1:]])"
)

SAYS = ("--to", "#love", "--text", "x")
AGENT = "grep -q slept && echo up || echo 'good night @@sleep:0.1s@@'"


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
    assert served["dashboard"] == served["url"].replace("ws:", "http:") + "/"
    assert shown.endswith(f"dashboard: {served['dashboard']} (with its key: sleepwake relay.status, on a terminal)\n")
    code, out, err = run("relay.kick", "lis", "--reason", "enough")
    assert (code, out.strip().split()[1:]) == (0, ["is", "out"]), err
    rest = listener.communicate(timeout=60)[0].splitlines()
    assert '{"event": "ended", "why": "enough"}' in rest
    assert served["url"].startswith("ws://127.0.0.1:")


def test_a_listener_is_ended_in_good_order(run, served):
    """Ctrl-C is how a person leaves a chat: that is no failure, and says nothing."""
    listener = run("relay.listen", "--talk", "--json", start=True)
    assert json.loads(listener.stdout.readline())["event"] == "welcome"
    listener.send_signal(signal.SIGINT)
    rest = listener.communicate(timeout=60)[0]
    assert (listener.returncode, [row for row in rest.splitlines() if not row.startswith("{")]) == (0, [])


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


def test_a_channel_that_is_none(run, served):
    """Who would listen to less than was asked for is told so on standard error; only an error as JSON is printed."""
    for words in (("#brandnew",), ("love", "--json"), ("#love", "--channel", "#brandnew")):
        code, out, err = run("relay.listen", "--name", "lis", "--seconds", "30", "--channel", *words)
        assert code == 12
        assert json.loads(out)["where"] == "love" if "--json" in words else out == ""
        assert err.startswith(("#brandnew: Channel #brandnew not found", "love: a channel is # and")), err


def test_a_session_that_the_relay_ends(run, served):
    """Who is thrown out is told, and ends with an error."""
    listener = run("relay.listen", "--name", "lis", "--channel", "#love", start=True)
    assert listener.stdout.readline().startswith("connected")
    assert run("relay.kick", "lis", "--reason", "enough")[0] == 0
    assert "the relay ended the session: enough" in listener.communicate(timeout=60)[0]
    assert listener.returncode == 12


def test_addresses_that_are_none(run):
    """A port that no machine has, and a URL of something else, are words that are off, not a bug of ours."""
    for words in (("send", "--to", "#love", "--text", "x"), ("listen",), ("status",)):
        code, _, err = run(f"relay.{words[0]}", "--url", "ws://127.0.0.1:99999", *words[1:])
        assert code == 2
        assert err.startswith("--url is 'ws://127.0.0.1:99999' (would be right: ws://host:port")
    code, _, err = run("relay.serve", "--port", "70000")
    assert (code, err.partition("\n")[0]) == (2, "relay.port: 70000 is no port (would be right: 0 to 65535)")


def test_a_command_that_is_none(run, served, tmp_path):
    """An agent whose command cannot be run does not come in, is given no key, and takes no turn."""
    (tmp_path / "notes.md").write_text("x")
    for word in ("/nonexistent/cmd", "no-such-command", "./notes.md"):
        for more in ((), ("--alone", "--prompt", "x")):
            code, out, err = run("relay.run", "--identity", "ann.json", "--new", *more, "--", word)
            assert (code, out) == (12, "")
            assert err.startswith(f"{word}: cannot be run")
    assert not (tmp_path / "ann.json").exists()


def test_what_a_runner_says_has_its_time(run):
    """The log of an agent is read on the next day: each line says when that was."""
    code, out, err = run("relay.run", "--alone", "--prompt", "x", "--limit", "60", "--", "sh", "-c", AGENT)
    assert (code, out) == (0, "good night\nup\n")
    assert re.fullmatch(r"\d\d:\d\d:\d\d asleep for 0\.1 s\n", err)


def test_a_new_identity_needs_its_file(run):
    """Without a file an identity cannot be made: the flag is not passed over."""
    for words in (("listen", "--new"), ("run", "--new", "--", "cat")):
        code, _, err = run(f"relay.{words[0]}", "--url", "ws://127.0.0.1:9", *words[1:])
        assert (code, err.partition("\n")[0]) == (2, "--new makes the file that --identity names")
    code, _, err = run("relay.listen", "--url", "ws://127.0.0.1:9", "--new", "--identity", "typo/eve.json")
    assert (code, err.startswith("--identity: there is no folder ")) == (2, True)


def test_a_marker_of_who_leaves(run, served):
    """Who sends one message and leaves is told that its sleep and callbacks end; without a marker nothing is said."""
    for text in ("night @@sleep:60s@@", "@@cb:30s@@x"):
        code, _, err = run("relay.send", "--to", "#love", "--text", text)
        assert (code, "ends when its agent leaves" in err) == (0, True)
    assert run("relay.send", "--to", "#love", "--text", "`@@sleep:60s@@`")[2] == ""


def test_none(run):
    """Without a relay the commands say how to get one."""
    for words in (("status",), ("status", "--url", "ws://127.0.0.1:9"), ("send", "--url", "ws://127.0.0.1:9", *SAYS)):
        code, _, err = run(f"relay.{words[0]}", *words[1:])
        assert code == 12
        assert "Hint: sleepwake relay.serve" in err


def test_a_setting_may_be_one_line(tmp_path):
    """`relay.rate_ms: 5`, as pages and refusals name it, counts as in its group, and its neighbours read past it."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "sleep.yaml").write_text("relay:\n  port: 1\nrelay.rate_ms: 5\n")
    fields = relay._file(str(tmp_path))
    assert fields == {"port": 1, "rate_ms": 5}
    assert configuration.resolve({}, fields).relay_rate_ms == 5
    assert settings.resolve({"relay.rate_ms": 5}, environ={}) == settings.Settings()


def test_settings_that_cannot_be_read(run, tmp_path):
    """A relay that is started beside a broken `sleep.yaml` names the file and its line, and does not start."""
    (tmp_path / "memory" / "state").mkdir(parents=True)
    (tmp_path / "memory" / "sleep.yaml").write_text("- no map\n")
    code, out, err = run("relay.serve", "--port", "0")
    assert (code, out) == (5, "")
    assert "line 1: not a map" in err
    assert "Hint: mend the line" in err


def test_without_the_extra(run, tmp_path):
    """Without the libraries the commands say what to install."""
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "websockets.py").write_text("raise ModuleNotFoundError('x', name='websockets')")
    code, _, err = run("relay.serve", PYTHONPATH=os.pathsep.join([str(tmp_path / "absent"), *filter(None, sys.path)]))
    assert code == 12
    assert extra_install.command("relay") in err


@pytest.mark.parametrize(
    ("user", "name"), [("ana", "ana"), ("root", "root-user"), ("ana.maria", "ana-maria"), ("bot", "bot-user")]
)
def test_who_gives_no_name_has_one_that_is_accepted(monkeypatch, user, name):
    """The name of the machine's user is taken, or what the relay accepts in its place: root may speak too."""
    monkeypatch.setattr(getpass, "getuser", lambda: user)
    assert relay._name("") == name
    assert not names.refusal(name)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_link_with_its_key_is_for_a_terminal(monkeypatch, is_terminal):
    """Where an agent may read it the dashboard's link has no key, not even one that was taken out, and says so."""
    monkeypatch.setattr(relay.sys, "stdout", SimpleNamespace(isatty=lambda: is_terminal))
    shown = relay._dashboard(Endpoint("ws://127.0.0.1:1", "", "", 1, "k3y"))
    assert shown.startswith("http://127.0.0.1:1/?token=k3y " if is_terminal else "http://127.0.0.1:1/ (with its key: ")
