"""What git says when it refuses a commit, and the sentence a person gets for it. Pure.

Owns the recognition of git's messages (the C locale's) and the next step for each.
"""

from __future__ import annotations

import re

from sleep.errors import GitStateError, StorageError

_CLIP = 2000
_BUSY = re.compile(r"\.lock': File exists|cannot lock ref|Unable to create '[^']*\.lock'|is at \w+ but expected \w+")
_BROKEN = "reference broken"  # git cannot lock the ref of a branch whose file names no commit, however long we wait
_UNKNOWN = "did not match any file(s) known to git"
_LOCK_FILE = re.compile(r"'(?P<path>[^']*\.lock)'")
_DISK = re.compile(
    r"No space left on device|Out of diskspace|Disk quota exceeded|Read-only file system|File too large"
    r"|Permission denied|insufficient permission|Operation not permitted|Check that disk is not full"
)
# What git says of a write that failed where it keeps to itself why: nearly always, there was no room.
_CUT_SHORT = re.compile(
    r"couldn't write '|unable to (?:write (?:new )?(?:index|file)|append to)|write error|failed to close"
)
# Of OpenPGP, X.509 and SSH keys alike.
_SIGNING = re.compile(
    r"gpg failed|signing|user\.signingkey|failed to sign|load public key|ssh-keygen|gpg\.ssh", re.IGNORECASE
)
# Signals that give git no time to take its locks away, by what a person can do.
KILLERS = {
    6: "see whether git is installed whole (git fsck)",
    9: "see whether the machine is short of memory (free -m)",
    11: "see whether git is installed whole (git fsck)",
    25: "raise ulimit -f (git may write no more)",
}
_NEXT_STEPS = (
    (
        re.compile(r"(?:clean|smudge) filter '?(?P<name>[^\s']+)'? failed"),
        "install or unlock the filter that git's attributes ask for: git config --get-regexp '^filter.{name}'",
    ),
    (
        re.compile(r"dubious ownership in repository at '(?P<name>[^']+)'"),
        "it belongs to another user; if you trust what is in it: git config --global --add safe.directory '{name}'",
    ),
    (
        re.compile(r"will not add file alias '(?P<name>[^']+)'"),
        "names that differ in nothing but capitals are one file here: give one another name (git mv {name} ...)",
    ),
    (
        re.compile(r"unable to resolve reference '(?P<name>[^']+)': reference broken"),
        'write the second id of tail -n 1 "$(git rev-parse --git-path logs/{name})" into .git/{name}',
    ),
    (
        re.compile(r"not a git repository \(or any"),
        "git finds no repository in .git: see whether .git/HEAD is damaged (would be right: ref: refs/heads/BRANCH)",
    ),
    (
        re.compile(r"index file (?:corrupt|smaller than expected)"),
        'rm "$(git rev-parse --git-path index)" && git reset (the index is made anew; files stay as they are)',
    ),
)


class HookRefusedError(GitStateError):
    """A person's hook refused the commit; it may have changed the files it was asked about."""


def absent() -> GitStateError:
    """Return the error where there is no git."""
    return GitStateError("git was not found on PATH (git 2.30 or newer is needed)", hint="install git")


def is_busy(message: str) -> bool:
    """Return whether another git held a lock or moved HEAD meanwhile, so that trying again may help."""
    return bool(_BUSY.search(message)) and not _DISK.search(message) and _BROKEN not in message


def locked(folder: str) -> bytes:
    """Return what git says where the index of a git directory is locked already."""
    return f"fatal: Unable to create '{folder}/index.lock': File exists.".encode()


def is_unknown(message: str) -> bool:
    """Return whether a path is not in the index, where another git may just have taken it out."""
    return _UNKNOWN in message


def explain(verb: str, message: str, *, place: str, hooked: bool) -> GitStateError | StorageError:
    """Return the error for a failed git command.

    Args:
        verb: the git command, as in `commit`.
        message: its output and errors.
        place: the work tree.
        hooked: whether hooks ran and none of git's own errors would explain the failure better.
    """
    words = clip(message)
    disk = _DISK.search(message)
    if disk and not hooked:
        return StorageError(
            f"git {verb}: {disk.group().lower()} ({words})",
            where=place,
            hint="make room or give write permission, then run the same command again",
        )
    if not hooked and _CUT_SHORT.search(message):
        return StorageError(
            f"git {verb}: git could not write, so the disk may be full ({words})",
            where=place,
            hint="df -h and df -i show whether there is room; make some, then run the same command again",
        )
    if is_busy(message):
        lock = _LOCK_FILE.search(message)
        remove = f"; if no git is running: rm '{lock['path']}'" if lock else ""
        return GitStateError(
            f"another git is at work here ({words})",
            where=place,
            hint=f"let it end, then run the same command again{remove}",
        )
    if _SIGNING.search(message) and "fatal" in message:
        return GitStateError(
            f"the commit could not be signed: {words}",
            where=place,
            hint="set `git.sign: false` in memory/sleep.yaml, or mend the key",
        )
    if hooked:
        return HookRefusedError(
            f"a git hook refused the commit: {words or '(it said nothing)'}",
            where=place,
            hint="satisfy the hook, or set `git.hooks: false` in memory/sleep.yaml",
        )
    return GitStateError(f"git {verb}: {words}", where=place, hint=next_step(message))


def killed(verb: str, number: int, message: str, *, place: str) -> GitStateError:
    """Return the error for a git command that a signal ended; the rest as in `explain`."""
    words = f" ({clip(message)})" if message else ""
    return GitStateError(
        f"git {verb} was ended by signal {number}{words}",
        where=place,
        hint=f"{KILLERS.get(number, 'see what ends it')}, then run the same command again",
    )


def next_step(message: str) -> str:
    """Return the command that helps where git said this."""
    steps = ((pattern.search(message), step) for pattern, step in _NEXT_STEPS)
    return next((step.format_map(match.groupdict()) for match, step in steps if match), "git status")


def clip(message: str) -> str:
    """Return what git said, shortened in the middle: a hook may print a whole build."""
    message = message.strip()
    half = _CLIP // 2
    return message if len(message) <= _CLIP else f"{message[:half]}\n…\n{message[-half:]}"
