"""`memory/fates/0012-i7qxk.md`: what each step of a cycle did with what it took in hand, and why. Pure.

Owns the form of the page, one for each cycle, so that no two branches write the same. It holds addresses, places and
reasons. Refuses words: what is forgotten in a journal has not to be looked for here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.records import address as addressing
from sleep.records.fragment import flat
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.records.address import Address, InstanceId

FOLDER = "memory/fates/"
JOURNAL = "journal"  # the journal that the cycle slept on, as a place
BETWEEN = "between entries"
_HEADINGS = "| fate | kind | what | from | to | why |\n| --- | --- | --- | --- | --- | --- |\n"
_COLUMNS = 6
# Each step has its heading from the first on, so that a step's lines stand between lines that no other step touches: a
# person can revert any one of them.
STEPS = ("hot to warm", "warm to cold", "journal to hot")
_NOTHING = "-"
_PATH = re.compile(r"memory/fates/([0-9]{4,15})-(i[0-9]+[a-z]{3})\.md")
_WHAT = re.compile(r"(i[0-9]+[a-z]{3})\.([0-9]+)(?:-([0-9]+))?((?:\+i[0-9]+[a-z]{3}\.[0-9]+)*)(?:#([0-9]+))?")
_RUN = re.compile(r"([0-9]+)-([0-9]+) ([a-z]+)(?:, (.*))?")
# What of a file's name would end a cell, and what would be read as the sign for that.
_UNSAFE = re.compile(r"[|\r\n]| \Z|%(?=7C|0[AD]|25|20\Z)")
_ESCAPED = re.compile(r"%(7C|0[AD]|25|20\Z)")
_SIZES = re.compile(r"Tokens after it: hot ([0-9]+), warm ([0-9]+), cold ([0-9]+)\.")
_BY, _OF, _OBSERVED = "By ", "Of ", "Only what its commit shows: "


class Row(NamedTuple):
    """What became of a fragment, or of an entry that is only referred to (without a kind).

    `addresses` are its own and those that it gained; the first is its identity. `piece` counts, from 1, the fragments
    of that identity in the place that it came from, or in the one that it arrived in. `source` is "" for what arrived,
    `target` where nothing is left of it by itself.
    """

    fate: str
    kind: str
    addresses: tuple[Address, ...]
    source: str = ""
    target: str = ""
    why: str = ""
    piece: int = 1

    @property
    def identity(self) -> Address:
        """The address of the entry that it is of."""
        return self.addresses[0]


class Run(NamedTuple):
    """A run of the journal's characters and what became of it; `of` is an address, or `BETWEEN` entries."""

    of: str
    start: int
    end: int
    fate: str
    why: str = ""


class Section(NamedTuple):
    """What one step did.

    Of a journal to hot, `runs` are those parts of the journal whose fate the rows do not tell, and `size` its
    characters. `observed` says why the reasons are not the step's own but read off its commit; "" where they are.
    """

    step: str
    compressor: str = ""
    rows: tuple[Row, ...] = ()
    runs: tuple[Run, ...] = ()
    size: int = 0
    observed: str = ""


class Page(NamedTuple):
    """A page: its sections by step, and the tokens of hot, warm and cold memory after the cycle (none: not known)."""

    sections: tuple[Section, ...] = ()
    sizes: tuple[int, ...] = ()

    def of(self, step: str) -> Section | None:
        """Return what a step did, None where the page does not tell."""
        return next((item for item in self.sections if item.step == step), None)


def path(number: int, instance: InstanceId | str) -> str:
    """Return the path of a cycle's page."""
    return f"{FOLDER}{number:04d}-{instance}.md"


def last_ordinal(text: str, instance: InstanceId | str) -> int:
    """Return the number of the last entry of an instance that a page names, 0 for none."""
    named = re.finditer(rf"{instance}\.([0-9]{{1,9}})(?:-([0-9]{{1,9}}))?", text)
    return max((int(match[2] or match[1]) for match in named), default=0)


def key_of(name: str) -> tuple[int, str] | None:
    """Return the cycle's number and instance that a page's path names, None for another file."""
    match = _PATH.fullmatch(name)
    return (int(match[1]), match[2]) if match else None


def render(number: int, instance: InstanceId | str, page: Page) -> str:
    """Return the text of a page."""
    head = (
        f"# Fates of cycle {number}, instance {instance}\n\n"
        f"What each step did with what it took in hand, and why. `sleepwake memory.diff --cycle {number}` shows the "
        "words.\n"
    )
    sections = [_section(page.of(step) or Section(step)) for step in STEPS]
    sizes = "Tokens after it: hot {}, warm {}, cold {}.".format(*page.sizes) if page.sizes else _NOTHING
    return "".join([head, *sections, f"\n## handoff\n\n{sizes}\n"])


