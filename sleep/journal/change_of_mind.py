"""Change of mind as it is journaled: what a new record takes the place of, and what it is at odds with.

Owns what follows from `oppositions` when a decision or a constraint is journaled: where it says in so many words that
one older record holds no more, the entry that closes that one; where it only says otherwise, the field that names it,
and `review` asks. Refuses to close what a person or a document laid down by anybody's word but a person's, what was
only noticed, and where several records could be meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.documents.entries import CONFIRMS, CORRECTS
from sleep.documents.journal import Draft
from sleep.language import terms
from sleep.records import kinds
from sleep.records.fragment import SOURCE, TRANSCRIPT, Fragment
from sleep.records.kinds import AT_ODDS, BINDING, NOTICED
from sleep.records.relations import equality, oppositions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.records.address import Address
    from sleep.records.kinds import Move

_PERSON = "person"
_OWN = ("", "agent")  # sources of what an instance said itself
_SO = "said in so many words"
_SHARED, _NEAR = 3, 0.6  # terms of two records that are near to each other, and their share of the shorter's


def concerns(draft: Draft) -> bool:
    """Return whether a draft may take the place of a record: a choice or a rule that settles nothing in `review`."""
    return draft.kind in BINDING and not {CONFIRMS, CORRECTS} & dict(draft.fields).keys()


def at_odds(draft: Draft, standing: Iterable[Fragment]) -> Draft:
    """Return a draft that names the one record that holds and says otherwise, where it does not take its place."""
    words = draft.words
    others = [record for record in _binding(standing) if oppositions.compare(record.text, words)]
    if len(others) != 1 or superseded(draft, others):
        return draft
    return draft._replace(fields=(*draft.fields, (AT_ODDS, register.reference(others[0]))))


def superseded(draft: Draft, standing: Iterable[Fragment]) -> Fragment | None:
    """Return the one record whose place a draft takes in so many words, None for none or several."""
    words = draft.words
    if draft.standing == NOTICED or not oppositions.reverses(words):
        return None
    meant = [record for record in _binding(standing) if oppositions.supersedes(record.text, words)]
    return meant[0] if len(meant) == 1 and _may_close(draft, meant[0]) else None


def repeated(draft: Draft, address: Address, standing: Iterable[Fragment]) -> str:
    """Return what a person calls the record that says what a draft at an address says, "" for none."""
    new = Fragment(draft.kind, draft.words, (address,), draft.number, draft.fields)
    return next((record.handle for record in standing if equality.is_repeated(record, new)), "")


def near(draft: Draft, address: Address, standing: Iterable[Fragment]) -> str:
    """Return what a person calls the record nearest to a draft, which may take its place; "" for none that is near.

    Near is one of its kind that has three of its terms, and three fifths of those of the shorter of the two. What was
    only noticed takes no place, and an agent's words none of a person's.
    """
    if draft.standing == NOTICED:
        return ""
    own = terms.terms(draft.words)
    shares = {
        record.handle: len(shared) / min(len(own), len(others))
        for record in _binding(standing)
        if record.kind == draft.kind
        and record.identity != address
        and _may_close(draft, record)
        and len(shared := own & (others := terms.terms(record.text))) >= _SHARED
    }
    nearest = max(shares, key=lambda handle: shares[handle], default="")
    return nearest if shares.get(nearest, 0.0) >= _NEAR else ""


def closing(record: Fragment, holds: str, draft: Draft) -> Draft:
    """Return the entry that closes a record because what a draft became, `holds`, takes its place."""
    fields = dict(draft.fields)
    says = {SOURCE: fields.get(SOURCE, ""), TRANSCRIPT: fields.get(TRANSCRIPT, "")}
    return event(record, holds, _SO if names(record, holds) else f"{holds} holds, {_SO}", says)


def event(record: Fragment, holds: str, reason: str, says: dict[str, str]) -> Draft:
    """Return the entry that closes a record because another `holds` ("" for none), or for a reason; more fields last.

    Raises MoveError as `register.moved` does.
    """
    move = _move(record, holds)
    by = holds if move.says == "by" else ""
    register.moved(record, move.to, "; ".join(filter(None, (by and f"by {by}", reason))), record.identity)
    fields = {"record": register.reference(record), "to": move.to, "by": by, "reason": reason, **says}
    known = tuple(field for field in fields.items() if field[1])
    return Draft(kinds.event(record.kind), f"{record.handle} {move.to}", fields=known)


def names(record: Fragment, holds: str) -> bool:
    """Return whether what holds can take a record's place by its number: another of its kind, and a kind that says so.

    A decision is superseded by another; a thread that another takes the place of is abandoned for a reason.
    """
    is_said = any(move.says == "by" for move in kinds.KINDS[record.kind].moves)
    return is_said and bool(holds) and bool(record.number) and holds[0] == record.number[0]


def _move(record: Fragment, holds: str) -> Move:
    """Return the move that closes a record: by what holds, where that has a number of its kind, else for a reason.

    What is given up has such a move of its own (a task is dropped, and not done); other kinds are closed by their one.
    """
    kind = kinds.KINDS[record.kind]
    moves = [move for move in kind.moves if record.state in move.origins and not kind.is_open(move.to)]
    replaced = [move for move in moves if move.says == "by" and names(record, holds)]
    for_reason = [move for move in moves if move.says == "reason"]
    return next(iter(replaced or for_reason or [move for move in moves if move.says != "by"]))


def _may_close(draft: Draft, record: Fragment) -> bool:
    return dict(draft.fields).get(SOURCE, "") == _PERSON or record.field(SOURCE) in _OWN


def _binding(records: Iterable[Fragment]) -> Sequence[Fragment]:
    return [record for record in records if record.kind in BINDING and record.is_open]
