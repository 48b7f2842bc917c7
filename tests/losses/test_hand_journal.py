"""What a person or an agent writes into a journal by hand reaches the memory, and sticks to nothing else there."""

from __future__ import annotations

from sleep.documents import tier
from sleep.records import address as addressing

DECIDED = "Use Postgres for the queue because it is there already."
ASKED = "Who owns the queue?"
FOLLOWS = "Write the migration of the users table"
RULE = "We must never log a password."


def fragments(person, kind):
    """Return what hot memory holds of a kind: texts and record numbers."""
    pages = (person.read(f"memory/hot/{name}.md") for name in ("threads", "decisions", "context"))
    return {one.text: one.number for page in pages for one in tier.parse(page).fragments if one.kind == kind}


def hot(person):
    """Return all of hot memory."""
    return "".join(person.read(f"memory/hot/{name}.md") for name in ("threads", "decisions", "context"))


def test_text_below_the_tone_check_is_slept_on(person):
    """What an instance wrote under headings right below the tone check is decisions, questions and tasks of its own."""
    person.sleepwake("note", "Somebody was here before, and left no tone")
    person.sleepwake("sleep")
    person.sleepwake("wake")
    by_hand = f"\n### Decisions\n\n- {DECIDED}\n\n### Questions\n\n- {ASKED}\n\n### Tasks\n\n- [ ] {FOLLOWS}\n"
    person.write("journal/instance-2.md", person.read("journal/instance-2.md") + by_hand)
    assert "not slept on" in person.sleepwake("status")
    assert "3 pieces without an address" in person.sleepwake("journal.show")
    assert "1 decision, 1 question" in person.sleepwake("sleep", "--dry-run")
    person.sleepwake("sleep")
    assert set(fragments(person, "decision")) == {DECIDED}
    assert set(fragments(person, "question")) == {ASKED}
    assert f"- {FOLLOWS} [" in hot(person)
    assert "It left no tone" not in hot(person)
    assert by_hand in addressing.MARK.sub("", person.read("journal/instance-2.md")).replace(" \n", "\n")
    assert "nothing is wrong" in person.sleepwake("doctor")


def test_text_below_an_entry_is_not_glued_to_it(person):
    """What is written below an entry of the command's is of its own, line by line, and the entry says what it said."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use sqlite for the cache", "--why", "it is small")
    person.sleepwake("journal.add", "--kind", "insight", "--text", "A lock stays\nA killed git leaves it.\n\nSo look.")
    journal = person.read("journal/instance-1.md")
    by_hand = f"**Decision:** {DECIDED}\nOpen question: {ASKED}\n- {FOLLOWS}\n{RULE}\n"
    person.write("journal/instance-1.md", journal + by_hand)
    person.sleepwake("sleep")
    decided = fragments(person, "decision")
    assert decided["Use sqlite for the cache"] == "D-001"
    assert len(decided) == 2
    assert [one for one in fragments(person, "question") if ASKED in one and DECIDED not in one]
    assert list(fragments(person, "constraint")) == [RULE]
    assert "- A lock stays A killed git leaves it. So look. [" in hot(person)
    assert f"- {FOLLOWS} [" in hot(person)
    own = journal.partition("\n---\n")[2]
    _, _, behind = person.read("journal/instance-1.md").partition(own)
    assert addressing.MARK.sub("", behind).replace(" \n", "\n") == by_hand


def test_a_journal_written_by_hand_is_a_journal(person):
    """A whole journal without our front matter is slept on as it is, once, and nothing calls it wrong."""
    whole = f"# Monday\n\n{RULE}\n\n## Decisions\n\n- {DECIDED}\n\n### Open questions\n\n- {ASKED}\n"
    person.write("journal/instance-1.md", whole)
    assert "unreadable" not in person.sleepwake("status")
    assert "3 pieces without an address" in person.sleepwake("journal.show", "--instance", "1")
    person.sleepwake("sleep")
    assert set(fragments(person, "decision")) == {DECIDED}
    assert set(fragments(person, "question")) == {ASKED}
    assert RULE in hot(person)
    body = person.read("journal/instance-1.md").partition("\n---\n")[2]
    assert addressing.MARK.sub("", body).replace(" \n", "\n") == whole
    assert "fail" not in person.sleepwake("wake.check")
    assert "nothing is wrong" in person.sleepwake("doctor")
    assert "nothing to sleep on" in person.sleepwake("sleep")


def test_the_command_does_not_write_into_a_journal_by_hand(person):
    """An entry that is added while such a journal waits goes into another, so that no address can change."""
    person.write("journal/instance-1.md", f"{DECIDED}\n")
    person.sleepwake("journal.add", "--kind", "note", "--text", "by the command")
    assert person.read("journal/instance-1.md") == f"{DECIDED}\n"
    assert "by the command" in person.read("journal/instance-2.md")


def test_front_matter_of_another_kind_stays(person):
    """A journal with a person's own front matter keeps every byte of it."""
    own = "---\ntag: blue\nwho: Ann\n---\nThe deploy failed because of the proxy.\n"
    person.write("journal/instance-1.md", own)
    person.sleepwake("sleep")
    assert "The deploy failed because of the proxy. [" in hot(person)
    text = person.read("journal/instance-1.md")
    assert "---\ntag: blue\nwho: Ann\n---\n" in text
    assert "The deploy failed because of the proxy." in text


def test_what_cannot_be_read_is_said_by_line(person):
    """A journal whose front matter is broken is named with the line, and slept on once it is mended."""
    broken = f"---\nwho: Ann\ntags: [blue\n---\n{DECIDED}\n"
    person.write("journal/instance-1.md", broken)
    assert "journal/instance-1.md cannot be read: line 4" in person.sleepwake("sleep")
    assert "journal/instance-1.md:4" in person.sleepwake("status")
    person.write("journal/instance-1.md", broken.replace("[blue", "[blue]"))
    person.sleepwake("sleep")
    assert f"- {DECIDED} [" in hot(person)


def test_its_cycle_can_be_undone(person):
    """A sleep on a journal that a person wrote can be undone, leaves her page as she wrote it, and loses nothing."""
    page = f"# Monday\n\n## Decisions\n\n- {DECIDED}\n"
    person.write("journal/instance-1.md", page)
    person.sleepwake("sleep")
    assert "not in history" not in person.sleepwake("sleep.history")
    assert "is undone" in person.sleepwake("sleep.undo")
    assert person.read("journal/instance-1.md") == page
    assert "nothing is wrong" in person.sleepwake("doctor")
    person.write("journal/instance-1.md", f"{page}- Use flock for the lock\n")
    assert "is gone" not in person.sleepwake("sleep")
    assert set(fragments(person, "decision")) == {DECIDED, "Use flock for the lock"}
    assert "nothing is wrong" in person.sleepwake("doctor")
