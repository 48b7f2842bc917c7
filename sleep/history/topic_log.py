"""The history of a topic: what each commit brought into it, moved, merged and took out, in sentences.

Owns reading it off the documents before and after each commit; also of topics that are gone, of topics in parts
(`auth-2` is part of `auth`) and of a topic under its earlier name. Refuses reasons: those are `entry_life`'s to tell.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.compression.contract import DROPPED, MERGED, SHORTENED
from sleep.cycle import topics
from sleep.documents import paths
from sleep.errors import UsageError
from sleep.history import past_steps
from sleep.history.step_fates import Past
from sleep.records.kinds import KINDS
from sleep.records.topic import slug

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.changes.comparison import Passage
    from sleep.history.past_steps import Step
    from sleep.memory.place import Place
    from sleep.records.fragment import Fragment

CAME, MOVED, WENT, MERGED_IN, SHORT, CHANGED, GONE, ADDED = (
    *("came", "moved", "went", "merged", "shortened", "changed", "dropped", "added"),
)
_NAMED = 6  # records that a sentence names; the others are counted
_NEAR = 5  # topics that an error names


class Moved(NamedTuple):
    """Fragments that one thing happened to: `what`, from where and to where (`hot`, `warm`, `cold`, or a topic).

    `addresses` are the fragments', `numbers` those of the records among them, `kinds` how many there are of each.
    """

    what: str
    source: str
    target: str
    addresses: tuple[str, ...]
    numbers: tuple[str, ...]
    kinds: dict[str, int]
    instances: tuple[int, ...]


class Event(NamedTuple):
    """What one cycle, or one commit outside a cycle, did to a topic; `topic` is its name then.

    `who` (`cycle 5`, a person's name) and the `clauses` (`brought 2 decisions ... into warm`) make a sentence.
    """

    when: str
    topic: str
    step: str
    cycle: int
    instance: str
    author: str
    commits: tuple[str, ...]
    moved: tuple[Moved, ...]
    who: str
    clauses: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """All of it on one line."""
        return f"{self.who} {'; '.join(self.clauses)}"


class TopicLog(NamedTuple):
    """A topic's history, oldest first: its files now (none where it is gone) and how many fragments they hold.

    `became` is the topic that it was renamed to, merged into or folded into, "" where it stands or nobody knows.
    """

    topic: str
    files: tuple[str, ...]
    fragments: int
    events: tuple[Event, ...]
    became: str = ""


class _Touch(NamedTuple):
    """A commit that touched the topic, and what it did to whose fragments."""

    step: Step
    topic: str
    moved: tuple[Moved, ...]


def read(where: Place, name: str, notice: Callable[[int, int], None] = lambda _done, _all: None) -> TopicLog:
    """Return the history of a topic; `notice` is called with the commits done, and with all.

    Raises UsageError where neither memory nor history has it.
    """
    past = Past(where.root)
    known = _known(past)
    spellings: tuple[str, ...] = (name.strip(), topics.base(name.strip()), topics.base(slug(name)))
    changes = past.now.topic_changes
    spellings += tuple(changes.became(spelling) for spelling in spellings)  # where history has lost the name itself
    topic = next((spelling for spelling in spellings if spelling in known), "")
    if not topic:
        _refuse_to_come(past, name)
        near = difflib.get_close_matches(slug(name), known, _NEAR, 0.5) or sorted(known)[:_NEAR]
        right = f" (would be right: {', '.join(near)})" if near else ""
        raise UsageError(f"there is no topic {name!r}, and there never was{right}", hint="sleepwake topic.list")
    files = tuple(
        path for folder in (paths.WARM, paths.COLD) for path in past.now.files(folder) if _topic(path) == topic
    )
    touches = _touches(past, topic, len(past.steps), frozenset(), notice)
    fragments = sum(len(past.now.tier(path).items) for path in files)
    events = tuple(_event(list(group)) for _, group in groupby(enumerate(touches), _cycle))
    return TopicLog(topic, files, fragments, events, "" if files else changes.became(topic))


def _refuse_to_come(past: Past, name: str) -> None:
    """Raise UsageError for a topic that entries name, though nothing has cooled into it yet."""
    field = re.compile(rf"^- topic: {re.escape(name.strip())}[ ]*$", re.MULTILINE | re.IGNORECASE)
    naming = sum(len(field.findall(past.now.read(path) or "")) for path in past.now.journals)
    if naming:
        entries = "1 entry names it" if naming == 1 else f"{naming} entries name it"
        raise UsageError(
            f"there is no topic {name!r} yet: {entries}, and it begins when they cool into warm memory",
            hint=f"sleepwake recall {shlex.quote(name)}",
        )


def _known(past: Past) -> set[str]:
    """Return the topics that are or were."""
    changed = {path for step in past.steps for path in step.tiers}
    now = {path for folder in (paths.WARM, paths.COLD) for path in past.now.files(folder)}
    return {topic for path in changed | now if (topic := _topic(path))}


def _topic(path: str) -> str:
    """Return the topic that a file is of, "" for what is not in warm or cold memory."""
    return topics.base(paths.topic_of(path)) if paths.tier_of(path) in paths.TIER_NAMES[1:] else ""


def _touches(
    past: Past, topic: str, until: int, seen: frozenset[str], notice: Callable[[int, int], None]
) -> Iterator[_Touch]:
    """Yield what the commits before one of them did to a topic; first what was done to it under its earlier name."""
    first = True
    for index, step in enumerate(past.steps[:until]):
        notice(index, until)
        if not any(_topic(path) == topic for path in step.tiers):
            continue
        before, after = past.documents(step, past.blobs.fragments)
        recorded = past.fates(step)
        passages = [] if recorded else comparison.between(before, after)
        for fates in recorded:
            passages += fates.passages(
                [row for row in fates.section.rows if topic in map(_topic, (row.source, row.target))]
            )
        moved = tuple(_moved(passages, topic))
        if first and (earlier := _earlier(before, after, moved, topic)) and earlier not in seen:
            yield from _touches(past, earlier, index, seen | {topic}, notice)
        first = False
        if moved:
            yield _Touch(step, topic, moved)


def _earlier(
    before: Mapping[str, Sequence[Fragment]],
    after: Mapping[str, Sequence[Fragment]],
    moved: Sequence[Moved],
    topic: str,
) -> str:
    """Return the topic that was given another name: all that came, came from it, and nothing of it is left; or ""."""
    if any(before.get(path) for path in after if _topic(path) == topic):
        return ""
    sources = {move.source for move in moved if move.what == CAME}
    (source,) = sources if len(sources) == 1 else ("",)
    old = [path for path in after if source and _topic(path) == source]
    gone = bool(old) and not any(after[path] for path in old)
    return source if gone and not any(move.what == ADDED for move in moved) else ""


def _moved(passages: Iterable[Passage], topic: str) -> Iterator[Moved]:
    groups: dict[tuple[str, str, str], list[Fragment]] = {}
    for passage in passages:
        kind = _kind(passage, topic)
        if kind and (fragment := passage.before or passage.after):
            groups.setdefault(kind, []).append(fragment)
    for kind, fragments in groups.items():
        addresses = [fragment.identity for fragment in fragments]
        yield Moved(
            *kind,
            tuple(map(str, addresses)),
            tuple(fragment.number for fragment in fragments if fragment.number),
            dict(Counter(fragment.kind for fragment in fragments)),
            tuple(sorted({address.number for address in addresses})),
        )


def _kind(passage: Passage, topic: str) -> tuple[str, str, str] | None:
    """Return what happened to a fragment as (what, from, to), None for what does not concern the topic."""
    source, target = _topic(passage.source), _topic(passage.target)
    here, there = paths.tier_of(passage.source), paths.tier_of(passage.target)
    kind: tuple[str, str, str] | None = None
    if topic not in (source, target):
        return kind
    if passage.fate == MERGED or not passage.target:
        kind = (GONE if passage.fate == DROPPED else MERGED_IN), "", ""
    elif not here:
        kind = ADDED, "", there
    elif source != target:
        kind = (CAME, source or here, there) if target == topic else (WENT, here, target or there)
    elif here != there:
        kind = MOVED, here, there
    elif passage.fate == SHORTENED or passage.has_moved_state:
        kind = SHORT if passage.fate == SHORTENED else CHANGED, "", ""
    return kind


def _cycle(numbered: tuple[int, _Touch]) -> tuple[object, ...]:
    """Return what the commits of one cycle have in common; every other commit stands by itself."""
    index, (step, topic, _) = numbered
    return (*step.key, topic) if step.cycle and step.step != past_steps.UNDO else (index,)


def _event(group: Sequence[tuple[int, _Touch]]) -> Event:
    _, (step, topic, _) = group[0]
    moved = tuple(move for _, touch in group for move in touch.moved)
    return Event(
        step.commit.when,
        topic,
        step.step,
        step.cycle,
        step.instance,
        step.commit.author,
        tuple(touch.step.commit.sha for _, touch in group),
        moved,
        _who(step),
        tuple(_clause(move, step) for move in moved),
    )


def _who(step: Step) -> str:
    name = step.commit.author.partition(" <")[0]
    if step.step == past_steps.UNDO:
        return f"the undo of cycle {step.cycle}"
    if step.step == past_steps.OLDER:
        return "history that is not in this clone"
    if step.step == past_steps.MERGE:
        return f"a merge of branches by {name}"
    return f"cycle {step.cycle}" if step.cycle else name


def _clause(move: Moved, step: Step) -> str:
    things = _things(move)
    topic = f" out of topic {move.source}" if move.source not in ("", *paths.TIER_NAMES) else ""
    clauses = {
        CAME: f"brought {things}{topic} into {move.target}",
        MOVED: f"moved {things} to {move.target}",
        WENT: f"moved {things} to {'topic ' if move.target not in paths.TIER_NAMES else ''}{move.target}",
        MERGED_IN: f"merged {things}",
        SHORT: f"shortened {things}" if step.cycle else f"edited {things}",
        CHANGED: f"changed the state of {things}",
        GONE: f"dropped {things}" if step.cycle else f"removed {things}",
        ADDED: f"wrote {things} into {move.target}",
    }
    return clauses[move.what]


def _things(move: Moved) -> str:
    """Return how many fragments from which instances, of which kinds, and the numbers of the records."""
    count = len(move.addresses)
    kinds = [
        f"{number} {KINDS[kind].plural.lower() if number > 1 and kind in KINDS else kind}"
        for kind, number in move.kinds.items()
    ]
    whose = f"from instance{'s' if len(move.instances) > 1 else ''} {_run(move.instances)}"
    named = ", ".join(move.numbers[:_NAMED])
    more = f" and {len(move.numbers) - _NAMED} more" if len(move.numbers) > _NAMED else ""
    if len(kinds) == 1:
        return f"{kinds[0]} {whose}{f' ({named}{more})' if named else ''}"
    return f"{count} fragments {whose} ({', '.join(kinds)}{f': {named}{more}' if named else ''})"


def _run(numbers: Sequence[int]) -> str:
    """Return numbers with commas, a run of three or more as its ends: `1, 4-7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]  # noqa: PLR2004
    return ", ".join(parts)
