"""A repository made once a run and copied for each test: 6 ms instead of 30.

Owns the originals, one for each kind and each way that git is set up; all workers of a run share them, in the folder
that the variable ORIGINALS names. Refuses to share a file with a copy: tests damage what they are given.
"""

from __future__ import annotations

import functools
import os
import tempfile
from hashlib import sha256
from pathlib import Path


def lay(top, make, *given):
    """Lay at the path `top` what `make(path, *given)` makes there, and return the path.

    `make`, and each function among `given`, stands in a module: by its name the workers know what is the same.
    """
    top = Path(top)
    variables = {name: value for name, value in os.environ.items() if name.startswith(("GIT_", "SLEEP_", "TZ"))}
    config = variables.pop("GIT_CONFIG_GLOBAL", None)
    if config is None or (top.exists() and any(top.iterdir())):
        make(top, *given)
        return top
    kind = (*map(_name, (make, *given)), top.name, Path(config).read_bytes(), *sorted(variables.items()))
    original = Path(_originals(), sha256(repr(kind).encode()).hexdigest())
    if not original.exists():
        _make(original, top.name, make, given)
    # git tells by the inodes in the index which files it need not read, and these are others: it reads them.
    _copy(os.path.join(original, top.name), str(top))
    return top


def _copy(source, target):
    """Copy a folder with its links and modes, not its times: in half of the time that `shutil.copytree` takes."""
    os.makedirs(target, exist_ok=True)
    with os.scandir(source) as found:
        for one in found:
            at = f"{target}/{one.name}"
            if one.is_symlink():
                os.symlink(os.readlink(one.path), at)
            elif one.is_dir():
                _copy(one.path, at)
            else:
                _copy_file(one, at)


def _copy_file(one, at):
    with open(one.path, "rb", 0) as file:
        content = file.read()
    end = os.open(at, os.O_WRONLY | os.O_CREAT | os.O_EXCL, one.stat().st_mode & 0o777)
    try:
        os.write(end, content)
    finally:
        os.close(end)


def _name(part):
    if not callable(part):
        return part
    assert "<" not in part.__qualname__, f"{part} has no name of its own"
    return part.__module__, part.__qualname__


@functools.cache
def _originals():
    return os.environ.get("ORIGINALS") or _own().name


@functools.cache
def _own():
    return tempfile.TemporaryDirectory(prefix="sleepwake-tests-")


def _make(original, name, make, given):
    """Make an original wholly and put it in its place; where another worker was faster, its own is taken."""
    with tempfile.TemporaryDirectory(dir=original.parent) as folder:
        made = Path(folder, "made")
        make(made / name, *given)
        try:
            made.rename(original)
        except OSError:
            assert original.exists()
