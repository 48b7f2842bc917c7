"""Passages: whole sentences, where they stand, and whether they are settled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.compression import message_units, passages
from sleep.language import sentences
from sleep.transcripts.events import Event


def cut(*said):
    """Return the passages of (role, kind, text)."""
    return passages.cut([Event(*one) for one in said])


def texts(text, role="agent"):
    """Return the texts of the passages of one message."""
    return [one.text for one in cut((role, "text" if role == "agent" else "prompt", text))]


def test_neighbouring_sentences_stand_together_up_to_the_length():
    """Short sentences share a passage; one that does not fit begins the next, and none is cut."""
    long = "b" * (message_units.LENGTH - 20) + "."
    assert texts(f"It is held. It is fast. {long.capitalize()}") == ["It is held. It is fast.", long.capitalize()]


def test_a_sentence_keeps_all_its_signs():
    """What closes code or a quotation belongs to its sentence, and a stop inside a phrase ends none."""
    assert sentences.split('It says `"a": "..."` twice. "Stop." Use e.g. flock, i.e. v1.2. 12. Done') == [
        'It says `"a": "..."` twice.',
        '"Stop."',
        "Use e.g. flock, i.e. v1.2.",
        "12. Done",
    ]
    assert sentences.split("锁住了。很快。") == ["锁住了。", "很快。"]
    assert sentences.split("It says `No. That's` it. Then. A ` alone. Ends") == [
        "It says `No. That's` it.",
        "Then.",
        "A ` alone.",
        "Ends",
    ]


def test_the_marker_of_a_relay_says_nothing():
    """What puts an agent to sleep in a chat is no sentence of its."""
    assert texts("The build is red. @@sleep:60s@@") == texts("The build is red.\n\n@@sleep:2.5s:buffer@@")
    assert texts("The build is red. @@sleep:60s@@") == ["The build is red."]


def test_code_and_tables_are_left_out():
    """Fenced code, tables and rules are no sentences; where code or a table stood between two, a sign says so."""
    text = "Before.\n```py\nx = 1\n```\n| a | b |\n| --- | --- |\n---\nAfter."
    assert texts(text) == ["Before. … After."]


@pytest.mark.parametrize("quoted", ["> ```\n> x = 1\n> y = 2\n> ```", "> ```py\n> x = 1\n> y = 2"])
def test_code_in_a_quotation_ends_with_it(quoted):
    """Whether its fence is closed or not, what somebody says behind a quotation is theirs."""
    assert texts(f"Before.\n\n{quoted}\n\nAfter.") == ["Before. … After."]


def test_the_name_of_a_file_above_its_code_is_left_out_with_it():
    """A line that only names the file of the code below it says nothing without that; one above prose stays."""
    text = (
        "It fails on Windows. It is mended where the file is opened to be read:\n\nsrc/repo.py\n```\nx = 1\ny = 2\n```"
    )
    assert texts(text) == ["It fails on Windows. It is mended where the file is opened to be read:"]
    assert texts("src/repo.py\n\nIt fails on Windows.") == ["src/repo.py It fails on Windows."]


def test_what_is_too_long_for_a_sentence_is_left_out():
    """A run without an end is a log, and none of it is taken."""
    assert texts("x" * (message_units.LONGEST + 1)) == []


def test_items_are_set_apart_and_keep_their_numbers():
    """Items of a list that share a passage are set apart; a number is kept, a bullet and a check box are not."""
    assert texts("Done:\n- the lock\n- [x] its test\n  on two lines\n2. the docs") == [
        "Done: · the lock · its test on two lines · 2. the docs"
    ]


def test_the_subject_of_a_commit_is_set_apart_from_its_body():
    """A subject has no stop, and is no part of the sentence that follows it."""
    found = cut(("agent", "commit", "Warn of a lost lock\n\nThe user sees which store was left out."))
    assert [one.text for one in found] == ["Warn of a lost lock · The user sees which store was left out."]
    assert [one.text for one in cut(("agent", "commit", "Warn of a lost lock"))] == ["Warn of a lost lock"]


def test_a_heading_opens_the_passage_below_it():
    """A heading, or a line that is all bold, stands in bold before the first words under it, and is known to them."""
    found = cut(("agent", "text", "## Fix\n\n**Lock:**\n\nIt is held.\n\n## Notes\n\nDocs.\n\n## Next\n\nThe docs."))
    assert [(one.text, one.heading, one.states) for one in found] == [
        ("**Fix**", "Fix", ""),
        ("**Lock** It is held.", "Lock", ""),
        ("**Notes** Docs.", "Notes", ""),
        ("The docs.", "Next", "task"),  # a heading that is exactly a kind's name gives it, and is said by it
    ]


def test_what_the_agent_does_next_comes_after_what_it_found():
    """Narration stands behind the findings of its message; a passage that is nothing else is known for it."""
    found = cut(("agent", "text", f"Let me look. {'A' * 220} is broken. Now fix it."))
    assert [(one.text[-10:], one.is_narration) for one in found] == [("is broken.", False), ("ow fix it.", True)]
    assert not cut(("person", "prompt", "Let me see it."))[0].is_narration


def silent(*said):
    """Return the texts of the passages of (role, kind, text), without the moves of the agent."""
    return [one.text for one in passages.cut([Event(*one) for one in said], moves=False)]


def test_moves_in_the_middle_of_a_turn_are_left_out_unless_they_say_why():
    """What an agent said that it does next, and then did, is over, however long; its reason may still be of use."""
    long = "I’m checking the remaining conflict markers in the parser and the loader before I go on with the rebase."
    why = "I’m pushing with `--force-with-lease`, because the rebase rewrote the history of the branch."
    report = ("agent", "text", "The branch is rebased onto the new parser.")
    assert silent(("agent", "text", long), report) == [report[2]]
    assert silent(("agent", "text", why), report) == [why, report[2]]
    assert silent(report, ("agent", "text", long)) == [report[2], long]  # the last words of a session left it undone
    for move in ("Jetzt führe ich die Tests des Parsers noch einmal aus.", "让我检查一下锁文件。"):
        assert silent(("agent", "text", move), report) == [report[2]]


def test_a_promise_that_a_session_ends_with_is_kept():
    """A short promise is left out, but for one that is all that the last message says: that was left undone."""
    promise = ("agent", "text", "Good question — let me commit first, then address that.")
    assert silent(("person", "prompt", "Commit. And the lock?"), promise)[1:] == [promise[2]]


def test_a_rule_whose_reason_stands_apart_ends_in_the_stop_of_its_script():
    """A Chinese rule has no Latin stop behind it."""
    rules = passages.cut([Event("person", "prompt", "规则：周五不要部署，因为没人值班。")])
    assert [(one.text, one.why) for one in rules] == [("周五不要部署。", "没人值班。")]


def test_what_still_runs_is_told_by_the_last_message_alone():
    """A person's next words show that it went on; at the end nobody knows what became of it."""
    said = ("agent", "text", "The worker has the plan. No final output yet.")
    assert (
        silent(said, ("person", "prompt", "Is it through now?"))[0] == "The worker has the plan. No final output yet."
    )
    assert silent(said, ("person", "prompt", "And now?"), ("agent", "text", "It mended the lock."))[0] == (
        "The worker has the plan."
    )


