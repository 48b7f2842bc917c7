"""A brief wake of an imported memory, in the order in which a reader needs it."""

from __future__ import annotations

import re

import pytest
from scene import Memory, Scene

from sleep.documents.project import brief_parts
from sleep.evaluation import adapter, life
from sleep.memory.view import View
from sleep.records.kinds import KINDS
from sleep.settings import Settings
from sleep.wake import assembly, candidates, quality, render
from sleep.wake.journal_lines import excerpt, record_lines

_POTTERS = ("Ada", "Bela", "Cleo", "Dora")


def _day(potter):
    told = (
        f"# Session of {potter}\n\n## Outcome\n\nMoved the kiln of {potter} to the new shed.\n\n"
        f"## Decisions\n\n- Keep the glaze of {potter} in one barrel, because the clay needs less of it\n\n"
        f"## Constraints\n\n- Never open the kiln of {potter} while it is warm\n\n"
        f"## Open tasks\n\n- [ ] Measure the oven of {potter} again\n\n"
        f"## Open questions\n\n- Who pays for the wood of {potter}?\n\n"
        f"## Dead ends\n\n- Firing the bowls of {potter} twice made them brittle\n\n## Notes\n\n"
    )
    return told + "".join(
        f"- The `shelf/{potter.lower()}/{line}.md` holds cups of {potter}, painted in village {line} by the river.\n"
        for line in range(40)
    )


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """Return a folder with the memory of four imported journals, and no word of what it is for."""
    folder = str(tmp_path_factory.mktemp("pottery"))
    for number, potter in enumerate(_POTTERS, 1):
        adapter.session(folder, f"2026-01-0{number}.md", _day(potter), "2026-02-01T00:00:00Z")
    return folder


@pytest.mark.parametrize("budget", [1_000, 2_000, 4_000, 9_000])
def test_it_begins_in_the_readers_order(imported, budget):
    """State, what waits on a person, what is next, rules, decisions and dead ends stand above the days, so ordered."""
    text = adapter.woken(imported, budget).text
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    parts = ["Where things stand", *(KINDS[kind].plural for kind in brief_parts.KINDS)]
    shown = [head for head in heads if head in parts]
    assert shown == [head for head in parts if head in shown]
    assert {
        "Where things stand",
        "Questions",
        "Tasks",
        "Constraints",
        "Decisions",
        "Dead ends",
    } <= set(shown)
    assert heads[: len(shown)] == shown
    assert any("instance" in head for head in heads[len(shown) :])
    assert text.index("Moved the kiln of Dora") < text.index("Measure the oven of") < text.index("Never open the kiln")


def test_how_things_stand_is_told_before_what_was_changed():
    """Lines below a heading of state, or with such a label, come first; a file that was changed is none of it."""
    days = [
        "# 2026-01-01\n\n## Current status\n\n- The old kiln is cold, and nobody may light it\n",
        (
            "# 2026-01-02\n\n## Outcome\n\nMoved the barrel of glaze to the new shed.\n\n"
            "## Files created\n\n- `shed/barrel.md` - where the glaze stands\n\n"
            "## Kiln status (evening)\n\n- The kiln is warm, four bowls in it\n\n"
            "## Notes\n\n- Status: the shed has no light before Monday\n"
        ),
    ]
    text = life.lived(days).woken(2_000)
    state = text[text.index("## Where things stand") :].split("\n## ")[0].splitlines()[1:]
    assert state == [
        "- The kiln is warm, four bowls in it",
        "- Status: the shed has no light before Monday",
        "- The old kiln is cold, and nobody may light it",
        "- Moved the barrel of glaze to the new shed.",
    ]


@pytest.mark.parametrize("well", ["Glaze status: all good", "Ofen Status: alles in Ordnung", "陶窑状态: 🟢 正常"])
def test_that_all_is_well_is_no_state(well):
    """A reader learns nothing from `Status: ok`, and has the room for what waits."""
    assert _state_of(f"## Current status\n\n- The old kiln is cold\n- {well}\n") == ["- The old kiln is cold"]


