"""The criteria of the snapshot, one test each."""

from __future__ import annotations

import json
import re
import shutil

import pytest

CORE = ("0.soul", "1.user", "2.memory")
WHY = "Every session starts blind because nothing of what was said before is there, so all of it is told at the start"
PAGES = {
    "core/0.soul.md": "---\nname: test\n---\nSOUL we speak plainly.\n",
    "core/1.user.md": "USER likes tea.\n",
    "core/2.memory.md": "MEMORY the queue is Ada's.\n",
    "core/3.style.md": "---\nname: Style guide\nsummary: Colours and tone\n---\n\nnot told\n",
    "core/10.deploy.md": "---\nname: Deploy\nsummary: How to ship\n---\n",
    "core/CHANGELOG.json": json.dumps(
        [{"date": f"2026-02-2{at}", "type": "feat", "description": f"Change {at}"} for at in range(8, 0, -1)]
    ),
    "core/RELEASES.json": json.dumps(
        [{"version": one, "date": "2026-02-01", "summary": f"Says {one}"} for one in ("0.9.0", "0.10.0")]
    ),
    "core/features/snapshot.md": "---\nstatus: active\ntags: [core, hooks]\nrelated_tasks: [auth]\n---\n\n"
    f"## Why\n\n{WHY * 2}\n\n## Changelog\n\n"
    "### 2026-02-27 - Created\n- made\n\n### 2026-02-26 - Release\n- Added the release.\n",
    "core/features/empty.md": "---\nstatus: planning\n---\n\n## Why\n\n(To be defined)\n",
    "state/t-active.md": "---\nstatus: in_progress\npriority: high\nupdated_at: 2026-02-20\n---\n",
    "state/t-todo.md": "---\nstatus: todo\npriority: low\nupdated_at: 2026-02-21\n---\n",
    "state/t-done.md": "---\nstatus: completed\npriority: low\nupdated_at: 2026-02-22\n---\n",
    "knowledge/zeta.md": "---\nname: Zeta\ndescription: About zeta\ntags: [api]\npinned: true\n---\n\nBody of zeta.\n",
    "knowledge/alpha.md": "---\nname: Alpha\ndescription: About alpha\n---\n\nBody of alpha.\n",
    "knowledge/beta.md": "---\nname: Beta\ndescription: About beta\n---\n\nBody of beta.\n",
}  # fmt: skip
ORDER = (
    *("Soul", "User", "Memory", "Extended Core Files", "Active Tasks", "Sleep State", "Recent Changelog"),
    *("Latest Release", "Features", "Knowledge Index", "Pinned Knowledge"),
)


@pytest.fixture
def pages(clerk):
    """Return a memory with all of a project's pages."""
    for path, text in PAGES.items():
        clerk.scene.write(f"memory/{path}", text)
    return clerk


def _section(text, name):
    return text.partition(f"## {name}\n")[2].partition("\n## ")[0]


def test_4_1(pages):
    """4.1: `snapshot` prints a plain document without colours to standard output."""
    told = pages.do("snapshot")
    assert "\x1b" not in told
    assert told.startswith("# Agent Context")
    assert pages.inv("snapshot") == told


def test_4_2(pages):
    """4.2: Soul, user and memory are told in full, by a hook as room allows; comments and pages without words are not.

    Deviates: docs/snapshot.md
    """
    told = pages.do("snapshot")
    for path in CORE:
        assert PAGES[f"core/{path}.md"].strip() in told
    pages.scene.write("memory/core/1.user.md", "# User\n\n<!-- who is it for? -->\n")
    assert "## User" not in pages.do("snapshot")
    rules = [f"We speak plainly about part {at} of the machine." for at in range(400)]
    pages.scene.write("memory/core/0.soul.md", "\n\n".join(rules))
    assert [rule for rule in rules if rule not in pages.do("snapshot")] == []
    told = pages.hook("session-start")
    assert [rule in told for rule in (*rules[:3], rules[-1])] == [True] * 3 + [False]
    assert "memory/core/0.soul.md" in told


def test_4_3(pages):
    """4.3: Active tasks are told by name, status, priority and date; completed ones are not."""
    told = _section(pages.do("snapshot"), "Active Tasks")
    assert "- t-active (status: in_progress, priority: high, updated: 2026-02-20)" in told
    assert "- t-todo (status: todo, priority: low, updated: 2026-02-21)" in told
    assert "t-done" not in told
    for page, line in (
        ("t-todo", "- {}: the lock is in [i7abc.2]\n"),
        ("t-active", "### {} - Sleep on i7abc\n- x [i7abc.2]\n"),
    ):
        text = f"{PAGES[f'state/{page}.md']}\n## Changelog\n\n{line}"
        for day, updated in (("2026-03-02", "2026-03-02"), ("2026-02-02", PAGES[f"state/{page}.md"][-15:-5])):
            pages.scene.write(f"memory/state/{page}.md", text.format(day))
            assert re.search(rf"- {page} \(.*updated: {updated}\)", _section(pages.do("snapshot"), "Active Tasks"))


def test_4_4(pages):
    """4.4: The sleep state stands there only with debt or sessions, and says the level."""
    assert "## Sleep State" not in pages.do("snapshot")
    pages.hook("stop", changes=5)
    told = _section(pages.do("snapshot"), "Sleep State")
    assert "- Debt: 2 (Alert)\n- Sessions to consolidate: 1\n" in told


def test_4_5(pages):
    """4.5: The three newest changes and the latest release are told."""
    told = pages.do("snapshot")
    assert re.findall(r"Change \d", told) == ["Change 8", "Change 7", "Change 6"]
    assert "- 0.10.0 (2026-02-01): Says 0.10.0" in _section(told, "Latest Release")
    assert "0.9.0" not in told


