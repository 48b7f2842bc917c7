"""What a session is told of a tree: the requirement's behaviour, case by case.

A case is a name, the files of a context folder, what the snapshot has (each a run of lines, in this order) and what it
has not. The folder is `memory`.
"""

# ruff: noqa: E501  # a case stays on its line, as in a table

from __future__ import annotations

import json

import pytest

SOUL = "---\nname: test\n---\nTest soul."
LONG = "Every session starts blind because nothing of what was said before is there, so the whole brain of the project is injected at the start"
BOM = "\ufeff"


def task(status="in_progress", body="", **fields):
    """Return a task's page."""
    said = {"status": status, "priority": "high", "updated_at": "2026-02-20", **fields}
    return front(said) + body


def front(fields):
    """Return front matter, values as they are given."""
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + "---\n\n"


def changes(number, **more):
    """Return a changelog in JSON, newest first."""
    return json.dumps(
        [
            {"date": f"2026-02-{28 - at:02}", "type": "feat", "scope": "cli", "description": f"Change {at}", **more}
            for at in range(number)
        ]
    )


def releases(*versions, **more):
    """Return releases in JSON, in the order given."""
    return json.dumps([{"version": one, "date": "2026-02-01", "summary": f"Says {one}", **more} for one in versions])


# fmt: off
CASES = [
    # --- soul, user, memory
    ("soul in full, front matter too", {"core/0.soul.md": SOUL}, ["## Soul", SOUL], []),
    ("user in full", {"core/1.user.md": "---\ntype: user\n---\n\n# U\n\nLikes tea.\n"}, ["## User", "---\ntype: user\n---\n\n# U\n\nLikes tea."], []),
    ("memory in full", {"core/2.memory.md": "- one\n- two\n"}, ["## Memory", "- one\n- two"], []),
    (
        "the three stand in this order",
        {"core/2.memory.md": "third", "core/1.user.md": "second", "core/0.soul.md": "first"},
        ["## Soul", "first", "## User", "second", "## Memory", "third"],
        [],
    ),
    ("only one of them", {"core/1.user.md": "Likes tea."}, ["## User"], ["## Soul", "## Memory"]),
    ("an empty page is none", {"core/0.soul.md": "", "core/1.user.md": "x y"}, ["## User"], ["## Soul"]),
    ("white space is none", {"core/0.soul.md": " \n\t\n", "core/1.user.md": "x"}, [], ["## Soul"]),
    ("a page of headings is none", {"core/0.soul.md": "# Soul\n\n## Rules\n", "core/1.user.md": "x"}, [], ["## Soul", "## Rules"]),
    ("a page of comments is none", {"core/0.soul.md": "<!-- say who\nyou are -->\n", "core/1.user.md": "x"}, [], ["Soul", "say who"]),
    (
        "a page of placeholders is none",
        {"core/0.soul.md": "---\ntype: soul\n---\n\n## Rules\n\n- (Add rules here)\n\nTBD\n", "core/1.user.md": "x"},
        [],
        ["Soul", "Add rules", "TBD"],
    ),
    (
        "a page that only says a name is one",
        {"core/0.soul.md": "---\nname: Ada\n---\n"},
        ["## Soul", "name: Ada"],
        [],
    ),
    (
        "a comment never leaks",
        {"core/0.soul.md": "Before.\n<!-- a hint -->\n\nAfter <!-- inside --> words.\n\n<!--\nmany\nlines\n-->\n\nEnd."},
        ["Before.\n\nAfter  words.\n\nEnd."],
        ["hint", "inside", "many", "<!--", "-->"],
    ),
    (
        "a comment in code stays",
        {"core/0.soul.md": "Use `<!-- a -->` or:\n\n```html\n<!-- b -->\n```\n\nEnd <!-- c -->here."},
        ["`<!-- a -->`", "<!-- b -->", "End here."],
        ["<!-- c"],
    ),
    ("a comment that nothing closes stays", {"core/0.soul.md": "One <!-- two\n\nthree"}, ["One <!-- two\n\nthree"], []),
    ("line ends of Windows", {"core/0.soul.md": "One.\r\n\r\nTwo.\r\n"}, ["One.\n\nTwo."], ["\r"]),
    ("line ends of an old Mac", {"core/0.soul.md": "One.\rTwo.\r"}, ["One.\nTwo."], ["\r"]),
    ("a byte order mark", {"core/0.soul.md": BOM + SOUL}, [SOUL], [BOM]),
    ("UTF-16", {"core/0.soul.md": "Tea \u2615".encode("utf-16")}, ["Tea \u2615"], []),
    ("bytes that are no UTF-8", {"core/0.soul.md": b"Caf\xe9 au lait"}, ["Caf\ufffd au lait"], []),
    ("colours are taken out", {"core/0.soul.md": "\x1b[31mRed\x1b[0m word\x07s"}, ["Red words"], ["\x1b", "\x07", "[31m", "[0m"]),
    ("a binary file costs one line", {"core/0.soul.md": b"\0\1\2", "core/1.user.md": "x"}, ["(memory/core/0.soul.md is no text)", "## User"], []),
    (
        "a page with a conflict of a merge costs one line",
        {"core/1.user.md": "Tea.\n<<<<<<< HEAD\nUse tabs.\n=======\nUse spaces.\n>>>>>>> 4bb93e0\n"},
        ["(memory/core/1.user.md has a conflict of a merge in it: sleepwake doctor)"],
        ["<<<<", "Use tabs", "Use spaces"],
    ),
    (
        "a page that quotes such marks in code is told",
        {"core/1.user.md": "Never commit\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n"},
        ["Never commit"],
        ["conflict of a merge"],
    ),
    ("a file of 2 MiB costs one line", {"core/0.soul.md": "x" * (1 << 21)}, ["(memory/core/0.soul.md is too large to show (2.0 MiB))"], ["xxx"]),
    # --- other core files
    (
        "core files from number 3 on",
        {
            "core/3.style.md": "---\nname: Style guide\ntype: style\nsummary: Colours and tone\n---\n\nSecret of three\n",
            "core/10.deploy.md": "---\nname: Deploy\nsummary: How to ship\n---\n",
            "core/4.tech_stack.md": "No front matter.\n",
        },
        [
            "## Extended Core Files",
            "- **Style guide** (memory/core/3.style.md): Colours and tone",
            "- **tech stack** (memory/core/4.tech_stack.md)",
            "- **Deploy** (memory/core/10.deploy.md): How to ship",
        ],
        ["Secret of three"],
    ),
    ("core files of other kinds", {"core/5.data_structures.sql": "-- tables\n", "core/6.keys.json": "{"}, ["- **data structures** (memory/core/5.data_structures.sql)", "- **keys** (memory/core/6.keys.json)"], []),
    ("core files without a number", {"core/notes.md": "x", "core/0.other.md": "y"}, [], ["notes", "other", "Extended"]),
    # --- tasks
    (
        "a task",
        {"state/auth-refresh.md": task(body="## Why\n\nTokens expire in the middle of a session.\n")},
        ["## Active Tasks", "- auth-refresh (status: in_progress, priority: high, updated: 2026-02-20)", "  Why: Tokens expire in the middle of a session."],
        [],
    ),
    ("a completed task is hidden", {"state/a.md": task("completed"), "state/b.md": task("todo")}, ["- b (status: todo"], ["- a ("]),
    ("completed in any case and quotes", {"state/a.md": task("'Completed'  # yes"), "state/b.md": task("todo")}, [], ["- a ("]),
    ("only completed tasks: no section", {"state/a.md": task("completed"), "core/0.soul.md": SOUL}, [], ["Active Tasks"]),
    ("a task without front matter", {"state/a.md": "Do it.\n"}, ["- a (status: unknown, priority: -, updated: -)"], []),
    (
        "the why of a task is cut at 100 between words",
        {"state/a.md": task(body=f"## Why\n\n{LONG}\n")},
        ["so the whole brain..."],
        [LONG],
    ),
    ("a why in a fence is none", {"state/a.md": task(body="```md\n## Why\n\nNot this.\n```\n\n## Why\n\nThis.\n")}, ["Why: This."], ["Not this"]),
    ("a why in a comment is none", {"state/a.md": task(body="<!--\n## Why\n\nNot this.\n-->\n\n## Why\n\nThis.\n")}, ["Why: This."], ["Not this"]),
    ("an underlined why", {"state/a.md": task(body="Why\n---\n\nThis.\n\nNext\n----\n\nOther.\n")}, ["Why: This."], ["Other"]),
    ("a why with line ends of Windows", {"state/a.md": task(body="## Why\n\nThis.\n\n## Next\n\nOther.\n").replace("\n", "\r\n")}, ["Why: This."], ["Other", "\r"]),
    ("a why as a list", {"state/a.md": task(body="## Why\n\n- First reason.\n- Second.\n")}, ["Why: First reason."], ["Second"]),
    ("a why that wraps", {"state/a.md": task(body="## Why\n\nIt takes two\nlines to say. Then\nmore.\n")}, ["Why: It takes two lines to say. Then more."], []),
    ("a why that is to be defined", {"state/a.md": task(body="## Why\n\n(To be defined)\n")}, ["- a ("], ["Why:", "defined"]),
    ("a why behind a placeholder", {"state/a.md": task(body="## Why\n\n(To be defined)\n\nReally this.\n")}, ["Why: Really this."], ["defined"]),
    ("an unquoted date is printed as written", {"state/a.md": task(updated_at="2026-02-20T10:00:00+02:00")}, ["updated: 2026-02-20T10:00:00+02:00)"], []),
    ("broken front matter", {"state/a.md": "---\nstatus: todo\npriority: [high\n: : :\n---\n"}, ["- a (status: todo, priority: high"], []),
    (
        "what is under way comes first, then by priority, then the latest",
        {
            "state/a.md": task("todo", priority="low"),
            "state/b.md": task("todo", priority="critical"),
            "state/c.md": task("in_progress", priority="low"),
            "state/d.md": task("todo", priority="critical", updated_at="2026-02-21"),
        },
        ["- c (", "- d (", "- b (", "- a ("],
        [],
    ),
    ("a hidden file is no task", {"state/.draft.md": task(), "core/0.soul.md": SOUL}, [], ["draft", "Active"]),
    ("a log is no task", {"state/notes.txt": "x", "core/0.soul.md": SOUL}, [], ["notes", "Active"]),
    ("a task that is binary", {"state/a.md": b"\0", "state/b.md": task()}, ["- a (is no text)", "- b ("], []),
    # --- sleep state
    (
        "debt",
        {"state/.sleep.json": json.dumps({"debt": 8, "sessions": [{"session_id": "a", "score": 3, "change_count": 12, "stopped_at": "2026-02-20T10:00:00.000Z", "last_assistant_message": "I moved\nthe lock."}]})},
        ["## Sleep State", "- Debt: 8 (Sleepy)", "2026-02-20T10:00:00.000Z (+3, 12 changes): I moved the lock."],
        [],
    ),
    ("no debt, no section", {"state/.sleep.json": '{"debt": 0, "sessions": []}', "core/0.soul.md": SOUL}, [], ["Sleep State"]),
    ("a session without debt", {"state/.sleep.json": '{"debt": 0, "sessions": [{"session_id": "a", "score": null}]}'}, ["- Debt: 0 (Alert)", "(pending)"], []),
    ("a ledger that is garbage costs one line", {"state/.sleep.json": "{{{", "core/0.soul.md": SOUL}, ["Test soul.", "## Sleep State\n\n- memory/state/.sleep.json cannot be read as a ledger"], []),
    *((f"a debt of {debt} is {level}", {"state/.sleep.json": json.dumps({"debt": debt})}, [f"- Debt: {debt} ({level})"], []) for debt, level in ((3, "Alert"), (4, "Drowsy"), (7, "Sleepy"), (10, "Must Sleep"))),
    # --- changelog and release
    ("the three newest of eight changes", {"core/CHANGELOG.json": changes(8)}, ["## Recent Changelog", "- 2026-02-28 [feat] cli: Change 0", "- 2026-02-27 [feat] cli: Change 1", "- 2026-02-26 [feat] cli: Change 2"], ["Change 3"]),
    ("the newest by day, wherever they stand", {"core/CHANGELOG.json": json.dumps(json.loads(changes(8))[::-1])}, ["Change 0", "Change 1", "Change 2"], ["Change 3", "Change 7"]),
    ("changes in a wrapper", {"core/CHANGELOG.json": json.dumps({"entries": json.loads(changes(2))})}, ["Change 0", "Change 1"], []),
    ("an empty changelog", {"core/CHANGELOG.json": "[]", "core/0.soul.md": SOUL}, [], ["Recent Changelog"]),
    ("a malformed changelog costs one line", {"core/CHANGELOG.json": '[{"date": 1,}]', "core/0.soul.md": SOUL}, ["Test soul.", "## Recent Changelog\n\n(memory/core/CHANGELOG.json is no JSON (line 1:"], []),
    ("a changelog that is no list", {"core/CHANGELOG.json": '"x"'}, ["(memory/core/CHANGELOG.json holds no list of records)"], []),
    ("a breaking change", {"core/CHANGELOG.json": changes(1, breaking=True)}, ["Change 0 (BREAKING)"], []),
    ("the latest release", {"core/RELEASES.json": json.dumps([{"version": "0.1.0", "date": "2026-02-26", "summary": "First.", "tasks": ["a"], "features": ["b", "c"]}])}, ["## Latest Release", "- 0.1.0 (2026-02-26): First.", "  Includes: 1 task, 2 features"], []),
    ("the latest by version, not by place", {"core/RELEASES.json": releases("0.9.0", "0.10.0", "0.2.0")}, ["- 0.10.0 ("], ["0.9.0", "0.2.0"]),
    ("a release counts above its candidate", {"core/RELEASES.json": releases("1.0.0-rc.2", "v1.0.0", "1.0.0-rc.10")}, ["- v1.0.0 ("], ["rc"]),
    ("releases in a wrapper", {"core/RELEASES.json": json.dumps({"releases": json.loads(releases("1.0.0"))})}, ["- 1.0.0 ("], []),
    ("a planned release does not count", {"core/RELEASES.json": json.dumps([{"version": "2.0.0", "status": "planned"}, {"version": "Unreleased"}, {"version": "1.0.0", "status": "released"}])}, ["- 1.0.0"], ["2.0.0", "Unreleased"]),
    ("only planned releases", {"core/RELEASES.json": json.dumps([{"version": "2.0.0", "status": "planned"}]), "core/0.soul.md": SOUL}, [], ["Latest Release"]),
    # --- features
    (
        "a feature",
        {
            "core/features/snapshot.md": front({"status": "active", "tags": "[core, 'hooks']", "related_tasks": "\n  - auth\n  - debt"})
            + "## Why\n\nSessions start blind.\n\n## Changelog\n\n### 2026-02-26 - Release\n- Added the release section.\n- More.\n\n### 2026-02-25 - Created\n- Made.\n"
        },
        ["## Features", "- **snapshot** (status: active, tags: core, hooks)", "  Why: Sessions start blind.", "  Tasks: auth, debt", "  Latest: 2026-02-26 - Added the release section."],
        ["More.", "Made."],
    ),
    ("a creation is no news", {"core/features/a.md": front({"status": "planning"}) + "## Changelog\n\n### 2026-02-25 - Created\n- Made.\n"}, ["- **a** (status: planning)"], ["Latest", "Made"]),
    ("the news below a creation", {"core/features/a.md": "## Changelog\n\n### 2026-02-27 - Created\n- Made.\n\n### 2026-02-25 - Work\n- Done.\n"}, ["Latest: 2026-02-25 - Done."], ["Made"]),
    ("the why of a feature is cut at 120 between words", {"core/features/a.md": f"## Why\n\n{LONG}\n"}, ["of the project is..."], [LONG]),
    ("the latest is cut at 120, its date counted", {"core/features/a.md": f"## Changelog\n\n### 2026-02-26 - X\n- {LONG}\n"}, ["  Latest: 2026-02-26 - Every session starts blind"], [LONG]),
    ("a why to be defined", {"core/features/a.md": "## Why\n\n(To be defined)\n"}, ["- **a** (status: unknown)"], ["Why:", "defined"]),
    ("tags in one string", {"core/features/a.md": front({"status": "active", "tags": "one, two"})}, ["(status: active, tags: one, two)"], []),
    ("a heading in a changelog's fence", {"core/features/a.md": "## Changelog\n\n```\n### 2027-01-01 - No\n- no\n```\n\n### 2026-02-26 - Yes\n- yes\n"}, ["Latest: 2026-02-26 - yes"], []),
    # --- knowledge
    (
        "knowledge",
        {
            "knowledge/zeta.md": front({"name": "Zeta", "description": '"What: zeta"', "tags": "[api, domain]"}) + "Body of zeta.\n",
            "knowledge/alpha.md": front({"name": "Alpha", "description": "About alpha", "pinned": "true"}) + "# Alpha\n\nBody of alpha.\n",
            "knowledge/beta.md": front({"name": "Beta", "description": "About beta"}) + "Body of beta.\n",
        },
        [
            "## Knowledge Index",
            "- **alpha** (memory/knowledge/alpha.md): About alpha\n- **beta** (memory/knowledge/beta.md): About beta\n- **zeta** (memory/knowledge/zeta.md): What: zeta [api, domain]",
            "## Pinned Knowledge",
            "### Alpha\n\n# Alpha\n\nBody of alpha.",
        ],
        ["Body of zeta", "Body of beta", "pinned:"],
    ),
    ("pinned first, then by slug", {"knowledge/a.md": "A", "knowledge/b.md": front({"pinned": "true"}) + "B", "knowledge/a-b.md": "C", "knowledge/c.md": front({"pinned": "yes"}) + "D"}, ["- **b** (", "- **c** (", "- **a** (", "- **a-b** (", "### b\n\nB", "### c\n\nD"], []),
    ("none pinned, no section", {"knowledge/a.md": front({"pinned": "false"}) + "A"}, ["## Knowledge Index"], ["Pinned"]),
    ("no description: the first line", {"knowledge/a.md": "# A\n\n<!-- no -->\nIt says this.\n\nMore.\n"}, ["- **a** (memory/knowledge/a.md): It says this."], ["More.", "no -->"]),
    ("front matter longer than 8 KiB", {"knowledge/a.md": front({"filler": "x" * 9_000, "description": "At the end"})}, ["- **a** (memory/knowledge/a.md): At the end"], []),
    ("a folder in knowledge that is called like a page", {"knowledge/a.md/x.txt": "", "knowledge/b.md": "B"}, ["- **a** (memory/knowledge/a.md): (is a folder)", "- **b** ("], []),
    ("names in other scripts", {"knowledge/\u8bb0\u5fc6.md": front({"description": "\u4f1a\u8bdd\u7684\u8bb0\u5fc6"})}, ["- **\u8bb0\u5fc6** (memory/knowledge/\u8bb0\u5fc6.md): \u4f1a\u8bdd\u7684\u8bb0\u5fc6"], []),
    # --- our own memory
    (
        "the handoff, what is next first",
        {"/main.md": "# P\n\nFor tea.\n\n## HANDOFF\n\n<!-- written by sleep; edits in this section are replaced -->\n\n- updated: 2026-11-21 by instance i4pki\n- next_priority: T-003\n- open_risk: none known\n"},
        ["## Handoff", "- next_priority: T-003\n- open_risk: none known\n- updated: 2026-11-21"],
        ["written by sleep", "For tea"],
    ),
    ("a handoff in a person's words", {"/main.md": "# P\n\n## HANDOFF\n\nAsk Ada first.\n"}, ["## Handoff\n\nAsk Ada first."], []),
    (
        "threads, questions and constraints that are open",
        {
            "hot/threads.md": "# Threads\n\n## Threads\n\n- **T-001** Old [i1ptb.1]\n  - status: resolved (done)\n- **T-002** Now [i1ptb.2]\n  - next: test\n\n## Tasks\n\n- A chore [i1ptb.3]\n",
            "hot/decisions.md": "# Decisions\n\n## Decisions\n\n- **D-001** By rail [i1ptb.8]\n  - why: cheap\n  - source: person\n",
            "hot/context.md": "# Context\n\n## Constraints\n\n- One door [i1ptb.4]\n  - why: safe\n- Gone [i1ptb.5]\n  - status: lifted (no use)\n\n## Questions\n\n- **Q-001** Why? [i1ptb.6]\n- **Q-002** What? [i1ptb.7]\n  - status: answered (that)\n",
        },
        ["## Active Threads", "- T-002 Now (next: test) [i1ptb.2]", "## Open Questions", "- Q-001 Why? [i1ptb.6]", "## Standing Constraints", "- One door (why: safe) [i1ptb.4]", "## Standing Decisions", "- D-001 By rail (why: cheap) (person) [i1ptb.8]", "## Open Tasks", "- A chore [i1ptb.3]"],
        ["Old", "Gone", "What?"],
    ),
    ("the commands, where there is a memory of ours", {"sleep.yaml": "format: 1\n"}, ["## Commands", "`sleepwake wake`", "`sleepwake memory.explain ADDRESS`"], []),
    ("no commands without one", {"core/0.soul.md": SOUL}, [], ["sleepwake"]),
]
# fmt: on


