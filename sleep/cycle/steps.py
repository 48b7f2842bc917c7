"""The steps of a sleep, decided: from a view of the memory to a plan. Nothing here writes.

Owns what each step does to which document. Each is idempotent on the documents alone: a step that was taken finds
nothing left to do, which is how an interrupted sleep resumes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive, pieces
from sleep.compression.contract import Request
from sleep.cycle import topics, wording
from sleep.cycle.decided import Decided, is_held, is_record, is_standing, prose_budget
from sleep.memory import address as addressing
from sleep.memory import marking, paths, tier
from sleep.memory.fragment import STATUS, Fragment
from sleep.text import front

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.compression.contract import Compressor
    from sleep.cycle.view import View
    from sleep.memory.address import InstanceId
    from sleep.settings import Settings


def seal(view: View, path: str, ended: str) -> Decided:
    """Close a journal: every piece gets its address, and the front matter its end."""
    before = view.read(path) or ""
    journal = view.journal(path)
    text = before
    if journal.unmarked:
        text = marking.mark(text, journal.instance, view.used_numbers())
    if not journal.sealed:
        text = front.set_fields(text, {"ended": ended})
    added = marked_count(text, journal.instance) - len(journal.entries)
    lines = (f"entries: {marked_count(text, journal.instance)}, of which {added} were given an address",)
    return Decided("seal", f"seal {path.removeprefix(paths.JOURNALS).removesuffix('.md')}", lines, {path: text})


def marked_count(text: str, instance: InstanceId) -> int:
    """Return how many marks of this instance's own a journal carries."""
    return sum(1 for found in addressing.MARK.finditer(text) if found[1].startswith(f"{instance}."))


def hot_to_warm(
    view: View, settings: Settings, instance: InstanceId, compress: Compressor = extractive.compress
) -> Decided:
    """Move what is older than the last instances and not held hot into warm topics, prose at 3:1."""
    window = _window(view, instance, settings.keep_hot)
    leaving: dict[str, list[Fragment]] = {
        path: [one for one in view.tier(path).fragments if not _stays_hot(one, window)] for path in paths.HOT
    }
    moving = [one for fragments in leaving.values() for one in fragments]
    if not moving:
        return Decided("hot to warm", "", (), {})
    existing = {paths.topic_of(path): path for path in view.files(paths.WARM)}
    exact = [one for one in moving if is_record(one)]
    prose = [one for one in moving if not is_record(one)]
    present = tuple(one for path in existing.values() for one in view.tier(path).fragments)
    before = sum(map(extractive.cost, moving))
    budget = prose_budget(before, settings.ratio_warm, exact, prose)
    answer = compress(Request("hot to warm", settings.ratio_warm, budget, tuple(prose), present))
    arriving = [*exact, *answer.fragments]
    names = topics.assign(view, arriving, existing)
    writes: dict[str, str | None] = {
        path: tier.write(view.read(path) or "", drop=gone) for path, gone in leaving.items() if gone
    }
    placed = list(zip(names, arriving, strict=True))
    writes.update(topics.put(view, paths.WARM, placed, settings.topic_tokens))
    after = sum(map(extractive.cost, arriving))
    named = sorted(set(names))
    what = f"{wording.counted(arriving)} into {wording.listed(named)}" if arriving else "nothing kept"
    lines = wording.report(answer, exact)
    return Decided(
        "hot to warm",
        f"hot to warm, {what}",
        lines,
        writes,
        before,
        after,
        settings.ratio_warm,
        short=wording.short(before, after, settings.ratio_warm, exact),
        fates=answer.fates,
        compressor=answer.compressor,
    )


