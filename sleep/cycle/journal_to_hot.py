"""Journal to hot: what becomes of a sealed journal's entries.

Owns the step that decides most: records go whole into the registers, events are carried out on records wherever they
stand, and prose is chosen within the ratio. Every character of the journal is accounted for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive, segments
from sleep.compression.contract import DROPPED, SHORTENED, WHOLE, Fate, Present, Request
from sleep.compression.segments import Span
from sleep.cycle import step_message, topics
from sleep.cycle.outcome import Decided, free, prose_budget
from sleep.documents import paths, register, tier, verdicts
from sleep.errors import MoveError
from sleep.language import similarity, tokens
from sleep.memory import focus, late_moves, noticed, repetitions
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records.fragment import SUPERSEDED_BY, SUPERSEDES
from sleep.redaction import untrusted
from sleep.store.tree import Overlay

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.compression.contract import Compressor
    from sleep.compression.segments import Piece
    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.memory.noticed import Settled
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings

BY_HAND = "a person took it out of the memory"
_HOT = "memory/hot/"
# (path, fragment as it stands there) -> the fragment as it becomes.
Changes = dict[tuple[str, "Fragment"], "Fragment"]


def journal_to_hot(view: View, settings: Settings, path: str, compress: Compressor = extractive.compress) -> Decided:
    """Compress a sealed journal into hot memory: records whole, events carried out, prose chosen."""
    journal = view.journal(path)
    cut = segments.cut(journal)
    before = journal.size
    refused = segments.refused(journal)
    edited = _edited(view, journal, cut, refused)
    pairs = [(piece, fragment) for piece, fragment in edited if fragment]
    exact, prose = _parted(pairs, _whole(journal), settings.review_most)
    settled = _settled(view, journal, pairs)
    exact, prose = settled.without(exact), [pair for pair in prose if not settled.takes(pair[1])]
    changes, passed = _carried_out(view, journal, exact)
    moved = step_message.moved((old, new) for (_, old), new in changes.items())
    exact, folded = repetitions.fold(view, [changes.pop(("", each), each) for each in exact], changes)
    # A record that is open again comes back to where open records stand.
    back = {key: new for key, new in changes.items() if new.is_held and paths.tier_of(key[0]) != "hot"}
    exact += back.values()
    changes |= settled.changes
    answer = compress(_request(view, settings, journal, exact, [fragment for _, fragment in prose]))
    arriving = _absent(view, journal.instance, [*exact, *answer.fragments], set(back.values()))
    arriving, past = _superseding(view, arriving)
    changes |= past
    writes = _writes(view, settings, arriving, changes, frozenset(back) | settled.leaving)
    fates = dict(zip((id(piece) for piece, _ in prose), answer.fates, strict=True))
    left_out = _dropped(_of(cut, refused), untrusted.WHY)
    fates |= left_out | _dropped((piece for piece, fragment in edited if not fragment), BY_HAND)
    for address, why in settled.left_out.items():
        fates |= _dropped(_of(cut, (address,)), why)
    after = sum(map(extractive.cost, arriving))
    return Decided(
        "journal to hot",
        _subject(journal, arriving, folded),
        (
            *step_message.report(answer, exact, superseded=len(past)),
            *moved,
            *step_message.repeated(len(folded)),
            *step_message.refused(len(left_out)),
            *step_message.settled(len(settled.rejected), len(settled.leaving)),
            *passed,
        ),
        writes,
        before,
        after,
        settings.ratio_hot,
        spans=_account(journal, cut, fates, {**folded, **settled.merged}),
        fates=(*fates.values(), *_rejected(settled)),
        compressor=answer.compressor,
        short=step_message.short(before, after, settings.ratio_hot, exact, answer),
        passed=passed,
    )


def _subject(journal: Journal, arriving: Sequence[Fragment], folded: Mapping[Address, Address]) -> str:
    nothing = "nothing new" if folded else "nothing"
    return step_message.subject("journal to hot", arriving, f"of instance {journal.instance.number}", nothing=nothing)


def _request(
    view: View, settings: Settings, journal: Journal, exact: Sequence[Fragment], prose: Sequence[Fragment]
) -> Request:
    """Return what a compressor is asked about the prose, beside what hot memory says already."""
    present = Present(view.by(_HOT, extractive.sayings), journal.instance)
    room = free((fragment for path in paths.HOT for fragment in view.tier(path).fragments), settings.wake_hot)
    budget = max(room, prose_budget(journal.size, settings.ratio_hot, exact, prose))
    weights = focus.recent_weights(view, journal.instance)
    return Request("journal to hot", settings.ratio_hot, budget, tuple(prose), present, name_worths=weights)


def _edited(
    view: View, journal: Journal, cut: Sequence[Piece], refused: Collection[Address]
) -> list[tuple[Piece, Fragment | None]]:
    """Return the pieces that are fragments as people left them: None where their words were taken out by hand."""
    elsewhere = {*refused, *apart(view, journal)}
    return [
        (piece, view.edits.applied(piece.fragment))
        for piece in cut
        if piece.fragment and piece.fragment.identity not in elsewhere
    ]


def _settled(view: View, journal: Journal, pairs: Iterable[tuple[Piece, Fragment]]) -> Settled:
    """Return what a journal makes of what was noticed, in it and before."""
    fragments = [fragment for _, fragment in pairs]
    own = [verdict for entry in journal.entries if (verdict := verdicts.of_entry(entry))]
    arriving = [fragment for fragment in fragments if fragment.is_noticed]
    return noticed.settle(view, arriving, [fragment for fragment in fragments if fragment.is_record], own)


def _rejected(settled: Settled) -> Iterator[Fate]:
    """Yield the fates of what was noticed in the tiers and rejected."""
    for _, fragment in sorted(settled.leaving):
        if why := settled.rejected.get(fragment.identity):
            yield Fate(fragment, DROPPED, None, why)


def _parted(
    pairs: Sequence[tuple[Piece, Fragment]], whole: frozenset[Address], most: int
) -> tuple[list[Fragment], list[tuple[Piece, Fragment]]]:
    """Return what no ratio touches, records and what is kept in its words, and the prose with its pieces.

    Of what was noticed and waits for a word the last so many are kept in their words.
    """
    exact: list[Fragment] = []
    prose: list[tuple[Piece, Fragment]] = []
    asked = [fragment.identity for _, fragment in pairs if fragment.is_asked]
    whole |= frozenset(asked[max(0, len(asked) - most) :])
    for piece, fragment in pairs:
        if fragment.is_record or fragment.identity in whole:
            exact.append(fragment)
        else:
            prose.append((piece, fragment))
    return exact, prose


def _of(pieces: Iterable[Piece], addresses: Collection[Address]) -> list[Piece]:
    return [piece for piece in pieces if piece.fragment and piece.fragment.identity in addresses]


def _dropped(pieces: Iterable[Piece], why: str) -> dict[int, Fate]:
    """Return the fate of pieces whose fragments no compressor was asked about, by the piece's id."""
    return {id(piece): Fate(piece.fragment, DROPPED, None, why) for piece in pieces if piece.fragment}


