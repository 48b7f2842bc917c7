"""What capture only notices: written as such, not beside what was stated, and not again once it was rejected."""

from __future__ import annotations

import pytest
from talk import Talk

from sleep.documents import journal
from sleep.journal.capture import digest_drafts, session_journal
from sleep.journal.capture.session_journal import Source
from sleep.journal.imports import importer
from sleep.memory import noticed
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment
from sleep.review import agenda, judgement
from sleep.review.judgement import REJECT, Word
from sleep.store.tree import WorkTree

KAFKA = "We go with kafka for the event queue"


@pytest.fixture
def talk(tmp_path):
    """Return a transcript that is empty yet."""
    return Talk(tmp_path / "client" / "s1.jsonl")


@pytest.fixture(autouse=True)
def reader(monkeypatch):
    """Stand in for what recognises records: it thinks that a decision was made in the first line."""
    stated = digest_drafts.dated

    def dated(digest, session=""):
        said = "ok then kafka for the queue I suppose"
        seen = journal.noticed("decision", KAFKA, "person", quotation=said, transcript=f"{session}:1")
        return [digest_drafts.Dated((0, 0, 0), seen), *stated(digest, session)]

    monkeypatch.setattr(digest_drafts, "dated", dated)


def capture(scene, talk, session="s1"):
    """Capture a transcript into the scene's memory."""
    return session_journal.capture(scene.place, scene.now(), Source(str(talk.path), session, "claude-code"))


def waiting(scene):
    """Return the texts of what waits for a word."""
    return [item.fragment.text for item in agenda.items(View(WorkTree(scene.place.root)), 24, scene.now())]


def reject(scene):
    """Reject all that waits."""
    listed = agenda.items(scene.view, 24, scene.now())
    handles = [str(item.fragment.identity) for item in listed]
    return judgement.settle(scene.place, scene.now(), handles, Word(REJECT, "person"))


def test_what_was_noticed_says_where(scene, talk):
    """The entry has its standing, the words that it was noticed in, who said them and in which line."""
    done = capture(scene, talk.work())
    (entry,) = (one for one in scene.view.journal(done.path).entries if one.is_asked)
    assert (entry.title, entry.source, entry.number) == (KAFKA, "person", "")
    assert (entry.field("quotation"), entry.field("transcript")) == ("ok then kafka for the queue I suppose", "s1:1")
    assert waiting(scene) == [KAFKA]


def test_what_was_stated_stands_for_it(scene, talk):
    """An agent that journaled the decision itself leaves nothing to notice."""
    scene.open(session="s1")
    scene.add("decision", "We go with kafka for the event queue", why="many readers")
    capture(scene, talk.work())
    assert waiting(scene) == []
    assert all("standing: noticed" not in scene.text(path) for path in scene.view.journals)


@pytest.mark.parametrize("is_rejected", [True, False])
def test_a_rejected_one_is_not_noticed_in_another_session(scene, talk, tmp_path, is_rejected):
    """What a person called no record comes back with nobody's words; without their word it would be noticed anew."""
    capture(scene, talk.work())
    scene.sleep()
    scene.open()
    if is_rejected:
        reject(scene)
        scene.sleep()
    other = Talk(tmp_path / "client" / "s2.jsonl", "s2").work("the labels of the crates")
    done = capture(scene, other, "s2")
    assert done.drafts
    assert (KAFKA in [draft.title for draft in done.drafts]) is not is_rejected


def test_a_rejected_one_is_not_imported_again(scene):
    """A to-do of a document that was rejected stays so when the document comes under another name."""
    labels = "We still need to order the new labels for the crates."
    text = f"# Monday\n\nWe talked for long.\n\n{labels}\n"
    importer.import_sources(scene.place, scene.now(), importer.plain([("monday.md", text)]))
    scene.sleep()
    assert waiting(scene) == [labels]
    scene.open()
    reject(scene)
    scene.sleep()
    assert waiting(scene) == []
    again = text.replace("# Monday", "# Monday, once more")
    assert importer.import_sources(scene.place, scene.now(), importer.plain([("copy.md", again)])).journals
    assert waiting(scene) == []
    scene.sleep()
    assert waiting(scene) == []
    assert "order the new labels" not in scene.text("memory/hot/threads.md")


def test_a_task_of_a_document_is_stated_by_its_box_or_heading(scene):
    """A to-do that a document lists as one is a record that binds; only `task.done` or its like closes it."""
    text = "# Monday\n\n## Open items\n\n- Order the new labels.\n- [ ] Rotate the key\n- [x] Paint the door\n"
    importer.import_sources(scene.place, scene.now(), importer.plain([("monday.md", text)]))
    scene.sleep()
    assert waiting(scene) == []
    tasks = [record.fragment for record in scene.view.records.values() if record.fragment.kind == "task"]
    assert sorted((task.text, task.state) for task in tasks) == [
        ("Order the new labels.", "open"),
        ("Rotate the key", "open"),
    ]


def test_an_older_import_states_no_task(scene):
    """What was taken in by a program that marked no standing: its to-dos stay what they were, prose."""
    importer.import_sources(
        scene.place, scene.now(), importer.plain([("monday.md", "# Monday\n\n- [ ] Rotate the key\n")])
    )
    path = scene.view.journals[-1]
    older = scene.text(path).replace("standing: marked\n", "")
    assert older != scene.text(path)
    (entry,) = [entry for entry in journal.read(older).entries if entry.kind == "task"]
    assert entry.noticed


def test_of_each_journal_the_likeliest_two_keep_their_words():
    """What waits no more stays in warm memory as it was said: of one instance what failed first, two at most."""
    own = InstanceId(1, "abc")
    asked = [
        Fragment(f"noticed {kind}", f"words of a {kind}", (own.entry(number),), fields=(("source", "agent"),))
        for number, kind in enumerate(("task", "constraint", "decision", "dead end"), 1)
    ]
    assert noticed.likeliest(asked) == {asked[3].identity, asked[1].identity}
