"""The compressor `llm`: any model that the library `llm` knows, by its plugins and keys.

Owns finding out that library, model and key are there before anything is changed. The call itself runs in a child, so
that time limit, output limit and end are those of a program. The library is an extra, and is loaded by nothing else.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from sleep import extra_install
from sleep.compressors import call
from sleep.compressors.delegation import Delegation
from sleep.errors import CompressorError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.settings import Settings

_NAME = re.compile(r"[^A-Za-z0-9_.+:/-]+")
_CHILD = """\
import sys, llm
model = llm.get_model(sys.argv[1])
sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
try:
    sys.stdout.write(model.prompt(sys.stdin.read(), stream=False).text())
except Exception as error:  # the provider's reason is in the words: a traceback would hide them
    sys.exit(f"{type(error).__name__}: {error}")
"""


def prepare(settings: Settings, outer: Mapping[str, str], known: Sequence[str]) -> Delegation:
    """Return the compressor that asks `compressor.model`.

    Raises:
        CompressorError: no model is named, the library is missing, or it has no such model or no key for it.
    """
    name = settings.compressor_model
    if not name:
        raise CompressorError(
            "no model is named, and compressor.use is llm", where="compressor.model", hint="llm models lists them"
        )
    _insist(name)
    argv = [sys.executable, "-P", "-c", _CHILD, name]
    seconds = settings.compressor_timeout
    called = _NAME.sub("-", name)
    return Delegation(f"llm/{called}", lambda prompt: call.ask(argv, prompt, seconds, outer), settings, known)


def _insist(name: str) -> None:
    try:
        import llm  # late: an extra, and a second to load  # noqa: PLC0415
    except ImportError as error:
        absent = isinstance(error, ModuleNotFoundError) and error.name == "llm"
        what = "is not installed" if absent else f"cannot be loaded ({error})"
        raise CompressorError(
            f"the library llm {what}, and compressor.use is llm",
            where="compressor.use",
            hint=extra_install.command("llm"),
        ) from None
    try:
        llm.get_model(name).get_key()
    except llm.UnknownModelError:
        raise CompressorError(
            f"llm knows no model {name!r}", where="compressor.model", hint="llm models lists them"
        ) from None
    except llm.ModelError as error:  # no key
        raise CompressorError(str(error), where="compressor.model", hint="llm keys set NAME") from None
    except Exception as error:  # noqa: BLE001  # a plugin of the person's is loaded here, and may raise whatever it likes
        raise CompressorError(
            f"llm cannot load its plugins or the model {name!r} ({type(error).__name__}: {error})",
            where="compressor.model",
            hint="llm plugins shows them; llm uninstall NAME, or SLEEP_COMPRESSOR_USE=extractive",
        ) from None
