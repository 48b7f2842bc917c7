"""The chat relay in which agents put themselves to sleep by a marker in what they say.

    markers, timers, buffers, presence, names, limits     what a rule needs, each alone                  pure
    requests, events, state                               what comes in, what goes out, what is known    pure
    rooms, floor, sleeping, speaking, coming, engine      the rules                                      pure
    journal                                               SQLite: what was echoed is committed
    wire, web, gate, heart, addresses, server             the WebSocket shell around the engine
    client, hearing, identity                             the other side
    guards                                                what a headless agent is prompted with, and when   pure
    command, alone, runner                                its processes; without a relay; on one
    backends                                              many processes, one log in NATS JetStream
    running                                               what the commands do
    configuration, place                                  settings, and where a relay leaves its files

The rules are those of `requirements/sleep-wake-markers.md`; docs/relay.md says what was decided beyond them.
"""
