"""Review: what waits for a word of a person or an agent, and what becomes of it: confirmed, corrected or rejected."""
