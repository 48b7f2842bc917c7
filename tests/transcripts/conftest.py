"""One small transcript of each client, as it writes them: a prompt, what is put in, text, edits, one that failed."""

from __future__ import annotations

import json

import pytest

PATCH = "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n@@\n-x\n+y\n*** End Patch"


def rows(*records, compact=True):
    """Return records as JSON lines."""
    separators = (",", ":") if compact else (", ", ": ")
    return b"".join(json.dumps(one, separators=separators).encode() + b"\n" for one in records)


def _claude():
    def line(kind, content, uuid, **more):
        message = {"role": kind, "content": content}
        common = {"sessionId": "s", "cwd": "/p", "timestamp": f"2026-01-02T03:04:{uuid[-2:]}.000Z"}
        return {
            "parentUuid": None,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": uuid,
            **common,
            **more,
        }

    def use(name, call, **given):
        return {"type": "tool_use", "id": call, "name": name, "input": given}

    def result(call, text="ok", *, error=None):
        return {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}

    nested = line("assistant", [use("Write", "toolu_4", file_path="/p/d")], "n1")
    broken = line("user", [result("toolu_4", "No", error=True)], "n2")
    return rows(
        {"type": "queue-operation", "operation": "enqueue", "content": "Fix it", "sessionId": "s"},
        line("user", "<system-reminder>be safe</system-reminder>Fix the lock", "u01"),
        line("assistant", [{"type": "text", "text": "I decided to hold it longer."}], "u02"),
        line("assistant", [use("Edit", "toolu_1", file_path="/p/a"), use("Write", "toolu_2", file_path="/p/b")], "u03"),
        line("user", [result("toolu_1", "<tool_use_error>No match</tool_use_error>", error=True)], "u04"),
        line("user", [result("toolu_2")], "u05"),
        line("assistant", [use("Edit", "toolu_3", file_path="/p/c")], "u06", isSidechain=True),
        {"type": "progress", "data": {"type": "agent_progress", "message": nested, "normalizedMessages": [nested]}},
        {"type": "progress", "data": {"type": "agent_progress", "message": broken, "normalizedMessages": []}},
        line("assistant", [use("Bash", "toolu_5", command="git commit -m 'lock: hold'")], "u07"),
    )


