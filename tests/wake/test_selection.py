"""What a wake chooses to show."""

from __future__ import annotations

import itertools

import pytest
from scene import Memory

from sleep.language import salience
from sleep.language.salience import Worths
from sleep.memory import focus
from sleep.records.address import Address
from sleep.records.fragment import Fragment
from sleep.settings import Settings
from sleep.wake import assembly, candidates, quality, render, selection, task_rank
from sleep.wake.candidates import candidate
from sleep.wake.journal_lines import excerpt, line_fragments, line_text
from sleep.wake.selection import Share

ALL = 10_000
PHASES = ("hot", "warm", "journals")


def _placed(*texts, kind="note", at="memory/warm/auth.md", **fields):
    found = [
        Fragment(kind, text, (Address(1, "abc", index),), fields=tuple(fields.items()))
        for index, text in enumerate(texts, 1)
    ]
    judged = quality.judge_lines([quality.SourceLine(text, 0, place=99) for text in texts], 1)
    return [
        candidate(at, one, render.write_fragment(one, brief=True), own)
        for one, own in zip(found, judged.lines, strict=True)
    ]


def _worths(known):
    worths = Worths()
    worths._reckoned.update(known)
    worths._spoken.pairs.update((name, {1: 1}) for name in known if salience.BETWEEN in name)
    return worths


def _shown(placed, known, budget, *, first=0, said=""):
    memory = candidates.Memory(tuple(placed), {}, _worths(known))
    chosen = selection.choose(selection.weigh(memory, budget), (Share(PHASES, budget),), first, said)
    return [placed[index].fragment.text for index in sorted(chosen)]


def _about(placed, task, budget=ALL):
    memory = candidates.Memory(tuple(placed), {}, {})
    asked = task_rank.share_of_task(placed, task)
    return [placed[index].fragment.text for index in task_rank.choose_for_task(memory, asked, budget)]


def test_what_was_spoken_of_again_is_shown():
    """Of two fragments that tell alike, the one whose names are worth more is shown."""
    placed = _placed("we built old_part for it", "we built new_part for it")
    assert _shown(placed, {"new_part": 9.0, "old_part": 0.1}, 9) == ["we built new_part for it"]


def test_one_thing_is_not_said_twice():
    """What is shown already is worth less: another thing is shown before the same thing in other words."""
    lines = (
        "the parser was built in two parts",
        "in two parts the parser was built",
        "the scanner has a cache of bytes",
    )
    same = quality.Quality(frozenset(), 0.5, is_volatile=False)
    placed = [one._replace(quality=same._replace(terms=quality.terms(one.fragment.text))) for one in _placed(*lines)]
    assert lines[2] in _shown(placed, {}, 20)


def test_one_thing_is_told_by_one_line():
    """A line that says what one line says already is left out, however much room there is; another figure is news."""
    lines = (
        "check the path of each file both before and after the links are followed",
        "the path of each file: check it both before and after links are followed",
        "never check the path of each file both before and after the links are followed",
        "check the path of all 3 files both before and after the links are followed",
    )
    shown = _shown(_placed(*lines), {}, ALL)
    assert shown[-2:] == [*lines[2:]]
    assert len(shown) == 3


def test_what_must_be_shown_has_its_own_tokens():
    """An open question is shown where records have tokens of their own, whatever else is worth."""
    placed = [*_placed("who knows", kind="question", at="memory/hot/context.md"), *_placed("we built new_part for it")]
    known = {"new_part": 90.0}
    assert _shown(placed, known, 9) == ["we built new_part for it"]
    assert _shown(placed, known, 9, first=9) == ["who knows"]
    assert _shown(placed, known, 99, first=9) == ["who knows", "we built new_part for it"]


def test_each_kind_of_record_has_its_share():
    """Many constraints leave room for a decision and a dead end."""
    rules = _placed(*(f"never paint room number {number}" for number in range(40)), kind="constraint")
    others = [*_placed("bill by the hour", kind="decision"), *_placed("heaters cracked it", kind="dead end")]
    shown = _shown([*rules, *others], {}, 120, first=120)
    assert {"bill by the hour", "heaters cracked it"} <= set(shown)
    assert len(shown) > 6


