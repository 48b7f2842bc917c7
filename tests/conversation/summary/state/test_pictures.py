"""Pictures that go with their messages do not go without a word."""

from __future__ import annotations

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import summary_text

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def test_pictures_are_counted_with_their_messages():
    """The state says with which messages they came, in later rounds too, and the report how many were dropped."""
    asked = [{"role": "user", "content": [{"type": "text", "text": "make it look like this"}, PICTURE, PICTURE]}]
    consolidator = MemoryConsolidator()
    outcome = consolidator.outcome([*asked, {"role": "user", "content": [PICTURE]}, *TAIL])
    assert outcome.report.dropped == {"image": 3}
    assert summary_text.read(outcome.summary).state == ("images that are gone: 3 with @1",)
    again = consolidator.consolidate([*outcome.messages, *asked, *TAIL])[1]
    assert "images that are gone: 3 with @1; 2 with @" in again


def test_pictures_that_stay_are_not_told():
    """What is among the last messages is still there."""
    outcome = MemoryConsolidator().outcome([*TAIL, *TAIL[:3], {"role": "user", "content": [PICTURE]}])
    assert "images" not in outcome.summary
    assert outcome.report.dropped == {}
