"""Importing what people already have: nothing lost, everything traced, twice is once."""

from __future__ import annotations

import os
import time

import pytest
from examples import share
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scene import SECRET, Scene, repository, write

from sleep.documents import front_matter
from sleep.documents.hand import annotation
from sleep.errors import UsageError
from sleep.journal.imports import closings, daily, discovery, importer, provenance, reader, source
from sleep.memory import place
from sleep.recall import search
from sleep.recall.index import access
from sleep.store import files
from sleep.upkeep import setup
from tests.journal.imports.test_adr import INLINE, LOG, LOG4BRAINS, MADR, NYGARD, TOPIC

NATS = LOG4BRAINS.replace("Use Kafka", "Use NATS").replace(
    "superseded by [20230401-use-nats](20230401-use-nats.md)", "accepted"
)
BANK = {
    "projectbrief.md": "# Brief\n\nA queue that survives.\n\n## Constraints\n\n- It must run on one machine.\n",
    "activeContext.md": "# Active\n\n## Current focus\n\nThe retry loop.\n\n## Next steps\n\n- [ ] Measure the loop\n",
    "decisionLog.md": "# Log\n\n## Decision\n\n- [2025-03-02 10:00:00] - We keep jobs in SQLite: it needs no server.\n",
    "progress.md": "# Progress\n\n## What works\n\n- Jobs survive a crash.\n\n| run | s |\n| - | - |\n| 1 | 4.2 |\n",
}
CLAUDE = {
    "MEMORY.md": "# Memory\n\n- [real](real.md) — never mock the database\n",
    "real.md": TOPIC,
    "project_freeze.md": "---\nname: freeze\ndescription: merges\ntype: project\n---\n\n"
    "Merges freeze on 2026-03-05 for the cut of the mobile release.\n",
}
CODEX = {
    "MEMORY.md": "# Task Group: parser\n\n## User preferences\n\n- Always run the fuzzer before a merge.\n\n"
    "## Reusable knowledge\n\n- The parser reads the header twice.\n",
    "memory_summary.md": "## User preferences\n\n- Always run the fuzzer before a merge.\n",
    "raw_memories.md": "# Raw memories\n\n## Thread `0b9f`\n\nupdated_at: 2026-02-18T09:00:00Z\n\n- Run the fuzzer.\n",
    "rollout_summaries/2026-02-17T21-23-02-ab-fuzz.md": "thread_id: 0b9f\nupdated_at: 2026-02-17T21:30:00Z\n\n"
    "# Fuzz the parser\n\nOutcome: success. The zebra header made it loop.\n",
}
TREE = {
    "core/0.soul.md": "---\nname: soul\ntype: soul\n---\n# Soul\n\nNever push to main without review.\n",
    "core/2.memory.md": "# Memory\n\n## Decisions\n\n- We chose flock because a pid file lies.\n",
    "core/features/queue.md": "---\nid: f1\nstatus: active\nupdated: '2026-02-26'\n---\n\n## Why\n\nJobs are lost.\n",
    "core/CHANGELOG.json": '[\n  {"date": "2026-02-25", "type": "feature", "description": "The giraffe parser"}\n]\n',
    "knowledge/locks.md": "---\nname: Locks\npinned: true\n---\n# Locks\n\nA killed git leaves its lock.\n",
    "state/wire.md": "---\nname: Wire the queue\nstatus: in_progress\n---\n# Wire\n",
    "state/.sleep.json": "{}\n",
}
DAYS = {
    "2026/03/02.md": "# Monday\n\n## Decisions\n\n- We chose SQLite because it needs no server.\n",
    "2026/03/01.md": "# Sunday\n\n## Open questions\n\n- Who owns the walrus importer?\n",
}
RECORDS = {
    "20221105-use-kafka.md": LOG4BRAINS,
    "20230401-use-nats.md": NATS.replace("2022-11-05", "2023-04-01"),
    "0003-sessions.md": MADR,
    "adr-012.md": INLINE,
    "0007-nightly.md": NYGARD,
    "0008-proposed.md": MADR.replace("accepted", "proposed").replace("Postgres", "Mongo"),
}
TABLE = "| run | s |\n| - | - |\n| 1 | 4.2 |\n\n# Sunday\n\nThe queue is wired.\n"
FORMS = {
    "adr": ("docs/adr", RECORDS),
    "memory-bank": ("memory-bank", BANK),
    "claude": (".claude/projects/-p/memory", CLAUDE),
    "codex": (".codex/memories", CODEX),
    "context": ("_agent_context", TREE),
    "daily": ("logs", DAYS),
}


def lay(folder, texts):
    """Write files below a folder and return it as a word of the command."""
    for name, text in texts.items():
        write(folder / name, text)
    return str(folder)


def take(scene, *given, form="", **options):
    """Import as the task does."""
    return importer.import_sources(scene.place, scene.now(), reader.gather(given, scene.place.root, form), **options)


def said(scene, path):
    """Return what an imported journal has from its file: its body without marks."""
    current = scene.view.journal(path)
    return provenance.original_text(current.text, current.instance)


