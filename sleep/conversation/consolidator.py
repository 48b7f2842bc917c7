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
from sleep.conversation.history_cut import Plan
from sleep.conversation.messages import counters, pairs, redactor, shapes, tail, truncation
from sleep.conversation.summary import (
    choice,
    compatible,
    inventory,
    paraphrase,
    people,
    summary_text,
)
from sleep.conversation.summary.fact import PINNED
from sleep.conversation.summary.state import progress, workplace
from sleep.conversation.summary.state import room as state_room
from sleep.plurals import several

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sleep.compression.contract import Compressor
    from sleep.conversation.messages.counters import Counter, Prompt
    from sleep.conversation.messages.shapes import Message, Turn
    from sleep.conversation.messages.tail import Tail
    from sleep.conversation.originals import Originals, Store
    from sleep.conversation.summary.inventory import Inventory, Speech
    from sleep.conversation.summary.people import Known

STRATEGIES = ("default", "compatible")
KEEP = 4
_SUMMARY = 0.4  # of the room, that a summary may take before what stays is clipped for it
_CUT = 0.05  # of the room, for what clipping takes out of what stays
_SHIFT = 0.15  # of the target, that one more message may take so that roles alternate
_VERBATIM = 0.3  # of the target, that a request may take word for word
_STATE = 0.15  # of a summary's room, that the state of the work may take
_RULES = 0.25  # of the target, that the project's rules may take to stay whole
_PINS = 0.25  # of the target, that pins may take where what stays does not fit by itself
_BEYOND = 0.15  # of the target, that a summary may take there
_STARVED = 0.25  # of the target, below which what is left for the history is too little
_HISTORY = 1 / 3  # of the target, that a history which could use it has where the system's messages are clipped
_FORM = 110  # tokens of a summary's titles, of its last line, and of its message; of a small one an eighth at the most
_WIDEST = 1.5  # of the target, where the system's part takes most of it
_TRIES = 6
_LEAST = 8  # tokens by which a try is shorter


