"""Inquiries: what an agent saw when it only looked, and which files it edited next, after a person's reply.

Owns the order of calls and turns that tells so. Refuses to read words: whether something was wrong is said in `fixes`.
"""

from __future__ import annotations

from typing import NamedTuple

_MOST = 600  # characters of what an agent saw; what is longer reviews or plans
_TALK = 2  # replies, at most, between that and the edit


class Finding(NamedTuple):
    """What a person said before the agent looked, and the files that it edited first thing after a reply."""

    request: str
    files: tuple[str, ...]


class Inquiry:
    """The turns of a session, call by call; `findings` are by the number of the message that said what was seen."""

    def __init__(self) -> None:
        self.findings: dict[int, Finding] = {}
        self._request = ""  # of the turn
        self._looks = self._edits = 0  # in it
        self._message, self._about = -1, ""  # the message that ended a turn of looks, and what that was asked
        self._replies = 0  # to it

    def begin(self, request: str, number: int, remark: str) -> None:
        """Begin a turn; `remark` is what the agent said last before, "" for nothing, in the message of this number."""
        self._replies += 1
        if self._looks and not self._edits and 0 < len(remark) <= _MOST:
            self._message, self._about, self._replies = number, self._request, 1
        elif self._edits or self._replies > _TALK:
            self._message = -1
        self._request, self._looks, self._edits = request, 0, 0

    def look(self) -> None:
        """Take in a call that edits nothing."""
        self._looks += 1
        self._message = -1

    def edit(self, path: str) -> None:
        """Take in an edit."""
        self._edits += 1
        if self._message >= 0:
            before = self.findings.get(self._message, Finding(self._about, ()))
            self.findings[self._message] = before._replace(files=tuple(dict.fromkeys((*before.files, path))))
