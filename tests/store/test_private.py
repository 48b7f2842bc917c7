"""What may not be written down is taken out of a text."""

from __future__ import annotations

from sleep.store import private

HOME = "/" + "home/ada"  # in two parts: no home stands in a tracked file


def test_a_text_is_cleaned(monkeypatch):
    """Secrets, values that this environment calls secret and homes go; every other character stays."""
    monkeypatch.setenv("HOME", HOME)
    monkeypatch.setenv("MY_API_TOKEN", "correct-Horse-9battery")
    monkeypatch.setenv("PLACE", "not-A-secret-9at-all")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = f"in {HOME}/x with {token}, correct-Horse-9battery and not-A-secret-9at-all\n\tß \U0001f600"
    assert private.secrets() == ("correct-Horse-9battery",)
    assert private.clean(text) == (
        "in ~/x with [REDACTED:github-token], [REDACTED:environment] and not-A-secret-9at-all\n\tß \U0001f600"
    )


def test_what_no_file_can_hold():
    """Half of a surrogate pair becomes a question mark, and nothing stays nothing."""
    assert private.clean("half \ud83d") == "half ?"
    assert private.clean("") == ""
