"""The page that `sleepwake` alone and `sleepwake --help` print: the tasks of a day, in the order in which they come.

Owns which tasks a newcomer needs. Refuses to list all: `--list` does.
"""

from __future__ import annotations

_WIDTH = 18  # columns of a name

# Tasks by the moment that they belong to: as a person calls them, and what each is for.
GROUPS = {
    "Begin, in a git repository": (
        ("init", "lay out a memory; your files stay as they are"),
        ("clients.install", "hooks for Claude Code, Codex and others: sessions journal themselves"),
        ("journal.import", "take in logs, notes and documents that are there already"),
    ),
    "In a session": (
        ("wake", "what this instance should read, within a budget; opens its journal"),
        ("note, decide", "write down what the next one should know: decide TEXT --why REASON"),
        ("journal.add", "any other entry: a constraint (a rule), a dead end, a question, a fix"),
        ("recall", "find what the memory has on a question, with addresses and days"),
    ),
    "Afterwards": (
        ("status", "what there is and what is due, on one screen"),
        ("sleep", "compress journal -> hot -> warm -> cold, one commit a step; --dry-run shows it"),
        ("review", "settle what was noticed, what changed and what is due: confirm, correct, reject"),
    ),
    "When you want to know, or to go back": (
        ("trace", "who said a line, where, and what became of it"),
        ("memory.explain", "why an entry was kept, shortened, merged or dropped"),
        ("sleep.undo", "undo a cycle, in a new commit"),
        ("doctor", "what is wrong with the memory, and how to mend it"),
    ),
}


def page() -> str:
    """Return the page, without a line end."""
    lines = ["sleepwake: a memory for AI agents, kept as Markdown in git", ""]
    for moment, tasks in GROUPS.items():
        lines += [moment, *(f"  {name:{_WIDTH}}{says}" for name, says in tasks), ""]
    return "\n".join(
        [
            *lines,
            "sleepwake TASK --help   what a task does, with an example; sleepwake help recovery: after errors",
            "sleepwake --list        all tasks; --list NAME those of a group (journal, relay, bench ...)",
            "sleepwake demo          this project's own journals, slept on one by one in a throwaway clone",
            "sleepwake --version     Most tasks take --json where a program reads, and --root for another place.",
        ]
    )
