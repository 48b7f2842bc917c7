"""The pages of the memory: what is read of it, and that all of it stays text."""

from __future__ import annotations

import os
import subprocess
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.dashboard import markup, memory_page, overview, plot, site
from sleep.dashboard.overview import (
    CycleStep,
    CycleSummary,
    Debt,
    Facts,
    OpenKind,
    OpenRecord,
)
from sleep.documents import cycles, fates_page
from sleep.language import tokens
from sleep.memory import place
from sleep.memory.memory_figures import TierSize, WaitingJournal
from sleep.records import address, kinds
from sleep.store.history import Commit
from sleep.upkeep import status

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>'\"&"
THREADS = f"""# Threads

## Threads

- **T-001** Ship {EVIL} [i1ptb.1]
  - next: a test
- **T-002** Done [i1ptb.2]
  - status: resolved (it was)
"""
DECISIONS = """# Decisions

## Decisions

- **D-001** Use SQLite [i1ptb.5]
  - why: one file
- **D-002** Use files [i1ptb.6]
  - status: superseded (D-001)
"""
TOPIC = """# Auth

## Decisions

- **D-003** Tokens end after an hour [i1ptb.7]
  - why: a leak is short
"""
CONTEXT = """# Context

## Questions

- **Q-001** Why at all? [i1ptb.3]
  - why: nobody knows
- **Q-002** Answered? [i1ptb.4]
  - status: answered (yes)
"""


def _git(folder, *words):
    settings = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(("git", *settings, *words), cwd=folder, check=True, capture_output=True, env=environ)


def _write(folder, path, text):
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """Return a memory of two cycles, the second of two commits."""
    monkeypatch.delenv("SLEEP_ROOT", raising=False)
    _git(tmp_path, "init", "-q")
    _write(tmp_path, "memory/sleep.yaml", "format: 1\n")
    _write(tmp_path, "memory/hot/threads.md", THREADS)
    instance = address.parse_instance("i1ptb")
    table = None
    for number, step in ((1, "handoff"), (2, "journal to hot"), (2, "handoff")):
        if step == "handoff":
            row = cycles.Cycle(number, instance, f"2026-01-0{number}T00:00:00Z", (), 100 * number, 50, ("seal",))
            table = cycles.append(table, row)
            _write(tmp_path, cycles.PATH, table)
            sizes = (sum(tokens.count(path.read_text()) for path in (tmp_path / "memory/hot").iterdir()), 0, 0)
            _write(tmp_path, fates_page.path(*row.key), fates_page.render(*row.key, fates_page.Page((), sizes)))
        else:
            _write(tmp_path, "memory/hot/context.md", CONTEXT)
        _git(tmp_path, "add", ".")
        message = f"sleep: {step} {EVIL}\n\nWhy.\n\nSleep-Cycle: {number}\nSleep-Step: {step}\n"
        _git(tmp_path, "commit", "-qm", message)
    return tmp_path


def test_facts(memory):
    """Debt, sizes, cycles with their commits, open threads and questions are read; what is settled is not shown."""
    found = overview.Reader(str(memory)).read()
    assert found.troubles == ()
    assert (found.debt.points, found.debt.level, found.debt.must) == (0, "Alert", 10)
    assert [one.tier for one in found.sizes] == ["hot", "warm", "cold"]
    assert found.sizes[0][1:3] == (2, 4)
    (thread,) = _records(found, "thread")
    assert (thread.handle, thread.says) == ("T-001", "a test")
    assert [one.handle for one in _records(found, "question")] == ["Q-001"]
    assert [(one.cycle, len(one.steps)) for one in found.cycles] == [(1, 1), (2, 2)]
    first, second = (one.sizes for one in found.cycles)
    assert 0 < first[0] < second[0] == found.sizes[0].tokens
    assert (first[1:], second[1:]) == ((0, 0), (0, 0))


def test_decisions(memory):
    """Decisions that stand are read from every tier with their reason, hot ones first; superseded ones are not."""
    _write(memory, "memory/hot/decisions.md", DECISIONS)
    _write(memory, "memory/warm/auth.md", TOPIC)
    found = overview.Reader(str(memory)).read()
    decisions = [(one.handle, one.says) for one in _records(found, "decision")]
    assert decisions == [("D-001", "one file"), ("D-003", "a leak is short")]
    page = Seen(memory_page.memory(found)).text
    assert "Use SQLite" in page
    assert "a leak is short" in page
    assert "Use files" not in page
    more = tuple(kind._replace(total=9) for kind in found.kinds if kind.name == "decision")
    assert "and 7 more" in memory_page.memory(found._replace(kinds=more))


