"""`sleepwake hook NAME`: what a client runs at the moments of a session.

Owns the events, each gathered, decided and done on one screen. Fails open: whatever goes wrong is logged, the exit code
is 0, and standard output has the client's exact answer or nothing. Without a memory, or with `SLEEP_OFF=1`, nothing
happens. Loads nothing that a turn of an agent would have to wait for; what writes memory is a command that it runs as a
child and waits for.
"""

from __future__ import annotations

import os
import sys
import time

from sleep import settings as settings_
from sleep.clients import client_table
from sleep.clients.hooks import payload as payloads
from sleep.clients.hooks.hook_run import Call
from sleep.store import context as contexts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sleep.clients.hooks.payload import Payload
    from sleep.store.context import Context


def main(words: Sequence[str]) -> int:
    """Run one hook; the exit code is always 0."""
    began = time.monotonic()
    event = words[0] if words else ""
    try:
        if settings_.is_off():
            return 0
        if event not in _ACTS:
            sys.stderr.write(f"sleepwake hook {' | '.join(_ACTS)}: run by a client, with JSON on standard input\n")
            return 0
        _run(event, began)
    except KeyboardInterrupt:
        return 0  # a person's Ctrl-C is no trouble
    except BaseException as error:  # the last border: a client must never see it  # noqa: BLE001
        _complain(error)
    return 0


def _run(event: str, began: float) -> None:
    environ = settings_.environment()
    fields, trouble = payloads.read()
    payload = payloads.Payload(fields, environ)
    context = _context(payload, environ)
    module, _, name = _ACTS[event].partition(":")
    if context is None or not module:
        return
    call = Call(event, payload, context, began)
    if trouble:
        call.failed(trouble)
    try:
        place = f"sleep.clients.hooks.{module}"
        act: Callable[[Call], str] = getattr(__import__(place, fromlist=[name]), name)  # importlib costs 0.3 ms
        text = act(call)
    except Exception as error:  # noqa: BLE001  # same
        call.failed(error)
        return
    if text:
        from sleep.clients.hooks import client_output  # late: most hooks say nothing  # noqa: PLC0415

        client_output.say(text)


# --- the events ----------------------------------------------------------------------------------------------------


def stop(call: Call) -> str:
    """Book a turn. What a Stop hook says makes the client go on, so it says nothing, but for `journal.ask`, once."""
    from sleep.debt import book  # late: not for what is ignored  # noqa: PLC0415

    if not call.said.session:
        call.note("the client gave no session_id, so no turn is counted")
        return ""
    record = book.record_stop(call.context, call.settings, call.seen, _last_message(call), call.now)
    if client_table.known(call.said.client).once:
        from sleep.clients.hooks import session_end  # late: for a client that may end without a word  # noqa: PLC0415

        session_end.silent_end(call)
    if call.settings.journal_ask != settings_.ONCE:
        return ""
    from sleep.clients.hooks import journal_request  # late: where it is wanted  # noqa: PLC0415

    return journal_request.answer(call, record)


def _last_message(call: Call) -> str:
    """Return the last message of a turn, from the transcript where the client does not say it."""
    if call.said.message or not call.said.transcript or client_table.known(call.said.client).says_last:
        return call.said.message
    from sleep.clients.hooks import last_words  # late: for a client that does not say it  # noqa: PLC0415

    return last_words.read(call.said.transcript)


def user_prompt(call: Call) -> str:
    """Tell what the memory surely has on a prompt, where that is wanted; an empty prompt is a tool's result."""
    if not call.said.prompt.strip():
        return ""
    from sleep.clients.hooks import prompt_answer  # late: its own  # noqa: PLC0415

    return prompt_answer.prompted(call)


# What is done at each event, by the module that does it: loaded when it is wanted, for each costs a hook its time.
_ACTS = {
    "stop": "hook:stop",
    "session-start": "session_context:session_start",
    "subagent-start": "session_context:subagent_start",
    "session-end": "session_end:session_end",
    "pre-compact": "session_end:pre_compact",
    "user-prompt-submit": "hook:user_prompt",
    "subagent-stop": "",  # its edits are counted with its session's
}


# --- what they share -----------------------------------------------------------------------------------------------


def _context(payload: Payload, environ: Mapping[str, str]) -> Context | None:
    """Return the context of the folder that the hook runs in, else of the one the client names, else its project's."""
    here, explicit = contexts.here(), settings_.root_override()
    if explicit:
        return contexts.find(here or os.sep, explicit)
    for folder in dict.fromkeys((here, payload.cwd)):
        if folder and (context := contexts.find(folder)):
            return context
    named = filter(None, client_table.projects(environ))
    return next((context for folder in named if (context := contexts.find(folder))), None)


def _complain(error: BaseException) -> None:
    """Say on standard error, which clients keep to their own log, what could not even be logged."""
    try:
        sys.stderr.write(f"sleepwake hook: {type(error).__name__}\n")
    except BaseException:  # noqa: BLE001  # nobody is there to hear it
        return
