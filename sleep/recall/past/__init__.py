"""Time travel in recall: a moment of the past by name, and the index of what was there then or ever."""
