"""What instances said to the next one is told while it holds, and once."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.evaluation import life
from sleep.records.address import parse
from sleep.settings import Settings
from sleep.wake import assembly
from sleep.wake.outdated import handoffs

_HANDOFF = """## Tone: {tone}

## Handoff: the {what} stands

- session summary: the {what} was built
- next priority: paint the {what}
- open risk: the {what} leans
- emotional register: {tone}
"""


@pytest.mark.parametrize("budget", [2_000, 12_000])
def test_an_older_handoff_tells_no_more_what_is_next(budget):
    """What was next and how it felt is told by the newest handoff alone; what was done and what may go wrong stays."""
    memory = Memory()
    memory.journal(_HANDOFF.format(what="harbour wall", tone="weary"))
    memory.sleep()
    memory.journal(_HANDOFF.format(what="lighthouse", tone="glad"))
    memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=budget).text
    assert "the harbour wall was built" in text
    assert "the harbour wall leans" in text
    assert "paint the harbour wall" not in text
    assert "weary" not in text
    assert text.count("paint the lighthouse") == 1
    assert text.count("the lighthouse leans") == 1


def test_what_the_summary_was_made_of_is_told_once():
    """Where the summary has the words of a change, neither its line nor its fragment says them again."""
    memory = Memory()
    memory.journal("## Change: **Moved the harbour light** to the western pier.\n\n- files: light.py (2)\n")
    memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=2_000).text
    assert text.count("Moved the harbour light") == 1
    assert "session_summary: **Moved the harbour light**" in text


@pytest.mark.parametrize("budget", [1_000, 12_000])
def test_a_handoff_in_a_sentence_is_told_by_the_page_alone(budget):
    """What `for_my_successor` quotes of a handoff, no line of its journal says again."""
    memory = Memory()
    memory.journal(
        "## Note: The lamp turns once in ten seconds.\n\n## Handoff: The pier stands; next: look at the lamp\n"
    )
    memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=budget).text
    assert text.count("next: look at the lamp") == 1
    assert "The lamp turns once" in text


_PLANS = {  # the heading of what is next, in three languages and forms
    "heading": "\n## Next session ({day})\n\n- [ ] Paint the {what}\n- [ ] Measure the {what} again\n",
    "label": "\n- Sealed the {what}\n- 下一步：Paint the {what} and measure the {what} again\n",
    "lead": "\n**Prochaines étapes :**\n- Paint the {what}\n- Measure the {what} again\n",
}
_THINGS = ("harbour wall", "lighthouse", "crane", "ferry", "boathouse", "signal mast")


def _woken(plans, form):
    """Return the tasks of a wake of logs, one a day, of which those of `plans` say what is next."""
    logs = [
        f"# 2026-03-0{day}\n\nBuilt the {what} of oak, {day} beams.\n"
        + (_PLANS[form].format(day=day, what=what) if day in plans else "")
        for day, what in enumerate(_THINGS, 1)
    ]
    text = life.lived(logs).woken(2_000)
    return text.partition("## Tasks\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("form", _PLANS)
def test_where_each_log_says_what_is_next_the_newest_does(form):
    """Logs that nearly all end with what is next hand on to the next one: what an older one says is no task now."""
    tasks = _woken({1, 2, 3, 5, 6}, form)
    assert "Paint the signal mast" in tasks
    assert not any(what in tasks for what in _THINGS[:-1])


def test_a_plan_now_and_then_holds_beside_a_newer_one():
    """Where few logs say what is next, their lists are of different work, and the older one is told too."""
    tasks = _woken({3, 6}, "heading")
    assert all(f"Paint the {what}" in tasks for what in ("crane", "signal mast"))


def test_what_the_newest_log_says_is_next_too_is_next():
    """A point that log after log carries on, the newest too, is one record of the first, and is next still."""
    logs = [
        f"# 2026-03-0{day}\n\nBuilt the {what}.\n\n## Next\n\n- [ ] Paint the {what}\n- [ ] Renew the domain\n"
        for day, what in enumerate(_THINGS, 1)
    ]
    tasks = life.lived(logs).woken(2_000).partition("## Tasks\n")[2].partition("\n## ")[0]
    assert "Renew the domain" in tasks
    assert "Paint the signal mast" in tasks
    assert "Paint the crane" not in tasks


def test_the_newest_log_is_that_of_the_last_day():
    """Logs of older days that are taken in later do not say what is next now."""
    logs = [
        f"# 2026-03-0{day}\n\nBuilt the {what}.\n\n## Next\n\n- [ ] Paint the {what}\n"
        for day, what in enumerate(_THINGS, 1)
    ]
    tasks = life.lived(logs[3:] + logs[:3]).woken(2_000).partition("## Tasks\n")[2].partition("\n## ")[0]
    assert "Paint the signal mast" in tasks
    assert not any(what in tasks for what in _THINGS[:-1])


def test_a_tone_of_which_the_register_was_made_is_told_once():
    """Where no handoff says how it felt, the main page says it by the tone, and the journal not again."""
    memory = Memory()
    memory.journal("## Tone: worn out, proud of the pier\n\n## Note: The lamp turns once in ten seconds.\n")
    memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=1_000).text
    assert text.count("worn out, proud of the pier") == 1
    assert "The lamp turns once" in text


def test_a_deed_that_a_summary_leads_to_is_told_once():
    """Between what was asked and what was asked then the summary has the deed's words, and no line says them again."""
    told = "- source: {0}\n- transcript: s1:{1}\n"
    memory = Memory()
    memory.journal(
        f"## Note: Please mend the harbour light at the pier\n\n{told.format('person', 1)}\n"
        f"## Change: Soldered the relay of the harbour light.\n\n{told.format('agent', 2)}- files: lamp.py\n\n"
        f"It had burnt through twice.\n\n"
        f"## Note: Now paint the western pier red\n\n{told.format('person', 3)}\n"
    )
    memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=2_000).text
    assert 'asked "Please mend the harbour light at the pier": Soldered the relay' in text
    assert text.count("Soldered the relay") == text.count("burnt through twice") == 1


@pytest.mark.parametrize(("line", "is_told"), [("State: ok", False), ("State: the relay", True), ("Soldered", True)])
def test_letters_within_a_word_of_a_summary_tell_no_line(line, is_told):
    """A line is told by a summary that has its words; a few letters of it stand in many words."""
    address = parse("i1abc.2")
    fields = {"session_summary": f"Soldered the relay of the broken lamp [{address}] (derived)"}
    assert handoffs.on_page(fields, None)([address], "change", line) is is_told