@pytest.mark.parametrize(("files", "has", "lacks"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_case(world, files, has, lacks):
    """The snapshot has these words in this order, and lacks those, whatever state the files are in."""
    text = world.lay(files).text()
    at = 0
    for words in has:
        assert words in text[at:], text
        at = text.index(words, at) + len(words)
    for words in lacks:
        assert words not in text


def test_there_are_enough_cases():
    """The table has the sixty cases that the requirement asks for, and each its own name."""
    assert len({case[0] for case in CASES}) == len(CASES) >= 60


def test_the_order_of_everything(world):
    """The sections stand in the requirement's order, ours behind memory."""
    files = {}
    for _, more, _, _ in CASES:
        files |= {path: content for path, content in more.items() if path not in files and "a.md/" not in path}
    for name in ("0.soul.md", "1.user.md", "2.memory.md"):
        files[f"core/{name}"] = "Words."
    world.lay(
        files
        | {
            "core/CHANGELOG.json": changes(2),
            "core/RELEASES.json": releases("1.0.0"),
            "state/.sleep.json": '{"debt": 3}',
        }
    )
    names = [one.name for one in world.built().sections]
    assert names == [
        *("Soul", "User", "Memory", "Handoff", "Active Threads", "Open Questions", "Standing Constraints"),
        *("Standing Decisions", "Open Tasks", "Commands"),
        *("Extended Core Files", "Active Tasks", "Sleep State", "Recent Changelog", "Latest Release", "Features"),
        *("Knowledge Index", "Pinned Knowledge"),
    ]
    assert all(one.rung == "full" for one in world.built().sections)


@pytest.mark.parametrize("folder", ["memory", "_agent_context", "_dream_context"])
def test_older_folders_read_alike(world, folder):
    """A folder that an older tool left is read in place, and told with its own name in the paths."""
    files = {
        "core/0.soul.md": SOUL,
        "core/3.style.md": front({"name": "Style"}),
        "state/auth.md": task(),
        "knowledge/a.md": front({"description": "About a", "pinned": "true"}) + "A",
        "core/features/f.md": front({"status": "active"}),
        "core/CHANGELOG.json": changes(4),
    }
    text = world.lay(files, folder).text()
    assert f"- **a** ({folder}/knowledge/a.md): About a" in text
    assert f"- **Style** ({folder}/core/3.style.md)" in text
    for words in ("Test soul.", "- auth (", "### a\n\nA", "- **f** (status: active)", "Change 2"):
        assert words in text


def test_a_section_that_breaks_costs_itself_alone(world, monkeypatch):
    """Whatever goes wrong in a section, its place says so in one line and the others stand."""
    from sleep.wake.snapshot import pages  # noqa: PLC0415

    def broken(_):
        raise RuntimeError("out of luck")

    monkeypatch.setattr(pages, "features", broken)
    text = world.lay({"core/0.soul.md": SOUL, "knowledge/a.md": "A"}).text()
    assert "Test soul." in text
    assert "## Features\n\n(out of luck)" in text
    assert "- **a** (" in text
