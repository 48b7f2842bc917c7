"""Processes that run side by side: forks of a test's own, where the system is one that may fork.

Owns the context of `multiprocessing` that tests share. A fork has the program loaded: one that Python starts anew loads
it for 300 ms, and a test starts four. Refuses to fork where threads of the system's own libraries may be half-way.
"""

import multiprocessing
import sys

CONTEXT = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
# Python 3.12 warns of every fork beside a thread, and xdist's worker has one: it waits for messages.
IGNORED = "ignore:.*use of fork.*:DeprecationWarning"
