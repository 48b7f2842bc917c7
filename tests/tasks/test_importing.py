"""`journal.import` and `journal.sources` as a person runs them."""

from __future__ import annotations

import re

RECORD = """\
# 1. Keep the queue in SQLite

Date: 2024-05-06

## Status

Accepted

## Context

There is one machine.

## Decision

We keep it in SQLite.

## Consequences

No server runs.
"""


def lay(folder, texts):
    """Write texts below a folder and return it."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder)


def test_an_import_from_end_to_end(scene, run, facts, monkeypatch, tmp_path):
    """What is found is taken in, said, known again, and stands as a decision with its origin."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    lay(scene.home / "docs/adr", {"0001-queue.md": RECORD})
    assert facts("journal.sources") == [{"path": "docs/adr", "form": "adr", "texts": 1, "new": 1}]
    code, out, _ = run("journal.import", "docs/adr", "--dry-run")
    assert (code, "dry run: nothing was written" in out, scene.view.journals) == (0, True, ())
    code, out, _ = run("journal.import", "docs/adr")
    assert code == 0
    assert "docs/adr: decision records" in out
    assert "2024-05-06" in out
    assert re.search(r"1 decision, .*\d notes", out)
    assert out.endswith("Next: sleepwake sleep, which consolidates them\n")
    code, out, _ = run("journal.import", "docs/adr", "--from", "adr")
    assert (code, "1 there already" in out, "nothing is new" in out) == (0, True, True)
    (again,) = facts("journal.import", "docs/adr")
    assert (again["path"], again["why"]) == ("", "is there already")
    assert facts("journal.sources")[0]["new"] == 0
    assert "Keep the queue in SQLite" in run("decision.list")[1]
    entries = facts("journal.show", "--kind", "decision")["entries"]
    assert [one["origin"] for one in entries] == ["docs/adr/0001-queue.md:1"]


def test_what_is_left_out_is_said(scene, run, facts):
    """A file that is left out is named with the reason, on the screen and in the facts."""
    folder = lay(scene.home / "logs", {"2026-03-01.md": "# Sunday\n\nx\n", "picture.png": "x"})
    assert "left out: picture.png is no Markdown" in run("journal.import", folder, "--dry-run")[1]
    assert {"source": "picture.png", "path": "", "why": "is no Markdown"} in facts("journal.import", folder)


def test_a_form_by_flag(scene, run, facts):
    """`--from` takes a form as the next word, and no other word."""
    folder = lay(scene.home / "logs", {"2026-03-01.md": "# Sunday\n\nx\n"})
    assert [one["form"] for one in facts("journal.import", folder, "--from", "journal")] == ["journal"]
    code, _, err = run("journal.import", folder, "--from", "adrs")
    assert (code, "--from takes one of adr" in err) == (2, True)


def test_more_than_a_screen(scene, run):
    """Of many journals the first are shown, and how many there are."""
    folder = lay(scene.home / "logs", {f"2026-03-{day:02}.md": f"# Day {day}\n\nx\n" for day in range(1, 26)})
    out = run("journal.import", folder)[1]
    assert "and 5 more, 25 in all" in out
    assert len(out.splitlines()) < 30


def test_nothing_to_find(run, monkeypatch, tmp_path):
    """Where nothing is found, that is said, and it is no failure."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    code, out, _ = run("journal.sources")
    assert (code, out[:17]) == (0, "nothing was found")
