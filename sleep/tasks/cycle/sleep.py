"""`sleep` and what belongs to it: resume and undo, with the report as text and as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.cycle import debt_settlement
from sleep.cycle import sleep as sleeps
from sleep.debt import sessions
from sleep.memory import memo_file
from sleep.memory.view import View
from sleep.plurals import several
from sleep.store import context as contexts
from sleep.store.tree import WorkTree
from sleep.tasks.arguments import here, now, number
from sleep.tasks.output import PATIENCE, facts, progress, say, table
from sleep.tasks.task import task
from sleep.wake import page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.cycle.cycle_plan import TakenStep
    from sleep.cycle.sleep import Report
    from sleep.debt.ledger import Settlement
    from sleep.history.rebuild.undo import Undone
    from sleep.journal.capture.session_journal import Capture
    from sleep.memory.place import Place

_FEW = 4  # steps that missed their ratio, of which each says why


@task(
    "sleep",
    help={
        "instance": "sleep on this instance only; default: every instance that was not slept on, in order",
        "dry_run": "print the plan, the ratios and a unified diff; change nothing",
        "ask": "call the program or model that is set up, even in a dry run; this may cost money",
    },
)
def sleep(instance: str = "", dry_run: bool = False, ask: bool = False, json: bool = False, root: str = "") -> int:
    """Compress journal -> hot -> warm -> cold, one commit a step; run again it finds nothing to do.

    It names what git removed from the memory since the last good sleep, and exits with 1 then.

    Example: sleepwake sleep --dry-run
    """
    where = here(root)
    only = number(instance, "instance")
    with memo_file.keep(where.root, "sleep"), progress("sleeping", PATIENCE) as notice:
        laid: dict[str, str | None] | None = {} if dry_run else None
        notes = _captured(where, only, laid)
        if laid is not None:
            report = sleeps.rehearse(where, now(), instance=only, ask=ask, laid=laid, notice=notice)
        else:
            report = sleeps.run(where, now(), instance=only, notice=notice)
    report = report._replace(notes=(*notes, *report.notes))
    return _show(_with_page(where, report), json=json, dry=dry_run)


def _with_page(where: Place, report: Report) -> Report:
    """Return a report that names an old page: whoever ends a session has just read what a new one needs."""
    old = page.warning(View(WorkTree(where.root))) if report.steps else ""
    return report._replace(notes=(*report.notes, f"{old}: sleepwake wake.page says how")) if old else report


@task("sleep.resume")
def resume(json: bool = False, root: str = "") -> int:
    """Finish a sleep that a crash cut off: the interrupted step, then the steps that are left.

    Example: sleepwake sleep.resume
    """
    where = here(root)
    with progress("sleeping", PATIENCE) as notice:
        report = sleeps.run(where, now(), notice=notice)
    return _show(_with_page(where, report), json=json)


@task(
    "sleep.undo",
    plain=("cycle",),
    help={
        "cycle": "the cycle's number; default: the last one",
        "instance": "the cycle's instance, as i7qxk, where two branches gave two cycles the same number",
        "dry_run": "print what would change; change nothing",
    },
)
def undo(cycle: str = "", instance: str = "", dry_run: bool = False, json: bool = False, root: str = "") -> None:
    """Undo a cycle in a new commit: the last one exactly, an older one by rebuilding the later ones without it.

    Example: sleepwake sleep.undo --cycle 12 --dry-run
    """
    from sleep.history.rebuild import undo as undoing  # late: a sleep need not wait for it  # noqa: PLC0415

    done = undoing.undo(here(root), number(cycle, "cycle"), instance=instance, dry_run=dry_run)
    if json:
        return facts(done)
    say("\n".join(_undone(done, dry=dry_run)))
    if done.sha and not cycle:
        say("another sleep.undo would undo the cycle before it")
    return say(f"\n{done.diff}") if dry_run and done.diff else None


def _undone(done: Undone, *, dry: bool) -> Iterator[str]:
    """Yield what an undo did, or would do."""
    would, made = ("would be ", "would be") if dry else ("", "is")
    at = f" in {done.sha[:7]}" if done.sha else ""
    yield f"cycle {done.cycle} of instance {done.instance} {made} undone{at}"
    if done.debt or done.sessions:
        of = f": {', '.join(done.sessions)}" if done.sessions else ""
        yield f"debt {done.debt} {made} given back{of}"
    if done.rebuilt:
        yield f"{would}rebuilt without it: cycles {', '.join(map(str, done.rebuilt))}"
    if done.recorded:
        yield f"{would}kept as another compressor wrote it: cycles {', '.join(map(str, done.recorded))}"
    if done.cleaned:
        yield f"removed since the cycle, and not restored in: {', '.join(done.cleaned)}"
    yield from (f"  {path}" for path in done.paths)
    if done.sha:
        yield f"git revert {done.sha[:7]} reverses this undo; otherwise the next sleep makes a new cycle of it"


def _show(report: Report, *, json: bool, dry: bool = False) -> int:
    """Print a report and return the exit code."""
    if json:
        facts(_facts(report))
    else:
        _print(report, dry=dry)
    return int("fail" in {finding.level for finding in report.findings})


def _facts(report: Report) -> dict[str, object]:
    steps = [
        {
            "cycle": step.cycle,
            "step": step.decided.step,
            "commit": step.sha,
            "subject": step.plan.subject,
            "tokens_before": step.decided.before,
            "tokens_after": step.decided.after,
            "ratio_wanted": step.decided.ratio,
            "why_short": step.decided.short,
            "compressor": step.decided.compressor,
            "paths": sorted(step.decided.writes),
        }
        for step in report.steps
    ]
    settled = report.settled
    return {
        "settled": {"debt": settled.debt, "sessions": list(settled.sessions)} if settled else None,
        "steps": steps,
        "skipped": dict(report.skipped),
        "recovered": report.recovered,
        "notes": list(report.notes),
        "lost": [finding.facts for finding in report.findings],
        "diff": report.diff,
    }


def _print(report: Report, *, dry: bool) -> None:
    if report.recovered:
        say(f"finished the step that was interrupted: {report.recovered}")
    if rows := [_row(step) for step in report.steps]:
        say(table(["cycle", "would do" if dry else "commit", "step", "before", "after", "ratio"], rows))
    lines = _above_ratio(report)
    lines += [" ".join(pair) for pair in report.skipped]
    lines += report.notes
    if report.settled:
        lines.append(_settlement(report, report.settled, "would settle" if dry else "settled"))
    elif not rows:
        lines.append("nothing to sleep on")
    lines += [f"{finding.level:5} {finding.line}" for finding in report.findings]
    if dry:
        lines += filter(None, [report.diff and f"\n{report.diff}", "dry run: nothing was written"])
    for line in lines:
        say(line)


def _above_ratio(report: Report) -> list[str]:
    """Return why steps missed their ratio; of many steps how many, for each commit says why."""
    short = [step for step in report.steps if step.decided.short]
    missed = [step for step in short if step.decided.before]
    lines = [
        f"{step.decided.step}: {step.decided.short}" for step in short if len(missed) <= _FEW or step not in missed
    ]
    if len(missed) > _FEW:
        moved = sum(1 for step in report.steps if step.decided.before)
        lines.append(f"{len(missed)} of {moved} steps kept more than their ratio asks; each commit says why (git show)")
    return lines


def _settlement(report: Report, settled: Settlement, verb: str) -> str:
    idle = "" if any(step.cycle for step in report.steps) else f"{debt_settlement.NOTHING}; "
    return f"{idle}{verb} {debt_settlement.sentence(settled)}"


def _row(step: TakenStep) -> list[str]:
    decided = step.decided
    before = str(decided.before or "")
    after = str(decided.after or "") if before else ""
    ratio = f"{decided.before / decided.after:.1f}:1" if before and after else ""
    return [str(step.cycle or ""), step.sha[:7], step.plan.subject, before, after, ratio]


def _captured(where: Place, instance: int | None, laid: dict[str, str | None] | None) -> list[str]:
    """Journal what the sessions hold whose instances are about to be sealed, or only lay it, and say so."""
    if not where.settings.journal_auto or not sessions.any_known(contexts.of(where.root)):
        return []
    from sleep.journal.capture import session_journal  # late: 60 ms, and only where hooks have seen a session  # noqa: PLC0415

    done = session_journal.capture_before_sleep(where, now(), instance, laid=laid)
    return [_capture_line(capture, dry=laid is not None) for capture in done]


def _capture_line(capture: Capture, *, dry: bool) -> str:
    if not capture.path:
        return f"{capture.session}: {capture.why}"
    entries = several(len(capture.addresses), "entry")
    where = f"{capture.path}{', which it would open' if capture.opened else ''}"
    return (
        f"would first capture {capture.session}: {entries} into {where}"
        if dry
        else f"{capture.path}: {entries} from the transcript"
    )


TASKS = (sleep, resume, undo)
