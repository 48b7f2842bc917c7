"""Telling: small talk, the memory's own words, and what a journal says already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.compression import passages, redundancy
from sleep.compression.redundancy import KnownMoments, Recalled
from sleep.records.known_texts import KnownTexts
from sleep.transcripts.events import Event


@pytest.mark.parametrize(
    "words", ["hi", "Hello!", "Thanks a lot :)", "yes, go on", "OK", "/compact", "👍", "...", "您好"]
)
def test_small_talk_is_known(words):
    """Greetings, thanks, assents, signs and the client's own commands tell nothing."""
    assert redundancy.is_small_talk(words)


@pytest.mark.parametrize(
    "words",
    [
        *("fix tests", "hi, fix the lock", "/review", "/compact keep the decisions", "no, use flock", "锁住了吗"),
        *("I'm off the main branch now", "that's it for the parser, it fails", "das wars mit dem Parser?"),
    ],
)
def test_a_request_is_none(words):
    """A request is none, however short and however it begins, nor is a command that somebody wrote."""
    assert not redundancy.is_small_talk(words)


@pytest.mark.parametrize(
    "words",
    [
        *("great, I'm off to lunch", "cool, gn8", "that's all, thanks", "Prima, das wars für heute.", "ok bis morgen!"),
        *("Schönen Feierabend!", "gute Nacht", "好的，明天见", "谢谢，我先下班了"),
        *("Nein danke. Auf Wiedersehen.", "今天就这样，辛苦"),
    ],
)
def test_who_only_leaves_says_nothing(words):
    """A farewell is small talk: no session was asked for it."""
    assert redundancy.is_small_talk(words)


@pytest.mark.parametrize(
    ("reply", "is_open"),
    [
        ("there are no old saves, nothing was released", False),
        ("no need for a migration, and orcs shall stay", False),
        ("don't forget the old saves", True),
        ("are there no old saves?", True),
        ("there is no hurry with the migration", True),
        ("there is no migration yet", True),
        ("es gibt noch keine migration", True),
    ],
)
def test_a_task_that_a_person_denies_at_once_is_none(reply, is_open):
    """What an agent says is left is over where the person's next words say that there is no such thing, or need."""
    left = "Still to do: orcs and bats don't flee yet, and old saves have no migration."
    turns = [said(left), prompt(reply), said("The map of the caves is cached now.")]
    assert bool([one for one in passages.cut(turns) if one.states == "task"]) == is_open


def prompt(text):
    return Event("person", "prompt", text)


def said(text):
    return Event("agent", "text", text)


def kept(*events):
    """Return the texts that are left."""
    return [one.text for one in redundancy.without_greetings_back(events)]


def test_an_answer_to_a_greeting_by_words_alone_goes():
    """What the agent says to a greeting goes; what it says to an assent, or before it does something, stays."""
    run = Event("agent", "run", "ls")
    assert kept(prompt("hi"), said("Hello!"), prompt("fix it"), said("done")) == ["hi", "fix it", "done"]
    assert kept(prompt("hi"), said("I look."), run, said("found")) == ["hi", "I look.", "ls", "found"]
    assert kept(prompt("yes"), said("So be it.")) == ["yes", "So be it."]
    assert kept(prompt("hi"), said("side")._replace(side=True)) == ["hi", "side"]


@pytest.mark.parametrize(
    ("reply", "is_echo"),
    [
        ("Understood, I won't rename nodes.", True),
        ("Understood, never.", True),
        ("Got it: renaming nodes is off.", True),
        ("Understood, NodeTree keeps its names.", False),
        ("Understood, the 3 nodes stay.", False),
        ("Okay, half of the scenes load nodes lazily.", False),
        ("I won't rename nodes, because scripts load them by name.", False),
    ],
)
def test_who_only_repeats_a_person_says_nothing(reply, is_echo):
    """An agent's nod with the person's own words is an echo; a name, a figure or more of its own makes it news."""
    assert redundancy.is_echo(reply, "don't ever rename my nodes, half of the scenes broke last time") is is_echo


@pytest.mark.parametrize(
    ("request_", "reply"),
    [("is the lock safe?", "Okay, the lock is safe."), ("is the lock safe", "Yes, the lock is safe.")],
)
def test_an_answer_is_no_echo(request_, reply):
    """What answers a question tells something, though it has no other words."""
    assert not redundancy.is_echo(reply, request_)


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        ("please rename the nodes", "Understood, I can't rename the nodes."),
        ("bitte die Knoten umbenennen", "Verstanden, die Knoten benenne ich nicht um."),
        ("图片以后一律走 CDN", "好的，图片以后不能走 CDN。"),
    ],
)
def test_who_says_that_it_is_not_done_echoes_nothing(request_, reply):
    """A not that the person did not say is news."""
    assert not redundancy.is_echo(reply, request_)


def test_an_echo_goes_by_letters_without_spaces():
    """A script without spaces is compared letter by letter."""
    assert redundancy.is_echo("好的，以后图片都走 CDN。", "图片不要再放进包里了，以后一律走 CDN")
    assert not redundancy.is_echo("好的，旧图片已经全部删除。", "图片不要再放进包里了，以后一律走 CDN")


MEMORY = "- **D-001** Use flock for the lock, because the kernel drops it with its holder. [i1abc.2]\n"


def test_the_memorys_own_words_are_known():
    """A text with an address, or nearly all of whose words stand in the memory in a row, was read from there."""
    recalled = Recalled([MEMORY])
    assert recalled.has("Use flock for the lock, because the kernel drops it with its holder.")
    assert recalled.has("D-001: use **flock** for the lock because the kernel drops it with its holder")
    assert recalled.has("See [i7qxk.12].")
    assert not recalled.has("The instance i7qxk.12 is yours.")
    assert not recalled.has("use flock for the lock")  # five words are anybody's
    assert not recalled.has("Use a lease for the lock, because the kernel of the other side drops it in the end.")