def test_a_stage_of_the_work_that_went_well_is_told_by_the_last_message_alone():
    """That tests pass is over with the next change; what fails is told, and so is what passing means beside that."""
    said = "The lock is held now. All tests pass."
    end = ("agent", "text", "Build is green. The docs follow.")
    assert silent(("agent", "text", said), end) == ["The lock is held now.", "The docs follow."]
    assert silent(("agent", "text", said)) == [said]
    but = "Tests pass, but the linter complains about the lock."
    assert silent(("agent", "text", but), end)[0] == but
    assert silent(("agent", "text", "Committed and pushed. The lock is held."), end)[0] == "The lock is held."


def test_what_only_leads_to_what_is_left_out_is_left_out():
    """The lead of a list or of code says nothing without it; a long one, and a deed, do."""
    code = "\n```py\nx\ny\n```"
    assert texts(f"The lock is held.\n\nHere is the code:{code}") == ["The lock is held."]
    lead = "The cleanest way is to hold the lock until the index is written:"
    assert texts(f"{lead}{code}") == [lead]
    assert texts(f"Added the lock:{code}") == ["Added the lock:"]


def test_a_short_line_of_code_stands_in_the_sentence_that_leads_to_it():
    """One line of code behind a colon is told with its lead; two lines, a long one and one without a lead are not."""
    lead = "The results of a run go here:"
    for row in ("results/<experiment>/<time>/", "$ results/<experiment>/<time>/"):
        assert texts(f"{lead}\n\n```text\n{row}\n```\n\nThat is easy to list.") == [
            f"{lead} `results/<experiment>/<time>/` That is easy to list."
        ]
    for code in ("a/\nb/", "x" * 101, "a `b`"):
        assert texts(f"{lead}\n\n```\n{code}\n```\n\nThat is easy to list.") == [f"{lead} … That is easy to list."]
    assert texts("It is easy.\n\n```\nmake it\n```\n\nIt is quick.") == ["It is easy. … It is quick."]
    assert texts(f"{lead}\n\n```\nunclosed") == texts(lead)


