"""What programs print is told from what people note."""

from __future__ import annotations

import pytest

from sleep.language.output import program_output
from sleep.records.classification import text_kind

OUTPUT = (
    "2026-03-13 16:29:52 worker: value must not be null",
    "[2026-03-13T16:29:52Z] never retry",
    "16:29:52.120 INFO only if ready",
    "Mar 13 16:29:52 host cron[12]: must run",
    "System: [2026-03-13 16:29:52 GMT+11] Exec completed, Queued: 9b26",
    "INFO: always on",
    "[ERROR] decided to stop",
    "ValueError: must be positive",
    'level=info msg="must not fail" code=3',
    '{"level": "info", "msg": "never"}',
    "--force  never ask before",
    "$ git push --force",
    "FAILED tests/test_x.py::test_never",
)
NOTES = (
    "14:30 decided to wait for Ana",
    "[13:30] We chose flock",
    "2026-03-13: never deploy on Friday",
    "Use `--force` only if Ana says so",
    "ERROR handling must stay in one place",
    "Must be positive: 3",
    "Information must not leave",
    "{name} must be set",
)


@pytest.mark.parametrize("text", OUTPUT)
def test_output_is_no_record(text):
    """A line that a program printed is a note, under any heading."""
    assert program_output.is_output(text)
    assert text_kind(text) == text_kind(text, "constraint") == "note"


@pytest.mark.parametrize("text", NOTES)
def test_a_persons_note_is_read(text):
    """A line that a person wrote is no output, times and figures notwithstanding."""
    assert not program_output.is_output(text)


@pytest.mark.parametrize("text", ["[Queued messages while agent was busy]", "Queued #1"])
def test_a_queue_is_no_thread(text):
    """What a client puts around waiting messages is a note."""
    assert text_kind(text) == "note"


@pytest.mark.parametrize(
    "text",
    [
        "The backup runs. Want me to push it?",
        "Shall I open the pull request?",
        "Would you like me to add tests?",
        "Should I go ahead?",
        "Soll ich das ändern?",
        "要不要我提交？",
    ],
)
def test_an_offer_is_no_question(text):
    """What politely offers help stays open for nobody."""
    assert text_kind(text) == "note"


@pytest.mark.parametrize(
    "text", ["Should retries be capped?", "Who owns the nightly job?", "Can I get a refund as a user?"]
)
def test_a_question_is_one(text):
    """What asks for something that is not known is a question."""
    assert text_kind(text) == "question"


PASTED = """I have `app` aliased
➜  site git:(main) ✗ which app
app: aliased to /srv/app
➜  site git:(main) ✗

When I run it, it takes ten seconds.
 FAIL  tests/a.test.ts
    > 119 |     expect(x)
          |     ^
      at tests/a.test.ts:119:36
Tests:       3 failed, 487 passed
TypeError: x is not a function"""


def test_what_was_pasted_of_a_terminal_is_left_out():
    """Prompts, what was printed below them, frames and counts go; a person's words and what failed stay."""
    assert program_output.without_pastes(PASTED).split("\n") == [
        "I have `app` aliased",
        "",
        "When I run it, it takes ten seconds.",
        "TypeError: x is not a function",
    ]


@pytest.mark.parametrize("text", ["It costs $ 5 or mail ana@box.org", "| a | b |", "Time is short.", "$ git push"])
def test_a_persons_words_stay_as_they_are(text):
    """Prices, tables and words are nothing that was pasted, and a text of nothing else is as it was."""
    assert program_output.without_pastes(text) == text


def test_what_was_pasted_of_a_log_or_a_mail_is_left_out():
    """Lines of a log and the head of a mail go, what failed stays."""
    log = "\n".join(f"10:11:1{number} the box must wait" for number in range(4))
    mail = "From: Ana <ana@box.org>\nTo: Bo <bo@box.org>\nSubject: The box"
    text = f"Why is it slow?\n{log}\nKeyError: 'box'\n\n{mail}\n\nCan you answer her?"
    assert program_output.without_pastes(text).split("\n") == [
        "Why is it slow?",
        "KeyError: 'box'",
        "",
        "Can you answer her?",
    ]
