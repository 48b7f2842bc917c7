"""What a wake kept from the next instance, though the memory had it and there was room."""

from __future__ import annotations

import re


def add(person, kind, text, **fields):
    """Write an entry into the open journal."""
    person.sleepwake("journal.add", f"--kind={kind}", f"--text={text}", *(f"--{k}={v}" for k, v in fields.items()))


def test_a_dead_end_and_a_line_of_the_first_session_are_told(person):
    """After five short sessions the first one's dead end, decision and own words are in the wake: it all fits."""
    add(person, "dead end", "Redis streams lost events on restart.")
    add(person, "decision", "Keep the queue in SQLite.", why="one file to copy")
    add(person, "note", "The staging host is called heron and has four cores.")
    person.sleepwake("sleep")
    for room in ("hall", "attic", "cellar", "kitchen"):
        add(person, "note", f"The {room} was painted green and has dried well.")
        person.sleepwake("sleep")
    said = person.sleepwake("wake", "--peek")
    for words in ("Redis streams lost events on restart.", "Keep the queue in SQLite. [", "one file to copy"):
        assert said.count(words) == 1
    assert said.count("The staging host is called heron and has four cores.") == 1
    assert "The hall was painted green" in said


def test_a_task_brings_what_is_about_it_to_the_top(person):
    """With a task another text is printed, which begins with what the memory has on it."""
    add(person, "decision", "Keep the queue in SQLite.", why="one file to copy")
    add(person, "note", "The invoices are numbered per country, without gaps.")
    person.sleepwake("sleep")
    add(person, "note", "The hall was painted green and has dried well.")
    person.sleepwake("sleep")
    plain = person.sleepwake("wake", "--peek")
    asked = person.sleepwake("wake", "--peek", "--task=number the invoices of a new country")
    assert plain != asked
    about = re.search(r"# About the task\n\n(.*?)\n\n", asked, re.DOTALL)[1]
    assert about.startswith("- The invoices are numbered per country, without gaps.")
    assert asked.count("The invoices are numbered per country") <= plain.count("The invoices are numbered per country")


def test_what_nobody_slept_on_is_in_the_wake(person):
    """A rule and a decision of a session without a sleep are in the next wake, at any budget."""
    add(person, "constraint", "Never round prices.")
    add(person, "decision", "Keep cents as integers.", why="floats drift")
    for words in ((), ("--budget=1000",), ("--budget=8000",)):
        said = person.sleepwake("wake", "--peek", *words)
        assert said.count("Never round prices.") == 1
        assert said.count("Keep cents as integers.") == 1
        assert "floats drift" in said


def test_small_budgets_say_what_the_project_is_for(person):
    """A wake of 800 tokens begins with the purpose that a person wrote."""
    main = person.read("main.md")
    person.write(
        "main.md", re.sub(r"\(Say here.*?\)", "A till for tea houses, run by two people.", main, flags=re.DOTALL)
    )
    add(person, "note", "The hall was painted green and has dried well.")
    person.sleepwake("sleep")
    assert "A till for tea houses, run by two people." in person.sleepwake("wake", "--peek", "--budget=800")


def test_a_question_to_a_person_is_not_told_as_the_purpose(person):
    """Where nobody said what the project is for, or how it is built, no wake prints our request as if it were that."""
    for budget in ("1000", "8000", "20000"):
        assert "Say here" not in person.sleepwake("wake", "--peek", f"--budget={budget}")
