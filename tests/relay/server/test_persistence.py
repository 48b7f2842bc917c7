"""The journal alone: what it gives back, what it lets go, and what it does with a file that is not its own."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from sleep.errors import RelayError
from sleep.relay.engine.effects import (
    Archive,
    Asleep,
    Awake,
    Buffered,
    Gone,
    Opened,
    Relayed,
    Set,
    Shut,
    Unbuffered,
    Unset,
)
from sleep.relay.server.persistence import Journal

SLEEP = Asleep("@a", "m1", "ann", "default", 1, 2, 0, ("#love",))


@pytest.fixture
def path(tmp_path):
    """Return where the journal is."""
    (tmp_path / "folder").mkdir()
    return str(tmp_path / "folder" / "relay.db")


def _told(number, target="@a"):
    return Relayed(number, target, {"type": "MSG", "content": f"m {number}"})


def _after(path, *effects, settle=None, **options):
    """Return what a journal gives back that took these effects."""
    journal = Journal(path, **options)
    for one in effects:
        journal.add(one, json.dumps(one.frame) if isinstance(one, Relayed) else "")
    if settle:
        journal.settle(settle)
    journal.close()
    journal = Journal(path, **options)
    try:
        return journal.read()
    finally:
        journal.close()


def test_round(path):
    """Everything comes back as it went in."""
    messages, callback, channel = (
        (_told(1), _told(2, "#love")),
        Set("@a", "cb_1", 5, "", "x"),
        Opened("#den", True, ("@a",)),
    )
    found = _after(path, *messages, SLEEP, Buffered("@a", 1), callback, channel)
    assert found == Archive(messages, (SLEEP,), (Buffered("@a", 1),), (callback,), (channel,))


def test_undone(path):
    """What is over is gone."""
    found = _after(
        path, _told(1), SLEEP, Buffered("@a", 1), Unbuffered("@a", 1, 7), Set("@a", "cb_1", 5, "", "x"), Unset("cb_1"),
        Opened("#den", True, ()), Shut("#den"),
    )  # fmt: skip
    assert found == Archive((_told(1),), (SLEEP._replace(dropped=7),))
    assert _after(path, Buffered("@a", 1), Set("@a", "cb_2", 5, "", "x"), Gone("@a")) == Archive((_told(1),))


def test_settled(path):
    """What woke stays until it has arrived, and then goes, but not a sleep that has begun since."""
    awake = Awake("@a", "m1", 1)
    assert _after(path, _told(1), SLEEP, Buffered("@a", 1), awake).asleep == (SLEEP,)
    again = SLEEP._replace(ident="m2")
    found = _after(path, again, _told(2), Buffered("@a", 2), settle=awake)
    assert (found.asleep, found.buffered) == ((again,), (Buffered("@a", 2),))
    assert _after(path, settle=Awake("@a", "m2", 2)).asleep == ()


def test_bounded(path):
    """Of a channel the history is kept, of direct messages the last thousand, and what somebody waits for."""
    found = _after(path, *(_told(n, "#love") for n in range(1, 11)), Buffered("@a", 1), history=3)
    assert [one.number for one in found.messages] == [1, 8, 9, 10]
    found = _after(path, *(_told(n) for n in range(11, 1111)), history=3)
    assert [one.number for one in found.messages] == [1, 8, 9, 10, *range(111, 1111)]
    journal = Journal(path, history=3)
    for number in range(2000, 20_000):
        journal.add(_told(number, "#love"), "{}")
        if number % 100 == 0:
            journal.commit()
    (left,) = journal._base.execute("SELECT count(*) FROM messages").fetchone()
    journal.close()
    assert left < 8000


def test_bounded_in_size(path):
    """Of large messages fewer are kept, by channel and of direct ones; the newest and what is waited for always are."""
    large = [Relayed(number, f"#{number % 2}", {"content": "x" * 2**21}) for number in range(1, 13)]
    direct = [Relayed(number, "@a", {"content": "x" * 2**21}) for number in range(13, 20)]
    found = _after(path, *large, *direct, Buffered("@a", 13))
    assert [one.number for one in found.messages] == [7, 8, 9, 10, 11, 12, 13, 17, 18, 19]


def test_one_at_a_time(path, monkeypatch):
    """A journal that another relay has open is refused."""
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: real(*args, **{**options, "timeout": 0.05}))
    journal = Journal(path)
    journal.add(_told(1), "{}")
    journal.commit()
    with pytest.raises(RelayError, match="another relay"):
        Journal(path)
    journal.close()


NOISE = b"no database at all, however long" * 100


def test_broken(path):
    """A journal that is broken is set aside whole, and a new one begun."""
    Journal(path).close()
    content = Path(path).read_bytes()[:100] + NOISE
    Path(path).write_bytes(content)
    journal = Journal(path)
    assert journal.set_aside == f"{path}.broken-1"
    assert journal.read() == Archive()
    journal.close()
    assert Path(f"{path}.broken-1").read_bytes() == content


def test_broken_of_its_own_name(tmp_path):
    """A file of the name that the relay gives is its own: set aside whatever is in it, and its folder is made."""
    path = tmp_path / "state" / ".relay.db"
    Journal(str(path)).close()
    path.write_bytes(NOISE)
    journal = Journal(str(path))
    journal.close()
    assert Path(journal.set_aside).read_bytes() == NOISE


def test_what_is_no_journal_is_refused(path, tmp_path):
    """A note, a file of zeros, another program's database and what is no file stay as they are, with nothing beside."""
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE messages (text)")
    base.close()
    database = Path(path).read_bytes()
    for content in (b"x\n", b"\0", b"SQLite format 3\0" + NOISE, database, database[:100]):
        Path(path).write_bytes(content)
        before = os.stat(path)
        with pytest.raises(RelayError, match="is no journal of a relay, and is left as it is"):
            Journal(path)
        assert Path(path).read_bytes() == content
        assert [os.stat(path)[at] for at in (0, 8)] == [before[at] for at in (0, 8)]  # its mode, when it was written
        assert os.listdir(tmp_path / "folder") == ["relay.db"]
    with pytest.raises(RelayError, match="is no journal of a relay"):
        Journal(os.devnull)
    with pytest.raises(RelayError, match="is no journal of a relay"):
        Journal(str(tmp_path))


