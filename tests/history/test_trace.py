"""A line leads to who said it and to what became of it, as git's own blobs show."""

from __future__ import annotations

import random
import re
import shutil
from datetime import UTC, datetime

import pytest
from lived import live, lived, merge
from oracle import TIERS, Oracle
from scene import Scene
from talk import Talk

from sleep.debt import sessions
from sleep.errors import UsageError
from sleep.history import entry_life, step_fates, trace, transcript_span
from sleep.history.trace import Plain, Several
from sleep.journal.capture import holdings, session_journal
from sleep.journal.capture.session_journal import Source
from sleep.records import address as addressing
from sleep.store import context as contexts


def traced(scene, what, past=None, **options):
    """Trace what is named in a scene."""
    return trace.trace(past or step_fates.Past(scene.place.root), what, folder=str(scene.home), **options)


def check(scene, count, seed):
    """Trace random lines of tiers and journals by place, address and words, and let git judge."""
    letters, oracle = random.Random(seed), Oracle(scene)
    past = step_fates.Past(scene.place.root)
    marks = oracle.marks(*TIERS, "journal")
    assert marks
    faults = []
    for path, number, own, row in (letters.choice(marks) for _ in range(count)):
        what = letters.choice((f"{path}:{number}", own[0], f"[{own[0]}]", row.strip()))
        found = traced(scene, what, past=past)
        if isinstance(found, Several):  # the same words of another entry
            assert what == row.strip()
            assert len({line.addresses for line in found.lines}) > 1
            found = traced(scene, f"{path}:{number}", past=past)
        if found.address != own[0] and what != row.strip():
            faults.append(f"{what} led to {found.address}, not {own[0]}")
        faults += oracle.faults(found)
    assert faults == []


def resolves(scene):
    """Return how many addresses the tiers have; every one of them has to lead to its entry and back."""
    past = step_fates.Past(scene.place.root)
    marks = Oracle(scene).marks(*TIERS)
    every = sorted({addressing.parse(one) for _, _, own, _ in marks for one in own})
    wrong = []
    for address in every:
        found = trace.of(past, address)
        row = scene.text(found.path).split("\n")[found.line - 1] if found.path else ""
        committed = found.written and all(one.commit for one in found.happened)
        if f"[{address}" not in row or not committed or not found.stands:
            wrong.append(str(address))
    assert wrong == []
    return len(every)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return where a memory of six cycles, an undo and a merge is; each test has its own copy."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        (home / ".gitconfig").write_text(
            "[user]\n\tname = Ada Example\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n",
            encoding="utf-8",
        )
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
        return lived(tmp_path_factory.mktemp("lived") / "project", 6).top


@pytest.fixture
def old(made, tmp_path):
    """Return a scene of a memory of six cycles, an undo and a merge."""
    shutil.copytree(made, tmp_path / "project", symlinks=True)
    return Scene.copied(tmp_path / "project")


def test_thirty_lines_after_an_undo_and_a_merge(old):
    """Of thirty lines each names the commits that git names, the entry that has its mark, and where it stands."""
    check(old, 30, 7)


def test_every_address_of_every_tier_resolves(old):
    """Every address in a tier leads to its entry's line in a journal, who wrote it, and back."""
    assert resolves(old) > 20


@pytest.mark.torture
def test_a_thousand_lines_after_twenty_cycles(tmp_path):
    """Of a thousand lines after twenty cycles, an undo and a merge all are right."""
    scene = lived(tmp_path / "project", 20, seed=3, entries=12)
    check(scene, 1000, 11)
    assert resolves(scene) > 50


def test_a_renamed_journal_is_followed(old):
    """What was said on another branch leads to its journal under its new name, and to the commit of that branch."""
    renamed = [path for path in old.view.journals if path.count("-") > 1]
    assert renamed
    entry = old.view.journal(renamed[0]).entries[1]
    found = traced(old, str(entry.address))
    assert found.path == renamed[0]
    assert found.written.path == f"journal/instance-{entry.address.number}.md"
    assert found.written.commit in old.git("log", "--format=%H", "other").split()
    assert Oracle(old).faults(found) == []


