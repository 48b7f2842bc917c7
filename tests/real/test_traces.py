"""Every address in every tier of real memories leads to its entry, to who wrote it, and back.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from oracle import TIERS, Oracle
from scene import Scene

from sleep.debt import sessions
from sleep.history import step_fates, trace, transcript_span
from sleep.journal.capture import backlog
from sleep.records import address as addressing
from sleep.store import context as contexts

pytestmark = pytest.mark.real
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
MOST = 8  # journals of a project
MEMORIES = ("duro", "govuk-aws", "terse", "cli-summaries", "jarvis-scripts", "agentcontext")


@pytest.fixture
def scene(tmp_path):
    """An empty memory."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real data"
    return Scene(tmp_path / "project")


def traces(scene, addresses):
    """Yield the traces of entries; history is read once."""
    past = step_fates.Past(scene.place.root)
    for address in addresses:
        yield trace.of(past, address)


def standing(scene):
    """Return every address that stands in a tier."""
    return sorted({addressing.parse(one) for _, _, own, _ in Oracle(scene).marks(*TIERS) for one in own})


@pytest.mark.parametrize("name", MEMORIES)
def test_every_address_of_imported_journals_resolves(scene, name, tmp_path):
    """After the cycles of a project each address in each tier is traced as git's own blobs show it."""
    files = sorted((Path(SHARED) / "data/journals" / name).glob("**/*.md"))[:MOST]
    (tmp_path / "given").mkdir()
    for file in files:
        shutil.copy(file, tmp_path / "given" / file.name)
    code, out, err = scene.run("journal.import", str(tmp_path / "given"))
    assert code == 0, out + err
    scene.sleep()
    every, oracle = standing(scene), Oracle(scene)
    assert len(every) > len(files)
    faults = []
    for found in traces(scene, every):
        faults += oracle.written(found)
        faults += oracle.stands(found)
    assert faults == []


def test_every_entry_of_a_real_transcript_leads_to_its_line(scene):
    """What was captured from real transcripts leads to a place in the file that is there and says it."""
    found = backlog.find_transcripts([str(Path(SHARED) / "data/transcripts")])[:12]
    files = {sessions.safe(one.session): one.path for one in found}
    assert any([one.path for one in backlog.capture_transcripts(scene.place, scene.now(), found)])  # noqa: C419  # take all in
    for session, path in files.items():
        sessions.update(contexts.of(scene.place.root), session, transcript_path=path)
    entries = [one.address for path in scene.view.journals for one in scene.view.journal(path).entries]
    spans = [one.span for one in traces(scene, entries)]
    assert spans
    assert {one.transcript for one in spans} <= set(files.values())
    assert [one for one in spans if one.state != transcript_span.THERE] == []
