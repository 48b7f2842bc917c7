"""What counting a transcript costs beside the requirement's regex and a full parse, and how exact each of them is.

    python benchmarks/transcripts.py [--quick] [--shared DIRECTORY]

Writes a transcript of Claude Code's of 49 MB: the real ones of SLEEP_SHARED (or `--shared`), repeated with new ids, or
made from a seed with as many lines, calls, edits and errors a megabyte as these have. Each row is a process of its own,
the best of several, with its floor, `python -c pass`, and its peak memory. Bars are of processor time, which is that of
the clock where nothing else runs: another process slows it less. With the real data a second table counts every
transcript of the manifest in three ways. Exits with 1 when a bar is missed; `--quick` takes 5 MB.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [PROGRAM]

from sleep.transcripts import line_reader, readers, tally  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SIZE, QUICK = 49_000_000, 5_000_000  # bytes
NEW = 100_000  # bytes that are new since the last count
RUNS = 9
_MILLISECONDS, _MEMORY = 200.0, 40.0  # of the cold count of 49 MB: the requirement's budget of a hook, and MiB
REGEX = re.compile(rb'"name"\s*:\s*"(?:Write|Edit)"')  # the requirement's

_REGEX = """\
import re, sys
print(len(re.findall(r'"name"\\s*:\\s*"(?:Write|Edit)"', open(sys.argv[1], encoding="utf-8", errors="replace").read())))
"""
_COLD = """\
import sys
from sleep.transcripts import tally as counting, line_reader as lines
with open(sys.argv[1], "rb", buffering=0) as file:
    print(counting.changes(counting.count_on(counting.Count(), iter(lambda: file.read(lines.CHUNK), b""))))
"""
_ON = """\
import json, sys
from sleep.transcripts import tally as counting, line_reader as lines
with open(sys.argv[2], "rb") as stored, open(sys.argv[1], "rb", buffering=0) as file:
    count = counting.Count.from_json(json.load(stored))
    file.seek(count.offset)
    count = counting.count_on(count, iter(lambda: file.read(lines.CHUNK), b""))
    json.dumps(count.to_json())
    print(counting.changes(count))
"""
_PARSE = """\
import json, sys
edits, failed = set(), set()
for line in open(sys.argv[1], "rb"):
    record = json.loads(line)
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_use" and block["name"] in ("Write", "Edit", "MultiEdit", "NotebookEdit"):
            edits.add(block["id"])
        elif block.get("type") == "tool_result" and block.get("is_error"):
            failed.add(block["tool_use_id"])
print(len(edits - failed))
"""


class Ran(NamedTuple):
    """What a process took: the least milliseconds by the clock and of the processor, MiB at its peak, what it said."""

    wall: float
    spent: float
    peak: float
    said: str


def ran(code: str, *given: str) -> Ran:
    """Run code in a process of its own, several times, and return the best."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environ["PYTHONPATH"] = PROGRAM
    runs = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        child = subprocess.Popen((sys.executable, "-c", code, *given), env=environ, stdout=subprocess.PIPE, text=True)
        said = child.stdout.read().strip() if child.stdout else ""
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"the process ended with {child.returncode}")
        peak = usage.ru_maxrss / 1024 / (1024 if sys.platform == "darwin" else 1)
        runs.append(Ran(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000, peak, said))
    wall, processor, peak = (min(ran[at] for ran in runs) for at in range(3))
    return Ran(wall, processor, peak, runs[0].said)


