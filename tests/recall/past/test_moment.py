"""The names of moments, and the commits that they mean."""

from __future__ import annotations

import os

import pytest
from scene import Scene, git

from sleep.errors import UsageError
from sleep.memory import place
from sleep.recall.past import moment
from sleep.store import history
from sleep.upkeep import setup

TODAY = "2026-06-15"


def dated(day):
    """Return the environment in which git commits at noon of a day."""
    return {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}


def commit(scene, day, path, text):
    """Commit a text on a day and return the commit's id."""
    scene.write(path, text)
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=x", env=os.environ | dated(day))
    return scene.head()


@pytest.fixture(scope="module", params=["", "notes/agent"])
def months(request, tmp_path_factory, own):
    """Return a memory that began on 10 January 2026, with a commit in each of January to June, and their ids."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in dated("2026-01-10").items():
            patch.setenv(name, value)
        scene = Scene(tmp_path_factory.mktemp("months") / "project", request.param)
    made = {month: commit(scene, f"2026-{month:02}-20", "memory/hot/context.md", f"{month}\n") for month in range(1, 7)}
    return scene, made


@pytest.mark.parametrize(
    ("name", "month"),
    [
        ("2026-03-20", 3),
        ("2026-03-19", 2),
        ("2026-03-20T12:00", 3),
        ("2026-03-20 11:59", 2),
        ("2026-03", 3),
        ("March 2026", 3),
        ("march", 3),
        ("in March", 3),
        ("20 March", 3),
        ("1 April 2026", 3),
        ("last month", 4),
        ("3 weeks ago", 5),
        ("last week", 5),
        ("HEAD~1", 5),
        ("main~3", 3),
    ],
)
def test_a_day_means_its_end(months, name, month):
    """A day, a month, words for them and git's own names lead to the last commit that there was by then."""
    scene, made = months
    found = moment.find(scene.place.root, name, TODAY)
    assert found.sha == made[month]
    assert found.when.startswith(f"2026-{month:02}-20")
    assert f"commit {made[month][:7]}, 20 " in found.label


@pytest.mark.parametrize("name", ["now", "today", "2026-06-15", "2026-07-01", "2031", "Today", "tomorrow"])
def test_what_has_not_been_is_now(months, name):
    """Today and the future are answered from what is there, and it is said that they are."""
    found = moment.find(months[0].place.root, name, TODAY)
    assert found.sha == ""
    assert found.label.startswith("as of now")
    assert ("not over" in found.label) == name.startswith(("2026-07", "2031"))


@pytest.mark.parametrize("name", ["2025-12-31", "2025", "December 2025", "2026-01-09", "6 months ago"])
def test_before_the_memory_began(months, name):
    """A day before the first commit is refused, with the day on which the memory began."""
    with pytest.raises(UsageError, match=r"no memory yet.*10 January 2026"):
        moment.find(months[0].place.root, name, TODAY)


def test_before_the_memory_began_in_a_repository_that_was_there(tmp_path):
    """A commit of the code from before the memory is refused as well."""
    scene = Scene(tmp_path / "project")
    with pytest.raises(UsageError, match="no memory yet: HEAD~1 is before commit"):
        moment.find(scene.place.root, "HEAD~1", TODAY)


@pytest.mark.parametrize(
    "name",
    [
        *("", "--help", "nothing", "2026-02-31", "2026-13", "HEAD~99", "-1", "a b", "cycle x"),
        *("2026-05-01T24:00", "2026-05-01T10:60", "2026-W10", "99999-01-01", "release-march", "march of the penguins"),
    ],
)
def test_no_such_moment(months, name):
    """What names no moment is refused, with what would be right."""
    with pytest.raises(UsageError, match="no moment is called"):
        moment.find(months[0].place.root, name, TODAY)


@pytest.mark.parametrize("name", ["HEAD", "2026-03-01", "yesterday"])
def test_before_the_first_commit(tmp_path, name):
    """In a repository without a commit it is said that there is none, whatever moment is named."""
    git(tmp_path, "init", "--quiet", "project")
    root, _ = setup.init(str(tmp_path / "project"))
    with pytest.raises(UsageError, match="nothing of this memory was committed yet"):
        moment.find(place.find(root).root, name, TODAY)


