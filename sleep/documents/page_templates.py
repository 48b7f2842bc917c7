"""The pages that `init` lays for people to write in, as they are before anybody did. Owns the words; pure."""

from __future__ import annotations

ARCHITECTURE = """# Architecture

(Say here how this project is built, in at most three pages: `wake` loads this page for every new instance.)
"""

# Every session is told what stands in these pages. They are laid with a comment and nothing else, which is not told: a
# page without words of its own is no section.
CORE = {
    "memory/core/0.soul.md": "Who the agent is here: identity, principles, rules. Every session is told this page.",
    "memory/core/1.user.md": "Whom the agent works with, and how they like to. Every session is told this page.",
    "memory/core/2.memory.md": "What is always true here: decisions, known issues. Every session is told this page.",
}

# What stands in a page that nobody wrote in.
FORMS = frozenset({ARCHITECTURE.strip(), *(f"<!-- {says} -->" for says in CORE.values())})