def _state_of(*days):
    """Return the lines of a wake on how things stand."""
    pages = [f"# 2026-01-0{number}\n\n{day}" for number, day in enumerate(days, 1)]
    text = life.lived(pages).woken(2_000)
    return text[text.index("## Where things stand") :].split("\n## ")[0].splitlines()[1:]


_LONG_AGO = [f"- Ada and Bela keep the ledger of shed {name} in `kiln/{name}.md` for 12 guests" for name in "abcd"]


def test_the_newest_state_is_told_first():
    """What an earlier session said of how things stood is told where the last one left room, however good it is."""
    names = ("one", "two", "three", "four", "five", "six")
    new = [f"- Kiln {number} is warm" for number in names]
    state = _state_of("## Status\n\n" + "\n".join(_LONG_AGO), "## Status\n\n" + "\n".join(new))
    assert sorted(state) == sorted(new)


def test_what_was_changed_is_told_behind_every_state():
    """A change of the last session stands behind what the one before it said of how things stand."""
    changes = "".join(
        f"- Moved the barrels of Ada and Bela to the shed of {name}\n" for name in ("Oslo", "Riga", "Bonn")
    )
    last = f"## Status\n\n- Kiln one is warm\n- Kiln two is warm\n\n## Changes\n\n{changes}"
    state = _state_of("## Status\n\n" + "\n".join(_LONG_AGO), last)
    assert state[:2] == ["- Kiln one is warm", "- Kiln two is warm"]
    assert all(line in _LONG_AGO for line in state[2:])
    assert state[2:]


def test_the_files_alone_are_no_state():
    """A session of which only its edited files are known says nothing of how things stand."""
    files = "## Change: Files\n\n- transcript: s1:3-9\n- files: harbour/lamp.py (6); harbour/relay.py\n\n"
    assert _state_of(f"{files}## Change: Soldered the relay of the lamp.\n") == [
        "- Change: Soldered the relay of the lamp."
    ]


def test_a_list_of_commits_is_no_state():
    """What a session changed is told by what it says, not by its list of commits."""
    commits = "- `d7da150` — lamp.py named a deleted relay\n- 35e3db1 Moved the fuse of the lamp\n"
    assert _state_of(f"## Changes\n\n{commits}- Moved the relay of Ada to the new shed\n") == [
        "- Moved the relay of Ada to the new shed"
    ]


def test_a_change_of_long_ago_is_no_state():
    """Of what was changed the last two sessions tell, also where they changed nothing; how things stood stays."""
    long_ago = "## Outcome\n\nMoved the barrel of glaze to the new shed.\n\n## Status\n\n- The kiln of Ada is warm"
    notes = "## Notes\n\n- The guests of {} asked for green cups and paid for 12 of them\n"
    assert _state_of(long_ago, notes.format("Oslo")) == [
        "- The kiln of Ada is warm",
        "- Moved the barrel of glaze to the new shed.",
    ]
    assert _state_of(long_ago, notes.format("Oslo"), notes.format("Riga")) == ["- The kiln of Ada is warm"]


@pytest.mark.parametrize(
    ("heading", "is_one"),
    [
        *[
            (heading, True)
            for heading in ("Current Status", "3. Git state", "Status at session end", "Where things stand")
        ],
        *[
            (heading, True)
            for heading in ("当前状态", "系统状态", "Aktueller Stand", "État actuel", "Estado del proyecto")
        ],
        *[(heading, True) for heading in ("Situação atual", "Stato attuale", "Stand van zaken", "Текущее состояние")],
        *[(heading, True) for heading in ("現状", "현재 상태")],
        *[
            (heading, False)
            for heading in ("State changes", "The state machine", "Statusleiste umgebaut", "状态机重构")
        ],
    ],
)
def test_a_heading_names_how_things_stand(heading, is_one):
    """In each language; a change of state and a machine of states are something else."""
    line = excerpt.read(f"# Day\n\n## {heading}\n\n- The kiln is warm\n")[-1]
    assert record_lines.kinds_of([line], []) == (["state" if is_one else ""], {})


