"""In which order a passage is read."""

from __future__ import annotations

from sleep.recall.index.rows import HEADING
from sleep.recall.passages import Passage, PassageLine, to_json

TITLE = "Hardening"


def passage(*lines):
    """Return a passage of (text, score), in their order in the journal; a text with `# ` is a heading of the others."""
    heads = tuple(((1, at), text[2:]) for at, (text, _) in enumerate(lines) if text.startswith("# "))
    return Passage(tuple(line(at, text, score, heads) for at, (text, score) in enumerate(lines)))


def line(at, text, score, heads):
    """Return a line at a place; a heading has no address."""
    is_head = text.startswith("# ")
    addresses, kind = ((), HEADING) if is_head else ((f"i1aaa.{at + 1}",), "note")
    under = () if is_head else heads
    return PassageLine((1, at), text.removeprefix("# "), addresses, "a.md", "journal", kind, "", score, (), under=under)


def shown(*lines):
    """Return the lines that are read, without the head."""
    return passage(*lines).text.split("\n")[1:]


def test_a_passage_begins_with_the_line_that_answers():
    """What stands before the line that answers is read last, in its order, under words that say so."""
    text = shown(("Fixed the search", 0.2), ("Fixed the mail", 0.3), ("Passwords have 8 signs", 0.9), ("Done", 0.1))
    assert text == ["Passwords have 8 signs", "Done", "Before it:", "Fixed the search", "Fixed the mail"]


def test_a_line_is_read_with_the_one_that_it_needs():
    """An answer stands behind its question, and an item behind the words that lead to it."""
    assert shown(("Hello", 0.1), ("Which port?", 0.2), ("8085", 0.9))[:2] == ["Which port?", "8085"]
    assert shown(("Hello", 0.1), ("**We never:**", 0.2), ("push on a Friday", 0.9))[0] == "**We never:**"


def test_lines_of_about_one_worth_keep_their_order():
    """Records of a list, and answers of one worth, are read as they were written."""
    assert shown(("The newest rule", 99.5), ("An older rule", 99.9)) == ["The newest rule", "An older rule"]


def test_a_short_heading_is_named_in_the_head():
    """A passage names the heading of its answer in its head, though the heading is one of its lines or the best."""
    for score in (0.2, 0.95):
        own = passage((f"# {TITLE}", score), ("Fixed the search", 0.1), ("Passwords have 8 signs", 0.9 - score / 2))
        assert own.under == TITLE
        assert f"# {TITLE}" not in own.text
    assert passage(("# A heading alone", 0.9)).text.endswith("# A heading alone")


def test_a_program_reads_the_lines_in_their_order():
    """JSON has the lines as they stand in the journal, and where a reader begins."""
    (values,) = to_json([passage(("Fixed the search", 0.2), ("Passwords have 8 signs", 0.9))])
    assert (values["lines"], values["begins"]) == (["Fixed the search", "Passwords have 8 signs"], 1)