def test_what_a_merge_took_out_is_told_of_the_merge(scene):
    """A fragment that a merge of branches left out is told as removed by it, with the commit and who did it."""
    letters = random.Random(2)
    live(scene, letters, 1)
    scene.sleep()
    said = next(one for _, one in scene.view.placed() if one.kind == "insight")
    scene.git("checkout", "--quiet", "-b", "other")
    live(scene, letters, 2)
    scene.sleep()
    scene.git("checkout", "--quiet", "main")
    live(scene, letters, 3)
    scene.sleep()
    merge(scene, "other")
    text = scene.text("memory/hot/context.md")
    row = next(one for one in text.split("\n") if f"[{said.identity}]" in one)
    scene.write("memory/hot/context.md", text.replace(f"{row}\n", ""))
    scene.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    last = traced(scene, str(said.identity)).happened[-1]
    assert (last.step, last.fate, last.commit) == ("merge", entry_life.REMOVED, scene.head())
    assert last.author.startswith("Ada Example")


def test_a_line_by_its_place_its_words_and_its_mark(scene):
    """The place, the whole line, a part of it, and the mark of a fragment lead to the same entry."""
    scene.lived()
    path, one = next((path, one) for path, one in scene.view.placed() if one.kind == "decision")
    rows = scene.text(path).split("\n")
    at = next(index for index, row in enumerate(rows) if f"[{one.identity}]" in row)
    whats = (
        *(f"{path}:{at + 1}", f"{scene.home / path}:{at + 1}", rows[at], rows[at][2:], "Use engine 1 for part 1"),
        *("engine 1 for", f"[{one.identity}]", str(one.identity), "D-001", "d-1", f"{path}:{at + 2}"),
    )
    assert {str(traced(scene, what).address) for what in whats} == {str(one.identity)}


def test_words_over_two_lines_are_found(scene):
    """Words that a journal has over two lines are found where no line has them all."""
    scene.open()
    address = scene.add("insight", "The parser is slow", body="It reads the file twice\nand sorts it once.").address
    assert traced(scene, "reads the file twice and sorts it").address == str(address)


def test_words_of_several_entries_are_listed(scene):
    """Words that several entries say are listed, each with its place and address."""
    scene.lived(2)
    found = traced(scene, "The parser of part")
    assert isinstance(found, Several)
    assert len({one.addresses for one in found.lines}) == 2
    for one in found.lines:
        assert traced(scene, f"{one.path}:{one.line}").address == str(one.addresses[0])


def test_a_persons_line_is_told_by_its_commit(scene):
    """A line without an address is told by the commit that wrote it and who did; before that, as not committed."""
    scene.lived()
    scene.write("main.md", scene.text("main.md") + "\nWritten by hand.\n")
    found = traced(scene, "Written by hand.")
    assert isinstance(found, Plain)
    assert (found.commit, found.step) == ("", "not committed")
    scene.git("commit", "--quiet", "--all", "--message=mine")
    found = traced(scene, "Written by hand.")
    assert (found.commit, found.path, found.step) == (scene.head(), "main.md", "edit")
    assert found.author == "Ada Example <ada@example.org>"


def test_a_line_of_another_clone_is_followed_by_its_mark(scene):
    """A line that stands nowhere here leads by its address, however different its words are."""
    scene.lived()
    (one,) = [one for _, one in scene.view.placed() if one.kind == "decision"]
    assert traced(scene, f"- In quite other words [{one.identity}]").address == str(one.identity)


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        ("nobody ever said this", 'sleepwake recall "nobody ever said this"'),
        ("i9zzz.1", "sleepwake status"),
        ("D-099", "sleepwake decision.list --all"),
        ("1", "sleepwake memory.explain 1"),
        ("main.md:99999", ""),
        ("  ", ""),
    ],
)
def test_what_leads_nowhere_says_so(scene, what, hint):
    """What names nothing is refused in a sentence, with the next step where there is one."""
    scene.lived()
    with pytest.raises(UsageError) as caught:
        traced(scene, what)
    assert caught.value.hint == (hint or caught.value.hint)


