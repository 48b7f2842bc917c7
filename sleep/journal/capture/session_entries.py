"""Entries: what of a session becomes entries of its journal.

Owns the way from events to entries, which is the same for a session that is captured and for one message that is
measured (`bench.acts`): what is small talk or stands in the memory is refused, the rest is digested, and what is said
already is not said again. Refuses to know transcripts, journals and the disk: that is `session_journal`'s.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.compression import redundancy
from sleep.compression.passages import LAST
from sleep.documents.entries import STANDING
from sleep.documents.journal import Draft
from sleep.journal.capture import digest_drafts
from sleep.journal.capture import session_digest as digests
from sleep.journal.capture.digest_drafts import Dated
from sleep.language import terms
from sleep.language.acts.grammar import has
from sleep.records.fragment import QUOTATION, flat
from sleep.records.kinds import NOTICED, STATED, is_record, must_state
from sleep.records.known_texts import KnownTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sleep.compression.passages import Passage
    from sleep.compression.redundancy import Recalled
    from sleep.journal.capture.session_digest import Digest
    from sleep.transcripts.events import Event

_REQUESTS = 8  # messages of a person that one budget is for
_SAME = 3  # terms of a task, of which another with all of them is the same task


def digest(
    events: Iterable[Event],
    budget: int,
    recalled: Recalled,
    *,
    known: Sequence[str] = (),
    since: int = 0,
    root: str = "",
) -> Digest:
    """Return the digest of a session without small talk and without what the memory itself says.

    Args:
        events: of one transcript, in order.
        budget: tokens, at most, of the digest of eight messages of a person; of more up to three times as many.
        recalled: what the memory shows to agents.
        known: values of secrets, which are taken out wherever they stand.
        since: the line up to which it was digested before.
        root: the directory of the project, for a client that does not say where it works.
    """

    def refuses(passage: Passage) -> bool:
        return _is_idle(passage) or recalled.has(passage.text)

    return digests.of(
        redundancy.without_greetings_back(redundancy.without_pastes(redundancy.without_commands(events))),
        budget,
        homes=(os.path.expanduser("~"),),
        known=known,
        since=since,
        root=root,
        moves=False,
        requests=_REQUESTS,
        refuses=refuses,
    )


def _is_idle(passage: Passage) -> bool:
    """True for small talk, for what an agent offers by the way, for a heading of nothing, and for `All tests pass.`."""
    if passage.states:
        return False
    if passage.role == "person":
        return redundancy.is_small_talk(passage.text)
    if has(passage.text, "reports.stage"):
        return True
    return passage.is_heading or (passage.closing < LAST and redundancy.is_only_offer(passage.text))


def is_telling(digested: Digest, *, is_known: bool = False, is_closed: bool = False) -> bool:
    """True if a session did something, stated something, or said more than a few words.

    Any words tell where it has a journal (`is_known`). Where that one `is_closed`, what the agent alone says behind it
    (`Slept. The handoff says what is next.`) tells nothing: only a deed, a record or a person's words open another.
    """
    passages = [placed.passage for placed in digested.placed]
    if digested.files.changed or any(passage.kind == "commit" for passage in passages):
        return True
    states = [passage.states for passage in passages if passage.states]
    if is_closed and not any(passage.role == "person" for passage in passages):
        return any(map(is_record, states))
    spoken = " ".join(map(_speech, passages)).strip()
    return bool(states) or (bool(spoken) and (is_known or terms.is_telling(spoken)))


def _speech(passage: Passage) -> str:
    """Return the words of a person, and those of an agent that do not only narrate its work."""
    return passage.text if passage.role == "person" or not passage.is_narration else ""


def new_entries(
    digested: Digest,
    session: str,
    statements: KnownTexts,
    rejected: Callable[[], KnownTexts] | None = None,
    decided: Callable[[], KnownTexts] | None = None,
) -> Iterator[Draft]:
    """Yield the entries of a digest that say what `statements` do not say yet, and take in what they say.

    They come in the order of the session, so that an answer stands below what was asked. The prose of the digest has
    the words of what was noticed among others, so it is compared with what was said before and with what the digest
    states; prose that says nothing besides makes room for it. What was `rejected` is left out, and a proposal that a
    reply took up is new unless it was `decided`; both are looked up only then.
    """
    dated = [entry._replace(draft=_with_standing(entry.draft)) for entry in digest_drafts.dated(digested, session)]
    dated = list(_with_purpose(dated))
    asked = _first_request(dated)
    dated = [entry for entry in dated if not (_is_noticed_choice(entry.draft) and asked.startswith(entry.draft.words))]
    noticed = _unsaid([entry.draft for entry in dated], statements, rejected)
    yield from digest_drafts.in_order(_new(dated, noticed, statements, decided))


def _with_purpose(dated: Sequence[Dated]) -> Iterator[Dated]:
    """Yield entries, what a person said first as a note where an agent says a word: it says what the session is for."""
    place = min((entry.place[:2] for entry in dated if _is_persons_prose(entry.draft)), default=None)
    is_answered = any(dict(entry.draft.fields).get("source") == "agent" for entry in dated)
    for entry in dated:
        is_first = is_answered and _is_persons_prose(entry.draft) and entry.place[:2] == place
        yield entry._replace(draft=entry.draft._replace(kind="note")) if is_first else entry


def _is_persons_prose(draft: Draft) -> bool:
    return draft.kind in ("note", "insight") and dict(draft.fields).get("source") == "person"


def _first_request(dated: Iterable[Dated]) -> str:
    """Return the words in which a person asked an agent for something first, "" where no agent says a word after it.

    What a session is for is no choice that is made in it, and they begin with that.
    """
    entries = sorted(dated, key=lambda entry: entry.place)
    first = next((at for at, entry in enumerate(entries) if _is_prompt(entry.draft)), len(entries))
    is_answered = any(dict(entry.draft.fields).get("source") == "agent" for entry in entries[first:])
    return entries[first].draft.words if is_answered else ""


def _new(
    dated: Iterable[Dated], noticed: Sequence[Draft], statements: KnownTexts, decided: Callable[[], KnownTexts] | None
) -> Iterator[Dated]:
    """Yield what is new, the most important first, and let `statements` take it in."""
    for place, draft in dated:
        words = _words(draft)
        if draft.standing == NOTICED:
            if draft in noticed:
                yield Dated(place, draft)
            continue
        is_said = statements.has(words) and not (decided and _is_choice(draft) and not decided().has(words))
        if draft.title == digest_drafts.FILES or not (_is_noted(draft, noticed) or is_said):
            if not _is_prompt(draft):  # that it was done in these words is said by the agent
                statements.add(words)
            yield Dated(place, draft)
        elif "files" in dict(draft.fields):
            own = tuple(field for field in draft.fields if field[0] in ("transcript", "files"))
            yield Dated(place, Draft("change", digest_drafts.FILES, "", own))


def _is_noted(draft: Draft, noticed: Iterable[Draft]) -> bool:
    """True for prose of which nothing is left without what was noticed in it and the reasons of that."""
    rest = _words(draft)
    texts = (text for other in noticed for text in (other.words, dict(other.fields).get("why", "")))
    for words in filter(None, (text.rstrip(".") for text in texts)):
        rest = rest.replace(words, " ")
    return rest != _words(draft) and redundancy.is_small_talk(rest)


def _is_prompt(draft: Draft) -> bool:
    """True for what a person said that states nothing."""
    return draft.kind == "note" and dict(draft.fields).get("source") == "person"


def _is_noticed_choice(draft: Draft) -> bool:
    return draft.kind == "decision" and draft.standing == NOTICED


def _is_choice(draft: Draft) -> bool:
    """True for a decision by a reply, which has the words of a proposal that may have been told as such."""
    return draft.kind == "decision" and bool(dict(draft.fields).get(QUOTATION))


def _unsaid(drafts: Iterable[Draft], statements: KnownTexts, rejected: Callable[[], KnownTexts] | None) -> list[Draft]:
    """Return what was noticed and neither said before, stated now, nor rejected."""
    stated = KnownTexts(_words(draft) for draft in drafts if is_record(draft.kind) and draft.standing == STATED)
    noticed = [draft for draft in drafts if draft.standing == NOTICED]
    new = [draft for draft in noticed if not (statements.has(_words(draft)) or stated.has(_words(draft)))]
    refused = rejected() if rejected and new else KnownTexts(())
    return _once(draft for draft in new if not _is_rejected(draft, refused))


def _once(drafts: Iterable[Draft]) -> list[Draft]:
    """Return drafts without a task that one before it tells: one of the two has all terms of the other."""
    known: list[frozenset[str]] = []
    new = []
    for draft in drafts:
        own = terms.light(draft.words) if draft.kind == "task" else frozenset()
        if len(own) < _SAME or not any(own <= other or other <= own for other in known):
            new.append(draft)
            known += [own] if len(own) >= _SAME else []
    return new


def _with_standing(draft: Draft) -> Draft:
    """Return a draft that says that it is only noticed, where a transcript cannot state a record of its kind."""
    if not must_state(draft.kind) or draft.standing == NOTICED:
        return draft
    return draft._replace(fields=(*draft.fields, (STANDING, NOTICED)))


def _is_rejected(draft: Draft, rejected: KnownTexts) -> bool:
    """True for what somebody said is no record, in these words or in those that it was noticed in."""
    texts = filter(None, (draft.words, dict(draft.fields).get(QUOTATION, "")))
    return any(next(rejected.repeating(text), None) is not None for text in texts)


def _words(draft: Draft) -> str:
    fields = dict(draft.fields)
    return flat(" ".join((draft.words, *(fields.get(name, "") for name in ("error", "change", "why")))))
