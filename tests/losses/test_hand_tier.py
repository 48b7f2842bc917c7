"""What a person adds to a tier, changes in it or takes out of it by hand is so from then on."""

from __future__ import annotations

import json

import pytest

from sleep.documents import tier
from sleep.records import address as addressing

CLOCK = "The runner clock drifts by three seconds a day"
HOST = "The staging host has only two gigabytes of memory"
NOW = "The staging host has eight gigabytes of memory since May"
RULE = "Never log a password"


@pytest.fixture
def slept(person):
    """Return someone whose memory holds a decision, two insights and a constraint."""
    return person.grow(say_and_sleep)


def say_and_sleep(person):
    """Journal a decision, two insights and a constraint, and sleep."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use sqlite", "--why", "it is small")
    for kind, text in (("insight", CLOCK), ("insight", HOST), ("constraint", RULE)):
        person.sleepwake("journal.add", "--kind", kind, "--text", text)
    person.sleepwake("sleep")


def edit(person, path, *changes):
    """Replace lines of a file, as in an editor."""
    text = person.read(path)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    person.write(path, text)


def line(person, words, path="memory/hot/context.md"):
    """Return the whole line of a file that holds some words."""
    return next(row for row in person.read(path).split("\n") if words in row) + "\n"


def take_out(person, *words):
    """Delete the lines of hot context that hold these words."""
    edit(person, "memory/hot/context.md", *((line(person, one), "") for one in words))


def test_a_line_added_to_a_tier_is_an_entry(slept):
    """Lines added to hot memory get addresses and numbers, stand in the registers, and are told and found."""
    person = slept
    decisions, context = "memory/hot/decisions.md", "memory/hot/context.md"
    added = "- Deploy only on Tuesdays\n  - why: the team is there\n"
    person.write(decisions, person.read(decisions) + added)
    person.write(context, person.read(context) + "\n## Constraints\n\n- Always run the linter\n")
    assert "Deploy only on Tuesdays [by hand]" in person.sleepwake("wake", "--peek")
    assert "Deploy only on Tuesdays [by hand]" in person.sleepwake("wake")
    assert "adopt lines by hand: 2 added" in person.sleepwake("sleep", "--dry-run")
    person.sleepwake("sleep")
    assert "- added: Deploy only on Tuesdays\n" in person.git("log", "--format=%b", "--grep=lines by hand")
    decided = {one.text: one for one in tier.parse(person.read(decisions)).fragments}
    new = decided["Deploy only on Tuesdays"]
    assert (new.number, new.field("why")) == ("D-002", "the team is there")
    assert (
        addressing.MARK.sub("", person.read(decisions)).replace("**D-002** ", "").replace(" \n", "\n").endswith(added)
    )
    assert "Deploy only on Tuesdays" in person.sleepwake("decision.list")
    assert "Always run the linter" in person.sleepwake("constraint.list")
    assert "Always run the linter [" in person.sleepwake("wake")
    assert "Always run the linter" in person.sleepwake("recall", "linter")
    assert f"Deploy only on Tuesdays [{new.identity} D-002]\n\n- why: the team is there\n- source: person\n" in (
        person.read(f"journal/instance-{new.identity.number}.md")
    )
    assert person.read(context).count("Always run the linter") == 1
    assert "nothing is wrong" in person.sleepwake("doctor")


def test_a_line_added_to_a_warm_topic_stays_there(slept):
    """A line that is written into a topic is an entry that stands there, and nowhere a second time."""
    person = slept
    person.write("memory/warm/auth.md", "# Auth\n\n## Decisions\n\n- Tokens live for an hour\n")
    person.sleepwake("sleep")
    assert "- **D-002** Tokens live for an hour [i2" in person.read("memory/warm/auth.md")
    assert "Tokens live" not in person.read("memory/hot/decisions.md")
    assert "Tokens live for an hour" in person.sleepwake("decision.list")
    assert "Tokens live for an hour" in person.sleepwake("wake")


def test_the_fate_of_a_line_that_was_added_is_that_it_stands(slept):
    """A note that a person wrote into a topic was not dropped: the page of fates says where it stands."""
    person = slept
    person.write("memory/warm/auth.md", "# Auth\n\n## Notes\n\n- The token is called sid\n")
    person.sleepwake("sleep")
    page = max((path, text) for path, text in person.everything().items() if path.startswith("memory/fates/"))[1]
    assert "| journal | warm/auth | stood there already |" in page
    assert "dropped" not in page


@pytest.mark.parametrize("committed", [False, True])
def test_what_a_person_took_out_is_not_told_again(slept, committed):
    """Lines that were deleted from a tier are told by no wake, before the next sleep and after it."""
    person = slept
    take_out(person, CLOCK, RULE)
    if committed:
        person.commit("not true any more")
    for _ in range(2):
        said = person.sleepwake("wake")
        assert CLOCK not in said
        assert RULE not in said
        assert HOST in said
        person.sleepwake("sleep")
    person.sleepwake("journal.add", "--kind", "note", "--text", "The runner is a small machine in the cellar.")
    person.sleepwake("sleep")
    said = person.sleepwake("wake", "--task", "runner clock")
    assert CLOCK not in said
    assert "taken out by hand" in person.sleepwake("recall", "runner clock drifts")
    assert "nothing is wrong" in person.sleepwake("doctor")


@pytest.mark.parametrize("committed", [False, True])
def test_a_correction_wins(slept, committed):
    """A line that was corrected is told and found as corrected, the journal's wording marked behind it."""
    person = slept
    edit(person, "memory/hot/context.md", (HOST, NOW))
    edit(person, "memory/hot/decisions.md", ("Use sqlite", "Use redis"))
    if committed:
        person.commit("put right")
    for _ in range(2):
        said = person.sleepwake("wake")
        assert NOW in said
        assert HOST not in said
        person.sleepwake("sleep")
    said = person.sleepwake("recall", "staging host gigabytes memory")
    assert said.index(NOW) < said.index(HOST)
    behind = said[said.index(HOST) :].split("\n")[0]
    assert "changed by hand" in behind
    assert "Use redis" in person.sleepwake("decision.list")
    assert "- changed: Use sqlite -> Use redis" in person.git("log", "--format=%B")


