"""The server by hand, line by line, on both revisions of the protocol."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import threading

import pytest

from sleep.store import layout, lock
from tests.mcp.wire import ENVELOPE, HANDSHAKE, MODERN, PATIENCE, SLEEPWAKE, is_alive, said, until

pytestmark = pytest.mark.mcp


@pytest.fixture
def held(project):
    """Hold the memory's lock, so that a command that writes waits; yields what lets go of it."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(lock.hold(layout.find_root(str(project)), "a test", 5.0))
        yield stack.close


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        (HANDSHAKE, HANDSHAKE),
        ("2031-01-01", HANDSHAKE),
    ],
)
def test_every_revision_with_a_handshake_is_spoken(serve, asked, given):
    """The revision that a client asks for is spoken, the newest with a handshake for one that nobody knows."""
    wire = serve()
    found = wire.hello(asked)
    assert found["protocolVersion"] == given
    assert set(found["capabilities"]) == {"tools", "resources", "prompts"}
    assert "recall" in found["instructions"]
    tools = {one["name"]: one for one in wire.ask("tools/list")["result"]["tools"]}
    assert {"recall", "trace", "wake", "journal_add", "thread_open", "decision_reverse", "status", "debt"} <= set(tools)
    assert wire.call("thread_list") == ("none", False)


def test_the_status_is_one_screen(serve):
    """What there is and what is due is told as a person is shown it, and nothing is changed by it."""
    wire = serve()
    wire.hello()
    wire.call("thread_open", text="a thread")
    text, error = wire.call("status")
    assert not error
    assert "open" in text
    assert "instance" in text
    assert wire.call("status") == (text, False)


def test_the_revision_without_a_handshake_is_spoken(serve):
    """Every request that bears its revision is answered with no handshake before it, and says what it is."""
    wire = serve()
    found = wire.ask("server/discover", {"_meta": ENVELOPE})["result"]
    assert MODERN in found["supportedVersions"]
    assert "recall" in found["instructions"]
    listed = wire.ask("tools/list", {"_meta": ENVELOPE})["result"]
    assert listed["resultType"] == "complete"
    assert {"recall", "wake"} <= {one["name"] for one in listed["tools"]}
    answer = wire.ask("tools/call", {"name": "thread_open", "arguments": {"text": "a thread"}, "_meta": ENVELOPE})
    assert said(answer)[0].startswith("T-001 [i1")
    wrong = wire.ask("tools/call", {"name": "thread_show", "arguments": {"handle": "T-9"}, "_meta": ENVELOPE})
    assert said(wrong)[1] is True
    read = wire.ask("resources/read", {"uri": "sleep://main.md", "_meta": ENVELOPE})["result"]
    assert read["contents"][0]["text"].startswith("# ")
    assert wire.ask("no/such", {"_meta": ENVELOPE})["error"]["code"] == -32601
    future = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    assert MODERN in wire.ask("tools/list", {"_meta": future})["error"]["data"]["supported"]


def test_a_probe_before_the_handshake_is_answered(serve):
    """A client that asks for what an older server lacks is told so at once, and can shake hands then."""
    wire = serve()
    assert wire.ask("server/discover")["error"]["code"] == -32601
    assert wire.ask("no/such")["error"]["code"] == -32601
    assert wire.hello()["protocolVersion"] == HANDSHAKE
    assert wire.ask("no/such", {"a": 1})["error"]["code"] == -32601
    assert wire.ask("ping")["result"] == {}


