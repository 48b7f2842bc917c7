"""The doctor and the status: what is wrong, by file and line, and what there is."""

from __future__ import annotations

import os
import shlex
import signal
import time

import faults
import pytest
from scene import SECRET
from world import in_child

from sleep.debt import book, moves
from sleep.debt import settlement as settlements
from sleep.errors import RecoveryError, UsageError
from sleep.store import context as contexts
from sleep.store import step
from sleep.upkeep import doctor, status


def _examined(scene, **options):
    return doctor.examine(scene.place, "2026-11-22T00:00:00Z", **options)


def _cut(scene, at="commit"):
    """Kill a sleep just before the operation named of its first step after the adoption."""
    honest = step.apply

    def fault(name):
        if name == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def apply(*words):
        with faults.raised(fault):
            return honest(*words)

    def act():
        step.apply = apply
        scene.sleep()

    assert in_child(act) == -signal.SIGKILL


def test_a_healthy_memory(scene):
    """A memory that the program keeps has nothing wrong, and looking changes nothing."""
    scene.lived(3)
    before = scene.everything()
    assert _examined(scene) == []
    assert scene.everything() == before


def test_an_interrupted_step(scene):
    """An interrupted step is reported with the command that finishes it, and `--fix` finishes it."""
    scene.add("decision", "x")
    _cut(scene)
    (found,) = [one for one in _examined(scene) if one.level == "fail"]
    assert (found.check, found.fix) == ("git", "sleepwake sleep.resume")
    assert step.interrupted(scene.place.root)
    found = _examined(scene, fix=True)
    assert "finished" in next(one.what for one in found if one.check == "git")
    assert not step.interrupted(scene.place.root)
    assert scene.subjects()[0] == "sleep: seal instance-1"


@pytest.mark.parametrize(
    ("path", "text", "check", "where"),
    [
        ("memory/warm/x.md", "---\na: [\n---\n", "documents", "memory/warm/x.md"),
        ("memory/warm/x.md", f"# X\n\n- {SECRET}\n", "secrets", "memory/warm/x.md:3"),
        ("memory/warm/x.md", "# X\n\ncaf\udce9\n", "documents", "memory/warm/x.md"),
        ("journal/monday.md", "# Monday\n", "documents", "journal/monday.md"),
        ("main.md", f"# M\n\nP. {SECRET}\n", "secrets", "main.md:3"),
    ],
)
def test_a_planted_fault_is_found(scene, path, text, check, where):
    """What is wrong with a document is reported with its place and what to do."""
    scene.write(path, text)
    found = [one for one in _examined(scene) if one.check == check]
    assert [one.where for one in found] == [where]
    assert found[0].fix or "UTF-8" in found[0].what
    assert SECRET not in str(found)


def test_git_in_the_middle_of_something(scene):
    """A merge under way is reported with the command that ends it."""
    (scene.top / ".git" / "MERGE_HEAD").write_text(scene.head())
    (found,) = [one for one in _examined(scene) if one.check == "git"]
    assert "merge" in found.what
    assert "git merge --abort" in found.fix


def test_a_secret_in_a_closed_journal(scene):
    """A secret that no rule knew when its journal was slept on is named, once a journal, until it is taken out."""
    scene.lived(1)
    path = "journal/instance-1.md"
    scene.write(path, f"{scene.text(path)}\nkey {SECRET}, again {SECRET}\n")
    (found,) = [one for one in _examined(scene) if one.check == "secrets"]
    assert (found.level, found.where) == ("warn", path)
    assert "2 github-token" in found.what
    assert path in found.fix
    doctor.redact(scene.place, str(scene.home / path))
    assert not [one for one in _examined(scene) if one.check == "secrets"]