def held(lines, text):
    """Return the lines that do not stand in a text in their order."""
    rows = iter(text.split("\n"))
    return [line for line in lines if line.strip() not in ("", "---") and not any(row == line for row in rows)]


@pytest.fixture
def laid(scene, request):
    """Return the folder of a form, laid in the project of the scene, and its texts."""
    name, texts = FORMS[request.param]
    return lay(scene.home / name, texts), texts


@pytest.mark.parametrize(("form", "laid"), [(form, form) for form in FORMS], indirect=["laid"])
def test_nothing_is_lost_and_twice_is_once(scene, form, laid):
    """Each form is told, every line stands in a journal in its order, and a second import changes nothing."""
    folder, texts = laid
    gathered = reader.gather([folder], scene.place.root)
    assert gathered.forms == {folder: form}
    done = importer.import_sources(scene.place, scene.now(), gathered)
    bodies = {}
    for one in done.journals:
        told = scene.view.journal(one.path).fields["imported"]
        assert told["from"] == form
        bodies[told["path"]] = bodies.get(told["path"], "") + said(scene, one.path)
    for name, text in texts.items():
        if not name.startswith("state/."):
            (body,) = [body for path, body in bodies.items() if path.endswith(f"/{name}")]
            assert not held(text.split("\n"), body), name
    assert all(
        scene.view.journal(one.path).sealed and not scene.view.journal(one.path).unmarked for one in done.journals
    )
    before = scene.head(), scene.owned()
    again = take(scene, folder)
    assert (again.journals, again.pages, len(again.there)) == ([], (), len(done.journals))
    assert (scene.head(), scene.owned()) == before
    assert scene.git("status", "--porcelain", "journal", "memory") == ""


FOUND = {
    "adr": ("where do sessions live", "Postgres"),
    "memory-bank": ("jobs in SQLite", "SQLite"),
    "claude": ("merge freeze mobile release", "freeze"),
    "codex": ("zebra header loop", "zebra"),
    "context": ("giraffe parser", "giraffe"),
    "daily": ("who owns the walrus importer", "walrus"),
}


@pytest.mark.parametrize(("form", "laid"), [(form, form) for form in FORMS], indirect=["laid"])
def test_a_sleep_and_a_recall_find_it(scene, form, laid):
    """What was taken in is slept on, checked, woken with, and found by its address."""
    take(scene, laid[0])
    scene.sleep()
    assert not [one for one in scene.check() if one.level == "fail"]
    assert scene.wake().text
    asked, word = FOUND[form]
    index = access.open_index(scene.place.root)
    found = search.recall(index, asked)
    index.close()
    addresses = [line.addresses for passage in found.passages for line in passage.lines if word in line.text]
    assert any(addresses)  # a heading, which may stand above, has none


def test_decisions_stand_as_their_records_say(scene):
    """Decisions have numbers in order of time, why, alternatives and state; a proposal is a question."""
    take(scene, lay(scene.home / "docs/adr", RECORDS))
    scene.sleep()
    decided = [one.fragment for one in scene.view.records.values() if one.fragment.kind == "decision"]
    states = {one.text.split(":")[0]: (one.number, one.state) for one in decided}
    assert states == {
        "Write the reports by night": ("D-001", "superseded"),
        "Use Kafka between the services": ("D-002", "superseded"),
        "Use NATS between the services": ("D-003", "standing"),
        "Keep sessions in Postgres": ("D-004", "standing"),
        "One lock for all writers": ("D-005", "standing"),
    }
    kafka, sessions = (next(one for one in decided if one.number == number) for number in ("D-002", "D-004"))
    assert kafka.field("status") == "superseded (by D-003)"
    assert (sessions.field("alternatives"), sessions.field("why")[:8]) == ("Redis; signed cookies", "it is th")
    questions = [one.fragment.text for one in scene.view.records.values() if one.fragment.kind == "question"]
    assert [one[:51] for one in questions] == ["Keep sessions in Mongo (proposed, not decided): Cho"]


def test_days_are_told_and_never_made_up(scene):
    """A day comes from the words or the name, else from git or the file, and the journal says which of those."""
    lay(scene.home / "memory-bank", BANK)
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--date=2025-06-07T12:00:00", "--message=bank")
    lay(scene.home / "memory-bank", {"techContext.md": "# Tech\n\nPython.\n"})
    os.utime(scene.home / "memory-bank/techContext.md", (1_700_000_000, 1_700_000_000))
    done = take(scene, str(scene.home / "memory-bank"))
    told = {one.source: scene.view.journal(one.path).fields for one in done.journals}
    assert {name: (str(one["date"]), one["imported"].get("dated", "")) for name, one in told.items()} == {
        **dict.fromkeys(BANK, ("2025-06-07", "git")),
        "decisionLog.md": ("2025-03-02", ""),  # its stamp says so
        "techContext.md": ("2023-11-14", "file time"),
    }


