"""Where tokens begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.language import tokenizer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Use src/read_item.py, don't ask", ["Use", "src/read_item.py", "don't", "ask"]),
        ("C++ and F# on .NET", ["C++", "and", "F#", "on", ".NET"]),
        ("用Redis缓存", ["用", "Redis", "缓存"]),
    ],
)
def test_words_and_names_of_code_are_tokens(text, tokens):
    """A path or a name with its sign is one token; a script without spaces is cut from the one beside it."""
    assert tokenizer.tokenize(text) == tokens


def test_plain_words_are_folded_and_signs_are_tokens_of_the_surface():
    """`words` gives what prose is made of, `surface` what is written, with the signs that end a sentence."""
    assert tokenizer.words("Don't use read-only!") == ["don't", "use", "read", "only"]
    assert tokenizer.surface().findall("✅ 1,000 of `a_b`? 好的") == ["✅", "1,000", "of", "a_b", "?", "好的"]


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(text):
    """A folded text is folded."""
    assert tokenizer.fold(tokenizer.fold(text)) == tokenizer.fold(text) or not text.isascii()


@given(st.text(alphabet="ab字か", min_size=1, max_size=20))
def test_pairs_cover_a_run(run):
    """The pairs of a run overlap, and put together give it back."""
    pairs = tokenizer.pairs(run)
    assert pairs[0] + "".join(pair[-1] for pair in pairs[1:]) == run
