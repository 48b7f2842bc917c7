"""What git remembers, read by plain git processes.

Owns every read of commits, trees and blobs: values out, paths relative to the memory root, any bytes survive. Refuses
to change anything and never loads GitPython, so hooks may use it. A revision that begins with `-` is refused, so none
can become an option.
"""

from __future__ import annotations

import os
import re
import subprocess
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from sleep.errors import GitStateError, UsageError
from sleep.store.files import decode
from sleep.store.git import content_filters, environment
from sleep.store.git.refusals import absent, clip, next_step
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.store.layout import Root

_FIELDS = ("%H", "%P", "%an <%ae>", "%aI", "%s", "%b")
_TRAILERS = "%(trailers:only=true,unfold=true)"
_WIDTH = len(_FIELDS) + 1
_LOG = (
    *("log", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8"),
    f"--format=tformat:%x1e{'%x00'.join((*_FIELDS, _TRAILERS, ''))}",
)
_FETCH = "run it again with the remote in reach, or fetch all there is: git fetch --refetch --no-filter"
_BROKEN = "git fsck says what the repository lacks; git fetch, or another clone, has it"
_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


class Commit(NamedTuple):
    """One commit; `when` is the author date in ISO 8601, `body` includes the trailer lines, `trailers` keep order."""

    sha: str
    parents: tuple[str, ...]
    author: str
    when: str
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]


class Blamed(NamedTuple):
    """Who wrote a line of a file as it is on disk, and in which commit; all "" for a line that is not committed."""

    sha: str = ""
    author: str = ""
    when: str = ""


class Change(NamedTuple):
    """A file that a commit changed, with the blob's id before and after; "" where there is none."""

    path: str
    before: str
    after: str


def is_id(rev: str) -> bool:
    """Return whether a revision is a whole id, which names itself."""
    return _ID.fullmatch(rev) is not None


def resolve(root: Root, rev: str) -> str:
    """Return the full id of the commit that `rev` names; UsageError naming it when there is none."""
    if rev and not rev.startswith("-"):
        code, out, _ = ask(root, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}", fine=(0, 1, 128))
        if code == 0:
            return out.decode().strip()
        head(root)  # says so when it is the repository that cannot be read
    raise UsageError(
        f"no commit is called {rev!r} (a commit id, branch or tag would be right)", hint="git log --oneline"
    )


def head(root: Root) -> str | None:
    """Return the id of the commit that is checked out, None on a branch without commits."""
    code, out, _ = ask(root, "rev-parse", "--verify", "--quiet", "HEAD", fine=(0, 1))
    return out.decode().strip() if code == 0 else None


def latest(root: Root, rev: str = "HEAD", until: int | None = None) -> tuple[str, str] | None:
    """Return (id, commit date in ISO 8601) of the last commit that a branch had at a moment, None for none so old.

    Args:
        root: the memory root.
        rev: where the branch ends; its first parents are followed, so what was merged later was not known before.
        until: seconds since the epoch; without, the commit itself.
    """
    bound = () if until is None else (f"--min-age={until}",)
    words = ("--max-count=1", "--first-parent", "--format=tformat:%H%x00%cI", *bound)
    code, out, _ = ask(root, "log", "--no-show-signature", *words, "--end-of-options", rev, "--", fine=(0, 128))
    sha, _, when = out.decode().strip().partition("\0")
    return (sha, when) if code == 0 and sha else None


def branch(root: Root) -> str | None:
    """Return the branch that is checked out (as in `main`), None on a detached HEAD."""
    code, out, _ = ask(root, "symbolic-ref", "--quiet", "--short", "HEAD", fine=(0, 1))
    return os.fsdecode(out).rstrip("\n") if code == 0 else None


def configured(root: Root, name: str) -> tuple[str, ...]:
    """Return the values that git's settings (of this repository, this person, this machine) have for a name.

    Nobody's clone brings them along: what stands there was said on this machine.
    """
    _, out, _ = ask(root, "config", "--null", "--get-all", name, fine=(0, 1))
    return tuple(decode(value) for value in out.split(b"\0")[:-1])


