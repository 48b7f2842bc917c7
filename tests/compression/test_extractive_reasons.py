"""Why a fragment was dropped is told the same in every process."""

from __future__ import annotations

import subprocess
import sys

CODE = """
from sleep.compression.extractive import _sayers, _why
from sleep.records.address import Address
from sleep.records.fragment import Fragment
where = (Address(1, "abc", 1),)
halves = ("Copper turbine harbour.", "Ferry ledger almanac.", "Copper turbine harbour lantern glacier walnut.")
kept = [Fragment("note", text, where) for text in halves]
words = "Copper turbine harbour ferry ledger almanac lantern glacier walnut."
print(_why(Fragment('note', words, where), _sayers(dict(enumerate(kept)))))
"""


def test_parts_of_one_entry_are_counted_alike():
    """Parts of an entry that say equally much are taken in their order, however a process hashes."""
    runs = {
        subprocess.run(
            [sys.executable, "-c", CODE], env={"PYTHONHASHSEED": str(seed)}, capture_output=True, check=True
        ).stdout
        for seed in range(6)
    }
    assert len(runs) == 1
