"""The documents of a memory as values: journal, tiers, `main.md`, `cycles.md`, `edits.md`. Pure."""
