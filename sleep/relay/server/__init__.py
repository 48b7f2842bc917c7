"""The relay as a server: connections around the engine, one commit before each write.

hub                          the server itself: engine, connections, persistence, the tick
connection                   one WebSocket, or one request of plain HTTP
admission                    from a connection that says a name to an agent
door, answers                plain HTTP: who may ask, and what is answered
site_protocol                what the relay asks of a site of pages
ports                        what is listened on
addresses, windows, heartbeat   limits, and the end of dead connections
persistence                  SQLite: what was echoed is committed
"""
