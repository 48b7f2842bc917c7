"""The command: exit codes, one sentence and the next step for each failure."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys
import tempfile

import pytest
from scene import SECRET

from sleep.cycle import journal_to_hot
from sleep.store import lock


@pytest.mark.parametrize(
    "words",
    [
        ("bogus",),
        ("sleep", "--bogus"),
        ("thread.pause",),
        ("thread.pause", "T-001", "more"),
        ("wake", "--budget", "many"),
        ("wake", "--budget", "²"),
        ("wake", "--budget", "9" * 5000),
        ("recall", "x", "--budget", "9" * 5000),
        ("journal.show", "--instance", "9" * 5000),
        ("sleep.add", "9" * 5000, "x"),
        ("memory.log",),
        ("memory.explain", "9" * 5000),
        ("wake", "--budget", "7"),
        ("wake", "--at", "nothing-like-it"),
        ("journal.add", "--kind", "bogus", "--text", "x"),
        ("journal.add", "--kind", "note"),
        ("journal.add", "--text", "x", "--field", "no sign"),
        ("journal.add", "--text", "x", "--instance", "9"),
        ("journal.show",),
        ("journal.show", "--instance", "9"),
        ("journal.close",),
        ("journal.import", "nothing-like-it.md"),
        ("journal.open", "--session", "a b"),
        ("journal.open", "--session", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
        ("thread.pause", "T-001", "--reason", "x"),
        ("thread.pause", "T-001"),
        ("question.answer", "Q-001"),
        ("decision.supersede", "D-001"),
        ("sleep", "--instance", "9"),
        ("sleep", "--instance", "x"),
        ("sleep.undo",),
        ("sleep.undo", "x"),
        ("sleep.history", "--limit", "x"),
        ("memory.redact", "staged.txt"),
        ("topic.merge", "auth", "locks"),
        ("topic.split", "auth", "--words", "dns"),
        ("bench.recall", "nothing-like-it", "--text", "x"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_words_that_are_off(scene, run, words):
    """Words that cannot be taken end with 2 and a sentence on stderr alone, and change nothing."""
    before = scene.everything()
    code, out, err = run(*words)
    assert (code, out) == (2, ""), err
    assert err.strip()
    assert "Traceback" not in err
    assert scene.everything() == before


@pytest.mark.parametrize(
    ("words", "step"),
    [
        (("topic.merge", "auth", "locks"), "--into is needed"),
        (("memory.log", "nothing"), "Hint: sleepwake topic.list"),
        (("memory.blame", "nothing"), "would be right: main.md, memory/hot/decisions.md"),
        (("journal.show",), "Hint: sleepwake wake"),
        (("note", " "), 'Hint: sleepwake note "..."'),
        (("journal.add", "--kind", "rule", "--text", "x"), "would be right: constraint"),
        (("journal.capture",), "journal.capture takes a transcript, --session or --missed"),
    ],
)
def test_an_error_says_what_would_be_right(run, words, step):
    """What is missing is named, and the hint leads to where names of that kind stand."""
    assert step in run(*words)[2]


def test_hints_name_a_task_that_there_is(run):
    """The hint of a wrong flag is the help of its task."""
    for words in (("sleep", "--bogus"), ("bogus",), ("thread.pause",)):
        (hint,) = [line for line in run(*words)[2].splitlines() if line.startswith("Hint: sleepwake ")]
        code, out, _ = run(*hint.removeprefix("Hint: sleepwake ").split())
        assert (code, bool(out)) == (0, True)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("--json", "status"), "sleepwake status --json"),
        (("-j", "status"), "sleepwake status -j"),
        (("--root", "there", "status"), "sleepwake status --root there"),
        (("--help", "wake", "--json"), "sleepwake wake --help --json"),
    ],
    ids=str,
)
def test_options_before_a_command(run, words, right):
    """Options that stand before their command end with 2, and the line that would be right is named."""
    code, _, err = run(*words)
    assert code == 2
    assert f"(would be right: {right})" in err


def test_no_memory(run, tmp_path, monkeypatch):
    """Where no memory is, every task but `init` ends with 4 and names `init`."""
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path / "bare")
    for task in ("status", "sleep", "wake", "journal.open", "doctor", "wake.check", "sleep.undo", "thread.list"):
        code, out, err = run(task)
        assert (code, out) == (4, "")
        assert "Hint: sleepwake init" in err
        assert "sleepwake help recovery#no-memory" in err
    assert run("init")[0] == 4


def test_a_document_that_cannot_be_read(scene, run):
    """A settings file with a mistake ends with 5; an unknown setting is named with its neighbour."""
    scene.write("memory/sleep.yaml", "format: 1\nwake:\n  budgit: 3\n")
    code, _, err = run("status")
    assert code == 5
    assert "wake.budgit" in err
    assert "wake.budget" in err
    scene.write("memory/sleep.yaml", "format: [\n")
    assert run("status")[0] == 5
    scene.write("memory/sleep.yaml", "format: 3\n")
    code, _, err = run("sleep")
    assert code == 5
    assert "upgrade" in err


def test_a_move_that_is_not_legal(run):
    """An illegal move ends with 5 and names the legal ones."""
    run("thread.open", "--text", "x")
    code, out, err = run("thread.resume", "T-001")
    assert (code, out) == (5, "")
    assert "paused or resolved or abandoned" in err


def test_git_in_the_way(scene, run):
    """A merge under way ends with 6 and the command that ends it, for what writes; what reads goes on."""
    run("journal.add", "--text", "x")
    (scene.top / ".git" / "MERGE_HEAD").write_text(scene.head())
    before = scene.everything()
    for words in (("sleep",), ("sleep.resume",), ("sleep", "--dry-run"), ("journal.import", "staged.txt")):
        code, out, err = run(*words)
        assert (code, out) == (6, "")
        assert "git merge --abort" in err
    assert scene.everything() == before
    assert [run(task)[0] for task in ("status", "wake.check", "thread.list")] == [0, 0, 0]
    assert "a merge is under way: git merge --continue, or git merge --abort" in run("status")[1]
    assert run("journal.add", "--text", "y")[0] == 0


def test_held_by_another(scene, run, monkeypatch):
    """While another process holds the lock, what writes waits, then ends with 7 and says who holds it since when."""
    monkeypatch.setenv("SLEEP_LOCK_WAIT", "0.2")
    root = scene.place.root
    with lock.hold(root, "sleep"):
        held = dict(lock._held)
        lock._held.clear()  # as another process would see it
        try:
            for words in (("sleep",), ("journal.add", "--text", "x"), ("wake",), ("sleep.undo",)):
                code, out, err = run(*words)
                assert (code, out) == (7, "")
                assert f"held by sleep (process {os.getpid()} on " in err
                assert " since 20" in err
            assert [run(task)[0] for task in ("status", "thread.list", "wake.check")] == [0, 0, 0]
            assert run("wake", "--peek")[0] == 0
        finally:
            lock._held.update(held)
    assert scene.view.journals == ()


def test_the_gate_refuses(scene, run, monkeypatch):
    """A step that the gate refuses ends with 8, names what is missing, and changes nothing."""
    scene.lived()
    run("journal.add", "--kind", "decision", "--text", "Use the lock", "--why", "x")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=journal")
    honest = journal_to_hot.journal_to_hot

    def lossy(*asked):
        decided = honest(*asked)
        return decided._replace(writes={name: text for name, text in decided.writes.items() if "decisions" not in name})

    monkeypatch.setattr(journal_to_hot, "journal_to_hot", lossy)
    before = scene.everything()
    code, out, err = run("sleep")
    assert (code, out) == (8, "")
    assert "decision D-002 is in no register" in err
    assert scene.everything() == before


def test_the_name_of_a_field_with_a_secret(scene, run):
    """A secret in the name of a field ends with 9, is not repeated, and nothing is written."""
    scene.open()
    before = scene.text("journal/instance-1.md")
    code, out, err = run("journal.add", "--text", "x", "--field", f"{SECRET}=x")
    assert (code, out, SECRET in err, "name=value" in err) == (9, "", False, True)
    assert scene.text("journal/instance-1.md") == before


def test_a_secret(scene, run):
    """A secret in an edited memory file ends with 9 and path:line; the hint's command mends it."""
    scene.write("memory/warm/x.md", f"# X\n\n{SECRET}\n")
    code, out, err = run("sleep")
    assert (code, out) == (9, "")
    assert "memory/warm/x.md:3" in err
    assert SECRET not in err
    (hint,) = [line for line in err.splitlines() if line.startswith("Hint: sleepwake ")]
    assert run(*hint.removeprefix("Hint: sleepwake ").split())[0] == 0
    assert run("sleep")[0] == 0


