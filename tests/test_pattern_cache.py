"""Compiled patterns beside the bytecode."""

from __future__ import annotations

import marshal
import os
import re
import shutil
import subprocess
import sys

import pytest

import sleep
from sleep import pattern_cache
from sleep.pattern_cache import PatternCache, place_of

_PATTERNS = [
    (r"(?P<day>\d+)-(?P<month>[a-zä]+)|x{2,3}?", re.IGNORECASE),
    (r"(?x) a  b # c", 0),
    (b"[\x80-\xff]+(?=k)", re.DOTALL),
    ("[\u0e00-\u0eff\u4e00-\u9fff]+|(?<!i)\\b\U0001f600", re.MULTILINE),
    (r"(a)|(?:b(c))*", re.ASCII),
]
_TEXT = "12-märz 3-MAI xx xxx ab 漢字 😀 bcbc"
_SCRIPT = """
import importlib.util, sys
from sleep.pattern_cache import PatternCache
cache = PatternCache(sys.argv[1])
cache.install()
spec = importlib.util.spec_from_file_location("patterns", sys.argv[2])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
cache.save()
"""


@pytest.fixture(autouse=True)
def own_compiler(monkeypatch):
    """Let a test change `re` for itself."""
    compiler = pytest.importorskip("re._compiler")
    monkeypatch.setattr(compiler, "compile", compiler.compile)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    re.purge()


def _run(tmp_path, source: str, **environ: str) -> str:
    """Run a module with patterns in a process that has a cache, and return the cache's file."""
    module, place = tmp_path / "patterns.py", tmp_path / "cache"
    module.write_text(source, encoding="utf-8")
    root = os.path.dirname(os.path.dirname(sleep.__file__))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    words = (sys.executable, "-c", _SCRIPT, str(place), str(module))
    subprocess.run(words, check=True, env={**kept, "PYTHONPATH": root, **environ})
    return str(place)


@pytest.mark.parametrize(("pattern", "flags"), _PATTERNS)
def test_a_pattern_from_the_file_is_the_pattern(tmp_path, pattern, flags):
    """A pattern that was compiled before finds, names and is shown as one that is compiled now."""
    place = _run(tmp_path, f"import re\nONE = re.compile({pattern!r}, {int(flags)})\n")
    plain = re.compile(pattern, flags)
    cache = PatternCache(place)
    cache.install()
    assert (pattern, int(flags)) in cache._known
    re.purge()
    known = re.compile(pattern, flags)
    text = _TEXT if isinstance(pattern, str) else _TEXT.encode()
    assert known is not plain
    assert known == plain
    assert [match.groupdict() for match in known.finditer(text)] == [
        match.groupdict() for match in plain.finditer(text)
    ]
    assert (known.groups, known.groupindex, known.flags) == (plain.groups, plain.groupindex, plain.flags)


def test_what_somebody_wrote_is_not_kept(tmp_path):
    """A pattern that a function makes of a text stands in no file; one of a module's body does, in a loop too."""
    place = _run(
        tmp_path,
        "import re\nOWN = [re.compile(word) for word in ('mine', 'ours')]\nALL = tuple(map(re.compile, ('all',)))\n"
        "def find(text):\n    return re.search(text, 'the secret of Ana')\nfind('secret of A')\n",
    )
    with open(place, "rb") as file:
        content = file.read()
    assert b"ours" in content
    assert b"mine" in content
    assert b"all" in content
    assert b"secret" not in content


@pytest.mark.parametrize(
    "content", [b"", b"other", pattern_cache._HEAD, pattern_cache._HEAD + b"x", b"patterns 0\n" * 9]
)
def test_a_file_that_cannot_be_used_is_passed_over(tmp_path, content):
    """An empty file, a torn one and one of another build are as none."""
    place = tmp_path / "cache"
    place.write_bytes(content)
    cache = PatternCache(str(place))
    cache.install()
    assert cache._known == {}
    assert re.compile(r"a+b").search("xaab")


def test_nothing_is_written_where_bytecode_is_not(tmp_path, monkeypatch):
    """Without leave to write bytecode, without a place or with nothing new there is no file."""
    assert not os.path.exists(_run(tmp_path, "import re\nONE = re.compile('a')\n", PYTHONDONTWRITEBYTECODE="1"))
    assert (place_of(None), place_of(f"{tmp_path}/x.cpython-311.pyc")) == ("", f"{tmp_path}/x.cpython-311.patterns")
    PatternCache(str(tmp_path / "none")).save()
    cache = PatternCache(str(tmp_path / "no" / "folder"))
    cache._is_new = True
    cache.save()
    assert os.listdir(tmp_path) == ["patterns.py"]
    with pytest.raises(re.error, match="unterminated"):
        re.compile("[a")


def test_a_broken_pattern_is_an_error_all_the_same(tmp_path):
    """What `re` refuses it refuses with the cache, with the same words, and nothing of it is kept."""
    source = (
        "import re\ntry:\n    re.compile('(a')\nexcept re.error as error:\n    assert 'unterminated' in str(error)\n"
    )
    place = _run(tmp_path, f"{source}ONE = re.compile('b')\n")
    with open(place, "rb") as file:
        assert [key[0] for key in marshal.loads(file.read()[len(pattern_cache._HEAD) :])] == ["b"]  # noqa: S302


@pytest.mark.parametrize(("command", "is_kept"), [("thread.list", True), ("relay.send", False)])
def test_commands_that_end_keep_their_patterns(tmp_path, command, is_kept):
    """What a command compiles stands beside the bytecode afterwards; of those that may live on nothing does."""
    shutil.copytree(  # with what is compiled, which the copy would compile again
        os.path.dirname(sleep.__file__), tmp_path / "sleep", ignore=shutil.ignore_patterns("*.patterns")
    )
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")}
    words = (sys.executable, "-m", "sleep", command, "--help")
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, env=kept)
    assert bool([*tmp_path.rglob("*.patterns")]) is is_kept


def test_tests_may_write_bytecode():
    """What a test starts may keep what it compiled, also where the one who runs the tests may not."""
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ
