"""The import contracts of `.importlinter`, each against a planted violation."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLANTED = [
    ("layers", "sleep/errors.py", "from sleep import settings"),
    ("layers", "sleep/language/tokens.py", "def late():\n    from sleep.records import address"),
    ("layers", "sleep/compression/gate.py", "from sleep.cycle import steps"),
    ("layers", "sleep/unplaced/__init__.py", ""),
    ("checkout", "sleep/tasks/recall.py", "def late():\n    import dev"),
    ("pure", "sleep/documents/markdown/edit.py", "import os.path"),
    ("pure", "sleep/documents/register.py", "from datetime import date"),
    ("pure", "sleep/records/topic.py", "def late():\n    import random"),
    ("pure", "sleep/compression/segments.py", "from sleep import settings"),
    ("pure", "sleep/compression/gate.py", "from sleep.store import layout"),
    ("doors", "sleep/store/step.py", "from git.objects import Blob"),
    ("doors", "sleep/memory/place.py", "def late():\n    import git"),
    ("history", "sleep/store/git/environment.py", "from sleep.store.repository import Repository"),
    ("hooks", "sleep/debt/scores.py", "import datetime"),
    ("hooks", "sleep/clients/hooks/hook.py", "def late():\n    from sleep.documents.markdown import blocks"),
    ("doors", "sleep/cycle/steps.py", "from invoke.tasks import task"),
    ("doors", "sleep/store/files.py", "import invoke"),
    ("pure", "sleep/relay/engine/machine.py", "import time"),
    ("doors", "sleep/relay/engine/machine.py", "import websockets"),
    ("doors", "sleep/relay/engine/machine.py", "import nats"),
    ("doors", "sleep/cycle/steps.py", "def late():\n    import mcp"),
    ("mcp-writes", "sleep/mcp_server/__init__.py", "from sleep.cycle import sleep"),
    ("dashboard", "sleep/dashboard/overview.py", "from sleep.relay import engine"),
    ("dashboard", "sleep/dashboard/board.py", "def late():\n    from sleep.store import lock"),
    ("dashboard", "sleep/dashboard/overview.py", "from sleep.memory import place"),
    ("relay-floors", "sleep/relay/engine/talk.py", "def late():\n    from sleep.relay import configuration"),
    ("conversation-floors", "sleep/conversation/messages/pairs.py", "from sleep.conversation.summary import fact"),
    ("doors", "sleep/compressors/delegation.py", "def late():\n    import llm"),
    ("doors", "sleep/recall/rank.py", "def late():\n    import numpy"),
    ("doors", "sleep/cycle/steps.py", "import sumy"),
    ("pure", "sleep/conversation/summary/facts.py", "import time"),
    ("doors", "sleep/conversation/context_window.py", "def late():\n    import langchain"),
    ("doors", "sleep/conversation/context_window.py", "import pydantic_ai"),
    ("doors", "sleep/conversation/context_window.py", "import agents"),
    *(
        ("doors", "sleep/settings.py", f"def late():\n    import {library}")
        for library in ("anyio", "cryptography", "gitdb", "langchain_core", "langgraph", "mcp_types")
    ),
]


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lint-imports")
    wide = {**os.environ, "COLUMNS": "1000"}  # no line of the report is broken
    return subprocess.run(
        [command, "--no-cache", "--no-logo"], cwd=tree, env=wide, capture_output=True, text=True, check=False
    )


def plant(tree: Path) -> dict[tuple[str, str, str], int]:
    """Write every planted import into its module, and return the number of its last line."""
    numbers = {}
    for planted in PLANTED:
        module = tree / planted[1]
        module.parent.mkdir(exist_ok=True)
        before = module.read_text(encoding="utf-8") if module.exists() else ""
        module.write_text(f"{before}\n{planted[2]}\n", encoding="utf-8")
        numbers[planted] = before.count("\n") + 2 + planted[2].count("\n")
    return numbers


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Return what the linter says of a package with all planted imports, by contract, and the imports' lines."""
    tree = tmp_path_factory.mktemp("planted")
    for name in ("sleep", "dev"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", tree)
    numbers = plant(tree)
    found = lint(tree)
    assert found.returncode == 1, found.stdout + found.stderr
    details = found.stdout.partition("Broken contracts")[2]
    names = {contract["name"]: name for name, contract in contracts().items()}
    headings = "|".join(map(re.escape, names))
    parts = re.split(rf"^({headings})\n-+$", details, flags=re.MULTILINE)[1:]
    shutil.rmtree(tree)
    return {names[name]: text for name, text in zip(parts[::2], parts[1::2], strict=True)}, numbers


def contracts() -> dict[str, dict[str, str]]:
    """Return the contracts by id."""
    read = configparser.ConfigParser()
    read.read_string((ROOT / ".importlinter").read_text(encoding="utf-8"))
    return {name.rpartition(":")[2]: dict(read[name]) for name in read.sections() if ":" in name}


def test_kept():
    """The package as it is keeps every contract."""
    found = lint(ROOT)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: f"{planted[1]}-{planted[2].split()[-1:]}")
def test_trips(reports, planted):
    """A planted import breaks its contract, and the report names the module and the line."""
    texts, numbers = reports
    contract, path, line = planted
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    expected = rf"\b{re.escape(module)} -> [\w.]+ \(l\.{numbers[planted]}\b" if line else rf"\b{re.escape(module)}\b"
    assert re.search(expected, texts.get(contract, "")), texts.get(contract, "kept")


def test_each():
    """No contract is without a planted violation."""
    assert set(contracts()) == {contract for contract, _, _ in PLANTED}


def test_each_library():
    """No library that has doors is without a planted import."""
    planted = {
        line.split()[-1] if "from" not in line else line.split()[1].partition(".")[0] for _, _, line in PLANTED if line
    }
    assert set(contracts()["doors"]["forbidden_modules"].split()) <= planted
