"""Every real transcript, of every client, is captured without an error, once, and slept on.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from scene import Scene

from sleep.documents import register
from sleep.journal.capture import backlog, session_journal
from sleep.redaction import secret_scan

pytestmark = pytest.mark.real
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
FOLDERS = ("data/transcripts", "e2e/samples")
HOME = re.compile(r"(?<![\w.~-])/(?:Users|home)/(?!linuxbrew)[\w.-]+/")


@pytest.fixture(params=FOLDERS)
def found(request):
    """The transcripts of a folder."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real data"
    return backlog.find_transcripts([str(Path(SHARED) / request.param)])


@pytest.fixture
def scene(tmp_path):
    """An empty memory."""
    return Scene(tmp_path / "project")


def test_all_are_captured_once_and_slept_on(found, scene):
    """Nothing fails, nothing is told twice, no secret and no home gets in, and the memory is coherent after a sleep."""
    done = list(backlog.capture_transcripts(scene.place, scene.now(), found))
    told = {"", "nothing is new", "it holds nothing worth keeping", "the journals say it already"}
    assert [one for one in done if one.why not in told] == []
    assert sum(bool(one.path) for one in done) > len(done) / 2
    before = scene.owned()
    assert not [one.path for one in backlog.capture_transcripts(scene.place, scene.now(), found) if one.path]
    assert scene.owned() == before
    for path in scene.view.journals:
        text = scene.text(path)
        assert not secret_scan.find(text)
        assert not HOME.search(text)
        journal = scene.view.journal(path)
        assert not journal.unmarked
        words = [register.whole(one) for one in journal.entries if one.title != "Files"]
        assert len(words) == len(set(words))
        assert all(one.field("transcript") for one in journal.entries)
    scene.sleep()
    assert scene.check() == []


def test_each_client_has_something_to_tell(found):
    """Of every client that a reader knows in the folder, at least one transcript tells something."""
    assert found
    assert {one.client for one in found}
    assert session_journal.DIGESTED
