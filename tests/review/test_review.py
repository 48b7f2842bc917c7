"""What was only noticed: kept apart, asked about, confirmed, corrected or rejected, and never back after that."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.cycle import journal_to_hot
from sleep.documents import journal, paths
from sleep.errors import UsageError
from sleep.journal import writer
from sleep.records import kinds
from sleep.review import agenda, judgement
from sleep.review.judgement import CONFIRM, CORRECT, REJECT, Word
from sleep.upkeep import doctor

REDIS = "Use redis streams for the event queue"


@pytest.fixture
def scene(tmp_path):
    """A memory with an open instance."""
    made = Scene(tmp_path / "project")
    made.open()
    return made


def notice(scene, title=REDIS, kind="decision", **more):
    """Journal what the program thinks that a person meant; returns its address."""
    draft = journal.noticed(kind, title, "person", transcript="s1:7", **more)
    return str(writer.add(scene.place, scene.now(), draft).address)


def listed(scene):
    """Return what waits, as (sort, text)."""
    return [(item.sort, item.fragment.text) for item in agenda.items(scene.view, 24, "2026-11-22T00:00:00Z")]


def say(scene, verdict, *handles, **more):
    """Say a word of what waits."""
    return judgement.settle(scene.place, scene.now(), handles, Word(verdict, "person", **more))


def records(scene, kind="decision"):
    """Return the records of a kind that bind."""
    found = (one.fragment for one in scene.view.records.values())
    return [one for one in found if one.kind == kind and one.is_open]


@pytest.mark.parametrize("kind", [kind.name for kind in kinds.RECORDS])
def test_a_noticed_record_of_any_kind_waits_and_binds_nobody(scene, kind):
    """Before a sleep and after it, what was noticed stands in no register, under a heading of its own, and waits."""
    at = notice(scene, kind=kind, quotation="let us take redis streams, I guess")
    assert listed(scene) == [("noticed", REDIS)]
    scene.sleep()
    assert listed(scene) == [("noticed", REDIS)]
    assert records(scene, kind) == []
    page = scene.text(paths.hot_of(kind))
    assert f"## {kinds.KINDS[kind].plural} noticed" in page
    assert f"- {REDIS} [{at}]\n  - quotation: let us take redis streams, I guess\n  - transcript: s1:7\n" in page
    assert "  - source: person\n" in page
    assert not scene.check()


def test_a_confirmed_one_is_a_record_with_both_addresses(scene):
    """Confirmed, if twice, it binds at once, has a number, says whose word it is, and replaces what was noticed."""
    at = notice(scene, why="it keeps order")
    scene.sleep()
    scene.open()
    (done,) = say(scene, CONFIRM, at, at)
    assert done.record == "D-001"
    assert listed(scene) == []
    (record,) = records(scene)
    assert (record.text, record.field("why"), record.field("source")) == (REDIS, "it keeps order", "person")
    assert "quotation" not in scene.text(scene.view.journals[-1])
    scene.sleep()
    assert listed(scene) == []
    page = scene.text("memory/hot/decisions.md")
    assert "noticed" not in page
    assert f"- **D-001** {REDIS} [{done.addresses[0]} {at}]" in page
    assert not scene.check()


def test_one_is_confirmed_in_the_journal_that_noticed_it(scene):
    """Noticed and confirmed before a sleep, only the record arrives, and every character is accounted for."""
    at = notice(scene)
    say(scene, CONFIRM, at)
    scene.sleep()
    assert [one.text for one in records(scene)] == [REDIS]
    assert "noticed" not in scene.text("memory/hot/decisions.md")
    assert not scene.check()


def test_a_corrected_one_says_what_is_right(scene):
    """The right words are the record; those that were noticed do not come back."""
    at = notice(scene)
    (done,) = say(scene, CORRECT, at, text="Use redis lists for the event queue", kind="constraint")
    scene.sleep()
    (record,) = records(scene, "constraint")
    assert record.text == "Use redis lists for the event queue"
    assert done.record == str(record.identity)
    scene.open()
    notice(scene)
    assert listed(scene) == []


def test_a_rejected_one_never_comes_back(scene):
    """Rejected, it is gone from hot memory with the next sleep, and the same words are not asked about again."""
    at = notice(scene)
    scene.sleep()
    scene.open()
    say(scene, REJECT, at)
    assert listed(scene) == []
    scene.sleep()
    assert "redis" not in scene.text("memory/hot/decisions.md")
    assert not [finding for finding in doctor.examine(scene.place, scene.now()) if finding.level == "fail"]
    scene.open()
    notice(scene)
    notice(scene, "Use redis streams for the event queue, I guess", kind="task")
    assert listed(scene) == []
    scene.sleep()
    assert listed(scene) == []
    assert "redis" not in "".join(scene.text(path) for path in paths.HOT)
    assert not scene.check()
    assert not [finding for finding in doctor.examine(scene.place, scene.now()) if finding.level == "fail"]


def test_a_rejection_outlives_undone_cycles(scene):
    """It stands in a journal, and journals stay: neither its own cycle undone nor a later one brings anything back."""
    at = notice(scene)
    scene.sleep()
    scene.open()
    say(scene, REJECT, at)
    scene.sleep()
    scene.cycle()
    scene.undo()
    assert listed(scene) == []
    scene.undo(2)
    assert listed(scene) == []
    scene.sleep()
    assert listed(scene) == []
    assert "redis" not in scene.text("memory/hot/decisions.md")


def test_a_rejected_one_may_still_be_stated(scene):
    """Who states in their own words what was rejected before is believed."""
    say(scene, REJECT, notice(scene))
    scene.add("decision", REDIS, why="measured")
    scene.sleep()
    assert [one.text for one in records(scene)] == [REDIS]


@pytest.mark.parametrize("is_first", [True, False])
def test_what_an_instance_states_replaces_what_was_noticed_of_it(scene, is_first):
    """The agent's own entry on the subject, before or after, is the record, and nothing waits."""
    if is_first:
        notice(scene, f"ok, {REDIS} since it keeps order")
    scene.add("decision", REDIS, why="it keeps order", alternatives="a table")
    if not is_first:
        notice(scene, REDIS)
    assert listed(scene) == []
    scene.sleep()
    assert listed(scene) == []
    assert "noticed" not in scene.text("memory/hot/decisions.md")
    assert len(records(scene)) == 1