def test_what_a_person_said_comes_first():
    """Where there is room for one rule, it is the person's, and a document's comes last."""
    said = _placed("never round the prices", kind="constraint", source="person")
    own = _placed("never guess the prices", kind="constraint")
    read = _placed("never print the prices", kind="constraint", source="imported: a.md")
    for placed in ([*read, *own, *said], [*said, *read, *own]):
        assert _shown(placed, {}, 16, first=16) == ["never round the prices"]


def test_of_lines_as_good_a_rule_comes_first_and_before_it_whose_wish_it_is():
    """A line that states a record goes before prose of the same quality, and a rule that says who asks before it."""
    same = quality.Quality(frozenset(), 0.5, is_volatile=False)
    prose, rule, wish = _placed("the price is rounded", "never guess the prices", "the owner hates cents")
    prose, rule = prose._replace(quality=same), rule._replace(quality=same, kind="constraint")
    wish = wish._replace(quality=same._replace(names_asker=True), kind="constraint")
    assert _shown([prose, rule, wish], {}, 8) == ["the owner hates cents"]
    assert _shown([prose, rule, wish], {}, 16) == ["never guess the prices", "the owner hates cents"]
    praise = wish._replace(kind="note")
    assert _shown([prose, rule, praise], {}, 8) == ["never guess the prices"]


@pytest.mark.parametrize("task", ["make the parsers fast", "the Parser"])
def test_the_task_finds_what_speaks_of_it(task):
    """What speaks of the task, in whatever form of its words, is about it, and nothing else."""
    assert _about(_placed("new_part is built on other_one", "the parser is slow"), task) == ["the parser is slow"]


def test_what_the_task_names_comes_first():
    """A fragment whose address the task names is before all others."""
    placed = _placed("the parser is slow", "nothing of note", "the parser is slow and the lexer too")
    assert _about(placed, "the slow parser, and i1abc.2")[0] == "nothing of note"


def test_journals_are_read_for_what_was_heard():
    """A name is worth more when journals spoke of it again, though memory has it once."""
    memory = Memory()
    for number in range(3):
        memory.journal(f"Built `once_{number}` for them.\n\nAgain we looked at `ever_y`.\n")
        memory.sleep()
    known = focus.wake_weights(memory.view, memory.placed())
    assert known["ever_y"] > known["once_2"] > known["once_0"] > 0
    assert not any("i1" in name or "[" in name for name in known)


def test_a_prompt_makes_room_for_what_became_of_it():
    """What a person said after the first is told where room is left, with whose words it is; a tool's fix nowhere."""
    memory = Memory()
    said = "- source: person\n- time: 2026-02-01T10:00:00Z\n- transcript: s1:5\n"
    memory.journal(
        f"## Note: Look at the harbour lamp and its relay with me.\n\n{said}\n"
        f"## Note: Please mend the harbour light, it flickers at night.\n\n{said}\n"
        "## Fix: tool (untrusted): AssertionError: the lamp is dark\n\n- change: edits of lamp.py\n\n"
        "## Insight: The relay sat in salt water, so its contact broke every night.\n"
    )
    memory.sleep()
    offered = candidates.gather(memory.view, "", lambda fragment: fragment.text).candidates
    assert [each.fragment.text for each in offered if each.is_spare] == [
        "Person: Please mend the harbour light, it flickers at night."
    ]
    assert not any("the lamp is dark" in each.fragment.text for each in offered)
    assert "- Person: Please mend" in assembly.assemble(memory.view, Settings(), budget=2_000).text


def test_what_a_session_was_asked_first_stands_beside_its_day():
    """The first words of a person in a session head what it did, clipped, and are not told as a line."""
    memory = Memory()
    said = "- source: person\n- time: 2026-02-01T10:00:00Z\n- transcript: s1:5\n"
    asked = "Please mend the harbour light, it flickers at night and the boats do not find the pier in the rain."
    memory.journal(
        f"## Note: {asked}\n\n{said}\n"
        "## Insight: The relay sat in salt water, so its contact broke every night.\n\n"
        "## Insight: A lamp of brass outlives three of tin on the outer pier.\n"
    )
    memory.sleep()
    for budget in (400, 20_000):
        text = assembly.assemble(memory.view, Settings(), budget=budget).text
        assert ", instance 1: Please mend the harbour light, it flickers at night" in text
        assert "- Person:" not in text