def test_redacting_a_file(scene):
    """`memory.redact` takes the secrets out of a memory file, and out of nothing else."""
    scene.write("memory/warm/x.md", f"# X\n\nkey {SECRET} end\n")
    assert doctor.redact(scene.place, str(scene.home / "memory/warm/x.md")) == ["github-token"]
    assert scene.text("memory/warm/x.md") == "# X\n\nkey [REDACTED:github-token] end\n"
    assert doctor.redact(scene.place, str(scene.home / "memory/warm/x.md")) == []


@pytest.mark.parametrize("path", ["staged.txt", ".git/config", "memory/none.md", "../outside.md", "memory"])
def test_what_is_no_memory_is_not_redacted(scene, path):
    """A file that is no memory, or is not there, is refused and stays as it is."""
    (scene.top.parent / "outside.md").write_text(SECRET)
    (scene.top / "staged.txt").write_text(SECRET)
    before = scene.everything()
    with pytest.raises(UsageError):
        doctor.redact(scene.place, str(scene.home / path))
    assert scene.everything() == before
    assert (scene.top.parent / "outside.md").read_text() == SECRET


def test_status_of_a_fresh_memory(scene):
    """A fresh memory has nothing open, nothing slept and nothing due."""
    found = status.read(scene.place)
    assert (found.branch, found.open_instances, found.cycles, found.last_sleep, found.due) == (
        "main",
        (),
        0,
        "never",
        "nothing",
    )
    assert set(found.records.values()) == {0}


def test_status_counts(scene):
    """The status counts what is open, what waits, the records of tiers and journals together, and says what is due."""
    scene.lived()
    scene.add("decision", "two")
    assert "instance 2 is not slept on" in status.read(scene.place).due
    scene.add("thread", "one")
    found = status.read(scene.place)
    assert found.open_instances == ((2, 3),)  # with the tone that it begins with
    assert found.records == {"thread": 1, "decision": 2, "question": 1, "doubt": 0, "constraint": 0} | {
        "task": 0,
        "blocker": 0,
        "dead_end": 0,
    }
    assert (found.cycles, found.last_sleep) == (1, scene.view.cycles[0].slept)
    table = scene.text("memory/cycles.md")
    scene.write("memory/cycles.md", table.replace(found.last_sleep, "2001-01-01T00:00:00Z"))
    assert status.read(scene.place).last_sleep == found.last_sleep  # a journal of the past: the ledger knows better
    scene.write("memory/cycles.md", table)
    assert "instance 2 is not slept on: sleepwake sleep" in found.due
    assert found.tiers["hot"][0] == 3
    assert sum(found.tiers["hot"][1:]) > 0
    scene.sleep()
    assert status.read(scene.place).due == "nothing"


def test_status_begins_with_purpose_state_and_next(scene):
    """The status tells purpose, state and next by the parts of the brief, before and after a sleep."""
    scene.add("change", "laid the floor")
    scene.add("task", "buy cups")
    before = status.read(scene.place).head
    assert before["purpose"][0].startswith("What this project is for")
    assert (before["state"], before["next"]) == (("laid the floor",), ("task: buy cups",))
    scene.sleep()
    assert status.read(scene.place).head["state"][0].startswith("laid the floor [i1")
    assert "task: buy cups" in status.read(scene.place).head["next"]


def test_status_changes_nothing(scene):
    """The status only looks, also while a step is interrupted or the head is detached."""
    scene.add("decision", "x")
    _cut(scene)
    scene.git("checkout", "--quiet", "--detach")
    before = scene.everything()
    found = status.read(scene.place)
    assert (found.branch, found.interrupted) == ("detached HEAD", True)
    assert "sleep.resume" in found.due
    assert scene.everything() == before


def test_status_says_the_debt(scene):
    """The status has debt and level, and at Must Sleep says that a sleep is due."""
    here = contexts.of(scene.place.root)
    assert (status.read(scene.place).debt, status.read(scene.place).level) == (0, "Alert")
    for _ in range(4):
        book.add(here, 3, "talk", time.time())
    found = status.read(scene.place)
    assert (found.debt, found.level, found.due) == (12, "Must Sleep", "debt is 12: sleepwake sleep")
    with open(here.ledger, "w") as file:
        file.write("garbage")
    assert "no JSON" in status.read(scene.place).trouble


