"""What a later word makes of an earlier one, and in which order things were said."""

from __future__ import annotations

import pytest

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import summary_text

PROPOSAL = "The email is not sensitive, so the simplest fix is to keep `userEmail` in localStorage."
TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]


def _person(text):
    return {"role": "user", "content": text}


def _agent(text):
    return {"role": "assistant", "content": text}


def _summary(*talk, tail=TAIL):
    return MemoryConsolidator().consolidate([_person("Rework the login."), *talk, *tail])[1]


def _decisions(text):
    return text.partition("Decisions:\n")[2].partition("\n\n")[0].split("\n")


@pytest.mark.parametrize(
    "veto",
    [
        "hmm, given the privacy focus I think its better not to store the email in local storage",
        "No, never keep an email in the browser.",
        "Let's not put the email there, use the session.",
    ],
)
def test_a_veto_stands_with_what_it_vetoes(veto):
    """The person's words and the agent's proposal are one line, and the proposal stands nowhere else."""
    text = _summary(_agent(f"I looked at it.\n{PROPOSAL}\nThe rest is fine."), _person(veto))
    assert f"- {veto} — vetoes: {PROPOSAL} @2" in _decisions(text)
    assert text.count("localStorage") == 1
    assert text.count(veto) == 1


def test_a_call_that_was_refused_stands_with_the_persons_words():
    """What a person said in refusing a call is theirs, with the call and its file."""
    given = {"name": "Edit", "arguments": '{"file_path": "/p/a.go", "old_string": "x"}'}
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed,"
        " the user said:\nuse a constant instead"
    )
    text = _summary(
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": given}]},
        {"role": "tool", "tool_call_id": "c1", "content": refused},
        _agent("Fine."),
    )
    assert "- use a constant instead — vetoes: [Edit] /p/a.go" in _decisions(text)
    assert "doesn't want to proceed" not in text
    assert "files changed" not in text


def test_a_veto_among_what_stays_marks_what_it_vetoes():
    """The proposal in the summary says that a message below vetoes it."""
    text = _summary(_agent(PROPOSAL), tail=[_person("No, the email must not be in local storage."), *TAIL[1:]])
    assert f"{PROPOSAL} (vetoed below)" in text


def test_an_answered_question_is_not_open():
    """A question stands with its answer; one that nobody answered stays open."""
    text = _summary(
        _agent("Should the old session rows be kept?"), _person("yes"), _agent("Is the cache shared?"), *TAIL[:2]
    )
    assert "- Should the old session rows be kept? — answered: yes @2" in _decisions(text)
    assert "Open questions:\n- Is the cache shared? @2" in text


def test_a_question_of_a_person_is_a_request():
    """What a person asked and the agent spoke to is not open."""
    text = _summary(_person("What does the retry loop do?"), _agent("It waits."))
    assert "Open questions:" not in text
    assert "Requests:\n- What does the retry loop do? @2" in text


def test_a_choice_that_was_replaced_says_so():
    """An earlier choice bears the number of the message that took its place; another does not."""
    text = _summary(
        _agent("Decision: we keep the sessions in Redis."),
        _agent("Decision: the port is 4711."),
        _person("We no longer use Redis, put the sessions into Postgres."),
        _agent("Done."),
    )
    assert "- Decision: we keep the sessions in Redis. (superseded @2)" in text
    assert "- Decision: the port is 4711.\n" in text


def test_a_choice_of_an_earlier_summary_is_replaced_too():
    """The line that was kept before says that it is past, also in a later round, once."""
    consolidator = MemoryConsolidator()
    history = consolidator.consolidate([_person("go"), _agent("Decision: we keep the sessions in Redis."), *TAIL])[0]
    news = _person("We no longer use Redis, put the sessions into Postgres.")
    for more in (news, _person("Go on.")):
        history, text = consolidator.consolidate([*history, more, *TAIL])
    assert text.count("(superseded") == 1
    assert "- Decision: we keep the sessions in Redis. (superseded @" in text


def test_facts_say_after_which_message_they_were_said():
    """Numbers go up with the messages of people, go on in the next round, and the summary says what they mean."""
    consolidator = MemoryConsolidator()
    talk = [_person("go"), _agent("Decision: alpha it is."), _person("on with beta"), _agent("Decision: beta it is.")]
    history, text = consolidator.consolidate([*talk, *TAIL])
    assert "- Decision: alpha it is.\n- Decision: beta it is. @2" in text
    assert "Order: @n stands behind what was said after the n-th message of a person, of 2; the later holds." in text
    again = consolidator.consolidate([*history, _agent("Decision: gamma it is."), *TAIL])[1]
    assert "- Decision: gamma it is. @4" in again
    assert summary_text.read(again).people == 4


