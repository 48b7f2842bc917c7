"""A view of a memory: what an earlier one parsed is not parsed again, and nothing stale is told."""

from __future__ import annotations

from sleep.documents import tier
from sleep.memory.view import View
from sleep.store.tree import InMemory

_PATH = "memory/warm/lock.md"
_ONE = "# Lock\n\n## Decisions\n\n- We use flock. [i001-abc.001]\n"


def test_a_page_is_parsed_once_for_all_views(monkeypatch):
    """Views that follow one another share the page of a path as long as its text is the same, and no longer."""
    asked = []
    real = tier.parse
    monkeypatch.setattr(tier, "parse", lambda text: asked.append(text) or real(text))
    tree = InMemory({_PATH: _ONE})
    first = View(tree)
    assert View(tree, first).tier(_PATH) is View(tree, first).tier(_PATH)
    assert asked == [_ONE]
    tree.take({_PATH: _ONE.replace("flock", "a file")})
    assert View(tree, first).tier(_PATH).text == tree.texts[_PATH]
    tree.take({_PATH: None})
    assert not View(tree, first).tier(_PATH).items


def test_a_thing_is_shared_by_the_views_that_follow():
    """What a step finds out for the next is one thing for a view and those after it, another for a new beginning."""
    first = View(InMemory({}))
    assert View(InMemory({}), first).shared(list) is first.shared(list)
    assert View(InMemory({})).shared(list) is not first.shared(list)


def test_pages_that_name_a_record_are_found():
    """By a number of its own or among those that say the same, and by an address; not by a part of one."""
    pages = {
        "memory/hot/decisions.md": "# Decisions\n\n## Decisions\n\n- **D-012** Keep it [i1abc.1 D-012]\n",
        "memory/warm/same.md": "# Same\n\n## Decisions\n\n- **D-007** All [i1abc.2 D-007]\n  - also: D-012, D-031\n",
        "memory/warm/longer.md": "# Longer\n\n## Decisions\n\n- **D-0121** Drop it, as D-012 says [i1abc.3]\n",
        "memory/cold/old.md": "# Old\n\n- It was kept [i1abc.4]\n",
    }
    view = View(InMemory(pages))

    def named(*handles):
        return sorted({path for path, _ in view.naming(handles)})

    assert named("D-012") == named("D-12 ") == ["memory/hot/decisions.md", "memory/warm/same.md"]
    assert named("D-031") == ["memory/warm/same.md"]
    assert named("i1abc.4") == named("D-9", "D-099 (i1abc.4)") == ["memory/cold/old.md"]
    assert named("D-121", "D-031") == ["memory/warm/longer.md", "memory/warm/same.md"]
    assert named("", "D-013") == []
