"""What only words tell of a record in a document, and whether it is noticed: forms that readers keep.

Owns what each kind needs besides its words: the heading above, a name, a form of its own. Refuses to judge what a box,
a label or a heading states.
"""

from __future__ import annotations

from sleep.language import anaphora
from sleep.language.acts import first_words, grammar, no_records, speech
from sleep.language.acts.grammar import has
from sleep.records import classification

_OF_OPEN = frozenset({"task", "thread", "question", "blocker"})
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


def is_noticed(kind: str, words: str, heading: str, section: str) -> bool:
    """Return whether a document's words, below a heading of the kind `section`, are worth a question whether they hold.

    What only sounds like it, below a heading that tells how the work went, and what leans on the line before is prose.
    """
    if anaphora.leans(words) or speech.is_part(words) or has(words, "signs.done", *_NEVER.get(kind, ())):
        return False
    match kind:
        case "task":
            return _is_task(words, heading, section)
        case "decision":
            is_told = not (_tells(heading) or no_records.is_deed(words) or no_records.is_of_code(words))
            return is_told and section in ("", "change")
        case "thread":
            is_open = section in _OF_OPEN or has(words, "signs.of changes")
            return is_open and not no_records.is_report(words)
        case "constraint":
            return _is_rule(words) and not has(first_words.bare(heading), "signs.of aims")
    return kind != "question" or not _tells(heading)


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