@pytest.mark.parametrize("budget", [1_000, 2_000, 4_000, 9_000])
def test_nothing_is_told_twice(imported, budget):
    """What a document says as a record and as a line is told once."""
    text = adapter.woken(imported, budget).text
    for potter in _POTTERS:
        for words in ("Measure the oven of", "Never open the kiln of", "Keep the glaze of"):
            assert text.count(f"{words} {potter}") <= 1


def test_the_table_names_each_kind_once():
    """The kinds of the parts are kinds of records, each in one part; each part says why it is there."""
    assert len(set(brief_parts.KINDS)) == len(brief_parts.KINDS)
    assert all(KINDS[kind].is_record for kind in brief_parts.KINDS)
    assert all(part.reason and part.most for part in brief_parts.PARTS)
    assert [part.name for part in brief_parts.PARTS] == [
        *("purpose", "state", "waits", "next", "rules", "decisions", "failed"),
    ]


_RULES = [
    f"Never {verb} {thing} of the yard while it is {state}, for it would break and the whole week would be lost"
    for verb, thing in (("lift", "the lid"), ("open", "the gate"), ("wash", "the wheel"), ("turn", "the stone"))
    for state in ("warm", "wet", "dark")
]
_WARES = ("cups", "jugs", "bowls", "plates", "lamps", "tiles")
_TOWNS = ("Oslo", "Riga", "Bonn", "Lyon", "Bari", "Cork", "Graz", "Lodz", "Nice", "Turin", "Porto", "Ghent")


def _sold(town, more=""):
    wares = "".join(
        f"- Sold {ware} to the `{town}/{ware}` house of {town} by the river\n- The {ware} of {town}: `{ware}.{town}`\n"
        for ware in _WARES
    )
    return f"## Sold\n\n{wares}\n{more}"


def test_journals_of_one_day_stand_below_one_heading():
    """Sessions of one day share its heading, which names the first and the last instance."""
    days = [f"# 2026-02-0{day}\n\n{_sold(town)}" for day, town in zip((3, 4, 4, 4), _TOWNS, strict=False)]
    text = life.lived(days).woken(4_000)
    assert re.findall("^## (.*)$", text, re.MULTILINE) == [
        "4 February 2026, instances 2 to 4",
        "3 February 2026, instance 1",
    ]


def test_days_of_which_little_is_told_share_their_month():
    """Where a line or two of a day are told, its lines stand with those of other such days below their month."""
    days = [
        f"# 2026-0{1 + at // 6}-0{1 + at % 6}\n\n- The lamps went to {town}, unpaid.\n"
        for at, town in enumerate(_TOWNS)
    ]
    text = life.lived(days).woken(4_000)
    heads = re.findall("^## (.*)$", text, re.MULTILINE)
    assert heads == ["February 2026, instances 7 to 12", "January 2026, instances 1 to 6"]


@pytest.mark.parametrize("budget", [600, 1_000])
def test_what_tells_nothing_by_itself_leads_no_part(budget):
    """What only leads to a list stands in no part, and no heading of a journal is told as a note of the tiers."""
    told = "## Tasks\n\n- [ ] Needed from the owner:\n- [ ] Measure the oven\n\n## Kiln (`kiln.sh`)\n\n"
    text = life.lived([f"# 2026-02-01\n\n{told}{''.join(map(_sold, _TOWNS))}"]).woken(budget)
    assert "Measure the oven" in text
    assert "Needed from the owner" not in text
    assert "Kiln (`kiln.sh`)" not in text


