"""The state of the work: files, commits, the last failure, tasks, the next step; and its room. Pure."""
