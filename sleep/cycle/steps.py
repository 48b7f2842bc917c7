"""The steps of a sleep, decided: from a view of the memory to a plan. Nothing here writes.

Owns what each step does to which document. Each is idempotent on the documents alone: a step that was taken finds nothing
left to do, which is how an interrupted sleep resumes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import extractive, pieces
from sleep.compression.pieces import Span
from sleep.cycle.view import View
from sleep.errors import MoveError
from sleep.memory import address as addressing
from sleep.memory import marking, paths, records, tier, topic
from sleep.memory.fragment import STATUS, Fragment
from sleep.memory.kinds import EVENT, event_record
from sleep.store.tree import Overlay
from sleep.text import front, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.memory.address import Address, InstanceId
    from sleep.memory.journal import Entry, Journal
    from sleep.settings import Settings

STEPS = ("adopt", "seal", "hot to warm", "warm to cold", "journal to hot", "handoff")


class Decided(NamedTuple):
    """A step's outcome: the writes, the sentence, the report, and the figures that the gate and the person see.

    `before` and `after` are tokens in and out; `spans` accounts for the journal (journal to hot only); `short` says why
    a ratio was not met, or is "".
    """

    step: str
    subject: str
    lines: tuple[str, ...]
    writes: dict[str, str | None]
    before: int = 0
    after: int = 0
    ratio: float = 0.0
    spans: tuple[Span, ...] = ()
    short: str = ""


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


def hot_to_warm(view: View, settings: Settings, instance: InstanceId) -> Decided:
    """Move what is older than the last instances and not held hot into warm topics, prose at 3:1."""
    window = _window(view, instance, settings.keep_hot)
    leaving: dict[str, list[Fragment]] = {
        path: [one for one in view.tier(path).fragments if not _stays_hot(one, window)] for path in paths.HOT
    }
    moving = [one for fragments in leaving.values() for one in fragments]
    if not moving:
        return Decided("hot to warm", "", (), {})
    existing = {paths.topic_of(path): path for path in view.files(paths.WARM)}
    exact = [one for one in moving if _is_record(one)]
    prose = [one for one in moving if not _is_record(one)]
    present = frozenset(
        extractive.normal(one.text) for path in existing.values() for one in view.tier(path).fragments
    )
    before = sum(map(extractive.cost, moving))
    budget = _prose_budget(before, settings.ratio_warm, exact, prose)
    choice = extractive.choose(prose, budget, present=present)
    kept = _merge(prose, choice)
    arriving = [*exact, *kept]
    items = [_topic_item(view, one) for one in arriving]
    topics = topic.assign(items, existing, _thread_titles(view, [own for _, _, own in items if addressing.number_of(own)]))
    writes: dict[str, str | None] = {
        path: tier.write(view.read(path) or "", drop=gone) for path, gone in leaving.items() if gone
    }
    writes.update(_place(view, paths.WARM, list(zip(topics, arriving, strict=True)), settings.topic_tokens))
    after = sum(map(extractive.cost, arriving))
    named = sorted(set(topics))
    subject = f"hot to warm, {_counted(arriving)} into {_listed(named)}" if arriving else "hot to warm, nothing kept"
    lines = _report(prose, choice, exact)
    return Decided(
        "hot to warm",
        subject,
        lines,
        writes,
        before,
        after,
        settings.ratio_warm,
        short=_short(before, after, settings.ratio_warm, exact),
    )


def warm_to_cold(view: View, settings: Settings, instance: InstanceId) -> Decided:
    """Move what no later journal referred to, or the least salient above the cap, to cold at 10:1."""
    files = view.files(paths.WARM)
    recent = _window(view, instance, settings.keep_warm)
    young = _window(view, instance, settings.keep_hot + 1)
    mentioned = _mentioned(view, recent)
    placed = [(path, one) for path in files for one in view.tier(path).fragments if not one.is_open or _is_decision(one)]
    aged = [(path, one) for path, one in placed if not one.instances & recent and not _refers(one, mentioned)]
    total = sum(extractive.cost(one) for _, one in placed) - sum(extractive.cost(one) for _, one in aged)
    rest = sorted(
        ((path, one) for path, one in placed if (path, one) not in set(aged) and not one.instances & young),
        key=lambda item: (_is_standing(item[1]), extractive.salience(item[1]), str(item[1].identity)),
    )
    for path, one in rest:
        if total <= settings.warm_tokens:
            break
        aged.append((path, one))
        total -= extractive.cost(one)
    if not aged:
        return Decided("warm to cold", "", (), {})
    moving = [one for _, one in aged]
    exact = [_shrunk(one) for one in moving if _is_standing(one)]
    prose = [one for one in moving if not _is_standing(one)]
    existing = {paths.topic_of(path) for path in view.files(paths.COLD)}
    before = sum(map(extractive.cost, moving))
    budget = _prose_budget(before, settings.ratio_cold, exact, prose)
    choice = extractive.choose(prose, budget)
    kept = _merge(prose, choice)
    home = {one.identity: _base(paths.topic_of(path)) for path, one in aged}
    arriving = [*exact, *kept]
    topics = [home[one.identity] for one in arriving]
    writes: dict[str, str | None] = {}
    for path in sorted({path for path, _ in aged}):
        text = tier.write(view.read(path) or "", drop=[one for at, one in aged if at == path])
        writes[path] = text if _has_content(text) else None
    writes.update(_place(view, paths.COLD, list(zip(topics, arriving, strict=True)), settings.topic_tokens))
    after = sum(map(extractive.cost, arriving))
    named = sorted(set(topics) | existing & set(topics))
    subject = f"warm to cold, {_counted(arriving)} into {_listed(named)}" if arriving else "warm to cold, nothing kept"
    return Decided(
        "warm to cold",
        subject,
        _report(prose, choice, exact),
        writes,
        before,
        after,
        settings.ratio_cold,
        short=_short(before, after, settings.ratio_cold, exact),
    )


def journal_to_hot(view: View, settings: Settings, path: str) -> Decided:
    """Compress a sealed journal into hot memory at 2:1: records whole, events carried out, prose chosen."""
    journal = view.journal(path)
    cut = pieces.cut(journal)
    before = tokens.count(journal.text[journal.body :])
    here = {address for _, one in view.placed("memory/hot/") for address in one.addresses}
    closing = records.closing_tone(journal.entries)
    exact = [piece.fragment for piece in cut if piece.fragment and _is_kept(piece.fragment, closing)]
    prose = [(piece, piece.fragment) for piece in cut if piece.fragment and not _is_kept(piece.fragment, closing)]
    swaps = _carried_out(view, journal, exact)
    exact = [swaps.pop(("", one), one) for one in exact]
    # A record that is open again comes back to where open records stand.
    back = {(at, old): new for (at, old), new in swaps.items() if _is_held(new) and paths.tier_of(at) != "hot"}
    exact += back.values()
    present = frozenset(
        extractive.normal(one.text)
        for _, one in view.placed("memory/hot/")
        if not one.instances & {journal.instance}
    )
    candidates = [fragment for _, fragment in prose]
    choice = extractive.choose(candidates, _prose_budget(before, settings.ratio_hot, exact, candidates), present=present)
    kept = _merge(candidates, choice)
    arriving = [one for one in [*exact, *kept] if one.identity not in here or _is_prose_missing(view, one)]
    writes: dict[str, str | None] = {}
    by_path: dict[str, list[Fragment]] = {}
    for one in arriving:
        by_path.setdefault(paths.hot_of(one.kind), []).append(one)
    replaced: dict[str, dict[Fragment, Fragment]] = {}
    left: dict[str, list[Fragment]] = {}
    for (at, old), new in swaps.items():
        if (at, old) in back:
            left.setdefault(at, []).append(old)
        else:
            replaced.setdefault(at, {})[old] = new
    for at in sorted({*by_path, *replaced, *left}):
        text = tier.write(
            writes.get(at, view.read(at)) or "",
            drop=left.get(at, ()),
            replace=replaced.get(at),
            add=by_path.get(at, []),
            title=paths.TITLES.get(at, paths.topic_of(at)),
        )
        if paths.tier_of(at) != "hot" and tokens.count(text) > max(settings.topic_tokens, tokens.count(view.read(at) or "")):
            # A state and its reason made the topic too long: what they changed goes on in a further part.
            gone = [*left.get(at, ()), *replaced[at]]
            shorter = tier.write(writes.get(at, view.read(at)) or "", drop=gone)
            rest = View(Overlay(view.tree, {**writes, at: shorter}))
            fresh = [(paths.topic_of(at), one) for one in replaced[at].values()]
            writes |= {at: rest.read(at), **_place(rest, at.rpartition("/")[0] + "/", fresh, settings.topic_tokens)}
            text = writes[at] or ""
        writes[at] = text if at in paths.HOT or _has_content(text) else None
    after = sum(map(extractive.cost, arriving))
    number = journal.instance.number
    return Decided(
        "journal to hot",
        f"journal to hot, {_counted(arriving)} of instance {number}" if arriving else f"journal to hot, instance {number}",
        _report(candidates, choice, exact),
        writes,
        before,
        after,
        settings.ratio_hot,
        spans=_account(journal, cut, prose, choice),
        short=_short(before, after, settings.ratio_hot, exact),
    )


def _prose_budget(before: int, ratio: float, exact: Sequence[Fragment], prose: Sequence[Fragment]) -> int:
    """Return the tokens that prose may take: what records leave of the ratio, but never under half its own share.

    Records are kept whole, so many of them would push out every tone and insight; the step then says why the ratio is not met.
    """
    left = int(before / ratio) - sum(map(extractive.cost, exact))
    return max(left, int(sum(map(extractive.cost, prose)) / ratio / 2))


def _carried_out(view: View, journal: Journal, fresh: Sequence[Fragment]) -> dict[tuple[str, Fragment], Fragment]:
    """Return what the journal's events make of records: (path, as it stands) to as it becomes; path "" for fresh ones."""
    # What a later instance said is carried out too, where that one was slept on first.
    later = (entry for path in view.slept_before(journal.instance) for entry in view.journal(path).entries)
    events = [entry for entry in (*journal.entries, *later) if event_record(entry.kind)]
    named = view.naming(entry.field("record") for entry in events)
    placed = [("", one) for one in fresh] + [(at, one) for at, one in named if one.kind in records.MOVES]
    now: dict[Address, tuple[str, Fragment, Fragment]] = {one.identity: (at, one, one) for at, one in reversed(placed)}
    for entry in events:
        found = records.find((records.Record(one[2], one[0]) for one in now.values()), entry.field("record"))
        if found is None or entry.address in found.fragment.addresses:
            continue
        try:
            after = records.moved(found.fragment, entry.field("to"), records.says(entry), entry.address)
        except MoveError:
            continue
        at, old, _ = now[after.identity]
        now[after.identity] = (at, old, after)
    return {(at, old): new for at, old, new in now.values() if old != new}