def test_a_page_of_stamps_is_of_its_last_one(scene):
    """A page of a memory bank whose entries have stamps is of the last day that they say, not of its file's."""
    text = "# Log\n\n[2025-08-16 20:09:55] - Wall begun\n\n[2025-08-17 00:44:00] - Gate hung\n"
    done = take(scene, lay(scene.home / "memory-bank", {"decisionLog.md": text}))
    assert [one.date for one in done.journals] == ["2025-08-17"]


def test_a_record_is_of_the_day_it_was_made(scene):
    """A decision record without a day has that of its first commit, a note that of its last."""
    texts = {"docs/adr/0001-a.md": MADR.replace("date: 2024-02-03\n", ""), "memory-bank/progress.md": "# P\n\nx\n"}
    for day in ("2025-06-07", "2025-08-09"):
        lay(scene.home, {name: f"{text}\nOf {day}.\n" for name, text in texts.items()})
        scene.git("add", "--all")
        scene.git("commit", "--quiet", f"--date={day}T12:00:00", "--message=x")
    folders = [str(scene.home / name) for name in ("docs/adr", "memory-bank")]
    assert {one.form: one.date for one in take(scene, *folders).journals} == {
        "adr": "2025-06-07",
        "memory-bank": "2025-08-09",
    }


def test_days_become_instances_in_order(scene):
    """Daily logs, a file a day or one file with many, become one instance a day, the earliest first."""
    done = take(scene, lay(scene.home / "logs", DAYS))
    assert [(one.instance.number, one.date) for one in done.journals] == [(1, "2026-03-01"), (2, "2026-03-02")]
    write(scene.home / "log.md", LOG)
    done = take(scene, str(scene.home / "log.md"))
    assert [(one.date, scene.view.journal(one.path).fields["imported"]["part"]) for one in done.journals] == [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-02", "2026-03-02"),
    ]


def test_a_title_holds_for_each_day(scene):
    """Of a page of many days that lists decisions, each day's items are such."""
    text = "# Decisions\n\n## 2025-03-01\n\n- Use one gate\n\n## 2025-03-02\n\n- Build it of stone\n"
    done = take(scene, lay(scene.home / "logs", {"DECISIONS.md": text}))
    assert [made.kinds for made in done.journals] == [{"decision": 1}, {"decision": 1}]


def test_a_log_that_grows_adds_the_new_day(scene):
    """Of a log that has grown only the new day is taken in, whichever end it stands at."""
    at = scene.home / "log.md"
    write(at, LOG)
    take(scene, str(at))
    write(at, LOG.replace("## 2026-03-02\n", "## 2026-03-03\n\nnew\n\n## 2026-03-02\n"))
    again = take(scene, str(at))
    assert [(one.date, one.adds_to) for one in again.journals] == [("2026-03-03", "")]
    assert len(again.there) == 2


def test_a_changed_file_adds_what_is_new(scene):
    """Of a file that has changed only what is new is taken in, under its headings, and tells what it adds to."""
    folder = scene.home / "memory-bank"
    first = {one.source: one for one in take(scene, lay(folder, BANK)).journals}
    write(folder / "progress.md", BANK["progress.md"].replace("a crash.\n", "a crash.\n- Retries back off.\n"))
    again = take(scene, str(folder))
    (added,) = again.journals
    assert (added.source, added.adds_to) == ("progress.md", str(first["progress.md"].instance))
    assert said(scene, added.path) == "# Progress\n\n## What works\n\n- Retries back off.\n\n"
    assert take(scene, str(folder)).journals == []


def test_what_is_taken_away_is_no_news(scene):
    """A file from which something was taken away says nothing new, and what was taken in stays."""
    folder = scene.home / "memory-bank"
    take(scene, lay(folder, BANK))
    write(folder / "progress.md", "# Progress\n")
    assert take(scene, str(folder)).journals == []


def test_a_changed_record_moves_its_decision(scene):
    """A record whose status changed moves its decision; one that decides anew supersedes it by a new one."""
    folder = scene.home / "docs/adr"
    take(scene, lay(folder, {"0001-a.md": MADR, "0002-b.md": INLINE}))
    scene.sleep()
    write(folder / "0001-a.md", MADR.replace("status: accepted", "status: deprecated"))
    write(folder / "0002-b.md", INLINE.replace("take one lock", "take a lock of their own"))
    take(scene, str(folder))
    scene.sleep()
    decided = {
        one.fragment.number: one.fragment for one in scene.view.records.values() if one.fragment.kind == "decision"
    }
    assert {number: one.field("status") for number, one in decided.items()} == {
        "D-001": "reversed (deprecated)",
        "D-002": "superseded (by D-003; its record was changed)",
        "D-003": "",
    }
    assert not [one for one in scene.check() if one.level == "fail"]
    assert take(scene, str(folder)).journals == []


