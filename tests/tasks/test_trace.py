"""`trace`, `memory.log` and `memory.blame`, as a person and a program read them."""

from __future__ import annotations

import pytest

from sleep.documents import paths


def _live(scene):
    for number in range(1, 5):
        scene.open()
        scene.add("decision", f"Use engine {number}", why="it is faster", alternatives="none", topic="auth")
        scene.add("insight", f"The parser of part {number} reads `src/part{number}.py` twice")
        scene.sleep()


@pytest.fixture
def slept(scene):
    """Return a scene that has slept on four instances, of which three decided something of one topic."""
    return scene.grow(_live)


def test_trace_in_words(slept, run):
    """A decision is told with who wrote it, each form with its commit, and where it stands."""
    code, out, err = run("trace", "D-001")
    assert (code, err) == (0, "")
    head, says, _, written, *then = out.splitlines()
    (address,) = {word for word in head.split() if word.startswith("i1")}
    assert head == f"{address} · decision D-001 · 21 November 2026 · instance 1"
    assert says == '  "Use engine 1"'
    adopted = slept.git("log", "--reverse", "--format=%h", "--abbrev=7", "--", "journal/instance-1.md").split()[0]
    assert written.startswith("written   journal/instance-1.md:")
    assert f" · commit {adopted} · " in written
    assert written.endswith(" · Ada Example")
    warm = slept.git("log", "--reverse", "--format=%h", "--abbrev=7", "--", f"{paths.WARM}auth.md").split()[0]
    assert then[1].strip().startswith(f"warm/auth.md      {warm}  ")
    assert then[1].endswith("  cycle 3 · kept whole")
    assert then[0].startswith("then      hot/decisions.md")
    assert then[-1].startswith(f"now       {paths.WARM}auth.md:")


def test_the_words_of_a_line_need_no_quotes(slept, run):
    """Several plain words are the words of one line."""
    assert run("trace", "Use", "engine", "1") == run("trace", "Use engine 1")


def test_trace_of_what_was_added_by_hand(run):
    """What debt was added for was said by hand: no transcript is looked for."""
    run("sleep.add", "2", "We settled on raft")
    run("sleep")
    out = run("trace", "We settled on raft")[1]
    assert "\nfrom      `sleep.add`, by hand at " in out
    assert "transcript" not in out


def test_trace_as_facts(slept, facts, run):
    """The facts have what the words have; lines to choose from are facts too."""
    found = facts("trace", "D-001")
    assert found["written"]["author"] == "Ada Example <ada@example.org>"
    assert [one["step"] for one in found["happened"]] == ["seal", "journal to hot", "hot to warm"]
    assert found["stands"][0]["path"] == f"{paths.WARM}auth.md"
    several = facts("trace", "Use engine")
    assert {"text", "lines"} == set(several)
    places = [f"{one['path']}:{one['line']}" for one in several["lines"]]
    _, out, _ = run("trace", "Use engine")
    assert all(place in out for place in places)
    assert out.splitlines()[-1].endswith(f"sleepwake trace {places[0]}")
    assert facts("trace", places[0])["address"] == several["lines"][0]["addresses"][0]


def test_trace_looks_where_a_person_says(slept, run, tmp_path):
    """Folders of transcripts can be named, more than one; one that is not there is said by its name."""
    empty = tmp_path / "transcripts"
    empty.mkdir()
    slept.open(client="claude-code", session="s9")
    address = str(slept.add("insight", "The tram is late").address)
    code, out, _ = run("trace", address, "--transcripts", str(empty), "--transcripts", str(empty))
    assert code == 0
    assert "not known on this machine" in out
    code, _, err = run("trace", address, "--transcripts", str(tmp_path / "nowhere"))
    assert code
    assert f"{tmp_path / 'nowhere'}: no such file or folder" in err


def test_a_long_word_is_named_in_short(slept, run):
    """A number of any length is told to be no entry, in few words."""
    code, _, err = run("trace", "7" * 50_000)
    assert code
    assert "7777… is a whole instance" in err
    assert len(err) < 1_000


def test_trace_reads_a_line_from_standard_input(slept, facts):
    """A line that begins with a dash is given on standard input."""
    row = next(one for one in slept.text(paths.DECISIONS).split("\n") if one.startswith("- **D-004**"))
    assert facts("trace", "-", stdin=row)["number"] == "D-004"


def test_trace_of_what_is_not_there(slept, run):
    """What nobody said ends with 2, says so, and names the command that looks for what is like it."""
    code, out, err = run("trace", "nobody said so")
    assert (code, out) == (2, "")
    assert "no line of the memory says: nobody said so" in err
    assert 'Hint: sleepwake recall "nobody said so"' in err


def test_log_of_a_topic(slept, run, facts):
    """A topic's history is told cycle by cycle, with the commits; --limit leaves out what is older, and says so."""
    found = facts("memory.log", "--topic", "auth")
    assert [one["cycle"] for one in found["events"]] == [3, 4]
    assert found["events"][0]["sentence"] == "cycle 3 brought 1 decision from instance 1 (D-001) into warm"
    code, out, err = run("memory.log", "--topic", "auth", "--limit", "1")
    assert (code, err) == (0, "")
    assert "(1 earlier: --limit 0)" in out
    commit = slept.git("log", "-1", "--format=%h", "--abbrev=7", "--", f"{paths.WARM}auth.md").strip()
    assert f"cycle 4    brought 1 decision from instance 2 (D-002) into warm  ({commit})\n" in out
    assert "cycle 3" not in out
    assert facts("memory.log", "--topic", "auth", "--limit", "1")["earlier"] == 1
    code, out, err = run("memory.log", "--topic", "nothing")
    assert (code, out) == (2, "")
    assert "there is no topic 'nothing', and there never was" in err
    assert run("memory.log")[0] == 2


def test_blame_of_a_document(slept, run, facts):
    """Each line of a tier has its address, instance and age, or its commit and author; the table is narrow."""
    found = facts("memory.blame", paths.DECISIONS)
    assert found["path"] == paths.DECISIONS
    assert len(found["lines"]) == slept.text(paths.DECISIONS).count("\n")
    _, out, _ = run("memory.blame", paths.DECISIONS)
    rows = out.splitlines()[4:]
    assert len(rows) == len(found["lines"])
    for row, one in zip(rows, found["lines"], strict=True):
        assert (one["addresses"] or [one["commit"][:7]])[0] in row
        assert len(row) <= 100
    code, out, err = run("memory.blame", "staged.txt")
    assert (code, out) == (2, "")
    assert "no document of this memory" in err
