"""Shell commands that name the files that they change are read; others are left alone."""

from __future__ import annotations

import pytest

from sleep.conversation.summary.state import shell_edits


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("sed -i 's/a/b/' src/app.py src/b.py", [("src/app.py", False), ("src/b.py", False)]),
        ("cat > src/new.py <<'EOF'\nrm x\nsed -i y z\nEOF\nrm old.py", [("src/new.py", False), ("old.py", True)]),
        ("cd /p && git mv src/old.py src/newer.py", [("/p/src/old.py", True), ("/p/src/newer.py", False)]),
        ("mv a.py lib/", [("a.py", True), ("lib/a.py", False)]),
        ("git rm src/gone.py && rm -f b.txt", [("src/gone.py", True), ("b.txt", True)]),
        ("echo x >> notes.md; make | tee build.log", [("notes.md", False), ("build.log", False)]),
        ("sed -n 1,9p a.py; grep -rm 1 x .; pytest > /tmp/log 2>&1", []),
        ('rm -rf *.pyc "$HOME/x" /tmp/y; git rm --cached z', []),
        ("echo hello 2>&1", []),
        ('cat .git/config || echo "NO remote -> workspace_id is used"', []),
        ("printf 'a > b' > notes.md", [("notes.md", False)]),
    ],
)
def test_a_command_is_read_by_the_files_that_it_names(command, paths):
    """Patterns, variables, folders for passing things and what is only printed are no files that changed."""
    assert list(shell_edits.paths(command)) == paths
