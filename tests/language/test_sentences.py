"""Where sentences end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.language import sentences

LINES = st.lists(
    st.sampled_from(["a", "B", ". ", "? ", "!", '."', " ", "1. ", "。", "…", "\t", "`", "e.g. "]), max_size=14
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It works. Then it fails! Why? Nobody knows.", ["It works.", "Then it fails!", "Why?", "Nobody knows."]),
        ("1. Take it. 2. Leave it.", ["1. Take it.", "2. Leave it."]),
        (
            "**1. `a.go`** is best. **12. The `b/` files** can wait.",
            ["**1. `a.go`** is best.", "**12. The `b/` files** can wait."],
        ),
        ("Some forms, e.g. This one, end. ok then", ["Some forms, e.g. This one, end. ok then"]),
        ("Frau Dr. Weiß ruft an. Gut.", ["Frau Dr. Weiß ruft an.", "Gut."]),
        ("Das ist z. B. JSON oder Ticket Nr. 4711. Gut.", ["Das ist z. B. JSON oder Ticket Nr. 4711.", "Gut."]),
        ("Ask Mr. Smith. Take plan B. Go.", ["Ask Mr. Smith.", "Take plan B.", "Go."]),
        ("M. Dupont valide. Oui.", ["M. Dupont valide.", "Oui."]),
        ("La fecha, p. ej. Lunes. Sí.", ["La fecha, p. ej. Lunes.", "Sí."]),
        ("Город, т. е. Москва. Да.", ["Город, т. е. Москва.", "Да."]),
        ("Er sagte: „Ja.“ Dann ging er.", ["Er sagte: „Ja.“", "Dann ging er."]),
        ("Il a dit « Oui. » Puis rien.", ["Il a dit « Oui. » Puis rien."]),
        ("Call `a. B` here. Then go", ["Call `a. B` here.", "Then go"]),
        ("他说好。我们走！", ["他说好。", "我们走！"]),
        ("Is one enough? It is. [i7qxk.12 D-001]", ["Is one enough?", "It is. [i7qxk.12 D-001]"]),
        ("他说好。我们走！ [i7qxk.12]", ["他说好。", "我们走！ [i7qxk.12]"]),
        ("", []),
    ],
)
def test_a_sentence_ends_where_another_begins(text, found):
    """Abbreviations, numbers of items and code end none; the full stops of Chinese do without a space."""
    assert sentences.split(text) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The check is there.Now the tests run.", ["The check is there.", "Now the tests run."]),
        ("It calls `open()`!Instead of this we read.", ["It calls `open()`!", "Instead of this we read."]),
        ("The field of session.State is gone.", ["The field of session.State is gone."]),
        ("Ask page.All or items.For first", ["Ask page.All or items.For first"]),
        ("Run `a.All of` it", ["Run `a.All of` it"]),
    ],
)
@pytest.mark.parametrize("is_typed", [True, False])
def test_a_sentence_of_a_message_may_end_without_a_blank(text, parts, is_typed):
    """A word that begins sentences follows the stop at once where an agent streamed them; a name of code ends none."""
    assert [text[start:end] for start, end in sentences.clauses(text, is_typed=is_typed)] == parts


def test_an_abbreviation_ends_no_sentence_that_a_person_typed():
    """Behind an abbreviation small letters go on, where behind another stop they would begin a sentence."""
    text = "nimm bzw. teste z.b. restic. dann borg"
    assert [text[start:end] for start, end in sentences.clauses(text, is_typed=True)] == [
        "nimm bzw. teste z.b. restic.",
        "dann borg",
    ]


@given(LINES.map("".join).map(str.strip))
def test_sentences_cover_a_line_but_for_space(line):
    """The sentences of a line are in order, apart by space alone, and none is blank."""
    spans = sentences.spans(line)
    at = 0
    for start, end in spans:
        assert not line[at:start].strip()
        assert line[start:end] == line[start:end].strip() != ""
        at = end
    assert not line[at:].strip()


@pytest.mark.parametrize(
    ("text", "asks"),
    [("Why?", True), ('"Why?"', True), ("Why? Because.", False), ("为什么？", True), ("(why?)* ", True)],
)
def test_a_question_ends_in_its_mark(text, asks):
    """What closes a quotation or brackets may stand behind the mark."""
    assert sentences.asks(text) is asks
