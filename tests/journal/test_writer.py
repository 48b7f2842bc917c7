"""Journaling: numbers, sessions, redaction, imports."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from processor_time import spent
from scene import SECRET, Memory, Scene, repository
from side_by_side import CONTEXT, IGNORED

from sleep.documents import front_matter
from sleep.documents import journal as journals
from sleep.documents.hand import annotation
from sleep.errors import MoveError, StorageError, UsageError
from sleep.journal import writer
from sleep.journal.imports import importer
from sleep.store import files
from sleep.upkeep import status


def test_an_entry_opens_a_journal(scene):
    """An entry written while no journal is open opens one, and the next goes into the same."""
    first, second = scene.add("note", "one"), scene.add("note", "two")
    assert (first.opened, second.opened) == (True, False)
    assert first.path == second.path == "journal/instance-1.md"
    assert [str(one.address)[5:] for one in (first, second)] == [".1", ".2"]


@pytest.mark.parametrize("opens", [lambda scene: scene.open(), lambda scene: scene.add("note", "x")])
def test_a_journal_that_cannot_be_noted_is_not_opened(scene, monkeypatch, opens):
    """Where the disk takes no note of a new journal, none is left behind."""

    def refuses(*_):
        raise StorageError("the disk is full")

    monkeypatch.setattr(writer.open_journals, "_write", refuses)
    with pytest.raises(StorageError):
        opens(scene)
    assert [path.name for path in (scene.home / "journal").iterdir() if path.suffix == ".md"] == []


def test_record_numbers_go_on(scene):
    """Record numbers go on across instances and after a sleep, each letter by itself."""
    assert scene.add("decision", "one").number == "D-001"
    assert scene.add("question", "one?").number == "Q-001"
    scene.sleep()
    assert scene.add("decision", "two").number == "D-002"
    assert scene.add("thread", "one").number == "T-001"
    assert scene.add("constraint", "never").number == ""


def test_entries_read_back(scene):
    """An entry reads back as it was given, whatever its text holds."""
    body = "# A heading\n\n```python\n## not one\n```\n\n| a | b |\n| - | - |\n\n---\nשלום 你好"
    scene.add("decision", "Use [i1abc.1] and `x`", body, why="because: it is: so", alternatives="one; two")
    entry = scene.view.journal("journal/instance-1.md").entries[-1]
    assert entry.title == "Use [i1abc.1] and `x`"
    assert dict(entry.fields) == {"why": "because: it is: so", "alternatives": "one; two"}
    for words in ("A heading", "## not one", "| a | b |", "שלום 你好"):
        assert words in entry.body
    assert len(scene.view.journal("journal/instance-1.md").entries) == 1


def _open(top, number):
    os.environ["SLEEP_LOCK_WAIT"] = "60"
    scene = Scene.copied(top)
    return scene.open(session=f"s{number}").path, [str(scene.add("decision", f"{number}").number) for _ in range(3)]


@pytest.mark.filterwarnings(IGNORED)
def test_parallel_opens_and_entries(scene):
    """Instances opened and decisions numbered by four processes at once all get numbers of their own."""
    with ProcessPoolExecutor(4, CONTEXT) as pool:
        done = list(pool.map(_open, [scene.top] * 4, range(4)))
    assert sorted(path for path, _ in done) == [f"journal/instance-{number}.md" for number in range(1, 5)]
    numbers = [number for _, more in done for number in more]
    assert sorted(numbers) == [f"D-{number:03d}" for number in range(1, 13)]


def test_secrets_and_homes_never_reach_the_disk(scene, monkeypatch):
    """Secrets, values of secret-named variables and the home directory are taken out before the first write."""
    monkeypatch.setenv("MY_API_KEY", "c0rrect-Horse7-batteryStaple")
    written = []
    write = files.write
    monkeypatch.setattr(
        files, "write", lambda path, text, *rest, **named: (written.append(text), write(path, text, *rest, **named))
    )
    home = os.path.expanduser("~")
    added = scene.add(
        "decision", f"Use {SECRET}", f"and c0rrect-Horse7-batteryStaple in {home}/x", why=f"{SECRET} works"
    )
    assert added.redacted == 3
    everything = "".join(written)
    for secret in (SECRET, "c0rrect-Horse7", home):
        assert secret not in everything
    assert everything.count("[REDACTED:") == 3
    assert "~/x" in everything


def test_a_field_is_read_with_its_name(scene):
    """The name of a field announces the secret that its value is; the same value under another name stays."""
    scene.open()
    added = scene.add("note", "The new database", password="Wd83kfLq2z", host="Wd83kfLq2z")
    text = scene.text("journal/instance-1.md")
    assert (added.redacted, "- password: [REDACTED:password]" in text, "- host: Wd83kfLq2z" in text) == (1, True, True)


def test_a_move_redacts_too(scene):
    """What is said with a move is redacted as well."""
    scene.add("question", "Which key?")
    scene.move("question", "Q-001", "answered", f"it is {SECRET}")
    assert SECRET not in scene.text("journal/instance-1.md")


def test_sessions_bind_instances(scene, monkeypatch):
    """Entries of a session go to its own instance, even when others are open, and open one where there is none."""
    scene.open(session="a")
    scene.open(session="b")
    scene.open()
    monkeypatch.setenv("SLEEP_SESSION", "a")
    assert scene.add("note", "of a").path == "journal/instance-1.md"
    monkeypatch.setenv("SLEEP_SESSION", "b")
    assert scene.add("note", "of b").path == "journal/instance-2.md"
    monkeypatch.setenv("SLEEP_SESSION", "c")
    added = scene.add("note", "of c")
    assert (added.path, added.opened) == ("journal/instance-4.md", True)
    assert scene.view.journal(added.path).fields["sessions"] == ["c"]
    monkeypatch.delenv("SLEEP_SESSION")
    assert scene.add("note", "of nobody").path == added.path
    assert scene.add("note", "by number", instance=2).path == "journal/instance-2.md"


@pytest.mark.parametrize("session", ["a\ninstance: 9", "../../x", "a b", "x" * 201])
def test_session_ids_are_whitelisted(scene, session):
    """A session id that is more than letters, digits and -_.: is refused, and nothing is opened."""
    with pytest.raises(UsageError, match="session id"):
        scene.open(session=session)
    assert scene.view.journals == ()


@pytest.mark.parametrize(
    ("kind", "title", "instance"), [("decission", "x", None), ("note", " \n", None), ("note", "x", 7)]
)
def test_what_is_no_entry_is_refused(scene, kind, title, instance):
    """An unknown kind, an entry that says nothing and an instance that is not open are refused; nothing is written."""
    before = scene.everything()
    with pytest.raises(UsageError):
        scene.add(kind, title, instance=instance)
    assert scene.everything() == before


def test_a_closed_journal_takes_nothing_more(scene):
    """After `close` an entry opens the next instance, and the closed one can be named no more."""
    scene.add("note", "one")
    path = writer.close(scene.place, scene.now())
    sealed = scene.text(path)
    assert scene.add("note", "two").path == "journal/instance-2.md"
    with pytest.raises(UsageError, match="not open"):
        scene.add("note", "three", instance=1)
    assert scene.text(path) == sealed


def test_gaps_are_fine(scene):
    """The next instance's number is above every journal's, whatever is missing between."""
    scene.write("journal/instance-41.md", journals.start(scene.open().address.instance._replace(number=41), {}))
    assert scene.open().path == "journal/instance-42.md"


HAND = """\
# 2026-03-01

