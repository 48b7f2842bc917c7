"""A digest's choice: what says most comes first, and any beginning is a digest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sleep.compression import digest, passages
from sleep.compression.coverage import LazyQueue
from sleep.language import tokens
from sleep.transcripts.events import Event


def cut(*said):
    """Return the passages of (role, kind, text)."""
    return passages.cut([Event(*one) for one in said])


def chosen(found, budget=2_000):
    """Return the texts that a digest keeps."""
    return [one.passage.text for one in digest.choose(found, budget)]


CONVERSATION = (
    ("person", "prompt", "Make the lock of the journal hold across processes."),
    ("agent", "text", "Let me read the file first."),
    ("agent", "text", "The lock file `journal.lock` is removed while `flock` still waits on its inode."),
    ("agent", "text", "The lock now holds: `flock` is taken again when the inode changed."),
    ("person", "prompt", "go on"),
    ("agent", "text", "Added `tests/test_lock.py`. Windows could still lose the lock."),
)


def test_the_first_round_tells_what_was_asked_how_it_ended_and_what_is_open():
    """Intent, outcome and open items lead, in this order, each under its section."""
    placed = digest.choose(cut(*CONVERSATION), 2_000)
    sections = [one.section for one in placed]
    assert sections == sorted(sections, key=digest.SECTIONS.index)
    assert placed[0].section == "intent"
    assert placed[0].passage.text == CONVERSATION[0][2]
    assert [one.passage.text for one in placed if one.section == "open items"] == [CONVERSATION[-1][2]]


def test_what_was_asked_begins_where_the_person_began():
    """Of a long first prompt its beginning is the intent, and not the part with the most words."""
    asked = "Can we sort the shelves of the reader? " + "I looked at them and they are all over the place again. " * 4
    names = ("amber", "basalt", "cobalt", "damask", "ebony", "fennel", "garnet", "hazel", "indigo")
    rest = " ".join(f"`{name}.py` goes to shelf {name} of `{name}_ledger`." for name in names)
    found = cut(("person", "prompt", f"{asked}\n\n{rest}"), *CONVERSATION[1:])
    assert not found[0].text.startswith(rest[:9])
    assert digest.choose(found, 300)[0].passage == found[0]


def test_the_question_that_is_asked_is_among_the_first():
    """However much a last message leaves open, its question is told before that; an offer waits for its turn."""
    options = [f"Option {one} could set `GIT_TREE_{one}` for tests/agent{one}_test.go later." for one in range(40)]
    for asked, sections in (("Which approach do you prefer?", ["open items"]), ("Want me to do it?", ["details"])):
        said = "\n\n".join([*options, asked])
        placed = digest.choose(cut(("person", "prompt", "Why do the tests fail?"), ("agent", "text", said)), 1_000)
        assert [one.section for one in placed if one.passage.text == asked] == sections


def test_a_promise_that_a_session_ends_with_is_open():
    """What an agent said last that it would do was left undone; what it reported after that was not."""
    asked = ("person", "prompt", "Commit this. What about the triple read of the transcript?")
    promise = ("agent", "text", "Good question, let me commit first, then address that.")

    def left(*said):
        return [one.passage.text for one in digest.choose(cut(*said), 250) if one.section == "open items"]

    assert promise[2] in left(asked, promise)
    assert promise[2] not in left(asked, promise, ("agent", "text", "Committed. The third read is gone."))
    assert left(("person", "prompt", "Hold the lock."), ("agent", "text", "Now the lock holds on NFS.")) == []


def test_what_is_stated_comes_before_prose_of_its_weight():
    """A choice in so many words has its place before what only says as much about the same."""
    prose = "The parser of `rules.toml` reads nested comments slowly."
    choice = "I decided to write `parser.py` by recursive descent."
    assert chosen(cut(("agent", "text", f"{prose}\n\n{choice}")), 250) == [choice, prose]


def test_what_adds_nothing_comes_last():
    """A passage whose terms were all said by others comes in after every one that adds some."""
    telling = [f"The reader of client{one} drops `field{one}` of version v{one}.0.1." for one in range(9)]
    repeats = "The reader drops the version, and the version that the reader drops is the reader's version."
    found = cut(*(("agent", "text", text) for text in (*telling[:7], repeats, *telling[7:])))
    assert repeats not in chosen(found, 170)
    assert repeats in chosen(found, 2_000)


def test_rounds_after_the_first_follow_the_conversation():
    """Within each later round, passages stand in the order in which they were said."""
    found = cut(
        *(("agent", "text", f"Step {one} moved `part{one}` to `place{one}` in file{one}.py.") for one in range(99))
    )
    placed = digest.choose(found, 900)
    rounds = [[one.passage.order for one in placed if one.round == number] for number in range(1, 3)]
    assert all(len(orders) > 1 and orders == sorted(orders) for orders in rounds)


def test_a_larger_budget_only_adds_rounds():
    """What a budget of 500 tokens keeps is the beginning of what 1,000 and 2,000 keep."""
    found = cut(
        *(("agent", "text", f"Step {one} moved `part{one}` to `place{one}` in file{one}.py.") for one in range(200))
    )
    small, middle, large = (chosen(found, budget) for budget in (500, 1_000, 2_000))
    assert middle[: len(small)] == small
    assert large[: len(middle)] == middle


@given(
    st.lists(
        st.tuples(st.sampled_from(["person", "agent"]), st.text(alphabet="abc XY.?`_", max_size=120)), max_size=12
    ),
    st.integers(1, 400),
)
def test_the_budget_holds_and_nothing_is_kept_twice(said, budget):
    """Whatever was said, the passages fit the budget as they are written, and none is there twice."""
    found = cut(*((role, "text" if role == "agent" else "prompt", text) for role, text in said))
    kept = chosen(found, budget)
    assert len(set(kept)) == len(kept)
    assert tokens.count("".join(f"- {one}\n" for one in kept)) <= budget


def test_a_small_budget_takes_what_fits():
    """Where the best passage is too long for the budget, shorter ones are taken instead of none."""
    long = "The lock of `journal.lock` on every file of `sleep/store` " + ", ".join(f"part{one}" for one in range(30))
    assert chosen(cut(("agent", "text", f"{long}."), ("agent", "text", "Tests pass.")), 20) == ["Tests pass."]


def test_a_long_conversation_is_ranked_lazily(monkeypatch):
    """Of a thousand passages few gains are reckoned again after each choice: all of them would be half a million."""
    reckoned = []

    class Counted(LazyQueue):
        def __init__(self, items, gain):
            super().__init__(items, lambda index: reckoned.append(index) or gain(index))

    monkeypatch.setattr(digest, "LazyQueue", Counted)
    found = cut(
        *(("agent", "text", f"Step {one} moved `part{one % 97}` to `place{one % 89}`.") for one in range(1_000))
    )
    assert len(chosen(found, 1_000)) > 10
    assert 0 < len(reckoned) < 10 * len(found)


def test_what_was_committed_is_told_though_its_words_were_said():
    """The last commits come in, though they repeat the proposals before them."""
    names = ("amber", "basalt", "cobalt", "damask", "ebony", "fennel")
    said = [("person", "prompt", "Mend the lamps of the pier, one after the other, and commit each.")]
    for name in names:
        said.append(
            ("agent", "text", f"I propose to mend the {name} lamp, for its relay and its switch are worn. " * 3)
        )
        said.append(("agent", "commit", f"mend the {name} lamp"))
        said += [
            ("agent", "text", f"A{letter}{name} and {letter}{name}son wait for {name}{letter}.")
            for letter in "bcdfghklm"
        ]
    kept = chosen(cut(*said), 700)
    assert {text for text in kept if text.startswith("mend ")} == {f"mend the {name} lamp" for name in names}


def test_what_was_asked_last_and_not_answered_is_among_the_first():
    """A session that ends with a person's words tells them, however little they add."""
    rest = [("agent", "text", f"The {name} lamp is dark, for `{name}.relay` is worn.") for name in "abcdefgh"]
    said = (*CONVERSATION, *rest, ("person", "prompt", "now the lock of the journal holds"))
    assert said[-1][2] in chosen(cut(*said), 90)
    assert said[-1][2] not in chosen(cut(*said, ("agent", "text", "It is ignored now: Windows has its own.")), 90)
