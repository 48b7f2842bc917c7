"""What commits took out of files and put in, line by line, read by one plain git process.

Owns finding the commits that touch lines which match, with those lines. Refuses to change anything; never loads
GitPython. A merge is compared with each of its parents.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.store import history
from sleep.store.files import decode
from sleep.store.git import content_filters
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.store.layout import Root

_LOG = ("log", "--no-color", "--no-show-signature", "--encoding=UTF-8")
_BEGIN = b"\x1e"
_MOST = 100  # alternatives that git is asked to look for; with more, every patch is read
_HEAD = re.compile(rb"([0-9a-f]{40,64})\x00([^\x00]*)\x00(.*?)\x00(.*?)\x00", re.DOTALL)
_INDEX = re.compile(rb"^index ([0-9a-f]+)\.\.([0-9a-f]+)", re.MULTILINE)


class Patch(NamedTuple):
    """What a commit did to one file, against one parent: the lines it took out and put in, each run as one text.

    `before` and `after` are the blobs' ids, all zeros where there is no file. `trailers` and `body` are the commit's.
    """

    sha: str
    parents: tuple[str, ...]
    body: str
    trailers: tuple[tuple[str, str], ...]
    before: str
    after: str
    out: str
    put: str


def touching(root: Root, words: Sequence[str], paths: Sequence[str]) -> list[Patch]:
    """Return the patches of HEAD's history, newest first, that touch lines with one of these words (letters, digits).

    Without a commit there is none. Where there are many words, or git's attributes name a filter, patches that touch
    none of them are returned too.
    """
    if not words or history.head(root) is None:
        return []
    if content_filters.may_be(root):
        return list(_as_checked_out(root, paths))
    wanted = "|".join(re.escape(word) for word in words)
    narrowed = (f"-G({wanted})([^0-9]|$)", "--extended-regexp") if len(words) <= _MOST else ()
    form = "%x1e%H%x00%P%x00%s%n%n%b%x00%(trailers:only=true,unfold=true)%x00"
    options = ("--full-history", "-m", "--patch", "--unified=0", "--no-renames", "--no-ext-diff", "--no-textconv")
    words = (*_LOG, *options, "--full-index", *narrowed, f"--format=tformat:{form}", "HEAD", "--")
    _, out, _ = history.ask(root, *words, *history.specs(root, paths))
    return [patch for part in out.split(_BEGIN)[1:] for patch in _patches(part)]


def _as_checked_out(root: Root, paths: Sequence[str]) -> Iterator[Patch]:
    """Yield all patches, of files as a checkout would write them: git compares them as it stores them."""
    walked = history.walk(root, paths, whole=True)
    ids = {name for _, rows in walked for row in rows for name in (row.before, row.after) if name}
    texts = {name: decode(content or b"") for name, content in history.blobs(root, ids).items()}
    for commit, rows in walked:
        for row in rows:
            zeros = "0" * len(commit.sha)
            yield Patch(
                *(commit.sha, commit.parents, f"{commit.subject}\n\n{commit.body}", commit.trailers),
                *(row.before or zeros, row.after or zeros),
                *_differing(texts.get(row.before, ""), texts.get(row.after, "")),
            )


def _differing(before: str, after: str) -> tuple[str, str]:
    """Return the lines that one text has and another one has not, each as one text."""
    pair = before.split("\n"), after.split("\n")
    import difflib  # late: it costs 5 ms, and few have a filter  # noqa: PLC0415

    changes = difflib.SequenceMatcher(None, *pair, autojunk=False).get_opcodes()
    differing = [change for change in changes if change[0] != "equal"]
    out = [line for _, start, end, _, _ in differing for line in pair[0][start:end]]
    put = [line for _, _, _, start, end in differing for line in pair[1][start:end]]
    return "\n".join(out), "\n".join(put)


def _patches(part: bytes) -> list[Patch]:
    head = _HEAD.match(part)
    if head is None:
        return []
    sha, parents, body, trailers = (decode(group) for group in head.groups())
    pairs = tuple((name, value) for name, _, value in (line.partition(": ") for line in trailers.split("\n") if line))
    patches = []
    for section in re.split(rb"(?m)^diff --git ", part[head.end() :])[1:]:
        names = _INDEX.search(section)
        if names is None:  # only its mode changed
            continue
        rows = section[names.end() :].split(b"\n")
        at = next((index for index, row in enumerate(rows) if row.startswith(b"@@")), len(rows))
        removed = b"\n".join(row[1:] for row in rows[at:] if row.startswith(b"-"))
        put = b"\n".join(row[1:] for row in rows[at:] if row.startswith(b"+"))
        before, after = (name.decode() for name in names.groups())
        patches.append(Patch(sha, tuple(parents.split()), body, pairs, before, after, decode(removed), decode(put)))
    return patches