def test_a_journal_that_waits_is_told():
    """What an unslept journal says is told as if it had been slept on."""
    memory = Memory()
    memory.journal("Built `first_part` for them.\n")
    memory.sleep()
    memory.journal("Built `second_part` for them, by hand.\n\n## Decision: keep both parts\n\n- why: they differ\n")
    for budget in (1_000, ALL):
        text = assembly.assemble(memory.view, Settings(), budget=budget).text
        for words in ("first_part", "second_part", "keep both parts", "they differ"):
            assert words in text


def test_nothing_is_left_out_while_there_is_room():
    """Of a memory that fits, every line that says something is told, of the first journal too, long or short."""
    memory = Memory()
    rooms = [f"{one}{other}om" for one in ("gr", "bl", "wh", "p") for other in ("ee", "ai", "o", "u")]
    for room in rooms:
        memory.journal(f"{room} dry\n\n- The {'very ' * 60}long story of {room} ended well.\n")
        memory.sleep()
    text = assembly.assemble(memory.view, Settings()).text
    for room in rooms:
        assert f"- {room} dry [i" in text
    assert text.count("- The very very") == len(rooms)


def test_what_somebody_corrected_is_not_told_as_it_was():
    """Where a fragment says otherwise than its journal, the fragment is told and the line is not."""
    memory = Memory()
    memory.journal("The backup runs every single hour on the old host.\n")
    memory.sleep()
    memory.journal("The tea room is green.\n")
    memory.sleep()
    path = "memory/hot/context.md"
    memory.texts[path] = memory.texts[path].replace("every single hour", "at midnight")
    text = assembly.assemble(memory.view, Settings()).text
    assert "The backup runs at midnight on the old host." in text
    assert "every single hour" not in text


JOURNAL = """\
---
instance: 3
tag: abc
date: 2026-02-03
---
# Journal: instance 3

## Tone: tone check against i2abc [i3abc.1]

It closed with: calm (i2abc.9)

## Work [i3abc.2]

- ✅ **Status**: the **parser** holds
  and is fast
- [x] done it | all

| name | value |
| --- | --- |
| host | a.example |

```sh
run it
```

A paragraph that goes on for long, because it was written by somebody who had time, who had a story, and who told \
it to the end, which nobody reads, of a wake at least. [i3abc.3]
"""


def test_a_row_is_of_the_entry_above_its_table():
    """What a table says belongs to the paragraph before it, not to the one that comes next."""
    head = JOURNAL.partition("## Tone")[0]
    found = excerpt.read(f"{head}Of hosts: [i3abc.2]\n\n| a | b |\n|---|---|\n| x | y |\n\nSo. [i3abc.3]\n")
    assert [(line.text, str(line.address)) for line in found] == [
        *(("Of hosts:", "i3abc.2"), ("x · y", "i3abc.2"), ("So.", "i3abc.3")),
    ]


def test_how_a_journal_is_shown():
    """A line stands without marks, decoration and code, in one piece, a long one cut at the end of a clause."""
    found = excerpt.read(JOURNAL)
    assert [one.text for one in found][:-1] == [
        "Work",
        "✅ Status: the parser holds and is fast",
        "✅ done it | all",
        "host · a.example",
    ]
    assert found[-1].text.startswith("A paragraph that goes on for long, because it was written")
    assert found[-1].text.endswith("who told it to the end…")
    assert {one.when for one in found} == {"3 February 2026"}
    assert str(found[-1].address) == "i3abc.3"


