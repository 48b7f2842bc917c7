"""What a person can cause to go wrong with a relay, and what installs what it needs."""

from __future__ import annotations

from sleep.errors import RelayError

__all__ = ["INSTALL", "INSTALL_NATS", "RelayError"]

INSTALL = "pip install 'sleepwake[relay]'"
INSTALL_NATS = "pip install 'sleepwake[relay,nats]'"
