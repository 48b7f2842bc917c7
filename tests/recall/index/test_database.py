"""The index on disk: up to date whatever happened to files, to itself, and beside other processes."""

import os
import random
import shutil
import sqlite3

import pytest
from side_by_side import CONTEXT, IGNORED

from sleep.recall import search
from sleep.recall.index import access, index_file, index_form
from sleep.store import layout
from sleep.store.tree import WorkTree


@pytest.fixture
def root(tmp_path):
    """Return the root of a memory with two journals, in a folder that looks like a git work tree."""
    for folder in ("journal", "memory/hot", ".git"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "memory/sleep.yaml").write_text("format: 1\n")
    (tmp_path / "journal/instance-1.md").write_text("- the walrus sings [i1abc.1]\n- and dances [i1abc.2]\n")
    (tmp_path / "journal/instance-2.md").write_text("- a narwhal listens [i2abc.1]\n")
    return layout.find_root(str(tmp_path))


def addresses(root, asked):
    """Return the addresses that a question finds."""
    opened = access.open_index(root)
    found = search.recall(opened, asked, strict=False)
    opened.close()
    return {address for one in found.passages for line in one.lines for address in line.addresses}


def everything(base):
    """Return all that an index knows, without the numbers that depend on the order of reading."""
    places = dict(base.execute("SELECT id, path FROM document"))
    rows = {
        (places[one >> index_form.SHIFT], one & ((1 << index_form.SHIFT) - 1), text, addresses)
        for one, text, addresses in base.execute("SELECT id, text, addresses FROM row")
    }
    terms = set()
    for (word,) in base.execute("SELECT word FROM word").fetchall():
        for (one,) in base.execute("SELECT rowid FROM term WHERE term MATCH ?", (f'"{word}"',)):
            terms.add((word, places[one >> index_form.SHIFT], one & ((1 << index_form.SHIFT) - 1)))
    where = {
        (address, places[one >> index_form.SHIFT]) for address, one in base.execute("SELECT address, row FROM place")
    }
    return rows, terms, where


def test_changes_additions_and_removals_are_seen_at_once(root):
    """An answer is never older than the files, even where neither size nor time of a file tells."""
    path = root.absolute("journal/instance-1.md")
    assert addresses(root, "walrus") >= {"i1abc.1"}
    stat = os.stat(path)
    with open(path, "w") as file:
        file.write("- the badger sings [i1abc.1]\n- and dances [i1abc.2]\n")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert not addresses(root, "walrus")
    assert addresses(root, "badger") >= {"i1abc.1"}
    os.unlink(path)
    assert not addresses(root, "badger")
    shutil.copy(root.absolute("journal/instance-2.md"), root.absolute("journal/instance-3.md"))
    assert addresses(root, "narwhal") == {"i2abc.1"}


def test_the_index_may_be_deleted_damaged_or_of_another_version(root):
    """Whatever became of its file, the index is made anew and answers."""
    place = os.path.join(root.state_dir, index_form.NAME)
    for harm in (os.unlink, _scribble, _truncate, _age):
        assert addresses(root, "narwhal") == {"i2abc.1"}
        harm(place)
    assert addresses(root, "narwhal") == {"i2abc.1"}


def _scribble(place):
    with open(place, "r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 20_000)


def _truncate(place):
    os.truncate(place, 100)


def _age(place):
    base = sqlite3.connect(place)
    base.execute("PRAGMA user_version = 1")
    base.close()


def test_a_held_index_is_not_waited_for_for_ever(root, monkeypatch):
    """Where another process keeps writing, the answer comes from memory, and is up to date."""
    monkeypatch.setattr(index_file, "WAIT", 0.05)
    assert addresses(root, "narwhal")
    other = sqlite3.connect(os.path.join(root.state_dir, index_form.NAME), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with open(root.absolute("journal/instance-9.md"), "w") as file:
        file.write("- the walrus waits [i9abc.1]\n")
    assert addresses(root, "waiting walrus") >= {"i9abc.1"}
    other.execute("ROLLBACK")
    other.close()


def test_what_is_brought_up_to_date_is_what_is_made_anew(root):
    """After any changes in any order the index is the same as one that is built at once."""
    dice = random.Random(3)
    words = ["walrus", "narwhal", "badger", "otter", "heron", "stoat", "marten"]
    for _ in range(25):
        number = dice.randint(1, 6)
        path = root.absolute(f"journal/instance-{number}.md")
        if dice.random() < 0.2 and os.path.exists(path):
            os.unlink(path)
        else:
            with open(path, "w") as file:
                file.writelines(
                    f"- {' '.join(dice.choices(words, k=4))} [i{number}abc.{at}]\n"
                    for at in range(1, dice.randint(2, 5))
                )
        opened = access.open_index(root)
        fresh = access.index_tree(WorkTree(root))
        for made, anew in zip(everything(opened.base), everything(fresh.base), strict=True):
            assert {one for one in made if one[0] in dict.fromkeys(one[0] for one in anew)} == anew
        assert len(everything(opened.base)[0]) == len(everything(fresh.base)[0])
        opened.close()


def _write(folder, seed):
    root = layout.find_root(folder)
    for at in range(12):
        with open(root.absolute(f"journal/instance-{seed}{at:02}.md"), "w") as file:
            file.write(f"- otter number{seed}x{at} swims [i{seed}{at:02}abc.1]\n")
        assert addresses(root, f"number{seed}x{at}") == {f"i{seed}{at:02}abc.1"}


@pytest.mark.filterwarnings(IGNORED)
def test_processes_write_and_ask_at_once(root):
    """Four processes that add journals and ask for them each find their own at once, without an error."""
    running = [CONTEXT.Process(target=_write, args=(root.path, seed)) for seed in range(1, 5)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    assert [one.exitcode for one in running] == [0] * 4


def test_no_secret_of_a_document_is_found_or_shown(root):
    """A secret that was committed before a rule knew it is in no row, no term and no answer."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with open(root.absolute("journal/instance-2.md"), "a") as file:
        file.write(f"- the walrus logs in with {secret} at /ho" + "me/ana/work/app [i2abc.2]\n")
    opened = access.open_index(root)
    found = search.recall(opened, "how does the walrus log in", strict=False)
    opened.close()
    shown = "\n".join(line.text for one in found.passages for line in one.lines)
    assert "logs in with [REDACTED:github-token] at ~/work/app" in shown
    with open(os.path.join(root.state_dir, index_form.NAME), "rb") as file:
        assert secret.lower().encode() not in file.read().lower()
