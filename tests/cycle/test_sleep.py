"""A sleep: its steps, one commit each, and none where nothing changes."""

from __future__ import annotations

import pytest
from scene import SECRET, git

from sleep.compression import extractive
from sleep.documents import cycles, paths
from sleep.errors import GitStateError, SecretError, UsageError
from sleep.journal import writer

STEPS = ["adopt", "seal", "hot to warm", "warm to cold", "journal to hot", "handoff"]


def _trailers(scene, name):
    words = f"--format=%(trailers:key={name},valueonly,separator=%x2c)"
    return [line for line in scene.git("log", "--reverse", words).splitlines() if line]


def test_steps_in_order_one_commit_each(scene):
    """Each step is one commit with its trailers, in the order of the design, and reports its own commit."""
    for number in range(1, 4):
        report = scene.cycle(number)
    steps = [one.decided.step for one in report.steps]
    assert steps == ["adopt", "seal", "hot to warm", "journal to hot", "handoff"]
    shas = scene.git("log", "--reverse", "--format=%H", f"-{len(steps)}").split()
    assert [one.sha for one in report.steps] == shas
    assert _trailers(scene, "Sleep-Step")[-len(steps) :] == steps
    assert _trailers(scene, "Sleep-Cycle")[-4:] == ["3"] * 4
    instance = str(scene.view.cycles[-1].instance)
    assert _trailers(scene, "Sleep-Instance")[-4:] == [instance] * 4
    assert _trailers(scene, "Sleep-Compressor")[-4:] == [extractive.NAME] * 4
    assert scene.git("status", "--porcelain") == ""


def test_a_report_holds_the_texts_of_the_last_cycle_alone(scene):
    """A sleep on many journals does not keep each page as often as a step wrote it, only its name."""
    for number in (1, 2, 3):
        scene.write(f"journal/instance-{number}.md", f"# Day {number}\n\n## Decisions\n\n- Use engine {number}\n")
    report = scene.sleep()
    by_cycle = {number: [one for one in report.steps if one.cycle == number] for number in (1, 2, 3)}
    assert all(one.decided.writes and one.plan.writes for own in by_cycle.values() for one in own)
    for number, own in by_cycle.items():
        texts = [text for one in own for text in (*one.decided.writes.values(), *one.plan.writes.values())]
        accounts = [one for one in own if one.decided.fates or one.decided.spans]
        assert (any(texts), bool(accounts)) == (number == 3,) * 2


def test_messages_say_what_was_kept(scene):
    """A step's message counts what it kept and dropped and the tokens before and after; subjects fit a line."""
    scene.lived()
    body = scene.git("log", "-1", "--format=%B", "HEAD~1")
    assert body.startswith("sleep: journal to hot, 1 decision, 1 question")
    assert "kept: " in body
    assert "tokens: " in body
    assert all(len(subject) <= 72 for subject in scene.subjects())


def test_messages_say_which_records_moved(scene):
    """Who reads the message learns what was decided against, lifted, done or said anew, by its handle."""
    scene.add("decision", "Use flock")
    scene.add("thread", "Prove the lock", next="race two processes")
    scene.add("constraint", "Never hold it long")
    scene.sleep()
    (rule,) = (fragment.handle for _, fragment in scene.view.placed() if fragment.kind == "constraint")
    scene.move("decision", "D-001", "reversed")
    scene.move("constraint", rule, "lifted")
    scene.move("thread", "T-001", "next")
    scene.sleep()
    body = scene.git("log", "-1", "--format=%b", "--grep=journal to hot")
    assert f"- moved: D-001 reversed, {rule} lifted, T-001 (next)\n" in body


def test_sessions_are_settled_on_the_last_step(scene):
    """The last commit names each session of the instance, and the cycle's line too."""
    scene.open(session="abc-1")
    scene.add("note", "x", instance=1)
    scene.sleep()
    assert _trailers(scene, "Sleep-Session") == ["abc-1"]
    assert scene.view.cycles[0].sessions == ("abc-1",)


def test_twice_is_once(scene):
    """A second sleep in a row makes no commit and changes no byte."""
    scene.lived()
    before = scene.everything()
    assert scene.sleep().steps == ()
    assert scene.everything() == before


