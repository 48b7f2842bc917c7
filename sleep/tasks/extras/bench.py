"""`bench.*`: how good the memory is, and the adapters by which an outside harness measures it."""

from __future__ import annotations

import functools
import os
import re
import sys
from json import dumps, loads
from typing import TYPE_CHECKING, Any

from sleep.errors import DocumentError, UsageError
from sleep.evaluation import adapter
from sleep.plurals import several
from sleep.store import files
from sleep.tasks.arguments import content, decimal, here, now, number, target
from sleep.tasks.output import OWN_PICTURE, draw, facts, grid, progress, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.evaluation.study import Study

# What measures is loaded late, in each task: it costs every other command 25 ms.

_SHOWN = 60  # bytes of a line that is wrong
_REGEX = re.compile(rb'"name"\s*:\s*"(?:Write|Edit)"')  # the requirement's way of counting


@task(
    "bench.session",
    help={
        "memory": "a folder, empty or not there yet at the first call",
        "file": "a journal of any form, oldest first from call to call",
    },
)
def session(memory: str, file: str, json: bool = False) -> None:
    """Take a journal into the project hidden in a folder, sleep on it, and show the tiers in the folder.

    Example: sleepwake bench.session /tmp/memory journal/instance-001.md
    """
    done = adapter.session(memory, os.path.basename(file), files.decode(content(file)), now())
    if json:
        return facts(done)
    return say(f"{done.instance}: {', '.join(done.steps) or 'nothing to sleep on'}; {several(len(done.files), 'file')}")


@task(
    "bench.wake",
    help={
        "memory": "a folder that bench.session filled",
        "budget": "tokens to print at the most, 200 to 60000",
        "task": "what the instance is going to do",
    },
)
def wake(memory: str, budget: str, task: str = "", json: bool = False) -> None:
    """Print what the next instance would read in a folder that bench.session filled; changes nothing.

    Example: sleepwake bench.wake /tmp/memory 5000
    """
    page = adapter.woken(memory, number(budget, "budget"), task)
    if json:
        return facts({"tokens": page.cost, "budget": page.budget, "parts": page.phases})
    return say(page.text)


@task(
    "bench.recall",
    help={
        "memory": "a folder that bench.session filled, or any with Markdown files, which are read as journals",
        "text": "the question; without one, questions come as JSON lines {id, query, budget}",
        "budget": "tokens to print at the most",
        "least": "print what comes closest unmarked, where nothing surely fits",
    },
)
def recall(memory: str, text: str = "", budget: str = "", least: bool = False, json: bool = False) -> None:
    """Answer a harness's question, or all of standard input's, each by a JSON line {id, text}.

    Example: sleepwake bench.recall /tmp/memory --text "Where is the lock?"
    """
    from sleep.recall import search as recalling  # late: see above  # noqa: PLC0415
    from sleep.recall.passages import to_json  # noqa: PLC0415  # late: the same

    if not os.path.isdir(memory):
        raise UsageError(f"{memory}: no such folder")
    index = adapter.index(memory)
    if text:
        answer = recalling.recall(index, text, number(budget, "budget") or recalling.BUDGET, strict=not least)
        return facts({"nothing": answer.nothing, "passages": to_json(answer.passages)}) if json else say(answer.text)
    for asked in _asked(id=(str, int), query=(str,), budget=(int, str)):
        room = number(str(asked["budget"]), "budget") or recalling.BUDGET
        answer = recalling.recall(index, asked["query"], room, strict=not least)
        sys.stdout.write(dumps({"id": asked["id"], "text": answer.text if answer.passages else ""}) + "\n")
    return None


@task(
    "bench.tiers",
    help={
        "cases": "a folder with DATASET/CASE/journal/*.md",
        "out": "where the memories go: DATASET/CASE/hot, warm and cold",
        "ratio": "compress all of a case at once to 1/RATIO of its characters instead, into one file",
    },
)
def tiers(cases: str, out: str, ratio: str = "", json: bool = False) -> None:
    """Build for every case the memory after its last sleep, in memory, one case a process.

    Example: sleepwake bench.tiers shared/data/cases /tmp/tiers
    """
    rows = _tiers(cases, out, decimal(ratio, "ratio"))
    if json:
        return facts([dict(zip(("case", "source", "memory"), row, strict=True)) for row in rows])
    shown = [[name, str(size), str(left), f"{size / max(1, left):.2f}:1"] for name, size, left in rows]
    return say(table(["case", "source characters", "memory characters", "ratio"], shown))


