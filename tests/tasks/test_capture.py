"""`journal.capture`: by session, what was missed, and files and folders as plain words."""

from __future__ import annotations

import re
import time
from errno import ENOSPC

import pytest
from talk import Talk

from sleep.debt import book, sessions
from sleep.store import context as contexts
from sleep.store import files


@pytest.fixture
def talk(tmp_path):
    """Return a transcript outside of the memory."""
    return Talk(tmp_path / "client" / "s1.jsonl").work()


def test_a_session_that_a_hook_has_seen_is_captured_by_its_id(scene, talk, facts, run):
    """The id is enough; a second time nothing is new; and it is not missed any more."""
    context = contexts.of(scene.place.root)
    sessions.update(context, "s1", client="codex", transcript_path=str(talk.path), ended_at="2026-11-21T10:00:00.000Z")
    (done,) = facts("journal.capture", "--session", "s1")
    assert (done["path"], done["lines"]) == ("journal/instance-1.md", talk.lines)
    assert done["addresses"][0].endswith(".1")
    assert scene.view.journal("journal/instance-1.md").fields["client"] == "codex"
    assert "nothing is new" in run("journal.capture", "--session=s1")[1]
    assert run("journal.capture", "--missed")[:2] == (0, "nothing was missed\n")


def test_a_session_that_nobody_has_seen_needs_its_file(scene, talk, run, facts):
    """Without a hook's word the file has to be named; with it the journal stays open."""
    code, _, err = run("journal.capture", "--session", "s1")
    assert (code, "no hook has seen" in err) == (2, True)
    (done,) = facts("journal.capture", "--session", "s1", "--transcript", str(talk.path), "--reason", "compact")
    fields = scene.view.journal(done["path"]).fields
    assert (len(fields["compacted"]), fields.get("ended")) == (1, None)


def test_what_was_missed_is_captured(scene, talk, facts):
    """Every session that is over and not digested is taken, and one that cannot be read says why."""
    context = contexts.of(scene.place.root)
    odd = talk.path.with_name("odd.jsonl")
    odd.write_text("what is this\n")
    for name, path in (("s1", talk.path), ("s2", odd)):
        sessions.update(context, name, transcript_path=str(path), ended_at="2026-11-21T10:00:00.000Z")
    done = {one["session"]: one for one in facts("journal.capture", "--missed")}
    assert done["s1"]["path"] == "journal/instance-1.md"
    assert "not a transcript" in done["s2"]["why"]
    assert facts("journal.capture", "--missed") == []


def test_a_disk_that_refuses_fails_the_command(scene, talk, run, facts, monkeypatch):
    """What could not be written for want of room ends with 10, the others done, and is captured by the next run."""

    def full(_path, text, *_args, **_options):
        raise files.refusal(OSError(ENOSPC, "No space left on device"), "journal/instance-1.md")

    sessions.update(
        contexts.of(scene.place.root), "s1", transcript_path=str(talk.path), ended_at="2026-11-21T10:00:00.000Z"
    )
    with monkeypatch.context() as patch:
        patch.setattr("sleep.journal.writer.files.write", full)
        for words in (("--missed",), (str(talk.path),)):
            code, out, _ = run("journal.capture", *words)
            assert (code, "the disk is full" in out) == (10, True)
    assert facts("journal.capture", "--missed")[0]["path"] == "journal/instance-1.md"


def test_files_and_folders_are_plain_words(scene, talk, run, facts):
    """Any number of files and folders are taken in, each file once, and their journals are closed."""
    (done,) = facts("journal.capture", str(talk.path.parent), str(talk.path))
    assert scene.view.journal(done["path"]).sealed
    code, out, _ = run("journal.capture", str(talk.path.parent))
    assert (code, "nothing is new" in out) == (0, True)


def test_a_file_that_no_reader_knows_is_an_error(scene, talk, run):
    """It is named, with the clients that are known, after what could be captured was; the exit code is a document's."""
    odd = talk.path.with_name("odd.txt")
    odd.write_text("what is this\n")
    for words, out in (((), ""), (("--dry-run",), "")):
        code, printed, err = run("journal.capture", str(odd), *words)
        assert (code, printed, "odd.txt: not a transcript of a client that is known (claude-code, " in err) == (
            5,
            out,
            True,
        )
    other = talk.path.with_name("other.md")
    other.write_text("")
    code, printed, err = run("journal.capture", str(other), str(talk.path), str(odd))
    assert (code, "journal/instance-1.md" in printed, "odd.txt" in printed) == (5, True, False)
    assert "and 1 more file\n" in err


def test_a_file_of_a_folder_that_no_reader_knows_is_in_the_table(scene, talk, run, facts):
    """It is named with why, in a dry run and in facts too, and is no error; of many some are counted."""
    talk.path.with_name("odd.md").write_text("# A page\n")
    talk.path.with_name("empty.md").write_text("")
    folder = str(talk.path.parent)
    for words in (("--dry-run",), ()):
        code, printed, _ = run("journal.capture", folder, *words)
        (row,) = [row for row in printed.splitlines() if row.startswith("odd.md")]
        assert (code, row.endswith("no reader knows it"), "empty.md" in printed) == (0, True, False)
    assert [(one["session"], one["why"]) for one in facts("journal.capture", folder)] == [
        ("s1.s1-call-1", "nothing is new"),
        ("", "no reader knows it"),
    ]
    for number in range(30):
        talk.path.with_name(f"odd-{number}.md").write_text("# A page\n")
    assert "and 11 more files that no reader knows" in run("journal.capture", folder)[1]


