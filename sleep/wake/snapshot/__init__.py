"""The snapshot: what a session that starts, or a sub-agent, is told within a budget."""
