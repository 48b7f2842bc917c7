"""Sleep: a git-backed memory for AI agents.

An agent journals while it is awake; `sleep` compresses journal -> hot -> warm -> cold Markdown, one reviewable commit a
step; `wake` assembles what the next instance should read, under a token budget.

The map, lowest first (imports go down only):

    errors       what a person can cause, with exit codes and the next step
    settings     defaults < memory/sleep.yaml < SLEEP_* < flags
    text         tokens, front matter, blocks, edits by span, redaction        (pure)
    memory       documents as values: address, entry, journal, records, tiers  (pure)
    store        disk and git: layout, files, lock, repository, history, step
    compression  ratios, the extractive compressor, the gate
    cycle        sleep, wake, coherence, undo
    tasks        the Invoke collections
"""

__version__ = "0.1.0"