def test_rules_have_more_room_than_what_else_is_told():
    """Of what journals tell, rules have a fifth of a brief wake, whatever else was spoken of lately."""
    rules = "".join(f"- {rule}\n" for rule in _RULES)
    old = f"# 2026-01-01\n\n## Constraints\n\n{rules}"
    days = [f"# 2026-02-{day:02}\n\n{''.join(map(_sold, _TOWNS))}" for day in range(1, 4)]
    text = life.lived([old, *days]).woken(2_000)
    assert all(rule in text for rule in _RULES)


def test_what_lasts_has_the_room_that_other_parts_leave():
    """Where no rules, tasks and questions are told, decisions have their room before the lines of the days."""
    chosen = [f"the {ware} of {town} are fired at night" for ware in _WARES for town in _TOWNS[:8]]
    old = "# 2026-01-01\n\n## Decisions\n\n" + "".join(f"- Decided: {words}\n" for words in chosen)
    days = [f"# 2026-02-{day:02}\n\n{''.join(map(_sold, _TOWNS))}" for day in range(1, 4)]
    text = life.lived([old, *days]).woken(2_000)
    assert all(words in text for words in chosen)


def test_a_budget_of_ones_own_is_spent_on_what_was_learnt():
    """A wake of 9,000 tokens tells neither how to run it nor where things lie; one of the settings shows its phases."""
    lived = life.lived([f"# 2026-02-01\n\n{''.join(map(_sold, _TOWNS))}"])
    text = lived.woken(9_000)
    assert "## Wake protocol" not in text
    assert "| phase |" not in text
    shown = assembly.assemble(View(lived.tree), Settings(wake_budget=9_000)).text
    assert "## Wake protocol" in shown
    assert "| phase |" in shown


def test_what_is_next_is_told_as_far_as_it_goes():
    """Where not all of the handoff has room, the beginning of what is next comes before the tone, however short."""
    page = (
        "# Pottery\n\nCups for the village.\n\n## HANDOFF\n\n- session_summary: built the kiln\n"
        f"- next_priority: fire the bowls, then {'carry them to the shed and ' * 12}rest\n- emotional_register: calm\n"
    )
    shown = render.opening(page, 60).text
    assert "- next_priority: fire the bowls, then carry" in shown
    assert shown.endswith("…\n")
    assert "calm" not in shown
    assert render.opening(page, 15).text == "Cups for the…\n"
    assert "calm" in render.opening(page, 300).text


def test_short_words_on_one_subject_stand_on_one_line():
    """Items of one subject are told below it, those of a few words together; a sentence has a line of its own."""
    candidates = [
        "- Names of pots — Bowls: one word\n",
        "- Names of pots — Jugs: two words\n",
        "- Names of pots — Cups: a word and a number\n",
        "- Names of pots — Plates that were fired twice are named by whoever took them out of the kiln\n",
        "- Names of pots — Lamps: none\n",
        "- The kiln is warm\n",
    ]
    assert render.nest(candidates) == [
        "- Names of pots — Bowls: one word\n",
        "  - Jugs: two words; Cups: a word and a number\n",
        "  - Plates that were fired twice are named by whoever took them out of the kiln\n",
        "  - Lamps: none\n",
        "- The kiln is warm\n",
    ]


def test_a_subject_before_a_colon_is_said_once():
    """As before a dash; a record with fields, and what has another subject, stands by itself."""
    candidates = [
        "- Mail import: never read the old box\n",
        "- Mail import: count the letters.\n",
        "- Mail import — Rule: burn none\n",
        "- **D-007** Mail import: at noon\n  - why: the office sleeps\n",
        "- Mail export: never\n",
    ]
    assert render.nest(candidates) == [
        "- Mail import: never read the old box\n",
        "  - count the letters; Rule: burn none\n",
        *candidates[3:],
    ]


_LISTS = """# 2026-01-02

## Key findings

Speaking is the new way in which Ada wants to hand over her notes:
- Faster than typing
- Helps her to think

## Mail API Status

- Still silent (12 days, no answer)

## TODO

- The kiln of Ada burns at 900 degrees, and 950 with wood of the river birch
"""


