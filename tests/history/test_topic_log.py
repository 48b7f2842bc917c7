"""The history of a topic, in sentences that the commits bear out."""

from __future__ import annotations

import pytest

from sleep.documents import paths, tier
from sleep.errors import UsageError
from sleep.history import topic_log
from sleep.records import address as addressing


def read(scene, name):
    """Return a topic's history."""
    return topic_log.read(scene.place, name)


def speak(scene, topic, first, count=3):
    """Live instances that decide something of a topic."""
    for number in range(first, first + count):
        scene.open()
        scene.add("decision", f"Use engine {number} for part {number}", why="it is faster", topic=topic)
        scene.sleep()


def spoken(scene, count):
    """Become a memory of instances that decided something of `auth`."""
    return scene.grow(speak, "auth", 1, count)


def commit(scene, message="by hand"):
    """Commit all that is there as a person does."""
    scene.git("add", "--all")
    scene.git("commit", "--quiet", f"--message={message}")


def held(scene, topic):
    """Return the addresses that stand in a topic's files."""
    return {
        str(one.identity) for path, one in scene.view.placed(paths.WARM, paths.COLD) if paths.topic_of(path) == topic
    }


def net(found):
    """Return the addresses that the events leave in the topic."""
    there = set()
    for event in found.events:
        for one in event.moved:
            if one.what in (topic_log.CAME, topic_log.ADDED):
                there |= set(one.addresses)
            elif one.what in (topic_log.WENT, topic_log.GONE, topic_log.MERGED_IN):
                there -= set(one.addresses)
    return there


def test_what_came_and_went_adds_up(scene):
    """Over many cycles and an undo, what the events bring and take leaves exactly what stands there."""
    scene.write("memory/sleep.yaml", f"{scene.text('memory/sleep.yaml')}\nkeep_warm: 2\n")
    scene.git("commit", "--quiet", "--all", "--message=keep little")
    speak(scene, "auth", 1, 8)
    scene.undo(6)
    found = read(scene, "auth")
    assert found.files == tuple(path for path in (f"{paths.WARM}auth.md", f"{paths.COLD}auth.md") if scene.text(path))
    assert net(found) == held(scene, "auth")
    assert found.fragments == len([one for path, one in scene.view.placed() if paths.topic_of(path) == "auth"])
    first = found.events[0]
    assert (first.who, first.commits) == (
        "cycle 3",
        tuple(scene.git("log", "--format=%H", "--reverse", "--", f"{paths.WARM}auth.md").split()[:1]),
    )
    assert first.sentence == "cycle 3 brought 1 decision from instance 1 (D-001) into warm"
    assert any(one.what == topic_log.MOVED and one.target == "cold" for each in found.events for one in each.moved)
    assert any(one.who == "the undo of cycle 6" for one in found.events)


def test_a_topic_with_another_name_has_its_history(scene):
    """A topic that a person renamed is told from its first cycle on, under the name that it had; so is the old name."""
    spoken(scene, 4)
    scene.git("mv", f"{paths.WARM}auth.md", f"{paths.WARM}login.md")
    commit(scene)
    found = read(scene, "login")
    assert [one.topic for one in found.events] == ["auth", "auth", "login"]
    brought = "brought 2 decisions from instances 1, 2 (D-001, D-002) out of topic auth into warm"
    assert found.events[-1].sentence == f"Ada Example {brought}"
    old = read(scene, "auth")
    assert (old.files, old.fragments) == ((), 0)
    assert "to topic login" in old.events[-1].sentence


def test_a_topic_that_joined_another(scene):
    """A topic that went into one that was there is told in both, and only its own history is that of either."""
    spoken(scene, 3)
    speak(scene, "login", 4, 3)
    fragments = scene.view.tier(f"{paths.WARM}auth.md").fragments
    scene.write(f"{paths.WARM}login.md", tier.write(scene.text(f"{paths.WARM}login.md"), add=fragments))
    scene.git("rm", "--quiet", f"{paths.WARM}auth.md")
    commit(scene)
    assert {one.topic for one in read(scene, "login").events} == {"login"}
    assert "out of topic auth" in read(scene, "login").events[-1].sentence
    assert read(scene, "auth").files == ()


def test_parts_belong_to_their_topic(scene):
    """What stands in a numbered part is the topic's, and what moves between parts is no event."""
    spoken(scene, 4)
    document = scene.view.tier(f"{paths.WARM}auth.md")
    last = document.fragments[-1]
    scene.write(f"{paths.WARM}auth-2.md", tier.write("", add=[last], title="auth"))
    scene.write(f"{paths.WARM}auth.md", tier.write(document.text, drop=[last]))
    count = len(read(scene, "auth").events)
    commit(scene)
    found = read(scene, "auth-2")
    assert (found.topic, len(found.events)) == ("auth", count)
    assert found.files == (f"{paths.WARM}auth-2.md", f"{paths.WARM}auth.md")


def test_a_persons_edits_are_told_as_theirs(scene):
    """What a person wrote, edited and removed is told with their name."""
    spoken(scene, 4)
    path = f"{paths.WARM}auth.md"
    first, second, *_ = scene.view.tier(path).fragments
    scene.write(path, tier.write(scene.text(path), drop=[first], replace={second: second._replace(text="Other words")}))
    commit(scene)
    last = read(scene, "auth").events[-1]
    assert last.who == "Ada Example"
    assert {one.what: one.addresses for one in last.moved} == {
        topic_log.GONE: (str(first.identity),),
        topic_log.SHORT: (str(second.identity),),
    }
    assert "removed 1 " in last.sentence
    assert "edited 1 " in last.sentence


def test_a_merge_of_branches_brings_no_news(scene):
    """What a branch did is told of its own commits; the merge that brought it in has nothing to add."""
    spoken(scene, 3)
    scene.git("checkout", "--quiet", "-b", "other")
    speak(scene, "auth", 4, 2)
    scene.git("checkout", "--quiet", "main")
    scene.write("notes.txt", "x")
    commit(scene)
    scene.git("merge", "--quiet", "--no-ff", "--message=merge", "other")
    found = read(scene, "auth")
    assert not [one for one in found.events if one.step == "merge"]
    assert net(found) == held(scene, "auth")


@pytest.mark.parametrize(("name", "near"), [("aut", "auth"), ("nothing like it", "auth")])
def test_an_unknown_topic_names_those_that_are_like_it(scene, name, near):
    """A topic that never was is refused with those that come near, and with the command that lists them."""
    spoken(scene, 3)
    with pytest.raises(UsageError, match=near) as caught:
        read(scene, name)
    assert caught.value.hint == "sleepwake topic.list"


def test_a_topic_that_entries_name_and_that_has_not_begun_is_not_one_that_never_was(scene):
    """Until what names it cools, the refusal says how many entries name it."""
    spoken(scene, 3)
    scene.open()
    scene.add("note", "The lock is a file", topic="storage")
    with pytest.raises(UsageError, match="no topic 'storage' yet: 1 entry names it") as caught:
        read(scene, "storage")
    assert caught.value.hint == "sleepwake recall storage"


def test_addresses_are_addresses(scene):
    """Every address of every event has the form of one."""
    spoken(scene, 4)
    said = [each for event in read(scene, "auth").events for one in event.moved for each in one.addresses]
    assert said
    assert all(addressing.parse(one) for one in said)
