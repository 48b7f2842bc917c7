"""`memory.*`: figures, why something is in memory or is not, what a cycle lost; and taking secrets out of a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.compression.contract import MERGED, SHORTENED, WHOLE
from sleep.dashboard import plot
from sleep.documents.paths import TIER_NAMES
from sleep.history import cycle_diff
from sleep.history import entry_life as lives
from sleep.history import explain as explains
from sleep.history.step_fates import Past
from sleep.memory.view import View
from sleep.plurals import several
from sleep.records.address import Address
from sleep.records.fragment import flat
from sleep.store.tree import WorkTree
from sleep.tasks.arguments import here, number, target
from sleep.tasks.output import OWN_PICTURE, PATIENCE, clip, draw, facts, grid, progress, say, table
from sleep.tasks.task import task
from sleep.tasks.upkeep import chart
from sleep.upkeep import doctor as doctors
from sleep.upkeep import statistics as figures

if TYPE_CHECKING:
    from sleep.history.cycle_diff import CycleDiff, StepDiff, Went
    from sleep.history.entry_life import Life
    from sleep.history.explain import Account
    from sleep.upkeep.statistics import After, Stats

_SHOWN, _RUN = 300, 80  # characters of words that are shown, and of a run of a journal
_QUIET = (WHOLE, cycle_diff.MOVED)


@task(
    "memory.stats",
    help={
        "svg": "also draw the tiers over the cycles as an SVG image into this file, over an earlier one at the most",
        "limit": "how many topics, and how many of the last cycles; default 20",
    },
)
def stats(svg: str = "", limit: str = "20", json: bool = False, root: str = "") -> None:
    """Show what the tiers hold, how big the topics are, and tokens and ratios over the cycles.

    Example: sleepwake memory.stats --svg memory.svg
    """
    most = number(limit, "limit") or 20
    drawn = target(svg, "svg", OWN_PICTURE) if svg else ""
    with progress("counting", PATIENCE) as notice:
        statistics = figures.read(here(root), notice)
    if drawn:
        sizes = [(after.cycle, after.sizes) for after in statistics.over_time]
        draw(drawn, plot.draw(sizes, width="880", font_size="13", font_family="sans-serif"))
    if json:
        more = ("memory", "ratio", "overall")
        over_time = [
            {"kept" if name == "hot_share" else name: value for name, value in after._asdict().items()}
            | {name: getattr(after, name) for name in more}
            for after in statistics.over_time
        ]
        return facts({"tiers": statistics.tiers, "topics": statistics.topics, "over_time": over_time, "svg": svg})
    _tiers(statistics)
    if statistics.topics:
        rest = len(statistics.topics) - most
        title = f"topics{f' (and {rest} smaller)' if rest > 0 else ''}"
        rows = [[topic.topic, topic.tier, *map(str, topic[2:])] for topic in statistics.topics[:most]]
        grid(title, ["topic", "tier", "files", "fragments", "tokens"], rows)
    _over_time(statistics.over_time, most)
    return say(f"written: {svg}") if svg else None


def _tiers(statistics: Stats) -> None:
    rows = [
        [name, str(tier.files), str(tier.fragments), str(sum(tier.records.values())), str(tier.tokens)]
        for name, tier in statistics.tiers.items()
    ]
    grid("tiers", ["tier", "files", "fragments", "records", "tokens"], rows)
    kinds = next(iter(statistics.tiers.values())).records
    rows = [
        [kind.replace("_", " "), *(f"{tier.records[kind]} ({tier.open[kind]})" for tier in statistics.tiers.values())]
        for kind in kinds
    ]
    grid("records (of which open)", ["kind", *statistics.tiers], rows)


def _over_time(rows: tuple[After, ...], most: int) -> None:
    if not rows:
        return say("no cycle yet")
    highest = max(row.memory or 0 for row in rows)
    shown = [
        [
            *map(str, (row.cycle, row.instance, row.journal, row.hot_share)),
            *(_figure(value) for value in (row.ratio, row.hot, row.warm, row.cold, row.overall)),
            chart.bar([row.hot or 0, row.warm or 0, row.cold or 0], highest),
        ]
        for row in rows[-most:]
    ]
    heads = ["cycle", "instance", "journal", "in hot", "ratio", "hot", "warm", "cold", "overall", "█ hot ▓ warm ░ cold"]
    say("tokens after each cycle (ratio: journal to hot; overall: all journals to all tiers)\n")
    say(table(heads, shown))
    lines = [("journal", [row.journal for row in rows]), ("in hot", [row.hot_share for row in rows])]
    lines += [(name, [getattr(row, name) for row in rows]) for name in (*TIER_NAMES, "ratio", "overall")]
    picture = [[name, chart.spark(values), _figure(values[-1])] for name, values in lines]
    return say("\n" + table(["", f"cycles {rows[0].cycle} to {rows[-1].cycle}", "now"], picture))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


@task(
    "memory.explain",
    help={
        "address": "an entry (i7qxk.12), a record (D-014), or an instance (i7qxk or 7)",
        "all": "for an instance, also list every piece of its journal",
    },
)
def explain(address: str, all: bool = False, json: bool = False, root: str = "") -> None:  # noqa: A002
    """Say why an entry was kept, shortened, merged or dropped at each step of its life, and where it stands now.

    Of an instance it accounts for every character of the journal.

    Example: sleepwake memory.explain i7qxk.12
    """
    where = here(root)
    entry = explains.find(View(WorkTree(where.root)), address)
    if not isinstance(entry, Address):
        whole = explains.whole(where, entry)
        return facts(_account_facts(whole, runs=all)) if json else _show_account(whole, runs=all)
    with progress("reading history", PATIENCE) as notice:
        life = lives.tell(Past(where.root), entry, notice)
    return facts(life) if json else _show_life(life)


def _show_life(life: Life) -> None:
    name = " ".join(filter(None, (life.address, life.kind, life.number)))
    say(f"{name}{f'  {life.path}:{life.line}' if life.line else ''}\n  {clip(life.says, _SHOWN)}\n")
    rows = [
        [
            str(happening.cycle or ""),
            happening.commit[:7],
            happening.step,
            happening.fate,
            _way(happening.source, happening.target),
            happening.detail,
        ]
        for happening in life.happened
    ]
    if rows:
        say(table(["cycle", "commit", "step", "fate", "where", "why"], rows))
    for happening in life.happened:
        if (
            happening.fate in (SHORTENED, MERGED, lives.EDITED)
            and happening.after
            and happening.after != happening.before
        ):
            say(f"\n{happening.fate} in {happening.step}{f' of cycle {happening.cycle}' if happening.cycle else ''}:")
            say(f"  - {clip(happening.before, _SHOWN)}\n  + {clip(happening.after, _SHOWN)}")
    say(f"\n{life.verdict}")
    for note in (*lives.observations(life.happened), *life.notes):
        say(f"note: {note}")


def _way(source: str, target: str) -> str:
    return f"{source} -> {target}" if source and target and source != target else source or target


def _account_facts(whole: Account, *, runs: bool) -> dict[str, object]:
    report = {name: value for name, value in whole._asdict().items() if name not in ("text", "runs", "shares")}
    report["characters"] = len(whole.text)
    report["bytes"] = sum(share.bytes for share in whole.shares)
    report["fates"] = [
        {name: getattr(share, name) for name in ("fate", "runs", "characters", "bytes", "percent")}
        for share in whole.shares
    ]
    if runs:
        report["runs"] = [run._asdict() | {"says": whole.text[run.start : run.end]} for run in whole.runs]
    return report


def _show_account(whole: Account, *, runs: bool) -> None:
    slept = (
        f"slept on in cycle {whole.cycle} ({whole.commit[:7] or 'commit unknown'})" if whole.cycle else "not slept on"
    )
    say(f"{whole.path}: instance {whole.instance}, {slept}\n")
    rows = [[share.fate, str(share.runs), str(share.characters), f"{share.percent:.2f}"] for share in whole.shares]
    total = [sum(share.runs for share in whole.shares), sum(share.characters for share in whole.shares)]
    hundredths = sum(share.hundredths for share in whole.shares)
    rows.append(["all", *map(str, total), f"{hundredths / 100:.2f}"])
    say(table(["fate", "runs", "characters", "percent"], rows))
    say(f"\nits entries now: {', '.join(f'{count} in {name}' for name, count in whole.stands.items())}")
    if runs:
        lines = [
            [str(run.line), run.address, run.fate, run.detail, clip(flat(whole.text[run.start : run.end]), _RUN)]
            for run in whole.runs
        ]
        say("\n" + table(["line", "address", "fate", "why", "says"], lines))
    for note in whole.notes:
        say(f"note: {note}")


@task("memory.diff", plain=("cycle",), help={"cycle": "the cycle's number; default: the last one"})
def diff(cycle: str = "", json: bool = False, root: str = "") -> None:
    """Show what a cycle lost and kept, step by step and by kind; the journal still has all of it.

    Example: sleepwake memory.diff --cycle 12
    """
    difference = cycle_diff.between(here(root), number(cycle, "cycle"))
    return facts(_lost_facts(difference)) if json else _show_loss(difference)


def _lost_facts(loss: CycleDiff) -> dict[str, object]:
    steps = [
        {
            **{name: getattr(step, name) for name in ("step", "instance", "commit", "subject", "observed")},
            "counts": [
                {"fate": fate, "kind": kind, "fragments": count, "tokens_before": before, "tokens_after": after}
                for (fate, kind), (count, before, after) in step.counts().items()
            ],
            "fragments": [_went_facts(each) for each in step.went],
        }
        for step in loss.steps
    ]
    return {"cycle": loss.cycle, "state": loss.state, "slept": loss.slept, "note": loss.note, "steps": steps}


def _went_facts(went: Went) -> dict[str, object]:
    passage = went.passage
    fragment = passage.before or passage.after
    return {
        "fate": went.fate,
        "kind": fragment.kind if fragment else "",
        "address": str(fragment.identity) if fragment else "",
        "number": fragment.number if fragment else "",
        "from": passage.source,
        "to": passage.target,
        "before": passage.before.text if passage.before else "",
        "after": passage.after.text if passage.after else "",
        "detail": passage.detail,
        "tokens_before": went.before,
        "tokens_after": went.after,
    }


def _show_loss(loss: CycleDiff) -> None:
    say(f"cycle {loss.cycle}, {loss.state} {loss.slept}")
    for step in loss.steps:
        _show_step(step)
    if not loss.steps and not loss.note:
        say("no step of it changed a tier")
    if loss.note:
        say(f"\nnote: {loss.note}")


def _show_step(step: StepDiff) -> None:
    say(f"\n{step.step} of {step.instance} ({step.commit[:7]})\n")
    rows = [
        [fate, kind, str(count), str(before), str(after)]
        for (fate, kind), (count, before, after) in step.counts().items()
    ]
    say(table(["fate", "kind", "fragments", "tokens before", "after"], rows) if rows else "nothing was touched")
    lines = []
    for went in step.went:
        passage = went.passage
        fragment = passage.before or passage.after
        if went.fate in _QUIET or fragment is None:
            continue
        lines.append(f"{went.fate}  {fragment.kind}  {fragment.handle}  {_way(passage.source, passage.target)}")
        lines += [f"  {passage.detail}"] if passage.detail else []
        lines.append(
            f"  - {clip(passage.before.text, _SHOWN)}" if passage.before else f"  + {clip(fragment.text, _SHOWN)}"
        )
        if passage.before and passage.after and passage.after.text != passage.before.text:
            lines.append(f"  + {clip(passage.after.text, _SHOWN)}")
        lines.append(f"  sleepwake memory.explain {fragment.identity}")
    if lines:
        say("\n" + "\n".join(lines))
    if step.observed:
        say(f"note: only what the commit shows is told of {step.step}: {step.observed}")


@task("memory.redact", help={"file": "a Markdown file of the memory"})
def redact(file: str, json: bool = False, root: str = "") -> None:
    """Replace the secrets in a file by [REDACTED:kind], before it is committed.

    Example: sleepwake memory.redact journal/instance-7.md
    """
    kinds = doctors.redact(here(root), os.path.abspath(file))
    if json:
        return facts({"file": file, "redacted": kinds})
    named = f": {', '.join(kinds)}" if kinds else ""
    return say(f"{file}: {several(len(kinds), 'secret')} taken out{named}")


TASKS = (stats, explain, diff, redact)