def test_a_client_that_did_not_wait_for_its_probe_can_shake_hands(serve):
    """Where a probe and a handshake come together, as from a slow start, both are answered and the handshake holds."""
    wire = serve()
    wire.send("server/discover", {"_meta": ENVELOPE}, id="probe")
    who = {"name": "by hand", "version": "1"}
    wire.send("initialize", {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": who}, id="hello")
    answers = {one["id"]: one["result"] for one in (wire.answer(), wire.answer())}
    assert MODERN in answers["probe"]["supportedVersions"]
    assert answers["hello"]["protocolVersion"] == HANDSHAKE
    wire.send("notifications/initialized")
    assert wire.call("thread_list") == ("none", False)


def test_who_speaks_without_a_handshake_stays_with_it(serve):
    """A handshake after a request that bears its revision is refused, with the revisions that are spoken."""
    wire = serve()
    assert "tools" in wire.ask("tools/list", {"_meta": ENVELOPE})["result"]
    who = {"name": "by hand", "version": "1"}
    refused = wire.ask("initialize", {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": who})
    assert MODERN in refused["error"]["data"]["supported"]


def test_what_is_no_message_is_answered_and_forgotten(serve):
    """A line that is no JSON, or no message, gets JSON-RPC's error for it, before and after the handshake."""
    wire = serve()

    def refused(line):
        wire.line(line)
        found = wire.answer()
        assert found["id"] is None
        return found["error"]["code"]

    lines = ("no JSON", '{"jsonrpc": "2.0", "id": 1, "method"', b"\xff\xfe\n", "")
    assert [refused(line) for line in lines] == [-32700] * 4
    wire.hello()
    assert [refused(line) for line in lines] == [-32700] * 4
    lines = ("[]", "7", '{"jsonrpc": "2.0", "id": 7}', '{"id": 7, "method": "ping"}', "{}")
    assert [refused(line) for line in lines] == [-32600] * 5
    assert wire.ask("ping")["result"] == {}


def test_notifications_are_not_answered(serve):
    """Whatever a notification says, the next line is the answer to the next request."""
    wire = serve()
    wire.hello()
    for method in ("notifications/initialized", "notifications/no/such", "notifications/cancelled", "tools/list"):
        wire.send(method, {"requestId": 99, "reason": "none"})
    assert wire.ask("ping")["result"] == {}


def test_a_wrong_call_is_an_error_that_a_model_can_mend(serve):
    """A tool's error is a sentence and a hint; only an unknown tool is an error of the protocol."""
    wire = serve()
    wire.hello()
    said = {
        "missing": wire.call("journal_add", text="x"),
        "choice": wire.call("journal_add", kind="thought", text="x"),
        "flag": wire.call("thread_show", handle="--root=/"),
        "unknown": wire.call("debt", budget=1),
        "record": wire.call("decision_show", handle="D-999"),
    }
    assert all(error for _, error in said.values())
    assert "needs kind" in said["missing"][0]
    assert "one of: constraint" in said["choice"][0]
    assert "T-001" in said["flag"][0]
    assert "budget" in said["unknown"][0]
    assert "there is no decision D-999\nHint: `decision_list` with all" in said["record"][0]
    assert "`trace` D-999" in said["record"][0]  # one that left the tiers is still found
    assert not any("Traceback" in text for text, _ in said.values())
    assert wire.ask("tools/call", {"name": "no_such"})["error"]["code"] == -32602


def test_without_a_memory_the_tools_say_what_to_do(serve, tmp_path):
    """In a folder without a memory the server starts and lists, and its tools name the command that makes one."""
    wire = serve(folder=tmp_path)
    wire.hello()
    assert wire.ask("resources/list")["result"] == {"resources": []}
    for tool, given in (("recall", {"question": "why"}), ("wake", {}), ("journal_add", {"kind": "note", "text": "x"})):
        text, error = wire.call(tool, **given)
        assert error
        assert "Hint: sleepwake init" in text


def test_the_root_can_be_named(serve, project, tmp_path):
    """A server that was started elsewhere serves the memory that `--root` names."""
    wire = serve("--root", str(project), folder=tmp_path)
    wire.hello()
    text, error = wire.call("journal_add", kind="note", text="from elsewhere")
    assert not error, text
    assert "from elsewhere" in "".join(path.read_text() for path in (project / "journal").glob("*.md"))
    assert wire.ask("resources/list")["result"]["resources"][0]["uri"] == "sleep://main.md"


def test_a_huge_message_costs_its_sender_an_error_and_nobody_else_anything(serve, project):
    """Twenty megabytes in one line are refused as too long, and the longest text that is allowed is written whole."""
    wire = serve()
    wire.hello()
    text, error = wire.call("journal_add", kind="note", text="x" * 20_000_000)
    assert error
    assert "20000000 characters (would be right: at most 100000)" in text
    most = "größer 漢字\n" + "word " * 19_990
    text, error = wire.call("journal_add", kind="note", text=most[:100_000])
    assert not error, text
    assert "word word word" in (project / "journal/instance-1.md").read_text(encoding="utf-8")


def test_a_cancelled_call_ends_its_child_and_is_not_answered(serve, project, held):
    """After `notifications/cancelled` the command is dead, no answer comes, and nothing was written."""
    wire = serve()
    wire.hello()
    number = wire.start("tools/call", {"name": "journal_add", "arguments": {"kind": "note", "text": "cancelled"}})
    child = wire.child()
    assert wire.ask("ping")["result"] == {}  # one that waits stops nobody else
    wire.send("notifications/cancelled", {"requestId": number, "reason": "enough"})
    until(lambda: not is_alive(child))
    held()
    text, error = wire.call("journal_add", kind="note", text="not cancelled")
    assert not error, text
    written = "".join(path.read_text(encoding="utf-8") for path in (project / "journal").glob("*.md"))
    assert "not cancelled" in written
    assert written.count("cancelled") == 1


def test_a_client_that_goes_away_leaves_nothing_behind(serve, held):
    """At the end of standard input the server ends at once, with 0, and its children with it."""
    assert held
    wire = serve()
    wire.hello()
    wire.start("tools/call", {"name": "journal_add", "arguments": {"kind": "note", "text": "x"}})
    child = wire.child()
    wire.process.stdin.close()
    assert wire.process.wait(PATIENCE) == 0
    assert not is_alive(child)
    assert b"Traceback" not in b"".join(wire.complaints)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_server_that_is_told_to_end_leaves_nothing_behind(serve, held, number):
    """At a signal the server ends, and its children with it, while standard input stays open."""
    assert held
    wire = serve()
    wire.hello()
    wire.start("tools/call", {"name": "journal_add", "arguments": {"kind": "note", "text": "x"}})
    child = wire.child()
    wire.process.send_signal(number)
    assert wire.process.wait(PATIENCE) == 0
    until(lambda: not is_alive(child), 5)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a child with its parent")
def test_a_killed_server_leaves_nothing_behind(serve, held):
    """What a killed server had started dies with it."""
    assert held
    wire = serve()
    wire.hello()
    wire.start("tools/call", {"name": "journal_add", "arguments": {"kind": "note", "text": "x"}})
    child = wire.child()
    wire.process.kill()
    until(lambda: not is_alive(child), 10)


def test_a_client_that_reads_no_more_is_the_end(project):
    """A server whose standard output was closed ends at its next answer, without a stack trace."""
    with subprocess.Popen(
        [SLEEPWAKE, "mcp"], cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
        server.stdin.write(ping)
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["result"] == {}
        server.stdout.close()
        server.stdin.write(ping)
        server.stdin.flush()
        assert server.wait(PATIENCE) == 0
        assert b"Traceback" not in server.stderr.read()


def test_two_servers_that_write_at_once_lose_nothing(serve, project):
    """Twenty entries each through two servers on one memory, many at a time, are forty, with forty addresses."""
    wires = [serve(), serve()]
    failed = []

    def write(name, wire):
        wire.hello()
        for at in range(20):
            wire.start(
                "tools/call", {"name": "journal_add", "arguments": {"kind": "insight", "text": f"{name}{at} holds"}}
            )
        failed.extend(text for text, error in (said(wire.answer()) for _ in range(20)) if error)

    threads = [threading.Thread(target=write, args=pair) for pair in zip("ab", wires, strict=True)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(4 * PATIENCE)
    assert failed == []
    shown = subprocess.run(
        [sys.executable, "-I", "-m", "sleep", "journal.show", "--json"], cwd=project, capture_output=True, check=True
    )
    entries = [one for one in json.loads(shown.stdout)["entries"] if one["kind"] == "insight"]
    assert sorted(one["text"] for one in entries) == sorted(f"{name}{at} holds" for name in "ab" for at in range(20))
    assert len({one["address"] for one in entries}) == 40
    mine = [one["text"] for one in entries if one["text"].startswith("a")]
    assert mine == [f"a{at} holds" for at in range(20)]  # in the order they were asked for


def test_the_server_loads_neither_git_nor_invoke():
    """What the server loads has no GitPython and no Invoke in it."""
    code = "import sys, sleep.mcp_server.server; print([n for n in ('git', 'invoke', 'rich') if n in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_answer_holds_a_secret(project, serve):
    """Tools, documents, prompts and refusals tell no secret and no home, whatever the memory and the call hold."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    words = f"the walrus logs in with {secret} at /ho" + "me/ana/work/app"
    (project / "memory/hot/context.md").write_text(f"# Context\n\n## Notes\n\n- {words} [i1abc.1]\n", encoding="utf-8")
    server = serve()
    server.hello()
    calls = [
        ("recall", {"question": "how does the walrus log in"}),
        ("recall", {"question": f"what is {secret}"}),
        ("trace", {"what": words}),
        ("wake", {"peek": True}),
        ("status", {}),
        ("thread_show", {"handle": secret}),
    ]
    answers = [server.ask("tools/call", {"name": name, "arguments": given}) for name, given in calls]
    answers.append(server.ask("resources/read", {"uri": "sleep://memory/hot/context.md"}))
    answers.append(server.ask("resources/read", {"uri": f"sleep://{secret}"}))
    answers.append(server.ask("prompts/get", {"name": "wake", "arguments": {"task": words}}))
    told = json.dumps(answers)
    assert secret.lower() not in told.lower()
    assert "/home/ana" not in told
    assert "logs in with [REDACTED:github-token] at ~/work/app" in told
