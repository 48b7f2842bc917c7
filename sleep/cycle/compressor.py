"""Which compressor a sleep uses: the one that is set up, if this machine allows it, or what was committed.

Owns the choice, the permission, and the guard against a sleep inside a compressor. A tracked `sleep.yaml` comes from
whoever can push, so alone it never runs a program and never sends a memory to a model. Refuses to call anybody.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.compression import extractive
from sleep.errors import CompressorError
from sleep.memory import place
from sleep.memory.view import View
from sleep.store.tree import CommitTree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sleep.compression.contract import Compressor
    from sleep.compressors.delegation import Delegation
    from sleep.memory.place import Place
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings
    from sleep.store.history import Commit
    from sleep.store.layout import Root

    # For the cycle of this number: from a step's name, and the memory as it stands, to who compresses.
    Pick = Callable[[int, str, View], Compressor]

COMPRESSOR, CYCLE, STEP = "Sleep-Compressor", "Sleep-Cycle", "Sleep-Step"
EXTRACTIVE = "extractive"
# Each takes the settings, the environment, and the values of secrets.
_PREPARE = {"command": "sleep.compressors.command:prepare", "llm": "sleep.compressors.llm_library:prepare"}
# The setting that says what is run or called, and so needs permission.
_RUNS = {"command": "compressor_command", "llm": "compressor_model"}


def plain(_number: int, _step: str, _view: View) -> Compressor:
    """Return the extractive compressor, for every step: a `Pick`."""
    return extractive.compress


def choose(where: Place) -> Delegation | None:
    """Return the compressor that the settings name, ready to ask; None for the extractive one.

    Raises:
        CompressorError: there is none of that name, it is not allowed here or cannot work, or it is what runs us.
    """
    use = where.settings.compressor_use
    if use == EXTRACTIVE:
        return None
    if use not in _PREPARE:
        raise CompressorError(
            f"there is no compressor {use!r} ({', '.join((EXTRACTIVE, *_PREPARE))} would be right)",
            where="compressor.use",
            hint="sleepwake help compressors",
        )
    from sleep.compressors import call, permission  # late: most sleeps ask nobody  # noqa: PLC0415

    environ = settings_.environment()
    if environ.get(call.GUARD):
        raise CompressorError(
            "this runs inside a compressor, which may not sleep (it would call itself)",
            where=call.GUARD,
            hint="SLEEP_COMPRESSOR_USE=extractive",
        )
    permission.insist(where.root, where.settings, _RUNS[use], environ, "SLEEP_COMPRESSOR_USE=extractive")
    module, _, name = _PREPARE[use].partition(":")
    prepared: Delegation = getattr(importlib.import_module(module), name)(where.settings, environ, place.secrets())
    return prepared


def unasked(settings: Settings) -> tuple[str, ...]:
    """Return what a dry run says of a compressor that it did not ask."""
    use = settings.compressor_use
    if use == EXTRACTIVE:
        return ()
    return (f"shown is what {extractive.NAME} would write; {use} was not asked (--ask asks, and may cost)",)


def again(compress: Compressor, names: Mapping[str, str], number: int) -> Pick:
    """Return who compresses in a sleep that may go on after a crash.

    A step of cycle `number` that was `taken` (by step, who compressed it), and that this program cannot make the same
    again, stands in the documents.
    """

    def pick(cycle: int, step: str, view: View) -> Compressor:
        name = names.get(step, extractive.NAME) if cycle == number else extractive.NAME
        if name == extractive.NAME:
            return compress
        from sleep.compression.model.repeat import Recorded  # late: most sleeps ask nobody  # noqa: PLC0415

        return Recorded(name, _in_tier(view, step))

    return pick


def committed(root: Root, commits: Sequence[Commit]) -> Pick:
    """Return who compresses in a rebuild: what the commits left where another compressor made them, else extractive."""
    by = {
        (trailers.get(CYCLE, ""), trailers.get(STEP, "")): commit
        for commit in commits
        if (trailers := dict(commit.trailers))
    }

    def pick(cycle: int, step: str, _view: View) -> Compressor:
        commit = by.get((str(cycle), step))
        name = dict(commit.trailers).get(COMPRESSOR, extractive.NAME) if commit else extractive.NAME
        if commit is None or name == extractive.NAME or not commit.parents:
            return extractive.compress
        from sleep.compression.model.repeat import Recorded  # late: most sleeps ask nobody  # noqa: PLC0415

        before, after = (View(CommitTree(root, sha)) for sha in (commit.parents[0], commit.sha))
        old, new = (frozenset(_in_tier(view, step)) for view in (before, after))
        outcome = [fragment for fragment in _in_tier(after, step) if fragment not in old]
        # What leaves hot or warm was there before; of a journal everything was in hand.
        seen = None if step == "journal to hot" else frozenset(fragment for _, fragment in before.placed())
        return Recorded(name, outcome, seen, old - new)

    return pick


def recorded(commits: Sequence[Commit], cycles: Sequence[int]) -> tuple[int, ...]:
    """Return those of the cycles whose text is taken as it was committed, at least in part."""
    numbers = set()
    for commit in commits:
        trailers = dict(commit.trailers)
        if trailers.get(COMPRESSOR, extractive.NAME) != extractive.NAME:
            numbers.add(trailers.get(CYCLE, ""))
    return tuple(cycle for cycle in cycles if str(cycle) in numbers)


def _in_tier(view: View, step: str) -> list[Fragment]:
    """Return the fragments of the tier that a step brings to: `hot to warm` to warm."""
    return [fragment for _, fragment in view.placed(f"memory/{step.rpartition(' ')[2]}/")]
