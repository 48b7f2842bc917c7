"""The sections that only a sub-agent is told: what the project is, what binds whoever works on it, what lies where.

Owns their words, how many lines of a list a briefing has, and which records it tells. Refuses the words of soul, user
and memory: of the soul only the fields above the page are used, and only where nobody said in `main.md` what the
project is for.
"""

from __future__ import annotations

import os
from functools import partial

from sleep.documents import front_matter, paths
from sleep.plurals import several
from sleep.records import kinds
from sleep.wake.snapshot import page_files, page_outline, pages, prose, record_sections
from sleep.wake.snapshot.parts import Item, Part, fitting, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.records.fragment import Fragment
    from sleep.store.context import Context
    from sleep.wake.snapshot.held_records import Standing

# So many lines of each list before the others are only named: a briefing is some 25 lines beside pinned pages.
TASKS, KNOWLEDGE, CORE = 5, 10, 5
RECORDS = 2_000  # bytes of the section of records
_RULES = 1_300  # of them, for rules before all else; what either side leaves is the other's
_LINE = 200  # characters of a record
_LAST = 140  # bytes for the line that counts what is left out
# Of this order where no prompt says what matters.
_KINDS = [kind.name for kind in sorted(kinds.RECORDS, key=lambda kind: kind.briefing_rank) if kind.briefing_rank]
_READ = 4_000  # characters of a prompt
_SHORT = 3  # letters of a word that tells something
_PURPOSE = 600
_SAYS = """\
What this project has learned is written down here. A page that fits the question answers it sooner than a search
through the code, and holds what the code does not say: decisions, their reasons, research."""
_ASKS = (
    '`sleepwake recall "QUESTION"` searches all of it, journals too; `sleepwake decision.list` shows what was decided.'
)
_PLACES = (
    ("core", "who the agent is (0), the user (1), memory (2), and more by number"),
    ("core/features", "what the product does, a page a feature"),
    ("knowledge", "research, a page a topic"),
    ("state", "tasks, a page each, with their log"),
    ("hot", "threads, decisions and context of the last instances"),
)


def project(context: Context) -> Part | None:
    """Return what the project is for: of `main.md`, else of the soul, else of its files."""
    name, says, where = "", _purpose(context), paths.MAIN
    if not says:
        soul = page_files.text(context, context.folder, "core", pages.CORE["Soul"][0])
        fields = front_matter.words(soul, pages.NAMING)
        name, says = pages.first(fields, "name", "title"), pages.first(fields, "description", "summary")
    if not (name or says):
        says, where = _derived(context)
    line = ": ".join(filter(None, (f"**{name}**" if name else "", prose.cut(says, _PURPOSE))))
    if not line:
        return None
    return Part("Project", "## Project", [Item(line, "Project")], count=prose.cut(line, pages.WHY), where=where)


def _derived(context: Context) -> tuple[str, str]:
    """Return what the project's own files say that it is for, marked as derived, and the file; "" for nothing."""
    from sleep.documents.project import project_files  # late: seldom does nobody say it  # noqa: PLC0415
    from sleep.redaction import untrusted  # noqa: PLC0415  # same

    purpose = project_files.derive(partial(page_files.text, context))
    if not purpose.text or untrusted.is_instruction(purpose.text):
        return "", paths.MAIN
    return f"{prose.printable(purpose.text)} (derived from {purpose.source})", purpose.source


def is_empty(parts: Sequence[Part]) -> bool:
    """Return whether a briefing would tell where things lie, and perhaps what a README says: no more to look up."""
    others = [part for part in parts if part.name != "Context Directory"]
    return all(part.name == "Project" and part.where != paths.MAIN for part in others)


def records(held: Standing, prompt: str) -> Part | None:
    """Return the rules, and the records about a prompt; where there is none, what was decided and what failed last."""
    rules = [record_sections.line(record, _LINE, "Rule: ") for record in _rules_for(held, prompt)]
    others = [record_sections.line(record, _LINE, _label(record)) for record in _about(held, prompt)]
    if not rules and not others:
        return None
    heading = "## Rules and Records"
    room = RECORDS - size(heading) - _LAST
    first = fitting(rules, min(room, _RULES) if others else room)
    then = fitting(others, room - _cost(first))
    first += fitting(rules[len(first) :], room - _cost(first) - _cost(then))
    hidden = ((len(rules) - len(first), "rule", "constraint"), (len(others) - len(then), "record", "decision"))
    left = [f"{several(number, f'more {name}')} (`sleepwake {kind}.list`)" for number, name, kind in hidden if number]
    shown = [*first, *then, *([Item(f"- Not shown: {', '.join(left)}", "the rest")] if left else [])]
    count = f"{several(len(rules), 'rule')}, {several(len(others), 'record')}"
    count += ": `sleepwake constraint.list`, `sleepwake decision.list`"
    return Part("Rules and Records", heading, shown, count=count, where="`sleepwake decision.list`")


def _label(record: Fragment) -> str:
    """Return what begins a record's line: `Decision: `, or `Decision, noticed: `."""
    return f"{kinds.stated(record.kind).capitalize()}{', noticed' if record.is_noticed else ''}: "


def _cost(items: Sequence[Item]) -> int:
    return sum(size(item.full) + 1 for item in items)


def _about(held: Standing, prompt: str) -> list[Fragment]:
    """Return records that share words with a prompt, those with the most and rarest words first."""
    records = [record for kind in _KINDS for record in held.records(kind)]
    if not prompt.strip():
        return records
    records += held.records(*map(kinds.noticed, _KINDS))
    rank = _ranks(records, prompt)
    order = sorted(range(len(records)), key=lambda index: -rank[index])  # stable
    return [records[index] for index in order if rank[index]]


def _rules_for(held: Standing, prompt: str) -> list[Fragment]:
    """Return all rules, those about a prompt first."""
    rules = held.records("constraint")
    if not prompt.strip():
        return rules
    rank = _ranks(rules, prompt)
    return [rules[index] for index in sorted(range(len(rules)), key=lambda index: -rank[index])]  # stable


def _ranks(records: Sequence[Fragment], prompt: str) -> list[float]:
    """Return how much of a prompt each record says: its words, each worth more the fewer records have it."""
    from sleep.language import words  # late: few clients say what a sub-agent is for  # noqa: PLC0415

    asked = set(words.terms(prompt[:_READ]))
    says = [
        asked & set(words.terms(" ".join((record.text, *(value for _, value in record.fields))))) for record in records
    ]
    worth = {
        term: 1 / sum(term in terms for terms in says)
        for terms in says
        for term in terms
        if len(term) >= _SHORT or not term.isascii()
    }
    return [sum(worth.get(term, 0.0) for term in sorted(terms)) for terms in says]


def _purpose(context: Context) -> str:
    """Return what stands between the title of `main.md` and its first section."""
    if not context.is_own:
        return ""
    main = page_files.text(context, paths.MAIN)
    words = page_outline.opening(page_outline.without_comments(main[front_matter.span(main)[2] :]))
    return "" if page_outline.is_empty(words) else prose.flat(prose.printable(words))


def directory(context: Context) -> Part:
    """Return what lies where, and that it answers sooner than a search."""
    where = pages.display_path(context)
    there = [
        f"- `{where}/{name}/`: {says}" for name, says in _PLACES if os.path.isdir(os.path.join(context.folder, name))
    ]
    asks = [_ASKS] if os.path.exists(context.settings) else []  # else these commands have no memory to work on
    text = "\n".join([_SAYS, *asks, "", *there])
    head = "## Context Directory"
    return Part("Context Directory", head, [Item(text, where)], count=f"`{where}/`", where=f"{where}/")
