"""A snapshot tells no secret, whatever a memory holds."""

from __future__ import annotations

import pytest
from scene import SECRET

HOME = "/ho" + "me/ana/work/app"
FILES = {
    "core/2.memory.md": f"# Memory\n\nThe key is {SECRET} in {HOME}/key.\n",
    "hot/decisions.md": f"# D\n\n## Decisions\n\n- **D-001** Use {SECRET} [i1qxk.1]\n  - why: Passwort: Zq5mHb8Lw1\n",
    "hot/threads.md": f"# Threads\n\n## Threads\n\n- **T-001** The login [i1qxk.2]\n  - next: rotate {SECRET}\n",
}  # fmt: skip


@pytest.mark.parametrize("budget", [None, 9_500, 900])
def test_what_was_committed_before_a_rule_knew_it(world, budget):
    """A secret or a home that stands in a page or a tier is told to no session, and what stands about it is."""
    text = world.lay(FILES).text(budget)
    assert SECRET not in text
    assert HOME not in text
    assert "Zq5mHb8Lw1" not in text
    assert budget == 900 or ("[REDACTED:github-token]" in text and "~/work/app/key" in text)


def test_a_briefing_tells_none_either(world):
    """What a sub-agent is told is without secrets."""
    text = world.lay(FILES).briefing()
    assert "[REDACTED:github-token]" in text
    assert SECRET not in text
