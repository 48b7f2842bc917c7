"""Markdown as spans of the original text: blocks, lists, lines, and edits that leave every other byte alone. Pure."""
