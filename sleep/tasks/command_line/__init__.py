"""The line of `sleepwake` before Invoke reads it."""
