"""A wake: what the next instance reads, in phases, under a hard budget, with a ledger of what it cost and left out.

Owns the assembly (from any view, so also from a past commit) and opening the journal with the tone check. What must
be shown and does not fit is named in one line with the command that fetches it; nothing is cut inside.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.compression import extractive
from sleep.cycle import journaling, place
from sleep.cycle.view import View
from sleep.errors import DocumentError, UsageError
from sleep.memory import address as addressing
from sleep.memory import journal as journals
from sleep.memory import page, paths, records, tier, topic
from sleep.memory.fragment import render
from sleep.memory.journal import Draft
from sleep.memory.kinds import KINDS, priority
from sleep.store import files
from sleep.store.tree import CommitTree, WorkTree
from sleep.text import blocks, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.cycle.place import Place
    from sleep.memory.fragment import Fragment
    from sleep.settings import Settings

_LEDGER = 420  # tokens set aside for the title and the ledger, at most this share of the budget:
_LEDGER_SHARE = 0.2
_STEP = 10  # tokens that the phases give back at the least when the whole is too long
_TITLE = "# What you knew\n"


class Part(NamedTuple):
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
    parts: tuple[Part, ...]
    budget: int
    instance: str = ""
    path: str = ""

    @property
    def cost(self) -> int:
        """The tokens of the whole text."""
        return tokens.count(self.text)


def wake(
    where: Place, now: str, *, task: str = "", budget: int | None = None, session: str = "", fresh: bool = False
) -> Wake:
    """Open the next instance's journal, or go on with the one that is open, and return what to read."""
    _total(where.settings, budget)  # a call that cannot be answered opens no journal
    with place.jotting(where, "wake"):
        view = View(WorkTree(where.root))
        session = session or settings_.session() or ""
        path = None if fresh else journaling.open_path(view, session=session)
        if path is None:
            path = journaling.start(where, now, session=session).path
            view = View(WorkTree(where.root))
            text, _ = journals.append(view.read(path) or "", tone_check(view, path), view.journal(path).instance)
            files.write(where.root.absolute(path), text)
            view = View(WorkTree(where.root))
    instance = str(view.journal(path).instance)
    last = f"Your journal is {path} ({instance}).\n"
    assembled = assemble(view, where.settings, task=task, budget=budget, last=last)
    return assembled._replace(instance=instance, path=path)


def peek(where: Place, *, task: str = "", budget: int | None = None, at: str = "") -> Wake:
    """Return what would be read, now or at a past commit, and change nothing."""
    tree = CommitTree(where.root, at) if at else WorkTree(where.root)
    return assemble(View(tree), where.settings, task=task, budget=budget)


def tone_check(view: View, path: str) -> Draft:
    """Return the first entry of a journal: the closing tone of the instance before, quoted, to be acknowledged."""
    before = [one for one in view.journals if one != path]
    for earlier in reversed(before):
        try:
            entries = view.journal(earlier).entries
        except DocumentError:
            continue  # `status` and `wake.check` report it
        if not entries:
            continue
        last = records.closing_tone(entries)
        said = (
            f"It closed with: {tokens.clip(records.whole(last), 120)} ({last.address})" if last else "It left no tone."
        )
        return Draft("tone", f"tone check against instance {view.journal(earlier).instance}", said)
    return Draft("tone", "tone check", "There is no earlier instance.")


def assemble(view: View, settings: Settings, *, task: str = "", budget: int | None = None, last: str = "") -> Wake:
    """Return what to read for a task within `budget` tokens, which holds for all of it: the ledger and `last` too.

    Raises UsageError for a budget above the ceiling or too small to say anything.
    """
    total = _total(settings, budget)
    left = total - min(_LEDGER, int(total * _LEDGER_SHARE))
    shares = (settings.wake_main, settings.wake_hot, settings.wake_architecture, settings.wake_warm)
    query = _query(view, task)
    while True:
        scale = left / sum(shares) if sum(shares) > left or budget is not None else 1.0
        main, hot, architecture, warm = (int(share * scale) for share in shares)
        parts = [_orient(view, main)]
        parts.append(_hot(view, hot + main - parts[0].cost))
        parts.append(_architecture(view, settings, architecture))
        parts.append(_warm(view, warm, query, task))
        text = _written(parts, total, last)
        over = tokens.count(text) - total
        if over <= 0 or not left:
            return Wake(text, tuple(parts), total)
        # The ledger came out longer than what was set aside for it: the phases make room.
        left = max(0, left - max(over, _STEP))


