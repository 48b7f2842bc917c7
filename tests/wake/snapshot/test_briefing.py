"""What a sub-agent is told: where things are, and nothing of soul, user, memory and sleep."""

from __future__ import annotations

import pytest

from sleep import settings
from sleep.wake.snapshot import build


def page(body="", **fields):
    """Return a page with front matter."""
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + f"---\n\n{body}"


FILES = {
    "/main.md": "# Tea\n\nA house for tea:\nwarm and open.\n\n## HANDOFF\n\n- updated: x\n- next_priority: pour\n",
    "core/0.soul.md": page("Test soul.\n", name="Ada", description="A tea house"),
    "core/1.user.md": "Test user.",
    "core/2.memory.md": "Test memory.",
    "core/4.stack.md": page(name="Stack", summary="Kettles"),
    "core/features/pour.md": page("## Why\n\nThirst.\n", status="active"),
    "state/boil.md": page("## Why\n\nCold.\n", status="todo", priority="high", updated="2026-02-20"),
    "state/done.md": page(status="completed"),
    "state/.sleep.json": '{"debt": 8}',
    "knowledge/green.md": page(
        "Steep at 80.\n", name="Green", description="Green tea", tags="[leaf, hot]", pinned="true"
    ),
    "knowledge/black.md": page("Steep at 96.\n", description="Black tea"),
}


def test_what_is_told(world):
    """A briefing has purpose, places, tasks, index with tags, pinned pages and the core index."""
    text = world.lay(FILES).briefing()
    for words in (
        "## Project\n\nA house for tea: warm and open.",
        "- `memory/knowledge/`: ",
        "- boil (status: todo, priority: high, updated: 2026-02-20)",
        "- **green** (memory/knowledge/green.md): Green tea [leaf, hot]\n- **black** (",
        "### Green\n\nSteep at 80.",
        "- **Stack** (memory/core/4.stack.md): Kettles",
    ):
        assert words in text
    for words in (
        "Test soul",
        "Test user",
        "Test memory",
        "Debt",
        "Sleep State",
        "pour",
        "Steep at 96",
        "done",
        "Cold.",
    ):
        assert words not in text


def test_the_project_without_a_main_page(world):
    """Without a purpose in `main.md` the fields of the soul say what the project is; its words never do."""
    files = {path: text for path, text in FILES.items() if path != "/main.md"}
    assert "## Project\n\n**Ada**: A tea house\n" in world.lay(files).briefing()
    text = world.lay({**files, "core/0.soul.md": "Test soul."}).briefing()
    assert "## Project" not in text
    assert "Test soul" not in text


def test_a_placeholder_is_no_purpose(world):
    """The line of a fresh `main.md` that asks for a purpose is none."""
    files = {
        **FILES,
        "/main.md": "# P\n\n(Say here, in your own words, what this project is for. It is never rewritten.)\n",
    }
    assert "**Ada**: A tea house" in world.lay(files).briefing()


def test_the_readme_says_what_the_project_is(world):
    """Where neither main.md nor the soul says it, the README does, and is marked as derived."""
    files = {
        "/README.md": "# Tea\n\n**Tea** for all who are thirsty.\n",
        "knowledge/green.md": FILES["knowledge/green.md"],
    }
    text = world.lay(files).briefing()
    assert "## Project\n\nTea for all who are thirsty. (derived from README.md)\n" in text
    text = world.lay({**files, "/main.md": "# Tea\n\nA house.\n"}).briefing()
    assert "thirsty" not in text


def test_a_readme_alone_is_no_briefing(world):
    """Where there is nothing to look up, a README makes no briefing."""
    assert world.lay({"/README.md": "Tea for all who are thirsty.\n", "/main.md": "# Tea\n"}).briefing() == ""


def test_an_older_folder(world):
    """In a folder that an older tool left, the project's own `main.md` is not read."""
    text = world.lay(FILES, "_agent_context").briefing()
    assert "**Ada**: A tea house" in text
    assert "- `_agent_context/knowledge/`: " in text


def test_about_twenty_five_lines(world):
    """Of long lists the first are shown and the others named: some 25 lines that say something, beside pinned pages."""
    files = {path: text for path, text in FILES.items() if "green" not in path}
    few = world.lay(files).briefing()
    assert len([line for line in few.split("\n") if line]) <= 25
    for at in range(60):
        files[f"state/t{at}.md"] = page(status="todo")
        files[f"knowledge/k{at}.md"] = page(description="About it")
        files[f"core/{at + 5}.c{at}.md"] = page(name=f"C {at}")
    many = world.lay(files).briefing()
    assert len([line for line in many.split("\n") if line]) <= 40
    assert "- also: " in many


def test_pinned_pages_as_far_as_they_fit(world):
    """A pinned page that does not fit is named, and a later one that does is shown."""
    big = page("Large. " * 3_000, pinned="true", name="Big", description="Too much")
    text = world.lay({**FILES, "knowledge/a-big.md": big}).briefing()
    assert "### Green\n\nSteep at 80." in text
    assert "- also: a-big (memory/knowledge/)" in text
    assert "Large." not in text


@pytest.mark.parametrize("files", [{}, {"core/1.user.md": "x"}, {"sleep.yaml": "format: 1\n"}])
def test_nothing_to_tell(world, files):
    """Where there is neither purpose nor page, a sub-agent is told nothing."""
    assert world.lay(files).briefing() == ""


def test_the_prompt_is_the_task(world):
    """The rules of the prompt come first, then the decision and the dead end of it, whatever tier they stand in."""
    rules = "".join(f"- Rule {number} keeps the shed {number} dry [i9abc.{number}]\n" for number in range(2, 40))
    files = {
        "hot/context.md": f"# Context\n\n## Constraints\n\n- Never pour before noon [i1abc.1]\n{rules}",
        "cold/tea.md": "# Tea\n\n## Decisions\n\n- **D-001** Pour tea from the copper pot [i1abc.2]\n\n"
        "## Dead ends\n\n- Pouring tea through silk tore it [i1abc.3]\n",
    }
    world.lay(files)
    plain = world.briefing()
    told = build.briefing(world.context, settings.Settings(), 9_500, "pour the tea").text
    assert "Never pour before noon" not in plain
    rule, decision = told.index("Rule: Never pour before noon"), told.index("Decision: D-001 Pour tea from the copper")
    assert rule < told.index("Rule: Rule 39 keeps") < decision < told.index("Dead end: Pouring tea through silk")