def test_a_summary_that_a_client_had_written_is_the_agents():
    """What a client puts into a person's message is no rule and no request of theirs."""
    continued = (
        "This session is being continued from a previous conversation that ran out of context.\n"
        "Decision: we keep Postgres.\n"
        "Please continue the conversation from where we left it off without asking the user any further questions."
    )
    text = MemoryConsolidator().consolidate([_person(continued), _agent("Fine."), _person("Rework billing."), *TAIL])[1]
    assert "First request (word for word, 15 characters):\nRework billing." in text
    assert "without asking" not in text
    assert "- Decision: we keep Postgres." in text


def test_a_question_to_the_person_is_closed_by_the_next_message():
    """What the agent offered or wanted to be told is not open once the person spoke; a question to nobody is."""
    open_question = "Does anybody know who owns the ledger?"
    text = _summary(
        _agent(f"Would you like me to migrate the rows?\n{open_question}"), _person("show the schema first")
    )
    assert "Would you like" not in text
    assert f"- {open_question}" in text.partition("Open questions:\n")[2]


def test_an_answer_in_a_form_of_the_client_is_a_decision():
    """Question and answer are one line, and the client's words about it are gone."""
    given = {"name": "AskUserQuestion", "arguments": '{"questions": []}'}
    text = _summary(
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": given}]},
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": 'User has answered your questions: "Which store should hold it?"="Redis". You can now continue.',
        },
        _agent("Fine."),
    )
    assert "- Which store should hold it? — answered: Redis" in _decisions(text)
    assert "You can now continue" not in text


def test_a_question_that_begins_with_wait_is_no_veto():
    """`wait what is that` asks; `wait, not there` vetoes."""
    said = f"I looked at it.\n{PROPOSAL}"
    assert " — vetoes: " not in _summary(_agent(said), _person("wait why is the email in there twice"))
    assert " — vetoes: " in _summary(_agent(said), _person("wait, keep the email out of there"))


@pytest.mark.parametrize("reply", ["A", "I think A) is fine, let's add it.", "option a please"])
@pytest.mark.parametrize("asks_first", [True, False])
def test_an_answer_by_letter_tells_what_was_chosen(reply, asks_first):
    """The question is closed, and what stands behind the letter stands with the answer."""
    listed, asked = "- **A)** the metadata\n- **B)** a file of its own", "Which way of keeping them do you prefer?"
    text = _summary(_agent(f"{asked}\n\n{listed}" if asks_first else f"{listed}\n\n{asked}"), _person(reply))
    assert f"- {asked} — answered: {reply} (the metadata) @2" in _decisions(text)
    assert "Open questions:" not in text


def test_a_reply_with_a_list_of_its_own_picks_nothing():
    """Numbers before what a person orders are not those of the options."""
    text = _summary(
        _agent("1. the metadata\n2. a file\n\nWhich way do you prefer?"), _person("1. mend the tests\n2. push them")
    )
    assert "answered" not in text


def test_words_that_answer_several_questions_stand_once():
    """Questions that one message answers are one line, and the answer stands once behind them."""
    asked = "Should the old rows be kept?\nShould the log of rows stay readable?"
    answer = "keep the rows for a month, the log is readable for admins and nobody else"
    text = _summary(_agent(f"I looked at it.\n{asked}"), _person(answer))
    both = asked.replace("\n", " · ")
    assert f"- {both} — answered: {answer} @2" in _decisions(text)
    assert text.count("keep the rows for a month") == 1


def test_a_list_of_answers_stands_with_the_list_of_questions():
    """Each answer of a numbered list is told behind the question of its number, in order, and none is open."""
    asked = (
        "Two things first:\n\n1. **Old rows**: Should we show them? Hide them?\n"
        "2. **Depth**: How far back do we look? (e.g. 50, all?)"
    )
    text = _summary(_agent(asked), _person("1. no\n2. we look at 50 and take what is linked"))
    assert _decisions(text)[:2] == [
        "- Old rows: Should we show them? Hide them? — answered: 1. no @2",
        "- Depth: How far back do we look? (e.g. 50, all?) — answered: 2. we look at 50 and take what is linked @2",
    ]
    assert "Open questions:" not in text
    assert "Constraints:" not in text


def test_a_list_that_answers_nothing_is_no_answer():
    """Behind an agent's list without a question a person's list is their own."""
    said = "1. I read it.\n2. I ran it.\n3. It passed."
    assert "answered:" not in _summary(_agent(said), _person("1. rename the table\n2. drop the view\n3. tell me"))


def test_a_question_that_a_person_passed_over_is_not_open():
    """An agent's question behind which a person spoke four times is told as a fact; a later one is open."""
    old, new = "Does the picker show any session?", "Is the cache shared?"
    talk = [part for number in range(4) for part in (_person(f"and part {number}?"), _agent("Fine."))]
    text = _summary(_agent(f"I copied it.\n{old}"), *talk, _agent(new))
    assert text.partition("Open questions:\n")[2].partition("\n\n")[0] == f"- {new} @5"
    assert f"- {old}" in text.partition("Facts:\n")[2]
