"""A journal that is open in another clone: nobody else writes into it or closes it, until nobody lives in it."""

from __future__ import annotations

import os
import time

import pytest
from clones import clone, commit, pull

from sleep.documents import paths
from sleep.journal import activity
from sleep.memory import foreign_journals
from sleep.recall.past import moment
from sleep.upkeep import doctor, status

_PATH = "journal/instance-1.md"


def _decisions(scene):
    return {record.fragment.text for record in scene.view.records.values() if record.fragment.kind == "decision"}


def test_another_clone_writes_a_journal_of_its_own(ann, bob):
    """What two people journal at once has two addresses, though one has the other's open journal."""
    theirs, own = ann.add("insight", "Orders are slow"), bob.add("insight", "Carts are slow")
    assert (theirs.path, paths.journal_number(own.path)) == (_PATH, 2)
    assert bob.wake().path == own.path
    assert foreign_journals.is_foreign(bob.place.root, bob.view, _PATH)
    assert not foreign_journals.is_foreign(ann.place.root, ann.view, _PATH)


def test_nothing_is_lost_where_one_sleeps_and_the_other_goes_on(ann, bob):
    """A sleep leaves the open journal of another person's clone, so that what she adds to it is slept on by her."""
    bob.add("decision", "Name exports by month", why="the manager said so")
    report = bob.sleep()
    assert dict(report.skipped)[_PATH].startswith("is open in another clone (committed by ")
    assert {step.decided.step for step in report.steps if step.cycle} >= {"seal"}
    ann.add("decision", "Keep drafts for a year", why="the auditor asks for them")
    commit(ann)
    ann.git("pull", "--quiet", "--no-rebase", "--no-edit", str(bob.top), "HEAD")
    ann.sleep()
    assert _decisions(ann) == {"Count holidays as Sundays", "Name exports by month", "Keep drafts for a year"}
    assert not [each for each in doctor.examine(ann.place, ann.now()) if each.level == "fail"]


def test_a_rehearsal_leaves_it_too(bob):
    """A dry run says of the journal what the sleep would."""
    assert dict(bob.rehearse().skipped) == dict(bob.sleep().skipped)


def test_the_status_says_whose_it_is(ann, bob):
    """Where nothing else waits no sleep is due, and the open journal is that of who committed it."""
    there = status.read(bob.place, bob.now())
    who, day = ann.git("log", "-1", "--format=%an%n%as").splitlines()
    assert (there.open_instances, there.elsewhere) == ((), ((1, who, day),))
    assert "not slept on" not in there.due
    here = status.read(ann.place, ann.now())
    assert (here.open_instances, here.elsewhere, "not slept on" in here.due) == (((1, 1),), (), True)


def test_it_is_slept_on_where_that_is_asked(bob):
    """By its number anybody sleeps on it, and so does everybody when it was not committed for a day."""
    rest = foreign_journals.of_others(bob.place.root, bob.view, 4e9)
    assert rest == {}
    assert {step.decided.step for step in bob.sleep(instance=1).steps} >= {"seal", "journal to hot"}


def test_a_person_sleeps_on_what_she_left_elsewhere(ann, tmp_path):
    """In a second clone of her own a person writes another journal, and a sleep takes both."""
    address = ann.git("log", "-1", "--format=%ae").strip()
    second = clone(ann, tmp_path / "second", address)
    second.add("decision", "Name exports by month", why="the manager said so")
    assert not second.sleep().skipped
    assert len(second.view.cycles) == 2


@pytest.mark.parametrize("named", ["name", "mailmap"])
def test_a_person_has_several_addresses(ann, tmp_path, named):
    """One name is one person under another address, and so is one address that `.mailmap` takes for another."""
    name, address = ann.git("log", "-1", "--format=%an%n%ae").splitlines()
    if named == "name":
        second = clone(ann, tmp_path / "second", "12+ann@forge.example", name)
    else:
        second = clone(ann, tmp_path / "second", address)
        second.write(".mailmap", f"Ann <ann@home.example> <{address}>\n")
    assert foreign_journals.of_others(second.place.root, second.view, 0.0) == {}


def test_after_a_day_or_without_a_remote_anybody_sleeps_on_it(bob):
    """Whoever left a journal open for a day is waited for no more; where there is no remote nobody works elsewhere."""
    committed = int(bob.git("log", "-1", "--format=%at"))
    assert [*foreign_journals.of_others(bob.place.root, bob.view, committed + 3600)] == [_PATH]
    assert not foreign_journals.of_others(bob.place.root, bob.view, committed + 90_000)
    bob.git("remote", "remove", "origin")
    assert not foreign_journals.of_others(bob.place.root, bob.view, committed + 3600)


