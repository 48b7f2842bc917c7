"""A journal that changed after it was slept on is named, with the command that gives the sealed text back."""

from __future__ import annotations

import pytest
from scene import SECRET

from sleep.changes import sealed_journals
from sleep.history import past_steps, trace
from sleep.history.step_fates import Past
from sleep.upkeep import doctor
from sleep.wake import checks

NOW = "2026-11-22T00:00:00Z"
JOURNAL = "journal/instance-2.md"


def named(findings):
    return [found for found in findings if found.check == sealed_journals.CHECK]


def changed(scene):
    return list(sealed_journals.findings(scene.place.root, scene.view))


def edit(scene, old="Use engine 2", new="Use engine TWO"):
    text = scene.text(JOURNAL)
    scene.write(JOURNAL, text.replace(old, new))
    return text


@pytest.fixture
def slept(scene):
    return scene.lived(3)


def test_an_edit_is_said_by_doctor_check_and_sleep(slept):
    """An edited sealed journal is said before and after it is committed, and by the one sleep that commits it."""
    sealed = edit(slept)
    (found,) = named(doctor.examine(slept.place, NOW))
    assert (found.level, found.where) == ("warn", JOURNAL)
    assert "changed after it was slept on" in found.what
    assert named(checks.examine(slept.place, NOW)) == [found]
    assert named(slept.rehearse().findings) == [found]
    assert named(slept.sleep().findings) == [found]
    assert slept.sleep().findings == ()
    assert named(doctor.examine(slept.place, NOW)) == [found]
    slept.git(*found.fix.split()[1:])
    assert slept.text(JOURNAL) == sealed
    assert changed(slept) == []
    assert slept.sleep().findings == ()


def test_a_journal_that_was_emptied(slept):
    """A sealed journal of which only the title is left is named like one that was edited."""
    text = slept.text(JOURNAL)
    slept.write(JOURNAL, text[: text.index("\n## ")])
    assert [found.where for found in named(slept.sleep().findings)] == [JOURNAL]
    assert [found.where for found in changed(slept)] == [JOURNAL]


def test_a_journal_that_was_deleted(slept):
    """The sleep that commits a deletion says so in its subject and once to the person, with the way back."""
    text = slept.text(JOURNAL)
    (slept.home / JOURNAL).unlink()
    report = slept.sleep()
    assert slept.subjects()[0] == f"sleep: adopt the deletion of {JOURNAL}"
    (found,) = report.findings
    assert (found.level, found.where) == ("warn", JOURNAL)
    assert "was deleted in" in found.what
    assert slept.sleep().findings == ()
    slept.git(*found.fix.split()[1:])
    assert slept.text(JOURNAL) == text


def test_what_is_no_change(slept):
    """Line ends, a secret that was taken out, and a journal that waits are no change of what was sealed."""
    text = slept.text(JOURNAL)
    slept.write(JOURNAL, text.replace("\n", "\r\n"))
    assert changed(slept) == []
    slept.write(JOURNAL, text)
    slept.open()
    slept.add("decision", "Use engine 4")
    slept.sleep()
    slept.open()
    slept.add("decision", "Use engine 5")
    slept.git("add", "--all")
    slept.git("commit", "--quiet", "--message=open")
    slept.add("decision", "Use engine 6")
    assert changed(slept) == []


def test_a_redaction_is_no_change(scene):
    """What `memory.redact` took out of a sealed journal is not called a change; words beside it are."""
    scene.open()
    scene.add("note", "the key is SECRET for now")
    path = "journal/instance-1.md"
    scene.git("add", "--all")
    scene.write(path, scene.text(path))
    scene.sleep()
    sealed = scene.text(path)
    assert sealed_journals._says_the_same(sealed, sealed.replace("SECRET", "[REDACTED:github-token]"))
    assert not sealed_journals._says_the_same(sealed, sealed.replace("key is SECRET", "cat is [REDACTED:github-token]"))
    assert SECRET not in sealed


def test_a_squash_keeps_the_sealed_text(slept):
    """Without the commits of its cycle the first version that is closed is the sealed one."""
    slept.git("checkout", "--quiet", "--orphan", "squashed")
    slept.git("commit", "--quiet", "--message=all")
    edit(slept)
    assert [found.where for found in changed(slept)] == [JOURNAL]


def test_trace_credits_an_edit_to_its_own_commit(slept):
    """The words that an entry had are those of the first commit, the words it has are those of the edit's."""
    edit(slept)
    found = trace.trace(Past(slept.place.root), "D-002").written
    assert (found.changed, "engine 2" in found.then) == (past_steps.UNCOMMITTED, True)
    slept.sleep()
    found = trace.trace(Past(slept.place.root), "D-002").written
    assert found.changed == slept.head()
    assert "engine 2" in found.then
    assert trace.trace(Past(slept.place.root), "D-001").written.changed == ""


def test_trace_tells_the_edit(slept, sleepwake, monkeypatch):
    """`trace` prints what the entry said in the commit that it names, and the commit of the words that it has."""
    edit(slept)
    slept.sleep()
    monkeypatch.chdir(slept.home)
    said = sleepwake("trace", "D-002")[1]
    assert 'said then: "Use engine 2 for part 2' in said
    assert f"its words now are of commit {slept.head()[:7]}" in said


@pytest.mark.parametrize("kind", ["task", "decision", "dead end"])
def test_what_was_added_after_the_sleep_is_put_into_the_tiers(slept, kind):
    """What its owner added elsewhere to a journal that was slept on meanwhile is no change to be taken back."""
    added = "\n## {}: Write down how bread is counted [{}]\n\n- why: nobody knows\n"
    own = str(slept.view.instance_of(JOURNAL))
    last = max(entry.address.ordinal for entry in slept.view.journal(JOURNAL).entries)
    number = " D-009" if kind == "decision" else ""
    slept.write(JOURNAL, slept.text(JOURNAL) + added.format(kind.capitalize(), f"{own}.{last + 1}{number}"))
    slept.git("add", "--all")
    slept.git("commit", "--quiet", "--message=Merge branch 'main'")
    (found,) = changed(slept)
    assert "an entry was added after it was slept on" in found.what
    assert "git checkout" not in found.fix
    after = doctor.examine(slept.place, NOW, fix=True)
    assert not [each for each in after if each.level == "fail"]
    assert "Write down how bread is counted" in {
        record.fragment.text for record in slept.view.records.values() if record.fragment.kind == kind
    }
    (left,) = [each for each in doctor.examine(slept.place, NOW) if "added after it was slept on" in each.what]
    assert (left.level, "doctor --fix" in left.fix) == ("note", False)  # there is nothing left to do


def test_an_edit_beside_an_addition_is_a_change(slept):
    """Where anything of what was slept on is another, the sealed text is offered as before."""
    edit(slept)
    slept.write(JOURNAL, f"{slept.text(JOURNAL)}\n## Task: Bake [{slept.view.instance_of(JOURNAL)}.99]\n")
    (found,) = changed(slept)
    assert "was changed after it was slept on" in found.what