def test_a_proposal_that_is_decided_is_answered(scene):
    """A proposal that is accepted later answers the question that it was."""
    at = scene.home / "docs/adr/0001-a.md"
    write(at, MADR.replace("accepted", "proposed"))
    take(scene, str(at))
    write(at, MADR)
    take(scene, str(at))
    found = {one.fragment.kind: one.fragment for one in scene.view.records.values()}
    assert (found["question"].state, found["decision"].number) == ("answered", "D-001")


def test_known_on_every_machine(scene, tmp_path):
    """A clone knows what was taken in, also where the folder stands elsewhere or has other newlines."""
    take(scene, lay(tmp_path / "h/.claude/projects/-home-ana-p/memory", CLAUDE))
    scene.git("clone", "--quiet", str(scene.top), str(tmp_path / "clone"))
    clone = Scene.copied(tmp_path / "clone")
    other = {name: text.replace("\n", "\r\n") for name, text in CLAUDE.items()}
    again = take(clone, lay(tmp_path / "k/.claude/projects/-Users-ana-p/memory", other))
    assert (again.journals, len(again.there)) == ([], len(CLAUDE))
    assert "-home-ana" not in scene.git("log", "-p", "--all")


def test_the_same_words_on_two_days_are_two(scene):
    """Each of two files that say the same becomes a journal, once."""
    folder = lay(scene.home / "logs", {"2026/03/01.md": "nothing\n", "2026/04/01.md": "nothing\n"})
    assert len(take(scene, folder).journals) == 2
    assert take(scene, folder).journals == []
    lay(scene.home / "logs", {"2026/05/01.md": "nothing\n"})
    assert [one.date for one in take(scene, folder).journals] == ["2026-05-01"]


def test_an_import_that_was_taken_back_can_be_made_again(scene):
    """The record of an import goes with its journal."""
    folder = lay(scene.home / "logs", DAYS)
    take(scene, folder)
    scene.git("revert", "--no-edit", "HEAD")
    assert len(take(scene, folder).journals) == 2


def test_pages_are_laid_where_nothing_stands(scene):
    """Pages of a context tree go to `memory/` where nothing stands or only a comment of `init`; no word is replaced."""
    scene.write("memory/core/2.memory.md", "# Mine\n")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=mine")
    done = take(scene, lay(scene.home / "_agent_context", TREE))
    assert set(done.pages) == {f"memory/{name}" for name in TREE} - {
        "memory/core/2.memory.md",
        "memory/state/.sleep.json",
    }
    assert scene.text("memory/core/2.memory.md") == "# Mine\n"
    assert scene.text("memory/core/0.soul.md") == TREE["core/0.soul.md"]
    kinds = {kind for one in done.journals for kind in one.kinds}
    assert {"decision", "thread"} <= kinds


def test_secrets_and_homes_stay_out(scene, tmp_path, monkeypatch):
    """Secrets and home directories of every form stay out of journals, pages, records and commits."""
    home = os.path.expanduser("~")
    texts = {"core/0.soul.md": f"# Soul\n\nkey {SECRET} in {home}/x\n", "core/1.user.md": "# U\n\nx\n"}
    done = take(scene, lay(scene.home / "_agent_context", texts))
    record = MADR.replace("The table is", f"The key {SECRET} is")
    told = take(scene, lay(scene.home / "docs/adr", {f"{SECRET}.md": record}))
    assert sum(one.redacted for one in told.journals) == record.count(SECRET)
    everything = scene.git("log", "-p", "--all")
    assert done.journals[0].redacted + done.journals[1].redacted == 1
    assert SECRET not in everything
    assert f"{home}/x" not in everything


def test_what_cannot_be_taken_in_is_told(scene, tmp_path):
    """In a folder, a link that leads out, a file with NUL bytes and what is no Markdown are left out and told."""
    write(tmp_path / "out.md", "# Out\n")
    folder = scene.home / "logs"
    lay(folder, DAYS)
    write(folder / "2026/03/03.md", b"a\0b")
    write(folder / "picture.png", b"x")
    (folder / "2026-03-04.md").symlink_to(tmp_path / "out.md")
    (folder / "elsewhere").symlink_to(tmp_path)
    (folder / "2026-03-05.md").symlink_to(tmp_path / "nothing.md")
    done = take(scene, str(folder))
    why = {one.path: one.why for one in done.left}
    assert set(why) == {"2026/03/03.md", "picture.png", "2026-03-04.md", "2026-03-05.md", "elsewhere"}
    assert "no text" in why["2026/03/03.md"]
    assert "out of the folder" in why["2026-03-04.md"]
    assert len(done.journals) == 2


@pytest.mark.parametrize(
    ("name", "says"), [("memory.json", "is no Markdown$"), ("list.csv", "pandoc"), ("notes.org", "pandoc")]
)
def test_a_file_of_another_format_is_no_note(scene, name, says):
    """A file of data that was named is refused, with the way to Markdown where there is one; `--from` takes it in."""
    path = scene.home / name
    write(path, '{"name": "Ana", "observations": ["Never deploy on Fridays"]}\n')
    with pytest.raises(UsageError, match=says):
        reader.gather([str(path)], scene.place.root)
    assert len(reader.gather([str(path)], scene.place.root, "journal").sources) == 1


