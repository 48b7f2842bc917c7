"""Who makes room where a tier is full."""

from __future__ import annotations

from sleep.compression import extractive
from sleep.compression.contract import Request
from sleep.records.address import Address
from sleep.records.fragment import Fragment

OWN = "Bowen prefers short reports: what changed, what is next, no screenshots."
CAPTIONS = ("Session Key: agent:main:main", "| # | Step | State |", "Session ID: d93c8d09-0eca-4e81-9b85-2a7f99a9d674")


def test_what_only_names_other_words_makes_room_first():
    """An agent's note stays where the id of a session and the head of a table could make room instead."""
    standing = tuple(Fragment("note", text, (Address(1, "abc", n),)) for n, text in enumerate((OWN, *CAPTIONS), 1))
    room = extractive.cost(standing[0]) + 4
    answer = extractive.compress(Request("warm", 3, room, (), standing=standing, room=room))
    assert [fate.after.text for fate in answer.standing if fate.after] == [OWN]
