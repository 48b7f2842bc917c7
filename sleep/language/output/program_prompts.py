"""Prompts of programs: what one sends in a person's name, a harness's task or the instruction of a role.

Owns telling one by whom it speaks to: it gives its reader a role (`You are an expert reviewer`), or says in several
sentences what they were given, where they run and how they have to answer. Its rules hold for that one run. Refuses
what a person asks for in their own words, however long: they too say what a task is and what there is access to. Pure.
"""

from __future__ import annotations

from sleep.language import quotation, sentences
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has

_LEAST, _SURE = 2, 3  # sentences that give a task, one of them how to answer; so many that any of them do


def is_program_prompt(text: str) -> bool:
    """Return whether a program speaks in a message: not one who quotes another's prompt."""
    if form("signs.template").written().match(text):
        return True
    if not has(text, "signs.given", "signs.answers so"):
        return False
    own = sentences.split(
        "\n".join(quotation.masked(line) for line, is_quoted in quotation.lines(text) if not is_quoted)
    )
    answers = sum(map(form("signs.answers so").search, own))
    signs = sum(map(form("signs.given", "signs.answers so").search, own))
    return signs >= (_LEAST if answers else _SURE)
