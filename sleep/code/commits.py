"""What people, and agents of whom there is no transcript, committed since the last sleep.

Owns which commits are since: by history where the last sleep's own commit is in it, else by their times; and which
count: neither merges nor what touches the memory alone, as the commits of a sleep do. One bounded git process makes it,
kept by the commit that is checked out. Loads nothing that a hook could not afford.
"""

from __future__ import annotations

import os

from sleep import lean_json
from sleep.code import generated_files, work_tree
from sleep.debt import last_sleep, timestamps
from sleep.errors import StorageError
from sleep.settings import OFF
from sleep.store import files
from sleep.store.git import head_file
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sleep.code.work_tree import Code
    from sleep.debt.last_sleep import LastSleep
    from sleep.debt.ledger import Ledger
    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.store.git.bounded_log import Commit

MOST = 250  # commits that are looked at
_SECONDS, _SIZE = 0.5, 1 << 20  # that git may take, and bytes of its answer
_AUTHORS, _PATHS, _SUBJECTS = 5, 8, 6  # that are kept
_NAME, _PATH, _SUBJECT = 40, 100, 100  # characters of each
_SLOP = 16  # commits that are looked at further, after a merge: clocks may be wrong
_CACHE = "commits.json"
_FORM = 2  # of the cache
_WITHHELD = "(withheld: it reads as an instruction)"


class Subject(NamedTuple):
    """A commit as it is shown: its short id, its day, who made it, and its subject, all fit to be shown."""

    sha: str
    day: str
    author: str
    says: str


class Activity(NamedTuple):
    """What was committed since the last sleep; every text is one line, clipped, without secrets and control characters.

    `authors` are (name, commits), `paths` (path, commits, whether it is gone), most first and the first few of them,
    without files that tools write where there are others; `names` and `files` say how many there are. `newest` are the
    newest commits. `moments` are (when, files) of each commit, in seconds since 1970. `is_whole` is False where there
    may be more. `slept` is the day of the last sleep, "" for none.
    """

    commits: int = 0
    merges: int = 0
    names: int = 0
    authors: tuple[tuple[str, int], ...] = ()
    files: int = 0
    paths: tuple[tuple[str, int, bool], ...] = ()
    newest: tuple[Subject, ...] = ()
    moments: tuple[tuple[int, int], ...] = ()
    is_whole: bool = True
    slept: str = ""


def read(context: Context, settings: Settings, ledger: Ledger, start: str = "") -> Activity | None:
    """Return what was committed since the last sleep.

    None where there is no git, or no commit, or where `debt.commits` is off.

    Args:
        context: the memory.
        settings: its settings.
        ledger: its ledger, which knows sleeps by hand.
        start: the folder that somebody works in.
    """
    code = None if settings.debt_commits == OFF else work_tree.find(context, start)
    if code is None:
        return None
    sleep = last_sleep.read(context, ledger)
    key = _key(code, sleep)
    return _cached(code, key) or _read(code, sleep, 0.0 if sleep else _laid(context), key)


def _read(code: Code, sleep: LastSleep | None, laid: float, key: list[object]) -> Activity | None:
    """Return what git tells, and keep it where it can be told again."""
    from sleep.store.git import bounded_log  # late: where the answer is not there already  # noqa: PLC0415

    since = (sleep.at if sleep else laid) if not code.memory or (sleep and not sleep.cycle) else 0.0
    log = bounded_log.Log(code.work_tree, most=MOST, seconds=_SECONDS, size=_SIZE, since=since)
    walk = Walk(code, sleep, laid, _shallow(code))
    commits = walk.since(log)
    if not walk.parents and log.is_failed:
        return None
    slept = sleep.at if sleep else walk.slept
    made = _summary(code, commits)._replace(
        is_whole=walk.is_whole and not (log.is_cut or log.is_failed), slept=timestamps.date(slept) if slept else ""
    )
    if key and not (log.is_failed or log.is_late):
        _keep(code, key, made)
    return made


def _laid(context: Context) -> float:
    """Return when a memory was laid that never slept: since when the oldest of its first pages stands there."""
    moments = []
    for path in ("memory/sleep.yaml", "memory/hot/threads.md", "main.md"):
        try:
            moments.append(os.stat(os.path.join(context.base, path)).st_mtime)
        except OSError:
            continue
    return min(moments, default=0.0)


