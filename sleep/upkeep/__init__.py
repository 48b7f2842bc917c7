"""Keeping a memory well: init, doctor, status, statistics, the demo."""
