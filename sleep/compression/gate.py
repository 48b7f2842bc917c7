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
from sleep.errors import GateError, SecretError
from sleep.language import dates, tokens
from sleep.records import address as addressing
from sleep.records.kinds import KINDS
from sleep.redaction import secret_scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.compression.segments import Span
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

_WORD = re.compile(r"[^\W_]+")
_HEADING = re.compile(r"(?m)^### (.+)$")
_MOST = 12
# What the program adds of its own: states, field names, parts of topics, and the words of its notes.
_OWN = frozenset(
    word
    for words in (
        "superseded supersedes by merged derived part",
        *(state for kind in KINDS.values() for state in kind.states),
        *(name for kind in KINDS.values() for name in kind.fields),
        "status source thread imported quotation transcript reviewed",
    )
    for word in words.split()
)
_OURS = _OWN | {word.casefold() for kind in KINDS.values() for word in _WORD.findall(f"{kind.name} {kind.plural}")}


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
    old, new = _fragments(before), _fragments(after)
    faults = [
        *_missing_records(old, new, entering),
        *_unaccounted(spans, source),
        *_misaddressed(before, after, old, new, sources, entering),
        *(_recombined if own_words else _invented)(before, after, sources),
        *_over(before, after, topic_limit),
        *_broken(after),
    ]
    if faults:
        shown = "; ".join(faults[:_MOST]) + (f"; and {len(faults) - _MOST} more" if len(faults) > _MOST else "")
        raise GateError(shown, where="the step was not taken", hint="nothing was changed; docs/recovery.md#gate")
    refuse_secrets(before, after, known)


def refuse_invented(before: Mapping[str, str], after: Mapping[str, str], sources: Sequence[str]) -> None:
    """Raise GateError if a tier's document has a word that stood in no document before and in no source."""
    if faults := _invented(before, after, sources):
        raise GateError("; ".join(faults[:_MOST]))


def refuse_broken(after: Mapping[str, str]) -> None:
    """Raise GateError if front matter cannot be read."""
    if faults := _broken(after):
        raise GateError("; ".join(faults), hint="nothing was changed; docs/recovery.md#gate")


def refuse_secrets(before: Mapping[str, str], after: Mapping[str, str], known: Sequence[str]) -> None:
    """Raise SecretError, with the place, if a line that was not there before has a secret."""
    for path, text in after.items():
        if secrets := secret_scan.find(_added(before.get(path, ""), text), known):
            raise SecretError(
                f"a secret ({secrets[0].kind}) would be committed", where=path, hint="sleepwake memory.redact FILE"
            )


def _fragments(documents: Mapping[str, str]) -> dict[str, list[Fragment]]:
    return {path: list(tier.parse(text).fragments) for path, text in documents.items() if paths.tier_of(path)}


def _missing_records(
    old: Mapping[str, list[Fragment]], new: Mapping[str, list[Fragment]], entering: Sequence[Fragment]
) -> list[str]:
    there: dict[Address, list[Fragment]] = {}
    for fragments in new.values():
        for fragment in fragments:
            if KINDS[fragment.kind].is_record:
                for address in fragment.addresses:  # one that says the same may have been folded into it
                    there.setdefault(address, []).append(fragment)
    faults = []
    same = {
        id(fragment) for fragments in new.values() for fragment in fragments
    }  # a fragment that is parsed again is the same
    for fragment in [*(fragment for fragments in old.values() for fragment in fragments), *entering]:
        if id(fragment) in same or not fragment.is_open:
            continue
        records = there.get(fragment.identity, [])
        if not records:
            faults.append(f"{fragment.kind} {fragment.handle} is in no register")
        elif not any(_keeps(fragment, other) for other in records):
            faults.append(f"{fragment.kind} {fragment.handle} lost words")
    return faults


def _keeps(before: Fragment, after: Fragment) -> bool:
    if not after.is_open:
        return not set(after.addresses) <= set(before.addresses)  # an event moved it, whose address it has now
    fields = dict(after.fields)
    known = set(KINDS[before.kind].fields)
    if not set(after.addresses) <= set(before.addresses):
        known -= set(KINDS[before.kind].amends)  # an event said it anew
    return after.text == before.text and all(
        fields.get(name) == value for name, value in before.fields if name in known
    )


