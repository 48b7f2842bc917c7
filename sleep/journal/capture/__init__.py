"""What a session held becomes entries of its journal, once, however often it is cut off."""

BUDGET = 2_000  # tokens of a digest
