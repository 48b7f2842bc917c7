"""The state of the work: which files were changed and read, what failed last, which tasks are open, what comes next.

Owns reading it from calls, results and the agent's last words, and taking over what an earlier summary said of it.
Refuses to judge whether work is done: it tells what was reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import CALL, RESULT, TEXT
from sleep.conversation.summary.fact import bare, clipped, flat
from sleep.conversation.summary.sequels import actions
from sleep.conversation.summary.state import file_changes, task_list, workplace
from sleep.language import sentences
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn
    from sleep.conversation.summary.fact import Fact

CHANGED, READ, MADE, FAILED, TASKS, NEXT, IMAGES = (
    "files changed",
    "files read",
    "commits and pull requests",
    "last error",
    "tasks",
    "next step",
    "images that are gone",
)
_LINE = 240  # characters of an error, a task or a next step
_COMMITTED = re.compile(r"(?m)^\[([^\]\n]{1,120} [0-9a-f]{7,40})\] (.{1,200})$")
_REQUESTED = re.compile(r"https?://[^\s\"']{4,120}/(?:pull|merge_requests)/\d+(?=\s*(?:$|[\s\"']))")
_MAKES = re.compile(
    r"\bgit\b[^|;&]{0,200}\b(?:commit|merge|cherry-pick)\b|\b(?:gh pr|glab mr) (?:create|merge|ready)\b"
)
_MAKE_SIGNS = ("commit", "merge", "cherry-pick", "gh pr", "glab mr")  # one of them stands in all that makes one
# `✓ Squashed and merged pull request #12`, `✓ Pull request acme/app#12 is marked as "ready for review"`
_MOVED = re.compile(
    r"(?mi)^\W*((?:squashed and |rebased and )?(?:merged|closed) pull request|pull request)\b([^\n]{3,160})$"
)
_NEWEST = 6  # commits and pull requests that are named
_SINCE = re.compile(
    r" \((?:then (\d+) results?(?: without one|, (\d+) failed)(, tests passed since)?"
    r"|nothing ran after it)\)$"
)
_PASSED = ", tests passed since"


class Past(NamedTuple):
    """What happened in the turns: the last failure that was printed, which results tell none, and images that go.

    `failure.at` is the index of a turn, `calm` are (turn, part), `images` says with which messages they came.
    `has_passed` says that a test failed and other tests passed since. In `place` stands where the
    agent works, as far as that goes.
    """

    failure: Fact | None
    calm: Collection[tuple[int, int]] = ()
    images: str = ""
    has_passed: bool = False
    place: dict[str, str] = {}  # noqa: RUF012  # never changed


def lines(turns: Sequence[Turn], before: Sequence[str], past: Past) -> tuple[str, ...]:
    """Return the state of the work, a line each; `before` are the lines of an earlier summary.

    `turns` are the removed ones and those that stay.
    """
    old = {name: rest for line in before for name, _, rest in [line.partition(": ")]}
    changed, read = file_changes.of_turns(turns, old.get(CHANGED, ""), old.get(READ, ""))
    state = {
        workplace.RULES: past.place.get(workplace.RULES, old.get(workplace.RULES, "")),
        workplace.ENVIRONMENT: past.place.get(workplace.ENVIRONMENT, old.get(workplace.ENVIRONMENT, "")),
        CHANGED: changed,
        READ: read,
        MADE: _made(turns, old.get(MADE, "")),
        FAILED: _failed(turns, old.get(FAILED, ""), past),
        TASKS: task_list.of_turns(turns, old.get(TASKS, "")),
        NEXT: _comes(turns),
        IMAGES: "; ".join(filter(None, (old.get(IMAGES, ""), past.images))),
    }
    return tuple(f"{name}: {text}" for name, text in state.items() if text)


def _made(turns: Sequence[Turn], before: str) -> str:
    """Return the commits and pull requests that commands made, the latest last."""
    made = dict.fromkeys(before.split("; ") if before else ())
    for text in _printed_by_makers(turns):
        commits = [f"[{where}] {what}".replace("; ", ", ") for where, what in _COMMITTED.findall(text)]
        for name in commits:
            made = {past: None for past in made if not _is_again(name, past)}
            made[name] = None
        for name in (*_REQUESTED.findall(text), *map("".join, _MOVED.findall(text))):
            made.pop(name, None)
            made[name] = None
    return "; ".join(list(made)[-_NEWEST:])


def _is_again(name: str, past: str) -> bool:
    """Return whether a commit was made again: amended or replayed, on the same branch with the same subject."""
    if not past.startswith("["):
        return False
    (where, _, subject), (before, _, other) = name.partition("] "), past.partition("] ")
    return subject == other and where.rpartition(" ")[0] == before.rpartition(" ")[0]


def _printed_by_makers(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield what commands printed that may make a commit or a pull request."""
    waits: set[str] = set()
    for turn in turns:
        if turn.calls:
            waits.update(_makers(turn))
        if waits and not waits.isdisjoint(turn.results):
            texts = [part.text for part in turn.parts if part.kind == RESULT]
            yield from (text for call, text in zip(turn.results, texts, strict=False) if call in waits)


def _makers(turn: Turn) -> Iterator[str]:
    """Yield the ids of the calls of a turn that may make a commit or a pull request."""
    calls = iter(turn.calls)
    for kind, text, _ in turn.parts:
        if kind == CALL and (call := next(calls, None)) and _makes(text):
            yield call[0]


def _makes(arguments: str) -> bool:
    """Return whether a call may make a commit or a pull request."""
    return any(sign in arguments for sign in _MAKE_SIGNS) and _MAKES.search(arguments) is not None


def _failed(turns: Sequence[Turn], before: str, past: Past) -> str:
    """Return the last failure that a tool printed, how many results came after it, and how many of them failed."""
    later, broken, has_passed = 0, 0, past.has_passed
    if past.failure is not None:
        text = f"[{past.failure.name}] {clipped(past.failure.text, _LINE)}"
    elif before:
        text = _SINCE.sub("", before)
        if count := _SINCE.search(before):
            later, broken, has_passed = int(count[1] or 0), int(count[2] or 0), bool(count[3])
    else:
        return ""
    for at in range(past.failure.at + 1 if past.failure else 0, len(turns)):
        for number, part in enumerate(turns[at].parts):
            if part.kind == RESULT:
                later += 1
                broken += (at, number) not in past.calm and actions.tells_failure(part.text)
    return f"{text} ({_since(later, broken)}{_PASSED * has_passed})"


def last_error(lines_: Iterable[str]) -> str:
    """Return the last error as a fact is told, where a line of the state has it, "" where none has."""
    errors = (line.removeprefix(f"{FAILED}: ") for line in lines_ if line.startswith(f"{FAILED}: "))
    return _SINCE.sub("", next(errors, ""))


def _since(later: int, broken: int) -> str:
    if not later:
        return "nothing ran after it"
    return f"then {later} result{'s' * (later > 1)}{f', {broken} failed' if broken else ' without one'}"


def _comes(turns: Sequence[Turn]) -> str:
    """Return what the agent said in its last words that it would do next, "" where a person spoke since."""
    for turn in reversed(turns):
        speech = "\n".join(part.text for part in turn.parts if part.kind == TEXT)
        if not speech.strip() or turn.role not in ("user", "assistant"):
            continue
        for line in reversed(speech.split("\n") if turn.role == "assistant" else []):
            for start, stop in reversed(sentences.spans(own := bare(line))):
                if form("signs.next").written().match(own, start, stop):
                    return clipped(flat(own[start:stop]), _LINE)
        break
    return ""
