"""Sleep: a git-backed memory for AI agents.

An agent journals while it is awake; `sleep` compresses journal -> hot -> warm -> cold Markdown, one reviewable commit a
step; `wake` assembles what the next instance should read, under a token budget. `docs/architecture.md` has the map of
the package, made from the docstrings of its rooms; imports go down only.
"""

__version__ = "0.1.0"
