"""The steps of a sleep, decided: from a view of the memory to a plan. Nothing here writes.

Owns what each step does to which document. Each is idempotent on the documents alone: a step that was taken finds
nothing left to do, which is how an interrupted sleep resumes.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.compression.contract import Present, Request
from sleep.cycle import competition, step_message, topics
from sleep.cycle.outcome import Decided, prose_budget
from sleep.documents import entries, front_matter, paths, tier
from sleep.documents import journal as journals
from sleep.documents.hand import annotation, identity
from sleep.memory import focus, noticed
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.store.tree import Overlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sleep.compression.contract import Compressor
    from sleep.cycle.competition import Outcome
    from sleep.records.address import InstanceId
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings

_COMPETING = 3  # times the instances that stay warm: those whose prose shares the room in cold memory


def seal(view: View, path: str, ended: str) -> Decided:
    """Close a journal: every piece gets its address, and the front matter its end."""
    before = identity.with_identity(view.read(path) or "", paths.journal_number(path) or 0)
    journal = journals.read(before)
    text = before
    if journal.unmarked:
        text = annotation.mark(text, journal.instance, view.used_numbers())
        # From here on a mark says what a box or a heading states; where older marks do not, they are read as before.
        if not (journal.is_import or any(entry.noticed and not entry.source for entry in journal.entries)):
            text = front_matter.set_fields(text, {entries.STANDING: entries.MARKED})
    if not journal.sealed:
        text = front_matter.set_fields(text, {"ended": ended})
    marks = sum(mark[1].startswith(f"{journal.instance}.") for mark in addressing.MARK.finditer(text))
    added = marks - len(journal.entries)
    ending = f", of which {added} {'was' if added == 1 else 'were'} given an address" if added else ""
    lines = (f"entries: {marks}{ending}",)
    return Decided("seal", f"seal {path.removeprefix(paths.JOURNALS).removesuffix('.md')}", lines, {path: text})


def hot_to_warm(
    view: View, settings: Settings, instance: InstanceId, compress: Compressor = extractive.compress
) -> Decided:
    """Move what is older than the last instances and not held hot into warm topics, prose within the ratio of warm."""
    window = _window(view, instance, settings.keep_hot)
    asked = _asked(view, settings, instance)
    leaving: dict[str, list[Fragment]] = {
        path: [fragment for fragment in view.tier(path).fragments if not _stays_hot(fragment, window, asked)]
        for path in paths.HOT
    }
    moving = [fragment for fragments in leaving.values() for fragment in fragments]
    if not moving:
        return Decided("hot to warm", "", (), {})
    likeliest = noticed.likeliest(fragment for _, fragment in view.placed("memory/hot/", paths.WARM))
    exact, prose = _parted(moving, lambda fragment: fragment.is_record or fragment.identity in likeliest)
    before = sum(map(extractive.cost, moving))
    share = prose_budget(before, settings.ratio_warm, exact, prose)
    recent = _window(view, instance, settings.keep_hot + settings.keep_warm) - _window(
        view, instance, settings.keep_hot
    )
    ratio = settings.ratio_hot * settings.ratio_warm
    room = competition.room(view, paths.WARM, recent, ratio, settings.warm_tokens)
    present = Present(view.by(paths.WARM, extractive.sayings))
    weights = focus.recent_weights(view, instance)
    request = Request("hot to warm", settings.ratio_warm, share, tuple(prose), present, name_worths=weights)
    outcome = competition.compete(view, room, request, compress)
    arriving = [*exact, *outcome.arriving]
    writes: dict[str, str | None] = {
        path: tier.write(view.read(path) or "", drop=gone) for path, gone in leaving.items() if gone
    }
    arrivals = [("", fragment) for fragment in arriving]  # without a topic in the tier before
    placed, items = _placed(view, paths.WARM, outcome.changes, arrivals, settings.topic_tokens)
    writes.update(placed)
    return _moved(view, request, before, exact, items, outcome, writes)


def _parted(
    fragments: Iterable[Fragment], is_exact: Callable[[Fragment], bool]
) -> tuple[list[Fragment], list[Fragment]]:
    """Return the fragments that move as they are, and the prose, which is compressed."""
    parts: tuple[list[Fragment], list[Fragment]] = ([], [])
    for fragment in fragments:
        parts[not is_exact(fragment)].append(fragment)
    return parts


def warm_to_cold(
    view: View, settings: Settings, instance: InstanceId, compress: Compressor = extractive.compress
) -> Decided:
    """Move what no later journal referred to, or the least salient above the cap, to cold, within the ratio of cold."""
    recent = _window(view, instance, settings.keep_hot + settings.keep_warm)
    aged = _aged(view, recent, _window(view, instance, settings.keep_hot + 1), settings.warm_tokens)
    if not aged:
        return Decided("warm to cold", "", (), {})
    moving = [fragment for _, fragment in aged]
    exact, prose = _parted(moving, lambda fragment: fragment.cools)
    before = sum(map(extractive.cost, moving))
    share = int(sum(map(extractive.cost, prose)) / settings.ratio_cold)
    ratio = settings.ratio_hot * settings.ratio_warm * settings.ratio_cold
    instances = _lately(view, recent, _COMPETING * settings.keep_warm)
    room = competition.room(view, paths.COLD, instances, ratio, settings.warm_tokens)
    weights = focus.recent_weights(view, instance)
    request = Request("warm to cold", settings.ratio_cold, share, tuple(prose), name_worths=weights)
    outcome = competition.compete(view, room, request, compress)
    home = {fragment.identity: topics.base(paths.topic_of(path)) for path, fragment in aged}
    leaving = [(home[fragment.identity], fragment) for fragment in (*exact, *outcome.arriving)]
    writes: dict[str, str | None] = {}
    for path in sorted({path for path, _ in aged}):
        text = tier.write(view.read(path) or "", drop=[fragment for at, fragment in aged if at == path])
        writes[path] = topics.emptied(text)
    placed, items = _placed(view, paths.COLD, outcome.changes, leaving, settings.topic_tokens)
    writes.update(placed)
    writes.update(topics.arranged(View(Overlay(view.tree, writes), view), paths.WARM, [], settings.topic_tokens)[0])
    return _moved(view, request, before, exact, items, outcome, writes)


def _aged(
    view: View, recent: frozenset[InstanceId], young: frozenset[InstanceId], limit: int
) -> list[tuple[str, Fragment]]:
    """Return what leaves warm memory, with its path: superseded, referred to no more, or above the limit.

    Args:
        view: the memory.
        recent: the instances whose fragments stay while there is room.
        young: those whose fragments stay.
        limit: tokens of warm memory.
    """
    mentioned = _mentioned(view, recent)
    files = view.files(paths.WARM)
    placed = [(path, fragment) for path in files for fragment in view.tier(path).fragments if not fragment.is_held]
    aged, rest = [], []
    for path, fragment in placed:
        is_young, is_recent = bool(fragment.instances & young), bool(fragment.instances & recent)
        is_over = (fragment.is_superseded and not is_young) or (not is_recent and not _refers(fragment, mentioned))
        if is_over:
            aged.append((path, fragment))
        elif not is_young:
            rest.append((path, fragment))
    total = sum(extractive.cost(fragment) for _, fragment in placed)
    total -= sum(extractive.cost(fragment) for _, fragment in aged)
    rest.sort(key=lambda item: (item[1].cools, extractive.density(item[1]), str(item[1].identity)))
    for path, fragment in rest:
        if total <= limit:
            break
        aged.append((path, fragment))
        total -= extractive.cost(fragment)
    return aged


def _moved(
    view: View,
    request: Request,
    before: int,
    exact: Sequence[Fragment],
    items: Sequence[tuple[str, Fragment]],
    outcome: Outcome,
    writes: dict[str, str | None],
) -> Decided:
    """Return a step that moved fragments from one tier to the next, with what it says of itself.

    It took `before` tokens in hand and `exact` records among them, and placed the `items`: (topic, fragment).
    """
    step, ratio = request.step, request.ratio
    arriving = [fragment for _, fragment in items]
    after = sum(map(extractive.cost, arriving))
    named = sorted({name for name, _ in items})
    where = [*(f"into {step_message.listed(named, most)}" for most in (3, 2, 1)), f"into {len(named)} topics"]
    subject = step_message.subject(step, arriving, *where) if arriving else f"{step}, nothing kept"
    changed = {old: new for page in outcome.changes.values() for old, new in page.items()}
    return Decided(
        step,
        subject,
        (
            *step_message.report(outcome.answer, exact, changed),
            *step_message.relocated(topics.relocated(view, writes)),
        ),
        writes,
        before,
        after,
        ratio,
        short=step_message.short(before, after, ratio, exact, outcome.answer),
        fates=outcome.fates,
        compressor=outcome.answer.compressor,
    )


def _placed(
    view: View,
    folder: str,
    changes: Mapping[str, Mapping[Fragment, Fragment | None]],
    items: Sequence[tuple[str, Fragment]],
    limit: int,
) -> tuple[dict[str, str | None], list[tuple[str, Fragment]]]:
    """Return the topic files of a tier with what stood there changed, and with what comes; and what comes by topic."""
    writes: dict[str, str | None] = {}
    for path, changed in changes.items():
        gone = [old for old, new in changed.items() if new is None]
        swap = {old: new for old, new in changed.items() if new is not None}
        writes[path] = topics.emptied(tier.write(view.read(path) or "", drop=gone, replace=swap))
    arranged, names = topics.arranged(View(Overlay(view.tree, writes), view), folder, items, limit)
    placed = [(name, fragment) for name, (_, fragment) in zip(names, items, strict=True)]
    return {**writes, **arranged}, placed


def _lately(view: View, recent: frozenset[InstanceId], size: int) -> frozenset[InstanceId]:
    """Return the last `size` instances that are older than the recent ones."""
    older = [cycle.instance for cycle in view.cycles if cycle.instance not in recent]
    return frozenset(older[-size:])


def _window(view: View, instance: InstanceId, size: int) -> frozenset[InstanceId]:
    """Return the last `size` instances, with the one that sleeps, and those that lived: imports displace none."""
    slept = [cycle.instance for cycle in view.cycles if cycle.instance != instance]
    last = slept[max(0, len(slept) - size + 1) :]
    if not any(map(view.is_import, (*last, instance))):
        return frozenset([*last, instance])
    return frozenset([*last, *islice((lived for lived in view.lived if lived != instance), size), instance])


def _stays_hot(fragment: Fragment, window: frozenset[InstanceId], asked: frozenset[Fragment]) -> bool:
    if fragment.is_asked:
        return fragment in asked
    return fragment.is_held or (bool(fragment.instances & window) and not fragment.is_superseded)


def _asked(view: View, settings: Settings, instance: InstanceId) -> frozenset[Fragment]:
    """Return what was noticed and waits for a word still: said or referred to of late, and the newest of too many."""
    waiting = [
        fragment
        for path in paths.HOT
        for fragment in view.tier(path).fragments
        if fragment.is_asked and not fragment.is_superseded
    ]
    if not waiting:
        return frozenset()
    window = _window(view, instance, settings.review_cycles)
    mentioned = _mentioned(view, window)
    left = [fragment for fragment in waiting if fragment.instances & window or _refers(fragment, mentioned)]
    path = view.path_of(instance)
    arriving = sum(entry.is_asked for entry in view.journal(path).entries) if path else 0
    left.sort(key=lambda fragment: max(fragment.addresses))
    return frozenset(left[max(0, len(left) + arriving - settings.review_most) :])


def _mentioned(view: View, recent: Iterable[InstanceId]) -> frozenset[str]:
    """Return the addresses and record numbers that the journals of these instances name."""
    mentions: set[str] = set()
    for instance in recent:
        path = view.path_of(instance)
        text = (view.read(path) if path else None) or ""
        mentions |= _names(text, instance)
    return frozenset(mentions)


@lru_cache(maxsize=1 << 6)  # the next cycle asks it of all these journals but the oldest again
def _names(text: str, instance: InstanceId) -> frozenset[str]:
    """Return the addresses of others and the record numbers that a journal names."""
    others = {str(address) for address in addressing.addresses(text) if address.instance != instance}
    return frozenset(others | {match[0] for match in addressing.NUMBER.finditer(text)})


def _refers(fragment: Fragment, mentioned: frozenset[str]) -> bool:
    return fragment.number in mentioned or any(str(address) in mentioned for address in fragment.addresses)
