"""What a command prints reaches its reader, or the command says why not."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest
from scene import SECRET

from sleep.errors import UsageError
from sleep.tasks import output

FULL = "/dev/full"
LISTS = [("status",), ("memory.stats",), ("sleep.history",), ("recall", "lock"), ("--help",), ("wake", "--help")]


def started(scene, words, **streams):
    """Return a command that has been started in a process of its own."""
    return subprocess.Popen((sys.executable, "-m", "sleep", *words), cwd=scene.home, text=True, **streams)


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_streams_that_are_closed(scene, words):
    """A command whose streams were closed before its start works as if nobody read them."""
    scene.lived()
    line = [sys.executable, "-m", "sleep", *words]
    code = f"import os; os.closerange(0, 2); os.execv({sys.executable!r}, {line!r})"
    done = subprocess.run((sys.executable, "-c", code), cwd=scene.home, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_a_reader_that_has_seen_enough(scene, words):
    """A command whose reader goes away ends with 0 and says nothing."""
    scene.lived()
    read, write = os.pipe()
    os.close(read)
    with started(scene, words, stdout=write, stderr=subprocess.PIPE) as process:
        os.close(write)
        assert (process.communicate()[1], process.returncode) == ("", 0)


@pytest.mark.skipif(not os.path.exists(FULL), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [*LISTS, ("snapshot",), ("--list",), ("help", "recovery"), ()], ids=" ".join)
def test_a_disk_that_is_full(scene, words):
    """Where the answer cannot be written the command ends with 10, names the full disk, and says that it is done."""
    scene.lived()
    assert full_disk(scene, words) == (
        10,
        [
            "standard output: the disk is full",
            "Hint: what the command did is done, and only its output is lost: look with sleepwake status",
            "More: sleepwake help recovery#storage",
        ],
    )


@pytest.mark.skipif(not os.path.exists(FULL), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("topic.split", "none", "--json"), ("trace", "--json"), ("thread.show", "T-9")])
def test_a_refusal_on_a_disk_that_is_full(scene, words):
    """What was wrong with a command is said once, on stderr, where its facts cannot be written."""
    scene.lived()
    code, said = full_disk(scene, words)
    assert code == 2
    assert "standard output" not in "".join(said)


def full_disk(scene, words):
    """Return how a command ends whose standard output is on a full disk: its code, and the lines of its errors."""
    with open(FULL, "w") as full, started(scene, words, stdout=full, stderr=subprocess.PIPE) as process:
        said = process.communicate()[1]
    return process.returncode, said.splitlines()


@pytest.mark.parametrize("words", [("status",), ("note", "x"), ("init",), ("recall", "x", "--json")], ids=" ".join)
def test_a_folder_that_is_gone(scene, tmp_path, words):
    """In a folder that was removed from under the shell a command says so, with the next step, as JSON too."""
    code = f"""
