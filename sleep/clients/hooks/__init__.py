"""What a client runs at the moments of a session: payloads, counts, answers."""
