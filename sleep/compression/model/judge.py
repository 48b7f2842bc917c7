"""The judge of a model's reply: everything that is wrong with it, before the gate sees anything of it.

Owns what a reply must hold to. It is stricter than the gate, for it knows which fragment each item was made of, so what
it lets through the gate lets through. Refuses to mend: a reply is taken as a whole or not at all.

An item carries addresses that were given, and stands under the kind of what it was made of. Names, numbers, paths and
ids of an item stand in the fragments whose addresses it carries (`strange`), and it turns no sentence of them into its
opposite by leaving out a denial. Tone is word for word; a record keeps its
number and state and is alone. The budget holds. And nothing is emptied, by comparison with what the extractive
compressor keeps of the same request in the same room:

- what it keeps of the kinds before `insight` (tone, relations, blockers, tasks, handoff) has its address in the reply;
- of the names and figures that it keeps, four fifths stand in the reply: one in five may be another fact;
- of its other words, three tenths: paraphrase replaces words, and shorter text has fewer, but not nearly all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.model import reply
from sleep.compression.novelty import lost_denials, strange
from sleep.language import terms, tokens
from sleep.records.fragment import STATUS, flat, render
from sleep.records.kinds import KINDS, priority
from sleep.redaction import secret_scan, untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.compression.contract import Answer, Fate, Request
    from sleep.records.fragment import Fragment

EXACT, WORDS = 0.8, 0.3
_HIGH = KINDS["insight"].priority
_LONGER = 2  # times its material, from which a reply is not read to its end: it would be refused anyway
_SHOWN = 8
_CLIP = 60
_STEM = 5  # letters in which two forms of a word agree


class Judged(NamedTuple):
    """A reply as fates of the request's candidates, and what is wrong with it: usable only when that is empty."""

    fates: tuple[Fate, ...]
    faults: tuple[str, ...]


def judge(request: Request, plain: Answer, text: str, name: str, known: Sequence[str] = ()) -> Judged:
    """Read and judge a reply.

    Args:
        request: what was asked.
        plain: what the extractive compressor makes of the same request.
        text: the reply.
        name: who wrote it.
        known: values of secrets, which may not appear.
    """
    answer = reply.read(text)
    candidates, come = request.candidates, answer.fragments
    if not come:
        return Judged((), ("there is no list item with an address in it",))
    unreadable = tuple(_unreadable(text, answer.bare, known))
    if excess := _excess(candidates, come):
        return Judged((), (*unreadable, excess))
    pairs = reply.pair(candidates, come)
    fates = reply.fates(candidates, come, pairs, name)
    made = [[item for item, into in zip(candidates, pairs, strict=True) if into == new] for new in range(len(come))]
    material = "\n".join(fragment.all_words for fragment in candidates)
    faults = [
        *unreadable,
        *(
            fault
            for item, sources in zip(come, made, strict=True)
            for fault in _item(item, sources, candidates, material)
        ),
    ]
    if not faults:
        faults += [*_oversize(request, fates), *_losses(plain, fates)]
    return Judged(fates, tuple(faults))


def _excess(candidates: Sequence[Fragment], come: Sequence[Fragment]) -> str:
    """Return what a reply has too much of to be looked at item by item, which would take as long as it likes; or ""."""
    if len(come) > len(candidates):
        return f"it has {len(come)} items, and {len(candidates)} were given"
    is_longer = _length(come) > _LONGER * _length(candidates)
    return "it is longer than what it was made of" if is_longer else ""


def _length(fragments: Iterable[Fragment]) -> int:
    return sum(len(fragment.all_words) for fragment in fragments)


def quote(text: str) -> str:
    """Return the beginning of a text in quotes, on one line, of what prints."""
    words = "".join(letter if letter.isprintable() else " " for letter in flat(text))
    return f"“{words[:_CLIP]}…”" if len(words) > _CLIP else f"“{words}”"


