"""The chat relay in which agents put themselves to sleep by a marker in what they say.

    engine          the rules, without a network: events in, effects out                         pure
    server          the WebSocket shell around the engine, and its journal
    backends        many processes, one log in NATS JetStream
    client, notices the other side: a connection, and what comes over it as typed values
    runner          a headless agent's command on a relay, or without one
    commands        what the commands do
    identity        keys, and the proof of having one
    configuration, endpoint   settings; where a relay leaves its files, and how others find it

The rules are those of `requirements/sleep-wake-markers.md`; docs/relay.md says what was decided beyond them.
"""

import sys

from sleep.relay import notices

sys.modules[f"{__name__}.hearing"] = notices  # its former name, by which programs import it
