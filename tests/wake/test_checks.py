"""Coherence: one planted fault a check, and none in a clean memory."""

from __future__ import annotations

import re

import pytest

from sleep.documents import cycles, journal, paths
from sleep.journal import writer
from sleep.review import judgement
from sleep.wake import checks, page


@pytest.fixture
def lived(scene):
    """Return a memory of three cycles, clean."""
    return scene.lived(3)


def _found(scene, now="2026-11-22T00:00:00Z"):
    return checks.check(scene.view, scene.place.settings, now)


def _replace(scene, path, old, new):
    text = scene.text(path)
    assert re.search(old, text), text
    scene.write(path, re.sub(old, new, text, count=1))


def test_a_clean_memory_passes(lived):
    """A memory that only the program wrote has no finding, open journal or not."""
    assert _found(lived) == []
    lived.wake()
    lived.add("tone", "calm again, and curious")
    lived.add("decision", "one more", why="x")
    assert _found(lived) == []


def test_the_later_part_of_a_session_hands_over_though_it_did_nothing(scene):
    """Who continues the session of the last one that did something left the handoff; a session of its own did not."""
    for number, kind, words, session in (
        (1, "change", "Soldered the relay of the harbour light", "s1"),
        (2, "note", "It burns.", "s1"),
        (3, "note", "And now?", "s1"),
        (4, "note", "Hello.", "s4"),
    ):
        scene.open(session=session)
        files = {"files": "lamp.py"} if number == 1 else {}
        scene.add(kind, words, instance=number, source="agent", transcript=f"{session}:{number}", **files)
        scene.sleep()
        assert not [each for each in _found(scene) if each.check == "continuity" and each.level == "fail"], number
    assert "by instance i3" in scene.text("main.md")


def test_a_fresh_memory_passes(scene):
    """A memory that nothing was slept on in yet has no failure."""
    assert [one for one in _found(scene) if one.level != "note"] == []


def _no_main(scene):
    (scene.home / "main.md").unlink()


def _purpose_unsaid(scene):
    _replace(scene, "main.md", "What this[^\n]*", "(Say here, in your own words)")


def _wrong_number(scene):
    scene.add("note", "x")
    _replace(scene, "journal/instance-4.md", "instance: 4", "instance: 5")


def _no_journal(scene):
    scene.write("journal/instance-4.md", "---\ninstance: [4\n---\nby hand\n")


def _journal_gone(scene):
    (scene.home / "journal/instance-3.md").unlink()


def _unsealed(scene):
    _replace(scene, "journal/instance-3.md", "ended: [^\n]*\n", "")


def _no_handoff(scene):
    _replace(scene, "main.md", "(?s)## HANDOFF.*?(?=## Current)", "")


def _old_handoff(scene):
    _replace(scene, "main.md", "by instance i3[a-z]+", "by instance i2abc")


def _waiting(scene):
    scene.add("note", "x")
    writer.close(scene.place, scene.now())


def _no_priority(scene):
    scene.add("thread", "Rewrite it")
    scene.sleep()
    _replace(scene, "main.md", "- next_priority[^\n]*\n", "")


def _one_number_twice(scene):
    _replace(scene, paths.DECISIONS, r"D-003", "D-002")


def _repeated(scene):
    _replace(scene, paths.DECISIONS, "Use engine 3 for part 3", "Use engine 2 for part 2")


def _contradicting(scene):
    scene.add("decision", "Always keep the parser cache in memory", why="x")
    scene.sleep()
    scene.add("decision", "Never keep the parser cache in memory", why="y")
    scene.sleep()


def _superseded_by_nobody(scene):
    _replace(scene, paths.DECISIONS, "(  - alternatives: none\n)", r"\1  - status: superseded (by D-099)\n")


def _leads_nowhere(scene):
    _replace(scene, paths.DECISIONS, r"\[(i3[a-z]+)\.\d+\]", r"[\1.77]")


def _leads_to_no_journal(scene):
    _replace(scene, paths.DECISIONS, r"\[i3[a-z]+\.(\d+)\]", r"[i9zzz.\1]")


def _moves_nothing(scene):
    scene.add("thread event", "x", record="T-077", to="paused", reason="y")


