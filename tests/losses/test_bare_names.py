"""A file named without a folder is a file in the folder one stands in."""

from __future__ import annotations

import json

from sleep.store import files


def test_a_consolidated_conversation_is_written_beside_its_file(person):
    """`conversation.consolidate FILE` with a bare name writes its result there, as does `--out` with one."""
    turns = [
        {"role": ("user", "assistant")[at % 2], "content": f"created: part {at} " + "words " * 80} for at in range(40)
    ]
    person.write("session.jsonl", "".join(f"{json.dumps(turn)}\n" for turn in turns))
    words = ("conversation.consolidate", "session.jsonl", "--max-tokens", "2000")
    person.sleepwake(*words)
    person.sleepwake(*words, "--out", "shorter.json")
    assert person.read("session.consolidated.json")
    assert person.read("shorter.json") == person.read("session.consolidated.json")


def test_bare_names_on_disk(tmp_path, monkeypatch):
    """A file is prepared, put in its place and deleted by a bare name as by a whole path."""
    monkeypatch.chdir(tmp_path)
    files.replace(files.prepare("a.txt", b"one"), "a.txt")
    assert files.read("a.txt") == "one"
    files.delete("a.txt")
    assert list(tmp_path.iterdir()) == []