def _account(
    journal: Journal,
    cut: Sequence[pieces.Piece],
    prose: Sequence[tuple[pieces.Piece, Fragment]],
    choice: extractive.Choice,
) -> tuple[Span, ...]:
    index = {id(piece): number for number, (piece, _) in enumerate(prose)}
    spans = pieces.frame(journal)
    for piece in cut:
        number = index.get(id(piece))
        if piece.fragment is None:
            spans.append(Span(piece.start, piece.end, "referenced", "stays in the journal at its address"))
        elif number is None or number in choice.kept:
            spans.append(Span(piece.start, piece.end, "kept"))
        elif number in choice.merged:
            into = choice.merged[number]
            what = "what hot memory says already" if into < 0 else str(prose[into][1].identity)
            spans.append(Span(piece.start, piece.end, "merged", what))
        else:
            spans.append(Span(piece.start, piece.end, "dropped", choice.dropped[number]))
    return tuple(sorted(spans))


def _window(view: View, instance: InstanceId, size: int) -> frozenset[InstanceId]:
    """Return the last `size` instances, the one that sleeps included."""
    slept = [cycle.instance for cycle in view.cycles if cycle.instance != instance]
    return frozenset([*slept[max(0, len(slept) - size + 1) :], instance])


def _is_record(fragment: Fragment) -> bool:
    return fragment.kind in records.MOVES


