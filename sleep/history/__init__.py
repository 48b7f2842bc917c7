"""What became of what was said: trace, blame, explain, life of an entry, log of a topic, diff of a cycle, undo."""
