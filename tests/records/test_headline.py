"""What a list of records shows of a record: its statement, apart from the words around it."""

import pytest

from sleep.records import headline

LONG = "The agents were told so twice, on Monday and on Tuesday, and each went on with it as if nobody had said it."
ENDLESS = f"{LONG.replace('.', ', and')} {LONG.replace('.', ', and')} so on."


@pytest.mark.parametrize(
    ("kind", "text", "statement", "rest"),
    [
        ("decision", "**Decision:** Keep sqlite.", "Keep sqlite.", ""),
        ("decision", "Phases, not a launch; first Linux", "Phases, not a launch; first Linux", ""),
        ("task", "**CI status:** not verified; mail is down", "**CI status:** not verified; mail is down", ""),
        ("decision", f"Phases, not a launch; {LONG}; {LONG}", "Phases, not a launch", f"{LONG}; {LONG}"),
        ("constraint", f"{LONG} {LONG} Never skip the mock-up.", "Never skip the mock-up.", f"{LONG} {LONG}"),
        ("constraint", "Greetings annoy her. Never greet her.", "Greetings annoy her. Never greet her.", ""),
        (
            "constraint",
            f"{LONG} Research protocol: Only trust what the makers publish, and no page that only quotes them.",
            "Research protocol: Only trust what the makers publish, and no page that only quotes them.",
            LONG,
        ),
        (
            "decision",
            "**Task:** Logs **Outcome:** Decided on two files.",
            "Decided on two files.",
            "**Task:** Logs **Outcome:**",
        ),
        (
            "blocker",
            f"{LONG} Nothing came of it, and no way beats the first one. Awaiting Ana's answer.",
            f"{LONG} Nothing came of it, and no way beats the first one. Awaiting Ana's answer.",
            "",
        ),
        (
            "decision",
            f"Two gates; one of them is for the carts alone; {LONG} {LONG}",
            "Two gates; one of them is for the carts alone",
            f"{LONG} {LONG}",
        ),
        (
            "task",
            f"The cold start stays black (that of the other gate was mended; this one is not), as Ana saw; {LONG}",
            "The cold start stays black (that of the other gate was mended; this one is not), as Ana saw",
            LONG,
        ),
        ("constraint", "**Never:** push to main", "**Never:** push to main", ""),
        ("constraint", "Never: push to main", "Never: push to main", ""),
        (
            "decision",
            "通道频繁出现会话超时。" * 8 + "根据主人指令切换至飞书。",
            "根据主人指令切换至飞书。",
            "通道频繁出现会话超时。" * 8,
        ),
        ("task", f"{LONG} {LONG}", LONG, LONG),
        ("task", "**TODO:**", "**TODO:**", ""),
    ],
)
def test_a_statement_is_told_apart(kind, text, statement, rest):
    """The label goes, items below and sentences around it are the rest, and no word is lost."""
    assert headline.parted(kind, text) == (statement, rest)


def test_a_kind_without_forms_is_told_whole():
    """A thread has no forms that say which of its labels states it: its words are one row."""
    assert headline.parted("thread", "**Open:** two pages **Since:** May") == ("**Open:** two pages **Since:** May", "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**TODO:** Ask Ana about the gate", "Ask Ana about the gate"),
        ("Todo: paint the gate", "paint the gate"),
        ("TODO (staging): paint the gate", "TODO (staging): paint the gate"),
        ("Next: paint the gate", "Next: paint the gate"),
        ("TODO:", "TODO:"),
        ("**Aufgabe:** Das Tor streichen", "Das Tor streichen"),
        ("待办：刷门", "刷门"),
        ("下一步：刷门", "下一步：刷门"),
    ],
)
def test_a_task_is_told_without_the_label_that_says_it_is_one(text, words):
    """`TODO` says no more than that; when it is to be done, and where, stays."""
    assert headline.unlabelled("task", text) == words