def test_words_that_had_no_mark_yet(scene):
    """Of a journal written by hand, the commit of the words and the one of the address are both named."""
    scene.open()
    path = scene.view.journals[-1]
    scene.write(path, scene.text(path) + "\nThe lock is held by the kernel alone.\n")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=by hand")
    first = scene.head()
    scene.add("insight", "The parser is slow")
    scene.sleep()
    found = traced(scene, "held by the kernel alone")
    assert found.written.commit == first
    assert scene.git("show", f"{found.written.marked}^:{path}").count("kernel alone.\n") == 1
    assert "kernel alone. [i" in scene.git("show", f"{found.written.marked}:{path}")
    assert scene.git("show", f"{first}:{path}").split("\n")[found.written.line - 1].startswith("The lock is held")


def test_what_is_not_committed_says_so(scene):
    """An entry of an open journal has been written by nobody yet."""
    scene.open()
    address = scene.add("insight", "The parser is slow").address
    found = traced(scene, str(address))
    assert (found.written, found.happened, found.stands) == (None, (), ())
    assert "no cycle has slept on it" in found.notes[0]


def test_merged_words_name_the_other_entry(scene):
    """An entry that became one fragment with another names it, with its place in the journal."""
    scene.open()
    first = scene.add("insight", "The parser reads the file twice").address
    second = scene.add("insight", "The parser reads the file twice.").address
    scene.sleep()
    (other,) = traced(scene, str(first)).also
    assert other.address == str(second)
    assert f"[{second}]" in scene.text(other.path).split("\n")[other.line - 1]


def test_what_binds_no_more_says_so(scene):
    """A decision that was reversed stands with that state and its reason."""
    scene.lived()
    scene.open()
    scene.move("decision", "D-001", "reversed", "too slow")
    scene.sleep()
    (stands,) = traced(scene, "D-001").stands
    assert stands.state == "reversed (too slow)"


@pytest.fixture
def talk(tmp_path):
    """Return a transcript of a session."""
    return Talk(tmp_path / "client" / "s1.jsonl").work()


def captured(scene, talk):
    """Capture a session that this machine has seen, and return its journal."""
    sessions.update(contexts.of(scene.place.root), talk.session, transcript_path=str(talk.path), client="claude-code")
    done = session_journal.capture(scene.place, scene.now(), Source(str(talk.path), talk.session, "claude-code"))
    return scene.view.journal(done.path)


def test_the_line_of_the_transcript(scene, talk):
    """Every entry that was taken from a transcript leads to the line that says it."""
    rows = talk.path.read_text(encoding="utf-8").split("\n")
    said = [one for one in captured(scene, talk).entries if one.title != "Files"]
    assert said
    scene.sleep()
    for entry in said:
        found = traced(scene, str(entry.address)).span
        assert (found.state, found.sessions, found.client) == (transcript_span.THERE, ("s1",), "claude-code")
        until = f"-{found.until}" if found.until else ""
        assert (found.transcript, entry.field("transcript")) == (str(talk.path), f"s1:{found.line}{until}")
        if entry.field("source") in ("person", "agent"):
            first = entry.title.rstrip(".").split(" because")[0][:20]
            assert first in rows[found.line - 1]
            assert first in found.says


