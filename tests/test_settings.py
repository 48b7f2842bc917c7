"""Numbers in settings: what is below 0, endless or no number is refused, with what would be right."""

from __future__ import annotations

import pytest

from sleep import settings
from sleep.errors import DocumentError, UsageError


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ({"debt": {"must": -1}}, "debt.must is '-1' (would be right: a whole number from 0)"),
        ({"keep": {"hot": "1e3"}}, "keep.hot is '1e3' (would be right: a whole number from 0)"),
        ({"ratio": {"hot": 0}}, "ratio.hot is '0' (would be right: a number from 1)"),
        ({"ratio": {"cold": "1e-320"}}, "ratio.cold is '1e-320' (would be right: a number from 1)"),
        ({"lock_wait": "nan"}, "lock_wait is 'nan' (would be right: a number from 0)"),
        ({"lock_wait": "inf"}, "lock_wait is 'inf' (would be right: a number from 0)"),
        ({"git": {"sign": "perhaps"}}, "git.sign is 'perhaps' (would be right: true or false)"),
        ({"architecture": ["a.md", "b.md"]}, "architecture is \"['a.md', 'b.md']\" (would be right: text)"),
        ({"compressor": {"command": ["a", "b"]}}, "compressor.command is \"['a', 'b']\" (would be right: text)"),
        ({"debt": {"cap": "x" * 90}}, f"debt.cap is '{'x' * 60}…' (would be right: a whole number from 0)"),
        ({"sleep": {"auto": "always"}}, "sleep.auto is 'always' (would be right: off or suggest or run)"),
    ],
)
def test_a_wrong_value_is_refused(file, said):
    with pytest.raises(DocumentError) as refused:
        settings.resolve(file, environ={})
    assert str(refused.value) == f"memory/sleep.yaml: {said}"


def test_the_environment_is_asked_the_same():
    with pytest.raises(UsageError, match="would be right: a whole number from 0"):
        settings.resolve({}, environ={"SLEEP_DEBT_MUST": "-3"})


def test_zero_is_fine():
    given = settings.resolve({"debt": {"must": 0}, "lock_wait": "0.5"}, environ={})
    assert (given.debt_must, given.lock_wait) == (0, 0.5)


def test_a_setting_may_be_written_by_its_dotted_name():
    """`git.sign: false`, as hints and pages name it, says the same as the group, and a slip is named."""
    assert settings.resolve({"git.sign": "false"}, environ={}) == settings.resolve({"git": {"sign": False}}, environ={})
    with pytest.raises(DocumentError, match=r"no setting is called git\.sing; did you mean git\.sign\?"):
        settings.resolve({"git.sing": False}, environ={})


def test_a_setting_of_an_older_program_is_passed_over():
    """A file that still sets what went reads as one without it, in either form: no command refuses the memory."""
    for file in ({"debt": {"score_by": "substance", "must": 9}}, {"debt.score_by": "changes", "debt.must": 9}):
        assert settings.resolve(file, environ={}) == settings.resolve({"debt": {"must": 9}}, environ={})
