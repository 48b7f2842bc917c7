"""Time travel in recall: a moment by name, and the index of what was there."""
