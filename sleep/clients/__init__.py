"""Clients: what each of them hands to a hook, what it takes for an answer, and how it is set up."""
