"""Settling what waits: to confirm, to correct, to reject, each as entries of the open journal.

Owns what each word makes: what was noticed becomes a record that says whose word it is, or is rejected for good; of two
that are at odds one holds, and the other is closed; a decision that is due is kept. Refuses what nobody asks and no
tier tells, and to touch a tier: the next sleep carries it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import register
from sleep.documents.entries import CONFIRMS, CORRECTS
from sleep.documents.journal import Draft
from sleep.documents.verdicts import REJECTED
from sleep.errors import UsageError
from sleep.journal import change_of_mind, named_record, writer
from sleep.memory import noticed, place
from sleep.memory.view import View
from sleep.records import kinds, near_handles
from sleep.records.fragment import QUOTATION, SOURCE
from sleep.review import agenda
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.journal.writer import NewEntry
    from sleep.memory.place import Place
    from sleep.records.fragment import Fragment
    from sleep.review.agenda import Item

CONFIRM, CORRECT, REJECT = "confirm", "correct", "reject"
PERSON, AGENT = "person", "agent"
_HINT = "sleepwake review"


class Word(NamedTuple):
    """What somebody says of what waits: `verdict`, whose word it is (`by`), the right words, a kind, and a reason."""

    verdict: str
    by: str
    text: str = ""
    kind: str = ""
    why: str = ""


class Settled(NamedTuple):
    """What a word did: of which record, the record that it made ("" for none), what was closed, and the entries."""

    handle: str
    says: str
    verdict: str
    record: str
    closed: tuple[str, ...]
    addresses: tuple[str, ...]


class _Plan(NamedTuple):
    """The entry that says it, None where closing the others says all; what is closed, and why where nobody says it."""

    draft: Draft | None
    closing: tuple[Fragment, ...] = ()
    why: str = ""


def settle(where: Place, now: str, handles: Sequence[str], word: Word, *, dry_run: bool = False) -> list[Settled]:
    """Journal what somebody says of what waits, all or nothing.

    Raises:
        UsageError: something does not wait, or a correction says nothing.
        MoveError: a record cannot be closed.
    """
    if word.verdict == CORRECT and not (word.text.strip() or word.why.strip()):
        raise UsageError("a correction needs the right words (--text, or - for standard input; --why for a reason)")
    if word.kind and not kinds.is_record(word.kind):
        raise UsageError(f"{word.kind!r} is no kind of record ({', '.join(kind.name for kind in kinds.RECORDS)})")
    if dry_run:
        return _settle(where, now, handles, word, dry_run=True)
    with place.jotting(where, f"review.{word.verdict}"):
        return _settle(where, now, handles, word, dry_run=False)


def _settle(where: Place, now: str, handles: Sequence[str], word: Word, *, dry_run: bool) -> list[Settled]:
    view = View(WorkTree(where.root))
    listed = agenda.items(view, where.settings.review_most, now)
    listed += agenda.stale(view, where.settings.review_stale, now)
    planned = [_planned(view, listed, handle, word) for handle in dict.fromkeys(handles)]
    return [_applied(where, now, fragment, plan, word, dry_run=dry_run) for fragment, plan in planned]


def _planned(view: View, listed: Sequence[Item], handle: str, word: Word) -> tuple[Fragment, _Plan]:
    """Return the record that a handle names, and what a word makes of it."""
    known = _known(view, handle)
    wanted = register.exact(handle).casefold()
    sides = [(item, side) for item in listed for side in (item.fragment, *item.against)]
    own = [(item, side) for item, side in sides if wanted in (side.number.casefold(), str(side.identity))]
    if not own:
        return _not_asked(view, handle, [side for _, side in sides], known, word)
    fragment = own[0][1]
    others = [side for item, _ in own for side in (item.fragment, *item.against) if side.identity != fragment.identity]
    plan = _of_noticed(fragment, others, word) if fragment.is_noticed else _of_stated(view, fragment, others, word)
    if word.verdict == REJECT and own[0][0].sort == agenda.STALE:
        plan = plan._replace(why=own[0][0].why)
    for other in plan.closing:
        _closing(other, "D-0", word, plan.why)  # a move that is not legal is told before anything is written
    return fragment, plan


def _known(view: View, handle: str) -> list[Fragment]:
    """Return the stated record that a handle names, or none; raises UsageError where a number names several."""
    records = view.records.values()
    known = register.named(records, handle)
    if len(known) > 1:
        named_record.find(records, known[0].fragment.stated_kind, handle)
    return [record.fragment for record in known]


def _not_asked(
    view: View, handle: str, sides: Sequence[Fragment], known: Sequence[Fragment], word: Word
) -> tuple[Fragment, _Plan]:
    """Return what a word makes of what nobody asks about; raises UsageError where it makes nothing.

    What was noticed and is still told is settled by its address, and any record that holds can be corrected.
    """
    wanted = register.exact(handle).casefold()
    if old := noticed.aged(view, wanted):
        return old, _of_noticed(old, (), word)
    if word.verdict == CORRECT and known and known[0].is_open:
        if known[0].field(SOURCE) == PERSON != word.by:
            raise UsageError(f"{handle} is a person's word (would be right: --said-by person, where they say so)")
        return known[0], _of_stated(view, known[0], (), word)
    near = near_handles.meant(wanted, (name for side in sides for name in register.handles(side)))
    hint = f"sleepwake {kinds.KINDS[known[0].kind].command}.show {handle}" if known else _HINT
    raise UsageError(f"{handle} does not wait for review{near}", hint=hint)


def _of_noticed(fragment: Fragment, others: Sequence[Fragment], word: Word) -> _Plan:
    if word.verdict == REJECT:
        return _Plan(None, (fragment,))
    kind = word.kind or fragment.stated_kind
    fields = {name: value for name, value in fragment.fields if name in (*kinds.KINDS[kind].fields, "thread")}
    fields |= {"why": word.why} if word.why else {}
    text, name = (word.text or fragment.text, CORRECTS) if word.verdict == CORRECT else (fragment.text, CONFIRMS)
    fields |= {name: str(fragment.identity), QUOTATION: fragment.text if name == CORRECTS else "", SOURCE: word.by}
    return _Plan(Draft(kind, text, fields=_filled(fields)), tuple(others))


def _of_stated(view: View, fragment: Fragment, others: Sequence[Fragment], word: Word) -> _Plan:
    if word.verdict == REJECT:
        return _Plan(None, (fragment,))
    if word.verdict == CORRECT:
        stays = (*kinds.KINDS[fragment.kind].fields, "thread", kinds.COMMIT)
        fields = {name: value for name, value in fragment.fields if name in stays}
        entry = view.entry(fragment.identity)
        fields |= {"topic": entry.field("topic") if entry else ""}  # of the entry alone, no fragment has it
        fields |= {"why": word.why} if word.why else {}
        draft = Draft(
            word.kind or fragment.kind, word.text or fragment.text, fields=_filled({**fields, SOURCE: word.by})
        )
        return _Plan(draft, (fragment,))
    if others:
        return _Plan(None, tuple(others))
    fields = {"record": register.reference(fragment), "to": register.REVIEW, "reason": word.why, SOURCE: word.by}
    return _Plan(Draft(kinds.event(fragment.kind), f"{fragment.handle} kept", fields=_filled(fields)))


def _applied(where: Place, now: str, fragment: Fragment, plan: _Plan, word: Word, *, dry_run: bool) -> Settled:
    """Write a plan's entries, or in a dry run none."""
    record, addresses = "", []
    if plan.draft:
        states = kinds.is_record(plan.draft.kind)
        if not dry_run:
            made = _journaled(where, now, plan.draft, settles=True)
            addresses.append(str(made.address))
            record = made.number or str(made.address) if states else ""
    holds = record or (fragment.handle if plan.draft is None and word.verdict == CONFIRM else "")
    for other in plan.closing:
        closing = _closing(other, holds, word, plan.why)
        if not dry_run:
            addresses.append(str(_journaled(where, now, closing).address))
    closed = tuple(other.handle for other in plan.closing)
    return Settled(fragment.handle, fragment.text, word.verdict, record, closed, tuple(addresses))