## Decisions

- We chose SQLite because it needs no server.

## Open questions

- Is WAL mode safe on NFS?

Some prose that fits nowhere.

> quoted

| a | b |
| - | - |
| 1 | 2 |

```
code
```
"""
_FORMS = {
    "plain": HAND.encode(),
    "crlf": HAND.replace("\n", "\r\n").encode(),
    "bom": b"\xef\xbb\xbf" + HAND.encode(),
    "latin": HAND.encode() + b"\ncaf\xe9 \xff\xfe\n",
    "front": b"---\ntitle: mine\ntags: [a, b]\n---\n" + HAND.encode(),
    "broken front": b"---\ntitle: [\n---\n" + HAND.encode(),
    "no newline": HAND.encode().rstrip(b"\n"),
    "rule": b"---\n\nprose between rules\n\n---\n" + HAND.encode(),
    "right to left": "# יומן\n\n- החלטנו להשתמש ב־SQLite\n".encode(),
    "html": b"<details>\n<summary>x</summary>\n\n- inside\n\n</details>\n",
    "open fence": b"# x\n\n```\nnever closed\n",
    "empty": b"",
    "nul": b"a\0b\n",
}


@pytest.mark.parametrize("form", list(_FORMS))
def test_an_import_drops_nothing(scene, form):
    """An imported journal without the marks and our front matter is the file as it was, in every form."""
    content = _FORMS[form]
    (done,) = importer.import_sources(
        scene.place, scene.now(), importer.plain([("x.md", files.decode(content))])
    ).journals
    written = scene.text(done.path)
    body = annotation.unmark(written[front_matter.read(written).body :], done.instance)
    for line in files.decode(content).removeprefix("\ufeff").split("\n"):
        if line.strip() not in ("", "---"):
            assert line in body.split("\n"), (line, body)
    assert scene.view.journal(done.path).unmarked == 0
    assert scene.git("status", "--porcelain") == ""
    scene.sleep()
    assert scene.wake().text
    assert not [one for one in scene.check() if one.level == "fail"]


def test_front_matter_of_its_own_is_kept(scene):
    """Front matter that a journal brings stands in it as a block, and ours says which instance it is."""
    (done,) = importer.import_sources(
        scene.place, scene.now(), importer.plain([("x.md", "---\ninstance: 99\ntitle: mine\n---\n\n# Day\n")])
    ).journals
    written = scene.text(done.path)
    assert front_matter.read(written).fields["instance"] == 1
    assert "```yaml\ninstance: 99\ntitle: mine\n```\n" in written


def test_an_import_is_one_commit(scene):
    """Several journals become instances in their order, in one commit that names them, closed and not slept on."""
    done = importer.import_sources(scene.place, scene.now(), importer.plain([("a.md", HAND), ("b.md", HAND)])).journals
    assert [one.instance.number for one in done] == [1, 2]
    assert scene.subjects()[0] == "journal: import 2 journals as instances 1 and 2"
    assert len(scene.subjects()) == 3
    assert [one.fragment.number for one in scene.view.records.values() if one.fragment.kind == "decision"] == [
        "D-001",
        "D-002",
    ]
    assert all(scene.view.journal(one.path).sealed for one in done)


def test_an_import_redacts(scene):
    """Secrets in an imported file never reach the journal, nor the commit."""
    (done,) = importer.import_sources(scene.place, scene.now(), importer.plain([("x.md", f"key {SECRET}\n")])).journals
    assert done.redacted == 1
    assert SECRET not in scene.git("log", "-p", "--all")


def test_rehearsing_an_import_writes_nothing(scene):
    """A dry import says what it would make and changes nothing."""
    before = scene.everything()
    (done,) = importer.import_sources(scene.place, scene.now(), importer.plain([("x.md", HAND)]), dry_run=True).journals
    assert (done.path, done.kinds["decision"], done.kinds["question"]) == ("journal/instance-1.md", 1, 2)
    assert scene.everything() == before


def _long(size):
    day = HAND.replace("SQLite", "engine {n}").replace("NFS", "disk {n}")
    return "\n".join(day.format(n=n) for n in range(size // len(day)))


def test_time_grows_with_size_and_no_faster():
    """Taking in and sleeping on a journal eight times as long takes about eight times as long."""
    memory = Memory()
    short, long = _long(10_000), _long(80_000)
    assert spent(lambda: (memory.journal(long), memory.sleep())) < 24 * spent(
        lambda: (memory.journal(short), memory.sleep())
    )


@pytest.mark.torture
def test_five_megabytes(scene):
    """A journal of five megabytes is taken in, slept on and woken from, with nothing dropped."""
    text = _long(5_000_000)
    (done,) = importer.import_sources(scene.place, scene.now(), importer.plain([("x.md", text)])).journals
    written = scene.text(done.path)
    assert annotation.unmark(written[front_matter.read(written).body :], done.instance).endswith(text)
    scene.sleep()
    assert scene.wake().cost <= 20_000
    assert not [one for one in scene.check() if one.level == "fail"]


MOVES = {
    "thread": (("T-001", "active"), ("paused", "resolved", "abandoned"), "standing"),
    "decision": (("D-001", "standing"), ("reversed", "superseded"), "answered"),
    "question": (("Q-001", "open"), ("answered",), "lifted"),
}


@pytest.mark.parametrize("kind", list(MOVES))
def test_an_illegal_move_is_refused(scene, kind):
    """A move that is not legal is refused with the state and every legal move named, and nothing is written."""
    (handle, state), legal, wrong = MOVES[kind]
    scene.add(kind, "what it is")
    before = scene.everything()
    with pytest.raises(MoveError) as caught:
        scene.move(kind, handle, wrong)
    assert state in str(caught.value)
    assert all(word in str(caught.value) for word in legal)
    assert scene.everything() == before


def test_a_move_says_why(scene):
    """A move that must say something is refused without it."""
    scene.add("question", "why?")
    before = scene.everything()
    with pytest.raises(MoveError, match="answer"):
        scene.move("question", "Q-001", "answered", " ")
    assert scene.everything() == before


def test_a_final_state_is_final(scene):
    """A superseded decision cannot be moved again, also after a sleep."""
    scene.add("decision", "old")
    scene.add("decision", "new")
    scene.move("decision", "D-001", "superseded", "", by="D-002")
    for _ in range(2):
        with pytest.raises(MoveError, match="final"):
            scene.move("decision", "D-001", "standing")
        scene.sleep()


@pytest.mark.parametrize("by", ["D-009", "D-001", "Q-001"])
def test_a_decision_is_superseded_by_another_decision(scene, by):
    """What takes a decision's place must be another decision that is there."""
    scene.add("decision", "old")
    scene.add("question", "or?")
    before = scene.everything()
    with pytest.raises(UsageError, match=by):
        scene.move("decision", "D-001", "superseded", "", by=by)
    assert scene.everything() == before


