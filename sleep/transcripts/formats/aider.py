"""Aider's history (`.aider.chat.history.md`): Markdown of all sessions in one file, one after another.

Owns that form, as far as prompts, the agent's text, edits, commits and errors can be told: `####` is what was typed,
`>` what the program says, and everything else is the agent's. Aider ends both with two blanks; where it does, a line
without them that follows the agent's words is the agent's heading or quotation. What the program itself sends to the
model (what a linter found, what a command printed) is written like a prompt and told by how it begins. What follows a
command line with `--message` is its argument, which is written again as a prompt. Commands (`/add`, `!ls`) are no
words; `/ask`, `/code` and `/architect` have a person's behind them.
"""

from __future__ import annotations

import re
from itertools import groupby

from sleep.transcripts import boilerplate
from sleep.transcripts.events import Event, clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_START = re.compile(r"# aider chat started at (\S+ \S+)\s*\Z")
_EDIT = "> Applied edit to "
_VERSION = "> Aider v"
_REPORTS = (_EDIT, _VERSION, "> Tokens: ", "> Commit ", "> ^C")  # never the agent's
# `> /usr/local/bin/aider a.py --message Fix it`, not `> python -m pip install aider-chat`.
_PROGRAM_LINE = re.compile(r"> .{0,400}?\baider(?:\.exe)? ")
_MESSAGE = re.compile(r" (?:-m|--message|--msg)[ =]")
_PROGRAM = re.compile(
    r"# Fix any errors below|I ran this command:|The LLM did not conform|# \d+ SEARCH/REPLACE block|<blank>\Z"
    r"|(?:Assistant|User):\Z"
)
_COMMAND = re.compile(r"[/!]\S")
_ASKS = re.compile(r"/(?:ask|code|architect)\s+(\S.*)\Z", re.DOTALL)
_COMMIT = re.compile(r"> Commit [0-9a-f]{7,40} (\S.*)")
_UNFIT = re.compile(r"> (?:The LLM did not conform|# \d+ SEARCH/REPLACE blocks? failed)")
_ERROR = re.compile(r"> Unable to \w+ file|[^:]{0,400}Error\b[^:]{0,400}: ")
_FENCE = re.compile(r"(`{3,})[^`]*\Z|<(source|code|pre|codename|sourcecode)>[\w+#.-]{0,20}\s*\Z")
_THOUGHT = re.compile(r"<(thinking-content-[0-9a-f]{1,64})>|► \*\*THINKING\*\*")
_ANSWER = "► **ANSWER**"
_THOUGHTS = re.compile(r"<(thinking-content-[0-9a-f]{1,64})>.*?(?:</\1>|\Z)", re.DOTALL)
_THINKING = re.compile(r"^(?:-{3,}\n)?► \*\*THINKING\*\*.*?(?:^► \*\*ANSWER\*\*|\Z)", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r"^</?(?:source|code|pre|codename|sourcecode)>[\w+#.-]{0,20}[ \t]*$", re.MULTILINE)
_TAGS = "`" * 6  # the fence that a tag stands for
# What somebody ran by hand and had pasted: a command, and how it failed.
_PASTE = re.compile(r"<(shell-commands-results)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_FAILURE = re.compile(r"^[^\w\n]{0,8}command:\s*(\S[^\n]*)\n\s*error:\s*(\S.*)", re.DOTALL | re.MULTILINE)
# What Aider has every model say around its edits: `Here is the *SEARCH/REPLACE block*:`, `Please add a.py to the chat.`
_FORMULA = re.compile(
    r"(?:^|(?<=[.!] ))Here (?:is|are) the \*SEARCH/REPLACE\*? blocks?\*?[^\n]{0,160}[:.][ \t]*$"
    r"|(?:To \w[^.\n]{0,80}, )?\b[Pp]lease add (?:[^\s.]|\.(?=\S)| (?!to the chat)){1,120} to the chat\b"
    r"[^.\n]{0,100}(?:\.|$)",
    re.MULTILINE,
)
_COLOUR = re.compile(r"(?:\\u001b|\x1b)\[[\d;]{0,20}m")


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like Aider's."""
    return b"# aider chat started at " in head


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, run of lines by run; never raises for what a line holds."""
    at, edits = "", 0
    rows = (raw.decode("utf-8", "replace").rstrip("\r\n").lstrip("\ufeff") for raw in lines)
    roles = _Roles()
    for role, run in groupby(enumerate(rows, 1), key=lambda row: roles.role(row[1])):
        numbered = list(run)
        if role == "start":
            begun = _START.match(numbered[-1][1])
            at, edits = begun[1] if begun else at, 0
        elif role == "person":
            yield from (event._replace(at=at) for event in _prompt(numbered))
        elif role == "program":
            for event in _program(numbered):
                edits += event.kind == "edit"
                yield event._replace(at=at, id=f"{at}#{edits}" if event.kind == "edit" else "")
        elif role == "agent" and at:
            yield from (event._replace(at=at) for event in _speech(numbered))


class _Roles:
    """Who each line is of, from the first on: `start`, `person`, `program`, `agent`, or `argument` of the program."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._before = self._last = "start"  # of the line before, and of the last line that says something
        self._inside = ""  # the end of the fence or the thought that is open
        self._has_blanks = self._is_argument = False

    def role(self, text: str) -> str:
        """Return who the next line is of."""
        if _START.match(text):
            self._begin()
            return "start"
        role = "person" if text.startswith("#### ") or text == "####" else "agent"
        role = "program" if text.startswith(">") else role
        if role != "agent" and self._is_quoted(role, text):
            role = "agent"
        if role == "agent":
            self._inside = _end(text, self._inside)
            role = "argument" if self._is_argument else role
        else:
            self._inside = ""
            self._has_blanks = self._has_blanks or (role == "program" and text.endswith("  "))
            is_on = self._is_argument and not text.startswith(("####", _VERSION))
            self._is_argument = is_on or (role == "program" and _takes_message(text))
        self._before, self._last = role, role if text.strip() else self._last
        return role

    def _is_quoted(self, role: str, text: str) -> bool:
        """Return whether a line that begins like another's is the agent's."""
        if text.endswith("  ") or text.startswith(_REPORTS):
            return False
        is_speech = self._last in ("person", "agent") and self._before != role
        return bool(self._inside) or (self._has_blanks and is_speech)


def _takes_message(text: str) -> bool:
    """Return whether a line is Aider's command line with a message, which may go on for lines."""
    program = _PROGRAM_LINE.match(text)
    return bool(program and _MESSAGE.search(text, program.end() - 1))


def _end(text: str, inside: str) -> str:
    """Return the end of what a line of the agent's leaves open, "" where nothing is."""
    if inside:
        return "" if inside in text and (inside[0] != "`" or text.strip() == inside) else inside
    if thought := _THOUGHT.match(text):
        return f"</{thought[1]}>" if thought[1] else _ANSWER
    fence = _FENCE.match(text)
    return (fence[1] or f"</{fence[2]}>") if fence else ""


def _prompt(numbered: list[tuple[int, str]]) -> Iterator[Event]:
    """Yield what a person typed, unless it is a command or the program's."""
    typed = "\n".join(text.removeprefix("####").strip() for _, text in numbered).strip()
    if _COMMAND.match(typed):
        typed = asked[1] if (asked := _ASKS.match(typed)) else ""
    if not _PROGRAM.match(typed) and (typed := boilerplate.strip(_PASTE.sub("", typed))):
        yield Event("person", "prompt", typed, line=numbered[0][0])


def _speech(numbered: list[tuple[int, str]]) -> Iterator[Event]:
    """Yield what the agent said, with code in one kind of fence, and what somebody pasted, which is the program's."""
    text = "\n".join(text for _, text in numbered)
    line = numbered[0][0] + text[: len(text) - len(text.lstrip())].count("\n")
    for paste in _PASTE.finditer(text):
        if failure := _FAILURE.search(paste[2]):
            shown = _COLOUR.sub("", f"{failure[1].strip()}: {failure[2].strip()}")
            yield Event("tool", "result", clip(shown), ok=False, line=line)
    text = _TAG.sub(_TAGS, _THINKING.sub("", _THOUGHTS.sub("", _PASTE.sub("", text))))
    if text := _FORMULA.sub("", text).strip():
        yield Event("agent", "text", text, line=line)


def _program(numbered: list[tuple[int, str]]) -> Iterator[Event]:
    """Yield the edits, commits and errors that the program reports; what did not fit goes on to the next report."""
    unfit: list[str] = []
    first = 0
    for number, text in numbered:
        is_report = text.startswith(_REPORTS)
        if unfit and is_report:
            yield _error(unfit, first)
            unfit = []
        if unfit or _UNFIT.match(text):
            first = first if unfit else number
            unfit.append(text)
        elif text.startswith(_EDIT):
            yield Event("agent", "edit", path=text.removeprefix(_EDIT).strip(), line=number)
        elif commit := _COMMIT.match(text):
            message = re.sub(r"([\"\\$`])", r"\\\1", commit[1].strip())
            yield Event("agent", "run", f'git commit -m "{message}"', line=number)
        elif _ERROR.match(text):
            yield _error([text], number)
    if unfit:
        yield _error(unfit, first)


def _error(texts: list[str], line: int) -> Event:
    shown = "\n".join(text.removeprefix(">").strip() for text in texts).strip()
    return Event("tool", "result", clip(shown), ok=False, line=line)
