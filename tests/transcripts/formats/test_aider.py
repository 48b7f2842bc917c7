"""Aider's histories: who says what, and what was applied."""

from __future__ import annotations

from sleep.transcripts import shell
from sleep.transcripts.formats import aider


def read(text):
    """Return what was read."""
    return list(aider.read(text.encode().splitlines(keepends=True)))


def test_the_sample_is_read(samples):
    """Prompts, text, edits and errors are told, each with its line; what the program sends itself is no prompt."""
    found = [(one.role, one.kind, one.text or one.path, one.line) for one in read(samples["aider"].decode())]
    assert found == [
        ("person", "prompt", "Use the Spinner\nplease", 7),
        ("agent", "text", "Certainly.", 10),
        ("agent", "edit", "a.py", 12),
        (
            "tool",
            "result",
            "The LLM did not conform to the edit format.\n# 1 SEARCH/REPLACE block failed to match!",
            16,
        ),
        ("agent", "edit", "dir/b c.py", 19),
    ]


def test_sessions_are_told_apart():
    """What one session applied has not the ids of another in the same file."""
    text = "".join(f"# aider chat started at 2026-01-0{day} 03:04:05\n\n> Applied edit to a.py  \n\n" for day in (1, 2))
    found = [(one.path, one.at, one.id) for one in read(text)]
    assert found == [("a.py", f"2026-01-0{day} 03:04:05", f"2026-01-0{day} 03:04:05#1") for day in (1, 2)]


HEAD = "# aider chat started at 2026-01-02 03:04:05\n\n> Aider v0.86.1  \n> Git repo: .git with 3 files  \n\n"


def found(text):
    """Return who said or did what."""
    return [(one.role, one.kind, one.text or one.path) for one in read(text)]


def test_the_argument_of_a_message_is_not_the_agents():
    """What a command line goes on with is written again as a prompt; only that is read, and what fails meanwhile is."""
    text = (
        "# aider chat started at 2026-01-02 03:04:05\n\n"
        "> /usr/local/bin/aider /srv/a.py --message # Migrate it\n\nAlways keep the page up to date.\n"
        "Command name:\nadd --model m --yes-always  \n"
        "> Error: Read-only file b.md does not exist. Skipping.  \n> Aider v0.85.5  \n\n"
        "#### # Migrate it  \n####   \n#### Always keep the page up to date.  \n\nDone with it.\n"
    )
    assert found(text) == [
        ("tool", "result", "Error: Read-only file b.md does not exist. Skipping."),
        ("person", "prompt", "# Migrate it\n\nAlways keep the page up to date."),
        ("agent", "text", "Done with it."),
    ]
    other = text.replace("/usr/local/bin/aider /srv/a.py --message", "C:\\bin\\aider --yes -m")
    assert found(other) == found(text)


def test_a_command_line_without_a_message_takes_nothing():
    """A program that is installed, or Aider without a message, has no argument that goes on."""
    for line in ("> /bin/python -m pip install aider-chat", "> /bin/aider --model m", "> aider-x --message a"):
        text = f"# aider chat started at 2026-01-02 03:04:05\n\n{line}  \n\nThe watch has it.\n"
        assert found(text) == [("agent", "text", "The watch has it.")]


def test_commands_are_no_words_of_a_person():
    """`/add` and `!ls` are nobody's words; what follows `/ask`, `/code` and `/architect` is the person's."""
    text = HEAD + (
        "#### /add **  \n> Added a.py to the chat  \n\n#### /add /srv/a.py  \n####   /srv/b.py  \n\n#### !ls  \n\n"
        "#### /copy-context why is it slow?  \n\n#### /ask why is it slow?  \n#### And since when?  \n\n"
        "#### /code  \n\n#### /architect make it fast  \n\n#### <blank>  \n\n#### / is full  \n"
    )
    assert found(text) == [
        ("person", "prompt", "why is it slow?\nAnd since when?"),
        ("person", "prompt", "make it fast"),
        ("person", "prompt", "/ is full"),
    ]


