"""The strategy `compatible`: each line of what the older tool does is a test."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.conversation import MemoryConsolidator

NOTHING = "- (previous conversation context — no key facts extracted)"
TAIL = [{"role": "assistant", "content": f"t{number}"} for number in range(4)]


def _summary(*messages):
    return MemoryConsolidator(strategy="compatible").consolidate([*messages, *TAIL], "")[1]


def test_the_defaults_are_eighty_percent_of_thirty_thousand():
    """Without arguments the threshold is 0.8 of 30,000 tokens, and both can be given by place."""
    consolidator = MemoryConsolidator()
    assert (consolidator.threshold_pct, consolidator.max_tokens) == (0.8, 30_000)
    assert MemoryConsolidator(0.5, 10).should_consolidate(5)


@pytest.mark.parametrize(
    ("tokens", "most", "due"),
    [
        (24_000, 30_000, True),
        (23_999, 30_000, False),
        (0, 30_000, False),
        (99, 0, False),
        (99, -1, False),
        (10**9, 1, True),
    ],
)
@pytest.mark.parametrize("strategy", ["default", "compatible"])
def test_it_is_due_from_the_threshold_on_and_never_without_a_budget(tokens, most, due, strategy):
    """`should_consolidate` is n / max_tokens >= threshold, and False for a budget of 0 or less."""
    assert MemoryConsolidator(max_tokens=most, strategy=strategy).should_consolidate(tokens) is due


@pytest.mark.parametrize(
    ("messages", "tokens"),
    [
        ([], 0),
        ([{}], 0),
        ([{"role": "user"}], 0),
        ([{"content": None}], 1),
        ([{"content": "abc"}, {"content": "de"}], 1),
        ([{"content": "abc"}, {"content": "de"}, {"content": 123}], 2),
        ([{"content": ["a"]}], 1),
        ([{"content": "é" * 8}], 2),
    ],
)
def test_tokens_are_the_characters_of_all_contents_by_four(messages, tokens):
    """`estimate_tokens` is static: the length of `str(content)`, missing content 0, divided once at the end."""
    assert MemoryConsolidator.estimate_tokens(messages) == tokens


@pytest.mark.parametrize("count", range(5))
def test_four_messages_or_fewer_come_back_in_a_new_list(count):
    """Up to four messages come back as the same objects in a new list, with an empty summary."""
    given_ = TAIL[:count]
    made, summary = MemoryConsolidator(strategy="compatible").consolidate(given_, "")
    assert (made, summary) == (given_, "")
    assert made is not given_
    assert all(one is other for one, other in zip(made, given_, strict=True))


def test_more_become_one_message_of_the_user_and_the_last_four():
    """The header, an empty line and the summary are one user message; the last four follow as the same objects."""
    given_ = [{"role": "user", "content": "x"}, *TAIL]
    before = copy.deepcopy(given_)
    made, summary = MemoryConsolidator(strategy="compatible").consolidate(given_, "ignored")
    assert summary == "- x"
    assert made[0] == {"role": "user", "content": "[Session context consolidated]\n\n- x"}
    assert [id(one) for one in made[1:]] == [id(one) for one in TAIL]
    assert given_ == before


def test_without_facts_the_summary_says_so():
    """The sentence for no facts is exactly the older tool's, its dash included."""
    assert _summary({"role": "assistant", "content": "prose"}) == NOTHING


@pytest.mark.parametrize(
    "word", ["result", "decided", "found", "error", "success", "created", "updated", "deleted", "confirmed", "output"]
)
def test_a_line_with_a_keyword_is_kept_stripped_and_whole(word):
    """Each keyword with its colon counts anywhere in a line and in any case, and `decision:` is none."""
    line = f"so {word.upper()}: " + "x" * 300
    assert _summary({"role": "assistant", "content": f"prose\n \t {line} \r\nmore"}) == f"- {line}"
    assert _summary({"role": "assistant", "content": f"{word} without"}) == NOTHING
    assert _summary({"role": "assistant", "content": "Decision: x"}) == NOTHING


def test_file_not_found_counts_as_a_fact():
    """A fault of the older tool: `file not found: x` has a keyword in it."""
    assert _summary({"role": "assistant", "content": "file not found: x"}) == "- file not found: x"


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ({"role": "tool", "name": "sh", "content": "ok"}, "[sh] ok"),
        ({"role": "tool", "content": "ok"}, "[tool] ok"),
        ({"role": "tool", "name": None, "content": "ok"}, "[None] ok"),
        ({"role": "tool", "name": "", "content": "ok"}, "[] ok"),
        ({"role": "tool", "name": ["a"], "content": "ok"}, "[['a']] ok"),
        ({"role": "tool", "name": "sh", "content": " " * 150 + "y" * 100}, "[sh] " + "y" * 50),
        ({"role": "tool", "name": "sh", "content": "y" * 199 + " zz"}, "[sh] " + "y" * 199),
        ({"role": "tool", "name": "sh", "content": "a\nb"}, "[sh] a\nb"),
        ({"role": "tool", "name": "sh", "content": None}, "[sh] None"),
        ({"role": "tool", "name": "sh", "content": {"a": 1}}, "[sh] {'a': 1}"),
        ({"role": "tool", "name": "sh", "content": "x" * 200 + "\nresult: lost"}, "[sh] " + "x" * 200),
    ],
)
def test_a_tools_message_is_its_name_and_its_first_200_characters(message, fact):
    """The text is cut first and stripped after; nothing else in it is read."""
    assert _summary(message) == f"- {fact}"


