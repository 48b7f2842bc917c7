"""What the server reads itself: documents by address, and the memory's answer to a question."""

from __future__ import annotations

import os

import pytest

from sleep.documents import journal
from sleep.documents.journal import Draft
from sleep.errors import NoMemoryError, UsageError
from sleep.mcp_server import resources
from sleep.records.address import InstanceId


@pytest.fixture
def where(project, monkeypatch):
    """Return the root of a memory with documents in two tiers, and work inside it."""
    files = {
        "memory/warm/größe und form.md": "# Warm\n\ngrößer\n",
        "memory/cold/auth.md": "# Auth\n\n## Notes\n\n- We use tokens because cookies were refused. [i1abc.1]\n",
        "memory/cold/notes.txt": "no document\n",
        "memory/knowledge/other.md": "no tier\n",
    }
    for path, text in files.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")
    monkeypatch.chdir(project)
    return resources.root("")


def test_the_main_page_and_the_tiers_have_addresses(where, project):
    """Listed are the main page and each tier's documents, and every address that is listed can be read."""
    listed = {one["name"]: one for one in resources.resources(where)}
    assert "main.md" in listed
    assert {"memory/warm/größe und form.md", "memory/cold/auth.md"} <= set(listed)
    assert not {"memory/cold/notes.txt", "memory/knowledge/other.md", "memory/sleep.yaml"} & set(listed)
    for name, one in listed.items():
        assert one["uri"].isascii()
        assert " " not in one["uri"]
        text = resources.document(where, one["uri"])
        assert text == (project / name).read_text(encoding="utf-8")
        assert one["size"] == len(text.encode())
    told = {name: (listed[name]["title"], listed[name]["description"]) for name in ("main.md", "memory/cold/auth.md")}
    assert told == {
        "main.md": ("main page", "purpose, handoff, current state and map"),
        "memory/cold/auth.md": ("cold: auth", "cold: the oldest knowledge, by topic, at its shortest"),
    }


def test_the_memory_that_the_environment_names(where, tmp_path, monkeypatch):
    """Outside of a memory, that of SLEEP_ROOT is served; one that is named comes before it."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("SLEEP_ROOT", where.path)
    assert resources.root("") == where
    with pytest.raises(NoMemoryError):
        resources.root(str(tmp_path / "elsewhere"))


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "sleep://",
        "sleep://memory/cold/",
        "sleep://memory/cold/no-such.md",
        "sleep://memory/sleep.yaml",
        "sleep://memory/knowledge/other.md",
        "sleep://memory/cold/../sleep.yaml",
        "sleep://memory/cold/%2e%2e/%2e%2e/.git/config",
        "sleep:///etc/passwd",
        "file:///etc/passwd",
        "memory/cold/auth.md",
        "sleep://memory/cold/auth.md%00",
    ],
)
def test_nothing_else_has_an_address(where, asked):
    """What is not listed cannot be read, however it is spelled."""
    assert resources.document(where, asked) is None


def test_a_link_out_of_the_memory_is_no_document(where, tmp_path):
    """A document that is a link to a file elsewhere is neither listed nor read."""
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    link = where.absolute("memory/warm/link.md")
    try:
        os.symlink(tmp_path / "secret.md", link)
    except OSError:
        pytest.skip("no links here")
    assert "memory/warm/link.md" not in {one["name"] for one in resources.resources(where)}
    assert resources.document(where, "sleep://memory/warm/link.md") is None


def test_recall_answers_with_addresses_or_says_that_nothing_fits(where):
    """A question gets passages with their addresses, a strange one a sentence, and a wrong option an error."""
    assert "i1abc.1" in resources.recall(where, {"question": "why tokens and not cookies"})
    nothing = resources.recall(where, {"question": "Kubernetes operators"})
    assert "Nothing in this memory fits" in nothing
    assert "\never looks in what is gone, too." in nothing
    assert "i1abc.1" in resources.recall(where, {"question": "Kubernetes cookies", "least": True})
    assert "Nothing" in resources.recall(where, {"question": "why tokens and not cookies", "tiers": ["hot"]})
    with pytest.raises(UsageError):
        resources.recall(where, {"question": "why tokens", "since": "the day before never"})


def test_recall_asks_one_of_several_projects(where, project):
    """A call that names a project is answered by that one alone; one that is none is refused."""
    for number, name in enumerate(("feedbox", "blog"), start=1):
        text = journal.start(
            InstanceId(number, "abc"), {"format": 2, "started": "2026-11-21T10:00:00Z", "project": name}
        )
        text, _ = journal.append(
            text, Draft("decision", f"The {name} cache is stored in Redis"), InstanceId(number, "abc")
        )
        (project / f"journal/instance-{number}.md").write_text(text, encoding="utf-8")
    asked = {"question": "where is the cache stored", "project": "blog"}
    assert "blog cache" in resources.recall(where, asked)
    assert "feedbox" not in resources.recall(where, asked)
    with pytest.raises(UsageError, match="no project 'boat'"):
        resources.recall(where, {**asked, "project": "boat"})


def test_without_a_memory_there_is_no_root(tmp_path, monkeypatch):
    """In a folder without a memory the error names the command that makes one."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoMemoryError, match="sleepwake init"):
        resources.root("")
