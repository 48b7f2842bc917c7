"""The rules of the house that no linter has: how large things may be, and what they may be called."""
