"""What the system gives no more of: open files, processes, memory."""

from __future__ import annotations

import json
import resource
import subprocess

from scene import command, environment


def test_too_few_open_files(scene):
    """A command that may open no more files says so with the next step, and the same command works with more."""
    scene.open()
    scene.add("note", "x")
    before = scene.everything()
    ended = subprocess.run(
        command("sleep", "--json"),
        cwd=scene.home,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8)),
    )
    assert ended.returncode == 10
    assert json.loads(ended.stdout)["error"] == "the system gives no more: Too many open files"
    assert ended.stderr.startswith("the system gives no more: Too many open files\nHint: ulimit -n")
    assert scene.everything() == before
    assert scene.run("sleep")[0] == 0
