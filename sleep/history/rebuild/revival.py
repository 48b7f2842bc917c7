"""What an undo would bring back although somebody took it out since: secrets, and words that people removed.

Owns finding it in what an undo is about to write, and writing the main page's derived sections anew where it stands
there. Refuses everything else by naming the line and the commit that took it out. A word counts as taken out when a
commit that is no step of ours removed a line with it, and nothing of the memory holds it any more; so does a line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import gate
from sleep.cycle import handoff
from sleep.documents import cycles, main_page, paths
from sleep.errors import GitStateError, SecretError
from sleep.history.rebuild import replay
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.redaction import secret_scan
from sleep.store import layout
from sleep.store.tree import Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sleep.history.rebuild.replay import Edited, Span
    from sleep.memory.place import Place
    from sleep.store.tree import Tree

_WORD = re.compile(r"[^\W_]+")
_BULLET = re.compile(r"^(?:[-*+]|\d{1,9}[.)]) ")
_LEAST = 2  # words: a shorter line says nothing that could be missed


class _Removed(NamedTuple):
    """What people took out: lines and words, each with the commit that did, "" for one that is not committed yet."""

    lines: Mapping[str, str]
    words: Mapping[str, str]


def refuse(where: Place, span: Span, writes: Mapping[str, str | None]) -> tuple[dict[str, str | None], tuple[str, ...]]:
    """Return what an undo may write, and the paths that were changed for that.

    Raises:
        GitStateError: a line would come back that a commit outside our steps took out.
        SecretError: a secret would be committed.
    """
    present = WorkTree(where.root)
    removed = _removed(where, span, present)
    fit, cleaned = dict(writes), []
    if any(path == paths.MAIN for path, *_ in _back(present, fit, removed)) or _secrets(present, fit, paths.MAIN):
        fit[paths.MAIN] = _derived(where, Overlay(present, fit))
        cleaned.append(paths.MAIN)
    for path in [name for name in fit if paths.tier_of(name) and _secrets(present, fit, name)]:
        fit[path] = secret_scan.redact(fit[path] or "", place.secrets())[0]  # as `memory.redact` would
        cleaned.append(path)
    _refuse_removed(_back(present, fit, removed))
    for path, text in fit.items():
        if secret := _secrets(present, fit, path):
            raise SecretError(
                f"a secret ({secret}) would come back with the cycle undone (nothing was changed)",
                where=path,
                hint="leave the cycle; sleepwake help recovery#secret",
            )
        gate.refuse_broken({path: text or ""})
    return {path: text for path, text in fit.items() if text != present.read(path)}, tuple(cleaned)


def _refuse_removed(back: Iterable[tuple[str, int, str, str]]) -> None:
    for path, number, words, sha in back:
        by = f"commit {sha[:7]}" if sha else "an edit that is not committed yet"
        raise GitStateError(
            f"{by} took this out, and undoing the cycle would bring it back (nothing was changed): {words[:80]}",
            where=f"{path}:{number}",
            hint=f"git show {sha[:7]}; leave the cycle, or git revert {sha[:7]} first" if sha else "git diff",
        )


def _removed(where: Place, span: Span, present: Tree) -> _Removed:
    """Return what commits that are no steps of ours took out, and pending edits, unless it stands somewhere now."""
    lines: dict[str, str] = {}
    for sha, edit in _edits(where, span):
        lines.update(dict.fromkeys(_plain_lines(edit.before, but=_plain_lines(edit.after)), sha))
    if not lines:
        return _Removed({}, {})
    documents = [path for folder in layout.OWNED[1:] for path in present.list(folder) if layout.is_owned(path)]
    text = "\n".join(present.read(path) or "" for path in (paths.MAIN, *documents))
    standing = _plain_lines(text)
    known = set(_WORD.findall(text.casefold()))
    lines = {line: sha for line, sha in lines.items() if line not in standing and len(line.split()) >= _LEAST}
    words = {word: sha for line, sha in lines.items() for word in _WORD.findall(line) if word not in known}
    return _Removed(lines, words)


def _edits(where: Place, span: Span) -> Iterator[tuple[str, Edited]]:
    """Yield what people did to documents, each with the commit, "" for what is not committed yet."""
    for commit in span.others:
        yield from ((commit.sha, edit) for edit in replay.edits(where.root, commit))
    yield from (("", edit) for edit in span.pending)


def _plain_lines(text: str | None, but: Collection[str] = ()) -> dict[str, None]:
    """Return the lines of a text that say something, as `_plain` gives them, in their order, but some."""
    plain = map(_plain, (text or "").split("\n"))
    return {line: None for line in plain if line and line not in but}


def _back(present: Tree, writes: Mapping[str, str | None], removed: _Removed) -> Iterator[tuple[str, int, str, str]]:
    """Yield (path, line from 1, its text, the commit) for each line that comes back."""
    if not removed.lines:
        return
    for path, text in writes.items():
        there = _plain_lines(present.read(path))
        for number, line in enumerate((text or "").split("\n"), 1):
            plain = _plain(line)
            if not plain or plain in there:
                continue
            word = next((word for word in _WORD.findall(plain) if word in removed.words), "")
            if word or plain in removed.lines:
                yield path, number, line.strip(), removed.words[word] if word else removed.lines[plain]


def _plain(line: str) -> str:
    """Return what a line says, whatever its bullet, marks and case."""
    return " ".join(_BULLET.sub("", addressing.MARK.sub("", line).strip()).split()).casefold()


def _secrets(present: Tree, writes: Mapping[str, str | None], path: str) -> str:
    """Return the kind of the first secret in the lines that a document would get, or ""."""
    try:
        gate.refuse_secrets({path: present.read(path) or ""}, {path: writes.get(path) or ""}, place.secrets())
    except SecretError:
        secrets = secret_scan.find(writes.get(path) or "", place.secrets())
        return secrets[0].kind if secrets else "by its name"
    return ""


def _derived(where: Place, state: Tree) -> str | None:
    """Return the main page with our sections written anew from the memory as it is without the cycle."""
    view = View(state)
    rows = view.cycles
    path = view.path_of(rows[-1].instance) if rows else None
    if path is None:  # nobody has slept: there is nothing to hand over
        return main_page.unmanaged(view.read(paths.MAIN) or "") + "\n"
    table = (view.read(cycles.PATH) or "").splitlines(keepends=True)
    rest = "".join(line for line in table if cycles.read(line) != (rows[-1],))
    decided = handoff.decide(View(Overlay(state, {cycles.PATH: rest})), where.settings, path, rows[-1])
    return decided.writes[paths.MAIN]
