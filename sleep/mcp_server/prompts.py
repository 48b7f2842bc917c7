"""The prompts that a person can pick: how to begin, and how to close.

Owns their words. Refuses to run anything: a prompt tells the model which tools to call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_WAKE = """\
Begin by reading this project's memory: call the tool `wake`{task}. It tells you what the last session left: the \
handoff, the decisions and constraints that stand, the open questions and threads.

Then say in a few sentences where the work stands and what comes first. Memory may be older than the code: if they \
disagree, say so and ask. While you work, write what a later session should know with `journal_add`, when it happens."""
_SLEEP = """\
Close this session so that the next one can go on without you.

1. Write with `journal_add` what only you know and the journal does not have yet, one entry an idea: decisions with \
why and what was rejected, questions, doubts, constraints, insights, dead ends, fixes. Move what has changed: \
`thread_resolve`, `thread_pause`, `question_answer`.
2. Write the handoff: one `journal_add` of kind `handoff` with session_summary, next_priority, open_risk, \
emotional_register and for_my_successor, each a sentence or two that your successor can act on.
3. Call `sleep`. It consolidates the memory, one commit a step. If it stops with an error, the message says what to do.
4. Tell the person in a few lines what was written down and what came of the sleep.{note}"""


class Prompt(NamedTuple):
    """A prompt with at most one argument."""

    name: str
    title: str
    says: str
    argument: str
    argument_says: str

    @property
    def wire(self) -> dict[str, object]:
        """The prompt as `prompts/list` gives it."""
        argument = {"name": self.argument, "description": self.argument_says, "required": False}
        return {"name": self.name, "title": self.title, "description": self.says, "arguments": [argument]}


PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        Prompt("wake", "Wake", "Begin: read what the last session left", "task", "what you are about to do"),
        Prompt("sleep", "Sleep", "Close: write the handoff, then consolidate", "note", "what must not be forgotten"),
    )
}


def text(name: str, values: Mapping[str, str]) -> str:
    """Return a prompt's words."""
    words = " ".join(values.get(PROMPTS[name].argument, "").split())
    if name == "wake":
        return _WAKE.format(task=f" with the task {words!r}" if words else "")
    return _SLEEP.format(note=f"\n\nDo not forget: {words}" if words else "")
