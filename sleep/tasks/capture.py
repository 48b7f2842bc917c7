"""`journal.capture`: journals that write themselves, for hooks and for whoever has transcripts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sleep.debt import sessions, timestamps
from sleep.errors import SleepError, UsageError
from sleep.journal.capture import backlog
from sleep.journal.capture import session_journal as captures
from sleep.journal.capture.session_journal import Capture, Source
from sleep.store import context as contexts
from sleep.tasks.form import JSON_HELP, PATIENCE, ROOT_HELP, facts, here, now, progress, say, table, task

if TYPE_CHECKING:
    from sleep.memory.place import Place


@task(
    help={
        "session": "the client's session id, as a hook has seen it; with --transcript, whose file that is",
        "transcript": "a client's transcript or a folder of them; may be given again (sleepwake takes plain words too)",
        "missed": "every session that is over and that nobody has journaled",
        "client": "the client's name, kept in a journal that is opened; default: as the hook or the file tells",
        "reason": "why now; compact writes down when the client cut its conversation short",
        "dry_run": "only show the entries",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
    iterable=["transcript"],
)
def capture(
    _c: Any,
    session: str = "",
    transcript: list[str] | None = None,
    missed: bool = False,
    client: str = "",
    reason: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Write what sessions held into their journals: intent, changes, decisions, errors, what is open; only what is new.

    Twice is once. A session with nothing worth keeping leaves nothing. Hooks do it when a session ends.

    Example: sleepwake journal.capture ~/.claude/projects/-home-ana-app
    """
    where, given = here(root), transcript or []
    if bool(session) + missed + bool(given and not session) != 1:
        raise UsageError("capture takes --session, --missed or transcripts (one of the three)")
    if session:
        done = [_captured(where, session, given, client, reason, dry_run=dry_run)]
    elif missed:
        done = _missed(where, dry_run=dry_run)
    else:
        found = [one._replace(client=client or one.client) for one in backlog.find_transcripts(given)]
        with progress("reading transcripts", PATIENCE) as notice:
            done = list(backlog.capture_transcripts(where, now(), found, dry_run=dry_run, notice=notice))
    if json:
        return facts([_told(one) for one in done])
    if dry_run:
        for one in done:
            say(f"{one.session}: {one.why or f'{len(one.drafts)} entries'}")
            say(table(["kind", "says"], [[each.kind, f"{each.title} {each.body}"[:90]] for each in one.drafts]))
        return say("dry run: nothing was written")
    rows = [[one.session, one.path, str(len(one.addresses) or ""), one.why] for one in done]
    return say(table(["session", "journal", "entries", "why nothing"], rows) if rows else "nothing was missed")


def _captured(where: Place, session: str, given: list[str], client: str, reason: str, *, dry_run: bool) -> Capture:
    """Capture one session: the file that is given, or the one that a hook has seen."""
    known = sessions.read(contexts.of(where.root), session)
    if given and (len(given) > 1 or os.path.isdir(given[0])):
        raise UsageError("a session has one transcript (--transcript FILE)")
    if known is None and not given:
        raise UsageError(f"no hook has seen the session {session[:40]!r}", hint="--transcript FILE says where it is")
    if known is None:
        return captures.capture(where, now(), Source(given[0], session, client, reason), dry_run=dry_run)
    known = known._replace(client=client or known.client, transcript_path=given[0] if given else known.transcript_path)
    return captures.capture_session(where, now(), known, reason=reason, dry_run=dry_run)


def _missed(where: Place, *, dry_run: bool) -> list[Capture]:
    done = []
    found = sessions.missed(contexts.of(where.root), timestamps.seconds(now()) or 0.0)
    with progress("reading transcripts", PATIENCE) as notice:
        for index, known in enumerate(found):
            notice(index, len(found))
            try:
                done.append(captures.capture_session(where, now(), known, dry_run=dry_run))
            except (SleepError, OSError) as error:
                done.append(Capture(known.session_id, known.transcript_path, why=str(error)))
    return done


def _told(done: Capture) -> dict[str, object]:
    """Return what a capture did as facts."""
    drafts = [one._asdict() | {"fields": dict(one.fields)} for one in done.drafts]
    return done._asdict() | {"drafts": drafts, "addresses": list(done.addresses)}
