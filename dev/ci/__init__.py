"""`dev.ci`: everything that must hold, from a fresh clone. Only this repository's `tasks.py` loads it."""
