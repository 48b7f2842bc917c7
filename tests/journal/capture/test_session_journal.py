"""Capture: a session's journal writes itself, once."""

from __future__ import annotations

import shutil
import time
from datetime import UTC, datetime

import pytest
from scene import repository
from talk import Talk

from sleep.debt import book, sessions
from sleep.documents import front_matter
from sleep.errors import DocumentError, UsageError
from sleep.journal import writer
from sleep.journal.capture import material
from sleep.journal.capture import session_journal as captures
from sleep.journal.capture.holdings import Holdings
from sleep.journal.capture.session_journal import Source
from sleep.language import tokens
from sleep.store import context as contexts
from sleep.store import files


@pytest.fixture
def talk(tmp_path):
    """Return a transcript that is empty yet."""
    return Talk(tmp_path / "client" / "s1.jsonl")


def capture(scene, talk, **options):
    """Capture a transcript into the scene's memory."""
    source = Source(str(talk.path), options.pop("session", talk.session), "claude-code", options.pop("reason", ""))
    return captures.capture(scene.place, scene.now(), source, **options)


def entries(scene, path):
    """Return a journal's entries as (kind, words)."""
    return [(one.kind, f"{one.title} {one.body}".strip()) for one in scene.view.journal(path).entries]


def journals(scene):
    """Return the texts of all journals."""
    return [path.read_text(encoding="utf-8") for path in sorted((scene.home / "journal").glob("*.md"))]


def test_a_session_becomes_an_instance_that_names_it(scene, talk):
    """Intent, decision with its reason, files with counts, error with its end, and the last message are entries."""
    done = capture(scene, talk.work())
    journal = scene.view.journal(done.path)
    assert journal.fields["sessions"] == ["s1"]
    assert journal.fields["digested"] == [f"s1:{talk.lines}"]
    assert (journal.fields["client"], journal.sealed, done.opened) == ("claude-code", False, True)
    assert "started: 2026-11-21T10:00:01Z" in scene.text(done.path)
    by_kind = {}
    for one in journal.entries:
        by_kind.setdefault(one.kind, []).append(one)
    assert by_kind["note"][0].title == "Please make the lock hold on NFS, and say why it was lost."
    assert by_kind["decision"][0].title == "I decided to use flock for the lock."
    assert by_kind["decision"][0].field("why") == "the kernel drops it with its holder."
    (fix,) = by_kind["fix"]
    assert "AssertionError: lock was lost" in f"{fix.title} {fix.field('error')}"
    assert fix.field("change") == "edits of src/wait.py"
    assert not any("lock was lost after" in one.title for one in by_kind["note"])
    listed = [one.field("files") for one in journal.entries if one.field("files")]
    assert listed == ["src/lock.py (2); src/wait.py"]
    assert any("Shall I push it?" in f"{one.title} {one.body}" for one in journal.entries)


def test_every_entry_says_where_it_was_said(scene, talk):
    """Each entry has the address of its line in the transcript, and the line says it."""
    done = capture(scene, talk.work())
    lines = talk.path.read_text(encoding="utf-8").splitlines()
    for one in scene.view.journal(done.path).entries:
        session, _, line = one.field("transcript").rpartition(":")
        assert session == "s1"
        if one.field("source") in ("person", "agent"):
            assert one.title.split(".")[0].split(" because")[0][:20] in lines[int(line) - 1]


def test_twice_is_once(scene, talk):
    """A second capture finds nothing new and writes nothing."""
    done = capture(scene, talk.work())
    before = scene.owned()
    again = capture(scene, talk)
    assert (again.path, again.addresses, again.why) == ("", (), "nothing is new")
    assert again.lines == done.lines
    assert scene.owned() == before


@pytest.mark.parametrize("words", ["hi", "Hello there!", "thanks, good night", "你好", "/clear", "ok", "yes please"])
def test_nothing_worth_keeping_leaves_nothing(scene, talk, words):
    """A greeting, an assent or a command of the client's leaves no journal and no entry."""
    before = scene.owned()
    talk.prompt(words)
    if words[:1] not in ("o", "y", "/"):
        talk.says("Hello! How can I help you today? I can read your code, edit files and run commands.")
    done = capture(scene, talk)
    assert (done.path, done.why) == ("", "it holds nothing worth keeping")
    assert scene.owned() == before


