"""What a text is cut into."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.language import words
from sleep.language.stems import stem


@pytest.mark.parametrize(
    "forms",
    [
        ("adopt", "adopts", "adopted", "adopting", "adoption"),
        ("buy", "bought", "buying", "buys"),
        ("child", "children", "child's"),
        ("run", "ran", "running", "runs"),
        ("use", "used", "using", "uses"),
        ("see", "seeing", "sees"),
        ("family", "families"),
        ("de-stress", "destress"),
        ("IBAN", "IBANs", "iban"),
        ("API", "APIs", "api", "apis"),
        ("URL", "URLs", "parseURLs"),
    ],
)
def test_forms_of_a_word_share_a_term(forms):
    """The forms of one word have a term in common."""
    assert set.intersection(*(set(words.terms(form)) for form in forms))


@pytest.mark.parametrize("pair", [("new", "know"), ("ice", "i"), ("univers", "one"), ("car", "care")])
def test_other_words_stay_apart(pair):
    """Words that are not the same do not become so."""
    one, other = pair
    assert stem(one) != stem(other)


def test_a_name_of_code_is_found_whole_and_by_its_parts():
    """A path, an identifier and an id each give their parts and themselves."""
    assert set(words.terms("src/readItem.py")) >= {"src", "read", "item", "py", "src/readitem.py"}
    assert set(words.terms("read_item")) >= {"read", "item", "read_item"}
    assert set(words.terms("HTTPServer")) >= {"http", "server", "httpserver"}
    assert "d-014" in words.terms("D-014")
    assert "i7qxk.12" in words.terms("[i7qxk.12]")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("C++", ["c++"]),
        ("the C++17 compiler", ["c++", "c++17", "compil"]),
        ("c# and F#,", ["c#", "f#"]),
        ("written in .NET.", ["write", ".net"]),
        ("`a.net`", ["net", "a.net"]),
        ("用C++写", ["用", "c++", "写"]),
        ("9817f1ce-f07a-4c3b", ["9817f1ce", "f07a", "4c3b", "9817f1ce-f07a-4c3b"]),
        ("D-001 (i1buy.2)", ["1", "d-001", "i1buy", "i1buy.2"]),
        ("i1buy.2-4", ["i1buy", "i1buy.2-4"]),
        ("l'architecture d’index", ["architectur", "index"]),
        ("Ann's o'clock", ["ann", "o"]),
    ],
)
def test_signs_are_part_of_some_names(text, terms):
    """C++ is not c, an id has no letters as words, and what is written before a French apostrophe is left out."""
    assert words.terms(text) == terms


def test_scripts_without_spaces_are_cut_in_pairs():
    """Chinese is found by pairs of characters, and a single one by itself."""
    assert words.terms("记忆压缩") == ["记忆", "忆压", "压缩"]
    assert words.terms("猫") == ["猫"]


def test_signs_above_letters_do_not_count():
    """Latin letters are found with diacritics and without."""
    assert words.terms("Café naïve") == words.terms("cafe naive")


@given(st.text())
def test_terms_never_hold_what_the_index_parts_by(text):
    """Whatever the text, no term is empty or has white space or a quote in it."""
    assert all(term and not any(one.isspace() or one == '"' for one in term) for term in words.terms(text))