JOURNAL = """---
instance: 3
tag: ptc
form: 2
---
# Journal: instance 3

## Thread: Mail import [i3ptc.1 T-003]

- next: a parser

## Decision: Use postgres [i3ptc.2 D-004]

## Thread event: T-001 resolved [i3ptc.3]

- record: T-001
- to: resolved
- reason: shipped

## Question event: Q-001 answered [i3ptc.4]

- record: Q-001
- to: answered
- reason: it helps

## Blocker: No CI [i3ptc.5]
"""


def test_journals_that_wait(memory):
    """Records are as journals not slept on leave them, in the numbers that `status` tells; these journals are named."""
    _write(memory, "memory/hot/decisions.md", DECISIONS)
    _write(memory, "journal/instance-3.md", JOURNAL)
    found = overview.Reader(str(memory)).read()
    assert [one.handle for one in _records(found, "thread")] == ["T-003"]
    assert _records(found, "question") == []
    assert [one.handle for one in _records(found, "decision")] == ["D-004", "D-001"]
    assert [one.text for one in _records(found, "blocker")] == ["No CI"]
    assert found.head["next"] == ("thread: Mail import: a parser",)
    assert found.waiting == (WaitingJournal(3, 5, True, "journal/instance-3.md"),)
    told = status.read(place.find(str(memory)))
    assert {kinds.key(kind.name): kind.total for kind in found.kinds} == told.records
    assert {one.tier: one[1:] for one in found.sizes} == {name: tuple(size) for name, size in told.tiers.items()}
    page = Seen(memory_page.memory(found)).text
    assert "instance 3: 5 entries, open" in page
    assert "1 thread" in page


def test_merge_under_way(memory):
    """A document with the marks of a merge, and a journal that cannot be read, are named; the rest is shown."""
    sides = "<<<<<<< HEAD\n- **T-008** Ours [i1ptb.8]\n=======\n- **T-009** Theirs [i1ptb.9]\n>>>>>>> other\n"
    _write(memory, "memory/hot/threads.md", THREADS + sides)
    _write(memory, "journal/instance-3.md", "---\ninstance: {\n---\n# Journal\n")
    found = overview.Reader(str(memory)).read()
    journal, merge = found.troubles
    assert "journal/instance-3.md" in journal
    assert "memory/hot/threads.md:9" in merge
    assert "T-001" in [one.handle for one in _records(found, "thread")]


def _records(facts, name):
    """Return the records of a kind."""
    return [record for kind in facts.kinds if kind.name == name for record in kind.records]


def test_head(memory):
    """Purpose, state and next stand above all else, by the parts of the brief; a part without a word is left out."""
    _write(memory, "main.md", "# Tea\n\nA house for tea.\n\n## Wake protocol\n\n1. Wake.\n")
    found = overview.Reader(str(memory)).read()
    assert found.head == {
        "purpose": ("A house for tea.",),
        "state": (),
        "next": (f"thread: Ship {EVIL}: a test",),
    }
    entry = "## Change: laid the floor [i1ptb.1]\n"
    _write(memory, "journal/instance-1.md", f"---\ninstance: 1\ntag: ptb\n---\n# Journal: instance 1\n\n{entry}")
    found = overview.Reader(str(memory)).read()
    assert found.head["state"] == ("laid the floor",)
    page = Seen(memory_page.memory(found))
    assert page.text.index("A house for tea.") < page.text.index("laid the floor") < page.text.index("Sleep debt")
    assert "In short" not in Seen(memory_page.memory(found._replace(head={"purpose": ()}))).text


def test_reads_again(memory):
    """A reader sees what changed since, a journal as well as a tier and a page."""
    reader = overview.Reader(str(memory))
    before = reader.read()
    _write(memory, "memory/hot/threads.md", THREADS + "- **T-003** More [i1ptb.9]\n")
    after = reader.read()
    assert [one.handle for one in _records(after, "thread")] == ["T-001", "T-003"]
    assert after.cycles == before.cycles
    _write(memory, "journal/instance-3.md", JOURNAL)
    assert [one.handle for one in _records(reader.read(), "blocker")] == ["i3ptc.5"]
    _write(memory, "README.md", "# Tea\n\nA house for tea.\n")
    assert reader.read().head["purpose"] == ("A house for tea. (derived from README.md)",)


def test_no_memory(tmp_path, monkeypatch):
    """Without a memory, or with an unreadable one, the page says so."""
    monkeypatch.delenv("SLEEP_ROOT", raising=False)
    found = overview.Reader(str(tmp_path)).read()
    assert "no memory" in found.troubles[0]
    assert "no memory" in memory_page.memory(found)
    _write(tmp_path, "memory/sleep.yaml", "debt:\n  must: [\n")
    found = overview.Reader(str(tmp_path)).read()
    assert found.debt.must == 10
    assert len(found.troubles) == 2


