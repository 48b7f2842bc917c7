"""What a merge leaves behind is named before anything is done with it: marks, numbers given twice, moves at odds."""

from __future__ import annotations

import pytest
from scene import SECRET, Scene

from sleep.errors import DocumentError
from sleep.journal.imports import importer, reader
from sleep.memory import merge_conflicts
from sleep.upkeep import status

MARKED = "<<<<<<< HEAD\n- ours [{0}.1]\n=======\n- theirs [{0}.1]\n>>>>>>> side\n"


def parallel(person, kind, first, second):
    """Let two branches record one thing each in an instance of their own, sleep, and merge with all that both said."""
    person.git("switch", "--quiet", "--create", "side")
    _lived(person, kind, second)
    person.git("switch", "--quiet", "main")
    _lived(person, kind, first)
    person.git("merge", "--quiet", "-X", "ours", "side")
    person.sleepwake("doctor", "--fix")


def _lived(person, kind, words):
    scene = Scene.copied(person.folder)
    (person.folder / ".git/sleepwake/opened").unlink(missing_ok=True)  # two machines do not know of each other
    scene.add(kind, words)
    scene.sleep()


def _aside(person, *words):
    """Have another clone run a command on a branch of its own, and come back to the branch that does not know of it."""
    person.git("switch", "--quiet", "--create", "side")
    person.sleepwake(*words)
    person.commit("bob")
    person.git("switch", "--quiet", "main")
    (person.folder / ".git/sleepwake/opened").unlink()


def _forbid_and_decide(person):
    _lived(person, "constraint", "Never log a password")
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock")


def registry(person, kind):
    """Return the records of a kind by what they say."""
    return {one.fragment.text: one.fragment for one in _records(person) if one.fragment.kind == kind}


def _records(person):
    return Scene.copied(person.folder).view.records.values()


@pytest.mark.parametrize(
    ("kind", "number", "command", "says"),
    [
        ("decision", "D-001", "decision.reverse", "--reason"),
        ("thread", "T-001", "thread.resolve", "--outcome"),
        ("question", "Q-001", "question.answer", "--answer"),
    ],
)
def test_a_number_that_names_two_records(person, kind, number, command, says):
    """H4: no command takes the first of two records; it names both addresses, and an address is exact."""
    parallel(person, kind, "Alice said this", "Bob said that")
    both = registry(person, kind)
    addresses = {words: str(one.identity) for words, one in both.items()}
    assert {one.number for one in both.values()} == {number}
    said = person.sleepwake(command, number, says, "done", code=2)
    assert all(address in said for address in addresses.values())
    assert registry(person, kind) == both
    said = person.sleepwake("doctor")
    (line,) = [one for one in said.splitlines() if f"{number} names" in one]
    assert all(address in line for address in addresses.values())
    person.sleepwake(command, addresses["Bob said that"], says, "done")
    person.sleepwake("sleep")
    after = registry(person, kind)
    assert after["Alice said this"].is_open
    assert not after["Bob said that"].is_open


def test_a_move_names_its_record_for_good(person):
    """H4: what was resolved before a merge is resolved after it, though the merge brings another of that number."""
    person.git("switch", "--quiet", "--create", "side")
    _lived(person, "thread", "Bob does that")
    person.git("switch", "--quiet", "main")
    _lived(person, "thread", "Alice does this")
    person.sleepwake("thread.resolve", "T-001", "--outcome", "Alice did it")
    person.commit("journal")
    person.git("merge", "--quiet", "-X", "ours", "side")
    person.sleepwake("doctor", "--fix")
    person.sleepwake("sleep")
    after = registry(person, "thread")
    assert after["Alice does this"].state == "resolved"
    assert after["Bob does that"].state == "active"


def test_moves_at_odds(person):
    """H4: a move that another branch's made impossible is named by the sleep that passes it over, and by the doctor."""
    _lived(person, "thread", "Write the docs")
    _aside(person, "thread.pause", "T-001", "--reason", "Bob waits")
    person.sleepwake("thread.resolve", "T-001", "--outcome", "Alice did it")
    person.sleepwake("sleep")
    person.git("merge", "--quiet", "--no-commit", "side", check=False)
    theirs = person.git("show", "side:journal/instance-2.md")
    tag = next(line.split()[1] for line in theirs.splitlines() if line.startswith("tag:"))
    person.git("checkout", "--ours", ".", check=False)
    person.write(f"journal/instance-2-{tag}.md", theirs)
    person.commit("merge")
    said = person.sleepwake("sleep", code=None)
    assert "passed over" in said
    assert "cannot become paused" in said
    person.sleepwake("note", "The docs are out")
    person.sleepwake("sleep")
    assert "cannot become paused" not in person.sleepwake("sleep")
    assert "cannot become paused" in person.sleepwake("doctor")
    person.sleepwake("thread.resume", "T-001")
    person.sleepwake("sleep")
    assert "cannot become paused" not in person.sleepwake("doctor")


def test_two_journals_under_one_number_in_a_merge(person):
    """In the merge the doctor names the marks and how both journals are kept, and nothing that follows from them."""
    _lived(person, "thread", "Write the docs")
    _aside(person, "decide", "Use flock", "--why", "it ends with its holder")
    person.sleepwake("decide", "Use sqlite", "--why", "it is there")
    person.sleepwake("sleep")
    person.git("merge", "--quiet", "side", check=False)
    found = person.sleepwake("doctor", code=1)
    assert "`sleepwake doctor --fix` keeps both journals" in found
    assert "leads nowhere" not in found
    assert "is gone" not in found
    theirs = person.git("show", "MERGE_HEAD:./journal/instance-2.md")
    tag = next(line.split()[1] for line in theirs.splitlines() if line.startswith("tag:"))
    person.write(f"journal/instance-2-{tag}.md", theirs)
    person.git("checkout", "--ours", "journal/instance-2.md")
    person.commit("merge")
    person.sleepwake("sleep")
    assert "leads nowhere" not in person.sleepwake("doctor")


