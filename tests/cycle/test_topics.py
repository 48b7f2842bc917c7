"""Topic files: few, by subject, and in parts that are filled again."""

from __future__ import annotations

from scene import Memory

from sleep.cycle import topics
from sleep.documents import paths, tier
from sleep.language import tokens
from sleep.memory.view import View
from sleep.records.address import Address
from sleep.records.fragment import Fragment

LIMIT = 300


def _fragment(number, text):
    return Fragment("note", f"{text}, said as number {number} of a long row", (Address(1, "abc", number),))


def _put(memory, items, limit=LIMIT):
    _take(memory, topics.put(memory.view, paths.WARM, items, limit))


def _arrange(memory, items, limit=LIMIT):
    _take(memory, topics.arranged(memory.view, paths.WARM, [("", fragment) for fragment in items], limit)[0])


def _take(memory, writes):
    for path, text in writes.items():
        if text is None:
            memory.texts.pop(path)
        else:
            memory.texts[path] = text


def _held(memory):
    """Return the ordinals that each topic's file holds."""
    return {
        paths.topic_of(path): [one.identity.ordinal for one in memory.view.tier(path).fragments]
        for path in memory.view.files(paths.WARM)
    }


def test_parts_are_filled_again():
    """What comes goes where a part has room, so parts that lost fragments are no holes."""
    memory = Memory()
    _put(memory, [("auth", _fragment(number, "the login form")) for number in range(1, 41)])
    first, files = "memory/warm/auth.md", memory.view.files(paths.WARM)
    assert len(files) > 2
    memory.texts[first] = tier.write(memory.texts[first], drop=memory.view.tier(first).fragments[1:])
    _put(memory, [("auth", _fragment(50, "the login form"))])
    assert 50 in _held(memory)["auth"]
    assert all(tokens.count(memory.texts[path]) <= LIMIT for path in files)


def test_small_topics_fold():
    """A topic of a fragment or two goes into the one that shares its words, or into general; none is lost."""
    memory = Memory()
    _put(memory, [("auth", _fragment(one, "the login form")) for one in range(1, 9)])
    _put(memory, [("auth-mail", _fragment(9, "the login form")), ("toys", _fragment(10, "a ball"))])
    _put(memory, [("general", _fragment(one, "a day")) for one in range(11, 20)])
    _arrange(memory, [_fragment(20, "a day")])
    assert set(_held(memory)) == {"auth", "general"}
    assert _held(memory)["auth"][:9] == [*range(1, 10)]
    assert sorted(one for own in _held(memory).values() for one in own) == [*range(1, 21)]


def test_a_persons_topic_stays():
    """A topic that an entry names itself is not folded, however small."""
    memory = Memory()
    memory.journal("## Insights\n\n### Insight: the ball is red\n\n- topic: toys\n")
    entry = next(one for one in memory.view.journal(paths.journal(1)).entries if one.field("topic"))
    _put(memory, [("toys", Fragment("note", "The ball is red.", (entry.address,)))])
    _arrange(memory, [_fragment(6, "a day")])
    assert _held(memory)["toys"] == [entry.address.ordinal]


def test_what_a_person_added_stays():
    """A file that folds keeps what is not ours, byte for byte."""
    memory = Memory()
    _put(memory, [("mail", _fragment(4, "the mail"))])
    memory.texts["memory/warm/mail.md"] += "\nMy own words.\n"
    _arrange(memory, [_fragment(6, "a day")])
    assert _held(memory) == {"general": [4, 6], "mail": []}
    assert memory.texts["memory/warm/mail.md"].endswith("\nMy own words.\n")


def test_a_topic_stays_one():
    """What outgrows its file goes on in parts, and its fragments keep their topic."""
    memory = Memory()
    _put(memory, [("auth", _fragment(number, "the reader of Redis")) for number in range(1, 31)])
    before = _held(memory)
    _arrange(memory, [_fragment(31, "a day")])
    assert {name: own for name, own in _held(memory).items() if topics.base(name) == "auth"} == before
    assert len(before) > 1


def test_same_input_same_files():
    """The order in which topics come to be plays no part in what they hold."""
    one, two = Memory(), Memory()
    said = [(name, _fragment(number, "a day")) for number, name in enumerate(("b", "a", "c") * 3, 1)]
    _put(one, said)
    _put(two, sorted(said, key=lambda item: item[0]))
    assert one.texts == two.texts


def test_of_a_large_tier_few_pages_are_read(monkeypatch):
    """Where many pages stand, only the last ones of each topic, and those without a topic, are parsed to place more."""
    memory = Memory()
    _put(memory, [("auth", _fragment(number, "the login form")) for number in range(1, 501)])
    pages = memory.view.files(paths.WARM)
    read = set()
    really = View.tier
    monkeypatch.setattr(View, "tier", lambda view, path: read.add(path) or really(view, path))
    writes, (home,) = topics.arranged(memory.view, paths.WARM, [("auth", _fragment(600, "the login form"))], LIMIT)
    assert home == "auth"
    assert set(writes) & set(pages)
    assert len(read) < len(pages) / 4


def test_what_changes_its_topic_is_told():
    """Of what stands in a tier and goes to another topic the one before and the one after are named, once each."""
    memory = Memory()
    _put(memory, [("auth", _fragment(one, "the login form")) for one in range(1, 9)])
    _put(memory, [("toys", _fragment(10, "a ball")), *(("general", _fragment(one, "a day")) for one in range(11, 20))])
    writes, _ = topics.arranged(memory.view, paths.WARM, [("", _fragment(20, "a day"))], LIMIT)
    assert topics.relocated(memory.view, writes) == [("toys", "general")]


def test_what_changes_its_topic_is_told_by_what_is_written(monkeypatch):
    """Of all files of a memory only those are read that a step writes."""
    memory = Memory()
    _put(memory, [(name, _fragment(one, "a day")) for one, name in enumerate(("auth", "mail", "toys", "x", "y"), 1)])
    read = []
    really = View.tier
    monkeypatch.setattr(View, "tier", lambda view, path: read.append(path) or really(view, path))
    assert not topics.relocated(memory.view, {"memory/warm/mail.md": "# mail\n"})
    assert set(read) == {"memory/warm/mail.md"}
