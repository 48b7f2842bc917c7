"""A simple model of the requirement: agents and sleeps as plain values, and frames as the model says them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

PUBLIC = ("#a", "#b")
CAP = 3


@dataclass
class Slept:
    """A sleep as the model knows it; `until` is when it ends."""

    mode: str
    until: float
    held: list = field(default_factory=list)
    dropped: int = 0

    def hold(self, what):
        """Buffer something, the newest few."""
        self.held.append(what)
        if len(self.held) > CAP:
            self.held.pop(0)
            self.dropped += 1


@dataclass
class Known:
    """An agent as the model knows it."""

    here: bool = True
    rooms: list = field(default_factory=lambda: [*PUBLIC])
    presence: str = "online"
    slept: Slept | None = None
    spoke: float = float("-inf")
    unsure: list = field(default_factory=list)  # what it was told directly and may not have received
    callbacks: dict = field(default_factory=dict)  # its payload, by when and in which order it fires
    forget: float = 0.0  # when it is given up, while it is not here


def said(frame):
    """Return a frame as the model says it."""
    kind = frame["type"]
    if kind == "MSG" and frame["content"] == "@@wake@@":
        return "wake", frame["buffered"], frame["dropped"]
    if kind == "MSG" and "cb_id" in frame:
        return "fire", frame["content"].removeprefix("@@cb-fire@@")
    if kind == "MSG":
        return "msg", frame["from"].removeprefix("@id-"), frame["to"].replace("@id-", "@"), frame["content"]
    if kind in ("PRESENCE", "PRESENCE_CHANGED"):
        return kind, frame.get("agent", frame.get("agent_id"))[4:], frame["presence"]
    if kind in ("AGENT_JOINED", "AGENT_LEFT", "TYPING"):
        return kind, frame.get("agent", frame.get("from"))[4:], frame["channel"]
    detail = frame.get("code") or frame.get("channel")
    return (kind, detail) if detail else (kind,)


def copied(agents):
    """Return agents that do not change with the given ones."""
    found = {}
    for name, one in agents.items():
        slept = one.slept and replace(one.slept, held=[*one.slept.held])
        lists = {"rooms": [*one.rooms], "unsure": [*one.unsure], "callbacks": {**one.callbacks}}
        found[name] = replace(one, slept=slept, **lists)
    return found
