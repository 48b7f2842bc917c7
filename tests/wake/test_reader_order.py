"""A brief wake of an imported memory, in the order in which a reader needs it."""

from __future__ import annotations

import re

import pytest

from sleep.documents.project import brief_parts
from sleep.evaluation import adapter
from sleep.records.kinds import KINDS

_POTTERS = ("Ada", "Bela", "Cleo", "Dora")


def _day(potter):
    told = (
        f"# Session of {potter}\n\n## Outcome\n\nMoved the kiln of {potter} to the new shed.\n\n"
        f"## Decisions\n\n- Keep the glaze of {potter} in one barrel, because the clay needs less of it\n\n"
        f"## Constraints\n\n- Never open the kiln of {potter} while it is warm\n\n"
        f"## Open tasks\n\n- [ ] Measure the oven of {potter} again\n\n"
        f"## Open questions\n\n- Who pays for the wood of {potter}?\n\n"
        f"## Dead ends\n\n- Firing the bowls of {potter} twice made them brittle\n\n## Notes\n\n"
    )
    return told + "".join(
        f"- The `shelf/{potter.lower()}/{line}.md` holds cups of {potter}, painted in village {line} by the river.\n"
        for line in range(40)
    )


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """Return a folder with the memory of four imported journals, and no word of what it is for."""
    folder = str(tmp_path_factory.mktemp("pottery"))
    for number, potter in enumerate(_POTTERS, 1):
        adapter.session(folder, f"2026-01-0{number}.md", _day(potter), "2026-02-01T00:00:00Z")
    return folder


@pytest.mark.parametrize("budget", [1_000, 2_000, 4_000])
def test_it_begins_in_the_readers_order(imported, budget):
    """State, what waits on a person, what is next, rules, decisions and dead ends stand above the days, so ordered."""
    text = adapter.woken(imported, budget).text
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    parts = ["State: what the last sessions changed", *(KINDS[kind].plural for kind in brief_parts.KINDS)]
    shown = [head for head in heads if head in parts]
    assert shown == [head for head in parts if head in shown]
    assert {
        "State: what the last sessions changed",
        "Questions",
        "Tasks",
        "Constraints",
        "Decisions",
        "Dead ends",
    } <= set(shown)
    assert heads[: len(shown)] == shown
    assert any("instance" in head for head in heads[len(shown) :])
    assert text.index("Moved the kiln of Dora") < text.index("Measure the oven of") < text.index("Never open the kiln")


@pytest.mark.parametrize("budget", [1_000, 2_000, 4_000])
def test_nothing_is_told_twice(imported, budget):
    """What a document says as a record and as a line is told once."""
    text = adapter.woken(imported, budget).text
    for potter in _POTTERS:
        for words in ("Measure the oven of", "Never open the kiln of", "Keep the glaze of"):
            assert text.count(f"{words} {potter}") <= 1


def test_the_table_names_each_kind_once():
    """The kinds of the parts are kinds of records, each in one part; each part says why it is there."""
    assert len(set(brief_parts.KINDS)) == len(brief_parts.KINDS)
    assert all(KINDS[kind].is_record for kind in brief_parts.KINDS)
    assert all(part.reason and part.most for part in brief_parts.PARTS)
    assert [part.name for part in brief_parts.PARTS] == [
        *("purpose", "state", "waits", "next", "rules", "decisions", "failed"),
    ]
