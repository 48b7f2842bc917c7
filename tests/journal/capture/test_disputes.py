"""What a session takes back itself is not told as if it stood."""

from __future__ import annotations

import pytest

from sleep.compression.redundancy import Recalled
from sleep.journal.capture import disputes, session_entries
from sleep.records.known_texts import KnownTexts
from sleep.transcripts.events import Event

CAUSE = "The issue is that the lamp of the harbour reads the wrong table of tides."
FIX = "I changed the lamp to read the table of the northern pier, and it burns at night now."


def told(*events):
    """Return the kinds of entries of a session by their words."""
    numbered = [event._replace(line=line) for line, event in enumerate(events, 1)]
    digest = session_entries.digest(numbered, 2_000, Recalled(()))
    drafts = session_entries.new_entries(digest, "s1", KnownTexts(()))
    return {f"{draft.title} {draft.body}".strip(): draft.kind for draft in drafts}


def asks(text):
    return Event("person", "prompt", text)


def says(text):
    return Event("agent", "text", text)


EDIT = (Event("agent", "edit", path="lamp.py", id="e"), Event("tool", "result", id="e"))
ASKED = asks("Why is the lamp of the harbour dark?")


@pytest.mark.parametrize(
    "reply",
    [
        "That's not right, try again please.",
        "It still doesn't burn at night.",
        "same error as before, look at the relay",
        "Das geht immer noch nicht.",
        "还是不亮，再试一次",
        "まだ同じエラーです",
        "it still happens in the fog",
        "I still see a dark lamp",
        "nope, the lamp is still missing at night",
        "Das passiert immer noch.",
        "还是会出现这个问题",
        "还是有一个错误",
        "I'm still getting a dark lamp at night",
        "so, that seems to have failed to resolve the issue",
        "ça marche toujours pas",
        "non funziona ancora",
        "sigue sin funcionar",
        "ainda não funciona",
        "het werkt nog niet",
        "всё равно не работает",
        "여전히 같은 오류가 나요",
    ],
)
def test_what_a_person_contradicts_was_not_learnt(reply):
    """A cause that the person's next words contradict is told neither as an insight nor as a fix."""
    later = says("The relay of the pier was soldered to the wrong pole. I soldered it anew.")
    words = told(ASKED, says(f"{CAUSE} {FIX}"), *EDIT, asks(reply), *EDIT, later)
    assert not any(CAUSE in each for each in words)
    assert any("wrong pole" in each for each in words)
    words = told(ASKED, *EDIT, says(f"{CAUSE} {FIX}"), asks("Thanks. Now the buoy."), later)
    assert any(CAUSE in each for each in words)


@pytest.mark.parametrize(
    "reply",
    [
        "Great, it burns. The ferry still doesn't ring its bell.",
        "API Error: connection reset. Try again",
        "my wifi dropped, try again",
        "still no answer from the mayor, but go on",
        'Next: the board says "try again" twice, take one out.',
        "Super. Die Fähre läutet aber immer noch nicht, die Glocke geht einfach nicht.",
        "Das WLAN war weg, versuch es nochmal",
        "刚才网络断了，再试一次",
        "回線が切れました。もう一度試してください",
        "non va toccato prima di domenica",
        "no va a cambiar antes del domingo",
    ],
)
def test_what_a_person_says_of_something_else_contradicts_nothing(reply):
    """A fault of what nobody spoke of, a session that was cut off and a quotation leave a cause as it stands."""
    words = told(ASKED, *EDIT, says(f"{CAUSE} {FIX}"), asks(reply), *EDIT, says("The bell of the ferry rings now."))
    assert any(CAUSE in each for each in words)


@pytest.mark.parametrize(
    "reply",
    ["The lamp is still broken.", "I press the key of the ferry and it still doesn't burn"],
)
def test_what_was_spoken_of_is_contradicted_by_its_name(reply):
    """A fault of what was asked or told, or of a pronoun, contradicts the cause."""
    words = told(ASKED, says(f"{CAUSE} {FIX}"), *EDIT, asks(reply), *EDIT, says("I soldered the relay of the pier."))
    assert not any(CAUSE in each for each in words)


def test_a_guess_on_the_way_is_not_learnt():
    """Of what an agent supposes and then finds only the finding is told."""
    guess = "The cause is that the relay failed, probably because the fuse of the pier has blown in the storm."
    words = told(ASKED, says(guess), says("I look at the table."), says(f"{CAUSE} {FIX}"))
    assert not any("fuse" in each for each in words)
    assert any(CAUSE in each for each in words)


def test_what_says_what_was_done_is_no_guess():
    """The sentence that has the files of a session stays a change, though it supposes something too."""
    done = says("I changed the lamp to read the other table, which suggests that the pier was moved.")
    assert "change" in told(ASKED, *EDIT, done, Event("agent", "run", "make", id="r")).values()
    assert "change" in told(ASKED, *EDIT, done, says("Now the buoy."), *EDIT).values()


def test_a_plan_that_was_refused_is_not_told():
    """Of a refused plan nothing is told, of the words before it what the agent found but not what it would do."""
    plan = Event("agent", "plan", "# Lamp\n\nThe lamp gets a battery of its own below the pier.", id="p")
    found = "The old file of the harbour loses the hours of the lamp. I'll add a migration of the old hours."
    refusal = Event("person", "answer", "nobody uses the old file, rename it on main instead")
    words = " ".join(told(ASKED, says(found), plan, refusal, *EDIT, says("Renamed the file of the harbour on main.")))
    assert "battery" not in words
    assert "migration" not in words
    assert "loses the hours" in words


