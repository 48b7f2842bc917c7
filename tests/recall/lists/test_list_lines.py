"""Records as the answer to a question for them."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.documents import main_page
from sleep.recall import query, question, search
from sleep.recall.index import access
from sleep.recall.lists import list_lines, list_request
from sleep.recall.postings import Limits
from sleep.recall.query import Query
from sleep.store.tree import InMemory


@pytest.fixture(scope="module")
def scene(tmp_path_factory, own):
    """Return a memory with records of many kinds, some of which are closed."""
    scene = Scene(tmp_path_factory.mktemp("kinds") / "project")
    scene.open()
    scene.add("decision", "The cache is stored in Redis", why="it outlives a worker")
    scene.add("decision", "Logs are written as JSON", why="machines read them")
    scene.add("constraint", "Nobody pushes on Fridays")
    scene.add("question", "Who pays for the zeppelin?")
    scene.add("note", "What is blocked by the firewall was asked in the meeting")
    scene.sleep()
    scene.open()
    scene.add("decision", "The cache is stored in SQLite", why="Redis is one server more")
    scene.move("decision", "D-001", "superseded", by="D-002")
    scene.add("task", "Measure the cache on a cold disk")
    scene.move("question", "Q-001", "answered", "the harbour does")
    scene.add("handoff", "Next week", session_summary="the cache", next_priority="measure the cache")
    return scene


@pytest.fixture
def ask(scene):
    """Return a function that asks a question and returns the answer."""
    return lambda question, **options: query.answer(scene.place.root, Query(question, **options), today="2031-01-01")


def test_all_decisions_that_stand(ask):
    """Who asks what was decided reads the standing decisions, the newest first, and no other line."""
    found = ask("what did we decide?")
    assert found.text.startswith("2 standing decisions, the newest first:")
    shown = [line.text for passage in found.result.passages for line in passage.lines]
    assert ["SQLite" in shown[0], "JSON" in shown[1]] == [True, True]
    assert not any("in Redis" in text for text in shown)
    assert found.plain()["note"] == "2 standing decisions, the newest first:"


def test_decisions_about_something_come_first(ask):
    """A question for decisions about something begins with them, the one that stands before the one that does not."""
    found = ask("which decisions were made about the cache?")
    assert not found.result.nothing
    first, second = found.result.passages[:2]
    assert "SQLite" in first.best.text
    assert "in Redis" in second.best.text
    assert second.best.state.startswith("superseded")


def test_closed_records_about_something_come_first_for_who_asks_for_them(ask):
    """Who asks which decisions about something were superseded reads these before the ones that stand."""
    first, second = ask("which superseded decisions are there about the cache?").result.passages[:2]
    assert "in Redis" in first.best.text
    assert "SQLite" in second.best.text


def test_since_an_instance_means_that_one_and_all_later_ones(ask):
    """Who asks what is open or was done since an instance reads what later ones have, too; of one, its own alone."""
    since = ask("what is still open since instance 1?").text
    assert "of instance 1 and later" in since
    assert "Measure the cache" in since
    assert "Measure the cache" not in ask("what did instance 1 do?").text
    both = ask("what has changed since instance 1?").text
    assert both.startswith("What was journaled in instance 1 and later:")
    assert "Next week" in both
    assert "zeppelin" in both
    assert "there is no instance 9 here" in ask("what was done since instance 9?").text


def test_a_list_since_a_day_says_that_it_is_of_a_time(ask):
    """Where none of the records is so new, an answer does not say that there are none at all."""
    assert "no standing decisions of that time" in ask("what did we decide?", since="2031-01-01").text


def test_what_a_session_closed_is_told_in_words(ask):
    """Who asks what a session did reads what it closed and superseded, and not only the number of that."""
    text = ask("what did instance 2 do?").text
    assert "D-001 superseded\n    record: The cache is stored in Redis\n" in text
    assert "Q-001 answered\n    record: Who pays for the zeppelin?\n" in text


def test_a_tone_check_is_no_answer(tmp_path, own):
    """What a wake opens a journal with quotes the tone before; it is shown to who asks for its address."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("tone", "Glad of the zeppelin")
    scene.sleep()
    scene.wake()
    check = scene.view.journal("journal/instance-2.md").entries[0].address
    scene.add("note", "The mast stands")
    for asked in ("what did instance 2 do?", "say how you start from the zeppelin"):
        assert "tone check" not in query.answer(scene.place.root, Query(asked), today="2031-01-01").text
    assert "tone check" in query.answer(scene.place.root, Query(str(check)), today="2031-01-01").text


