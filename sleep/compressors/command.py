"""The compressor `command`: any program that takes a prompt on standard input and prints Markdown.

Owns making an argument list of the setting. Refuses a shell, and a program named by a relative path: the memory's own
files must not become a program.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from typing import TYPE_CHECKING

from sleep.compressors import call
from sleep.compressors.delegation import Delegation
from sleep.errors import CompressorError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.settings import Settings

_NAME = re.compile(r"[^A-Za-z0-9_.+-]+")


def prepare(settings: Settings, outer: Mapping[str, str], known: Sequence[str]) -> Delegation:
    """Return the compressor that runs `compressor.command`.

    Raises:
        CompressorError: there is no command, it cannot be read, or its program is not there.
    """
    argv = arguments(settings.compressor_command)
    program = shutil.which(argv[0], path=outer.get("PATH"))
    if program is None or not os.path.isabs(program):
        raise CompressorError(
            f"the program {argv[0]} was not found (would be right: a name on PATH or an absolute path)",
            where="compressor.command",
            hint="install it, or SLEEP_COMPRESSOR_USE=extractive",
        )
    called = _NAME.sub("-", os.path.splitext(os.path.basename(argv[0]))[0]) or "program"
    seconds = settings.compressor_timeout
    words = [program, *argv[1:]]
    return Delegation(f"command/{called}", lambda prompt: call.ask(words, prompt, seconds, outer), settings, known)


def arguments(text: str) -> list[str]:
    """Return the argument list that `compressor.command` is; CompressorError when it is none."""
    try:
        argv = shlex.split(text)
    except ValueError as error:
        raise CompressorError(f"cannot be read: {error}", where="compressor.command", hint="close the quotes") from None
    if not argv:
        raise CompressorError(
            "no command is given, and compressor.use is command",
            where="compressor.command",
            hint="sleepwake help compressors has examples",
        )
    return argv