def test_what_came_after_a_greeting_is_kept(scene, talk):
    """A session that begins with a greeting is kept from where it says something, without the greeting."""
    capture(scene, talk.prompt("hi").says("Hello! What shall we do?"))
    done = capture(scene, talk.work())
    said = " ".join(words for _, words in entries(scene, done.path))
    assert "hold on NFS" in said
    assert "What shall we do" not in said
    assert not [words for _, words in entries(scene, done.path) if words == "hi"]


def test_an_assent_is_no_entry_but_what_follows_is_kept(scene, talk):
    """After `yes` stands no entry, and what the agent then said is one."""
    talk.prompt("Which lock is best for NFS shares?").says("Flock. Shall I say why?").prompt("yes")
    done = capture(scene, talk.says("The kernel of the server keeps it."))
    words = [one for _, one in entries(scene, done.path)]
    assert "yes" not in words
    assert any("kernel of the server" in one for one in words)


def test_edits_alone_are_worth_keeping(scene, talk):
    """A session that says nothing and edits a file leaves the file."""
    done = capture(scene, talk.edits("a.py"))
    assert [one.field("files") for one in scene.view.journal(done.path).entries] == ["a.py"]


def test_a_resumed_session_goes_on_in_its_open_journal(scene, talk):
    """What is new goes behind what is there, and nothing of the old is said again."""
    first = capture(scene, talk.work())
    talk.prompt("Now write the release notes of version 2.").edits("CHANGELOG.md")
    second = capture(scene, talk.says("The release notes are written."))
    assert (second.path, second.opened) == (first.path, False)
    assert len(scene.view.journals) == 1
    new = entries(scene, second.path)[len(first.addresses) :]
    assert any("release notes of version 2" in words for _, words in new)
    assert not [words for _, words in new if "NFS" in words]
    assert scene.view.journal(second.path).fields["digested"] == [f"s1:{talk.lines}"]


@pytest.mark.parametrize("slept", [False, True], ids=["sealed", "slept on"])
def test_a_resumed_session_whose_journal_is_sealed_continues_it(scene, talk, slept):
    """What came after the seal goes into a new instance that names the old one; the old never changes."""
    first = capture(scene, talk.work())
    if slept:
        scene.sleep()
    else:
        writer.close(scene.place, scene.now(), instance=1)
    sealed = scene.text(first.path)
    talk.prompt("Now write the release notes of version 2.")
    second = capture(scene, talk.says("They are written."))
    fields = scene.view.journal(second.path).fields
    assert (second.opened, fields["continues"]) == (True, 1)
    assert scene.text(first.path) == sealed
    assert not [words for _, words in entries(scene, second.path) if "NFS" in words]
    assert capture(scene, talk).why == "nothing is new"


def test_the_last_words_behind_a_sleep_open_no_journal(scene, talk):
    """What an agent says once its journal is slept on is no instance; a person's next words bring it along."""
    capture(scene, talk.work())
    scene.sleep()
    done = capture(scene, talk.says("Slept. The handoff says that the limit of five nights is next."))
    assert (done.path, done.why) == ("", "it holds nothing worth keeping")
    assert len(journals(scene)) == 1
    talk.prompt("Now write the release notes of version 2.")
    second = capture(scene, talk.says("They are written."))
    words = [each for _, each in entries(scene, second.path)]
    assert any("release notes" in each for each in words)
    assert any("five nights" in each for each in words)


def test_work_behind_a_sleep_opens_a_journal(scene, talk):
    """Who goes on to edit after the sleep, with no word of a person between, is journaled."""
    capture(scene, talk.work())
    scene.sleep()
    talk.edits("src/notes.py")
    second = capture(scene, talk.says("The notes are written to their own file now."))
    assert second.opened
    assert "src/notes.py" in scene.text(second.path)


