"""The documentation against the program that it describes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dev import reference, tracked, transcript
from sleep import settings
from sleep.language import tokens

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
COMMANDS = [
    "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/sleepwake demo",
    "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/pytest -q",
]


def name(page):
    """Return a page's path below the repository, with `/`."""
    return page.relative_to(ROOT).as_posix()


def text(path):
    """Return a page's text."""
    return (ROOT / path).read_text(encoding="utf-8")


def headings(path, level):
    """Return the words of a page's headings of one level."""
    return re.findall(rf"(?m)^{'#' * level} (.+)$", text(path))


def test_every_relative_link_leads_somewhere():
    """Each relative link of the documentation leads to a file or folder, and to a heading where it names one."""
    linked = {name(page): page.read_text(encoding="utf-8") for page in PAGES}
    assert tracked.dead_links(linked, _Disk()) == []


class _Disk:
    def __contains__(self, path):
        return (ROOT / path).exists()


@pytest.mark.parametrize("family", reference.families(), ids=lambda family: family.anchor)
def test_every_error_family_has_its_section(family):
    """The anchor that an error points to is a heading of recovery.md, and the section says its exit code."""
    assert family.anchor in headings("docs/recovery.md", 2)
    section = text("docs/recovery.md").split(f"\n## {family.anchor}\n")[1].split("\n## ")[0]
    assert f"*Exit code {family.exit_code}.*" in section
    assert "What to do" in section


def test_every_task_is_described():
    """Each task has a heading in tasks.md with the word that runs it."""
    described = {title.partition(" ")[2] for title in headings("docs/tasks.md", 3)}
    assert described == set(reference.names())


def test_every_setting_is_described():
    """Each setting stands in configuration.md under its name in the environment."""
    page = text("docs/configuration.md")
    assert [one for one in settings.Settings._fields if f"`SLEEP_{one.upper()}`" not in page] == []


def test_no_page_shows_an_example_twice():
    """A block of code stands once on its page."""
    for page in PAGES:
        blocks = re.findall(r"(?ms)^```[^\n]*\n.*?^```$", page.read_text(encoding="utf-8"))
        assert page.name == "tasks.md" or [block for block in blocks if blocks.count(block) > 1] == [], name(page)


def test_the_first_example_of_a_section_is_of_the_command_in_its_heading():
    """Where a heading of history.md names a command or option, the first transcript below it runs that one."""
    for section in re.split(r"(?m)^## ", text("docs/history.md"))[1:]:
        title = re.search(r"`(.+)`\n", section.partition("\n")[0] + "\n")
        example = re.search(r"(?m)^\$ (.+)$", section)
        assert not title or not example or title[1] in example[1]


def test_a_release_has_each_section_of_its_changes_once():
    """A release in the changelog has sections of Keep a Changelog, each once, in that order."""
    releases = re.split(r"(?m)^## ", text("CHANGELOG.md"))[1:]
    for release in releases:
        sections = re.findall(r"(?m)^### (.+)$", release)
        assert sections == [one for one in SECTIONS if one in sections]


def test_the_readme_gives_exactly_two_commands_for_set_up():
    """Two lines of the README set a fresh clone up, one for the main job and one for the tests."""
    assert re.findall(r"(?m)^[ $]*(python3? -m .*)$", text("README.md")) == COMMANDS


def test_the_architecture_page_fits_the_share_that_wake_gives_it():
    """`wake` can load the whole page, with room to spare."""
    assert tokens.count(text("docs/architecture.md")) <= settings.Settings().wake_architecture - 200


def test_a_transcript_is_the_same_whatever_the_ids_of_its_commits(tmp_path):
    """Commit ids, tags and times of a session are replaced, and the shell's folder is kept from line to line."""
    shell = transcript.Session(tmp_path)
    assert shell.run("git init -q notes && cd notes") == ""
    assert shell.run("basename $(pwd)") == "notes\n"
    first = shell.run("git commit -q --allow-empty -m one && git log --format='%h %H %s'")
    short, long, subject = first.split()
    assert (long[:7], subject) == (short, "one")
    second = shell.run("git commit -q --allow-empty -m two && git log --format='%h %H %s'")
    assert second.splitlines()[1] == first.strip()
    assert shell.run("echo 2027-01-02T03:04:05Z 2027-01-02T03:04:05+01:00") == f"{transcript.NOW} {transcript.NOW}\n"


def test_the_keys_of_facts_are_those_that_are_documented(scene, sleepwake, monkeypatch):
    """Of the commands that programs ask most, configuration.md names the keys that they print, and no others."""
    section = text("docs/configuration.md").partition("\n## Facts for programs")[2]
    rows = [row.split(" | ") for row in section.split("\n") if row.startswith("| ")]
    outside = {row[0].strip("| "): re.sub(r"\([^()]*\)", "", row[1]) for row in rows[2:]}
    documented = {words: set(re.findall(r"`(\w+)`", keys)) for words, keys in outside.items()}
    scene.cycle(1)
    monkeypatch.chdir(scene.home)
    said = {words: json.loads(sleepwake(*words, "--json")[1]) for words in (("status",), ("doctor",), ("sleep",))}
    assert set(said["status",]) == documented["`status`"]
    assert set(said["doctor",]) == documented["`doctor`, `wake.check`"]
    assert set(said["sleep",]) == documented["`sleep`"]
    assert set(json.loads(sleepwake("note", "x", "--json")[1])) == documented["`journal.add`, `note`, `decide`"] - {
        "repeats",
        "closes",
        "near",
    }
    thread = scene.add("thread", "Move the lock").number
    threads, shown = "`thread.list`, `decision.list` and so on", "`thread.show`, `decision.show` and so on"
    talk = scene.home / "talk.json"
    talk.write_text('[{"role": "user", "content": "Use flock."}]')
    for row, *words in (
        ("`wake`", "wake", "--peek"),
        ("`recall`", "recall", "lock"),
        ("`init`", "init"),
        ("`journal.open`", "journal.open"),
        ("`snapshot`", "snapshot"),
        ("`conversation.consolidate`", "conversation.consolidate", str(talk)),
        ("`journal.show`", "journal.show"),
        (threads, "thread.list"),
        (shown, "thread.show", thread),
        ("`thread.pause`, `task.done` and all other moves", "thread.pause", thread, "--reason", "x"),
        ("`trace`", "trace", "D-001"),
        ("`memory.explain` of an entry", "memory.explain", "D-001"),
        ("`sleep.status`", "sleep.status"),
        ("`sleep.history`", "sleep.history"),
        ("`sleep.undo`", "sleep.undo", "--dry-run"),
    ):
        found = json.loads(sleepwake(*words, "--json")[1])
        assert set(found[0] if isinstance(found, list) else found) == documented[row], row
