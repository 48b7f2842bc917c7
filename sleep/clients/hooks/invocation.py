"""The command by which an agent can call this program where it runs.

Owns telling whether `sleepwake` is one, and what is one otherwise: hooks are installed with an absolute path, so they
also run where the program is on nobody's PATH, as in a virtual environment.
"""

from __future__ import annotations

import os
import re
import sys

from sleep import settings

NAME = "sleepwake"
_PLAIN = r"[\w@%+=:,./-]+"  # what no shell takes apart
_CALL = f"`{NAME} "


def here() -> str:
    """Return what a shell here takes for this program: its name where PATH has it, else its absolute path, quoted."""
    script = sys.argv[0]
    if os.path.basename(script) != NAME or not os.path.isabs(script):
        return NAME
    for folder in settings.environment().get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, NAME), os.X_OK):
            return NAME
    return script if re.fullmatch(_PLAIN, script) else "'" + script.replace("'", "'\"'\"'") + "'"


def callable_here(text: str) -> str:
    """Return a text with every call of the program in backticks as one that works here."""
    command = here()
    return text if command == NAME else text.replace(_CALL, f"`{command} ")
