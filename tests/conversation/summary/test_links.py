"""Lines that later messages come back to."""

from __future__ import annotations

from sleep.conversation import MemoryConsolidator

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]


def test_a_row_of_a_drawing_is_not_told_for_the_name_in_it():
    """What an agent drew says nothing line by line; the sentence about the same kind of name is told."""
    drawn = "│ ▸ feature/login_page            (1 session)  │\n└─ ● 2025-01-10-abc added_hashing │"
    report = (
        "The sessions of each branch can stand below it in one list, the newest of them first, with their checkpoints."
    )
    talk = [
        {"role": "user", "content": "Show the sessions of each branch."},
        {"role": "assistant", "content": f"{report}\n{drawn}\nThe rows come from session_rows.go there."},
        {"role": "user", "content": "Fine, and open feature/login_page with added_hashing and session_rows.go then."},
        {"role": "assistant", "content": "Both open."},
    ]
    text = MemoryConsolidator().consolidate([*talk, *TAIL])[1]
    assert "The rows come from session_rows.go there." in text
    assert "│" not in text
