"""Lines in AGENTS.md and CLAUDE.md: put in once, nothing else touched, and taken out without a trace."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st

from sleep.clients.installation import guidance
from sleep.clients.installation.guidance import BEGIN, BLOCK, END, with_block, without
from sleep.tasks import collection
from tests.clients.installation.test_install import facts, script

assert facts  # fixtures
assert script
LINES = st.lists(
    st.sampled_from(
        ["", "# Title", "words", "```", "ünïcode 漢字", "\ufeff", " ", "\r", "\x85", "\u2028", "<!-- a -->", "\udcff"]
    ),
    max_size=6,
)
PAGES = st.builds(
    lambda bom, lines, newline, end: bom + newline.join(lines) + end,
    st.sampled_from(["", "\ufeff"]),
    LINES,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\r\n", "\n\n"]),
) | st.text(st.characters(exclude_characters="<"), max_size=30)


@settings(max_examples=share(500))
@given(PAGES)
def test_in_and_out_leaves_no_trace(text):
    """Any page has the block once, keeps its every character, and is the same to the byte when the block is out."""
    after = with_block(text)
    assert after.startswith(text)
    assert after.count(BEGIN) == after.count(END) == 1
    assert BLOCK in after.replace("\r\n", "\n")
    assert with_block(after) == after
    assert without(after) == text
    assert without(text) == text


@settings(max_examples=share(300))
@given(PAGES, PAGES)
def test_what_is_written_around_it_stays(before, behind):
    """What a person adds above and below the block stays when it is taken out and put in again."""
    page = with_block(before)
    newline = "\r\n" if "\r\n" in page[page.index(BEGIN) :] else "\n"
    added = page + ("" if page.endswith("\n") else newline) + behind
    out = without(added)
    assert out is not None or not (before or behind)
    assert (out or "").startswith(before)
    assert (out or "").endswith(behind)
    assert len(out or "") <= len(before) + len(behind) + 2 * len(newline)
    assert with_block(added) == added


def test_a_page_made_for_it_goes_with_it():
    """A page that was not there is the block alone, and is gone when that is taken out; an empty page stays."""
    assert with_block(None) == f"{BLOCK}\n"
    assert without(with_block(None)) is None
    assert without(with_block("")) == ""


def test_an_earlier_block_is_replaced(monkeypatch):
    """A block of an earlier version becomes the present one, in its place, in the page's line ends."""
    old = f"{BEGIN}\nold words\n{END}"
    monkeypatch.setattr(guidance, "FORMER", (old,))
    page = f"# A\r\n\r\n{old}\r\n\r\nmore\r\n".replace("\r\n", "\n").replace("\n", "\r\n")
    assert with_block(page) == f"# A\n\n{BLOCK}\n\nmore\n".replace("\n", "\r\n")


@pytest.mark.parametrize("former", guidance.FORMER)
def test_the_blocks_of_earlier_versions_are_known(former):
    """Every block that a version wrote teaches the long form alone, and is replaced."""
    assert "`sleepwake journal.add --kind decision" in former
    assert "`sleepwake decide " not in former
    assert with_block(f"# A\n\n{former}\n") == f"# A\n\n{BLOCK}\n"


@pytest.mark.parametrize(
    "page",
    [
        f"{BEGIN}\nmy own words\n{END}\n",
        BLOCK.replace("session", "meeting"),
        f"{BEGIN}\n",
        f"{END}\n{BEGIN}\n",
        f"{BLOCK}\n{BLOCK}\n",
        f"{BLOCK}\n{END}\n",
    ],
)
def test_what_a_person_changed_is_left(page):
    """A block with other words, marks that are no pair, and two blocks are neither replaced nor taken out."""
    for change in (with_block, without):
        with pytest.raises(ValueError, match="left as it is"):
            change(page)


def test_its_commands_are_there_with_their_options():
    """Each `sleepwake X` that the block names is a task, and its options are the task's."""
    known = collection.every()
    for line in re.findall(r"`sleepwake ([^`]+)`", BLOCK):
        task = known[line.split()[0]]
        options = {f"--{one.option}" for one in task.parameters}
        assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= options, line
    assert max(map(len, BLOCK.splitlines())) <= 120


