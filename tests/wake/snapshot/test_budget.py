"""A bounded snapshot: under its budget whatever there is, sections stepping down instead of being cut."""

from __future__ import annotations

import json
import os
import re
import tempfile

import pytest
from examples import share
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sleep.records import kinds
from sleep.settings import Settings
from sleep.store import context as contexts
from sleep.wake.several_projects import session_projects
from sleep.wake.snapshot import build, debt_section, interrupted_session, ladder, pages, sections
from sleep.wake.snapshot.parts import Item, Part, fitted, full, size, units

HOOK = 9_500
ABSENT = {interrupted_session.NAME, debt_section.CODE, session_projects.NAME}  # no compaction, no git, one project
_RISK = "nobody has measured the lock under load " * 15
HANDOFF = f"# P\n\nFor tea.\n\n## HANDOFF\n\n- updated: 2026 by i4pki\n- next_priority: T-002\n- open_risk: {_RISK}\n"


def crowded(many=60):
    """Return the files of a memory in which nothing fits a hook's budget."""
    words = "memory lock ledger session token budget snapshot transcript scoring cycle "
    files = {
        "/main.md": HANDOFF,
        "sleep.yaml": "format: 1\n",
        "core/0.soul.md": "---\nname: Ada\n---\n\n# Who\n\n"
        + "\n\n".join(f"Rule {at}. {words * 4}" for at in range(12)),
        "core/1.user.md": "\n".join(f"- Habit {at}: {words * 2}" for at in range(20)),
        "core/2.memory.md": "Start.\n\n```sh\n" + "".join(f"line {at}\n\n" for at in range(200)) + "```\n\nEnd.\n",
        "core/CHANGELOG.json": "["
        + ",".join(f'{{"date": "2026-02-{at:02}", "description": "{words * 9}"}}' for at in range(10, 20))
        + "]",
        "core/RELEASES.json": f'[{{"version": "1.0.0", "summary": "{words * 9}"}}]',
        "hot/threads.md": "## Threads\n\n- **T-002** Make it fast [i1ptb.2]\n\n## Tasks\n\n- Sweep [i1ptb.41]\n",
        "hot/decisions.md": "## Decisions\n\n- **D-001** By rail [i1ptb.40]\n  - why: cheap\n\n"
        "## Decisions noticed\n\n- By night [i1ptb.43]\n  - source: person\n",
        "hot/context.md": "## Constraints\n\n"
        + "".join(f"- Constraint {at}: {words} [i1ptb.{at}]\n" for at in range(10, 30))
        + "\n## Questions\n\n"
        + "".join(f"- **Q-0{at}** Question: {words}? [i2ptb.{at}]\n" for at in range(10, 30))
        + "\n## Dead ends\n\n- Threads for it [i1ptb.42]\n",
        "state/.sleep.json": '{"debt": 8}',
    }
    for at in range(many):
        why = f"## Why\n\n{words}\n"
        files[f"state/task-{at:03}.md"] = f"---\nstatus: todo\npriority: low\nupdated: 2026-01-01\n---\n\n{why}"
        pinned = "true" if at < 5 else "false"
        files[f"knowledge/page-{at:03}.md"] = (
            f"---\ndescription: {words}\npinned: {pinned}\ntags: [a, b]\n---\n\n{words * (at + 4)}\n"
        )
        files[f"core/features/feature-{at:03}.md"] = f"---\nstatus: active\n---\n\n{why}"
        files[f"core/{at + 3}.more.md"] = f"---\nname: More {at}\nsummary: {words}\n---\n"
    return files


@pytest.mark.parametrize("budget", [1, 50, 100, 250, 500, 501, 777, 1_000, 2_000, 4_000, 9_300, HOOK, 20_000, 100_000])
def test_both_measures_are_under_the_budget(world, budget):
    """Whatever the budget, neither UTF-16 units nor bytes are above it, and there is a text as soon as one can be."""
    text = world.lay(crowded()).text(budget)
    assert units(text) <= size(text) == len(text.encode()) <= budget
    assert len(text.encode("utf-16-le")) // 2 == units(text)
    assert bool(text) == (budget >= 100)


def test_what_matters_most_stands_in_the_first_two_thousand(world):
    """In a hook's budget handoff, threads and the first task stand where a client that cuts still looks."""
    text = world.lay(crowded()).text(HOOK)
    head = text[:2_000]
    assert re.findall(r"(?m)^## (.*)$", head)[:3] == ["Handoff", "Active Threads", "Active Tasks"]
    assert "- next_priority: T-002" in head
    assert "- T-002 Make it fast" in head
    assert "- task-000 (status: todo, priority: low, updated: 2026-01-01)\n  Why: memory lock" in head


