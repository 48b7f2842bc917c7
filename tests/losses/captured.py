"""A session of Claude Code in a person's project: its transcript, and the hooks that the client runs."""

from __future__ import annotations

import json

from talk import Talk


class Session(Talk):
    """A session whose transcript grows, and whose hooks are run as the client runs them."""

    def __init__(self, person, folder, name="s1"):
        super().__init__(folder / f"{name}.jsonl", name, cwd=str(person.folder))
        self.person = person
        self.hook("session-start", "SessionStart", source="startup")

    def hook(self, event, name, **more):
        """Run a hook and return what it printed."""
        given = {
            "session_id": self.session,
            "transcript_path": str(self.path),
            "cwd": self.cwd,
            "hook_event_name": name,
        }
        return self.person.sleepwake("hook", event, stdin=json.dumps({**given, **more}))

    def end(self):
        """Let the session end, and return what all journals say of it."""
        self.hook("session-end", "SessionEnd", reason="logout")
        return journals(self.person)


def journals(person):
    """Return the text of all journals."""
    return "\n".join(text for path, text in person.everything().items() if path.startswith("journal/"))


def records(text, kind):
    """Return the titles of the entries of a kind in a journal."""
    lead = f"## {kind.capitalize()}"
    found = [line[len(lead) :] for line in text.split("\n") if line.startswith(lead)]
    return [one.partition(": ")[2].rpartition(" [")[0] for one in found]