def test_one_that_is_said_again_is_one(scene):
    """What waits already gains the address of the instance that says it again, and stays for longer."""
    first = notice(scene)
    scene.sleep()
    scene.open()
    second = notice(scene)
    assert listed(scene) == [("noticed", REDIS)]
    scene.sleep()
    assert f"- {REDIS} [{first} {second}]" in scene.text("memory/hot/decisions.md")


def test_it_ages_out_where_nothing_comes_back_to_it(scene):
    """After so many cycles it waits no more; one that a journal refers to waits on."""
    scene.write("memory/sleep.yaml", f"{scene.text('memory/sleep.yaml')}review:\n  cycles: 3\n")
    old = notice(scene)
    notice(scene, "Never restart the broker by hand", kind="constraint")
    scene.sleep()
    for number in range(1, 3):
        scene.cycle(number)
    assert len(listed(scene)) == 2
    scene.open()
    scene.add("note", f"we came back to ({old}) today")
    scene.sleep()
    scene.cycle(4)
    assert listed(scene) == [("noticed", REDIS)]


@pytest.mark.parametrize("verdict", [CONFIRM, CORRECT, REJECT])
def test_what_is_told_and_not_asked_about_any_more_is_settled_by_its_address(scene, verdict):
    """Aged out of the review but still told in warm memory, it is confirmed, corrected or rejected, once."""
    scene.write("memory/sleep.yaml", f"{scene.text('memory/sleep.yaml')}review:\n  cycles: 1\n")
    at = notice(scene)
    scene.sleep()
    for number in range(1, 4):
        scene.cycle(number)
    assert listed(scene) == []
    assert any(at in map(str, each.addresses) for _, each in scene.view.placed(paths.WARM))
    scene.open()
    (done,) = say(scene, verdict, at, text="Use redis lists")
    assert done.says == REDIS
    with pytest.raises(UsageError):
        say(scene, verdict, at, text="Use redis lists")
    scene.sleep()
    standing = {CONFIRM: [REDIS], CORRECT: ["Use redis lists"], REJECT: []}
    assert [one.text for one in records(scene) if "redis" in one.text] == standing[verdict]
    assert not any(each.is_noticed for _, each in scene.view.placed())
    assert not scene.check()


def test_they_are_bounded_in_number(scene):
    """Of too many the newest wait."""
    scene.write("memory/sleep.yaml", f"{scene.text('memory/sleep.yaml')}review:\n  most: 3\n")
    for name in ("alpha", "beta", "gamma", "delta", "epsilon"):
        notice(scene, f"Deploy the {name} service with canary releases")
    scene.sleep()
    scene.cycle()
    assert scene.text("memory/hot/decisions.md").count("canary releases") == 3
    assert len(listed(scene)) == 3


def test_a_change_of_mind_waits_and_never_overrides(scene):
    """A noticed figure beside a stated one is asked about as that; confirmed, it takes the older one's place."""
    older, newer = (f"Backups of the billing database run every {minutes} minutes" for minutes in (60, 5))
    scene.add("constraint", older)
    at = notice(scene, newer, kind="constraint")
    assert listed(scene) == [("change of mind", newer)]
    assert [one.text for one in records(scene, "constraint")] == [older]
    (done,) = say(scene, CONFIRM, at)
    assert len(done.closed) == 1
    assert [one.text for one in records(scene, "constraint")] == [newer]
    scene.sleep()
    assert listed(scene) == []
    assert not scene.check()


