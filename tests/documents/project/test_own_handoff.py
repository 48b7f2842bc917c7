"""What an instance handed over in its own words."""

from __future__ import annotations

from sleep.documents import journal
from sleep.documents.journal import Draft
from sleep.documents.project import own_handoff
from sleep.records.address import InstanceId

OWN = InstanceId(7, "abc")


def _entries(*drafts):
    text = journal.start(OWN, {"format": 2, "started": "2026-11-21T10:00:00Z"})
    for draft in drafts:
        text, _ = journal.append(text, draft, OWN)
    return journal.read(text).entries


def test_fields_and_words_have_their_address():
    """Each field of a handoff, and its words for the next one, stand there with the address that says them."""
    fields = own_handoff.fields(
        _entries(Draft("note", "No"), Draft("handoff", "It works", fields=(("open risk", "NFS"),)))
    )
    assert fields == {"open_risk": "NFS [i7abc.2]", "for_my_successor": "It works [i7abc.2]"}


def test_what_it_announces_is_next():
    """A handoff that says what is next in its words gives the field of that name."""
    fields = own_handoff.fields(_entries(Draft("handoff", "It works. Next: race four processes.")))
    assert fields["next_priority"] == "race four processes [i7abc.1]"


def test_without_a_handoff_there_are_none():
    """Other entries hand nothing over."""
    assert own_handoff.fields(_entries(Draft("task", "Race four processes"))) == {}
