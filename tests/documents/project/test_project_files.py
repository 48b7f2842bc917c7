"""What a project's own files say that it is for."""

from __future__ import annotations

import pytest

from sleep.documents.project import project_files


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Tool\n\nTool counts bytes of files.\n", "Tool counts bytes of files."),
        ("Tool\n====\n\nIt counts bytes\nof files.\n", "It counts bytes of files."),
        ("# T\n\n[![b](c)](d)\n![e](f)\n\n> A **fast** [counter](u) of `bytes`.\n", "A fast counter of bytes."),
        ("<p align=x>\n<!-- a b c d e -->\n\n```\nnot this one here\n```\n\n- nor this item here\n", ""),
        ("# 记忆\n\n这是一个给代理用的记忆库。\n", "这是一个给代理用的记忆库。"),
        ("# T\n\nFast.\n\nIt counts the bytes of files.\n", "It counts the bytes of files."),
        ("", ""),
    ],
)
def test_of_a_readme_the_first_paragraph_of_prose(text, words):
    """Titles, badges, pictures, comments, code, lists and slogans are passed over; links and emphasis become words."""
    assert project_files.of_readme(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[project]\nname = "t"\ndescription = "Counts the bytes of files"\n', "Counts the bytes of files"),
        ('{"name": "t", "description": "Counts \\"the\\" bytes here"}', ""),
        ('{\n  "description": "Counts \\"all\\" the bytes"\n}', 'Counts "all" the bytes'),
        ("[metadata]\ndescription = Counts the bytes of files\n", "Counts the bytes of files"),
        ("descriptions = 4\n", ""),
    ],
)
def test_of_metadata_the_description(text, words):
    """A description is read as TOML, JSON and INI have it, at the beginning of a line."""
    assert project_files.of_metadata(text) == words


def test_a_long_paragraph_ends_with_a_sentence():
    """No purpose is longer than 300 characters, and it ends where a sentence does, if one does."""
    first = "It counts the bytes of every file that it is given. "
    assert project_files.of_readme(first * 9) == (first * 5).strip()
    assert len(project_files.of_readme("byte " * 90)) <= project_files.MOST + 1


def test_a_readme_is_asked_before_metadata():
    """The first file that says something is quoted, and named."""
    files = {"README.md": "# T\n", "package.json": '"description": "Counts the bytes of files"'}
    assert project_files.derive(files.get) == ("Counts the bytes of files", "package.json")
    files["README.md"] = "It tells which files grew.\n"
    assert project_files.derive(files.get).source == "README.md"
    assert project_files.derive({}.get) == ("", "")


def test_the_first_page_of_a_plan_is_asked_before_metadata():
    """Where no README says it, the page that a tool for plans begins with does."""
    texts = {
        "package.json": '{\n  "description": "Made by a generator, says nothing"\n}',
        ".planning/PROJECT.md": "# Tool\n\n## What This Is\n\nA counter of bytes for slow disks.\n",
    }
    assert project_files.derive(texts.get) == ("A counter of bytes for slow disks.", ".planning/PROJECT.md")
