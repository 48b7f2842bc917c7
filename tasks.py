"""This project's tasks: those of the memory, and `dev.*` for those who work on it."""

from dev.commands import namespace as ns

__all__ = ["ns"]
