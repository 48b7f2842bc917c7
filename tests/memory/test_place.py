"""What is shown of a memory in which a secret was committed."""

from __future__ import annotations

from typing import NamedTuple

from scene import SECRET

from sleep.memory import place

PAGE = "memory/warm/auth.md"


class Made(NamedTuple):
    """What is made of a view."""

    text: str


def shown(scene):
    """Return what is shown of a page, and how often it was made."""
    views = []

    def make(view):
        views.append(view)
        return Made(view.read(PAGE) or "")

    return place.safe(scene.view, make).text, len(views)


def test_no_secret_is_shown(scene):
    """What would tell a secret is made again without it, and what tells none is made once."""
    scene.write(PAGE, f"# Auth\n\n- Log in with {SECRET} [i1abc.1]\n")
    assert shown(scene) == ("# Auth\n\n- Log in with [REDACTED:github-token] [i1abc.1]\n", 2)
    scene.write(PAGE, "- nothing\n")
    assert shown(scene) == ("- nothing\n", 1)
