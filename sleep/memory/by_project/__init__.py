"""Several projects: which said what, and the memory of one."""
