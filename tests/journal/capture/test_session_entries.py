"""Entries of a session: what was only noticed stands beside the prose, once."""

from __future__ import annotations

import pytest

from sleep.compression import passages
from sleep.compression.redundancy import Recalled
from sleep.journal.capture import prose_kinds, session_entries
from sleep.journal.capture.material import Work
from sleep.language.acts.likelihood import scorer
from sleep.language.acts.likelihood.scorer import Guess
from sleep.records.known_texts import KnownTexts
from sleep.transcripts.events import Event

LOCK = "The lock is `fcntl` in all of the stores."
PROSE = "A fork keeps it, and so does a thread of the server."


@pytest.fixture
def decides(monkeypatch):
    """Have the model take one sentence for a decision."""

    def guess(sentence):
        return Guess("decision", 2.0) if sentence.text.startswith("The lock is") else None

    monkeypatch.setattr(scorer, "guess", guess)


def entries(*texts, statements=(), rejected=()):
    """Return (standing, kind, words) of the entries of a session in which an agent says these texts."""
    events = [Event("agent", "text", text, line=line) for line, text in enumerate(texts, 1)]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    drafts = session_entries.new_entries(digest, "s1", KnownTexts(statements), lambda: KnownTexts(rejected))
    return [(draft.standing, draft.kind, f"{draft.title} {draft.body}".strip()) for draft in drafts]


def test_what_was_noticed_comes_last_beside_the_prose_that_holds_it(decides):
    """The prose stays as it is, and a noticed decision follows with the sentence alone."""
    *prose, last = entries(f"{LOCK} {PROSE}")
    assert [standing for standing, _, _ in prose] == ["stated"]
    assert f"{LOCK} {PROSE}" in prose[0][2]
    assert last == ("noticed", "decision", LOCK)


def test_prose_that_says_no_more_makes_room_for_it(decides):
    """A sentence that stands alone is told once, as what it may be; said twice, it is there once."""
    assert entries(LOCK, PROSE, LOCK) == [("noticed", "decision", LOCK), ("stated", "note", PROSE)]


def test_what_was_said_or_rejected_before_is_not_noticed(decides):
    """A journal that says it, or a person who said that it is none, keep it from being noticed."""
    assert all(standing == "stated" for standing, _, _ in entries(f"{LOCK} {PROSE}", statements=[LOCK]))
    assert all(standing == "stated" for standing, _, _ in entries(f"{LOCK} {PROSE}", rejected=[LOCK]))


@pytest.mark.parametrize(
    ("listed", "says", "count"),
    [
        ("Run the migrations on staging", "The migrations on staging are still to be run.", 1),
        ("Run the migrations on production", "The migrations on staging are still to be run.", 2),
    ],
)
def test_a_task_of_the_list_that_the_last_message_tells_is_one(listed, says, count):
    """What stands on the client's list and is said again in the end, in one's words and no others, is one task."""
    events = [
        Event("agent", "text", "The lock is `fcntl` in all of the stores now.", line=1),
        Event("agent", "tasks", f"- [ ] {listed}", line=2),
        Event("agent", "text", says, line=3),
    ]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    drafts = session_entries.new_entries(digest, "s1", KnownTexts(()))
    assert [draft.kind for draft in drafts].count("task") == count


REPORT = "The journal is rebuilt from the ledger of the store, with its marks and its topics."


def told(*said):
    """Return the words of the entries of a session, in which each says its text in turn."""
    roles = {"person": "prompt", "agent": "text"}
    events = [Event(role, roles[role], text, line=line) for line, (role, text) in enumerate(said, 1)]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    return [f"{each.title} {each.body}".strip() for each in session_entries.new_entries(digest, "s1", KnownTexts(()))]


def test_entries_follow_one_another_as_in_the_session():
    """What came of it stands below what was asked, however telling it is, and the parts of a message stay in order."""
    first, second = "Move the marks of the journal behind its seal.", "Which page of the store keeps the names?"
    cause = "The root cause is that the names were counted before the page of the store was sealed."
    words = told(("person", first), ("agent", REPORT), ("person", second), ("agent", f"{PROSE}\n\n{cause}"))
    assert words == [first, REPORT, second, f"{PROSE} {cause}"]


