"""What a consolidation gives back, and what it says about itself. Values alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sleep.conversation.messages.shapes import Message
    from sleep.conversation.originals import Originals


class Report(NamedTuple):
    """What a consolidation did. Tokens are those of messages and system prompt together.

    `kept` and `dropped` count the facts by kind; `clipped` counts messages that stay and were shortened; `redacted`
    secrets; `address` is that of the originals, "" where there is no store. `verdict` is "" unless the target could not
    be met; it says by how much.
    """

    strategy: str
    shape: str
    removed: int = 0
    remaining: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    target: int = 0
    summary_length: int = 0
    kept: dict[str, int] = {}  # noqa: RUF012  # never changed
    dropped: dict[str, int] = {}  # noqa: RUF012  # same
    clipped: int = 0
    redacted: int = 0
    address: str = ""
    verdict: str = ""
    note: str = ""

    @property
    def fits(self) -> bool:
        """Whether the target was met."""
        return not self.verdict

    @property
    def changed(self) -> bool:
        """Whether anything was done."""
        return bool(self.removed or self.clipped)


class Outcome(NamedTuple):
    """The messages that go on, the summary ("" where nothing was done), the report, and the originals if there are."""

    messages: list[Message]
    summary: str
    report: Report
    originals: Originals | None = None