class _Draft(NamedTuple):
    """What a summary is made from.

    The removed turns, what is known of requests, what may be told, and what stays; `number` counts the originals.
    """

    turns: list[Turn]
    known: Known
    stock: Inventory
    tail: Tail
    archive: Originals | None
    number: int


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
        counter: tokens of a text; default the product's count (`counters.named` has others).
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
        for name, part in (("threshold_pct", threshold_pct), ("target_pct", target_pct or 0)):
            if not 0 <= part <= 1:
                raise ValueError(f"{name} is {part} (a part of max_tokens, 0 to 1, would be right)")
        self.threshold_pct = threshold_pct
        self.max_tokens = max_tokens
        self.strategy = strategy
        self.target = max(0, int(max_tokens * (threshold_pct / 2 if target_pct is None else target_pct)))
        self._threshold = int(max_tokens * threshold_pct)
        self._is_strict = target_pct is not None
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

    def count(self, messages: Sequence[Message], system_prompt: Prompt = "") -> int:
        """Return the tokens of messages and system prompt, by the counter of this consolidator."""
        own = counters.count_turns(map(shapes.read_turn, messages), self._count)
        return own + counters.count_prompt(system_prompt, self._count)

    def consolidate(self, messages: Sequence[Message], system_prompt: Prompt = "") -> tuple[list[Message], str]:
        """Return the messages that go on and the summary, "" where nothing was done; the input is not changed."""
        outcome = self.outcome(messages, system_prompt)
        return outcome.messages, outcome.summary

    def outcome_where_due(self, messages: Sequence[Message], system_prompt: Prompt = "") -> Outcome | None:
        """Consolidate where the budget asks for it; None where it does not, or nothing is new."""
        if not self.should_consolidate(self.count(messages, system_prompt)):
            return None
        outcome = self.outcome(messages, system_prompt)
        return outcome if outcome.report.changed else None

    def outcome(self, messages: Sequence[Message], system_prompt: Prompt = "") -> Outcome:
        """Consolidate, and return the report and the originals too."""
        if self.strategy == "compatible":
            return self._compatible(messages, system_prompt)
        plan = self._plan(messages, counters.count_prompt(system_prompt, self._count))
        before = counters.count_turns(plan.turns, self._count) + plan.prompt
        news = [index for index in range(plan.at) if index not in plan.summaries and plan.turns[index].role != "system"]
        is_due = news or self.should_consolidate(before)
        if is_due and (outcome := self._consolidate(plan, news, before)) is not None:
            return outcome
        over = self.should_consolidate(before)
        verdict = plan.verdict(before, 0, self._count) if over else ""
        report = Report(self.strategy, plan.shape, 0, len(messages), before, before, plan.target, verdict=verdict)
        return Outcome(list(messages), "", report)

    def _target(self, fixed: int) -> int:
        """Return the tokens that are left at the most, where so many are of the system.

        Of a target that nobody named, half is for the history, whatever the system says; three quarters of the
        threshold are the most.
        """
        if self._is_strict:
            return self.target
        return max(self.target, min(fixed + self.target // 2, int(self.target * _WIDEST)))

    def _compatible(self, messages: Sequence[Message], system_prompt: Prompt) -> Outcome:
        messages_after, text = compatible.consolidate(messages)
        prompt = counters.count_prompt(system_prompt, len) // 4
        before, after = (compatible.estimate_tokens(history) + prompt for history in (messages, messages_after))
        removed = max(0, len(messages) - compatible.KEEP)
        verdict = f"could not fit: {after:,} tokens, and the target is {self.target:,}" if after > self.target else ""
        sizes = (before, after, self.target, len(text))
        report = Report(self.strategy, shapes.CHAT, removed, len(messages_after), *sizes, verdict=verdict)
        return Outcome(messages_after, text, report)

    def _plan(self, messages: Sequence[Message], prompt: int) -> Plan:
        turns = [shapes.read_turn(message) for message in messages]
        summaries = frozenset(index for index, turn in enumerate(turns) if people.summary_of(turn))
        carriers = [messages[index] for index in sorted(summaries)]
        shape = shapes.detect(messages, carriers) if self._shape == "auto" else self._shape
        at = pairs.cut(turns, self.keep)
        if shape in shapes.ALTERNATING and 0 < at < len(turns) and messages[at].get("role") == "user":
            roles = [str(message.get("role")) for message in messages]
            other = pairs.cut(turns, self.keep, roles)
            first = min((index for index in range(other) if turns[index].role != "system"), default=other)
            if first < other and counters.count_turns(turns[other:at], self._count) <= self.target * _SHIFT:
                at = other
        plan = self._measured(Plan(messages, turns, shape, summaries, at, prompt))
        return plan if shape in shapes.ALTERNATING else self._with_rules(plan)

    def _with_rules(self, plan: Plan) -> Plan:
        """Return a plan in which the project's rules stay, where they leave room for a summary."""
        most = self.target * _RULES
        turns = workplace.with_standing(plan.turns, plan.at, most, self._count)
        if turns is plan.turns:
            return plan
        ruled = self._measured(plan._replace(turns=turns))
        return ruled if ruled.target - ruled.fixed >= most else plan

    def _measured(self, plan: Plan) -> Plan:
        """Return a plan with the tokens of the system's part, and with the target that goes with them."""
        fixed = plan.prompt + tail.whole(plan.systems, plan.system_turns, self._count).tokens
        return plan._replace(fixed=fixed, target=self._target(fixed))

    def _consolidate(self, plan: Plan, news: list[int], before: int) -> Outcome | None:
        """Return what becomes of a history; None where nothing is new and nothing that stays can be clipped."""
        removed = plan.removed
        cleaned, redacted, words = redactor.clean([plan.messages[index] for index in removed], self._secrets)
        turns = plan.cleaned(cleaned)
        carriers = [turn for turn, index in zip(turns, removed, strict=True) if index in plan.summaries]
        spoken = inventory.speech(turns, plan.turns[plan.at :], words, plan.system_turns)
        known = people.known(turns, spoken.asked, spoken.asked_later)
        request = max(400, int(plan.target * _VERBATIM) * 4)
        known = known._replace(
            first=truncation.truncate(known.first, request), latest=truncation.truncate(known.latest, request)
        )
        stock = inventory.of(spoken, known, self._pinned, words)
        stays = tail.whole(plan.messages[plan.at :], plan.turns[plan.at :], self._count)
        plan = self._with_history(plan, stock, stays.tokens) if news else plan
        room = max(plan.target - plan.fixed, plan.target // 4)
        floor = self._floor(stock, spoken, room, stays.tokens) if news else self._standing(carriers)
        stays = tail.fit(stays, room - floor, self.keep, self._count)
        if not news and not stays.clipped:
            return None
        clipped = [*(plan.messages[plan.at + index] for index in stays.clipped), *plan.clipped]
        is_told = self.store is not None or plan.speaks(stays.clipped)
        whole = redactor.clean(clipped, self._secrets).messages if is_told else clipped
        if is_told:
            stock = stock.with_clipped(whole[: len(stays.clipped)], stays, self._pinned)
        archive = self._archive([*cleaned, *whole])
        draft = _Draft(turns, known, stock, stays, archive, len(removed) + len(whole))
        summary = self._compose(draft, plan)
        after, text = summary.tokens, summary.text
        verdict = plan.verdict(after, self._count(text), self._count) if after > plan.target else ""
        messages = [*plan.systems, *summary.messages]
        report = Report(
            self.strategy, plan.shape, len(news), len(messages), before, after, plan.target, len(text),
            dict(Counts(kind for kind, _ in summary.facts)), summary.dropped, len(clipped), redacted,
            archive.address if archive else "", verdict, summary.note,
        )  # fmt: skip
        return Outcome(messages, text, report, archive)

    def _with_history(self, plan: Plan, stock: Inventory, size: int) -> Plan:
        """Return a plan in which the system's messages leave room for a history that could use it.

        They are clipped at once to what the history has later too, so that the next rounds do not clip them again.
        """
        room = plan.target - plan.fixed
        if room >= plan.target * _STARVED or room >= size + self._whole(stock) + _FORM:
            return plan
        most = plan.target - int(plan.target * _HISTORY) - plan.prompt
        systems = tail.whole(plan.systems, plan.system_turns, self._count)
        return plan.with_systems(tail.fit_systems(systems, most, self._count))

    def _whole(self, stock: Inventory) -> int:
        """Return the tokens of all that may be told."""
        texts = [*(text for _, text in stock.old), *(fact.text for fact in stock.facts), *stock.requests, *stock.state]
        return sum(self._count(text) + 3 for text in texts)

    def _archive(self, messages: list[Message]) -> Originals | None:
        """Keep the originals of messages without secrets and return them, None where there is no store."""
        if self.store is None or not messages:
            return None
        archive = originals.of(messages)
        self.store.keep(archive)
        return archive

    def _floor(self, stock: Inventory, spoken: Speech, room: int, size: int) -> int:
        """Return the tokens that a summary has before what stays, of this size, is clipped for it.

        That is what it can tell, and something for what clipping takes out, up to a part of the room.
        """
        most = int(room * _SUMMARY)
        form = min(_FORM, room // 4)
        pins = self._pins(stock)
        if size + most + form > room:
            chosen = choice.choose(stock.old, stock.facts, most, self._count, frozenset(), stock.numbers)
            words = sum(map(self._count, (*stock.requests, *stock.state)))
            later = sum(self._count(text) + 3 for text in inventory.pins(spoken.stays, self._pinned))
            most = min(most, chosen.tokens + words + later + int(room * _CUT))
            pins += later
        return max(most, min(pins, room // 2)) + form

    def _standing(self, carriers: list[Turn]) -> int:
        """Return the tokens of the summary that is there: where nothing is new, nothing is clipped but for it."""
        return counters.count_turns(carriers, self._count) or _FORM

    def _pins(self, stock: Inventory) -> int:
        """Return the tokens of the pinned lines."""
        texts = [text for kind, text in stock.old if kind == PINNED]
        texts += [fact.text for fact in stock.facts if fact.kind == PINNED]
        return sum(self._count(text) + 3 for text in dict.fromkeys(texts))

    def _compose(self, draft: _Draft, plan: Plan) -> _Composition:
        """Return the summary that fits, else the shortest: facts give way first, then requests and state."""
        left = plan.target - plan.fixed - draft.tail.tokens
        can_fit, room = self._has_room(draft, plan, left), left - min(_FORM, max(left, 0) // 8)
        pins = min(self._pins(draft.stock), int(plan.target * _PINS) if room < 0 else room)
        if not can_fit:  # to be told nothing would cost more than it spares
            room = max(room, min(int(plan.target * _BEYOND), room + max(0, self._threshold - plan.target) // 2))
        known, stock = draft.known, draft.stock
        both = truncation.share(known.first, known.latest, room - pins, self._count)
        if both != (known.first, known.latest):
            stock = stock.with_requests((known.first, known.latest), both, self._pinned)
        asked = sum(map(self._count, both))
        state = self._state(draft, room - pins, asked)
        budget = room - asked - sum(map(self._count, state)) - 2 * len(state)
        excess = 0
        for _ in range(_TRIES if can_fit else 1):  # facts give way
            made = self._written(draft, plan, both, state, stock, max(budget, pins))
            excess = made.tokens - plan.target
            if excess <= 0 or not can_fit:
                return made
            budget -= max(excess, _LEAST)
        both = truncation.share(known.first, known.latest, asked - excess - _LEAST, self._count)
        first = truncation.share(known.first, "", room // 2, self._count)  # one request is better than pieces of both
        for requests, lines in ((both, state), (both, ()), (first, ())):
            made = self._written(draft, plan, requests, lines, stock, max(budget, pins))
            if made.tokens <= plan.target:
                return made
            budget -= max(made.tokens - plan.target, _LEAST)
        return self._written(draft, plan, ("", ""), (), stock._replace(people=0), 0)

    def _has_room(self, draft: _Draft, plan: Plan, left: int) -> bool:
        """Return whether a summary fits what is left; a target that nobody named gives way before all is lost."""
        least = 0 if self._is_strict else min(_FORM, int(plan.target * _BEYOND), self._whole(draft.stock))
        return left > 0 and left >= least

    def _state(self, draft: _Draft, room: int, words: int) -> tuple[str, ...]:
        """Return the lines of the state of the work, without secrets, that have room.

        That is a part of the room, or what would be left of it beside these words and all that may be told.
        """
        lines = redactor.clean_texts(draft.stock.state, self._secrets)
        least = int(room * _STATE)
        if sorted(rows := state_room.fit(lines, least, self._count)) == sorted(lines):
            return rows
        texts = [text for _, text in draft.stock.old] + [fact.text for fact in draft.stock.facts]
        rest = room - words - sum(self._count(text) + 3 for text in texts)
        return state_room.fit(lines, max(least, rest), self._count)

    def _written(
        self, draft: _Draft, plan: Plan, words: tuple[str, str], state: tuple[str, ...], stock: Inventory, budget: int
    ) -> _Composition:
        """Return the summary with facts within a budget, and the messages with it."""
        there = frozenset((*words, progress.last_error(state)))
        chosen = choice.choose(stock.old, stock.facts, budget, self._count, there, stock.numbers)
        stands, note = list(chosen.facts), ""
        if self._compressor is not None:
            added, note = paraphrase.paraphrase(
                draft.turns, stands, budget - chosen.tokens, self._compressor, self._count, self._secrets
            )
            stands += added
        if chosen.dropped.get(PINNED):
            note = "; ".join(filter(None, (note, f"no room for {several(chosen.dropped[PINNED], 'pinned line')}")))
        address = draft.archive.address if draft.archive else ""
        text = str(summary_text.Summary(*words, tuple(stands), address, draft.number, state, stock.people))
        messages = _attach(text, draft.tail.messages, plan.shape)
        tokens = plan.fixed + draft.tail.tokens + counters.upper_bound(messages[0], self._count)
        if len(messages) == len(draft.tail.messages):  # it took in the first of them
            tokens -= draft.tail.sizes[0]
        return _Composition(text, stands, {**chosen.dropped, **draft.stock.losses}, messages, tokens, note)


def _attach(text: str, stays: list[Message], shape: str) -> list[Message]:
    """Return the summary's message and the kept ones; one message where two of a user would stand together."""
    content = summary_text.message_text(text)
    if shape in shapes.ALTERNATING and stays and stays[0].get("role") == "user":
        return [shapes.with_text_before(content, stays[0], shape), *stays[1:]]
    return [shapes.user_message(content, shape), *stays]
