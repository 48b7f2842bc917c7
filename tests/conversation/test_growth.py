"""The work of a consolidation grows with the history and no faster, whatever stands in it."""

from __future__ import annotations

import json
import sys

import pytest

from sleep.conversation import MemoryConsolidator

_TIMES, _MOST = 4, 5  # a history as often as long, and how much more work that may be


def _name(number):
    return "".join("bcdfglmnpr"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{number:04}")


def _taken_back(number):
    return [
        {"role": "user", "content": f"Use {_name(number)} for the {_name(number + 5_000)}."},
        {"role": "user", "content": f"Actually, use {_name(number + 2_000)} for the {_name(number + 5_000)} instead."},
    ]


def _replaced(number):
    return [
        {"role": "assistant", "content": f"We decided to use {_name(number)} for the {_name(number + 5_000)}."},
        {"role": "assistant", "content": f"We decided that {_name(number + 2_000)} replaces {_name(number)}."},
    ]


def _answered(number):
    return [
        {"role": "assistant", "content": f"Should ledger {number} be on port {number * 7}?"},
        {"role": "user", "content": f"Yes, ledger {number} on that port."},
    ]


def _edited(number):
    arguments = json.dumps({"command": f"sed -i s/a/b/ src/part{number}/file{number}.py"})
    call = {"id": f"c{number}", "type": "function", "function": {"name": "Bash", "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": "done"},
    ]


def _work(messages):
    """Return how many functions are called."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    consolidator = MemoryConsolidator()
    consolidator.consolidate(messages[:8])  # loads what is loaded once
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        consolidator.consolidate(messages)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("said", [_taken_back, _replaced, _answered, _edited])
def test_the_work_grows_with_the_history_and_no_faster(said):
    """Four times as many choices that are taken back, questions that are answered or files are four times the work."""
    short, long = ([message for number in range(size) for message in said(number)] for size in (100, 100 * _TIMES))
    assert _work(long) <= _MOST * _work(short)
