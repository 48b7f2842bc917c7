"""A version is told by the newest line that speaks of one."""

from __future__ import annotations

import pytest

from sleep.wake.outdated import versions
from sleep.wake.quality import SourceLine


def _find(*texts):
    return versions.find([SourceLine(text, at) for at, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Harbour 1.4.0 is running", "Harbour v1.10.0 deployed"),
        ("latest: harbour@1.4.0", "Released harbour@2.0.0"),
        ("当前版本：保质期管理 v2.14.2", "保质期管理系统v4.0部署"),
    ],
)
def test_a_stated_version_ends_with_a_newer_one_of_the_same(older, newer):
    """A version that a line says is the one that there is has a successor, in numbers, not in letters."""
    assert _find(older, newer) == {0: 1}
    assert not _find(newer, older)


def test_what_a_bare_version_is_of_the_instance_says():
    """`Version: v1.4.0` is of what stands beside this version elsewhere in the instance."""
    lines = [SourceLine("Version: v1.4.0", 0), SourceLine("Tagged harbour v1.4.0", 0), SourceLine("harbour v2.0.0", 1)]
    assert versions.find(lines) == {0: 2}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Fixed the login in harbour v1.4.0", "Harbour v2.0.0 deployed"),  # what was done stays true
        ("Harbour v1.4.0 is running", "Crane v2.0.0 deployed"),  # another thing
        ("Never go below harbour v1.4.0, the version of the audit", "Harbour v2.0.0 deployed"),  # a rule
        ("running from v1.4.0 to v1.5.0", "harbour v2.0.0"),  # two
    ],
)
def test_other_lines_with_a_version_stay(older, newer):
    """A report, another product, a rule and a move are not ended."""
    assert not _find(older, newer)