@pytest.mark.parametrize("budget", [2_000, 9_000])
def test_headings_that_say_no_subject_are_not_told(budget):
    """A lead that is a sentence is told; one that only says what kind of thing follows is no line, nor a heading."""
    text = life.lived([_LISTS]).woken(budget)
    assert "- Speaking is the new way in which Ada wants to hand over her notes:\n" in text
    assert "burns at 900 degrees" in text
    assert "Key findings" not in text
    assert "TODO" not in text


def test_a_line_of_a_state_says_of_what():
    """Where the heading names it and the line does not."""
    assert "\n- Mail API Status: Still silent (12 days, no answer)\n" in life.lived([_LISTS]).woken(2_000)


def test_what_a_session_left_open_is_told_before_how_it_went():
    """Points of an agent's list that were noticed have the room of what is next, also in a small wake."""
    told = "- source: agent\n- transcript: s1:{0}\n"
    went = "".join(
        f"## Note: The keeper of pier {at} counted all lamps, boats and nets of the west by hand.\n\n"
        f"{told.format(at)}\n"
        for at in range(40)
    )
    listed = "".join(
        f"## Task: Mend the mooring of boat {at}\n\n{told.format(90)}- standing: noticed\n\n" for at in range(3)
    )
    memory = Memory()
    memory.journal(went + listed)
    memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=600).text
    assert [f"Mend the mooring of boat {at}" in text for at in range(3)] == [True] * 3


@pytest.mark.parametrize("budget", [400, 500])
def test_what_is_next_is_what_the_last_sessions_left_open(budget):
    """In a small wake no older list takes the room that is set aside for what is next, however much its points say."""
    kilns = enumerate(("red", "green", "blue", "grey", "black"), 1)
    points = {
        day: f"Measure the {kiln} kiln of the old shed with Ada and the `clay/{day}.md` sheet" for day, kiln in kilns
    }
    points[8] = "Call Bela about the gate"
    pages = [
        f"# 2026-03-0{day}\n\n## Next steps\n\n- {point}\n\n## Notes\n\n"
        + "".join(
            f"- The shelf of day {day} holds cups of village {line}, painted by the river.\n" for line in range(40)
        )
        for day, point in points.items()
    ]
    lines = life.lived(pages).woken(budget).splitlines()
    assert f"- {points[8]}" in lines[lines.index("## Tasks") :]


def test_a_line_that_states_a_record_is_judged_by_it():
    """What a log is known to have decided, ruled or left open is worth more than its words; no other line of it is."""
    view = View(life.lived(map(_day, _POTTERS)).tree)
    plain = {**quality.WEIGHTS, "record": 0.0}
    scores = [
        {each.text: each.quality.score for each in candidates.gather(view, "", _text, weights=weights).candidates}
        for weights in (plain, quality.WEIGHTS)
    ]
    better = {text for text, score in scores[1].items() if score > scores[0][text]}
    assert {"Keep the glaze of Dora", "Never open the kiln of", "Measure the oven of Do"} <= {
        text.removeprefix("- ")[:22] for text in better
    }
    assert not any("shelf/" in text or "Moved the kiln" in text for text in better)


def _text(fragment):
    return fragment.text


def test_two_instances_of_one_number_are_named_apart(tmp_path):
    """Where two clones made the same number a heading names both instances, not `instances 2 to 2`."""
    scene = Scene(tmp_path / "project").lived()
    for tag, day in (("abc", "Carts"), ("xyz", "Orders")):
        rows = "".join(
            f"## Insight: {day} take {number} ms in `src/part{number}.py` [i2{tag}.{number}]\n\n"
            for number in range(1, 5)
        )
        head = f"---\ninstance: 2\ntag: {tag}\nstarted: 2026-12-24T12:00:00Z\nform: 2\n---\n# Journal: instance 2\n\n"
        scene.write(f"journal/instance-2-{tag}.md", head + rows)
    text = assembly.peek(scene.place, budget=3000).text
    assert "instances i2abc and i2xyz" in text
    assert "2 to 2" not in text
