"""The relay's settings, with their defaults and what they mean.

Owns the names, the variables of agentchat that mean the same, and the reading of both from a given environment.
Refuses to read files and the environment itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep import settings
from sleep.errors import UsageError
from sleep.relay.engine.names import is_channel
from sleep.relay.engine.world import PUBLIC, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Configuration(NamedTuple):
    """Every setting of a relay; in the environment `SLEEP_RELAY_HOST` and so on. 0 is no limit where it says so."""

    relay_host: str = "127.0.0.1"
    relay_port: int = 6667
    relay_dashboard_port: int = 6670
    relay_token: str = ""
    relay_origins: str = ""
    relay_server: str = "sleepwake"
    relay_motd: str = ""
    relay_channels: str = " ".join(PUBLIC)
    relay_journal: str = "normal"
    relay_max_sleep: float = 3600.0
    relay_max_buffer: int = 50
    relay_callbacks: int = 50
    relay_payload: int = 500
    relay_history: int = 200
    relay_durable_sleep: bool = False
    relay_grace: float = 300.0
    relay_rate_ms: int = 1000
    relay_frames: int = 60
    relay_early_frames: int = 10
    relay_chunks: int = 10
    relay_address_frames: int = 6000
    relay_address_connections: int = 1000
    relay_connections: int = 2000
    relay_frame_size: int = 2 * 2**20
    relay_queue: int = 16 * 2**20
    relay_heartbeat: float = 30.0
    relay_silence: float = 70.0
    relay_challenge: float = 60.0
    relay_verification: float = 30.0


MEANING: dict[str, str] = {
    "relay_host": "the address to listen on; anything but loopback demands a token",
    "relay_port": "the port to listen on; 0 takes a free one",
    "relay_dashboard_port": "where browsers refuse `relay_port`, as they do 6667, the dashboard answers here too; "
    "0, or a port that is taken, takes a free one",
    "relay_token": "what a client must show, as `Authorization: Bearer` or `?token=`",
    "relay_origins": "web origins, besides the relay's own, from which a browser may connect; separated by spaces",
    "relay_server": "the name that clients see",
    "relay_motd": "a line for everybody who comes",
    "relay_channels": "the public channels, which everybody is in; separated by spaces",
    "relay_journal": "`normal` outlives the end of the process, `full` also a loss of power, `off` neither",
    "relay_max_sleep": "seconds of the longest sleep and callback; longer ones are clamped",
    "relay_max_buffer": "messages that are kept for a sleeper; the oldest goes first",
    "relay_callbacks": "callbacks that may wait for one agent",
    "relay_payload": "characters of a callback's payload",
    "relay_history": "messages of a channel that are kept and replayed",
    "relay_durable_sleep": "a keyed agent's sleep outlives its own disconnect too",
    "relay_grace": "seconds that a keyed sleeper which was cut off is waited for after its sleep",
    "relay_rate_ms": "milliseconds between two messages of an agent; 0: no limit",
    "relay_frames": "frames of a connection in 10 s; 0: no limit",
    "relay_early_frames": "of one that has not identified itself; 0: no limit",
    "relay_chunks": "of them, pieces of files in 1 s; 0: no limit",
    "relay_address_frames": "frames from an address (a /64 of IPv6) in 10 s; 0: no limit",
    "relay_address_connections": "connections from an address",
    "relay_connections": "connections in all",
    "relay_frame_size": "bytes of the largest frame",
    "relay_queue": "bytes that may wait for a slow reader before it is cut off",
    "relay_heartbeat": "seconds between pings, 0.1 at least",
    "relay_silence": "seconds without a sign after which a connection is dead",
    "relay_challenge": "seconds in which an agent must prove that it has its key; then its connection is closed",
    "relay_verification": "seconds in which an agent may answer another one that asks whether it has its key",
}

# The requirement's variables, and agentchat's where it has one that means the same.
ALSO = {
    "relay_max_buffer": "AGENTCHAT_SLEEP_MAX_BUFFER",
    "relay_max_sleep": "AGENTCHAT_CB_MAX_DURATION_S",
    "relay_callbacks": "AGENTCHAT_CB_MAX_PER_AGENT",
    "relay_payload": "AGENTCHAT_CB_MAX_PAYLOAD",
    "relay_rate_ms": "RATE_LIMIT_MS",
    "relay_motd": "AGENTCHAT_MOTD",
}
_PORTS = 65_535
_PAUSE = 0.1  # seconds: without one a relay does nothing but ping, and no signal ends it
_CHOICES = {"relay_journal": ("normal", "full", "off")}


def resolve(environ: Mapping[str, str], file: Mapping[str, object] | None = None, **flags: object) -> Configuration:
    """Return the settings that the map `relay` of `sleep.yaml` gives, then an environment, then flags, None being none.

    Raises:
        UsageError: a name that is no setting, or a value of the wrong type.
    """
    values: dict[str, object] = {}
    for key, value in (file or {}).items():
        name = f"relay_{key}".replace("-", "_")
        if name not in Configuration._fields:
            raise UsageError(
                f"no setting is called relay.{key}",
                where="sleep.yaml",
                hint="sleepwake help configuration lists them all",
            )
        if value is not None:
            values[name] = _typed(name, str(value), "sleep.yaml")
    for name in Configuration._fields:
        for variable in (ALSO.get(name, ""), f"SLEEP_{name.upper()}"):
            if environ.get(variable):
                values[name] = _typed(name, environ[variable], variable)
    values.update((name, value) for name, value in flags.items() if value is not None)
    configuration = Configuration(**values)  # type: ignore[arg-type]  # each value was typed by its default
    _insist(configuration)
    return configuration


def _insist(configuration: Configuration) -> None:
    """Raise UsageError for a port or a channel that is none, and for pings without a pause."""
    for name in ("relay_port", "relay_dashboard_port"):
        if (port := getattr(configuration, name)) > _PORTS:
            raise UsageError(f"{port} is no port (would be right: 0 to {_PORTS})", where=_dotted(name))
    if (pause := configuration.relay_heartbeat) < _PAUSE:
        raise UsageError(f"{pause:g} s is too short (would be right: from {_PAUSE})", where="relay.heartbeat")
    for name in _channels(configuration):
        if not is_channel(name):
            raise UsageError(
                f"{name!r} is no channel (would be right: # and 1 to 31 letters and digits of one script, - and _)",
                where="relay.channels",
            )


def rules(configuration: Configuration, secrets: Sequence[str] = ()) -> Rules:
    """Return what the engine needs of the settings; `secrets` are values that are never to be passed on."""
    return Rules(
        server=configuration.relay_server,
        motd=configuration.relay_motd,
        public=_channels(configuration),
        longest=configuration.relay_max_sleep,
        buffer=configuration.relay_max_buffer,
        callbacks=configuration.relay_callbacks,
        payload=configuration.relay_payload,
        history=configuration.relay_history,
        durable=configuration.relay_durable_sleep,
        grace=configuration.relay_grace,
        rate=configuration.relay_rate_ms / 1000,
        verification=configuration.relay_verification,
        secrets=tuple(secrets),
    )


def _channels(configuration: Configuration) -> tuple[str, ...]:
    return tuple(configuration.relay_channels.replace(",", " ").split())


def _typed(name: str, value: str, where: str) -> object:
    word = value.strip()
    try:
        return settings.typed(type(Configuration._field_defaults[name]), word, _CHOICES.get(name, ()))
    except ValueError as wrong:
        raise UsageError(f"{_dotted(name)} is {word!r} (would be right: {wrong})", where=where) from None


def _dotted(name: str) -> str:
    """Return a setting's name as it stands in `sleep.yaml`."""
    return name.replace("_", ".", 1)
