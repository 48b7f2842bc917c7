"""What git itself says of an address: blobs at commits and `git log -S`, with nothing of what is tested."""

from __future__ import annotations

import re
from functools import lru_cache

from scene import git

TIERS = ("memory/hot", "memory/warm", "memory/cold")
_BELOW = 8  # lines below a heading that its entry says
MARK = re.compile(r"\[(i[0-9]+[a-z]{3}\.[0-9]+[^\]]*)\]\s*$")


class Oracle:
    """Asks git about a repository that does not change meanwhile."""

    def __init__(self, scene):
        self._scene = scene
        self.show = lru_cache(maxsize=None)(self._show)
        self.changed = lru_cache(maxsize=None)(self._changed)
        self.pickaxe = lru_cache(maxsize=None)(self._pickaxe)

    def _show(self, rev, path):
        """Return the lines of a file in a commit, none where it has none."""
        return tuple(git(self._scene.top, "show", f"{rev}:{path}", check=False).split("\n"))

    def _changed(self, sha):
        return set(git(self._scene.top, "show", "--format=", "--name-only", "-m", "--no-renames", sha).split("\n"))

    def _pickaxe(self, address, *folders):
        """Return the commits, oldest first, in which the number of marks with an address changed in a file."""
        words = (f"-S{_pattern(address)}", "--pickaxe-regex", "--format=%H", "--reverse", "HEAD", "--", *folders)
        return git(self._scene.top, "log", *words).split()

    def marks(self, *folders):
        """Return every (path, line, addresses, text) on disk that ends in a mark."""
        found = []
        for folder in folders:
            for file in sorted((self._scene.home / folder).glob("*.md")):
                for number, row in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
                    if mark := MARK.search(row):
                        own = [word for word in mark[1].split() if re.fullmatch(r"i[0-9]+[a-z]{3}\.[0-9]+", word)]
                        found.append((file.relative_to(self._scene.home).as_posix(), number, own, row))
        return found

    def faults(self, found):
        """Return what is wrong with a trace."""
        return [*self.written(found), *self._happened(found), *self.stands(found)]

    def written(self, found):
        """Yield what is wrong with who is said to have written an entry."""
        one, address = found.written, found.address
        if one is None:
            yield f"{address}: nobody is said to have written it"
            return
        first = self.pickaxe(address, "journal")[0]
        if first != (one.marked or one.commit):
            yield f"{address}: its mark came with {first[:7]}, not {(one.marked or one.commit)[:7]}"
        row = self.show(one.commit, one.path)[one.line - 1]
        if not one.marked and not re.search(_pattern(address), row):
            yield f"{address}: line {one.line} of {one.path} in {one.commit[:7]} has not its mark: {row}"
        if row in self.show(f"{one.commit}^", one.path):
            yield f"{address}: the line was there before {one.commit[:7]}: {row}"
        rows = (self._scene.home / found.path).read_text(encoding="utf-8").split("\n")[found.line - 1 :]
        last = next((index for index, now in enumerate(rows) if re.search(_pattern(address), now)), len(rows))
        begins = re.findall(r"\w+", found.says)[:3]  # a mark ends a paragraph, which may have lines before
        if not all(rows[: last + 1]) or any(word not in "\n".join(rows[: last + _BELOW]) for word in begins):
            yield f"{address}: {found.path}:{found.line} is not it: {rows[0]}"

    def _happened(self, found):
        address = found.address
        told = {one.commit for one in found.happened}
        for sha in set(self.pickaxe(address, *TIERS)) - told:
            yield f"{address}: nothing is told of {sha[:7]}, in which its marks in the tiers changed"
        for one in found.happened:
            if not one.commit:  # what is clean was committed by somebody
                yield f"{address}: {one.fate} by no commit"
            if not one.commit or one.step in ("seal", "merge"):
                continue
            target, source = one.target.split(", ")[0], one.source.rpartition(":")[0] or one.source
            if one.after and target:
                rows = [row for row in self.show(one.commit, target) if re.search(_pattern(address), row)]
                if not any(word in " ".join(rows) for word in [one.after.split(" (")[0][:40]]):
                    yield f"{address}: {target} in {one.commit[:7]} does not say {one.after[:60]!r}: {rows}"
            paths = {target, *([] if source.startswith("journal/") else [source])} - {""}
            if paths and one.fate != "merged" and not paths & self.changed(one.commit):
                yield f"{address}: {one.commit[:7]} changed none of {paths}"
            if one.fate == "dropped" and not source.startswith("journal/"):
                was = [row for row in self.show(f"{one.commit}^", source) if one.before in row]
                now = [row for row in self.show(one.commit, source) if one.before in row and address in row]
                if not was or len(now) >= len(was):
                    yield f"{address}: it was not dropped from {source} in {one.commit[:7]}"

    def stands(self, found):
        """Yield what is wrong with where an entry is said to stand."""
        really = {(path, number) for path, number, own, _ in self.marks(*TIERS) if found.address in own}
        told = {(one.path, one.line) for one in found.stands}
        if really != told:
            yield f"{found.address}: stands in {sorted(really)}, told {sorted(told)}"


def _pattern(address):
    """Return a pattern of a mark that has an address among its own."""
    return rf"\[(i[0-9a-z.]+ )*{re.escape(address)}[] ]"
