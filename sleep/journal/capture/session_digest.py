"""From a transcript to a digest: what was asked, how it ended, what is open, what was learnt, and the files.

Owns what a digest holds and how it is printed. Everything in it has been cleaned by `material`. Of what tools printed
only errors are kept; they are clipped, marked as untrusted, and refused where they read like an instruction. Refuses to
say what it becomes in a journal: that is `digest_drafts`'.
"""

from __future__ import annotations

import os
import re
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from sleep.compression import digest as choosing
from sleep.compression import passages, recognition, redundancy
from sleep.errors import DocumentError, UsageError
from sleep.journal.capture import BUDGET, deeds, disputes, findings, fixes, prose_kinds
from sleep.journal.capture.material import Fault, Files, Material, Work
from sleep.language import tokens
from sleep.plurals import several
from sleep.records import kinds
from sleep.redaction import untrusted
from sleep.store import files
from sleep.transcripts import readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.compression.digest import Placed
    from sleep.compression.passages import Passage
    from sleep.transcripts.events import Event

_STRIDE = 1 << 20  # bytes between two notices
_FILES = 125  # tokens of the first round that the files may take; the others are counted
_MENDED = 1 / 8  # of the budget, for errors that were mended, beside later rounds
_MOST_SHARES = 3  # of a budget that is for so many requests
_NAME = re.compile(r"[\w-][\w.-]*\.\w{1,8}\b")


class Digest(NamedTuple):
    """What is kept of a transcript, in the order in which it is printed, and what was refused.

    `reached` is the last line that could be read (the last event,
    for a client that writes no lines), `first` and `last` when the events were. `edited` is the last edit, `begun` the
    line of the first. `unread` counts lines that could not be read, `redacted` secrets that were taken out, `refused`
    errors that read like instructions. `noticed` are records that nobody stated; prose among `placed` has their words.
    `work` is which messages the edits belong to, `reported` is what says what was done, `ended` is what becomes of
    passages that later ones end, by their texts, `causes` is what the agent said of errors, by theirs.
    """

    placed: tuple[Placed, ...]
    files: Files
    faults: tuple[Fault, ...]
    budget: int
    edited: Event
    reached: int = 0
    first: str = ""
    last: str = ""
    unread: int = 0
    redacted: int = 0
    refused: int = 0
    begun: int = 0
    noticed: tuple[Passage, ...] = ()
    work: Work = Work()
    reported: Passage | None = None
    ended: Mapping[str, findings.End] = MappingProxyType({})
    causes: Mapping[str, fixes.Cause] = MappingProxyType({})


