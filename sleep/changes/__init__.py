"""What people and git did to a memory beside our own steps: edits by hand, and what is missing since."""
