"""The Invoke collections: one file each, a few lines a task. What they do is decided below."""

from __future__ import annotations

from sleep.tasks.collection import namespace

__all__ = ["namespace"]
