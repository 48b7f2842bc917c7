"""Thin doors for frameworks; each needs the extra of its name."""
