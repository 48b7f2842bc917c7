"""Scripts as agents on a real relay and alone, and the end of all that they started."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_tasks import COMMAND

from sleep.errors import RelayError
from sleep.relay import notices
from sleep.relay.client import Client
from sleep.relay.endpoint import Endpoint
from sleep.relay.runner import agent, process_group, solo
from sleep.relay.runner.guards import Guards, Limits
from sleep.relay.runner.process_group import Command

pytestmark = pytest.mark.relay


def script(path, code):
    """Write an agent in Python and return its words; it has `prompt`, and `turns`, the prompts so far with this one."""
    log = path / "turns.jsonl"
    head = (
        "import json, os, sys, time\nprompt = sys.stdin.read() or sys.argv[-1]\n"
        f"with open({str(log)!r}, 'a') as log: log.write(json.dumps(prompt) + '\\n')\n"
        f"turns = [json.loads(line) for line in open({str(log)!r})]\n"
    )
    (path / "agent.py").write_text(head + code, encoding="utf-8")
    return (sys.executable, str(path / "agent.py"))


def turns(path):
    """Return the prompts of an agent so far."""
    log = path / "turns.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


async def until(what, seconds=60):
    """Wait for something."""
    async with asyncio.timeout(seconds):
        while not what():  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def running(url, words, channels=("#love",), **more):
    """Run an agent named ann on a relay; yields its task and its notes."""
    notes, options = [], {"limit": more.pop("limit", 20.0), "argument": more.pop("argument", False)}
    first, secrets = more.pop("first", ""), more.pop("secrets", ())
    guards = Guards("ann", channels, more.pop("limits", None), **more)
    relay = Endpoint(url, "", "", 0)
    joined = agent.join(
        relay, "ann", None, guards, Command(words, **options), channels=channels, first=first, secrets=secrets,
        note=notes.append,
    )  # fmt: skip
    task = asyncio.ensure_future(joined)
    try:
        await until(lambda: notes or task.done())
        yield task, notes
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def said(client, who="ann", seconds=60):
    """Return the next thing that an agent says."""
    async with asyncio.timeout(seconds):
        async for heard in client:
            if isinstance(heard, notices.Message) and heard.name == who:
                return heard
    raise AssertionError("the session ended")


def test_sleeps_and_wakes(relay, tmp_path):
    """A message is a prompt, the answer goes to the channel without its marker, and on waking it gets what was kept."""
    words = script(
        tmp_path,
        "who = 'bob:'\nprint('I rest @@sleep:2s:buffer@@' if len(turns) == 1 else "
        "f'turn {len(turns)}, {prompt.count(who)} heard')",
    )
    url = relay().url

    async def run():
        async with Client(url, "bob") as bob, running(url, words) as (_, notes):
            await bob.send("#love", "hello")
            assert (await said(bob)).text == "I rest"
            await until(lambda: "said 6 characters to #love, asleep for 2 s" in notes)
            assert "a turn: 1 message, for #love" in notes
            echo = (await bob.send("@ann", "a dm")).echo
            assert echo["recipient"] == "sleeping"
            await bob.send("#love", "in the channel")
            assert len(turns(tmp_path)) == 1
            answer = await said(bob)
            assert (answer.text, answer.to) == ("turn 2, 2 heard", "#love")
            await bob.send("@ann", "psst")
            answer = await said(bob)
            assert (answer.text, answer.to) == ("turn 3, 1 heard", bob.agent)

    asyncio.run(run())
    first, second, third = turns(tmp_path)
    assert "[#love] bob: hello" in first
    assert second.index("[to you alone] bob: a dm") < second.index("[#love] bob: in the channel")
    assert "You slept, and are awake again." in second
    assert "slept" not in third


def test_bots_that_echo(relay, tmp_path):
    """Two agents that answer everything stop at their number of turns, and neither answers itself."""
    url = relay().url
    words = script(tmp_path, "print('answer', len(turns))")

    async def run():
        async with Client(url, "bob") as bob, running(url, words, limits=Limits(turns=3, settle=0.0)) as (_, notes):
            await bob.send("#love", "go")
            for _ in range(3):
                heard = await said(bob)
                await bob.send("#love", f"and then? {heard.text}")
            await asyncio.sleep(1.5)
            assert sum(note.startswith("a turn") for note in notes) == 3

    asyncio.run(run())
    assert len(turns(tmp_path)) == 3


def test_what_fails_says_nothing(relay, tmp_path):
    """A turn that fails, takes too long or cannot be is told here and to nobody else; the next one goes on."""
    url = relay().url
    words = script(
        tmp_path,
        "if 'fail' in prompt: print('half'); sys.exit(3)\n"
        "if 'hang' in prompt: print('half', flush=True); time.sleep(60)\n"
        "print('fine')",
    )

    async def run():
        async with Client(url, "bob") as bob, running(url, words, limit=2.0) as (_, notes):
            await bob.send("#love", "fail")
            await until(lambda: any("failed with 3" in note for note in notes))
            await bob.send("#love", "hang")
            await until(lambda: any("ended at its limit" in note for note in notes))
            await bob.send("#love", "go")
            assert (await said(bob)).text == "fine"

    asyncio.run(run())


def test_kicked_and_first(relay, tmp_path):
    """It can be prompted at once; secrets are not sent; and when it is thrown out it ends, with its reason."""
    hosted = relay()
    words = script(tmp_path, "print('key: hunter2hunter2')")

    async def run():
        async with (
            Client(hosted.url, "bob") as bob,
            running(hosted.url, words, first="introduce yourself", secrets=["hunter2hunter2"]) as (task, _),
        ):
            assert (await said(bob)).text.startswith("key: [REDACTED")
            frame = {"type": "ADMIN_KICK", "agent_id": "ann", "admin_key": hosted.server.admin, "reason": "enough"}
            await bob.ask(frame)
            with pytest.raises(RelayError, match="enough"):
                await task

    asyncio.run(run())


def test_ways_to_prompt(tmp_path):
    """A prompt goes to standard input, to the last argument, or where `{}` stands; and it is never an option."""
    show = (sys.executable, "-c", "import json, sys; print(json.dumps([sys.argv[1:], sys.stdin.read()]))")

    async def turn(*words, argument=False, prompt="-x é \0\ud800"):
        ended = await Command((*show, *words), argument).turn(prompt)
        assert ended.code == 0
        return json.loads(ended.output)

    async def run():
        assert await turn("a") == [["a"], "-x é ?"]
        assert await turn("a", argument=True) == [["a", " -x é ?"], ""]
        assert await turn("{}", "a{}", "b", argument=True) == [[" -x é ?", "a{}", "b"], ""]
        assert (await Command(("/no/such",)).turn("x")).code == 127
        big = await Command((sys.executable, "-c", "print('x' * 9_000_000)")).turn("y" * 1_000_000)
        assert (big.code, len(big.output)) == (0, 4 * 2**20)

    asyncio.run(run())


def alive(path):
    """Return whether the process whose number a file has is alive."""
    with contextlib.suppress(OSError, ValueError):
        stat = Path(f"/proc/{int(path.read_text())}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] != "Z"
    return False


def wait(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


GRANDCHILD = (
    "import os, subprocess, sys, time; p = subprocess.Popen(['sleep', '300']); "
    "open(sys.argv[1], 'w').write(str(p.pid)); "
)


def test_nothing_is_left(tmp_path):
    """What a turn started ends with it: when it returns with its output held open, at its limit, and cancelled."""

    async def run():
        for number, (code, limit) in enumerate((("print('ok')", 20), ("time.sleep(300)", 1.0))):
            path = tmp_path / str(number)
            ended = await Command((sys.executable, "-c", GRANDCHILD + code, str(path)), limit=limit).turn("")
            assert ended == ((0, "ok\n") if number == 0 else (None, ""))
            wait(lambda path=path: not alive(path))
        path = tmp_path / "cancelled"
        words = (sys.executable, "-c", GRANDCHILD + "time.sleep(300)", str(path))
        task = asyncio.ensure_future(Command(words).turn(""))
        await until(lambda: alive(path))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not alive(path)

    asyncio.run(run())


def test_ended_while_a_turn_ends(tmp_path, monkeypatch):
    """Who is told to end while a turn is ended at its limit ends then, and has no next turn."""
    monkeypatch.setattr(process_group, "_GRACE", 30.0)
    path = tmp_path / "asked"
    code = "signal.signal(signal.SIGTERM, lambda *_: open(sys.argv[1], 'w').write(str(os.getpid()))); time.sleep(300)"
    words = (sys.executable, "-c", f"import os, signal, sys, time; {code}; time.sleep(300)", str(path))

    async def run():
        task = asyncio.ensure_future(Command(words, limit=1.0).turn(""))
        await until(lambda: alive(path) or task.done())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: not alive(path))  # it was killed, which takes a moment

    asyncio.run(run())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_ended_with_us(tmp_path, number):
    """Whatever ends the runner ends the agent's whole process group."""
    path = tmp_path / "pid"
    words = (
        "relay.run",
        "--alone",
        "--prompt=x",
        "--",
        sys.executable,
        "-c",
        GRANDCHILD + "time.sleep(300)",
        str(path),
    )
    child = subprocess.Popen([sys.executable, "-c", COMMAND, *words], cwd=tmp_path)
    wait(lambda: alive(path))
    child.send_signal(number)
    assert child.wait(60) == (0 if number != signal.SIGKILL else -9)
    wait(lambda: not alive(path))


