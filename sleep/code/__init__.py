"""Commits since the last sleep, and the records that speak of files they changed."""
