"""What people and git did to a memory: edits by hand, and what is missing since."""
