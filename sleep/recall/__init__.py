"""Finding anything that was ever known: words, questions, ranking (pure) and the index on this machine's disk."""
