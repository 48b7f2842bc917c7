"""`memory.stats`, `memory.explain` and `memory.diff`, as a person and a program read them."""

from __future__ import annotations

from contextlib import contextmanager
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest

from sleep.tasks import output

SVG = "{http://www.w3.org/2000/svg}"


def _live(scene):
    scene.open()
    scene.add("decision", "Use flock for the lock", why="it ends with its holder", alternatives="a pid file")
    for number in range(70):
        scene.add(
            "insight", f"Part {number} of `src/part{number}.py` takes {number} ms for each file that it reads twice"
        )
    scene.sleep()
    for number in range(2, 5):
        scene.cycle(number)


@pytest.fixture
def full(scene):
    """Return a scene that has slept on more prose than fits, and on three more instances."""
    return scene.grow(_live)


def test_explain_says_why_in_words(full, run):
    """The life of a dropped entry ends with where it is left, the step and the reason; every line is in the table."""
    _, out, _ = run("memory.diff", "1")
    dropped = out.partition("sleepwake memory.explain ")[2].split()[0]
    code, out, err = run("memory.explain", dropped)
    assert (code, err) == (0, "")
    assert out.startswith(f"{dropped} insight  journal/instance-1.md:")
    assert "journal to hot  dropped" in out
    assert "only the journal has it (journal/instance-1.md:" in out


def test_explain_a_journal_adds_up(full, run, facts):
    """The account of a journal adds up to all its characters and bytes and to 100 percent, in words and as facts."""
    found = facts("memory.explain", "1")
    text = full.text("journal/instance-1.md")
    assert found["characters"] == sum(one["characters"] for one in found["fates"]) == len(text)
    assert found["bytes"] == sum(one["bytes"] for one in found["fates"]) == len(text.encode())
    assert sum(Decimal(str(one["percent"])) for one in found["fates"]) == 100
    assert "runs" not in found
    runs = facts("memory.explain", found["instance"], "--all")["runs"]
    assert "".join(one["says"] for one in runs) == text
    _, out, _ = run("memory.explain", "1", "--all")
    rows = [line.split() for line in out.splitlines()]
    shares = {row[0]: Decimal(row[3]) for row in rows if len(row) == 4 and row[1].isdigit() and row[2].isdigit()}
    assert shares.pop("all") == sum(shares.values()) == 100
    assert len([row for row in rows if row and row[0].isdigit()]) == len(runs)


def test_facts_of_a_life(full, facts):
    """A life's facts name each happening's step, cycle, commit, fate and reason, and where the words stand."""
    found = facts("memory.explain", "D-001")
    assert {"address", "kind", "number", "path", "line", "says", "happened", "stands", "verdict", "notes"} == set(found)
    assert [one["step"] for one in found["happened"]] == ["seal", "journal to hot", "hot to warm"]
    assert [one["commit"] for one in found["happened"]] == [
        full.git("log", "--format=%H", "--grep", f"^Sleep-Step: {step}$", "--reverse").split()[0]
        for step in ("seal", "journal to hot", "hot to warm")
    ]
    assert found["stands"][0]["text"] == "Use flock for the lock"


def test_diff_shows_before_and_after(full, run, facts):
    """What a cycle dropped is shown with its words, and with the command that says more."""
    found = facts("memory.diff", "--cycle", "1")
    (step,) = found["steps"]
    dropped = [one for one in step["fragments"] if one["fate"] == "dropped"]
    assert sum(one["fragments"] for one in step["counts"]) == len(step["fragments"])
    _, out, _ = run("memory.diff", "1")
    for one in dropped:
        assert f"  - {one['before']}\n" in out
        assert f"sleepwake memory.explain {one['address']}\n" in out
    assert facts("memory.diff")["cycle"] == 4


def test_an_unknown_name_is_an_error_with_a_hint(full, run):
    """What is not there ends with 2, a sentence and the command that shows what there is."""
    for words in (("memory.explain", "i9zzz.1"), ("memory.explain", "D-099"), ("memory.diff", "99")):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert "Hint: sleepwake " in err


def test_stats_in_words_can_be_piped(full, run):
    """The figures come as tables, bars and sparklines, without a control character."""
    code, out, err = run("memory.stats")
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert "tokens after each cycle" in out
    for sign in "█▓▁":
        assert sign in out


def test_stats_before_the_first_cycle(scene, run, facts, tmp_path):
    """Without a cycle there are figures of the tiers, an empty picture, and no failure."""
    assert "no cycle yet" in run("memory.stats")[1]
    assert facts("memory.stats", "--svg", str(tmp_path / "x.svg"))["over_time"] == []
    assert "sizes are known" in (tmp_path / "x.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["my notes\n", "<svg xmlns='http://www.w3.org/2000/svg'>a logo</svg>"])
def test_a_picture_replaces_nothing_but_a_picture_of_ours(scene, run, tmp_path, content):
    """A file of somebody's is named and left as it is; an empty one and an earlier picture are drawn over."""
    path = tmp_path / "x.svg"
    path.write_text(content)
    code, out, err = run("memory.stats", "--svg", str(path))
    assert (code, out, path.read_text()) == (2, "", content)
    assert err.startswith(f"{path}: is there already, and is left as it is (would be right: a new name for --svg)")
    path.write_text("")
    assert run("memory.stats", "--svg", str(path))[0] == 0
    assert run("memory.stats", "--svg", str(path))[0] == 0
    assert path.read_text().startswith("<svg ")
    assert run("memory.stats", "--svg", str(tmp_path))[0] == 2
    code, _, err = run("memory.stats", "--svg", str(tmp_path / "typo" / "x.svg"))
    assert (code, err.splitlines()[:2]) == (
        2, [f"--svg: there is no folder {tmp_path / 'typo'}", f"Hint: mkdir -p {tmp_path / 'typo'}"]
    )  # fmt: skip
    assert not (tmp_path / "typo").exists()


def test_the_svg_is_whole_and_the_same_each_time(full, run, facts, tmp_path):
    """The SVG is well-formed, has a title and a description, names its axes, and is the same bytes each time."""
    assert "written: " in run("memory.stats", "--svg", str(tmp_path / "a.svg"))[1]
    facts("memory.stats", "--svg", str(tmp_path / "b.svg"))
    content = (tmp_path / "a.svg").read_bytes()
    assert content == (tmp_path / "b.svg").read_bytes()
    root = ET.fromstring(content)  # noqa: S314  # our own
    ids = {one.get("id") for one in root.iter()}
    assert set(root.get("aria-labelledby").split()) <= ids
    assert root.find(f"{SVG}title").text == "Tokens in each tier after each cycle"
    words = [one.text for one in root.iter(f"{SVG}text")]
    for word in ("tokens", "cycle", "hot", "warm", "cold", "1", "4", "0"):
        assert word in words


def test_a_bar_is_shown_to_the_patient_only(monkeypatch):
    """A bar appears once its patience is over, before a person only, and is told every count from then on."""
    counts = []

    @contextmanager
    def bar(_what):
        yield lambda done, whole: counts.append((done, whole))

    monkeypatch.setattr(output, "_bar", bar)
    times = iter([0.0, 0.0, 0.0, 0.5, 1.5])
    monkeypatch.setattr(output.time, "monotonic", lambda: next(times))
    with output.progress("reading", 1.0) as notice:  # nobody looks
        notice(1, 4)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with output.progress("reading", 1.0) as notice:
        for done in range(2, 5):
            notice(done, 4)
    assert counts == [(3, 4), (4, 4)]
