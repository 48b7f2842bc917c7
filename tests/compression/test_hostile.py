"""Texts that are made to be slow: what is said of them is said in time."""

from __future__ import annotations

import pytest
from processor_time import spent

from sleep.compression import message_blocks, segments
from sleep.documents import journal
from sleep.documents.hand import reason_parts
from sleep.journal.capture import findings, material
from sleep.journal.imports import conversion
from sleep.language import sentences
from sleep.language.acts import kind_names
from sleep.records.address import InstanceId
from sleep.transcripts.events import Event

SECONDS = 3
N = 40_000


def cut(words):
    """Import a line and cut its journal into pieces."""
    times = {"started": "2026-11-21T10:00:00Z", "ended": "2026-11-21T10:00:00Z"}
    return segments.cut(journal.read(conversion.canonical(f"# Day\n\n{words}\n", InstanceId(1, "abc"), times, {})[0]))


CASES = {
    "links without a space": (cut, f"{'http://a' * 40} x"),
    "a heading with spaces": (lambda text: list(message_blocks.parse(text)), f"# a{' ' * N}b"),
    "headings of signs": (lambda text: [kind_names.trimmed(text) for _ in range(600)], f"a{'-=' * 75}b"),
    "a heading of a part": (reason_parts._NESTED.findall, f"## a{' ' * N}b"),
    "names with hyphens": (findings._names, "a-" * N),
    "a command with spaces": (lambda text: material._key(Event("agent", "run", text)), f"echo a{' ' * N}b"),
    "short sentences": (lambda text: sentences.clauses(text, is_typed=True), "so it is. " * N + "`"),
}


@pytest.mark.parametrize("name", CASES)
def test_time_is_bounded(name):
    """What is made to be slow takes no longer than it is long."""
    assert spent(*CASES[name]) < SECONDS


@pytest.mark.parametrize(
    ("line", "title"), [("# A b", "A b"), ("## A #  ", "A"), ("# C#", "C"), ("# a # b ##", "a # b")]
)
def test_a_heading_has_its_words_without_the_signs_around_them(line, title):
    """What closes a heading is none of its words, whatever space follows it."""
    assert [(kind, words) for kind, _, words, _ in message_blocks.parse(line)] == [("heading", title)]