class Walk:
    """A walk through history, newest first, as far as the last sleep; before any, as far as memory was laid.

    `parents` has those of every commit that was seen, `slept` when the newest sleep was that a commit tells, 0 for
    none. `is_whole` tells that nothing is missing.
    """

    def __init__(self, code: Code, sleep: LastSleep | None, laid: float, shallow: frozenset[str]) -> None:
        self._code, self._sleep, self._shallow = code, sleep, shallow
        self._moment = sleep.at if sleep else laid
        self._has_commit = bool(code.memory) and (sleep is None or bool(sleep.cycle))  # that a commit says it
        self._is_found = False
        self._old: set[str] = set()
        self.parents: dict[str, tuple[str, ...]] = {}
        self.slept = 0
        self.is_whole = True

    def since(self, log: Iterable[Commit]) -> list[Commit]:
        """Return the commits since, newest first; merges are among them."""
        seen: list[Commit] = []
        pending: set[str] = set()  # commits that are to come, and not known to be old
        slop = further = 0
        for commit in log:
            if commit.sha in self.parents:
                continue  # a merge is told once for each of its parents where git is set up so
            self.parents[commit.sha] = commit.parents
            if not self._is_old(commit):
                seen.append(commit)
                pending.update(commit.parents)
            pending -= self._old | self.parents.keys()
            slop = _SLOP if len(commit.parents) > 1 else slop
            further = 0 if pending else further + 1
            if further > slop or self._is_past(commit):
                break
        if not self._is_found:
            return [commit for commit in seen if commit.at > self._moment]
        before = self._ancestors()
        return [commit for commit in seen if commit.sha not in before]

    def _is_old(self, commit: Commit) -> bool:
        """Return whether a commit is not newer than the sleep, and note that its parents are not."""
        if commit.sha in self._shallow:  # it seems to add all that there is
            self.is_whole = False
        elif commit.sha not in self._old and not self._is_reached(commit):
            return False
        self._old |= {commit.sha, *commit.parents}
        return True

    def _is_reached(self, commit: Commit) -> bool:
        """Return whether a commit is the last sleep's, or not younger than it; without one, whether memory began."""
        if not self._has_commit:
            return commit.at <= self._moment
        is_sleep = _is_handoff(self._code, commit, self._sleep)
        if is_sleep and not self.slept:
            self.slept = commit.at
        began = self._sleep is None and ("A", f"{self._code.memory}/sleep.yaml") in commit.changes
        self._is_found = self._is_found or is_sleep or began
        return is_sleep or began

    def _is_past(self, commit: Commit) -> bool:
        """Return whether the sleep's commit would have come by now; a squash loses it."""
        return not self._is_found and commit.at < self._moment - timestamps.DAY

    def _ancestors(self) -> set[str]:
        """Return what is old with all that came before it, as far as it was seen: clocks may have been wrong."""
        before: set[str] = set()
        left = list(self._old)
        while left:
            sha = left.pop()
            if sha not in before:
                before.add(sha)
                left += self.parents.get(sha, ())
        return before


def _is_handoff(code: Code, commit: Commit, sleep: LastSleep | None) -> bool:
    """Return whether a commit is the last of a cycle, of the one of this sleep: it says so, and touches memory alone.

    A squash says it several times, and is none.
    """
    values = {name: value for name, value in commit.trailers if name.startswith("Sleep-")}
    if values.get("Sleep-Step") != "handoff" or len(commit.parents) > 1:
        return False
    if sum(name == "Sleep-Step" for name, _ in commit.trailers) > 1:
        return False
    own = (values.get("Sleep-Cycle"), values.get("Sleep-Instance"))
    if sleep and own != (str(sleep.cycle), sleep.instance):
        return False
    return bool(commit.changes) and all(code.is_memory(path) for _, path in commit.changes)


def _is_hidden(path: str) -> bool:
    """Return whether a path is that of a setting of a tool, such as `.gitignore`: work is seldom done there."""
    return path.rpartition("/")[2].startswith(".")