def test_alone(tmp_path):
    """Without a relay an agent is prompted, sleeps as it says, is prompted again, and ends when it does not sleep."""
    words = script(tmp_path, "print('zzz @@sleep:0.5s@@' if len(turns) < 3 else 'done')")
    heard, began = [], time.monotonic()
    asyncio.run(solo.run(Command(words), Limits(), "look at the build", heard.append))
    assert heard == ["zzz", "zzz", "done"]
    assert time.monotonic() - began >= 1.0
    first, second, _ = turns(tmp_path)
    assert first == "look at the build"
    assert second == "<relay-runner>You slept 0.5 s, and are awake again.</relay-runner>\n\nlook at the build"
    with pytest.raises(RelayError, match="failed with 127"):
        asyncio.run(solo.run(Command(("/no/such",)), Limits(), "x", heard.append))


def test_killed_in_a_turn(relay, tmp_path):
    """What a keyed runner heard and had not answered is its first prompt after a kill -9, and only that."""
    url, path = relay().url, tmp_path / "ann.json"
    pending = tmp_path / "ann.json.pending.jsonl"
    words = script(
        tmp_path,
        "if prompt.count('hang') and len(turns) == 2: time.sleep(300)\nprint('fine', len(turns), prompt.count('bob:'))",
    )
    options = ("--name=ann", "--channel=#love", f"--url={url}", f"--identity={path}", "--new", "--", *words)
    call = [sys.executable, "-c", COMMAND, "relay.run", *options]

    def start():
        return subprocess.Popen(call, cwd=tmp_path)

    async def run():
        async with Client(url, "bob") as bob:
            child = start()
            try:
                await come(bob)
                await bob.send("#love", "hello")
                assert (await said(bob)).text == "fine 1 1"
                await bob.send("@ann", "hang")
                await until(lambda: len(turns(tmp_path)) == 2)
                await bob.send("@ann", "and wait")
                await until(lambda: "and wait" in pending.read_text())
            finally:
                child.kill()
                child.wait()
            assert pending.stat().st_mode & 0o777 == 0o600
            child = start()
            try:
                assert (await said(bob)).text == "fine 3 2"
                await until(lambda: "hang" not in pending.read_text())
            finally:
                child.terminate()
                assert child.wait(60) == 0

    asyncio.run(run())
    last = turns(tmp_path)[-1]
    assert "You were started again" in last
    assert last.index("bob: hang") < last.index("bob: and wait")
    assert "hello" not in last