def _moves_wrongly(scene):
    scene.add("question event", "x", record="Q-001", to="lifted", reason="y")


def _main_too_long(scene):
    scene.write("main.md", scene.text("main.md") + "\n## More\n\n" + "word " * 3000)


def _topic_too_long(scene):
    path = next(iter(scene.view.files(paths.WARM)))
    scene.write(path, scene.text(path) + "- " + "word " * 2000 + "[i1abc.1]\n")


def _due(scene):
    _replace(scene, paths.DECISIONS, "(  - alternatives: none\n)", r"\1  - revisit when: after 2026-11-01\n")


def _hot_too_long(scene):
    said = scene.view.journal("journal/instance-3.md").instance
    rules = "".join(f"- Never put port {at} behind the gate of part {at}. [{said}.{at}]\n" for at in range(1, 1600))
    text = scene.text(paths.CONTEXT)
    scene.write(paths.CONTEXT, f"{text}\n## Constraints\n\n{rules}")


def _page_of_another(scene):
    scene.write("memory/page.md", "# The project\n\n- The API listens on port 8003. [i8yyy.3]\n")


def _unanswered(scene):
    scene.wake()
    scene.add("decision", "one more", why="x")


PLANTED = {
    _no_main: ("identity", "fail", "main.md"),
    _purpose_unsaid: ("identity", "warn", "purpose"),
    _wrong_number: ("identity", "fail", "instance 5"),
    _no_journal: ("identity", "fail", "front matter: expected"),
    _journal_gone: ("continuity", "fail", "missing"),
    _unsealed: ("continuity", "fail", "not sealed"),
    _no_handoff: ("continuity", "fail", "no handoff"),
    _old_handoff: ("continuity", "fail", "not that of i3"),
    _waiting: ("continuity", "warn", "closed and not slept on"),
    _no_priority: ("task awareness", "warn", "1 threads"),
    _one_number_twice: ("record numbers", "note", "names 2 records"),
    _repeated: ("decision consistency", "warn", "repeats"),
    _contradicting: ("decision consistency", "fail", "contradict"),
    _superseded_by_nobody: ("decision consistency", "fail", "D-099"),
    _leads_nowhere: ("addresses", "fail", ".77 leads nowhere"),
    _leads_to_no_journal: ("addresses", "fail", "i9zzz.2 leads nowhere"),
    _page_of_another: ("addresses", "fail", "i8yyy.3 leads nowhere"),
    _moves_nothing: ("record states", "fail", "T-077"),
    _moves_wrongly: ("record states", "fail", "answered"),
    _main_too_long: ("sizes", "warn", "over 2000"),
    _topic_too_long: ("sizes", "warn", "over 2000"),
    _due: ("revisit", "warn", "it is 2026-11-22"),
    _hot_too_long: ("sizes", "warn", "hot memory has"),
    _unanswered: ("tone", "warn", "not acknowledged yet"),
}


@pytest.mark.parametrize("plant", list(PLANTED), ids=lambda plant: plant.__name__.strip("_"))
def test_a_planted_fault_is_found(lived, plant):
    """Each planted fault is reported by its own check, at its level, with words that name it and a place."""
    plant(lived)
    check, level, words = PLANTED[plant]
    hits = [one for one in _found(lived) if one.check == check and words in one.what]
    assert hits, _found(lived)
    assert hits[0].level == level
    assert hits[0].check in checks.CHECKS


def test_every_check_has_a_planted_fault():
    """No check of the list goes without a test that trips it."""
    assert {check for check, _, _ in PLANTED.values()} == set(checks.CHECKS)


CONDITIONS = {
    "after 2026-12-01": False,
    "on 2026-11-22": True,
    "memory past 100k tokens": False,
    "memory past 100 tokens": True,
    "memory over 0.1k tokens": True,
    "after 2 instances": True,
    "after 20 instances": False,
    "when somebody complains": False,
}


def _wait(scene):
    for number, said in enumerate(CONDITIONS, 1):
        scene.add("decision", f"Use lock {number} for door {number}", why="x", revisit_when=said)
    for number in range(1, 4):
        scene.cycle(number)