def test_a_line_that_lost_its_address_has_it_again(slept):
    """A line whose mark was deleted with its words left is the same entry, with the same address."""
    person = slept
    before = line(person, CLOCK)
    edit(person, "memory/hot/context.md", (before, f"- {CLOCK}\n"))
    edit(
        person,
        "memory/hot/decisions.md",
        (line(person, "sqlite", "memory/hot/decisions.md"), "- **D-001** Use redis\n"),
    )
    person.sleepwake("sleep")
    assert line(person, CLOCK) == before
    decided = tier.parse(person.read("memory/hot/decisions.md")).fragments
    assert [(one.number, one.text, one.identity.number) for one in decided] == [("D-001", "Use redis", 1)]
    assert person.read("journal/instance-2.md") is None


def test_what_was_put_back_holds_again(slept):
    """A line that was taken out and put back later is told like any other."""
    person = slept
    before = line(person, CLOCK)
    take_out(person, CLOCK)
    person.sleepwake("sleep")
    person.write("memory/hot/context.md", person.read("memory/hot/context.md") + f"\n## Insights\n\n{before}")
    person.sleepwake("sleep")
    assert CLOCK in person.sleepwake("wake")
    assert json.dumps(person.read("memory/edits.md")).count("removed: ") == 1


def test_a_revert_is_no_edit(slept):
    """What a revert of our step takes out, or a tier's file that is gone as a whole, counts as nobody's wish."""
    person = slept
    step = person.git("log", "--format=%h", "--grep=journal to hot", "-1").strip()
    person.git("revert", "--no-edit", step)
    person.sleepwake("sleep", code=None)
    assert person.read("memory/edits.md") is None
    person.git("revert", "--no-edit", "HEAD")
    (person.folder / "memory/hot/context.md").unlink()
    person.sleepwake("sleep", code=None)
    assert person.read("memory/edits.md") is None


def test_an_undo_does_not_bring_it_back(slept):
    """After a later cycle is undone, what a person took out is still out, and still noted."""
    person = slept
    take_out(person, CLOCK)
    person.sleepwake("sleep")
    person.sleepwake("journal.add", "--kind", "note", "--text", "The runner is a small machine in the cellar.")
    person.sleepwake("sleep")
    person.sleepwake("sleep.undo")
    assert CLOCK not in person.read("memory/hot/context.md")
    assert f"- {CLOCK} [" in person.read("memory/edits.md")
    assert CLOCK not in person.sleepwake("wake")


def test_a_line_by_hand_hands_nothing_over(slept):
    """The handoff of the last instance stays when a person only added a line to a tier."""
    person = slept
    person.sleepwake("journal.add", "--kind", "handoff", "--text", "Go on with the parser of dates")
    person.sleepwake("sleep")
    person.write("memory/hot/decisions.md", person.read("memory/hot/decisions.md") + "- Deploy only on Tuesdays\n")
    person.sleepwake("sleep")
    assert "Go on with the parser of dates" in person.read("main.md")
    assert "Deploy only on Tuesdays" not in person.read("main.md").partition("## Current state")[0]
