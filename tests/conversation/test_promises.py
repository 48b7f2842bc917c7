"""What the default strategy promises, over made histories of all four shapes."""

from __future__ import annotations

import copy

import pytest
from examples import share
from histories import SHAPES, histories, told
from hypothesis import given, settings
from hypothesis import strategies as st

from sleep.conversation import MemoryConsolidator, originals
from sleep.conversation.messages import pairs, shapes, validator
from sleep.conversation.summary import summary_text

SECRET = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"


def _carrier(messages):
    return [one for one in messages if summary_text.HEADER in told(one)]


@given(histories(), st.sampled_from([600, 2_000, 30_000]))
def test_a_valid_history_stays_valid(history, most):
    """What a provider accepted it accepts afterwards: pairs whole, roles in turn, nothing empty."""
    shape, messages = history
    if validator.faults(messages, shape):
        return
    made, _ = MemoryConsolidator(max_tokens=most).consolidate(messages, "")
    assert validator.faults(made, shape) == []


@given(histories(), st.sampled_from([600, 2_000, 30_000]))
def test_the_input_is_not_changed_and_the_last_four_stay_unless_clipped(history, most):
    """The last four messages are the same objects unless a result was clipped, or the first joined to the summary."""
    shape, messages = history
    before = copy.deepcopy(messages)
    found = MemoryConsolidator(max_tokens=most, shape=shape).outcome(messages, "")
    assert messages == before
    if not found.report.clipped and len(messages) > 4:
        last = found.messages[-4:]
        same = [one is other for one, other in zip(last, messages[-4:], strict=True)]
        assert all(same[1:])
        assert same[0] or told(messages[-4]["content" if "content" in messages[-4] else "parts"])[1:-1] in told(last[0])


@given(histories(), st.sampled_from([600, 2_000, 30_000]))
def test_it_fits_the_target_or_says_by_how_much_not(history, most):
    """Tokens are within the target by the product's count and the older estimate, or the verdict says so."""
    shape, messages = history
    consolidator = MemoryConsolidator(max_tokens=most, shape=shape)
    found = consolidator.outcome(messages, "")
    if not found.report.changed:
        return
    if found.report.fits:
        assert consolidator.count(found.messages) <= consolidator.target
        assert consolidator.estimate_tokens(found.messages) <= consolidator.target
    else:
        assert "could not fit" in found.report.verdict
        assert f"{consolidator.target:,}" in found.report.verdict


@given(histories(), st.sampled_from([300, 2_000, 30_000]))
def test_its_own_output_is_left_alone(history, most):
    """A second consolidation without new messages changes nothing, also where the target was not met."""
    _, messages = history
    consolidator = MemoryConsolidator(max_tokens=most, store=originals.Memory())
    once, _ = consolidator.consolidate(messages, "")
    assert consolidator.consolidate(once, "") == (once, "")


@given(histories(), histories())
def test_facts_of_an_earlier_summary_survive_unchanged(first, second):
    """With room for it, every bullet of a summary stands in the next, once, and with one dash."""
    shape, messages = first
    more = SHAPES[shape]([("Next part.", [("Fine.", [])]), ("And this.", [("Good.", [])]), ("Last.", [("Yes.", [])])])
    consolidator = MemoryConsolidator(max_tokens=200_000, shape=shape)
    once, text = consolidator.consolidate(messages, "")
    added = more[1:] if shape == "openai" else more
    twice = consolidator.outcome([*once, *added], "")
    before, after = summary_text.read(text).facts, summary_text.read(twice.summary).facts
    assert set(before) <= set(after)
    assert len(set(after)) == len(after)
    assert len(_carrier(twice.messages)) == len({id(one) for one in _carrier(twice.messages)})


@given(histories())
def test_what_was_removed_can_be_found_again_by_the_address(history):
    """The removed messages are in the store under the address that the summary names, through all rounds."""
    _, messages = history
    store = originals.Memory()
    consolidator = MemoryConsolidator(max_tokens=2_000, store=store)
    made, text = consolidator.consolidate(messages, "")
    address = summary_text.read(text).address
    if not text:
        return
    kept = originals.all_of(store, address)
    gone = [
        one for one in messages if not any(one is other for other in made) and shapes.read_turn(one).role != "system"
    ]
    joined = told(made[:1])  # a user's message that the summary was put into has not gone
    for one in gone:
        assert (
            one in kept
            or summary_text.HEADER in told(one)
            or told(one.get("content", one.get("parts")))[1:-1] in joined
        )


