"""What a sentence is known by through its message: its shape, what else it says, the list that it stands in."""

from __future__ import annotations

from sleep.language.acts.likelihood.message_features import Message


def test_all_sentences_of_a_message_share_its_shape():
    """How many headings, items and paragraphs there are, how long it is and how it ends is known to each sentence."""
    report = Message([("heading", "**Done**"), ("break", ""), ("item", "Kept flock."), ("sentence", "Which one next?")])
    told = report.around(2)
    assert {"headings 1", "items 1", "paragraphs 0", "characters 0", "message asks"} <= told
    assert "message introduces" in Message([("sentence", "Let me look:"), ("gap", "")]).around(0)
    assert "message asks" not in Message([("sentence", "Why? It is late.")]).around(0)


def test_what_a_message_says_elsewhere_is_known():
    """A sentence knows what any of its message says; how much of its words is said again is graded."""
    message = Message([("sentence", "The root cause was a stale lock."), ("sentence", "The stale lock is gone.")])
    assert {"message: cause", "message: passive"} & message.around(1)
    assert "again 3" in message.around(1)
    assert "again 0" in Message([("sentence", "Nothing is repeated here.")]).around(0)
