"""Prose: the kind of entry that a passage becomes which states nothing.

Owns telling what was learnt, mended and done from the rest, and which of the rest only told how the work went on.
Refuses records: what states one has its kind.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from sleep.journal.capture import deeds, disputes, fixes
from sleep.language import sentences, terms
from sleep.language.acts import reasons, statements, titles
from sleep.language.acts.grammar import has
from sleep.language.acts.likelihood import features
from sleep.records import classification
from sleep.records.kinds import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sleep.compression.passages import Passage
    from sleep.journal.capture.material import Work

# What the model of speech acts finds in prose is prose of that kind at once: it binds nobody.
INSIGHT = "insight"
_SHARE = 0.6  # of the terms of what is said at work, from which on reports that have them tell it
_SAYS = 3  # terms of a person's words that say what they want; fewer are a "yes" or a "go on"
_TELLS = 2  # terms of a sentence that says what was done
# What an agent says of a kind that binds later instances is not its to decree by the way: it is kept as prose.
_CLAIMS = frozenset({INSIGHT, fixes.KIND})
_LEARNT = frozenset(kind.name for kind in ENTRIES.values() if kind.is_lesson)


def kind(passage: Passage, section: str = "", *, at_work: bool = True) -> str:
    """Return the kind of entry that a passage becomes which states nothing: no record, whatever its words.

    `section` is the one of the digest that it stands in. It is told `at_work` where something was edited or committed
    before it in the same turn. What an agent only supposes on its way was not learnt.
    """
    if passage.role == "person" or passage.kind == "plan" or (passage.is_narration and not passage.reports):
        return passage.notices or _aside(passage)
    if _is_supposed(passage):
        return "note"
    own = _own_kind(passage)
    if own == fixes.KIND or fixes.is_told(passage.text):
        return fixes.KIND
    if _is_learnt(passage, own):
        return passage.notices or INSIGHT
    return "change" if _is_done(passage, section, own, at_work=at_work) else "note"


def _is_supposed(passage: Passage) -> bool:
    return _is_at_work(passage) and not passage.reports and disputes.is_guess(passage.text)


def _is_learnt(passage: Passage, own: str) -> bool:
    is_lesson = bool(passage.notices) or own in _LEARNT or statements.tells_cause(passage.text)
    return is_lesson and not passage.reports


def without_stages(passages: Sequence[Passage], work: Work, *, keeps_all: bool = False) -> Sequence[Passage]:
    """Return passages without what an agent says at work that its report at the end of the turn is told instead of.

    What was learnt, mended or done is told wherever it was said, unless a report says it again, and all of it where
    the turn ends with a few words. Of a plan that work followed the steps are left out. Of what a person
    contradicted the deeds are told. With `keeps_all` all are returned.
    """
    if keeps_all:
        return passages
    passages = list(_standing(passages, work.contradicted))
    reports = _reports(passages)
    spoken = {message: terms.terms(text) for message, text in reports.items()}
    reported = frozenset[str]().union(*spoken.values())
    asks = sorted({passage.message for passage in passages if passage.role == "person"})
    ends, first = sorted(reports), asks[0] if asks else -1
    return [
        passage
        for passage in passages
        if not (_is_stage(passage) and _end(passage.message, ends, asks) >= 0)
        and not _is_retold(
            passage,
            spoken.get(_end(passage.message, ends, asks), ()) if passage.kind == "commit" else reported,
        )
        and not (passage.message > first and _is_nod(passage))
        and not _is_over(passage, work)
    ]


def _reports(passages: Iterable[Passage]) -> dict[int, str]:
    """Return the words of the messages that end a turn and say more than a few words, by number."""
    closings: dict[int, list[str]] = {}
    for passage in passages:
        if passage.closing and not passage.is_narration:
            closings.setdefault(passage.message, []).append(passage.text)
    texts = {message: " ".join(parts) for message, parts in closings.items()}
    return {message: text for message, text in texts.items() if terms.is_telling(text)}


def _standing(passages: Iterable[Passage], contradicted: Collection[int]) -> Iterator[Passage]:
    """Yield passages, of what a person contradicted only the deeds.

    How to see that it works, and what to do for it, nobody needs who knows that it does not.
    """
    for passage in passages:
        is_prose = passage.role == "agent" and passage.kind == "text" and not passage.states
        if passage.message not in contradicted or not (is_prose or _is_claim(passage)):
            yield passage
        elif is_prose and not _is_claim(passage):
            parts = filter(deeds.reports, deeds.parts(passage.text))
            if words := "".join(parts).strip(" ·"):
                yield passage._replace(text=words)


def _is_over(passage: Passage, work: Work) -> bool:
    """True for a step of a plan that work followed."""
    return passage.kind == "plan" and passage.message < max(work.after, default=-1) and _is_step(passage)


def _is_step(passage: Passage) -> bool:
    """True for what a plan has somebody do, and gives no reason for."""
    if any(map(titles.is_step, (passage.heading, passage.text.strip("*")))):
        return True
    return "imperative" in features.hints(passage.text) and reasons.split(passage.text) is None


def _is_nod(passage: Passage) -> bool:
    """True for a person's words that only have the work go on: `yes, implement it`."""
    is_prose = passage.role == "person" and not (passage.states or passage.notices)
    return is_prose and len(terms.terms(passage.text) - statements.nods()) < _SAYS


