"""What the doctor puts right in tiers by what the journals say."""

from __future__ import annotations

import re

from sleep.documents import journal
from sleep.journal import writer
from sleep.review import judgement
from sleep.upkeep import doctor

_PAGE = "memory/hot/decisions.md"
_HEADING = "(?m)^#+ .* noticed\n\n(### .*\n\n)?"


def test_what_was_rejected_and_binds_after_a_merge_is_taken_out(scene):
    """A line that a person rejected and a merge put among the decisions goes for good, and the others stay."""
    scene.open()
    draft = journal.noticed("decision", "Use redis streams for the queue", "person", transcript="s1:7")
    at = str(writer.add(scene.place, scene.now(), draft).address)
    scene.add("decision", "Use flock for the lock", why="it ends with its holder")
    scene.sleep()
    page = scene.text(_PAGE)
    judgement.settle(scene.place, scene.now(), [at], judgement.Word(judgement.REJECT, "person"))
    scene.sleep()
    wanted = scene.text(_PAGE)
    scene.write(_PAGE, re.sub(_HEADING, "", page))
    scene.git("commit", "--quiet", "--all", "--message=Merge branch 'side'")
    found = doctor.examine(scene.place, scene.now(), fix=True)
    assert any("take out what was rejected, 1 decision" in each.what for each in found)
    assert not [each for each in found if each.level == "fail"]
    assert scene.text(_PAGE).rstrip() == wanted.rstrip()
    scene.open()
    scene.add("note", "A quiet day")
    scene.sleep()
    assert "redis" not in scene.text(_PAGE)
    assert scene.text("memory/edits.md") is None


def test_what_was_only_noticed_and_binds_is_left_to_a_person(scene):
    """What nobody has judged is named and not taken out: it may be right."""
    scene.open()
    draft = journal.noticed("decision", "Use redis streams for the queue", "person", transcript="s1:7")
    writer.add(scene.place, scene.now(), draft)
    scene.sleep()
    scene.write(_PAGE, re.sub(_HEADING, "", scene.text(_PAGE)))
    scene.git("commit", "--quiet", "--all", "--message=Merge branch 'side'")
    doctor.examine(scene.place, scene.now(), fix=True)
    assert "Use redis streams" in scene.text(_PAGE)