def test_a_ledger_that_cannot_be_read(scene):
    """A corrupt ledger is a failure, what was set aside and a session's broken file are warnings."""
    here = contexts.of(scene.place.root)
    os.makedirs(os.path.join(here.state, ".sessions"))
    for path in (here.ledger, os.path.join(here.state, ".sessions", "x.json")):
        with open(path, "w") as file:
            file.write("garbage")
    found = [(one.level, one.where) for one in _examined(scene) if one.check == "ledger"]
    assert found == [("fail", "memory/state/.sleep.json"), ("warn", "memory/state/.sessions/x.json")]
    book.add(here, 1, "talk", time.time())
    found = [(one.level, one.where.partition("corrupt-")[0]) for one in _examined(scene) if one.check == "ledger"]
    assert found == [("warn", "memory/state/.sleep.json."), ("warn", "memory/state/.sessions/x.json")]


def test_sessions_that_are_no_folder(scene):
    """What takes the place of the folder of sessions is a warning that names it."""
    scene.write("memory/state/.sessions", "x")
    found = [(one.level, one.where) for one in _examined(scene) if one.check == "ledger"]
    assert found == [("warn", "memory/state/.sessions")]


def test_a_ledger_that_is_committed(scene):
    """A ledger that is in git is reported, for it quotes messages."""
    book.add(contexts.of(scene.place.root), 1, "talk", time.time())
    scene.git("add", "--force", "memory/state/.sleep.json")
    scene.git("commit", "--quiet", "--message=oops")
    (found,) = [one for one in _examined(scene) if one.check == "ledger"]
    assert "git rm --cached" in found.fix


def test_a_sleep_that_was_cut_off(scene, monkeypatch):
    """A sleep that never settled is noted."""
    here = contexts.of(scene.place.root)
    book.add(here, 1, "talk", time.time())
    (share,) = settlements.begin(here, time.time(), [moves.CycleShare(1, "i1abc")])
    settlements.keep(here, share)
    assert [one for one in _examined(scene) if one.check == "ledger"] == []
    monkeypatch.setattr("sleep.debt.liveness.is_running", lambda *_: False)
    assert [one.level for one in _examined(scene) if one.check == "ledger"] == ["note"]


def test_pages_are_examined_too(scene):
    """A fault in a page that a session is told is found once, and a mark that is safe to take away goes."""
    scene.write("memory/core/features/one.md", "---\nstatus: active\nstatus: [\n---\n")
    scene.write("memory/knowledge/two.md", "\ufeff---\nname: two\ndescription: d\n---\nwords\n")
    found = [one for one in _examined(scene) if one.where.startswith("memory/core/features/one.md:")]
    assert [one.level for one in found] == ["fail"], found
    assert any("two.md" in one.where for one in _examined(scene))
    _examined(scene, fix=True)
    assert not any("two.md" in one.where for one in _examined(scene))


def test_an_older_tools_folder_is_examined(tmp_path):
    """In a tree of an older tool, which is no memory root, the doctor looks at the pages and the ledger."""
    folder = tmp_path / "_agent_context"
    (folder / "state").mkdir(parents=True)
    (folder / "core").mkdir()
    (folder / "core" / "CHANGELOG.json").write_text("[")
    (folder / "state" / ".sleep.json").write_text("{")
    found = doctor.examine_pages(contexts.require(str(tmp_path)))
    assert {one.check for one in found if one.level == "fail"} >= {"ledger"}
    assert any("CHANGELOG.json" in one.where for one in found)


@pytest.mark.parametrize("content", [b"\xee\x94\xb0c\xb4\xb9\x83\xcb", "# X\n\ncaf\udce9 \uff21\n", b"\xff" * 3000])
def test_a_tier_that_is_no_text(scene, content):
    """Bytes that are not UTF-8 are named wherever they stand, beside whichever other characters."""
    scene.lived(1)
    scene.write("memory/hot/context.md", content)
    (found,) = [one for one in _examined(scene) if one.check == "documents"]
    assert (found.where, "not UTF-8" in found.what) == ("memory/hot/context.md", True)


