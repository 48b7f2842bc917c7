"""What is offered: every tool stands for a command that there is, and its fields for flags that it takes."""

from __future__ import annotations

import json

import pytest

from sleep.errors import UsageError
from sleep.mcp_server import advice, arguments, prompts, text_form
from sleep.mcp_server.tools import FLAG, LIST, LONGEST, NUMBER, TEXT, TOOLS, Field, Tool
from sleep.records import kinds
from sleep.tasks import collection

NAMED = sorted(TOOLS)
VALUE = {FLAG: True, NUMBER: 7, TEXT: "a text", LIST: ["one", "two"]}


def task(name):
    """Return the task of a command."""
    return collection.find(name)


def value(field):
    """Return a value that a field takes."""
    one = field.choices[0] if field.choices else VALUE.get(field.form, "D-014")
    return [one] if field.form == LIST and field.choices else max(one, field.least) if field.form == NUMBER else one


@pytest.mark.parametrize("name", NAMED)
def test_every_tool_has_words_for_a_model(name):
    """A name of letters and underscores, a description that is one, a schema without more, and true hints."""
    wire = TOOLS[name].wire
    assert wire["name"].replace("_", "").isalpha()
    assert len(wire["description"]) > 20
    assert wire["inputSchema"]["additionalProperties"] is False
    assert all(one.get("description") for one in wire["inputSchema"]["properties"].values())
    hints = wire["annotations"]
    assert hints["readOnlyHint"] is not ("destructiveHint" in hints)
    assert hints["openWorldHint"] is False
    json.dumps(wire)


@pytest.mark.parametrize("name", [name for name in NAMED if TOOLS[name].words])
def test_every_tool_stands_for_a_command(name):
    """The command is there, it takes every flag that the tool's fields become, and JSON where facts are wanted."""
    tool = TOOLS[name]
    flags = {one.name for one in task(tool.words[0].split()[0]).parameters}
    asked = arguments.asked(tool, {field.name: value(field) for field in tool.fields})
    given = {word.partition("=")[0][2:].replace("-", "_") for word in asked.words[1:]}
    assert given <= {flag.replace("-", "_") for flag in flags}
    assert "root" in flags
    assert ("--json" in asked.words) == tool.is_facts


def test_whose_word_an_entry_is():
    """Adding to the journal can say that these are the person's words, and nobody else's."""
    (field,) = [one for one in TOOLS["journal_add"].fields if one.name == "said_by"]
    assert field.choices == ("person",)
    asked = arguments.asked(TOOLS["journal_add"], {"kind": "decision", "text": "x", "said_by": "person"})
    assert "--said-by=person" in asked.words


@pytest.mark.parametrize("name", ["why", "reason"])
def test_a_reason_is_answered_by_both_its_names(name):
    """A move's reason is `why`, as a decision's is, and a model that calls it `reason` is understood."""
    asked = arguments.asked(TOOLS["decision_reverse"], {"handle": "D-001", name: "slow"})
    assert asked == (("decision.reverse", "--handle=D-001", "--why=-"), "slow")
    asked = arguments.asked(TOOLS["review_confirm"], {"handle": "D-001", name: "slow"})
    assert asked.text == "slow"


def test_the_fields_of_a_record_are_those_of_its_kind():
    """Adding to the journal can give every field that a kind asks for."""
    from sleep.records.kinds import KINDS  # noqa: PLC0415

    wanted = {name.replace(" ", "_") for kind in KINDS.values() for name in kind.fields}
    assert wanted - {"files"} <= {field.name for field in TOOLS["journal_add"].fields}


def test_arguments_become_words_that_no_value_can_leave():
    """A value that looks like a flag stays the value of its own, prose goes through standard input."""
    given = {"kind": "note", "text": "--root=/\n$(x) `y`", "why": "--json", "alternatives": ["-a", "b c"], "topic": ""}
    asked = arguments.asked(TOOLS["journal_add"], given)
    assert asked.text == "--root=/\n$(x) `y`"
    assert asked.words == (
        "journal.add",
        "--kind=note",
        "--text=-",
        "--why=--json",
        "--alternative=-a",
        "--alternative=b c",
    )


TOOL = Tool(
    "made",
    "Made",
    "For tests.",
    ("made",),
    (
        Field("word", "a word", "--word=", required=True),
        Field("text", "a text", "--text=", TEXT),
        Field("count", "how many", "--count=", NUMBER, most=9),
        Field("least", "how few", "--least=", NUMBER, default=4),
        Field("flag", "whether", "--flag", FLAG),
        Field("many", "several", "--one=", LIST, choices=("a", "b")),
        Field("handle", "a number", "--handle=", pattern="^[a-z]+$"),
    ),
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "made needs word: a word"),
        ({"word": None}, "made needs word"),
        ({"word": " \n"}, "word is empty"),
        ({"word": 7}, "a string"),
        ({"word": "x", "other": 1}, "cannot take 'other' (would be right: word, text"),
        ({"word": "x" * (LONGEST["word"] + 1)}, "word has 8001 characters (would be right: at most 8000)"),
        ({"word": "x", "text": "x" * (LONGEST[TEXT] + 1)}, "at most 100000"),
        ({"word": "a\0b"}, "NUL"),
        ({"word": "a\ud800b"}, "half of a pair"),
        ({"word": "x", "count": 10}, "a whole number from 1 to 9"),
        ({"word": "x", "count": 1.5}, "a whole number"),
        ({"word": "x", "count": True}, "a whole number"),
        ({"word": "x", "count": float("nan")}, "a whole number"),
        ({"word": "x", "count": float("inf")}, "a whole number"),
        ({"word": "x", "least": 0}, "a whole number from 1)"),
        ({"word": "x", "flag": "yes"}, "true or false"),
        ({"word": "x", "many": "a"}, "a list"),
        ({"word": "x", "many": ["c"]}, "one of: a, b"),
        ({"word": "x", "many": ["a"] * 51}, "at most 50"),
        ({"word": "x", "many": [["a"]]}, "a string"),
        ({"word": "x", "handle": "--root=/"}, "would be right: a number"),
        ({"word": "x", "handle": "a\n"}, "would be right: a number"),
    ],
)
def test_each_way_to_be_wrong_has_its_sentence(given, said):
    """What is missing, unknown, too long, of the wrong type or none of the choices is said, with what is right."""
    with pytest.raises(UsageError) as raised:
        arguments.asked(TOOL, given)
    assert said in str(raised.value)
    assert len(str(raised.value)) < 300