def test_a_dry_run_shows_the_entries(scene, talk, run):
    """What would be written is shown, and nothing is."""
    before = scene.owned()
    code, out, _ = run("journal.capture", str(talk.path), "--dry-run")
    assert (code, out.endswith("dry run: nothing was written\n")) == (0, True)
    assert "decision  I decided to use flock" in out
    assert scene.owned() == before


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--missed", "x.jsonl"),
        ("--session", "s1", "--missed"),
        ("nowhere",),
        ("--session", "s1", "--transcript", "."),
    ],
)
def test_words_that_say_too_little_or_too_much_are_refused(scene, run, words):
    """One of the three ways has to be chosen, and what is named has to be there."""
    before = scene.owned()
    code, _, err = run("journal.capture", *words)
    assert code == 2
    assert err
    assert scene.owned() == before


def test_a_sleep_journals_what_the_session_holds_first(scene, talk, run):
    """The session that sleeps has its transcript digested before its journal is sealed, and is told so."""
    context = contexts.of(scene.place.root)
    sessions.update(context, "s1", client="codex", transcript_path=str(talk.path))
    assert run("journal.open", "--session", "s1")[0] == 0
    code, out, err = run("sleep")
    assert (code, err) == (0, "")
    assert "journal/instance-1.md: " in out
    assert "entries from the transcript" in out
    assert scene.view.journal("journal/instance-1.md").fields["digested"]


def known(scene, talk, name="s1", **more):
    """Have a hook see a session."""
    sessions.update(contexts.of(scene.place.root), name, client="codex", transcript_path=str(talk.path), **more)


def blind(text):
    """Return a text with the random tags of instances that were opened meanwhile made alike."""
    return re.sub(r"\bi([0-9]+)[a-z]{3}\b", r"i\1tag", text)


def test_a_dry_sleep_says_what_would_be_captured_first(scene, talk, run):
    """It names session, entries and journal, shows the sleep on them, and changes nothing at all."""
    known(scene, talk)
    assert run("journal.open", "--session", "s1")[0] == 0
    before = scene.everything()
    code, out, err = run("sleep", "--dry-run")
    assert (code, err) == (0, "")
    assert scene.everything() == before
    (line,) = (line for line in out.splitlines() if line.startswith("would first capture"))
    assert re.fullmatch(r"would first capture s1: [0-9]+ entries into journal/instance-1\.md", line)
    assert "journal to hot" in out
    assert "+## Decision: I decided to use flock" in out
    assert "+++ b/memory/hot/decisions.md" in out
    assert out.endswith("dry run: nothing was written\n")
    wet = run("sleep")[1]
    entries = line.partition(": ")[2].partition(" into ")[0]
    assert f"journal/instance-1.md: {entries} from the transcript" in wet


def test_a_dry_sleep_does_what_the_sleep_then_does(scene, talk, facts, tmp_path):
    """Of sessions with and without a journal, the steps, figures and files are those of the sleep that follows."""
    for number in (1, 2):
        scene.cycle(number)
    other = Talk(tmp_path / "client" / "s2.jsonl", "s2").work("the cache")
    for name, one in (("s1", talk), ("s2", other)):
        known(scene, one, name)
        book.record_stop(
            contexts.of(scene.place.root),
            scene.place.settings,
            sessions.Sighting(name, "codex", str(one.path)),
            "x",
            time.time(),
        )
    scene.open(session="s1")
    before = scene.everything()
    dry = facts("sleep", "--dry-run")
    assert scene.everything() == before
    wet = facts("sleep")
    assert any("s2" in one and "journal/instance-4.md, which it would open" in one for one in dry["notes"])

    def steps(done):
        return [{name: value for name, value in one.items() if name != "commit"} for one in done["steps"]]

    assert blind(str(steps(dry))) == blind(str(steps(wet)))
    for one in (dry, wet):
        one["settled"]["sessions"].sort()
    assert dry["settled"] == wet["settled"]
    assert {one["cycle"] for one in dry["steps"]} >= {3, 4}


def test_a_dry_sleep_on_one_instance_captures_its_sessions_alone(scene, talk, run, tmp_path):
    """With an instance's number only its sessions are asked; one that cannot be read says why."""
    broken = Talk(tmp_path / "client" / "s2.jsonl", "s2").raw("what is this\n")
    known(scene, talk)
    known(scene, broken, "s2")
    for name in ("s1", "s2"):
        scene.open(session=name)
    before = scene.everything()
    out = run("sleep", "--instance=1", "--dry-run")[1]
    assert "would first capture s1: " in out
    assert "s2" not in out
    out = run("sleep", "--instance=2", "--dry-run")[1]
    assert "s2: " in out
    assert "not a transcript" in out
    assert scene.everything() == before
