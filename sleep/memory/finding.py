"""What is wrong with a memory, as a value that checks return and commands print."""

from __future__ import annotations

from sleep.tuples import NamedTuple


class Finding(NamedTuple):
    """Something that is wrong.

    `level` is `fail` (the check exits non-zero), `warn` or `note`; `where` is a path, a handle or "", `fix` a command.
    """

    check: str
    level: str
    what: str
    where: str = ""
    fix: str = ""

    @property
    def line(self) -> str:
        """What a person reads: the place, what is wrong there, and the next step."""
        return f"{f'{self.where}: ' if self.where else ''}{self.what}{f' -> {self.fix}' if self.fix else ''}"
