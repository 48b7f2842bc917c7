"""The data files: what each language knows."""

import re

import pytest

from sleep.language import lexicon

PATTERNS = (
    "asked.",
    "headings.",
    "labels.",
    "names.",
    "phrases.",
    "stated.",
    "rules.",
    "signs.",
    "part.",
    "dialogue.",
    "reasons.",
    "reports.",
    "findings.",
    "changes.",
    "weights.",
    "denial.",
    "quotes.",
    "adr.",
    "columns.",
    "asks.kind.",
    "asks.fact",
    "asks.instance",
    "asks.purpose",
    "asks.session",
    "asks.voice",
)


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_a_pattern_is_short_and_no_line_is_longer(language):
    """No pattern has more than 200 characters, no other line more than 120, and no section is empty."""
    for name, body in lexicon._sections(language).items():
        assert body.strip(), name
        longest = max(map(len, body.split("\n")))
        assert longest <= (200 if name.startswith(PATTERNS) else 120), name


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_a_section_stands_once(language):
    """A language has no section twice: the second would hide the first."""
    with open(f"{lexicon._FOLDER}/{language}.txt", encoding="utf-8") as file:
        names = re.findall(r"(?m)^@ ([^:\n]+):", file.read())
    assert len(names) == len(set(names))


def test_a_part_is_of_one_language_or_of_patterns_of_one():
    """Parts of one name count together in every pattern: two languages that use the name would share its words."""
    files = {language: "\n".join(lexicon._sections(language).values()) for language in lexicon.LANGUAGES}
    for name in lexicon.names("part.", *lexicon.LANGUAGES):
        owners = [language for language in lexicon.LANGUAGES if name in lexicon._sections(language)]
        users = [language for language, text in files.items() if f"{{{name.removeprefix('part.')}}}" in text]
        assert len(owners) == 1 or len(users) == 1, (name, owners, users)


@pytest.mark.parametrize("language", lexicon.SPACED)
def test_a_language_with_spaces_has_its_small_and_asking_words(language):
    """A question in any of these languages loses the words that say nothing."""
    assert lexicon.words("stop", language)
    assert lexicon.words("asking", language)


def test_words_are_asked_for_by_language_or_all_together():
    """A section of one language has its words, of all the union, and one that nobody has is an error."""
    assert "the" in lexicon.words("stop")
    assert "nicht" in lexicon.words("stop", "de")
    assert {"hello", "hallo", "谢谢"} <= lexicon.all_words("greetings")
    assert lexicon.table("irregular")["went"] == "go"
    assert "go with" in lexicon.phrases("marks.decision.firm")
    with pytest.raises(KeyError):
        lexicon.rows("no such section")