def test_the_span_of_the_transcript(scene, tmp_path):
    """Of an error and how it ended, and of a session's files, the first and the last line are told, and who spoke."""
    talk = Talk(tmp_path / "client" / "s1.jsonl").prompt("Please make the lock hold on NFS.")
    talk.edits("src/lock.py")  # lines 2 and 3
    talk.runs("pytest tests", ok=False, said="AssertionError: the lock was lost")  # lines 4 and 5
    talk.edits("src/retry.py").runs("pytest tests", said="12 passed")  # lines 6 and 7, 8 and 9
    entries = captured(scene, talk).entries
    failed = next(one for one in entries if "was lost" in one.title)
    files = next(one for one in entries if one.title == "Files")
    assert (failed.field("transcript"), files.field("transcript")) == ("s1:5-9", "s1:2-6")
    error = traced(scene, str(failed.address)).span
    assert (error.state, error.line, error.until) == (transcript_span.THERE, 5, 9)
    assert [tuple(one) for one in error.ends] == [
        (5, "tool", "AssertionError: the lock was lost"),
        (9, "tool", "(it went well)"),
    ]
    edited = traced(scene, str(files.address)).span
    assert (edited.state, edited.line, edited.until) == (transcript_span.THERE, 2, 6)
    assert [(one.line, one.role, one.says.rpartition("/")[2]) for one in edited.ends] == [
        (2, "agent", "lock.py"),
        (6, "agent", "retry.py"),
    ]


def test_a_span_is_reached_to_its_end(scene, tmp_path):
    """A journal whose mark is lost knows from its entries how far a session was digested, spans to their last line."""
    talk = Talk(tmp_path / "client" / "s1.jsonl").prompt("Please make the lock hold on NFS.")
    talk.edits("src/lock.py").edits("src/retry.py")
    captured(scene, talk)
    path = next(one for one in scene.view.files("journal/") if "s1:2-4" in scene.view.read(one))
    text = scene.view.read(path)
    bare = re.sub(r"(?m)^digested:.*\n", "", text)
    assert bare != text
    (scene.home / path).write_text(bare, encoding="utf-8")
    assert holdings.stretch(scene.view, "s1").digested == 4


def test_a_secret_of_the_transcript_is_not_shown(scene, tmp_path):
    """What stands in the transcript is shown without its secrets."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    talk = Talk(tmp_path / "client" / "s1.jsonl").prompt("Please make the lock hold on NFS.")
    talk.says(f"I decided to use flock because the kernel drops it. The token is {secret} by the way.")
    entry = next(one for one in captured(scene, talk).entries if "flock" in one.title)
    found = traced(scene, str(entry.address)).span
    assert "I decided to use flock" in found.says
    assert secret not in found.says


def test_a_transcript_that_is_gone_or_another(scene, tmp_path):
    """A transcript that the client deleted is expired, one that was written anew has changed, and a copy is found."""
    session = "0b6f9a52-6c1e-4a53-9d0e-5f3a11d2c7aa"
    talk = Talk(tmp_path / "client" / f"{session}.jsonl", session).work()
    entry = next(one for one in captured(scene, talk).entries if one.field("source") == "agent")
    copy = tmp_path / "kept"
    shutil.copytree(talk.path.parent, copy)
    talk.path.unlink()
    assert traced(scene, str(entry.address)).span.state == transcript_span.EXPIRED
    kept = traced(scene, str(entry.address), transcripts=[str(copy)]).span
    assert (kept.state, kept.transcript) == (transcript_span.THERE, str(copy / talk.path.name))
    fresh = Talk(talk.path, session, begins=datetime(2026, 12, 1, tzinfo=UTC))
    for _ in range(20):
        fresh.prompt("Something else entirely")
    lost = traced(scene, str(entry.address)).span
    assert (lost.state, lost.says) == (transcript_span.CHANGED, "")


def test_a_session_that_this_machine_never_saw(scene):
    """An entry of a session whose file nobody here knows names the session, and that it is not known."""
    scene.open(client="claude-code", session="s9")
    address = scene.add("insight", "The parser is slow").address
    found = traced(scene, str(address)).span
    assert (found.sessions, found.state, found.line) == (("s9",), transcript_span.UNKNOWN, 0)
