"""Changes of mind: how many of the labelled pairs are seen, and how many of those that are none.

    python benchmarks/changes_of_mind.py

Reads `labels/changes_of_mind.jsonl`: 60 pairs of records, half of them contradictory, written before the code was
looked at; half `a` was fitted on, half `b` only judged. Prints precision and recall of what is seen at all, and of what
is taken to be said in so many words, which alone closes a record. Writes nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from sleep.records.relations import oppositions  # noqa: E402  # the path has to be there first

PAIRS = Path(__file__).parent / "labels" / "changes_of_mind.jsonl"


def main() -> None:
    """Print the table, and each pair that is told wrongly."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    print("| half | pairs | seen: precision | recall | said in so many words: precision | recall |")
    print("| --- | --- | --- | --- | --- | --- |")
    for half in ("a", "b"):
        own = [pair for pair in pairs if pair["half"] == half]
        how = [oppositions.compare(pair["older"]["text"], pair["newer"]["text"]) for pair in own]
        seen = _rates([bool(each) for each in how], [pair["relation"] != "none" for pair in own])
        said = _rates([each == oppositions.REVERSAL for each in how], [pair["relation"] == "explicit" for pair in own])
        print(f"| {half} | {len(own)} | {seen[0]:.2f} | {seen[1]:.2f} | {said[0]:.2f} | {said[1]:.2f} |")
        for pair, each in zip(own, how, strict=True):
            if bool(each) != (pair["relation"] != "none"):
                print(f"  {each or 'missed'}: {pair['older']['text']} / {pair['newer']['text']}", file=sys.stderr)


def _rates(found: list[bool], wanted: list[bool]) -> tuple[float, float]:
    hits = sum(one and other for one, other in zip(found, wanted, strict=True))
    return hits / max(1, sum(found)), hits / max(1, sum(wanted))


if __name__ == "__main__":
    main()