@pytest.fixture
def project(memory, facts):
    """Return the folder of a project with a memory; clients are installed there."""
    Path(memory.settings).write_text("format: 1\n", encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", memory.base], check=True)
    assert facts
    return Path(memory.base)


def pages(project, facts, *clients, task="clients.install", words=()):
    """Run a task for clients, and return what became of each page by its name."""
    named = [word for one in clients for word in ("--client", one)]
    found = facts(task, *named, *words)["guidance"]
    return {Path(one["path"]).relative_to(project).as_posix(): one["what"] for one in found}


@pytest.mark.parametrize(
    ("there", "clients", "expected"),
    [
        ((), ("codex",), {"AGENTS.md"}),
        ((), ("claude",), set()),
        (("AGENTS.md",), ("claude",), {"AGENTS.md"}),
        ((), ("gemini",), set()),
        (("CLAUDE.md",), ("claude",), {"CLAUDE.md"}),
        (("CLAUDE.md",), ("codex",), {"AGENTS.md"}),
        (("CLAUDE.md",), ("claude", "codex"), {"AGENTS.md", "CLAUDE.md"}),
        ((".claude/CLAUDE.md",), ("claude",), {".claude/CLAUDE.md"}),
        (("AGENTS.md",), ("claude", "codex"), {"AGENTS.md"}),
    ],
)
def test_the_pages_are_those_that_the_clients_read(project, facts, there, clients, expected):
    """AGENTS.md for Codex; for Claude Code CLAUDE.md where there is one, else an AGENTS.md that is there."""
    for name in there:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("# Mine\n", encoding="utf-8")
    assert set(pages(project, facts, *clients)) == expected
    for name in expected:
        assert BLOCK in (project / name).read_text(encoding="utf-8")
    for name in {"AGENTS.md", "CLAUDE.md"} - expected:
        assert not (project / name).exists() or BEGIN not in (project / name).read_text(encoding="utf-8")


def test_a_page_that_imports_the_other_needs_none(project, facts):
    """A CLAUDE.md that says `@AGENTS.md` stays as it is."""
    (project / "CLAUDE.md").write_text("# Mine\n\n@AGENTS.md\n", encoding="utf-8")
    assert set(pages(project, facts, "claude", "codex")) == {"AGENTS.md"}


def test_a_link_is_written_through_once(project, facts):
    """CLAUDE.md that links to AGENTS.md, or the other way round, gets one block and stays a link."""
    (project / "AGENTS.md").write_bytes(b"\xef\xbb\xbf# Mine\r\nno end")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    assert set(pages(project, facts, "claude", "codex").values()) == {"installed"}
    assert (project / "CLAUDE.md").is_symlink()
    assert (project / "AGENTS.md").read_bytes().count(BEGIN.encode()) == 1
    assert pages(project, facts, "claude", "codex") == {"AGENTS.md": "same"}
    assert set(pages(project, facts, "claude", "codex", task="clients.uninstall").values()) == {"removed"}
    assert (project / "CLAUDE.md").is_symlink()
    assert (project / "AGENTS.md").read_bytes() == b"\xef\xbb\xbf# Mine\r\nno end"


def test_a_link_that_leads_out_is_refused(project, facts, tmp_path):
    """A page that really lies elsewhere is left."""
    (tmp_path / "elsewhere.md").write_text("# Theirs\n", encoding="utf-8")
    (project / "AGENTS.md").symlink_to(tmp_path / "elsewhere.md")
    (found,) = facts("clients.install", "--client", "codex", code=1)["guidance"]
    assert found["what"] == "refused"
    assert "is a link that leads to " in found["notes"][0]
    assert (tmp_path / "elsewhere.md").read_text(encoding="utf-8") == "# Theirs\n"


def test_uninstalling_takes_it_out(project, facts):
    """The page that was made for it is gone; one client's leaving keeps what another still reads."""
    assert pages(project, facts, "claude", "codex") == {"AGENTS.md": "installed"}
    assert pages(project, facts, "claude", task="clients.uninstall") == {}
    assert (project / "AGENTS.md").exists()
    assert pages(project, facts, "codex", task="clients.uninstall") == {"AGENTS.md": "removed"}
    assert not (project / "AGENTS.md").exists()


def test_a_dry_run_shows_it_and_writes_nothing(project, facts):
    """What would be done is said, in both directions."""
    assert pages(project, facts, "codex", words=["--dry-run"]) == {"AGENTS.md": "installed"}
    assert not (project / "AGENTS.md").exists()
    pages(project, facts, "codex")
    assert pages(project, facts, "codex", task="clients.uninstall", words=["--dry-run"]) == {"AGENTS.md": "removed"}
    assert (project / "AGENTS.md").exists()


def test_it_is_left_out_where_it_is_not_wanted(project, facts, sleepwake):
    """Nothing is written with `--no-notes` (`-n`), for the user's settings, without a memory, or for a separate one."""
    assert pages(project, facts, "codex", words=["--no-notes"]) == {}
    assert pages(project, facts, "codex", words=["-n"]) == {}
    assert pages(project, facts, "codex", words=["--user"]) == {}
    os.rename(project / "memory", project / "gone")
    assert pages(project, facts, "codex") == {}
    code, _, said = sleepwake("init", "--separate")
    assert code == 0, said
    assert pages(project, facts, "codex") == {}
    assert not (project / "AGENTS.md").exists()


def test_an_edited_block_is_left_and_said(project, facts, sleepwake):
    """A person's change inside the block is kept by install and uninstall, and both say so."""
    pages(project, facts, "codex")
    edited = (project / "AGENTS.md").read_text(encoding="utf-8").replace("## Memory", "## Our memory")
    (project / "AGENTS.md").write_text(edited, encoding="utf-8")
    assert pages(project, facts, "codex") == {"AGENTS.md": "left"}
    code, said, _ = sleepwake("clients.uninstall", "--client", "codex")
    assert code == 0
    assert "edited by hand" in said
    assert (project / "AGENTS.md").read_text(encoding="utf-8") == edited