@pytest.mark.parametrize("content", ["", "   ", " " * 200 + "late", "\n"])
def test_a_blank_tool_message_gives_nothing(content):
    """What is blank in its first 200 characters is no fact, and a missing content neither."""
    assert _summary({"role": "tool", "name": "sh", "content": content}) == NOTHING
    assert _summary({"role": "tool", "name": "sh"}) == NOTHING


@pytest.mark.parametrize("length", [1, 120])
def test_a_short_user_message_is_a_fact_as_it_stands(length):
    """1 to 120 characters are kept unstripped; 121 are not, and nor is an empty one."""
    text = "x" * (length - 1) + " "
    assert _summary({"role": "user", "content": text}) == f"- {text}"
    assert _summary({"role": "user", "content": "x" * 121}) == NOTHING
    assert _summary({"role": "user", "content": ""}) == NOTHING


def test_a_short_user_message_with_a_keyword_is_its_line_and_itself():
    """Keyword lines come first, then the whole message, once if they are the same."""
    assert _summary({"role": "user", "content": " error: a\nb"}) == "- error: a\n-  error: a\nb"
    assert _summary({"role": "user", "content": "error: a"}) == "- error: a"


@pytest.mark.parametrize("role", ["system", "assistant", "", None, "Tool", "USER", 3])
def test_other_roles_give_lines_with_keywords_only(role):
    """Roles are compared exactly; a missing one is none."""
    assert _summary({"role": role, "content": "short\nfound: y"}) == "- found: y"
    assert _summary({"content": "found: y\nshort"}) == "- found: y"


def test_content_that_is_no_text_is_written_as_python_writes_it():
    """A list of blocks is read as its `str()`, which is one line."""
    content = [{"type": "text", "text": "found: a\nb"}]
    assert _summary({"role": "assistant", "content": content}) == f"- {content}"
    assert _summary({"role": "user", "content": None}) == "- None"
    assert _summary({"role": "user", "content": 0}) == "- 0"


def test_facts_stand_in_order_and_exact_duplicates_once():
    """Order is that of the messages; the same text in another role is the same fact."""
    said = [
        {"role": "user", "content": "[sh] ok"},
        {"role": "tool", "name": "sh", "content": "ok"},
        {"role": "assistant", "content": "found: b\nfound: a\nfound: b"},
        {"role": "user", "content": "Found: b"},
    ]
    assert _summary(*said) == "- [sh] ok\n- found: b\n- found: a\n- Found: b"


def test_it_splits_pairs_and_may_not_fit_and_digests_itself_again():
    """Its known faults are its behaviour: a pair is cut, nothing fits, and a second round gains dashes."""
    consolidator = MemoryConsolidator(strategy="compatible")
    many = [{"role": "tool", "name": "t", "content": f"{number:0190}"} for number in range(600)]
    made, _ = consolidator.consolidate(many, "")
    assert consolidator.estimate_tokens(made) > consolidator.estimate_tokens(many) > 24_000
    line = f"error: {'x' * 120}"
    once, _ = consolidator.consolidate([{"role": "assistant", "content": line}, *TAIL], "")
    twice = consolidator.consolidate([*once, *TAIL], "")[1]
    assert twice == f"- - {line}"


_VALUES = st.one_of(st.none(), st.text(max_size=130), st.integers(), st.lists(st.text(max_size=3), max_size=2))
_MESSAGES = st.dictionaries(
    st.sampled_from(["role", "content", "name"]), st.one_of(_VALUES, st.sampled_from(["tool", "user"]))
)


@given(st.lists(_MESSAGES, max_size=9))
def test_any_messages_give_the_same_as_its_description_says(messages):
    """The whole behaviour, written down a second time from the description, agrees on made messages."""
    facts = []
    for one in messages[:-4]:
        text = str(one["content"]) if "content" in one else ""
        if one.get("role") == "tool":
            facts += [f"[{one.get('name', 'tool')}] {text[:200].strip()}"] if text[:200].strip() else []
            continue
        words = [
            "result:",
            "decided:",
            "found:",
            "error:",
            "success:",
            "created:",
            "updated:",
            "deleted:",
            "confirmed:",
            "output:",
        ]
        facts += [line.strip() for line in text.split("\n") if any(word in line.strip().lower() for word in words)]
        if one.get("role") == "user" and 1 <= len(text) <= 120:
            facts.append(text)
    wanted = "\n".join(f"- {one}" for one in dict.fromkeys(facts)) or NOTHING
    made, summary = MemoryConsolidator(strategy="compatible").consolidate(messages, "s")
    assert summary == ("" if len(messages) <= 4 else wanted)
    assert made[-4:] == messages[-4:]