def put_back(view: View, settings: Settings, fragments: Sequence[Fragment], changes: Changes) -> dict[str, str | None]:
    """Return what hot memory and other tiers become with records that had gone, and with those that moves changed."""
    return _writes(view, settings, fragments, changes, ())


def without(view: View, settings: Settings, leaving: Collection[tuple[str, Fragment]]) -> dict[str, str | None]:
    """Return what the tiers become without fragments, each with the path where it stands."""
    changes = {(path, fragment): fragment for path, fragment in leaving}
    return _writes(view, settings, (), changes, frozenset(leaving))


def apart(view: View, journal: Journal) -> frozenset[Address]:
    """Return the addresses of the entries whose line a person wrote into a tier, where it stands."""
    entered = {entry.address for entry in journal.entries if entry.field("stands in")}
    if not entered:
        return frozenset()
    return frozenset(address for _, fragment in view.placed() for address in fragment.addresses if address in entered)


def _superseding(view: View, arriving: Sequence[Fragment]) -> tuple[list[Fragment], Changes]:
    """Return what arrives and what it changes of prose in hot and warm memory that it tells anew: each names the other.

    Only of the same kind, and word for word but for its measures (`similarity.single`).
    """
    now = list(arriving)
    changes: Changes = {}
    standing = [view.by(folder, _measures) for folder in (_HOT, paths.WARM)]
    for kind in dict.fromkeys(fragment.kind for fragment in arriving if not fragment.is_record):
        ours = [index for index, fragment in enumerate(arriving) if fragment.kind == kind]
        for at, masked in similarity.single([arriving[index].text for index in ours]).items():
            new = arriving[ours[at]]
            olds = [place for groups in standing for place in groups.of((kind, masked))]
            if past := [place for place in olds if _is_told_anew(place[1], new)]:
                now[ours[at]] = new.with_field(SUPERSEDES, _names(past))
                changes |= {place: place[1].with_field(SUPERSEDED_BY, str(new.identity)) for place in past}
    return now, changes


