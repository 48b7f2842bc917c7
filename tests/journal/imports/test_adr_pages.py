"""Pages of several decision records."""

from __future__ import annotations

import pytest
from scene import write

from sleep.journal.imports import adr_pages, importer, reader

PAGE = """\
# Decisions

## ADR-001: Use stone

- **Status:** Superseded by ADR-003
- **Decision:** We build of stone.

## ADR-002: Use wood

**Status:** Rejected
**Context:** Is wood enough?
**Decision:** We build of wood.
**Rationale:** It is cheap.

## ADR-003: Use brick

### Status

Accepted

### Decision

We build of brick.

## ADR-004: Use clay

**Status:** Proposed

We would build of clay.
"""


RECORD = "## Status\n\nRejected\n\n## Context\n\nRain.\n\n## Decision\n\nWe build of it.\n"


def test_a_page_of_records_is_each_of_them(scene):
    """Each record of a page is one decision, in the state that its status says, or a question if it is proposed."""
    write(scene.home / "town.md", PAGE)
    gathered = reader.gather([str(scene.home / "town.md")], scene.place.root)
    importer.import_sources(scene.place, scene.now(), gathered)
    records = [record.fragment for record in scene.view.records.values()]
    assert [(record.kind, record.state, record.text.partition(":")[0]) for record in records] == [
        ("decision", "superseded", "Use stone"),
        ("decision", "reversed", "Use wood"),
        ("decision", "standing", "Use brick"),
        ("question", "open", "Use clay (proposed, not decided)"),
    ]
    assert [record.field("why") for record in records[:2]] == ["", "It is cheap."]
    again = importer.import_sources(scene.place, scene.now(), gathered)
    assert not again.journals


def test_the_parts_are_the_page():
    """The parts are cut between lines, so that together they are the page; a title stands in the first."""
    parts = adr_pages.split(PAGE)
    assert "".join(part.text for part in parts) == PAGE
    assert [(part.name, part.line) for part in parts] == [
        ("ADR-001", 1),
        ("ADR-002", 8),
        ("ADR-003", 15),
        ("ADR-004", 25),
    ]
    assert adr_pages.split(PAGE.replace("# Decisions", "# Decisions\n\nOf the town."))[0].record is None


@pytest.mark.parametrize(
    "text",
    [
        "# Decisions\n\n## D-1: Use stone\n\nIt lasts.\n\n## D-2: One gate\n\nIt is cheap.\n",  # no part of a record
        PAGE.partition("## ADR-002")[0],
        "# Log\n\n## Day 1\n\n**Status:** done\n\n## Day 2\n\n**Status:** done\n",
    ],
)
def test_other_pages_are_whole(text):
    """A page of headings without a status or decision, of one record or of something else is not cut."""
    assert adr_pages.split(text) == []


@pytest.mark.parametrize(
    "item",
    [
        "- [{0}]({0}-use-{1}.md) Use {1}",
        "- ADR-{0} – Use {1} ([{0}]({0}-use-{1}.md))",
        "1. ADR-{0}: [Never use {1}]({0}-use-{1}.md)",
        "| [{0}]({0}-use-{1}.md) | Use {1} | Superseded by ADR-0009 |",
    ],
)
def test_an_index_of_records_decides_nothing(scene, item):
    """The list of a folder's records points to them: what was rejected there does not stand again by its title."""
    rows = [item.format(f"000{number}", name) for number, name in enumerate(("stone", "wood", "brick"), 1)]
    table = ["| ADR | Decision | Status |", "| --- | --- | --- |"] if item.startswith("|") else []
    for name in ("stone", "wood"):
        write(scene.home / "adr" / f"000{1 + (name == 'wood')}-use-{name}.md", f"# Use {name}\n\n{RECORD}")
    write(scene.home / "adr" / "README.md", "\n".join(["# Decisions", "", *table, *rows, ""]))
    importer.import_sources(scene.place, scene.now(), reader.gather([str(scene.home / "adr")], scene.place.root))
    assert {record.fragment.state for record in scene.view.records.values()} == {"reversed"}