def test_a_thread_is_told_with_what_is_next_now(tmp_path, own):
    """Who asks what is next reads what a later session said of a thread, before a sleep and after it."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("thread", "Move the zeppelin", next="find a mast")
    scene.sleep()
    scene.open()
    scene.move("thread", "T-001", "next", "paint the hull")
    for act in (lambda: None, scene.sleep):
        act()
        found = query.answer(scene.place.root, Query("what is next?"), today="2031-01-01").text
        assert "next: paint the hull" in found
        assert "find a mast" not in found


_LOG = """---
instance: 1
tag: abc
started: 2026-11-20T09:00:00Z
---
# Journal: instance 1

## Limits of the gateway

### Decisions

- Keep the first key in the chain [i1abc.1 decision]

### Clients

#### Formats

##### Outputs

- Answer in JSON [i1abc.2 decision]

## Colours

- Green is for what passes [i1abc.3 decision]
- Four shades are enough [i1abc.4 decision D-004]
"""
_PAGE = "# colours\n\n## Decisions\n\n- **D-004** Palettes: Four shades are enough [i1abc.4]\n"


@pytest.mark.parametrize(
    ("asked", "addresses"),
    [
        ("what did we decide about the gateway?", ["i1abc.1"]),
        ("decisions about outputs", ["i1abc.2"]),
        ("decisions about clients", []),
        ("what did we decide about colours?", ["i1abc.3", "i1abc.4"]),
        ("what did we decide about palettes?", ["i1abc.4"]),
    ],
)
def test_a_record_is_about_what_the_headings_above_it_say(asked, addresses):
    """What one of the two headings above a record says, or a tier before it, is its subject; no farther heading is."""
    index = access.index_tree(InMemory({"journal/instance-1.md": _LOG, "memory/warm/colours.md": _PAGE}))
    lines = [line for passage in search.recall(index, asked).passages for line in passage.lines]
    # What is asked for stands above all that words alone find, headings among it.
    decisions = [line for line in lines if line.score > 50]
    assert [address for line in decisions for address in line.addresses] == addresses


def test_a_kind_that_has_none_is_told(ask):
    """Where no record of a kind was ever made the answer says so, above the nearest lines, and is not sure."""
    found = ask("what is blocked?")
    assert found.text.startswith("Nothing surely fits: it has no open blockers.")
    assert "firewall" in found.text


def test_a_kind_of_which_all_are_closed(ask):
    """Where every question was answered the answer says that none is open, and shows how they ended."""
    found = ask("which questions are still open?")
    assert found.text.startswith("There are no open questions or doubts. The last ones:")
    assert "answered" in found.text
    closed = ask("which questions were answered?")
    assert closed.text.startswith("Closed questions and doubts, the newest first:")


def test_what_is_next_begins_with_the_last_handoff(ask):
    """What is next is told by the last handoff and the open tasks."""
    kinds = [line.kind for passage in ask("what is next?").result.passages for line in passage.lines]
    assert set(kinds) == {"handoff", "task"}


def test_records_of_a_day(ask):
    """A day that is asked for leaves out what is of another."""
    assert ask("what was decided yesterday?").text.startswith(
        "Nothing surely fits: it has no standing decisions of that time."
    )


def test_what_happened_on_a_day_begins_with_its_handoff(ask):
    """Who asks for a day reads what was journaled on it: handoffs, decisions, then the rest, and no other day."""
    found = ask("what happened on 21 November 2026?")
    assert found.text.startswith("What was journaled on 21 November 2026:")
    assert found.result.passages[0].best.kind == "handoff"
    lines = sorted((line for passage in found.result.passages for line in passage.lines), key=lambda line: -line.score)
    kinds = [line.kind for line in lines]
    assert kinds.index("decision") < kinds.index("note")
    assert ask("what happened on 3 May 2021?").result.nothing == "nothing was journaled then"


def test_the_last_session_is_the_last_that_ended(ask):
    """Who asks for the last session reads the one that handed over or was slept on, and of a kind its records."""
    found = ask("what did we do in the last session?")
    addresses = {address for passage in found.result.passages for address in passage.addresses}
    assert addresses
    assert all(address.startswith("i2") for address in addresses)
    decided = ask("what was decided last time?").text
    assert "SQLite" in decided
    assert "JSON" not in decided


def test_the_moment_stands_before_what_leads_to_the_records(ask):
    """Of a moment of the past the answer says first which, and what leads to records stands right above them."""
    lead = ask("what did we decide?", at="cycle 1").text.split("\n")[0]
    assert lead.startswith("What was known as of ")
    assert lead.endswith("2 standing decisions, the newest first:")


def test_a_limit_asks_for_words(ask):
    """Who names a kind with an option searches it by words."""
    assert not ask("what is open?", kind=("decision",)).result.note


@pytest.mark.parametrize("budget", ["100", "150", "400"])
def test_the_budget_holds(ask, budget):
    """The line above the records costs tokens of the budget too."""
    from sleep.language import tokens  # noqa: PLC0415

    assert tokens.count(ask("what did we decide?", budget=budget).text) <= int(budget)


def test_what_an_instance_did(ask):
    """Who asks for an instance by its number reads what it journaled; of one that never was he is told so."""
    answer = ask("what did instance 1 do?")
    assert answer.text.startswith("What was journaled in instance 1:")
    shown = [line.text for passage in answer.result.passages for line in passage.lines]
    assert any("Logs are written as JSON" in text for text in shown)
    assert not any("cold disk" in text for text in shown)
    assert "there is no instance 9 here" in ask("what did instance 9 do?").text
    assert "there is no instance 0 here" in ask("decisions of instance 0").text


@pytest.mark.parametrize(
    "asked", ["what happened in session 12?", "decisions of session 12", "what did we decide in session 12 on cards?"]
)
def test_a_number_that_is_no_instance_may_be_of_somebody_elses_session(asked):
    """Where no instance has the number, but a log has it in its heading, the log is found by words."""
    text = "# Session {number}\n\n## Decisions\n\n- Take cards of type {number} at the pier\n"
    logs = {f"journal/instance-{number - 10}.md": text.format(number=number) for number in (11, 12, 13)}
    found = search.recall(access.index_tree(InMemory(logs)), asked)
    assert found.text.startswith("There is no instance 12 here. What has these words:")
    assert any(line.text.endswith(("type 12 at the pier", "Session 12")) for line in found.passages[0].lines)


def test_records_of_an_instance_are_its_own(ask):
    """Who asks for records of an instance reads no other's, about something too, and is told whose there are none."""
    answer = ask("what did instance 1 decide about the cache?")
    lines = [line for passage in answer.result.passages for line in passage.lines if line.score >= list_lines.LEAST]
    assert [line.addresses[0].partition(".")[0][:2] for line in lines] == ["i1"]
    assert "in Redis" in lines[0].text
    assert ask("what did instance 2 decide about logs?").text.startswith(
        "No standing decisions of instance 2 have these words:"
    )
    assert "it has no open tasks or blockers of instance 1." in ask("open tasks of session 1").text
    assert ask("what did instance 2 decide?").text.startswith("Standing decisions of instance 2, the newest first:")


