"""The pages that errors name can be read with the command itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dev import ROOT
from sleep.errors import UsageError
from sleep.tasks.command_line import manual

_NAMED = re.compile(r"sleepwake help ([a-z]+(?:\.md)?(?:#[a-z-]+)?)")
_BARE = re.compile(r'"[^"\n]*docs/[a-z]+\.md[^"\n]*"')


def code():
    """Return the lines of the package that are no docstring of a module."""
    return {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "sleep").rglob("*.py"))}


def test_every_page_that_is_named_is_there():
    """Each page and section that a message names has a text."""
    named = {word for text in code().values() for word in _NAMED.findall(text)} - {"recovery#"}
    assert {"recovery#moves", "concurrency#branches", "configuration"} <= named
    assert [word for word in named if not manual.text(word)] == []


def test_no_message_names_a_page_of_a_checkout():
    """No text of the package sends somebody who has no checkout to a file below docs/ that is a page of ours."""
    bare = [match for text in code().values() for match in _BARE.findall(text)]
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"architecture.md", "README.md"}
    assert [words for words in bare if any(f"docs/{page}" in words for page in pages)] == []


@pytest.mark.parametrize("word", ["recovery#moves", "recovery.md#moves", "docs/recovery.md#moves"])
def test_a_section(run, word):
    """`help recovery#moves` prints that section alone, however the page is named."""
    code_, out, err = run("help", word)
    assert (code_, err) == (0, "")
    assert out.startswith("## moves\n")
    assert out.count("\n## ") == 0
    assert "*Exit code 5.*" in out


def test_a_page_and_a_task(run):
    """A page is printed whole; a word that is a task is the task's help."""
    assert run("help", "recovery")[1] == Path(ROOT / "docs/recovery.md").read_text(encoding="utf-8")
    assert run("help", "recall")[1].startswith("Usage: sleepwake recall")
    assert run("help", "recall.md")[1].startswith("# ")
    assert run("help", "note")[1].startswith("Usage: sleepwake note")


def test_a_section_that_is_not_there(run):
    """A section that a page does not have is a sentence, and what is no page's name is left to others."""
    with pytest.raises(UsageError, match="has no section 'none'"):
        manual.text("recovery#none")
    assert manual.text("a.b") == ""
    code_, _, err = run("help", "recovery#none")
    assert (code_, "sleepwake help recovery" in err) == (2, True)
