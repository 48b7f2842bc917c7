"""Disk and git: layout, atomic files, lock, the one door to GitPython, history, and the crash-safe step."""
