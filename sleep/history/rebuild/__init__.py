"""A memory made again without one of its cycles, by an undo; refused where others would lose."""