@pytest.mark.parametrize(("theirs", "is_named"), [("yes, 4 TB are free", True), ("no, 300 GB", False)])
def test_answers_at_odds(person, theirs, is_named):
    """Two branches answer one question: another answer is named by the doctor until the question is asked again."""
    person.grow(_lived, "question", "Is the disk large enough?")
    person.sleepwake("sleep")
    person.git("switch", "--quiet", "--create", "side")
    person.sleepwake("question.answer", "Q-001", "--answer", theirs)
    person.sleepwake("sleep")
    person.git("switch", "--quiet", "main")
    person.sleepwake("question.answer", "Q-001", "--answer", "no, 300 GB")
    person.sleepwake("sleep")
    person.git("merge", "--quiet", "-X", "ours", "side")
    person.sleepwake("doctor", "--fix", code=None)
    person.sleepwake("sleep", code=None)
    assert (f"answered (no, 300 GB), and here answered: {theirs}" in person.sleepwake("doctor")) is is_named
    person.sleepwake("question.reopen", "Q-001", "--reason", "two answers")
    person.sleepwake("question.answer", "Q-001", "--answer", "yes")
    person.sleepwake("sleep")
    assert "and here answered" not in person.sleepwake("doctor")


@pytest.mark.parametrize(
    "path",
    ["memory/hot/context.md", "main.md", "memory/cycles.md", "journal/instance-2.md", "memory/core/2.memory.md"],
)
@pytest.mark.parametrize("committed", [True, False])
def test_marks_of_a_conflict(person, path, committed):
    """M4: marks that a merge left are named with their line, and nothing is moved in such a file."""
    person.grow(_forbid_and_decide)
    instance = registry(person, "constraint")["Never log a password"].identity.instance
    person.write(path, person.read(path) + MARKED.format(instance))
    if committed:
        person.commit("merged")
    line = person.read(path).splitlines().index("<<<<<<< HEAD") + 1
    before = person.everything()
    head = person.git("rev-parse", "HEAD")
    assert f"{path}:{line}" in person.sleepwake("sleep", code=5)
    assert person.everything() == before
    assert person.git("rev-parse", "HEAD") == head
    assert f"{path}:{line}" in person.sleepwake("status")
    found = person.sleepwake("doctor", code=1)
    assert f"{path}:{line}: a conflict mark" in found
    assert ("keep one side" in found) == (path == "memory/hot/context.md")
    assert "sleepwake doctor --fix" in found or path.startswith("journal/")


def test_marks_that_a_document_brought_are_its_own(scene, tmp_path):
    """A chat that shows its edits as conflicts is taken in and slept on; marks in an own journal stop a sleep."""
    scene.lived()
    chat = tmp_path / "chat.md"
    chat.write_text("# 2026-03-01\n\nUse flock.\n\n<<<<<<< SEARCH\npass\n=======\nlock()\n>>>>>>> REPLACE\n")
    importer.import_sources(scene.place, scene.now(), reader.gather([str(chat)], scene.place.root))
    scene.sleep()
    assert not merge_conflicts.find(scene.view, scene.view.journals)
    assert status.read(scene.place).conflicts == ()
    scene.open()
    scene.write(path := scene.view.journals[-1], scene.text(path) + MARKED.format("i"))
    with pytest.raises(DocumentError, match="left its marks"):
        scene.sleep()


@pytest.mark.parametrize("path", ["memory/page.md", "memory/checklist.md", "memory/knowledge/a.md", "memory/notes.md"])
def test_marks_in_any_page(scene, path):
    """Marks in any page of the memory stop a sleep, and status says it; a page may quote them in code."""
    scene.lived()
    scene.open()
    scene.add("decision", "Use flock")
    scene.write(path, "# A\n\n" + MARKED.format("i"))
    with pytest.raises(DocumentError, match="left its marks"):
        scene.sleep()
    with pytest.raises(DocumentError, match="left its marks"):
        scene.rehearse()
    assert status.read(scene.place).conflicts == (f"{path}:3",)
    scene.write(path, "# A\n\n```\n" + MARKED.format("i") + "```\n")
    assert status.read(scene.place).conflicts == ()
    scene.sleep()


def test_a_page_that_is_no_file(scene):
    """A page of a person's that leads out of the memory is not read for marks, and `status` goes on."""
    scene.lived()
    (scene.home / "memory/notes.md").symlink_to(scene.top.parent / "outside.md")
    scene.write(str(scene.top.parent / "outside.md"), MARKED)
    assert status.read(scene.place).conflicts == ()


def test_marks_that_a_journal_quotes(person):
    """A journal that quotes the marks of a conflict in code is slept on like any other."""
    body = "git left this:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n```\n"
    person.sleepwake("journal.add", "--kind", "insight", "--text", "-", stdin=body)
    person.sleepwake("sleep")
    assert "conflict" not in person.sleepwake("doctor")


def test_a_secret_that_is_committed(person):
    """M8: a sleep that leaves a secret standing in what is read first says so, as the doctor does."""
    person.write("main.md", person.read("main.md") + f"\nThe key is {SECRET}.\n")
    person.commit("notes")
    said = person.sleepwake("sleep", code=1)
    assert "main.md:" in said
    assert "memory.redact main.md" in said
    assert SECRET not in said
    person.sleepwake("memory.redact", "main.md")
    person.sleepwake("sleep")
