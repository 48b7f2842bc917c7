"""The `sleepwake` command: hooks and the snapshot first, with nothing heavy loaded, else an Invoke program.

The program is over the same namespace as `tasks.py`.

Owns the exit codes that Invoke does not give: 2 for words it cannot take, 3 for a bug of ours (with a log), 130 when
interrupted.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 5 ms, and hooks come this way
    from collections.abc import Sequence

USAGE, BUG, INTERRUPTED = 2, 3, 130
# Tasks that take plain words where Invoke wants a flag: how many stay plain, and the flag of the others.
_PLAIN = {
    "journal.import": (1, "--also"),
    "sleep.undo": (0, "--cycle"),
    "memory.diff": (0, "--cycle"),
    "compress": (0, "--file"),
}
# The flags of these tasks that take a value: the word after one is not plain.
_VALUED = frozenset({"--root", "--also", "--cycle", "--file", "--ratio", "--budget", "-r", "-a", "-c", "-f", "-b"})


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command and exit."""
    words = list(sys.argv if argv is None else argv)
    if words[1:2] == ["hook"]:
        # late: nothing else may load what hooks need, and hooks may load nothing else
        from sleep.clients import hook  # noqa: PLC0415

        sys.exit(hook.main(words[2:]))
    if words[1:2] == ["snapshot"]:
        from sleep.snapshot import command  # late: same  # noqa: PLC0415

        sys.exit(command.main(words[2:]))
    try:
        _run([words[0], *_flagged(words[1:])])
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing is half done (sleepwake status)\n")
        sys.exit(INTERRUPTED)
    except SystemExit:
        raise
    except BaseException as error:  # the last border: whatever it is, it is our bug  # noqa: BLE001
        sys.stderr.write(f"a bug of ours: {type(error).__name__}: {error}\nIt is written down in {_log()}\n")
        sys.exit(BUG)


def _run(argv: list[str]) -> None:
    # late: Invoke and GitPython cost 200 ms, and what comes before them here must not pay for it
    from invoke.exceptions import Exit, ParseError  # noqa: PLC0415
    from invoke.program import Program  # noqa: PLC0415

    from sleep import __version__  # noqa: PLC0415
    from sleep.tasks import namespace  # noqa: PLC0415

    program = Program(
        name="sleepwake", binary="sleepwake", binary_names=["sleepwake"], namespace=namespace, version=__version__
    )
    try:
        program.create_config()
        program.parse_core(argv)
        program.parse_collection()
        program.parse_tasks()
        program.parse_cleanup()
        program.update_config()
        program.execute()
    except Exit as end:
        if end.message:
            sys.stderr.write(f"{end.message}\n")
        sys.exit(end.code)
    except ParseError as error:
        name = error.context.name if error.context and error.context.name else ""
        sys.stderr.write(f"{error}\nHint: sleepwake {f'{name} --help' if name else '--list'}\n")
        sys.exit(USAGE)


def _flagged(words: list[str]) -> list[str]:
    """Return the words with the plain ones that Invoke cannot take turned into a flag's values."""
    if words[1:] in (["--help"], ["-h"]):  # Invoke would take it for a value that is still missing
        return ["--help", words[0]]
    if not words or words[0] not in _PLAIN:
        return words
    stay, flag = _PLAIN[words[0]]
    out = words[:1]
    value = False  # the word before is a flag that takes one
    for word in words[1:]:
        if word.startswith("-") or value:
            value = word in _VALUED
            out.append(word)
        elif stay:
            stay -= 1
            out.append(word)
        else:
            out += [flag, word]
    return out


def _log() -> str:
    """Write the traceback down and return where."""
    # late: they cost 10 ms, and hooks come this way
    import tempfile  # noqa: PLC0415
    import traceback  # noqa: PLC0415

    handle, path = tempfile.mkstemp(prefix="sleepwake-crash-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as log:
        traceback.print_exc(file=log)
    return path


if __name__ == "__main__":
    main()