def test_the_prose_of_a_message_is_one_entry():
    """Sentences of one message that were parted to be chosen among stand together, each in its paragraph."""
    names = ("amber", "basalt", "cobalt", "damask", "ebony", "fennel")
    parts = [f"The page {name} is held by reader {name} until the {name} of its shelf is sealed." for name in names]
    asked, *rest = told(("person", " ".join(parts)), ("agent", REPORT))
    assert asked.split() == " ".join(parts).split()
    assert "\n\n" in asked
    assert rest == [REPORT]


def test_stages_of_a_turn_make_room_for_its_report():
    """How the work went on is not told where the turn ends with a report; what was learnt and mended at work is."""
    stage = "No markers remain in the second batch of the journal's pages."
    cause = "The root cause is that the marks were counted before the page of the journal was sealed."
    words = told(("agent", stage), ("agent", cause), ("agent", REPORT))
    assert stage not in " ".join(words)
    assert any(cause in each for each in words)
    assert any(REPORT in each for each in words)


def test_what_a_report_says_again_is_told_by_it_alone():
    """A cause that the report has in nearly the same words, and a commit that it has, are left out."""
    cause = "The root cause is that the marks were counted before the page was sealed."
    report = "The root cause was this: the marks of the journal were counted before its page was sealed by the store."
    for kind, text in (("text", cause), ("commit", "count marks before the page is sealed")):
        assert not any(text in each for each in offered(kind, text, report))
        assert any(text in each for each in offered(kind, text, REPORT))


def offered(kind, text, report):
    """Return the words that may be told of a turn in which an agent says a text at work, and a report in the end."""
    said = passages.cut([Event("agent", kind, text), Event("agent", "text", report)], moves=False)
    return [passage.text for passage in prose_kinds.without_stages(said, Work())]


def test_that_all_went_well_is_no_entry():
    """A message that only says so is none, also where it is the last."""
    words = told(("agent", REPORT), ("person", "And the tests of the store?"), ("agent", "All tests pass."))
    assert not any("All tests pass" in each for each in words)
    assert any(REPORT in each for each in words)


def test_that_all_went_well_is_not_told_before_what_was_done():
    """What stands before the sentence that says what was done makes no entry where it only says that all went well."""
    done = "Moved the marks of the journal behind the seal of its page in the store."
    assert [title for title, _ in titled(f"All passing. {done}")] == [done]


def test_why_something_was_done_is_told_beside_the_report():
    """What an agent says at work that it did, and for which reason, stands beside a report that lacks the reason."""
    deed = "The rule asks for rounding once on the total, so I changed `vat()` to sum first."
    assert any(deed in each for each in told(("agent", deed), ("agent", REPORT)))


def test_stages_are_told_where_nothing_reports():
    """A turn that ends with a few words or with a move, and one that a person cut short, has no other report."""
    stage = "The marks of the second batch stand in the ledger of the store."
    for end in ("Pushed.", "Let me look at the pages of the ledger once more, and at the marks of the store."):
        assert any(stage in each for each in told(("agent", stage), ("agent", end)))
    asked = ("person", "And the marks of the ledger?")
    assert any(stage in each for each in told(("agent", REPORT), asked, ("agent", stage), ("agent", "Done.")))


def test_a_nod_is_told_only_where_nothing_else_was_asked():
    """Words that only have the work go on make no entry behind what a person asked first."""
    asked, nod = "Move the marks of the journal behind its seal in the store.", "Yes, implement it."
    assert not any(nod in each for each in told(("person", asked), ("agent", REPORT), ("person", nod)))
    assert any("/init" in each for each in told(("person", "/init"), ("agent", REPORT)))


def titled(text):
    """Return the titles and bodies of the entries of one message, which ends a turn with an edit."""
    events = [Event("person", "prompt", "Mend the pages of the ledger, please.", line=1)]
    events += [Event("agent", "edit", path="page.py", id="e1", line=2), Event("tool", "result", id="e1", line=3)]
    events += [Event("agent", "text", text, line=4)]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    drafts = list(session_entries.new_entries(digest, "s1", KnownTexts(())))
    return [(draft.title, draft.body) for draft in drafts if dict(draft.fields).get("source") == "agent"]