def _unreadable(text: str, bare: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    # A joiner inside a word or an emoji is no printing letter, but nothing hidden either.
    if any(not (letter.isprintable() or letter in "\n\r\t\u200c\u200d\ufeff") or letter == "\ufffd" for letter in text):
        yield "it holds characters that do not print"
    if secret_scan.find(text, known):
        yield "it holds what looks like a secret"
    for line in bare[:_SHOWN]:
        yield f"an item without an address: {quote(line)}"


def _item(item: Fragment, sources: Sequence[Fragment], candidates: Sequence[Fragment], material: str) -> Iterator[str]:
    """Yield what is wrong with an item that was made of `sources`."""
    valid = {address for other in candidates for address in other.addresses}
    if wrong := [str(address) for address in item.addresses if address not in valid]:
        yield f"no such address was given: {', '.join(wrong)}"
        return
    if not sources:
        yield f"this repeats another item: {quote(item.text)}"
        return
    yield from _form(item, sources)
    yield from _record(item, sources)
    names = {name for other in sources for name, _ in other.fields}
    if foreign := [name for name, _ in item.fields if name not in names]:
        yield f"a line that the material does not have: {', '.join(map(quote, foreign))}"
    yield from _novel_words(item, candidates, material)


def _novel_words(item: Fragment, candidates: Sequence[Fragment], material: str) -> Iterator[str]:
    cited = [other for other in candidates if not set(item.addresses).isdisjoint(other.addresses)]
    source = "\n".join((*(other.all_words for other in cited), *(other.when for other in cited)))
    if words := strange(item.all_words, source, material):
        shown = ", ".join(map(quote, words[:_SHOWN]))
        yield f"not in the material of {', '.join(map(str, item.addresses))}: {shown}"
    if turned := lost_denials(item.all_words, source):
        yield f"the denial is lost of {', '.join(map(quote, turned[:_SHOWN]))}"


def _form(item: Fragment, sources: Sequence[Fragment]) -> Iterator[str]:
    """Yield what is wrong with an item's kind, tone, mark and day."""
    kinds = {other.kind for other in sources}
    if item.kind not in kinds:
        plurals = " or ".join(KINDS[kind].plural for kind in sorted(kinds))
        yield f"{quote(item.text)} stands under {KINDS[item.kind].plural}, not {plurals}"
    if "tone" in kinds and any(flat(other.text) != item.text for other in sources):
        yield f"tone is copied word for word or left out: {quote(item.text)}"
    if any(untrusted.is_marked(other.text) for other in sources) and not untrusted.is_marked(item.text):
        yield f"{quote(item.text)} lost the mark of what a tool printed ({untrusted.MARK})"
    if item.when and item.when not in (other.when for other in sources):
        yield f"{quote(item.text)} stands under {item.when}, which is not its day"


def _record(item: Fragment, sources: Sequence[Fragment]) -> Iterator[str]:
    records = [other for other in sources if KINDS[other.kind].is_record or other.number]
    if not records:
        if item.number:
            yield f"{item.number} is a number that the material does not have"
        return
    first = records[0]
    if len(sources) > 1:
        yield f"{first.handle} is merged with another"
    elif (item.number, item.field(STATUS)) != (first.number, first.field(STATUS)):
        yield f"{first.handle} lost its number or its status"


def _oversize(request: Request, fates: Iterable[Fate]) -> Iterator[str]:
    size = sum(tokens.count(render(fragment)) for fragment in _survivors(fates))
    if size > request.budget:
        yield f"it takes {size} tokens of at most {request.budget}"


def _losses(plain: Answer, fates: Sequence[Fate]) -> Iterator[str]:
    both = zip(plain.fates, fates, strict=True)
    gone = [old.before for old, new in both if old.after and not new.after and priority(old.before.kind) < _HIGH]
    if gone:
        shown = ", ".join(f"{fragment.kind} {fragment.handle} {quote(fragment.text)}" for fragment in gone[:_SHOWN])
        yield f"lost, and more important than what was kept: {shown}"
    wanted, there = (
        terms.find("\n".join(each.all_words for each in some)) for some in (plain.fragments, _survivors(fates))
    )
    spoken = there.names | there.figures | there.words
    exact = wanted.names | wanted.figures
    missing = exact - spoken
    if len(missing) > (1 - EXACT) * len(exact):
        yield f"lost {len(missing)} of {len(exact)} names and figures: {_first_of(missing)}"
    stems = {word[:_STEM] for word in spoken}
    missing = frozenset(word for word in wanted.words if word[:_STEM] not in stems)
    if len(missing) > (1 - WORDS) * len(wanted.words):
        yield f"lost {len(missing)} of {len(wanted.words)} words that carry meaning: {_first_of(missing)}"


def _survivors(fates: Iterable[Fate]) -> list[Fragment]:
    return list(dict.fromkeys(fate.after for fate in fates if fate.after))


def _first_of(words: Iterable[str]) -> str:
    ordered = sorted(words)
    more = f" and {len(ordered) - _SHOWN} more" if len(ordered) > _SHOWN else ""
    return ", ".join(map(quote, ordered[:_SHOWN])) + more
