"""The command that installs an extra."""

from __future__ import annotations

import json
from importlib import metadata

import pytest

from sleep import extra_install


class _Distribution:
    def __init__(self, said):
        self._said = said

    def read_text(self, name):
        assert name == "direct_url.json"
        return self._said


def _installed(monkeypatch, said):
    monkeypatch.setattr(metadata, "distribution", lambda name: _Distribution(said))


def test_a_copy_that_came_from_a_folder_names_it(monkeypatch, tmp_path):
    """No registry need have the name of what was installed from a clone: the clone has the extra."""
    clone = tmp_path / "my clone"
    clone.mkdir()
    _installed(monkeypatch, json.dumps({"url": clone.as_uri(), "dir_info": {}}))
    assert extra_install.command("relay", "nats") == f"pip install '{clone}[relay,nats]'"
    _installed(monkeypatch, json.dumps({"url": clone.as_uri(), "dir_info": {"editable": True}}))
    assert extra_install.command("mcp") == f"pip install -e '{clone}[mcp]'"


@pytest.mark.parametrize("said", [None, "", "{", '{"url": "https://example.org/a.whl"}', '{"url": "file:///no/such"}'])
def test_any_other_copy_says_the_name(monkeypatch, said):
    """What came from a registry, from an address, or from a folder that is gone is asked for by its name."""
    _installed(monkeypatch, said)
    assert extra_install.command("mcp") == "pip install 'sleepwake[mcp]'"


def test_a_program_that_is_not_installed_says_the_name(monkeypatch):
    """A checkout on the path is no distribution."""

    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    assert extra_install.command("mcp") == "pip install 'sleepwake[mcp]'"
