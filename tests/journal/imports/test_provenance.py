"""Texts of two repositories whose files have the same paths."""

from __future__ import annotations

import pytest
from scene import git, repository, write

from sleep.documents import front_matter, paths
from sleep.journal.imports import importer, provenance, reader
from sleep.journal.imports.provenance import ImportRecord
from sleep.journal.imports.source import Source
from sleep.records.address import InstanceId

LOG = "# 2026-03-0{day}\n\n## Done\n\n- {what} {day} is built\n\n## Next\n\n- Paint {what} {day}\n"


def _take(scene, folder):
    return importer.import_sources(scene.place, scene.now(), reader.gather([str(folder)], scene.place.root))


@pytest.fixture
def logs(tmp_path):
    """Return the folders of the logs of two repositories, `ship` and `tower`."""
    folders = []
    for name in ("ship", "tower"):
        repository(tmp_path / name)
        for day in (1, 2, 3):
            write(tmp_path / name / f"docs/log/2026-03-0{day}.md", LOG.format(day=day, what=name))
        folders.append(tmp_path / name / "docs/log")
    return folders


def test_a_log_of_another_repository_is_no_changed_one(scene, logs):
    """Two repositories may have logs of one path: each is taken in whole, and says which one it is of."""
    first, second = (_take(scene, folder).journals for folder in logs)
    assert [made.adds_to for made in (*first, *second)] == [""] * 6
    fields = [front_matter.peek(scene.text(made.path)).fields for made in (*first, *second)]
    assert [own["imported"]["repository"] for own in fields] == ["ship"] * 3 + ["tower"] * 3
    assert [len(_take(scene, folder).there) for folder in logs] == [3, 3]


def test_registers_say_the_repository(scene, logs):
    """A record in a register names the repository and the path that it was taken in from."""
    for folder in logs:
        _take(scene, folder)
    scene.sleep()
    assert "- Paint ship 3" in scene.text(paths.THREADS)
    assert "  - source: imported: ship/docs/log/2026-03-03.md\n" in scene.text(paths.THREADS)
    assert "  - source: imported: tower/docs/log/2026-03-03.md\n" in scene.text(paths.THREADS)


def test_a_changed_log_of_another_repository_adds_what_is_new(scene, logs):
    """Of a log that has changed in its own repository only what is new is taken in."""
    for folder in logs:
        _take(scene, folder)
    write(logs[0] / "2026-03-01.md", LOG.format(day=1, what="ship") + "- Launch it\n")
    (made,) = _take(scene, logs[0]).journals
    assert made.adds_to == str(scene.view.instance_of("journal/instance-1.md"))
    assert "Launch it" in scene.text(made.path)
    assert "is built" not in scene.text(made.path)


def test_the_memorys_own_repository_has_no_name(scene):
    """A text of the memory's own repository, and one of none, say no repository."""
    write(scene.top / "docs/log/2026-03-01.md", LOG.format(day=1, what="pier"))
    (made,) = _take(scene, scene.top / "docs/log").journals
    assert "repository" not in front_matter.peek(scene.text(made.path)).fields["imported"]


def test_a_clone_in_another_folder_is_the_same_repository(scene, logs):
    """Of a changed log only what is new is taken in, also where its repository was moved to another folder."""
    _take(scene, logs[0])
    moved = logs[0].parents[1].rename(logs[0].parents[2] / "ship-2") / "docs/log"
    write(moved / "2026-03-01.md", LOG.format(day=1, what="ship") + "- Launch it\n")
    (made,) = _take(scene, moved).journals
    assert made.adds_to == str(scene.view.instance_of("journal/instance-1.md"))
    assert "is built" not in scene.text(made.path)


@pytest.mark.parametrize(
    ("url", "name"), [("git@example.com:acme/web.git", "web"), ("https://example.com/acme/web/", "web"), ("", "ship")]
)
def test_a_repository_is_called_as_at_its_origin(scene, logs, url, name):
    """A repository has the name that it has at its origin, in whatever folder, else that of its folder."""
    if url:
        git(logs[0], "remote", "add", "origin", url)
    assert {source.repository for source in reader.gather([str(logs[0])], scene.place.root).sources} == {name}


def test_a_clone_of_the_memorys_own_repository_has_no_name(scene, logs):
    """Another clone of the repository that the memory is in is of the same project."""
    git(scene.top, "remote", "add", "origin", "git@example.com:acme/pier.git")
    git(logs[0], "remote", "add", "origin", "https://example.com/acme/pier")
    assert {source.repository for source in reader.gather([str(logs[0])], scene.place.root).sources} == {""}


def test_a_work_tree_has_the_name_of_its_repository(scene, logs):
    """Logs of a linked work tree are of the repository that it belongs to."""
    top = logs[0].parents[1]
    git(top, "add", "-A")
    git(top, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "logs")
    git(top, "worktree", "add", "-q", str(top.parent / "feature"))
    there = top.parent / "feature" / "docs/log"
    assert {source.repository for source in reader.gather([str(there)], scene.place.root).sources} == {"ship"}


@pytest.mark.parametrize(
    ("repository", "stored", "is_same"),
    [
        ("ship", "- Paint ship 1\n", True),
        ("ship", "- Else\n", True),
        ("tower", "- Paint tower 1\n\n- Paint ship 1\n\n- Else\n", False),
        ("tower", "- Paint ship 1\n\n- Else\n", True),
        ("", "## Next\n\n- Paint ship 1\n", True),
        ("", "## Next\n\n- Paint tower 1\n", False),
    ],
)
def test_an_older_record_is_of_a_file_with_which_it_shares_text(repository, stored, is_same):
    """A record is of the file of its repository; under another name, or none, where half of its text stands there."""
    instance = InstanceId(1, "abc")
    text = f"---\ninstance: 1\ntag: abc\n---\n# Journal: instance 1\n\n{stored}"
    record = ImportRecord("daily", "docs/log/1.md", "", "", "journal/instance-1.md", instance, repository)
    source = Source("1.md", LOG.format(day=1, what="ship"), repository="ship")
    assert provenance.is_of(source, record, text) == is_same