def test_two_journals_of_one_number_meet_as_two_files(ann, bob):
    """Where another person journals too a journal's name has its tag, so that no merge has a conflict in it."""
    ann.git("remote", "add", "origin", str(bob.top))
    ann.sleep()
    pull(bob, ann)
    bob.add("insight", "Carts are slow")
    bob.sleep()
    pull(ann, bob)
    own, other = ann.add("insight", "Orders are slow").path, bob.add("insight", "Carts are slower").path
    tags = {scene.view.instance_of(path).tag for scene, path in ((ann, own), (bob, other))}
    assert {own, other} == {f"journal/instance-3-{tag}.md" for tag in tags}
    commit(ann)
    pull(bob, ann)  # raises where git would overwrite a file or has a conflict
    assert bob.add("insight", "Carts are slowest", instance=3).path == other
    assert {step.decided.subject for step in bob.rehearse(instance=3).steps if step.cycle} >= {f"seal {other[8:-3]}"}
    assert [path for path, _ in bob.sleep(instance=3).skipped] == [own]
    assert own in bob.view.unslept  # the number alone is taken for that of the clone
    assert other not in bob.view.unslept
    bob.sleep(instance=3)
    assert {own, other} < {*bob.view.journals}
    assert [*map(paths.journal_number, bob.view.journals)] == [1, 2, 3, 3]
    assert not bob.view.unslept
    assert not [each for each in doctor.examine(bob.place, bob.now()) if each.level == "fail"]


def test_a_number_shows_the_journal_of_the_clone(ann, bob):
    """Of two open journals of one number each clone shows its own, whichever name comes last."""
    ann.git("remote", "add", "origin", str(bob.top))
    ann.sleep()
    own, other = ann.add("insight", "Orders are slow").path, bob.add("insight", "Carts are slow").path
    for scene in (ann, bob):
        commit(scene)
    pull(bob, ann)
    pull(ann, bob)
    for scene, path in ((ann, own), (bob, other)):
        assert scene.run("journal.show", "--instance", "2", folder=scene.top)[1].startswith(f"{path}: ")


def test_a_person_alone_has_plain_names(ann, tmp_path):
    """With a remote and commits of one person alone, or without a remote, names have no tag."""
    address = ann.git("log", "-1", "--format=%ae").strip()
    second = clone(ann, tmp_path / "second", address)
    assert not foreign_journals.is_shared(second.place.root)
    assert not foreign_journals.is_shared(ann.place.root)
    assert second.add("insight", "Carts are slow").path == "journal/instance-2.md"


def test_where_git_cannot_be_asked_one_journals_all_the_same(bob, monkeypatch, tmp_path):
    """A new journal is opened without git, under a plain name."""
    (bob.top / _PATH).unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert paths.journal(bob.add("insight", "Carts are slow").address.number) in bob.view.journals


def test_who_wrote_with_others_long_ago_has_plain_names_again(ann, bob):
    """What another person committed half a year ago is no reason for a tag, what one did yesterday is."""
    for days, is_shared in ((180, False), (1, True)):
        ann.git("commit", "--quiet", "--amend", "--reset-author", "--no-edit", env=_at(days))
        bob.git("fetch", "--quiet", "origin")
        bob.git("reset", "--quiet", "--hard", "FETCH_HEAD")
        assert foreign_journals.is_shared(bob.place.root) == is_shared


def _at(days):
    return {**os.environ, "GIT_COMMITTER_DATE": f"@{int(time.time()) - days * 86400} +0000"}


def test_a_session_goes_on_from_a_journal_with_a_tag(ann, bob, monkeypatch):
    """A session that is journaled again after a sleep is taken for one session, also where names have tags."""
    monkeypatch.setenv("SLEEP_SESSION", "s1")
    bob.add("insight", "Carts are slow")
    bob.sleep()
    later = bob.add("insight", "Carts are slow on Mondays").path
    journal = bob.view.journal(later)
    assert journal.fields["continues"] == 2
    assert activity.part_before(bob.view, journal).instance.number == 2
    commit(bob)
    assert moment.find(bob.place.root, "instance 3", "2026-12-01").sha == bob.head()


def test_what_a_program_commits_later_stays_its_owners(ann, tmp_path):
    """A commit of a bot makes no journal the bot's: it is named by who committed it first."""
    owner = ann.git("log", "-1", "--format=%an").strip()
    bot = clone(ann, tmp_path / "bot", "bot@ci.example", "shop-bot")
    bot.write(_PATH, bot.text(_PATH) + "\n")
    commit(bot)
    other = clone(bot, tmp_path / "other", "bob@x.example")
    second = clone(bot, tmp_path / "second", ann.git("log", "-1", "--format=%ae").strip())
    (found,) = foreign_journals.of_others(other.place.root, other.view, 0.0).values()
    assert found.who == owner
    assert f"(committed by {owner}, " in found.reason
    assert not foreign_journals.of_others(second.place.root, second.view, 0.0)
