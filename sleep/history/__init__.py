"""What became of what was said: trace, blame, explain, log, diff, undo."""