def test_what_holds_is_seen_behind_many_that_do_not():
    """That no record about something holds any more is said only where none is behind those that say most of it."""
    reversed_ = "".join(f"- **D-{at}** Oil crane {at} [i1abc.{at}]\n  - status: reversed\n" for at in range(101, 120))
    stands = "- **D-120** Build the tower, the gate, the pier and the crane of the old harbour [i1abc.120]\n"
    text = f"# Decisions\n\n## Decisions\n\n{reversed_}{stands}"
    index = access.index_tree(InMemory({"memory/hot/decisions.md": text}))
    result = search.recall(index, "decisions about the crane", today="2031-01-01")
    assert (result.note, result.passages[0].best.addresses) == ("", ("i1abc.120",))


def test_where_all_records_about_something_are_over_it_is_said(ask):
    """Who asks what is open about something of which all is closed is told that nothing of it is open."""
    assert ask("open questions about the zeppelin").text.startswith(
        "There are no open questions or doubts about this any more:"
    )
    assert not ask("decisions about the cache").result.note


def test_where_no_record_is_about_something_it_is_said(ask):
    """Who asks for records about something that none is about is told so, above what else has the words."""
    answer = ask("rules about the zeppelin")
    assert answer.text.startswith("No active constraints have these words:")
    assert ask("which decisions were made about the walrus?").result.lead[0].startswith("Nothing ")


