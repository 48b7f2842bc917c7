"""`wake.check` and `wake.page`: what of a wake can be trusted, and the page that is told first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sleep.errors import UsageError
from sleep.memory import memo_file
from sleep.plurals import several
from sleep.tasks.arguments import here, now, number, prose
from sleep.tasks.output import facts, say
from sleep.tasks.task import task
from sleep.wake import checks, page_writer
from sleep.wake.page import PATH

if TYPE_CHECKING:
    from sleep.memory.place import Place
    from sleep.wake.page_writer import WrittenPage


@task("wake.check")
def check(json: bool = False, root: str = "") -> int:
    """Check that the next instance can trust what it reads; exits with 1 if something fails.

    Example: sleepwake wake.check
    """
    where = here(root)
    with memo_file.keep(where.root, "wake.check"):
        findings = checks.examine(where, now())
    failed = any(finding.level == "fail" for finding in findings)
    if json:
        facts({"ok": not failed, "findings": [finding.facts for finding in findings]})
        return int(failed)
    for name in checks.EXAMINED:
        mine = [finding for finding in findings if finding.check == name and finding.level != "note"]
        say(f"{'ok  ' if not mine else mine[0].level}  {name}")
        for finding in mine:
            say(f"      {finding.line}")
    return int(failed)


@task(
    "wake.page",
    help={
        "budget": f"tokens of the page, {page_writer.LEAST} to {page_writer.MOST}",
        "material": "tokens of what its writer is given to read",
        "write": "the page: a file, or - for standard input",
        "dry_run": "judge the page and write nothing",
    },
)
def page(
    budget: str = str(page_writer.BUDGET),
    material: str = "20000",
    write: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> int:
    """Give a reader of this memory the material of a page for the next instance, and take the page line by line.

    `wake` tells the lines of memory/page.md first. A line that the entries do not hold is refused, with why;
    exits with 1 if one was.

    Example: sleepwake wake.page --budget 2000; sleepwake wake.page --write page.md
    """
    where, size = here(root), number(budget, "budget") or page_writer.BUDGET
    if not write:
        text = page_writer.material(where, size, number(material, "material") or 0)
        if json:
            facts({"budget": size, "material": text})
        else:
            say(text)
        return 0
    written = _written(where, _page_text(write), size, dry_run=dry_run)
    judged = written.judgement
    lines = [line for line in judged.lines if not line.is_heading]
    if json:
        facts(_page_facts(written) | {"written": bool(lines) and not dry_run})
        return int(bool(judged.refused))
    did = "would be written" if dry_run else "written"
    if lines:
        say(f"{written.path}: {did}, {several(len(lines), 'line')}, {written.tokens} of {written.budget} tokens")
    else:
        say(f"{written.path}: nothing is written, for no line was taken")
    for refusal in judged.refused:
        say(f"refused: {refusal.text.strip()}\n    {refusal.why}")
    if judged.missing:
        counts = Counter(record.kind for record in judged.missing)
        kinds = ", ".join(f"{kind} {count}" for kind, count in counts.items())
        say(f"records that no line tells: {kinds} (wake tells them below the page; --json lists them)")
    return int(bool(judged.refused))


def _written(where: Place, text: str, budget: int, *, dry_run: bool) -> WrittenPage:
    """Write a page; what somebody else left in its place, and no commit holds yet, is committed first."""
    if not dry_run and not page_writer.is_own(where):
        from sleep.cycle import adoption  # late: `wake.check` needs no step  # noqa: PLC0415

        adoption.adopt_file(where, PATH, "wake.page")
    return page_writer.write(where, text, budget, dry_run=dry_run)


def _page_facts(written: WrittenPage) -> dict[str, Any]:
    judged = written.judgement
    lines = [line for line in judged.lines if not line.is_heading]
    return {
        "path": written.path,
        "tokens": written.tokens,
        "budget": written.budget,
        "lines": [{"text": line.text, "addresses": list(map(str, line.addresses))} for line in lines],
        "refused": judged.refused,
        "missing": [{"kind": each.kind, "text": each.text, "handle": each.handle} for each in judged.missing],
    }


def _page_text(source: str) -> str:
    if source == "-":
        return prose(source)
    try:
        with open(source, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{source}: {getattr(error, 'strerror', None) or 'not UTF-8'} (give a page of Markdown)"
        ) from None


TASKS = (check, page)
