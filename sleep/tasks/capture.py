"""`journal.capture` and `journal.digest`: what sessions held, into journals or on the screen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.debt import sessions, timestamps
from sleep.errors import SleepError, UsageError
from sleep.journal.capture import BUDGET
from sleep.memory import place
from sleep.plurals import several
from sleep.store import context as contexts
from sleep.tasks.arguments import here, now, number
from sleep.tasks.output import LINE, PATIENCE, clip, facts, progress, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.documents.journal import Draft
    from sleep.journal.capture.session_journal import Capture
    from sleep.memory.place import Place

_ROWS = 20  # files that no reader knows that are printed


@task(
    "journal.capture",
    plain=("transcript",),
    help={
        "session": "the client's session id, as a hook has seen it; with --transcript, whose file that is",
        "transcript": "a client's transcript or a folder of them; may be given again (sleepwake takes plain words too)",
        "missed": "every session that is over and that nobody has journaled",
        "client": "the client's name, kept in a journal that is opened; default: as the hook or the file tells",
        "reason": "why now; compact writes down when the client cut its conversation short",
        "dry_run": "only show the entries",
    },
)
def capture(
    session: str = "",
    transcript: list[str] | None = None,
    missed: bool = False,
    client: str = "",
    reason: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> int:
    """Write what sessions held into their journals: intent, changes, decisions, errors, what is open; only what is new.

    Run again it writes nothing twice. A session with nothing worth keeping leaves nothing. Hooks do it at its end.

    Example: sleepwake journal.capture ~/.claude/projects/-home-ana-app
    """
    where, transcripts = here(root), transcript or []
    if bool(session) + missed + bool(transcripts and not session) != 1:
        raise UsageError("journal.capture takes a transcript, --session or --missed (would be right: one of the three)")
    if session:
        done = [_captured(where, session, transcripts, client, reason, dry_run=dry_run)]
    elif missed:
        done = _missed(where, dry_run=dry_run)
    else:
        return _backlog(where, transcripts, client, dry_run=dry_run, json=json)
    _report(done, dry_run=dry_run, json=json)
    return _code(done)


def _backlog(where: Place, places: Sequence[str], client: str, *, dry_run: bool, json: bool) -> int:
    """Capture transcripts of the past; what was named and is none is an error once the others are captured."""
    from sleep.journal.capture import backlog, session_digest  # late: 60 ms, and every command of `journal` loads this  # noqa: PLC0415
    from sleep.journal.capture.session_journal import Capture  # late: as above  # noqa: PLC0415

    held = backlog.survey(places)
    logs = [log._replace(client=client or log.client) for log in held.transcripts]
    with progress("reading transcripts", PATIENCE) as notice:
        done = list(backlog.capture_transcripts(where, now(), logs, dry_run=dry_run, notice=notice))
    is_list = json and bool(done)  # one value for who asked for JSON: what was named and is none is a row of it
    rows = held.strangers if is_list else held.strangers[held.named :]
    done += [Capture("", path, why="no reader knows it") for path in rows]
    if done or not held.named:
        _report(done, dry_run=dry_run, json=json)
    if held.named and is_list:
        return UsageError.exit_code
    if held.named:
        raise session_digest.unknown(held.strangers[0], held.named - 1)
    return _code(done)


def _code(done: Sequence[Capture]) -> int:
    """Return the exit code: that of the first capture that the disk refused, 0 where it refused none."""
    return next((capture.code for capture in done if capture.code), 0)


def _report(done: Sequence[Capture], *, dry_run: bool, json: bool) -> None:
    if json:
        return facts([_capture_facts(digest) for digest in done])
    return _rehearsal(done) if dry_run else _outcome(done)


def _name(digest: Capture) -> str:
    """Return the session's name; of a file that no reader knows the file's."""
    return digest.session or os.path.basename(digest.transcript)


def _rehearsal(done: Sequence[Capture]) -> None:
    for digest in done:
        say(f"{_name(digest)}: {digest.why or several(len(digest.drafts), 'entry')}")
        if not digest.session:
            continue
        say(_draft_table(digest.drafts))
    say("dry run: nothing was written")


def _outcome(done: Sequence[Capture]) -> None:
    shown = [digest for digest in done if digest.session]
    strangers = [digest for digest in done if not digest.session]
    shown += strangers[:_ROWS]
    rows = [[_name(digest), digest.path, str(len(digest.addresses) or ""), digest.why] for digest in shown]
    say(table(["session", "journal", "entries", "why nothing"], rows) if rows else "nothing was missed")
    if len(strangers) > _ROWS:
        say(f"and {several(len(strangers) - _ROWS, 'more file')} that no reader knows (--json lists them)")


def _captured(
    where: Place, session: str, transcripts: list[str], client: str, reason: str, *, dry_run: bool
) -> Capture:
    """Capture one session: the file that is given, or the one that a hook has seen."""
    from sleep.journal.capture import session_journal as captures  # late: as above  # noqa: PLC0415

    known = sessions.read(contexts.of(where.root), session)
    if transcripts and (len(transcripts) > 1 or os.path.isdir(transcripts[0])):
        raise UsageError("--session takes one transcript (--transcript FILE)")
    if known is None and not transcripts:
        raise UsageError(f"no hook has seen the session {session[:40]!r}", hint="--transcript FILE says where it is")
    if known is None:
        return captures.capture(where, now(), captures.Source(transcripts[0], session, client, reason), dry_run=dry_run)
    known = known._replace(
        client=client or known.client, transcript_path=transcripts[0] if transcripts else known.transcript_path
    )
    return captures.capture_session(where, now(), known, reason=reason, dry_run=dry_run)


def _missed(where: Place, *, dry_run: bool) -> list[Capture]:
    from sleep.journal.capture import session_journal as captures  # late: as above  # noqa: PLC0415

    done = []
    missed = sessions.missed(contexts.of(where.root), timestamps.seconds(now()) or 0.0)
    with progress("reading transcripts", PATIENCE) as notice:
        for index, known in enumerate(missed):
            notice(index, len(missed))
            try:
                done.append(captures.capture_session(where, now(), known, dry_run=dry_run))
            except (SleepError, OSError) as error:
                done.append(captures.failure(known.session_id, known.transcript_path, error))
    return done


def _capture_facts(done: Capture) -> dict[str, object]:
    """Return what a capture did as facts."""
    return done._asdict() | {"drafts": _draft_facts(done.drafts), "addresses": list(done.addresses)}


def _draft_facts(drafts: Sequence[Draft]) -> list[dict[str, object]]:
    return [draft._asdict() | {"fields": dict(draft.fields)} for draft in drafts]


def _draft_table(drafts: Sequence[Draft]) -> str:
    return table(["kind", "says"], [[draft.kind, clip(f"{draft.title} {draft.body}", LINE)] for draft in drafts])


@task(
    "journal.digest",
    help={
        "file": "a client's transcript, e.g. ~/.claude/projects/PROJECT/SESSION.jsonl",
        "budget": f"tokens, at most; default: {BUDGET}",
        "into": "append it to the open journal instead of printing it",
        "dry_run": "with --into: only show the entries",
        "instance": "with --into: the instance's number; default: the one that is open",
    },
)
def digest(
    file: str,
    budget: str = "",
    into: bool = False,
    dry_run: bool = False,
    instance: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Say what a transcript holds: intent, outcome, open items, files, what was learnt; by default it is printed.

    Any beginning of it is a good digest. No model is asked; every sentence stands in the transcript.

    Example: sleepwake journal.digest session.jsonl --budget 500
    """
    from sleep.journal import writer  # late: as above  # noqa: PLC0415
    from sleep.journal.capture import digest_drafts  # noqa: PLC0415  # same
    from sleep.journal.capture import session_digest as digests  # noqa: PLC0415  # same

    summary = digests.of(
        digests.read(file),
        number(budget, "budget") or BUDGET,
        homes=(os.path.expanduser("~"),),
        known=place.secrets(),
    )
    entries = digest_drafts.drafts(summary)
    if into and not dry_run:
        made = writer.add_all(here(root), now(), entries, instance=number(instance, "instance"))
        return (
            facts([str(address.address) for address in made]) if json else say(f"{several(len(made), 'entry')} added")
        )
    if json:
        counts = {"unread": summary.unread, "redacted": summary.redacted, "refused": summary.refused}
        return facts({"files": summary.files, "entries": _draft_facts(entries), **counts})
    if into:
        return say(f"{_draft_table(entries)}\ndry run: nothing was written")
    return say(digests.markdown(summary))


TASKS = (capture, digest)