def test_a_dry_run_changes_nothing_and_tells_the_truth(scene):
    """A dry run changes nothing, and the steps that it names, with all they write, are those that then happen."""
    scene.lived(3)
    scene.open()
    scene.add("decision", "Use the last", why="it stays")
    scene.write("main.md", scene.text("main.md").replace("What this", "Now what this"))
    before = scene.everything()
    moment = scene.now()
    scene.now = lambda: moment
    dry = scene.rehearse()
    assert scene.everything() == before
    wet = scene.sleep()
    assert [one.sha for one in dry.steps] == [""] * len(dry.steps)
    assert [(one.cycle, one.plan) for one in dry.steps] == [(one.cycle, one.plan) for one in wet.steps]
    assert [one.decided for one in dry.steps] == [one.decided for one in wet.steps]
    changed = git(scene.top, "diff", "--stat", "--name-only", f"{wet.steps[0].sha}..HEAD").split()
    assert {line[6:] for line in dry.diff.splitlines() if line.startswith("+++ b/")} == set(changed)


def test_a_dry_run_refuses_what_a_sleep_would(scene):
    """A dry run says so when the sleep could not begin: a merge under way, a secret in an edited file."""
    scene.add("note", "x")
    scene.write("memory/warm/x.md", f"{SECRET}\n")
    with pytest.raises(SecretError, match=r"memory/warm/x\.md:1"):
        scene.rehearse()
    (scene.top / "memory/warm/x.md").unlink()
    (scene.top / ".git" / "MERGE_HEAD").write_text(scene.head())
    with pytest.raises(GitStateError, match="merge"):
        scene.rehearse()


def test_only_one_instance(scene):
    """With an instance's number only that one is slept on, and the others wait."""
    for _ in range(3):
        number = scene.open().address.number
        scene.add("decision", f"Use {number}", instance=number)
    scene.sleep(instance=2)
    assert [cycle.instance.number for cycle in scene.view.cycles] == [2]
    assert scene.view.unslept == ("journal/instance-1.md", "journal/instance-3.md")
    assert scene.sleep(instance=2).steps == ()
    assert [one.fragment.number for one in scene.view.records.values()] == ["D-002", "D-001", "D-003"]


def test_an_instance_that_is_nowhere(scene):
    """An instance that does not exist is a usage error, and nothing changes."""
    before = scene.everything()
    with pytest.raises(UsageError, match="no instance 7"):
        scene.sleep(instance=7)
    with pytest.raises(UsageError, match="no instance 7"):
        scene.rehearse(instance=7)
    assert scene.everything() == before


def test_several_unslept_ones_in_order(scene):
    """Several journals are slept on in the order of their numbers, a cycle each, ten after nine."""
    for _ in range(11):
        number = scene.open().address.number
        scene.add("note", f"day {number} at `src/{number}.py`", instance=number)
    scene.sleep()
    assert [cycle.instance.number for cycle in scene.view.cycles] == list(range(1, 12))
    assert [cycle.number for cycle in scene.view.cycles] == list(range(1, 12))
    assert scene.sleep().steps == ()


def test_an_empty_journal_is_skipped(scene):
    """A journal that holds nothing, or only the tone check, is skipped with the reason, closed or not."""
    scene.lived()
    scene.wake()
    assert scene.sleep().skipped == (("journal/instance-2.md", "holds nothing yet"),)
    writer.close(scene.place, scene.now())
    report = scene.sleep()
    assert report.skipped == (("journal/instance-2.md", "holds nothing yet"),)
    assert len(scene.view.cycles) == 1
    assert scene.check() == []


def test_a_step_that_changes_nothing_is_skipped(scene):
    """A journal of events only, which no tier changes for, makes a cycle without the step to hot memory."""
    scene.add("thread event", "x", record="T-009", to="paused", reason="y")
    assert [one.decided.step for one in scene.sleep().steps] == ["adopt", "seal", "handoff"]
    assert scene.view.cycles[0].steps == ("seal", "handoff")


def test_the_table_survives_without_trailers(scene):
    """After a squash that loses every trailer, the files alone say what was slept on: nothing is slept on again."""
    scene.lived(2)
    scene.git("reset", "--quiet", "--soft", scene.git("rev-list", "--max-parents=0", "HEAD").strip())
    scene.git("commit", "--quiet", "--message=squashed")
    assert scene.sleep().steps == ()
    assert scene.cycle(3).steps[-1].cycle == 3


