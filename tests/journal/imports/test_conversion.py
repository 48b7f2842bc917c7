"""The form of an imported journal: what it keeps of the file's lines."""

from __future__ import annotations

import pytest

from sleep.documents import journal
from sleep.journal.imports import conversion, provenance
from sleep.records.address import InstanceId

KEY = "\n".join(
    (
        "-----BEGIN RSA PRIVATE KEY-----",
        *("MIIEpAIBAAKCAQEAx3Zf7v1V0aWcQnQ6Xq3T2c1u",) * 3,
        "-----END RSA PRIVATE KEY-----",
    )
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "above",
    [
        pytest.param("", id="nothing"),
        pytest.param("---\nname: day\n---\n", id="front matter"),
        pytest.param("---\n\n\nname: day\n\n\n---\n\n", id="front matter with empty lines"),
        pytest.param(f"Log in with\n\n{KEY}\n\n", id="a key of many lines"),
        pytest.param(f"- with\n\n  ```\n{KEY}\n  ```\n\n{KEY} and\n", id="two keys"),
    ],
)
def test_an_entry_tells_the_line_of_its_file(above: str, newline: str) -> None:
    """What stands above a statement, secrets of many lines too, does not change the line that its origin names."""
    text = f"{above}\n**Decision:** Use sqlite.\n".replace("\n", newline)
    written, _ = conversion.canonical(text, InstanceId(1, "abc"), {provenance.FIELD: {"path": "day.md"}}, {})
    current = journal.read(written)
    (decision,) = [entry for entry in current.entries if entry.kind == "decision"]
    line = text.split("\n").index("**Decision:** Use sqlite." + newline.removesuffix("\n")) + 1
    assert provenance.origin(current, decision) == f"day.md:{line}"
    assert "MIIE" not in written
