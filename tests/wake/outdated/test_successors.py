"""Which later line takes the place of an earlier one of the same thing."""

from __future__ import annotations

from math import log

import pytest

from sleep.wake import quality
from sleep.wake.outdated import successors
from sleep.wake.quality import SourceLine

_OTHER = [
    "the ledger keeps a row for each parcel that leaves the harbour",
    "gulls sleep on the roof of the harbour office in winter",
    "a parcel without a label goes back to its sender",
    "the office opens at nine and closes at five",
    "boats of the ferry line are painted green and white",
    "tickets for children cost half of what adults pay",
    "the crane lifts twelve tons and is checked in spring",
    "storms from the west delay the evening boat",
]


def _find(*lines, days=None, lasting=frozenset()):
    """Return the successors of lines that stand among others."""
    stated = [line if isinstance(line, SourceLine) else SourceLine(line, at) for at, line in enumerate(lines)]
    every = [*stated, *(SourceLine(text, 0, place=50 + at) for at, text in enumerate(_OTHER))]
    terms = [quality.terms(line.text) for line in every]
    rarity = {term: log(len(every) / sum(term in own for own in terms)) for own in terms for term in own}
    return successors.find(every, rarity, days or {}, lasting)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Turso import of invoices: not yet implemented", "Implemented the Turso import of invoices"),
        ("Pending: rotate the Turso key", "Turso key rotated, deployed"),
        ("The Turso proxy is dead", "Turso proxy confirmed working"),
        ("The Turso proxy works on three nodes", "Turso proxy removed from the three nodes"),
        ("Turso Import der Rechnungen: noch nicht umgesetzt", "Turso Import der Rechnungen umgesetzt"),
        ("邮件网站进行中", "邮件网站已完成"),
    ],
)
def test_a_state_ends_with_a_later_report_of_the_same_thing(older, newer):
    """What is open ends when it is done, what is broken when it works, what works when it is gone; not backwards."""
    assert _find(older, newer) == {0: 1}
    assert 0 not in _find(newer, older) or successors.state(SourceLine(newer, 0)) == successors.WORKS


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Pending: rotate the Turso key", "Deployed the invoices of March"),  # another thing
        ("Pending: rotate the Turso key", "Fix Turso key rotation"),  # wanted, not done
        ("If the Turso proxy fails, restart the Turso node", "Turso proxy and node work"),  # what may happen
        ("Never use a Turso proxy that is down", "Turso proxy works"),  # a rule
        ("`turso/fix-pending.sh` starts the proxy", "Turso proxy deployed"),  # a name
    ],
)
def test_what_states_nothing_of_the_thing_ends_nothing(older, newer):
    """Another subject, a wish, a condition, a rule and a name are no states."""
    assert 0 not in _find(older, newer)


def test_a_list_of_what_is_open_reports_nothing():
    """Below `Open items` a word of what is done says what is wanted."""
    wanted = SourceLine("Turso key rotated and deployed", 1, "Open items")
    assert 0 not in _find("Turso key rotation failed", wanted)
    assert _find("Turso key rotation failed", wanted._replace(heading="Report")) == {0: 1}


def test_a_point_of_what_is_open_ends_when_it_was_done():
    """An order below `Next steps` ends with a later report of the same thing; a rule there does not, nor prose."""
    order = SourceLine("Create the folders for the Turso key", 0, "Next steps", form="item")
    assert _find(order, "Created three folders for the Turso key") == {0: 1}
    assert _find(order, "Deployed the invoices of March") == {}
    assert _find(order._replace(heading="Notes"), "Created three folders for the Turso key") == {}
    assert (
        _find(order._replace(text="Always create folders for the Turso key"), "Created folders for the Turso key") == {}
    )


def test_what_only_shares_its_subject_ends_nothing():
    """Points of one list, and lines below one subject, have its words alike: each ends with its own."""
    subject = "Turso invoices of the spring"
    point = SourceLine(f"{subject}: implement letters of ferry customers", 0, "Next steps", 1, "item")
    assert _find(point, f"{subject}: deployed the nightly harbour job") == {}
    assert _find(point, f"{subject}: deployed lights for the ferry") == {}  # one word of its own is not most of it
    assert _find(point, f"{subject}: implemented letters of ferry customers") == {0: 1}
    point = SourceLine("Verify letters of the Turso ferry customers", 0, "Next steps", 1, "item")
    assert _find(point, SourceLine("Turso ferry tickets printed", 1, "Report")) == {}
    assert _find(point, SourceLine("Letters of Turso customers verified", 1, "Report")) == {0: 1}


