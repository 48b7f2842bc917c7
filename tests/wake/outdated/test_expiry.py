"""What holds no more is not told as if it did: a line makes room, a record says what came since."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.evaluation import life
from sleep.settings import Settings
from sleep.wake import assembly
from sleep.wake.journal_lines import excerpt

_OTHER = "Gulls sleep on the harbour office.\n\nThe crane lifts twelve tons.\n\nTickets cost half for children.\n"


def _memory(*journals):
    memory = Memory()
    for text in (_OTHER, *journals):
        memory.journal(text)
        memory.sleep()
    return memory


@pytest.mark.parametrize("budget", [2_000, 10_000])
def test_a_line_gives_way_to_what_came_of_it(budget):
    """Of a state and its end only the end is told, and the ledger counts the other among what is outdated."""
    memory = _memory(
        "Import of the Turso invoices: status is broken since the token expired.\n",
        "Looked at gulls.\n",
        "Import of the Turso invoices works again, confirmed with a new token.\n",
    )
    found = assembly.assemble(memory.view, Settings(), budget=budget)
    assert "works again" in found.text
    assert "status is broken" not in found.text
    assert "(1 outdated)" in found.text


@pytest.mark.parametrize("budget", [2_000, 10_000])
def test_a_record_of_ones_own_says_what_came_since(budget):
    """What somebody put on record here is not hidden: what seems to end it stands below it."""
    memory = _memory(
        "## Task: import of the Turso invoices is pending\n",
        "Implemented the import of the Turso invoices in one evening.\n",
    )
    text = assembly.assemble(memory.view, Settings(), budget=budget).text
    assert "import of the Turso invoices is pending" in text
    assert "  - since then: Implemented the import of the Turso invoices" in text


@pytest.mark.parametrize("budget", [2_000, 10_000])
def test_what_has_another_name_now_is_told_with_it(budget):
    """A line and a record of an older name are told, and say the present one; what they are from stays as it is."""
    memory = _memory(
        "Harbour OS reads the tide tables of Emden.\n\n## Decision: Harbour OS writes no logs\n\n- why: disks fill\n",
        'Harbour OS renamed to "Crane".\n',
    )
    text = assembly.assemble(memory.view, Settings(), budget=budget).text
    assert "Harbour OS (now Crane) reads the tide tables" in text
    assert "Harbour OS (now Crane) writes no logs" in text
    assert "now Crane" not in "".join(memory.view.read(path) or "" for path in memory.view.journals)


def test_a_picture_in_front_of_a_line_is_kept_as_its_mark():
    """The wake shows no pictures, and still knows what was ticked."""
    marks = [
        line.line.mark for line in excerpt.read("- ✅ one thing\n- 🔲 another thing\n- [ ] third\n- [x] last one\n")
    ]
    assert marks == ["done", "open", "open", "done"]


@pytest.mark.parametrize(
    ("task", "done"),
    [
        ("## TODO\n\n- Deploy the payment module\n", "## Done\n\n- Payment module deployed\n"),
        ("## TODO\n\n- 決済モジュールをデプロイする\n", "## 完了\n\n- 決済モジュールをデプロイしました\n"),
    ],
)
def test_a_documents_task_ends_where_a_later_page_says_that_it_is_done(task, done):
    """Its record is told no more than its line: the list that it stands in (`TODO`) is not what it is about."""
    rest = "## Notes\n\n- The harbour office opens at nine\n- Boats are painted green\n"
    text = life.lived([f"# 2026-01-01\n\n{task}\n{rest}", f"# 2026-01-02\n\n{done}"]).woken(1_500)
    assert done.splitlines()[-1] in text
    assert task.splitlines()[-1] not in text