def test_a_name_that_no_file_can_have(run):
    """A transcript whose name is too long for a file ends with 10, as what a disk refuses."""
    code, out, err = run("journal.digest", "x" * 5000)
    assert (code, out) == (10, "")
    assert "name too long" in err


def test_a_read_only_journal(scene, run):
    """A journal that is read-only ends with 10 for who writes to it, with the command that helps, and is left alone."""
    run("journal.add", "--text", "x")
    path = scene.home / "journal/instance-1.md"
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=journal")
    path.chmod(0o444)
    before = scene.everything()
    for words in (("journal.add", "--text", "y"), ("sleep",), ("journal.close",)):
        code, out, err = run(*words)
        assert (code, out) == (10, "")
        assert f"chmod u+w {path}" in err
    assert scene.everything() == before
    path.chmod(0o644)
    assert run("sleep")[0] == 0


def test_an_interruption(run, monkeypatch):
    """Ctrl-C ends with 130 and says that nothing is half done."""

    def interrupted(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr("sleep.upkeep.status.read", interrupted)
    code, _, err = run("status")
    assert code == 130
    assert "nothing is half done" in err


def test_a_bug_of_ours(run, monkeypatch, tmp_path):
    """A mistake of the program ends with 3, one sentence, and the path of a log that has the traceback."""

    def broken(*_args):
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr("sleep.upkeep.status.read", broken)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code, out, err = run("status")
    (path,) = glob.glob(str(tmp_path / "sleepwake-crash-*.log"))
    assert (code, out) == (3, "")
    assert path in err
    assert "Traceback" not in err
    with open(path) as log:
        assert "in broken" in log.read()


def test_a_check_that_fails(scene, run):
    """`wake.check` and `doctor` end with 1 when something fails, and with 0 else."""
    scene.lived()
    assert [run(task)[0] for task in ("wake.check", "doctor")] == [0, 0]
    scene.write("memory/hot/decisions.md", scene.text("memory/hot/decisions.md").replace(".1]", ".77]"))
    assert [run(task)[0] for task in ("wake.check", "doctor")] == [1, 1]
    code, out, _ = run("wake.check", "--json")
    assert code == 1
    assert json.loads(out)["ok"] is False


def test_nothing_needed_is_no_failure(scene, run):
    """A sleep with nothing to do, a second `init` and an empty list end with 0."""
    for words in (
        ("sleep",),
        ("sleep", "--dry-run"),
        ("sleep.resume",),
        ("init",),
        ("thread.list",),
        ("sleep.history",),
    ):
        code, out, err = run(*words)
        assert (code, err) == (0, ""), words
        assert out.strip()


def test_prose_comes_by_standard_input(scene, run):
    """Text given as `-` is read from standard input, whatever it holds; text that begins with a dash is text."""
    assert run("journal.add", "--kind", "decision", "--text", "-", stdin="Use 'it' --now $x\n\n- why: y\n")[0] == 0
    entry = scene.view.journal("journal/instance-1.md").entries[0]
    assert entry.title == "Use 'it' --now $x"
    assert run("journal.add", "--text=-n is a flag")[0] == 0
    assert scene.view.journal("journal/instance-1.md").entries[1].title == "-n is a flag"


def test_further_files_as_plain_words(scene, run, tmp_path):
    """`journal.import` takes any number of files, folders and patterns as plain words, in their order."""
    (tmp_path / "logs").mkdir()
    for name in ("b.md", "a.md"):
        (tmp_path / "logs" / name).write_text(f"# {name}\n\nx\n")
    (tmp_path / "c.md").write_text("c\n")
    code, out, _ = run("journal.import", "--json", str(tmp_path / "c.md"), str(tmp_path / "logs"))
    assert code == 0
    assert [one["source"] for one in json.loads(out)] == ["c.md", "a.md", "b.md"]
    assert run("journal.import", "--dry-run", str(tmp_path / "logs" / "*.md"))[0] == 0


def test_a_cycle_as_a_plain_word(scene, run):
    """`sleep.undo 1` undoes cycle 1."""
    scene.lived(2)
    assert run("sleep.undo", "1", "--dry-run")[0] == 0
    code, out, _ = run("sleep.undo", "1")
    assert code == 0
    assert f"git revert {scene.head()[:7]} reverses this undo" in out
    assert [cycle.number for cycle in scene.view.cycles] == [2]


def test_a_root_by_flag_and_by_variable(scene, run, tmp_path, monkeypatch):
    """The root is taken from `--root`, then from SLEEP_ROOT, wherever the command is run."""
    monkeypatch.chdir(tmp_path)
    assert run("status")[0] == 4
    assert run("status", "--root", str(scene.home))[0] == 0
    monkeypatch.setenv("SLEEP_ROOT", str(scene.home))
    assert run("status")[0] == 0
    assert run("status", "--root", str(tmp_path))[0] == 4


def test_prose_that_begins_with_a_dash(run):
    """A text with spaces in it is prose, whatever it begins with; a single word with a dash is a flag."""
    assert run("sleep.add", "2", "- a dash comes first")[0] == 0
    assert "a dash comes first" in run("sleep.status")[1]
    assert run("sleep.add", "2", "-x")[0] == 2


def test_a_sleep_starts_lean(scene):
    """A sleep loads no Invoke and no GitPython, which take longer than it works; its flags may stand in any order."""
    call = "import sys; from sleep.__main__ import main\ntry: main(['sleepwake', 'sleep', '--json', '--dry-run'])\n"
    call += "except SystemExit: print(sorted({one.partition('.')[0] for one in sys.modules}), file=sys.stderr)"
    words = [sys.executable, "-c", call]
    found = subprocess.run(words, cwd=scene.home, capture_output=True, text=True, check=True, timeout=120)
    assert "steps" in json.loads(found.stdout)
    assert not {"invoke", "git", "rich", "ruamel", "asyncio"} & set(eval(found.stderr))  # noqa: S307  # ours


def test_a_library_that_is_missing_is_no_bug(tmp_path):
    """Without what the program is installed with, one sentence says for which Python, and no log is written."""
    start = "import sys; sys.modules['invoke'] = None; from sleep.__main__ import main; main(['sleepwake', '--list'])"
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run((sys.executable, "-c", start), capture_output=True, text=True, check=False, env=environ)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"invoke is not installed for {sys.executable}")
    assert not [*tmp_path.iterdir()]


