"""What it costs to journal transcripts: one at a session's end, and a gigabyte of them, in children of their own.

    python benchmarks/capture.py [--quick] [--runs N]

Transcripts are made up, as dense as real ones: nine tenths are results of tools. A session's end is a median, beside a
bare Python that does nothing. A folder is read once, beside a Python that parses every line of it and does no more. The
peak is the child's resident memory. Exits with 1 when a bar is missed. `--quick` reads 100 MB instead of 1 GB, for CI.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_MEGABYTE = 1_000_000
_EACH = 2  # megabytes of a session
_END = 1.5  # of the one that ends, like the longest of the real ones but one
_PEAK = 200  # megabytes that a child may have, however much it reads
_ENDS = 1.0  # seconds that a session's end may take: what the most impatient client gives
_PASS = (sys.executable, "-c", "pass")
_PARSE = """
import json, os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as lines:
            for line in lines:
                json.loads(line)
"""
_NOUNS = "lock ledger parser reader queue cache wiki index budget gate cycle tier socket server client".split()  # noqa: SIM905
_VERBS = "holds drops reads writes moves blocks misses keeps counts loses sorts merges opens closes waits".split()  # noqa: SIM905


class Cost(NamedTuple):
    """What a child cost: seconds, and megabytes at its peak."""

    seconds: float
    peak: float


def main() -> int:
    """Print the table; the exit code says whether all bars hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    total = 100 if options.quick else 1_000
    with tempfile.TemporaryDirectory(prefix="capture-") as scratch:
        rows = [_end(scratch, options.runs), *_folder(scratch, total), *_one(scratch, total // 5)]
    for what, figure, holds in rows:
        print(f"{'ok  ' if holds else 'MISS'}  {what:44}  {figure}")
    return int(not all(holds for _, _, holds in rows))


def _end(scratch: str, runs: int) -> tuple[str, str, bool]:
    times, floors = [], []
    path = os.path.join(scratch, "end.jsonl")
    _write(path, _END, random.Random(1), 0)
    for number in range(runs):
        root = _memory(os.path.join(scratch, f"end-{number}"))
        words = ("journal.capture", "--session", "s1", "--transcript", path)
        times.append(_child(_sleepwake(*words), root).seconds)
        floors.append(_child(_PASS, root).seconds)
    cost, floor = statistics.median(times), statistics.median(floors)
    figure = f"{cost:.2f} s; python -c pass {floor:.2f} s (bar {_ENDS:g} s)"
    return f"a session of {_END} MB ends", figure, cost <= _ENDS


def _folder(scratch: str, total: int) -> list[tuple[str, str, bool]]:
    root, folder = _memory(os.path.join(scratch, "many")), os.path.join(scratch, "sessions")
    os.makedirs(folder)
    dice = random.Random(2)
    for number in range(total // _EACH):
        _write(os.path.join(folder, f"{number:08x}-0000-4000-8000-000000000000.jsonl"), _EACH, dice, number)
    rows = _read(root, folder, f"{total} MB in {total // _EACH} sessions", total)
    again = _child(_sleepwake("journal.capture", folder), root)
    made = sum(name.startswith("instance-") for name in os.listdir(os.path.join(root, "journal")))
    rows.append(("the same again", f"{again.seconds:.1f} s, {made} journals", made == total // _EACH))
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    return rows


def _one(scratch: str, size: int) -> list[tuple[str, str, bool]]:
    root, folder = _memory(os.path.join(scratch, "one")), os.path.join(scratch, "single")
    os.makedirs(folder)
    _write(os.path.join(folder, "long.jsonl"), size, random.Random(3), 0)
    return _read(root, folder, f"{size} MB in one session", size)


def _read(root: str, folder: str, what: str, size: int) -> list[tuple[str, str, bool]]:
    cost, floor = (
        _child(_sleepwake("journal.capture", folder), root),
        _child((sys.executable, "-c", _PARSE, folder), root),
    )
    figure = (
        f"{cost.seconds:.1f} s, {size / cost.seconds:.0f} MB/s, peak {cost.peak:.0f} MB (bar {_PEAK}); "
        f"parsing alone {size / floor.seconds:.0f} MB/s, peak {floor.peak:.0f} MB"
    )
    return [(what, figure, cost.peak <= _PEAK)]


def _memory(root: str) -> str:
    os.makedirs(root)
    subprocess.run(("git", "init", "--quiet", root), check=True)
    subprocess.run(_sleepwake("init"), cwd=root, check=True, stdout=subprocess.DEVNULL)
    return root


def _sleepwake(*words: str) -> tuple[str, ...]:
    code = f"import sys; sys.path.insert(0, {PROGRAM!r}); from sleep.__main__ import main; main()"
    return (sys.executable, "-c", code, *words)


def _child(words: tuple[str, ...], folder: str) -> Cost:
    begun = time.perf_counter()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{words[3:]} ended with {process.returncode}")
    return Cost(time.perf_counter() - begun, used.ru_maxrss / 1024)


def _write(path: str, megabytes: float, dice: random.Random, number: int) -> None:
    """Write a session of that many megabytes: turns of a request, calls with long results, and words about them."""
    session = os.path.basename(path).removesuffix(".jsonl")
    begun = time.strftime("%Y-%m-%dT", time.gmtime(1_700_000_000 + number * 86_400))
    results = [json.dumps(_sentences(dice, 150)) for _ in range(8)]
    left, line, calls = megabytes * _MEGABYTE, 0, 0
    with open(path, "w", encoding="utf-8") as file:
        while left > 0:
            texts = [_told(json.dumps(_sentences(dice, 2)), "user")]
            for _ in range(12):
                calls += 1
                edits = dice.random() < 0.2
                name, given = ("Edit", {"file_path": f"/p/src/{dice.choice(_NOUNS)}.py"}) if edits else ("Read", {})
                call = {"type": "tool_use", "id": f"{session}-{calls}", "name": name, "input": given}
                texts.append(_told(f"[{json.dumps(call)}]", "assistant"))
                result = (
                    f'[{{"type":"tool_result","tool_use_id":"{session}-{calls}","content":{dice.choice(results)}}}]'
                )
                texts.append(_told(result, "user"))
            said = [{"type": "text", "text": _sentences(dice, 6)}]
            texts.append(_told(json.dumps(said), "assistant"))
            for text in texts:
                line += 1
                at = f"{begun}{line // 3600 % 24:02}:{line // 60 % 60:02}:{line % 60:02}.{dice.randrange(1000):03}Z"
                file.write(f'{{"sessionId":"{session}","uuid":"{session}-{line}","timestamp":"{at}",{text}\n')
                left -= len(text) + 100


def _told(content: str, role: str) -> str:
    return f'"parentUuid":null,"cwd":"/p","type":"{role}","message":{{"role":"{role}","content":{content}}}}}'


def _sentences(dice: random.Random, many: int) -> str:
    return " ".join(
        f"The {dice.choice(_NOUNS)}{dice.randrange(40)} {dice.choice(_VERBS)} the {dice.choice(_NOUNS)} of part"
        f" {dice.randrange(500)} when {dice.choice(_NOUNS)} {dice.choice(_VERBS)}."
        for _ in range(many)
    )


if __name__ == "__main__":
    sys.exit(main())
