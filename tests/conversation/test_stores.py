"""Originals on disk: found by the beginning of their address, never changed, never committed."""

from __future__ import annotations

import os
import subprocess

import pytest

from sleep.conversation import originals, stores
from sleep.errors import DocumentError

SAID = [{"role": "user", "content": "half \ud83d of a pair, ü, 必"}]


def test_what_is_kept_is_found_by_the_beginning_of_its_address(tmp_path):
    """Originals come back byte for byte; keeping them twice changes nothing; an unknown address finds nothing."""
    store = stores.Folder(str(tmp_path / "state" / ".originals"))
    one, other = originals.of(SAID), originals.of([{"role": "user", "content": "other"}])
    assert store.find(one.address) is None
    for _ in range(2):
        store.keep(one)
    store.keep(other)
    assert store.find(one.address[:8]) == one
    assert store.find(one.address).messages == SAID
    assert store.addresses() == sorted([one.address, other.address])
    assert store.find("") is store.find("../x") is store.find("f" * 64) is None


def test_a_changed_file_is_refused(tmp_path):
    """A file whose bytes do not have the hash of its name is named, not believed."""
    store = stores.Folder(str(tmp_path))
    one = originals.of(SAID)
    store.keep(one)
    (tmp_path / f"{one.address}.json").write_text("{}")
    with pytest.raises(DocumentError):
        store.find(one.address)


def test_git_does_not_see_originals_and_others_cannot_read_them(tmp_path):
    """The folder ignores itself, and its files are the owner's alone."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    store = stores.Folder(str(tmp_path / "memory" / "state" / ".originals"))
    one = originals.of(SAID)
    store.keep(one)
    seen = subprocess.run(["git", "-C", str(tmp_path), "status", "--short"], capture_output=True, text=True, check=True)
    assert seen.stdout == ""
    assert os.stat(os.path.join(store.path, f"{one.address}.json")).st_mode & 0o077 == 0
