"""The start of a session, and of a sub-agent: count what was missed, sleep where that is due, print the context.

Each part is tried on its own: an error in one is logged and does not keep the others from running.
"""

from __future__ import annotations

from sleep import lean_json
from sleep.clients import client_table
from sleep.clients.hooks import client_output, shown_entries
from sleep.debt import book, due, scores, sessions, storage, timestamps
from sleep.settings import SCORE
from sleep.store import context as contexts
from sleep.wake.snapshot import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sleep.clients.hooks.hook_run import Call
    from sleep.debt.ledger import Ledger

_MARGIN = 2.0  # seconds that a child has beyond the time it is told


def session_start(call: Call) -> str:
    """Open the session, count what was missed, sleep if that is due, and tell what the agent should know."""
    for act in (_open, _catch_up):
        _tried(call, act)
    slept = _tried(call, _attend)
    _tried(call, _index)
    directive = "\n\n".join(filter(None, (slept, _tried(call, _directive))))
    text = _format(call, "SessionStart", directive, _snapshot, plain=not call.said.event)
    _tried(call, lambda run: _remember(run, text))
    return text


def subagent_start(call: Call) -> str:
    """Tell a sub-agent where things are."""
    return _format(call, "SubagentStart", "", _briefing)


def _open(call: Call) -> str:
    if call.said.session:
        book.record_start(call.context, call.seen, call.now)
    return ""


def _catch_up(call: Call) -> str:
    before = book.read(call.context).debt
    if book.catch_up(call.context, call.settings, call.now, but=call.said.session):
        call.caught = max(0, book.read(call.context).debt - before)
    return ""


def _attend(call: Call) -> str:
    """Have a sleep that is due, and digests that were missed, done by a child; return what it did to the repository."""
    ledger, session = _ledger(call), call.said.session
    limit = min(call.settings.sleep_limit, call.left() - _MARGIN)
    if limit > 0 and due.attend_wanted(call.context, ledger, call.settings, call.now, session, caught_up=call.caught):
        from sleep.clients.hooks import hook_child  # late: few starts have one  # noqa: PLC0415

        mode = due.mode(call.context, call.settings)
        words = ["sleep.attend", f"--limit={limit:.1f}", f"--but-debt={call.caught}", f"--mode={mode}", "--json"]
        if session:
            words.append(f"--session={sessions.safe(session)}")
        if slept := _slept(hook_child.attended(call, words, limit + _MARGIN)):
            call.note(slept)
            return slept
    return ""


def _ledger(call: Call) -> Ledger:
    """Return the ledger, with what commits are worth where they are debt."""
    ledger = book.read(call.context)
    if call.settings.debt_commits != SCORE:
        return ledger
    from sleep.code import own_activity  # late: where it is wanted  # noqa: PLC0415

    return own_activity.scored(call.context, call.settings, ledger, call.said.cwd)


def _slept(output: str) -> str:
    """Return in a sentence what a sleep by itself committed, or why it could not; "" where none was begun."""
    done = lean_json.loads(output.strip().rpartition("\n")[2] or "{}")
    slept = done.get("slept") or ()
    if slept:
        numbers = ", ".join(str(number) for number, _ in slept)
        commits = [sha for _, shas in slept for sha in shas]
        return (
            f"This memory slept by itself (sleep.auto is run) on instance {numbers}: {len(commits)} commits, "
            f"{commits[0][:7]} to {commits[-1][:7]}. `sleepwake sleep.undo` takes a cycle back."
        )
    waits = [error for error in done.get("errors") or () if "nobody committed" in error]
    return f"A sleep is due and did not begin by itself: {waits[0]}" if waits else ""


def _index(call: Call) -> str:
    """Have the index that prompts are answered from brought up to date by a child, where it is not."""
    if call.settings.recall_inject and due.is_memory(call.context):
        from sleep.clients.hooks import hook_child, prompt_answer  # late: where they are wanted  # noqa: PLC0415

        limit = min(call.settings.sleep_limit, call.left() - _MARGIN)
        if limit > 0 and prompt_answer.is_stale(call.context):
            hook_child.attended(call, prompt_answer.REFRESH, limit)
    return ""


def _remember(call: Call, text: str) -> str:
    """Write down which addresses the session was told, so that no prompt repeats them; a resumed one keeps its own."""
    if call.settings.recall_inject and call.said.session:
        resumed = call.said.source == "resume"
        shown_entries.begin(call.context, call.said.session, shown_entries.extents(text), resumed=resumed)
    return ""


def _directive(call: Call) -> str:
    ledger = _ledger(call)
    if ledger.trouble:
        call.failed(f"the ledger {ledger.trouble}: {storage.remedy(call.context)}")
    return scores.directive(ledger.debt, call.settings, by_hand=not due.is_memory(call.context))


def _snapshot(call: Call, room: int) -> str:
    """Return the snapshot; to a conversation that was cut short it also tells what it journaled itself."""
    compacted = call.said.session if call.said.source == "compact" else ""
    return build.snapshot(call.context, call.settings, room, compacted, timestamps.date(call.now), _folder(call)).text


def _briefing(call: Call, room: int) -> str:
    return build.briefing(call.context, call.settings, room, call.said.prompt, _folder(call)).text


def _folder(call: Call) -> str:
    """Return where the session works: as its client says, else where this process runs."""
    return call.said.cwd or contexts.here()


def _format(call: Call, event: str, directive: str, made: Callable[[Call, int], str], *, plain: bool = False) -> str:
    """Return a text about the memory in the form that the client takes; `plain` for a caller that names no event."""
    text = client_output.composed(directive, lambda room: _tried(call, lambda run: made(run, room)))
    bare = client_table.known(call.said.client).is_bare
    if not text or (plain and not bare):
        return text
    return client_output.formed(text, call.said.event or event, bare=bare)


def _tried(call: Call, act: Callable[[Call], str]) -> str:
    try:
        return act(call)
    except Exception as error:  # noqa: BLE001  # whatever it is, the session starts all the same
        call.failed(error)
        return ""
