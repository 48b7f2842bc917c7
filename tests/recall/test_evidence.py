"""Whether a value that is asked for stands in the lines that were found."""

from __future__ import annotations

import pytest

from sleep.language import words
from sleep.recall import evidence, question


def line(asked, text, share=0.5):
    """Return a line that has of a question what its text has."""
    terms = {term for term in asked.terms if term in words.terms(text)}
    return evidence.Line(text, frozenset(terms), share)


@pytest.mark.parametrize(
    ("asked", "says", "lacks"),
    [
        (
            "How many panels are on the roof?",
            "Roof: 24 solar panels, all new.",
            "The roof has 20kW of panels since 2024.",
        ),
        ("How many panels are on the roof?", "The roof has two panels.", "Port 8003 is not of the panels on the roof."),
        (
            "How long may the formatter run?",
            "The formatter may run for 30 seconds.",
            "The formatter runs on port 4173.",
        ),
        ("How much memory has the server?", "The server has 64 GB of memory.", "The memory of the server was 3090."),
        ("Wie lange läuft der Dienst?", "Der Dienst läuft 2 Tage.", "Der Dienst läuft auf Port 8003."),
        ("Combien de panneaux sur le toit ?", "Le toit a 24 panneaux.", "Le toit a des panneaux neufs."),
        ("Quand arrive le camion ?", "Le camion arrive lundi.", "Le camion arrive au port."),
        ("What did the battery cost at home?", "Home battery: $9,000.", "The home battery has 15 kWh."),
        ("Who signed the lease?", "The lease was signed by Ada Moor.", "The lease was signed in the end."),
        ("When will the relay be moved?", "The relay is to be moved on 4 March.", "The relay will be moved."),
        ("Which law firm read the lease?", "The law firm Moor has read the lease.", "They read the lease and the law."),
        (
            "What did the load test show?",
            "The load test did show a leak.",
            "The test of the page has to load and show.",
        ),
    ],
)
def test_a_value_is_known_by_its_form_beside_what_it_is_of(asked, says, lacks):
    """A count stands beside what is counted, a price has its sign, a person a name; any other line lacks it."""
    read = question.parse(asked)
    assert read.asks in question.VALUES
    assert evidence.lack(read, [line(read, lacks)])
    assert not evidence.lack(read, [line(read, lacks), line(read, says)])


def test_a_line_that_tells_the_event_has_its_day():
    """What happened is dated by the day of a line that has nearly all of the question; what is to come is not."""
    past, ahead = question.parse("When was the relay moved?"), question.parse("When will the relay be moved?")
    text = "The relay was moved."
    assert not evidence.lack(past, [line(past, text, 0.9)])
    assert evidence.lack(past, [line(past, text, 0.6)])
    assert evidence.lack(ahead, [line(ahead, text, 0.9)])


@pytest.mark.parametrize("asked", ["Why did the relay fail?", "Is the relay up?", "Wer hat das Relay verlegt?"])
def test_nothing_is_asked_of_reasons_and_of_what_has_no_form(asked):
    """A reason is told in any words, and so is what a question of another language asks."""
    read = question.parse(asked)
    assert not evidence.lack(read, [evidence.Line("The relay fell over.", frozenset(read.terms[:2]), 0.5)])
