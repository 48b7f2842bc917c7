"""Sentences that take up what the one before said."""

from __future__ import annotations

import pytest

from sleep.language import anaphora


@pytest.mark.parametrize(
    "sentence",
    [
        *("Our tasks keep it.", "This breaks on restart.", "Both are slow.", "It's fast.", "**They** are gone."),
        *("Therefore we wait.", "Das bricht beim Neustart.", "Deshalb warten wir.", "Diese sind langsam."),
        *("这会失败。", "所以我们等。", "これは遅い。", "Elle est lente.", "Esto falla.", "Это ломается."),
        *("It seems slow.", "That'll make the tests easier to read."),
    ],
)
def test_it_leans(sentence):
    """A sentence that begins with what stands for another, or ends in it, leans on the one before."""
    assert anaphora.leans(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        *(
            "Use flock for the lock.",
            "There is no lock.",
            "We keep the tasks.",
            "And the queue is empty.",
            "Ana owns it all.",
        ),
        *("It seems that the flag is gone.", "It looks like a race.", "Es scheint, dass die Sperre hält."),
        *("Das Skript läuft.", "Die neue Fassung ist schneller.", "我们等。", "", "42.", "Italy is far away."),
    ],
)
def test_it_stands_alone(sentence):
    """A sentence that names what it speaks of stands alone."""
    assert not anaphora.leans(sentence)
