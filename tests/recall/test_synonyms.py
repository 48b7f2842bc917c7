"""Words that are said for one another: what is found by them, and what it is worth."""

from __future__ import annotations

import pytest

from sleep.language import lexicon
from sleep.recall import search, synonyms
from sleep.recall.index import access
from sleep.store.tree import InMemory

LINES = (
    "The linter broke every import, so its fixes are switched off",
    "The price of the Pro tier is 19 dollars a month",
    "Kosten und Gebühr: der Server kostet nichts",
    "Marmots whistle when an eagle comes near",
    "The checker of spelling is a plain list",
    "决定: 快照先于升级",
)
TEXT = "---\ninstance: 1\ntag: abc\nstarted: 2023-05-08T09:00:00Z\n---\n# Journal: instance 1\n\n" + "".join(
    f"- {line}. [i1abc.{at}]\n" for at, line in enumerate(LINES, 1)
)


@pytest.fixture(scope="module")
def memory():
    """Return the index of a few lines."""
    return access.index_tree(InMemory({"journal/instance-1.md": TEXT}))


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("How much do we charge?", "i1abc.2"),
        ("Wie hoch ist der Preis für den Rechner?", "i1abc.3"),
        ("先做备份吗", "i1abc.6"),
        ("Welche Rechnung hat die Stufe im Monat?", "i1abc.2"),
        ("价格是多少？", "i1abc.2"),
        ("Was the snapshot before the upgrade?", "i1abc.6"),
    ],
)
def test_what_was_said_in_other_words_is_found(memory, asked, address):
    """A question finds the line that has another word of the same group, in each language that has groups."""
    assert search.recall(memory, asked).passages[0].best.addresses == (address,)


def test_the_word_itself_comes_first(memory):
    """A line with the word that was asked for comes before one with a word that is said for it."""
    lines = [line for passage in search.recall(memory, "checker").passages for line in passage.lines]
    best = max(lines, key=lambda line: line.score)
    assert best.addresses == ("i1abc.5",)


def test_words_of_one_group_count_once(memory):
    """A line with two words for one of the question covers no more of it than one with one of them, or the word."""
    alone = access.index_tree(InMemory({"journal/instance-1.md": TEXT.replace("Kosten und Gebühr", "Gebühr")}))
    assert search.recall(memory, "Preis").covered == search.recall(alone, "Preis").covered < 0.6
    assert search.recall(memory, "marmots").covered == pytest.approx(1.0)


def test_every_group_has_words_of_one_term():
    """A line of the file is a group of two words or more, each of which is one term, and none stands there twice."""
    for section in lexicon.read("synonyms.txt").split("\n@ ")[1:]:
        groups = [line.split() for line in section.partition("\n")[2].splitlines() if line]
        assert all(len(group) == len(set(group)) > 1 for group in groups)
    assert "gpu" in synonyms.of("card")
    assert synonyms.of("marmot") == ()


def test_a_longer_word_without_spaces_leads_by_its_last_signs():
    """A Chinese word of three signs is found by its last two, which few other words end in."""
    assert "server" in synonyms.of("务器")
    assert "务器" in synonyms.of("server")


def test_a_word_counts_nearly_whole_where_the_memory_lacks_the_one_that_it_is_said_for(memory):
    """Where nothing here has the word that was asked for, the one that is said for it is how things are called here."""
    assert 0.5 < search.recall(memory, "Preis").covered < 0.6
