"""Lists and lines of daily logs, as agents write them: what they state, and what only looks like it."""

from __future__ import annotations

import pytest
from imported_page import IMPORTED, OWN, records

from sleep.documents import journal
from sleep.documents.hand import noticed_forms
from sleep.documents.hand.annotation import mark


@pytest.fixture(autouse=True)
def _without_model(monkeypatch):
    monkeypatch.setattr(noticed_forms, "has_model", lambda _: False)


@pytest.mark.parametrize(
    "heading",
    [
        "P0 (Block Everything)",
        "P1",
        "Priority Actions",
        "Work queue",
        "Next sprint: The new gate",
        "Immediate upgrades (P0)",
        "Tomorrow's Mission",
        "Next Steps After Deployment",
        "Ana's priorities",
        "Delegated to Steve",
    ],
)
def test_more_headings_lead_to_tasks(heading):
    """By rank, by day, by who does it."""
    assert records(f"## {heading}\n\n- Mend the lock of the gate\n") == ["task: Mend the lock of the gate"]


@pytest.mark.parametrize("item", ["Test voice logging", "Commit outstanding files", "Publish release"])
def test_a_verb_makes_a_short_item_a_task_and_a_name_does_not(item):
    """Two or three words are enough below a list of what is next."""
    assert records(f"## Next steps\n\n- {item}\n- Coverage reports\n") == [f"task: {item}"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("## Daily limits\n\n- Likes: 8 a day", "constraint"),
        ("## Gate rules (initialized)\n\n- If the gate squeaks, oil it", "constraint"),
        ("**New protocol (NON-NEGOTIABLE):**\n\n- Write names down before the talk ends", "constraint"),
        ("**Directive from Ana:** Take the old lock out", "constraint"),
        ("**Lesson:** Every gate MUST have a sign", "constraint"),
        ("- Ana warned me not to open the gate again", "constraint"),
        ("## What changed\n\n- DO NOT USE the old key", "constraint"),
        ("## Next steps\n\n- Never open both gates", "constraint"),
        ("- Tried oil, wax and soap — all broken", "dead end"),
        ("- **Gate:** Attempted to lift it but was blocked by the wall", "dead end"),
        ("## What Didn't\n\n- **Locks:** the small one holds no gate", "dead end"),
        ("- Versucht, das Tor zu heben, aber gescheitert", "dead end"),
        ("- 尝试抬起大门，但失败了", "dead end"),
        ("- **Paint API**: Out of credits, a new key is needed", "blocker"),
        ("- **Paint quota: EXHAUSTED** (2000/2000 used)", "blocker"),
        ("- Cannot open the gate until the key is here", "blocker"),
        ("- Could not post to the board (missing_scope error)", "blocker"),
        ("**Cannot proceed with the gate because:**\n\n- The wall is in the way of it", "blocker"),
        ("## The gate\n\n**Status:** Opening BLOCKED until the wall is mended", "blocker"),
        ("- Das Kontingent der Farben ist erschöpft", "blocker"),
        ("- Ana killed the old gate, pivoted to a fence", "decision"),
        ("- Ana approved, said the sign can wait", "decision"),
        ("- Removed the bell from the gate (using the horn instead)", "decision"),
        ("- **Strategy:** Skip the gate, go through the wall", "decision"),
        ("- **Pending decision:** a gate or a fence", "question"),
    ],
)
def test_what_a_line_states(text, kind):
    """Labels, first words, what ran out, what was tried in vain, who chose."""
    assert [record.partition(":")[0] for record in records(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "## Critical Blockers RESOLVED Today\n\n- **Error:** the gate hung. **Fix:** oil",
        "## Decisions\n\n**Result:**\n\n- The gate opens and shuts",
        "- **Conflict Resolution:** Took one of both signs down",
        "- **Action:** Ana painted the gate (12 m)",
        "- **Action:** Logged to `gate/log.md`",
        "- **Action:** `gate/open.sh`",
        "**Must read:**\n\n- `gate/README.md` — why we have one",
        "- **Next run:** tomorrow at nine",
        "- **Strategy:** Too careful for a gate",
        "- Tried oil, but soap then worked",
        "## Process improvements\n\n- Built a script that counts gates",
        "- The gate answers (401 without a key)",
    ],
)
def test_what_only_looks_like_it(text):
    """What is done, printed, read, or how it went."""
    found = [record.partition(":")[0] for record in records(text) if not record.startswith("(")]
    assert not {"constraint", "decision", "task", "blocker", "dead end"}.intersection(found)


@pytest.mark.parametrize("heading", ["Open questions — resolved", "Open questions - answered", "Blockers — cleared"])
def test_a_list_whose_heading_ends_it_is_open_no_more(heading):
    """Nothing is open below a heading of which a dash says that its list is done; below one that names it, it is."""
    items = "\n\n- Do we keep the log for a year?\n- The key of the shed is lost\n"
    found = {record.partition(":")[0].strip("()") for record in records(f"## {heading}{items}")}
    assert not {"question", "blocker"}.intersection(" ".join(found).split())
    still = " ".join(records(f"## {heading.partition(' ')[0]} questions{items}"))
    assert "question" in still


