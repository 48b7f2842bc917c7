"""What a program has sent in a person's name is told from what a person asks."""

from __future__ import annotations

import pytest

from sleep.compression import passages, recognition
from sleep.language.output import program_prompts
from sleep.transcripts.events import Event

HARNESS = """We're solving a puzzle. Your terminal session has started and you are in its root directory.

Submit your solution by the submit command. You should always wait for feedback after every command.
Never run commands through a pipe."""


@pytest.mark.parametrize(
    "text",
    [
        HARNESS,
        "You are an expert software engineer. Mend the light.",
        "Your task is to sum up the conversation so far. Your summary should include all requests.",
        "Du bist ein erfahrener Entwickler. Repariere das Licht.",
        "你是一名资深工程师。请修复。",
        "あなたは優秀なエンジニアです。直してください。",
    ],
)
def test_a_program_speaks_to_what_it_runs(text):
    """It gives its reader a role, or says in several sentences where they run and how they have to answer."""
    assert program_prompts.is_program_prompt(text)


@pytest.mark.parametrize(
    "text",
    [
        "You are right, the agent fails. Never do it again.",
        "Your task is to mend the light. Always run the tests first.",
        "You must never push to main. You must always run the linter.",
        "Thanks, you are the best!",
        "Your task is to mend the light. You have access to the harbour. Never touch the pier.",
        "The list should return only lit piers. Your task is to mend it. Never touch the pier.",
        "Your terminal session has ended again. You have access to it now. Never touch the pier.",
        "You are my pair programming assistant today. Never push to main.",
        'Its prompt is: "Your task is to answer. Your answer must be short." Never name the pier in it.',
        "Rewrite this prompt:\n> Your task is to answer.\n> Your answer must be short.\nNever name the pier in it.",
        "Was ist daran falsch: „Deine Aufgabe ist es zu helfen. Antworte nur kurz.“ Nenne nie den Hafen.",
    ],
)
def test_a_person_speaks_for_themselves(text):
    """Praise, a task and rules are a person's own."""
    assert not program_prompts.is_program_prompt(text)


def test_the_rules_of_a_program_bind_nobody():
    """What a harness says to every run is neither stated nor noticed as a person's rule; a person's is."""
    rule = "You should always wait for feedback after every command."
    states = {text: [run.states for run in passages.cut([Event("person", "prompt", text)])] for text in (HARNESS, rule)}
    assert states == {HARNESS: [""] * len(states[HARNESS]), rule: ["constraint"]}
    assert not recognition.find([Event("person", "prompt", HARNESS)])
