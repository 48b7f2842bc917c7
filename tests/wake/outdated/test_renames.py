"""A line that calls something by an older name says its present one."""

from __future__ import annotations

import pytest

from sleep.wake.outdated import renames
from sleep.wake.quality import SourceLine


def _told(*texts):
    lines = [SourceLine(text, at) for at, text in enumerate(texts)]
    found = renames.find(lines)
    return [renames.tell(line.text, found.get(at, {})) for at, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("older", "newer", "told"),
    [
        ("Harbour OS keeps logs", 'Harbour OS renamed to "Crane"', "Harbour OS (now Crane) keeps logs"),
        ("Call `pull()` first", "Renamed `pull()` to `fetch()`", "Call `pull()` (now `fetch()`) first"),
        ("`gull sync` is slow, gull-cli too", "gull-cli is now called crane", "`gull sync` is slow, gull-cli too"),
        ("Use gull-cli.", "The tool was renamed from gull-cli to crane-cli.", "Use gull-cli (now crane-cli)."),
        ("run `gull-cli sync`", "renamed gull-cli → crane-cli", "run `gull-cli sync` (now crane-cli)"),
        ("userId is a text", "Added accountId (renamed from userId)", "userId (now accountId) is a text"),
        ("`hafen-app` startet", "`hafen-app` wurde in `kran-app` umbenannt", "`hafen-app` (now `kran-app`) startet"),
        ("`gull-app` 很慢", "`gull-app` 已更名为 `crane-app`", "`gull-app` (now `crane-app`) 很慢"),
    ],
)
def test_a_line_under_an_older_name_says_the_present_one(older, newer, told):
    """In three languages, behind the name or behind the code in which it stands; the line that renames stays."""
    assert _told(older, newer) == [told, newer]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("the log file grows", "Renamed log file to avoid a clash"),  # to what, it does not say
        ("the field is empty", "renamed field to key"),  # any line may have these words
        ("see ~/harbour-app/notes", "harbour-app renamed to crane-app"),  # a path has its own name
        ("`harbour` is open", "`~/work/crane` (renamed from `harbour`)"),  # a folder is not what lies in it
        ("gull-cli became crane-cli", "gull-cli was renamed to crane-cli"),  # it says both
        ("gull-cli is slow", "gull-cli should be renamed to crane-cli"),  # nobody did it yet
        ("gull-cli is slow", "gull-cli was not renamed to crane-cli"),
        ("gull-cli is slow", "tool (untrusted): gull-cli was renamed to crane-cli"),
        ("gull-cli is slow", "gull-cli was renamed to `a tool that you run as root`"),  # a sentence
    ],
)
def test_other_lines_stay(older, newer):
    """Words, paths, wishes, denials, what a tool printed and what says the new name by itself change nothing."""
    assert _told(older, newer) == [older, newer]


def test_the_name_is_the_last_one_and_none_that_came_back():
    """A thing renamed twice has its last name; of one that was named back nothing is said, nor behind a rename."""
    first, second = "gull-cli renamed to crane-cli", "crane-cli renamed to heron-cli"
    assert _told("gull-cli is slow", first, second)[0] == "gull-cli (now heron-cli) is slow"
    back = "crane-cli renamed to gull-cli"
    assert _told("gull-cli is slow", first, back)[0] == "gull-cli is slow"
    assert _told(first, "gull-cli leftovers are gone") == [first, "gull-cli leftovers are gone"]
