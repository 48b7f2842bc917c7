"""MemoryConsolidator: a history near its limit becomes a summary and its last messages.

Owns the order of the work: read, cut, clean, choose, write, fit, report. What each of these is stands in its own
module. Refuses to read a clock or a disk: originals go to the store that is passed in, and a summary names an address
only when there is one. Never raises for what a message holds.
"""

from __future__ import annotations

from collections import Counter as Counts
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation import originals
from sleep.conversation.consolidation import Outcome, Report
from sleep.conversation.messages import counters, pairs, redactor, shapes, truncation
from sleep.conversation.messages.shapes import TEXT
from sleep.conversation.summary import choice, compatible, facts, links, paraphrase, summary_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.compression.contract import Compressor
    from sleep.conversation.messages.counters import Counter
    from sleep.conversation.messages.shapes import Message, Turn
    from sleep.conversation.originals import Originals, Store
    from sleep.conversation.summary.fact import Fact

STRATEGIES = ("default", "compatible")
KEEP = 4
_FLOOR = 0.15  # of the target, that a summary may take before tool results are clipped for it
_SHIFT = 0.15  # of the target, that one more message may take so that roles alternate
_VERBATIM = 0.3  # of the target, that a request may take word for word
_FORM = 110  # tokens of a summary's titles, of its last line, and of its message
_TRIES = 4


class _Plan(NamedTuple):
    """A history as it is read: its turns, the indexes of summaries, and where it is cut."""

    messages: Sequence[Message]
    turns: list[Turn]
    shape: str
    summaries: frozenset[int]
    at: int
    prompt: int

    @property
    def removed(self) -> list[int]:
        """The indexes of what goes."""
        return [index for index in range(self.at) if self.turns[index].role != "system"]

    @property
    def systems(self) -> list[Message]:
        """The messages of the system before the cut, which stay."""
        return [self.messages[index] for index in range(self.at) if self.turns[index].role == "system"]


class _Draft(NamedTuple):
    """What a summary is made from.

    Both requests; facts of earlier summaries; candidates; the removed turns and the messages that stay. `fixed` are the
    tokens of all that stays, `budget` those that facts may take.
    """

    first: str
    latest: str
    old: list[tuple[str, str]]
    candidates: list[Fact]
    turns: list[Turn]
    tail: list[Message]
    fixed: int
    budget: int


class _Composition(NamedTuple):
    """A summary: its text, its facts, how many of each kind were dropped, and the messages with it and their tokens."""

    text: str
    facts: list[tuple[str, str]]
    dropped: dict[str, int]
    messages: list[Message]
    tokens: int
    note: str