def test_what_the_project_is_for_is_what_a_person_wrote_in_main_md():
    """Who asks what the project is for reads the purpose; where nobody wrote one he is told so."""
    page = main_page.new("ferry", "Ferry carries parcels across the harbour.\n\nFor its crew.")
    index = access.index_tree(InMemory({"main.md": page}))
    result = search.recall(index, "what is this project about?", today="2031-01-01")
    assert [line.text for passage in result.passages for line in passage.lines] == [
        "Ferry carries parcels across the harbour.",
        "For its crew.",
    ]
    empty = access.index_tree(InMemory({"main.md": main_page.new("ferry")}))
    assert "says nothing between its title and the next heading" in search.recall(empty, "what is it for?").nothing
    hot = search.recall(index, "what is it for?", limits=Limits(("hot",)))
    assert hot.note == ""
    assert "main.md" not in hot.nothing


@pytest.mark.parametrize("asked", ["rules of instance 2", "decisions of instance 9", "what did instance 9 do?"])
def test_what_an_instance_has_not_is_all_there_is_to_say(ask, asked):
    """Who asks for what an instance did not journal reads that alone: nothing else answers, nor do other words."""
    found = ask(asked)
    first, rest = found.text.split("\n")
    assert first.startswith("Nothing in this memory fits: ")
    assert first.endswith(("of instance 2.", "there is no instance 9 here."))
    assert "other words" not in rest
    assert found.plain()["passages"] == []


def test_what_an_instance_has_on_something(ask):
    """Who asks what an instance said about something reads what of it has the words, before what others said."""
    found = ask("what did instance 1 say about the cache?")
    assert found.text.startswith("What instance 1 has on it:")
    assert "in Redis" in found.result.passages[0].best.text
    assert ask("what was said about logs in instance 2?").text.startswith("Nothing of instance 2 has these words:")


def test_words_that_only_name_the_records_find_nothing():
    """Where no record is about something, what is found has the subject and not the name of the records."""
    text = "# a\n\nThe rules of the rules are rules.\n\nThe zeppelin may not land here.\n\nA rule is a rule.\n"
    index = access.index_tree(InMemory({"journal/a.md": text}))
    assert "may not land" in search.recall(index, "rules about the zeppelin").passages[0].best.text


_TRIP = """---
instance: 1
tag: abc
started: 2026-11-01T09:00:00Z
---
# Journal: instance 1

## Open questions for the Caravan

- Which garage is free? [i1abc.1 question]
- Which road is dry? [i1abc.2 question]

## Weather

- Will the storm reach us? [i1abc.3 question]
- Nothing is known of the ferry. [i1abc.4]
"""


