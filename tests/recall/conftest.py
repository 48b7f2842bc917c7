"""What the tests of recall share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Give git an identity, for memories that all tests of a module share."""
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text("[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        yield
