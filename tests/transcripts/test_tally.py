"""How much a conversation changed: exact, and the same however it is read."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st

from sleep.transcripts import line_reader, readers, tally
from sleep.transcripts.tally import Count, count_on

# As the requirement's own tests write it: no ids, no uuids.
BARE = '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"%s","input":{}}]}}\n'


def bare(number, name):
    """So many lines with one call each."""
    return (BARE % name * number).encode()


def count(raw, **asked):
    """Count a whole file."""
    return count_on(Count(), [raw], **asked)


def line(*blocks, kind="assistant", **more):
    """A line of Claude Code's."""
    return json.dumps({"type": kind, "message": {"content": list(blocks)}, **more}).encode() + b"\n"


def use(name, call):
    """A call."""
    return {"type": "tool_use", "id": call, "name": name, "input": {}}


def failed(call):
    """A result that is an error."""
    return {"type": "tool_result", "tool_use_id": call, "is_error": True, "content": "No"}


@pytest.mark.parametrize("number", [0, 1, 3, 4, 8, 9, 50])
@pytest.mark.parametrize("name", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_calls_without_an_id_count_each(number, name):
    """So many lines with a call that edits, without ids, are so many changes."""
    assert tally.changes(count(bare(number, name))) == number


@pytest.mark.parametrize("name", ["Read", "Bash", "Glob", "TodoWrite", "write", "Edit2", ""])
def test_other_tools_change_nothing(name):
    """A tool that does not edit counts for nothing, however close its name is."""
    assert tally.changes(count(bare(5, name))) == 0


def test_a_space_after_the_colon_counts():
    """JSON is read, not searched: spaces between its signs change nothing."""
    assert tally.changes(count(BARE.replace('":', '" : ').replace("%s", "Write").encode())) == 1
    assert tally.changes(count((BARE % "Write").replace('"name":', '"name": ').encode())) == 1


def test_two_blocks_on_a_line_are_two():
    """Each block of a line counts, and each object of a line that has two."""
    two = line(use("Write", "a"), use("Edit", "b"))
    assert tally.changes(count(two)) == 2
    assert tally.changes(count(line(use("Write", "a")).rstrip() + line(use("Edit", "b")))) == 2


def test_a_quoted_call_is_none():
    """What a person, a result or a file quotes is no call."""
    quoted = '{"type":"tool_use","name":"Write"} "is_error":true "name":"Edit"'
    raw = b"".join(
        [
            line({"type": "text", "text": quoted}, kind="user"),
            json.dumps({"type": "user", "message": {"content": quoted}}).encode() + b"\n",
            line({"type": "tool_result", "tool_use_id": "r", "content": quoted}, kind="user"),
            line({"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": quoted, "name": "Write"}}),
            json.dumps({"type": "api-request-blob", "message": {"content": [use("Write", "x")]}}).encode() + b"\n",
            json.dumps({"type": "attachment", "attachment": {"tools": [{"name": "Edit"}]}}).encode() + b"\n",
        ]
    )
    assert tally.changes(count(raw)) == 0


def test_an_edit_that_failed_is_none():
    """An edit whose result is an error changed nothing, wherever the result stands; the call is counted as failed."""
    for raw in (
        line(use("Edit", "a")) + line(failed("a"), kind="user"),
        line(failed("a"), kind="user") + line(use("Edit", "a")),
    ):
        found = count(raw)
        assert (tally.changes(found), tally.calls(found), tally.failures(found)) == (0, 0, 1)


def test_what_a_call_cost_is_no_work():
    """Tokens that were charged or read from a cache, which each line of a message says again, change no count."""
    usage = {"input_tokens": 9, "cache_read_input_tokens": 90_000, "output_tokens": 7_000}
    said = {"type": "text", "text": "I decided to use flock."}
    rows = [[said], [use("Write", "c1")], [use("Edit", "c2")]]
    message = {"id": "m1", "role": "assistant", "usage": usage}
    charged = b"".join(line(message={**message, "content": row}) for row in rows)
    free = b"".join(line(message={"id": "m1", "role": "assistant", "content": row}) for row in rows)
    assert count(charged).held == count(free).held
    assert tally.changes(count(charged)) == 2


def test_an_id_counts_once():
    """A call that is stored again, by a fork or with its message's other blocks, counts once."""
    assert tally.changes(count(line(use("Edit", "a")) * 3 + line(use("Edit", "b"), use("Edit", "a")))) == 2