import os, sys
os.makedirs({str(tmp_path / "gone")!r})
os.chdir({str(tmp_path / "gone")!r})
os.rmdir({str(tmp_path / "gone")!r})
from sleep.__main__ import main
main(["sleepwake", *{list(words)!r}])
"""
    done = subprocess.run((sys.executable, "-c", code), cwd=scene.home, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr.startswith("the current folder is gone")
    assert "Hint: cd to your project's folder" in done.stderr
    assert done.stdout == "" or "the current folder is gone" in json.loads(done.stdout)["error"]


def test_what_no_file_can_hold(monkeypatch):
    """Bytes that were no UTF-8 come out as they went in, and half of a surrogate pair as a sign that says so."""
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding="utf-8"))
    output.say("a \udcff b \ud83d c \udc00 d")
    output.facts({"half": "\udfff"})
    assert printed.getvalue() == b'a \xff b \xef\xbf\xbd c \xef\xbf\xbd d\n{\n  "half": "\xef\xbf\xbd"\n}\n'


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_not_driven_by_a_memory(monkeypatch):
    """What a memory says reaches a terminal without escape sequences, in text and in tables, and a file as it is."""
    text = "a \x1b]52;c;ZXZpbA==\x07 \x1b[31mred\x1b[0m \u202eb\tc"
    monkeypatch.setattr(sys, "stdout", printed := _Terminal())
    output.say(text)
    assert printed.getvalue() == "a  red b\tc\n"
    output.grid("title", ["says"], [["\x1b[2Jgone"]])
    assert "\x1b[2J" not in printed.getvalue()
    assert "gone" in printed.getvalue()
    monkeypatch.setattr(sys, "stdout", printed := io.StringIO())
    output.say(text)
    assert printed.getvalue() == f"{text}\n"


def test_a_row_is_a_line():
    """A name with the end of a line in it stays in its row."""
    assert output.table(["name", "is"], [["a\nb.md", "file"]]).split("\n")[2:] == ["a b.md  file"]


def test_a_text_that_is_cut_ends_at_a_word():
    """At most so many characters are shown, the sign of the cut among them; a word that is longer is cut itself."""
    assert output.clip("as it is", 8) == "as it is"
    assert output.clip("the lock is a file", 12) == "the lock…"
    assert output.clip("memory/hot/decisions.md", 12) == "memory/hot/…"


def test_columns_of_wide_signs():
    """The columns of a table stand below one another on a terminal: a wide sign takes two cells, an accent none."""
    rows = output.table(["says", "state"], [["東京", "open"], ["cafe\u0301", "done"], ["plain", "open"]]).split("\n")
    assert rows[2:] == ["東京   open", "cafe\u0301   done", "plain  open"]


def test_a_line_now_and_then(monkeypatch, capsys):
    """Where nobody looks, long work says a line now and then how far it is, and short work nothing."""
    times = iter([0.0, 1.0, 16.0, 17.0, 40.0, 60.0])
    monkeypatch.setattr(output.time, "monotonic", lambda: next(times))
    with output.progress("sleeping", 1.0) as notice:
        for done in range(1, 6):
            notice(done, 5)
    assert capsys.readouterr().err == "sleeping: 2 of 5 after 16 s\nsleeping: 4 of 5 after 40 s\n"


@pytest.mark.parametrize(
    "words", [("status",), ("doctor",), ("wake",), ("journal.show",), ("memory.diff",)], ids=" ".join
)
def test_facts_are_utf_8_whatever_a_document_holds(scene, words):
    """Facts of a memory with bytes that are not UTF-8, also in a file's name, are JSON that every reader takes."""
    scene.lived()
    scene.add("note", "caf\udce9 au lait")
    scene.write("main.md", scene.text("main.md").replace("What this", "caf\udce9: what this"))
    scene.write(os.fsdecode(b"journal/caf\xe9.md"), "# x\n")
    line = (sys.executable, "-m", "sleep", *words, "--json")
    said = subprocess.run(line, cwd=scene.home, capture_output=True, check=False).stdout
    json.loads(said.decode("utf-8"))


@pytest.mark.parametrize("words", [("thread.list",), ("thread.list", "--json"), ("wake", "--peek")])
def test_no_secret_reaches_a_program(scene, words):
    """What no terminal shows may be read by an agent, so a secret that stands in a tier is not told, nor in JSON."""
    scene.lived()
    threads = "# Threads\n\n## Threads\n\n- **T-009** Rotate {} [i1qxk.2]\n"
    scene.write("memory/hot/threads.md", threads.format(SECRET))
    with started(scene, words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.communicate()
    assert SECRET not in out + err
    assert "[REDACTED:github-token]" in out
    if "--json" in words:
        json.loads(out)


def test_what_an_error_repeats_has_an_end(capsys):
    """Of a value that is too long to be read an error shows both ends, and what is right stands behind it."""
    error = UsageError(
        f"there is no kind {'x' * 100_000!r} (would be right: note)", hint="sleepwake journal.add --help"
    )
    said = output.failure(error).splitlines()
    assert len(said[0]) < 1_100
    assert said[0].startswith("there is no kind 'xxx")
    assert said[0].endswith("xxx' (would be right: note)")
    assert said[1] == "Hint: sleepwake journal.add --help"
    output.failure_facts(error)
    assert json.loads(capsys.readouterr().out)["error"] == said[0]