@lru_cache(maxsize=4)  # each step of a cycle writes the sections of those before it again
def _section(item: Section) -> str:
    facts = [
        f"{_BY}{item.compressor}." if item.compressor else "",
        f"{_OF}{item.size} characters." if item.size else "",
    ]
    lines = [f"\n## {item.step}\n", f"{' '.join(filter(None, facts))}\n" if any(facts) else ""]
    lines += [f"{_OBSERVED}{flat(item.observed)}\n"] if item.observed else []
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in _table(item.rows))
    lines += [_HEADINGS + table] if table else []
    runs: dict[str, list[Run]] = {}
    for run in item.runs:
        runs.setdefault(run.of, []).append(run)
    lines += ["".join(f"- {of}: {'; '.join(map(_run, own))}\n" for of, own in runs.items())] if runs else []
    lines = [line for line in lines if line]
    return "\n".join(lines if len(lines) > 1 else [*lines, f"{_NOTHING}\n"])


def _run(item: Run) -> str:
    why = flat(item.why).replace("; ", ", ")
    return f"{item.start}-{item.end} {item.fate}{f', {why}' if why else ''}"


def _table(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of the table: what has the same fate for the same reason on one line."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        key = (row.fate, row.kind, _place(row.source), _place(row.target), flat(row.why).replace("|", "/"))
        groups.setdefault(key, []).append(row)
    for (fate, kind, source, target, why), own in groups.items():
        yield fate, kind, " ".join(_named(own)), source, target, why


def _named(rows: Iterable[Row]) -> list[str]:
    """Return the fragments as they are written: addresses that follow on one another as a range."""
    ranges: list[list[Row]] = []
    follower = None  # the address that goes on with the last range
    for row in sorted(rows, key=lambda item: (item.identity, item.piece)):
        is_plain = len(row.addresses) == 1 and row.piece == 1
        if is_plain and row.identity == follower:
            ranges[-1].append(row)
        else:
            ranges.append([row])
        follower = row.identity._replace(ordinal=row.identity.ordinal + 1) if is_plain else None
    return [_range(own) for own in ranges]


def _range(rows: Sequence[Row]) -> str:
    first = rows[0]
    if len(rows) > 1:
        return f"{first.identity}-{rows[-1].identity.ordinal}"
    more = "".join(f"+{item}" for item in first.addresses[1:])
    return f"{first.identity}{more}{f'#{first.piece}' if first.piece > 1 else ''}"


def _place(name: str) -> str:
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", name.removeprefix(paths.MEMORY).removesuffix(".md"))


@lru_cache(maxsize=8)
def read(text: str | None) -> Page:
    """Return what a page says; lines of another form are passed over."""
    sections = []
    sizes: tuple[int, ...] = ()
    for part in (text or "").split("\n## ")[1:]:
        step, _, body = part.partition("\n")
        if match := _SIZES.search(body):
            sizes = tuple(map(int, match.groups()))
        elif body.strip() != _NOTHING:
            sections.append(_read_section(step.strip(), body))
    return Page(tuple(sections), sizes)


@lru_cache(maxsize=4)  # and reads them
def _read_section(step: str, body: str) -> Section:
    rows: list[Row] = []
    runs: list[Run] = []
    section = Section(step)
    for line in body.split("\n"):
        if line.startswith("| ") and not line.startswith(("| fate |", "| --- |")):
            rows += _read_row(line)
        elif line.startswith("- "):
            runs += _read_runs(line)
        elif line.startswith(_OBSERVED):
            section = section._replace(observed=line.removeprefix(_OBSERVED))
        elif match := re.fullmatch(r"(?:By (\S+)\. ?)?(?:Of ([0-9]+) characters\.)?", line.strip()):
            by, size = match.groups()
            section = section._replace(compressor=by or section.compressor, size=int(size or section.size))
    return section._replace(rows=tuple(rows), runs=tuple(runs))


def _read_row(line: str) -> Iterator[Row]:
    cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
    if len(cells) != _COLUMNS:
        return
    fate, kind, what, source, target, why = cells
    for word in what.split():
        match = _WHAT.fullmatch(word)
        instance = addressing.parse_instance(match[1]) if match else None
        if not match or instance is None:
            continue
        first = int(match[2])
        for ordinal in range(first, min(int(match[3] or first), first + addressing.LAST_ORDINAL) + 1):
            own = (instance.entry(ordinal), *addressing.addresses(match[4]))
            yield Row(fate, kind, own, _path(source), _path(target), why, int(match[5] or 1))


def _path(place: str) -> str:
    name = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), place)
    return place if place in ("", JOURNAL) else f"{paths.MEMORY}{name}.md"


def _read_runs(line: str) -> Iterator[Run]:
    of, _, rest = line.removeprefix("- ").partition(": ")
    for item in rest.split("; "):
        if match := _RUN.fullmatch(item):
            yield Run(of, int(match[1]), int(match[2]), match[3], match[4] or "")
