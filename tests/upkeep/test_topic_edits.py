"""Topics as a person wants them: one commit, and later cycles respect it."""

from __future__ import annotations

import pytest
from scene import SECRET

from sleep.cycle import topics
from sleep.documents import edits, main_page, paths
from sleep.errors import SecretError, UsageError
from sleep.history import topic_log
from sleep.memory import place
from sleep.records import topic_changes
from sleep.upkeep import topic_edits

NOW = "2026-11-23T10:00:00Z"


def live(scene, topic, count, first=1):
    """Live instances that decide something of a topic."""
    for number in range(first, first + count):
        scene.open()
        scene.add("decision", f"Use engine {number} for part {number}", why="it is faster", topic=topic)
        scene.sleep()


def grown(scene, topic, count):
    """Live that many instances on a new memory, which tests share up to each of them."""
    if count > 1:
        scene.grow(grown, topic, count - 1)
    live(scene, topic, 1, count)


def two_topics(scene):
    """Live three instances that decide something of `auth`, and three of `dns`."""
    scene.grow(grown, "auth", 3)
    live(scene, "dns", 3, 4)


def homes(scene):
    """Return the topic of each text in warm and cold memory."""
    placed = scene.view.placed(paths.WARM, paths.COLD)
    return {fragment.text: topics.base(paths.topic_of(path)) for path, fragment in placed}


def rename(scene, old, new, **options):
    """Rename a topic."""
    return topic_edits.make(scene.place, topic_edits.rename(scene.view, old, new), NOW, **options)


def commits(scene):
    """Return how many commits there are."""
    return len(scene.git("log", "--format=%H").split())


def test_a_rename_is_one_commit_and_holds(scene):
    """All of a topic goes under its new name in one commit, and what comes under the old one later goes there too."""
    scene.grow(grown, "build-auth-an", 5)
    before, count = homes(scene), commits(scene)
    done = rename(scene, "build-auth-an", "Auth")
    assert commits(scene) == count + 1
    assert done.moved == len(before) == 3
    assert set(homes(scene)) == set(before)
    assert set(homes(scene).values()) == {"auth"}
    live(scene, "build-auth-an", 3, 6)
    assert set(homes(scene).values()) == {"auth"}
    assert scene.text(edits.PATH) is None  # it is no edit of what was said


def test_the_map_of_the_main_page_names_it(scene):
    """The main page says at once what a topic is called now, and a page without a map gets none."""
    scene.grow(grown, "build-auth-an", 5)
    assert "- warm topics: build-auth-an" in scene.text(paths.MAIN)
    rename(scene, "build-auth-an", "Auth")
    assert "- warm topics: auth" in scene.text(paths.MAIN)
    assert "build-auth-an" not in main_page.section(scene.text(paths.MAIN), main_page.MAP)
    scene.write(paths.MAIN, "# Ours\n")
    done = rename(scene, "auth", "login")
    assert paths.MAIN not in done.files
    assert scene.text(paths.MAIN) == "# Ours\n"


def test_a_dry_run_changes_nothing(scene):
    """What would move is told, and no file and no commit is made."""
    scene.grow(grown, "auth", 4)
    count = commits(scene)
    done = rename(scene, "auth", "login", dry_run=True)
    assert (done.moved, done.commit, commits(scene)) == (2, "", count)
    assert topic_changes.PATH in done.files
    assert scene.text(topic_changes.PATH) is None


def test_merged_topics_are_one(scene):
    """Several topics become one, new or one of them, and are never opened again by themselves."""
    scene.grow(grown, "dns", 3)
    live(scene, "hosts", 3, 4)
    live(scene, "x", 2, 7)
    change = topic_edits.merge(scene.view, ["dns", "hosts"], "networking")
    topic_edits.make(scene.place, change, NOW)
    live(scene, "dns", 3, 9)
    assert {name for text, name in homes(scene).items()} == {"networking", "x"}


def test_a_split_holds_for_what_comes(scene):
    """What says a word leaves for a topic of its own, and so does what comes later and says it."""
    scene.grow(grown, "auth", 6)
    change = topic_edits.split(scene.view, "auth", "engines", ["engine 2", "engine 7"], [])
    topic_edits.make(scene.place, change, NOW)
    assert [text for text, name in homes(scene).items() if name == "engines"] == ["Use engine 2 for part 2"]
    live(scene, "auth", 4, 7)
    assert {text[11] for text, name in homes(scene).items() if name == "engines"} == {"2", "7"}


