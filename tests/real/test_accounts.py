"""Every real journal is accounted for to the last character, and what is claimed of it is what the tiers hold.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import os
import random
from decimal import Decimal
from pathlib import Path

import pytest

from sleep.changes import comparison
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.cycle import cycle_plan, fate_record
from sleep.documents import paths
from sleep.history import account, document_fates
from sleep.journal.imports import conversion
from sleep.language import similarity, tokenizer
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.settings import Settings
from sleep.store.tree import InMemory

pytestmark = pytest.mark.real
NOW = "2026-11-21T10:00:00Z"
MOST = 25  # journals of a project
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied


def collections() -> list[str]:
    """The folders of journals, by project and conversation; without the data, one case that fails."""
    if not SHARED:
        return ["SLEEP_SHARED is not set"]
    root = Path(SHARED) / "data"
    folders = [*(root / "journals").iterdir(), *(one / "journal" for one in (root / "cases").glob("*/*"))]
    return sorted(str(one.relative_to(root)) for one in folders if one.is_dir())


def uncovered(journal, spans) -> list[str]:
    """What is wrong with an account's sums."""
    runs = account.runs(journal, spans)
    shares = account.shares(journal.text, runs)
    faults = []
    if "".join(journal.text[one.start : one.end] for one in runs) != journal.text:
        faults.append("the runs are not the journal")
    if sum(one.bytes for one in shares) != len(journal.text.encode("utf-8", "surrogateescape")):
        faults.append("the bytes do not add up")
    if sum(Decimal(str(one.percent)) for one in shares) != 100:
        faults.append("the percents do not add up to 100")
    return faults


def false(decided, before: View, after: View) -> list[str]:
    """The fates of a step that the tiers contradict."""
    there = [one for _, one in after.placed()]
    said = {(one.identity, one.text) for one in there}
    was = {(one.identity, one.text) for _, one in before.placed()}
    words = {" ".join(tokenizer.words(one.text)) for one in there}
    faults = []
    for fate in decided.fates:
        one, end = fate.before, fate.after
        stands = end is not None and (end.identity, end.text) in said
        if fate.fate in (WHOLE, SHORTENED) and not stands:
            faults.append(f"{one.identity} is said to be {fate.fate} and is not there: {one.text[:60]}")
        near = any(similarity.repeats(one.text, other.text) for other in there) if fate.fate == MERGED else False
        if fate.fate == MERGED and not stands and not near and " ".join(tokenizer.words(one.text)) not in words:
            faults.append(f"{one.identity} is said to be merged into nothing: {one.text[:60]}")
        alone = sum(other.before == one for other in decided.fates) == 1
        if fate.fate == DROPPED and alone and (one.identity, one.text) in said - was:
            faults.append(f"{one.identity} is said to be dropped and is there: {one.text[:60]}")
    return faults


@pytest.mark.parametrize("folder", collections())
def test_accounts_are_exact_and_true(folder: str) -> None:
    """Over many cycles each journal's account is of every byte, and each step's fates are what its documents show."""
    files = sorted((Path(SHARED or ".") / "data" / folder).glob("*.md"))[:MOST]
    assert files, folder
    memory, letters = InMemory({paths.MAIN: "# A project\n\nIts purpose.\n"}), random.Random(folder)
    faults: list[str] = []
    for number, file in enumerate(files, 1):
        raw = file.read_bytes().decode("utf-8", "surrogateescape")
        instance = InstanceId(number, "".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=3)))
        fields = {"started": NOW, "ended": NOW}
        used = View(memory).used_numbers()
        memory.texts[paths.journal(number)], _ = conversion.canonical(raw, instance, fields, used)
        for one in cycle_plan.plan_all(Settings(), memory, NOW, number)[0]:
            before = View(InMemory(memory.texts))
            memory.take(one.decided.writes)
            after = View(memory)
            faults += false(one.decided, before, after)
            if one.decided.step == "journal to hot":
                journal = after.journal(paths.journal(number))
                docs = [{path: view.tier(path).fragments for path in paths.HOT} for view in (before, after)]
                docs[0]["journal"] = fate_record.fragments(journal)
                own = [each for each in comparison.between(*docs) if each.source == "journal"]
                for spans in (one.decided.spans, document_fates.observed(journal, own)):
                    faults += uncovered(journal, spans)
        assert faults == [], file.name
