"""What one wake finds out of secrets in documents, and the next one starts from."""

from __future__ import annotations

from typing import NamedTuple

from scene import SECRET

from sleep.memory import place, secret_places

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

    return place.safe(scene.place.root, scene.view, make).text, len(views)


def test_a_secret_is_looked_for_once(scene):
    """What shows a memory with a secret is made twice the first time, and once after that, and never tells it."""
    scene.write(PAGE, f"# Auth\n\n- Log in with {SECRET} [i1abc.1]\n")
    assert shown(scene) == ("# Auth\n\n- Log in with [REDACTED:github-token] [i1abc.1]\n", 2)
    assert shown(scene) == ("# Auth\n\n- Log in with [REDACTED:github-token] [i1abc.1]\n", 1)
    assert secret_places.read(scene.place.root) == (PAGE,)


def test_a_secret_that_comes_or_goes(scene):
    """One that is new is found whatever was known, and where none is left nothing is kept."""
    secret_places.write(scene.place.root, ["memory/warm/gone.md", "main.md"])
    scene.write(PAGE, f"- {SECRET}\n")
    assert shown(scene) == ("- [REDACTED:github-token]\n", 2)
    scene.write(PAGE, "- nothing\n")
    assert shown(scene) == ("- nothing\n", 1)
    assert secret_places.read(scene.place.root) == ()


def test_a_list_that_cannot_be_read_or_written(scene):
    """Where the list is a folder, what is shown is the same."""
    scene.write(PAGE, f"- {SECRET}\n")
    (scene.home / ".git/sleepwake" / secret_places.NAME).mkdir(parents=True)
    assert shown(scene) == shown(scene) == ("- [REDACTED:github-token]\n", 2)
