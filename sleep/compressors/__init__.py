"""Compressors that run a program or call a model, whose text is then judged."""