@pytest.mark.parametrize("handle", ["T-002", "D-001", "i9zzz.1", ""])
def test_a_record_that_is_nowhere(scene, handle):
    """A handle that names no record of that kind is a usage error, and nothing is written."""
    scene.add("thread", "one")
    scene.add("decision", "one")
    before = scene.everything()
    with pytest.raises(UsageError, match="there is no thread"):
        scene.move("thread", handle, "paused")
    assert scene.everything() == before


def test_records_are_found_by_number_and_by_address(scene):
    """A record answers to its number in any case and width, and to its address."""
    address = scene.add("thread", "one").address
    for handle, to in (("t-1", "paused"), (str(address), "active"), ("T-001", "resolved")):
        assert scene.move("thread", handle, to)[0].fragment.identity == address
    assert scene.view.records[address].fragment.state == "resolved"


def test_a_reopened_record_is_hot_again():
    """A question that was answered, went to warm memory and is reopened stands in hot memory after the next sleep."""
    memory = Memory()
    memory.journal("## Open questions\n\n- Is WAL safe on NFS?\n")
    memory.sleep()
    (address,) = [one.identity for _, one in memory.placed()]
    memory.journal(f"## Question event: done\n\n- record: {address}\n- to: answered\n- reason: yes\n")
    memory.sleep()
    for number in range(3):
        memory.journal(f"A plain day, number {number}.\n")
        memory.sleep()
    assert memory.tier_of(address) == ["warm"]
    memory.journal(f"## Question event: again\n\n- record: {address}\n- to: open\n- reason: it was wrong\n")
    memory.sleep()
    assert memory.tier_of(address) == ["hot"]