def commits(
    root: Root,
    rev_range: str = "HEAD",
    paths: Sequence[str] = (),
    *,
    limit: int | None = None,
    first_parent: bool = False,
) -> list[Commit]:
    """Return commits, newest first, read by one process.

    Args:
        root: the memory root.
        rev_range: as in `git log`, several revisions separated by spaces; HEAD of an unborn branch has no commits.
        paths: only commits that touch one of these, relative to the root.
        limit: the most that are returned.
        first_parent: whether a merge stands for all that it brought to the branch, whose own line alone is followed.

    Raises:
        UsageError: the range names an unknown revision.
    """
    revisions = rev_range.split()
    most = () if limit is None else (f"--max-count={limit}",)
    line = ("--first-parent",) if first_parent else ()
    if any(rev.startswith("-") for rev in revisions):
        raise UsageError(f"{rev_range!r} is not a range of commits", hint="git log --oneline")
    code, out, error = ask(root, *_LOG, *most, *line, *revisions, "--", *specs(root, paths), fine=(0, 128))
    if code:
        if revisions == ["HEAD"]:
            if head(root) is None:
                return []
            raise GitStateError(f"git log: {clip(error)}", where=root.work_tree, hint=_BROKEN)
        raise UsageError(f"{rev_range!r} is not a range of commits here: {clip(error)}", hint="git log --oneline")
    return [commit for commit, _ in _parsed(root, out)]


def walk(
    root: Root, paths: Sequence[str] = (), *, whole: bool = False, rev: str = "HEAD"
) -> list[tuple[Commit, tuple[Change, ...]]]:
    """Return the commits of HEAD's history that touch these paths, newest first, with what each changed below them.

    One process reads them all; a merge is told without changes, and without a commit there is nothing. With `whole`, so
    are branches of which a merge took nothing. `rev` may be a range in place of HEAD's history. The first commit of a
    shallow clone adds every file.
    """
    words = ("--raw", "--no-renames", "--no-abbrev", "--root")
    sides = ("--full-history",) if whole else ()
    code, out, error = ask(root, *_LOG, *words, *sides, rev, "--", *specs(root, paths), fine=(0, 128))
    if code and head(root) is not None:
        raise GitStateError(f"git log: {clip(error)}", where=root.work_tree, hint=_BROKEN)
    walked = [(commit, tuple(rows)) for commit, rows in _parsed(root, out)]
    content_filters.note(
        root, ((row.path, name) for _, changed in walked for row in changed for name in (row.before, row.after))
    )
    return walked


def _parsed(root: Root, log: bytes) -> list[tuple[Commit, list[Change]]]:
    """Return the commits of a log, each with its raw rows."""
    parts = log.split(b"\0")
    walked: list[tuple[Commit, list[Change]]] = []
    at = 0
    while at < len(parts):
        part = parts[at].lstrip(b"\n")
        if part.startswith(b"\x1e"):
            walked.append((_commit(list(map(decode, (part[1:], *parts[at + 1 : at + _WIDTH])))), []))
            at += _WIDTH
        elif part.startswith(b":"):
            walked[-1][1].append(change(root.from_tree(os.fsdecode(parts[at + 1])), part))
            at += 2
        else:
            at += 1
    return walked


def change(path: str, row: bytes) -> Change:
    """Return what a raw row of git's (`:<mode> <mode> <id> <id> <letter>`) says of a path."""
    names = row.decode().split(" ")[2:4]
    return Change(path, *("" if set(name) == {"0"} else name for name in names))


def blame(root: Root, path: str, options: Sequence[str] = (), rev: str = "") -> tuple[Blamed, ...]:
    """Return for each line of a file on disk the commit that wrote it; nothing for a file that HEAD does not have.

    `options` are git's own, before the command. With `rev`, the lines are those that the file has in that commit.
    """
    code, out, _ = ask(
        root, *options, "blame", "--porcelain", *([rev] if rev else []), "--", root.in_tree(path), fine=(0, 128)
    )
    if code:
        return ()
    commits: dict[str, dict[str, str]] = {}
    lines: list[Blamed] = []
    fields: dict[str, str] = {}
    for line in decode(out).split("\n"):
        if line.startswith("\t"):
            lines.append(_blamed(fields))
            fields = {}
        elif fields:
            name, _, value = line.partition(" ")
            fields[name] = value
        elif line:
            sha = line.partition(" ")[0]
            fields = commits.setdefault(sha, {"sha": sha})
    return tuple(lines)


def _blamed(fields: dict[str, str]) -> Blamed:
    """Return the writer that the fields of `git blame --porcelain` name; a commit of zeros is none."""
    if set(fields["sha"]) == {"0"}:
        return Blamed()
    zone = fields["author-tz"]
    minutes = int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[3:5]))
    when = datetime.fromtimestamp(int(fields["author-time"]), timezone(timedelta(minutes=minutes)))
    return Blamed(fields["sha"], f"{fields['author']} {fields['author-mail']}", when.isoformat())


def read(root: Root, rev: str, path: str) -> str | None:
    """Return the text of a file in a commit, None when it has none there; UsageError for an unknown revision."""
    return read_many(root, rev, (path,)).get(path)