def warm_to_cold(
    view: View, settings: Settings, instance: InstanceId, compress: Compressor = extractive.compress
) -> Decided:
    """Move what no later journal referred to, or the least salient above the cap, to cold at 10:1."""
    files = view.files(paths.WARM)
    recent = _window(view, instance, settings.keep_warm)
    young = _window(view, instance, settings.keep_hot + 1)
    mentioned = _mentioned(view, recent)
    placed = [
        (path, one) for path in files for one in view.tier(path).fragments if not one.is_open or one.kind == "decision"
    ]
    aged = [(path, one) for path, one in placed if not one.instances & recent and not _refers(one, mentioned)]
    total = sum(extractive.cost(one) for _, one in placed) - sum(extractive.cost(one) for _, one in aged)
    rest = sorted(
        ((path, one) for path, one in placed if (path, one) not in set(aged) and not one.instances & young),
        key=lambda item: (is_standing(item[1]), extractive.salience(item[1]), str(item[1].identity)),
    )
    for path, one in rest:
        if total <= settings.warm_tokens:
            break
        aged.append((path, one))
        total -= extractive.cost(one)
    if not aged:
        return Decided("warm to cold", "", (), {})
    moving = [one for _, one in aged]
    exact = [_shrunk(one) for one in moving if is_standing(one)]
    prose = [one for one in moving if not is_standing(one)]
    before = sum(map(extractive.cost, moving))
    budget = prose_budget(before, settings.ratio_cold, exact, prose)
    answer = compress(Request("warm to cold", settings.ratio_cold, budget, tuple(prose)))
    home = {one.identity: topics.base(paths.topic_of(path)) for path, one in aged}
    arriving = [*exact, *answer.fragments]
    names = [home[one.identity] for one in arriving]
    writes: dict[str, str | None] = {}
    for path in sorted({path for path, _ in aged}):
        text = tier.write(view.read(path) or "", drop=[one for at, one in aged if at == path])
        writes[path] = topics.emptied(text)
    going = list(zip(names, arriving, strict=True))
    writes.update(topics.put(view, paths.COLD, going, settings.topic_tokens))
    after = sum(map(extractive.cost, arriving))
    named = sorted(set(names))
    what = f"{wording.counted(arriving)} into {wording.listed(named)}" if arriving else "nothing kept"
    return Decided(
        "warm to cold",
        f"warm to cold, {what}",
        wording.report(answer, exact),
        writes,
        before,
        after,
        settings.ratio_cold,
        short=wording.short(before, after, settings.ratio_cold, exact),
        fates=answer.fates,
        compressor=answer.compressor,
    )


def _window(view: View, instance: InstanceId, size: int) -> frozenset[InstanceId]:
    """Return the last `size` instances, the one that sleeps included."""
    slept = [cycle.instance for cycle in view.cycles if cycle.instance != instance]
    return frozenset([*slept[max(0, len(slept) - size + 1) :], instance])


def _stays_hot(fragment: Fragment, window: frozenset[InstanceId]) -> bool:
    return is_held(fragment) or bool(fragment.instances & window)


def _mentioned(view: View, recent: Iterable[InstanceId]) -> frozenset[str]:
    """Return the addresses and record numbers that the journals of these instances name."""
    found: set[str] = set()
    for instance in recent:
        path = view.path_of(instance)
        text = (view.read(path) if path else None) or ""
        found.update(str(one) for one in addressing.addresses(text) if one.instance != instance)
        found.update(match[0] for match in addressing.NUMBER.finditer(text))
    return frozenset(found)


def _refers(fragment: Fragment, mentioned: frozenset[str]) -> bool:
    return fragment.number in mentioned or any(str(one) in mentioned for one in fragment.addresses)


def _shrunk(fragment: Fragment) -> Fragment:
    """Return a standing decision as cold memory keeps it: statement, why in a clause, state, address."""
    why = fragment.field("why")
    text = pieces.sentences(fragment.text)[0] if why else pieces.statement(fragment.text)
    fields = [("why", pieces.clause(why))] if why else []
    rejected = fragment.field("alternatives")
    fields += [("alternatives", rejected)] if rejected else []
    status = fragment.field(STATUS)
    return fragment._replace(text=text, fields=(*fields, *([(STATUS, status)] if status else [])))