def test_an_unreadable_journal_stops_nobody(scene):
    """A journal that cannot be read stops neither journaling, nor waking, nor sleeping; one by hand is a journal."""
    scene.write("journal/instance-1.md", "written by hand\n")
    scene.write("journal/instance-2.md", "---\nbroken: [\n---\n")
    assert scene.wake().path == "journal/instance-3.md"
    assert scene.add("decision", "x").path == "journal/instance-3.md"
    assert len(scene.view.records) == 1
    assert len(status.read(scene.place).unreadable) == 1
    assert {one.where for one in scene.check() if one.level == "fail"} == {"journal/instance-2.md:3"}
    assert scene.wake(fresh=True).path == "journal/instance-4.md"
    assert dict(scene.sleep().skipped).keys() == {"journal/instance-2.md", "journal/instance-4.md"}
    assert len(scene.view.cycles) == 2
    assert "\nwritten by hand [i1" in Path(scene.home, "journal/instance-1.md").read_text()
    assert Path(scene.home, "journal/instance-2.md").read_text() == "---\nbroken: [\n---\n"


def test_a_journal_names_another_repository_than_the_memorys_own(scene, monkeypatch):
    """A journal that is opened in another repository says which; in the memory's own it says nothing."""
    repository(scene.home / "feedbox")
    monkeypatch.chdir(scene.home)
    plain = scene.add("note", "one").path
    monkeypatch.chdir(scene.home / "feedbox")
    opened = writer.open_instance(scene.place, scene.now()).path
    assert [front_matter.peek(scene.text(path)).fields.get("project") for path in (plain, opened)] == [None, "feedbox"]


def test_an_open_journal_of_another_repository_is_left_alone(scene, monkeypatch):
    """What is written in one repository does not go into the open journal of another, unless its number is named."""
    paths = []
    for name in ("feedbox", "blog", "feedbox"):
        if not (scene.home / name).exists():
            repository(scene.home / name)
        monkeypatch.chdir(scene.home / name)
        paths.append(scene.add("note", f"in {name}").path)
    assert paths == ["journal/instance-1.md", "journal/instance-2.md", "journal/instance-1.md"]
    assert scene.add("note", "named", instance=2).path == "journal/instance-2.md"
    monkeypatch.chdir(scene.home)
    assert scene.add("note", "from none").path == "journal/instance-2.md"
