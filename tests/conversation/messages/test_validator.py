"""The validator: what providers refuse is named, and what they accept passes."""

from __future__ import annotations

import pytest
from histories import SHAPES

from sleep.conversation.messages import validator

MADE = [("Go.", [("Looking.", ["one", "two"]), ("Done.", [])]), ("More.", [("Yes.", ["three"]), ("End.", [])])]


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_good_history_passes(shape):
    """Histories with parallel calls, reasoning and results pass in each shape."""
    assert validator.faults(SHAPES[shape](MADE), shape) == []


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_history_without_its_first_call_is_refused(shape):
    """Results without their call are found in each shape."""
    messages = SHAPES[shape](MADE)
    at = next(
        index for index, one in enumerate(messages) if ("call_0" in str(one) and "role" in one) or one.get("call_id")
    )
    assert validator.faults([*messages[:at], *messages[at + 1 :]], shape)


@pytest.mark.parametrize(
    ("shape", "messages", "what"),
    [
        ("anthropic", [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}], "twice in a row"),
        ("anthropic", [{"role": "assistant", "content": "a"}], "begins with"),
        ("gemini", [{"role": "user", "parts": [{"text": " "}]}], "says nothing"),
        ("openai", [{"role": "person", "content": "a"}], "the role is"),
        ("responses", [{"type": "reasoning", "summary": []}, {"role": "user", "content": "a"}], "reasoning without"),
        (
            "anthropic",
            [
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": number, "name": "x"} for number in "12"]},
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "1", "content": "a"},
                        {"type": "text", "text": "wait"},
                        {"type": "tool_result", "tool_use_id": "2", "content": "b"},
                    ],
                },
            ],
            "2: a result stands behind what is none",
        ),
        ("openai", [{"role": "user", "content": ""}, {"role": "user", "content": "a"}], "says nothing"),
    ],
)
def test_what_is_refused_is_named(shape, messages, what):
    """Each rule names the message and what is wrong with it."""
    assert what in " ".join(validator.faults(messages, shape))


def test_calls_that_are_being_made_may_wait():
    """A last answer with open calls passes, unless nothing may be open."""
    open_ = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
    ]
    assert validator.faults(open_, "openai") == []
    assert validator.faults(open_, "openai", pending=False)
    assert validator.faults([*open_, {"role": "user", "content": "b"}], "openai")
