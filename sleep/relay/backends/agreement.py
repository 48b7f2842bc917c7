"""What all nodes of one log must agree on: whatever decides what the engine makes of a record.

Owns the terms, which stand in the log's metadata from its first moment, and how a difference is told. A setting that
each node may have for itself (where it listens, how much a connection may send) is none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.relay.configuration import Configuration

FORMAT = 2  # of records, snapshots and what the engine makes of them: another one is another log
SETTINGS = (
    "relay_server",
    "relay_motd",
    "relay_channels",
    "relay_max_sleep",
    "relay_max_buffer",
    "relay_callbacks",
    "relay_payload",
    "relay_history",
    "relay_durable_sleep",
    "relay_grace",
    "relay_rate_ms",
    "relay_verification",
)


def terms(configuration: Configuration) -> dict[str, str]:
    """Return what a node holds its log to, by name."""
    values = configuration._asdict()
    return {"relay_format": str(FORMAT), **{name: _shown(values[name]) for name in SETTINGS}}


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """Return where a log's terms differ from a node's, a phrase each; what else stands in the metadata is not ours."""
    return [
        f"{name} is {theirs.get(name, 'not known')!r} there and {ours[name]!r} here"
        for name in ours
        if theirs.get(name) != ours[name]
    ]


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
