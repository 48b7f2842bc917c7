"""`conversation.consolidate` and `conversation.originals`: the result stands beside the file, never over it."""

from __future__ import annotations

import json

import pytest

SECRET = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
SAID = [
    {"role": "user", "content": "Rework billing."},
    {"role": "assistant", "content": f"Decision: we keep Postgres\ntoken {SECRET}"},
    *({"role": "user", "content": f"look at part {number}"} for number in range(5)),
]


@pytest.fixture
def history(tmp_path):
    """Return the path of a history."""
    path = tmp_path / "session.json"
    path.write_text(json.dumps(SAID))
    return path


def test_the_result_stands_beside_the_file_and_what_was_removed_is_found(history, facts, run):
    """The file is unchanged, the second result has another name, and the originals hold no secret."""
    before = history.read_bytes()
    first = facts("conversation.consolidate", str(history))
    second = facts("conversation.consolidate", str(history))
    assert history.read_bytes() == before
    assert [first["written"], second["written"]] == [
        str(history.with_suffix(".consolidated.json")),
        str(history.with_suffix(".consolidated-2.json")),
    ]
    written = json.loads(history.with_suffix(".consolidated.json").read_text())
    assert written[-4:] == SAID[-4:]
    assert "Decision: we keep Postgres" in written[0]["content"]
    found = facts("conversation.originals", first["address"][:12])
    assert found["messages"][0] == SAID[0]
    assert len(found["messages"]) == 3
    assert SECRET not in json.dumps(found)
    assert facts("conversation.originals") == [first["address"]]
    code, out, _ = run("conversation.originals", first["address"][:12])
    assert (code, "Rework billing." in out) == (0, True)


def test_a_dry_run_writes_nothing(history, run):
    """The report and the summary are printed; no file and no originals are made."""
    code, out, err = run("conversation.consolidate", str(history), "--dry-run", "--check")
    assert (code, err) == (0, "")
    assert "Decision: we keep Postgres" in out
    assert "3 removed, 5 left" in out
    assert not history.with_suffix(".consolidated.json").exists()
    assert run("conversation.originals")[1] == "there are no originals here\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--out", "session.json"), 2),
        (("--strategy", "best"), 2),
        (("--format", "xml"), 5),
        (("--counter", "nothing"), 2),
    ],
)
def test_what_cannot_be_is_refused(history, run, monkeypatch, words, code):
    """Writing over a file, and words that mean nothing, end with the sentence and the exit code for them."""
    before = history.read_bytes()
    words = [str(history) if word == "session.json" else word for word in words]
    assert run("conversation.consolidate", str(history), *words)[0] == code
    assert history.read_bytes() == before


def test_missing_files_and_addresses_are_named(run):
    """A file or an address that is not there is a sentence, not a bug."""
    assert run("conversation.consolidate", "nowhere.json")[0] == 2
    assert run("conversation.originals", "abcdef")[0] == 5


def test_what_a_history_holds_drives_no_terminal(tmp_path, run):
    """Neither the report nor the originals pass an escape sequence on: no title, no clipboard, no colour."""
    escapes = "\x1b]52;c;aGk=\x07\x1b]0;title\x07\x1b[2J\x1b[31m"
    said = [
        {"role": "user", "content": f"go {escapes}on"},
        {"role": "tool", "name": "sh", "content": f"{escapes}error: no"},
    ]
    said += [{"role": "assistant", "content": f"Decision: {escapes}keep it"}]
    said += [{"role": "user", "content": str(number)} for number in range(4)]
    (tmp_path / "esc.json").write_text(json.dumps(said))
    code, out, _ = run("conversation.consolidate", str(tmp_path / "esc.json"))
    assert (code, "\x1b" in out, "\x07" in out) == (0, False, False)
    assert "- last error: [sh] error: no" in out
    address = next(line for line in out.split("\n") if line.startswith("originals")).split()[1]
    code, out, _ = run("conversation.originals", address[:12])
    assert (code, "\x1b" in out, "Decision: keep it" in out) == (0, False, True)


def test_nothing_that_was_removed_has_no_originals(scene, run, tmp_path):
    """In a memory a history that fits is not said to lack one."""
    (tmp_path / "short.json").write_text('[{"role": "user", "content": "hello"}]')
    out = run("conversation.consolidate", str(tmp_path / "short.json"))[1]
    assert "originals   none: nothing was removed" in out


@pytest.mark.parametrize(
    ("name", "half"),
    [("session.json", b"\\ud83d"), ("session.json", b"\xed\xa0\xbd"), ("session.jsonl", b"\\ud83d")],
)
def test_half_of_a_character_is_refused(tmp_path, run, name, half):
    """A file with half of a surrogate pair in a string, which nothing can write, is one error, and makes nothing."""
    path = tmp_path / name
    lines = [json.dumps(message).encode().replace(b"billing", b"billing " + half) for message in SAID]
    path.write_bytes(b"\n".join(lines) if name.endswith("l") else b"[" + b",".join(lines) + b"]")
    before = sorted(tmp_path.iterdir())
    for words in ((), ("--json",), ("--dry-run",)):
        code, out, err = run("conversation.consolidate", str(path), *words)
        assert code == 2
        assert json.loads(out or "{}").get("where", "") == (str(path) if words == ("--json",) else "")
        assert bool(out) == (words == ("--json",))
        assert err.startswith(f"{path}: has half of a character in a string, \\ud83d, which no file can hold")
    assert sorted(tmp_path.iterdir()) == before
    path.write_bytes(path.read_bytes().replace(half, b"\\ud83d\\ude00"))
    assert run("conversation.consolidate", str(path))[0] == 0


def test_the_result_replaces_nothing_and_makes_no_folder(history, run, facts, tmp_path):
    """What `--out` names must be new, in a folder that is there; it is refused before any originals are kept."""
    notes, link = tmp_path / "notes.md", tmp_path / "link.json"
    notes.write_text("")
    link.symlink_to(tmp_path / "elsewhere.json")
    for out in (notes, link, tmp_path, tmp_path / "typo" / "x.json", history):
        assert run("conversation.consolidate", str(history), "--out", str(out))[0] == 2
    assert (notes.read_text(), link.is_symlink(), (tmp_path / "typo").exists()) == ("", True, False)
    assert facts("conversation.originals") == []
    found = facts("conversation.consolidate", str(history), "--out", str(tmp_path / "new.json"))
    assert found["written"] == str(tmp_path / "new.json")
