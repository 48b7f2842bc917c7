"""Prose that tells a change: each of both names the other, and the older one leaves first."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.records.fragment import SUPERSEDED_BY, SUPERSEDES
from sleep.settings import Settings

ROOMY = Settings(ratio_hot=1.0, ratio_warm=1.0, ratio_cold=1.0)

OLD = "Coverage of the parser module is 87% by lines"
NEW = "Coverage of the parser module is 91% by lines"


def _journal(*said):
    return "# Day\n\n## Insights\n\n" + "".join(f"- {one}\n" for one in said)


def _found(memory, text):
    """Return the tier and the fragment that says a text, None where none does."""
    return next(((at, one) for at, one in memory.placed() if text in one.text), None)


@pytest.mark.parametrize("between", [0, 3])
def test_both_name_each_other(between):
    """In hot and in warm memory, what tells a change marks the older fragment where it stands."""
    memory = Memory(ROOMY)
    for said in (OLD, *(f"The weather of town {chr(97 + one)} was fine" for one in range(between)), NEW):
        memory.journal(_journal(said))
        taken = memory.sleep()
    at, old = _found(memory, OLD)
    _, new = _found(memory, NEW)
    assert at == ("warm" if between else "hot")
    assert old.field(SUPERSEDED_BY) == str(new.identity)
    assert new.field(SUPERSEDES) == str(old.identity)
    (step,) = [one.decided for one in taken if one.decided.step == "journal to hot"]
    assert "superseded: 1 older, by what tells them anew" in step.lines


def test_the_older_leaves_first():
    """A superseded fragment leaves hot and warm memory, one tier a sleep, while what came with it is still there."""
    memory = Memory(ROOMY)
    stood = []
    for said in (OLD, NEW, "The weather was fine", "The sea was calm", "The moon was full"):
        memory.journal(_journal(said))
        memory.sleep()
        found = _found(memory, OLD)
        stood.append(found[0] if found else "gone")
    assert stood[:3] == ["hot", "hot", "warm"]
    assert stood[3] in ("cold", "gone")  # cold memory may have no room for it
    assert _found(memory, NEW)[0] == "warm"


def test_once():
    """A step taken twice supersedes nothing more, and what went back to an old figure is told as new."""
    memory = Memory()
    for said in (OLD, NEW, OLD):
        memory.journal(_journal(said))
        memory.sleep()
    states = [(one.text, one.is_superseded) for _, one in memory.placed() if "Coverage" in one.text]
    assert states.count((OLD, False)) == 1
    assert (NEW, True) in states


def test_records_are_left_alone():
    """A decision is superseded by a command only."""
    memory = Memory()
    for figure in (87, 91):
        memory.journal(f"# Day\n\n## Decisions\n\n### Decision: keep the coverage of the parser module at {figure}%\n")
        memory.sleep()
    assert not any(one.is_superseded or one.field(SUPERSEDES) for _, one in memory.placed())
