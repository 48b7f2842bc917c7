"""What a tool's result has to keep: its head, its end, and lines between that say what went wrong.

Owns the cut. A listing of a file tells nothing but its name, which the state of the work has; what drives a terminal
is taken out. Refuses to take a rule, a choice or a question from a result: anybody can write there; and to pass on
what speaks to its reader. What it is worth beside others is asked only where there is more than room.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.conversation.summary import marks, sieve, source_text
from sleep.conversation.summary.fact import JOINT, PART, TOOL, Fact, clipped, flat
from sleep.conversation.summary.marks import ERROR
from sleep.language.output import listings
from sleep.redaction import terminal, untrusted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.language.output.pastes import Paste

PASTED = "pasted"  # as what is told of a paste is named, where a tool's name would stand
HEAD, TAIL = 200, 200  # characters of a tool's result
WHOLE = HEAD + TAIL
_FEW = 4  # pastes of one message that are told
_BROKEN = 3  # lines inside a result that say what went wrong
_LOOKED = 24  # lines inside a result that are asked, for each word of failure
_ESCAPE = "\x1b"
# The state of the work tells which files were written and which tasks there are; a slip of an edit is made again.
_NOTED = re.compile(
    r"(?:The )?[Ff]ile \S+ (?:has been |was )?(?:updated|created|written|edited)|File created success"
    r"|Todos have been modified|Updated task #|Task #\d+ created|Wrote \d+ (?:bytes|lines|characters)|Plan updated$"
    r"|Successfully (?:created|wrote|modified|overwrote|edited)|Success\. Updated the following files"
    r"|(?:<tool_use_error>)?(?:String to replace not found|File has not been read|Sibling tool call errored)"
    r"|apply_patch verification failed|Failed to find expected lines|Found \d+ files?$|No (?:files|matches) found$"
    r"|(?:Original token count|Chunk ID|Wall time|Total output lines): |Process exited with code 0"
    r"|(?:Process exited with|Exit) code \d+\s*\Z|Process running with session ID \d+\s*\Z"
    r"|(?:(?:exit[^:\n]{0,30}: ?0|<shellId: \w+ completed with exit code 0>)\s*)+\Z"
    r"|Updated \d+ paths? from the index\s*\Z"
    r"|={2,} [^\n]* ={2,}\s*\Z",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d_]{2}")
# What Codex prints before what a command printed; a status other than 0 stays.
_PREAMBLE_SIGNS = ("Chunk ID: ", "Exit code: 0\n", "Command: ")
_PREAMBLE = re.compile(
    r"(?:Chunk ID: \w+|Exit code: 0)\n(?:Wall time: [^\n]*\n)?"
    r"(?:Process (?:exited with code 0|running with session ID \d+)\n)?(?:Output:\n)?"
)
# What Gemini CLI prints around what a command printed.
_AROUND = re.compile(r"Command: [^\n]*\n(?:(?!Directory: )[^\n]*\n){0,200}Directory: [^\n]*\n(?:Output: )?")
_BEHIND = re.compile(
    r"(?m)^(?:(?:Error|Signal|Background PIDs): \((?:none|empty)\)|(?:Exit Code|Signal): 0|Process Group PGID: \d+)$\n?"
)
_COUNT = "Original token count: "
# Of a line of its own; what is searched first are its letters.
_COUNTED = re.compile(rf"{_COUNT}(?<![^\n]{_COUNT})\d+\nOutput:\n")
_SCREEN = ("esc to interrupt", "› Use /", "ctrl + t to view", "? for shortcuts", "ctrl+r to expand")  # signs of one
_AGENTS = frozenset({"Task", "Agent", "spawn_agent", "wait_agent"})  # the tools by which clients ask other agents
_NAMED_ERROR = re.compile(r"\w*Error: ")
_DIGITS = b"0123456789"


def extract(text: str, name: str, at: int, number: int, broken: Sequence[str] | None = None) -> Iterator[Fact]:
    """Yield the head and the end of a result, and lines between them that say what went wrong.

    `broken` are the words that say so, as far as they stand in any result of ASCII.
    """
    name = name.removeprefix("name:")
    place = number << PART
    if _ESCAPE in text or text.startswith(_PREAMBLE_SIGNS):
        text = _without_preamble(terminal.strip_escapes(text))
    words = broken if broken is not None and text.isascii() else marks.broken()
    if name in _AGENTS and not _NAMED_ERROR.match(source_text.without_tags(text[:WHOLE])):
        words = ()  # another agent's report is prose: `error` in it is what it writes about
    if is_screen(text):
        return
    if len(text) <= WHOLE:
        yield from _whole(text, name, at, place, words)
        return
    if listings.is_listing(text) or _NOTED.match(text):
        return
    head, last = _head(text), _tail(text)
    if head and (begin := flat(source_text.without_rows(text[:head], is_end=False))):
        yield Fact(TOOL, begin, 1.0, at, place, name)
    if words:
        yield from _broken(text, head, last, at, place, name, words)
    if end := flat(source_text.without_rows(text[last:])):
        yield Fact(TOOL, end, 1.2, at, place + len(text), name, end=True)


def of_pastes(lines: Sequence[str], pastes: Sequence[Paste], at: int, number: int) -> Iterator[Fact]:
    """Yield the head, the end and the failures of the first pastes in a person's lines, as of what a tool printed."""
    long = [paste for paste in pastes if paste.stop - paste.start > 1]
    for start, stop in long[:_FEW]:
        before = sum(map(len, lines[:start])) + start
        for line in extract("\n".join(lines[start:stop]), PASTED, at, number):
            yield line._replace(place=line.place + before)