# changes, main's own, calls that took, calls that failed
TRUTH = {
    "claude-code": (2, 2, 2),
    "codex": (2, 1, 1),
    "copilot-cli": (3, 2, 1),
    "qwen-code": (1, 1, 1),
    "gemini-cli": (1, 1, 1),
    "gemini-cli-json": (1, 1, 1),
    "cursor": (2, 2, 0),
    "opencode": (3, 2, 1),
    "swe-agent": (1, 1, 1),
    "specstory": (1, 1, 1),
    "aider": (2, 2, 0),
}


def test_each_client_is_counted(samples, client):
    """Each client's edits, sub-agents' and failures are told apart, and a patch counts a change for each file."""
    found = count(samples[client])
    assert found.client == client
    assert (tally.changes(found), tally.calls(found), tally.failures(found)) == TRUTH[client]
    assert not found.is_torn


def test_what_is_counted_is_what_is_read(samples, client):
    """The edits that are counted are the reader's events of edits that did not fail, as many and of the same calls."""
    events = list(readers.reader(client).read(samples[client].splitlines(keepends=True)))
    broken = {event.id for event in events if event.kind == "result" and not event.ok}
    edits = [event for event in events if event.kind == "edit" and event.id not in broken]
    found = count(samples[client])
    assert tally.changes(found) == len(edits)
    assert tally.calls(found) == len({event.id or f"line {event.line}" for event in edits})


def grown(raw, places):
    """Count a file that grows: at each size what stands beyond the last offset."""
    found = Count()
    for size in [*sorted(place % (len(raw) + 1) for place in places), len(raw)]:
        found = count_on(Count.from_json(found.to_json()) or Count(), lines_of(raw[found.offset : size]))
    return found


def lines_of(raw):
    """Give bytes as small chunks."""
    return [raw[at : at + 100] for at in range(0, len(raw), 100)]


@settings(max_examples=share(50))
@given(st.data())
def test_reading_on_is_reading_whole(samples, client, data):
    """However a file grew between counts, torn lines and repeated ones included, the count is that of the whole."""
    rows = samples[client].splitlines(keepends=True)
    if not readers.is_whole(client):
        rest = st.sampled_from([*rows, b"garbage\n", b"\r\n", rows[-1].rstrip() + rows[-2]])
        rows = [*rows[:2], *data.draw(st.lists(rest, max_size=8)), data.draw(st.sampled_from([rows[-1].rstrip(), b""]))]
    raw = b"".join(rows)
    raw = raw[: data.draw(st.integers(len(rows[0]), len(raw)))]
    places = data.draw(st.lists(st.integers(0, 10_000), max_size=6))
    assert grown(raw, places) == count(raw)


@given(st.integers(0, 11), st.integers(0, 11))
def test_slices_together_are_the_whole(samples, first, second):
    """Disjoint slices of one session, in any order, and slices that overlap, together hold what the whole holds."""
    rows = samples["claude-code"].splitlines(keepends=True)
    whole = count(b"".join(rows))
    low, high = sorted((first, second))
    slices = [count(b"".join(part)) for part in (rows[:high], rows[low:])]
    for one, other in (slices, reversed(slices)):
        assert tally.merge(one, other).held == whole.held


def test_a_last_line_without_its_end_counts_and_is_read_again():
    """A last line that is whole counts before its end comes, and once when it has come, without ids as well."""
    raw = bare(3, "Write")
    found = count(raw[:-1])
    assert (tally.changes(found), found.is_torn, found.lines) == (3, False, 2)
    assert found.offset == len(raw) // 3 * 2
    found = count_on(found, [raw[found.offset :]])
    assert (tally.changes(found), found.offset, found.lines) == (3, len(raw), 3)
    assert tally.changes(count_on(found, [])) == 3


def test_a_torn_line_is_reported_and_counts_later():
    """A last line that is cut off is reported, counts for nothing, and is read again from its start."""
    raw = bare(2, "Write")
    found = count(raw[:-20])
    assert (tally.changes(found), found.is_torn) == (1, True)
    found = count_on(found, [raw[found.offset :]])
    assert (tally.changes(found), found.is_torn) == (2, False)