def _summary(code: Code, commits: Iterable[Commit]) -> Activity:
    merges = 0
    shown: list[Commit] = []
    moments: list[tuple[int, int]] = []
    authors: dict[str, int] = {}
    paths: dict[str, int] = {}
    gone: dict[str, bool] = {}
    for commit in commits:
        own = [(letter, path) for letter, path in commit.changes if not code.is_memory(path)]
        merges += len(commit.parents) > 1
        if len(commit.parents) > 1 or not own:
            continue
        shown.append(commit)
        moments.append((commit.at, len(own)))
        authors[commit.author] = authors.get(commit.author, 0) + 1
        for letter, path in own:
            paths[path] = paths.get(path, 0) + 1
            gone.setdefault(path, letter == "D")  # the newest comes first
    worked_on = [path for path in paths if not generated_files.is_generated(path)] or paths
    most = sorted(worked_on, key=lambda path: (-paths[path], _is_hidden(path), path))[:_PATHS]
    names = sorted(authors, key=lambda name: (-authors[name], name))[:_AUTHORS]
    return Activity(
        len(shown),
        merges,
        len(authors),
        tuple((fit(name, _NAME), authors[name]) for name in names),
        len(paths),
        tuple((fit(path, _PATH), paths[path], gone[path]) for path in most),
        tuple(_subject(commit) for commit in shown[:_SUBJECTS]),
        tuple(moments),
    )


def _subject(commit: Commit) -> Subject:
    return Subject(commit.sha[:7], timestamps.date(commit.at), fit(commit.author, _NAME), fit(commit.subject, _SUBJECT))


def fit(text: str, limit: int) -> str:
    """Return what anybody may have written as one line that can be shown: it is told, and never followed."""
    from sleep.redaction import terminal, untrusted  # late: where it is not kept already  # noqa: PLC0415
    from sleep.store import private  # noqa: PLC0415  # same

    words = " ".join(terminal.strip_escapes(private.clean(text[: limit * 10])).split()).replace("`", "'")
    if untrusted.is_instruction(words):
        return _WITHHELD
    return words if len(words) <= limit else f"{words[: limit - 1]}…"


def _shallow(code: Code) -> frozenset[str]:
    """Return the commits at which a shallow clone ends; the format is that of `.git/shallow`, an id a line."""
    try:
        return frozenset((files.read(os.path.join(code.common_dir, "shallow")) or "").split())
    except (OSError, StorageError):
        return frozenset()


# --- what was read before ------------------------------------------------------------------------------------------


def _key(code: Code, sleep: LastSleep | None) -> list[object]:
    """Return what the answer depends on, nothing where no file says which commit is checked out."""
    try:
        head = head_file.commit(code.git_dir, code.common_dir)
    except (OSError, StorageError):
        return []
    mark = [int(sleep.at), sleep.cycle, sleep.instance] if sleep else []
    return [_FORM, head, code.memory, len(_shallow(code)), mark] if head else []


def _cached(code: Code, key: list[object]) -> Activity | None:
    try:
        text = files.read(_path(code)) if key else None
        raw = lean_json.loads(text) if text else {}
        return _activity(raw["activity"]) if raw.get("key") == key else None
    except (OSError, StorageError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _activity(raw: Mapping[str, object]) -> Activity:
    rows = {name: tuple(tuple(row) for row in raw[name]) for name in ("authors", "paths", "moments")}  # type: ignore[attr-defined]  # a JSON list
    newest = tuple(Subject(*row) for row in raw["newest"])  # type: ignore[attr-defined]  # same
    return Activity(**{**raw, **rows, "newest": newest})  # type: ignore[arg-type]  # as `_keep` wrote it


def _keep(code: Code, key: list[object], activity: Activity) -> None:
    """Write the answer down, where that is possible."""
    text = lean_json.dumps({"key": key, "activity": activity._asdict()}, compact=True)
    try:
        os.makedirs(os.path.dirname(_path(code)), exist_ok=True)
        files.write(_path(code), f"{text}\n", 0o600, sync=False)
    except (OSError, StorageError, ValueError):
        return


def _path(code: Code) -> str:
    return os.path.join(code.git_dir, "sleepwake", _CACHE)