def _is_told_anew(old: Fragment, new: Fragment) -> bool:
    return similarity.tells_anew(new.text, old.text) and not old.instances & new.instances


def _measures(fragment: Fragment) -> tuple[tuple[str, str], ...]:
    """Return what leads to prose from what tells it anew: its kind, and its text with the measures masked."""
    if fragment.is_record or fragment.is_superseded or not (masked := similarity.masked(fragment.text)):
        return ()
    return ((fragment.kind, masked),)


def _names(places: Iterable[tuple[str, Fragment]]) -> str:
    return ", ".join(dict.fromkeys(str(fragment.identity) for _, fragment in places))


def _whole(journal: Journal) -> frozenset[Address]:
    """Return the addresses of the prose that no ratio touches: the tone that the instance closed with, its handoffs."""
    closing = register.closing_tone(journal.entries)
    handoffs = (entry for entry in journal.entries if entry.kind == "handoff" and not entry.source)
    own = {closing.address} if closing else set()
    return frozenset(own.union(entry.address for entry in handoffs))


def _absent(
    view: View, instance: InstanceId, fragments: Sequence[Fragment], back: Collection[Fragment]
) -> list[Fragment]:
    """Return the fragments that no tier has yet: taken twice a step adds nothing, nor if git took its cycle's line."""
    older = {
        fragment.identity for folder in (paths.WARM, paths.COLD) for _, fragment in view.said_by((instance,), folder)
    }
    there: dict[Address, list[str]] = {}
    for _, fragment in view.said_by({fragment.identity.instance for fragment in fragments}, _HOT):
        for address in fragment.addresses:
            there.setdefault(address, []).append(fragment.text)
    return [
        fragment
        for fragment in fragments
        if (fragment.identity not in older or fragment in back)
        and (fragment.identity not in there or not (fragment.is_record or fragment.text in there[fragment.identity]))
    ]


def _carried_out(view: View, journal: Journal, fresh: Sequence[Fragment]) -> tuple[Changes, tuple[str, ...]]:
    """Return what the journal's events make of records (the path of a fresh one is ""), and which cannot be made."""
    events = _events(view, journal)
    named = view.naming(entry.field("record") for entry in events)
    placed = [("", fragment) for fragment in fresh] + [(at, fragment) for at, fragment in named if fragment.is_record]
    now: dict[Address, tuple[str, Fragment, Fragment]] = {
        fragment.identity: (at, fragment, fragment) for at, fragment in reversed(placed)
    }
    passed = []
    for entry in events:
        standing = (register.Record(record[2], record[0]) for record in now.values())
        record = register.find(standing, entry.field("record"), entry.address.instance)
        if record is None:
            if not late_moves.is_open_elsewhere(view, entry.field("record")):  # else it is made when that is slept on
                passed.append(f"passed over {entry.address}: it cannot be told which record {entry.field('record')} is")
            continue
        if entry.address in record.fragment.addresses:
            continue
        try:
            after = register.moved(record.fragment, entry.field("to"), register.says(entry), entry.address)
        except MoveError as error:
            passed.append(f"passed over {entry.address}: {error.what}")
            continue
        at, old, _ = now[after.identity]
        now[after.identity] = (at, old, after)
    return {(at, old): new for at, old, new in now.values() if old != new}, tuple(passed)