def test_an_error_that_was_left_behind_is_not_open():
    """An error is not told where the person went on to something else, or the agent says that all passes."""
    run = Event("agent", "run", "make lamp", id="r")
    failed = Event("tool", "result", "lamp.c:3: no such pier", id="r", ok=False)
    start = (ASKED, run, failed)
    assert any("no such pier" in each for each in told(*start, says("The pier of the lamp is missing.")))
    assert any("no such pier" in each for each in told(*start, says("Hm."), asks("?"), says("I could not mend it.")))
    for end in ((says("I rebuilt the lamp. All tests pass."),), (says("Hm."), asks("Paint the buoy of the harbour."))):
        assert not any("no such pier" in each for each in told(*start, *end))


GUESSES = (
    "It looks like the fuse is gone.",
    "Das liegt vermutlich an der Sicherung.",
    "This could be a race of two lamps.",
    "這可能是保險絲的問題。",
    "I think it is the fuse, which I have not verified.",
)
FACTS = (
    CAUSE,
    "The root cause is that a header must be a single line, and the file has two.",
    "The cause is that an hour may be a number or a word.",
    "It looks like the lamp reads the old table. I verified it at the pier.",
    "Die Ursache ist, dass ein Kopf eine Zeile lang sein muss, und der Eintrag muss die erste Zeile sein.",
    "原因是两个进程不可能同时持有锁，超时应该是秒，代码当成了毫秒。",
    "看起来灯读了旧的表，我验证了两次。",
)


@pytest.mark.parametrize("text", ["原因是灯读了旧的潮汐表。", "查了一下，问题出在灯的保险丝。"])
def test_a_chinese_cause_was_learnt(text):
    """What a Chinese session found to be the matter is an insight."""
    assert told(asks("灯为什么不亮？"), says(text), *EDIT, says("换上了新的保险丝，现在亮了。")).get(text) == "insight"


@pytest.mark.parametrize("text", [*GUESSES, *FACTS])
def test_a_guess_says_so(text):
    """Words of doubt make a guess; a plain statement does not, nor what must or may be, nor what has proof."""
    assert disputes.is_guess(text) == (text in GUESSES)


def test_a_choice_ends_where_it_leads_to_a_list():
    """A choice has no colon behind it: what it leads to is not told with it."""
    said = "**Decision:** We keep the lamp of the harbour on gas:\n\n```\nlamp = gas\npier = red\n```"
    words = told(ASKED, says(said))
    assert next(each for each, kind in words.items() if kind == "decision").endswith("on gas.")


def noticed(*events):
    """Return what a session noticed."""
    numbered = [event._replace(line=line) for line, event in enumerate(events, 1)]
    digest = session_entries.digest(numbered, 2_000, Recalled(()))
    drafts = session_entries.new_entries(digest, "s1", KnownTexts(()))
    return [draft.words for draft in drafts if draft.standing == "noticed"]


MOVE = "Where should we keep the plans? Let's move the store to SQLite while we're at it."
CHOICE = "Let's move the store to SQLite while we're at it."
SAID = says("I noted the plan to store the plans in one table.")


@pytest.mark.parametrize(
    "reply",
    [
        "Hmm, wait. Actually, forget SQLite: the manager edits the file by hand. Keep JSON.",
        "drop the SQLite idea, please",
        "On second thought, scrap SQLite for now.",
        "Nein, vergiss SQLite.",
        "Doch kein SQLite, die Leitung ändert die Datei von Hand.",
        "算了，不用 SQLite",
    ],
)
def test_what_a_person_drops_by_name_is_not_noticed(reply):
    """A choice that the session noticed, and that a person drops later by its name, is no record that waits."""
    assert CHOICE in noticed(asks(MOVE), SAID)
    assert CHOICE not in noticed(asks(MOVE), SAID, asks(reply), says("All right, the file stays."))


@pytest.mark.parametrize(
    "reply",
    [
        "Don't forget SQLite needs a lock.",
        "Forget the tests of the store for now.",
        "Should we drop SQLite?",
        "Drop the old table from the docs.",
        "I always forget SQLite's syntax.",
    ],
)
def test_what_a_person_does_not_drop_is_noticed(reply):
    """Who asks, forgets by mistake, or drops something else, takes nothing back."""
    assert CHOICE in noticed(asks(MOVE), SAID, asks(reply), says("All right."))


def test_of_what_a_person_contradicts_only_the_deeds_are_told():
    """Who says that it does not work needs no steps to see that it works, and no offer to look again."""
    report = (
        "You can see the light of the lamp at night by:\n\n1. Walking to the northern pier of the harbour\n"
        "2. Waiting for the fog above the water to lift\n\n"
        "I added a relay to the lamp of the harbour."
    )
    end = "The lamp needs a second wire. It burns at night now."
    found = told(ASKED, *EDIT, says(report), asks("It is not working. Please test the relay."), *EDIT, says(end))
    words = " ".join(found)
    assert "Walking to the northern pier" not in words
    assert "I added a relay" in words
    assert "second wire" in words