def _total(settings: Settings, budget: int | None) -> int:
    """Return the tokens that may be printed; raises UsageError for too few or too many."""
    total = settings.wake_budget if budget is None else budget
    if not 200 <= total <= settings_.CEILING:  # noqa: PLR2004
        raise UsageError(f"a budget of {total} tokens (would be right: 200 to {settings_.CEILING})")
    return total


def _written(parts: Sequence[Part], total: int, last: str) -> str:
    """Return the whole text, with a ledger whose figures add up to its tokens."""
    shown = _TITLE + "".join(f"\n{part.text}" for part in parts if part.text) + "\n"
    size = tokens.count(shown + ledger(parts, 0, total) + last)  # the figure has a fixed width
    return shown + ledger(parts, size, total) + last


def ledger(parts: Sequence[Part], size: int, total: int) -> str:
    """Return the table of what each phase cost and left out, and of what all together cost, `size` tokens."""
    lines = ["## Ledger", "", "| phase | tokens | of | left out | fetch it with |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {one.name} | {one.cost} | {one.budget} | {one.left_out or '-'} | "
        + (f"`{one.command}` |" if one.command else "- |")
        for one in parts
    ]
    frame = max(0, size - sum(one.cost for one in parts))
    return "\n".join([*lines, f"| title, ledger | {frame:>5} | | | |", f"| all | {size:>5} | {total} | | |"]) + "\n"


def _orient(view: View, budget: int) -> Part:
    text = view.read(paths.MAIN) or ""
    if not text.strip():
        return Part("orient", "", budget, 0)
    return _sections("orient", text, budget, paths.MAIN, keep=(page.HANDOFF, page.STATE))


def _architecture(view: View, settings: Settings, budget: int) -> Part:
    candidates = (settings.architecture,) if settings.architecture else paths.ARCHITECTURE
    for path in candidates:
        text = view.read(path)
        if text and text.strip():
            return _sections("architecture", text, budget, path)
    return Part("architecture", "", budget, 0)


def _sections(name: str, text: str, budget: int, path: str, keep: Sequence[str] = ()) -> Part:
    """Return the page, or as many of its top-level blocks as fit, headings with what they head; `keep` first."""
    text = text.strip("\n").replace(f"{page.OURS}\n\n", "") + "\n"
    if tokens.count(text) <= budget:
        return Part(name, text, budget, tokens.count(text))
    found = blocks.parse(text)
    groups: list[tuple[str, str]] = []
    for one in found:
        piece = text[one.start : one.end]
        title = text[one.text_start : one.text_end].strip() if one.kind == "heading" else ""
        if title or not groups:
            groups.append((title, piece))
        else:
            groups[-1] = (groups[-1][0], f"{groups[-1][1]}\n{piece}")
    order = sorted(range(len(groups)), key=lambda index: (groups[index][0] not in keep, index))
    chosen: set[int] = set()
    spent = 0
    for index in order:
        price = tokens.count(groups[index][1]) + 1
        if spent + price <= budget:
            chosen.add(index)
            spent += price
    shown = "\n".join(groups[index][1] for index in sorted(chosen))
    missing = [groups[index][0] for index in range(len(groups)) if index not in chosen and groups[index][0]]
    what = f"{len(groups) - len(chosen)} sections" + (f": {tokens.clip(', '.join(missing), 30)}" if missing else "")
    return Part(name, shown, budget, tokens.count(shown), what, f"cat {path}")


