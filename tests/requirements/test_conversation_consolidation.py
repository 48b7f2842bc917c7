"""The criteria of consolidating a conversation, one test each."""

from __future__ import annotations

import copy
import json

import pytest

from sleep.conversation import ContextManager, MemoryConsolidator

HEADER = "[Session context consolidated]"
KEYWORDS = ("result", "decided", "found", "error", "success", "created", "updated", "deleted", "confirmed", "output")
TAIL = [{"role": role, "content": f"last {at}"} for at, role in enumerate(("user", "assistant") * 2)]
STRATEGIES = pytest.mark.parametrize("strategy", ["default", "compatible"])


def _user(text):
    return {"role": "user", "content": text}


def _agent(text):
    return {"role": "assistant", "content": text}


def _tool(name, text):
    return {"role": "tool", "name": name, "content": text}


def _summary(*older, strategy="compatible"):
    return MemoryConsolidator(strategy=strategy).consolidate([*older, *TAIL], "")[1]


def test_2_1():
    """2.1: `MemoryConsolidator(threshold_pct=0.8, max_tokens=30000)`; it is due at 80 % of the budget."""
    made = MemoryConsolidator()
    assert (made.threshold_pct, made.max_tokens) == (0.8, 30_000)
    assert [made.should_consolidate(tokens) for tokens in (23_999, 24_000, 25_000)] == [False, True, True]
    assert not MemoryConsolidator(max_tokens=0).should_consolidate(1)


@STRATEGIES
def test_2_2(strategy):
    """2.2: `consolidate(messages, system_prompt)` returns messages and summary."""
    given = [_user("Use flock"), *TAIL]
    before = copy.deepcopy(given)
    messages, summary = MemoryConsolidator(strategy=strategy).consolidate(given, "You are careful.")
    assert summary in messages[0]["content"]
    assert [id(one) for one in messages[-4:]] == [id(one) for one in TAIL]
    assert given == before


@STRATEGIES
@pytest.mark.parametrize("count", [0, 1, 4])
def test_2_3(strategy, count):
    """2.3: Four messages or fewer need no consolidation; by default those that fit the target.

    Deviates: docs/conversation.md
    """
    given = TAIL[:count]
    messages, summary = MemoryConsolidator(strategy=strategy).consolidate(given, "")
    assert (messages, summary, messages is given) == (given, "", False)
    large = [_user("x y " * 100_000), *TAIL[1:]]
    messages, _ = MemoryConsolidator(strategy=strategy).consolidate(large, "")
    assert (messages == large) is (strategy == "compatible")
    assert messages[-3:] == TAIL[1:]


@STRATEGIES
def test_2_4(strategy):
    """2.4: The last four messages stay intact, the rest becomes one; by default pairs stay together, giants are cut.

    Deviates: docs/conversation.md
    """
    made = MemoryConsolidator(strategy=strategy)
    older = [_user(f"do part {at}") for at in range(11)]
    messages, _ = made.consolidate(older + TAIL)
    assert len(messages) == 5
    assert messages[1:] == TAIL
    call = _agent([{"type": "tool_use", "id": "t1", "name": "sh", "input": {}}])
    result = _user([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}])
    parted = [result, *TAIL[1:]]
    messages, _ = made.consolidate([*older, call, *parted])
    assert messages[1:] == (parted if strategy == "compatible" else [call, *parted])
    large = [*TAIL[:3], _agent("x y " * 100_000)]
    messages, _ = made.consolidate(older + large)
    assert messages[1:4] == TAIL[:3]
    assert (messages[4] == large[3]) is (strategy == "compatible")


def test_2_5():
    """2.5: The summary is the header and the facts as bullets; by default they stand below headings.

    Deviates: docs/conversation.md
    """
    older = [
        _tool("shell_exec", "Exit code 0. Deployed 47 files to /srv/app"),
        _agent("decided: use blue-green deployment strategy\nA long explanation of it."),
        _user("Check the nginx config before restarting"),
    ]
    messages, summary = MemoryConsolidator(strategy="compatible").consolidate([*older, *TAIL], "")
    assert messages[0]["content"] == f"{HEADER}\n\n{summary}"
    assert summary.splitlines() == [
        "- [shell_exec] Exit code 0. Deployed 47 files to /srv/app",
        "- decided: use blue-green deployment strategy",
        "- Check the nginx config before restarting",
    ]
    messages, summary = MemoryConsolidator().consolidate([*older, *TAIL], "")
    assert messages[0]["content"].startswith(HEADER)
    assert "use blue-green deployment strategy" in summary


@STRATEGIES
def test_2_6(strategy):
    """2.6: Lines with one of ten keywords are key facts."""
    lines = [f"{word}: it is {word} number 7" for word in KEYWORDS]
    summary = _summary(_agent("\n".join(lines)), strategy=strategy)
    facts = [line.removeprefix("- ") for line in summary.splitlines() if line.startswith("- ")]
    assert sorted(facts) == sorted(lines)


