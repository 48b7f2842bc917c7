"""Compressors that act: they run a program or call a model, and what comes back is judged before it is used."""
