"""What the next instance is told: the wake, its checks, the snapshot."""
