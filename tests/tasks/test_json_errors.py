"""What a program reads that asked for JSON, where the command fails."""

from __future__ import annotations

import json

import pytest

FAILURES = (
    ("decision.show", "D-099"),
    ("journal.add", "--kind", "nothing", "--text", "x"),
    ("sleep.undo", "99"),
    ("recal", "x"),
    ("status", "--no-such-option"),
    ("status", "--root", "/nowhere"),
)


@pytest.mark.parametrize("words", FAILURES, ids=lambda words: words[0])
def test_an_error_is_one_object(run, words):
    """Standard output has one object with what is wrong, where, and the next step; the rest is as without `--json`."""
    plain = run(*words)
    code, out, err = run(*words, "--json")
    assert plain[0] == code > 0
    assert plain[1] == ""
    said = json.loads(out)
    assert [*said] == ["error", "where", "hint", "more"]
    assert said["error"] in err
    assert said["hint"] in err
    assert err


def test_what_stands_behind_two_dashes_is_no_option(run):
    """A text that says `--json` asks for none."""
    code, out, _ = run("decision.show", "--", "--json")
    assert (code, out) == (2, "")


def test_named_strangers_are_rows(run, scene, tmp_path):
    """A file that no reader knows is a row of the list where others were read: never two values."""
    log = tmp_path / "one.jsonl"
    log.write_text('{"type":"user","sessionId":"s1","message":{"role":"user","content":"Use flock for the lock."}}\n')
    strange = tmp_path / "strange.jsonl"
    strange.write_text("no log\n")
    scene.open()
    code, out, _ = run("journal.capture", str(log), str(strange), "--json")
    said = json.loads(out)
    assert code == 2
    assert isinstance(said, dict) or said[-1]["why"] == "no reader knows it"


@pytest.mark.parametrize(("handle", "said"), [("D1", "D-001"), ("D-002", "D-001"), ("i1.1", "i1")])
def test_every_command_names_the_nearest(run, scene, handle, said):
    """A handle that names nothing is answered with the nearest that does, by every command alike."""
    scene.open()
    scene.add("decision", "Use flock")
    scene.sleep()
    address = str(next(iter(scene.view.records)))
    lines = [("decision.show", handle), ("decision.reverse", handle, "--reason", "x"), ("memory.explain", handle)]
    lines += [("journal.add", "--text", "x", "--thread", handle)]
    for words in lines:
        code, _, err = run(*words)
        assert code == 2, words
        assert (f"would be right: {said}" in err) or ("the nearest: " in err) or address in err, (words, err)


def test_another_word_for_a_kind_is_told(run, scene):
    """A kind that people call otherwise is named in the hint."""
    scene.open()
    assert "--kind constraint" in run("journal.add", "--kind", "rule", "--text", "x")[2]
    assert "Hint" not in run("journal.add", "--kind", "xyz", "--text", "x")[2]
