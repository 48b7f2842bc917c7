"""What is wrong with a memory, as a value that checks return and commands print."""

from __future__ import annotations

import re

from sleep.tuples import NamedTuple

_QUOTED = re.compile(r"`([^`]+)`")  # a command among words: `git stash pop` gives it back
_PROGRAMS = ("sleepwake ", "git ", "mv ", "rm ", "ls ", "mkdir ")
_WORDS = re.compile(r"[,;(]|: | or ")  # of a sentence: a command has none of them


LEVELS = ("fail", "warn", "note")


class Finding(NamedTuple):
    """Something that is wrong.

    `level` is `fail` (the check exits non-zero), `warn` or `note`; `where` is a path, a handle or "", `fix` a command,
    or words in which a command stands between backticks.
    """

    check: str
    level: str
    what: str
    where: str = ""
    fix: str = ""

    @property
    def rank(self) -> int:
        """The place of its level, the worst first."""
        return LEVELS.index(self.level)

    @property
    def line(self) -> str:
        """What a person reads: the place, what is wrong there, and the next step."""
        return f"{f'{self.where}: ' if self.where else ''}{self.what}{f' -> {self.fix}' if self.fix else ''}"

    @property
    def command(self) -> str:
        """The command of the fix, as a shell takes it; "" where the fix is none."""
        if quoted := _QUOTED.search(self.fix):
            return quoted[1]
        return self.fix if self.fix.startswith(_PROGRAMS) and not _WORDS.search(self.fix) else ""

    @property
    def facts(self) -> dict[str, str]:
        """What a program reads: the fields, and the command apart."""
        return {**self._asdict(), "command": self.command}