def _tiers(root: str, out: str, ratio: float | None) -> list[tuple[str, int, int]]:
    """Write the memories and return (case, characters of its journals, characters of its memory)."""
    from sleep.evaluation import cases, pool  # late: see above  # noqa: PLC0415

    rows = []
    pieces = cases.find(root)
    folders = [os.path.join(out, case.dataset, case.name) for case in pieces]
    mark = os.path.join(out, ".bench-tiers")
    if os.path.lexists(out) and not os.path.isdir(out):
        raise UsageError("is no folder (would be right: an empty or new one)", where=out)
    if not os.path.exists(mark) and files.list_files(out):
        raise UsageError("has files that are not of this task (would be right: an empty or new folder)", where=out)
    os.makedirs(out, exist_ok=True)
    files.write(mark, "")
    with progress("sleeping on cases") as notice:
        results = pool.each(functools.partial(cases.built, ratio=ratio), pieces, notice)
        for case, folder, documents in zip(pieces, folders, results, strict=True):
            adapter.mirror(folder, documents)
            size = sum(map(len, cases.journals(case)))
            rows.append((f"{case.dataset}/{case.name}", size, sum(map(len, documents.values()))))
    return rows


@task(
    "bench.memory",
    help={
        "cases": "a folder with DATASET/CASE/journal/*.md, units.jsonl and qa.jsonl: also asks questions",
        "journals": "a folder of journals by project, in place of your own",
        "baselines": "only these, separated by commas; default: all",
        "quick": "a few cases and journals, and no summarisers of sumy",
        "ablate": "also without each idea of the engine",
        "svg": "also draw the figures into this file, over an earlier picture at the most",
    },
)
def memory(
    cases: str = "",
    journals: str = "",
    baselines: str = "",
    quick: bool = False,
    ablate: bool = False,
    svg: str = "",
    json: bool = False,
    root: str = "",
) -> int:
    """Measure what your memory keeps and what a wake shows of what is needed next; exits with 1 if a case failed.

    Example: sleepwake bench.memory --quick
    """
    from sleep.evaluation.reports import report  # late: see above  # noqa: PLC0415

    drawn = target(svg, "svg", OWN_PICTURE) if svg else ""
    result = _studied(cases, journals, baselines, quick, ablate, root)
    if drawn:
        from sleep.evaluation.reports import svg as picture  # late: see above  # noqa: PLC0415

        draw(drawn, picture.draw(result.figures))
    if json:
        names = ("figures", "differences", "notes", "faults")
        facts({name: getattr(result, name) for name in names})
        return int(bool(result.faults))
    for figure_table in report.grids(result.figures):
        grid(*figure_table)
    if result.differences:
        grid(*report.ablated(result.differences))
    say("\n\n".join(filter(None, [report.bars(result.figures), "\n".join([*result.notes, *result.faults])])))
    return int(bool(result.faults))


@task("bench.edits", help={"file": "a client's transcript"})
def edits(file: str, json: bool = False) -> None:
    """Count the edits in a transcript, as debt counts them, beside the requirement's regular expression.

    Example: sleepwake bench.edits session.jsonl --json
    """
    from sleep.transcripts import tally  # late: see above  # noqa: PLC0415

    transcript = content(file, "a client's transcript")
    count = tally.count_on(tally.Count(), [transcript])
    if transcript.strip() and not count.client:
        raise DocumentError("not a transcript of a client that is known", where=file)
    measures = {
        "client": count.client,
        "change_count": tally.changes(count),
        "calls": tally.calls(count),
        "failed": tally.failures(count),
        "regex": len(_REGEX.findall(transcript)),
    }
    if json:
        return facts(measures)
    return say(table(list(measures), [[str(value) for value in measures.values()]]))


