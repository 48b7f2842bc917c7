"""Quotation: which lines of a message are somebody else's."""

from __future__ import annotations

import pytest

from sleep.compression import passages
from sleep.language import quotation
from sleep.transcripts.events import Event

RULE = "Never restart both nodes at once."


@pytest.mark.parametrize(
    "lead",
    [
        "Summarize the incident report for me:",
        "please translate this:",
        "Can you proofread the following for typos:",
        "ok, have a look at what Bob wrote:",
        "What do you think of this article?",
        "Fass bitte den folgenden Bericht zusammen:",
        "请总结下面的报告：",
    ],
)
def test_what_is_handed_over_is_somebody_elses(lead):
    """A person who says what shall be done with a text pastes it below: its rules and choices bind nobody."""
    text = f"{lead}\n\nWe decided to turn it off. {RULE}"
    assert [is_quoted for _, is_quoted in quotation.lines(text)][-1]
    assert not any(run.states for run in passages.cut([Event("person", "prompt", text)]))


@pytest.mark.parametrize("mark", ["- ", "1. "])
def test_a_list_below_what_is_handed_over_is_the_persons(mark):
    """A list says how the work shall be done, and is no text that was pasted."""
    text = f"Review this with these rules in mind:\n\n{mark}{RULE}"
    assert not any(is_quoted for _, is_quoted in quotation.lines(text))


@pytest.mark.parametrize(
    "lead",
    ["Check the build first.", "Two things:", "Review the module, then:", "What do you think of this?", "Shorten it."],
)
def test_what_a_person_goes_on_to_say_is_theirs(lead):
    """What leads to no text of somebody else's leaves the rule below it as it is."""
    stated = [run.text for run in passages.cut([Event("person", "prompt", f"{lead}\n{RULE}")]) if run.states]
    assert stated == [RULE]