def test_every_rung_is_in_the_ledger(world):
    """The ledger says for each section its rung, what it cost and how much of it stands in full; it adds up."""
    built = world.lay(crowded()).built(HOOK)
    rungs = {one.name: one.rung for one in built.sections}
    assert rungs["Active Threads"] == rungs["Commands"] == "full"
    assert rungs["Soul"] == rungs["Active Tasks"] == rungs["Pinned Knowledge"] == "summary"
    assert {one.name for one in built.sections} == {row.name for row in sections.SNAPSHOT} - ABSENT
    shown = sum(one.bytes + 2 for one in built.sections if one.rung != "left out")
    assert size(build.TITLE) + shown == size(built.text)
    tasks = next(one for one in built.sections if one.name == "Active Tasks")
    assert 0 < tasks.shown < tasks.of == 60


def test_small_budgets_count_and_say_what_is_left_out(world):
    """In 500 the lists are counted, and the last line says how many sections are not there and what prints them."""
    built = world.lay(crowded()).built(500)
    assert "## Active Tasks" in built.text
    assert "## Pinned Knowledge" in built.text
    out = [one.name for one in built.sections if one.rung == "left out"]
    assert built.text.endswith(f"Left out for want of room: {len(out)} sections (`sleepwake snapshot`)")


def test_everything_is_full_where_everything_fits(world):
    """A budget that holds all steps nothing down; only the order is that of a bounded snapshot."""
    world.lay(crowded(4))
    whole = world.built(200_000)
    assert {one.rung for one in whole.sections} == {"full"}
    names = [row.name for row in sections.SNAPSHOT if row.name not in ABSENT]
    assert [one.name for one in whole.sections] == names
    assert sorted(whole.text.split("\n")) == sorted(world.text().split("\n"))


def test_the_same_files_are_the_same_bytes(world):
    """Built twice, a snapshot is the same, and so it is where files were made in another order."""
    files = crowded()
    first = world.lay(files).text(HOOK)
    assert first == world.text(HOOK)
    for path in files:
        if path.startswith("knowledge/"):
            os.unlink(os.path.join(world.context.folder, path))
    world.lay(dict(reversed(files.items())))
    assert first == world.text(HOOK)


def test_pinned_pages_step_down_one_by_one(world):
    """With more room more pinned pages stand in full; those that do not are named."""
    world.lay({path: text for path, text in crowded().items() if path.startswith("knowledge/")})
    seen = []
    for budget in (1_500, 3_000, 5_000, 8_000):
        text = world.text(budget)
        bodies = re.findall(r"(?m)^### (page-\d+)$", text)
        named = text.partition("## Pinned Knowledge")[2]
        assert all(f"page-00{at}" in named for at in range(5))
        seen.append(len(bodies))
    assert seen == sorted(seen)
    assert seen[0] < seen[-1]


def test_a_page_is_cut_between_paragraphs_and_never_in_a_fence(world):
    """What is left of a page ends with one of its paragraphs, no fence is open, and its path says where the rest is."""
    text = world.lay({"core/2.memory.md": crowded()["core/2.memory.md"], "state/a.md": "x"}).text(700)
    assert "Start.\n\n(the rest: memory/core/2.memory.md)" in text
    assert "```" not in text


def test_the_tables_name_every_section():
    """Each section has its place in the order, a lowest rung and a last step; every step says why."""
    names = [row.name for row in sections.SNAPSHOT]
    assert len(names) == len(set(names)) == len({row.full for row in sections.SNAPSHOT})
    for row in sections.SNAPSHOT:
        assert row.turns[0].share == ladder.LINE or row.name == "Commands"
        assert row.make or kinds.of_section(row.name) or row.name == "Pinned Knowledge"
    for table in (sections.SNAPSHOT, sections.BRIEFING):
        steps = sections.steps(table)
        assert all(turn.why for _, turn in steps)
        assert len(steps) == len({turn.number for row in table for turn in row.turns})
    assert {kind.section for kind in kinds.RECORDS} <= set(names)


# --- generated trees ---

NAMES = st.text(st.sampled_from("abcXYZ-_ .0123ä记é😀"), min_size=1, max_size=12).filter(
    lambda one: one.strip(" .") == one
)
WORDS = st.text(
    st.one_of(st.sampled_from(list("ab \n\n#-`~<>!()[]{}:|*'\"\r\t")), st.characters(codec="utf-8")), max_size=300
)
VALUES = st.one_of(
    st.sampled_from(["active", "todo", "completed", "true", "[a, b]", '"x: y"', "2026-02-26", "|", "- x", "", "{{X}}"]),
    WORDS,
)
FIELDS = st.dictionaries(
    st.sampled_from(["status", "priority", "name", "description", "tags", "pinned", "related_tasks", "updated"]), VALUES
)
SECTION = st.sampled_from(
    ["## Why\n\n", "## Changelog\n\n### 2026-02-26 - X\n- ", "```\n", "<!-- ", "-->\n", "Why\n---\n"]
)


