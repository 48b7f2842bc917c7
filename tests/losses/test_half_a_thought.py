"""What a step may not do to words: keep half of them, or say of them what is not so."""

from __future__ import annotations

SAID = (
    "The importer reads the roster from the archive of the northern office every night before the mirrors start up. "
    "It fails when the archive is locked by the nightly compaction of the warehouse in the harbour of old Bergen. "
    "Our tasks keep it."
)


def test_what_leans_is_not_kept_without_its_ground(person):
    """A sentence that says `it` stands in memory only beside the sentence that says what."""
    person.sleepwake("wake")
    person.sleepwake("journal.add", "--kind", "insight", "--text", SAID)
    for number in range(12):
        text = f"Ferry {number} of the Oslo line sailed with {number + 3} cars and came back with cargo from Narvik."
        person.sleepwake("journal.add", "--kind", "note", "--text", text)
    person.sleepwake("sleep")
    context = person.read("memory/hot/context.md")
    if "Our tasks keep it." in context:
        assert "It fails when the archive" in context
    if "It fails when" in context:
        assert "The importer reads the roster" in context


def test_a_trace_says_what_the_commit_says(person):
    """An entry that was shortened is told as shortened, not as dropped and kept whole in one commit."""
    person.sleepwake("wake")
    said = f"{SAID} The old disks were bought in spring. Ferry 12 sailed with 31 cars to Narvik."
    out = person.sleepwake("journal.add", "--kind", "insight", "--text", said)
    address = next(word.strip("[]().,") for word in out.split() if word.strip("[](").startswith("i1"))
    person.sleepwake("sleep")
    body = person.git("log", "--format=%b")
    trace = person.sleepwake("trace", address)
    (line,) = [line for line in trace.split("\n") if "cycle 1" in line]
    assert ("- shortened: 1" in body) == ("shortened" in line)
    assert ("- dropped" in body) == ("dropped" in line)
