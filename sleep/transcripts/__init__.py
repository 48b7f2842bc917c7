"""Transcripts: one reader a client, into one form. Standard library only."""
