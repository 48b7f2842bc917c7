"""Questions whose answer is a list: records of a kind, what happened on a day, what the last session left."""