@given(histories(), st.integers(1, 8))
def test_the_cut_keeps_at_least_so_many_and_never_parts_a_pair(history, keep):
    """The cut keeps the last messages asked for, moves only towards more, and no result loses its call."""
    _, messages = history
    turns = [shapes.read_turn(one) for one in messages]
    at = pairs.cut(turns, keep)
    assert at <= max(0, len(messages) - keep)
    before, later = ({call for turn in some for call, _ in turn.calls} for some in (turns[:at], turns[at:]))
    assert not any(result in before - later for turn in turns[at:] for result in turn.results)


@given(histories(most=4), st.integers(0, 30))
def test_secrets_do_not_pass(history, where):
    """A secret in any text of a removed message is neither in the summary nor in the originals."""
    shape, messages = history
    planted = copy.deepcopy(messages)
    more = SHAPES[shape]([(f"use {SECRET} for it", [(f"result: logged in with {SECRET}", [f"token {SECRET}"])])])
    at = 0 if shape in ("anthropic", "gemini") else min(where, 1)
    mixed = [*planted[:at], *more, *planted[at:]]
    store = originals.Memory()
    tail = SHAPES[shape]([(f"later {number}", [("Fine.", [])]) for number in range(4)])
    found = MemoryConsolidator(store=store, shape=shape).outcome([*mixed, *tail], "")
    assert SECRET not in found.summary
    assert SECRET not in told(found.messages)
    assert found.originals is None or SECRET not in found.originals.text


@settings(max_examples=share(40))
@given(
    st.recursive(
        st.one_of(st.none(), st.text(max_size=8), st.integers()),
        lambda one: st.one_of(
            st.lists(one, max_size=3),
            st.dictionaries(
                st.sampled_from(
                    [
                        "role",
                        "content",
                        "parts",
                        "type",
                        "text",
                        "tool_calls",
                        "functionCall",
                        "tool_use_id",
                        "function",
                    ]
                ),
                one,
                max_size=4,
            ),
        ),
        max_leaves=12,
    ).filter(lambda one: isinstance(one, dict))
)
def test_an_odd_message_breaks_nothing(odd):
    """Whatever a message holds, consolidation ends with messages, not with an error."""
    made, _ = MemoryConsolidator(max_tokens=50).consolidate(
        [{"role": "user", "content": "a"}, odd, odd, odd, odd, odd, odd], "s"
    )
    assert made


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_many_rounds_end_in_one_summary(shape):
    """After twenty rounds there is one summary, the first request in it, and the target holds in each."""
    consolidator = MemoryConsolidator(max_tokens=4_000, shape=shape)
    now = []
    for number in range(20):
        made = [
            (f"Round {number}: look at src/part_{number}.py", [("Decision: keep it.", ["row " * 200, "end"])] * 2)
        ] * 4
        now = [*now, *(SHAPES[shape](made) if shape != "openai" or not now else SHAPES[shape](made)[1:])]
        found = consolidator.outcome(now, "")
        assert found.report.fits, found.report.verdict
        now = found.messages
        assert len(_carrier(now)) == 1
        assert "Round 0: look at src/part_0.py" in found.summary


def test_a_history_has_half_of_the_target_whatever_the_system_says():
    """Of a target that nobody named; one that was named holds, and three quarters of the threshold are the most."""
    talk = [{"role": "user", "content": "Move it."}]
    talk += [
        {"role": "assistant", "content": f"Decision: part {number} goes to Redis. {'x y ' * 60}"}
        for number in range(400)
    ]
    reports = {}
    for size, options in ((1_000, {}), (10_000, {}), (40_000, {}), (10_001, {"target_pct": 0.4})):
        system = {"role": "system", "content": "word" * size}
        reports[size] = MemoryConsolidator(**options).outcome([system, *talk]).report
    assert [reports[size].target for size in reports] == [12_000, 16_004, 18_000, 12_000]
    assert reports[10_000].tokens_after > 14_000
    assert reports[10_000].fits
