"""Deeds: the first change of a session says what was done."""

from __future__ import annotations

import pytest

from sleep.journal.capture import deeds, digest_drafts, session_digest
from sleep.transcripts.events import Event


def session(*turns):
    """Return events: a person's words, the files that were edited, and the agent's words, turn by turn."""
    events, line = [], 0
    for asked, edited, *said in turns:
        events.append(Event("person", "prompt", asked, line=(line := line + 1)))
        for path in edited:
            events.append(Event("agent", "edit", path=path, id=f"c{line}", line=(line := line + 1)))
            events.append(Event("tool", "result", id=f"c{line - 1}", line=line))
        events += [Event("agent", "text", text, line=(line := line + 1)) for text in said]
    return events


def change(*turns):
    """Return the words of the first change of a session, and its files."""
    entries = digest_drafts.drafts(session_digest.of(session(*turns), moves=False))
    first = next((entry for entry in entries if entry.kind == "change"), None)
    return (first.title, dict(first.fields).get("files")) if first else None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Clean build. The phone row is a plain button now and leads to the mobile page.", "The phone row is a plain"),
        ("You're welcome! The config file now has port 9000.", "The config file now has port 9000."),
        (
            "Clean build. Here's what changed:\n\n**Sign-in** — The phone row is now a plain button.",
            "**Sign-in** — The",
        ),
        ("Fixed. The problem was that the selector is a function. The card now selects a boolean.", "The card now"),
        ("All 31 tests pass now. The issue was a migration. I deleted the migration and its table.", "I deleted the"),
        ("The redirect is due to a check in the settings. I removed the check and reloaded.", "I removed the check"),
        ("All 10 tests of the lock are implemented and passing in the suite.", "All 10 tests of the lock"),
        ("Ich habe die Sperre durch flock ersetzt.", "Ich habe die Sperre"),
        ("我已经把锁改成了 flock。", "我已经把锁"),
        ("I can see the structure. I'll add the function to the module.", digest_drafts.FILES),
        ("Holding off — no merge done.", digest_drafts.FILES),
    ],
)
def test_the_first_change_is_the_sentence_that_says_what_was_done(said, told):
    """It begins with the deed or its result; a nod, a heading, a cause and an intention are none."""
    title, files = change(("Please mend the page.", ["src/page.tsx"], said))
    assert title.startswith(told)
    assert files == "src/page.tsx"


def test_that_an_agent_sees_something_tells_nothing():
    """`I can clearly see the issue.` is no sentence that a journal keeps; what it sees is."""
    said = "I can clearly see the issue. The field was renamed, and its tag in the stored state changed with it."
    entries = digest_drafts.drafts(session_digest.of(session(("What is wrong with the state?", [], said)), moves=False))
    words = " ".join(f"{entry.title} {entry.body}" for entry in entries)
    assert "The field was renamed" in words
    assert "clearly see" not in words


def test_a_side_question_at_the_end_has_no_files():
    """What the turn with the edits says is the outcome, whatever was said after it."""
    done = ("Remove the threshold.", ["jest.config.js"], "Done. The global threshold is removed.")
    review = ("Is the other request fine?", [], "This is a well-structured specification. All of it was fixed before.")
    assert change(done, review) == ("The global threshold is removed.", "jest.config.js")


def test_an_earlier_turn_tells_where_the_last_says_nothing():
    """Of several turns with edits the last that says what was done is told."""
    first = ("Mend the page.", ["page.tsx"], "The page now shows the store.")
    assert change(first, ("Lint it.", ["page.tsx"], "All files are clean.")) == (
        "The page now shows the store.",
        "page.tsx (2)",
    )


def test_a_commit_tells_where_no_words_do():
    """The message of a commit is what was done."""
    events = session(("Mend the page.", ["page.tsx"]))
    run = Event("agent", "run", 'git commit -m "Show the store on the page of the cart"', line=8)
    events += [run, Event("agent", "text", "Committed and pushed.", line=9)]
    entries = digest_drafts.drafts(session_digest.of(events))
    assert next(entry.title for entry in entries if entry.kind == "change") == "Show the store on the page of the cart"


@pytest.mark.parametrize(
    "text",
    [
        "The tests should be run.",
        "If it fails, I removed it.",
        "The index was originally created there.",
        "Want me to push it?",
        "The credit notes are made by the old exporter, which I can't see.",
    ],
)
def test_what_was_not_done_is_no_report(text):
    """A wish, a condition, the past of others, an offer and what something else does report nothing."""
    assert deeds.reports(text) == 0


def test_a_plan_reports_nothing_and_teaches_nothing():
    """What a plan lays out is a note, though its headings are those of a report."""
    plan = (
        "## Files Modified\n\n- `lock.py` gets the retry\n\n## Why\n\nThe problem is that the lock is never released."
    )
    events = [Event("agent", "plan", plan, line=1), Event("agent", "text", "I wait for your word on it.", line=2)]
    kinds = {entry.title: entry.kind for entry in digest_drafts.drafts(session_digest.of(events))}
    assert {kind for title, kind in kinds.items() if "lock.py" in title} == {"note"}