def _is_kept(fragment: Fragment, closing: Entry | None) -> bool:
    """True for what no ratio touches: a record, and the tone that the instance closed with."""
    return _is_record(fragment) or bool(closing and fragment.identity == closing.address)


def _is_decision(fragment: Fragment) -> bool:
    return fragment.kind == "decision"


def _is_standing(fragment: Fragment) -> bool:
    return fragment.kind == "decision" and fragment.is_open


def _stays_hot(fragment: Fragment, window: frozenset[InstanceId]) -> bool:
    return _is_held(fragment) or bool(fragment.instances & window)


def _is_held(fragment: Fragment) -> bool:
    """True for a record that stays hot at any age: open, and no decision."""
    return _is_record(fragment) and not _is_decision(fragment) and fragment.is_open


def _is_prose_missing(view: View, fragment: Fragment) -> bool:
    """True if no fragment in hot memory says the same for the same entry (a step taken twice adds nothing)."""
    return all(
        one.text != fragment.text or one.identity != fragment.identity
        for one in view.tier(paths.hot_of(fragment.kind)).fragments
    ) and not (_is_record(fragment) and any(one.identity == fragment.identity for _, one in view.placed("memory/hot/")))


def _merge(candidates: Sequence[Fragment], choice: extractive.Choice) -> list[Fragment]:
    """Return the kept fragments, each with the addresses of those merged into it."""
    kept = {index: candidates[index] for index in choice.kept}
    for index, into in choice.merged.items():
        if into in kept:
            both = dict.fromkeys((*kept[into].addresses, *candidates[index].addresses))
            kept[into] = kept[into]._replace(addresses=tuple(both))
    return list(kept.values())


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


