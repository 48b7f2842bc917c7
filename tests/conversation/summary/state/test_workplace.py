"""What a client says of where the agent works stays whole where it has room, and else by name."""

from __future__ import annotations

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import summary_text

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]
ENVIRONMENT = "<environment_context>\n  <cwd>/p</cwd>\n  <shell>zsh</shell>\n</environment_context>"


def _item(*texts):
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text} for text in texts]}


def _rules(text):
    return f"# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\n{text}\n</INSTRUCTIONS>"


def test_the_projects_rules_stay_whole():
    """The last message with them stands before the summary as it was, and again after the next round."""
    first, last = (_item(_rules(f"Never push to {name}."), ENVIRONMENT) for name in ("old", "main"))
    talk = [first, _item("Mend it."), last, *TAIL]
    consolidator = MemoryConsolidator()
    for _ in range(2):
        history, text = consolidator.consolidate([*talk, *TAIL])
        assert history[0] == last
        assert first not in history
        assert "First request (word for word, 8 characters):\nMend it." in text
        assert "project rules" not in text
        talk = history


def test_rules_that_are_too_long_are_told_by_name():
    """The state says which rules are gone and where the agent works, in later rounds too; none is the person's."""
    consolidator = MemoryConsolidator(max_tokens=4_000)
    history = [_item(_rules("Never push to main. " * 400), ENVIRONMENT), _item("Mend it."), *TAIL]
    for _ in range(2):
        history, text = consolidator.consolidate([*history, *TAIL])
        state = summary_text.read(text).state
        assert "project rules: AGENTS.md in /p (not here any more: read it again)" in state
        assert "environment: cwd /p; shell zsh" in state
        assert "Never push" not in text


def test_a_message_that_speaks_of_rules_is_a_persons():
    """With a word of the person's own beside it, or without its end, it is theirs and goes like others."""
    said = _item(_rules("Never push to main."), "and mend it")
    history, text = MemoryConsolidator().consolidate([said, *TAIL, *TAIL])
    assert said not in history
    assert "and mend it" in text


def test_rules_make_room_for_the_summary_beside_a_large_system():
    """They can be read again; what was said cannot."""
    system = {"role": "developer", "content": "x" * 39_000}
    talk = [_item(_rules("Never push to main. " * 350), ENVIRONMENT), _item("Mend it."), *TAIL]
    ruled = {"role": "assistant", "content": "Decision: the port is 4711"}
    outcome = MemoryConsolidator(max_tokens=20_000).outcome([system, *talk, ruled, *TAIL])
    assert outcome.report.fits
    assert "the port is 4711" in outcome.summary
    assert "project rules: AGENTS.md in /p (not here any more: read it again)" in outcome.summary
