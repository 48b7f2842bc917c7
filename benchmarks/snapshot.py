"""What a session start costs: the snapshot and the hooks as whole processes, a bare Python beside each.

    python benchmarks/snapshot.py [--quick] [--runs N]

Times are the least wall time of the runs (what else the machine does can only add), with the median in brackets; the
bare Python runs in turn with the command, so that a busy machine slows both alike. Exits with 1 when a bar is missed.
The bars are the requirement's, of a machine on which the older tool took 187 ms and a bare Python 13 to 30. `--quick`
takes five runs and 2,000 pages instead of 10,000, for CI.
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
from typing import TYPE_CHECKING

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from cycle import PROGRAM, Row, least, nothing, run, shown  # noqa: E402  # the path has to be there first

if TYPE_CHECKING:
    from collections.abc import Iterator

# As the installed script does it; `-m` would load more.
PROGRAM_WORDS = (sys.executable, "-c", "import re, sys; from sleep.__main__ import main; sys.exit(main())")
_KNOWLEDGE, _TASKS, _FEATURES = 500, 200, 30
_MANY, _QUICK = 10_000, 2_000
_OLDER = 0.187  # seconds of the older tool on the same files
_SHARE, _HOOK, _PEAK, _GROWTH = 0.6, 0.120, 50, 11.0
_WORDS = ("memory", "lock", "ledger", "session", "token", "budget", "snapshot", "scoring", "cycle", "gate", "billing")
_ASKED = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "bench"}


def sentence(dice: random.Random, words: int) -> str:
    """Return a sentence of so many words."""
    return " ".join(dice.choice(_WORDS) for _ in range(words)).capitalize() + "."


def lay(base: str, knowledge: int, tasks: int, features: int) -> None:
    """Write a memory with so many pages of each kind, of the sizes that real ones have."""
    dice = random.Random(1)

    def write(path: str, text: str) -> None:
        place = os.path.join(base, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)

    def prose(paragraphs: int) -> str:
        return "\n\n".join(sentence(dice, 60) for _ in range(paragraphs))

    for at in range(knowledge):
        top = (
            f'id: know_{at}\nname: "Topic {at}"\ndescription: "{sentence(dice, 14)}"\ntags:\n  - architecture\n  - api'
        )
        top += f"\ndate: '2026-02-01'\npinned: {'true' if at < 3 else 'false'}"
        write(f"memory/knowledge/topic-{at:05}.md", f"---\n{top}\n---\n\n## Overview\n\n{prose(8)}\n")
    for at in range(tasks):
        top = f'id: task_{at}\nname: "Task {at}"\npriority: "high"\nstatus: "todo"'
        top += f'\nupdated_at: "2026-02-{at % 28 + 1:02}"'
        body = f"## Why\n\n{sentence(dice, 20)}\n\n## User Stories\n\n- [ ] {sentence(dice, 9)}\n\n## Changelog\n"
        body += f"<!-- newest first -->\n\n### 2026-02-20 - Session\n- {sentence(dice, 20)}\n"
        write(f"memory/state/task-{at:05}.md", f"---\n{top}\ntags: []\n---\n\n{body}")
    for at in range(features):
        body = f"## Why\n\n{sentence(dice, 30)}\n\n{prose(6)}\n\n## Changelog\n\n"
        body += f"### 2026-02-26 - Work\n- {sentence(dice, 20)}\n"
        write(f"memory/core/features/feature-{at:03}.md", f"---\nstatus: active\ntags:\n  - a\n---\n\n{body}")
    write("memory/sleep.yaml", "format: 1\n")
    write("memory/core/0.soul.md", f"---\nname: bench\n---\n\n{prose(3)}\n")
    write("memory/core/1.user.md", prose(2))
    write("memory/core/2.memory.md", "\n".join(f"- {sentence(dice, 15)}" for _ in range(30)))
    write("memory/core/3.stack.md", f"---\nname: Stack\nsummary: {sentence(dice, 9)}\n---\n")
    changes = [
        {"date": "2026-02-26", "type": "feat", "scope": "x", "description": sentence(dice, 40)} for _ in range(50)
    ]
    write("memory/core/CHANGELOG.json", json.dumps(changes, indent=2))
    write("memory/core/RELEASES.json", json.dumps([{"version": "0.1.0", "summary": sentence(dice, 40)}]))
    write("memory/hot/threads.md", "## Threads\n\n- **T-001** Raise recall [i1ptb.1]\n  - next: measure\n")
    write(
        "memory/hot/context.md",
        "## Constraints\n\n- One door [i1ptb.2]\n\n## Questions\n\n- **Q-001** How? [i1ptb.3]\n",
    )
    write("main.md", "# Bench\n\nFor figures.\n\n## HANDOFF\n\n- updated: x\n- next_priority: T-001\n")


def hook(base: str, event: str, said: dict[str, str]) -> float:
    """Return the seconds that a client waits for a hook."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLEEP_", "PYTHON"))}
    bytecode = os.path.join(tempfile.gettempdir(), "sleepwake-bytecode")
    environ |= {"PYTHONPATH": PROGRAM, "PYTHONPYCACHEPREFIX": bytecode}
    words = (*PROGRAM_WORDS, "hook", event)
    begun = time.perf_counter()
    ran = subprocess.run(words, cwd=base, env=environ, input=json.dumps(said).encode(), capture_output=True, check=True)
    spent = time.perf_counter() - begun
    assert b"additionalContext" in ran.stdout, ran.stdout + ran.stderr
    return spent


