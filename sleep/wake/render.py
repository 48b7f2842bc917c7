"""How a wake is written: pages by whole sections, fragments by document and topic, and the ledger.

Owns the text of each phase, in two forms: the full one, as the documents stand, and the brief one for small budgets,
with headings and lists only. Refuses to choose fragments: that is `selection`'s. Nothing is cut inside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import entries, main_page, paths, tier
from sleep.documents.markdown import blocks
from sleep.documents.markdown import lines as reading
from sleep.documents.project import brief_parts
from sleep.language import tokens
from sleep.plurals import several
from sleep.records import revisit
from sleep.records.fragment import QUOTATION, SOURCE, TRANSCRIPT, render
from sleep.records.kinds import KINDS, RECORDS
from sleep.tuples import NamedTuple
from sleep.wake.journal_lines import line_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sleep.memory.view import View
    from sleep.records.fragment import Fragment
    from sleep.records.kind_table import Kind
    from sleep.wake.candidates import Candidate

_KINDS = tuple(KINDS)
_DAY = re.compile(r" \((\d{1,2} [A-Z][a-z]{2}(?: \d{4})?)\)$")  # takes `Call the bank (3 Mar)`
_LISTED = re.compile(r"  - .*\[i\d+[a-z]{3}\.\d+\]\s*$")  # takes `  - T-003 Review it [i20hva.12]`
_STATE = "Where things stand"
_SUBJECT = re.compile(
    r"(- [^*\n]{10,70}?)(?: — |: )(?=[^\n]+\n\Z)"
)  # takes `- Mail import` of `- Mail import: it waits`
_BELOW = "  - "  # what is said of the subject of the line above
_SHORT, _LONG = 60, 160  # characters of what is said with others on one line, and of that line
# The fields of the handoff in brief: what is next before what was.
_OPENING = ("next_priority", "open_risk", "session_summary", "emotional_register", "for_my_successor")
_LEAST = 15  # tokens of a field of the handoff whose beginning still says something
_FEW = 4  # tokens in which no handle has room
_WORTH_CUTTING = 60  # tokens in which the beginning of a paragraph says something
_SINGLE = 2  # lines of a journal, up to which it shares the heading of its month


class Phase(NamedTuple):
    """One phase: its text, what it may cost and costs, and what was left out with the command that shows it."""

    name: str
    text: str
    budget: int
    cost: int
    left_out: str = ""
    command: str = ""


class Wake(NamedTuple):
    """What is read: the text, its phases, the budget, and the journal that was opened ("" when only looked at)."""

    text: str
    phases: tuple[Phase, ...]
    budget: int
    instance: str = ""
    path: str = ""

    @property
    def cost(self) -> int:
        """The tokens of the whole text."""
        return tokens.count(self.text)


def within(phases: Iterable[Phase], total: int) -> tuple[Phase, ...]:
    """Return the phases, none of which may cost more than the whole."""
    return tuple(phase._replace(budget=min(phase.budget, total)) for phase in phases)


def write_fragment(fragment: Fragment, *, brief: bool) -> str:
    """Return a fragment's lines, with who said it; in brief prose stands without its address, a record keeps it."""
    written = render(with_source(fragment, brief=brief))
    if brief and not fragment.is_record:
        first, newline, rest = written.partition("\n")
        return first[: first.rindex(" [")] + newline + rest
    return written


def with_source(fragment: Fragment, *, brief: bool = False) -> Fragment:
    """Return a fragment without decoration that says in brackets who said it, instead of in a field."""
    fragment = fragment._replace(text=line_text.unlabelled(line_text.plain(fragment.text)) or fragment.text)
    source = fragment.field(SOURCE)
    if source.startswith(entries.IMPORTED):
        source = "imported" if brief else entries.IMPORTED + source.rpartition("/")[2].removeprefix(entries.IMPORTED)
    if fragment.is_noticed:  # where it was said, `review` tells
        fragment = fragment.with_field(TRANSCRIPT, "").with_field(QUOTATION, "" if brief else fragment.field(QUOTATION))
    return fragment.with_field(SOURCE, "")._replace(text=f"{fragment.text} ({source})") if source else fragment


