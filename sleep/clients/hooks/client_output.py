"""What a hook says to a client: text of bounded size, in the form that the client takes.

Owns the cap, the forms, and the command by which an agent can call this program where it runs. Clients replace a longer
text by a preview (Claude Code, from 10,000 UTF-16 units) or cut out its middle (Codex, from 10,000 bytes). Codex drops
an answer with a key that it does not know; Gemini and Copilot drop plain text.
"""

from __future__ import annotations

import os
import re
import sys

from sleep import lean_json, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CAP = 9_500  # bytes of UTF-8, which are never fewer than UTF-16 units
NAME = "sleepwake"
_PLAIN = r"[\w@%+=:,./-]+"  # what no shell takes apart
_CALL = f"`{NAME} "
_CUT = "\n[cut to fit; sleepwake snapshot shows it whole]"


def size(text: str) -> int:
    """Return the bytes of a text."""
    return len(text.encode("utf-8", "replace"))


def composed(directive: str, body: Callable[[int], str]) -> str:
    """Return the directive and, below it, a body: `body` makes one for the bytes that are left.

    One that is longer all the same is cut. Commands in it are such as work here.
    """
    lead = f"{clipped(callable_here(directive.strip()), CAP)}\n\n" if directive.strip() else ""
    room = CAP - size(lead)
    text = body(room).strip()
    shown = callable_here(text)
    if size(shown) > room:
        shown = callable_here(body(room - size(shown) + size(text)).strip())
    return (lead + clipped(shown, room)).strip()


def clipped(text: str, room: int) -> str:
    """Return a text of at most `room` bytes, cut at the end of a line where it is too long, and then saying so."""
    if size(text) <= room:
        return text
    prefix = text.encode("utf-8", "replace")[: max(0, room - len(_CUT))].decode("utf-8", "ignore")
    return (prefix[: prefix.rfind("\n")] if "\n" in prefix else prefix).rstrip() + _CUT if room > len(_CUT) else ""


def formed(text: str, event: str, *, bare: bool = False) -> str:
    """Return the one line that gives a text to the model; `bare` leaves out the envelope that most clients want."""
    inner = {"additionalContext": text}
    return lean_json.dumps(
        inner if bare else {"hookSpecificOutput": {"hookEventName": event, **inner}}, ascii_only=False
    )


def blocked(reason: str) -> str:
    """Return the one line by which a Stop hook makes Claude Code go on, with a reason that its model reads."""
    return lean_json.dumps({"decision": "block", "reason": reason}, ascii_only=False)


def say(text: str) -> None:
    """Write an answer to standard output, whole and at once; nobody being there to hear it is no error."""
    content = f"{text}\n".encode("utf-8", "replace")
    try:
        sys.stdout.flush()
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):  # not a file: a test's, or closed
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.write(content.decode("utf-8"))
        return
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    except OSError:
        return


def here() -> str:
    """Return what a shell here takes for this program: its name where PATH has it, else its absolute path, quoted.

    Hooks are installed with an absolute path, so they also run where it is on nobody's PATH. The folder of a virtual
    environment does not count: a client that was started while it was active may run each command in a login shell,
    which sets PATH anew (Codex does).
    """
    script = sys.argv[0]
    if os.path.basename(script) != NAME or not os.path.isabs(script):
        return NAME
    for folder in settings.environment().get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, NAME), os.X_OK) and not _is_of_environment(folder):
            return NAME
    return script if re.fullmatch(_PLAIN, script) else "'" + script.replace("'", "'\"'\"'") + "'"


def _is_of_environment(folder: str) -> bool:
    return os.path.exists(os.path.join(os.path.dirname(folder.rstrip(os.sep)), "pyvenv.cfg"))


def callable_here(text: str) -> str:
    """Return a text with every call of the program in backticks as one that works here."""
    command = here()
    return text if command == NAME else text.replace(_CALL, f"`{command} ")
