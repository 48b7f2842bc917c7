"""The import contracts of pyproject.toml, each against a planted violation."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLANTED = [
    ("layers", "sleep/errors.py", "from sleep import settings"),
    ("layers", "sleep/language/tokens.py", "def late():\n    from sleep.records import address"),
    ("layers", "sleep/compression/gate.py", "from sleep.cycle import steps"),
    ("layers", "sleep/unplaced/__init__.py", ""),
    ("pure", "sleep/documents/markdown/edit.py", "import os.path"),
    ("pure", "sleep/documents/register.py", "from datetime import date"),
    ("pure", "sleep/records/topic.py", "def late():\n    import random"),
    ("pure", "sleep/compression/segments.py", "from sleep import settings"),
    ("pure", "sleep/compression/gate.py", "from sleep.store import layout"),
    ("gitpython", "sleep/store/step.py", "from git.objects import Blob"),
    ("gitpython", "sleep/memory/place.py", "def late():\n    import git"),
    ("history", "sleep/store/git/environment.py", "from sleep.store.repository import Repository"),
    ("hooks", "sleep/debt/scores.py", "import datetime"),
    ("hooks", "sleep/clients/hooks/hook.py", "def late():\n    from sleep.documents.markdown import blocks"),
    ("invoke", "sleep/cycle/steps.py", "from invoke.tasks import task"),
    ("invoke", "sleep/store/files.py", "import invoke"),
    ("pure", "sleep/relay/engine.py", "import time"),
    ("relay", "sleep/relay/engine.py", "import websockets"),
    ("nats", "sleep/relay/engine.py", "import nats"),
    ("mcp", "sleep/cycle/steps.py", "def late():\n    import mcp"),
    ("mcp-writes", "sleep/mcp_server/__init__.py", "from sleep.cycle import sleep"),
    ("dashboard", "sleep/relay/dashboard/facts.py", "from sleep.relay import engine"),
    ("llm", "sleep/compressors/delegation.py", "def late():\n    import llm"),
    ("numpy", "sleep/recall/rank.py", "def late():\n    import numpy"),
    ("sumy", "sleep/cycle/steps.py", "import sumy"),
    ("conversation", "sleep/conversation/facts.py", "import time"),
    ("langchain", "sleep/conversation/context.py", "def late():\n    import langchain"),
    ("pydantic-ai", "sleep/conversation/context.py", "import pydantic_ai"),
    ("openai-agents", "sleep/conversation/context.py", "import agents"),
]


def lint(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [command, "--no-cache", "--no-logo", *words], cwd=tree, capture_output=True, text=True, check=False
    )


@pytest.fixture
def tree(tmp_path):
    """Return a copy of the package and its contracts."""
    shutil.copytree(ROOT / "sleep", tmp_path / "sleep", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_kept(tree):
    """The package as it is keeps every contract."""
    found = lint(tree)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(("contract", "path", "line"), PLANTED)
def test_trips(tree, contract, path, line):
    """A planted import breaks its contract, and the report names the module."""
    planted = tree / path
    planted.parent.mkdir(exist_ok=True)
    with planted.open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")
    found = lint(tree, "--contract", contract)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "0 kept, 1 broken" in found.stdout
    assert (planted.parent.name if planted.name == "__init__.py" else planted.stem) in found.stdout


def test_each():
    """No contract is without a planted violation."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert {one["id"] for one in contracts} == {contract for contract, _, _ in PLANTED}