def opening(text: str, budget: int) -> Phase:
    """Return what the project is for, and the handoff: what is next before what was, as far as it goes."""
    fields = main_page.handoff(text)
    purpose = main_page.purpose(text)
    shown = "" if main_page.is_placeholder(purpose) else f"{tokens.clip(purpose, max(1, budget // 3))}\n"
    lead = shown if shown.strip() else ""
    shown = ""
    for name in _OPENING:
        if name not in fields:
            continue
        row = f"- {name}: {fields[name]}\n"
        left = budget - tokens.count(f"{lead}## {main_page.HANDOFF}\n{shown}")
        if tokens.count(row) > left:  # its beginning is worth more than a field that matters less
            shown += f"{tokens.clip(row.rstrip(), left - 1)}\n" if left > _LEAST else ""
            break
        shown += row
    shown = lead + (f"## {main_page.HANDOFF}\n{shown}" if shown else "")
    return Phase("orient", shown, budget, tokens.count(shown), "the rest", f"cat {paths.MAIN}")


def main(text: str, budget: int) -> Phase:
    """Return the main page, without placeholder and without the lists of records in its state: these are told below."""
    purpose = main_page.purpose(text)
    if main_page.is_placeholder(purpose):  # a question to a person is nobody's purpose
        text = text.replace(f"{purpose}\n\n", "", 1)
    rows = text.splitlines(keepends=True)
    shown = "".join(row for row in rows if not (_LISTED.match(row) or row.startswith(revisit.WAITS)))
    return sections("orient", shown, budget, paths.MAIN, (main_page.HANDOFF, main_page.STATE))


def sections(name: str, text: str, budget: int, path: str, keep: Sequence[str] = ()) -> Phase:
    """Return the page, or as many of its top-level blocks as fit, headings with what they head; `keep` first."""
    text = text.strip("\n").replace(f"{main_page.OURS}\n\n", "") + "\n"
    if tokens.count(text) <= budget:
        return Phase(name, text, budget, tokens.count(text))
    groups = _groups(text)
    order = sorted(range(len(groups)), key=lambda index: (groups[index][0] not in keep, index))
    parts: dict[int, str] = {}
    spent = 0
    for index in order:
        price = tokens.count(groups[index][1]) + 1
        if spent + price <= budget:
            parts[index] = groups[index][1]
            spent += price
    absent = [index for index in order if index not in parts]
    for index in absent:
        if beginning := _beginning(groups[index][1], budget - spent - 1):
            parts[index] = beginning
            spent += tokens.count(beginning) + 1
    shown = "\n".join(parts[index] for index in sorted(parts))
    titles = [f"{'the rest of ' if index in parts else ''}{groups[index][0]}" for index in absent if groups[index][0]]
    what = several(len(absent), "section")
    what += f": {tokens.clip(', '.join(titles), 30)}" if titles else ""
    return Phase(name, shown, budget, tokens.count(shown), what, f"cat {path}")


def _groups(text: str) -> list[tuple[str, str]]:
    """Return the headings of a page, "" for none at its start, each with the text from it to the next one."""
    groups: list[tuple[str, str]] = []
    for block in blocks.parse(text):
        piece = text[block.start : block.end]
        title = block.words(text).strip() if block.kind == "heading" else ""
        if title or not groups:
            groups.append((title, piece))
        else:
            groups[-1] = (groups[-1][0], f"{groups[-1][1]}\n{piece}")
    return groups


def _beginning(section: str, budget: int) -> str:
    """Return a section's first blocks, as many as fit, or the beginning of its first paragraph; "" without room."""
    pieces = blocks.parse(section)
    whole = [block for block in pieces if tokens.count(section[: block.end]) <= budget]
    if any(block.kind != "heading" for block in whole):
        return section[: whole[-1].end]
    first = next((block.kind for block in pieces if block.kind != "heading"), "")
    return tokens.clip(section, budget) if first == "paragraph" and budget >= _WORTH_CUTTING else ""


def fragments(view: View, placed: Sequence[Candidate], chosen: Collection[int], *, brief: bool) -> str:
    """Return the chosen fragments, grouped by document and kind or topic, in the order in which they stand there."""
    documents: dict[str, list[Candidate]] = {}
    for index, candidate in enumerate(placed):
        if index in chosen:
            documents.setdefault(candidate.path, []).append(candidate)
    return ("" if brief else "\n").join(
        _brief(path, own) if brief else _full(view, path, own) for path, own in documents.items()
    )


def excerpts(placed: Sequence[Candidate], chosen: Collection[int], *, brief: bool) -> str:
    """Return the chosen lines of journals, the newest first, below their days.

    The title of a page stands beside its day, where no other page's lines stand below it; a title alone is left out.
    """
    journals: dict[str, list[Candidate]] = {}
    for index in sorted(chosen):
        journals.setdefault(placed[index].path, []).append(placed[index])
    pages = [path for path, own in journals.items() if any(each.kind or not each.title for each in own)]
    order = sorted(pages, key=lambda path: (-(paths.journal_number(path) or 0), path))
    title = "" if brief or not order else "# From the journals\n\n"
    gap = "" if brief else "\n"
    groups = _by_day([journals[path] for path in order])
    return title + gap.join(_below_day(group, gap) for group in groups)


