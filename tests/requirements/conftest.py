"""A memory as a person has it, and the command as she and her clients run it."""

from __future__ import annotations

import json
from pathlib import Path

import forkserver
import pytest
from scene import environment


class Clerk:
    """Runs the command in a scene, and has transcripts and a ledger at hand."""

    def __init__(self, scene):
        self.scene = scene
        self.home = scene.home
        self.transcripts = Path(scene.top).parent / "transcripts"

    def do(self, *words, code=0, **more):
        """Return what a command prints; with `code` 0 it says nothing beside, else what it says there."""
        ended, out, err = self.scene.run(*words, **more)
        assert ended == code, (words, out, err)
        return out if not code else err

    def inv(self, *words):
        """Return what `inv` prints."""
        ended = forkserver.run(words, cwd=self.home, env=environment(COLUMNS="200"), program="inv")
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def facts(self, *words, **more):
        """Return what a command prints with `--json`."""
        return json.loads(self.do(*words, "--json", **more))

    def transcript(self, session, changes, tool="Write"):
        """Write a transcript of a session with so many changes, and return its path."""
        uses = [{"type": "tool_use", "id": f"{session}-{at}", "name": tool, "input": {}} for at in range(changes)]
        lines = [{"type": "assistant", "message": {"content": [one]}} for one in uses]
        path = self.transcripts / f"{session}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines), encoding="utf-8")
        return str(path)

    def hook(self, event, session="sess-1", changes=None, message="", path="", **more):
        """Run a hook as Claude Code does, which names its event, and return what the session is told."""
        path = path or ("" if changes is None else self.transcript(session, changes))
        name = event.title().replace("-", "")
        said = {"hook_event_name": name, "session_id": session, "transcript_path": path, "cwd": str(self.home), **more}
        out = self.do("hook", event, stdin=json.dumps({**said, "last_assistant_message": message}))
        if not out:
            return ""
        ((_, answer),) = json.loads(out).items()
        assert (out.count("\n") <= 1, set(answer)) == (True, {"hookEventName", "additionalContext"})
        assert answer["hookEventName"] == name
        return answer["additionalContext"]

    @property
    def ledger(self):
        """What stands in `.sleep.json`."""
        return json.loads(self.scene.text("memory/state/.sleep.json"))

    @ledger.setter
    def ledger(self, value):
        self.scene.write("memory/state/.sleep.json", value if isinstance(value, str) else json.dumps(value))


LAST = 4
PARTS = ("lexer", "parser", "printer", "linter")


def _live(scene):
    """Live four instances and sleep on each, with tiers that are left early."""
    settings = scene.text("memory/sleep.yaml")
    scene.write("memory/sleep.yaml", f"{settings}\nkeep:\n  hot: 1\n  warm: 1\n")
    main = scene.text("main.md")
    scene.write("main.md", f"{main.rstrip()}\n\n## Of mine\n\nWords of a person.\n")
    for number, part in enumerate(PARTS, 1):
        scene.open()
        scene.add("decision", f"Use flock in the {part}", why=f"it ends with the {part}", alternatives="a pid file",
                  confidence="high", topic=part)  # fmt: skip
        scene.add("question", f"Who owns the {part}?")
        for at in range(12):
            scene.add("insight", _prose(part, at), topic=part)
        if number == 1:
            scene.add("thread", "Rewrite of the lexer")
            scene.add("task", "Write the migration of the users table")
            scene.add("blocker", "Staging has no disk space")
            scene.add("constraint", "Never log a password")
            scene.add("relation", "The parser reads what the lexer writes", topic=part)
        scene.add("tone", f"This felt wrong in the {part}")
        scene.add("handoff", f"Read docs/{part}.md first", next_priority=f"finish the {part}")
        scene.sleep()


def _prose(part, at):
    name = f"src/{part}/{chr(97 + at) * 5}.py"
    return (
        f"The file `{name}` takes {at * 7 + 3} ms a page. It reads each page of the {part} twice, once for names and "
        f"once for calls. We looked at it on a slow disk with {at + 2} workers. Nobody had measured it there before."
    )


@pytest.fixture
def old(scene):
    """Return who runs the command in a memory of four instances, all slept on."""
    return Clerk(scene.grow(_live))


@pytest.fixture
def clerk(scene):
    """Return who runs the command in a memory."""
    return Clerk(scene)