def read_many(root: Root, rev: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the texts of those files that a commit has, by two processes however many there are."""
    return texts(root, blob_ids(root, rev, paths))


def blob_ids(root: Root, rev: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the blobs' ids by path of those files that a commit has, by one process."""
    wanted = set(paths)
    return {path: name for path, name in _entries(root, rev, tuple(wanted)) if path in wanted} if wanted else {}


def texts(root: Root, names: Mapping[str, str]) -> dict[str, str]:
    """Return texts by path, given their blobs' ids by path, by one process; GitStateError for one that is not there."""
    contents = blobs(root, names.values())
    for path, name in names.items():
        if contents[name] is None:
            raise GitStateError(f"git does not have its content ({name}); nothing was changed", where=path, hint=_FETCH)
    return {path: decode(contents[name] or b"") for path, name in names.items()}


def listing(root: Root, rev: str, prefix: str = "") -> dict[str, str]:
    """Return by sorted path the blobs' ids of the files below a folder of a commit, without links and submodules."""
    entries = _entries(root, rev, (prefix,) if prefix else ())
    return {path: name for path, name in sorted(entries) if path != prefix}


def blobs(root: Root, names: Iterable[str]) -> dict[str, bytes | None]:
    """Return the contents of objects by id, None for one that is not there, by one process.

    Where git's attributes name a filter, those that were listed as files are as a checkout would write them, by a
    second process.
    """
    wanted = list(dict.fromkeys(names))
    filtered = content_filters.names(root, wanted)
    return _stored(root, [name for name in wanted if name not in filtered]) | _checked_out(root, filtered)


def _checked_out(root: Root, paths: Mapping[str, str]) -> dict[str, bytes | None]:
    """Return the contents of blobs by id through the filters of their paths."""
    if not paths:
        return {}
    question = content_filters.Question(paths)
    return question.read(ask(root, *question.WORDS, feed=question.feed)[1])


def _stored(root: Root, wanted: Sequence[str]) -> dict[str, bytes | None]:
    """Return the contents of objects by id as git stores them."""
    if not wanted:
        return {}
    _, out, _ = ask(root, "cat-file", "--batch", feed="".join(f"{name}\n" for name in wanted).encode())
    contents: dict[str, bytes | None] = {}
    at = 0
    for name in wanted:
        end = out.index(b"\n", at)
        fields = out[at:end].split(b" ")
        size = int(fields[2]) if len(fields) == 3 else -1  # <id> SP <type> SP <size>, or <id> missing  # noqa: PLR2004
        contents[name] = out[end + 1 : end + 1 + size] if size >= 0 else None
        at = end + 1 + (size + 1 if size >= 0 else 0)
    return contents


def _commit(fields: list[str]) -> Commit:
    sha, parents, author, when, subject, body, trailers = fields
    pairs = (line.partition(": ") for line in trailers.split("\n") if line)
    return Commit(
        sha, tuple(parents.split()), author, when, subject, body, tuple((key, value) for key, _, value in pairs)
    )


def _entries(root: Root, rev: str, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return (path, blob id) of the regular files of a commit, at or below the paths."""
    words = ("ls-tree", "-r", "-z", "--full-tree")
    direct = is_id(rev)  # spares a process
    code, out = ask(root, *words, rev, "--", *specs(root, paths), fine=(0, 128))[:2] if direct else (1, b"")
    if code:  # no full id, or not that of a commit
        _, out, _ = ask(root, *words, resolve(root, rev), "--", *specs(root, paths))
    entries = []
    for line in filter(None, out.split(b"\0")):
        meta, _, path = line.partition(b"\t")
        mode, _, name = meta.decode().split(" ")
        if mode.startswith("100"):
            entries.append((root.from_tree(os.fsdecode(path)), name))
    content_filters.note(root, entries)
    return entries


def specs(root: Root, paths: Sequence[str]) -> list[str]:
    """Return pathspecs that mean these paths and nothing else; no paths mean the whole root."""
    return [f":(top,literal){root.in_tree(path)}" for path in paths or ("",) if root.in_tree(path)]


def ask(root: Root, *words: str, feed: bytes = b"", fine: tuple[int, ...] = (0,)) -> tuple[int, bytes, str]:
    """Run git and return (exit code, output, errors); an exit code that is not fine raises GitStateError."""
    inherited = environment.for_git(os.environ, reading=True)
    try:
        answer = subprocess.run(
            ("git", *words), cwd=root.work_tree, env=inherited, input=feed, capture_output=True, check=False
        )
    except FileNotFoundError as missing:
        raise absent() from missing
    error = decode(answer.stderr)
    if answer.returncode not in fine:
        what, hint = f"git {words[0]}: {clip(error)}", next_step(error)
        if "promisor remote" in error:
            partial = "this clone is partial: not all that its commits hold is here, and it could not be fetched"
            what, hint = f"{partial} (nothing was changed): {clip(error).partition(chr(10))[0]}", _FETCH
        raise GitStateError(what, where=root.work_tree, hint=hint)
    return answer.returncode, answer.stdout, error
