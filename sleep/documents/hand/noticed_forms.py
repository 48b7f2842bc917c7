"""What only words tell of a record in a document, and whether it is noticed: by the model, or by forms.

Owns what each kind needs besides its words (the heading above, a name, a form of its own), and when the model is asked:
in English. Refuses to judge what a box, a label or a heading states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.language import anaphora
from sleep.language.acts import first_words, grammar, no_records, open_items, speech
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.kinds import DONE, WAITING, is_record

if TYPE_CHECKING:
    from sleep.language.acts.likelihood.log_piece import LogPiece

_ALONE = frozenset({"question", "dead end"})  # what forms alone notice
_BY_FORM = 1.5  # the rank of what forms notice, so that the model's guesses do not crowd it out
_RULES = (
    *(*grammar.CONSTRAINT.sections, *grammar.CONDITION.sections),
    *("rules.rule", "phrases.rule", "phrases.rule words", "signs.lesson rule", "signs.order"),
)
_NEVER = {  # by kind what is none of it
    "blocker": ("signs.was held up",),
    "dead end": ("signs.slip",),
    "constraint": ("signs.narration",),
}
_TO_DO = ("phrases.left", "signs.still to do")


def has_model(text: str) -> bool:
    """Return whether the model knows the language of a document: English."""
    from sleep.language.acts.likelihood import features  # late: only an import needs it  # noqa: PLC0415

    return features.is_english(text)


def notice(piece: LogPiece, *, by_model: bool) -> tuple[str, float]:
    """Return the kind that is noticed in a piece that states nothing, and how likely it is; `note` for nothing.

    Where the model is asked, it tells all but questions and dead ends, of which too few are known to fit it on. What is
    no record has the kind that its words say.
    """
    title = piece.above[-1] if piece.above else ""
    is_told = is_noticed(piece.kind, piece.text, title, piece.section)
    if by_model and piece.kind not in _ALONE and _may_hold(piece):
        from sleep.language.acts.likelihood import scorer  # late: see above  # noqa: PLC0415

        guess = scorer.guess_piece(piece._replace(noticed=is_told))
        if guess and (guess.kind != "task" or piece.in_list or open_items.bids(piece.text)):
            return guess
        is_told = is_told and not is_record(piece.kind)
    return (piece.kind, _BY_FORM) if is_told else ("note", 0.0)


def _may_hold(piece: LogPiece) -> bool:
    """True for words that may be a record: neither done, nor how something stands, nor part of something else."""
    is_over = piece.kind in DONE or has(piece.text, "signs.done") or no_records.stands(piece.text)
    return not (is_over or no_records.is_nobodys(piece.text) or _is_part(piece.text))


def is_noticed(kind: str, words: str, heading: str, section: str) -> bool:
    """Return whether a document's words, below a heading of the kind `section`, are worth a question whether they hold.

    What only sounds like it, below a heading that tells how the work went, and what leans on the line before is prose.
    """
    if _is_part(words) or has(words, "signs.done", *_NEVER.get(kind, ())):
        return False
    match kind:
        case "task":
            return _is_task(words, heading, section)
        case "decision":
            is_told = not (_tells(heading) or no_records.is_deed(words) or no_records.is_of_code(words))
            return is_told and section in ("", "change")
        case "thread":
            is_open = section in WAITING or has(words, "signs.of changes")
            return is_open and not no_records.is_report(words)
        case "constraint":
            return _is_rule(words) and not has(first_words.bare(heading), "signs.of aims")
    return kind != "question" or not _tells(heading)


def _is_part(words: str) -> bool:
    """True for what leans on the line before, or is a part of what somebody said: by itself it is no record."""
    return anaphora.leans(words) or speech.is_part(words)


def _is_task(words: str, heading: str, section: str) -> bool:
    """True for what is to do in so many words: a name in a plan, and what a session was to bring, are none."""
    return not section and has(words, *_TO_DO) and not (_tells(heading) or no_records.is_report(words))


def _is_rule(words: str) -> bool:
    """True for words that a label calls a rule, or that have a rule's form: figures and names alone have none."""
    if no_records.is_report(words) or no_records.is_of_code(words):
        return False
    rest = first_words.behind_label(first_words.bare(words))
    is_named = classification.label_kind(words) == "constraint" and classification.is_action(rest)
    return is_named or any(has(part, *_RULES) for part in first_words.beginnings(classification.without_label(words)))


def _tells(heading: str) -> bool:
    """True for a heading below which it is told how the work went, or what it was to bring."""
    return has(first_words.bare(heading), "signs.of failure", "signs.of aims")
