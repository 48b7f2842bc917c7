"""Thin doors for frameworks that have a hook for it; each needs the extra of its name, and nothing else loads it."""