def test_what_logseq_books_is_left_out(scene):
    """When an item was worked at is no word of it, and a change of that is no change of the page."""
    booked = "  id:: 63db\n  :LOGBOOK:\n  CLOCK: [2026-03-03 Tue 09:35:42]\n  :END:\n"
    folder = lay(scene.home / "journals", {"2026_03_03.md": f"- TODO Call Ana\n{booked}- DONE Ask Ben\n"})
    (done,) = take(scene, folder).journals
    assert [entry.title for entry in scene.view.journal(done.path).entries] == ["TODO Call Ana", "DONE Ask Ben"]
    assert "63db" not in scene.view.journal(done.path).text


@pytest.mark.parametrize(
    ("heading", "row", "before", "after", "state"),
    [
        ("Decision", "Use stone for the gate", "Accepted", "Superseded by #7", "reversed"),
        ("Task", "Write the migration of the gate", "open", "done", "done"),
    ],
)
def test_a_row_with_a_new_status_moves_its_record(scene, heading, row, before, after, state):
    """A table that is taken in again closes what it has as done or no longer held to, and says the row's words."""
    table = f"| {heading} | Status |\n|---|---|\n| {row} | %s |\n| Mend the old wall of the town | {before} |\n"
    for status in (before, after):
        take(scene, lay(scene.home / "notes", {"page.md": f"# Page\n\n## {heading}s\n\n{table % status}"}))
    records = [record.fragment for record in scene.view.records.values()]
    assert {(row in record.text, record.state == state) for record in records} == {(True, True), (False, False)}


def test_the_rules_of_cursor_are_markdown(scene):
    """A folder of `.mdc` files is taken in: a rule below its front matter is a rule."""
    folder = lay(scene.home / ".cursor" / "rules", {"go.mdc": "---\nglobs: '*.go'\n---\n\n- Never use panic\n"})
    assert [dict(one.kinds) for one in take(scene, folder).journals] == [{"note": 1, "constraint": 1}]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(scene):
    """What is no regular file is left out and told, for its reading may never end."""
    folder = scene.home / "logs"
    lay(folder, DAYS)
    os.mkfifo(folder / "2026-03-06.md")
    done = take(scene, str(folder))
    assert [tuple(one) for one in done.left] == [("2026-03-06.md", "is no regular file")]


def test_an_empty_file_becomes_no_journal(scene):
    """A file in which nothing stands is left out and told; a file that was named is refused."""
    folder = scene.home / "logs"
    lay(folder, {**DAYS, "2026/03/03.md": "\ufeff \r\n\n"})
    done = take(scene, str(folder))
    assert [(one.path, one.why) for one in done.left] == [("2026/03/03.md", "is empty")]
    assert len(done.journals) == len(DAYS)
    with pytest.raises(UsageError, match=r"03\.md: is empty"):
        take(scene, str(folder / "2026/03/03.md"))


def test_a_pattern_leaves_out_what_cannot_be_taken_in(scene):
    """What a pattern matches by the way is left out and told, and the rest is taken in."""
    lay(
        scene.home / "logs",
        {"2026-03-01.md": "# Sunday\n\na log\n", "2026-03-02.md": b"a\0b", "2026-03-03.md": "# T\n"},
    )
    done = take(scene, str(scene.home / "logs/*.md"))
    assert [one.source for one in done.journals] == ["2026-03-01.md", "2026-03-03.md"]
    assert [(os.path.basename(one.path), one.why[:10]) for one in done.left] == [("2026-03-02.md", "is no text")]


def test_a_file_is_taken_in_once_by_whatever_name(scene):
    """A file that is named twice, lies in two of the places, or has a link beside it is one journal."""
    folder = lay(scene.home / "docs/adr", RECORDS)
    (scene.home / "docs/adr/0001-first.md").symlink_to("0007-nightly.md")
    (scene.home / "docs/adr/0002-round.md").symlink_to("0002-round.md")
    done = take(scene, folder, f"{folder}/0007-nightly.md", str(scene.home / "docs"))
    assert sorted(one.source for one in done.journals) == sorted(RECORDS)
    assert "link to nothing" in next(one.why for one in done.left if one.path == "0002-round.md")
    assert ("0001-first.md", "is a link to 0007-nightly.md, which is here too") in [tuple(one) for one in done.left]


def test_a_template_is_left_where_it_is(scene):
    """A form that nobody filled in becomes no instance, and the import says so."""
    blank = "# NUMBER. TITLE\n\n## Status\n\nSTATUS\n\n## Decision\n\nThe change that we propose.\n"
    done = take(scene, lay(scene.home / "docs/adr", {**RECORDS, "template.md": blank}))
    assert "template.md" not in [one.source for one in done.journals]
    assert ("template.md", "is a template: a form that nobody filled in") in [tuple(one) for one in done.left]