@pytest.mark.parametrize("said", CONDITIONS)
def test_conditions_that_a_program_can_judge(scene, said):
    """A date, an amount of memory and a count of instances are judged; what is none of these is left to people."""
    scene.grow(_wait)
    number = list(CONDITIONS).index(said) + 1
    found = [one.what for one in _found(scene) if one.check == "revisit"]
    assert len(found) == sum(CONDITIONS.values())
    assert any(f"D-{number:03d}" in what for what in found) == CONDITIONS[said]


def test_hot_memory_that_is_told_whole_is_not_too_large(lived):
    """Hot memory above its share is no finding while a wake tells all of it; above, the largest kind is named."""
    lived.write("memory/sleep.yaml", lived.text("memory/sleep.yaml") + "wake:\n  hot: 100\n")
    assert _found(lived) == []
    _hot_too_long(lived)
    (found,) = [one for one in _found(lived) if one.check == "sizes"]
    assert re.search(r"\(wake.hot is 100\), and a wake leaves \d+ of 16\d\d fragments out$", found.what)
    assert found.fix.startswith("`sleepwake constraint.list`: ")
    assert found.command == "sleepwake constraint.list"
    kept, hot = (int(re.search(words, found.fix + found.what)[1]) for words in (r"\((\d+) of", r"of (\d+) fragments"))
    assert kept <= hot


@pytest.mark.parametrize("answer", ["entry", "hand", "handoff"])
def test_the_last_tone_is_acknowledged_in_own_words(lived, answer):
    """The first entry asks how the instance starts from the last tone; any words of its own answer it."""
    found = lived.wake()
    text = lived.text(found.path)
    asks = 'Say in your own words how you start from it: `sleepwake journal.add --kind tone --text "..."`'
    assert "It closed with: calm, number 3" in text
    assert asks in text
    assert asks in found.text
    assert _found(lived) == []  # nothing was done yet
    lived.add("note", "x")
    assert [one.check for one in _found(lived)] == ["tone"]
    if answer == "entry":
        lived.add("tone", "glad to go on")
    elif answer == "handoff":
        lived.add("handoff", "done", emotional_register="tired")
    else:
        lived.write(found.path, lived.text(found.path) + "\nI start curious.\n")
    assert _found(lived) == []
    assert answer == "hand" or asks not in lived.wake().text
    lived.sleep()
    assert "Say in your own words" not in "".join(lived.text(path) for path in paths.HOT)


def test_a_tone_that_was_never_acknowledged_is_a_note(lived):
    """Of the last instance that slept nothing can be asked any more: that it did not answer is a note."""
    lived.wake()
    lived.add("note", "x")
    lived.sleep()
    (found,) = _found(lived)
    assert (found.check, found.level, found.fix) == ("tone", "note", "")


def test_a_register_of_a_handoff_is_a_tone(scene):
    """The emotional register of a handoff is the closing tone, where no later entry tells one."""
    scene.add("tone", "worried")
    said = scene.add("handoff", "done", emotional_register="relieved, a little tired").address
    scene.sleep()
    assert f"It closed with: relieved, a little tired ({said})" in scene.text(scene.wake().path)


def test_a_line_without_an_address_is_a_note(lived):
    """An item that a person added without an address is a note with its line, and fails nothing."""
    lived.write(paths.CONTEXT, lived.text(paths.CONTEXT) + "- mine\n")
    (found,) = _found(lived)
    assert (found.level, found.where) == ("note", f"{paths.CONTEXT}:{lived.text(paths.CONTEXT).count(chr(10))}")


def test_two_instances_of_one_number(lived):
    """Two journals of one number, as a merge of two branches leaves them, are told apart by their tags."""
    lived.write(
        "journal/instance-3-zzz.md",
        "---\ninstance: 3\ntag: zzz\nstarted: 2026-01-01T00:00:00Z\n---\n\nby the other branch\n",
    )
    assert _found(lived) == []
    assert lived.view.unslept == ("journal/instance-3-zzz.md",)
    lived.sleep()
    assert [str(cycle.instance) for cycle in lived.view.cycles][-1] == "i3zzz"
    assert _found(lived) == []


