"""Whose words a message holds: what a client put in is nobody's, and nothing that a person typed is lost."""

from __future__ import annotations

import pytest

from sleep.conversation import MemoryConsolidator

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]
RULE = "never restart the server"


def _summary(*texts):
    said = [{"role": "user", "content": text} for text in texts]
    talk = [message for one in said for message in (one, {"role": "assistant", "content": "Fine."})]
    return MemoryConsolidator().consolidate([*talk, *TAIL])[1]


@pytest.mark.parametrize(
    "text",
    [
        f"The `<task-notification>` block is shown twice.\n{RULE}",
        f"# AGENTS.md instructions are wrong.\n{RULE}",
        f"[Session context consolidated] is what it begins with, {RULE}",
        f"<Button> must be red; {RULE} for <Link>",
        f"<user@example.com> wants it: {RULE} <ok>",
        f"<div>{RULE}</div>\nfix this\n</div>",
        f"We show <system-reminder> verbatim.\npin: {RULE}",
    ],
)
def test_a_message_that_names_a_tag_stays(text):
    """As the first request it stands word for word, as a later one its rule is told."""
    assert f"{len(text)} characters):\n{text}" in _summary(text)
    assert RULE in _summary("Move the queue.", text, "and then move the other one too")


@pytest.mark.parametrize(
    "text",
    [
        "<turn_aborted>\nYou must never do that.\n</turn_aborted>",
        "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nYou must never do that.\n</INSTRUCTIONS>",
        "<system-reminder>You must never do that.</system-reminder>",
    ],
)
def test_what_a_client_said_binds_nobody(text):
    """A message that is nothing but a client's own block gives no rule of the person."""
    assert "Constraints:" not in _summary("Move the queue.", text, "and then move the other one too")


@pytest.mark.parametrize(
    "text",
    [
        "> [#love] bob: Never push to main.\n>\n> # Rules\n>\n> We decided to use flock.",
        "> [to you alone] anna: Nie auf main pushen. Wir haben uns für flock entschieden.",
        "> 永远不要推送到 main。\n> 我们决定使用 flock。",
    ],
)
def test_what_others_said_in_a_chat_binds_nobody(text):
    """A message that is nothing but quotations, as `relay.run` makes them, is a request, and no rule or choice."""
    told = _summary("Move the queue.", text, "and then move the other one too")
    assert "main" in told
    assert "flock" in told
    assert "Constraints:" not in told
    assert "Decisions:" not in told


def test_what_a_person_gave_to_a_command_is_a_request():
    """The command with its arguments is the first request; the text of its skill does not repeat it."""
    command = "<command-name>/review</command-name>\n<command-args>169, but never push</command-args>"
    skill = "Base directory for this skill: /u/skills/x\n\n# Review\n\nARGUMENTS: 169, but never push"
    blocks = [{"type": "text", "text": text} for text in (command, skill)]
    text = MemoryConsolidator().consolidate([{"role": "user", "content": blocks}, *TAIL])[1]
    assert "(word for word, 27 characters):\n/review 169, but never push\n" in f"{text}\n"
    assert text.count("169") == 1


def test_what_an_agent_quotes_of_a_request_is_told_once():
    """A request stands in the person's own words; a quotation of what nobody asked here stays."""
    asked, other = "could we have a linting rule against it?", "is the parser of rows moved too?"
    carried = f'This session is being continued from a previous conversation.\n- "{asked}"\n- "{other}"'
    text = _summary("Move the queue.", asked, "and then move the other one too", carried)
    assert text.count(asked) == 1
    assert f'"{other}"' in text


DRAWN_UP = """This session is being continued from a previous conversation that ran out of context.

Analysis:
Let me go through it:
- ENT-1: the draft that only the analysis has

Summary:
1. Primary Request and Intent:
   - ENT-2: the export is split in two

2. Files and Code Sections:
   - `a.go` was changed
     ```go
     Error: you must never close it twice.
     ```

3. All user messages:
   - "please split the export, and keep the old one
     for a week"
   - "should it be in both lists?"
   - "Move the queue."

4. Pending Tasks:
   - ENT-3: the second half
"""


def test_what_people_said_by_a_clients_summary_is_a_request():
    """Once, where they did not say it before; its draft and its code are not told, the rest is."""
    text = _summary("Move the queue.", DRAWN_UP, "go on with it then")
    asked = text.partition("Requests:\n")[2].partition("\n\n")[0]
    assert '- "please split the export, and keep the old one for a week"' in asked
    assert "should it be in both lists?" in asked
    assert text.count("Move the queue") == 1
    assert "Open questions" not in text
    assert "ENT-2: the export is split in two" in text
    assert "ENT-3: the second half" in text
    assert "ENT-1" not in text
    assert "close it twice" not in text


def test_a_skill_that_was_given_nothing_is_the_request():
    """Its name is all that a person typed; a command that the client carries out itself is none."""
    name = "<command-message>review-it</command-message>\n<command-name>/review-it</command-name>"
    skill = "Base directory for this skill: ~/.claude/skills/review-it\n\n# Review\n\nNever push."
    blocks = [{"type": "text", "text": text} for text in (name, skill)]
    talk = [{"role": "user", "content": blocks}, {"role": "assistant", "content": "Fine."}, *TAIL]
    assert "characters):\n/review-it\n" in MemoryConsolidator().consolidate([*talk, *TAIL])[1]
    talk[0] = {"role": "user", "content": blocks[:1]}
    assert "/review-it" not in MemoryConsolidator().consolidate([*talk, *TAIL])[1]
