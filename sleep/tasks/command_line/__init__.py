"""What `sleepwake` does besides running a task: its front page, near names, Invoke."""
