"""Relays of more than one process.

records    what stands in the common log                                                pure
agreement  the settings that all nodes of a log must share                              pure
image      all that an engine knows, as JSON and back: a snapshot                       pure
node       what a node makes of records                                                 pure but for its server
shelf      snapshots in NATS JetStream                                                  the extra `nats`
nats       the log in NATS JetStream, and the node that follows it                      the extra `nats`
"""