def test_what_says_nothing_is_left_out():
    """Null, empty text, an empty list and false are as if they had not been given, and a default stands in."""
    given = {"word": "x", "text": "", "count": 3.0, "flag": False, "many": [], "handle": None}
    assert arguments.asked(TOOL, given) == (("made", "--word=x", "--count=3", "--least=4"), "")


def test_facts_are_told_as_lines():
    """Nested facts are lines, further in; what says nothing is left out, nought and no are not."""
    facts = {
        "debt": 0,
        "is_due": False,
        "last_sleep": None,
        "sessions": [{"id": "a", "says": "one\ntwo", "tags": ["x", "y"]}, {"id": "b", "fields": {"why": ""}}],
        "set_aside": [],
    }
    assert text_form.render(facts) == (
        "debt: 0\nis due: no\nsessions:\n  - id: a\n    says:\n      one\n      two\n    tags: x, y\n  - id: b"
    )
    assert text_form.render([]) == "none"
    assert text_form.render({"a": None}) == "none"
    assert text_form.render(7) == "7"


def test_of_a_long_list_the_newest_are_told():
    """A list that is longer than a client shows is cut between its items, and what is left out is counted."""
    facts = [{"number": f"D-{number:03}", "says": "words"} for number in range(100)]
    text = text_form.render(facts, most=200)
    assert text.startswith("older ones left out here: 94; `recall`")
    assert text.endswith("- number: D-099\n  says: words")
    assert text.count("number:") == 6
    assert text_form.render(facts, most=100_000) == text_form.render(facts)
    assert text_form.render([{"says": "x" * 300}], most=200).endswith("xxx")
    assert text_form.render([], most=200) == "none"


def test_an_advice_names_tools():
    """Where an advice names a command that is a tool, it names the tool; other commands and words stay."""
    error = "no thread: sleepwake thread.list\nHint: sleepwake thread.list --all; sleepwake deadend.retry T-1\nMore: x"
    assert advice.of_tools(error) == (
        "no thread: sleepwake thread.list\nHint: `thread_list` with all; `dead_end_retry` T-1\nMore: x"
    )
    due = "due         a step was interrupted: sleepwake sleep.resume finishes it"
    assert advice.of_tools(due) == "due         a step was interrupted: `sleep` finishes it"
    assert (
        advice.of_tools("Hint: sleepwake topic.list, sleepwake recall.md")
        == "Hint: sleepwake topic.list, sleepwake recall.md"
    )


def test_a_long_complaint_keeps_its_sentence():
    """Of a long complaint its beginning is told, which says what is wrong, and its end, with the advice."""
    text = advice.complaint(f"this is wrong: {'x' * 9_000}\nHint: sleepwake status")
    assert text.startswith("this is wrong: x")
    assert text.endswith("x\nHint: `status`")
    assert len(text) < 4_100


def test_a_kind_may_be_written_as_results_write_it():
    """`dead_end` is the kind that the words call `dead end`."""
    assert "--kind=dead end" in arguments.asked(TOOLS["journal_add"], {"kind": "dead_end", "text": "x"}).words


def test_prompts_take_what_a_person_says_as_it_is():
    """Braces, line feeds and nothing at all are fine in a prompt's argument."""
    assert "with the task 'a {b} c'" in prompts.text("wake", {"task": "a {b}\nc"})
    assert "call the tool `wake`. It" in prompts.text("wake", {})
    assert prompts.text("sleep", {"note": "{x}"}).endswith("Do not forget: {x}")
    for name in prompts.PROMPTS:
        for word in prompts.text(name, {}).split("`")[1::2]:
            assert word in TOOLS or word == "handoff"


@pytest.mark.parametrize("kind", kinds.RECORDS, ids=lambda kind: kind.name)
def test_every_kind_is_listed_and_ended(kind):
    """An agent without a shell can see what stands of each kind, and say what ends it."""
    assert f"{kinds.key(kind.name)}_list" in TOOLS
    ends = {move.verb for move in kind.moves if kind.born in move.origins}
    assert any(f"{kinds.key(kind.name)}_{verb}" in TOOLS for verb in ends)


def test_a_complaint_repeats_no_secret():
    """A wrong argument is quoted without its secret, also where the quotation is cut in the middle of one."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for given in ({"budget": f"{'x' * 60} {secret}"}, {f"{'x' * 60} {secret}": 1}):
        with pytest.raises(UsageError) as refused:
            arguments.checked(TOOLS["wake"], given)
        assert "ghp_" not in str(refused.value)
