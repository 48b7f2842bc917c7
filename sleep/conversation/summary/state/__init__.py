"""The state of the work, and its room. Pure."""
