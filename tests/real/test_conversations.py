"""Every real transcript, consolidated at its cut positions, is accepted by the strict validator.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sleep.conversation import MemoryConsolidator, originals
from sleep.conversation.messages import loader, validator
from sleep.conversation.summary import summary_text as text
from sleep.errors import DocumentError

SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
SAMPLED = 60


def transcripts() -> list[str]:
    """The files that hold messages; without the data, one case that fails."""
    if not SHARED:
        return ["SLEEP_SHARED is not set"]
    return sorted(one.name for one in (Path(SHARED) / "data" / "transcripts").glob("*.jsonl"))


def _read(name):
    try:
        return loader.read((Path(SHARED) / "data" / "transcripts" / name).read_bytes())
    except DocumentError:
        pytest.skip("no reader for this client's lines")


def _held(name, positions):
    record = _read(name)
    consolidator = MemoryConsolidator(max_tokens=8_000, shape="auto")
    for at in positions(len(record.messages)):
        history = record.messages[:at]
        if validator.faults(history, record.shape):
            continue  # cut inside a pair: no runtime sends that
        found = consolidator.outcome(history, "")
        assert validator.faults(found.messages, record.shape) == [], at
        assert consolidator.consolidate(found.messages, "") == (found.messages, ""), at
        assert found.report.fits or "could not fit" in found.report.verdict


@pytest.mark.real
def test_whole_transcripts_are_valid_as_they_are_read():
    """What the reader makes of each transcript passes the validator, so that what follows means something."""
    for name in transcripts():
        try:
            record = loader.read((Path(SHARED) / "data" / "transcripts" / name).read_bytes())
        except DocumentError:
            continue
        assert validator.faults(record.messages, record.shape) == [], name


@pytest.mark.real
@pytest.mark.parametrize("name", transcripts())
def test_a_history_is_accepted_at_sampled_cut_positions(name):
    """Consolidated at sixty places, a transcript is valid, fits or says why not, and is left alone the second time."""
    _held(name, lambda count: range(1, count + 1, max(1, count // SAMPLED)))


@pytest.mark.torture  # not also `real`: that stage would run it
@pytest.mark.skipif(not SHARED, reason="SLEEP_SHARED is not set")
@pytest.mark.parametrize("name", transcripts())
def test_a_history_is_accepted_at_every_cut_position(name):
    """The same at every place."""
    _held(name, lambda count: range(1, count + 1))


@pytest.mark.real
@pytest.mark.parametrize("name", transcripts())
def test_a_transcript_lived_through_stays_within_its_target(name):
    """Consolidated again and again as it grows, each result is valid, and there is one summary."""
    record = _read(name)
    store = originals.Memory()
    consolidator = MemoryConsolidator(max_tokens=20_000, store=store)
    now, last, fed = [], "", 0
    for message in record.messages:
        now, fed = [*now, message], fed + 1
        if consolidator.should_consolidate(consolidator.count(now)) and not validator.faults(now, record.shape):
            found = consolidator.outcome(now, "")
            assert validator.faults(found.messages, record.shape) == []
            now, last = found.messages, found.report.address or last
    if last:
        assert sum(text.HEADER in str(one) for one in now) == 1
