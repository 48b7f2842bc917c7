"""The steps of a sleep, each one commit: adopt, seal, hot to warm, warm to cold, journal to hot, handoff."""