def _journaled(where: Place, now: str, draft: Draft, *, settles: bool = False) -> NewEntry:
    return writer.write(where, now, lambda _: draft, settles=settles)


def _closing(fragment: Fragment, holds: str, word: Word, why: str = "") -> Draft:
    """Return the entry that closes a record because another `holds`, or for a reason; MoveError as in `moved`.

    `why` is the reason where the word gives none.
    """
    if fragment.is_noticed:
        return _rejection(fragment, word)
    is_named = change_of_mind.names(fragment, holds)
    corrected = "corrected: " * (word.verdict == CORRECT)  # else a task would read as dropped, a rule as lifted
    reasons = (f"{corrected}{holds} holds" if holds and not is_named else "", word.why or why)
    reason = "; ".join(filter(None, reasons)) or ("" if is_named else "rejected in review")
    return change_of_mind.event(fragment, holds, reason, {SOURCE: word.by})


def _rejection(fragment: Fragment, word: Word) -> Draft:
    """Return the entry that says that what was noticed is no record; it quotes it, to know it again."""
    fields = {"record": str(fragment.identity), "to": REJECTED, QUOTATION: fragment.text, "reason": word.why}
    fields[SOURCE] = word.by
    return Draft(kinds.event(fragment.stated_kind), f"{fragment.handle} {REJECTED}", fields=_filled(fields))


def _filled(fields: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in fields.items() if value)
