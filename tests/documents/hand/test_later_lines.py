"""What later lines of a log make of what is open in it."""

import pytest

from sleep.documents.hand import later_lines
from sleep.documents.hand.annotation import mark
from sleep.documents.hand.later_lines import Line
from sleep.records.address import InstanceId

OWN = InstanceId(9, "zzz")
HEAD = "---\ninstance: 9\ntag: zzz\nimported:\n  from: journal\n  path: log.md\n  hash: x\nstanding: marked\n---\n\n"
FIRST, LATER = ("Log", "10:00 Setup", "Open questions"), ("Log", "14:30 Repair", "Open questions")


def _task(text, *above):
    return Line("task", text, above)


def _note(text, *above):
    return Line("note", text, above)


def test_the_same_words_are_told_anew():
    lines = [_task("Order the new disk for the builder"), _note("Lunch"), _task("Order the new disk for the builder")]
    assert later_lines.told_anew(lines) == {0: 2}


def test_a_name_is_told_anew_by_its_last():
    lines = [_task("**Disk mirror:** waits for the vendor", "A"), _task("**Disk mirror** — half of it is here", "B")]
    assert later_lines.told_anew(lines) == {0: 1}


def test_a_name_that_one_list_has_twice_names_nothing():
    lines = [
        _task("Ana asked: where is the report?", "A"),
        _task("Ana asked: who pays the disk?", "A"),
        _task("Ana asked: when is lunch?", "B"),
    ]
    assert later_lines.told_anew(lines) == {}


def test_a_later_list_has_newer_words():
    lines = [
        Line("question", "Does the mirror need its own token for uploads?", FIRST),
        Line("question", "Who pays for the second builder?", FIRST),
        Line("question", "Own token for uploads of the mirror: not clear", LATER),
    ]
    assert later_lines.told_anew(lines) == {0: 2}
    assert later_lines.settled(lines) == {1: 2}


@pytest.mark.parametrize("says", ["raised the log level, still failing", "tried a new password, not fixed yet"])
def test_a_change_after_which_it_still_fails_settles_nothing(says):
    lines = [
        Line("blocker", "**Mail server:** no credentials", ("A",)),
        Line("change", f"**Mail server:** {says}", ("B",)),
    ]
    assert later_lines.settled(lines) == {}


@pytest.mark.parametrize(
    ("later", "is_settled"),
    [
        ("✅ ask accounting about VAT", True),
        ("ask accounting about VAT ✅ done?", False),
        ("✅ ask accounting about wages", False),
        ("ask accounting about VAT", False),
    ],
)
def test_a_short_item_is_ticked_off_by_the_same_words(later, is_settled):
    """A list of things to do has few words an item: a tick before the same ones is enough, whatever their number."""
    lines = [_task("ask accounting about VAT", "Todo"), _note(later, "Log")]
    assert later_lines.settled(lines) == ({0: 1} if is_settled else {})


@pytest.mark.parametrize("later", ["call the port of Kiel", "call the port of Kiel ✅ 2026-03-04"])
def test_a_ticked_box_ticks_an_item_off(later):
    """A ticked box is read as a change: one of an open item's words closes it, whatever day a tool wrote behind it."""
    assert later_lines.settled([_task("call the port of Kiel", "Todo"), Line("change", later, ("Todo",))]) == {0: 1}


def test_a_keyword_is_no_word_of_an_item():
    """What a list by keywords has as `TODO` is closed where it has it as `DONE`, whatever day it was due."""
    lines = [_task("TODO call Ana SCHEDULED: <2026-03-10 Tue>", "Log"), Line("change", "DONE call Ana", ("Log",))]
    assert later_lines.settled(lines) == {0: 1}


def test_a_tick_finds_the_record_that_has_its_subject_in_front():
    """An open record says what the heading above it is about: the ticked item below the same heading closes it."""
    above = ("Todo", "Tide import")
    lines = [_task("Tide import: add a cache"), Line("change", "add a cache", above)]
    assert later_lines.settled(lines, 1) == {0: 1}


def test_a_change_settles_what_has_its_name():
    lines = [
        Line("task", "**Mail server:** more time", ("A",)),
        Line("change", "**Mail server:** 30 to 60 s (fixes it)"),
    ]
    assert later_lines.settled(lines) == {0: 1}


def test_what_is_refused_is_told_anew_by_no_mark():
    """Of a page whose tasks are said elsewhere each line is a note, as its mark has it: one without a kind."""
    tasks = "## Tasks\n\n- [ ] Order the new disk\n\n## Later\n\n- [ ] Order the new disk\n"
    text = mark(HEAD + tasks, OWN, {}, frozenset({"task"}))
    assert text.count("[i9zzz.") == 2
    assert "note]" not in text


def test_a_list_of_another_subject_settles_nothing():
    lines = [
        Line("question", "Who pays for the second builder?", FIRST),
        Line("question", "Which colour has the logo?", LATER),
    ]
    assert later_lines.settled(lines) == {}