@st.composite
def page(draw):
    """Return a page in any state, mostly with front matter and sections."""
    fields = draw(FIELDS)
    top = (
        "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + draw(st.sampled_from(["---\n", ""]))
    )
    body = "".join(part + draw(WORDS) + "\n" for part in draw(st.lists(SECTION, max_size=4)))
    text = draw(st.sampled_from([top + body, body, top]))
    return draw(st.sampled_from([text, text.replace("\n", "\r\n"), "\ufeff" + text])).encode()


@st.composite
def tree(draw):
    """Return the files of a context folder."""
    files = {}
    for folder in ("state", "knowledge", "core/features", "core"):
        for name in draw(st.lists(NAMES, max_size=5, unique_by=str.casefold)):
            files[f"{folder}/{name}.md"] = draw(page())
    for name in (
        "core/0.soul.md",
        "core/1.user.md",
        "core/2.memory.md",
        "/main.md",
        "hot/threads.md",
        "hot/context.md",
    ):
        if draw(st.booleans()):
            files[name] = draw(st.one_of(page(), st.binary(max_size=50)))
    for name in ("core/CHANGELOG.json", "core/RELEASES.json", "state/.sleep.json"):
        if draw(st.booleans()):
            files[name] = draw(st.one_of(st.binary(max_size=30), JSON))
    return files


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.sampled_from(["1.2.0", "planned", "\ud83d"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["date", "version", "summary", "entries", "debt", "sessions", "x"]), inner),
    ),
    max_leaves=12,
).map(lambda value: json.dumps(value).encode())


def lay(base, files):
    """Write files below a context folder."""
    os.makedirs(os.path.join(base, "memory", "core"))
    for path, content in files.items():
        place = os.path.join(base, path[1:] if path[0] == "/" else os.path.join("memory", path))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(content)
    return contexts.require(base)


def counted(text, name):
    """Return how many a section of a text says that it does not name."""
    part = text.partition(f"## {name}\n")[2].partition("\n## ")[0]
    found = re.findall(r"(\d+) (?:more|active tasks|pinned pages) ?", part)
    return int(found[-1]) if found else 0


@settings(max_examples=share(100), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(tree(), st.one_of(st.integers(1, 700), st.integers(500, 20_000)))
def test_any_tree_in_any_budget(files, budget):
    """Never a failure, always under the budget, the same bytes twice; tasks and pinned pages are named or counted."""
    with tempfile.TemporaryDirectory() as base:
        context = lay(os.path.realpath(base), files)
        whole = build.snapshot(context, Settings())
        bounded = build.snapshot(context, Settings(), budget)
        briefing = build.briefing(context, Settings(), budget)
        assert bounded == build.snapshot(context, Settings(), budget)
        for text in (whole.text, bounded.text, briefing.text):
            assert "\r" not in text
            assert text == text.encode().decode()
        for text in (bounded.text, briefing.text):
            assert units(text) <= len(text.encode()) <= budget
        tasks = [item.name for item in pages.tasks(context)]
        pinned = [one.slug for one in pages.knowledge(context) if one.pinned]
        for built in (whole, bounded, briefing) if budget >= 500 else (whole,):
            for name, names in (("Active Tasks", tasks), ("Pinned Knowledge", pinned)):
                if names:
                    assert f"## {name}\n" in built.text
                    rung = next(one.rung for one in built.sections if one.name == name)
                    missing = [one for one in names if one not in built.text]
                    assert len(missing) <= (0 if rung == "full" and name == "Active Tasks" else len(names))
                    assert not missing or rung == "full" or counted(built.text, name) >= len(missing)


@settings(max_examples=share(300))
@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=60), st.text("ab😀é", min_size=1, max_size=9)), min_size=1, max_size=12
    ),
    st.integers(0, 900),
    st.booleans(),
    st.one_of(st.none(), st.integers(0, 12)),
)
def test_a_section_fits_its_room(items, room, picks, most):
    """A section in whatever room is no larger, has its heading if it is shown, and is whole where there is room."""
    part = Part(
        "X", "## X", [Item(*one) for one in items], count="12 in x/", where="x/", between="\n\n", picks=picks, most=most
    )
    shown = fitted(part, room)
    assert shown.size <= max(room, 0)
    assert shown.text.startswith("## X\n\n") or not shown.text
    assert shown.shown <= shown.of == len(items)
    if full(part).size <= room and (most is None or most >= len(items)):
        assert shown.rung == "full"
