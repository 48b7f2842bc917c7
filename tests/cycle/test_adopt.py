"""Adopting: what a person or an agent edited is committed as it is, or refused with the line."""

from __future__ import annotations

import pytest
from scene import SECRET, Scene

from sleep.changes import hand_edits
from sleep.documents import main_page
from sleep.errors import GitStateError, SecretError
from sleep.store import history


def test_a_persons_edits_are_committed_as_they_are(scene):
    """Edited, added and removed memory files are one commit of their own, byte for byte."""
    scene.lived()
    edits = {
        "memory/hot/decisions.md": scene.text("memory/hot/decisions.md") + "\nA remark of mine.\r\n\tand \xff\n",
        "memory/knowledge/own.md": "my own file\n",
        "main.md": scene.text("main.md").replace("What this", "My words: what this"),
    }
    for path, text in edits.items():
        scene.write(path, text)
    (scene.home / "memory/architecture.md").unlink()
    report = scene.sleep()
    assert [one.decided.step for one in report.steps] == ["adopt"]
    assert scene.git("show", "--name-only", "--format=", "HEAD").split() == sorted([*edits, "memory/architecture.md"])
    for path, text in edits.items():
        assert scene.text(path) == text
    assert scene.subjects()[0] == "sleep: adopt 2 edited files, 1 new file and the deletion of 1 file"


def test_one_file_is_named(scene):
    """A single adopted file is named in the subject."""
    scene.write("memory/knowledge/own.md", "x\n")
    scene.sleep()
    assert scene.subjects()[0] == "sleep: adopt memory/knowledge/own.md"


def test_new_files_are_called_new(scene):
    """What was not there before nobody edited."""
    scene.lived()
    scene.write("memory/knowledge/own.md", "x\n")
    scene.write("memory/knowledge/other.md", "x\n")
    scene.sleep()
    assert scene.subjects()[0] == "sleep: adopt 2 new files"


def test_edits_survive_later_cycles(scene):
    """A person's purpose, remarks and sections outlive later cycles that rewrite the rest; an item gets an address."""
    scene.lived()
    scene.write("main.md", scene.text("main.md").replace("What this", "My words: what this"))
    scene.write(
        "memory/hot/context.md", scene.text("memory/hot/context.md") + "\n## Mine\n\n- no address\n\nA remark.\n"
    )
    for number in range(2, 6):
        scene.cycle(number)
    assert main_page.purpose(scene.text("main.md")).startswith("My words: ")
    pages = [scene.text(path) for path in scene.view.files("memory/")]
    assert any("- no address [i2" in page for page in pages)
    assert "\n## Mine\n" in scene.text("memory/hot/context.md")
    assert "\nA remark.\n" in scene.text("memory/hot/context.md")


def test_a_fragment_that_a_person_mended_stays_mended(scene):
    """A decision reworded by hand is carried on in the person's words."""
    scene.lived()
    scene.write("memory/hot/decisions.md", scene.text("memory/hot/decisions.md").replace("Use engine 1", "Use motor 1"))
    for number in range(2, 5):
        scene.cycle(number)
    texts = [one.text for _, one in scene.view.placed()]
    assert "Use motor 1 for part 1" in texts
    assert "Use engine 1 for part 1" not in texts


def test_other_peoples_files_are_left_alone(scene):
    """Staged, partly staged, unstaged and untracked work that is no memory stays exactly as it is through a cycle."""
    scene.person_works()
    before = scene.persons()
    scene.cycle()
    assert scene.persons() == before


def test_a_partly_staged_memory_file_is_refused(scene):
    """A memory file that is partly staged stops the sleep, named, with nothing changed."""
    scene.add("note", "x")
    scene.write("main.md", scene.text("main.md") + "one\n")
    scene.git("add", "main.md")
    scene.write("main.md", scene.text("main.md") + "two\n")
    before = scene.everything()
    with pytest.raises(GitStateError, match=r"main\.md.*partly staged"):
        scene.sleep()
    assert scene.everything() == before
    scene.git("add", "main.md")
    assert scene.sleep().steps[0].decided.step == "adopt"


def test_a_staged_memory_file_is_adopted(scene):
    """A memory file that is wholly staged is adopted, and what else is staged stays staged."""
    scene.person_works()
    scene.write("main.md", scene.text("main.md") + "one\n")
    scene.git("add", "main.md")
    before = scene.persons()
    scene.sleep()
    assert scene.git("show", "--name-only", "--format=", "HEAD").split() == ["main.md"]
    assert scene.persons() == before