def test_killed_between_the_writes_is_once(scene, talk, monkeypatch):
    """A capture that ends before this machine remembers it is found in the journal: nothing is doubled."""
    context = contexts.of(scene.place.root)
    known = sessions.update(context, "s1", transcript_path=str(talk.work().path), client="claude-code")
    monkeypatch.setattr(captures, "remember", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        captures.capture_session(scene.place, scene.now(), known)
    monkeypatch.undo()
    before = journals(scene)
    assert before
    assert captures.capture_session(scene.place, scene.now(), known).why == "nothing is new"
    assert journals(scene) == before
    assert sessions.read(context, "s1").digested["size"] == talk.path.stat().st_size


def test_killed_at_any_write_is_before_or_after(scene, talk, monkeypatch):
    """Whichever write fails, the journal is whole or not there, and the next capture makes it so once."""
    talk.work()
    write, left = files.write, [0]

    def failing(*words, **options):
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return write(*words, **options)

    between = []
    for number in range(9):
        left[0] = number
        monkeypatch.setattr(files, "write", failing)
        try:
            capture(scene, talk)
        except KeyboardInterrupt:
            between.append(journals(scene))
            continue
        finally:
            monkeypatch.undo()
        break
    (whole,) = journals(scene)
    assert between[0] == []
    assert all(one in ([], [whole]) for one in between)
    assert capture(scene, talk).why == "nothing is new"
    assert journals(scene) == [whole]


def test_the_entries_tell_how_far_a_session_was_digested(scene, talk):
    """Where the mark is lost, the last line that an entry is from stands for it."""
    done = capture(scene, talk.work())
    text = scene.text(done.path)
    scene.write(done.path, front_matter.set_fields(text, {"digested": None}))
    again = capture(scene, talk)
    assert [words for _, words in entries(scene, done.path)].count("I decided to use flock for the lock.") == 1
    assert again.why


def test_what_another_machine_remembers_is_not_believed(scene, talk):
    """A journal that is lost is written again, whatever the session's file says."""
    context = contexts.of(scene.place.root)
    known = sessions.update(context, "s1", transcript_path=str(talk.work().path), client="claude-code")
    done = captures.capture_session(scene.place, scene.now(), known)
    (scene.home / done.path).unlink()
    assert captures.capture_session(scene.place, scene.now(), sessions.read(context, "s1")).path


def test_a_line_that_is_being_written_is_read_later(scene, talk):
    """A torn last line is not counted as digested: once it is whole, it is taken."""
    capture(scene, talk.work())
    whole = talk.path.read_bytes()
    talk.prompt("Then move the docs to the wiki, please.")
    line = talk.path.read_bytes()[len(whole) :]
    talk.path.write_bytes(whole + line[:50])
    assert capture(scene, talk).why == "nothing is new"
    talk.path.write_bytes(whole + line)
    done = capture(scene, talk)
    assert any("move the docs" in words for _, words in entries(scene, done.path))


def test_a_transcript_that_was_written_anew_is_read_again(scene, talk, tmp_path):
    """A shorter file under the same name is another: what it says and the journal does not is taken, once."""
    capture(scene, talk.work())
    other = Talk(tmp_path / "other.jsonl").prompt("Describe how the cache of the wiki is emptied.")
    shutil.copy(other.path, talk.path)
    done = capture(scene, talk)
    assert any("cache of the wiki" in words for _, words in entries(scene, done.path))
    assert capture(scene, talk).why == "nothing is new"


def test_the_files_of_sub_agents_are_the_sessions(scene, talk):
    """What sub-agents edited, in files of their own, is in the session's list of files, once; their words are not."""
    begins = datetime(2026, 11, 21, 9, 59, 50, tzinfo=UTC)
    for number, name in enumerate(("crew.py", "roster.py")):
        path = talk.path.with_suffix("") / "subagents" / f"agent-{number}.jsonl"
        inner = Talk(path, talk.session, begins=begins)
        inner.says("Inner words.").edits(name).edits("broken.py", ok=False, said="no such file")
    done = capture(scene, talk.prompt("Let a helper write the crew.").edits("main.py").says("The helper wrote it."))
    (told,) = filter(None, (one.field("files") for one in scene.view.journal(done.path).entries))
    assert all(name in told for name in ("crew.py", "roster.py", "main.py"))
    assert "not changed: broken.py" in told or "broken.py" not in told
    assert "Inner words" not in scene.text(done.path)
    talk.prompt("And the rota.").edits("rota.py").says("The rota is there.")
    again = capture(scene, talk)
    assert "crew.py" not in "".join(draft.title + str(draft.fields) for draft in again.drafts)


@pytest.mark.parametrize(
    ("put", "reply", "chosen"),
    [
        ("Should retries be capped?", "Yes, cap them at five.", ["Should retries be capped? Yes, cap them at five."]),
        ("I suggest a queue in memory rather than a table.", "yes, do that", ["a queue in memory rather than a table"]),
        ("Should retries be capped?", "Now write the table of the months.", []),
    ],
)
def test_a_reply_to_what_was_told_before_is_read_with_it(scene, talk, put, reply, chosen):
    """A person who comes back in another run answers the last question of the run before: that is what was decided."""
    capture(scene, talk.prompt("Please mend the client.").says(f"It is mended. {put}"))
    done = capture(scene, talk.prompt(reply).edits("retry.py").says("That is done."))
    stated = [draft for draft in done.drafts if draft.kind in ("decision", "question")]
    assert [draft.kind for draft in stated] == ["decision"] * len(chosen)
    assert all(words in draft.title for draft, words in zip(stated, chosen, strict=True))
    assert [dict(draft.fields)["transcript"] for draft in stated] == ["s1:2-3"] * len(chosen)
    assert not any("It is mended" in draft.title for draft in done.drafts)


def test_what_a_sub_agent_edits_behind_its_parents_last_word_is_told_once(scene, talk):
    """A helper in the background edits on after its parent's turn: files are told once, later ones the next time."""
    talk.prompt("Let a helper write the crew.").edits("main.py").says("The helper is at it.")
    later = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    inner = Talk(talk.path.with_suffix("") / "subagents" / "agent-0.jsonl", talk.session, begins=later)
    inner.edits("crew.py")
    done = capture(scene, talk)
    assert "crew.py" in scene.text(done.path)
    inner.edits("roster.py")
    again = capture(scene, talk.prompt("And the rota.").edits("rota.py").says("The rota is there."))
    assert [dict(draft.fields)["files"] for draft in again.drafts if dict(draft.fields).get("files")] == [
        "rota.py; roster.py"
    ]
    assert scene.text(done.path).count("crew.py") == 1
    third = capture(scene, talk.prompt("And the table.").edits("table.py").says("The table is there."))
    assert "roster.py" not in "".join(str(draft.fields) for draft in third.drafts)


def test_an_agents_own_entries_are_not_repeated(scene, talk):
    """What an instance has journaled in its own words is not said again in those of the transcript."""
    scene.open(session="s1")
    scene.add("decision", "Use flock for the lock", why="the kernel drops it with its holder", instance=1)
    scene.add("note", "Make the lock hold on NFS, and say why it was lost", instance=1)
    done = capture(scene, talk.work())
    assert done.path == "journal/instance-1.md"
    kinds = [kind for kind, _ in entries(scene, done.path)]
    assert kinds.count("decision") == 1
    assert sum("say why it was lost" in words for _, words in entries(scene, done.path)) == 1


def test_a_contrary_is_no_repetition(scene, talk):
    """An entry that says the opposite in nearly the same words does not keep the other out."""
    scene.open(session="s1")
    scene.add("note", "The tests of the lock fail on NFS shares with three clients", instance=1)
    talk.prompt("Do the tests pass now?")
    done = capture(scene, talk.says("The tests of the lock pass on NFS shares with three clients"))
    assert any("pass on NFS" in words for _, words in entries(scene, done.path))


def test_what_the_memory_said_is_not_taken_in_again(scene, talk):
    """Text of the tiers, of main.md, or with an address in it, becomes no entry; what is new beside it does."""
    scene.open()
    scene.add("insight", "The parser of the ledger reads every journal twice, and that costs 40 ms a start")
    scene.add("constraint", "Never write to the ledger without the lock")
    scene.sleep()
    hot = "".join(scene.text(f"memory/hot/{name}.md") for name in ("threads", "decisions", "context"))
    talk.prompt(f"{scene.text('main.md')}\n\n{hot}")
    talk.says(
        "As [i7qxk.12] says, the lock is needed."
        " The parser of the ledger reads every journal twice, and that costs 40 ms a start."
    )
    talk.prompt("Find out what the colour of the dashboard should be.")
    done = capture(scene, talk)
    words = [one for _, one in entries(scene, done.path)]
    assert any("colour of the dashboard" in one for one in words)
    assert not [one for one in words if "reads every journal twice" in one or "without the lock" in one or "qxk" in one]


def test_what_wake_prints_is_not_taken_in_again(scene, talk):
    """The whole of a wake, pasted by a person, becomes next to nothing."""
    scene.lived(2)
    shown = scene.wake(session="s1").text
    talk.prompt(shown).prompt("Go on with the second part of the parser.")
    done = capture(scene, talk)
    words = [one for kind, one in entries(scene, done.path) if kind != "tone"]
    assert any("second part of the parser" in one for one in words)
    recalled = Holdings(scene.view).recalled
    assert not [one for one in words if recalled.has(one)]


def test_a_fork_does_not_tell_its_parents_part_again(scene, talk, tmp_path):
    """Lines that a fork has from its parent, which the parent's journal tells of, are not told under its own name."""
    capture(scene, talk.work())
    fork = Talk(tmp_path / "client" / "s2.jsonl", "s2")
    fork.path.write_text(talk.path.read_text(encoding="utf-8").replace('"sessionId": "s1"', '"sessionId": "s2"'))
    fork.lines = talk.lines
    fork.prompt("Try the same with a lease instead.")
    done = capture(scene, fork)
    assert [words for _, words in entries(scene, done.path)] == ["Try the same with a lease instead."]


def test_parallel_sessions_do_not_take_each_others_words(scene, talk, tmp_path):
    """Two sessions that were asked the same have it in both journals."""
    other = Talk(tmp_path / "client" / "s2.jsonl", "s2", begins=talk._time.replace(hour=11))
    first, second = capture(scene, talk.work()), capture(scene, other.work())
    assert first.path != second.path
    assert [words for _, words in entries(scene, first.path)] == [words for _, words in entries(scene, second.path)]


def test_a_session_id_that_no_journal_can_bear_is_replaced(scene, talk):
    """An id with a line end or a slash in it is hashed, the same each time."""
    odd = "../x\nsessions: [all]"
    done = capture(scene, talk.work(), session=odd)
    assert scene.view.journal(done.path).fields["sessions"] == [sessions.safe(odd)]
    assert capture(scene, talk, session=odd).why == "nothing is new"


def test_who_names_no_session_does_not_write_into_a_digests_journal(scene, talk):
    """A journal that a digest opened is its session's: the entry of one without a name opens another."""
    done = capture(scene, talk.work())
    assert scene.add("note", "of somebody else").path != done.path
    assert writer.open_path(scene.view, session="s1") == done.path


def test_a_compaction_is_written_down_with_what_it_would_lose(scene, talk):
    """The moment stands in the front matter of a journal that something was added to, and nowhere else."""
    capture(scene, talk.prompt("hi"), reason="compact")
    assert journals(scene) == []
    done = capture(scene, talk.work(), reason="compact")
    talk.prompt("And now the docs of the lock.")
    capture(scene, talk, reason="compact")
    assert len(scene.view.journal(done.path).fields["compacted"]) == 2


def test_a_dry_run_writes_nothing(scene, talk):
    """What would be written is told, and the memory stays as it was."""
    before = scene.owned()
    done = capture(scene, talk.work(), dry_run=True)
    assert done.drafts
    assert not done.path
    assert scene.owned() == before


@pytest.mark.parametrize(("messages", "shares"), [(8, 1), (9, 2), (200, 3)])
def test_the_budget_is_that_of_the_settings(scene, talk, messages, shares):
    """A digest has at most `journal.tokens` for each eight messages of a person, three times that at the most."""
    for number in range(messages):
        talk.prompt(f"Explain how part {number} of the ledger is read by client {number * 7}, and why, step by step.")
    scene.write("memory/sleep.yaml", scene.text("memory/sleep.yaml") + "journal:\n  tokens: 60\n")
    done = capture(scene, talk)
    size = tokens.count("\n".join(f"{draft.title} {draft.body}" for draft in done.drafts))
    assert 60 * (shares - 1) < size <= 60 * shares


def test_the_room_is_that_of_all_messages_of_a_session(scene, talk, monkeypatch):
    """Of a session too long to be held whole those messages count that are held no more."""
    monkeypatch.setattr(material, "_MOST", 1)
    monkeypatch.setattr(material, "_THINNED", 120)
    for number in range(20):
        talk.prompt(f"Explain how part {number} of the ledger is read by client {number * 7}, and why, step by step.")
    scene.write("memory/sleep.yaml", scene.text("memory/sleep.yaml") + "journal:\n  tokens: 30\n")
    done = capture(scene, talk)
    assert tokens.count("\n".join(f"{draft.title} {draft.body}" for draft in done.drafts)) > 30


def test_a_captured_journal_is_slept_on_like_any_other(scene, talk):
    """Its records get into the tiers, no field of where it was said does, and the cycle names the session."""
    done = capture(scene, talk.work())
    scene.sleep()
    assert scene.check() == []
    tiers = "".join(scene.text(f"memory/hot/{name}.md") for name in ("threads", "decisions", "context"))
    assert "I decided to use flock" in tiers
    assert "transcript:" not in tiers
    assert scene.view.cycles[-1].sessions == ("s1",)
    assert scene.view.journal(done.path).sealed


def test_a_file_that_nobody_knows_is_named(scene, talk, tmp_path):
    """A missing file and one that no reader knows are refused; the second is remembered, and not tried again."""
    with pytest.raises(UsageError, match=r"gone\.jsonl"):
        captures.capture(scene.place, scene.now(), Source(str(tmp_path / "gone.jsonl"), "s1"))
    talk.raw("{}\n")
    context = contexts.of(scene.place.root)
    known = sessions.update(context, "s1", transcript_path=str(talk.path), ended_at="2026-11-21T10:00:00.000Z")
    with pytest.raises(DocumentError):
        captures.capture_session(scene.place, scene.now(), known)
    assert sessions.missed(context, 2e9) == []


def test_an_offer_is_a_note_and_a_question_is_a_question(scene, talk, tmp_path):
    """What asks leave to go on becomes a note, which fades; what wants to know something stays open in its register."""
    capture(scene, talk.prompt("Make the lock hold on NFS.").says("The lock holds. Want me to push it to the server?"))
    other = Talk(tmp_path / "s2.jsonl", "s2").prompt("Make the cache hold on NFS.")
    capture(scene, other.says("It holds for one client. Which of the servers is the one that counts?"))
    kinds = {kind for path in scene.view.journals for kind, words in entries(scene, path) if "?" in words}
    assert kinds == {"note", "question"}
    assert len(scene.view.records) == 1


def test_what_is_about_to_be_sealed_is_captured_first(scene, talk, tmp_path):
    """Before a sleep the sessions of its instances are captured, the living too; one that cannot be read says why."""
    context = contexts.of(scene.place.root)
    for name in ("s1", "s2", "s3"):
        scene.open(session=name)
    sessions.update(context, "s1", transcript_path=str(talk.work().path))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("what is this\n")
    sessions.update(context, "s2", transcript_path=str(broken))
    sessions.update(context, "s3", transcript_path=str(tmp_path / "gone.jsonl"))
    done = {one.session: one for one in captures.capture_before_sleep(scene.place, scene.now())}
    assert done["s1"].path == "journal/instance-1.md"
    assert "not a transcript" in done["s2"].why
    assert set(done) == {"s1", "s2"}
    assert captures.capture_before_sleep(scene.place, scene.now(), 1) == []


def test_debt_that_no_journal_names_is_captured_before_it_is_settled(scene, talk):
    """A sleep on all instances captures the sessions whose debt it settles; a sleep on one leaves them alone."""
    context = contexts.of(scene.place.root)
    seen = sessions.Sighting("s1", "claude-code", str(talk.work().path))
    book.record_stop(context, scene.place.settings, seen, "done", time.time())
    book.add(context, 1, "a talk", time.time())
    assert captures.capture_before_sleep(scene.place, scene.now(), 1) == []
    (done,) = captures.capture_before_sleep(scene.place, scene.now())
    assert (done.session, done.path) == ("s1", "journal/instance-1.md")
    assert captures.capture_before_sleep(scene.place, scene.now()) == []


@pytest.mark.parametrize("is_said", [True, False])
def test_a_journal_names_the_repository_of_its_session(scene, talk, is_said):
    """The journal of a session names the repository that a hook saw it work in, else the one its transcript names."""
    repository(scene.home / "feedbox")
    here = str(scene.home / "feedbox")
    talk.cwd = talk.cwd if is_said else here
    source = Source(str(talk.work().path), talk.session, "claude-code", folder=here if is_said else "")
    done = captures.capture(scene.place, scene.now(), source)
    assert scene.view.journal(done.path).fields["project"] == "feedbox"
