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

    from sleep.errors import SleepError
    from sleep.pattern_cache import PatternCache

BUG, INTERRUPTED = 3, 130
_HELP = frozenset(("--help", "-h"))
# Commands that read their own words where these are plain, each by its module below `tasks`.
_PLAIN = {"sleep": "cycle.sleep_command", "wake": "cycle.wake_command", "status": "upkeep.status_command"}
MANY = 500_000  # objects made since garbage was last searched for; one cycle makes fewer
# What lives on: its garbage is searched for, and its interpreter is taken down in order. Other commands read and end.
_LASTING = frozenset(("bench", "conversation", "mcp", "relay"))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command and exit."""
    words = list(sys.argv if argv is None else argv)
    if words[1:2] == ["hook"]:
        _hook(words[2:], alone=argv is None)
    if words[1:2] == ["snapshot"] and not _HELP.intersection(words):
        from sleep.wake.snapshot import cli  # late: same  # noqa: PLC0415

        sys.exit(cli.main(words[2:]))
    patterns = _prepare() if argv is None and words[1:2] and words[1].partition(".")[0] not in _LASTING else None
    try:
        _command(words)
        if patterns:
            sys.exit(0)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing is half done (sleepwake status)\n")
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        if not patterns or not isinstance(end.code, int):
            raise
        patterns.save()
        _leave(end.code)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except BaseException as error:  # the last border: whatever it is, it is our bug  # noqa: BLE001
        sys.stderr.write(f"a bug of ours: {type(error).__name__}: {error}\nIt is written down in {_log()}\n")
        sys.exit(BUG)


def _command(words: list[str]) -> None:
    """Run a command, without Invoke where that can be."""
    if not words[1:] or (words[1] in _HELP and not words[2:]):
        from sleep.tasks.command_line import front_page  # late: same  # noqa: PLC0415

        sys.stdout.write(f"{front_page.page()}\n")
        sys.exit(0)
    if words[1:2] == ["mcp"]:
        _serve(words[2:])
    if words[1:2] == ["recall"]:
        _recall(words[2:])
    if words[1:] and words[1] in _PLAIN:
        _without_invoke(words[1], words[2:])
    _run(words)


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


def _recall(words: list[str]) -> None:
    """Answer a question and exit; return where the words want more than a plain reading, which Invoke gives."""
    from sleep.recall import query  # late: same  # noqa: PLC0415

    asked = query.parse(words)
    if asked is None:
        return
    from sleep.tasks import recall_answer  # late: same  # noqa: PLC0415

    _alone(lambda: recall_answer.answer(asked))


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


def _without_invoke(name: str, words: list[str]) -> None:
    """Run a command whose words are plain and exit; return as `_recall` does."""
    import importlib  # late: same  # noqa: PLC0415

    command = importlib.import_module(f"sleep.tasks.{_PLAIN[name]}")
    asked = command.parse(words)
    if asked is not None:
        _alone(lambda: command.run(asked))


def _serve(words: list[str]) -> None:
    """Serve a client and exit; return as `_recall` does."""
    from sleep.mcp_server import stdio  # late: same  # noqa: PLC0415

    root = stdio.read(words)
    if root is not None:
        _alone(lambda: stdio.serve(root))


def _alone(act: Callable[[], int | None]) -> NoReturn:
    """Do something without Invoke and exit as a task would, with the code that it returns."""
    from sleep.errors import SleepError  # late: same  # noqa: PLC0415

    try:
        code = act()
    except SleepError as error:
        _fail(error)
    sys.exit(code)


def _fail(error: SleepError) -> NoReturn:
    """Say what is wrong and exit with its code."""
    from sleep.tasks import output  # late: same  # noqa: PLC0415

    sys.stderr.write(f"{output.failure(error)}\n")
    sys.exit(error.exit_code)


def _run(argv: list[str]) -> None:
    # late: Invoke and GitPython cost 200 ms, and what comes before them here must not pay for it
    from invoke.exceptions import Exit, ParseError  # noqa: PLC0415
    from invoke.program import Program  # noqa: PLC0415

    from sleep import __version__  # noqa: PLC0415
    from sleep.errors import UsageError  # noqa: PLC0415
    from sleep.tasks import collection  # noqa: PLC0415
    from sleep.tasks.command_line import near_names, plain_words  # noqa: PLC0415

    words = argv[1:]
    namespace = collection.part(next((word for word in words if not word.startswith("-")), ""))
    try:
        if words and not collection.has(namespace, words[0]):
            near_names.refuse(words, collection.names(collection.whole()))
        argv = [argv[0], *plain_words.flagged(words, namespace)]
    except UsageError as error:
        _fail(error)
    program = Program(
        name="sleepwake",
        binary="sleepwake",
        binary_names=["sleepwake"],
        namespace=namespace,
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
        if meant := near_names.refusal_of_rest(words, collection.names(namespace)):
            _fail(meant)
        task = error.context
        _fail(near_names.parse_refusal(str(error), words, *((task.name or "", [*task.flags]) if task else ("", []))))


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
