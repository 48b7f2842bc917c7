"""What this product's own memory adds: read as the rest of the program reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import main_page
from sleep.wake.snapshot import page_outline, record_sections
from sleep.wake.snapshot.held_records import Standing

PAGES = [
    "# P\n\nFor tea.\n\n## A\n\nNo.\n",
    "For tea.\n\n## A\n",
    "P\n=\n\nFor tea.\n\n# Q\n\nToo.\n\nA\n-\n",
    "---\nname: x\n---\n\n# P\n\nFor tea.\n",
    "## A\n\nNo.\n",
    "# P\n\n```\n## A\n```\n\n## B\n",
    "",
]


@pytest.mark.parametrize("text", PAGES)
def test_the_purpose_is_the_main_pages(text):
    """What a briefing takes for the purpose is what `documents.main_page` does."""
    body = text[len("---\nname: x\n---\n") :] if text.startswith("---") else text
    assert page_outline.opening(body) == main_page.purpose(text)


def test_the_names_are_the_main_pages():
    """The fields of the handoff are those that a sleep writes, each once."""
    assert sorted(record_sections.FIELDS) == sorted(main_page.FIELDS)


VALUE = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp", "Cs")), min_size=1, max_size=40
)


@given(
    st.dictionaries(
        st.sampled_from(main_page.FIELDS), VALUE.filter(lambda one: one.strip() and "<" not in one), min_size=1
    )
)
def test_the_handoff_is_the_main_pages(tmp_path_factory, said):
    """The handoff that a sleep wrote is told, in the order of need, unless it has but a date; a person's is not."""
    from sleep.store.context import Context  # noqa: PLC0415

    base = tmp_path_factory.mktemp("base")
    (base / "memory").mkdir()
    text = main_page.new("P") + "\n## HANDOFF\n\nMine.\n"
    text = main_page.with_section(
        text, main_page.HANDOFF, "\n".join(f"- {name}: {value}" for name, value in said.items())
    )
    (base / "main.md").write_text(text, encoding="utf-8", newline="")
    where = Context(str(base), str(base / "memory"))
    part = record_sections.handoff(where, Standing(where))
    read = main_page.handoff(text)
    if set(read) == {"updated"}:
        assert part is None
        return
    told = dict(item.full.removeprefix("- ").split(": ", 1) for item in part.items)
    assert {name: value.split() for name, value in told.items()} == {
        name: value.split() for name, value in read.items()
    }
    assert list(told) == [name for name in record_sections.FIELDS if name in read]


def test_words_of_a_person_below_a_handoff_of_a_date_are_told(world):
    """A handoff that has but a date is none; what a person wrote below it is told all the same."""
    dated = main_page.with_section("# ferry\n", main_page.HANDOFF, "- updated: 2026-11-21T09:00:00Z")
    assert "## Handoff" not in world.lay({"/main.md": dated, "core/0.soul.md": "x"}).text()
    assert "Call Ada about the pier." in world.lay({"/main.md": f"{dated}\nCall Ada about the pier.\n"}).text()


def test_no_hot_memory_no_sections(world):
    """A project's own `main.md` and a folder called `hot` are not read in a tree that an older tool left."""
    files = {"/main.md": "## HANDOFF\n\n- next_priority: x\n", "hot/threads.md": "## Threads\n\n- A [i1ptb.1]\n"}
    assert world.lay(files, "_agent_context").text() == ""


def test_a_tier_that_cannot_be_read_costs_one_line(world):
    """A binary file in a tier's place is a line in its section."""
    text = world.lay({"hot/threads.md": b"\0", "/main.md": b"\0", "core/0.soul.md": "x"}).text()
    assert "## Active Threads\n\n(memory/hot/threads.md is no text)" in text
    assert "## Handoff\n\n(main.md is no text)" in text


def test_a_list_of_what_is_to_do_is_told_in_its_order(world):
    """Of an agent's list that was noticed the first points are told, in its order; records come the newest first."""
    tasks = "".join(f"- Mend lamp {at} [i2ptb.{at}]\n  - source: agent\n" for at in range(4, 9))
    rules = "".join(f"- Never stop mill {at} [i2ptb.1{at}]\n" for at in range(2))
    page = f"# Threads\n\n## Tasks noticed\n\n{tasks}"
    text = world.lay({"hot/threads.md": page, "hot/context.md": f"# Context\n\n## Constraints\n\n{rules}"}).text()
    places = [text.index(f"Mend lamp {at} ") for at in range(4, 7)]
    assert places == sorted(places)
    assert "Mend lamp 7" not in text
    assert text.index("mill 1") < text.index("mill 0")