@task("bench.acts")
def acts() -> None:
    """Say which records capture makes of single messages: JSON lines {id, role, text} in, {id, records} out.

    Each message is taken for a session of its own. A record is {kind, text, why, standing}.

    Example: sleepwake bench.acts < messages.jsonl
    """
    from sleep.evaluation import acts as acting  # late: see above  # noqa: PLC0415

    for asked in _asked(id=(str, int), role=(str,), text=(str,)):
        records = acting.records(asked["role"], asked["text"])
        sys.stdout.write(dumps({"id": asked["id"], "records": records}, ensure_ascii=False) + "\n")


def _asked(**wanted: tuple[type, ...]) -> Iterator[dict[str, Any]]:
    """Yield what the lines of standard input ask; UsageError that names the line which is no such JSON object."""
    names = ", ".join(wanted)
    for number_, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            asked = loads(line.decode())
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict) or not all(_fits(asked.get(name), types) for name, types in wanted.items()):
            shown = ascii(line[:_SHOWN].decode(errors="replace").strip())
            right = f"would be right: a JSON object with {names}"
            raise UsageError(f"line {number_} of standard input is {shown} ({right})")
        yield asked


def _fits(value: object, types: tuple[type, ...]) -> bool:
    return isinstance(value, types) and not isinstance(value, bool)


@task("bench.records", help={"memory": "a folder that bench.session filled, or a memory of yours"})
def records(memory: str) -> None:
    """Print all records of a memory as a JSON list of {kind, text, why, state, standing, source}.

    Those that were only noticed and wait for a word are among them; `standing` tells them apart.

    Example: sleepwake bench.records /tmp/memory
    """
    from sleep.evaluation import record_list  # late: see above  # noqa: PLC0415

    return facts(record_list.records(adapter.view(memory)))


@task(
    "bench.brief",
    help={
        "checklist": "another checklist: Markdown as memory/checklist.md, or a project of the shared harness (.json)",
        "budgets": "tokens of the wakes, separated by commas; default: 2000,4000,8000,20000",
        "missing": "also print what is not told, what is outdated, and the questions that are not answered",
    },
)
def brief(checklist: str = "", budgets: str = "", missing: bool = False, json: bool = False, root: str = "") -> None:
    """Say how much of memory/checklist.md a wake of yours tells, and which of its questions recall answers.

    `review.keep` adds to the checklist. Changes nothing.

    Example: sleepwake bench.brief --missing
    """
    from sleep.evaluation import brief as briefs  # late: see above  # noqa: PLC0415
    from sleep.evaluation import own_brief  # noqa: PLC0415  # late: the same

    where = here(root)
    known = own_brief.read(where, checklist)
    sizes = tuple(number(size, "budgets") or 0 for size in filter(None, budgets.split(","))) or briefs.BUDGETS
    scores = own_brief.wakes(where, known, sizes)
    answers = own_brief.answers(where, known)
    if json:
        return facts({"wakes": scores, "recall": answers})
    rows = [[f"{each.budget:,}", f"{each.share:.2f}", str(len(each.outdated))] for each in scores]
    say(table(["wake of tokens", "told", f"outdated of {len(known.outdated)}"], rows))
    if known.questions:
        say(f"\n{own_brief.sentence(answers)}")
    if missing:
        say("\n".join(("", *own_brief.complaints(scores, answers))))
    return None


def _studied(folder: str, journals: str, names: str, quick: bool, ablate: bool, root: str) -> Study:
    from sleep.evaluation import cases, projects, run, study  # late: see above  # noqa: PLC0415

    chosen, notes = study.chosen(names, quick=quick)
    pieces = [*(cases.find(folder) if folder else ()), *(projects.find(journals) if journals else ())]
    if not folder and not journals:
        pieces = [projects.of_memory(here(root))]
    with progress("measuring") as notice:
        result = study.study(pieces, run.Plan(chosen, quick), notice, ablate=ablate)
    return result._replace(notes=(*result.notes, *notes))


TASKS = (session, wake, recall, tiers, memory, edits, acts, records, brief)