def test_a_title_takes_in_what_is_nothing_without_it():
    """The number of an item is no part of a title; its path, its result and what leans on it are."""
    assert titled("2. **Page:** moved the count of the marks behind the seal of the page.")[0][0].startswith("**Page")
    whole = "Moved the marks behind the seal of the page. It is read back by the index of the store."
    assert titled(whole) == [(whole, "")]
    first, second = "Moved the marks behind the seal of the page.", "The index of the store reads them back from there."
    assert titled(f"{first} {second}") == [(first, second)]


def test_the_steps_of_a_plan_that_was_gone_about_are_left_out():
    """What a plan had somebody do is over once there is work behind it; what it says of the matter stays."""
    matter = "The marks of the journal are counted before its page is sealed by the store."
    plan = f"# Plan\n\n{matter}\n\n## Step 1: Move the count\n\nMove the count of the marks in the ledger's page.\n"
    events = [Event("agent", "plan", plan, line=1)]
    edit = [Event("agent", "edit", path="page.py", id="e1", line=2), Event("tool", "result", id="e1", line=3)]
    report = [Event("agent", "text", "Moved it behind the seal; both pages of the reader follow.", line=4)]

    def words(*events):
        digest = session_entries.digest(events, 2_000, Recalled(()))
        return " ".join(each.words for each in session_entries.new_entries(digest, "s1", KnownTexts(())))

    assert "Step 1" in words(*events)
    assert "Step 1" not in words(*events, *edit, *report)
    assert matter in words(*events, *edit, *report)


def test_what_was_done_is_told_in_the_words_in_which_it_was_asked_for():
    """A prompt does not keep out the report that has nearly its words."""
    asked = "Presumably we need a custom reader for the ledger tool of the store that tells more of its pages."
    done = "The ledger tool of the store has a custom reader that tells more of its pages."
    assert told(("person", asked), ("agent", done)) == [asked, done]


def test_what_a_session_is_for_is_no_choice_that_it_made():
    """What a person asked an agent first is noticed as no decision; the same words later, or alone, may be one."""
    choice, other = (
        "We should add the agent name to any logging",
        "Please look at the marks behind the seal of the page.",
    )
    alone, first = (("person", choice),), (("person", choice), ("agent", REPORT))
    later = (("person", other), ("agent", REPORT), ("person", choice), ("agent", REPORT))
    more = (
        ("person", f"{choice}. Its name is the one of the client, which the page of the marks has."),
        ("agent", REPORT),
    )

    def kinds(*turns):
        events = [
            Event(who, "prompt" if who == "person" else "text", text, line=at)
            for at, (who, text) in enumerate(turns, 1)
        ]
        entries = session_entries.new_entries(session_entries.digest(events, 2_000, Recalled(())), "s1", KnownTexts(()))
        return [entry.kind for entry in entries if entry.title.rstrip(".") == choice]

    assert kinds(*first) == ["note"]
    assert "decision" not in kinds(*more)
    assert kinds(*alone) == kinds(*later) == ["decision"]


def test_a_rule_that_a_person_says_first_is_noticed():
    """Only a choice is what a session is for: a rule that a person begins with holds behind it, and is noticed."""
    rule = "Make sure that no secret of the store ever gets into a commit."
    talk = [Event("person", "prompt", rule, line=1), Event("agent", "text", REPORT, line=2)]
    entries = session_entries.new_entries(session_entries.digest(talk, 2_000, Recalled(())), "s1", KnownTexts(()))
    assert "constraint" in [entry.kind for entry in entries if entry.title == rule]


def _titles(text):
    events = [
        Event("person", "prompt", text, line=1),
        Event("agent", "text", "The file of the plans stays as it is.", line=2),
    ]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    return [draft.title for draft in session_entries.new_entries(digest, "s1", KnownTexts(()))]


@pytest.mark.parametrize(
    ("bare", "says"),
    [
        ("Hmm, wait.", "The ward manager edits the plans by hand in an editor."),
        ("Looks good.", "The holidays of the clinic may count as Sundays."),
        ("Moment.", "Die Leitung der Station ändert die Pläne von Hand."),
    ],
)
def test_a_sentence_that_says_nothing_heads_no_note(bare, says):
    """A note begins with its first sentence that says something; what stood before it stays with it."""
    assert f"{bare} {says}" in _titles(f"{bare} {says} Every morning the staff of the station reads the plan.")