def test_a_heading_with_emphasis_is_bold_once():
    """What is bold in a heading, behind a picture too, is not marked twice."""
    assert texts("## 🔒 **Lock**\n\nIt is held.") == ["**🔒 Lock** It is held."]


def test_a_heading_of_nothing_is_known_in_a_plan_too():
    """A heading whose words were all left out heads nothing, in a message and in a plan."""
    for kind in ("text", "plan"):
        assert [one.is_heading for one in cut(("agent", kind, "## Context\n\n## Lock\n\nIt is held."))] == [True, False]


def test_the_lead_of_a_summary_says_nothing():
    """`Here's a summary:` is left out, and its list stands alone."""
    assert texts("Here's a summary of the changes:\n- the lock is held\n- so is the log") == [
        "the lock is held · so is the log"
    ]


def test_a_lead_stands_with_what_it_leads_to():
    """Where a list does not fit behind what stands before it, its lead goes with it."""
    long = f"{'b' * (message_units.LENGTH - 30)}.".capitalize()
    item = "c" * 40
    assert texts(f"{long}\n\nTwo ways remain:\n- {item}") == [long, f"Two ways remain: · {item}"]


def test_a_sentence_that_leans_stands_with_the_one_before():
    """What takes up the sentence before it begins no passage, though that is a bit longer then."""
    long = "b" * (message_units.LENGTH - 20) + "."
    both = f"{long.capitalize()} It is read back by the index."
    assert texts(both) == [both]


def test_a_long_heading_stands_with_the_first_words_below_it():
    """A heading that says something is not left alone where what it heads is a bit too long."""
    long = f"{'b' * (message_units.LENGTH - 20)}.".capitalize()
    heading = "The page of the reader is read twice"
    assert texts(f"## {heading}\n\n{long}") == [f"**{heading}** {long}"]


def test_messages_that_end_a_turn_are_known():
    """The agent's message before a person speaks closes a turn, its last one the conversation."""
    found = cut(
        ("agent", "text", "One."), ("agent", "text", "Two."), ("person", "prompt", "Go."), ("agent", "text", "Three.")
    )
    assert [one.closing for one in found] == [0, 1, 0, 2]


def test_what_is_not_settled_is_told_by_mood_heading_and_late_question():
    """A modal verb, a heading of open things, a person's question late on and an open task are not settled."""
    found = cut(
        ("person", "prompt", "Why is it slow?"),
        ("agent", "text", "It is held."),
        ("agent", "text", "It could be lost."),
        ("agent", "text", "## Open questions\n\nThe owner."),
        ("person", "prompt", "And the docs?"),
        ("agent", "task", "Write them"),
    )
    assert [one.is_open for one in found] == [False, False, True, True, True, True]


def test_what_is_said_twice_is_there_once():
    """A passage that was there before is not taken again."""
    assert len(cut(("agent", "text", "Tests pass."), ("agent", "text", "Tests pass."))) == 1


@given(st.text(alphabet="ab. \n-*#`|:?!1)>", max_size=200))
def test_every_word_of_a_passage_stands_in_the_message(text):
    """Whatever a message looks like, no passage has a word that is not in it, nor is one empty."""
    signs = str.maketrans(dict.fromkeys("*·…>#-|`", " "))

    def words(said):  # a heading goes without its colon
        return {word.rstrip(":") for word in said.translate(signs).split()}

    for one in cut(("person", "prompt", text)):
        assert one.text.strip()
        assert words(one.text) <= words(text)


def test_a_heading_of_what_was_left_out_heads_nothing_else():
    """What follows the table of a heading is not told under it: it may say the contrary."""
    said = (
        "**Do not create yet**\n| issue | why |\n|---|---|\n| #1 | too big |\n\nWe create the tickets #2 and #3 next."
    )
    assert texts(said) == ["We create the tickets #2 and #3 next."]
    assert texts("**How it reads**\n\nThe reader takes a page.") == ["**How it reads** The reader takes a page."]


