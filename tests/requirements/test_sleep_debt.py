"""The criteria of sleep debt, one test each."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time

import pytest

CRITICAL = ">>> CRITICAL: CONSOLIDATION REQUIRED <<<"


def _session(name, score=None, **more):
    record = {"session_id": name, "transcript_path": None, "stopped_at": "2026-11-20T10:00:00.000Z"}
    return {**record, "last_assistant_message": "", "change_count": None, "score": score, **more}


def _ledger(debt=0, *sessions):
    return {"debt": debt, "last_sleep": None, "last_sleep_summary": None, "sessions": list(sessions)}


def test_1_1(clerk):
    """1.1: `hook stop` reads id, path and last message, counts Write and Edit, and keeps a record in `.sleep.json`."""
    assert clerk.hook("stop", changes=5, message="Implemented JWT middleware") == ""
    (record,) = clerk.ledger["sessions"]
    assert (record["session_id"], record["change_count"], record["score"]) == ("sess-1", 5, 2)
    assert record["transcript_path"].endswith("sess-1.jsonl")
    assert record["last_assistant_message"] == "Implemented JWT middleware"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record["stopped_at"])
    for tool, count in (("Edit", 3), ("Read", 0)):
        clerk.hook("stop", tool, path=clerk.transcript(tool, 3, tool))
        assert clerk.ledger["sessions"][0]["change_count"] == count


def test_1_2(clerk, tmp_path):
    """1.2: The state is the file `_agent_context/state/.sleep.json`.

    Deviates: docs/names.md
    """
    clerk.hook("stop", changes=1)
    assert clerk.ledger["debt"] == 1
    (tmp_path / "older" / "_agent_context").mkdir(parents=True)
    said = json.dumps({"session_id": "s", "transcript_path": clerk.transcript("s", 4), "cwd": str(tmp_path / "older")})
    clerk.do("hook", "stop", stdin=said, folder=tmp_path / "older")
    kept = json.loads((tmp_path / "older/_agent_context/state/.sleep.json").read_text())
    assert kept["debt"] == 2


def test_1_3(clerk):
    """1.3: Its schema is debt, last_sleep, last_sleep_summary and sessions; a session has six fields."""
    clerk.hook("stop", changes=1, message="x")
    assert {"debt", "last_sleep", "last_sleep_summary", "sessions"} <= set(clerk.ledger)
    assert set(_session("")) <= set(clerk.ledger["sessions"][0])
    clerk.do("sleep.done", "all of it")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", clerk.ledger["last_sleep"])
    assert clerk.ledger["last_sleep_summary"] == "all of it"


def test_1_4(clerk):
    """1.4: `hook session-start` analyses every session whose score is null and adds the scores to the debt."""
    old = _session("old", transcript_path=clerk.transcript("old", 4))
    older = _session("older", transcript_path=clerk.transcript("older", 9))
    clerk.ledger = _ledger(2, old, _session("manual-1", 2), older)
    clerk.hook("session-start", "new")
    assert clerk.ledger["debt"] == 7
    scores = {one["session_id"]: one["score"] for one in clerk.ledger["sessions"]}
    assert scores == {"old": 2, "manual-1": 2, "older": 3}


def test_1_5(clerk):
    """1.5: A session whose Stop hook never ran is scored when the next one starts."""
    said = {"session_id": "first", "transcript_path": clerk.transcript("first", 0), "cwd": str(clerk.home)}
    line = [sys.executable, "-m", "sleep", "hook", "session-start"]
    client = f"import subprocess, sys; subprocess.run({line}, check=True, stdout=-3)"  # it ends, as if it were killed
    subprocess.run((sys.executable, "-c", client), input=json.dumps(said).encode(), cwd=clerk.home, check=True)
    clerk.transcript("first", 5)
    clerk.hook("session-start", "second")
    assert [(one["session_id"], one["score"]) for one in clerk.ledger["sessions"]] == [("first", 2)]


@pytest.mark.parametrize(("changes", "score"), [(0, 0), (1, 1), (3, 1), (4, 2), (8, 2), (9, 3), (50, 3)])
def test_1_6(clerk, changes, score):
    """1.6: 0 changes score 0, 1-3 score 1, 4-8 score 2, 9 and more score 3."""
    clerk.hook("stop", changes=changes)
    assert clerk.ledger["debt"] == score


@pytest.mark.parametrize(
    ("debt", "level"),
    [(0, "Alert"), (3, "Alert"), (4, "Drowsy"), (6, "Drowsy"), (7, "Sleepy"), (9, "Sleepy"), (10, "Must Sleep")],
)
def test_1_7(clerk, debt, level):
    """1.7: The levels are Alert to 3, Drowsy to 6, Sleepy to 9, and Must Sleep from 10 on."""
    clerk.ledger = _ledger(debt)
    assert clerk.facts("sleep.status")["level"] == level


def test_1_8(clerk):
    """1.8: From 10 on `hook session-start` puts a CRITICAL directive before the snapshot, as JSON if asked for.

    Deviates: docs/clients.md
    """
    clerk.ledger = _ledger(10)
    told = clerk.hook("session-start")
    assert told.startswith(CRITICAL)
    assert told.index("sleepwake sleep") < told.index("# Agent Context")
    nameless = json.dumps({"session_id": "s", "cwd": str(clerk.home)})
    assert clerk.do("hook", "session-start", stdin=nameless) == f"{told}\n"
    clerk.ledger = _ledger(9)
    assert CRITICAL not in clerk.hook("session-start", "sess-2")


def test_1_9(clerk):
    """1.9: From 7 on a softer note stands before the snapshot."""
    for debt in (7, 9):
        clerk.ledger = _ledger(debt)
        told = clerk.hook("session-start", f"sess-{debt}")
        assert told.startswith(f"Sleep debt is elevated: {debt}/10 (Sleepy)")
        assert "# Agent Context" in told
    for debt in (6, 10):
        clerk.ledger = _ledger(debt)
        assert "elevated" not in clerk.hook("session-start", f"sess-{debt}")


def test_1_10(clerk):
    """1.10: `sleep status` shows debt, level, the last sleep's date and each session.

    Deviates: docs/names.md
    """
    clerk.hook("stop", changes=5, message="Moved the lock")
    shown = clerk.do("sleep.status")
    for words in (r"^debt +2 .*Alert$", r"^last sleep +never$", "Moved the lock"):
        assert re.search(words, shown, re.MULTILINE), shown
    assert "sleep.status" in clerk.do("sleep", "status", code=2)
    clerk.do("sleep.done", "all")
    assert re.search(rf"(?m)^last sleep +{clerk.ledger['last_sleep']}", clerk.do("sleep.status"))


def test_1_11(clerk):
    """1.11: `sleep add <score> <description>` records an entry by hand, of score 1 to 3 only.

    Deviates: docs/names.md
    """
    clerk.do("sleep.add", "2", "talked the architecture over")
    (entry,) = clerk.ledger["sessions"]
    assert re.fullmatch(r"manual-\d+", entry["session_id"])
    assert (entry["transcript_path"], entry["score"]) == (None, 2)
    assert entry["last_assistant_message"] == "talked the architecture over"
    for score in ("0", "4", "abc", "1.5", ""):
        clerk.do("sleep.add", score, "x", code=2)
    assert clerk.ledger["debt"] == 2


def test_1_12(clerk):
    """1.12: `sleep done <summary>` sets the debt to 0, notes the date, and clears the sessions.

    Deviates: docs/names.md
    """
    clerk.hook("stop", changes=9)
    clerk.do("sleep.done", "Consolidated auth")
    kept = clerk.ledger
    assert (kept["debt"], kept["sessions"], kept["last_sleep_summary"]) == (0, [], "Consolidated auth")
    assert kept["last_sleep"] == time.strftime("%Y-%m-%d", time.gmtime())


def test_1_13(clerk):
    """1.13: `sleep debt` prints the bare number.

    Deviates: docs/names.md
    """
    clerk.ledger = _ledger(5)
    assert clerk.do("sleep.debt") == "5\n"


def test_1_14(clerk):
    """1.14: A session that stops twice counts once: the old score is taken off before the new one is added."""
    for changes, debt in ((5, 2), (5, 2), (9, 3)):
        clerk.hook("stop", changes=changes)
        assert (clerk.ledger["debt"], len(clerk.ledger["sessions"])) == (debt, 1)


def test_1_15(clerk):
    """1.15: A transcript of more than 50 MB is skipped."""
    path = clerk.transcript("big", 9)
    with open(path, "r+b") as file:
        file.truncate(51 * 2**20)
    clerk.hook("stop", "big", path=path)
    assert (clerk.ledger["debt"], clerk.ledger["sessions"][0]["score"]) == (0, 0)
    assert "over 50 MB" in clerk.do("sleep.status")


def test_1_16(clerk):
    """1.16: A transcript is analysed by a regular expression.

    Deviates: docs/clients.md
    """
    path = clerk.transcript("s", 3)
    failed = {"type": "tool_result", "tool_use_id": "s-1", "is_error": True, "content": "no"}
    quoted = {"type": "user", "message": {"content": 'it says "name":"Write" in the log'}}
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in ({"type": "user", "message": {"content": [failed]}}, quoted))
    clerk.hook("stop", "s", path=path)
    assert clerk.ledger["sessions"][0]["change_count"] == 2


def test_1_17(clerk):
    """1.17: The newest session stands first."""
    for name in ("first", "second"):
        clerk.hook("stop", name, changes=1)
    assert [one["session_id"] for one in clerk.ledger["sessions"]] == ["second", "first"]


def test_1_18(clerk):
    """1.18: The Stop hook does not hold a session up: it fails open, and the client bounds it (5 s there).

    Deviates: docs/clients.md
    """
    for said in ("", "no JSON", "[1]"):
        assert clerk.do("hook", "stop", stdin=said) == ""
    clerk.do("clients.install", "--client", "claude")
    settings = next((clerk.home / ".claude").glob("settings*.json"))
    (entry,) = json.loads(settings.read_text())["hooks"]["Stop"]
    assert entry["hooks"][0]["timeout"] == 30


def test_1_19(clerk):
    """1.19: An entry by hand is never analysed again."""
    clerk.ledger = _ledger(0, _session("manual-1764000000000"))
    clerk.hook("session-start")
    assert clerk.ledger["debt"] == 0
    clerk.do("sleep.add", "3", "talk")
    clerk.hook("session-start", "sess-2")
    assert clerk.ledger["debt"] == 3


def test_1_20(clerk):
    """1.20: A reset after consolidation has a summary, and the system knows when the last sleep was."""
    clerk.do("sleep.add", "2", "x")
    clerk.do("sleep.done", "Consolidated auth decisions")
    (slept,) = clerk.facts("sleep.history")
    assert (slept["debt"], slept["state"]) == (2, "by hand")
    assert "Consolidated auth decisions" in clerk.do("sleep.history")


def test_1_21(clerk):
    """1.21: What consolidates uses `last_assistant_message` where no transcript can be read; else that has it.

    Deviates: docs/capture.md
    """
    clerk.hook("stop", message="Implemented JWT middleware; decided to rotate the keys weekly.", path="/nowhere.jsonl")
    clerk.do("sleep")
    assert "rotate the keys weekly" in clerk.scene.git("grep", "keys weekly", "--", "memory/hot", "journal")
    assert clerk.ledger["debt"] == 0
    path, words = clerk.transcript("read", 1), "I decided to keep the lock in Redis, because it holds across hosts."
    asked = {"type": "user", "message": {"content": "Where shall the lock be kept?"}}
    said = {"type": "assistant", "message": {"content": [{"type": "text", "text": words}]}}
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in (asked, said))
    clerk.hook("stop", "read", path=path, message=words)
    clerk.do("sleep")
    assert clerk.scene.git("grep", "-h", "across hosts", "--", "journal").count("across hosts") == 1


def test_1_22(clerk):
    """1.22: Debt by hand stands for decisions and talks, and consolidation takes their words along."""
    clerk.do("sleep.add", "3", "We settled on raft for the ledger")
    clerk.do("sleep")
    assert "raft for the ledger" in clerk.scene.text("memory/hot/context.md")
    assert clerk.ledger["debt"] == 0


def test_1_23(clerk):
    """1.23: A sub-agent for REM sleep consolidates, and calls `sleep done` itself.

    Deviates: docs/names.md
    """
    clerk.do("clients.install", "--client", "claude", "--agent")
    (page,) = (clerk.home / ".claude/agents").glob("*.md")
    assert "sleepwake sleep" in page.read_text()
    clerk.do("sleep.add", "2", "x")
    clerk.do("sleep")
    assert clerk.do("sleep.debt") == "0\n"


def test_1_24(clerk):
    """1.24: Consolidation updates soul, user, memory, changelog, task logs and feature pages.

    Deviates: ADR 78
    """
    scene = clerk.scene
    changed = ("core/2.memory.md", "core/CHANGELOG.json", "state/t-active.md", "core/features/auth.md")
    kept = ("core/0.soul.md", "core/1.user.md")
    feature = "---\nstatus: active\n---\n\n## Changelog\n\n### 2026-01-02 - Created\n- made\n"
    texts = ("# Memory\n", "[]\n", "---\nstatus: todo\n---\nDo it.\n", feature, "Careful.\n", "Ada.\n")
    for path, text in zip((*changed, *kept), texts, strict=True):
        scene.write(f"memory/{path}", text)
    scene.add("decision", "Use flock for the lock", why="it ends with its holder")
    scene.add("change", "t-active: the lock is in")
    scene.add("insight", "The feature auth needs the lock twice")
    clerk.do("sleep")
    now = [scene.text(f"memory/{path}") for path in (*changed, *kept)]
    assert [was == text for was, text in zip(texts, now, strict=True)] == [False] * 4 + [True] * 2
    assert "Use flock for the lock" in now[0]
    (change,) = json.loads(now[1])
    assert "the lock is in" in change["description"]
    today = time.strftime("%Y-%m-%d", time.gmtime())
    assert f"- {today}: t-active: the lock is in" in now[2]
    latest, _, older = now[3].partition("## Changelog\n\n")[2].partition("\n\n### 2026-01-02 - Created\n- made\n")
    assert (latest.startswith(f"### {today} - "), "needs the lock twice" in latest, older) == (True, True, "")


def test_1_25(clerk):
    """1.25: What stops after `sleep.start` keeps its debt, with `sleep.done` and with `sleep`."""
    for end in (("sleep.done", "x"), ("sleep",)):
        clerk.do("sleep.add", "3", "before")
        clerk.do("sleep.start")
        clerk.do("sleep.start", code=7)
        clerk.do("sleep.add", "2", "after")
        clerk.do(*end)
        assert clerk.do("sleep.debt") == "2\n"
        clerk.do("sleep.done", "all")


@pytest.mark.parametrize("text", ["null", "[1, 2]", '{"debt": 3, "sess', '{"sessions": {}}', '{"debt": 0}'])
def test_1_26(clerk, text):
    """1.26: A state that is old, null, a list or torn is worked around; what cannot be read is kept aside."""
    clerk.ledger = text
    clerk.hook("stop", changes=5)
    assert clerk.ledger["debt"] == 2
    aside = [one.read_text() for one in (clerk.home / "memory/state").glob(".sleep.json.corrupt-*")]
    assert aside == ([] if text == '{"debt": 0}' else [text])


def test_1_26a(clerk):
    """1.26a: Sessions that stop at once are all booked, and of sleeps at once one sleeps."""
    clerk.scene.add("note", "something to sleep on")
    stops = [threading.Thread(target=clerk.hook, args=("stop", f"s{at}", 1)) for at in range(6)]
    for one in stops:
        one.start()
    for one in stops:
        one.join()
    assert (clerk.ledger["debt"], len(clerk.ledger["sessions"])) == (6, 6)
    said = []
    sleeps = [threading.Thread(target=lambda: said.append(clerk.do("sleep"))) for _ in range(2)]
    for one in sleeps:
        one.start()
    for one in sleeps:
        one.join()
    assert clerk.do("sleep.debt") == "0\n"
    assert len(clerk.scene.view.cycles) == 1, said


def test_1_27(clerk, tmp_path):
    """1.27: Without a context folder every hook ends with 0 and says nothing."""
    bare = tmp_path / "bare"
    bare.mkdir()
    said = json.dumps({"session_id": "s", "transcript_path": clerk.transcript("s", 3), "cwd": str(bare)})
    for words in (("hook", "stop"), ("hook", "session-start"), ("hook", "subagent-start"), ("snapshot",)):
        assert clerk.scene.run(*words, folder=bare, stdin=said) == (0, "", "")
    assert list(bare.iterdir()) == []


def test_1_28(clerk):
    """1.28: Who follows the directive is rid of it."""
    clerk.ledger = _ledger(12, *(_session(f"manual-{at}", 3, last_assistant_message="x") for at in range(4)))
    directive = clerk.hook("session-start")
    assert directive.startswith(CRITICAL)
    assert re.search(r"sleep` consolidates it", directive)
    clerk.do("sleep")
    assert CRITICAL not in clerk.hook("session-start", "sess-2")
