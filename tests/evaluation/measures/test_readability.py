"""Guards: stop words, word pairs, and whole sentences."""

from __future__ import annotations

from sleep.evaluation.measures import readability

SOURCE = """# The lock

- Decision: use a lock file. It is simple.
- The parrot sang
  to the ship.

A paragraph goes over
two lines. It ends here.
"""


def share(memory):
    """Return the shares of stop words, of pairs and of whole pieces."""
    found = readability.read(memory, SOURCE)
    return found.stop / found.words, found.known / found.pairs, found.whole / found.pieces


def test_sentences_of_the_source_are_whole():
    """Items, their sentences, and paragraphs that went over several lines are whole, without our marks and signs."""
    kept = "# Context\n\n## Notes\n\n- It is simple. [i1abc.2]\n"
    kept += "- **D-001** The parrot sang to the ship. [i1abc.3 i2abc.1]\n"
    kept += "- A paragraph goes over two lines.\n  - why: It ends here.\n"
    found = readability.read(kept, SOURCE)
    assert (found.whole, found.pieces) == (4, 4)


def test_a_cut_sentence_is_not_whole():
    """Half a sentence has its pairs in the source, and is no sentence of it."""
    _, pairs, whole = share("- The parrot sang")
    assert (pairs, whole) == (1, 1)  # a line of the source
    _, pairs, whole = share("- parrot sang to the")
    assert (pairs, whole) == (1, 0)


def test_a_list_of_rare_words_is_found_out():
    """Rare words without the words between them have no stop words and no pairs of the source."""
    assert share("parrot ship lock lines decision simple") == (0, 0, 0)
    stop, pairs, _ = share(SOURCE)
    assert stop > 0.3
    assert pairs == 1


def test_an_empty_memory_has_nothing_to_read():
    """Nothing is asked of a memory without words."""
    assert readability.read("", SOURCE) == (0, 0, 0, 0, 0, 0)
