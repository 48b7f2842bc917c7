"""Lines of journals as they are written in a wake."""

from __future__ import annotations

import pytest

from sleep.language import salience
from sleep.wake.journal_lines import excerpt, line_fragments

TEXT = "## Insight: the harbour gauge reads feet [i1abc.2]\n\n## Change: painted the pier [i1abc.3]\n"


@pytest.mark.parametrize(
    ("room", "cites", "has_addresses"), [(100, True, True), (100, False, False), (20, True, False)]
)
def test_addresses_stand_where_all_lines_have_room_for_them(room, cites, has_addresses):
    """Lines end with the addresses of their entries if that is asked for and leaves room for every line."""
    lines = [("journal/instance-1.md", line) for line in excerpt.read(TEXT)]
    texts = [text for *_, text in line_fragments.fragments(lines, salience.NOTHING, {}, room, cites=cites)]
    assert len(texts) == 2
    assert [text.endswith(f" [i1abc.{at}]\n") for at, text in enumerate(texts, 2)] == [has_addresses] * 2
