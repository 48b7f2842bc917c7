"""Two records: whether they say the same, or contradict."""
