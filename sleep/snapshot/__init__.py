"""The snapshot: what a session that starts is told, within a budget."""
