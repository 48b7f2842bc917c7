"""Transcripts: one reader a client, and what all of them read a conversation into. Standard library only."""
