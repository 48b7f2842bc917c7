"""What stays is clipped before the summary starves: in all shapes, the least missed first."""

from __future__ import annotations

import json

import pytest
from histories import SHAPES, told

from sleep.conversation import MemoryConsolidator, originals
from sleep.conversation.messages import shapes, tail, validator
from sleep.conversation.messages.counters import plain

LOG = "\n".join(
    f"2026-01-01 12:00:{number % 60:02} worker-{number % 7} handled item {number}" for number in range(2_000)
)
TOLD = [(f"Part {number}?", [(f"Decision: part {number} has {number * 37} rows.", ["ok"])]) for number in range(40)]


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.parametrize("by", ["person", "agent", "tool"])
@pytest.mark.parametrize("share", [0, 200, 600, 1_000, 1_400, 2_000])
def test_no_paste_starves_the_summary(shape, by, share):
    """Whatever is pasted into the last messages, the choices before it are told, and a sign says what is gone."""
    pasted = "\n".join(LOG.split("\n")[:share])
    asked, said, printed = ("Look.", "I did.", "ok")
    if by == "person":
        asked = f"Look at this:\n{pasted}"
    elif by == "agent":
        said = f"It printed:\n{pasted}"
    else:
        printed = f"It began.\n{pasted}"
    history = SHAPES[shape]([*TOLD, (asked, [(said, [printed])])])
    found = MemoryConsolidator(shape=shape).outcome(history)
    assert found.report.fits
    assert validator.faults(found.messages, shape) == []
    assert sum(f"Decision: part {number} has {number * 37} rows." in found.summary for number in range(40)) >= 36
    assert not found.report.clipped or "characters left out" in told(found.messages)
    assert found.report.clipped or len(pasted) < 48_000 or shape == "responses"  # in which it is not among the last


def test_what_a_call_was_given_is_clipped_and_stays_json():
    """A file written in the last call is clipped inside its arguments; results go first, what was said last."""
    given = {"path": "a.log", "content": LOG}
    call = {"id": "c", "type": "function", "function": {"name": "write", "arguments": json.dumps(given)}}
    messages = [
        {"role": "user", "content": "Write it. " * 200},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "row\n" * 500},
    ]
    kept = tail.fit(tail.whole(messages, [*map(shapes.read_turn, messages)], plain), 4_000, 4, plain)
    short = json.loads(kept.messages[1]["tool_calls"][0]["function"]["arguments"])
    assert short["path"] == "a.log"
    assert "characters left out" in short["content"]
    assert kept.tokens <= 4_000
    assert kept.messages[0] is messages[0]
    assert kept.clipped == [1, 2]
    assert json.loads(messages[1]["tool_calls"][0]["function"]["arguments"]) == given


def test_what_was_clipped_is_found_again_and_its_pins_are_told():
    """The whole message is among the originals, and a pinned line in its middle is in the summary."""
    log = LOG.split("\n")
    pasted = "\n".join([*log[:1_000], "pin: the port is 4711", *log[1_000:]])
    history = [{"role": "user", "content": "go"}, *({"role": "assistant", "content": f"part {n}"} for n in range(6))]
    store = originals.Memory()
    found = MemoryConsolidator(store=store).outcome([*history, {"role": "user", "content": pasted}])
    assert "- the port is 4711" in found.summary
    assert found.report.clipped == 1
    assert any(message.get("content") == pasted for message in store.find(found.report.address).messages)


def test_the_system_and_thoughts_are_not_clipped():
    """Rules of the system stay whole, and so does reasoning, which providers sign: then the verdict has the figures."""
    messages = [
        {"role": "system", "content": LOG},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": LOG, "signature": "s"}]},
    ]
    assert tail.fit(tail.whole(messages, [*map(shapes.read_turn, messages)], plain), 100, 4, plain).messages == messages


@pytest.mark.parametrize("role", ["system", "developer"])
@pytest.mark.parametrize("options", [{"max_tokens": 10_000}, {"max_tokens": 12_500, "target_pct": 0.4}])
def test_no_instructions_starve_the_summary(role, options):
    """The largest of the system's texts are clipped where nothing is left of the target; a short one stays whole."""
    texts = ["You may write in this folder.", "\n".join(f"- skill-{number}: does it" for number in range(2_000))]
    system = {"role": role, "content": [{"type": "text", "text": text} for text in texts]}
    store = originals.Memory()
    consolidator = MemoryConsolidator(store=store, **options)
    history = [system, *SHAPES["openai"]([*TOLD, ("Look.", [("I did.", ["ok"])])])]
    found = consolidator.outcome(history)
    assert found.report.fits
    assert found.messages[0]["content"][0]["text"] == texts[0]
    assert "characters left out" in found.messages[0]["content"][1]["text"]
    assert sum(f"Decision: part {number} has {number * 37} rows." in found.summary for number in range(40)) >= 36
    assert found.report.clipped == 1
    assert "skill-1000: does it" in str(originals.all_of(store, found.report.address))
    assert system["content"][1]["text"] == texts[1]
    again = consolidator.outcome([*found.messages, *SHAPES["openai"]([("And now?", [("Done.", ["ok"])])] * 2)])
    assert again.messages[0] is found.messages[0]


def test_instructions_are_whole_where_the_history_has_no_use_for_more():
    """A system that leaves little room stays as it is beside a history that has little to tell."""
    system = {"role": "system", "content": "word " * 4_200}
    found = MemoryConsolidator(max_tokens=10_000).outcome([system, *SHAPES["openai"](TOLD[:3])])
    assert found.report.fits
    assert found.messages[0] is system


@pytest.mark.parametrize(
    ("shape", "window", "size"),
    [
        ("openai", 1_500, 700),
        ("anthropic", 1_500, 300),
        ("anthropic", 1_500, 700),
        ("anthropic", 2_000, 700),
        ("anthropic", 2_000, 1_500),
    ],
)
def test_a_small_window_tells_both_requests(shape, window, size):
    """Where what stays takes nearly all of a small window, the first and the latest request are told."""
    asked = f"Rework the importer. {'It reads rows. ' * 40}Keep the order."
    steps = [(f"I sort.{'y' * size}", [LOG[:4_000]]), (f"I test.{'x' * size}", [LOG[:4_000]])]
    history = SHAPES[shape]([(asked, [("I look.", ["ok"])]), *TOLD[:12], ("Now sort them by name.", steps)])
    found = MemoryConsolidator(max_tokens=window, shape=shape).outcome(history)
    assert "First request" in found.summary
    assert "Now sort them by name." in found.summary
    assert found.report.fits == (found.report.tokens_after <= found.report.target)


def test_in_a_small_room_a_call_is_clipped_further():
    """What a call was given has no more than a message's part of a small room; speech stays as it is."""
    call = {"id": "c", "type": "function", "function": {"name": "write", "arguments": json.dumps({"text": "y" * 990})}}
    messages = [
        {"role": "assistant", "content": "z" * 990},
        {"role": "assistant", "content": None, "tool_calls": [call]},
    ]
    whole = tail.whole(messages, [shapes.read_turn(message) for message in messages], plain)
    now = tail.fit(whole, 400, 4, plain)
    assert now.clipped == [1]
    assert now.tokens <= 400