def read(path: str, notice: Callable[[int, int], None] = lambda _done, _all: None) -> Iterator[Event]:
    """Yield the events of a transcript, read line by line; `notice` is called with the bytes read, and with all.

    Raises:
        UsageError: there is no such file.
        DocumentError: no reader knows it.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise UsageError(f"{path}: no regular file (a client's transcript)")
    try:
        with open(path, "rb") as lines:
            client = readers.sniff(lines.read(readers.HEAD))
            if not client:
                raise unknown(path)
            lines.seek(0)
            yield from readers.reader(client).read(_counted(lines, notice))
    except (FileNotFoundError, IsADirectoryError):
        raise UsageError(f"{path}: no such file (a client's transcript)") from None
    except OSError as error:
        raise files.refusal(error, path) from error


def unknown(path: str, more: int = 0) -> DocumentError:
    """Return the error of a file that no reader knows, and of so many others."""
    others = f", and {several(more, 'more file')}" if more else ""
    known = ", ".join(readers.READERS)
    return DocumentError(f"not a transcript of a client that is known ({known}){others}", where=path)


def _counted(lines: BinaryIO, notice: Callable[[int, int], None]) -> Iterator[bytes]:
    size, done, noticed = os.fstat(lines.fileno()).st_size, 0, 0
    for line in lines:
        done += len(line)
        if done - noticed >= _STRIDE:
            noticed = done
            notice(done, size)
        yield line


def of(
    events: Iterable[Event],
    budget: int = BUDGET,
    *,
    homes: Sequence[str] = (),
    known: Sequence[str] = (),
    since: int = 0,
    root: str = "",
    moves: bool = True,
    requests: int = 0,
    refuses: Callable[[Passage], bool] = lambda _: False,
) -> Digest:
    """Return the digest of what happened, within a budget of tokens.

    Args:
        events: of one transcript, in order.
        budget: tokens, at most, of the digest as it is printed.
        homes: home directories, which become `~`.
        known: values of secrets, which are taken out wherever they stand.
        since: the line up to which it was digested before.
        root: the directory of the project, for a client that does not say where it works.
        moves: keep what an agent says that it does next, too, and how its work goes on.
        requests: messages of a person that the budget is for: for each as many there is as much room again, three
            times at most; 0 is for any number.
        refuses: says of a passage that it is not to be kept.
    """
    gathered = Material(homes, known, since, root)
    for event in events:
        gathered.take(event)
    if requests:
        budget *= min(_MOST_SHARES, max(1, ceil(gathered.requests / requests)))
    put = gathered.put  # told before, and read again for what a reply makes of it
    turns = [*put, *gathered.said] if gathered.said else []
    cut = passages.cut([*turns, *gathered.tasks()], moves=moves)
    objections = disputes.objections(turns)
    work = gathered.work(len(put))._replace(contradicted=objections.contradicted, declined=objections.declined)
    runs = [run for run in cut if run.message >= len(put) and not refuses(run) and not _is_echo(run, turns, work)]
    noticed_runs = disputes.without_dropped(recognition.find(turns), turns)
    likely = [run for run in noticed_runs if run.message >= len(put) and not refuses(run)]
    labelled = _labelled(runs if moves else disputes.without_refused(runs, objections.refused), likely, gathered.paths)
    offered = prose_kinds.without_stages(labelled, work, keeps_all=moves)
    chosen = choosing.choose(offered, budget, reserved=tokens.share(_files(gathered.files, budget)))
    noticed = tuple(_clean(run, gathered) for run in likely if kinds.is_record(run.notices))
    made = _made(gathered, tuple(_cleaned(placed, gathered) for placed in chosen), noticed, budget)
    made = made._replace(
        work=work, reported=_reported(labelled, gathered, work), ended=findings.ended(labelled, work.after)
    )
    fitted = _fitted(made)
    return fitted._replace(causes=_causes(fitted.faults, turns, objections, gathered))


def _is_echo(run: Passage, turns: Sequence[Event], work: Work) -> bool:
    """True for an agent's words right behind a person's that only take these in; who did what they ask reports it."""
    before = turns[run.message - 1] if 0 < run.message < len(turns) else None
    is_reply = run.role == "agent" and run.kind == "text" and not run.states and run.message not in work.after
    return bool(before and before.role == "person" and is_reply and redundancy.is_echo(run.text, before.text))


def _labelled(runs: Iterable[Passage], likely: Iterable[Passage], paths: Mapping[str, frozenset[str]]) -> list[Passage]:
    """Return passages with the path of the file that each names, and with what of them is likely an insight."""
    insights = [run.text for run in likely if run.notices == prose_kinds.INSIGHT]
    return [run._replace(path=_label(run.text, paths), notices=_insight(run, insights)) for run in runs]


def _reported(runs: Sequence[Passage], material: Material, work: Work) -> Passage | None:
    """Return what says what was done, cleaned, with the path of the file that it names."""
    run = deeds.find(runs, work.after)
    return _clean(run._replace(path=_label(run.text, material.paths)), material) if run else None


def _made(material: Material, placed: tuple[Placed, ...], noticed: tuple[Passage, ...], budget: int) -> Digest:
    """Return a digest of what was chosen, cleaned, with the rest of what the material tells."""
    return Digest(
        placed=placed,
        files=material.files,
        faults=disputes.without_past(material.faults, material.said),
        budget=budget,
        edited=material.edited,
        reached=material.reached,
        first=material.first,
        last=material.last,
        unread=material.unread,
        redacted=material.redacted,
        refused=material.refused,
        begun=material.begun,
        noticed=noticed,
    )


def _insight(run: Passage, insights: Iterable[str]) -> str:
    """Return the kind of prose that holds one of these insights, "" for any other passage."""
    return prose_kinds.INSIGHT if not run.states and any(text in run.text for text in insights) else ""


def _clean(run: Passage, material: Material) -> Passage:
    return run._replace(text=material.clean(run.text), why=material.clean(run.why))


def _causes(
    faults: Iterable[Fault], turns: Sequence[Event], objections: disputes.Objections, material: Material
) -> dict[str, fixes.Cause]:
    """Return what the agent said of errors, cleaned again: on one line a secret can show that did not across lines."""
    denied = objections.contradicted | objections.declined
    causes = fixes.causes(faults, frozenset(turns[message].text for message in denied))
    return {
        text: fixes.Cause(tuple(map(material.clean, cause.words)), material.clean(cause.remedy))
        for text, cause in causes.items()
    }


def _cleaned(placed: Placed, material: Material) -> Placed:
    """Return a passage cleaned again: on one line a secret can show that did not across lines."""
    return placed._replace(passage=placed.passage._replace(text=material.clean(placed.passage.text)))


def _label(text: str, paths: Mapping[str, frozenset[str]]) -> str:
    """Return the whole path of the first file that a text names by its last part only, "" where that is unclear."""
    for name in _NAME.findall(text):
        if len(own := paths.get(name, frozenset())) == 1:
            (path,) = own
            if path not in text and "/" in path and not _is_elsewhere(name, text, path):
                return path
    return ""


def _is_elsewhere(name: str, text: str, path: str) -> bool:
    """Return whether a text has a path to a file of this name that is not the end of this path."""
    ends = re.findall(rf"(?<![\w.-])([\w.~/-]{{0,400}}/){re.escape(name)}(?![\w-])", text)
    return any(not path.endswith(f"/{end.removeprefix('./')}{name}") for end in ends)


def _files(files: Files, budget: int) -> str:
    """Return the files by directory: `docs/: a.md, b.md; sleep/: c.py`, as many as there is room for."""
    room = min(_FILES, budget / 2)
    shown: list[str] = []
    for path in files.changed:
        if tokens.share("; ".join([*shown, path])) > room:
            break
        shown.append(path)
    folders: dict[str, list[str]] = {}
    for path in shown:
        folders.setdefault(os.path.dirname(path), []).append(os.path.basename(path))
    parts = [f"{folder}/: {', '.join(own)}" if folder else ", ".join(own) for folder, own in folders.items()]
    if more := len(files.changed) - len(shown):
        parts.append(f"and {more} more")
    if files.unchanged and tokens.share(unchanged := f"not changed: {', '.join(files.unchanged[:3])}") <= room:
        parts.append(unchanged)
    return "; ".join(parts)


def _fitted(digest: Digest) -> Digest:
    """Return the digest without what does not fit its budget: errors without end first, then what came in last.

    Errors that were mended may take their share of it from later rounds; what is more goes before these.
    """
    while tokens.count(markdown(digest)) > digest.budget and (digest.faults or digest.placed):
        last = max((placed.round for placed in digest.placed), default=0)
        if least := _least(digest, last):
            digest = digest._replace(faults=tuple(fault for fault in digest.faults if fault is not least))
        else:
            weakest = max(index for index, placed in enumerate(digest.placed) if placed.round == last)
            digest = digest._replace(placed=digest.placed[:weakest] + digest.placed[weakest + 1 :])
    return digest


def _least(digest: Digest, last: int) -> Fault | None:
    """Return the error that is dropped before anything of the last round, None for no error."""
    mended = [fault for fault in digest.faults if fault.mended]
    if len(mended) < len(digest.faults):
        return next(fault for fault in digest.faults if not fault.mended)
    is_much = tokens.share("\n".join(map(ending, mended))) > digest.budget * _MENDED
    return mended[0] if mended and (last == 0 or is_much) else None


def markdown(digest: Digest) -> str:
    """Return the digest as it is printed: a paragraph or list a section, the most important first."""
    sections: dict[str, list[str]] = {name: [] for name in choosing.SECTIONS}
    for placed in digest.placed:
        sections[placed.section].append(choosing.with_path(placed.passage))
    if files := _files(digest.files, digest.budget):
        sections["files"] = [files]
    for name, is_mended in (("fixes", True), ("errors", False)):
        sections[f"{name}, from {untrusted.MARK}"] = [
            ending(fault) for fault in digest.faults if bool(fault.mended) is is_mended
        ]
    shown = [
        "\n- ".join([f"**{name.capitalize()}:** {rows[0]}", *rows[1:]]) + "\n"
        for name, rows in sections.items()
        if rows
    ]
    return "\n".join(shown)


def ending(fault: Fault) -> str:
    """Return an error with how it ended."""
    return f"{fault.text} ({fault.solved})" if fault.solved else fault.text
