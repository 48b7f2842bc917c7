"""The history of a topic: what each commit brought into it, moved, merged and took out, in sentences.

Owns reading it off the documents before and after each commit; also of topics that are gone, of topics in parts
(`auth-2` is part of `auth`) and of a topic under its earlier name. Refuses reasons: those are `life`'s to tell.
"""

from __future__ import annotations

import difflib
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.compression.contract import DROPPED, MERGED, SHORTENED
from sleep.cycle import topics
from sleep.documents import paths
from sleep.errors import UsageError
from sleep.history import past_steps
from sleep.history.step_fates import Past
from sleep.records.fragment import STATUS
from sleep.records.kinds import KINDS
from sleep.records.topic import slug

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.changes.comparison import Passage
    from sleep.documents.fates_page import Row
    from sleep.history.past_steps import Step
    from sleep.memory.place import Place
    from sleep.records.fragment import Fragment

CAME, MOVED, WENT, MERGED_IN, SHORT, CHANGED, GONE, ADDED = (
    *("came", "moved", "went", "merged", "shortened", "changed", "dropped", "added"),
)
_TIERS = ("hot", "warm", "cold")
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
    """A topic's history, oldest first: its files now (none where it is gone) and how many fragments they hold."""

    topic: str
    files: tuple[str, ...]
    fragments: int
    events: tuple[Event, ...]


class _Told(NamedTuple):
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
    topic = next(
        (one for one in (name.strip(), topics.base(name.strip()), topics.base(slug(name))) if one in known), ""
    )
    if not topic:
        near = difflib.get_close_matches(slug(name), known, _NEAR, 0.5) or sorted(known)[:_NEAR]
        right = f" (would be right: {', '.join(near)})" if near else ""
        raise UsageError(f"there is and was no topic {name!r}{right}", hint="sleepwake memory.stats")
    files = tuple(path for folder in (paths.WARM, paths.COLD) for path in past.now.files(folder) if _is_of(path, topic))
    told = list(_told(past, topic, len(past.steps), frozenset(), notice))
    fragments = sum(len(past.now.tier(path).items) for path in files)
    return TopicLog(topic, files, fragments, tuple(_event(group) for group in _by_cycle(told)))


def _known(past: Past) -> set[str]:
    """Return the topics that are or were."""
    changed = {path for step in past.steps for path in step.tiers}
    now = {path for folder in (paths.WARM, paths.COLD) for path in past.now.files(folder)}
    return {topic for path in changed | now if (topic := _topic(path))}


def _topic(path: str) -> str:
    """Return the topic that a file is of, "" for what is not in warm or cold memory."""
    return topics.base(paths.topic_of(path)) if paths.tier_of(path) in ("warm", "cold") else ""


def _is_of(path: str, topic: str) -> bool:
    return _topic(path) == topic


def _told(
    past: Past, topic: str, until: int, seen: frozenset[str], notice: Callable[[int, int], None]
) -> Iterator[_Told]:
    """Yield what the commits before one of them did to a topic; first what was done to it under its earlier name."""
    first = True
    for index, step in enumerate(past.steps[:until]):
        notice(index, until)
        if not any(_is_of(path, topic) for path in step.tiers):
            continue
        before, after = past.documents(step, past.blobs.fragments)
        recorded = past.fates(step)
        passages = [one for found in recorded for one in found.passages(_of_topic(found.section.rows, topic))]
        moved = tuple(_moved(passages if recorded else comparison.between(before, after), topic))
        if first and (earlier := _earlier(before, after, moved, topic)) and earlier not in seen:
            yield from _told(past, earlier, index, seen | {topic}, notice)
        first = False
        if moved:
            yield _Told(step, topic, moved)


def _of_topic(rows: Sequence[Row], topic: str) -> list[Row]:
    return [row for row in rows if _is_of(row.source, topic) or _is_of(row.target, topic)]


def _earlier(
    before: Mapping[str, Sequence[Fragment]],
    after: Mapping[str, Sequence[Fragment]],
    moved: Sequence[Moved],
    topic: str,
) -> str:
    """Return the topic that was given another name: all that came, came from it, and nothing of it is left; or ""."""
    if any(before.get(path) for path in after if _is_of(path, topic)):
        return ""
    sources = {one.source for one in moved if one.what == CAME}
    (source,) = sources if len(sources) == 1 else ("",)
    old = [path for path in after if source and _is_of(path, source)]
    gone = bool(old) and not any(after[path] for path in old)
    return source if gone and not any(one.what == ADDED for one in moved) else ""