@pytest.mark.parametrize("heading", ["What's Left to Build", "In Progress", "Doing"])
def test_a_box_in_a_list_of_what_is_left_or_under_way_is_a_task_by_its_name(heading):
    """The lists of a memory bank and of a board name things: an empty box says enough of them."""
    assert records(f"# Progress\n\n## {heading}\n\n- [ ] Offline mode\n") == ["task: Offline mode"]


GROUP = "- Backend\n  - [ ] Mend the login of the gate\n  - [x] Keep the tides\n- Gate\n  - opens at noon\n"


def test_a_name_above_boxes_is_a_group():
    """An item without a box only names what is nested below it where that has boxes: each of them is one of its own."""
    assert records(f"# Todo\n\n{GROUP}") == ["task: Mend the login of the gate", "change: Keep the tides"]


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("TODO call the port of Kiel", ["task: TODO call the port of Kiel"]),
        ("LATER [#B] Look at the tides", ["task: LATER [#B] Look at the tides"]),
        ("DOING Draft the design of the [[tide queue]]", ["task: DOING Draft the design of the [[tide queue]]"]),
        ("DONE call the port of Kiel", ["change: DONE call the port of Kiel"]),
        ("NOW we know why it failed", []),
    ],
)
def test_a_keyword_stands_for_a_box(item, found):
    """Logseq and org have `TODO` and `DONE` where others have boxes; in capitals they say what an item is."""
    assert records(f"# Log\n\n- {item}\n") == found


def test_a_heading_in_a_list_is_the_heading_of_what_is_nested_below():
    """A page of an outliner is one list: its headings and its groups lead to the items in them."""
    page = "- ## Open questions\n\t- How long do we keep old tides?\n- Standup with Ana\n\t- TODO call Kiel\n"
    assert records(page) == ["question: How long do we keep old tides?", "task: TODO call Kiel"]


@pytest.mark.parametrize("time", ["11:00", "11:00 -", "**11:00**", "9:30 am:"])
def test_the_time_of_a_line_is_none_of_its_words(time):
    """A line of a day's log says first when: what it states begins behind that."""
    assert records(f"# Log\n\n- {time} We decided to use sqlite instead of a server\n") == [
        f"decision: {time} We decided to use sqlite instead of a server"
    ]


def test_a_name_that_has_a_mark_stays_an_entry():
    """In a journal that was marked before, an item with its address holds the boxes below it, as it did."""
    text = f"{journal.start(OWN, IMPORTED)}\n# Todo\n\n- Backend [i9zzz.1 task]\n  - [ ] Mend the login of the gate\n"
    assert mark(text, OWN, {}) == text
    assert [entry.title for entry in journal.read(text, OWN).entries] == ["Backend"]


@pytest.mark.parametrize(
    ("item", "record"),
    [
        ("规则：周五不要部署", "constraint: 规则：周五不要部署"),
        ("**规则：** 周五不要部署", "constraint: **规则：** 周五不要部署"),
        ("ルール：金曜日にデプロイしない", "constraint: ルール：金曜日にデプロイしない"),
    ],
)
def test_a_label_states_a_record_before_a_wide_colon_too(item, record):
    """What is labelled as a rule is stated, and not only noticed, also where the colon is a wide one."""
    assert records(f"# Notes\n\n- {item}\n- A further line of the day\n") == [record]


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("Still open: does the gate need a lock?", "question"),
        ("Offen: Brauchen wir zwei Schlösser?", "question"),
        ("待办：要不要换成 Postgres？", "question"),
        ("Still open: does it need a lock? Does it need two?", "question"),
        ("待办：要不要换？要不要留？", "question"),
        ("TODO: ask Ana about the gate (who has the key?)", "task"),
        ("TODO: paint the gate. Does it need two coats?", "task"),
        ("TODO: ask Ana: who has the key?", "task"),
        ("Next: find out whether it needs two coats?", "task"),
        ("Still open: ask Ana, or Ben?", "task"),
        ("TODO: Ana fragen, wer den Schlüssel hat?", "task"),
        ("Offen: Wie prüfen wir das?", "question"),
        ("待办：问一下老板，谁有钥匙？", "task"),
    ],
)
def test_what_a_label_of_tasks_asks_is_a_question(item, kind):
    """Behind a label of what is open stands a question where its words only ask, else a task."""
    assert records(f"# Notes\n\n- {item}\n- A further line of the day\n") == [f"{kind}: {item}"]


@pytest.mark.parametrize(
    ("label", "words", "kind"),
    [
        ("**Learning (Technical):**", "The token is read twice.", "insight"),
        ("**Decision:**", "Use flock for the ledger.", "decision"),
        ("__TODO__:", "Paint the gate before May.", "task"),
        ("**坑：**", "不要用 NFS。", "constraint"),
    ],
)
def test_a_label_alone_in_bold_is_the_label_of_the_paragraph_below(label, words, kind):
    """It is no entry of its own, and the paragraph is what one is that begins with the label."""
    for gap in ("\n\n", " "):
        text = f"{journal.start(OWN, IMPORTED)}\n# Log\n\n{label}{gap}{words}\n\nThe morning was calm.\n"
        entries = journal.read(mark(text, OWN, {}), OWN).entries
        titles = [(entry.kind, entry.title) for entry in entries]
        assert titles == [(kind, f"{label} {words}"), ("note", "The morning was calm.")]
