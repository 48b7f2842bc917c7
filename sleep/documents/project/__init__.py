"""A project's pages, and the parts of the brief. Pure."""
