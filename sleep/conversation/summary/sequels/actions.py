"""What a call did: it looked at something, or it did something in a shell, and how that ended.

Owns reading the command of a call, and what its result is worth after others: what was only looked at can be looked at
again, what was run again has its later result, and a failure after which the same command went through is mended.
Refuses to run anything, and to judge other tools.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import CALL, RESULT
from sleep.conversation.summary import results
from sleep.conversation.summary.marks import ERROR

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn
    from sleep.conversation.summary.fact import Fact

_LATEST = 3  # looks before the cut that are told: they are what the agent has before it
_HEAD = 600  # characters of what a call was given, in which its command begins
_ENDS = 300  # characters at both ends of a result, in which its exit code stands
MENDED = " (the same command passed later)"
# The tools by which clients look: of Claude Code, of Gemini CLI and Qwen Code, of Copilot CLI.
_LOOKERS = frozenset(
    {
        *("Read", "NotebookRead", "Grep", "Glob", "LS", "TaskList", "TodoRead"),
        *("read_file", "read_many_files", "list_directory", "search_file_content", "grep_search"),
        *("view", "grep", "glob"),
    }
)
_SHELL = re.compile(r"(?i)bash|shell|exec|terminal|command|^sh$")
_WRITTEN = re.compile(
    r"(?:^|\n)(?:command|cmd): (.+?)(?:\n(?:description|timeout|workdir|run_in_background): |\Z)", re.DOTALL
)
_JSON = re.compile(r"\"(?:command|cmd)\"\s*:\s*(?:\[\s*\"(?:ba|z)?sh\",\s*\"-l?c\",\s*)?\"((?:[^\"\\]|\\.){1,600})")
_STEPS = re.compile(r"&&|\|\||[;|\n]")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_BEFORE = re.compile(r"(?:[A-Z_][A-Z0-9_]*=\S*\s+|(?:sudo|time|timeout \S+|env|command|xargs(?: -\S+)*)\s+)+")
_WRITES = re.compile(r"(?<![\d&])>{1,2}(?!\s*(?:/dev/null|&))|\btee\b|\s-(?:i|delete|exec)\b")
_LOOKS = (
    r"\[|awk|basename|cat|cd|cut|date|df|diff|dirname|du|echo|egrep|env|fgrep|file|find|grep|head|jq|less|ls|nl|printf"
    r"|ps|pwd|readlink|realpath|rg|sed|sleep|sort|stat|tail|test|tree|true|type|uniq|wc|which|whoami"
    r"|gh \w+ (?:view|list|diff|checks|status|search)|gh (?:search|status)"
    r"|gh api(?!.* (?:-X|--method|-f|-F|--field|--raw-field|--input)\b)"
    r"|tmux (?:capture-pane|display-message|list-\w+|has-session|ls)"
    r"|(?!git )[a-z][\w.-]* (?:(?!run )[a-z]\w+ )?(?:status|list|show)"
)
_GIT_LOOKS = (
    r"blame|branch|cat-file|describe|diff|fetch|for-each-ref|grep|log|ls-files|ls-remote|ls-tree|merge-base|reflog"
    r"|remote|rev-list|rev-parse|show|status"
)
_LOOK_STEP = re.compile(rf"(?:{_LOOKS}|git (?:-C \S+ )?(?:--no-pager )?(?:{_GIT_LOOKS}))(?=\s|$)")
_CHANGES = re.compile(r"\s(?:-[dDmMfFu]\b|--delete|--set-upstream|add|remove|set-url|prune)")
_REDIRECTION = re.compile(r"\s*\d?>{1,2}\s*(?:/dev/null|&\d)|\s*&>\s*/dev/null")
_HELP = re.compile(r" (?:--help|--version|-h)$|^\S+ (?:help|version)$")
_TESTS = re.compile(r"\b(?:tests?|pytest|jest|vitest|mocha|rspec|tox|nox|phpunit|ctest)\b")
_PASSED = re.compile(r"(?m)\b[1-9]\d* pass(?:ed|ing)?\b|^ok\b|^PASS\b|\b0 fail|^OK\b|test result: ok")
_PASS_SIGNS = ("pass", "ok", "0 fail")  # one of them stands where `_PASSED` matches, in any case
_MERGES = re.compile(r"\bgit (?:-C \S+ )?(?:merge|rebase|cherry-pick|pull|stash)\b")
_COMMITTED = re.compile(r"(?m)^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] \S|Successfully rebased")
_FAILED = re.compile(r"(?mi)\b[1-9]\d* (?:\w+ )?fail|^(?:--- )?FAIL\b")
# What Codex, Claude Code and Copilot CLI print of a command that goes on, and what a call gives that waits for it.
_GOES_ON = re.compile(
    r"(?:running with session|background with) ID:? ([\w-]{1,40})|\bshellId: (\w{1,40}) is still running"
)
_WAITS = re.compile(r"\b(?:session_id|bash_id|shell_id|shellId)\"?: ?\"?([\w-]{1,40})")
_TAIL = 600  # characters of a result in which a test says that it passed
_CODE = re.compile(r"(?im)^(?:exit code|process exited with code|exit status)[: ]+([1-9]\d*)\b")


class Command(NamedTuple):
    """A command: what makes it the same as another, whether it only looks at something, and all of its words."""

    key: str
    is_look: bool
    text: str = ""


_LOOK = Command("", is_look=True)


class Actions(NamedTuple):
    """The commands whose results stand in turns, by (turn, part), and the places of merges that were gone on with."""

    commands: dict[tuple[int, int], Command]
    merged: frozenset[tuple[int, int]] = frozenset()

    def looks(self) -> frozenset[tuple[int, int]]:
        """Return the places of results that need not be told: what was only looked at, but for the latest."""
        places = [place for place, command in self.commands.items() if command.is_look]
        return frozenset(sorted(places)[:-_LATEST])

    def calm(self, turns: Sequence[Turn]) -> frozenset[tuple[int, int]]:
        """Return the places of results in which a line of failure is no failure of the work, or none any more.

        That is a look, unless it only asked a program for its help and that did not start; tests that passed; and a
        merge that stopped, where a commit was made later.
        """
        calm = {place for place, command in self.commands.items() if command.is_look and not _HELP.search(command.key)}
        calm.update(place for place in self._places_of(_TESTS) if _tests_passed(_text(turns, place)))
        return frozenset(calm) | self.merged

    def _places_of(self, form: re.Pattern[str]) -> list[tuple[int, int]]:
        """Return the places of what commands of a form printed."""
        return _places_of(self.commands, form)

    def earlier(self) -> frozenset[tuple[int, int]]:
        """Return the places of what is past: runs of a command but for its last, merges that were gone on with."""
        runs = frozenset(place for places in self._runs().values() for place in sorted(places)[:-1])
        return runs | self.merged

    def tests_passed(self, failure: Fact, turns: Sequence[Turn]) -> bool:
        """Return whether a failure was one of a test, and another command that tests passed after it."""
        command = self.commands.get(failure.part)
        if command is None or not _TESTS.search(command.key):
            return False
        later = [place for place in self._places_of(_TESTS) if place[0] > failure.at]
        return bool(later) and _tests_passed(_text(turns, max(later)))

    def settle(self, facts: Sequence[Fact], turns: Sequence[Turn]) -> list[Fact]:
        """Return facts without those of runs that a later run of the same command took the place of.

        Of a failure that is mended the last line stays, and says so.
        """
        runs = self._runs()
        facts = [fact for fact in facts if not (fact.name and fact.part in self.merged)]
        facts = [fact for fact in facts if not (fact.name and fact.kind == ERROR and self._shows(fact, turns))]
        if not runs:
            return facts
        last = {fact.part: fact for fact in facts if fact.name and fact.kind == ERROR}
        past = {place: mended for places in runs.values() for place, mended in _past(sorted(places), last, turns)}
        return [*_settled(facts, past, last), *_mended(facts, past, last)]

    def _runs(self) -> dict[str, list[tuple[int, int]]]:
        """Return the places of what each command printed that did more than look."""
        runs: dict[str, list[tuple[int, int]]] = {}
        for place, command in self.commands.items():
            if not command.is_look:
                runs.setdefault(command.key, []).append(place)
        return runs

    def _shows(self, fact: Fact, turns: Sequence[Turn]) -> bool:
        """Return whether a fact is a line of what was looked at, or of tests that passed: it is no failure there."""
        place = fact.part
        command = self.commands.get(place)
        if command is None or not command.is_look:
            return command is not None and bool(_TESTS.search(command.key)) and _tests_passed(_text(turns, place))
        return not _HELP.search(command.key)


def _places_of(commands: dict[tuple[int, int], Command], form: re.Pattern[str]) -> list[tuple[int, int]]:
    return [place for place, command in commands.items() if command.key and form.search(command.text)]


def _merged(commands: dict[tuple[int, int], Command], turns: Sequence[Turn]) -> frozenset[tuple[int, int]]:
    """Return the places of merges that were gone on with: a commit was made later."""
    merges = _places_of(commands, _MERGES)
    if not merges:
        return frozenset()
    made = next((place for place in reversed(commands) if _committed(_text(turns, place))), (-1, -1))
    return frozenset(place for place in merges if place < made)


def _text(turns: Sequence[Turn], place: tuple[int, int]) -> str:
    return turns[place[0]].parts[place[1]].text


def _tests_passed(text: str) -> bool:
    """Return whether tests say at their end that they passed, and not that any failed."""
    end = text[-_TAIL:]
    low = end.lower()
    if not any(sign in low for sign in _PASS_SIGNS) or ("fail" in low and _FAILED.search(end)):
        return False
    return _PASSED.search(end) is not None and not tells_failure(text)


def _committed(text: str) -> bool:
    """Return whether a command printed that a commit was made."""
    may_be = text.startswith("[") or "\n[" in text or "Successfully rebased" in text
    return may_be and _COMMITTED.search(text) is not None


def _past(
    places: Sequence[tuple[int, int]], broken: Container[tuple[int, int]], turns: Sequence[Turn]
) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the runs of one command but for the last, and whether each failed and a later one did not."""
    has_passed = False
    for place in reversed(places):
        failed = place in broken or tells_failure(_text(turns, place))
        if place != places[-1]:
            yield place, failed and has_passed
        has_passed = has_passed or not failed


