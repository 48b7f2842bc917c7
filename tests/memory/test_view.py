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
