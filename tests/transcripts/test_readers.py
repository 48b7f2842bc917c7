"""Which reader a transcript needs, and what readers load."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sleep.transcripts import readers

HEAVY = {"mistune", "git", "ruamel", "dataclasses", "invoke", "asyncio", "pathlib"}


@pytest.mark.parametrize("client", readers.READERS)
def test_every_reader_has_what_a_reader_has(client):
    """A module of the table has its client's name, tells its files, and reads nothing out of nothing."""
    reader = readers.reader(client)
    assert client == reader.NAME
    assert not reader.sniff(b"")
    assert list(reader.read([])) == []


def test_the_first_bytes_tell_the_client():
    """Each client's files are told by their first lines; what no reader knows is nobody's."""
    assert readers.sniff(b'{"parentUuid":null,"isSidechain":false,"type":"user"}') == "claude-code"
    assert readers.sniff(b'{"timestamp":"t","type":"session_meta","payload":{}}') == "codex"
    assert readers.sniff(b"# aider chat started at 2026-01-01") == ""


def test_readers_load_nothing_heavy():
    """Reading a transcript loads the standard library only, and little of that: it is on the path of hooks."""
    code = "import sys; from sleep.transcripts import readers\nfor one in readers.READERS: readers.reader(one)\n"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", f"{code}print(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.split()
    base = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not HEAVY & ({name.partition(".")[0] for name in loaded} - {name.partition(".")[0] for name in base})