def _codex():
    def item(**payload):
        return {"timestamp": "2026-01-02T03:04:05.678Z", "type": "response_item", "payload": payload}

    def call(number):
        return item(type="custom_tool_call", name="apply_patch", call_id=number, input=PATCH)

    def output(number, text):
        return item(type="custom_tool_call_output", call_id=number, output=text)

    return rows(
        {"timestamp": "t", "type": "session_meta", "payload": {"cwd": "/p", "cli_version": "0.169.0"}},
        item(type="message", role="user", content=[{"type": "input_text", "text": "<environment_context>x"}]),
        item(type="message", role="user", content=[{"type": "input_text", "text": "Use locks instead of hope."}]),
        item(type="message", role="assistant", content=[{"type": "output_text", "text": "Going with locks."}]),
        call("call_1"),
        output("call_1", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA a.py"),
        call("call_2"),
        output("call_2", "apply_patch verification failed: Failed to find expected lines in b.py"),
        item(type="function_call", name="exec_command", call_id="call_3", arguments='{"cmd": "make"}'),
        item(type="function_call_output", call_id="call_3", output="Process exited with code 2\nOutput:\nno rule"),
    )


def _copilot():
    def event(kind, **told):
        return {"type": kind, "data": told, "id": "i", "timestamp": "2026-01-02T03:04:05.678Z", "parentId": None}

    return rows(
        event("session.start", sessionId="s", context={"cwd": "/p"}),
        event(
            "user.message", content="Write it", transformedContent="<current_datetime>now</current_datetime>Write it"
        ),
        event("assistant.message", content="Writing.", toolRequests=[{"name": "create", "toolCallId": "c1"}]),
        event("tool.execution_start", toolCallId="c1", toolName="create", arguments={"path": "/p/a", "file_text": "x"}),
        event("tool.execution_complete", toolCallId="c1", success=True, result={"content": "Created"}),
        event("tool.execution_start", toolCallId="c2", toolName="edit", arguments={"path": "/p/b", "old_str": "x"}),
        event(
            "tool.execution_complete", toolCallId="c2", success=False, error={"message": "No match", "code": "failure"}
        ),
        event("tool.execution_start", toolCallId="c3", toolName="apply_patch", arguments=PATCH),
        event("tool.execution_complete", toolCallId="c3", success=True, result={"content": "Done"}),
    )


def _qwen():
    def line(kind, uuid, **more):
        return {
            "uuid": uuid,
            "parentUuid": None,
            "timestamp": "2026-01-02T03:04:05.678Z",
            "type": kind,
            "cwd": "/p",
            **more,
        }

    def called(call, name):
        return {"functionCall": {"id": call, "name": name, "args": {"file_path": f"/p/{call}"}}}

    def answered(call, status, **response):
        part = {"functionResponse": {"id": call, "name": "edit", "response": response}}
        return {"message": {"role": "user", "parts": [part]}, "toolCallResult": {"callId": call, "status": status}}

    typed = [{"text": "Write it"}, {"text": "<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>"}]
    return rows(
        line("user", "u1", provenance="real_user", message={"role": "user", "parts": typed}),
        line("assistant", "u2", message={"role": "model", "parts": [{"text": "Writing."}, called("q1", "write_file")]}),
        line("tool_result", "u3", **answered("q1", "success", output="ok")),
        line("assistant", "u4", message={"role": "model", "parts": [called("q2", "edit")]}),
        line("tool_result", "u5", **answered("q2", "error", error="No match")),
        compact=False,
    )


def _gemini_messages():
    def call(number, name, status, **response):
        result = [{"functionResponse": {"id": number, "name": name, "response": response}}]
        return {"id": number, "name": name, "args": {"file_path": f"/p/{number}"}, "status": status, "result": result}

    at = "2026-01-02T03:04:05.678Z"
    calls = [call("g1", "write_file", "success", output="ok"), call("g2", "replace", "error", error="No match")]
    return [
        {
            "id": "m1",
            "timestamp": at,
            "type": "user",
            "content": [{"text": "<hook_context>x</hook_context>\n\nWrite it"}],
        },
        {"id": "m2", "timestamp": at, "type": "gemini", "content": "Writing."},
        {
            "id": "m2",
            "timestamp": at,
            "type": "gemini",
            "content": "Writing.",
            "toolCalls": calls,
            "tokens": {"input": 1},
        },
    ]


def _gemini():
    first = {"sessionId": "s", "projectHash": "h", "startTime": "t", "kind": "main"}
    patch = {"$set": {"messages": _gemini_messages()[2:], "lastUpdated": "t"}}
    return rows(first, {"$set": {"lastUpdated": "t"}}, *_gemini_messages(), patch)


def _gemini_json():
    whole = {"sessionId": "s", "projectHash": "h", "messages": [_gemini_messages()[0], _gemini_messages()[2]]}
    return json.dumps(whole, indent=2).encode()


def _cursor():
    def line(role, *blocks):
        return {"role": role, "message": {"content": list(blocks)}}

    def use(name, **given):
        return {"type": "tool_use", "name": name, "input": given}

    around = "<timestamp>Friday, Jan 2, 2026, 3:04 AM (UTC)</timestamp>\n<attached_files>x</attached_files>\n"
    return rows(
        line("user", {"type": "text", "text": f"{around}<user_query>\nWrite it\n</user_query>"}),
        line("assistant", {"type": "text", "text": "Writing."}, use("Write", path="/p/a", contents="x")),
        line("assistant", use("StrReplace", path="/p/b", old_string="x", new_string="y"), use("Shell", command="make")),
        line("assistant", {"type": "text", "text": "[REDACTED]"}),
        {"type": "turn_ended", "status": "success"},
    )


def _opencode():
    def tool(call, name, status, **given):
        state = {"status": status, "input": given, "time": {"start": 1_767_323_045_678}, "error": "No match"}
        return {"id": f"prt_{call}", "type": "tool", "tool": name, "callID": call, "state": state}

    def message(role, number, *parts):
        info = {"id": number, "role": role, "sessionID": "ses_1", "time": {"created": 1_767_323_045_678}}
        return {"info": info, "parts": list(parts)}

    text = {"id": "prt_t", "type": "text", "text": "Writing."}
    whole = {
        "info": {"id": "ses_1", "directory": "/p", "title": "Write it"},
        "messages": [
            message("user", "msg_1", {"id": "prt_1", "type": "text", "text": "Write it"}),
            message("assistant", "msg_2", text, tool("o1", "write", "completed", filePath="/p/a")),
            message("assistant", "msg_3", tool("o2", "edit", "error", filePath="/p/b")),
            message("assistant", "msg_4", tool("o3", "apply_patch", "completed", patchText=PATCH)),
        ],
    }
    return json.dumps(whole, indent=2).encode()


def _sweagent():
    def step(action, observation, thought="Let me."):
        state = {"open_file": "/p/a.py", "working_dir": "/p"}
        return {"action": action, "observation": observation, "thought": thought, "state": state}

    whole = {
        "environment": "main",
        "trajectory": [
            step("create a.py", "[File: a.py (1 lines total)]"),
            step("edit 'x' 'y'", "Your proposed edit has introduced new syntax error(s)."),
            step("python a.py", "1"),
        ],
        "history": [
            {"role": "system", "content": "SETTING", "agent": "main"},
            {"role": "user", "content": "Solve.\nISSUE:\nIt breaks.\n\nINSTRUCTIONS:\nNow solve it.", "agent": "main"},
        ],
    }
    return json.dumps(whole, indent=4).encode()


_SPECSTORY = """\
<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-01-02 03:04:05Z

<!-- Claude Code Session 066e1e40-6740 (2026-01-02 03:04:05Z) -->

_**User (2026-01-02 03:04:05Z)**_

Rename it

---

_**Agent (a-model 2026-01-02 03:04:06Z)**_

<think><details><summary>Thought Process</summary>
_**User**_
</details></think>

_**Agent (a-model 2026-01-02 03:04:07Z)**_

Renaming.

_**Agent (a-model 2026-01-02 03:04:08Z)**_

<tool-use data-tool-type="write" data-tool-name="Edit"><details>
<summary>Tool use: **Edit**</summary>

```text
The file /p/a.py has been updated successfully.
```
</details></tool-use>

_**Agent - sidechain (a-model 2026-01-02 03:04:09Z)**_

<tool-use data-tool-type="write" data-tool-name="Edit"><details>
<summary>Tool use: **Edit**</summary>

```text
<tool_use_error>No match</tool_use_error>
```
</details></tool-use>
"""

_AIDER = """\

# aider chat started at 2026-01-02 03:04:05

> Aider v0.47.2
> Git repo: .git with 3 files

#### Use the Spinner
#### please

Certainly.

> Applied edit to a.py

#### # Fix any errors below, if possible.

> The LLM did not conform to the edit format.
> # 1 SEARCH/REPLACE block failed to match!

> Applied edit to dir/b c.py
"""

SAMPLES = {
    "claude-code": _claude(),
    "codex": _codex(),
    "copilot-cli": _copilot(),
    "qwen-code": _qwen(),
    "gemini-cli": _gemini(),
    "gemini-cli-json": _gemini_json(),
    "cursor": _cursor(),
    "opencode": _opencode(),
    "swe-agent": _sweagent(),
    "specstory": _SPECSTORY.encode(),
    "aider": _AIDER.encode(),
}


@pytest.fixture(scope="session")
def samples():
    """A transcript of each client, by its name."""
    return SAMPLES


@pytest.fixture(params=SAMPLES, scope="session")
def client(request):
    """Each client in turn."""
    return request.param
