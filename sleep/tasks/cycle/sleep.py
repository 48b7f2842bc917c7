"""`sleep` and what belongs to it: resume, undo, and the debt that it settles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.cycle import debt_settlement
from sleep.cycle import sleep as sleeps
from sleep.debt import sessions
from sleep.history.rebuild import undo as undoing
from sleep.store import context as contexts
from sleep.tasks.cycle import debt
from sleep.tasks.form import JSON_HELP, PATIENCE, ROOT_HELP, facts, here, now, number, progress, say, table, task

if TYPE_CHECKING:
    from sleep.cycle.sleep import Report
    from sleep.journal.capture.session_journal import Capture
    from sleep.memory.place import Place


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


def _show(report: Report, *, dry: bool) -> None:
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


def _show_lost(report: Report) -> None:
    for one in report.lost:
        place = f"{one.where}: " if one.where else ""
        say(f"{one.level:5} {place}{one.what}{f' -> {one.fix}' if one.fix else ''}")


@task(
    default=True,
    help={
        "instance": "sleep on this instance only; default: on every one that no cycle has slept on, in order",
        "dry_run": "print the plan, the ratios and a unified diff; change nothing",
        "ask": "in a dry run too, ask the program or model that is set up, which may cost",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def sleep(
    _c: Any, instance: str = "", dry_run: bool = False, ask: bool = False, json: bool = False, root: str = ""
) -> int:
    """Compress journal -> hot -> warm -> cold, one commit a step; twice in a row the second does nothing.

    What git took out of the memory since the last good sleep is named; it exits with 1 then.

    Example: sleepwake sleep --dry-run
    """
    where = here(root)
    chosen = number(instance, "instance")
    with progress("sleeping", PATIENCE) as notice:
        laid: dict[str, str | None] | None = {} if dry_run else None
        notes = _captured(where, chosen, laid)
        if laid is not None:
            report = sleeps.rehearse(where, now(), instance=chosen, ask=ask, laid=laid, notice=notice)
        else:
            report = sleeps.run(where, now(), instance=chosen, notice=notice)
        report = report._replace(notes=(*notes, *report.notes))
    if json:
        facts(_facts(report))
        return _code(report)
    _show(report, dry=dry_run)
    _show_lost(report)
    if dry_run and report.diff:
        say(f"\n{report.diff}")
    if dry_run:
        say("dry run: nothing was written")
    return _code(report)


def _code(report: Report) -> int:
    return int(any(one.level == "fail" for one in report.lost))


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


@task(help={"json": JSON_HELP, "root": ROOT_HELP})
def resume(_c: Any, json: bool = False, root: str = "") -> int:
    """Finish a sleep that a crash cut off: the interrupted step, then the steps that are left.

    Example: sleepwake sleep.resume
    """
    with progress("sleeping", PATIENCE) as notice:
        report = sleeps.run(here(root), now(), notice=notice)
    if json:
        facts(_facts(report))
    else:
        _show(report, dry=False)
        _show_lost(report)
    return _code(report)


@task(
    help={
        "cycle": "the cycle's number; default: the last one",
        "instance": "the cycle's instance, as i7qxk, where two branches gave two cycles the same number",
        "dry_run": "print what would change; change nothing",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def undo(
    _c: Any, cycle: str = "", instance: str = "", dry_run: bool = False, json: bool = False, root: str = ""
) -> None:
    """Undo a cycle in a new commit: the last one exactly, an older one by rebuilding the later ones without it.

    Example: sleepwake sleep.undo --cycle 12 --dry-run
    """
    done = undoing.undo(here(root), number(cycle, "cycle"), instance=instance, dry_run=dry_run)
    if json:
        return facts(done._asdict())
    say(
        f"cycle {done.cycle} of instance {done.instance} {'would be' if dry_run else 'is'} undone"
        + (f" in {done.sha[:7]}" if done.sha else "")
    )
    if done.debt or done.sessions:
        given = "would be" if dry_run else "is"
        say(f"debt {done.debt} {given} given back" + (f": {', '.join(done.sessions)}" if done.sessions else ""))
    if done.rebuilt:
        say(f"rebuilt without it: cycles {', '.join(map(str, done.rebuilt))}")
    if done.recorded:
        say(f"kept as another compressor wrote it: cycles {', '.join(map(str, done.recorded))}")
    if done.cleaned:
        say(f"what was taken out since stays out of: {', '.join(done.cleaned)}")
    for path in done.paths:
        say(f"  {path}")
    return say(f"\n{done.diff}") if dry_run and done.diff else None


collection = Collection("sleep", sleep, resume, undo, *debt.TASKS)
