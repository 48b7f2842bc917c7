"""What a person can cause to go wrong, and the next step for each.

Owns the exception hierarchy, the exit codes and the anchors into `docs/recovery.md`. Refuses to know what failed: the
raiser fills the fields, the error makes its sentence.

    SleepError                 1   a check failed, or the base of all below
      UsageError               2   the words of the call are off
      NoMemoryError            4   there is no memory root here
      DocumentError            5   a file is not what it should be, so it cannot be read
      MoveError                5   a record cannot go from where it is to where it was told to
      GitStateError            6   git is in the middle of something, or refused
      RecoveryError            6   files are neither before nor after an interrupted step
      HeldError                7   another process holds the lock, or a sleep by hand is under way
      GateError                8   a step would lose or invent something
      SecretError              9   a secret stands in text that would be committed
      StorageError            10   the disk refused
      CompressorError         11   the compressor that is set up cannot be used
      RelayError              12   a relay cannot start, cannot be reached, or refused

Exit code 3 is a bug of ours, 130 an interruption; both are given by the interface, not by an error class.
"""

from __future__ import annotations


class SleepError(Exception):
    """`where: what is wrong`, then a hint with the command that helps.

    Args:
        what: what is wrong and, in brackets, what would be right; no final full stop.
        where: `path`, `path:line` or "" when there is no place to point at.
        hint: the next command, or "".
    """

    exit_code = 1
    anchor = ""

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        sentence = f"{self.where}: {self.what}" if self.where else self.what
        return f"{sentence}\nHint: {self.hint}" if self.hint else sentence


class UsageError(SleepError):
    """The command was called wrongly."""

    exit_code = 2
    anchor = "usage"


class NoMemoryError(SleepError):
    """There is no memory root at or above this directory."""

    exit_code = 4
    anchor = "no-memory"


class DocumentError(SleepError):
    """A file is not what it should be, so it cannot be read."""

    exit_code = 5
    anchor = "document"


class MoveError(SleepError):
    """A record cannot go from its state to the one that was asked for."""

    exit_code = 5
    anchor = "moves"


class GitStateError(SleepError):
    """Git is in the middle of something, or refused."""

    exit_code = 6
    anchor = "git-state"


class RecoveryError(SleepError):
    """Files are neither as they were before an interrupted step nor as they should be after it."""

    exit_code = 6
    anchor = "interrupted"


class HeldError(SleepError):
    """Another process holds the lock, or a sleep by hand is under way."""

    exit_code = 7
    anchor = "held"


class GateError(SleepError):
    """A step would lose or invent something, so it was not taken."""

    exit_code = 8
    anchor = "gate"


class SecretError(SleepError):
    """A secret stands in text that would be committed."""

    exit_code = 9
    anchor = "secret"


class StorageError(SleepError):
    """The disk refused: full, read-only, or gone."""

    exit_code = 10
    anchor = "storage"


class CompressorError(SleepError):
    """The compressor that is set up cannot be used here."""

    exit_code = 11
    anchor = "compressor"


class RelayError(SleepError):
    """A relay cannot start, cannot be reached, or refused."""

    exit_code = 12
    anchor = "relay"
