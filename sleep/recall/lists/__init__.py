"""Questions whose answer is a list: of a kind, of a day, of the last session."""
