"""`memory.*`: figures, why something is in memory or is not, what a cycle lost; and taking secrets out of a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.compression.contract import KEPT, MERGED, SHORTENED
from sleep.history import cycle_diff
from sleep.history import entry_life as lives
from sleep.history import explain as explains
from sleep.records.address import Address
from sleep.store import files
from sleep.tasks.form import (
    JSON_HELP,
    PATIENCE,
    ROOT_HELP,
    facts,
    grid,
    here,
    named,
    number,
    progress,
    say,
    table,
    task,
)
from sleep.tasks.upkeep import chart
from sleep.tasks.upkeep.memory_history import blame, log
from sleep.upkeep import doctor as doctors
from sleep.upkeep import statistics as figures

if TYPE_CHECKING:
    from sleep.history.cycle_diff import Lost, StepLost, Went
    from sleep.history.entry_life import Happening, Life
    from sleep.history.explain import Account
    from sleep.upkeep.statistics import After, Stats

_SHOWN = 300  # characters of words that are shown
_QUIET = (KEPT, cycle_diff.MOVED)


@task(
    help={
        "svg": "also write the figures over the cycles as an SVG image to this file",
        "limit": "how many topics, and how many of the last cycles; default 20",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    }
)
def stats(_c: Any, svg: str = "", limit: str = "20", json: bool = False, root: str = "") -> None:
    """Show what the tiers hold, how big the topics are, and tokens and ratios over the cycles.

    Example: sleepwake memory.stats --svg memory.svg
    """
    with progress("counting", PATIENCE) as notice:
        found = figures.read(here(root), notice)
    if svg:
        files.write(os.path.abspath(svg), chart.svg(found.over_time))
    if json:
        more = ("memory", "ratio", "overall")
        over_time = [
            {"kept" if name == "hot_share" else name: value for name, value in after._asdict().items()}
            | {name: getattr(after, name) for name in more}
            for after in found.over_time
        ]
        return facts({"tiers": named(found.tiers), "topics": named(found.topics), "over_time": over_time, "svg": svg})
    _tiers(found)
    most = number(limit, "limit") or 20
    if found.topics:
        rest = len(found.topics) - most
        title = f"topics{f' (and {rest} smaller)' if rest > 0 else ''}"
        rows = [[one.topic, one.tier, *map(str, one[2:])] for one in found.topics[:most]]
        grid(title, ["topic", "tier", "files", "fragments", "tokens"], rows)
    _over_time(found.over_time, most)
    return say(f"written: {svg}") if svg else None


def _tiers(found: Stats) -> None:
    rows = [
        [name, str(one.files), str(one.fragments), str(sum(one.records.values())), str(one.tokens)]
        for name, one in found.tiers.items()
    ]
    grid("tiers", ["tier", "files", "fragments", "records", "tokens"], rows)
    kinds = next(iter(found.tiers.values())).records
    rows = [
        [kind.replace("_", " "), *(f"{one.records[kind]} ({one.open[kind]})" for one in found.tiers.values())]
        for kind in kinds
    ]
    grid("records (of which open)", ["kind", *found.tiers], rows)


def _over_time(rows: tuple[After, ...], most: int) -> None:
    if not rows:
        return say("no cycle yet")
    highest = max(one.memory or 0 for one in rows)
    shown = [
        [
            *map(str, (one.cycle, one.instance, one.journal, one.hot_share)),
            *(_figure(value) for value in (one.ratio, one.hot, one.warm, one.cold, one.overall)),
            chart.bar([one.hot or 0, one.warm or 0, one.cold or 0], highest),
        ]
        for one in rows[-most:]
    ]
    heads = ["cycle", "instance", "journal", "in hot", "ratio", "hot", "warm", "cold", "overall", "█ hot ▓ warm ░ cold"]
    say("tokens after each cycle (ratio: journal to hot; overall: all journals to all tiers)\n")
    say(table(heads, shown))
    lines = [("journal", [one.journal for one in rows]), ("in hot", [one.hot_share for one in rows])]
    lines += [(name, [getattr(one, name) for one in rows]) for name in (*figures.TIERS, "ratio", "overall")]
    picture = [[name, chart.spark(values), _figure(values[-1])] for name, values in lines]
    return say("\n" + table(["", f"cycles {rows[0].cycle} to {rows[-1].cycle}", "now"], picture))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


@task(
    positional=["address"],
    help={
        "address": "an entry (i7qxk.12), a record (D-014), or an instance (i7qxk or 7)",
        "all": "of an instance, also list every run of its journal",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def explain(_c: Any, address: str, all: bool = False, json: bool = False, root: str = "") -> None:  # noqa: A002
    """Say why an entry was kept, shortened, merged or dropped at each step of its life, and where it stands now.

    Of an instance it accounts for every character of the journal. Example: sleepwake memory.explain i7qxk.12
    """
    where = here(root)
    found = explains.find(where, address)
    if not isinstance(found, Address):
        whole = explains.whole(where, found)
        return facts(_account_facts(whole, runs=all)) if json else _show_account(whole, runs=all)
    with progress("reading history", PATIENCE) as notice:
        life = lives.tell(where, found, notice)
    return facts(named(life)) if json else _show_life(life)


def _show_life(life: Life) -> None:
    name = " ".join(filter(None, (life.address, life.kind, life.number)))
    say(f"{name}{f'  {life.path}:{life.line}' if life.line else ''}\n  {_clip(life.says)}\n")
    rows = [
        [str(one.cycle or ""), one.commit[:7], one.step, one.fate, _way(one.source, one.target), one.detail]
        for one in life.happened
    ]
    if rows:
        say(table(["cycle", "commit", "step", "fate", "where", "why"], rows))
    for one in life.happened:
        if one.fate in (SHORTENED, MERGED, lives.EDITED) and one.after and one.after != one.before:
            say(f"\n{one.fate} in {one.step}{f' of cycle {one.cycle}' if one.cycle else ''}:")
            say(f"  - {_clip(one.before)}\n  + {_clip(one.after)}")
    say(f"\n{life.verdict}")
    for why, steps in _observed(life.happened).items():
        say(f"note: only what the documents show is told of {', '.join(steps)}: {why}")
    for note in life.notes:
        say(f"note: {note}")


def _observed(happened: tuple[Happening, ...]) -> dict[str, dict[str, None]]:
    """Return the steps that could not be taken again, each once, by why."""
    found: dict[str, dict[str, None]] = {}
    for one in happened:
        if one.observed:
            found.setdefault(one.observed, {})[f"{one.step} ({one.commit[:7]})"] = None
    return found


def _way(source: str, target: str) -> str:
    return f"{source} -> {target}" if source and target and source != target else source or target


def _clip(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN].rstrip()}…"


def _account_facts(whole: Account, *, runs: bool) -> dict[str, object]:
    found = {name: named(value) for name, value in whole._asdict().items() if name not in ("text", "runs", "shares")}
    found["characters"] = len(whole.text)
    found["bytes"] = sum(one.bytes for one in whole.shares)
    found["fates"] = [
        {name: getattr(one, name) for name in ("fate", "runs", "characters", "bytes", "percent")}
        for one in whole.shares
    ]
    if runs:
        found["runs"] = [one._asdict() | {"says": whole.text[one.start : one.end]} for one in whole.runs]
    return found


def _show_account(whole: Account, *, runs: bool) -> None:
    slept = (
        f"slept on in cycle {whole.cycle} ({whole.commit[:7] or 'commit unknown'})" if whole.cycle else "not slept on"
    )
    say(f"{whole.path}: instance {whole.instance}, {slept}\n")
    rows = [[one.fate, str(one.runs), str(one.characters), f"{one.percent:.2f}"] for one in whole.shares]
    total = [sum(one.runs for one in whole.shares), sum(one.characters for one in whole.shares)]
    hundredths = sum(one.hundredths for one in whole.shares)
    rows.append(["all", *map(str, total), f"{hundredths / 100:.2f}"])
    say(table(["fate", "runs", "characters", "percent"], rows))
    say(f"\nits entries now: {', '.join(f'{count} in {name}' for name, count in whole.stands.items())}")
    if runs:
        lines = [
            [str(one.line), one.address, one.fate, one.detail, " ".join(whole.text[one.start : one.end].split())[:80]]
            for one in whole.runs
        ]
        say("\n" + table(["line", "address", "fate", "why", "says"], lines))
    for note in whole.notes:
        say(f"note: {note}")


@task(
    help={"cycle": "the cycle's number; default: the last one", "json": JSON_HELP, "root": ROOT_HELP},
)
def diff(_c: Any, cycle: str = "", json: bool = False, root: str = "") -> None:
    """Show what a cycle lost and kept, step by step and by kind; the journal still has all of it.

    Example: sleepwake memory.diff --cycle 12
    """
    found = cycle_diff.between(here(root), number(cycle, "cycle"))
    return facts(_lost_facts(found)) if json else _show_lost(found)


def _lost_facts(found: Lost) -> dict[str, object]:
    steps = [
        {
            **{name: getattr(one, name) for name in ("step", "instance", "commit", "subject", "observed")},
            "counts": [
                {"fate": fate, "kind": kind, "fragments": count, "tokens_before": before, "tokens_after": after}
                for (fate, kind), (count, before, after) in one.counts().items()
            ],
            "fragments": [_went_facts(each) for each in one.went],
        }
        for one in found.steps
    ]
    return {"cycle": found.cycle, "state": found.state, "slept": found.slept, "note": found.note, "steps": steps}


def _went_facts(went: Went) -> dict[str, object]:
    one = went.passage
    fragment = one.before or one.after
    return {
        "fate": went.fate,
        "kind": fragment.kind if fragment else "",
        "address": str(fragment.identity) if fragment else "",
        "number": fragment.number if fragment else "",
        "from": one.source,
        "to": one.target,
        "before": one.before.text if one.before else "",
        "after": one.after.text if one.after else "",
        "detail": one.detail,
        "tokens_before": went.before,
        "tokens_after": went.after,
    }


def _show_lost(found: Lost) -> None:
    say(f"cycle {found.cycle}, {found.state} {found.slept}")
    for step in found.steps:
        _show_step(step)
    if not found.steps and not found.note:
        say("no step of it changed a tier")
    if found.note:
        say(f"\nnote: {found.note}")


def _show_step(step: StepLost) -> None:
    say(f"\n{step.step} of {step.instance} ({step.commit[:7]})\n")
    rows = [
        [fate, kind, str(count), str(before), str(after)]
        for (fate, kind), (count, before, after) in step.counts().items()
    ]
    say(table(["fate", "kind", "fragments", "tokens before", "after"], rows) if rows else "nothing was touched")
    lines = []
    for went in step.went:
        one = went.passage
        fragment = one.before or one.after
        if went.fate in _QUIET or fragment is None:
            continue
        lines.append(f"{went.fate}  {fragment.kind}  {fragment.handle}  {_way(one.source, one.target)}")
        lines += [f"  {one.detail}"] if one.detail else []
        lines.append(f"  - {_clip(one.before.text)}" if one.before else f"  + {_clip(fragment.text)}")
        if one.before and one.after and one.after.text != one.before.text:
            lines.append(f"  + {_clip(one.after.text)}")
        lines.append(f"  sleepwake memory.explain {fragment.identity}")
    if lines:
        say("\n" + "\n".join(lines))
    if step.observed:
        say(f"note: only what the commit shows is told of {step.step}: {step.observed}")


@task(positional=["file"], help={"file": "a Markdown file of the memory", "json": JSON_HELP, "root": ROOT_HELP})
def redact(_c: Any, file: str, json: bool = False, root: str = "") -> None:
    """Replace the secrets in a file by [REDACTED:kind], before it is committed.

    Example: sleepwake memory.redact journal/instance-7.md
    """
    kinds = doctors.redact(here(root), os.path.abspath(file))
    if json:
        return facts({"file": file, "redacted": kinds})
    return say(f"{file}: {len(kinds)} secrets taken out{': ' + ', '.join(kinds) if kinds else ''}")


collection = Collection("memory", stats, explain, diff, log, blame, redact)