def test_code_and_thoughts_are_no_speech():
    """What stands between `<source>` is code as between backticks, and a thought is left out, also one without end."""
    text = HEAD + (
        "#### Seed it  \n\n<thinking-content-7bbe>\n\nOkay\n\n> Retrying in 0.2 seconds...  \n\n"
        "<thinking-content-7bbe>\n\nWait, maybe the test is wrong.\n\n#### So:\n\n> it is\n\n"
        "</thinking-content-7bbe>\n\nSeeding.\n\n<source>json\n[]\n\n> a\n#### b\n</source>\n\nIt is seeded.\n\n"
        "> Tokens: 1k sent, 1k received.  \n\n"
        "#### Go on  \n\n--------------\n► **THINKING**\n\nHm.\n\n--------------\n► **ANSWER**\n\nGone on.\n"
    )
    fence = "`" * 6
    assert found(text) == [
        ("person", "prompt", "Seed it"),
        ("agent", "text", f"Seeding.\n\n{fence}\n[]\n\n> a\n#### b\n{fence}\n\nIt is seeded."),
        ("person", "prompt", "Go on"),
        ("agent", "text", "Gone on."),
    ]


def test_a_heading_and_a_quotation_of_the_agents_are_its_own():
    """Aider ends its lines and a person's with two blanks; where it does, lines without them are the agent's."""
    text = HEAD + "#### Tell me  \n\nFirst.\n\n#### 1. The lock\n\n> a lock is held\n\nLast.\n"
    assert found(text) == [
        ("person", "prompt", "Tell me"),
        ("agent", "text", "First.\n\n#### 1. The lock\n\n> a lock is held\n\nLast."),
    ]


def test_what_was_run_by_hand_and_pasted_is_a_tools():
    """A command and its failure, which somebody had pasted, are neither the agent's words nor a person's."""
    paste = (
        "<shell-commands-results>\nUser has manually run below shell commands:\n\n- command:\n npm test\n"
        ' error:\n {"stack":"Error: \\u001b[31m failed"}\n</shell-commands-results>\n'
    )
    assert found(f"{HEAD}#### Assistant:\n{paste}") == [
        ("tool", "result", 'npm test: {"stack":"Error:  failed"}'),
    ]
    assert found(f"{HEAD}#### Mend it  \n{'#### '}{paste.replace(chr(10), chr(10) + '#### ')}") == [
        ("person", "prompt", "Mend it"),
    ]


def test_a_commit_is_what_was_done():
    """A commit that Aider reports is a command with its message, and an error ends with its line."""
    text = HEAD + (
        "#### Go  \n\n> Applied edit to a.py  \n> Error checking pypi for new version: no route  \n"
        "> Repo-map: using 4096 tokens, auto refresh  \n> Unable to write file b.py after 5 attempts: no  \n"
        "> # 1 SEARCH/REPLACE block failed to match!  \n> ## SearchReplaceNoExactMatch  \n"
        '> Commit 8145bab fix: say "no" for `x`  \n> You can use /undo to undo and discard each aider commit.  \n'
    )
    assert found(text)[1:] == [
        ("agent", "edit", "a.py"),
        ("tool", "result", "Error checking pypi for new version: no route"),
        ("tool", "result", "Unable to write file b.py after 5 attempts: no"),
        ("tool", "result", "# 1 SEARCH/REPLACE block failed to match!\n## SearchReplaceNoExactMatch"),
        ("agent", "run", 'git commit -m "fix: say \\"no\\" for \\`x\\`"'),
    ]
    assert shell.commit_message(read(text)[-1].text) == 'fix: say "no" for `x`'


def test_what_every_model_says_around_an_edit_is_no_speech():
    """That blocks follow, and that a file should be added, are Aider's words; what is beside them is the agent's."""
    text = (
        f"{HEAD}#### Hold it  \n\nThe inode changes. Here is the *SEARCH/REPLACE block* for `a.py`:\n\n"
        "The lock is taken again.\n\nTo see it, please add `src/b.py` and c.py to the chat so I see them. It ends.\n"
    )
    (said,) = [one.text for one in read(text) if one.role == "agent"]
    assert said.split() == ["The", "inode", "changes.", "The", "lock", "is", "taken", "again.", "It", "ends."]
