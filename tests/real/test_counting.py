"""Every real transcript is counted exactly, by its manifest and by its reader, however it is read.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from sleep.transcripts import contents, line_reader, readers, tally
from sleep.transcripts.contents import Sum
from sleep.transcripts.tally import Count, count_on

pytestmark = pytest.mark.real
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
MISSING = "SLEEP_SHARED is not set"

# Of the clients run by hand: client, changes, those of the main agent, prompts of persons. Counted by eye.
SAMPLES = {
    "claude-2.1.112/write_edit.jsonl": ("claude-code", 2, 2, 1),
    "claude-2.1.329/background_subagent_agent.jsonl": ("claude-code", 1, 0, 0),
    "claude-2.1.329/background_subagent_main.jsonl": ("claude-code", 0, 0, 1),
    "claude-2.1.329/fork_parent.jsonl": ("claude-code", 0, 0, 2),
    "claude-2.1.329/forked_copy.jsonl": ("claude-code", 0, 0, 3),
    "claude-2.1.329/interactive.jsonl": ("claude-code", 1, 1, 1),
    "claude-2.1.329/manual_compaction.jsonl": ("claude-code", 0, 0, 3),
    "claude-2.1.329/stop_block.jsonl": ("claude-code", 1, 1, 1),
    "claude-2.1.329/write_edit.jsonl": ("claude-code", 2, 2, 1),
    "codex-0.169.0/rollout_compacted_resumed.jsonl": ("codex", 0, 0, 3),
    "codex-0.169.0/rollout_write.jsonl": ("codex", 1, 1, 1),
    "copilot-1.0.102/events.jsonl": ("copilot-cli", 2, 2, 1),
    "gemini-0.61.0/chat.jsonl": ("gemini-cli", 0, 0, 0),
    "qwen-0.24.4/chat.jsonl": ("qwen-code", 2, 2, 1),
}
# What hooks and clients put in, in these samples; none of it was said by anybody.
PUT_IN = (
    "HELLO-CONTEXT-42", "SESS-CTX-11", "SUBAGENT-BRIEFING-77", "REM-SYSTEM-PROMPT", "BLOCK-REASON", "PRECOMPACT-OUT",
    "POSTCOMPACT-OUT", "CCTX-", "CSS-CTX", "QUPS-PLAIN", "TAGG", "task-notification", "system-reminder",
    "session_context", "hook_context", "environment_context", "current_datetime",
)  # fmt: skip


def manifest() -> list[dict[str, object]]:
    """The transcripts and their true counts; without the data, one case that fails."""
    if not SHARED:
        return [{"file": MISSING}]
    return json.loads((Path(SHARED) / "data" / "transcripts" / "manifest.json").read_bytes())


def raw(*names) -> bytes:
    """A file of the shared data."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real data"
    return Path(SHARED, *names).read_bytes()


@pytest.fixture(params=manifest(), ids=lambda one: one["file"])
def told(request):
    """A transcript of the manifest: its bytes, and what is true of it."""
    return raw("data", "transcripts", request.param["file"]), request.param["stats"]


def read(client, content):
    """Return what a client's file says happened."""
    return list(readers.reader(client).read(line_reader.split([content])))


@pytest.fixture(params=SAMPLES)
def sample(request):
    """A sample's bytes, and what is true of it."""
    return raw("e2e", "samples", request.param), SAMPLES[request.param]


def test_the_count_is_exact(told):
    """Calls that took and that failed, main agents' and sub-agents', are as many as a full parse found.

    The truth of a patch is one call. What sub-agents did inside lines of progress is apart, and their failures were not
    counted there. Of SWE-agent the truth is of all calls in a trajectory; a file that has a history only was not looked
    into. Markdown has none.
    """
    found, stats = count_on(Count(), [told[0]]), told[1]
    calls, failed = tally.calls(found), tally.failures(found)
    assert not found.is_torn
    if stats["fmt"] == "sweagent":
        assert (calls + failed == stats["parsed"]) if stats["lines"] else (calls == 1)
        return
    if stats["fmt"] == "markdown":
        applied = stats["aider_applied"] + stats["specstory_tools"]
        assert calls + failed in (applied, applied - 1)  # one history quotes a call
        return
    edits = [event for event in read(found.client, told[0]) if event.kind == "edit"]
    side = {event.id for event in edits if event.side} - {event.id for event in edits if not event.side}
    nested = set() if stats.get("sidechain_edits") else side
    assert len(nested) == stats.get("nested_progress_edits", 0)
    assert calls - len(nested - found.held.failed) == stats["applied"]
    assert len(tally.ids(found) - nested) == stats["parsed"]
    if stats["fmt"] == "claude":
        assert failed - len(nested & found.held.failed) == stats["failed"]
        assert len(side - nested) == stats["sidechain_edits"]
        assert tally.changes(found) == calls


