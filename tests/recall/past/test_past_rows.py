"""What the memory once held: found again, with the commit that last had it, and nothing that still stands."""

from __future__ import annotations

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st
from scene import SECRET, Scene

from sleep.recall import query
from sleep.recall.index import rows
from sleep.recall.past import past_rows
from sleep.recall.query import Query


def ask(scene, question, **options):
    """Return the answer over all that the memory ever held."""
    return query.answer(scene.place.root, Query(question, whole_past=True, **options), today="2031-01-01")


def commit(scene, *files):
    """Write files (None removes one), commit, and return the commit's id."""
    for path, text in files:
        if text is None:
            (scene.home / path).unlink()
        else:
            scene.write(path, text)
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=x")
    return scene.head()


def only(answer):
    """Return the one passage of an answer, as values."""
    (found,) = answer.plain()["passages"]
    return found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "journal/instance-1.md",
            "---\ninstance: 1\ntag: abc\n---\n# J\n\n- The zeppelin is green [i1abc.1]\n- Oak [i1abc.2]\n",
        ),
        ("journal/instance-1.md", "# J\n\n## Decision: the zeppelin is green [i1abc.1]\n\n- why: it flies\n"),
        ("memory/warm/air.md", "# air\n\n## Notes\n\n- The zeppelin is green [i1abc.1]\n"),
        ("memory/core/1.user.md", "# User\n\nShe owns a zeppelin, a green one.\n"),
        ("memory/knowledge/air.md", "# Air\n\n- the zeppelin\n"),
    ],
)
def test_a_document_that_is_gone(scene, path, text):
    """A journal, a tier or a page that was deleted is found, with the commit that had it and the one that took it."""
    last = commit(scene, (path, text))
    by = commit(scene, (path, None))
    commit(scene, ("main.md", "# other\n"))
    found = only(ask(scene, "zeppelin"))
    assert found["path"] == path
    assert (found["gone"]["last"], found["gone"]["by"]) == (last, by)
    assert found["tier"] == (rows.tier_of(path) or "page")
    said = ask(scene, "zeppelin").text
    assert f"(commit {by[:7]}); last in {last[:7]}:{path}" in said
    assert "zeppelin" in scene.git("show", f"{last}:{path}")
    plain = query.answer(scene.place.root, Query("zeppelin"), today="2031-01-01")
    assert not plain.result.passages


def test_an_earlier_form_of_a_line(scene):
    """A line that a person changed is found as it was, beside what it is now; once, by its last form."""
    form = "# air\n\n## Notes\n\n- The zeppelin costs {} crowns [i1abc.1]\n- The pier is old [i1abc.2]\n"
    commit(scene, ("memory/warm/air.md", form.format(10)))
    commit(scene, ("memory/warm/air.md", form.format(20)))
    commit(scene, ("memory/warm/air.md", form.format(10)))
    last = scene.head()
    commit(scene, ("memory/warm/air.md", form.format(30)))
    found = {one["lines"][0]: one.get("gone") for one in ask(scene, "zeppelin costs crowns").plain()["passages"]}
    costs = {text.partition(" crowns")[0][-2:]: gone for text, gone in found.items() if "zeppelin" in text}
    assert costs.keys() == {"10", "20", "30"}
    assert costs["30"] is None
    assert costs["10"]["last"] == last
    assert "pier" not in "".join(text for text, gone in found.items() if gone)


def test_what_still_stands_is_not_gone(scene):
    """What sleeps moved, marked or shortened, and what stands in a journal, is nowhere called gone."""
    scene.lived(5)
    scene.git("mv", "memory/warm", "memory/cold") if not (scene.home / "memory/cold").exists() else None
    for question in ("engine", "Who owns part", "parser reads src twice", "calm", "faster"):
        assert not ask(scene, question, budget="9000").gone


def test_a_journal_that_is_gone_speaks_for_its_tiers(scene):
    """Of a journal that was deleted, an entry is found in its fullest form once, whatever tiers said of it before."""
    scene.lived(4)
    scene.git("rm", "--quiet", "--", "journal/instance-1.md")
    commit(scene)
    found = [one for one in ask(scene, "parser of part 1").plain()["passages"] if "src/part1.py" in str(one["lines"])]
    assert [one["path"] for one in found if "gone" in one] == ["journal/instance-1.md"]