def starting(base: str, runs: int) -> Iterator[Row]:
    """Measure the commands, on 500 pages of knowledge and 200 tasks."""
    for words, bar in (((), _SHARE * _OLDER), (("--budget", "9500"), _SHARE * _OLDER), (("--tokens",), 0.0)):
        command = (*PROGRAM_WORDS, "snapshot", *words)
        run(command, base)  # the first run writes bytecode
        taken, bare = [], []
        for _ in range(runs):
            taken.append(run(command, base))
            bare.append(nothing())
        walls = [one.wall for one in taken]
        yield _row(" ".join(("snapshot", *words)), walls, bare, bar)
        if not words:
            least_, peak = min(walls), max(one.peak for one in taken)
            share = f"at most {_SHARE}x"
            yield Row("  against the older tool", f"{least_ / _OLDER:.2f}x", shown(_OLDER), share, least_ <= bar)
            yield Row("  processor time", shown(min(one.processor for one in taken)))
            yield Row("  peak memory", f"{peak:.0f} MiB", "", f"at most {_PEAK} MiB", peak <= _PEAK)
    for event, name in (("session-start", "SessionStart"), ("subagent-start", "SubagentStart")):
        said = {**_ASKED, "hook_event_name": name}
        hook(base, event, said)
        spent, bare = [], []
        for _ in range(runs):
            spent.append(hook(base, event, said))
            bare.append(nothing())
        yield _row(f"hook {event}", spent, bare, _HOOK)


def _row(what: str, walls: list[float], bare: list[float], bar: float) -> Row:
    wall, floor = min(walls), min(bare)
    floors = f"python {shown(floor)} ({wall / floor:.1f}x)"
    limit = f"at most {bar * 1000:.0f} ms" if bar else ""
    return Row(what, f"{shown(wall)} ({shown(statistics.median(walls))})", floors, limit, not bar or wall <= bar)


def growing(folder: str, many: int, runs: int) -> Iterator[Row]:
    """Measure how the cost grows with the number of pages: what is above a bare Python, in a tenth and in all."""
    walls, peak = [], 0.0
    for count in (many // 10, many):
        base = os.path.join(folder, f"of-{count}")
        lay(base, count, 0, 0)
        command = (*PROGRAM_WORDS, "snapshot", "--budget", "9500")
        run(command, base)
        taken = [run(command, base) for _ in range(runs)]
        walls.append(min(one.wall for one in taken))
        peak = max(one.peak for one in taken)
        yield Row(f"snapshot, {count:,} pages", shown(walls[-1]), f"peak {peak:.0f} MiB")
    floor = min(run((*PROGRAM_WORDS, "snapshot"), folder).wall for _ in range(runs))
    ratio = (walls[1] - floor) / (walls[0] - floor)
    floors = f"start {shown(floor)}; {(walls[1] - floor) / many * 1e6:.0f} us a page"
    yield Row("  ten times the pages", f"{ratio:.1f}x", floors, f"at most {_GROWTH:.0f}x", ratio <= _GROWTH)


def caching(base: str, runs: int) -> Iterator[Row]:
    """Measure what a cache by content could save: it has to read every page to know its content."""
    import hashlib  # noqa: PLC0415  # late: the peak of the commands must not begin with our own size

    from sleep.documents import front_matter  # noqa: PLC0415
    from sleep.store import context  # noqa: PLC0415
    from sleep.wake.snapshot import page_files, pages  # noqa: PLC0415

    where = context.require(base)
    listed = page_files.pages(where, "knowledge").files
    texts = [page_files.beginning(where, one.path).text for one in listed]
    wanted = frozenset({"name", "title", "description", "summary", "tags", "pinned"})
    parsed = least(lambda: [front_matter.words(text, wanted) for text in texts], runs)
    read = least(lambda: [page_files.beginning(where, one.path) for one in listed], runs)
    hashed = least(lambda: [hashlib.sha1(text.encode(), usedforsecurity=False).digest() for text in texts], runs)
    whole = least(lambda: pages.knowledge_pages(where), runs)
    yield Row(f"knowledge section, {len(listed)} pages", shown(whole))
    yield Row("  of which reading, which a cache does too", shown(read))
    yield Row("  hashing, which only a cache does", shown(hashed))
    yield Row("  parsing, which a cache would save", shown(parsed))


def main() -> int:
    """Print the table; 1 when a bar is missed."""
    asked = argparse.ArgumentParser(description="What a session start costs, with its floor.")
    asked.add_argument("--quick", action="store_true", help=f"{_QUICK:,} pages instead of {_MANY:,}, five runs")
    asked.add_argument("--runs", type=int, default=0, help="runs of each command (15; quick: 5)")
    given = asked.parse_args()
    many, runs = (_QUICK, given.runs or 5) if given.quick else (_MANY, given.runs or 15)
    missed = 0
    with tempfile.TemporaryDirectory(prefix="sleepwake-benchmark-") as folder:
        base = os.path.join(folder, "usual")
        lay(base, _KNOWLEDGE, _TASKS, _FEATURES)
        heading = Row(f"{_KNOWLEDGE} pages, {_TASKS} tasks", "least (median)", "floor (times the floor)", "bar")
        for row in (heading, *starting(base, runs), *growing(folder, many, runs), *caching(base, runs)):
            verdict = "" if not row.bar or row is heading else "met" if row.met else "MISSED"
            missed += not row.met
            sys.stdout.write(f"{row.what:42} {row.figure:>18}  {row.floors:26} {row.bar:15} {verdict}".rstrip() + "\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
