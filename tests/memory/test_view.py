"""A view of a memory: what an earlier one parsed is not parsed again, and nothing stale is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import front_matter, paths, tier
from sleep.memory.view import View
from sleep.records.address import Address, InstanceId
from sleep.records.fragment import Fragment
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


def test_whose_a_journal_is_is_read_once_for_all_views(monkeypatch):
    """Front matter is read once for the views that follow one another, and anew as soon as it says something else."""
    asked = []
    real = front_matter.peek
    monkeypatch.setattr(front_matter, "peek", lambda text: asked.append(text) or real(text))
    path, head = paths.journal(3), "---\ninstance: 3\ntag: abc\n---\n"
    tree = InMemory({path: f"{head}# Journal: instance 3\n"})
    first = View(tree)
    assert first.instance_of(path) == InstanceId(3, "abc")
    tree.take({path: f"{head}# Journal: instance 3\n\nMore was said.\n"})
    assert View(tree, first).instance_of(path) == InstanceId(3, "abc")
    assert len(asked) == 1
    tree.take({path: tree.texts[path].replace("abc", "xyz")})
    assert View(tree, first).instance_of(path) == InstanceId(3, "xyz")
    tree.take({path: "no front matter"})
    assert View(tree, first).instance_of(path) is None


def test_front_matter_that_ends_with_the_text_is_read_anew():
    """What follows the last `---` without a line between may make words of what was front matter."""
    path = paths.journal(3)
    tree = InMemory({path: "---\ninstance: 3\ntag: abc\n---"})
    first = View(tree)
    assert first.instance_of(path) == InstanceId(3, "abc")
    tree.take({path: f"{tree.texts[path]}-"})
    assert View(tree, first).instance_of(path) is None


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


_ADDRESSES = st.builds(Address, st.sampled_from((1, 11)), st.sampled_from(("abc", "xyz")), st.integers(1, 3))
_SAID = st.builds(
    Fragment,
    st.sampled_from(("note", "decision")),
    st.sampled_from(("It holds", "As i1abc.1 says", "Not i11xyz.2, but this")),
    st.lists(_ADDRESSES, min_size=1, max_size=2, unique=True).map(tuple),
)


@given(pages=st.lists(st.lists(_SAID, max_size=4), max_size=3), title=st.sampled_from(("Lock", "Of i1abc.1")))
def test_what_instances_said_is_what_all_that_stands_tells(pages, title):
    """What instances said is found by their addresses, as if every fragment was asked; a mention is none."""
    texts = {f"memory/warm/p{at}.md": tier.write("", add=own, title=title) for at, own in enumerate(pages)}
    view = View(InMemory(texts))
    for wanted in ({InstanceId(1, "abc")}, {InstanceId(1, "abc"), InstanceId(11, "xyz")}, set()):
        all_ = [place for place in view.placed(paths.WARM) if place[1].instances & wanted]
        assert view.said_by(wanted, paths.MEMORY) == all_
