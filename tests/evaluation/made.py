"""What a made-up project and a made-up conversation say: the same every time."""

from __future__ import annotations

PARTS = ["parser", "cache", "queue", "gateway"]


def journal(number):
    """Return the journal of a day: it goes back to what the days before said, and says something new."""
    part, other = PARTS[number % 4], PARTS[(number + 1) % 4]
    return "\n".join(
        [
            f"# Day {number}",
            "",
            f"- Decision: keep `{part}_table` in src/{part}/table.py because `{other}_lock` is slow",
            f"- the {part} reads `read_{part}` {number} times, and `{other}_lock` fails with ERR-{number}",
            f"- Alan Turing wrote src/{part}/step{number}.py for `{part}_table`",
            *(f"- nothing came of the walk number {walk} along the river" for walk in range(6)),
            "",
        ]
    )


def said(session, turn):
    """Return what is said in a turn of a case."""
    return f"Paula bought {PARTS[turn % 4]} number {session}{turn} in Lisbon for her grandmother"