SAID = KnownTexts(["Use flock for the lock no server is needed", "3 tests fail on the Mac", "done"])


@pytest.mark.parametrize(
    "text",
    [
        "Use flock for the lock: no server is needed.",
        "I decided to use flock for the lock because no server is needed.",
        "flock for the lock",
        "Done.",
        "3 tests fail on the Mac!",
    ],
)
def test_what_a_journal_says_is_known_by_its_words(text):
    """The same words, a part of them, and nearly all that tells, in other order or with others between, are there."""
    assert SAID.has(text)


@pytest.mark.parametrize(
    "text",
    [
        "Use portalocker for the lock: no server is needed.",
        "A server is needed for flock, so use the lock.",
        "4 tests fail on the Mac",
        "3 tests pass on the Mac",
        "well done",
        "flock",
    ],
)
def test_what_differs_in_a_name_a_figure_or_a_turn_is_new(text):
    """Another name, figure or turn of the sentence says something else."""
    assert not SAID.has(text)


def test_what_a_parents_journal_tells_is_known_by_moment_and_words():
    """Only the same words at the same millisecond are a parent's; a second, or a moment alone, is nobody's."""
    told = KnownMoments([("2026-11-21T10:00:00.123Z", "Make the lock hold"), ("2026-11-21T10:00:01Z", "Make it fast")])
    assert told.has("2026-11-21T10:00:00.123Z", "make the lock hold on NFS")
    assert not told.has("2026-11-21T10:00:00.123Z", "make the door hold on NFS")
    assert not told.has("2026-11-21T10:00:00.124Z", "make the lock hold on NFS")
    assert not told.has("2026-11-21T10:00:01Z", "Make it fast")


@given(st.text(max_size=80))
def test_what_is_said_is_known_the_next_time(text):
    """Whatever a text holds, one that is there is there."""
    known = KnownTexts([])
    known.add(text)
    assert known.has(text)
    assert isinstance(Recalled([text]).has(text), bool)
    assert isinstance(redundancy.is_small_talk(text), bool)


@pytest.mark.parametrize(
    "text",
    [
        "Done. Want me to push it?",
        "Both pass. **Shall I merge them now?**",
        "I've completed the previous request. What would you like to do next?",
        "Would you like me to also implement the import?",
        "Want me to draft the exact message, or anything else before you run it?",
        "Is there anything else?",
        "Should I go ahead with the release?",
        "Thoughts?",
        "Any adjustments before I write it to the plan file?",
        "Any other questions?",
    ],
)
def test_an_offer_only_asks_leave_to_go_on(text):
    """What an agent ends a turn with asks nothing that stays open without it."""
    assert redundancy.is_offer(text)


@pytest.mark.parametrize(
    "text",
    [
        "Should I use flock?",
        "Want me to use flock or a lease?",
        "Which approach do you prefer?",
        "Any reason to keep sqlite?",
        "Who owns the server? Want me to ask?",
        "It holds.",
        "",
    ],
)
def test_a_question_that_wants_to_know_something_is_no_offer(text):
    """A choice, a question after something, and a mere statement are none."""
    assert not redundancy.is_offer(text)


@pytest.mark.parametrize(
    "text",
    [
        "Want me to open a request, or would you rather test it first?",
        "Would you like to begin with the icons, or should we go on with the registry?",
        "Shall we start the local server, or do you have more names?",
        "Do you approve this plan?",
        "Does this layout sound good to you?",
        "Is the way errors are handled acceptable?",
        "Can you run the login first?",
        "How do I add a table?",
        "Want me to push it?",
    ],
)
def test_a_question_how_to_go_on_does_not_stand_open(text):
    """What only the next turn can answer is no open question, though it names a choice."""
    assert redundancy.asks_how_to_go_on(text)


@pytest.mark.parametrize(
    "text",
    [
        "Should I use MySQL or SQLite?",
        "Should each task have its own commit, or just a snapshot?",
        "Can you tell which of the two tables is older?",
        "Would you want a menu in the tray?",
        "Want me to use SQLite or one file for it?",
        "Would you like me to keep both tables, or only the new one?",
        "Shall we store it in memory or on disk?",
        "Would you like a menu in the tray, or a window?",
        "Shall we push it? Which port does the server take?",
    ],
)
def test_a_question_about_the_work_stands_open(text):
    """What the work hangs on stays a question, also beside an offer."""
    assert not redundancy.asks_how_to_go_on(text)


def test_a_plan_that_a_client_sends_is_the_agents():
    """A person's words are that it be carried out, with its title; the plan itself is a plan of the agent's."""
    sent = Event("person", "prompt", "Implement the following plan:\n\n# Tests of the lock\n\n1. Write them", line=4)
    asked, plan = redundancy.without_pastes([sent])
    assert (asked.role, asked.kind, asked.text) == (
        "person",
        "prompt",
        "Implement the following plan: Tests of the lock",
    )
    assert (plan.role, plan.kind, plan.text, plan.line) == (
        "agent",
        "plan",
        "# Tests of the lock\n\n1. Write them",
        4,
    )


def test_a_prompt_without_what_was_pasted_is_the_persons():
    """Lines of a terminal are taken out of a prompt, and out of nothing else."""
    pasted = "The build hangs.\nana@box:~/app$ make\nall done"
    events = [Event("person", "prompt", pasted), Event("agent", "text", pasted)]
    assert [event.text for event in redundancy.without_pastes(events)] == ["The build hangs.", pasted]