def _below_day(group: Sequence[Sequence[Candidate]], gap: str) -> str:
    """Return the lines of journals below one heading."""
    lines = [candidate for own in group for candidate in own]
    heading = next((candidate for candidate in lines if candidate.title), None) if len(group) == 1 else None
    texts = [candidate.text for candidate in lines if candidate is not heading]
    text = "".join(texts if gap else nest(texts))
    return f"{_heading(group, heading.title if heading else '')}{gap}{text}"


def _by_day(journals: Sequence[Sequence[Candidate]]) -> list[list[Sequence[Candidate]]]:
    """Return the lines of journals, those together that stand below one heading: of one day, or few of one month."""
    groups: list[list[Sequence[Candidate]]] = []
    for own in journals:
        before = groups[-1] if groups else []
        is_one_day = bool(before) and bool(_when(own)) and all(_when(other) == _when(own) for other in before)
        is_one_month = all(len(other) <= _SINGLE and _month(other) == _month(own) for other in (*before, own))
        if before and (is_one_day or is_one_month):
            before.append(own)
        else:
            groups.append([own])
    return groups


def _when(own: Sequence[Candidate]) -> str:
    return own[0].fragment.when


def _month(own: Sequence[Candidate]) -> str:
    return _when(own).partition(" ")[2]


def _heading(group: Sequence[Sequence[Candidate]], title: str) -> str:
    """Return the heading above lines of journals: their day or month, the instances, and a title ("" for none)."""
    numbers = [paths.journal_number(own[0].path) for own in group]
    named = f"instance {numbers[0]}" if len(group) == 1 else f"instances {numbers[-1]} to {numbers[0]}"
    if len(group) > 1 and numbers[-1] == numbers[0]:  # of two clones
        named = f"instances {' and '.join(str(own[0].fragment.identity.instance) for own in group)}"
    days = {_when(own) for own in group}
    when = days.pop() if len(days) == 1 else _month(group[0])
    head = f"{when}, {named}" if when else named.capitalize()
    return f"## {head}: {title}\n" if title else f"## {head}\n"


def task(placed: Sequence[Candidate], chosen: Sequence[int]) -> str:
    """Return what is about the task, the best first; behind a line of a journal stands where it is from."""
    lines = []
    for index in chosen:
        candidate = placed[index]
        where = ", ".join(filter(None, (candidate.fragment.when, candidate.path)))
        lines.append(candidate.text if candidate.phase != "journals" else f"{candidate.text.rstrip()} ({where})\n")
    return f"# About the task\n\n{''.join(lines)}" if lines else ""


def _full(view: View, path: str, own: Sequence[Candidate]) -> str:
    title = paths.TITLES.get(path) or reading.page_title(view.read(path) or "") or paths.topic_of(path)
    title += " (cold)" if paths.tier_of(path) == "cold" else ""
    fragments = (
        _below_its_day(candidate.fragment)
        for candidate in sorted(own, key=lambda candidate: _table_rank(candidate.fragment.kind))
    )
    return tier.write(f"# {title}\n", add=list(map(with_source, fragments)))


def _below_its_day(fragment: Fragment) -> Fragment:
    """Return a fragment without the day behind its words (`Call the bank (3 Mar)`): the heading above says it."""
    day = _DAY.search(fragment.text)
    parts = zip(day[1].split(), fragment.when.split(), strict=False) if day and fragment.when else ()
    is_own = day is not None and bool(fragment.when) and all(own.startswith(part) for part, own in parts)
    return fragment._replace(text=fragment.text[: day.start()]) if day and is_own else fragment


def _brief(path: str, own: Sequence[Candidate]) -> str:
    return f"## {paths.topic_of(path).replace('-', ' ')}\n{''.join(candidate.text for candidate in own)}"


def parts(placed: Sequence[Candidate], chosen: Collection[int], state: Collection[int]) -> str:
    """Return what was chosen of hot memory, and lines of journals that say the same kinds, by part, in brief.

    `state` are the lines that say how things stand: they come first.
    """
    by_kind: dict[str, list[str]] = {}
    for index in sorted(chosen, key=lambda index: (_reader_rank(placed[index].kind), index)):
        if index not in state:
            by_kind.setdefault(placed[index].kind, []).append(placed[index].text)
    first = [
        placed[index].text
        for index in sorted(state, key=lambda index: (placed[index].kind != brief_parts.STATE, index))
    ]
    heads = {_STATE: first} if first else {}
    heads |= {KINDS[kind].plural: texts for kind, texts in by_kind.items()}
    return "".join(f"## {head}\n{''.join(nest(texts))}" for head, texts in heads.items())