@pytest.mark.parametrize(
    ("asked", "addresses", "lead"),
    [
        ("open questions about the caravan", ["i1abc.1", "i1abc.2"], ""),
        ("open questions about the caravan and the ferry", ["i1abc.1", "i1abc.2"], "have all of these words"),
        ("open questions about the walrus", [], "have these words"),
    ],
)
def test_a_heading_that_names_a_kind_and_whose_it_is_is_a_subject(asked, addresses, lead):
    """What stands below `Questions for the Caravan` is about it, and near where the question asks for more."""
    index = access.index_tree(InMemory({"journal/instance-1.md": _TRIP}))
    with index.reading() as base:
        about = question.parse(asked, "2031-01-01")
        found = list_lines.find_lines(base, about, list_request.parse(about), Limits())
    assert [address for line in found.lines for address in line.addresses] == addresses
    assert lead in found.lead
    assert found.is_near == ("all of" in found.lead)


def test_each_line_has_its_entry_for_a_program(ask):
    """A program reads of each line whose it is, of which kind, and what became of it."""
    passages = ask("what did we decide?").plain()["passages"]
    entries = [entry for passage in passages for entry in passage["entries"]]
    assert [len(passage["entries"]) for passage in passages] == [len(passage["lines"]) for passage in passages]
    assert {entry["kind"] for entry in entries} == {"decision"}
    assert all(entry["addresses"] for entry in entries)


SESSION = """---
instance: 4
tag: abc
started: 2026-11-20T09:00:00Z
---
# Journal: instance 4

## Note: Please mend the walrus test [i4abc.1]

- source: person

## Change: The walrus test waits for the tide, as the user asked [i4abc.2]

- source: agent

## Note: And count the seals [i4abc.3]

- source: person
"""


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("what did the user ask for?", ["i4abc.3", "i4abc.1"]),
        ("what did the user ask for in instance 4", ["i4abc.3", "i4abc.1"]),
        ("what did the user ask for about the walrus", ["i4abc.1"]),
    ],
)
def test_what_the_user_asked_for_is_what_a_person_said(asked, shown):
    """Who asks what the user asked for reads that person's words, the newest first, and nothing that an agent says."""
    index = access.index_tree(InMemory({"journal/instance-4.md": SESSION}))
    found = search.recall(index, asked)
    lines = sorted((line for passage in found.passages for line in passage.lines), key=lambda line: -line.score)
    assert not found.nothing
    assert [line.addresses[0] for line in lines][: len(shown)] == shown


def test_where_no_session_was_captured_a_user_is_a_subject():
    """Where nobody's words are known, who asks what the user wants finds the lines about users."""
    text = SESSION.replace("- source: person\n", "")
    index = access.index_tree(InMemory({"journal/instance-4.md": text}))
    assert search.recall(index, "what did the user want").passages[0].best.addresses == ("i4abc.2",)


def test_a_long_entry_counts_once_and_begins_with_its_first_row(tmp_path):
    """A handoff of several rows is one of a list, and is what is next as a whole, though tiers have it as well."""
    scene = Scene(tmp_path / "project")
    for number in range(2):
        scene.open()
        done = " ".join(
            f"Pier {at} of harbour {number} was mended and painted in the colours of the town." for at in range(30)
        )
        scene.add("handoff", f"Harbour {number} is open", session_summary=done, next_priority="count the seals")
        scene.sleep()
    answers = [
        query.answer(scene.place.root, Query(text), today="2031-01-01") for text in ("handoffs", "what is next?")
    ]
    assert answers[0].text.startswith("2 handoffs, the newest first:")
    for found in answers:
        assert "Harbour 1 is open" in found.result.passages[0].lines[0].text
        assert len(found.result.passages[0].lines) > 1
