"""What a shell command says of git."""

from __future__ import annotations

import pytest

from sleep.transcripts import shell


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ('git commit -m "lock: hold it"', "lock: hold it"),
        ("git add -A && git commit -am 'lock: hold it'", "lock: hold it"),
        ('git -C /p commit -m "say \\"hold\\" it"', 'say "hold" it'),
        (
            "git commit -m \"$(cat <<'EOF'\nlock: hold it\n\nBody.\n\nCo-Authored-By: X <x@y.z>\nEOF\n)\"",
            "lock: hold it\n\nBody.",
        ),
        ("git commit --amend --no-edit", ""),
        ("git log --grep commit -m", ""),
        ('echo "git"; commit -m "x"', ""),
    ],
)
def test_the_message_of_a_commit(command, message):
    """The message of a commit is read from quotes and here-documents, without trailers; nothing else is one."""
    assert shell.commit_message(command) == message
