"""What may not be written or shown: secrets, homes, escapes, a tool's untrusted words. Pure."""