@pytest.mark.parametrize("text", ["x" * 500, "说" * 300, "a, " * 200, "`" + "a b " * 80 + "`", "ok."])
def test_a_cut_line_is_short(text):
    """However a line is written, what is shown of it is at most a little longer than the limit, and not empty."""
    shown = line_text.cut(text)
    assert shown
    assert len(shown) <= line_text.MOST + 22
    assert shown.count("`") % 2 == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Billing**: by the hour", "Billing: by the hour"),
        ("never touch `src/**/*.py`", "never touch `src/**/*.py`"),
        ("__init__.py is empty", "__init__.py is empty"),
        ("--force is never used", "--force is never used"),
        ("~~by the day~~ by the hour", "~~by the day~~ by the hour"),
        ("the ledger moved ---", "the ledger moved"),
        ("(the ledger moved \U0001f389)", "(the ledger moved)"),
        ("**\U0001f3af Billing**: by the hour", "Billing: by the hour"),
        ("\u2705 login works, \u274c payment fails", "\u2705 login works, \u274c payment fails"),
    ],
)
def test_what_is_taken_off_a_line_decorates_it(text, shown):
    """Emphasis, pictures and rules go; names, options, globs, signs of a state and what is struck out stay."""
    assert line_text.bare(text) == shown


def test_names_of_old_journals_count():
    """What is said again after a long silence is likely to be said once more, and a line of then may say it."""
    memory = Memory()
    for number in range(14):
        said = "`alpha_part` is built on `beta_part` there" if number < 2 else f"`gamma_{number}` is all there was"
        memory.journal(f"We saw that {said}.\n")
        memory.sleep()
    offers = assembly._read(memory.view, Settings(), "", ALL, has_budget=True).offers.offers
    line = next(offer for offer in offers if "alpha_part" in offer.candidate.text)
    assert "alpha_part\0beta_part" in dict(line.names)


def test_a_pair_that_is_shown_is_worth_nothing_more():
    """Of lines that say a pair, one is shown before another pair that is worth less; then that one."""
    lines = ("parsers: red_a met red_b", "lexers: red_a broke red_b", "tables: blue_a met blue_b")
    known = {"red_a\0red_b": 9.0, "blue_a\0blue_b": 3.0}
    shown = _shown(_placed(*lines), known, 16)
    assert lines[2] in shown
    assert len(shown) == 2


@pytest.mark.parametrize(("budget", "is_longer"), [(1_000, False), (5_000, True)])
def test_where_there_is_little_room_no_line_is_cut_later(budget, is_longer):
    """Below some thousands of tokens another line tells more than the rest of a long one."""
    memory = Memory()
    boats, piers = (
        ("ferry", "barge", "cutter", "trawler", "yacht"),
        ("oak", "old", "north", "long", "coal", "fish", "west"),
    )
    each = itertools.product(boats, piers, ("a storm", "thick fog", "heavy rain"))
    memory.journal("".join(f"The {boat} left the {pier} pier in {sky}.\n\n" for boat, pier, sky in each))
    for _ in range(2):
        words = "we looked at it for a long while and then again, " * 3
        memory.journal(f"First {words}and `alpha_part` broke `beta_part`\n")
    candidates_ = assembly._read(memory.view, Settings(), "", budget, has_budget=True).memory.candidates
    assert any("beta_part" in one.text for one in candidates_) == is_longer


def test_a_line_that_says_returning_names_together_is_cut_later():
    """Where the end of a long line says names that were spoken of together, it is shown."""
    text = f"{'we looked at it for a long while and then again, ' * 3}and `alpha_part` broke `beta_part` again"
    line = excerpt.Excerpt(line_text.cut(text), quality.SourceLine(text, 0), None, "")
    known = {"alpha_part\0beta_part": 0.1}
    assert "beta_part" not in line_fragments.write(line, {})[1]
    assert "beta_part" in line_fragments.write(line, known)[1]


def test_what_told_of_its_own_time_is_no_answer_to_a_task():
    """Only a task that names it has it."""
    placed = [one._replace(is_old=True) for one in _placed("The parser is offline now")]
    assert _about(placed, "mend the parser") == []
    assert _about(placed, "mend i1abc.1") == ["The parser is offline now"]


def test_lines_of_journals_have_an_address_where_all_have_room():
    """A wake that tells all of a memory leads from a line of a journal to its entry; a brief one saves the room."""
    memory = Memory()
    memory.journal("## Change: painted the pier\n\n## Insight: the harbour gauge reads feet and inches\n")
    memory.sleep()
    said = "- the harbour gauge reads feet and inches"
    assert f"{said} [i1abc.2]\n" in assembly.assemble(memory.view, Settings()).text
    assert f"{said}\n" in assembly.assemble(memory.view, Settings(), budget=5_000).text
