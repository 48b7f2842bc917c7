"""What stands on the line of `sleepwake` before Invoke reads it: plain words, and names that no task has."""