class MemoryConsolidator:
    """Consolidates conversations.

    Args:
        threshold_pct: the part of `max_tokens` from which on `should_consolidate` says so.
        max_tokens: the budget of the context window; 0 or less: never consolidate.
        strategy: `default`, or `compatible` for what an older tool of this kind does, to the byte.
        target_pct: the part of `max_tokens` that history and system prompt have at most afterwards; default half of
            `threshold_pct`.
        keep: how many of the last messages stay as they are.
        shape: `openai`, `responses`, `anthropic`, `gemini`, or `auto`.
        counter: tokens of a text; default the product's count (`counting.named` has others).
        pinned: says of a line that it must stay; lines that begin with `pin:` do anyway.
        store: where originals go (`originals.Memory`, `stores.Folder`); without one no address is told.
        compressor: writes prose from what had no room, judged before it is used.
        secrets: values that are secret, beside those that are told by their form.
    """

    def __init__(
        self,
        threshold_pct: float = 0.8,
        max_tokens: int = 30_000,
        strategy: str = "default",
        *,
        target_pct: float | None = None,
        keep: int = KEEP,
        shape: str = "auto",
        counter: Counter | None = None,
        pinned: Callable[[str], bool] | None = None,
        store: Store | None = None,
        compressor: Compressor | None = None,
        secrets: Sequence[str] = (),
    ) -> None:
        if strategy not in STRATEGIES:
            raise ValueError(f"there is no strategy {strategy!r} ({', '.join(STRATEGIES)} would be right)")
        if shape not in ("auto", *shapes.SHAPES):
            raise ValueError(f"there is no shape {shape!r} (auto, {', '.join(shapes.SHAPES)} would be right)")
        if keep < 1:
            raise ValueError(f"keep is {keep} (1 or more would be right)")
        self.threshold_pct = threshold_pct
        self.max_tokens = max_tokens
        self.strategy = strategy
        self.target = max(0, int(max_tokens * (threshold_pct / 2 if target_pct is None else target_pct)))
        self.keep = keep
        self.store = store
        self._shape = shape
        self._count = counter or counters.plain
        self._pinned = pinned
        self._compressor = compressor
        self._secrets = tuple(secrets)

    def should_consolidate(self, current_tokens: int) -> bool:
        """Return whether so many tokens are at the threshold or above it."""
        return self.max_tokens > 0 and current_tokens / self.max_tokens >= self.threshold_pct

    @staticmethod
    def estimate_tokens(messages: Sequence[Message]) -> int:
        """Return the characters of all contents by four; `count` also counts calls, form and other scripts."""
        return compatible.estimate_tokens(messages)

    def count(self, messages: Sequence[Message], system_prompt: str = "") -> int:
        """Return the tokens of messages and system prompt, by the counter of this consolidator."""
        return counters.count_turns(map(shapes.read_turn, messages), self._count) + self._count(system_prompt)

    def consolidate(self, messages: Sequence[Message], system_prompt: str = "") -> tuple[list[Message], str]:
        """Return the messages that go on and the summary, "" where nothing was done; the input is not changed."""
        outcome = self.outcome(messages, system_prompt)
        return outcome.messages, outcome.summary

    def outcome(self, messages: Sequence[Message], system_prompt: str = "") -> Outcome:
        """Consolidate, and return the report and the originals too."""
        if self.strategy == "compatible":
            return self._compatible(messages, system_prompt)
        plan = self._plan(messages, self._count(system_prompt))
        before = counters.count_turns(plan.turns, self._count) + plan.prompt
        news = [index for index in range(plan.at) if index not in plan.summaries and plan.turns[index].role != "system"]
        if news or self.should_consolidate(before):
            outcome = self._consolidate(plan, news, before)
            if outcome is not None:
                return outcome
        over = self.should_consolidate(before)
        verdict = _verdict(before, self.target, plan, 0, self._count) if over else ""
        report = Report(self.strategy, plan.shape, 0, len(messages), before, before, self.target, verdict=verdict)
        return Outcome(list(messages), "", report)

    # --- the steps ---------------------------------------------------------------------------------------------------

    def _compatible(self, messages: Sequence[Message], system_prompt: str) -> Outcome:
        messages_after, text = compatible.consolidate(messages)
        prompt = len(system_prompt) // 4
        before, after = (compatible.estimate_tokens(history) + prompt for history in (messages, messages_after))
        removed = max(0, len(messages) - compatible.KEEP)
        verdict = f"could not fit: {after:,} tokens, and the target is {self.target:,}" if after > self.target else ""
        report = Report(
            self.strategy,
            shapes.CHAT,
            removed,
            len(messages_after),
            before,
            after,
            self.target,
            len(text),
            verdict=verdict,
        )
        return Outcome(messages_after, text, report)

    def _plan(self, messages: Sequence[Message], prompt: int) -> _Plan:
        turns = [shapes.read_turn(message) for message in messages]
        summaries = frozenset(index for index, turn in enumerate(turns) if _summary_of(turn))
        carriers = [messages[index] for index in sorted(summaries)]
        shape = shapes.detect(messages, carriers) if self._shape == "auto" else self._shape
        at = pairs.cut(turns, self.keep)
        if shape in shapes.ALTERNATING and 0 < at < len(turns) and messages[at].get("role") == "user":
            roles = [str(message.get("role")) for message in messages]
            other = pairs.cut(turns, self.keep, roles)
            first = min((index for index in range(other) if turns[index].role != "system"), default=other)
            if first < other and counters.count_turns(turns[other:at], self._count) <= self.target * _SHIFT:
                at = other
        return _Plan(messages, turns, shape, summaries, at, prompt)

    def _consolidate(self, plan: _Plan, news: list[int], before: int) -> Outcome | None:
        """Return what becomes of a history; None where nothing is new and no tool result can be clipped."""
        removed, systems = plan.removed, plan.systems
        tail = list(plan.messages[plan.at :])
        cleaned, redacted = redactor.clean([plan.messages[index] for index in removed], self._secrets)
        turns = [
            plan.turns[index] if message is plan.messages[index] else shapes.read_turn(message)
            for index, message in zip(removed, cleaned, strict=True)
        ]
        first, latest, old, past = self._known(plan, removed, turns)
        fixed = plan.prompt + sum(counters.upper_bound(message, self._count) for message in systems)
        room = max(self.target - fixed, self.target // 4)
        request = max(400, int(self.target * _VERBATIM) * 4)
        first, latest = truncation.truncate(first, request), truncation.truncate(latest, request)
        words = self._count(first) + self._count(latest)
        floor = min(int(self.target * _FLOOR) + words + _FORM, room // 2)
        tail, clipped, tail_tokens = self._fit(tail, room - floor)
        if not news and not clipped:
            return None
        whole = [plan.messages[plan.at + index] for index in clipped]
        archive = self._originals([*cleaned, *redactor.clean(whole, self._secrets)[0]])
        first, latest, budget = self._shorten(first, latest, room - tail_tokens - _FORM)
        candidates = self._facts(plan, turns, past, (first, latest))
        draft = _Draft(first, latest, old, candidates, turns, tail, fixed + tail_tokens, budget)
        summary = self._compose(draft, plan.shape, archive, len(removed) + len(whole))
        if archive is not None and self.store is not None:
            self.store.keep(archive)
        after, text = summary.tokens, summary.text
        verdict = _verdict(after, self.target, plan, self._count(text), self._count) if after > self.target else ""
        messages = [*systems, *summary.messages]
        report = Report(
            self.strategy, plan.shape, len(news), len(messages), before, after, self.target, len(text),
            dict(Counts(kind for kind, _ in summary.facts)), summary.dropped, len(clipped), redacted,
            archive.address if archive else "", verdict, summary.note,
        )  # fmt: skip
        return Outcome(messages, text, report, archive)

    def _shorten(self, first: str, latest: str, room: int) -> tuple[str, str, int]:
        """Return both requests, and the tokens that are left of the room.

        Where word for word has no room, both are their head and end.
        """
        rest = room - self._count(first) - self._count(latest)
        if rest < 0 and (first or latest):
            share = max(200, room * 4 // (2 if first and latest else 1))
            first, latest = truncation.truncate(first, share), truncation.truncate(latest, share)
            rest = room - self._count(first) - self._count(latest)
        return first, latest, rest

    def _compose(self, draft: _Draft, shape: str, archive: Originals | None, count: int) -> _Composition:
        """Return the summary that fits, or the last of a few tries; `count` is the number of the originals."""
        requests = frozenset((draft.first, draft.latest))
        budget, note = draft.budget, ""
        for _ in range(_TRIES):
            chosen = choice.choose(draft.old, draft.candidates, max(0, budget), self._count, requests)
            stands = list(chosen.facts)
            if self._compressor is not None:
                added, note = paraphrase.paraphrase(
                    draft.turns, stands, budget - chosen.tokens, self._compressor, self._count, self._secrets
                )
                stands += added
            text = self._text(draft.first, draft.latest, stands, archive, count)
            messages = _attach(text, draft.tail, shape)
            after = draft.fixed + counters.upper_bound(messages[0], self._count)
            if len(messages) == len(draft.tail):  # it took in the first of them
                after -= counters.upper_bound(draft.tail[0], self._count)
            if after <= self.target or budget <= 0:
                break
            budget -= max(after - self.target, 1)
        return _Composition(text, stands, chosen.dropped, messages, after, note)

    def _known(
        self, plan: _Plan, removed: list[int], turns: list[Turn]
    ) -> tuple[str, str, list[tuple[str, str]], list[tuple[int, str]]]:
        """Return the first task, the latest request, facts kept before, and requests that are the latest no more."""
        first = latest = ""
        old: list[tuple[str, str]] = []
        past: list[tuple[int, str]] = []
        had_summary = False
        for index, turn in zip(removed, turns, strict=True):
            if index in plan.summaries:
                before = summary_text.read(_summary_of(turn))
                had_summary = True
                first = first or before.first
                old += before.facts
                if before.latest:
                    past.append((-1, before.latest))
        if not first and not had_summary:
            first = next(filter(None, map(_request_of, turns)), "")
        if not any(_request_of(turn) for turn in plan.turns[plan.at :]):  # else the latest request stays anyway
            newest = next(filter(None, map(_request_of, reversed(turns))), "")
            if newest:
                latest = newest if newest != first else ""
            elif past:
                latest = past.pop()[1]
        return first, latest, old, past

    def _facts(
        self, plan: _Plan, turns: list[Turn], past: list[tuple[int, str]], verbatim: tuple[str, str]
    ) -> list[Fact]:
        names = {call: name for turn in plan.turns for call, name in turn.calls if name}
        candidates = [fact for at, text in past for fact in facts.of_request(text, at, pinned=self._pinned)]
        plainly = [_without_summary(turn) if turn.role == "user" else turn for turn in turns]
        for index, turn in enumerate(plainly):
            request = _request_of(turn)  # "" for others than a user
            if request and request in verbatim:
                plainly[index] = turn._replace(parts=tuple(part for part in turn.parts if part.kind != TEXT))
        candidates += facts.of_turns(plainly, names, self._pinned)
        return links.weigh(candidates, links.find_links(plainly, plan.turns[plan.at :]), plainly, names)

    def _fit(self, tail: list[Message], room: int) -> tuple[list[Message], list[int], int]:
        """Return the kept messages within a room, results clipped where needed, who was clipped, and the tokens of all.

        The last ones are clipped last.
        """
        clipped: dict[int, Message] = {}
        size = self._size(tail)
        for scope in (range(max(0, len(tail) - self.keep)), range(len(tail))):
            if size > room and any(truncation.result_texts(tail[index]) for index in scope):
                size = self._clip(tail, scope, room, size, clipped)
        return [clipped.get(index, message) for index, message in enumerate(tail)], sorted(clipped), size

    def _clip(self, tail: list[Message], scope: range, room: int, size: int, clipped: dict[int, Message]) -> int:
        """Clip results in a scope until the messages fit or nothing more can be clipped; return the tokens of all."""
        texts = [text for index in scope for text in truncation.result_texts(tail[index])]
        cost = sum(map(self._count, texts)) or 1
        characters = int(sum(map(len, texts)) * (1 - (size - room) / cost))
        limit = truncation.limit_for([len(text) for text in texts], max(0, characters))
        while True:
            for index in scope:
                short = truncation.truncate_results(tail[index], limit)
                if short is not tail[index]:
                    clipped[index] = short
            size = self._size([clipped.get(index, message) for index, message in enumerate(tail)])
            if size <= room or limit <= truncation.LEAST:
                return size
            limit = max(truncation.LEAST, int(limit * 0.7))

    def _size(self, messages: Sequence[Message]) -> int:
        return sum(counters.upper_bound(message, self._count) for message in messages)

    def _originals(self, cleaned: list[Message]) -> Originals | None:
        return originals.of(cleaned) if self.store is not None and cleaned else None

    def _text(
        self, first: str, latest: str, stands: list[tuple[str, str]], archive: Originals | None, count: int
    ) -> str:
        return str(summary_text.Summary(first, latest, tuple(stands), archive.address if archive else "", count))


def _attach(text: str, tail: list[Message], shape: str) -> list[Message]:
    """Return the summary's message and the kept ones; one message where two of a user would stand together."""
    content = summary_text.message_text(text)
    if shape in shapes.ALTERNATING and tail and tail[0].get("role") == "user":
        return [shapes.with_text_before(content, tail[0], shape), *tail[1:]]
    return [shapes.user_message(content, shape), *tail]


def _summary_of(turn: Turn) -> str:
    """Return the text of the summary that a user's turn carries, "" for none."""
    if turn.role == "user":
        for kind, text, _ in turn.parts:
            if kind == TEXT and summary_text.is_summary(text):
                return text
    return ""


def _without_summary(turn: Turn) -> Turn:
    if not _summary_of(turn):
        return turn
    return turn._replace(
        parts=tuple(part for part in turn.parts if not (part.kind == TEXT and summary_text.is_summary(part.text)))
    )


def _request_of(turn: Turn) -> str:
    """Return what a person asked in a turn, "" where none did: what a client puts in stands in tags."""
    if turn.role != "user":
        return ""
    texts = [part.text.strip() for part in turn.parts if part.kind == TEXT and not summary_text.is_summary(part.text)]
    return "\n".join(text for text in texts if text and not facts.is_put_in(text))


def _verdict(after: int, target: int, plan: _Plan, summary_tokens: int, count: Counter) -> str:
    tail = counters.count_turns(plan.turns[plan.at :], count)
    return (
        f"could not fit: {after:,} tokens, and the target is {target:,}"
        f" ({len(plan.messages) - plan.at} messages that stay: {tail:,}; system prompt: {plan.prompt:,};"
        f" summary: {summary_tokens:,})"
    )