def test_debt(memory):
    """The debt is that of the ledger, with its level; a ledger that is torn is said to be."""
    path = "memory/state/.sleep.json"
    _write(memory, path, '{"debt": 8, "sessions": [], "last_sleep": "2026-01-02"}')
    found = overview.Reader(str(memory)).read()
    assert found.debt == Debt(8, "Sleepy", 10, 0, "2026-01-02")
    assert "Sleepy" in memory_page.memory(found)
    _write(memory, path, '{"debt": ')
    assert "ledger" in overview.Reader(str(memory)).read().troubles[0]


def test_squashed(memory):
    """A cycle whose commits history no longer holds says so, and its page has its sizes; without a page it is a gap."""
    _git(memory, "checkout", "-q", "--orphan", "other")
    _git(memory, "commit", "-qm", "squashed")
    (memory / "memory/fates/0002-i1ptb.md").unlink()
    found = overview.Reader(str(memory)).read()
    assert [bool(one.sizes) for one in found.cycles] == [True, False]
    assert "not in this branch" in memory_page.memory(found)


def test_commit(memory):
    """The page of a cycle's commit shows it; nothing else that is asked for reaches git."""
    served = site.Site(str(memory))
    sha = overview.Reader(str(memory)).read().cycles[1].steps[0].sha
    page = served.find(f"/commit/{sha}")()
    assert page.status == 200
    assert b"memory/hot/context.md" in page.content
    for name in ("HEAD", "--output=x", sha[:9], "", "../etc", sha.upper()):
        assert served.find(f"/commit/{name}")().status == 404
    assert served.find("/nothing") is None


def test_no_page_shows_a_secret(memory):
    """A secret or a home that stands in the memory is on no page of it."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    _write(memory, "memory/hot/threads.md", THREADS.replace("Ship", f"Ship {secret} from /ho" + "me/ana/work/app"))
    shown = site.Site(str(memory)).find("/memory")().content.decode()
    assert "Ship [REDACTED:github-token] from ~/work/app" in shown
    assert secret not in shown


class Seen(HTMLParser):
    """What a parser of HTML makes of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Keep a tag."""
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        """Keep text."""
        self.text += data


def _facts(word):
    step = CycleStep("0" * 40, word, word)
    return Facts(
        word,
        Debt(4, word, 10, 2, word),
        (TierSize(word, 1, 2, 3),),
        (CycleSummary(1, word, word, 10, 5, (3, 2, 1), (step,)), CycleSummary(2, word, word, 10, 5, None, ())),
        (WaitingJournal(1, 2, True, "journal/instance-1.md"),),
        (OpenKind(word, word, (OpenRecord(word, word, word, word),), 1),),
        (word,),
        {"purpose": (word,), "state": (), "next": (word, word)},
    )


def test_escaped():
    """Markup in any fact stays text: the page has the same elements whatever the facts say."""
    plain, evil = Seen(memory_page.memory(_facts("word"))), Seen(memory_page.memory(_facts(EVIL)))
    assert plain.tags == evil.tags
    assert "script" not in evil.tags
    assert evil.text.count(EVIL) == plain.text.count("word")
    commit = Commit("0" * 40, (), EVIL, EVIL, EVIL, EVIL, ())
    tags = Seen(memory_page.commit(overview.CommitDetail(commit, (EVIL,)))).tags
    assert not {"script", "img"} & set(tags)
    for name, value in evil.attributes:
        assert not name.startswith("on")
        assert name != "style"
        assert name not in ("href", "src") or value.startswith(("/", "#"))


@given(st.text(), st.text())
def test_element(text, value):
    """What goes into an element comes out of a parser as it was, attributes included."""
    clean = [one.replace("\r", "").replace("\0", "") for one in (text, value)]
    seen = Seen(markup.element("p", clean[0], title=clean[1]))
    assert seen.tags == ["p"]
    assert seen.text == clean[0]
    assert dict(seen.attributes) == {"title": clean[1]}


@given(st.lists(st.none() | st.tuples(*(st.integers(0, 10**7) for _ in range(3))), max_size=60))
def test_plot(sizes):
    """Whatever the sizes, the plot stays within its frame."""
    drawn = plot.draw(list(enumerate(sizes)))
    for path in drawn.split(' d="M')[1:]:
        points = path.partition('"')[0].rstrip("Z").split("L")
        for x, y in (one.split("H")[0].split() for one in points):
            assert 0 <= float(x) <= plot._WIDTH
            assert plot._SCALE.top <= float(y) <= plot._SCALE.bottom


def test_plot_gap():
    """A cycle of unknown sizes divides the areas; the description names the ends."""
    drawn = plot.draw(list(enumerate([(1, 1, 1), None, (2, 2, 2)])))
    assert drawn.count('class="area hot"') == 3  # two areas and the legend
    assert "From cycle 0: 1 hot, 1 warm, 1 cold, to cycle 2: 2 hot, 2 warm, 2 cold." in drawn
