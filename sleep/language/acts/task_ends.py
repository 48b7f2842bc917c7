"""Ends of tasks: whether a sentence says of a task that it was done, or that it is so now.

Owns reading the sentence alone. Refuses to say which messages are asked: that is `dialogue`'s. Pure.
"""

from __future__ import annotations

from sleep.language import sentences, terms
from sleep.language.acts.likelihood import features

_WHOLE = 3  # terms of a task that a sentence has to have, all of them, which says that it is so
# What a sentence that only says how things are has not: it leaves to do, asks, supposes or denies.
_NO_FACT = frozenset(
    {"todo", "lacks", "moves", "will", "demands", "denies", "imperative", "asks for", "blocked", "supposes"}
)


def reports(sentence: str) -> bool:
    """True for a sentence that tells what was done, and not what will be or is missing."""
    names = features.hints(sentence.strip("-*+ ✅"))
    return bool(names & {"done", "change", "past first"}) and not names & {"todo", "lacks", "moves", "will"}


def holds(sentence: str, task: str) -> bool:
    """True for a sentence that says as a fact all that a task is about: `docs/cli.md documents the flag`."""
    wanted = terms.light(task)
    is_fact = features.hints(sentence.strip("-*+ ")).isdisjoint(_NO_FACT) and not sentences.asks(sentence)
    return is_fact and len(wanted) >= _WHOLE and wanted <= terms.light(sentence)
