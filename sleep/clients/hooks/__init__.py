"""What a client runs at the moments of a session: reading its payload, counting, telling, and the answer to it."""
