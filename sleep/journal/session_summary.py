"""What a session came to, in one line, by its journal alone.

An instance that wrote entries of its own is summed up in their words; one of which a transcript alone tells by what a
person asked first and last and by what the agent did or said in the end. Refuses to invent: every word is quoted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.documents.markdown import lines
from sleep.journal import activity
from sleep.language import anaphora, quotation, sentences, terms, tokens
from sleep.language.acts import grammar
from sleep.language.output import program_output
from sleep.records.fragment import flat
from sleep.records.kinds import must_state
from sleep.redaction import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.documents.entries import Entry

_TOKENS = 90
_ASKED_TOKENS = 25
_REPLY_TOKENS = 40
_OUTCOMES = ("change", "decision", "fix", "insight")
_PARTS = re.compile(r": |[\"“”„«»「」]")  # between what leads to words and these
_EMPTY = ("reports.nothing", "reports.stage", "reports.left")  # what says nothing, how it goes, and what was not done
_LEADS = (":", "：")
_ANSWER = 2  # the rank of what is no deed
_DEEDS = frozenset({"change", "fix"})
_DEMANDS = frozenset({"imperative", "asks for"})


def of(entries: Sequence[Entry], *, hands_over: bool = False) -> str:
    """Return what was done or learnt with its address, "" where the entries say nothing.

    Of an instance that hands over in its own words only what was done is left to say.
    """
    own = [entry for entry in entries if not entry.field("transcript")]
    if hands_over:
        return first(own, [kind for kind in _OUTCOMES if kind in _DEEDS]) or _of_transcript(entries)
    return first(own, _OUTCOMES) or _of_transcript(entries) or first(entries, ("note",))


def first(entries: Iterable[Entry], kinds: Sequence[str]) -> str:
    """Return what the first entry of the first of the kinds says, with its address, "" for none.

    One that only leads to a list or to code is told where no other says anything.
    """
    ordered = [entry for kind in kinds for entry in entries if entry.kind == kind and _words(entry)]
    return next(map(_quoted, sorted(ordered, key=_is_lead)), "")


def clipped(text: str) -> str:
    """Return a text as one line that is short enough for a field of the handoff."""
    return tokens.clip(flat(text), _TOKENS)


def _of_transcript(entries: Sequence[Entry]) -> str:
    """Return what a person asked and what came of it, told by a transcript."""
    at = _outcome(entries)
    if at is None:
        return ""
    asked = [*filter(None, map(_request, entries[:at]))]
    return _led(asked) + _quoted(entries[at]) + _left(entries[at:])


def _outcome(entries: Sequence[Entry]) -> int | None:
    """Return the index of what says best what a session came to, of several the last; None for nothing.

    Of an answer that is what it says first.
    """
    remarks = [at for at, entry in enumerate(entries) if _is_agents(entry) and _words(entry)]
    last = min(reversed(remarks), key=lambda at: _rank(entries[at]), default=None)
    if last is None or _rank(entries[last]) < _ANSWER:
        return last
    place = entries[last].field("transcript")
    own = [at for at in remarks if entries[at].field("transcript") == place]
    return min(own, key=lambda at: _rank(entries[at]))


def _is_agents(entry: Entry) -> bool:
    """True for what a transcript tells of an agent, but for what was only noticed."""
    is_anothers = entry.source in ("person", untrusted.MARK)
    return bool(entry.field("transcript")) and not (is_anothers or entry.is_asked)


def _rank(entry: Entry) -> int:
    """Return how well an entry says what a session came to, 0 the best: an edit, another deed, an answer.

    Words that stand alone come before others.
    """
    is_deed = entry.kind in _DEEDS
    rank = 0 if is_deed and entry.field("files") else 1 if is_deed else _ANSWER
    return rank if _stands(entry) and (is_deed or not _is_lead(entry)) else rank + 3


def _stands(entry: Entry) -> bool:
    """True for words that by themselves say something that was done or found."""
    title = sentences.split(_words(entry))[0]
    return not (anaphora.leans(title) or grammar.has(title, *_EMPTY))


def _is_lead(entry: Entry) -> bool:
    """True for what leads to a list or to code that is not told."""
    return _words(entry).endswith(_LEADS)


def _led(asked: Sequence[str]) -> str:
    """Return what was asked first and what was asked last: more may have been asked between, and after that."""
    if not asked:
        return ""
    then = f', then "{_short(asked[-1])}"' if len(asked) > 1 else ""
    return f'asked "{_short(asked[0])}"{then}: '


def _left(entries: Sequence[Entry]) -> str:
    """Return what was asked last behind a deed, and what the agent said to it, "" for nothing."""
    asked = [at for at, entry in enumerate(entries) if _request(entry)]
    if not asked:
        return ""
    replies = (entry for entry in entries[asked[-1] :] if _is_agents(entry) and _words(entry))
    reply = next((_words(entry) for entry in replies if _stands(entry) and not _is_lead(entry)), "")
    answer = f": {tokens.clip(flat(reply), _REPLY_TOKENS)}" if reply else ""
    return f'; then asked "{_short(_request(entries[asked[-1]]))}"{answer}'


def _short(request: str) -> str:
    return tokens.clip(request, _ASKED_TOKENS)


def _request(entry: Entry) -> str:
    """Return what a person asked, of a transcript, the first of it that can be understood; "" for another entry.

    What asks or commands comes before what only leads to it.
    """
    if entry.kind != "note" or entry.source != "person" or not entry.field("transcript"):
        return ""
    parts = (flat(entry.title), *sentences.split(flat(_without_blocks(entry).body)))
    requests = (part for part in parts if terms.is_request(part) and not activity.is_courtesy(entry, part))
    clear = [part for part in requests if not (anaphora.leans(part) or _is_anothers(part))]
    return next(filter(_demands, clear), clear[0] if clear else "")


def _demands(part: str) -> bool:
    """True for what asks or commands by its form."""
    from sleep.language.acts.likelihood import features  # late: 12 ms, and few sleeps ask  # noqa: PLC0415

    return sentences.asks(part) or not features.hints(part).isdisjoint(_DEMANDS)


def _is_anothers(request: str) -> bool:
    """True for what a page says or a program printed, what has a rule, and what instructs its reader, as a mail may.

    A register tells a person's rule, and another's binds nobody.
    """
    if quotation.reports(request) or program_output.is_output(request) or untrusted.is_instruction(request):
        return True
    return any(grammar.rule(part.strip()) >= 0 for part in _PARTS.split(request))


def _quoted(entry: Entry) -> str:
    words = _words(entry).rstrip("".join(_LEADS))
    return f"{clipped(register.with_change(entry, words))} [{entry.address}]"


def _words(entry: Entry) -> str:
    """Return an entry's own words, "" where they say nothing that a page could tell, or are only noticed."""
    if entry.is_asked and not must_state(entry.kind):
        return ""
    words = register.whole(_without_blocks(entry))
    return words if " " in words and not (untrusted.is_marked(words) or activity.is_courtesy(entry, words)) else ""


def _without_blocks(entry: Entry) -> Entry:
    """Return an entry without code and tables: what a tool printed stands there, and neither is a summary."""
    rows = entry.body.split("\n")
    fenced = lines.code(rows)
    left = (row for at, row in enumerate(rows) if at not in fenced and not row.lstrip().startswith("|"))
    return entry._replace(body="\n".join(left))
