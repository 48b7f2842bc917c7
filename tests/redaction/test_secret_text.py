"""A text's words: every piece that is looked for in them stands there as in the text."""

from __future__ import annotations

import pytest
import secrets_corpus as corpus

from sleep.redaction import secret_forms, secret_scan, secret_text

LOG = "".join(f'row {number} of "the listing", value={number * 37}; (ok)\n' for number in range(700))
PIECES = (
    *secret_forms._ANNOUNCED,
    *(piece for piece, _ in secret_forms._LATIN),
    *(piece for _, _, pieces in secret_scan._ANCHORS for piece in pieces),
    *(b"://", b"auth", b"bearer", b"phrase", b"mnemonic", b"|", b"-", b"-u", b"-p", b"-a", b"-----begin"),
)


@pytest.mark.parametrize("piece", PIECES)
def test_no_piece_is_parted(piece):
    """A piece that stands between letters in a long text stands in its words."""
    assert piece in secret_text.project(f"{LOG}xx{piece.decode()}xx").words


def test_the_words_of_a_long_text_have_each_piece_of_a_secret():
    """Of every secret of the corpus behind a long log, the words have the pieces that the text has."""
    for case in corpus.secrets(seed=1, rounds=1):
        _, low, words = secret_text.project(f"{LOG}\n{case.text}")
        assert all(piece in words for piece in PIECES if piece in low), case


def test_a_sign_of_a_name_in_another_script_is_never_passed_over():
    """Each sign by which a label of another script is looked for has a byte for which the labels are asked."""
    assert all(sign.translate(None, secret_forms._LETTERLESS) for sign, _, _ in secret_forms._OTHERS)
