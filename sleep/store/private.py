"""What may not be written down: secrets, and where somebody's home is.

Owns cleaning a text before its first write, with what this machine's environment holds. Standard library only; hooks
load it.
"""

from __future__ import annotations

import os

from sleep import settings
from sleep.redaction import homes, secret_scan


def secrets() -> tuple[str, ...]:
    """Return the values of the environment's variables whose names say that they are secret."""
    environment = settings.environment()
    names = [name for name in environment if secret_scan.is_secret_name(name)]
    return tuple(value for name in names if (value := environment.get(name)))


def clean(text: str) -> str:
    """Return a text with each secret as `[REDACTED:kind]` and home directories as `~`.

    Half of a surrogate pair, which no file can hold, becomes a question mark.
    """
    if not text:
        return ""
    text = text.encode("utf-8", "replace").decode()
    return homes.hide(secret_scan.redact(text, secrets())[0], (os.path.expanduser("~"),))
