"""What a line is worth by its form, its words and its heading."""

from __future__ import annotations

from itertools import permutations

import pytest

from sleep.wake import quality
from sleep.wake.quality import SourceLine


def _order(*lines, weights=quality.ROOMY):
    """Return the lines, the best first."""
    judged = quality.judge_lines(lines, 1, weights).lines
    return [line for _, line in sorted(zip(judged, lines, strict=True), key=lambda pair: -pair[0].score)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [("Lessons", "Files changed"), ("Entscheidungen", "Geänderte Dateien und Tests"), ("决策", "测试")],
)
def test_a_heading_says_what_its_lines_are_worth(better, worse):
    """Below what was decided or learnt lines tell more than below what was run and written, in any language."""
    held, done = (SourceLine("the parser reads the ledger twice", 0, heading, 20) for heading in (better, worse))
    assert _order(done, held)[0] == held


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("the cache never outlives its session", "the cache probably outlives its session"),
        ("the ledger is the only source", "the ledger as the only source"),
        ("der Dienst läuft nicht als root", "der Dienst wieder mal als root"),
    ],
)
def test_a_line_that_states_or_denies_tells_more(better, worse):
    """Of two lines that are alike, the one with a verb that states, or a word that sets apart, is worth more."""
    one, other = SourceLine(better, 0, "", 20), SourceLine(worse, 0, "", 20)
    assert _order(other, one)[0] == one


def test_a_line_that_states_a_record_tells_more_where_room_is_small():
    """Of two lines that are alike, the one that is known for a decision is worth more, if not every line has room."""
    decision, remark = (SourceLine(f"the ledger of {who} in one file", 0, "", 20) for who in ("Ada", "Bela"))
    decision = decision._replace(kind="decision")
    assert _order(remark, decision, weights=quality.WEIGHTS)[0] == decision


def test_what_holds_counts_more_where_there_is_room():
    """Beside a line's length, its verbs and its heading count for more in a large budget than in a small one."""
    for name in ("weighty", "contrast", "states"):
        small, roomy = (weights[name] / weights["length"] for weights in (quality.WEIGHTS, quality.ROOMY))
        assert 0 < small < roomy


def test_at_a_glance_a_rule_is_worth_more_than_a_remark():
    """What a glance sees of a line: its length, the words that bind or give a reason, and those of a task."""
    rule, remark = SourceLine("Never push before the tests, because it pages", 0), SourceLine("Pushed it at noon", 0)
    assert quality.glance(rule) > quality.glance(remark)
    assert quality.glance(remark, frozenset({"pushed", "it", "at", "noon"})) > quality.glance(rule)


@pytest.mark.parametrize("name", ["Ada", "Zoë"])
def test_what_is_said_of_the_one_who_asks_for_things_is_told_first(name):
    """Who wants, approves and corrects again and again is who the work is for; a name that only occurs is not."""
    asks = [SourceLine(f"{name} {verb} the {thing}", 0, "", 20) for verb, thing in _ASKED]
    occurs = [SourceLine(f"Linus wrote the {thing}", 0, "", 20) for _, thing in _ASKED]
    person, other = (SourceLine(f"{who}: use the small model first", 0, "", 20) for who in (name, "Linus"))
    order = _order(*asks, *occurs, other, person, weights=quality.WEIGHTS)
    assert order.index(person) < order.index(other)
    judged = quality.judge_lines([*asks, *occurs, other, person], 1).lines
    assert [each.names_asker for each in judged] == [True, True, True, False, False, False, False, True]


_ASKED = (("wants", "parser"), ("also approved", "ledger"), ("corrected", "report"))


def test_a_program_that_is_said_to_want_something_once_in_a_while_is_nobody():
    """Three lines in which something asks make a person only where the name seldom does anything else."""
    lines = [f"Redis {verb} the {thing}" for verb, thing in _ASKED]
    assert quality.names_of_askers([(line, quality.tokens(line)) for line in lines]) == {"redis"}
    lines += [f"Redis holds queue {number}" for number in range(40)]
    assert quality.names_of_askers([(line, quality.tokens(line)) for line in lines]) == frozenset()


@pytest.mark.parametrize(
    ("better", "worse"), [("the user reads it", "the cache reads it"), ("主人读取文件", "程序读取文件")]
)
def test_who_the_work_is_for_is_known_by_a_word_too(better, worse):
    """A line that speaks of the user or the owner tells more than one that is alike otherwise."""
    one, other = SourceLine(better, 0, "", 20), SourceLine(worse, 0, "", 20)
    assert _order(other, one, weights=quality.WEIGHTS)[0] == one


def test_an_id_tells_nobody_anything_with_a_label_either():
    """The id of a session is as little as a bare path, whatever says that it is one."""
    told, bare = (SourceLine(f"Session: {what}", 0, "", 20) for what in ("12 of 345, 6789 of 1234, 56 of 78", _UUID))
    assert _order(bare, told, weights=quality.WEIGHTS)[0] == told


_UUID = "1284c080-f9cd-45f8-9942-ff58f5c517e5"


def test_a_rank_hangs_on_no_order_of_a_set():
    """What the terms of a line are worth together is the same in whatever order a process has them."""
    means = {
        quality._mean(frozenset("abc"), dict(zip("abc", worths, strict=True)))
        for worths in permutations((1e16, 1.0, -1e16))
    }
    assert len(means) == 1


@pytest.mark.parametrize(
    "heading",
    [
        "Open items",
        "À faire",
        "Задачи",
        "やること",
        "次回やること",
        "할 일",
        "后续",
        "Prochaine session (S18)",
        "Da fare",
    ],
)
def test_a_list_of_what_is_open_is_known_in_any_language(heading):
    """Its heading names the kind of what stands below it, as an import reads it."""
    assert quality.is_list_of_open(heading)


@pytest.mark.parametrize("heading", ["Tasks completed", "Erledigte Aufgaben", "Terminé", "完了したタスク", "Notes"])
def test_a_list_of_what_was_done_is_none_of_what_is_open(heading):
    """That is what its heading says first, whatever it was."""
    assert not quality.is_list_of_open(heading)
