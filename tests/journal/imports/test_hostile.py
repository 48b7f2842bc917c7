"""Documents that are made to be slow: no reader of what is taken in needs longer than they are long."""

from __future__ import annotations

import pytest
from processor_time import spent

from sleep.compression import document
from sleep.journal.imports import adr, conversion, templates
from sleep.records.address import InstanceId

SECONDS = 1.5  # what is read in turn takes a quarter of a second, what is quadratic takes seven or more
N = 6_000
TIMES = {"started": "2026-11-21T10:00:00Z", "ended": "2026-11-21T10:00:00Z"}


def take(text):
    """Import a text."""
    conversion.canonical(text, InstanceId(1, "abc"), TIMES, {})


CASES = {
    "a record of many headings": (adr.read, "".join(f"## Decisions {number}\n" for number in range(N))),
    "a record of many labels": (adr.read, "- **Decision:** x\n- **Why:** y\n" * N),
    "a status with spaces": (adr.read, f"# A\n\n## Decision\n\nUse it.\n\nStatus: a{' ' * 100_000}b\n"),
    "a heading with spaces": (adr.read, f"# A\n\n## Decision{' ' * 100_000}b\n\nUse it.\n"),
    "comments without an end": (templates.without_comments, "<!-- " * 10 * N),
    "brackets of choices": (lambda text: templates.is_blank("", text), f"[{'|' * N}"),
    "a brace with spaces": (lambda text: templates.is_blank("", text), f"{{{'a b ' * N}"),
    "one step again and again": (take, "## Open tasks\n\n" + "- [ ] fix the lock of the module\n" * (N // 4)),
    "headings that are underlined": (take, "Decision\n---\n" * (N // 2)),
    "a sentence of many clauses": (
        lambda text: document.compress(text, 4_000),
        f"## Decision\n\n- **Decision:** {'use it because: ' * 2 * N}\n",
    ),
    "sentences without spaces": (lambda text: document.compress(text, 4_000), "决定使用锁文件，因为它很快。" * N),
}


@pytest.mark.parametrize("name", CASES)
def test_time_is_bounded(name):
    """A document that is made to be slow is read in time."""
    assert spent(*CASES[name]) < SECONDS
