"""A memory as it stands: where it is, what its documents say at one moment, and what they speak of most."""