def test_a_subject_says_no_state():
    """What was done with a thing that is named before a colon is not what is said of it; one word there is a state."""
    assert not successors.state(SourceLine("The Turso invoices deployed: test them again", 0))
    assert successors.state(SourceLine("DEPLOYED: the Turso invoices", 0)) == successors.DONE


def test_a_picture_in_front_says_the_state():
    """An unticked box is open whatever its words are, and a ticked one done."""
    box = SourceLine("Create install.sh for Turso", 0, mark=successors.OPEN)
    assert _find(box, SourceLine("Create install.sh for Turso and others", 1, mark=successors.DONE)) == {0: 1}


def test_a_problem_and_its_mending_in_one_section_stay_together():
    """What was wrong and what mended it, below one heading, help a reader together."""
    broken = SourceLine("Turso proxy hangs on login", 0, "Login", 1)
    mended = SourceLine("Fixed the Turso proxy login", 0, "Login", 2)
    assert 0 not in _find(broken, mended)
    assert _find(broken, mended._replace(heading="Elsewhere")) == {0: 1}


def test_what_stands_below_a_heading_does_not_end_it():
    """A heading that says what broke is told with its mending; a later day's mending takes its place."""
    broken = SourceLine("Turso proxy of the harbour is broken", 0, "Monday", 1, "heading")
    mended = SourceLine("Fixed the Turso proxy of the harbour", 0, "Turso proxy of the harbour is broken", 2)
    assert 0 not in _find(broken, mended)
    assert _find(broken, mended._replace(instance=1, heading="Tuesday")) == {0: 1}


def test_of_documents_of_one_day_none_is_the_later_one():
    """Where only the day is known, a report ends what is open in another document of that day, whatever their order."""
    lines = ("Implemented the Turso import of invoices", "Turso import of invoices: not yet implemented")
    assert 1 not in _find(*lines)
    assert _find(*lines, days={0: "2 May 2026", 1: "2 May 2026"}) == {1: 0}


def test_what_is_meant_to_last_is_ended_by_no_state():
    """A decision that speaks of a state is none."""
    assert not _find("Turso proxy is dead to us", "Turso proxy works", lasting=frozenset({0}))


def test_a_value_is_told_by_its_latest():
    """Of values under one name, each said once by its instance, the last holds; a list of several is none."""
    assert _find("Active tasks: 0", "Active tasks: 2 of the shop") == {0: 1}
    assert _find("Backup of the disk (every 2 hours)", "Backup of the disk (every 5 minutes)") == {0: 1}
    twice = SourceLine("Active tasks: 1", 1, place=9)
    assert not _find("Active tasks: 0", "Active tasks: 2 of the shop", twice)


@pytest.mark.parametrize(
    ("text", "is_over"),
    [
        ("No release until Feb 12", True),
        ("No release until 12 February 2026", True),
        ("Kein Release bis zum 12. Februar", True),
        ("No release until March 12", False),
        ("No release until Feb 12, 2027", False),
        ("No release until someone looks at page 12", False),
    ],
)
def test_what_holds_until_a_day_is_over_after_it(text, is_over):
    """The day is of the year in which it was stated, or the next; a month that is past then is of the next one."""
    assert successors.is_over(text, "5 February 2026", (2026, 2, 20)) == is_over
    assert not successors.is_over(text, "", (2026, 2, 20))


def test_what_is_open_under_a_number_of_a_tracker_is_told_by_its_newest_line():
    """`#74` is one point in each list that has it; a list that only counts its points has others."""
    older = SourceLine("#74 — fair value, estimated", 0, "Next session", 1, "item")
    newer = SourceLine("#74 Fair value (P1): finish the page", 1, "Next session", 1, "item")
    assert _find(older, newer) == {0: 1}
    assert _find(newer._replace(instance=0), newer._replace(text="#74 New tiles for the roof")) == {}
    assert _find(older, newer._replace(instance=0, place=2)) == {}