def test_a_settled_sleep_stays_settled_while_a_session_goes_on(scene):
    """What a session says after its instance was slept on goes into a new one, and is slept on by itself."""
    scene.open(session="a")
    scene.add("note", "before", instance=1)
    scene.sleep()
    woken = scene.wake(session="a")
    assert woken.path == "journal/instance-2.md"
    assert scene.view.journal(woken.path).fields["continues"] == 1


def test_an_undone_number_is_not_used_again(scene):
    """A cycle after an undo gets a number that no commit has."""
    scene.lived()
    scene.undo()
    assert [one.cycle for one in scene.sleep().steps] == [2, 2, 2]


def test_a_seal_counts_the_addresses_that_it_gave(scene):
    """Entries of our own have addresses already; of pieces that a person wrote the message says how many got one."""
    path = scene.open().path
    scene.add("decision", "Use flock")
    scene.sleep()
    assert "- entries: 1\n" in scene.git("log", "--format=%b", "--grep=seal")
    path = scene.open().path
    scene.write(path, f"{scene.text(path)}\nWe use sqlite.\n")
    scene.sleep()
    assert "of which 1 was given an address\n" in scene.git("log", "-5", "--format=%b", "--grep=seal")


def test_a_sealed_journal_never_changes(scene):
    """Once slept on, a journal stays byte for byte through all later cycles."""
    scene.lived()
    sealed = scene.text("journal/instance-1.md")
    for number in range(2, 5):
        scene.add("question event", "done", record="Q-001", to="answered", reason="yes")
        scene.cycle(number)
    assert scene.text("journal/instance-1.md") == sealed


def test_what_was_noticed_by_hand_without_a_source_was_noticed_by_the_agent(scene):
    """An entry that says by hand that it was only noticed waits for a word; it had stopped every sleep at the gate."""
    scene.open()
    path = scene.view.unslept[0]
    scene.write(path, f"{scene.text(path)}\n## Decision: Use the pool\n\n- standing: noticed\n")
    scene.sleep()
    (noticed,) = (fragment for _, fragment in scene.view.placed() if fragment.is_asked)
    assert (noticed.text, noticed.field("source")) == ("Use the pool", "agent")
    assert not scene.check()


def test_what_a_box_or_a_heading_says_is_stated_where_words_alone_are_noticed(scene):
    """In a journal that its instance writes by hand boxes and lists below their heading bind, as in an import."""
    scene.open()
    path = scene.view.unslept[0]
    done = "## Done\n\nWe need to look at the pool some day.\n"
    boxes = "### TODO\n\n- [ ] Write the backup job\n- [x] Stop the writer\n"
    lists = "### Tasks\n\nCall Ana.\n\n### Blockers\n\n- The lab is offline\n"
    scene.write(path, "\n".join((scene.text(path), done, boxes, lists)))
    scene.sleep()
    fragments = [fragment for _, fragment in scene.view.placed("memory/hot/")]
    assert [one.text for one in fragments if one.kind == "task"] == ["Write the backup job", "Call Ana."]
    assert [one.text for one in fragments if one.kind == "blocker"] == ["The lab is offline"]
    assert "✅ Stop the writer" in [one.text for one in fragments if one.kind == "change"]
    assert not any(one.is_record for one in fragments if "the pool" in one.text)
    assert scene.sleep().steps == ()


def test_line_ends_of_a_document_stay(scene):
    """A tier and a journal that end their lines with CRLF go on doing so in every line."""
    scene.lived()
    for path in ("memory/hot/decisions.md", "main.md"):
        scene.write(path, scene.text(path).replace("\n", "\r\n"))
    scene.cycle(2)
    for path in ("memory/hot/decisions.md", "main.md"):
        assert scene.text(path).count("\n") == scene.text(path).count("\r\n"), path


def test_cycles_table_reads_back(scene):
    """The table of cycles reads back, and lines that a person put between are passed over."""
    scene.lived()
    scene.write(cycles.PATH, scene.text(cycles.PATH) + "\nA note of mine, kept.\n")
    scene.cycle(2)
    assert [cycle.number for cycle in scene.view.cycles] == [1, 2]
    assert "A note of mine, kept." in scene.text(cycles.PATH)
    assert scene.text(paths.MAIN).count("## HANDOFF") == 1
