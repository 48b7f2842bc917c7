"""Compiled regular expressions beside bytecode: a command starts 60 ms sooner.

Owns a file next to this module's bytecode with what `re` makes of a pattern, for this very build of Python: where
bytecode may be written, so is it, and where it is missing or another build's, patterns are compiled as ever. Keeps only
patterns that stand in code and in word lists. Refuses those that are made of what somebody wrote: they may tell of it.
"""

from __future__ import annotations

import importlib
import marshal
import os
import sys
from typing import TYPE_CHECKING, Any

from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    import re
    from types import FrameType, ModuleType

_HEAD = f"sleepwake patterns 1 {sys.version}\n".encode()
# Who makes patterns of word lists alone, beside the bodies of modules.
_LISTED = ("sleep.language.", "sleep.redaction.secret_rules", "sleep.redaction.secret_forms")
_WORD = 4  # bytes of a word of a compiled pattern


class _Compiled(NamedTuple):
    """A compiled pattern as `_sre.compile` takes it; its words are bytes, its groups are told by name and by number."""

    flags: int
    words: bytes
    groups: int
    numbers: dict[str, int]
    names: tuple[str | None, ...]


class PatternCache:
    """What `re` has compiled before; `install` reads it, `save` writes it back where there is more.

    Args:
        place: the file; "" for none.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._may_write = not sys.dont_write_bytecode  # as the process began: Invoke forbids what comes later
        self._known: dict[tuple[str | bytes, int], tuple[Any, ...]] = {}
        self._is_new = False

    def install(self) -> None:
        """Have `re` ask here first; a Python whose `re` is built otherwise goes on as it was."""
        try:
            with open(self._place, "rb") as file:
                content = file.read()
            if content.startswith(_HEAD):
                self._known = marshal.loads(memoryview(content)[len(_HEAD) :])  # noqa: S302  # as trusted as the bytecode beside it
        except (OSError, ValueError, EOFError, TypeError):
            self._known = {}
        try:
            compiler = importlib.import_module("re._compiler")
            self._wrap(compiler, compiler.compile, compiler._sre)  # noqa: SLF001  # it has no door
        except (ImportError, AttributeError):
            return

    def save(self) -> None:
        """Write what was compiled, wholly or not at all, where something is new and Python may write bytecode."""
        if not (self._is_new and self._place and self._may_write):
            return
        beside = f"{self._place}.{os.getpid()}"
        try:
            with open(beside, "wb") as file:
                file.write(_HEAD + marshal.dumps(self._known))
            os.replace(beside, self._place)
        except OSError:
            return

    def _wrap(self, compiler: ModuleType, plain: Any, sre: Any) -> None:  # noqa: ANN401  # private, so without types
        def compile_pattern(pattern: str | bytes, flags: int = 0) -> re.Pattern[Any]:
            key = pattern, int(flags)
            known = self._known.get(key) if type(pattern) in {str, bytes} else None
            if known is None:
                if type(pattern) not in {str, bytes} or not _is_of_code(sys._getframe(1)):  # noqa: SLF001
                    return plain(pattern, flags)  # type: ignore[no-any-return]
                known = self._known[key] = tuple(_compiled(compiler, pattern, int(flags)))
                self._is_new = True
            made, words, groups, numbers, names = known
            return sre.compile(pattern, made, memoryview(words).cast("I").tolist(), groups, numbers, names)  # type: ignore[no-any-return]

        compiler.compile = compile_pattern  # type: ignore[attr-defined]


def place_of(cached: str | None) -> str:
    """Return the file for patterns beside a module's bytecode, "" where a module has none."""
    return f"{os.path.splitext(cached)[0]}.patterns" if cached else ""


def _compiled(compiler: Any, pattern: str | bytes, flags: int) -> _Compiled:  # noqa: ANN401
    """Return what `re` makes of a pattern, as its `compile` does: see Lib/re/_compiler.py."""
    parsed = compiler._parser.parse(pattern, flags)  # noqa: SLF001
    code: list[int] = compiler._code(parsed, flags)  # noqa: SLF001
    words = b"".join(int(word).to_bytes(_WORD, sys.byteorder) for word in code)
    numbers: dict[str, int] = parsed.state.groupdict
    names: list[str | None] = [None] * parsed.state.groups
    for name, number in numbers.items():
        names[number] = name
    return _Compiled(int(flags | parsed.state.flags), words, parsed.state.groups - 1, dict(numbers), tuple(names))


def _is_of_code(frame: FrameType | None) -> bool:
    """Return whether a pattern comes from the body of a module, or from a module of word lists."""
    while frame and (frame.f_globals.get("__name__") == "re" or frame.f_code.co_name in {"<genexpr>", "<listcomp>"}):
        frame = frame.f_back
    if frame is None:
        return False
    return frame.f_code.co_name == "<module>" or str(frame.f_globals.get("__name__")).startswith(_LISTED)
