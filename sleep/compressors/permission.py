"""What a tracked file may not do by itself: run a program, load a model, send the memory away.

Owns the permission: git's own settings on this machine hold the same value (docs/adr/0013). `memory/sleep.yaml` comes
from whoever can push, and git's settings come with no clone.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sleep import settings as settings_
from sleep.documents import paths
from sleep.errors import CompressorError
from sleep.store import history

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.settings import Settings
    from sleep.store.layout import Root


def insist(root: Root, settings: Settings, name: str, environ: Mapping[str, str], instead: str) -> None:
    """Raise CompressorError unless a setting's value was given, or repeated, on this machine.

    Args:
        root: the memory root, whose git is asked.
        settings: what holds; an empty value needs no permission.
        name: the setting's, as `compressor_command`.
        environ: the environment, in which a value was given on this machine.
        instead: what the hint offers besides allowing it.
    """
    value = str(getattr(settings, name))
    dotted = name.replace("_", ".", 1)
    if not value or settings_.is_from_environment(name, environ):
        return  # what is missing is found by who needs it
    if value not in history.configured(root, f"sleep.{dotted}"):
        raise CompressorError(
            f"{dotted} is {value!r}, which nobody has allowed on this machine (sleep.yaml alone may not)",
            where=paths.SETTINGS,
            hint=f"git config sleep.{dotted} {shlex.quote(value)}, if you trust it; or {instead}",
        )
