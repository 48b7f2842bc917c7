"""What may not be written or shown: secrets, home folders, terminal escapes, and a tool's untrusted words. Pure."""
