"""MemoryConsolidator: a history near its limit becomes a summary and its last messages.

Owns the order of the work: read, cut, clean, choose, write, fit, report. What each of these is stands in its own
module. Refuses to read a clock or a disk: originals go to the store that is passed in, and a summary names an address
only when there is one. Never raises for what a message holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation import originals
from sleep.conversation.history import counters, pairs, redactor, shapes, truncation
from sleep.conversation.history.shapes import TEXT
from sleep.conversation.summary import choice, compatible, facts, links, paraphrase, summary_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.compression.contract import Compressor
    from sleep.conversation.history.counters import Counter
    from sleep.conversation.history.shapes import Message, Turn
    from sleep.conversation.originals import Originals, Store
    from sleep.conversation.summary.fact import Fact

STRATEGIES = ("default", "compatible")
KEEP = 4
_FLOOR = 0.15  # of the target, that a summary may take before tool results are clipped for it
_SHIFT = 0.15  # of the target, that one more message may take so that roles alternate
_VERBATIM = 0.3  # of the target, that a request may take word for word
_FORM = 110  # tokens of a summary's titles, of its last line, and of its message
_TRIES = 4


class Report(NamedTuple):
    """What a consolidation did. Tokens are those of messages and system prompt together.

    `kept` and `dropped` count the facts by kind; `clipped` counts tool results; `redacted` secrets; `address` is that
    of the originals, "" where there is no store. `verdict` is "" unless the target could not be met; it says by how
    much.
    """

    strategy: str
    shape: str
    removed: int = 0
    remaining: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    target: int = 0
    summary_length: int = 0
    kept: dict[str, int] = {}  # noqa: RUF012  # never changed
    dropped: dict[str, int] = {}  # noqa: RUF012  # same
    clipped: int = 0
    redacted: int = 0
    address: str = ""
    verdict: str = ""
    note: str = ""

    @property
    def fits(self) -> bool:
        """Whether the target was met."""
        return not self.verdict

    @property
    def changed(self) -> bool:
        """Whether anything was done."""
        return bool(self.removed or self.clipped)


class Outcome(NamedTuple):
    """The messages that go on, the summary ("" where nothing was done), the report, and the originals if there are."""

    messages: list[Message]
    summary: str
    report: Report
    originals: Originals | None = None


class _Plan(NamedTuple):
    """A history as it is read: its turns, the indexes of summaries, and where it is cut."""

    messages: Sequence[Message]
    turns: list[Turn]
    shape: str
    summaries: frozenset[int]
    at: int
    prompt: int


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
        return counters.of_turns(map(shapes.turn, messages), self._count) + self._count(system_prompt)

    def consolidate(self, messages: Sequence[Message], system_prompt: str = "") -> tuple[list[Message], str]:
        """Return the messages that go on and the summary, "" where nothing was done; the input is not changed."""
        found = self.outcome(messages, system_prompt)
        return found.messages, found.summary

    def outcome(self, messages: Sequence[Message], system_prompt: str = "") -> Outcome:
        """Consolidate, and return the report and the originals too."""
        if self.strategy == "compatible":
            return self._compatible(messages, system_prompt)
        plan = self._plan(messages, self._count(system_prompt))
        before = counters.of_turns(plan.turns, self._count) + plan.prompt
        news = [index for index in range(plan.at) if index not in plan.summaries and plan.turns[index].role != "system"]
        if news or self.should_consolidate(before):
            found = self._consolidated(plan, news, before)
            if found is not None:
                return found
        over = self.should_consolidate(before)
        verdict = _verdict(before, self.target, plan, 0, self._count) if over else ""
        report = Report(self.strategy, plan.shape, 0, len(messages), before, before, self.target, verdict=verdict)
        return Outcome(list(messages), "", report)

    # --- the steps ---------------------------------------------------------------------------------------------------

    def _compatible(self, messages: Sequence[Message], system_prompt: str) -> Outcome:
        made, text = compatible.consolidate(messages)
        prompt = len(system_prompt) // 4
        before, after = (compatible.estimate_tokens(one) + prompt for one in (messages, made))
        removed = max(0, len(messages) - compatible.KEEP)
        verdict = f"could not fit: {after:,} tokens, and the target is {self.target:,}" if after > self.target else ""
        report = Report(
            self.strategy, shapes.CHAT, removed, len(made), before, after, self.target, len(text), verdict=verdict
        )
        return Outcome(made, text, report)

    def _plan(self, messages: Sequence[Message], prompt: int) -> _Plan:
        turns = [shapes.turn(message) for message in messages]
        summaries = frozenset(index for index, turn in enumerate(turns) if _summary_of(turn))
        carriers = [messages[index] for index in sorted(summaries)]
        shape = shapes.shape(messages, carriers) if self._shape == "auto" else self._shape
        at = pairs.cut(turns, self.keep)
        if shape in shapes.ALTERNATING and 0 < at < len(turns) and messages[at].get("role") == "user":
            roles = [str(message.get("role")) for message in messages]
            other = pairs.cut(turns, self.keep, roles)
            first = min((index for index in range(other) if turns[index].role != "system"), default=other)
            if first < other and counters.of_turns(turns[other:at], self._count) <= self.target * _SHIFT:
                at = other
        return _Plan(messages, turns, shape, summaries, at, prompt)

    def _consolidated(self, plan: _Plan, news: list[int], before: int) -> Outcome | None:
        """Return what becomes of a history; None where nothing is new and no tool result can be clipped."""
        removed = [index for index in range(plan.at) if plan.turns[index].role != "system"]
        systems = [plan.messages[index] for index in range(plan.at) if plan.turns[index].role == "system"]
        tail = list(plan.messages[plan.at :])
        cleaned, redacted = redactor.clean([plan.messages[index] for index in removed], self._secrets)
        turns = [
            plan.turns[index] if message is plan.messages[index] else shapes.turn(message)
            for index, message in zip(removed, cleaned, strict=True)
        ]
        first, latest, old, said = self._known(plan, removed, turns)
        fixed = plan.prompt + sum(counters.at_most(message, self._count) for message in systems)
        room = max(self.target - fixed, self.target // 4)
        request = max(400, int(self.target * _VERBATIM) * 4)
        first, latest = truncation.text(first, request), truncation.text(latest, request)
        words = self._count(first) + self._count(latest)
        floor = min(int(self.target * _FLOOR) + words + _FORM, room // 2)
        tail, clipped, taken = self._fitted(tail, room - floor)
        if not news and not clipped:
            return None
        whole = [plan.messages[plan.at + index] for index in clipped]
        kept = self._originals([*cleaned, *redactor.clean(whole, self._secrets)[0]])
        budget = room - taken - words - _FORM
        if budget < 0 and words:  # word for word has no room: both requests by their head and end
            share = max(200, (room - taken - _FORM) * 4 // (2 if first and latest else 1))
            first, latest = truncation.text(first, share), truncation.text(latest, share)
            budget = room - taken - self._count(first) - self._count(latest) - _FORM
        found = self._facts(plan, turns, said, (first, latest))
        requests = frozenset((first, latest))
        note = ""
        for _ in range(_TRIES):
            chosen = choice.choose(old, found, max(0, budget), self._count, requests)
            stands = list(chosen.facts)
            if self._compressor is not None:
                added, note = paraphrase.written(
                    turns, stands, budget - chosen.tokens, self._compressor, self._count, self._secrets
                )
                stands += added
            text = self._text(first, latest, stands, kept, len(removed) + len(whole))
            going = _attached(text, tail, plan.shape)
            after = fixed + taken + counters.at_most(going[0], self._count)
            if len(going) == len(tail):  # it took in the first of them
                after -= counters.at_most(tail[0], self._count)
            if after <= self.target or budget <= 0:
                break
            budget -= max(after - self.target, 1)
        if kept is not None and self.store is not None:
            self.store.keep(kept)
        verdict = _verdict(after, self.target, plan, self._count(text), self._count) if after > self.target else ""
        kinds: dict[str, int] = {}
        for kind, _ in stands:
            kinds[kind] = kinds.get(kind, 0) + 1
        made = [*systems, *going]
        report = Report(
            self.strategy, plan.shape, len(news), len(made), before, after, self.target, len(text), kinds,
            chosen.dropped, len(clipped), redacted, kept.address if kept else "", verdict, note,
        )  # fmt: skip
        return Outcome(made, text, report, kept)

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
        found = [fact for at, text in past for fact in facts.of_request(text, at, pinned=self._pinned)]
        plainly = [_without_summary(turn) if turn.role == "user" else turn for turn in turns]
        for index, turn in enumerate(plainly):
            if turn.role == "user" and (asked := _request_of(turn)) and asked in verbatim:  # it stands word for word
                plainly[index] = turn._replace(parts=tuple(part for part in turn.parts if part.kind != TEXT))
        found += facts.of_turns(plainly, names, self._pinned)
        return links.weighed(found, links.of_turns(plainly, plan.turns[plan.at :]), plainly, names)

    def _fitted(self, tail: list[Message], room: int) -> tuple[list[Message], list[int], int]:
        """Return the kept messages within a room, results clipped where needed, who was clipped, and the tokens of all.

        The last ones are clipped last.
        """
        clipped: dict[int, Message] = {}
        size = sum(counters.at_most(message, self._count) for message in tail)
        for scope in (range(max(0, len(tail) - self.keep)), range(len(tail))):
            if size <= room:
                break
            texts = [text for index in scope for text in truncation.results(tail[index])]
            if not texts:
                continue
            characters = sum(map(len, texts))
            over = size - room
            cost = sum(map(self._count, texts)) or 1
            limit = truncation.limit_for([len(one) for one in texts], max(0, int(characters * (1 - over / cost))))
            while True:
                for index in scope:
                    short = truncation.clip(tail[index], limit)
                    if short is not tail[index]:
                        clipped[index] = short
                now = [clipped.get(index, message) for index, message in enumerate(tail)]
                size = sum(counters.at_most(message, self._count) for message in now)
                if size <= room or limit <= truncation.LEAST:
                    break
                limit = max(truncation.LEAST, int(limit * 0.7))
        return [clipped.get(index, message) for index, message in enumerate(tail)], sorted(clipped), size

    def _originals(self, cleaned: list[Message]) -> Originals | None:
        return originals.of(cleaned) if self.store is not None and cleaned else None

    def _text(self, first: str, latest: str, stands: list[tuple[str, str]], kept: Originals | None, count: int) -> str:
        return str(summary_text.Summary(first, latest, tuple(stands), kept.address if kept else "", count))


def _attached(text: str, tail: list[Message], shape: str) -> list[Message]:
    """Return the summary's message and the kept ones; one message where two of a user would stand together."""
    said = summary_text.message_text(text)
    if shape in shapes.ALTERNATING and tail and tail[0].get("role") == "user":
        return [shapes.with_text_before(said, tail[0], shape), *tail[1:]]
    return [shapes.user_message(said, shape), *tail]


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
    said = [part.text.strip() for part in turn.parts if part.kind == TEXT and not summary_text.is_summary(part.text)]
    return "\n".join(text for text in said if text and not facts.is_put_in(text))


def _verdict(after: int, target: int, plan: _Plan, summary_tokens: int, count: Counter) -> str:
    tail = counters.of_turns(plan.turns[plan.at :], count)
    return (
        f"could not fit: {after:,} tokens, and the target is {target:,}"
        f" ({len(plan.messages) - plan.at} messages that stay: {tail:,}; system prompt: {plan.prompt:,};"
        f" summary: {summary_tokens:,})"
    )