def test_lists_of_a_design_are_no_blocks_of_a_log():
    lines = [
        Line("question", "Does the parser need a token?", ("Design", "Parser", "Open questions")),
        Line("question", "Who pays for the store?", ("Design", "Parser", "Open questions")),
        Line("question", "Does the store need a token?", ("Design", "Store", "Open questions")),
    ]
    assert later_lines.settled(lines) == {}


def test_none_settles_the_list_before():
    lines = [Line("question", "Who pays for the builder?", FIRST), _note("None — the vendor does.", *LATER)]
    assert later_lines.settled(lines) == {0: 1}


@pytest.mark.parametrize(
    ("open_", "report"),
    [
        ("**Mirror update:** ready, awaits the go-ahead", Line("change", "**Mirror updated:** 2.1 to 2.2")),
        ("Nightly builder check job: times out", Line("change", "**Nightly builder job:** timeout raised to 180 s")),
        ("Backup runner: approved but not built", _note("Backup runner: already built in `run.py`")),
        (
            "Restrict uploads of the mirror to the main account",
            _note("✅ Uploads of the mirror: main account, restricted"),
        ),
    ],
)
def test_a_report_settles(open_, report):
    assert later_lines.settled([_task(open_, "Open"), report]) == {0: 1}


@pytest.mark.parametrize(
    "report",
    [
        "Backup runner: not yet built",
        "Backup runner: will be built when the disk is here",
        "Backup runner: is it built?",
        "Backup runner: the disk is full",
        "Backup of the store: done",
        "⚠️ Backup runner: built, it fails",
    ],
)
def test_what_is_no_report_settles_nothing(report):
    assert later_lines.settled([_task("Backup runner: approved but not built"), _note(report)]) == {}


def test_a_report_before_settles_nothing():
    assert later_lines.settled([_note("Backup runner: built"), _task("Backup runner: approved but not built")]) == {}


LOG = (
    "# Log\n\n## 10:00 Setup\n\n### Pending tasks\n\n- Order the new disk for the builder\n- Ask Ana who pays\n\n"
    "## 14:30 Repair\n\n### Pending tasks\n\n- Order the new disk for the builder (Ana knows the vendor)\n"
)


def test_an_import_has_a_repeated_task_once():
    marked = mark(HEAD + LOG, OWN, {})
    assert "Order the new disk for the builder [i9zzz.1]" in marked
    assert marked.count(" task]") == 2


def test_what_was_stated_once_is_stated_where_it_is_told_anew():
    """Below its heading a question is stated; in prose it is noticed only."""
    text = "# Log\n\n## Open questions\n\n- Should we order the new disk?\n\n"
    text += "## Notes\n\nShould we order the new disk?\n"
    marked = mark(HEAD + text, OWN, {})
    assert "order the new disk? [i9zzz.1]" in marked
    assert "order the new disk? [i9zzz.2 question Q-001]" in marked


def test_a_report_in_the_newer_list_settles_what_the_older_one_asks():
    """What is no point of the older list, and what the newer one asks again, stays as it is."""
    asked = Line("question", "Who paints the wall of the yard?", FIRST)
    older = [Line("question", "Where is the key of the north gate?", FIRST), _note("The gates are old", *FIRST), asked]
    report = Line("change", "✅ The key of the north gate is found", LATER)
    assert later_lines.settled([*older, asked._replace(above=LATER), report]) == {0: 4}


def test_what_is_still_broken_settles_nothing():
    """A line of the same name that says that its thing is open or broken reports no end of it."""
    lines = [Line("blocker", "**North gate:** the key is lost", ("A",)), _note("**North gate:** is broken", "B")]
    assert later_lines.settled(lines) == {}


@pytest.mark.parametrize(
    ("open_", "later", "is_settled"),
    [
        ("#57 : EPIC 15 — Analysis page", Line("change", "**#57 Analysis page** — route and form"), True),
        ("**AB-12** Analysis page", _note("✅ AB-12: analysis page is live"), True),
        ("#57 : EPIC 15 — Analysis page", Line("change", "**#58 Analysis page** — route and form"), False),
        ("#1: order the disk for the builder", Line("change", "#1: the roof has new tiles"), False),
        ("#57 Analysis page", Line("change", "#57 analysis page: route, the form is pending"), False),
        ("#57 Analysis page", _note("#57 analysis page is what Ana asks for"), False),
        ("GLM-5 quota for the tests", Line("change", "GLM-5 prompts of the tests, rewritten"), False),
        ("SHA-256 of the archive", Line("change", "SHA-256 below each archive"), False),
    ],
)
def test_a_number_of_a_tracker_is_a_name(open_, later, is_settled):
    """A later report that begins with the number and speaks of the same thing settles it; a model's is none."""
    assert later_lines.settled([_task(open_), later]) == ({0: 1} if is_settled else {})


def test_a_number_of_a_tracker_is_told_anew_by_its_last():
    """Of one log the newest words under a number of a tracker are the record."""
    lines = [_task("**#74** — fair value, estimated", "A"), _task("**#74** Fair value (P1) — finish the page", "B")]
    assert later_lines.told_anew(lines) == {0: 1}
