"""Delegation: a compressor that has another do the work, and does it itself when that fails.

Owns the guards (calls in a sleep, tokens in a call, two tries), and what is said in the commit. Refuses to know how the
other is called: that is a function from prompt to reply. Never fails: there is always the extractive answer.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, WHOLE, Answer, Fate, Present
from sleep.compression.model import prompt
from sleep.compression.model.judge import judge
from sleep.language import tokens
from sleep.redaction import secret_scan, terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.compression.contract import Request
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings

TRIES = 2
_ALL = 10**9  # tokens: a budget that drops nothing
_CLIP = 300


class CallError(Exception):
    """A call came to nothing: `why` is fit for a commit, `said` is what the other wrote, for the person alone."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.said = message


class Delegation:
    """A `Compressor` that asks another.

    A request is asked once: the answer is remembered, so that what was planned is what is then done. After `settle`
    nothing is asked any more. One that failed (not: was refused) is not called again.

    Args:
        name: who is asked, as the trailer names it: `command/claude`.
        call: takes the prompt and returns the reply; raises CallError.
        settings: of the memory: `compressor.calls` in the life of this object, which is one sleep, and
            `compressor.tokens` of one prompt; what does not fit goes to the extractive compressor.
        known: values of secrets.
    """

    def __init__(self, name: str, call: Callable[[str], str], settings: Settings, known: Sequence[str] = ()) -> None:
        self.name = name
        self.said: list[str] = []
        self._call = call
        self._left = settings.compressor_calls
        self._most = settings.compressor_tokens
        self._known = tuple(known)
        self._failed = ""
        self._settled = False
        self._answers: dict[tuple[object, ...], Answer] = {}

    def settle(self) -> None:
        """From now on give only answers that are there; the lock is held, and nobody waits for a model behind it."""
        self._settled = True

    def __call__(self, request: Request) -> Answer:
        """Return the other's answer, or the extractive one with a note that says why."""
        # What names are worth follows from the memory; of what stands there it is told what repeats it.
        asked = (*request._replace(present=Present())[:-1], extractive.repetitions(request))
        if asked in self._answers:
            return self._answers[asked]
        plain = extractive.compress(request)
        # What stands there is not the other's to choose from: the step lets it compete with the answer.
        own = request._replace(standing=(), room=0)
        # What repeats is merged before a word is sent, and what stands there already is not sent.
        merged = extractive.compress(own._replace(budget=_ALL))
        if extractive.compress(own).fates == merged.fates:
            return plain  # everything has room, and there is nothing to ask
        if self._settled:
            return self._fall_back(plain, f"the memory changed while {self.name} was asked")
        self._answers[asked] = answer = self._ask(own, plain, merged)
        return answer

    def _ask(self, request: Request, plain: Answer, merged: Answer) -> Answer:
        if self._failed:
            return self._fall_back(plain, f"{self.name} was not asked again, for it failed before ({self._failed})")
        distinct = merged.fragments
        sent = self._first_that_fit(request, distinct)
        if not sent:
            return self._fall_back(plain, f"{self.name} was not asked: compressor.tokens is too small for one fragment")
        rest = distinct[len(sent) :]
        share = sum(map(extractive.cost, sent)) / sum(map(extractive.cost, distinct))
        part = request._replace(candidates=sent, budget=int(request.budget * share))
        answer = self._ask_twice(part)
        if answer.note:
            return self._fall_back(plain, answer.note)
        fates = [*answer.fates]
        if rest:
            used = sum(map(extractive.cost, answer.fragments))
            fates += extractive.compress(request._replace(candidates=rest, budget=request.budget - used)).fates
        by = dict(zip(distinct, fates, strict=True))
        note = f"{len(rest)} of {len(distinct)} fragments were above compressor.tokens" if rest else ""
        name = f"{self.name} + {extractive.NAME}" if rest else self.name
        return Answer(tuple(_join_fates(fate, by) for fate in merged.fates), name, note)

    def _first_that_fit(self, request: Request, distinct: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
        """Return those from the start whose prompt has at most the tokens that one call may have."""
        count = bisect_right(
            range(1, len(distinct) + 1),
            self._most,
            key=lambda some: tokens.count(prompt.write(request._replace(candidates=distinct[:some]))),
        )
        return distinct[:count]

    def _prompt(self, request: Request, faults: Sequence[str]) -> str:
        """Return the prompt, redacted, with as many of the faults as may stand in it."""
        some = bisect_right(
            range(1, len(faults) + 1),
            self._most,
            key=lambda some: tokens.count(prompt.write(request, faults[:some])),
        )
        return secret_scan.redact(prompt.write(request, faults[:some]), self._known)[0]

    def _ask_twice(self, request: Request) -> Answer:
        """Return the first reply without a fault as an answer, or an answer without fates and with a note."""
        plain = extractive.compress(request)
        faults: tuple[str, ...] = ()
        for _ in range(TRIES):
            if self._left < 1:
                return self._give_up(f"{self.name} was not asked: the calls of this sleep are used up", faults)
            self._left -= 1
            try:
                text = self._call(self._prompt(request, faults))
            except CallError as error:
                self._failed = error.why
                self._show(error.said)
                return self._give_up(f"{self.name} failed ({error.why})", faults)
            judged = judge(request, plain, text, self.name, self._known)
            faults = judged.faults
            if not faults:
                return Answer(judged.fates, self.name)
        return self._give_up(f"{self.name} was refused {TRIES} times", faults)

    def _show(self, words: str) -> None:
        """Keep what a person is shown, once, without secrets and without what drives a terminal."""
        shown = "\n".join(map(terminal.strip_escapes, secret_scan.redact(words, self._known)[0].splitlines()))
        self.said += [shown] if shown and shown not in self.said else []

    def _give_up(self, why: str, faults: Sequence[str]) -> Answer:
        words = secret_scan.redact("; ".join(faults), self._known)[0]
        words = f"{words[:_CLIP]}…" if len(words) > _CLIP else words
        return Answer((), self.name, f"{why}: {words}" if words else why)

    def _fall_back(self, plain: Answer, why: str) -> Answer:
        note = f"{why}; {plain.compressor} compressed this step"
        self._show(note)
        return plain._replace(note=note)


def _join_fates(fate: Fate, by: dict[Fragment, Fate]) -> Fate:
    """Return what became of a fragment that was merged first (`fate`), and then compressed (`by` what it became)."""
    if fate.after is None:
        return fate
    then = by[fate.after]
    if fate.fate == MERGED:
        if then.after is None:
            return Fate(fate.before, DROPPED, None, f"{then.detail}, as the one it repeats")
        return Fate(fate.before, MERGED, then.after, str(then.after.identity))
    return Fate(fate.before, fate.fate if then.fate == WHOLE else then.fate, then.after, then.detail, then.parts)
