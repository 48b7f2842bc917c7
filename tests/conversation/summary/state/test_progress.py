"""The state of the work: files, the last failure, tasks and the next step, through rounds and in all shapes."""

from __future__ import annotations

import json

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import summary_text

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]


class _Talk:
    """A history of chat messages, call by call."""

    def __init__(self):
        self.messages = [{"role": "user", "content": "Rework the login."}]

    def call(self, name, printed="ok", **given):
        """Add a call and what it printed."""
        number = f"c{len(self.messages)}"
        function = {"name": name, "arguments": json.dumps(given)}
        calls = [{"id": number, "type": "function", "function": function}]
        self.messages += [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": number, "content": printed},
        ]
        return self

    def say(self, text):
        """Add what the agent says."""
        self.messages.append({"role": "assistant", "content": text})
        return self

    def state(self, tail=TAIL, **options):
        """Return the lines of the state in the summary."""
        text = MemoryConsolidator(**options).consolidate([*self.messages, *tail])[1]
        return summary_text.read(text).state


def test_the_files_that_were_changed_are_told_the_latest_last():
    """Writes, edits and patches count, below the folder that they share; an edit that failed does not."""
    patch = "*** Begin Patch\n*** Update File: /p/src/c.py\n@@\n*** End Patch"
    talk = _Talk().call("Write", file_path="/p/src/a.py", content="x").call("Edit", file_path="/p/src/b.py")
    talk.call("Edit", file_path="/p/src/a.py").call("apply_patch", input=patch).call("Read", file_path="/p/README.md")
    talk.call("Edit", "<tool_use_error>String to replace not found in file.</tool_use_error>", file_path="/p/src/d.py")
    assert talk.state()[:2] == ("files changed: in /p/src/: b.py, a.py ×2, c.py", "files read: /p/README.md")


def test_the_last_failure_is_told_with_what_came_after_it():
    """It is the last that a tool printed, also at the end of a long result, and results since are counted."""
    talk = _Talk().call("Bash", "error: the first thing broke").call("Bash", "row\n" * 300 + "FATAL: no such stream")
    assert talk.state() == ("last error: [Bash] FATAL: no such stream (nothing ran after it)",)
    talk.call("Bash", "all is well").call("Bash", "12→ raise Error('x')")
    assert talk.state() == ("last error: [Bash] FATAL: no such stream (then 2 results without one)",)


def test_the_list_of_tasks_is_told_as_it_was_written_last():
    """How many are done, which is worked on, which are left: by any of the lists that clients have."""
    todos = [("read it", "completed"), ("mend it", "in_progress"), ("test it", "pending")]
    listed = [{"content": text, "status": status} for text, status in todos]
    steps = [{"status": status, "step": text} for text, status in todos]
    expected = ("tasks: 1 of 3 done | in progress: mend it | to do: test it",)
    assert _Talk().call("TodoWrite", todos=listed).state() == expected
    assert _Talk().call("update_plan", plan=steps).state() == expected
    numbered = _Talk()
    for number, (text, _) in enumerate(todos, 1):
        numbered.call("TaskCreate", f"Task #{number} created successfully: {text}", subject=text)
    numbered.call("TaskUpdate", "Updated task #1 status", taskId="1", status="completed")
    numbered.call("TaskUpdate", "Updated task #2 status", taskId="2", status="in_progress")
    assert numbered.state() == ("tasks: 1 of 3 done | in progress: #2 mend it | to do: #3 test it",)


def test_the_next_step_is_the_agents_last_word_on_it():
    """It is told where nobody spoke since, not one that was taken long ago."""
    last = [*TAIL[:3], {"role": "assistant", "content": "That was it. Next, I'll wire the queue."}]
    talk = _Talk().say("Let me read the parser.").call("Bash")
    assert talk.state(last) == ("next step: Next, I'll wire the queue.",)
    assert talk.state() == ()