def _is_retold(passage: Passage, reported: Collection[str]) -> bool:
    """True for prose at work, and for the subject or the body of a commit, most of whose terms reports have."""
    is_beside = _is_at_work(passage) or (passage.kind == "commit" and " · " not in passage.text)
    own = terms.terms(passage.text) if is_beside and not (passage.states or passage.reports) else ()
    return bool(own) and sum(term in reported for term in own) >= _SHARE * len(own)


def _is_at_work(passage: Passage) -> bool:
    return passage.role == "agent" and passage.kind == "text" and not passage.closing


def _is_stage(passage: Passage) -> bool:
    """True for prose at work that is a note: nothing was learnt, mended or done, or done for a reason."""
    is_prose = _is_at_work(passage) and not (passage.states or passage.reports)
    return is_prose and kind(passage) == "note" and not any(map(_is_grounded, deeds.parts(passage.text)))


def _is_grounded(part: str) -> bool:
    """True for a sentence that says what was done and why."""
    return deeds.reports(part) > 0 and reasons.split(part) is not None


def _is_claim(passage: Passage) -> bool:
    """True for what an agent learnt or mended by its own words."""
    return passage.kind == "text" and passage.role == "agent" and (passage.states or kind(passage)) in _CLAIMS


def _end(message: int, ends: Sequence[int], asks: Sequence[int]) -> int:
    """Return the number of the report that ends the turn of a message, -1 where a person's next words come first."""
    end = bisect_left(ends, message)
    ask = bisect_left(asks, message)
    return ends[end] if end < len(ends) and (ask == len(asks) or ends[end] < asks[ask]) else -1


def _aside(passage: Passage) -> str:
    """Return the kind of what reports nothing, a person's prose, a plan, a move: an insight where it tells a cause."""
    is_cause = (
        (passage.role == "person" or passage.kind == "plan")
        and not passage.heading
        and statements.tells_cause(passage.text)
    )
    return INSIGHT if is_cause else "note"


def _is_done(passage: Passage, section: str, own: str, *, at_work: bool) -> bool:
    """True for prose that says what was done, and does not say nothing.

    In an outcome that is what tells a deed, and of a turn with work all but what will be done, or was in vain.
    """
    is_commit = passage.kind == "commit"
    if own == "change" or section == "outcome" or is_commit:
        is_deed = passage.reports or is_commit or any(map(deeds.reports, deeds.parts(passage.text)))
        is_none = has(passage.text, "stated.promises", "signs.still fails")
        is_told = own == "change" or is_deed or (at_work and not is_none)
        return is_told and not deeds.says_nothing(passage.text)
    return False


def may_report(text: str) -> bool:
    """True for what may tell, behind an edit, what an agent did, in whatever words: no plan, question or request.

    What says that it was in vain tells no change.
    """
    return not has(text, "signs.still fails") and any(
        len(terms.terms(part)) >= _TELLS
        and not (has(part, "stated.promises") or sentences.asks(part) or "imperative" in features.hints(part))
        and not (statements.proffers(part) or deeds.says_nothing(part))
        for part in deeds.parts(text)
    )


def _own_kind(passage: Passage) -> str:
    """Return the kind that a passage's words and its heading have in a journal written by hand."""
    above = classification.heading_kind(passage.heading) if passage.heading else ""
    return classification.text_kind(passage.text, above)