def test_a_fork_without_its_parent():
    """A fork that repeats its parent's lines has only its own edits without the ids of its parent."""
    parent = line(use("Edit", "a"), sessionId="p") + line(use("Write", "b"), sessionId="p")
    fork = parent.replace(b'"p"', b'"f"') + line(use("Edit", "c"), sessionId="f")
    assert tally.ids(count(parent)) == {"a", "b"}
    assert tally.changes(count(fork)) == 3
    assert tally.changes(tally.subtract(count(fork), tally.ids(count(parent)))) == 1


def test_a_merged_count_reads_on():
    """The union of two saves goes on where the second stopped."""
    first, second = line(use("Edit", "a")), line(use("Edit", "b"))
    found = tally.merge(count(first), count(second))
    assert (tally.changes(found), found.offset) == (2, len(second))
    assert tally.changes(count_on(found, [line(use("Edit", "c")) + line(failed("a"), kind="user")])) == 2


def test_what_no_reader_knows_is_told():
    """A file that no reader knows has no client, and is looked at again from its start."""
    for raw in (b"", b"\n", b"garbage", b'{"a": 1}\n' * 9):
        assert count(raw) == Count()
    assert tally.changes(count_on(count(b"garb"), [bare(1, "Edit")])) == 1


def test_a_line_beyond_the_limit_is_counted_and_passed_over(monkeypatch):
    """A line beyond the limit is passed over, those around it count, and how many there were is said."""
    monkeypatch.setattr(line_reader.blocks, "__defaults__", (1_000,))
    raw = bare(1, "Write") + b"x" * 5_000 + b"\n" + bare(1, "Edit")
    found = count_on(Count(), lines_of(raw))
    assert (tally.changes(found), found.skipped, found.lines, found.offset) == (2, 1, 3, len(raw))
    found = count_on(found, lines_of(b"y" * 5_000))
    assert (tally.changes(found), found.skipped, found.is_torn, found.offset) == (2, 1, True, len(raw))


def test_a_document_beyond_the_limit_is_reported(monkeypatch, samples):
    """A document beyond the limit is not read, and that is said."""
    monkeypatch.setattr(line_reader, "LIMIT", 100)
    found = count(samples["opencode"])
    assert (tally.changes(found), found.skipped, found.is_torn) == (0, 1, True)


def test_a_count_comes_back_from_json(samples, client):
    """A count comes back from JSON as it was, its last line included."""
    found = count(samples[client].rstrip())
    assert Count.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_garbage_is_no_count():
    """What is not what was stored is no count, whatever it is; what an older program stored besides is passed over."""
    sound = Count().to_json()
    assert Count.from_json(sound) == Count.from_json({**sound, "has_substance": False}) == Count()
    garbage: list[object] = [None, 0, "", [], {}, {"client": ""}]
    for name, values in {
        "client": [None, "nobody", ["codex"], {}],
        "offset": [None, -1, True, 1.0, float("nan"), "1"],
        "lines": [None, -1],
        "skipped": [None, -1],
        "held": [None, {}, []],
        "tail": [None, {}, []],
        "is_torn": [None, 0, "true"],
    }.items():
        garbage += [{**sound, name: value} for value in values]
    assert [Count.from_json(one) for one in garbage] == [None] * len(garbage)


def test_counting_loads_little():
    """To count Claude Code's edits loads one reader, and nothing heavy."""
    code = (
        "import sys; from sleep.transcripts import tally as counting\n"
        f"counting.count_on(counting.Count(), [{bare(1, 'Write')!r}])\nprint(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"dataclasses", "pathlib", "typing", "sleep.transcripts.formats.codex"}.isdisjoint(loaded)


def test_the_benchmark_of_counting_counts(tmp_path):
    """The code that `benchmarks/transcripts.py` times says how many edits took."""
    program = Path(__file__).parents[2]
    code = runpy.run_path(str(program / "benchmarks" / "transcripts.py"))["_COLD"]
    call = {"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": {"file_path": "/p/a.py"}}
    record = {
        "type": "assistant",
        "uuid": "u1",
        "parentUuid": None,
        "message": {"role": "assistant", "content": [call]},
    }
    (tmp_path / "session.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    words = (sys.executable, "-c", code, str(tmp_path / "session.jsonl"))
    done = subprocess.run(words, env={"PYTHONPATH": str(program)}, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("1", "")