def test_the_state_goes_on_in_the_next_round():
    """Files, failures and tasks of an earlier summary are taken over, and the new ones added."""
    talk = _Talk().call("Edit", file_path="/p/a.py").call("Bash", "FATAL: no such stream")
    talk.call("TaskCreate", "Task #1 created successfully: mend it", subject="mend it")
    consolidator = MemoryConsolidator()
    talk.messages = consolidator.consolidate([*talk.messages, *TAIL])[0]
    talk.call("Edit", file_path="/p/a.py").call("Edit", file_path="/p/b.py")
    talk.call("TaskUpdate", "Updated task #1 status", taskId="1", status="completed")
    assert talk.state() == (
        "files changed: in /p/: a.py ×2, b.py",
        "last error: [Bash] FATAL: no such stream (then 4 results without one)",
        "tasks: 1 of 1 done",
    )


def test_the_state_holds_no_secret_also_of_what_stays():
    """A failure among the messages that stay is told without the key in it."""
    secret = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
    call = {"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}
    last = [
        *TAIL[:2],
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": f"fatal: cannot clone with {secret}"},
    ]
    (line,) = _Talk().call("sh").state(last)
    assert line.startswith("last error: [sh] fatal: cannot clone with [REDACTED:")
    assert secret not in line


def test_commits_and_pull_requests_are_told_also_in_the_next_round():
    """By what the commands that made them printed; one that was only looked at is not."""
    talk = _Talk().call(
        "Bash", "[main 1a2b3c4] log: one file\n 2 files changed", command="git commit -am 'log: one file'"
    )
    talk.call("Bash", "https://example.org/a/b/pull/7", command="gh pr create --fill")
    talk.call("Bash", "https://example.org/a/b/pull/3", command="gh pr view 3")
    told = "commits and pull requests: [main 1a2b3c4] log: one file; https://example.org/a/b/pull/7"
    assert told in talk.state()
    consolidator = MemoryConsolidator()
    messages, _ = consolidator.consolidate([*talk.messages, *TAIL])
    text = consolidator.consolidate([*messages, {"role": "assistant", "content": "More."}, *TAIL])[1]
    assert told in summary_text.read(text).state


def test_a_failure_that_was_mended_is_not_the_last_error():
    """The same command passed later, whatever it was piped into."""
    talk = _Talk().call("Bash", "error: two files are unformatted", command="cd /p && make lint 2>&1 | tail -5")
    assert talk.state() == ("last error: [Bash] error: two files are unformatted (nothing ran after it)",)
    talk.call("Bash", "0 issues found", command="cd /p && make lint | tail -9")
    assert talk.state() == ()


def test_an_edit_that_failed_changed_nothing():
    """Whatever the client's words and the shape; a tool that views a file has read it."""
    talk = _Talk().call("apply_patch", "apply_patch verification failed: no lines", input="*** Update File: src/a.py\n")
    talk.call("Edit", "Permission denied: /s/c.py", file_path="/s/c.py").call(
        "write", "Failed to write", path="/s/e.py"
    )
    talk.call("str_replace_editor", "1\tx", command="view", path="/s/f.py").call(
        "bash", "Exit code 1", command="rm /s/g"
    )
    for message in talk.messages[2::2]:
        message["name"] = "whatever"
    state = talk.state()
    assert "files read: /s/f.py" in state
    assert not any(line.startswith("files changed") for line in state)


def test_calls_that_share_a_name_fail_one_by_one():
    """Where a shape has no ids, the second call of a tool counts although its first failed."""
    asked = [{"role": "user", "parts": [{"text": "go"}]}]
    for path, printed in (("/s/a.py", "Failed to edit"), ("/s/b.py", "fine")):
        call = {"functionCall": {"name": "replace", "args": {"file_path": path}}}
        result = {"functionResponse": {"name": "replace", "response": {"output": printed}}}
        asked += [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
    tail = [{"role": role, "parts": [{"text": "x"}]} for role in ("model", "user", "model", "user", "model")]
    assert "files changed: /s/b.py" in MemoryConsolidator().consolidate([*asked, *tail])[1]


def test_files_that_a_command_changed_are_told():
    """A shell that edits, moves and removes files by name counts, and a removed file says so."""
    talk = _Talk().call("Edit", file_path="/p/src/a.py").call("bash", "", command="cd /p && git mv src/a.py src/b.py")
    talk.call("bash", "", command="sed -i 's/x/y/' src/b.py")
    assert talk.state() == ("files changed: in /p/src/: a.py (removed), b.py ×2",)


def test_files_that_are_not_named_any_more_are_counted_through_rounds():
    """The number of earlier files grows; it is never lost."""
    talk = _Talk()
    for number in range(30):
        talk.call("edit", path=f"/p/m{number}.py")
    history = MemoryConsolidator().consolidate([*talk.messages, *TAIL])[0]
    again = _Talk()
    again.messages = history
    (line,) = again.call("edit", path="/p/z.py").state()
    assert line.startswith("files changed: in /p/: 7 earlier, m7.py")


def test_a_list_of_tasks_that_was_cleared_is_gone():
    """An empty list takes the place of the one before."""
    todos = [{"content": "mend it", "status": "in_progress"}]
    assert _Talk().call("TodoWrite", todos=todos).call("TodoWrite", todos=[]).state() == ()
    assert _Talk().call("TodoWrite", todos=todos).call("TodoWrite", todo="x").state() != ()


def test_one_long_line_does_not_take_the_state_along():
    """Where all that may be told has room, the state is whole; where not, each line is there."""
    talk = _Talk()
    for number in range(24):
        talk.call("edit", path=f"/p/projects/application/module_{number}/src/implementation_{number}.py")
    talk.call("update_plan", plan=[{"step": "rename", "status": "completed"}, {"step": "push", "status": "pending"}])
    talk.call("bash", "FATAL: no such stream", command="pytest -q").say("x").say("Next I will fix the import.")
    names = ["files changed", "last error", "tasks"]
    for tokens, earlier in ((3_000, False), (700, True)):
        state = talk.state(max_tokens=tokens)
        assert [line.partition(":")[0] for line in state] == names, tokens
        assert (" earlier, " in state[0]) == earlier


def test_a_commit_that_was_made_again_is_told_once():
    """Amended or replayed, it has the same branch and subject; what became of a pull request is told."""
    talk = _Talk()
    talk.call("exec_command", "[main 1b33e998] feat: cap the runs\n 2 files changed", cmd="git commit -m x")
    talk.call("exec_command", "[main 2c44f009] docs: say so\n 1 file changed", cmd="git commit -m y")
    talk.call("exec_command", "[main 3903bfa2] feat: cap the runs\n 2 files changed", cmd="git commit --amend")
    talk.call("exec_command", "✓ Squashed and merged pull request #1586 (feat: cap the runs)", cmd="gh pr merge 1586")
    made = "[main 2c44f009] docs: say so; [main 3903bfa2] feat: cap the runs"
    merged = "Squashed and merged pull request #1586 (feat: cap the runs)"
    assert f"commits and pull requests: {made}; {merged}" in talk.state()


def test_the_last_error_is_told_once_and_stays_when_another_follows():
    """The state alone tells the last error where it has room for it; once a later one stands there it is a fact."""
    error = "[Bash] FATAL: no such stream"
    talk = _Talk().call("Bash", "FATAL: no such stream", command="make up").call("Bash", "served", command="make see")
    messages, text = MemoryConsolidator().consolidate([*talk.messages, *TAIL])
    assert text.count(error) == 1
    talk.messages = messages
    talk.call("Bash", "error: the port is in use", command="make run")
    later = MemoryConsolidator().consolidate([*talk.messages, *TAIL])[1]
    assert "last error: [Bash] error: the port is in use" in later
    assert later.count(f"- {error}") == 1
    assert later.count("the port is in use") == 1