async def come(client, who="ann"):
    """Wait until an agent is there."""
    async with asyncio.timeout(90):
        while not any(one["name"] == who for one in await client.join("#love")):  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0.05)


def test_command(relay, tmp_path):
    """The task takes the words behind `--` as they are, also without the extra when alone."""
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "websockets.py").write_text("raise ModuleNotFoundError('x', name='websockets')")
    path = os.pathsep.join([str(tmp_path / "absent"), *filter(None, sys.path)])

    def call(*words, **more):
        ended = subprocess.run(
            [sys.executable, "-c", COMMAND, "relay.run", *words], capture_output=True, timeout=60, check=False,
            cwd=tmp_path, text=True, env={**environ, **more}, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return ended.returncode, ended.stdout, ended.stderr

    code, out, err = call("--alone", "--prompt", "a  b", "--", "sh", "-c", 'echo "<$0>"; cat', "x  y", PYTHONPATH=path)
    assert (code, out) == (0, "<x  y>\na  b\n"), err
    assert call("--alone", "--prompt=x")[0] == 2
    assert call("--alone", "--", "cat")[0] == 2
    code, _, err = call("--alone", "--prompt=x", "--turns=0", "--", "cat")
    assert (code, "--turns is 0" in err) == (2, True)
    assert call("--name=ann", "--", "cat", PYTHONPATH=path)[0] == 12
    code, _, err = call("--name=ann", "--channel=#nowhere", f"--url={relay().url}", "--", "cat")
    assert (code, "#nowhere" in err) == (12, True)
