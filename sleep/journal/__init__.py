"""Journals: entries written by command, captured from sessions, and imported from what there is already."""
