"""The dashboard: a window on the relay and on the memory, for people. Observation only.

It is handed two things of the relay, a function that returns what may be seen and the set of who is told of events, and
reads the memory's documents. It owns its pages and the stream of events; it refuses every verb but GET, and imports
nothing that acts on an agent, a message or the memory.
"""