def _unaccounted(spans: Sequence[Span], source: str) -> list[str]:
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


def _misaddressed(
    before: Mapping[str, str],
    after: Mapping[str, str],
    old: Mapping[str, list[Fragment]],
    new: Mapping[str, list[Fragment]],
    sources: Sequence[str],
    entering: Sequence[Fragment],
) -> list[str]:
    valid = {address for fragments in old.values() for fragment in fragments for address in fragment.addresses}
    valid |= {address for fragment in entering for address in fragment.addresses}
    for text in sources:
        valid.update(addressing.addresses(text))
    faults = [
        f"{path}: {address} leads nowhere"
        for path, fragments in new.items()
        for fragment in fragments
        for address in fragment.addresses
        if address not in valid
    ]
    for path, text in after.items():
        if paths.tier_of(path):
            bare = len(tier.parse(text).unaddressed) - len(tier.parse(before.get(path, "")).unaddressed)
            faults += [f"{path}: {bare} lines without an address"] if bare > 0 else []
    return faults


def _invented(before: Mapping[str, str], after: Mapping[str, str], sources: Sequence[str]) -> list[str]:
    new: dict[str, set[str]] = {}
    for path, text in after.items():
        if paths.tier_of(path):
            own = {word.casefold() for word in _WORD.findall(path)} | _OURS
            words = set(_WORD.findall(_new_words(before.get(path, ""), text)))
            new[path] = {word for word in words if word.casefold() not in own}
    # What moves stood in the lines that go: whole documents are read only for what is in none of these.
    gone = "\n".join(_added(after.get(path, ""), text) for path, text in before.items())
    for text in (*sources, gone, *before.values()):
        if not any(new.values()):
            break
        there = _words(text)
        new = {path: {word for word in words if word.casefold() not in there} for path, words in new.items()}
    return [f"{path}: not in the input: {', '.join(sorted(words)[:_MOST])}" for path, words in new.items() if words]


@lru_cache(maxsize=4)  # every step of a cycle has the same journal for its source
def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in set(_WORD.findall(text)))


def _recombined(before: Mapping[str, str], after: Mapping[str, str], sources: Sequence[str]) -> list[str]:
    """Return the names, numbers, paths and ids that are not in the input, of text in a compressor's own words."""
    kinds = (f"{kind.name} {kind.plural}" for kind in KINDS.values())
    input_ = "\n".join((*before.values(), *sources, *kinds, *sorted(_OWN)))
    faults = []
    for path, text in after.items():
        if not paths.tier_of(path):
            continue
        if words := strange(_new_words(before.get(path, ""), text), f"{input_}\n{path}"):
            faults.append(f"{path}: not in the input: {', '.join(sorted(words)[:_MOST])}")
    return faults


def _over(before: Mapping[str, str], after: Mapping[str, str], limit: int) -> list[str]:
    faults = []
    for path, text in after.items():
        if not limit or paths.tier_of(path) not in ("warm", "cold"):
            continue
        size = tokens.count(text)
        if size > limit and size > tokens.count(before.get(path, "")) and len(tier.parse(text).fragments) > 1:
            faults.append(f"{path} has {size} tokens (at most {limit})")
    return faults


def _broken(after: Mapping[str, str]) -> list[str]:
    faults = []
    for path, text in after.items():
        try:
            front_matter.read(text)
        except ValueError as error:
            faults.append(f"{path}: front matter: {error}")
    return faults


def _new_words(before: str, after: str) -> str:
    """Return what stands only in `after`, without our own marks and the days that head fragments."""
    words = addressing.MARK.sub(" ", _added(before, after))
    return _HEADING.sub(lambda heading: "" if dates.is_heading(heading[1].strip()) else heading[0], words)


def _added(before: str, after: str) -> str:
    """Return the lines that stand only in `after`."""
    old = set(before.split("\n"))
    return "\n".join(line for line in after.split("\n") if line not in old)
