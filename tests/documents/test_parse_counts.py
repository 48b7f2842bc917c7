"""How often one sleep parses its documents."""

from __future__ import annotations

from collections import Counter

from scene import Scene

from sleep.documents import entries, front_matter, journal, tier, yaml_reader
from sleep.documents.hand import hand_reader


def test_one_sleep_parses_each_document_once(tmp_path, monkeypatch):
    """Whatever its steps ask, each document is parsed once, and what the program wrote is never read as Markdown."""
    scene = Scene(tmp_path / "a")
    scene.add("decision", "Use flock for the lock", why="it ends with its process")
    scene.sleep()
    scene.open()
    scene.add("decision", "Use fcntl instead", why="NFS")
    scene.add("note", "It was tried", "On two machines.")
    entered: dict[str, Counter[str]] = {}

    def count(module, name):
        honest = getattr(module, name)
        seen = entered[f"{module.__name__}.{name}"] = Counter()

        def counted(text, *further, **named):
            seen[text] += 1
            return honest(text, *further, **named)

        monkeypatch.setattr(module, name, counted)

    for module, name in ((yaml_reader, "subset"), (entries, "find"), (hand_reader, "read")):
        count(module, name)
    for cached in (front_matter.read, front_matter._fields, journal._parsed, tier._short, tier._long):
        cached.cache_clear()
    scene.sleep()
    assert entered["sleep.documents.hand.hand_reader.read"].total() == 0
    assert entered["sleep.documents.yaml_reader.subset"].total() <= len(scene.owned())
    assert set(entered["sleep.documents.entries.find"].values()) <= {1}
    for cached in (front_matter.read, journal._parsed, tier._short, tier._long):
        assert cached.cache_info().misses <= len(scene.owned())
