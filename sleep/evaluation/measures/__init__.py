"""What is measured of a memory, by words of its own. Pure."""
