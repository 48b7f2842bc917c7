"""What a person would not find again: asked with the command, in a memory that has it."""

from __future__ import annotations

LOG = """---
date: 2026-03-04
---
# Session log

## Pricing page

- The monthly plan costs nine euros.
- **Billing error**: the total was rounded twice.

## Rollout

1. Kathryn Holm signs the certificate.
2. The lawyer is asked before the launch.

---

## Wine cellar

- Humidity stays at seventy.
- The door is oak.
"""


def asked(person, question, *more):
    """Return what `recall` says."""
    return person.sleepwake("recall", question, *more)


def written(person):
    """Write the log into a journal by hand, and return who did."""
    person.write("journal/instance-1.md", LOG)
    return person


def test_what_stands_under_a_heading_is_found_by_it(person):
    """A question that has only the heading's words gets the lines below, and a line says what it stands under."""
    said = asked(written(person), "wine cellar")
    assert "Humidity stays at seventy." in said
    person.write(
        "journal/instance-2.md", "# Tariffs\n\n## Abroad\n\n" + "- Nothing of note.\n" * 9 + "- Roaming is dear.\n"
    )
    head, *_ = asked(person, "roaming", "--budget", "100").split("\n")
    assert "Tariffs › Abroad" in head


def test_a_bold_label_is_words_not_somebody(person):
    """What a list calls by a bold label is found by the label's words."""
    said = asked(written(person), "billing error")
    assert "the total was rounded twice" in said
    assert "Nothing" not in said


def test_a_name_that_is_spelt_otherwise_is_the_name(person):
    """A name is found by its sound, and it is said what it was read as."""
    said = asked(written(person), "What does Catherine sign?")
    assert "“catherine” was read as “kathryn”" in said
    assert "Kathryn Holm signs" in said


def test_a_word_of_its_own_is_not_taken_for_another(person):
    """A question with a word that the memory lacks is not surely answered by a word that looks like it."""
    person.write("journal/instance-1.md", "# Log\n\n- The cache layer is thin.\n" + "- Another line of it.\n" * 30)
    said = asked(person, "lawyer")
    assert said.startswith("Nothing surely fits")
    assert "cache layer" in said


def test_what_a_search_would_find_is_shown_though_it_is_not_sure(person):
    """Where the words of a question are hardly there, the nearest lines stand below a warning, with their address."""
    person.sleepwake("journal.add", "--text", "The kiln burned out in the cellar and nobody replaced its fuse.")
    question = "Which of our ovens was damaged over the winter holidays by the electrician's fuse, and when?"
    said = asked(person, question)
    assert said.startswith("Nothing surely fits: ")
    assert "The kiln burned out" in said
    address = said.partition("\n")[2].split()[0]
    assert "The kiln burned out" in asked(person, address)


def test_of_what_was_said_twice_the_newest_comes_first(person):
    """Of two statements that answer alike the later one is read first."""
    person.write("journal/instance-1.md", "---\ndate: 2026-01-02\n---\n\nThe backup runs every five minutes.\n")
    person.write("journal/instance-2.md", "---\ndate: 2026-02-02\n---\n\nThe backup runs every sixty minutes.\n")
    said = asked(person, "how often does the backup run")
    assert said.index("sixty") < said.index("five")