def nest(texts: Sequence[str]) -> list[str]:
    """Return lines, those of the subject of the line above below it, short ones together: it is said once."""
    lines: list[str] = []
    subject, is_short = "", False  # of the line above
    for text in texts:
        own = _SUBJECT.match(text)
        rest = text[own.end() :] if own else ""
        if not (own and own[1] == subject):
            lines.append(text)
            subject, is_short = own[1] if own else "", False
        elif is_short and len(rest) <= _SHORT and len(lines[-1]) <= _LONG:
            lines[-1] = f"{lines[-1].rstrip().removesuffix('.')}; {rest}"
        else:
            lines.append(f"{_BELOW}{rest}")
            is_short = len(rest) <= _SHORT
    return lines


def _reader_rank(kind: str) -> tuple[int, int]:
    """Return where a kind stands in a brief wake: in the reader's order, and what is no part of it behind."""
    return brief_parts.rank(kind), _table_rank(kind)


def _table_rank(kind: str) -> int:
    """Return where a kind stands in the table of kinds, behind all where it is in none."""
    return _KINDS.index(kind) if kind in KINDS else len(_KINDS)


def list_missing(missing: Sequence[Fragment], budget: int, *, brief: bool) -> str:
    """Return what must be shown and was left out: a line a kind with the handles that fit, or in brief one with counts.

    The counts and the commands are there at any budget.
    """
    handles_of = {
        kind: [fragment.handle for fragment in missing if fragment.kind == kind.name and fragment.is_open]
        for kind in RECORDS
    }
    counts = {kind: len(handles) for kind, handles in handles_of.items() if handles}
    if brief:
        return _counted(counts) if counts else ""
    heads = {
        kind: f"{several(count, f'more {kind.name}')} (`sleepwake {kind.command}.list`)"
        for kind, count in counts.items()
    }
    left = budget - sum(tokens.count(head) + 1 for head in heads.values())
    lines = []
    for kind, head in heads.items():
        shown = tokens.clip(", ".join(handles_of[kind]), left // 2) if left // 2 > _FEW else ""
        left -= tokens.count(shown)
        lines.append(f"- {head}: {shown}\n" if shown else f"- {head}\n")
    return "".join(lines)


def _counted(counts: Mapping[Kind, int]) -> str:
    """Return on one line how many records of each kind are not shown, with the command that lists the first kind."""
    named = ", ".join(several(count, kind.name) for kind, count in counts.items())
    likewise = ", likewise the others" if len(counts) > 1 else ""
    return f"- Not shown: {named} (`sleepwake {next(iter(counts)).command}.list`{likewise})\n"


def ledger(parts: Sequence[Phase], size: int, total: int, *, brief: bool) -> str:
    """Return what each phase cost and left out, and what all together cost, `size` tokens; in brief on one line."""
    frame = max(0, size - sum(phase.cost for phase in parts))
    if brief:
        costs = "".join(f"{phase.name} {phase.cost}, " for phase in parts if phase.cost)
        left = "; ".join(f"{phase.left_out} of {phase.name}: `{phase.command}`" for phase in parts if phase.left_out)
        return f"Ledger: {size:>4} of {total} tokens: {costs}ledger {frame:>3}. Left out: {left or 'nothing'}.\n"
    lines = ["## Ledger", "", "| phase | tokens | of | left out | fetch it with |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {phase.name} | {phase.cost} | {phase.budget} | {phase.left_out or '-'} | "
        + (f"`{phase.command}` |" if phase.command else "- |")
        for phase in parts
    ]
    return "\n".join([*lines, f"| title, ledger | {frame:>5} | | | |", f"| all | {size:>5} | {total} | | |"]) + "\n"


def written(phases: Sequence[Phase], total: int, title: str, last: str, *, brief: bool) -> str:
    """Return the whole text, with a ledger whose figures add up to its tokens."""
    shown = f"{title}{joined(phases, brief=brief)}"
    size = tokens.count(shown + ledger(phases, 0, total, brief=brief) + last)  # the figure has a fixed width
    return shown + ledger(phases, size, total, brief=brief) + last


def joined(phases: Sequence[Phase], *, brief: bool) -> str:
    """Return the texts of phases one below the other."""
    gap = "" if brief else "\n"
    return "".join(f"{gap}{phase.text}" for phase in phases if phase.text) + gap
