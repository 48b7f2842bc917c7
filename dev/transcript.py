"""The generated parts of the documentation that show the program at work: sessions in a scratch repository.

Owns running a shell line by line with the real program, and making stable what differs from run to run: ids of commits,
random tags of instances, the time. Refuses to make up a line.

    python -m dev.transcript
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dev import ROOT
from sleep import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW, TODAY = "2026-11-21T10:00:00Z", "21 November 2026"
TAGS = ("qxk", "bfm", "hvd", "zpt", "wls")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")
_DAY = re.compile(r"(?m)^(### )\d{1,2} [A-Z][a-z]+ \d{4}$")
_FRONT = re.compile(r"(?m)^tag: ([a-z]{3})$")
_SHORT = 7
_GIT = "[user]\n\tname = Ada Example\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[core]\n\tabbrev = 7\n"
_README = r"""
git init -q notes && cd notes
sleepwake init
sleepwake decide "Use flock for the lock" --why "it ends with its holder" --alternative "a lock file with a pid"
sleepwake journal.add --kind question --text "Does flock hold on network file systems?"
sleepwake sleep
cat memory/hot/decisions.md
sleepwake recall "what is still open?" | tail -n 1
sleepwake sleep.undo
"""
_PURPOSE = "# notes\n\nA queue that survives restarts, for people who run one machine.\n"
_LOG = """# Monday

We decided to keep the queue in Postgres because it is there already.

## Open questions

- Who owns the queue?

## Next steps

- [ ] Wire the queue
- [x] Write the client

| run | seconds |
| --- | --- |
| 1 | 4.2 |
"""
# A stage is a name and lines of shell; what `shown` shows is what the last of them prints.
_STAGES = {
    "import": r"""
printf %s "$PURPOSE" > main.md
sleepwake init
printf %s "$LOG" > monday.md
sleepwake journal.import monday.md
cat journal/instance-1.md
""",
    "journal": r"""
sleepwake journal.open --client claude-code --session 0b9f2ac6
sleepwake journal.add --kind thread --text "Prove that the lock holds" --next "race four processes"
sleepwake journal.add --kind decision --text "Use flock for the lock" --why "it ends with its holder" --topic locking \
    --alternative "a lock file with a pid" --alternative portalocker \
    --confidence high --revisit-when "after 20 instances"
sleepwake journal.add --kind constraint --text "Never hold the lock while a person is asked" --why "they may be away"
sleepwake journal.add --kind insight --text 'A killed git leaves `index.lock` behind'
sleepwake journal.add --kind tone --text "calm; the lock felt right at once"
sleepwake journal.add --kind handoff --text "read docs/concurrency.md first" --field "next priority=race four processes"
sleepwake thread.pause T-001 --why "waiting for the race to be written"
cat journal/instance-2.md
""",
    "sleep": "sleepwake sleep",
    "decisions": "cat memory/hot/decisions.md",
    "threads": "cat memory/hot/threads.md",
    "main": "cat main.md",
    "cycles": "cat memory/cycles.md",
    "commit": "git log -1 --skip=1 --format=%B",
    "settings": "head -n 12 memory/sleep.yaml",
    "warm": """
sleepwake journal.add --kind insight --text "The race of four processes lost nothing"
sleepwake sleep
sleepwake journal.add --kind insight --text "The queue is wired"
sleepwake sleep
cat memory/warm/locking.md
""",
}


class Session:
    """A shell in a scratch folder that knows the command `sleepwake` and no setting of this machine."""

    def __init__(self, folder: Path) -> None:
        self._home = folder
        self._cwd = folder
        self._ids: dict[str, str] = {}
        shim = folder / "bin" / "sleepwake"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m sleep "$@"\n', encoding="utf-8")
        shim.chmod(0o755)
        (folder / "template").mkdir()
        (folder / ".gitconfig").write_text(_GIT, encoding="utf-8")
        self._environment = {
            "PATH": f"{shim.parent}{os.pathsep}{settings.environment().get('PATH', os.defpath)}",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(folder),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": str(folder / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TEMPLATE_DIR": str(folder / "template"),
            "PURPOSE": _PURPOSE,
            "LOG": _LOG,
        }

    def run(self, line: str) -> str:
        """Run a line of shell and return what it prints, errors too, made stable; a failure raises."""
        where = self._home / "where"
        answer = subprocess.run(
            ("sh", "-c", f"set -e\n{line}\npwd >{shlex.quote(str(where))}"),
            cwd=self._cwd,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=True,
        )
        self._cwd = Path(where.read_text(encoding="utf-8").rstrip("\n"))
        return self._stable(answer.stdout.decode("utf-8", "replace"))

    def _stable(self, text: str) -> str:
        for journal in sorted(self._cwd.glob("journal/instance-*.md")):
            number = journal.stem.rpartition("-")[2]
            if front := _FRONT.search(journal.read_text(encoding="utf-8")):
                tag = TAGS[(int(number) - 1) % len(TAGS)]
                text = re.sub(rf"\bi{number}{front[1]}\b", f"i{number}{tag}", text)
                text = re.sub(rf"(?m)^tag: {front[1]}$", f"tag: {tag}", text)
        words = ("git", "rev-list", "--reverse", "--topo-order", "HEAD")
        made = subprocess.run(words, cwd=self._cwd, env=self._environment, capture_output=True, check=False).stdout
        for sha in made.decode().split():
            if sha not in self._ids:
                self._ids[sha] = hashlib.sha256(b"commit %d" % len(self._ids)).hexdigest()[: len(sha)]
        for sha, shown in self._ids.items():
            text = text.replace(sha, shown).replace(sha[:_SHORT], shown[:_SHORT])
        return _DAY.sub(rf"\g<1>{TODAY}", _TIME.sub(NOW, text)).replace(str(self._home), "")


@contextmanager
def session() -> Iterator[Session]:
    """Open a session in a temporary folder, which goes with it."""
    with tempfile.TemporaryDirectory(prefix="sleepwake-docs-") as folder:
        yield Session(Path(folder).resolve())


def readme() -> str:
    """Return the README's session as a Markdown block."""
    with session() as shell:
        blocks = [f"$ {line}\n{shell.run(line)}".rstrip("\n") for line in _lines(_README)]
    return "```console\n" + "\n".join(blocks) + "\n```\n"


@functools.cache
def _stages() -> dict[str, str]:
    """Return what each stage of the formats' session prints at its end."""
    outputs = {}
    with session() as shell:
        shell.run("git init -q notes && cd notes")
        for name, script in _STAGES.items():
            for line in _lines(script):
                outputs[name] = shell.run(line)
    return outputs


def _lines(script: str) -> list[str]:
    """Return the lines of a script, those that end in a backslash with the next."""
    return re.findall(r"(?:.*\\\n)*.+", script.strip("\n"))


def shown(stage: str, language: str = "markdown") -> str:
    """Return what a stage of the formats' session prints at its end, as a fenced block."""
    return f"````{language}\n{_stages()[stage].rstrip()}\n````\n"


if __name__ == "__main__":
    sys.stdout.write(readme() + "".join(map(shown, _STAGES)))
