"""`sleep` from its words to what it prints, with Invoke and without, which costs 180 ms.

Owns the options of `sleep`, and its report as text and as facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep import options
from sleep.cycle import debt_settlement
from sleep.cycle import sleep as sleeps
from sleep.debt import sessions
from sleep.errors import UsageError
from sleep.store import context as contexts
from sleep.tasks.arguments import here, now, number
from sleep.tasks.output import PATIENCE, facts, progress, say, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.cycle.sleep import Report
    from sleep.journal.capture.session_journal import Capture
    from sleep.memory.place import Place

_OPTIONS = (
    *(options.Option(name, name[:1], is_valued=True) for name in ("instance", "root")),
    *(options.Option(name, name[:1]) for name in ("dry-run", "ask", "json")),
)


class Sleep(NamedTuple):
    """What was asked for, as it was typed; "" or false for what was not said."""

    instance: str = ""
    dry_run: bool = False
    ask: bool = False
    json: bool = False
    root: str = ""


def parse(typed: Sequence[str]) -> Sleep | None:
    """Return what the words of a command line ask, None where they want more than a plain reading: `--help`, a slip."""
    try:
        given = list(options.parse(typed, _OPTIONS, "sleep"))
    except UsageError:
        return None
    names = [word.name for word in given]
    if "" in names or len(set(names)) < len(names) or any(word.value.startswith("-") for word in given):
        return None
    valued = {one.name for one in _OPTIONS if one.is_valued}
    fields = {word.name.replace("-", "_"): word.value if word.name in valued else True for word in given}
    return Sleep(**fields)  # type: ignore[arg-type]  # by the names of its fields


def run(asked: Sleep) -> int:
    """Sleep, or say what a sleep would do, and return the exit code: 1 where something of the memory is lost."""
    where = here(asked.root)
    instance = number(asked.instance, "instance")
    with progress("sleeping", PATIENCE) as notice:
        laid: dict[str, str | None] | None = {} if asked.dry_run else None
        notes = _captured(where, instance, laid)
        if laid is not None:
            report = sleeps.rehearse(where, now(), instance=instance, ask=asked.ask, laid=laid, notice=notice)
        else:
            report = sleeps.run(where, now(), instance=instance, notice=notice)
    report = report._replace(notes=(*notes, *report.notes))
    return show(report, json=asked.json, dry=asked.dry_run)


def show(report: Report, *, json: bool, dry: bool = False) -> int:
    """Print a report and return the exit code."""
    if json:
        facts(_facts(report))
    else:
        _print(report, dry=dry)
        for one in report.lost:
            place = f"{one.where}: " if one.where else ""
            say(f"{one.level:5} {place}{one.what}{f' -> {one.fix}' if one.fix else ''}")
        if dry and report.diff:
            say(f"\n{report.diff}")
        if dry:
            say("dry run: nothing was written")
    return int(any(one.level == "fail" for one in report.lost))


def _facts(report: Report) -> dict[str, object]:
    steps = [
        {
            "cycle": one.cycle,
            "step": one.decided.step,
            "commit": one.sha,
            "subject": one.plan.subject,
            "tokens_before": one.decided.before,
            "tokens_after": one.decided.after,
            "ratio_wanted": one.decided.ratio,
            "why_short": one.decided.short,
            "compressor": one.decided.compressor,
            "paths": sorted(one.decided.writes),
        }
        for one in report.taken
    ]
    settled = report.settled
    return {
        "settled": {"debt": settled.debt, "sessions": list(settled.sessions)} if settled else None,
        "steps": steps,
        "skipped": dict(report.skipped),
        "recovered": report.recovered,
        "notes": list(report.notes),
        "lost": [one._asdict() for one in report.lost],
        "diff": report.diff,
    }


def _print(report: Report, *, dry: bool) -> None:
    if report.recovered:
        say(f"finished the step that was interrupted: {report.recovered}")
    rows = []
    for one in report.taken:
        decided = one.decided
        ratio = f"{decided.before / decided.after:.1f}:1" if decided.after and decided.before else ""
        figures = [str(decided.before or ""), str(decided.after or "")] if decided.before else ["", ""]
        rows.append([str(one.cycle or ""), one.sha[:7], one.plan.subject, *figures, ratio])
    if rows:
        say(table(["cycle", "would do" if dry else "commit", "step", "before", "after", "ratio"], rows))
    for one in report.taken:
        if one.decided.short:
            say(f"{one.decided.step}: {one.decided.short}")
    for path, why in report.skipped:
        say(f"{path} {why}")
    for note in report.notes:
        say(note)
    slept = any(one.cycle for one in report.taken)
    if report.settled:
        would = "would settle" if dry else "settled"
        say(f"{'' if slept else f'{debt_settlement.NOTHING}; '}{would} {debt_settlement.told(report.settled)}")
    elif not rows:
        say("nothing to sleep on")


def _captured(where: Place, instance: int | None, laid: dict[str, str | None] | None) -> list[str]:
    """Journal what the sessions hold whose instances are about to be sealed, or only lay it, and say so."""
    if not where.settings.journal_auto or not sessions.any_known(contexts.of(where.root)):
        return []
    from sleep.journal.capture import session_journal  # late: 60 ms, and only where hooks have seen a session  # noqa: PLC0415

    done = session_journal.capture_before_sleep(where, now(), instance, laid=laid)
    return [_capture_told(one, dry=laid is not None) for one in done]


def _capture_told(one: Capture, *, dry: bool) -> str:
    if not one.path:
        return f"{one.session}: {one.why}"
    entries = f"{len(one.addresses)} {'entries' if len(one.addresses) > 1 else 'entry'}"
    where = f"{one.path}{', which it would open' if one.opened else ''}"
    return (
        f"would first capture {one.session}: {entries} into {where}"
        if dry
        else f"{one.path}: {entries} from the transcript"
    )