def _hot(view: View, budget: int) -> Part:
    placed = [(path, one) for path in paths.HOT for one in view.tier(path).fragments]
    if not placed:
        return Part("hot", "", budget, 0)
    order = sorted(
        range(len(placed)),
        key=lambda index: (
            not placed[index][1].is_open,
            priority(placed[index][1].kind),
            -max(address.number for address in placed[index][1].addresses),
            index,
        ),
    )
    reserve = 40 + 30 * sum(1 for kind in records.MOVES if any(one.kind == kind for _, one in placed))
    left = budget - min(reserve, budget // 4)
    chosen: set[int] = set()
    headed: set[str] = set()
    for index in order:
        _, one = placed[index]
        price = extractive.cost(one)
        price += 0 if one.kind in headed else tokens.count(f"\n## {KINDS[one.kind].plural}\n\n")
        if price <= left:
            chosen.add(index)
            headed.add(one.kind)
            left -= price
    documents: dict[str, list[Fragment]] = {}
    for index in sorted(chosen):
        documents.setdefault(placed[index][0], []).append(placed[index][1])
    text = "\n".join(_document(paths.TITLES[path], fragments) for path, fragments in documents.items())
    missing = [placed[index][1] for index in range(len(placed)) if index not in chosen]
    if missing:
        text += _named(missing, max(10, budget - tokens.count(text)))
    left_out = f"{len(missing)} of {len(placed)} fragments" if missing else ""
    return Part("hot", text, budget, tokens.count(text), left_out, "cat memory/hot/*.md" if missing else "")


def _document(title: str, fragments: Sequence[Fragment]) -> str:
    """Return fragments as a tier shows them, with the sections of their kinds."""
    return tier.write(f"# {title}\n", add=sorted(fragments, key=lambda one: list(KINDS).index(one.kind)))


def _named(missing: Sequence[Fragment], budget: int) -> str:
    """Return a line a kind of record that was left out: the handles that fit, a count for the rest."""
    lines = []
    for kind in records.MOVES:
        handles = [one.handle for one in missing if one.kind == kind and one.is_open]
        if not handles:
            continue
        head = f"- {len(handles)} more {KINDS[kind].plural.lower()} (`sleepwake {kind}.list`)"
        share = max(0, budget // 2 - tokens.count(head))
        shown = tokens.clip(", ".join(handles), share) if share > 4 else ""  # noqa: PLR2004
        line = f"{head}: {shown}" if shown else head
        if tokens.count(line) + 1 > budget:
            break
        budget -= tokens.count(line) + 1
        lines.append(line)
    return "\n" + "\n".join(lines) + "\n" if lines else ""


def _query(view: View, task: str) -> frozenset[str]:
    """Return the words that relevance is told by: the task's, else those of active threads and of the handoff."""
    if task.strip():
        return topic.words(task)
    threads = [one.text for one in view.tier(paths.THREADS).fragments if one.kind == "thread" and one.state == "active"]
    said = page.handoff(view.read(paths.MAIN) or "")
    return topic.words(" ".join([*threads, said.get("next_priority", ""), said.get("open_risk", "")]))


def _warm(view: View, budget: int, query: frozenset[str], task: str) -> Part:
    placed = [(path, one) for path in view.files(paths.WARM) for one in view.tier(path).fragments]
    placed += _called_for(view, task)
    if not placed:
        return Part("warm", "", budget, 0)
    seen = [topic.words(f"{paths.topic_of(path).replace('-', ' ')} {one.text}") for path, one in placed]
    counts: dict[str, int] = {}
    for words in seen:
        for word in words & query:
            counts[word] = counts.get(word, 0) + 1
    newest = max(address.number for _, one in placed for address in one.addresses)

    def score(index: int) -> float:
        fit = sum(math.log(1 + len(placed) / counts[word]) for word in seen[index] & query)
        age = newest - max(address.number for address in placed[index][1].addresses)
        return fit + 1 / (2 + age) + 0.3 * placed[index][1].is_open

    order = sorted(range(len(placed)), key=lambda index: (-score(index), index))
    chosen: dict[str, list[int]] = {}
    spent = 0
    for index in order:
        path, one = placed[index]
        price = tokens.count(render(one))
        price += 0 if path in chosen else tokens.count(f"\n# {paths.topic_of(path)}\n\n## Decisions\n\n")
        if spent + price <= budget - 8:
            chosen.setdefault(path, []).append(index)
            spent += price
    parts = []
    for path, indices in chosen.items():
        title = tier.title_of(view.read(path) or "") or paths.topic_of(path)
        suffix = " (cold)" if paths.tier_of(path) == "cold" else ""
        parts.append(_document(title + suffix, [placed[index][1] for index in sorted(indices)]))
    text = "\n".join(parts)
    missing = len(placed) - sum(map(len, chosen.values()))
    left_out = f"{missing} of {len(placed)} fragments" if missing else ""
    return Part("warm", text, budget, tokens.count(text), left_out, "cat memory/warm/TOPIC.md" if missing else "")


def _called_for(view: View, task: str) -> list[tuple[str, Fragment]]:
    """Return what cold memory holds under a topic, record number or address that the task names."""
    if not task.strip():
        return []
    named = {str(one) for one in addressing.addresses(task)} | {found[0] for found in addressing.NUMBER.finditer(task)}
    said = task.casefold()
    found = []
    for path in view.files(paths.COLD):
        whole = paths.topic_of(path).replace("-", " ") in said or paths.topic_of(path) in said
        if not whole and not named:
            continue
        found += [
            (path, one)
            for one in view.tier(path).fragments
            if whole or one.number in named or any(str(address) in named for address in one.addresses)
        ]
    return found
