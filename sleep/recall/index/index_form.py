"""The form of the index, for those that make it and those that only read it.

Owns its name, its version, which documents it has, and how its rows are numbered. A hook loads this.
"""

from __future__ import annotations

from sleep.language import words

NAME = "recall.sqlite"  # in the folder of what belongs to a worktree alone
VERSION = 601 + words.VERSION  # another one is made anew
SHIFT = 20  # a row's number is its document's, shifted by so much, plus its place there
FOLDERS = ("journal", "memory/hot", "memory/warm", "memory/cold", "memory/core", "memory/knowledge", "memory/state")
PAGES = ("main.md", "memory/architecture.md", "memory/edits.md")  # documents that stand by themselves