def _settled(
    facts: Iterable[Fact], past: dict[tuple[int, int], bool], last: dict[tuple[int, int], Fact]
) -> Iterator[Fact]:
    for fact in facts:
        place = fact.part
        if not fact.name or place not in past:
            yield fact
        elif fact.kind == ERROR and (not past[place] or last[place] is fact):
            yield fact._replace(text=fact.text + MENDED, worth=fact.worth - 0.5) if past[place] else fact


def _mended(
    facts: Iterable[Fact], past: dict[tuple[int, int], bool], last: Container[tuple[int, int]]
) -> Iterable[Fact]:
    """Return the last line of failure of each mended run that no error is told of, which says that it is mended."""
    lines: dict[tuple[int, int], Fact] = {}
    for fact in facts:
        place = fact.part
        if fact.name and past.get(place) and place not in last and (line := results.last_failure([fact])):
            lines[place] = line._replace(kind=ERROR, text=line.text + MENDED, end=False)
    return lines.values()


def of_turns(turns: Sequence[Turn]) -> Actions:
    """Return the commands whose results stand in turns.

    A call that waits for a command that goes on (`write_stdin`, `BashOutput`, `read_bash`) is a part of its run.
    """
    called: dict[str, Command] = {}
    commands: dict[tuple[int, int], Command] = {}
    going: dict[str, Command] = {}
    for at, turn in enumerate(turns):
        if turn.calls:
            calls = iter(turn.calls)
            for kind, text, _ in turn.parts:
                if kind == CALL and (own := next(calls, None)) and (command := _command(own[1], text, going)):
                    called[own[0]] = command
        if turn.results and called:
            numbers = [number for number, part in enumerate(turn.parts) if part.kind == RESULT]
            for call, number in zip(turn.results, numbers, strict=False):
                if call in called:
                    commands[at, number] = called[call]
                    if run := _going(turn.parts[number].text):
                        going[run] = called[call]
    return Actions(commands, _merged(commands, turns))


