"""What a memory is made of: the kinds (one table), addresses, fragments, topics, and what kind a text is. Pure."""
