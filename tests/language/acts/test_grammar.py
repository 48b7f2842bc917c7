"""One grammar: what a sentence does is the same whoever asks."""

from __future__ import annotations

import pytest

from sleep.conversation.summary import facts, marks
from sleep.language.acts import grammar
from sleep.records import classification

SAID = [
    ("We landed on SQLite.", "decision"),
    ("Final call: keep flock.", "decision"),
    ("Stick with JSON lines.", "decision"),
    ("We decided to drop the cache.", "decision"),
    ("I went with a file instead of a table because it is simpler.", "decision"),
    ("The team settled on Postgres.", "decision"),
    ("We will use one file a session.", "decision"),
    ("Never push to main.", "constraint"),
    ("Do not use mocks where a real thing works.", "constraint"),
    ("Ask me before you touch the schema.", "constraint"),
    ("It is unclear whether the cache is shared.", "question"),
    ("TODO: backfill the ledger.", "task"),
    ("The migration still needs to be run.", "task"),
    ("我们决定采用 Redis。", "decision"),
    ("Wir haben uns für flock entschieden.", "decision"),
    ("никогда не трогать прод", "constraint"),
]


@pytest.mark.parametrize(("said", "kind"), SAID)
def test_memory_and_conversation_agree(said, kind):
    """A plain sentence is of one kind in a journal and in a conversation."""
    (fact,) = facts.of_speech([facts._Spoken(said, 0, 0)])
    assert classification.text_kind(said) == kind
    assert fact.kind == {"task": "todo"}.get(kind, kind)


@pytest.mark.parametrize(
    ("said", "speaker", "kind"),
    [
        ("We landed on SQLite.", grammar.AGENT, ""),
        ("We decided to drop the cache.", grammar.PERSON, "decision"),
        ("Let's go with flock.", grammar.PERSON, "decision"),
        ("Let's go with flock.", grammar.AGENT, ""),
        ("Never push to main.", grammar.PERSON, "constraint"),
        ("Never push to main.", grammar.AGENT, ""),
        ("The tests still need to run.", grammar.PERSON, ""),
        ("Should we decide to drop the cache?", grammar.PERSON, ""),
    ],
)
def test_what_is_stated_depends_on_who_speaks(said, speaker, kind):
    """A person chooses and lays down rules, an agent chooses and leaves undone; the same forms, asked more strictly."""
    assert grammar.stated(said, speaker) == kind


def test_words_are_searched_without_understanding():
    """A mark tells a kind and a weight, whatever the sentence means."""
    line, other = map(marks.plain, ("We landed on SQLite.", "The weather is fine."))
    assert marks.Mark("decision", 3) in marks.marks(line, line.split())
    assert marks.marks(other, other.split()) == []
