"""Topic files: few, by subject, and in parts that are filled again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scene import Memory

from sleep.cycle import topics
from sleep.documents import journal, paths, tier
from sleep.language import tokens
from sleep.records import topic
from sleep.records.address import Address, InstanceId
from sleep.records.fragment import Fragment

LIMIT = 300


def _fragment(number, text):
    return Fragment("note", f"{text}, said as number {number} of a long row", (Address(1, "abc", number),))


def _put(memory, items, limit=LIMIT):
    _take(memory, topics.put(memory.view, paths.WARM, items, limit))


def _arrange(memory, items, limit=LIMIT):
    _take(memory, topics.arranged(memory.view, paths.WARM, items, limit))


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
    """A topic of fewer fragments than open one goes into the nearest or into general; none is lost."""
    memory = Memory()
    _put(memory, [("auth", _fragment(one, "the login form")) for one in (1, 2, 3)])
    _put(memory, [("mail", _fragment(4, "the auth mail")), ("toys", _fragment(5, "a ball"))])
    _arrange(memory, [("general", _fragment(6, "a day"))])
    assert _held(memory) == {"auth": [1, 2, 3, 4], "general": [5, 6]}


def test_a_persons_topic_stays():
    """A topic that an entry names itself is not folded, however small."""
    memory = Memory()
    memory.journal("## Insights\n\n### Insight: the ball is red\n\n- topic: toys\n")
    entry = next(one for one in memory.view.journal(paths.journal(1)).entries if one.field("topic"))
    _put(memory, [("toys", Fragment("note", "The ball is red.", (entry.address,)))])
    _arrange(memory, [("general", _fragment(6, "a day"))])
    assert _held(memory)["toys"] == [entry.address.ordinal]


def test_what_a_person_added_stays():
    """A file that folds keeps what is not ours, byte for byte."""
    memory = Memory()
    _put(memory, [("mail", _fragment(4, "the mail"))])
    memory.texts["memory/warm/mail.md"] += "\nMy own words.\n"
    _arrange(memory, [("general", _fragment(6, "a day"))])
    assert _held(memory) == {"general": [4, 6], "mail": []}
    assert memory.texts["memory/warm/mail.md"].endswith("\nMy own words.\n")


def test_few_topics():
    """Where there are too many topics the smallest fold, until there are as many as there may be."""
    memory = Memory()
    count = 0
    for number in range(topic.MOST + 4):
        size = 3 + number % 2
        _put(memory, [(f"{chr(97 + number)}x", _fragment(count + one, "a day")) for one in range(1, size + 1)])
        count += size
    _arrange(memory, [("general", _fragment(count + 1, "a day"))])
    held = _held(memory)
    sizes = [len(own) for name, own in held.items() if topics.base(name) != topic.GENERAL]
    half = topic.MOST // 2 + 2
    assert sorted(sizes) == [3] * (half - 4) + [4] * half
    assert sorted(one for own in held.values() for one in own) == list(range(1, count + 2))


def test_an_overgrown_topic_is_divided():
    """What outgrows its file gives off what names one thing; the rest goes on in parts."""
    memory = Memory()
    said = [("general", _fragment(one, "the reader of Redis" if one % 3 else "a day")) for one in range(1, 31)]
    _arrange(memory, said[:15])
    _arrange(memory, said[15:])
    held = {}
    for name, own in _held(memory).items():
        held.setdefault(topics.base(name), []).extend(own)
    assert sorted(held) == ["general", "redis"]
    assert sorted(held["redis"]) == [one for one in range(1, 31) if one % 3]


def test_same_input_same_files():
    """The order in which topics come to be plays no part in what they hold."""
    one, two = Memory(), Memory()
    said = [(name, _fragment(number, "a day")) for number, name in enumerate(("b", "a", "c") * 3, 1)]
    _put(one, said)
    _put(two, sorted(said, key=lambda item: item[0]))
    assert one.texts == two.texts


SAID = ["- topic: auth", "- topic: Auth 2", "thread: auth\n  and more", "- topic: mail", "", "words on a topic: auth"]


@given(st.lists(st.sampled_from(SAID), min_size=4, max_size=4), st.sampled_from(["auth", "auth2", "mail", "auth-and"]))
def test_a_given_name_is_found(said, name):
    """That a person named a topic is found as if every journal were read as a whole."""
    memory = Memory()
    for number, words in enumerate(said, 1):
        instance = InstanceId(number, "abc")
        text = journal.start(instance, {"started": "2026-11-21T10:00:00Z"})
        memory.texts[paths.journal(number)] = f"{text}\n## Note: x [{instance}.1]\n\n{words}\n"
    fragments = [Fragment("note", f"words {number}", (Address(number, "abc", 1),)) for number in range(1, 6)]
    fragments.append(Fragment("thread", "Mail server", (Address(9, "abc", 1),), "T-009"))
    _put(memory, [(name, one) for one in fragments])
    view = memory.view
    found = topics._NamedTopics(view).has(name, view.files(paths.WARM))
    assert found == any(one.named and one.name == name for one in topics._wishes(view, fragments))
