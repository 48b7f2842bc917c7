"""`bench.*` and `compress`, as a person and as a harness call them."""

from __future__ import annotations

import io
import json

import pytest

from sleep.language import tokens

LONG = "# Lock\n\n" + "".join(
    f"- Decision {n}: `lock_{n}` is held because step {n} writes. It is so.\n" for n in range(40)
)


@pytest.fixture
def project(tmp_path):
    """Return a folder with journals of one project and a case of one conversation."""
    for number in range(5):
        text = f"# Day {number}\n\n- `read_file` and `cut_file` broke ERR-{number} in src/a.py, like ERR-{number - 1}\n"
        for name in (f"logs/p/{number}.md", f"cases/set/one/journal/{number}.md"):
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return tmp_path


def test_a_harness_calls_session_and_wake(run, project):
    """The protocol's calls end with 0, fill the folder, and print a wake within its budget."""
    for number in range(5):
        code, out, err = run("bench.session", str(project / "memory"), str(project / f"logs/p/{number}.md"))
        assert (code, err) == (0, "")
        assert out.startswith(f"i{number + 1}")
    assert (project / "memory" / "hot" / "context.md").exists()
    code, out, err = run("bench.wake", str(project / "memory"), "600", "--task", "read_file")
    assert (code, err) == (0, "")
    assert "read_file" in out
    assert tokens.count(out) <= 600


def test_a_wake_of_a_folder_without_a_project_is_an_error(run, project):
    """There is no memory to wake in an empty folder, and that is what it says."""
    code, out, err = run("bench.wake", str(project), "600")
    assert (code, out) == (4, "")
    assert ".project" in err


def test_tiers_are_built_for_every_case(run, facts, project):
    """Each case's tiers are written into the layout of the harness; with a ratio one file in their place."""
    (row,) = facts("bench.tiers", str(project / "cases"), str(project / "out"))
    assert row["case"] == "set/one"
    there = project / "out" / "set" / "one"
    assert sum(len(one.read_text()) for one in there.rglob("*.md")) == row["memory"] > 0
    assert {one.parent.name for one in there.rglob("*.md")} >= {"hot"}
    (row,) = facts("bench.tiers", str(project / "cases"), str(project / "single"), "--ratio", "2")
    assert row["memory"] <= row["source"] / 2
    assert [one.name for one in (project / "single").rglob("*.md")] == ["memory.md"]
    assert run("bench.tiers", str(project / "cases"), str(project / "out"), "--ratio", "0")[0] == 2
    again = [facts("bench.tiers", str(project / "cases"), str(project / "out"))[0] for _ in range(2)]
    assert again[0] == again[1]


def test_tiers_replace_nothing_of_anybody_else(run, project):
    """Where a folder has files that this task did not write, nothing is built, removed, marked or written over."""
    there = project / "out" / "set" / "one" / "hot"
    there.mkdir(parents=True)
    (there / "mine.md").write_text("mine")
    (project / "notes.md").write_text("mine")
    for words in (("bench.tiers", str(project / "cases")), ("bench.session",)):
        places = (str(project / "notes.md"), str(project / "logs/p/0.md"))
        code, _, err = run(*words, *places[: 3 - len(words)])
        assert (code, err.partition(" (")[0]) == (2, f"{project / 'notes.md'}: is no folder")
    (project / "another" / "set" / "two" / "hot").mkdir(parents=True)
    (project / "another" / "set" / "two" / "hot" / "mine.md").write_text("of a case that comes with a later call")
    for out in ("out", "cases", "another"):
        before = sorted(project.rglob("*"))
        code, shown, err = run("bench.tiers", str(project / "cases"), str(project / out))
        assert (code, shown) == (2, "")
        assert "has files that are not of this task" in err
        assert sorted(project.rglob("*")) == before


def test_figures_of_a_project(run, facts, project):
    """Journals are measured against baselines, in words, as JSON and as a picture."""
    words = ("bench.memory", "--journals", str(project / "logs"), "--baselines", "lead,tail")
    found = facts(*words, "--svg", str(project / "x.svg"))
    assert {one["system"] for one in found["figures"]} >= {"sleep", "lead", "tail"}
    assert (project / "x.svg").read_text().startswith("<svg")
    (project / "notes.md").write_text("mine")
    assert run(*words, "--svg", str(project / "notes.md"))[:2] == (2, "")
    assert (project / "notes.md").read_text() == "mine"
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert "to the best" in out
    assert run(*words[:-1], "leed")[0] == 2


def test_figures_of_ones_own_memory(scene, facts, run):
    """Without a folder it is the memory's own journals that are measured, unchanged; too few are refused."""
    scene.lived()
    code, _, err = run("bench.memory", "--baselines", "lead")
    assert code == 2
    assert "too few" in err
    for number in range(2, 5):
        scene.cycle(number)
    before = scene.everything()
    found = facts("bench.memory", "--baselines", "lead")
    assert any(one["measure"] == "ratio" for one in found["figures"])
    assert scene.everything() == before


