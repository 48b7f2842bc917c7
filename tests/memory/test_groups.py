"""Groups of what stands: brought up to date by what changed, they are those of all that is there."""

from __future__ import annotations

import random

from sleep.documents import paths, tier
from sleep.memory.groups import Groups
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.records.fragment import Fragment
from sleep.store.tree import InMemory

_PAGES = ("memory/warm/auth.md", "memory/warm/auth-2.md", "memory/warm/billing.md", "memory/warm/queue.md")
_WORDS = ("lock", "retry", "token", "index", "batch")


def _keys(fragment):
    return fragment.text.split()


def _fragment(chance):
    words = " ".join(chance.choices(_WORDS, k=chance.randrange(1, 4)))
    address = InstanceId(chance.randrange(1, 30), "abc").entry(chance.randrange(1, 9))
    return Fragment(chance.choice(("note", "insight", "decision")), words, (address,))


def _changed(chance, text):
    """Return a page with some fragments gone, some changed and some that came, a few of them twice; or none."""
    there = tier.parse(text or "").fragments
    gone = [fragment for fragment in there if chance.random() < 0.2]
    swap = {fragment: _fragment(chance) for fragment in there if chance.random() < 0.1 and fragment not in gone}
    come = [_fragment(chance) for _ in range(chance.randrange(4))]
    come += come[: chance.randrange(6) == 0]
    written = tier.write(text or "", drop=gone, replace=swap, add=come, title="Page")
    return written if chance.random() < 0.95 else None


def _scratch(view, key):
    return [place for place in view.placed(paths.WARM) if key in _keys(place[1])]


def _histories(seeds, steps, folder=paths.WARM):
    """Yield (seed, chance, view) after each step of memories in which pages come, change and go."""
    for seed in range(seeds):
        chance = random.Random(seed)
        tree = InMemory({})
        view = View(tree)
        for _ in range(steps):
            for page in chance.sample(_PAGES, k=chance.randrange(3)):
                path = page.replace(paths.WARM, folder)
                tree.take({path: _changed(chance, tree.read(path))})
            view = View(tree, view)
            yield seed, chance, view


def test_as_if_all_were_read_anew():
    """Pages come, change and go, views skip some of that, fragments stand twice: groups are as of all."""
    for seed, chance, view in _histories(30, 25):
        if chance.random() < 0.7:
            groups = view.by(paths.WARM, _keys)
            for word in _WORDS:
                there = _scratch(view, word)
                assert groups.of(word) == there, seed
                assert groups.count(word) == len({id(fragment) for _, fragment in there})
                assert (word in groups) == bool(there)
            pair = chance.sample(_WORDS, k=2)
            either = [place for place in view.placed(paths.WARM) if set(pair).intersection(_keys(place[1]))]
            assert groups.of(*pair) == either


def _record_keys(fragment):
    return _keys(fragment) if fragment.is_record else ()


def test_records_are_those_of_all_pages():
    """Pages come, change and go, with and without records: groups of records, and their list, are as of all pages."""
    for seed, _, view in _histories(20, 15, paths.COLD):
        records = [place for place in view.placed() if place[1].is_record]
        assert view.placed_records == records
        groups = view.by(paths.COLD, _record_keys)
        for word in _WORDS:
            assert groups.of(word) == [place for place in records if word in _keys(place[1])], seed


def test_a_cold_page_without_a_record_is_not_read_for_one(monkeypatch):
    """Who asks for records alone has no page of cold memory parsed that holds none."""
    said = {"memory/cold/auth.md": "decision", "memory/cold/billing.md": "insight"}
    address = InstanceId(1, "abc").entry(1)
    pages = {path: tier.write("", add=[Fragment(kind, "lock", (address,))], title="x") for path, kind in said.items()}
    view = View(InMemory(pages))
    read = set()
    really = View.tier
    monkeypatch.setattr(View, "tier", lambda own, path: read.add(path) or really(own, path))
    assert view.by(paths.COLD, _record_keys).count("lock") == len(view.placed_records) == len(view.records) == 1
    assert read == {"memory/cold/auth.md"}


def test_only_what_changed_is_asked(monkeypatch):
    """A page that changes in one line asks the function of that line; pages that stay ask nothing."""
    asked = []

    def keys(fragment):
        asked.append(fragment.text)
        return ("all",)

    pages = {path: tier.write("", add=[_fragment(random.Random(path))], title="Page") for path in _PAGES}
    view = View(InMemory(pages))
    assert len(view.by(paths.WARM, keys).of("all")) == len(_PAGES)
    asked.clear()
    fresh = Fragment("note", "one more", (InstanceId(40, "abc").entry(1),))
    later = View(InMemory({**pages, _PAGES[0]: tier.write(pages[_PAGES[0]], add=[fresh])}), view)
    looked = []
    follow = Groups.follow
    monkeypatch.setattr(Groups, "follow", lambda self, path, *rest: looked.append(path) or follow(self, path, *rest))
    assert later.by(paths.WARM, keys) is view.by(paths.WARM, keys)
    assert asked == ["one more", "one more"]  # it came for the later view and went for the one before
    assert looked == [_PAGES[0]] * 2


def test_views_may_ask_in_any_order():
    """A view that was passed over still sees what it saw: the groups follow whoever asks."""
    tree = InMemory({_PAGES[0]: "# Page\n\n## Notes\n\n- lock [i1abc.1]\n"})
    first = View(tree)
    assert first.by(paths.WARM, _keys).count("lock") == 1
    tree = InMemory({})
    second = View(tree, first)
    assert second.by(paths.WARM, _keys).count("lock") == 0
    assert first.by(paths.WARM, _keys).of("lock") == first.placed(paths.WARM)
