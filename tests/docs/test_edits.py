"""What counts as an edit is named in the page of the clients."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from sleep.clients import client_table

PAGE = Path(__file__).resolve().parents[2] / "docs/clients.md"


@pytest.mark.parametrize("name", client_table.CLIENTS)
def test_every_edit_of_a_client_is_named(name):
    """The page names each tool of a client whose calls are counted as edits, in the paragraph that says what counts."""
    text = PAGE.read_text(encoding="utf-8")
    (paragraph,) = [part for part in text.split("\n\n") if part.startswith("An edit is counted by its id")]
    reader = importlib.import_module(f"sleep.transcripts.formats.{name}")
    assert client_table.of(name).title in " ".join(paragraph.split())
    assert [tool for tool in getattr(reader, "EDITS", ("apply_patch",)) if f"`{tool}`" not in paragraph] == []
