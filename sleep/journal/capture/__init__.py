"""What a session held becomes entries of its instance's journal, once, however often it is cut off."""