def test_what_was_merged_later_was_not_known_before(tmp_path):
    """A day is asked of the branch that is checked out: a commit of another branch counts from its merge on."""
    scene = Scene(tmp_path / "project")
    first = commit(scene, "2027-02-01", "memory/hot/context.md", "main\n")
    scene.git("checkout", "--quiet", "-b", "side")
    commit(scene, "2027-03-01", "memory/warm/side.md", "side\n")
    scene.git("checkout", "--quiet", "main")
    commit(scene, "2027-04-01", "memory/warm/other.md", "other\n")
    scene.git("merge", "--quiet", "--no-edit", "side", env=os.environ | dated("2027-04-02"))
    assert moment.find(scene.place.root, "2027-03-15", "2027-06-15").sha == first


@pytest.fixture(scope="module")
def slept(tmp_path_factory, own):
    """Return a memory of three cycles, and what HEAD was after each."""
    scene = Scene(tmp_path_factory.mktemp("slept") / "project")
    heads = {}
    for number in (1, 2, 3):
        scene.cycle(number)
        heads[number] = scene.head()
    return scene, heads


@pytest.mark.parametrize("name", ["cycle 2", "c2", "Cycle-2", "instance 2", "i2"])
def test_a_cycle_and_an_instance_mean_their_last_commit(slept, name):
    """A cycle is known by the trailers of its commits; an instance by the cycle that slept on it."""
    scene, heads = slept
    assert moment.find(scene.place.root, name, TODAY).sha == heads[2]


def test_an_instance_by_its_tag(slept):
    """An instance is found by number and tag; another tag is another instance."""
    scene, heads = slept
    own = str(scene.view.cycles[2].instance)
    assert moment.find(scene.place.root, own, TODAY).sha == heads[3]
    with pytest.raises(UsageError, match="nothing of i3"):
        moment.find(scene.place.root, f"i3{'abc' if own != 'i3abc' else 'abd'}", TODAY)


def test_no_such_cycle(slept):
    """A cycle that never ran is refused, with those that did."""
    with pytest.raises(UsageError, match=r"no cycle 9 \(cycles 1 to 3 are known\)"):
        moment.find(slept[0].place.root, "cycle 9", TODAY)


def test_a_cycle_without_trailers(slept, tmp_path):
    """After a squash merge, which loses trailers, the table of cycles tells in which commit a cycle came."""
    scene, heads = slept
    scene.git("clone", "--quiet", str(scene.top), str(tmp_path / "squashed"))
    copy = Scene.copied(tmp_path / "squashed")
    first = copy.git("rev-parse", f"{heads[1]}").strip()
    tree = copy.git("rev-parse", f"{heads[3]}^{{tree}}").strip()
    squashed = copy.git("commit-tree", tree, "-p", first, "-m", "squashed").strip()
    copy.git("reset", "--quiet", "--hard", squashed)
    for name in ("cycle 2", "cycle 3"):
        assert moment.find(copy.place.root, name, TODAY).sha == squashed
    assert moment.find(copy.place.root, "cycle 1", TODAY).sha == heads[1]


def test_an_instance_that_was_not_slept_on(tmp_path):
    """An instance that no cycle knows means the last commit of its journal; an uncommitted one means nothing."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("note", "hello")
    with pytest.raises(UsageError, match="nothing of instance 1 was ever committed"):
        moment.find(scene.place.root, "instance 1", TODAY)
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=journal")
    assert moment.find(scene.place.root, "i1", TODAY).sha == scene.head()


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03", "2026-03-01"),
        ("2026", "2026-01-01"),
        ("March", "2026-03-01"),
        ("November", "2025-11-01"),
        ("last week", "2026-06-08"),
        ("yesterday", "2026-06-14"),
        ("in March, 2026", "2026-03-01"),
        ("Mar. 3rd", "2026-03-03"),
        ("a couple of weeks ago", "2026-06-01"),
    ],
)
def test_since(name, day):
    """The first day that a name means, without a year in the last one in which it has been."""
    assert moment.day(name, TODAY) == day


@pytest.mark.parametrize("name", ["", "soon", "2026-02-31", "cycle 3", "2026-W10", "v2026 beta", "may be later"])
def test_no_such_day(name):
    """What is no day is refused."""
    with pytest.raises(UsageError, match="is no day"):
        moment.day(name, TODAY)


def test_latest(months):
    """The last commit of a moment is told to the second."""
    scene, made = months
    root = scene.place.root
    noon = 1_774_008_000  # 2026-03-20T12:00:00Z
    assert history.latest(root, until=noon) == (made[3], "2026-03-20T12:00:00+00:00")
    assert history.latest(root, until=noon - 1)[0] == made[2]
    assert history.latest(root, until=0) is None
    assert history.latest(root, "--all") is None
