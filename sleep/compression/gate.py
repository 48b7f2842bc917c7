"""The gate: what must be true of a step's outcome before it is committed, whoever wrote it.

Owns the checks of section 6 of the design. Takes the documents before and after; raises with a list of what is missing.
Refuses to mend anything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.compression.novelty import strange
from sleep.documents import front_matter, paths, tier
from sleep.documents.register import AGENT
from sleep.errors import GateError, SecretError
from sleep.language import dates, tokens
from sleep.memory import groups
from sleep.plurals import several
from sleep.records import address as addressing
from sleep.records.fragment import SOURCE
from sleep.records.kinds import KINDS
from sleep.records.relations import equality
from sleep.redaction import secret_scan
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.compression.segments import Span
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

_WORD = re.compile(r"[^\W_]+")
_HEADING = re.compile(r"(?m)^### (.+)$")
_BY_AGENT = re.compile(rf"(?m)^  - {SOURCE}: {AGENT}\r?$")  # the field of what was noticed and nobody says who said it
_MOST = 12

# What the program adds of its own: states, field names, parts of topics, and the words of its notes.
_OWN = frozenset(
    word
    for words in (
        "superseded supersedes by also merged derived part",
        *(state for kind in KINDS.values() for state in kind.states),
        *(name for kind in KINDS.values() for name in kind.fields),
        "status source thread imported quotation transcript reviewed",
    )
    for word in words.split()
)
_OURS = _OWN | {word.casefold() for kind in KINDS.values() for word in _WORD.findall(f"{kind.name} {kind.plural}")}


class _Change(NamedTuple):
    """A change of a document: the lines that only its text before has, or only its text after; `parsed`, its fragments.

    What stays as it is belongs to neither `gone` nor `come`.
    """

    path: str
    before: str
    after: str
    removed: str
    added: str
    gone: Sequence[Fragment] = ()
    come: Sequence[Fragment] = ()

    def parsed(self) -> _Change:
        """Return the change with what goes and comes."""
        if not paths.tier_of(self.path) or self.before == self.after:
            return self
        gone, come = groups.difference(tier.parse(self.before).fragments, tier.parse(self.after).fragments)
        return self._replace(gone=gone, come=come)


def check(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    sources: Sequence[str] = (),
    entering: Sequence[Fragment] = (),
    spans: Sequence[Span] = (),
    source: str = "",
    topic_limit: int = 0,
    known: Sequence[str] = (),
    own_words: bool = False,
) -> None:
    """Raise GateError, with everything that is wrong, unless the outcome may be committed.

    Args:
        before: every tier document that the step reads or writes, by path, as it was.
        after: the same paths as they will be; "" for one that is deleted.
        sources: further texts that words may come from (the journal).
        entering: records that the journal brings; each must stand in a register afterwards.
        spans: the account of the journal; they must cover it exactly.
        source: the journal's text; "" when there is no account to check.
        topic_limit: tokens of a topic file, 0 for none.
        known: values of secrets, which may not appear.
        own_words: the compressor may use ordinary words of its own (see `strange`); the extractive one may not.

    Raises:
        SecretError: a secret would be committed.
        GateError: a record, a span, an address or a word is not what it must be; `what` lists them.
    """
    changes = [change.parsed() for change in _changes(before, after)]
    faults = [
        *_missing_records(changes, entering),
        *_account_faults(spans, source),
        *_address_faults(changes, sources, entering),
        *(_invented_names if own_words else _invented_words)(changes, sources),
        *_oversized_topics(before, after, topic_limit),
        *_front_matter_faults(after),
    ]
    if faults:
        shown = "; ".join(faults[:_MOST]) + (f"; and {len(faults) - _MOST} more" if len(faults) > _MOST else "")
        raise GateError(shown, where="the step was not taken", hint="nothing was changed; sleepwake help recovery#gate")
    _refuse_secrets(changes, known)


def refuse_invented(before: Mapping[str, str], after: Mapping[str, str], sources: Sequence[str]) -> None:
    """Raise GateError if a tier's document has a word that stood in no document before and in no source."""
    if faults := _invented_words(_changes(before, after), sources):
        raise GateError("; ".join(faults[:_MOST]))


