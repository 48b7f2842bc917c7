"""A wake of several projects, one by one."""
