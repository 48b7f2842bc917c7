"""What a client runs at the moments of a session: its payload, what is counted and answered."""