def test_4_6(pages):
    """4.6: A feature is told by status, tags, why (120), tasks and its latest entry that is no creation."""
    told = _section(pages.do("snapshot"), "Features")
    assert "- **snapshot** (status: active, tags: core, hooks)" in told
    (why,) = re.findall(r"Why: (.+)", told)
    assert WHY[:80] in why
    assert len(why) <= 120
    assert "Tasks: auth" in told
    assert "Latest: 2026-02-26 - Added the release." in told
    assert "made" not in told
    assert "- **empty** (status: planning)" in told


def test_4_7(pages):
    """4.7: Knowledge is listed by slug, path, description and tags, pinned first; pinned pages in full, if they fit.

    Deviates: docs/snapshot.md
    """
    told = pages.do("snapshot")
    rows = re.findall(r"(?m)^- \*\*(\w+)\*\* \(memory/knowledge", told)
    assert rows == ["zeta", "alpha", "beta"]
    assert "- **zeta** (memory/knowledge/zeta.md): About zeta [api]" in told
    assert "### Zeta\n\nBody of zeta." in _section(told, "Pinned Knowledge")
    assert "Body of alpha" not in told
    page = PAGES["knowledge/zeta.md"] + "\nIt says much of the machine.\n" * 500
    pages.scene.write("memory/knowledge/zeta.md", page)
    assert page.rpartition("---")[2].strip() in pages.do("snapshot")
    told = pages.hook("session-start")
    assert "- **zeta** (memory/knowledge/zeta.md)" in told
    assert "1 pinned page in memory/knowledge/" in _section(told, "Pinned Knowledge")


def test_4_8(pages):
    """4.8: Core files from number 3 on are listed by name and summary."""
    told = _section(pages.do("snapshot"), "Extended Core Files")
    assert "- **Style guide** (memory/core/3.style.md): Colours and tone" in told
    assert told.index("Style guide") < told.index("- **Deploy** (memory/core/10.deploy.md): How to ship")
    assert "not told" not in told


def test_4_9(pages):
    """4.9: The sections stand in this order; sections of ours stand between them.

    Deviates: docs/snapshot.md
    """
    pages.hook("stop", changes=5)
    heads = re.findall(r"(?m)^## (.+)$", pages.do("snapshot"))
    heads = [head.partition(" (")[0] for head in heads]
    assert tuple(head for head in heads if head in ORDER) == ORDER, heads


def test_4_10(clerk, tmp_path):
    """4.10: Without a context folder the command ends in silence."""
    (tmp_path / "bare").mkdir()
    assert clerk.scene.run("snapshot", folder=tmp_path / "bare") == (0, "", "")


def test_4_11(pages):
    """4.11: `hook subagent-start` prints JSON of the form that Claude Code asks for."""
    told = pages.do("hook", "subagent-start", stdin=json.dumps({"session_id": "s", "cwd": str(pages.home)}))
    assert told.count("\n") <= 1
    ((name, inner),) = json.loads(told).items()
    assert (name, set(inner)) == ("hookSpecificOutput", {"hookEventName", "additionalContext"})
    assert (inner["hookEventName"], inner["additionalContext"]) == ("SubagentStart", pages.hook("subagent-start"))


def test_4_12(pages):
    """4.12: The briefing has some 25 lines: summary, folders, tasks, index, pinned pages, how to use them."""
    main = pages.scene.text("main.md")
    pages.scene.write("main.md", main.replace("What this project is for.", "It lints recipes."))
    told = pages.hook("subagent-start")
    for words in ("It lints recipes.", "memory/knowledge/", "- t-active (", "- **alpha** (", "Body of zeta."):
        assert words in told
    assert '`sleepwake recall "QUESTION"` searches all of it' in told
    pinned = f"## Pinned Knowledge\n{_section(told, 'Pinned Knowledge')}"
    assert pinned in told
    assert 20 <= sum(map(bool, told.replace(pinned, "").splitlines())) <= 30
    assert not re.search("SOUL|USER|MEMORY", told)


def test_4_13(clerk):
    """4.13: Three hooks are registered: SessionStart, Stop and SubagentStart; two more are ours.

    Deviates: docs/clients.md
    """
    clerk.do("clients.install", "--client", "claude")
    (settings,) = (clerk.home / ".claude").glob("settings*.json")
    text = settings.read_text()
    assert set(json.loads(text)["hooks"]) == {"SessionStart", "SubagentStart", "Stop", "PreCompact", "SessionEnd"}
    clerk.do("clients.install", "--client", "claude")
    assert settings.read_text() == text


def test_4_14(pages):
    """4.14: A missing file never stops the snapshot."""
    for folder in ("core", "knowledge", "state", "hot"):
        shutil.rmtree(pages.home / "memory" / folder, ignore_errors=True)
        assert pages.do("snapshot").startswith("# Agent Context")
    (pages.home / "main.md").unlink()
    pages.do("snapshot")


def test_4_15(old):
    """4.15: A session knows what was decided: memory is told at its start."""
    told = old.hook("session-start")
    for part in ("lexer", "parser", "printer", "linter"):
        assert f"Use flock in the {part} (why: it ends with the {part})" in told
    assert "Never log a password" in told


def test_4_16(pages):
    """4.16: Ours: what a hook prints is bounded, below what the client cuts off."""
    for at in range(40):
        pages.scene.write(f"memory/knowledge/long{at}.md", f"---\npinned: true\n---\n\n{'Much to say. ' * 60}\n")
    assert len(pages.do("snapshot")) > 20_000
    told = pages.hook("session-start")
    assert 5000 < len(told.encode()) <= 9500
    assert "SOUL" in told
