"""Relays of more than one process. The relay of one, which is the default, needs nothing of this.

log        what is agreed on: records of a common log, what a node makes of them        pure but for its server
nats       the log in NATS JetStream, and the node that follows it                      the extra `nats`
"""
