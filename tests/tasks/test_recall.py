"""`recall` as a person runs it: fast where it is plain, explained where it is not; and `--at` on what reads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sleep.tasks import output


@pytest.fixture
def known(scene):
    """Return the memory with a decision in it, slept on, and one that came later."""
    return scene.grow(_know)


def _know(scene):
    scene.open()
    scene.add("decision", "The cache is stored in Redis", why="it is there")
    scene.sleep()
    scene.open()
    scene.add("decision", "The queue is stored in SQLite", why="it is small")


def test_a_question(known, run, facts):
    """A question is answered with exit code 0, in text and as facts; words need no quotes."""
    code, out, err = run("recall", "where is the cache stored")
    assert (code, err) == (0, "")
    assert "The cache is stored in Redis" in out
    assert run("recall", "where", "is", "the", "cache", "stored")[1] == out
    assert run("recall", "-", stdin="where is the cache stored")[1] == out
    (passage,) = [one for one in facts("recall", "cache")["passages"] if "Redis" in str(one["lines"])]
    assert passage["address"].startswith("i1")
    assert passage["why"] == ["cache"]


def test_nothing_fits(known, run, facts):
    """That nothing fits is an answer: exit code 0, and `nothing` says why."""
    code, out, err = run("recall", "Zanzibar")
    assert (code, err) == (0, "")
    assert out.startswith("Nothing in this memory fits")
    assert facts("recall", "Zanzibar")["nothing"]


def test_a_question_like_an_option(known, run):
    """After -- everything is the question."""
    code, out, err = run("recall", "--", "-x", "--help")
    assert (code, err) == (0, "")
    assert "Usage" not in out


@pytest.mark.parametrize(
    "words", [(), ("x", "--bogus"), ("x", "--budget"), ("x", "--tier", "tepid"), ("x", "--at", "c9")]
)
def test_words_that_are_off(known, run, words):
    """A slip ends with 2, one sentence and the next step, as for every task."""
    before = known.everything()
    code, out, err = run("recall", *words)
    assert (code, out) == (2, "")
    assert "Hint: " in err or "would be right" in err
    assert "Traceback" not in err
    assert known.everything() == before


def test_no_memory(run, tmp_path, monkeypatch):
    """Where no memory is, it ends with 4 and names `init`; `--root` names one elsewhere."""
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path / "bare")
    code, out, err = run("recall", "x")
    assert (code, out) == (4, "")
    assert "Hint: sleepwake init" in err
    assert "sleepwake help recovery#no-memory" in err
    assert run("recall", "x", "--root", str(tmp_path / "project"))[0] == 0


def test_help(known, run):
    """Its help is that of every task."""
    for words in (("recall", "--help"), ("recall", "-h"), ("--help", "recall")):
        code, out, _ = run(*words)
        assert code == 0
        assert "--ever" in out


def test_invoke_answers_the_same(known, run):
    """`inv recall` prints what `sleepwake recall` prints."""
    words = ["recall", "where is the cache stored", "--tier", "journal", "--kind", "decision", "--budget", "500"]
    call = "from sleep.tasks import namespace; from invoke.program import Program; Program(namespace=namespace).run()"
    found = subprocess.run(
        [sys.executable, "-c", call, *words], cwd=known.home, capture_output=True, text=True, check=True, timeout=120
    )
    assert found.stdout == run(*words)[1]


def test_a_cold_start_is_lean(known):
    """A question loads no Invoke, no GitPython and no rich; a process with them takes three times as long."""
    call = "import sys; from sleep.__main__ import main\ntry: main(['sleepwake', 'recall', 'cache'])\n"
    call += "except SystemExit: print(sorted({one.partition('.')[0] for one in sys.modules}), file=sys.stderr)"
    found = subprocess.run(
        [sys.executable, "-c", call], cwd=known.home, capture_output=True, text=True, check=True, timeout=120
    )
    assert "Redis" in found.stdout
    assert not {"invoke", "git", "rich", "mistune", "ruamel", "asyncio"} & set(eval(found.stderr))  # noqa: S307  # ours


def test_a_bar_while_the_index_is_made(known, run, monkeypatch):
    """Who waits for the first index before a terminal is shown how far it is."""
    told = []

    class Bar:
        def __init__(self, what):
            told.append(what)

        def __enter__(self):
            return lambda done, total: told.append((done, total))

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(output, "_bar", Bar)
    monkeypatch.setattr(output.time, "monotonic", iter(range(0, 100_000, 5)).__next__)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert run("recall", "cache")[0] == 0
    assert told[0] == "reading the memory"
    assert told[-1][0] == told[-1][1] > 0


@pytest.mark.parametrize("at", ["cycle 1", "c1", "i1", "HEAD"])
def test_at_on_all_that_reads(known, run, facts, at):
    """Recall, wake and lists of the past agree on the commit, say it, and change nothing."""
    before = known.everything()
    sha = known.head()
    assert facts("recall", "cache", "--at", at)["at"]["commit"] == sha
    assert facts("wake", "--at", at)["at"]["commit"] == sha
    (one,) = facts("decision.list", "--at", at)
    assert one["at"]["commit"] == sha
    assert "Redis" in one["says"]
    for words in (("recall", "cache"), ("wake",), ("decision.list",), ("decision.show", "D-001"), ("thread.list",)):
        out = run(*words, "--at", at)[1]
        assert f"s of commit {sha[:7]}, " in out, words
        assert "SQLite" not in out
    assert known.everything() == before


def test_ever(known, run, facts):
    """What was deleted is found by `--ever` alone."""
    path = "memory/core/1.user.md"
    known.write(path, "Owns a zeppelin.\n")
    known.git("add", "--all")
    known.git("commit", "--quiet", "--message=add")
    known.git("rm", "--quiet", path)
    known.git("commit", "--quiet", "--message=remove")
    assert run("recall", "zeppelin")[1].startswith("Nothing")
    assert f"last in {known.git('rev-parse', 'HEAD~1')[:7]}:{path}" in run("recall", "zeppelin", "--ever")[1]
    assert json.dumps(facts("recall", "zeppelin", "--ever")).count("Owns a zeppelin") == 1


def test_a_line_that_was_taken_out_by_hand_is_said_to_be_so_once(run, scene):
    """The line above says that a person took it out, and by which commit; its own words are as they were."""
    scene.open()
    scene.add("note", "The heron counts its fish at dawn")
    scene.sleep()
    path = next(path for path in scene.owned() if path.startswith("memory/hot/") and "heron" in scene.text(path))
    scene.write(path, "\n".join(line for line in scene.text(path).split("\n") if "heron" not in line))
    scene.open()
    scene.add("note", "Something else")
    scene.sleep()
    out = run("recall", "heron fish")[1]
    assert "heron" in out
    assert out.count("taken out") == 1
