"""The index under several processes and on bad ground: never an error, never an answer older than the documents."""

import os
import random
import re
import shutil
import sqlite3
import tempfile

import pytest
from scene import Scene
from side_by_side import CONTEXT, IGNORED

from sleep.errors import SleepError
from sleep.recall import search
from sleep.recall.index import access, index_file, index_form
from sleep.store import history, layout

pytestmark = pytest.mark.filterwarnings(IGNORED)
WORDS = {"walrus": "i1abc.1", "narwhal": "i2abc.1", "badger": "i3abc.1"}


def laid(folder):
    """Return the root of a memory with three journals, in a folder that looks like a git work tree."""
    for below in ("journal", "memory/hot", ".git"):
        os.makedirs(os.path.join(folder, below))
    texts = {
        f"journal/instance-{at}.md": f"- the {word} sings [{mark}]\n" for at, (word, mark) in enumerate(WORDS.items())
    }
    for path, text in {".git/HEAD": "ref: refs/heads/main\n", "memory/sleep.yaml": "format: 1\n", **texts}.items():
        with open(os.path.join(folder, path), "w") as file:
            file.write(text)
    return layout.find_root(folder)


def wrong(root):
    """Return the words that do not find their entry now."""
    opened = access.open_index(root)
    try:
        return [word for word, mark in WORDS.items() if not _has(opened, word, mark)]
    finally:
        opened.close()


def _has(opened, word, mark):
    answer = search.recall(opened, word, strict=False)
    return mark in {one for passage in answer.passages for line in passage.lines for one in line.addresses}


def together(target, arguments):
    """Run a function in a process for each of the arguments, and return their exit codes."""
    running = [CONTEXT.Process(target=target, args=one, daemon=True) for one in arguments]
    for one in running:
        one.start()
    for one in running:
        one.join()
    return [one.exitcode for one in running]