def test_a_module_of_ours_that_is_missing_is_a_bug(tmp_path):
    """What is not installed with the program is no library: that it cannot be loaded is written down as a bug."""
    start = (
        "import sys; sys.modules['sleep.tasks'] = None; from sleep.__main__ import main; main(['sleepwake', '--list'])"
    )
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run((sys.executable, "-c", start), capture_output=True, text=True, check=False, env=environ)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("a bug of ours: ModuleNotFoundError")


def test_a_bug_is_written_down_without_secrets(tmp_path):
    """What a bug prints and what its log keeps is without the secrets and homes that the error quotes."""
    start = (
        "from sleep import __main__ as program\n"
        f"def broken(words): raise ValueError('cannot read {SECRET} of ' + '/ho' + 'me/ana/work/x')\n"
        "program._command = broken\n"
        "program.main(['sleepwake', 'status'])"
    )
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run((sys.executable, "-c", start), capture_output=True, text=True, check=False, env=environ)
    (log,) = tmp_path.iterdir()
    for text in (done.stderr, log.read_text()):
        assert "cannot read [REDACTED:github-token] of ~/work/x" in text
        assert SECRET not in text.replace(start, "")


def test_an_error_drives_no_terminal(scene, monkeypatch, capsys):
    """What an error quotes reaches a terminal without the escapes and the signs that turn words."""
    from sleep import __main__ as program  # noqa: PLC0415

    monkeypatch.chdir(scene.home)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with pytest.raises(SystemExit) as end:
        program._command(["sleepwake", "trace", "walrus \x1b[31m red \u202e turned"])
    assert end.value.code == 2
    shown = capsys.readouterr().err
    assert "walrus" in shown
    assert not {"\x1b", "\u202e"} & set(shown)
