"""What a session that starts in one of several repositories is told."""

from __future__ import annotations

import os
import re

import pytest
from scene import Memory, repository
from several import live, monorepo

from sleep.debt import book, sessions
from sleep.documents import journal, paths
from sleep.documents.journal import Draft
from sleep.records.address import InstanceId
from sleep.settings import Settings
from sleep.store.context import Context
from sleep.wake.snapshot import build


def _session(what, plan, *, rule=""):
    drafts = [("decision", f"Use {what}", {"why": "it is small"}), ("task", f"Test {what}", {})]
    drafts += [("constraint", rule, {})] if rule else []
    return (*drafts, ("handoff", f"{what} works", {"next priority": plan})) if plan else tuple(drafts)


@pytest.fixture
def memory():
    """Return a memory in which sessions worked in two repositories in turn, and one in none."""
    made = Memory()
    live(made, ("constraint", "Never push on a Friday", {}))
    live(made, *_session("sqlite", "Write the OPML import", rule="Keep feeds for a year"), project="Feedbox")
    live(made, *_session("Hugo", "Choose a theme"), project="blog")
    return made


@pytest.fixture
def told(tmp_path):
    """Return what is told of a memory to a session in a repository of a name, "" for the memory's own."""

    def _told(memory, name, make=build.snapshot, projects="", **options):
        texts = {"memory/sleep.yaml": "format: 2\n", **memory.texts}
        for path, text in texts.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        for folder in (tmp_path, tmp_path / name):
            if not (folder / ".git").exists():
                repository(folder)
        context = Context(str(tmp_path), os.path.join(tmp_path, "memory"))
        return make(context, Settings(projects=projects), 9_500, folder=str(tmp_path / name), **options).text

    return _told


def _wait(memory, *drafts, **fields):
    """Add a journal on which nobody sleeps."""
    memory.last += 1
    instance = InstanceId(memory.last, "abc")
    text = journal.start(instance, {"format": 2, "started": "2026-11-21T10:00:00Z", **fields})
    for kind, title, own in drafts:
        text, _ = journal.append(text, Draft(kind, title, "", tuple(own.items())), instance)
    memory.texts[paths.journal(memory.last)] = text


def test_a_session_is_told_its_own_project_and_the_others_in_a_line(memory, told):
    """A session is told the handoff and records of its repository, then what is of none, and of others what is next."""
    text = told(memory, "feedbox")
    assert "## Handoff\n\n- next_priority: Write the OPML import\n" in text
    assert "\n- Keep feeds for a year [i2abc.3]\n- Never push on a Friday [i1abc.1]\n" in text
    assert "Use sqlite" in text
    assert "Hugo" not in text
    assert "## Other Projects\n\n- blog: next: Choose a theme [i3abc.3]\n- `sleepwake wake --project NAME`" in text


def test_the_main_pages_handoff_is_told_to_its_project(memory, told):
    """In the repository of the last session its handoff on the main page is told, with what a sleep derived."""
    text = told(memory, "blog")
    assert "- next_priority: Choose a theme [i3abc.3]\n" in text
    assert "- updated: 2026-11-21T10:00:00Z in blog by instance i3abc\n" in text
    assert "sqlite" not in text
    assert "- feedbox: next: Write the OPML import\n" in text


def test_a_journal_that_waits_counts_for_its_project_alone(memory, told):
    """A handoff on which nobody has slept heads the sessions of its own repository, and of no other."""
    _wait(memory, *_session("Fly", "Move the DNS entry"), project="blog")
    assert "- next_priority: Move the DNS entry\n" in told(memory, "blog")
    feedbox = told(memory, "feedbox")
    assert "- next_priority: Write the OPML import\n" in feedbox
    assert "- blog: next: Move the DNS entry\n" in feedbox
    assert "Fly" not in feedbox


def test_what_a_session_of_another_project_said_last_is_not_told(memory, told, tmp_path):
    """The sleep state counts all sessions, and tells what those of the same project, and of none, said last."""
    told(memory, "feedbox")
    repository(tmp_path / "blog")
    context = Context(str(tmp_path), os.path.join(tmp_path, "memory"))
    for name in ("feedbox", "blog", ""):
        seen = sessions.Sighting(f"s-{name}", "claude", "", str(tmp_path / name))
        book.record_stop(context, Settings(), seen, f"I worked in {name or 'the home'}.", 0.0)
    text = told(memory, "feedbox")
    assert "- Sessions to consolidate: 3\n" in text
    assert re.findall(r"I worked in .+\.", text) == ["I worked in the home.", "I worked in feedbox."]


def test_the_first_session_of_a_repository_is_handed_no_plan_of_another(memory, told):
    """A repository in which nobody has worked yet begins without a handoff and without another's records."""
    text = told(memory, "infra")
    assert "## Handoff" not in text
    assert "Never push on a Friday" in text
    assert "Use Hugo" not in text
    assert "- blog: next: Choose a theme" in text


def test_a_session_in_none_is_told_whose_each_record_is(memory, told):
    """In the memory's own repository all is told, each record with its project, and what is next in each."""
    text = told(memory, "")
    assert "- feedbox: Use sqlite (why: it is small) [i2abc.1]\n" in text
    assert "- Never push on a Friday [i1abc.1]" in text
    assert "## Projects\n\n- blog: next: Choose a theme [i3abc.3]\n- feedbox: next: Write the OPML import\n" in text
    _wait(memory, *_session("Fly", "Move the DNS entry"), project="blog")
    assert "## Handoff\n\n- project: blog\n- next_priority: Move the DNS entry\n" in told(memory, "")


def test_topics_say_whose_a_record_is_too(told):
    """In a memory whose topics name projects each record has that of its topic."""
    text = told(monorepo(), "")
    assert "api: The audit certificate is expired [i5abc.2]" in text
    assert "## Projects\n\n- api: next: Log each audit\n- web: next: Draw page 4 [i6abc.2]\n" in text


def test_a_sub_agent_is_told_the_project_it_works_in(memory, told):
    """The briefing has the records of the repository that the sub-agent works in, and names the others."""
    text = told(memory, "feedbox", build.briefing)
    assert "- Rule: Keep feeds for a year [i2abc.3]\n- Rule: Never push on a Friday [i1abc.1]\n" in text
    assert "Hugo" not in text
    assert "- blog: next: Choose a theme" in text


def test_one_repository_is_told_as_if_it_had_no_name(memory, told):
    """Where all sessions worked in one repository, a session in it is told what it was told before."""
    single = Memory()
    named = Memory()
    for number, made in enumerate((single, named)):
        live(made, *_session("sqlite", "Write the import"), **({"project": "feedbox"} if number else {}))
    assert told(named, "feedbox") == told(single, "feedbox")
    assert "Other Projects" not in told(named, "")


def test_a_setting_says_which_are_projects(memory, told):
    """With the setting `off` a session is told all together, and with a list only the projects in it are told apart."""
    together = told(memory, "feedbox", projects="off")
    assert "Other Projects" not in together
    assert "\n- Use Hugo (why: it is small)" in together
    listed = told(memory, "feedbox", projects="Blog")
    assert "- blog: Use Hugo" in listed
    assert "\n- Use sqlite" in listed