def test_it_is_respected_after_a_rebuild(scene):
    """A cycle before the change is undone: the memory made again has its topics as the person wanted them."""
    scene.grow(grown, "dns", 6)
    rename(scene, "dns", "networking")
    live(scene, "dns", 2, 7)
    page, before = scene.text(topic_changes.PATH), homes(scene)
    scene.undo(2)
    assert set(homes(scene).values()) == {"networking"}
    assert scene.text(topic_changes.PATH) == page
    assert set(before) - set(homes(scene)) == {"Use engine 2 for part 2"}
    live(scene, "dns", 1, 9)
    assert set(homes(scene).values()) == {"networking"}


def test_the_last_cycle_is_undone_as_before(scene):
    """Undoing a cycle after the change gives the files back as they stood behind the change."""
    scene.grow(grown, "dns", 5)
    rename(scene, "dns", "networking")
    before = {path: scene.text(path) for path in scene.view.files(paths.WARM)}
    live(scene, "dns", 1, 6)
    scene.undo()
    assert {path: scene.text(path) for path in scene.view.files(paths.WARM)} == before


def test_a_clone_respects_it(scene, tmp_path):
    """The page is a tracked file: another machine's sleeps follow it."""
    scene.grow(grown, "dns", 4)
    rename(scene, "dns", "networking")
    clone = tmp_path / "clone"
    scene.git("clone", "--quiet", ".", str(clone))
    where = place.find(str(clone), str(clone))
    assert topic_changes.read((clone / topic_changes.PATH).read_text(encoding="utf-8")).home("dns") == "networking"
    assert where.settings == scene.place.settings


def test_history_finds_both_names(scene):
    """The log of the old name says what it is now, and that of the new one goes back behind the change."""
    scene.grow(grown, "dns", 4)
    rename(scene, "dns", "networking")
    assert topic_log.read(scene.place, "dns").became == "networking"
    new = topic_log.read(scene.place, "networking")
    assert {event.topic for event in new.events} == {"dns", "networking"}
    assert new.became == ""


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda view: topic_edits.rename(view, "nothing", "x"), "no topic"),
        (lambda view: topic_edits.rename(view, "auth", "dns"), "already"),
        (lambda view: topic_edits.rename(view, "auth", "..."), "letters"),
        (lambda view: topic_edits.rename(view, "auth", "general"), "no topic"),
        (lambda view: topic_edits.merge(view, ["auth"], "auth"), "name the topics"),
        (lambda view: topic_edits.split(view, "auth", "auth", ["x"], []), "into itself"),
        (lambda view: topic_edits.split(view, "auth", "y", ["nobody says this"], []), "no fragment"),
        (lambda view: topic_edits.split(view, "auth", "y", ["engine"], []), "all of auth"),
        (lambda view: topic_edits.split(view, "auth", "y", [], ["i9zzz.1"]), "no fragment of auth"),
    ],
)
def test_what_makes_no_sense_is_refused(scene, ask, says):
    """Each refusal says what is wrong, and nothing is written."""
    scene.grow(two_topics)
    with pytest.raises(UsageError, match=says):
        ask(scene.view)


def test_an_old_name_is_told_what_it_is_now(scene):
    """Whoever asks for a name that is gone is told the topic's name of today."""
    scene.grow(grown, "dns", 3)
    rename(scene, "dns", "networking")
    with pytest.raises(UsageError, match="it is networking now"):
        topic_edits.rename(scene.view, "dns", "x")
    (topic,) = topic_edits.known(scene.view)
    assert (topic.topic, topic.fragments, topic.is_chosen) == ("networking", 1, True)


@pytest.mark.parametrize("words", [f"talk {SECRET}", "db password: Wd83kfLq2z", "/ho" + "me/ana/work/app"])
def test_a_name_with_a_secret_is_refused(scene, words):
    """No name of a topic, and no word by which fragments go, brings a secret into a commit in small letters."""
    scene.grow(grown, "auth", 3)
    before = scene.git("rev-parse", "HEAD")
    with pytest.raises(SecretError) as refused:
        rename(scene, "auth", words)
    assert words not in str(refused.value)
    for asked in (("other", [words]), (words, ["engine"])):
        with pytest.raises(SecretError):
            topic_edits.split(scene.view, "auth", *asked, [])
    with pytest.raises(SecretError):
        topic_edits.merge(scene.view, ["auth"], words)
    assert scene.git("rev-parse", "HEAD") == before