def test_a_named_file_is_refused(scene, monkeypatch):
    """A file that a person named and that is no text, or is too large, is refused in a sentence, with nothing done."""
    write(scene.home / "a.md", b"a\0b")
    with pytest.raises(UsageError, match=r"a\.md: is no text"):
        take(scene, str(scene.home / "a.md"))
    monkeypatch.setattr(reader, "LIMIT", 3)
    write(scene.home / "b.md", "# long\n")
    with pytest.raises(UsageError, match="larger than"):
        take(scene, str(scene.home / "b.md"))
    with pytest.raises(UsageError, match="one of adr"):
        take(scene, str(scene.home / "b.md"), form="adrs")
    (scene.home / "empty").mkdir()
    with pytest.raises(UsageError, match="nothing that can be taken in"):
        take(scene, str(scene.home / "empty"))


def test_own_documents_are_left(scene):
    """A memory's own journals and tiers are not taken in, when logs of a person stand beside them."""
    scene.lived()
    write(scene.home / "memory/2026-03-01.md", "# Sunday\n\na log\n")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=log")
    done = take(scene, str(scene.home / "memory"), form="daily")
    assert {one.why for one in done.left if "hot/" in one.path} == {"is a document of this memory"}
    assert "2026-03-01.md" in [one.source for one in done.journals]


@pytest.mark.parametrize("path", ["main.md", "journal/instance-1.md", "memory/hot/decisions.md", "journal/old.md"])
def test_an_own_document_that_is_named_is_refused(scene, path):
    """A document of this memory that a person names, or its journal under another name, is refused, nothing is done."""
    scene.lived()
    if path == "journal/old.md":
        (scene.home / "journal/instance-1.md").rename(scene.home / path)
    before = scene.everything()
    with pytest.raises(UsageError, match=r"document of this memory|under another name"):
        take(scene, str(scene.home / path))
    assert scene.everything() == before


def test_from_overrides(scene):
    """What a person says it is, it is."""
    folder = lay(scene.home / "logs", DAYS)
    assert {one.form for one in take(scene, folder, form="journal").journals} == {"journal"}


def test_a_dry_run_writes_nothing(scene):
    """A dry run tells journals and pages, and changes nothing."""
    folder = lay(scene.home / "_agent_context", TREE)
    before = scene.everything()
    done = take(scene, folder, dry_run=True)
    assert done.journals
    assert done.pages
    assert scene.everything() == before


def test_entries_lead_to_their_line(scene):
    """The decision of a record names the file and the line of its title."""
    take(scene, lay(scene.home / "docs/adr", {"0001-a.md": MADR}))
    (entry,) = [one for one in scene.view.journal("journal/instance-1.md").entries if one.kind == "decision"]
    path, _, line = entry.field("source").rpartition(":")
    assert (scene.home / path).read_text().split("\n")[int(line) - 1] == "# Keep sessions in Postgres"


@pytest.mark.parametrize(
    ("name", "text"), [("docs/adr/0001-a.md", MADR), ("log.md", LOG), ("logs/2026-03-01.md", TABLE)]
)
def test_every_entry_leads_to_its_line(scene, name, text):
    """Each entry of an imported text names the file and the line on which its first words stand."""
    write(scene.home / name, text)
    for one in take(scene, str(scene.home / name)).journals:
        current = scene.view.journal(one.path)
        for entry in current.entries:
            path, _, line = provenance.origin(current, entry).rpartition(":")
            row = text.split("\n")[int(line) - 1]
            assert path == name
            assert entry.field("source") or entry.title[:20] in row or row[:1] in "-|", (entry, row)


def test_places_are_found_and_the_home_is_not_read(scene, monkeypatch, tmp_path):
    """Places of a project are told with what is new; those of the home are counted without opening a file."""
    home = tmp_path / "home"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
    monkeypatch.setenv("CODEX_HOME", str(home / ".codex"))
    named = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in scene.place.root.work_tree)
    lay(home / ".claude/projects" / named / "memory", CLAUDE)
    lay(home / ".codex/memories", CODEX)
    take(scene, lay(scene.home / "docs/adr", {"0001-a.md": MADR}))
    for form in ("adr", "memory-bank", "daily"):
        lay(scene.home / FORMS[form][0], FORMS[form][1])
    opened = []
    read = files.read_bytes
    monkeypatch.setattr(files, "read_bytes", lambda path, **named: (opened.append(path), read(path, **named))[1])
    found = {one.form: (one.texts, one.new) for one in discovery.find(scene.place)}
    assert found == {"adr": (7, 6), "memory-bank": (4, 4), "daily": (2, 2), "claude": (3, None), "codex": (4, None)}
    assert not [path for path in opened if str(home) in path]


