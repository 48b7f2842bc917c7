"""The `sleepwake` command: hooks, the snapshot and recall first, with nothing heavy loaded, else an Invoke program.

The program is over the same namespace as `tasks.py`.

Owns the exit codes that Invoke does not give: 2 for words it cannot take, 3 for a bug of ours (with a log), 130 when
interrupted.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 5 ms, and hooks come this way
    from collections.abc import Callable, Sequence
    from typing import NoReturn

USAGE, BUG, INTERRUPTED = 2, 3, 130
# Tasks that take plain words where Invoke wants a flag: the flag of each in turn, "" for one that stays plain. The last
# takes all that follow, prose as one text.
_PLAIN = {
    "journal.import": ("", "--also"),
    "sleep.undo": ("--cycle",),
    "memory.diff": ("--cycle",),
    "compress": ("--file",),
    "journal.capture": ("--transcript",),
    "conversation.originals": ("--address",),
    "sleep.add": ("--score", "--text"),
    "sleep.done": ("--text",),
}
_PROSE = "--text"
# The flags of these tasks that take a value: the word after one is not plain.
_VALUED = frozenset(
    (
        *("--root", "--also", "--cycle", "--file", "--ratio", "--budget", "-r", "-a", "-c", "-f", "-b", "-o"),
        *(
            "--session",
            "--instance",
            "-i",
            "--transcript",
            "--client",
            "--reason",
            "-s",
            "-t",
            "--score",
            "--from",
            _PROSE,
        ),
    )
)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command and exit."""
    words = list(sys.argv if argv is None else argv)
    if words[1:2] == ["hook"]:
        _hook(words[2:], alone=argv is None)
    if words[1:2] == ["snapshot"]:
        from sleep.wake.snapshot import cli  # late: same  # noqa: PLC0415

        sys.exit(cli.main(words[2:]))
    try:
        if words[1:2] == ["mcp"]:
            _serve(words[2:])
        if words[1:2] == ["recall"]:
            _recall(words[2:])
        _run([words[0], *_flagged(words[1:])])
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing is half done (sleepwake status)\n")
        sys.exit(INTERRUPTED)
    except SystemExit:
        raise
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except BaseException as error:  # the last border: whatever it is, it is our bug  # noqa: BLE001
        sys.stderr.write(f"a bug of ours: {type(error).__name__}: {error}\nIt is written down in {_log()}\n")
        sys.exit(BUG)


def _hook(words: list[str], *, alone: bool) -> NoReturn:
    """Run a hook and exit; `alone` when the process is the hook's own, and need not be left tidy."""
    if alone:
        gc.disable()  # nothing lives long enough to be worth a search
    # late: nothing else may load what hooks need, and hooks may load nothing else
    from sleep.clients.hooks import hook  # noqa: PLC0415

    code = hook.main(words)
    if not alone:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # nobody is there any more
    os._exit(code)  # taking the interpreter down in order costs 3 ms of an agent's turn


def _recall(words: list[str]) -> None:
    """Answer a question and exit; return where the words want more than a plain reading, which Invoke gives."""
    from sleep.recall import query  # late: same  # noqa: PLC0415

    asked = query.parse(words)
    if asked is None:
        return
    from sleep.tasks import recall_answer  # late: same  # noqa: PLC0415

    _alone(lambda: recall_answer.answer(asked))


def _serve(words: list[str]) -> None:
    """Serve a client and exit; return as `_recall` does."""
    from sleep.mcp_server import stdio  # late: same  # noqa: PLC0415

    root = stdio.read(words)
    if root is not None:
        _alone(lambda: stdio.serve(root))


def _alone(act: Callable[[], object]) -> NoReturn:
    """Do something without Invoke and exit as a task would."""
    from sleep.errors import SleepError  # late: same  # noqa: PLC0415

    try:
        act()
    except SleepError as error:
        from sleep.tasks import output  # late: same  # noqa: PLC0415

        sys.stderr.write(f"{output.failure(error)}\n")
        sys.exit(error.exit_code)
    sys.exit(0)


def _run(argv: list[str]) -> None:
    # late: Invoke and GitPython cost 200 ms, and what comes before them here must not pay for it
    from invoke.exceptions import Exit, ParseError  # noqa: PLC0415
    from invoke.program import Program  # noqa: PLC0415

    from sleep import __version__  # noqa: PLC0415
    from sleep.tasks import collection  # noqa: PLC0415

    named = next((word for word in argv[1:] if not word.startswith("-")), "")
    program = Program(
        name="sleepwake",
        binary="sleepwake",
        binary_names=["sleepwake"],
        namespace=collection.part(named),
        version=__version__,
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
    flags = [flag for flag in _PLAIN[words[0]] if not flag or flag == "--also" or flag not in words]
    out, prose = words[:1], []
    named = ""  # the flag before, if it takes a value
    for word in words[1:]:
        if named == _PROSE:
            prose.append(word)  # whatever it begins with
        elif named:
            out.append(word)
        elif word.startswith("-") and word != "-" and " " not in word.partition("=")[0]:
            out += [] if word == _PROSE else [word]
        elif not flags or not flags[0]:
            out.append(word)
        elif flags[0] == _PROSE:
            prose.append(word)
        else:
            out += [flags[0], word]
        if not named and (word == "-" or not word.startswith("-")) and len(flags) > 1:
            flags.pop(0)
        named = word if not named and word in _VALUED else ""
    return [*out, f"{_PROSE}={' '.join(prose)}"] if prose else out


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
