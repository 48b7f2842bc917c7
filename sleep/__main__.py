"""The `sleepwake` command: hooks and the snapshot first, with nothing heavy loaded, else a task.

Owns the exit codes that Invoke does not give: 2 for words it cannot take, 3 for a bug of ours (with a log), 130 when
interrupted.
"""

from __future__ import annotations

import errno
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 5 ms, and hooks come this way
    from collections.abc import Sequence
    from typing import NoReturn

    from sleep.errors import SleepError
    from sleep.pattern_cache import PatternCache

UNUSABLE, BUG, INTERRUPTED = 1, 3, 130
_LIBRARIES = frozenset(("git", "invoke", "mistune", "rich", "ruamel"))  # what the program is installed with
_SHORT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN))  # of files, processes or memory
_HELP = frozenset(("--help", "-h"))
MANY = 500_000  # objects made since garbage was last searched for; one cycle makes fewer
# What lives on: its garbage is searched for, and its interpreter is taken down in order. Other commands read and end.
_LASTING = frozenset(("bench", "conversation", "mcp", "relay"))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command and exit."""
    words, alone = list(sys.argv if argv is None else argv), argv is None
    try:
        _run(words, alone=alone)
    except KeyboardInterrupt:
        _interrupt(words, alone=alone)


def _run(words: list[str], *, alone: bool) -> None:
    """Run the command and exit; `alone` when the process is its own."""
    _open_streams()
    if words[1:2] == ["hook"]:
        _hook(words[2:], alone=alone)
    is_snapshot = words[1:2] == ["snapshot"] and not _HELP.intersection(words)
    patterns = _prepare() if alone and not is_snapshot and not _is_lasting(words) else None
    try:
        if is_snapshot:
            _snapshot(words)
        _command(words)
        if patterns:
            sys.exit(0)
    except KeyboardInterrupt:
        raise
    except SystemExit as end:
        _end(end, patterns)
        raise
    except BaseException as error:  # the last border: whatever it is, it is our bug  # noqa: BLE001
        _report(error, words)


def _is_lasting(words: list[str]) -> bool:
    return not words[1:2] or words[1].partition(".")[0] in _LASTING


def _interrupt(words: list[str], *, alone: bool) -> NoReturn:
    """Exit after a Ctrl-C, of which the client of a hook must see nothing; at once, for there may be a second one."""
    is_hook = words[1:2] == ["hook"]
    if not is_hook:
        sys.stderr.write("interrupted; nothing is half done (sleepwake status)\n")
    code = 0 if is_hook else INTERRUPTED
    if alone and not _is_lasting(words):
        _leave(code)
    sys.exit(code)


def _end(end: SystemExit, patterns: PatternCache | None) -> None:
    """End a command whose output is written, or refuse that; return where the interpreter is to end in order."""
    if not end.code and (trouble := _flush()):
        _refuse_output(trouble)
    if patterns and isinstance(end.code, int):
        patterns.save()
        _leave(end.code)


def _flush(error: BaseException | None = None) -> OSError | None:
    """Return why what was printed cannot be written, None where it can, and where something else is wrong.

    What a stream could not write it may have dropped, so that it has to be asked with something new.
    """
    if isinstance(error, BrokenPipeError):
        return error
    if error is not None and (not isinstance(error, OSError) or error.filename):
        return None
    try:
        sys.stdout.write("\n" * (error is not None))
        sys.stdout.flush()
    except OSError as trouble:
        return trouble
    return None


def _refuse_output(trouble: OSError) -> NoReturn:
    """Say that the output cannot be written, and exit; nothing where whoever reads has seen enough."""
    from sleep.tasks import output  # late: same  # noqa: PLC0415

    refusal = output.unwritable(trouble)
    if isinstance(trouble, BrokenPipeError):
        sys.exit(0)
    sys.stderr.write(f"{output.failure(refusal)}\n")
    sys.exit(refusal.exit_code)


def _report(error: BaseException, words: Sequence[str]) -> NoReturn:
    if isinstance(error, OSError) and error.errno in _SHORT:
        from sleep.errors import StorageError  # late: same  # noqa: PLC0415

        hint = "ulimit -n, -u and -v show the limits; raise them, then run the same command again"
        _refuse(StorageError(f"the system gives no more: {error.strerror}", hint=hint), words)
    if trouble := _flush(error):
        _refuse_output(trouble)
    missing = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if missing in _LIBRARIES:
        python = sys.executable
        sys.stderr.write(
            f"{missing} is not installed for {python} (would be right: {python} -m pip install sleepwake)\n"
        )
        sys.exit(UNUSABLE)
    sys.stderr.write(f"a bug of ours: {_clean(f'{type(error).__name__}: {error}')}\nIt is written down in {_log()}\n")
    sys.exit(BUG)


def _open_streams() -> None:
    """Let streams that were closed before our start lead nowhere: Python has None for them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # as long as we live