def _topic_item(view: View, fragment: Fragment) -> tuple[str, tuple[str, ...], str]:
    path = view.path_of(fragment.identity.instance)
    entry = None
    if path:
        entry = next((one for one in view.journal(path).entries if one.address == fragment.identity), None)
    own = (entry.field("topic") or entry.field("thread")) if entry else fragment.field("thread")
    if fragment.kind == "thread":
        own = own or fragment.number
    return fragment.text, entry.sections if entry else (), own


def _thread_titles(view: View, handles: Iterable[str]) -> dict[str, str]:
    return {one.number: one.text for _, one in view.naming(handles) if one.kind == "thread" and one.number}


def _base(name: str) -> str:
    """Return a topic without the number of its part: `auth-2` is part of `auth`."""
    stem, _, part = name.rpartition("-")
    return stem if stem and part.isdigit() else name


def _place(
    view: View, folder: str, items: Sequence[tuple[str, Fragment]], limit: int
) -> dict[str, str | None]:
    """Return the topic files with the fragments added, going on in a further part where one is full."""
    writes: dict[str, str | None] = {}
    groups: dict[str, list[Fragment]] = {}
    for name, fragment in items:
        groups.setdefault(_base(name), []).append(fragment)
    for name, fragments in sorted(groups.items()):
        part = 1
        while view.read(_part(folder, name, part + 1)) is not None:
            part += 1
        batch: list[Fragment] = []
        path = _part(folder, name, part)
        size = tokens.count(view.read(path) or "")
        for fragment in fragments:
            price = extractive.cost(fragment)
            if size + price + tokens.count(f"\n## {fragment.kind}s\n\n") > limit and (batch or size > tokens.count(f"# {name}")):
                if batch:
                    writes[path] = tier.write(view.read(path) or "", add=batch, title=_title(name, part))
                part += 1
                path, batch, size = _part(folder, name, part), [], 0
            batch.append(fragment)
            size += price + (0 if len(batch) > 1 and batch[-2].kind == fragment.kind else 5)
        writes[path] = tier.write(view.read(path) or "", add=batch, title=_title(name, part))
    return writes


def _part(folder: str, name: str, part: int) -> str:
    return f"{folder}{name}.md" if part == 1 else f"{folder}{name}-{part}.md"


def _title(name: str, part: int) -> str:
    title = name.replace("-", " ").capitalize()
    return title if part == 1 else f"{title}, part {part}"


def _shrunk(fragment: Fragment) -> Fragment:
    """Return a standing decision as cold memory keeps it: statement, why in a clause, state, address."""
    why = fragment.field("why")
    text = pieces.sentences(fragment.text)[0] if why else pieces.statement(fragment.text)
    fields = [("why", pieces.clause(why))] if why else []
    rejected = fragment.field("alternatives")
    fields += [("alternatives", rejected)] if rejected else []
    status = fragment.field(STATUS)
    return fragment._replace(text=text, fields=(*fields, *([(STATUS, status)] if status else [])))


def _has_content(text: str) -> bool:
    return any(line.strip() and not line.startswith("# ") for line in text.split("\n"))


def _counted(fragments: Sequence[Fragment]) -> str:
    """Return what a person would say they are: `3 decisions, 2 questions, 8 more`."""
    counts: dict[str, int] = {}
    for one in fragments:
        if _is_record(one):
            counts[one.kind] = counts.get(one.kind, 0) + 1
    words = [f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in counts.items()]
    rest = len(fragments) - sum(counts.values())
    if rest:
        words.append(f"{rest} {'more' if words else 'fragment' if rest == 1 else 'fragments'}")
    return ", ".join(words)


def _listed(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _report(prose: Sequence[Fragment], choice: extractive.Choice, exact: Sequence[Fragment]) -> tuple[str, ...]:
    dropped: dict[str, int] = {}
    for index in choice.dropped:
        dropped[prose[index].kind] = dropped.get(prose[index].kind, 0) + 1
    lines = [f"kept: {len(exact)} records whole, {len(choice.kept)} of {len(prose)} other fragments"]
    if choice.merged:
        lines.append(f"merged: {len(choice.merged)} that repeat another")
    if dropped:
        words = ", ".join(f"{number} {kind}" for kind, number in sorted(dropped.items()))
        lines.append(f"dropped (over the budget; the journal keeps them): {words}")
    return tuple(lines)


def _short(before: int, after: int, ratio: float, exact: Sequence[Fragment]) -> str:
    if not after or before / after >= ratio * 0.98:
        return ""
    kept = sum(map(extractive.cost, exact))
    return f"{before / after:.1f}:1 instead of {ratio:g}:1, because {len(exact)} records ({kept} tokens) are kept whole"


def is_event(kind: str) -> bool:
    """True for an entry that moves a record."""
    return kind.endswith(EVENT)
