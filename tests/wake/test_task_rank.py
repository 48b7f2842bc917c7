"""What is about a task, by recall's ranking, in a memory that was slept on."""

from __future__ import annotations

import pytest
from scene import Memory

from sleep.recall.index import access
from sleep.records.kinds import KINDS
from sleep.settings import Settings
from sleep.wake import assembly, candidates, task_rank

_DECISION = "Erase a customer only after the auditor signed"
_DEAD_END = "Erasing customers by a nightly job locked the ledger"
_RULE = "Never erase the ledger of a customer"


@pytest.fixture(scope="module")
def cold():
    """Return a memory whose first instance left a rule, a dead end and a decision, which is in cold memory now."""
    memory = Memory(Settings(keep_warm=3))
    memory.journal(
        f"## Decision: {_DECISION}\n\n- why: the law asks for it\n\n"
        f"## Dead end: {_DEAD_END}\n\n- why: it held all rows\n\n"
        f"## Constraint: {_RULE}\n\n"
    )
    memory.sleep()
    for number in range(12):
        memory.journal(
            f"## Decision: Paint shed {number} with lime\n\n- why: rain comes in {number}\n\n"
            f"## Dead end: Tar on roof {number} ran off\n\n- why: the sun of day {number}\n\n"
            + "".join(f"- Row {number}.{line} of the orchard has pears and {line} plums.\n" for line in range(20))
        )
        memory.sleep()
    return memory


@pytest.mark.parametrize("task", ["delete customers", "wipe the clients' rows", _DECISION.lower()])
def test_the_records_of_the_task_come_first_from_cold_memory(cold, task):
    """A rule, an old dead end and a decision in cold memory are told first, in the order of the parts."""
    assert any(at == "cold" and fragment.text == _DECISION for at, fragment in cold.placed())
    found = assembly.assemble(cold.view, cold.settings, task=task, budget=2_000)
    about = next(phase.text for phase in found.phases if phase.name == "task")
    assert about.index(_RULE) < about.index(_DECISION) < about.index(_DEAD_END)
    assert "shed" not in about[: about.index(_DEAD_END)]
    for words in (_RULE, _DECISION, _DEAD_END):
        assert found.text.count(words) == 1
        assert found.text.index(words) < found.text.index("Tar on roof")


def test_recall_ranks_in_other_words(cold):
    """What is said in other words is near the task by recall, and without a task, or a fit, nothing is."""
    memory = candidates.gather(cold.view, "x", lambda fragment: fragment.text)
    near = task_rank.ranks(cold.view, "delete a customer", memory.candidates)
    texts = {memory.candidates[index].fragment.text for index in near}
    assert {_DECISION, _RULE} <= texts
    assert max(near.values()) == 1.0
    assert not any("shed" in text for text in texts)
    assert task_rank.ranks(cold.view, "", memory.candidates) == {}
    assert task_rank.ranks(cold.view, "quantum chess", memory.candidates) == {}


def test_without_a_task_nothing_is_asked(cold, monkeypatch):
    """Without a task recall is not asked, and no part is about one."""
    monkeypatch.setattr(access, "index_tree", lambda _: pytest.fail("an index was made"))
    found = assembly.assemble(cold.view, cold.settings, budget=2_000)
    assert "# About the task" not in found.text
    assert KINDS["decision"].plural in found.text
