"""The real clients, driven by a scripted model on loopback (`e2e/` of the shared folder), and what came of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
HOME = Path(os.environ.get("E2E_HOME") or "~/.cache/e2e").expanduser()
CLIENTS = ("claude", "codex", "gemini", "qwen", "copilot")
OTHERS = CLIENTS[2:]  # CI does without these where they cannot be installed, and says so
PLACES = {
    name: (os.environ.get(f"E2E_{name.upper()}"), HOME / name / "bin" / name, shutil.which(name)) for name in CLIENTS
}
DRIVER = str(Path(__file__).with_name("client_driver.py"))
CI = os.environ.get("CI") == "true"
SLEEPWAKE = str(Path(sys.executable).with_name("sleepwake"))
SOUL = "SOUL-SENTINEL-7319"
KNOWN = "KNOWLEDGE-SENTINEL-2204"
MEMORY = {
    "memory/core/0.soul.md": f"---\nname: test\n---\n{SOUL}: we speak plainly.\n",
    "memory/knowledge/locks.md": f"---\ndescription: {KNOWN} what we know of locks\ntags: [locks]\n---\nflock.\n",
}
LIMIT = 200  # s: a slow machine is slow
PLANTED = "The quarry crane lifts 1260 kg of granite, because the old cable broke in March."
ASKED = "How much granite does the quarry crane lift?"


def program(client):
    """Return a real client; without it the test is skipped, and in CI it fails unless it may be absent; both loudly."""
    found = next((str(one) for one in PLACES[client] if one and Path(one).exists()), None)
    if not (SHARED and found):
        what = (
            f"!!! no {client} here (see .ci/run): what it would show is NOT shown"
            if SHARED
            else "SLEEP_SHARED is not set"
        )
        (pytest.fail if (CI and client not in OTHERS) or not SHARED else pytest.skip)(what)
    return found


def setup(*clients, memory=True):
    """Return the commands that make a project of ours, as a person would type them."""
    install = (
        [[SLEEPWAKE, "clients.install", *(word for one in clients for word in ("--client", one))]] if clients else []
    )
    laid = [[SLEEPWAKE, "init"]] if memory else []
    return [*laid, *install, "git add --all && git commit --quiet --allow-empty --message=start"]


def planted(client, *, on):
    """Return the part of a script in which a memory of ours holds a passage, and answers prompts or does not."""
    settings = f"format: 1\nrecall:\n  inject: {'on' if on else 'off'}\n"
    init, install, commit = setup(client)
    add = [SLEEPWAKE, "journal.add", "--kind", "insight", "--text", PLANTED]
    return {"files": {**MEMORY, "memory/sleep.yaml": settings}, "before": [init, add, install, commit]}


class Driven:
    """One run of a driver: its report, the requests that the client sent, and the project afterwards."""

    def __init__(self, client, project, out, script, **options):
        self.client = client
        self.project = Path(project)
        self.out = Path(out)
        script = {"files": MEMORY, "before": setup(client), **script}
        self.out.parent.mkdir(parents=True, exist_ok=True)
        path = self.out.with_suffix(".json")
        path.write_text(json.dumps(script), encoding="utf-8")
        if not (self.project / ".git").exists():
            subprocess.run(["git", "init", "--quiet", str(self.project)], check=True)
        found = program(client)
        environ = {
            **os.environ,
            "SLEEP_SHARED": SHARED,
            f"E2E_{client.upper()}": found,
            "PATH": options.pop("path", os.environ["PATH"]),
        }
        driver = [f"{SHARED}/e2e/run_{client}.py"]
        if client in OTHERS:
            driver = [DRIVER, "--client", client, "--program", found, "--home", str(HOME)]
        self.process = subprocess.Popen(
            [
                *(
                    sys.executable,
                    *driver,
                    "--project",
                    str(self.project),
                    "--script",
                    str(path),
                ),
                *("--out", str(self.out), "--timeout", str(LIMIT), "--run-timeout", "90", "--quiet"),
                *options.pop("words", ()),
            ],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def wait(self, code=0):
        """Wait for the driver's end, and return this."""
        said = self.process.communicate(timeout=LIMIT + 30)[0].decode("utf-8", "replace")
        assert self.process.returncode == code, said[-6000:]
        self.report = json.loads((self.out / "report.json").read_text(encoding="utf-8"))
        failed = [one for one in self.report["commands"] if one["exit"]]
        assert not failed, failed
        assert self.report["orphans"] == []
        errors = self.log("ERROR")
        assert not errors, errors
        return self

    def requests(self, lane="main"):
        """Return the texts of what the client sent to the model."""
        paths = sorted((self.out / "requests").glob(f"*-{lane}.json"))
        bodies = (json.loads(path.read_text(encoding="utf-8"))["body"] for path in paths)
        return [json.dumps(one, ensure_ascii=False) for one in bodies]

    def hooks(self, event):
        """Return the standard inputs of a hook event."""
        return [one["stdin"] for one in self.report["hooks"] if one["event"] == event]

    def answers(self, event):
        """Return what our hooks printed, as Claude Code saw it."""
        found = [one for one in self.report["hook_calls"] if one["event"] == event]
        assert all(one["exit"] == 0 for one in found), found
        return [one["stdout"] for one in found]

    def log(self, level=""):
        """Return the lines of our hooks' log."""
        path = self.project / ".git/sleepwake/hooks.log"
        return (
            [line for line in path.read_text(encoding="utf-8").splitlines() if level in line] if path.exists() else []
        )

    def ledger(self):
        """Return the ledger, {} for none."""
        path = self.project / "memory/state/.sleep.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def sessions(self):
        """Return the sessions of the ledger, by id."""
        return {one["session_id"]: one for one in self.ledger().get("sessions", ())}

    def journals(self):
        """Return the texts of all journals."""
        return "\n".join(path.read_text(encoding="utf-8") for path in sorted((self.project / "journal").glob("*.md")))

    def home(self):
        """Return what stands in the home directory, but for what the client itself keeps there."""
        home = self.out / "home"
        own = (".claude", ".codex", ".cache", ".npm", ".local/share/claude", ".local/state/claude", ".gitconfig")
        own += tuple(f".{name}" for name in OTHERS)
        paths = (path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
        return [path for path in paths if not path.startswith(own)]


@pytest.fixture
def drive(tmp_path_factory):
    """Return a function that starts a client on a project; the project is new unless it is given."""
    started = []

    def drive(client, script, project=None, **options):
        place = tmp_path_factory.mktemp("driven")
        (place / "project").mkdir()
        started.append(Driven(client, project or place / "project", place / "out", script, **options))
        return started[-1]

    yield drive
    for one in started:
        if one.process.poll() is None:
            one.process.terminate()
            one.process.wait(20)


def write(name, text="x"):
    """Return Claude Code's call that writes a file."""
    return {"name": "Write", "input": {"file_path": f"${{PROJECT}}/{name}", "content": text}}


def patch(*lines):
    """Return Codex' call that applies a patch."""
    text = "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))
    return {"type": "tool_use", "custom": True, "name": "apply_patch", "input": text}
