"""Markdown as spans of the text, and edits that leave every other byte alone. Pure."""
