"""What a client put into a person's message is taken out, and never what the person typed."""

from __future__ import annotations

import pytest

from sleep.transcripts import boilerplate

RULE = "Never restart the server while the migration runs."


@pytest.mark.parametrize(
    "text",
    [
        f"Our parser must handle the <system-reminder> tag. {RULE}",
        f"The `<task-notification>` block is shown twice.\n{RULE}",
        f"<system-reminder> is shown twice.\n{RULE}",
        f"<system-reminder> is shown twice, up to `</system-reminder>`.\n{RULE}",
        f"Base directory for this skill: wrong. {RULE}",
        f"Continue the conversation from where we left off, but ask first. {RULE}",
        f"<b>Never</b> say so.\n{RULE}",
        f"> <system-reminder>\n\n{RULE}\n\n> Its end is </system-reminder>",
    ],
)
def test_a_tag_that_is_spoken_about_takes_nothing_along(text):
    """In prose, or where it is not closed, a client's tag is a person's word, and what stands behind it stays."""
    assert boilerplate.strip(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>\nUse tools.\n</system-reminder>\n{}",
        "<command-message>x</command-message> <command-name>/x</command-name>\n{}",
        "{}\n  <ide_opened_file>The user opened a.py</ide_opened_file>",
        "Continue the conversation from where we left off without asking the user any further questions.\n{}",
        "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\n{}",
        "{}\n\nTo-do's from the plan have already been created. Do not create them again. Don't stop.",
        "{}\nBase directory for this skill: /u/skills/x\n\n# Never\n\nYou must never do it.",
    ],
)
def test_a_block_of_a_client_is_taken_out(text):
    """An element that begins a line and is closed, a client's sentence and a skill's text are not the person's."""
    assert boilerplate.strip(text.format(RULE)) == RULE


def test_a_block_that_is_cut_off_is_all_of_a_message():
    """What begins with a client's block has no words of a person, also where somebody cut its end away."""
    assert boilerplate.strip(f"<hook_context>\nTold by a hook. {RULE} ...[cut 99758]") == ""
    assert boilerplate.strip(f"<local-command-stdout>Compacted. {RULE}") == ""


def test_what_a_person_gave_to_a_command_is_theirs():
    """The arguments of a command and of a skill are told, the skill's text is not."""
    command = "<command-name>/review</command-name>\n<command-args>169, but never push</command-args>"
    skill = (
        "Base directory for this skill: /u/skills/x\n\n# Review\n\nARGUMENTS: none\n\nARGUMENTS: 169, but never push"
    )
    assert boilerplate.arguments(command) == "/review 169, but never push"
    assert boilerplate.arguments(skill) == "169, but never push"
    assert boilerplate.arguments("Look at `<command-args>x</command-args>`.") == ""
    assert boilerplate.arguments("<command-name>/exit</command-name>\n<command-args></command-args>") == ""


def test_the_button_of_an_editor_is_no_prompt():
    """What an editor writes for a button says nothing; a person who names the agent says what they want."""
    for button in ('@agent Continue: "Continue to iterate?"', '@agent Продолжить: "Продолжить итерацию?"'):
        assert boilerplate.strip(button) == ""
    for text in ('@agent why: "Continue?" is shown twice', "@agent rename it, please"):
        assert boilerplate.strip(text) == text
