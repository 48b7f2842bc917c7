"""Clones of a memory: what another person has of it."""

from __future__ import annotations

from scene import Scene


def clone(scene, top, address, name="Боб"):
    """Clone a memory for a person of this name and mail address."""
    scene.git("clone", "--quiet", str(scene.top), str(top))
    made = Scene.copied(top)
    made._time = scene._time
    made.git("config", "user.name", name)
    made.git("config", "user.email", address)
    return made


def commit(scene):
    """Commit all that there is, open journals too."""
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=all that there is")


def pull(scene, other):
    """Merge what another clone has."""
    scene.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.top), "HEAD")