def _snapshot(words: list[str]) -> NoReturn:
    """Print what a session that starts is told, and exit."""
    # late: nothing else may load what a session's start waits for
    from sleep.errors import SleepError  # noqa: PLC0415
    from sleep.wake.snapshot import cli  # noqa: PLC0415

    try:
        cli.show(cli.read(words[2:]))
    except SleepError as error:
        _refuse(error, words)
    sys.exit(0)


def _command(words: list[str]) -> None:
    """Run a command, by Invoke where its words are more than a plain reading takes, and exit."""
    if words[1:2] == ["help"]:
        _manual(words[2:3])
        words = [words[0], *words[2:3], "--help"]
    if not words[1:] or (words[1] in _HELP and not words[2:]):
        from sleep.tasks.command_line import front_page  # late: same  # noqa: PLC0415

        sys.stdout.write(f"{front_page.page()}\n")
        sys.exit(0)
    from sleep.errors import SleepError  # late: same  # noqa: PLC0415
    from sleep.tasks import collection  # late: same  # noqa: PLC0415

    try:
        task = collection.find(words[1])
        reading = task.read(words[2:]) if task else None
        if task and reading and task.is_whole(reading):
            sys.exit(task.body(**reading.values) or 0)
        from sleep.tasks.command_line import invoke_program  # late: 60 ms  # noqa: PLC0415

        invoke_program.run(words)
    except SleepError as error:
        _refuse(error, words)
    except OSError:
        from sleep.errors import NoMemoryError  # late: same  # noqa: PLC0415

        if _has_folder():
            raise
        what = "the current folder is gone, or may not be read (a folder of your project would be right)"
        _refuse(NoMemoryError(what, hint="cd to your project's folder, then run the same command again"), words)


def _refuse(error: SleepError, words: Sequence[str]) -> NoReturn:
    """Say what is wrong, as JSON too where the command asked for it, and exit."""
    from sleep.tasks import output  # late: same  # noqa: PLC0415

    if output.wants_json(words[2:]):
        output.failure_facts(error)
    sys.stderr.write(output.for_terminal(f"{output.failure(error)}\n", sys.stderr))
    sys.exit(error.exit_code)


def _has_folder() -> bool:
    """Return whether there is a current folder: its own may be removed from under a shell."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _manual(words: list[str]) -> None:
    """Print a page of the manual, or its section, and exit; return where the word is a task's or nobody's."""
    from sleep.errors import SleepError  # late: same  # noqa: PLC0415
    from sleep.tasks import collection, output  # late: same  # noqa: PLC0415
    from sleep.tasks.command_line import manual  # late: same  # noqa: PLC0415

    try:
        page = manual.text(words[0]) if words and not collection.find(words[0]) else ""
        if page:
            output.say(page)
            sys.exit(0)
    except SleepError as error:
        sys.stderr.write(f"{output.failure(error)}\n")
        sys.exit(error.exit_code)


def _hook(words: list[str], *, alone: bool) -> NoReturn:
    """Run a hook and exit; `alone` when the process is the hook's own, and need not be left tidy."""
    if alone:
        gc.disable()  # nothing lives long enough to be worth a search
    # late: nothing else may load what hooks need, and hooks may load nothing else
    from sleep.clients.hooks import hook  # noqa: PLC0415

    code = hook.main(words)
    if not alone:
        sys.exit(code)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """Exit without taking the interpreter down in order: that costs 3 ms of an agent's turn, and 30 of a sleep."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # nobody is there any more
    os._exit(code)


def _prepare() -> PatternCache:
    """Make ready for a command that ends, in a process of its own: see `_LASTING`.

    Patterns that were compiled before need not be compiled again. To search all that is known for garbage costs who
    reads a memory a sixth, and finds next to nothing.
    """
    from sleep import pattern_cache  # late: same  # noqa: PLC0415

    gc.set_threshold(MANY)
    spec = pattern_cache.__spec__
    cache = pattern_cache.PatternCache(pattern_cache.place_of(spec.cached if spec else None))
    cache.install()
    return cache


def _log() -> str:
    """Write the traceback down, without secrets and home directories, and return where."""
    # late: they cost 10 ms, and hooks come this way
    import tempfile  # noqa: PLC0415
    import traceback  # noqa: PLC0415

    handle, path = tempfile.mkstemp(prefix="sleepwake-crash-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as log:
        log.write(_clean(traceback.format_exc()))
    return path


def _clean(words: str) -> str:
    """Return words without secrets and home directories: an error quotes what it could not read."""
    from sleep.store import private  # late: same  # noqa: PLC0415

    return private.clean(words)


if __name__ == "__main__":
    main()
