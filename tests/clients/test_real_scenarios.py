"""Sessions with the real clients: what was said in them is on record, with its reason and its line, and nothing else.

What was said is in `scenarios`; here each is driven, and what later sessions are given of it is looked up in the
requests that the client sent to its model.
"""

from __future__ import annotations

import pytest

from sleep.documents import entries, paths
from tests.clients import scenarios
from tests.clients.driven import MEMORY, SLEEPWAKE, drive, patch, planted, write
from tests.clients.scenarios import Edit

pytestmark = pytest.mark.real
assert drive  # a fixture
TOOLS = ["--allowedTools", "Bash", "Write"]
BOTH = ("claude", "codex")
HELPER = "---\nname: helper\ndescription: helps\ntools: Read, Write\n---\nYou help.\n"


def steps(client, *turns):
    """Return what the scripted model answers in these turns: each text with the call that follows it."""
    made = []
    for turn in turns:
        said = ""
        for step in turn.steps:
            if isinstance(step, str):
                if said:
                    made.append({"text": said})
                said = step
            else:
                made.append({"content": [*([{"type": "text", "text": said}] if said else []), call(client, step)]})
                said = ""
        made += [{"text": said}] if said else []
    return made


def call(client, step):
    """Return a step as a call of the client's tool."""
    if client == "claude":
        name, given = "Bash", {"command": getattr(step, "command", ""), "description": "run"}
        given_ = write(step.path, step.text) if isinstance(step, Edit) else {"name": name, "input": given}
        return {"type": "tool_use", **given_}
    if isinstance(step, Edit):
        return patch(f"*** Add File: {step.path}", *(f"+{line}" for line in step.text.splitlines()))
    return {"type": "tool_use", "name": "exec_command", "input": {"cmd": step.command}}


def script(client, session, *others, **more):
    """Return a script in which these sessions take place one after another, each in a run of its own."""
    sessions = (session, *others)
    files = {**MEMORY, **dict(file for each in sessions for file in each.files)}
    prompts = [[turn.prompt for turn in each.turns] for each in sessions]
    answers = [step for each in sessions for step in steps(client, *each.turns)]
    if client == "claude":
        runs = [{"prompts": own} for own in prompts]
    else:
        runs = [{"prompt": prompt, "resume": bool(number)} for own in prompts for number, prompt in enumerate(own)]
    made = {"files": files, "runs": runs, "lanes": [{"name": "main", "steps": answers}], **more}
    return {**made, "args": TOOLS} if client == "claude" else made


def record(done, session_id):
    """Return the entries of a session's journals, and the lines of its transcript."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((done.project / "journal").glob("*.md"))]
    own = [entry for text in texts if session_id in text.partition("\n---\n")[0] for entry in entries.read(text)]
    (transcript,) = [
        path
        for path in (done.out / "home").rglob("*.jsonl")
        if session_id in path.name and "subagents" not in path.parts and "history" not in path.name
    ]
    return own, transcript.read_text(encoding="utf-8").splitlines()


def ids(done):
    """Return the ids of the sessions, in their order."""
    return list(dict.fromkeys(hook["session_id"] for hook in done.hooks("SessionStart")))


def follow(drive, done, *prompts, before=(), steps=(), **more):
    """Drive one more session of a client in the same project, and return it when it is done."""
    lanes = [{"name": "main", "steps": list(steps), "after": {"text": "ok"}}]
    made = {"files": {}, "before": list(before), "runs": [{"prompts": list(prompts)}], "lanes": lanes, **more}
    if done.client == "codex":
        made["runs"] = [{"prompt": prompt} for prompt in prompts]
    return drive(done.client, made, done.project).wait()


SLEEP = [SLEEPWAKE, "sleep"]


ANY = (scenarios.WRITES, scenarios.DELEGATES, scenarios.TOGETHER, scenarios.NATURAL)


@pytest.mark.parametrize(
    ("client", "session"),
    [
        *((client, session) for client in BOTH for session in ANY),
        ("claude", scenarios.PASSAGES),
        ("codex", scenarios.IN_RUNS),
    ],
    ids=lambda each: getattr(each, "name", each),
)
def test_what_was_said_is_on_record(drive, client, session):
    """Every decision, rule, open point and fix is a record with its reason and its line, and nothing else is."""
    done = drive(client, script(client, session)).wait()
    (own,) = ids(done)
    if client == "codex":  # no hook ends its session: the next start catches up
        follow(drive, done, "Next one.")
    assert scenarios.faults(session, *record(done, own)) == []


@pytest.mark.parametrize("session", [scenarios.ORDINARY, scenarios.COMPACTED], ids=lambda session: session.name)
def test_what_was_not_said_is_not_on_record(drive, session):
    """Ordinary prompts lay down no rules, and what the client says when it compacts is nobody's."""
    done = drive("claude", script("claude", session)).wait()
    assert scenarios.faults(session, *record(done, ids(done)[0])) == []


def test_a_session_that_is_resumed_and_forked_is_told_once(drive):
    """What was decided before stands in the session's journal alone, and the fork's has the fork's attempt."""
    made = script("claude", scenarios.RESUMES)
    made["runs"] += [
        {"prompt": "And print its size.", "resume": True},
        {"prompt": scenarios.FORKS.turns[0].prompt, "resume": True, "args": ["--fork-session"]},
    ]
    made["lanes"][0]["steps"] += [{"text": "Its size is printed."}, *steps("claude", *scenarios.FORKS.turns)]
    done = drive("claude", made).wait()
    session, fork = ids(done)
    assert scenarios.faults(scenarios.RESUMES, *record(done, session)) == []
    assert scenarios.faults(scenarios.FORKS, *record(done, fork)) == []
    assert done.journals().count("a cap of 64 MB") == 1