def test_compress_keeps_within_its_ratio(run, project):
    """What is printed is at most the asked share of what was read, from standard input or a file."""
    code, out, err = run("compress", "--ratio", "4", stdin=LONG)
    assert (code, err) == (0, "")
    assert 0 < len(out) <= len(LONG) / 4
    (project / "x.md").write_text(LONG)
    assert run("compress", str(project / "x.md"), "--ratio", "4") == (0, out, "")
    assert len(run("compress", stdin=LONG)[1]) <= len(LONG) / 2


@pytest.mark.parametrize("text", [LONG, "锁文件很简单。" * 80])
def test_compress_keeps_a_budget_of_tokens(run, text):
    """With a budget it counts tokens, also where a character is one."""
    code, out, _ = run("compress", "--budget", "60", stdin=text)
    assert code == 0
    assert tokens.count(out.rstrip("\n")) <= 60


def test_compress_takes_a_ratio_or_a_budget(run):
    """Both at once, a ratio that is none, and a file that is not there are refused."""
    assert run("compress", "--ratio", "2", "--budget", "60", stdin=LONG)[0] == 2
    assert run("compress", "--ratio", "x", stdin=LONG)[0] == 2
    assert run("compress", "none.md")[0] == 2


def test_compress_gives_facts(facts):
    """As JSON it says how much it read and how much is left."""
    found = facts("compress", "--ratio", "2", stdin=LONG)
    assert found["of"] == len(LONG)
    assert found["characters"] == len(found["text"]) <= len(LONG) / 2
    assert json.dumps(found)


def test_edits_are_counted_beside_the_regular_expression(run, facts, tmp_path):
    """A transcript with an edit, and with a tool's schema that names one, has one change and two matches."""
    call = '{"type":"tool_use","id":"t1","name":"Write","input":{}}'
    lines = [
        f'{{"type":"assistant","isSidechain":false,"message":{{"content":[{call}]}}}}',
        '{"type":"system","isSidechain":false,"tools":[{"name":"Edit"}]}',
    ]
    (tmp_path / "one.jsonl").write_text("\n".join(lines) + "\n")
    found = facts("bench.edits", str(tmp_path / "one.jsonl"))
    assert (found["change_count"], found["regex"]) == (1, 2)
    assert "change_count" in run("bench.edits", str(tmp_path / "one.jsonl"))[1]
    assert run("bench.edits", str(tmp_path / "none.jsonl"))[0] == 2


def test_a_harness_calls_recall(run, project):
    """A folder of a project and a plain folder of journals answer a question, and a line of JSON for each of many."""
    for folder in (project / "memory", project / "logs/p"):
        if folder.name == "memory":
            for number in range(3):
                run("bench.session", str(folder), str(project / f"logs/p/{number}.md"))
        code, out, err = run(
            "bench.recall", str(folder), "--text", "What broke in cut_file with ERR-2?", "--budget", "300"
        )
        assert (code, err) == (0, "")
        assert "ERR-2" in "".join(out.split("\n")[1:3])  # a heading may stand above
        asked = [{"id": "a", "query": "cut_file ERR-1", "budget": 200}, {"id": "b", "query": "zebra", "budget": 200}]
        code, out, err = run("bench.recall", str(folder), stdin="".join(f"{json.dumps(one)}\n" for one in asked))
        assert (code, err) == (0, "")
        first, second = map(json.loads, out.splitlines())
        assert (first["id"], second) == ("a", {"id": "b", "text": ""})
        assert "ERR-1" in first["text"]


WRONG = [
    "garbage",
    "{}",
    "[1]",
    "{",
    '{"id": 1}',
    '{"id": "a", "query": 5, "budget": 3, "role": 1, "text": 2}',
    "caf\xff",
]


@pytest.mark.parametrize("line", WRONG)
@pytest.mark.parametrize("words", [("bench.acts",), ("bench.recall", "logs")], ids=" ".join)
def test_malformed_input_is_one_clear_error(sleepwake, project, monkeypatch, words, line):
    """A line of standard input that asks nothing is named by its number, with what would be right: no bug of ours."""
    monkeypatch.chdir(project)
    good = json.dumps({"id": "a", "query": "x", "budget": "300", "role": "user", "text": "hello"})
    feed = io.BytesIO(f"{good}\n\n{line}\n".encode("latin-1"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(feed))
    code, out, err = sleepwake(*words)
    assert (code, len(out.splitlines())) == (2, 1)
    assert err.startswith("line 3 of standard input is ")
    assert "a JSON object with id, " in err


@pytest.mark.parametrize("words", [("bench.edits",), ("journal.capture",), ("journal.digest",)], ids=" ".join)
def test_a_file_that_is_no_transcript(run, words):
    """A file that was named and is no transcript is refused alike by all that read one."""
    code, out, err = run(*words, "main.md")
    assert (code, out) == (5, "")
    assert "main.md: not a transcript of a client that is known" in err
