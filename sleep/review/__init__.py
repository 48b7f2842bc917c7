"""What waits for somebody's word, and what becomes of it: confirmed, corrected or rejected."""