def _moved(passages: Iterable[Passage], topic: str) -> Iterator[Moved]:
    groups: dict[tuple[str, str, str], list[Fragment]] = {}
    for one in passages:
        kind = _kind(one, topic)
        if kind and (fragment := one.before or one.after):
            groups.setdefault(kind, []).append(fragment)
    for (what, source, target), fragments in groups.items():
        yield Moved(
            what,
            source,
            target,
            tuple(str(one.identity) for one in fragments),
            tuple(one.number for one in fragments if one.number),
            dict(Counter(one.kind for one in fragments)),
            tuple(sorted({one.identity.number for one in fragments})),
        )


def _kind(one: Passage, topic: str) -> tuple[str, str, str] | None:
    """Return what happened to a fragment as (what, from, to), None for what does not concern the topic."""
    was, is_ = _is_of(one.source, topic), _is_of(one.target, topic)
    here, there = paths.tier_of(one.source), paths.tier_of(one.target)
    if not (was or is_):
        return None
    if one.fate == MERGED or not one.target:
        return (GONE if one.fate == DROPPED else MERGED_IN), "", ""
    if not here:
        return ADDED, "", there
    if not was:
        return CAME, _topic(one.source) or here, there
    if not is_:
        return WENT, here, _topic(one.target) or there
    return _stayed(one, here, there)


def _stayed(one: Passage, here: str, there: str) -> tuple[str, str, str] | None:
    """Return what happened to a fragment that is of the topic before and after, None where that is nothing."""
    changed = one.before and one.after and one.before.field(STATUS) != one.after.field(STATUS)
    if here != there:
        return MOVED, here, there
    if one.fate == SHORTENED:
        return SHORT, "", ""
    return (CHANGED, "", "") if changed else None


def _by_cycle(told: Sequence[_Told]) -> Iterator[list[_Told]]:
    """Yield the commits of one cycle together, and each other one by itself."""
    group: list[_Told] = []
    for one in told:
        same = group and one.step.cycle and one.step.step != past_steps.UNDO and _key(group[-1]) == _key(one)
        if group and not same:
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _key(one: _Told) -> tuple[int, str, str, bool]:
    return one.step.cycle, one.step.instance, one.topic, one.step.step == past_steps.UNDO


def _event(group: Sequence[_Told]) -> Event:
    step = group[0].step
    moved = tuple(each for one in group for each in one.moved)
    return Event(
        step.commit.when,
        group[0].topic,
        step.step,
        step.cycle,
        step.instance,
        step.commit.author,
        tuple(one.step.commit.sha for one in group),
        moved,
        _who(step),
        tuple(_says(one, step) for one in moved),
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


def _says(one: Moved, step: Step) -> str:
    things = _things(one)
    topic = f" out of topic {one.source}" if one.source not in ("", *_TIERS) else ""
    said = {
        CAME: f"brought {things}{topic} into {one.target}",
        MOVED: f"moved {things} to {one.target}",
        WENT: f"moved {things} to {'topic ' if one.target not in _TIERS else ''}{one.target}",
        MERGED_IN: f"merged {things}",
        SHORT: f"shortened {things}" if step.cycle else f"edited {things}",
        CHANGED: f"changed the state of {things}",
        GONE: f"dropped {things}" if step.cycle else f"removed {things}",
        ADDED: f"wrote {things} into {one.target}",
    }
    return said[one.what]


def _things(one: Moved) -> str:
    """Return how many fragments from which instances, of which kinds, and the numbers of the records."""
    count = len(one.addresses)
    kinds = [f"{number} {_plural(kind, number)}" for kind, number in one.kinds.items()]
    whose = f"from instance{'s' if len(one.instances) > 1 else ''} {_run(one.instances)}"
    named = ", ".join(one.numbers[:_NAMED])
    more = f" and {len(one.numbers) - _NAMED} more" if len(one.numbers) > _NAMED else ""
    if len(kinds) == 1:
        return f"{kinds[0]} {whose}{f' ({named}{more})' if named else ''}"
    return f"{count} fragments {whose} ({', '.join(kinds)}{f': {named}{more}' if named else ''})"


def _plural(kind: str, number: int) -> str:
    if number == 1 or kind not in KINDS:
        return kind
    return KINDS[kind].plural.lower()


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