def test_an_older_journal_is_known(path):
    """A journal of before its head named the program is one, by its tables, and is marked when it is opened."""
    assert _after(path, _told(1), SLEEP).asleep == (SLEEP,)
    base = sqlite3.connect(path)
    base.execute("PRAGMA application_id = 0")
    base.close()
    assert _after(path).asleep == (SLEEP,)
    with open(path, "rb") as file:
        assert file.read(72)[68:] == b"slpw"


def test_an_empty_file_becomes_private(path):
    """An empty file may become the journal, which only its owner can read."""
    Path(path).touch(0o644)
    assert _after(path, _told(1)).messages == (_told(1),)
    assert os.stat(path).st_mode & 0o077 == 0


def test_no_folder_is_made(tmp_path):
    """The folder of a journal that a person names must be there: a slip of the keyboard makes none."""
    with pytest.raises(RelayError, match="no such folder"):
        Journal(str(tmp_path / "typo" / "relay.db"))
    assert os.listdir(tmp_path) == []


def test_newer(path):
    """A journal of a newer format is left alone."""
    Journal(path).close()
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version = 9")
    base.close()
    with pytest.raises(RelayError, match="upgrade"):
        Journal(path)


def test_private(path):
    """Only its owner can read it."""
    Journal(path).close()
    assert os.stat(path).st_mode & 0o077 == 0


def test_a_bare_name(tmp_path, monkeypatch):
    """A journal named without a folder is a file in the folder that the relay was started in."""
    monkeypatch.chdir(tmp_path)
    Journal("relay.db").close()
    assert (tmp_path / "relay.db").exists()