def test_a_commit_is_told_unless_the_report_of_its_own_turn_tells_it():
    """What another turn proposed in the same words does not take the place of the commit."""

    def commits(*events):
        passages_ = passages.cut([event._replace(line=line) for line, event in enumerate(events, 1)])
        return [one.text for one in prose_kinds.without_stages(passages_, Work()) if one.kind == "commit"]

    asked = Event("person", "prompt", "Mend the amber lamp at the end of the pier, please.")
    told = Event("agent", "text", "The amber lamp at the end of the pier has a new relay and burns at night again.")
    commit = Event("agent", "commit", "mend the amber lamp of the pier: new relay")
    assert commits(asked, told, asked._replace(text="Commit the amber lamp and its relay now."), commit) == [
        commit.text
    ]
    assert commits(asked, commit, told) == []


def test_what_a_session_is_for_is_no_insight():
    """A person who begins with what is the matter asks for something: it heads the session as what was asked."""
    asked = Event("person", "prompt", "The problem is that the lamp of the harbour reads the wrong table of tides.")
    digest = session_entries.digest([asked, Event("agent", "text", REPORT)], 2_000, Recalled(()))
    first = next(iter(session_entries.new_entries(digest, "s1", KnownTexts(()))))
    assert (first.kind, first.title) == ("note", asked.text)


@pytest.mark.parametrize(("edits", "count"), [(False, 0), (True, 1)])
def test_an_echo_is_told_only_as_a_report(edits, count):
    """What only takes in a person's words is left out; behind an edit it says that they were followed."""
    edit = (Event("agent", "edit", path="lock.py", id="e", line=3), Event("tool", "result", id="e", line=3))
    events = [
        Event("agent", "text", "The old lock in `lock.py` holds its file until the process ends.", line=1),
        Event("person", "prompt", "drop the old lock, nobody takes it", line=2),
        *(edit if edits else ()),
        Event("agent", "text", "Done, the old lock is dropped.", line=4),
        Event("person", "prompt", "the docs of the store come next week, after the meeting", line=5),
    ]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    words = [draft.title for draft in session_entries.new_entries(digest, "s1", KnownTexts(()))]
    assert words.count("Done, the old lock is dropped.") == count


@pytest.mark.parametrize(
    ("said", "notes"),
    [
        (LOCK, []),
        (f"Awesome. {LOCK}", []),
        (f"{LOCK[:-1]}, I keep mixing them up in slides", []),
        (f"{LOCK} The threads share it.", [f"{LOCK} The threads share it."]),
    ],
)
def test_a_note_that_says_nothing_beside_a_noticed_record_goes(decides, said, notes):
    """A greeting or a thank beside a noticed record makes no note of it; a further fact does."""
    events = [
        Event("agent", "text", "The store of each project writes its pages with a lock of its own.", line=1),
        Event("person", "prompt", "why do the pages of two stores differ after a crash", line=2),
        Event("agent", "text", "The pages of the second store were written without its lock.", line=3),
        Event("person", "prompt", said, line=4),
    ]
    digest = session_entries.digest(events, 2_000, Recalled(()))
    drafts = list(session_entries.new_entries(digest, "s1", KnownTexts(())))
    assert [draft.words.rstrip(".") for draft in drafts if draft.standing == "noticed"] == [LOCK[:-1]]
    words = [f"{draft.title} {draft.body}".strip() for draft in drafts if draft.kind == "note"]
    assert [own for own in words if "fcntl" in own] == notes


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        *(("good catch, damn it, fix", False), ("ah right, perfect, run the tests", False)),
        *(("good catch, run it on Solaris with the tests", True), ("how do we know which lock is active ?", True)),
    ],
)
def test_a_nod_with_a_word_or_two_is_left_out(said, is_told):
    """Words that only take something in do not count as what a person wants."""
    events = [
        Event("person", "prompt", "why do the pages of two stores differ after a crash", line=1),
        Event("agent", "text", "The pages of the second store were written without its lock.", line=2),
        Event("person", "prompt", said, line=3),
        Event("agent", "text", "The second store takes the lock of the first one, and releases it at the end.", line=4),
    ]
    drafts = session_entries.new_entries(session_entries.digest(events, 2_000, Recalled(())), "s1", KnownTexts(()))
    assert (said in [draft.title for draft in drafts]) is is_told