def test_a_fix_that_says_what_was_done_has_the_files():
    """Where the words are a fix, that stays one and has the files; no change says the same again."""
    turn = ("Mend the test.", ["lock.py"], "I've fixed the flaky test of the lock by sorting the keys.")
    entries = digest_drafts.drafts(session_digest.of(session(turn), moves=False))
    assert [(entry.kind, dict(entry.fields)["files"]) for entry in entries if "files" in dict(entry.fields)] == [
        ("fix", "lock.py")
    ]


def test_what_leads_to_a_list_may_tell_the_deed():
    """`Implemented the flag:` says what was done, `Here's what I changed:` does not."""
    assert outcome("Implemented the flag of the page with three tiers:\n\n- short\n- long").startswith(
        "Implemented the flag"
    )
    assert outcome("Here's what I changed:\n\n- Added the flag of the page").startswith("Added the flag")


def outcome(said):
    """Return the words of the first change of a session with one edit."""
    return change(("Please add the flag.", ["page.py"], said))[0]


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (("What does the agent do?", [], "The agent does not count a rate for each assertion of the ledger."), "note"),
        (("Mend it.", ["a.py"], "There is no helper for sizes of the ledger, so I'll add a simple one below."), "note"),
        (("Mend it.", ["a.py"], "The sizes of the ledger: bytes of each page in its own column."), "change"),
        (("Mend it.", [], "Moved the sizes of the ledger to a column of the page."), "change"),
    ],
)
def test_an_answer_and_an_intention_are_no_change(turn, said):
    """What ends a turn is a change where it tells a deed; beside an edit also in other words, but what will be done."""
    entries = digest_drafts.drafts(session_digest.of(session(turn), moves=False))
    (entry,) = (entry for entry in entries if turn[2] in (entry.title, entry.words))
    assert entry.kind == said


def test_a_commit_is_a_change_wherever_it_stands_in_a_digest():
    """What was committed is told as done, also where the digest has it among its details, and it has the files."""
    report = "The card selects a boolean where it selected a function, so the page is drawn once a second at most."
    asks = [(f"What does module {number} of the page do when the {number}th reader comes?", []) for number in range(40)]
    events = session(("Mend the card.", ["src/card.tsx"]), *((*ask, f"{ask[0]} It waits. {report}") for ask in asks))
    commit = Event("agent", "run", 'git commit -qm "card: select a boolean"', id="g", line=3)
    digest = session_digest.of([*events[:3], commit, *events[3:]], 2_000, moves=False)
    (placed,) = (placed for placed in digest.placed if placed.passage.kind == "commit")
    assert placed.section == "details"
    (entry,) = (entry for entry in digest_drafts.drafts(digest) if entry.title == "card: select a boolean")
    assert (entry.kind, dict(entry.fields)["files"]) == ("change", "src/card.tsx")


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Coyote time is in, a tenth of a second. Shall I tune it?", "Coyote time is in, a tenth of a second."),
        ("Eingestellt: 30 Sekunden.", "Eingestellt: 30 Sekunden."),
        ("首页骨架屏加好了。", "首页骨架屏加好了。"),
        ("Please try the coyote time in the editor.", digest_drafts.FILES),
        ("I'll look at the counter of the jump next.", digest_drafts.FILES),
        ("That didn't help, the jump still hangs in the air.", digest_drafts.FILES),
        ("Der Sprung hängt in der Luft weiterhin. Der Zähler steht auf null.", digest_drafts.FILES),
        ("角色还是卡住，问题不在计数器。", digest_drafts.FILES),
    ],
)
def test_where_no_sentence_tells_a_deed_the_last_report_is_the_change(said, title):
    """What an agent says last behind an edit is what it did, in its words; a question and a plan are not."""
    later = ("What is a coyote?", [], "A coyote is a wild dog of the prairie, and in games a bird hunter.")
    assert change(("Please add coyote time.", ["src/jump.cs"], said), later) == (title, "src/jump.cs")


def test_the_report_of_a_turn_is_one_change():
    """All that the last message behind an edit says becomes the change, and nothing where no file was edited."""
    said = "Coyote time holds a tenth of a second.\n\nThe counter of the jump stands at zero in the air."
    later = ("What is a coyote?", [], "A coyote is a wild dog of the prairie, and in games a bird hunter.")
    entries = digest_drafts.drafts(session_digest.of(session(("Add it.", ["jump.cs"], said), later), moves=False))
    assert [entry.words for entry in entries if entry.kind == "change"] == [" ".join(said.split())]
    entries = digest_drafts.drafts(session_digest.of(session(("Tell it.", [], said), later), moves=False))
    assert [entry for entry in entries if entry.kind == "change"] == []