def _events(view: View, journal: Journal) -> list[Entry]:
    """Return the moves that a journal says, and those of later instances that were slept on first."""
    later = (entry for path in late_moves.slept_before(view, journal.instance) for entry in view.journal(path).entries)
    return [entry for entry in (*journal.entries, *later) if register.is_move(entry)]


def _writes(
    view: View,
    settings: Settings,
    arriving: Iterable[Fragment],
    changes: Changes,
    leaving: Collection[tuple[str, Fragment]],
) -> dict[str, str | None]:
    """Return the tiers with what arrives in hot memory, what changes elsewhere, and without what leaves its place."""
    adding: dict[str, list[Fragment]] = {}
    for fragment in arriving:
        adding.setdefault(paths.hot_of(fragment.kind), []).append(fragment)
    replaced: dict[str, dict[Fragment, Fragment]] = {}
    left: dict[str, list[Fragment]] = {}
    for (at, old), new in changes.items():
        if (at, old) in leaving:
            left.setdefault(at, []).append(old)
        else:
            replaced.setdefault(at, {})[old] = new
    writes: dict[str, str | None] = {}
    for at in sorted({*adding, *replaced, *left}):
        now = writes.get(at, view.read(at)) or ""
        changed = replaced.get(at, {})
        text = tier.write(now, drop=left.get(at, ()), replace=changed, add=adding.get(at, ()), title=topics.titled(at))
        limit = max(settings.topic_tokens, tokens.count(view.read(at) or ""))
        if paths.tier_of(at) != "hot" and tokens.count(text) > limit:
            # A state and its reason made the topic too long: what they changed goes on in a further part.
            shorter = tier.write(now, drop=[*left.get(at, ()), *changed])
            rest = View(Overlay(view.tree, {**writes, at: shorter}))
            moving = [(paths.topic_of(at), text) for text in changed.values()]
            writes |= {at: shorter, **topics.put(rest, at.rpartition("/")[0] + "/", moving, settings.topic_tokens)}
            text = writes[at] or ""
        writes[at] = text if at in paths.HOT else topics.emptied(text)
    return writes


def _account(
    journal: Journal, cut: Sequence[segments.Piece], fates: Mapping[int, Fate], folded: Mapping[Address, Address]
) -> tuple[Span, ...]:
    spans = segments.frame(journal.text, cut)
    for piece in cut:
        fate = fates.get(id(piece))
        if piece.fragment is None:
            spans.append(Span(piece.start, piece.end, "referenced", "stays in the journal at its address"))
        elif fate is None:
            into = folded.get(piece.fragment.identity)
            spans.append(Span(piece.start, piece.end, "merged" if into else "kept", str(into or "")))
        elif fate.fate == SHORTENED:
            spans += _sentences(journal.text, piece, fate)
        else:
            spans.append(Span(piece.start, piece.end, fate.fate, fate.detail))
    return tuple(sorted(spans))


def _sentences(text: str, piece: segments.Piece, fate: Fate) -> list[Span]:
    """Return the spans of a piece that was shortened: the labels and sentences that stay, and what lies between."""
    edges = [edge for run in fate.parts for edge in run]
    places = [piece.start + at for at in segments.located(text[piece.start : piece.end], fate.before.text, edges)]
    if extractive.cut(fate.before.text).lead and not fate.parts[0][0]:
        places[0] = piece.start  # the marker before the label is the label's
    spans: list[Span] = []
    at = piece.start
    for start, end in zip(places[::2], places[1::2], strict=True):
        if start > at:
            spans.append(Span(at, start, DROPPED, extractive.LESS))
        if end > start:
            spans.append(Span(start, end, WHOLE, ""))
        at = max(at, end)
    if at < piece.end:
        rest = text[at : piece.end]
        spans.append(Span(at, piece.end, DROPPED, extractive.LESS) if _says(rest) else Span(at, piece.end, WHOLE, ""))
    return spans


def _says(run: str) -> bool:
    """True for a run that holds more than white space and marks."""
    return bool(addressing.MARK.sub("", run).strip())