def test_the_samples_are_counted(sample):
    """Each client that was run by hand is known, and its edits, its main agent's and its prompts are all there are."""
    found = count_on(Count(), [sample[0]])
    own = [event for event in read(found.client, sample[0]) if not event.side]
    main = sum(event.kind == "edit" and event.id not in found.held.failed for event in own)
    prompts = len({(event.at, event.text) for event in own if event.kind == "prompt"})
    counted = (found.client, tally.changes(found), main, prompts)
    assert counted == sample[1]


def test_what_was_put_in_is_nobodys(sample):
    """Nothing that a hook or a client put into a conversation is in any event's text."""
    client = readers.sniff(sample[0][: readers.HEAD])
    texts = [event.text for event in readers.reader(client).read(sample[0].splitlines(keepends=True))]
    assert not [(sign, text) for sign in PUT_IN for text in texts if sign in text]


def test_a_fork_repeats_its_parents_lines():
    """A fork has its parent's prompts and answers with the same `uuid`s, under a session of its own."""
    parent, fork = (
        [json.loads(line) for line in raw("e2e", "samples", "claude-2.1.329", name).splitlines()]
        for name in ("fork_parent.jsonl", "forked_copy.jsonl")
    )
    own = {one["uuid"] for one in parent if one.get("type") in ("user", "assistant")}
    repeated = [one for one in fork if one.get("uuid") in own]
    assert {one["uuid"] for one in repeated} == own
    assert {one["sessionId"] for one in repeated}.isdisjoint(one.get("sessionId") for one in parent)


def test_what_is_counted_is_what_is_read(told):
    """The count is of the reader's events, whether lines are chosen by their bytes or all are parsed."""
    found = count_on(Count(), [told[0]])
    events = read(found.client, told[0])
    broken = {event.id for event in events if event.kind == "result" and not event.ok and event.id}
    edits = {(event.id, event.path) for event in events if event.kind == "edit" and event.id not in broken}
    assert tally.calls(found) == len({call for call, _ in edits})
    assert tally.changes(found) == len(edits)
    lines, whole = list(line_reader.split([told[0]])), Sum()
    for part in [lines] if readers.is_whole(found.client) else [[line] for line in lines]:
        whole.take(readers.reader(found.client).read(part))
    assert whole.held() == contents.union(found.held, found.tail)


def test_reading_on_is_reading_whole(told):
    """A file that was counted at many sizes while it grew has the count of the whole."""
    chosen = random.Random(len(told[0]))
    found = Count()
    for size in [*sorted(chosen.randrange(len(told[0])) for _ in range(12)), len(told[0])]:
        rest = told[0][found.offset : size]
        chunks = (rest[at : at + 10_000] for at in range(0, len(rest), 10_000))
        found = count_on(Count.from_json(json.loads(json.dumps(found.to_json()))) or Count(), chunks)
    assert found == count_on(Count(), [told[0]])


def test_slices_together_are_the_whole(told):
    """A session that was saved in two slices, or twice, has together the count of the whole."""
    whole = count_on(Count(), [told[0]])
    if readers.is_whole(whole.client):
        return
    rows = told[0].splitlines(keepends=True)
    chosen = random.Random(len(told[0]))
    for _ in range(5):
        middle = chosen.randrange(len(rows))
        first, second = (
            count_on(Count(client=whole.client, offset=1), [b"".join(part)]) for part in (rows[:middle], rows[middle:])
        )
        assert tally.merge(first, second).held == tally.merge(whole, second).held == whole.held
