"""What came of each request is told in the agent's closing words."""

from __future__ import annotations

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import summary_text
from sleep.conversation.summary.fact import REPORT

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]


def _talk(*said):
    roles = {"p": "user", "a": "assistant"}
    return [{"role": roles[speaker], "content": text} for speaker, text in said]


def _reports(*said):
    text = MemoryConsolidator().consolidate([*_talk(*said), *TAIL])[1]
    return [fact for kind, fact in summary_text.read(text).facts if kind == REPORT]


def test_the_closing_words_before_a_person_speaks_are_the_report():
    """Headings, praise and the next move are left out; what was said on the way is no report."""
    reports = _reports(
        ("p", "Move the log to one file."),
        ("a", "Looking at the logger first."),
        (
            "a",
            "## Summary\n\nExcellent! The log goes to one file now.\n\n- the old path is gone\n\nNow let me check it.",
        ),
        ("p", "And delete the stale branches, please."),
        ("a", "All three of them were deleted."),
    )
    assert reports == ["The log goes to one file now. · the old path is gone", "All three of them were deleted. @2"]


def test_a_nod_has_no_report():
    """Nobody asked for anything."""
    said = (
        ("p", "Move the log to one file."),
        ("a", "It is moved."),
        ("p", "Thanks, continue."),
        ("a", "Here it goes on."),
    )
    assert _reports(*said) == ["It is moved."]


def test_a_report_is_taken_over_and_says_nothing_twice():
    """Also in the next round, under its own title; what binds or was decided stands where it belongs."""
    said = (("p", "Choose a store for it."), ("a", "Decision: we keep Postgres. The tables were moved over in one go."))
    consolidator = MemoryConsolidator()
    messages, text = consolidator.consolidate([*_talk(*said), *TAIL])
    assert text.count("we keep Postgres") == text.count("in one go") == 1
    again = consolidator.consolidate([*messages, *_talk(("a", "More.")), *TAIL])[1]
    assert [fact for fact in summary_text.read(text).facts if fact[0] == REPORT] == [
        fact for fact in summary_text.read(again).facts if fact[0] == REPORT and "tables" in fact[1]
    ]


def test_a_report_has_no_piece_of_what_is_not_told():
    """What leads to code, and what goes on behind it, say nothing without it; nor do a nod and a promise."""
    reports = _reports(
        ("p", "How are the runs kept apart?"),
        ("a", "I think you’re right. The two:\n\n```text\nruns/\n```\n\nare of one kind. Each run has its own."),
        ("p", "Is the worker through with it?"),
        ("a", "No output yet. I’m waiting until it reports."),
    )
    assert reports == ["Each run has its own."]


def test_a_client_s_word_for_no_answer_is_no_report():
    """The agent's own last words are, which stand before it."""
    said = (
        ("p", "Move the log to one file."),
        ("a", "The log goes to one file now."),
        ("a", "No response requested."),
        ("p", "Where is it read?"),
    )
    assert _reports(*said) == ["The log goes to one file now."]


def test_a_list_in_a_report_is_told_as_far_as_it_fits():
    """Its first item alone would say that nothing else was done."""
    items = [f"Added the `part_{name}` of it to the public interface." for name in "abcdefgh"]
    said = "I split the exporter in two. Here is what was changed in it, part by part and file by file:\n"
    reports = _reports(
        ("p", "Split the exporter in two."),
        ("a", said + "\n".join(f"- {item}" for item in items)),
        ("p", "Thanks then."),
    )
    assert items[2] in reports[0]
    assert items[7] not in reports[0]


def test_the_rest_of_a_report_is_told_where_there_is_room():
    """Rows of a table are its items, by their cells; it displaces no rule, of which the later stay."""
    table = "| File | Fix |\n|---|---|\n" + "\n".join(f"| {name}.py | reads the root of {name} |" for name in "abcdef")
    said = f"All six of them read the root of the repository now, from whatever folder they run:\n\n{table}"
    talk = _talk(("p", "Mend all six of them."), ("a", said), ("p", "Thanks then."))
    text = MemoryConsolidator().consolidate([*talk, *TAIL])[1]
    assert all(text.count(f"{name}.py | reads the root of {name}") == 1 for name in "abcdef")
    assert "File | Fix" not in text
    rules = [{"role": "user", "content": f"Never call service{n} without a key that the vault has."} for n in range(60)]
    small = MemoryConsolidator(max_tokens=2_500).consolidate([*talk, *rules, *TAIL])[1]
    assert "service59 " in small
    assert "f.py | reads" not in small


def test_a_report_in_a_script_without_spaces_is_told():
    """A request is one by its words, not its spaces; what leads to code is left out, and an item behind it is told."""
    said = "日志现在写到一个文件里，索引写到另一个文件里。\n\n用法如下：\n```sh\nmake log\n```\n- log.py 负责写"
    talk = (("p", "把日志拆成两个文件，索引单独放。"), ("a", said), ("p", "好的。"), ("a", "明白。"), ("p", "谢谢。"))
    assert _reports(*talk) == ["日志现在写到一个文件里，索引写到另一个文件里。 · log.py 负责写"]


def test_a_report_does_not_end_within_a_word():
    """What of a very long line was not read is left out with its sentence; a title is none of its words."""
    said = f"# Review: the log\nIt is split. {'The log goes to one file, and the index to another one there ' * 9}now."
    assert _reports(("p", "Split the log in two."), ("a", said), ("p", "Thanks then.")) == ["It is split."]


def test_an_assent_is_no_report():
    """That the agent understood says nothing of what came of it."""
    said = (("p", "Only the last 50 commits, please."), ("a", "Got it. Let me refine the design."), ("p", "And then?"))
    assert _reports(*said) == []