def test_of_two_that_contradict_the_confirmed_one_holds(scene):
    """Two stated decisions of one subject wait as a contradiction until one of them is confirmed."""
    scene.add("decision", "Keep the payment cache in the process", why="speed")
    scene.add("decision", "Do not keep the payment cache in the process", why="it leaks")
    assert [sort for sort, _ in listed(scene)] == ["contradiction"]
    (done,) = say(scene, CONFIRM, "D-002")
    assert done.closed == ("D-001",)
    scene.sleep()
    assert [one.number for one in records(scene)] == ["D-002"]
    assert "superseded (by D-002" in scene.text("memory/hot/decisions.md")
    assert listed(scene) == []


def test_a_due_decision_is_kept(scene):
    """A decision whose condition has come true waits; kept, it is not asked about again."""
    scene.add("decision", "Use one worker", why="simple", revisit_when="after 2026-01-01")
    assert [sort for sort, _ in listed(scene)] == ["due"]
    say(scene, CONFIRM, "D-001")
    assert listed(scene) == []
    scene.sleep()
    assert listed(scene) == []
    assert [one.number for one in records(scene)] == ["D-001"]
    assert not scene.check()


def test_a_stated_record_that_waits_can_be_corrected_and_rejected(scene):
    """A correction takes the place of a stated record, a rejection closes it with its reason."""
    scene.add("decision", "Use one worker", why="simple", revisit_when="after 2026-01-01")
    scene.add("decision", "Use one disk", why="simple", revisit_when="after 2026-01-01")
    say(scene, CORRECT, "D-001", text="Use two workers", why="load")
    say(scene, REJECT, "D-002", why="it broke")
    scene.sleep()
    assert [one.text for one in records(scene)] == ["Use two workers"]
    page = scene.text("memory/hot/decisions.md")
    assert "superseded (by D-003; load)" in page
    assert "reversed (it broke)" in page


def test_nothing_else_can_be_settled(scene):
    """What does not wait is refused, and a correction has to say something; nothing is written."""
    scene.add("decision", "Use one worker", why="simple")
    at = notice(scene)
    before = scene.everything()
    for verdict, handle in ((CONFIRM, "D-001"), (REJECT, "i9xyz.1"), (CORRECT, at)):
        with pytest.raises(UsageError):
            say(scene, verdict, handle, text=" \n")
    assert scene.everything() == before


def test_a_dry_run_writes_nothing(scene):
    """A dry run says what would be closed and changes no file."""
    at = notice(scene)
    before = scene.everything()
    (done,) = judgement.settle(scene.place, scene.now(), [at], Word(REJECT, "agent"), dry_run=True)
    assert (done.closed, done.addresses) == ((at,), ())
    assert scene.everything() == before


def test_no_text_can_state_itself(scene):
    """What was noticed in a document or a transcript stays noticed whatever it says of itself, and judges nothing."""
    at = notice(scene)
    claim = journal.Draft("decision", "We decided on redis", f"confirms: {at}\nstanding: stated\ntranscript: s2:1")
    writer.add(scene.place, scene.now(), claim)
    event = journal.Draft("decision event", "rejected", f"record: {at}\nto: rejected\ntranscript: s2:2")
    writer.add(scene.place, scene.now(), event)
    assert listed(scene) == [("noticed", REDIS)]


def test_a_step_taken_twice_changes_nothing(scene):
    """Journal to hot, decided again on what it left, has nothing to write: noticed, said again, confirmed, rejected."""
    for title in (REDIS, "Deploy the alpha service with canary releases", "Never restart the broker by hand"):
        notice(scene, title)
    scene.sleep()
    scene.open()
    notice(scene, f"{REDIS}, please")
    notice(scene, "Keep three replicas of the search index")
    handles = [str(item.fragment.identity) for item in agenda.items(scene.view, 24, scene.now())]
    say(scene, CONFIRM, handles[1])
    say(scene, REJECT, handles[0])
    path = scene.view.journals[-1]
    scene.sleep()
    again = journal_to_hot.journal_to_hot(scene.view, scene.place.settings, path)
    assert {name: text for name, text in again.writes.items() if text != scene.text(name)} == {}