def _harm(path, dice):
    """Do one of the harms that a file can come to."""
    size = os.path.getsize(path) if os.path.exists(path) else 0
    kind = dice.choice(("nothing", "garbage", "truncated", "scribbled", "version", "deleted", "empty", "log"))
    if kind == "deleted" or not size:
        for end in dice.sample(("", "-wal", "-shm"), dice.randint(1, 3)):
            if os.path.exists(path + end):
                os.unlink(path + end)
    elif kind in ("garbage", "empty"):
        with open(path, "wb") as file:
            file.write(dice.randbytes(dice.randint(1, 20_000)) if kind == "garbage" else b"")
    elif kind == "truncated":
        os.truncate(path, dice.randrange(size))
    elif kind == "scribbled":  # whole pages: what a disk loses
        with open(path, "r+b") as file:
            file.seek(dice.randrange(max(1, size // 4096)) * 4096)
            file.write(b"\xa5" * 4096 * dice.randint(1, 4))
    elif kind == "version":
        base = sqlite3.connect(path)
        base.execute("PRAGMA user_version = 1")
        base.close()
    elif kind == "log":
        with open(f"{path}-wal", "wb") as file:
            file.write(dice.randbytes(9_000))


def _mending(folder, barrier, rounds, seed):
    """Harm the index (the first process), then ask all at once, many times."""
    root = layout.find_root(folder)
    path = os.path.join(root.state_dir, index_form.NAME)
    dice = random.Random(seed)
    for at in range(rounds):
        if not seed:
            _harm(path, dice)
        barrier.wait(60)
        bad = wrong(root)
        assert not bad, (at, bad)
        barrier.wait(60)


@pytest.mark.parametrize(
    "rounds", [pytest.param(12, id="smoke"), pytest.param(400, id="torture", marks=pytest.mark.torture)]
)
def test_a_damaged_index_is_mended_by_whoever_comes(tmp_path, rounds):
    """Three processes that find a damaged index at once each answer rightly, whatever the damage was."""
    root = laid(tmp_path / "memory")
    barrier = CONTEXT.Barrier(3)
    assert together(_mending, [(root.path, barrier, rounds, seed) for seed in range(3)]) == [0] * 3


def test_damage_that_shows_while_it_is_asked_is_mended(tmp_path):
    """An index that was opened whole and is damaged since answers all the same."""
    root = laid(tmp_path)
    access.open_index(root).close()
    opened = access.open_index(root)
    opened.base.execute("PRAGMA writable_schema = ON")
    opened.base.execute("DROP TABLE place")
    assert not [word for word, mark in WORDS.items() if not _has(opened, word, mark)]
    opened.close()
    assert not wrong(root)


def test_who_holds_the_index_for_itself_blocks_nobody(tmp_path, monkeypatch):
    """While another process holds the index's file alone, so that nobody may read it, a question is answered."""
    root = laid(tmp_path)
    access.open_index(root).close()
    monkeypatch.setattr(index_file, "WAIT", 0.1)
    holder = sqlite3.connect(os.path.join(root.state_dir, index_form.NAME), isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")  # in WAL a transaction alone keeps no reader out
    holder.execute("BEGIN EXCLUSIVE")
    assert not wrong(root)
    holder.close()


def test_a_reader_sees_one_state_while_another_writes(tmp_path):
    """What is read in one go is as it was at its start, whatever another process commits meanwhile."""
    root = laid(tmp_path)
    reader = access.open_index(root)
    with reader.reading() as base:
        before = base.execute("SELECT count(*) FROM row").fetchone()
        with open(root.absolute("journal/instance-9.md"), "w") as file:
            file.write("- the stoat listens [i9abc.1]\n")
        other = access.open_index(root)
        assert _has(other, "stoat", "i9abc.1")
        other.close()
        assert base.execute("SELECT count(*) FROM row").fetchone() == before
    assert _has(reader, "stoat", "i9abc.1")
    reader.close()


def _nobody(folder, is_kept):
    """As a person who may read and not write: ask, and leave nothing behind."""
    os.seteuid(65_534)
    root = layout.find_root(folder)
    before = sorted(os.listdir(root.git_dir))
    assert not wrong(root)
    assert sorted(os.listdir(root.git_dir)) == before
    assert is_kept == os.path.exists(os.path.join(root.state_dir, index_form.NAME))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may become nobody")
@pytest.mark.parametrize("is_kept", [False, True])
def test_a_folder_that_may_only_be_read_answers(is_kept):
    """Without the right to write the answer comes from memory, with an index there and without."""
    folder = tempfile.mkdtemp()
    try:
        root = laid(os.path.join(folder, "memory"))
        os.chmod(folder, 0o711)  # noqa: S103  # so that nobody may come to the memory
        if is_kept:
            access.open_index(root).close()
        with open(root.absolute("journal/instance-0.md"), "a") as file:
            file.write("\n- later [i1abc.2]\n")
        assert together(_nobody, [(root.path, is_kept)]) == [0]
    finally:
        shutil.rmtree(folder)


def _living(top, seed, rounds):
    """Journal entries with words of their own, and sleep now and then."""
    scene = Scene.copied(top)
    dice = random.Random(seed)
    opened = scene.open(session=f"session-{seed}")
    for at in range(rounds):
        try:
            scene.add("insight", f"The marten word{seed}x{at} climbs tree {at}", instance=opened.address.number)
            if dice.random() < 0.4:
                scene.sleep()
        except SleepError:  # another one holds the lock, or has slept on it: it is not about that
            opened = scene.open(session=f"session-{seed}-{at}")


def _asking(top, done):
    """Ask for what the last commit had at the start, until all others are done, and once more."""
    scene = Scene.copied(top)
    root = scene.place.root
    dice = random.Random(5)
    asked, was_last = 0, False
    while not was_last:
        was_last = done.is_set()
        head = history.head(root)
        texts = history.read_many(root, head, history.listing(root, head, "journal"))
        words = [found for text in texts.values() if text for found in re.findall(r"word\d+x\d+", text)]
        opened = access.open_index(root)
        for word in dice.sample(words, min(3, len(words))):
            lines = [line for one in search.recall(opened, word, strict=False).passages for line in one.lines]
            assert any(word in line.text for line in lines), (head, word)
            asked += 1
        opened.close()
    assert asked


@pytest.mark.parametrize(
    "rounds", [pytest.param(3, id="smoke"), pytest.param(60, id="torture", marks=pytest.mark.torture)]
)
def test_recall_beside_four_that_journal_and_sleep(tmp_path, rounds):
    """While four processes journal and sleep, what the last commit had is found every time, without an error."""
    scene = Scene(tmp_path / "project")
    done = CONTEXT.Event()
    asking = CONTEXT.Process(target=_asking, args=(scene.top, done), daemon=True)
    asking.start()
    codes = together(_living, [(scene.top, seed, rounds) for seed in range(4)])
    done.set()
    asking.join()
    assert codes == [0] * 4
    assert asking.exitcode == 0