def test_a_session_that_was_killed_is_on_record_and_the_next_is_told(drive):
    """The rule and the decision of a client that was killed reach the next session without a sleep."""
    made = script("claude", scenarios.KILLED)
    end = {"name": "Bash", "input": {"command": "sleep 0.5; kill -9 $PPID", "description": "end"}}
    made["runs"].append({"prompt": "What are the rules here?"})
    made["lanes"][0]["steps"] += [{"tools": [end]}, {"text": "ok"}]
    done = drive("claude", made).wait()
    assert done.report["runs"][0]["exit"] == -9
    assert scenarios.faults(scenarios.KILLED, *record(done, ids(done)[0])) == []
    told = done.requests()[-1]
    assert "never round prices before the total" in told
    assert "keep prices as Decimal" in told
    assert "floats lose cents" in told


@pytest.mark.parametrize("client", BOTH)
def test_later_sessions_are_told_what_was_said(drive, client):
    """Two sleeps and an unrelated session later the request has rules, decisions with reasons, open points, the fix."""
    done = drive(client, script(client, scenarios.WRITES)).wait()
    follow(drive, done, "Next one.")
    follow(drive, done, "ok next.", before=[SLEEP])
    last = follow(drive, done, "Where did we leave the client?", before=[SLEEP])
    told = last.requests()[-1]
    for said in scenarios.WRITES.records:
        if said.kind != "fix":
            assert said.words in told, said
            assert said.why in told, said
    handoff = (done.project / "main.md").read_text(encoding="utf-8").partition("## HANDOFF")[2]
    assert not any(words in handoff for words in ("Next one", "ok next"))


def test_a_fix_is_found_where_its_error_comes_back(drive):
    """Asked about the error in a later session, the model is given what mended it."""
    made = script("claude", scenarios.WRITES)
    made["files"]["memory/sleep.yaml"] = "format: 1\nrecall:\n  inject: on\n"
    done = drive("claude", made).wait()
    asked = "ModuleNotFoundError for limits.py again, what was it the last time?"
    last = follow(drive, done, asked, before=[SLEEP])
    assert "never committed; I wrote it anew" in last.requests()[-1]


def test_what_an_agent_journals_reaches_later_sessions_and_sub_agents(drive):
    """A handoff and a decision outlast a trivial session; a sub-agent is given the rule that holds."""
    made = script("claude", scenarios.DELEGATES)
    words = f'{SLEEPWAKE} journal.add --kind handoff --text "The roster half is done; crews are next."'
    end = {"name": "Bash", "input": {"command": words, "description": "journal"}}
    made["lanes"][0]["steps"].insert(-1, {"tools": [end]})
    made["files"][".claude/agents/helper.md"] = HELPER
    done = drive("claude", made).wait()
    follow(drive, done, "Next one.", before=[SLEEP])
    agent = {"description": "d", "prompt": "write crews", "subagent_type": "helper", "run_in_background": False}
    lanes = [
        {"name": "sub", "match": {"is_subagent": True}, "steps": [{"text": "done"}]},
        {"name": "main", "steps": [{"tools": [{"name": "Agent", "input": agent}]}], "after": {"text": "ok"}},
    ]
    last = follow(drive, done, "Write the crews.", before=[SLEEP], lanes=lanes)
    for words in ("Never touch src/billing.py", "the roster keeps the old table names", "crews are next"):
        assert words in last.requests()[0], words
    assert "Never touch src/billing.py" in last.requests("sub")[0]


def test_two_sessions_at_once_keep_their_lists_of_files(drive, tmp_path):
    """Two sessions of one project at the same time each say which files they wrote, after a sleep too."""
    first = drive("claude", {"runs": [{"prompt": "begin"}], "lanes": [{"name": "main", "steps": [{"text": "begun"}]}]})
    first.wait()
    both = []
    for letter in "pq":
        calls = [{"tools": [write(f"{letter}{number}.py")], "delay": 0.3} for number in range(4)]
        lanes = [{"name": "main", "steps": [*calls, {"text": f"The files of {letter} are in."}]}]
        made = {"files": {}, "before": [], "runs": [{"prompt": f"Write the files of {letter}."}], "lanes": lanes}
        both.append(drive("claude", made, first.project))
    for each in both:
        each.wait()
    follow(drive, first, "Next one.", before=[SLEEP])
    tiers = "".join((first.project / path).read_text(encoding="utf-8") for path in paths.HOT)
    for words in (first.journals(), tiers):
        assert all(f"{letter}{number}.py" in words for letter in "pq" for number in range(4)), words


def test_a_question_is_answered_with_the_reason(drive):
    """Asked why, the model is given the reason of a decision whose words the handoff mentions."""
    script_ = planted("claude", on=True)
    add = [SLEEPWAKE, "journal.add", "--kind", "decision", "--text", "Invoices are numbered per country"]
    add += ["--why", "Portuguese law asks for a gapless series"]
    script_["before"].insert(2, add)
    lanes = [{"name": "main", "steps": [], "after": {"text": "ok"}}]
    ask = "Why are invoices numbered per country, and why gapless?"
    done = drive("claude", {**script_, "runs": [{"prompts": ["continue", ask]}], "lanes": lanes}).wait()
    assert "Portuguese law asks for a gapless series" in done.requests()[-1]
