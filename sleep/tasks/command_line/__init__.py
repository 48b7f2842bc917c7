"""What `sleepwake` does besides running a task: its front page, the name that was meant, and Invoke."""
