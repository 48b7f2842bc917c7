"""Lines that only name or date other words."""

from __future__ import annotations

import pytest

from sleep.language.acts.no_records import is_caption


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *(("| # | Step | State |", True), ("| Question | Decision | Date |", True), ("| 日期 | 状态 | 说明 |", True)),
        *(("| Datei | Status | Grund |", True), ("Session Key: agent:main:main", True)),
        *(("Session ID: d93c8d09", True), ("Last updated: 2026-09-03", True)),
        *(("| Redis | cache | yes |", False), ("| 1 | Move the log | done |", False), ("| 3 | step |", False)),
        *(("Session keys live for an hour", False), ("Bowen prefers short reports: what changed", False)),
    ],
)
def test_the_head_of_a_table_and_a_stamp_are_captions(text, is_one):
    """A row of the names of columns, an id of a session and a day of writing say nothing by themselves."""
    assert is_caption(text) is is_one
