"""Clients: what each hands to a hook, what it takes for an answer, how it is set up."""
