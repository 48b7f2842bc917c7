"""What the small words of a text tell of its language."""

from __future__ import annotations

import pytest

from sleep.language import stopwords


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("wann beginnt die workation", "de"),  # `die` is English too
        ("was kostet der server", "de"),
        ("quand est la release", "fr"),
        ("darf ich das loschen", "de"),
        ("почему нет сервера", "ru"),
        ("what did mia say about me", ""),  # Italian has `mia` and `me`
        ("die door rule", ""),
        ("ella playlist update", ""),
        ("welche version", ""),
    ],
)
def test_a_question_tells_its_language(question, language):
    """One word that English does not have tells a question's language beside one that English has too."""
    assert stopwords.language_of_question(question.split()) == language
    assert bool(stopwords.small_of_question(question.split())) == bool(language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The gate refuses what it cannot prove.", "en"),
        ("Der Hafen hat kein Eis, und das ist gut.", "de"),
        ("港口没有冰", "zh"),
        ("港に氷はない", "ja"),
        ("항구에 얼음이 없다", "ko"),
        ("zeppelin 8003", ""),
    ],
)
def test_a_text_tells_its_language(text, language):
    """A text is in the language that has most of its small words, two at least, or in that of its letters."""
    assert stopwords.language(text) == language