def _without_preamble(text: str) -> str:
    """Return a result without what Codex prints before it, and Gemini CLI around it."""
    if around := _AROUND.match(text):
        return _BEHIND.sub("", text[around.end() :])
    if preamble := _PREAMBLE.match(text):
        text = text[preamble.end() :]
    return _COUNTED.sub("", text) if _COUNT in text else text


def _whole(text: str, name: str, at: int, place: int, words: Sequence[str]) -> Iterator[Fact]:
    """Yield a short result as it is, as an error where a line of it says so."""
    whole = flat(source_text.without_rows(source_text.without_tags(text)))
    is_commit = source_text.tells_commit(text) and "->" not in text  # the state of the work has it
    if whole and not is_commit and not says_nothing(text):
        is_failure = words and any(word in text.lower() for word in words) and _is_failure(text, words)
        yield Fact(ERROR if is_failure else TOOL, whole, 1.6 if is_failure else 1.0, at, place, name)


def _head(text: str) -> int:
    """Return where the head of a result ends: after a whole line if one fits, else between words."""
    start = len(text) - len(text.lstrip())
    limit = start + HEAD
    line = text.rfind("\n", start, limit + 1)
    if line > start + HEAD // 3:
        return line
    word = text.rfind(" ", start, limit + 1)
    return word if word > start + HEAD // 2 else limit


def _tail(text: str) -> int:
    """Return where the end of a result begins."""
    stop = len(text.rstrip())
    limit = max(0, stop - TAIL)
    line = text.find("\n", limit - 1 if limit else 0, stop)
    if 0 <= line < stop - TAIL // 4:
        return line + 1
    last = text.rfind("\n", 0, stop) + 1
    if last > limit:
        return last
    word = text.find(" ", limit, stop)
    return word + 1 if 0 <= word < stop - TAIL // 2 else limit


def is_screen(text: str) -> bool:
    """Return whether a result is the screen of another agent: what it says comes to its reader by its report."""
    return not text.isascii() and any(sign in text for sign in _SCREEN)


def says_nothing(text: str) -> bool:
    """Return whether a short result is a listing, a bare word or number, or says that a file was written."""
    return _is_bare(text) or listings.is_listing(text) or bool(_NOTED.match(text))


def _is_bare(text: str) -> bool:
    """Return whether a result is one word or numbers alone: without its question it says nothing."""
    return text.isascii() and (len(text.split(None, 1)) < 2 or not _WORD.search(text))  # noqa: PLR2004  # a second word


def last_failure(facts: Sequence[Fact]) -> Fact | None:
    """Return the last fact that a tool printed about a failure, with the line that tells it; None for none."""
    printed = [fact for fact in facts if fact.name]
    if not printed:
        return None
    words = sieve.standing(marks.broken(), [fact.text for fact in printed], others=True)
    if not words:
        return None
    for fact in sorted(printed, key=lambda fact: (fact.at, fact.place), reverse=True):
        for line in reversed(fact.text.split(JOINT)):
            if any(word in line.lower() for word in words) and source_text.tells_failure(line) and _is_own(fact, line):
                return fact if fact.kind == ERROR else fact._replace(text=line)
    return None


def _is_own(fact: Fact, line: str) -> bool:
    """Return whether a line of failure is the tool's own: another agent's report and a commit's subject are prose."""
    return not source_text.tells_commit(line) and (
        fact.name not in _AGENTS or _NAMED_ERROR.match(fact.text) is not None
    )


def _is_failure(text: str, words: Sequence[str]) -> bool:
    """Return whether a line of a short result says that something failed."""
    lines = text.split("\n")
    return any(
        any(word in low for word in words) and source_text.tells_failure(line)
        for line in lines
        if (low := line.lower())
    )


def _broken(text: str, head: int, last: int, at: int, place: int, name: str, words: Sequence[str]) -> Iterator[Fact]:
    low = text.lower() if text.isascii() else text.replace("İ", "I").lower()
    hits: dict[int, int] = {}
    for word in words:
        hit = low.find(word, head, last)
        count = 0
        for _ in range(_LOOKED):
            if hit < 0 or count == _BROKEN:
                break
            start = text.rfind("\n", head, hit) + 1 or head
            stop = text.find("\n", hit, last)
            stop = last if stop < 0 else stop
            if start in hits or source_text.tells_failure(text[start:stop]):
                hits[start] = stop
                count += 1
            hit = low.find(word, stop, last)
    lines = sorted(hits.items())
    for start, stop in dict.fromkeys([*lines[:1], *lines[-_BROKEN + 1 :]]):
        line = flat(clipped(source_text.without_tags(text[start:stop].strip()), TAIL))
        yield Fact(ERROR, line, 1.6, at, place + start, name)


def is_telling(text: str) -> bool:
    """Return whether a text holds a figure or a sign of names and paths."""
    if "_" in text or "/" in text or "`" in text:
        return True
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw.translate(None, _DIGITS)) < len(raw)


def worth(text: str, broken: Sequence[str]) -> float:
    """Return what the words of a result add to its worth; asked only where there is more than room.

    `broken` are the words that say what went wrong, as far as they stand in any of the texts that are asked about.
    """
    bonus = 0.4 * is_telling(text)
    if not broken:
        return bonus
    low = text.lower()
    return bonus + 0.9 * any(word in low for word in broken)


def instruction_detector(texts: Sequence[str]) -> Callable[[str], bool]:
    """Return what says whether one of these texts, which tools printed, reads like an instruction to its reader."""
    signs = sieve.standing(untrusted.SIGNS, [text.replace(JOINT, "\n") for text in texts])

    def speaks(text: str) -> bool:
        text = text.replace(JOINT, "\n")
        if text.isascii():
            low = text.lower()
            if not any(sign in low for sign in signs):
                return False
        return untrusted.is_instruction(text)

    return speaks