def test_tiers_limit_what_is_gone_too(scene):
    """Asked for a tier alone, what is gone from that tier is found and nothing else."""
    commit(
        scene,
        ("memory/warm/air.md", "# a\n\n## Notes\n\n- A green zeppelin [i1abc.1]\n"),
        ("memory/core/9.x.md", "zeppelin\n"),
    )
    commit(scene, ("memory/warm/air.md", None), ("memory/core/9.x.md", None))
    assert only(ask(scene, "zeppelin", tier=("warm",)))["path"] == "memory/warm/air.md"
    assert not ask(scene, "zeppelin", tier=("hot",)).result.passages


def test_a_secret_that_was_taken_out_stays_out(scene):
    """A secret that history still has is not shown again."""
    commit(scene, ("memory/core/1.user.md", f"The zeppelin opens with {SECRET} today.\n"))
    commit(scene, ("memory/core/1.user.md", None))
    answer = ask(scene, "zeppelin")
    assert "zeppelin opens" in answer.text
    assert SECRET not in answer.text + str(answer.plain())


def test_without_history(tmp_path):
    """On a branch without commits there is nothing that is gone."""
    scene = Scene(tmp_path / "project", commit=False)
    assert not ask(scene, "zeppelin").result.passages


_LINES = st.lists(
    st.sampled_from(
        ["- a [i1abc.1]", "- b", "  - c", "", "# H", "## D: x [i1abc.2]", "text", "```", "# in code", "1. n"]
    ),
    max_size=14,
)


@settings(max_examples=share(150))
@given(_LINES, st.sets(st.sampled_from(["- b", "text", "  - c", "- a [i1abc.1]"])))
def test_what_is_reduced_keeps_every_wanted_line(written, wanted):
    """Cutting a text down to the blocks with certain lines loses none of these, and no line changes."""
    text = "\n".join(written)
    reduced = past_rows._reduced(text, frozenset(wanted)).split("\n")
    for line in set(written) & wanted:
        assert reduced.count(line) >= 1
    assert set(reduced) <= {*written, ""}


def test_what_a_merge_left_out(scene):
    """What a merge left out, of a branch that it took nothing of, is found with the commit that brought it."""
    scene.git("checkout", "--quiet", "-b", "side")
    last = commit(scene, ("memory/knowledge/air.md", "# Air\n\n- the zeppelin\n"))
    scene.git("checkout", "--quiet", "main")
    commit(scene, ("main.md", "# other\n"))
    scene.git("merge", "--quiet", "--strategy=ours", "--no-edit", "side")
    commit(scene, ("main.md", "# another\n"))
    found = only(ask(scene, "zeppelin"))
    assert found["gone"] == {"path": "memory/knowledge/air.md", "last": last, "by": "", "since": ""}
    assert f"left out in a merge, or not committed yet); last in {last[:7]}:" in ask(scene, "zeppelin").text


def test_what_two_branches_said_is_not_gone(scene):
    """What a merge brought together stands, whichever branch it came from."""
    form = "# air\n\n## Notes\n\n{}- one [i1abc.1]\n- two [i1abc.2]\n- three [i1abc.3]\n{}"
    commit(scene, ("memory/warm/air.md", form.format("", "")))
    scene.git("checkout", "--quiet", "-b", "side")
    commit(scene, ("memory/warm/air.md", form.format("- a zeppelin [i2abc.1]\n", "")))
    scene.git("checkout", "--quiet", "main")
    commit(scene, ("memory/warm/air.md", form.format("", "- a balloon [i3abc.1]\n")))
    scene.git("merge", "--quiet", "--no-edit", "side")
    for word in ("zeppelin", "balloon", "two"):
        answer = ask(scene, word)
        assert answer.result.passages
        assert not answer.gone


def test_what_is_gone_but_not_committed(scene):
    """A page that was deleted on disk alone is found in the commit that has it."""
    last = commit(scene, ("memory/knowledge/air.md", "# Air\n\n- the zeppelin\n"))
    (scene.home / "memory/knowledge/air.md").unlink()
    assert only(ask(scene, "zeppelin"))["gone"]["last"] == last


def test_a_shallow_clone_says_so(scene, tmp_path):
    """Where older history is not there, an answer that nothing fits says so."""
    commit(scene, ("memory/knowledge/air.md", "the zeppelin\n"))
    commit(scene, ("memory/knowledge/air.md", None))
    commit(scene, ("main.md", "# other\n"))
    scene.git("clone", "--quiet", "--depth=1", scene.top.as_uri(), str(tmp_path / "shallow"))
    answer = ask(Scene.copied(tmp_path / "shallow"), "zeppelin")
    assert not answer.result.passages
    assert "git fetch --unshallow" in answer.text
