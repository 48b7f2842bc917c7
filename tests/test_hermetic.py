"""What surrounds every test: a home that is empty, and a watch for the test that hangs."""

from __future__ import annotations

import os
import re
import shutil
import signal
from pathlib import Path

import pytest
import watch
from world import in_child

_SLOW = re.compile(r"(a+)+b")  # a search that asks Python nothing until it ends


def _search():
    _SLOW.match("a" * 40)


def _wait():
    while True:
        signal.pause()


def test_this_test_is_watched():
    """Each test is watched while it runs."""
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= watch.SECONDS


@pytest.mark.parametrize("hang", [_search, _wait])
def test_a_hang_says_where_and_ends_the_process(tmp_path, hang):
    """Whatever a test hangs in, its process tells the function and ends."""
    told = tmp_path / "told"

    def act():
        with told.open("w") as file:
            watch.prepare(file)
            watch.begin(0.05)
            hang()

    assert in_child(act) == -signal.SIGALRM
    assert f"in {hang.__name__}" in told.read_text()


def test_no_child_is_watched_and_what_has_ended_is_not():
    """A child has a watch only where it begins one, and none once that has ended."""

    def act():
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        watch.begin(60)
        watch.end()
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)

    assert in_child(act) == 0


@pytest.mark.parametrize("_turn", range(2))
def test_a_home_is_empty(hermetic, _turn):
    """Whatever a test before it left at home, each test has one with settings of git alone."""
    assert os.listdir(hermetic) == [".gitconfig"]
    assert "Ada Example" in Path(os.environ["GIT_CONFIG_GLOBAL"]).read_text()
    (hermetic / "left").mkdir()


@pytest.mark.parametrize("_turn", range(2))
def test_settings_of_git_are_as_they_were(hermetic, _turn):
    """Whatever a test before it wrote to the settings of git, each test finds those it was promised."""
    config = hermetic / ".gitconfig"
    assert "Mallory" not in config.read_text()
    config.write_text(config.read_text().replace("Ada", "Mallory"))


@pytest.mark.parametrize("_turn", range(2))
def test_a_home_that_is_gone_is_made_anew(hermetic, _turn):
    """A test may take its home away; the next has one."""
    assert hermetic.is_dir()
    shutil.rmtree(hermetic)