@pytest.mark.parametrize("line", ["*.md", "memory/", "/journal/", "memory/warm/*"])
def test_a_memory_that_git_ignores(scene, line):
    """A line of .gitignore that covers what a sleep writes is a failure, also where nothing new is there yet."""
    scene.lived(1)
    scene.write(".gitignore", f"memory/state/.*\n{line}\n")
    (found,) = [one for one in _examined(scene) if one.check == "git"]
    assert (found.level, "is ignored by git" in found.what) == ("fail", True)
    assert scene.git(*shlex.split(found.command)[1:]).startswith(".gitignore:2:")


def test_settings_that_are_gone(scene, sleepwake, monkeypatch):
    """Without sleep.yaml no command finds the memory: the doctor says so, with the command that gives it back."""
    scene.lived(1)
    monkeypatch.chdir(scene.home)
    (scene.home / "memory/sleep.yaml").unlink()
    code, said, _ = sleepwake("doctor")
    assert code == 1
    assert "memory/sleep.yaml: is gone" in said
    scene.git("checkout", "HEAD", "--", "memory/sleep.yaml")
    assert sleepwake("doctor")[0] == 0


def test_a_tier_that_was_overwritten_with_bytes(scene):
    """What a tier held is not taken out by hand where something overwrote the file: `--fix` brings its records back."""
    scene.lived(1)
    scene.write("memory/hot/decisions.md", bytes(range(256)) * 8)
    scene.sleep()
    assert scene.text("memory/edits.md") is None
    _examined(scene, fix=True)
    assert "Use engine 1 for part 1" in scene.text("memory/hot/decisions.md")


def test_a_journal_by_another_name(scene):
    """A journal that was renamed is named with the command that gives it its name back, or as a copy."""
    scene.lived(2)
    (scene.home / "journal/instance-2.md").rename(scene.home / "journal/old two.md")
    (found,) = [one for one in _examined(scene) if one.where == "journal/old two.md"]
    assert (found.level, found.fix) == ("fail", "mv 'journal/old two.md' journal/instance-2.md")
    scene.write("journal/instance-2.md", scene.text("journal/old two.md"))
    (found,) = _examined(scene)
    assert (found.level, found.fix) == ("warn", "rm 'journal/old two.md'")


@pytest.mark.parametrize("fix", [False, True])
def test_a_torn_record_of_a_step(scene, fix):
    """A record of a step that cannot be read is told with the command that forgets it, which then works."""
    scene.lived(1)
    scene.open()
    os.makedirs(os.path.dirname(scene.place.root.intent), exist_ok=True)
    scene.write(scene.place.root.intent, '{"format": 1, "st')
    with pytest.raises(RecoveryError) as error:
        scene.sleep()
    assert "sleepwake doctor --dismiss" in error.value.hint
    assert ["sleepwake doctor --dismiss" in one.fix for one in _examined(scene, fix=fix) if one.level == "fail"] == [
        True
    ]
    assert doctor.dismiss(scene.place)
    assert [one for one in _examined(scene) if one.level == "fail"] == []
    scene.sleep()


def test_a_page_that_cannot_be_read(scene):
    """A page that leads out of the memory is named, and what else is wrong is found all the same."""
    scene.lived(1)
    scene.write("memory/warm/x.md", "---\na: [\n---\n")
    (scene.home / "memory/knowledge").mkdir(exist_ok=True)
    (scene.home / "memory/notes.md").symlink_to(scene.top.parent / "outside.md")
    scene.write(str(scene.top.parent / "outside.md"), "x\n")
    (scene.home / "main.md").unlink()
    found = [one for one in _examined(scene) if one.level == "fail"]
    assert {"notes.md", "main.md"} <= {os.path.basename(one.where) for one in found}