@pytest.mark.parametrize("path", ["memory/hot/context.md", "journal/instance-1.md", "main.md", "memory/new/x.txt"])
def test_a_secret_is_refused_by_line(scene, path):
    """A secret in an edited memory file stops the sleep with path and line, nothing is changed, and redacting helps."""
    scene.add("note", "x")
    text = scene.text(path) or ""
    scene.write(path, f"{text}\nkey = {SECRET}\n")
    line = text.count("\n") + 2
    before = scene.everything()
    with pytest.raises(SecretError) as caught:
        scene.sleep()
    assert caught.value.where == f"{path}:{line}"
    assert caught.value.hint == f"sleepwake memory.redact {path}"
    assert SECRET not in str(caught.value)
    assert scene.everything() == before


def test_bytes_that_are_no_text(scene):
    """A memory file of any bytes is adopted as it is."""
    content = bytes(range(256)) * 4
    scene.write("memory/picture.bin", content)
    scene.sleep()
    assert (scene.home / "memory/picture.bin").read_bytes() == content
    assert scene.git("status", "--porcelain") == ""


def test_machine_local_state_is_not_adopted(scene):
    """What is machine-local in `memory/state/` is never committed."""
    scene.write("memory/state/.sleep.json", "{}\n")
    assert scene.sleep().steps == ()


def test_in_a_sub_directory_only_its_memory(tmp_path):
    """A memory in a folder adopts nothing that lies outside of that folder."""
    scene = Scene(tmp_path / "project", "apps/one")
    scene.top.joinpath("main.md").write_text("not a memory's\n")
    scene.top.joinpath("memory").mkdir()
    scene.top.joinpath("memory", "x.md").write_text("not a memory's\n")
    scene.cycle()
    assert scene.git("status", "--porcelain", "--untracked-files=all").splitlines() == ["?? main.md", "?? memory/x.md"]


def test_what_was_adopted_is_not_looked_for_again(scene, monkeypatch):
    """A sleep that has committed all that waits does not list the memory in git to see what is not committed."""
    scene.lived(2)
    scene.open()
    scene.add("decision", "Use flock")
    asked = []
    ask = history.ask
    monkeypatch.setattr(
        history, "ask", lambda root, *words, **more: asked.append(words[0]) or ask(root, *words, **more)
    )
    scene.sleep()
    assert "ls-tree" not in asked
    assert "log" in asked


@pytest.mark.parametrize(("name", "encoding"), [(f"key_{SECRET}", "utf-8"), ("wide", "utf-16")])
def test_a_secret_in_a_name_or_in_utf_16(scene, name, encoding):
    """A file whose name is a secret is refused as one that holds one is, whatever its encoding, and nothing changes."""
    scene.write(f"memory/core/{name}.md", f"see {SECRET if encoding == 'utf-16' else 'it'}\n".encode(encoding))
    before = scene.everything()
    with pytest.raises(SecretError, match="would be committed"):
        scene.sleep()
    assert scene.everything() == before


def test_the_deletion_of_a_file_with_a_secret_in_its_name(scene):
    """The commit that adopts a deletion does not say the secret again."""
    scene.write(f"memory/core/{SECRET}.md", "x\n")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=mine")
    (scene.home / f"memory/core/{SECRET}.md").unlink()
    scene.sleep()
    assert scene.subjects()[0] == "sleep: adopt the deletion of memory/core/[REDACTED:github-token].md"
    assert SECRET not in scene.git("log", "-1", "--format=%B")


def test_what_the_last_sleep_has_noted_is_not_looked_at_again(scene, monkeypatch):
    """Lines by hand are looked for where a tier has changed since the last sleep, committed or not, and only there."""
    scene.lived()
    asked = []
    note = hand_edits.note
    monkeypatch.setattr(hand_edits, "note", lambda *words, **named: asked.append(1) or note(*words, **named))
    scene.cycle(2)
    assert asked == []
    hot = "memory/hot/decisions.md"
    for number, is_committed in enumerate((False, True), 1):
        scene.write(hot, scene.text(hot) + f"\n- Use engine {number} for all that is new\n")
        if is_committed:
            scene.git("commit", "--quiet", "--all", "--message=by hand")
        scene.sleep()
        assert len(asked) == number
        assert f"Use engine {number} for all that is new [" in scene.text(hot)
