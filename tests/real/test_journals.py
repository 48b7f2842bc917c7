"""Every real journal goes through import, sleep and wake, and what must survive is found again.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sleep.compression import segments
from sleep.cycle import cycle_plan
from sleep.documents import paths
from sleep.documents.hand import annotation
from sleep.journal.imports import conversion
from sleep.language import sentences, tokens
from sleep.memory import place
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.redaction import homes, secret_scan
from sleep.settings import Settings
from sleep.store.tree import InMemory, WorkTree
from sleep.wake import assembly, checks

if TYPE_CHECKING:
    from sleep.records.fragment import Fragment

pytestmark = pytest.mark.real
NOW = "2026-11-21T10:00:00Z"
CHECKED = (1, 5, 20)
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied


def shared() -> Path:
    """The folder of the real data; a missing one is an error, never a skip."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real data"
    return Path(SHARED)


def collections() -> list[str]:
    """The folders of journals, by project and conversation; without the data, one case that fails."""
    if not SHARED:
        return ["SLEEP_SHARED is not set"]
    root = Path(SHARED) / "data"
    folders = [*(root / "journals").iterdir(), *(one / "journal" for one in (root / "cases").glob("*/*"))]
    return sorted(str(one.relative_to(root)) for one in folders if one.is_dir())


def lost(memory: InMemory) -> list[str]:
    """What must survive and is not found, and addresses that lead nowhere."""
    view = View(memory)
    placed: dict[object, list[tuple[str, object]]] = {}
    for path, fragment in view.placed():
        for address in fragment.addresses:  # what says the same may have been folded into it
            placed.setdefault(address, []).append((path, fragment))
    faults = []
    said = set()
    for path in view.journals:
        said.update(entry.address for entry in view.journal(path).entries)
        cut = [piece.fragment for piece in segments.cut(view.journal(path)) if piece.fragment]
        for wanted in (one for one in cut if one.is_record):
            found = [(at, one) for at, one in placed.get(wanted.identity, []) if one.kind == wanted.kind]
            faults += harmed(wanted, *found[0]) if found else [f"{wanted.kind} {wanted.identity} is nowhere"]
    return faults + [f"{address} leads nowhere" for address in placed if address not in said]


def says_again(text: str, other: str) -> bool:
    """True if the shorter of two texts has four fifths of its words in the other, and all of its figures."""
    short, long = sorted((re.findall(r"\w+", text.casefold()), re.findall(r"\w+", other.casefold())), key=len)
    missing = set(short) - set(long)
    return len(missing) <= len(set(short)) / 5 and not any(map(str.isdigit, "".join(missing)))


def harmed(wanted: Fragment, at: str, one: Fragment) -> list[str]:
    """What a record lost on its way to where it stands: cold memory keeps statement, why and alternatives."""
    says = one.text == wanted.text or (one.identity != wanted.identity and says_again(wanted.text, one.text))
    whole = says and one.field("why") == wanted.field("why")
    short = paths.tier_of(at) == "cold" and all(part.strip() in wanted.text for part in sentences.split(one.text))
    reasoned = bool(one.field("why")) == bool(wanted.field("why"))
    faults = [] if whole or (short and reasoned) else [f"{wanted.kind} {wanted.identity} lost words in {at}"]
    if one.field("alternatives") != wanted.field("alternatives"):
        faults.append(f"{wanted.kind} {wanted.identity} lost its alternatives")
    return faults


@pytest.mark.parametrize("folder", collections())
def test_what_must_survive_is_found_after_1_5_and_20_cycles(folder: str) -> None:
    """Every record of a real journal is in a register, and its address resolves."""
    files = sorted((shared() / "data" / folder).glob("*.md"))[:40]
    assert files, folder
    memory, letters = InMemory({paths.MAIN: "# A project\n\nIts purpose.\n"}), random.Random(folder)
    for number, file in enumerate(files, 1):
        raw = file.read_bytes().decode("utf-8", "surrogateescape")
        instance = InstanceId(number, "".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=3)))
        fields = {"started": NOW, "ended": NOW}
        text, _ = conversion.canonical(raw, instance, fields, View(memory).used_numbers())
        memory.texts[paths.journal(number)] = text
        _, _, writes = cycle_plan.plan_all(Settings(), memory, NOW, number)
        memory.take(writes)
        if number in CHECKED or number == len(files):
            assert lost(memory) == [], f"after {number} cycles"
    woken = assembly.assemble(View(memory), Settings())
    assert tokens.count(woken.text) <= woken.budget
    failed = [one for one in checks.check(View(memory), Settings(), NOW) if one.level == "fail"]
    assert [one for one in failed if one.check != "decision consistency"] == []


def test_a_project_runs_through_the_command(tmp_path: Path) -> None:
    """Import, sleep and wake run clean over a real project as a user would run them, one commit a step."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    def run(*words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "sleep", *words], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "replace")

    run("init")
    run("journal.import", str(shared() / "data" / "journals" / "jarvis-scripts"))
    run("sleep")
    assert "nothing to sleep on" in run("sleep")
    run("wake.check")
    where = place.find(str(tmp_path))
    view = View(WorkTree(where.root))
    assert len(view.cycles) == len(view.journals)
    subjects = subprocess.run(
        ["git", "log", "--format=%s"], cwd=tmp_path, capture_output=True, check=True
    ).stdout.decode()
    assert subjects.count("sleep: handoff") == len(view.cycles)
    assert "# What you knew" in run("wake")


def test_importing_drops_nothing() -> None:
    """Taking the marks out of an imported journal gives back every character of the hand-written one."""
    instance = InstanceId(1, "abc")
    compared = 0
    for file in sorted((shared() / "data" / "journals").glob("*/*.md")):
        raw = file.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        clean = homes.hide(secret_scan.redact(raw)[0], ())
        if clean != raw or raw.startswith("---"):
            continue  # secrets and home folders are taken out, and front matter of its own is put in a fence
        plain = annotation.unmark(conversion.canonical(raw, instance, {}, {})[0], instance)
        assert plain.endswith("\n\n" + (raw if raw.endswith("\n") else raw + "\n")), file.name
        compared += 1
    assert compared > 200