def refuse_broken(after: Mapping[str, str]) -> None:
    """Raise GateError if front matter cannot be read."""
    if faults := _front_matter_faults(after):
        raise GateError("; ".join(faults), hint="nothing was changed; sleepwake help recovery#gate")


def refuse_secrets(before: Mapping[str, str], after: Mapping[str, str], known: Sequence[str]) -> None:
    """Raise SecretError, with the place, if a line that was not there before has a secret."""
    _refuse_secrets(_changes(before, after), known)


def _refuse_secrets(changes: Iterable[_Change], known: Sequence[str]) -> None:
    for change in changes:
        if secrets := secret_scan.find(change.added, known):
            raise SecretError(
                f"a secret ({secrets[0].kind}) would be committed",
                where=change.path,
                hint="sleepwake memory.redact FILE",
            )


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[_Change]:
    return [_change(path, before.get(path, ""), after.get(path, "")) for path in {**before, **after}]


def _change(path: str, before: str, after: str) -> _Change:
    if before == after:
        return _Change(path, before, after, "", "")
    lines, now = before.split("\n"), after.split("\n")
    there, here = set(lines), set(now)
    removed = "\n".join([line for line in lines if line not in here])
    added = "\n".join([line for line in now if line not in there])
    return _Change(path, before, after, removed, added)


def _missing_records(changes: Sequence[_Change], entering: Sequence[Fragment]) -> list[str]:
    """Return which open records are gone, or do not enter: what stays as it is is not looked at."""
    moved = [*(fragment for change in changes for fragment in change.gone), *entering]
    arrivals = (fragment for change in changes for fragment in change.come)
    missing = _lost_records((fragment for fragment in moved if fragment.is_open), arrivals)
    if not missing:
        return []
    # Another record that stays as it is may say the same.
    texts = (change.after for change in changes if paths.tier_of(change.path))
    there = [fragment for text in texts for fragment in tier.parse(text).fragments]
    known = _by_address(there)
    return [
        f"{fragment.kind} {fragment.handle} {'lost words' if fragment.identity in known else 'is in no register'}"
        for fragment in _lost_records(missing, there)
    ]


def _lost_records(records: Iterable[Fragment], there: Iterable[Fragment]) -> list[Fragment]:
    """Return the records that none of those there keeps."""
    known = _by_address(there)
    return [record for record in records if not any(_keeps(record, other) for other in known.get(record.identity, ()))]


def _addresses(fragments: Iterable[Fragment]) -> set[Address]:
    return {address for fragment in fragments for address in fragment.addresses}


def _by_address(fragments: Iterable[Fragment]) -> dict[Address, list[Fragment]]:
    """Return the records by their addresses: one that says the same may have been folded into another."""
    there: dict[Address, list[Fragment]] = {}
    for fragment in fragments:
        if fragment.is_record:
            for address in fragment.addresses:
                there.setdefault(address, []).append(fragment)
    return there


def _keeps(before: Fragment, after: Fragment) -> bool:
    """Return whether a record afterwards is the one before, with all its words, or was moved by an event."""
    if not after.is_open:
        return not set(after.addresses) <= set(before.addresses)  # an event moved it, whose address it has now
    fields = dict(after.fields)
    known = set(KINDS[before.kind].fields)
    if not set(after.addresses) <= set(before.addresses):
        known -= set(KINDS[before.kind].amends)  # an event said it anew
    return (after.text == before.text or equality.is_repeated(after, before)) and all(
        fields.get(name) == value for name, value in before.fields if name in known
    )


def _account_faults(spans: Sequence[Span], source: str) -> list[str]:
    """Return where the spans do not cover the journal exactly, or do not say why something was dropped."""
    if not source:
        return []
    at = 0
    for span in spans:
        if span.start != at:
            low, high = sorted((at, span.start))
            return [f"characters {low} to {high} of the journal are accounted for wrongly"]
        if span.fate in ("dropped", "merged") and not span.detail:
            return [f"characters {span.start} to {span.end} of the journal are {span.fate} without a reason"]
        at = span.end
    return [] if at == len(source) else [f"the last {len(source) - at} characters of the journal are not accounted for"]