def test_a_separate_memory_looks_in_the_project(tmp_path, monkeypatch):
    """Of a memory that is a repository of its own the places are those of the code that a person stands in."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "none"))
    code = tmp_path / "code"
    repository(code)
    setup.init(str(code), "")
    lay(code / "logs", DAYS)
    own = place.find(str(code))
    assert [one.path for one in discovery.find(own, str(code / "logs"))] == ["logs"]
    assert discovery.find(own) == discovery.find(own, own.root.path) == []


def test_a_folder_is_found_once_by_whatever_name(scene):
    """A link to a folder that was looked at is no second place."""
    lay(scene.home / "docs/adr", RECORDS)
    (scene.home / "adr").symlink_to("docs/adr")
    assert [one.form for one in discovery.find(scene.place)] == ["adr"]


def test_each_record_stands_for_one_file(scene):
    """Two files that say the same are two journals; a third is new, where folders were moved too."""
    page = "# Same\n\nthe same words\n"
    lay(scene.home / "logs", {"a/note.md": page, "b/note.md": page})
    assert len(take(scene, str(scene.home / "logs"), form="daily").journals) == 2
    (scene.home / "logs").rename(scene.home / "diary")
    assert take(scene, str(scene.home / "diary"), form="daily").journals == []
    lay(scene.home / "diary", {"c/note.md": page})
    assert len(take(scene, str(scene.home / "diary"), form="daily").journals) == 1


def test_what_repeats_other_pages_gives_no_records(scene):
    """An index of Claude Code and the summaries of Codex repeat records, and give none a second time."""
    rule = "- Decision: we take uv rather than pip, because it is quick.\n"
    index = "# Memory\n\n- [uv](real.md) — Decision: we take uv because it is quick\n- [b](b.md) — Never use pip\n"
    done = take(scene, lay(scene.home / ".claude/projects/-p/memory", {"MEMORY.md": index, "real.md": TOPIC}))
    assert "decision" not in next(one.kinds for one in done.journals if one.source == "MEMORY.md")
    done = take(scene, lay(scene.home / ".codex/memories", {**CODEX, "memory_summary.md": rule, "MEMORY.md": rule}))
    found = {one.source: set(one.kinds) for one in done.journals}
    assert "decision" in found["MEMORY.md"]
    assert "decision" not in found["memory_summary.md"]


def test_what_comes_twice_as_often_is_new_once():
    """A paragraph that a file says once more than before is new, once."""
    assert provenance.new_text("# A\n\nsame\n\nsame\n\nsame\n", ["# A\n\nsame\n"]) == "# A\n\nsame\n\nsame\n\n"


@pytest.mark.parametrize(
    ("headings", "dates"),
    [
        (["12. März 2026", "13. März – Import", "Montag, 16.03."], ["2026-03-12", "2026-03-13", "2026-03-16"]),
        (["2026年3月12日", "3月13日（金）"], ["2026-03-12", "2026-03-13"]),
        (["12 March 2026", "March 13", "Version 2"], ["2026-03-12", "2026-03-13"]),
        (["30 de diciembre de 2026", "viernes 2 de enero"], ["2026-12-30", "2027-01-02"]),
        (["2 Jan 2027", "31 Dec", "31. Feb"], ["2027-01-02", "2026-12-31"]),
        (["12. März", "13. März"], [""]),
    ],
)
def test_a_day_without_a_year_is_of_the_year_of_the_day_before(headings, dates):
    """A heading that says a day alone begins a day, in the year in which it is nearest to the one above it."""
    log = "# Log\n\n" + "".join(f"## {heading}\n\n- words\n\n" for heading in headings)
    assert [part.date for part in daily.split(log)] == dates


def test_a_title_belongs_to_the_earliest_day():
    """The title of a log stays with its earliest day, at whichever end the log grows."""
    days = daily.split("# Log\n\n## 2026-03-02\n\nb\n\n## 2026-03-01\n\na\n")
    assert [(one.date, "# Log" in one.text, one.line) for one in days] == [
        ("2026-03-02", False, 3),
        ("2026-03-01", True, 5),
    ]


_PIECE = st.sampled_from(
    [
        "# A", "## Decision", "## Open questions", "- x", "- y: z", "  - deeper", "prose of a line", "> quoted",
        "```", "| a | b |", "| - | - |", "<!-- c -->", "---", "", "", "**Why:** so", "é 你好", "1. one",
    ]
)  # fmt: skip
_TEXT = st.lists(_PIECE, max_size=30).map(lambda rows: "\n".join(rows) + "\n")


@settings(max_examples=share(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=_TEXT, more=_TEXT)
def test_what_is_new_completes_what_was_there(text, more):
    """What an earlier text said and what a later one adds hold every line of the later one."""
    after = f"{text}\n{more}"
    lines = {line.strip() for line in f"{text}\n{provenance.new_text(after, [text])}".split("\n")}
    assert not [line for line in after.split("\n") if line.strip() not in lines and line.strip() != "---"]
    assert provenance.new_text(text, [text]) == ""


@settings(max_examples=share(60))
@given(text=_TEXT, newline=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
def test_a_hash_knows_a_text_by_its_words(text, newline, bom):
    """Newlines and a byte order mark do not make another text; a word does."""
    other = ("\ufeff" if bom else "") + text.replace("\n", newline)
    assert source.print_of(other) == source.print_of(text)
    assert source.print_of(f"{other}word{newline}") != source.print_of(text)


def test_two_hundred_logs(scene):
    """Two hundred logs are taken in within a minute, and known again within half of one."""
    folder = scene.home / "logs"
    lay(
        folder,
        {f"2025/{at // 28 + 1:02}/{at % 28 + 1:02}.md": f"# Day\n\n- a thing number {at}\n" for at in range(200)},
    )
    began = time.perf_counter()
    assert len(take(scene, str(folder)).journals) == 200
    once = time.perf_counter() - began
    began = time.perf_counter()
    assert len(take(scene, str(folder)).there) == 200
    assert once < 60
    assert time.perf_counter() - began < 30


def test_taking_the_marks_out_gives_the_record_back(scene):
    """A journal of a record without its marks is the record, followed by what was said of it as a whole."""
    take(scene, lay(scene.home / "docs/adr", {"0007-a.md": NYGARD}))
    text = scene.text("journal/instance-1.md")
    bare = annotation.unmark(text, scene.view.journal("journal/instance-1.md").instance)
    assert bare[front_matter.read(bare).body :].startswith(f"# Journal: instance 1\n\n{NYGARD}\n## Decision: ")


MONDAY = (
    "# Monday 2026-03-02\n\n## Pending\n\n- **Mirror update:** awaits the go-ahead\n"
    "- [ ] Order the disk for the builder\n- [ ] **Nightly backup runner:** move it to the new builder\n\n"
    "## Done\n\n- **Mirror updated:** 2.1 to 2.2\n"
)
TUESDAY = "# Tuesday 2026-03-03\n\n## Done\n\n- **Nightly backup runner:** moved to the new builder and deployed\n"


def test_what_a_later_line_settles_is_closed_by_it(scene):
    """Of the same log and of the next one; a second import closes nothing again."""
    folder = lay(scene.home / "logs", {"2026-03-02.md": MONDAY, "2026-03-03.md": TUESDAY})
    first, second = take(scene, folder).journals
    states = {record.fragment.text: record.fragment for record in scene.view.records.values()}
    mirror = next(record for text, record in states.items() if "Mirror" in text)
    backup = next(record for text, record in states.items() if "backup" in text)
    assert mirror.field("status") == f"done (**Mirror updated:** 2.1 to 2.2 ({first.instance}.4))"
    assert backup.state == "done"
    assert f"({second.instance}.1)" in backup.field("status")
    assert states["Order the disk for the builder"].is_open
    before = scene.head()
    assert not take(scene, folder).journals
    assert scene.head() == before
    assert not held(MONDAY.split("\n"), said(scene, first.path))


def test_of_many_open_records_the_newest_are_closed(scene, monkeypatch):
    """Where more is open than a log is compared with, that is what the logs before it left, wherever it stands now."""
    monkeypatch.setattr(closings, "_MOST", 1)
    older = "# Sunday 2026-03-01\n\n## Tasks\n\n- [ ] Order the disk for the camera\n"
    newer = (
        "# Monday 2026-03-02\n\n## Open questions\n\n- **Nightly backup runner:** who moves it to the new builder?\n"
    )
    for folder, name, log in (("a", "2026-03-01.md", older), ("b", "2026-03-02.md", newer)):
        take(scene, lay(scene.home / folder, {name: log}))
        scene.sleep()
    take(scene, lay(scene.home / "c", {"2026-03-03.md": TUESDAY}))
    (backup,) = (record.fragment for record in scene.view.records.values() if "backup" in record.fragment.text)
    assert backup.state == "answered"


def test_a_log_of_an_earlier_day_closes_nothing_of_a_later_one(scene):
    done = TUESDAY.replace("Tuesday 2026-03-03", "Sunday 2026-03-01")
    take(scene, lay(scene.home / "logs", {"2026-03-02.md": MONDAY}))
    take(scene, lay(scene.home / "older", {"2026-03-01.md": done}))
    (backup,) = (record.fragment for record in scene.view.records.values() if "backup" in record.fragment.text)
    assert backup.is_open


TABLE = "# Plan\n\n## Decisions\n\n| Decision | Why |\n| --- | --- |\n| Keep JSON for export | clients read it |\n"


def test_rows_of_a_table_are_records_once(scene):
    """A table that lists choices states each as a decision with its line; a row that is added later is one more."""
    folder = lay(scene.home / "logs", {"plan.md": TABLE})
    made = take(scene, folder).journals[0]
    assert held(TABLE.split("\n"), said(scene, made.path)) == []
    assert take(scene, folder).journals == []
    lay(scene.home / "logs", {"plan.md": f"{TABLE}| Use flock for locks | it ends with its holder |\n"})
    take(scene, folder)
    records = {state.fragment.text: dict(state.fragment.fields) for state in scene.view.records.values()}
    assert {text: fields["why"] for text, fields in records.items()} == {
        "Keep JSON for export": "clients read it",
        "Use flock for locks": "it ends with its holder",
    }
    assert records["Use flock for locks"]["source"] == "imported: logs/plan.md:8"