def test_a_numbered_bold_line_heads_what_stands_below_it():
    """`**1. Title** (place)` is a heading, and its number ends no sentence."""
    text = "**1. The tray opens the wrong folder** (`tray.rs:12`)\nThe path is written into the code."
    (only,) = passages.cut([Event("agent", "text", text)])
    assert only.heading == "1. The tray opens the wrong folder (`tray.rs:12`)"
    assert only.text.endswith("The path is written into the code.")


def test_courtesies_of_an_agent_are_left_out():
    """What only asks to be told more tells nothing."""
    text = "The store keeps its rows in one file. Let me know if you need further adjustments!"
    assert [one.text for one in passages.cut([Event("agent", "text", text)])] == [
        "The store keeps its rows in one file."
    ]


def test_a_move_that_leads_to_a_list_stands_with_it():
    """What an agent is going to do is told before its steps, and not before the next move."""
    steps = "1. Rename the folder of the kiln\n2. Update the map in `kiln.md`"
    told = f"I need to:\n{steps}\n\nLet me check the first bowl now."
    found = texts(told)
    assert any(text.startswith("I need to: · 1. Rename the folder") for text in found)
    assert not any("I need to: Let me" in text for text in found)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("I'll push the branch instead of merging it.", ""),
        ("I'll push the branch instead of merging it, because the checks of it are slow.", "decision"),
        ("I decided to push the branch instead of merging it.", "decision"),
    ],
)
def test_a_move_within_a_turn_is_no_decision(text, states):
    """What an agent does next chooses nothing, unless it says why or that it decided."""
    at_work, end = Event("agent", "text", text, line=1), Event("agent", "text", "The branch is there.", line=2)
    assert passages.cut([at_work, end])[0].states == states
    assert passages.cut([at_work])[0].states == states


@pytest.mark.parametrize(
    "thought",
    [
        "The user wants me to see why the lamp is dark.",
        "The user is asking about the lamp of the pier.",
        "用户要求把灯改成绿色的那一种。",
        "L'utilisateur veut une lampe verte au bout du quai.",
        "Пользователь хочет знать, почему лампа не горит.",
    ],
)
def test_an_agents_thought_of_what_it_was_asked_is_not_told(thought):
    """The person's own words tell it; what the person's user wants is told."""
    assert texts(f"{thought} The relay was soldered to the wrong pole.") == [
        "The relay was soldered to the wrong pole."
    ]
    assert texts(thought, "person") == [thought]


@pytest.mark.parametrize(
    "prose",
    [
        "The user needs a token before the page of the lamp opens.",
        "用户需要先登录才能打开灯的页面。",
        "Anything else in the file of the lamp stays as it was.",
        "Would you prefer that both lamps share the common logic?",
    ],
)
def test_what_an_agent_says_of_users_and_of_the_rest_is_told(prose):
    """What users of a program need, what stays, and a question about the work are no thought and no courtesy."""
    assert any(prose in one for one in texts(f"The relay was soldered to the wrong pole. {prose}"))


def test_that_an_agent_asks_for_more_work_is_not_told():
    """A last question that names nothing is not told; one that names what is left is."""
    assert texts("The lamp burns. Would you like me to do anything else with it?") == ["The lamp burns."]
    assert "Shall the lamp burn by day too?" in texts("The lamp burns. Shall the lamp burn by day too?")


@pytest.mark.parametrize(
    "offer",
    [
        "Want me to commit these on `main` with a matching message?",
        "If you want, I can add a chart of the tides.",
        "如果你愿意，我下一步可以继续帮你核对这两个文件。",
        "你要的话，我下一步可以继续帮你判断这个文件。",
    ],
)
def test_an_offer_is_not_told_behind_which_a_person_spoke(offer):
    """Who was asked whether to go on has said what to do; an offer that nobody answered stands open."""
    finding = "The lamp of the harbour reads the tides of the northern pier."
    said = ("agent", "text", f"{finding} {offer}")
    asked = ("person", "prompt", "Now paint the whole pier red.")
    told = " ".join(one.text for one in cut(said, asked, ("agent", "text", "The pier of the harbour is red.")))
    assert finding in told
    assert offer not in told
    assert offer in " ".join(one.text for one in cut(said))