def _address_faults(changes: Sequence[_Change], sources: Sequence[str], entering: Sequence[Fragment]) -> list[str]:
    """Return the addresses that lead nowhere, and how many lines without one there are more than before."""
    strange = _strange_addresses(changes, sources, entering)
    faults = [
        f"{change.path}: {address} leads nowhere"
        for change in changes
        for fragment in (change.come if strange else ())
        for address in fragment.addresses
        if address in strange
    ]
    for change in changes:
        if paths.tier_of(change.path) and change.before != change.after:
            bare = len(tier.parse(change.after).unaddressed) - len(tier.parse(change.before).unaddressed)
            faults += [f"{change.path}: {several(bare, 'line')} without an address"] if bare > 0 else []
    return faults


def _strange_addresses(
    changes: Sequence[_Change], sources: Sequence[str], entering: Sequence[Fragment]
) -> set[Address]:
    """Return the addresses of new fragments that no removed or entering fragment, source or earlier document has."""
    strange = {address for change in changes for address in _addresses(change.come)} - _addresses(entering)
    strange.difference_update(*(_addresses(change.gone) for change in changes))
    for text in sources if strange else ():
        strange.difference_update(addressing.addresses(text))
    for change in changes if strange else ():
        if paths.tier_of(change.path):
            strange -= _addresses(tier.parse(change.before).fragments)
    return strange


def _invented_words(changes: Sequence[_Change], sources: Sequence[str]) -> list[str]:
    """Return the words that tiers gain and that stood in no document before and in no source."""
    new = {change.path: _own_words(change) for change in changes if paths.tier_of(change.path) and change.added}
    # What moves stood in the lines that go: whole documents are read only for what is in none of these.
    gone = "\n".join(change.removed for change in changes)
    for text in (*sources, gone, *(change.before for change in changes)):
        if not any(new.values()):
            break
        there = _words(text)
        new = {path: {word for word in words if word.casefold() not in there} for path, words in new.items()}
    return [f"{path}: not in the input: {', '.join(sorted(words)[:_MOST])}" for path, words in new.items() if words]


def _own_words(change: _Change) -> set[str]:
    """Return the words that are added and are not the program's, nor in the path."""
    own = {word.casefold() for word in _WORD.findall(change.path)} | _OURS
    return {word for word in set(_WORD.findall(_new_words(change))) if word.casefold() not in own}


@lru_cache(maxsize=4)  # every step of a cycle has the same journal for its source
def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in set(_WORD.findall(text)))


def _invented_names(changes: Sequence[_Change], sources: Sequence[str]) -> list[str]:
    """Return the names, numbers, paths and ids that are not in the input, of text in a compressor's own words."""
    kinds = (f"{kind.name} {kind.plural}" for kind in KINDS.values())
    input_ = "\n".join((*(change.before for change in changes), *sources, *kinds, *sorted(_OWN)))
    faults = []
    for change in changes:
        if not paths.tier_of(change.path):
            continue
        if words := strange(_new_words(change), f"{input_}\n{change.path}"):
            faults.append(f"{change.path}: not in the input: {', '.join(sorted(words)[:_MOST])}")
    return faults


def _oversized_topics(before: Mapping[str, str], after: Mapping[str, str], limit: int) -> list[str]:
    """Return the topic files that grew above the limit of tokens and could be split."""
    faults = []
    for path, text in after.items():
        if not limit or paths.tier_of(path) not in ("warm", "cold"):
            continue
        size = tokens.count(text)
        if size > limit and size > tokens.count(before.get(path, "")) and len(tier.parse(text).fragments) > 1:
            faults.append(f"{path} has {size} tokens (at most {limit})")
    return faults


def _front_matter_faults(after: Mapping[str, str]) -> list[str]:
    """Return the documents whose front matter cannot be read."""
    faults = []
    for path, text in after.items():
        try:
            front_matter.read(text)
        except ValueError as error:
            faults.append(f"{path}: front matter: {error}")
    return faults


def _new_words(change: _Change) -> str:
    """Return what is added, without our own marks, the days that head fragments, and who noticed what nobody said."""
    words = addressing.MARK.sub(" ", _BY_AGENT.sub("", change.added))
    return _HEADING.sub(lambda heading: "" if dates.is_heading(heading[1].strip()) else heading[0], words)
