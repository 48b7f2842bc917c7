"""What the next instance is told: the wake, its checks, and the snapshot of a session's start."""