def test_a_table_of_cycles_that_a_merge_mixed(lived):
    """Two cycles of one number, as a merge leaves them, are both read."""
    lived.write(cycles.PATH, lived.text(cycles.PATH) + "| 3 | i9abc | 2026-01-01T00:00:00Z | - | 1 | 1 | seal |\n")
    assert [cycle.number for cycle in lived.view.cycles] == [1, 2, 3, 3]


def test_the_handoff_of_one_that_did_something(lived):
    """A session that did nothing leaves the handoff as it was, and nothing is wrong with that."""
    lived.add("tone", "calm")
    lived.sleep()
    assert "i3" in lived.text("main.md").partition("updated")[2].partition("\n")[0]
    assert _found(lived) == []


def test_a_copy_of_a_journal(scene):
    """A copied journal is said, and never slept on, under whichever name it has."""
    scene.lived(2)
    instance = scene.view.cycles[1].instance
    text = scene.text("journal/instance-2.md")
    for path in ("journal/instance-9.md", f"journal/instance-2-{instance.tag}.md"):
        scene.write(path, text)
        assert [step.cycle for step in scene.sleep().steps] == [0]
        report = scene.sleep()
        assert report.steps == ()
        (found,) = [one for one in scene.check() if one.check == "identity"]
        assert (found.level, found.where) == ("fail", path)
        assert "is a copy of journal/instance-2.md" in found.what
        assert dict(report.skipped).get(path, "remove the copy").endswith("remove the copy")
        (scene.home / path).unlink()
        scene.sleep()


def test_a_journal_under_another_number(scene):
    """A journal whose file has another number than it says is slept on once, and the doctor names it until it moves."""
    scene.lived(1)
    scene.open()
    scene.add("decision", "Use flock")
    (scene.home / "journal/instance-2.md").rename(scene.home / "journal/instance-7.md")
    assert [step.cycle for step in scene.sleep().steps if step.cycle]
    assert scene.sleep().steps == ()
    assert ["mv journal/instance-7.md" in one.fix for one in scene.check() if one.check == "identity"] == [True]
    scene.write("journal/instance-8.md", scene.text("journal/instance-7.md"))
    scene.sleep()
    assert scene.sleep().steps == ()


def test_a_page_is_offered_to_a_memory_of_many(scene, monkeypatch):
    """Where many were slept on and nobody wrote a page, a note says how; a page ends it."""
    scene.lived(2)
    monkeypatch.setattr(checks, "_MANY", 3)
    assert not any(finding.where == page.PATH for finding in _found(scene))
    monkeypatch.setattr(checks, "_MANY", 2)
    (offered,) = [finding for finding in _found(scene) if finding.where == page.PATH]
    assert (offered.level, offered.fix) == ("note", "`sleepwake wake.page` says how")
    scene.write(page.PATH, "# Rules\n\n- Never round prices.\n")
    assert not any(finding.where == page.PATH for finding in _found(scene))


@pytest.mark.parametrize(("is_rejected", "says"), [(True, "was rejected in i"), (False, "was only noticed")])
def test_what_was_only_noticed_and_binds_after_a_merge(scene, is_rejected, says):
    """A line that a merge by hand put among the records that bind is named, with who rejected it."""
    scene.open()
    draft = journal.noticed("decision", "Use redis streams for the queue", "person", transcript="s1:7")
    at = str(writer.add(scene.place, scene.now(), draft).address)
    scene.add("decision", "Use flock for the lock", why="it ends with its holder")
    scene.sleep()
    assert _found(scene) == []
    page = scene.text("memory/hot/decisions.md")
    if is_rejected:
        judgement.settle(scene.place, scene.now(), [at], judgement.Word(judgement.REJECT, "person"))
        scene.sleep()
        assert _found(scene) == []
    scene.write("memory/hot/decisions.md", re.sub("(?m)^#+ .* noticed\n\n(### .*\n\n)?", "", page))
    (found,) = (one for one in _found(scene) if one.check == "decision consistency")
    assert (found.level, found.where) == ("fail", "memory/hot/decisions.md")
    assert f"decision {at} binds here" in found.what
    assert says in found.what
    assert (found.fix == "sleepwake doctor --fix") is is_rejected