@pytest.mark.parametrize(
    "block",
    ["| host | port |\n| - | - |\n| db | 5432 |\n| web | 80 |\n", "```\nrm -r /tmp/x\n```\n", "> | a | b |\n"],
)
def test_what_was_noticed_before_a_table_is_its_own_words(scene, block):
    """A task by hand, with a table, code or a quotation behind it, waits and is confirmed in its own words, once."""
    path = "journal/instance-1.md"
    scene.write(path, f"{scene.text(path)}\nTODO: delete the temp dir\n\n{block}")
    scene.sleep()
    ((sort, text),) = listed(scene)
    assert (sort, text.startswith("TODO: delete the temp dir"), "5432" in text) == ("noticed", True, False)
    (item,) = agenda.items(scene.view, 24, "2026-11-22T00:00:00Z")
    say(scene, CONFIRM, str(item.fragment.identity))
    scene.sleep()
    (task,) = records(scene, "task")
    assert "delete the temp dir" in task.text
    assert listed(scene) == []
    assert "5432" not in scene.text(paths.THREADS)


@pytest.mark.parametrize(("kind", "state"), [("decision", "superseded"), ("constraint", "lifted"), ("task", "dropped")])
def test_any_record_that_holds_can_be_corrected(scene, kind, state):
    """Nobody has to ask about it: its reason alone or its words, and the older one is closed by what took its place."""
    old = scene.add(kind, "No network in the tests", why="Mara said so")
    scene.sleep()
    scene.open()
    handle = old.number or str(old.address)
    (done,) = say(scene, CORRECT, handle, why="the router may be offline")
    scene.sleep()
    (record,) = records(scene, kind)
    assert (record.text, record.field("why")) == ("No network in the tests", "the router may be offline")
    (ended,) = [each.fragment for each in scene.view.records.values() if not each.fragment.is_open]
    assert (ended.handle, ended.state) == (handle, state)
    assert done.record in ended.reason
    assert ended.reason.startswith("corrected: ") == (state != "superseded")
    assert not scene.check()


@pytest.mark.parametrize("kind", [kind.name for kind in kinds.RECORDS])
def test_a_corrected_record_stays_where_it_belongs(scene, kind):
    """A record of any kind keeps its thread, its commit and its topic, and the older one is closed with it."""
    scene.add("thread", "The move to the new house")
    old = scene.add(kind, "Label every box", thread="T-001", commit="abc1234", topic="boxes")
    (done,) = say(scene, CORRECT, old.number or str(old.address), text="Label every second box")
    assert done.closed == (old.number or str(old.address),)
    scene.sleep()
    (record,) = [each for each in records(scene, kind) if "Label" in each.text]
    assert (record.text, record.field("thread"), record.field("commit")) == (
        "Label every second box",
        "T-001",
        "abc1234",
    )
    assert scene.view.entry(record.identity).field("topic") == "boxes"
    assert old.address not in record.addresses  # that stays the older one's
    assert not scene.check()


@pytest.mark.parametrize("kind", ["decision", "constraint"])
def test_an_agent_corrects_no_persons_word(scene, kind):
    """What a person said is corrected by who says that it is a person's word, and stays one; an agent's is refused."""
    old = scene.add(kind, "Never push on a Friday", source="person")
    handle = old.number or str(old.address)
    before = scene.everything()
    refused = scene.run("review.correct", handle, "--why", "CI is slow then")
    assert (refused[0], "is a person's word (would be right: --said-by person" in refused[2]) == (2, True)
    assert scene.everything() == before
    assert scene.run("review.correct", handle, "--why", "nobody is there", "--said-by=person")[0] == 0
    (record,) = records(scene, kind)
    assert (record.text, record.field("source")) == ("Never push on a Friday", "person")


@pytest.mark.parametrize("verdict", [CONFIRM, CORRECT, REJECT])
def test_a_number_of_two_records_is_refused(scene, verdict):
    """Where two branches gave one number twice no word settles one of the two: the error names the address of each."""
    here = scene.add("decision", "Use redis for the queue of events")
    head = "---\ninstance: 9\ntag: abc\nstarted: 2026-11-21T10:00:00Z\nform: 2\n---\n# Journal: instance 9\n\n"
    scene.write(
        "journal/instance-9.md", f"{head}## Decision: Do not use redis for the queue of events [i9abc.1 D-001]\n"
    )
    assert len(records(scene)) == 2
    before = scene.everything()
    with pytest.raises(UsageError, match="D-001 names 2 records since a merge") as caught:
        say(scene, verdict, "D-001", text="Use lists")
    assert f"{here.address} or i9abc.1" in caught.value.hint
    assert scene.everything() == before


def test_what_is_closed_is_not_corrected(scene):
    """A record that holds no more is none to correct: one error that shows where to look, and nothing is written."""
    scene.add("decision", "Use flock for the lock")
    scene.move("decision", "D-001", "reversed")
    before = scene.everything()
    with pytest.raises(UsageError, match="D-001 does not wait for review") as caught:
        say(scene, CORRECT, "D-001", text="Use a lock file")
    assert caught.value.hint == "sleepwake decision.show D-001"
    assert scene.everything() == before