def test_2_7():
    """2.7: Tool results are always kept, 200 characters of them, behind the tool's name; by default as room allows.

    Deviates: docs/conversation.md
    """
    assert _summary(_tool("sh", "x" * 300)) == "- [sh] " + "x" * 200
    assert "[sh] error at line 7" in _summary(_tool("sh", "error at line 7"), strategy="default")


def test_2_8():
    """2.8: Messages of a user under 120 characters are kept; 120 are too, and by default longer ones by sentence.

    Deviates: docs/conversation.md
    """
    for length, kept in ((119, True), (120, True), (121, False)):
        assert ("x" * length in _summary(_user("x" * length))) is kept
    rule = "Restart nginx only by night."
    long = "I looked at the weather over lunch, and it is as grey as it was all week in this part of the country. " * 9
    for said in (rule, f"{long}{rule} {long}"):
        summary = _summary(_user("Mend the host"), _user(said), _user("go on"), strategy="default")
        assert f"- {rule}" in summary
        assert long not in summary


@STRATEGIES
def test_2_9(strategy):
    """2.9: Long prose of an assistant is skipped; by default but for what binds, was chosen, is open or went wrong.

    Deviates: docs/conversation.md
    """
    prose = "The module reads its lines and hands them to the parser of the other room. " * 10
    told = ("I decided to use flock because the kernel drops it.", "The build failed with error E0308 in src/lock.py.")
    summary = _summary(_agent(prose + " ".join(told)), strategy=strategy)
    assert "hands them" not in summary
    assert [sentence in summary for sentence in told] == [strategy == "default"] * 2


@STRATEGIES
def test_2_10(strategy):
    """2.10: Lines with a keyword are kept verbatim; by default as far as the target has room.

    Deviates: docs/conversation.md
    """
    lines = [f"decided: option {at:03} of `src/part{at:03}.py`, as Ada  said" for at in range(400)]
    for many, room in ((lines[:20], 30_000), (lines, 2_000)):
        older = [*map(_agent, many), *TAIL]
        _, summary = MemoryConsolidator(strategy=strategy, max_tokens=room).consolidate(older, "")
        kept = [line for line in many if f"- {line}\n" in f"{summary}\n"]
        assert kept == (many if room > 2_000 or strategy == "compatible" else many[-len(kept) :])
        assert kept


@STRATEGIES
def test_2_11(strategy):
    """2.11: Of identical facts only one is included."""
    line = "created: backup at /srv/app-backup.tar.gz"
    summary = _summary(_agent(line), _agent(line), _tool("sh", "ok"), _tool("sh", "ok"), strategy=strategy)
    assert summary.count("backup at /srv/app-backup.tar.gz") == 1


def test_2_12():
    """2.12: `estimate_tokens` is static and takes the characters of all messages by four."""
    assert MemoryConsolidator.estimate_tokens([_user("x" * 400), _agent("y" * 8)]) == 102


def test_2_13():
    """2.13: The ContextManager checks at each iteration, and an event says messages removed and summary length."""
    events = []
    due = MemoryConsolidator(max_tokens=400)
    context = ContextManager(due, audit=events.append, now=lambda: "now", new_id=lambda: "1", session="s")
    for at in range(9):
        context.build_messages([_user(f"decided: part {at} " + "and so on " * 20), _agent(f"done with part {at}")])
    assert events
    messages = context.build_messages()
    assert messages[0]["content"].startswith(HEADER)
    assert events[0].messages_removed == events[0].messages_before - events[0].messages_after + 1
    assert events[0].summary_length > 0
    assert events[0].tokens_after < events[0].tokens_before


def test_2_14():
    """2.14: The two parameters are configured; a configuration file is not asked for yet, and has them not."""
    made = ContextManager(MemoryConsolidator(threshold_pct=0.5, max_tokens=100)).consolidator
    assert [made.should_consolidate(tokens) for tokens in (49, 50)] == [False, True]


def test_2_15(clerk):
    """2.15: Ours: `conversation.consolidate FILE` does it for a file, named in any way."""
    lines = [_user(f"decided: part {at} is " + "long " * 40) for at in range(20)]
    clerk.scene.write("s.jsonl", "".join(json.dumps(one) + "\n" for one in lines))
    clerk.do("conversation.consolidate", "s.jsonl", "--max-tokens", "1000")
    made = json.loads(clerk.scene.text("s.consolidated.json"))
    assert len(made) < len(lines)
    assert made[-1] == lines[-1]
    clerk.do("conversation.consolidate", "./s.jsonl", "--max-tokens", "1000", "--out", "o.json")
    assert json.loads(clerk.scene.text("o.json")) == made