def real(folder: str) -> Iterator[bytes]:
    """Yield the real transcripts of Claude Code, over and over, with new ids each time."""
    raws = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            with open(os.path.join(folder, name), "rb") as file:
                raw = file.read()
            if readers.sniff(raw[: readers.HEAD]) == "claude-code" and b'"version":"1.0.0"' not in raw:
                raws.append(b"".join(line for line in line_reader.split([raw + b"\n"]) if _is_json(line)))
    for number in itertools.count():
        for raw in raws:
            yield raw.replace(b"toolu_", b"toolu_%03d" % number)


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def made(seed: int) -> Iterator[bytes]:
    """Yield lines with the density of the real ones: 325 a megabyte, of them 92 calls, 18 edits and 5 errors."""
    chosen = random.Random(seed)
    words = ["".join(chosen.choices("abcdefghijklmnoprstuw", k=chosen.randint(2, 11))) for _ in range(3_000)]

    def text(characters: int) -> str:
        return " ".join(chosen.choices(words, k=max(1, characters // 7)))

    for number in itertools.count():
        call = f"toolu_{number:08x}"
        common = {
            "parentUuid": f"u{number - 1}",
            "isSidechain": False,
            "sessionId": "s",
            "cwd": "/p",
            "version": "2.1.37",
        }
        common |= {"uuid": f"u{number}", "timestamp": f"2026-01-02T03:{number // 60 % 60:02}:{number % 60:02}.000Z"}
        draw = chosen.random()
        if draw < 0.06:
            name = chosen.choice(["Edit", "Edit", "Edit", "Write"])
            given = {"file_path": f"/p/{text(14)}.py", "old_string": text(400), "new_string": text(800)}
            block = {"type": "tool_use", "id": call, "name": name, "input": given}
            record = {**common, "type": "assistant", "message": {"role": "assistant", "content": [block]}}
        elif draw < 0.28:
            block = {
                "type": "tool_use",
                "id": call,
                "name": chosen.choice(["Bash", "Read", "Grep"]),
                "input": {"q": text(200)},
            }
            record = {**common, "type": "assistant", "message": {"role": "assistant", "content": [block]}}
        elif draw < 0.56:
            failed = chosen.random() < 0.06
            size = 20_000 if chosen.random() < 0.2 else 1_500
            block = {"type": "tool_result", "tool_use_id": call, "content": text(size), "is_error": failed}
            record = {
                **common,
                "type": "user",
                "message": {"role": "user", "content": [block]},
                "toolUseResult": text(size),
            }
        elif draw < 0.66:
            block = {"type": "text", "text": text(700)}
            record = {**common, "type": "assistant", "message": {"role": "assistant", "content": [block]}}
        else:
            record = {**common, "type": "progress", "data": {"type": "bash_progress", "output": text(600)}}
        yield json.dumps(record, separators=(",", ":")).encode() + b"\n"


def lay(path: str, parts: Iterator[bytes], size: int) -> None:
    """Write parts until there are so many bytes."""
    with open(path, "wb") as file:
        for part in parts:
            file.write(part)
            if file.tell() >= size:
                return


def prepare(path: str, stored: str, shared: str, size: int) -> tuple[int, int, int]:
    """Write the transcript and the count of all but its end; return its bytes, its lines, and the bytes of its end."""
    lay(path, real(os.path.join(shared, "data", "transcripts")) if shared else made(1), size)
    with open(path, "rb") as file:
        raw = file.read()
    began = raw.find(b"\n", len(raw) - NEW) + 1
    with open(stored, "w", encoding="utf-8") as file:
        json.dump(tally.count_on(tally.Count(), [raw[:began]]).to_json(), file)
    return len(raw), raw.count(b"\n"), len(raw) - began


def costs(folder: str, shared: str, size: int) -> bool:
    """Print what each way of counting costs; False when a bar is missed."""
    path, stored = os.path.join(folder, "session.jsonl"), os.path.join(folder, "count.json")
    with multiprocessing.get_context("spawn").Pool(1) as apart:  # a child's peak is not below its parent's
        written, number, new = apart.apply(prepare, (path, stored, shared, size))
    whose = "real ones repeated" if shared else "made"
    sys.stdout.write(f"A transcript of {written / 1e6:.0f} MB, {number} lines, {whose}\n\n")
    floor = ran("pass")
    rows = (
        ("python -c pass", floor),
        ("the requirement's regex", ran(_REGEX, path)),
        ("our count, cold", ran(_COLD, path)),
        (f"our count, {new / 1e3:.0f} KB new", ran(_ON, path, stored)),
        ("json.loads of all, main only", ran(_PARSE, path)),
    )
    is_met = True
    sys.stdout.write(f"{'':30} {'clock':>9} {'processor':>10} {'to pass':>8} {'peak':>8} {'edits':>6}\n")
    for what, one in rows:
        verdict = ""
        if what == "our count, cold":
            met = one.spent <= _MILLISECONDS and one.peak <= _MEMORY
            is_met = is_met and met
            verdict = f"  at most {_MILLISECONDS:.0f} ms, {_MEMORY:.0f} MiB: {'met' if met else 'MISSED'}"
        ratio = f"{one.spent / floor.spent:.1f}x"
        figures = f"{one.wall:6.0f} ms {one.spent:7.0f} ms {ratio:>8} {one.peak:4.0f} MiB {one.said:>6}"
        sys.stdout.write(f"{what:30} {figures}{verdict}\n")
    return is_met


def exactness(shared: str) -> bool:
    """Print what the regex, our count and a full parse find in every transcript of the manifest; False where ours errs.

    The truth is calls that took. What sub-agents did inside lines of progress stands apart, as their calls, taken or
    not. Markdown, of which there is no truth, is left out.
    """
    folder = os.path.join(shared, "data", "transcripts")
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        known = json.load(file)
    sums: dict[str, list[int]] = {}
    for one in known:
        stats = one["stats"]
        if stats["fmt"] == "markdown":
            continue
        with open(os.path.join(folder, one["file"]), "rb") as file:
            raw = file.read()
        found = tally.count_on(tally.Count(), [raw])
        row = _row(found, stats, side_calls(found.client, raw))
        row = [1, len(REGEX.findall(raw)), *row, int(row[0] == row[1] and row[2] == row[3]), tally.changes(found)]
        before = sums.setdefault(found.client, [0] * len(row))
        sums[found.client] = [old + new for old, new in zip(before, row, strict=True)]
    head = ("files", "regex", "ours", "truth", "nested", "truth", "exact", "changes")
    sys.stdout.write(f"\n{'calls that took':16} " + " ".join(f"{name:>7}" for name in head) + "\n")
    for client, row in sums.items():
        sys.stdout.write(f"{client:16} " + " ".join(f"{value:7}" for value in row) + "\n")
    return all(row[0] == row[6] for row in sums.values())


def side_calls(client: str, raw: bytes) -> set[str]:
    """Return the ids of the calls that edit which sub-agents alone made."""
    events = readers.reader(client).read(raw.splitlines(keepends=True)) if client else ()
    edits = [event for event in events if event.kind == "edit"]
    return {event.id for event in edits if event.side} - {event.id for event in edits if not event.side}


def _row(found: tally.Count, stats: Mapping[str, object], side: set[str]) -> list[int]:
    """Return ours and the truth, of calls that took and of those nested in lines of progress."""
    nested = set() if stats.get("sidechain_edits") else side
    ours = tally.calls(found) - len(nested - found.held.failed)
    truth = stats.get("applied")
    if truth is None:  # of SWE-agent the truth is of all calls, and of none where there is a history only
        ours, truth = ours + tally.failures(found), stats["parsed"] if stats["lines"] else ours
    return [ours, int(str(truth)), len(nested), int(str(stats.get("nested_progress_edits", 0)))]


def main() -> int:
    """Print the tables; 1 when a bar is missed."""
    asked = argparse.ArgumentParser(description="What counting a transcript costs, and how exact it is.")
    asked.add_argument("--quick", action="store_true", help=f"{QUICK // 10**6} MB instead of {SIZE // 10**6}")
    asked.add_argument("--shared", help="the folder of the real data; default: $SLEEP_SHARED")
    given = asked.parse_args()
    shared = given.shared or os.environ.get("SLEEP_SHARED", "")
    with tempfile.TemporaryDirectory(prefix="sleepwake-benchmark-") as folder:
        is_met = costs(folder, shared, QUICK if given.quick else SIZE)
    if shared:
        is_met = exactness(shared) and is_met
    return int(not is_met)


if __name__ == "__main__":
    sys.exit(main())
