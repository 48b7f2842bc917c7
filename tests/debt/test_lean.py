"""What hooks load: nothing that costs more than it has to."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {
    *("dataclasses", "datetime", "difflib", "git", "hashlib", "invoke", "logging", "mistune", "pathlib"),
    *("random", "ruamel", "socket", "subprocess", "tempfile", "threading", "urllib", "uuid"),
}
OURS = {
    *(
        "book",
        "fields",
        "ids",
        "ledger",
        "liveness",
        "moves",
        "scores",
        "sessions",
        "settlement",
        "storage",
        "timestamps",
    ),
    *("transcript_scan", "worktrees"),
}
PRINT = "import sys; import {}; print(*sys.modules)"


def loaded(module):
    """Return the modules that a fresh interpreter has after importing one."""
    words = (sys.executable, "-S", "-c", f"import sys; sys.path = {sys.path!r}; {PRINT.format(module)}")
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def test_the_book_is_lean():
    """The book loads the standard library's light part, and of ours what counting and keeping need."""
    found = loaded("sleep.debt.book")
    assert {name.partition(".")[0] for name in found} & HEAVY == set()
    assert {name.removeprefix("sleep.debt.") for name in found if name.startswith("sleep.debt.")} == OURS
    others = {name.split(".")[1] for name in found if name.startswith("sleep.")}
    assert others == {"debt", "errors", "lean_json", "settings", "store", "transcripts", "tuples"}
    assert {name for name in found if name.startswith("sleep.store.")} == {
        "sleep.store.files",
        "sleep.store.layout",
        "sleep.store.lock",
    }


def test_no_reader_is_loaded_before_it_is_needed():
    """Which client wrote a transcript is told when there is one."""
    found = {name for name in loaded("sleep.debt.book") if name.startswith("sleep.transcripts.")}
    assert not found & {"sleep.transcripts.formats.claude", "sleep.transcripts.formats.codex"}
