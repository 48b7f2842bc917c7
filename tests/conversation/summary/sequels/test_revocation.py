"""What a person takes back says so and gives way; what adds, asks or speaks of something else does not."""

from __future__ import annotations

import pytest

from sleep.conversation import MemoryConsolidator

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]


def _talk(*texts):
    said = [{"role": "user", "content": "Design the storage."}]
    for text in texts:
        said += [{"role": "user", "content": text}, {"role": "assistant", "content": "Will do."}]
    return said


def _line(text, words):
    return next(line for line in text.split("\n") if line.startswith(f"- {words}"))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Use Redis for the queue.", "Actually, use Postgres for the queue instead."),
        ("We decided to use Redis for the queue.", "Change of plan: the queue goes to Postgres, Redis costs too much."),
        ("Never deploy on Fridays.", "You may deploy on Fridays now, the freeze is over."),
        ("Keep the old API working.", "We don't need backward compatibility any more, drop the old API."),
        ("Put it on port 8080.", "Port 9090, not 8080."),
        ("Use tabs for indentation.", "I changed my mind: use spaces for indentation."),
        ("Do not write to the database.", "Scratch that, writing to the database is fine."),
        ("Let's go with option B, the event bus.", "On second thought let's go with option A, the cron job."),
        ("The deadline is March 3.", "The deadline moved to March 10."),
        ("Nutze Redis als Cache.", "Ich habe es mir anders überlegt, wir nehmen Valkey als Cache."),
    ],
)
def test_what_a_person_takes_back_says_so(older, newer):
    """The older one bears the number of the message that took it back, the newer one stands as it was said."""
    text = MemoryConsolidator().consolidate([*_talk(older, "Write the tests too.", newer), *TAIL])[1]
    assert "(superseded @4) @2" in _line(text, older)
    assert "superseded" not in _line(text, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Use Redis for the queue.", "Actually, the queue in Redis must be persistent."),
        ("Use Redis for the queue.", "Look at the queue again and tell me what is in Redis now."),
        ("Never deploy on Fridays.", "Can we deploy on Fridays?"),
        ("Never deploy on Fridays.", "You may deploy the docs now."),
        ("Never deploy on Fridays.", "You may deploy if the Fridays are free."),
        ("Keep the old API working.", "The old tests don't run any more."),
        ("Put it on port 8080.", "Port 9090 for the proxy, not 8081."),
        ("Never miss the deadline in March.", "The deadline moved to March 10."),
        ("Check the queue.", "Actually, check the logs of the queue instead."),
    ],
)
def test_what_adds_asks_or_is_about_something_else_takes_nothing_back(older, newer):
    """Both stand."""
    text = MemoryConsolidator().consolidate([*_talk(older, "Write the tests too.", newer), *TAIL])[1]
    assert "superseded" not in text


def test_in_little_room_the_newer_one_is_left():
    """What was taken back gives way before what took its place, which counts as what it was; never the older alone."""
    filler = [f"Look at part {number} of it and tell me what it needs." for number in range(200)]
    said = ["Never deploy on Fridays.", "You may deploy on Fridays now, the freeze is over.", *filler]
    text = MemoryConsolidator(max_tokens=4_000).consolidate([*_talk(*said), *TAIL])[1]
    assert "You may deploy on Fridays now" in text.partition("Constraints:")[2].partition("\n\n")[0]
    assert "Never deploy on Fridays." not in text.replace("Never deploy on Fridays. (superseded @3)", "")


def test_what_an_earlier_summary_holds_is_taken_back_too():
    """The line that was kept before says that it is past, once, and the newer one stands as a rule beside it."""
    consolidator = MemoryConsolidator()
    history = consolidator.consolidate([*_talk("Never deploy on Fridays."), *TAIL])[0]
    for more in (_talk("You may deploy on Fridays now.")[1:], _talk("Go on.")[1:]):
        history, text = consolidator.consolidate([*history, *more, *TAIL])
    assert text.count("superseded") == 1
    assert "- Never deploy on Fridays. @2 (superseded @" in text
    assert "You may deploy on Fridays now." in text.partition("Constraints:")[2].partition("\n\n")[0]