def _going(text: str) -> str:
    """Return the id under which the command of a result goes on, "" where it ended."""
    last = max(0, len(text) - _ENDS)
    if text.find("running", 0, _ENDS) < 0 and text.find("running", last) < 0:
        return ""
    match = _GOES_ON.search(text, 0, 2 * _ENDS) or _GOES_ON.search(text, last)
    return match[1] or match[2] if match else ""


def _command(name: str, arguments: str, going: dict[str, Command]) -> Command | None:
    """Return what a call does, as far as its tool's name or its command tells it, or that of the run it waits for.

    `going` are the commands that go on, by their ids.
    """
    if name in _LOOKERS:
        return _LOOK
    if text := command_of(name, arguments):
        return read(text)
    waits = _WAITS.search(arguments, 0, _HEAD) if going else None
    return going.get(waits[1]) if waits else None


def command_of(name: str, arguments: str) -> str:
    """Return the command that a call gives to a shell, "" for none."""
    if not _SHELL.search(name):
        return ""
    if arguments.startswith(("{", "[")):
        match = _JSON.search(arguments, 0, _HEAD)
        return match[1].replace("\\n", "\n").replace('\\"', '"') if match else ""
    match = _WRITTEN.search(arguments, 0, 2 * _HEAD)
    return match[1] if match else "" if ": " in arguments[:14] else arguments[:_HEAD]


def read(command: str) -> Command:
    """Return what a command is told by.

    `cd a && sed -n 1,9p b.py | head` looks; `go test ./... 2>&1 | tail -5` is the same as `go test ./... | tail -9`.
    """
    bare = _QUOTED.sub("''", command)
    pieces = _STEPS.split(_REDIRECTION.sub("", bare))
    steps = filter(None, (_BEFORE.sub("", piece.strip().lstrip("({! ")) for piece in pieces))
    is_look = not _WRITES.search(bare) and _looks(next(steps, "")) and all(map(_looks, steps))
    runs = command.split(" && ")
    own = next((run for run in runs if not run.lstrip().startswith(("cd ", "export "))), command)
    return Command(own.partition("|")[0].partition("2>")[0].strip(), is_look, command)


def _looks(step: str) -> bool:
    if _HELP.search(step):
        return True
    return _LOOK_STEP.match(step) is not None and not (step.startswith("git") and _CHANGES.search(step))


def tells_failure(text: str) -> bool:
    """Return whether a result tells by its form that its call failed: an exit code other than 0."""
    ends = text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}\n{text[-_ENDS:]}"
    return "exit" in ends.lower() and _CODE.search(ends) is not None
