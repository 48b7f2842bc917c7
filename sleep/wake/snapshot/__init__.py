"""The snapshot: what a session or a sub-agent is told first, within a budget."""
