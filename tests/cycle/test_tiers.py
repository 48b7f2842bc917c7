"""What moves, what stays and what can be found again, over more than twenty-five cycles of a project."""

from __future__ import annotations

import random

import pytest
from scene import Memory

from sleep.cycle import steps as steps_of_sleep
from sleep.documents import journal as journals
from sleep.documents import paths, register, tier
from sleep.errors import SecretError
from sleep.language import tokens
from sleep.records import kinds
from sleep.settings import Settings
from sleep.wake import checks

PARTS = ("auth", "billing", "search", "export", "mail")
CYCLES = 20


def _day(chance, number):
    """Return a hand-written journal of one day, and the moves it makes."""
    part, other = chance.sample(PARTS, 2)
    lines = [
        f"# Day {number}",
        "",
        "## Decisions",
        "",
        f"### Decision: keep {part} number {number} in `src/{part}/{number}.py`",
        "",
        f"- why: measured {number * 7} ms against {number * 11} ms",
        f"- alternatives: a queue named {other}-{number}; nothing",
        "",
        "## Open questions",
        "",
        f"- Who pays for {part} number {number}?",
        "",
        "## Constraints",
        "",
        f"- Never call {other} from {part} before step {number}.",
        "",
        "## Tasks",
        "",
        f"- Write the report of {part} number {number}",
        "",
        "## Blockers",
        "",
        f"- The host of {other} has no room for table {number}",
        "",
        "## Dead ends",
        "",
        f"- An index of {part} by {other} did not help at load {number}",
        "",
        "## Work",
        "",
        f"Not sure that {part} survives load {number}.",
        "",
        *(f"- Added `src/{part}/{number}_{count}.py`, which reads table_{count} of {other}." for count in range(12)),
        "",
        f"It felt calm at number {number}.",
        "",
    ]
    if number % 3 == 1:
        lines += ["## Active threads", "", f"- Rewrite of {part}, phase {number} of 99", ""]
    return "\n".join(lines)


def _event(kind, handle, to):
    return f"## {kind.capitalize()} event: {handle} {to}\n\n- record: {handle}\n- to: {to}\n- reason: because of it\n\n"


def _live(settings=None, cycles=CYCLES, seed=1):
    """Yield a memory after each of its cycles, with the placing of all fragments before it."""
    chance = random.Random(seed)
    closing = random.Random(seed + 1)
    memory = Memory(settings)
    for number in range(1, cycles + 1):
        text = _day(chance, number)
        known = [one.fragment for one in memory.view.records.values()]
        for kind, to in (
            ("thread", "resolved"),
            ("question", "answered"),
            ("decision", "reversed"),
            ("constraint", "lifted"),
            ("task", "done"),
            ("blocker", "resolved"),
            ("dead end", "retried"),
        ):
            open_ones = [one for one in known if one.kind == kind and one.is_held]
            open_ones = open_ones or [one for one in known if one.kind == kind and one.is_open]
            draw = closing if kinds.KINDS[kind].must_state else chance
            if open_ones and draw.random() < 0.4:
                text += _event(kind, draw.choice(open_ones).handle, to)
        memory.journal(text)
        before = {one.identity: at for at, one in memory.placed() if one.is_record}
        prose = {(one.identity, one.text): at for at, one in memory.placed() if not one.is_record}
        taken = memory.sleep()
        yield memory, before, prose, taken


def _said(memory):
    """Return every record as the journals say it: identity to (its entry's text, its fields, is it still open)."""
    found = {}
    moved = {}
    for path in memory.view.journals:
        for entry in memory.view.journal(path).entries:
            if register.is_opening(entry):
                found[entry.address] = register.from_entry(entry)
            elif entry.kind.endswith(" event"):
                moved[entry.field("record")] = entry.field("to")
    return {address: (one, not (moved.get(one.number) or moved.get(str(address)))) for address, one in found.items()}


@pytest.fixture(scope="module")
def lives():
    """Return the memory after each cycle, by the cycle's number."""
    kept = {}
    for number, (memory, *_) in enumerate(_live(), 1):
        kept[number] = Memory()
        kept[number].texts = dict(memory.texts)
    return kept


@pytest.mark.parametrize("after", [1, 5, 12, CYCLES])
def test_nothing_that_binds_is_lost(lives, after):
    """After any number of cycles every open record stands in one tier, with why and alternatives, under its address."""
    memory = lives[after]
    placed = {}
    for at, one in memory.placed():
        if one.is_record:
            assert one.identity not in placed
            placed[one.identity] = (at, one)
    said = _said(memory)
    counts = dict.fromkeys((kind.name for kind in kinds.RECORDS), 0)
    for address, (born, still_open) in said.items():
        if not still_open:
            continue
        at, now = placed[address]
        counts[born.kind] += 1
        assert (now.kind, now.state) == (born.kind, born.state)
        if at == "cold":
            assert born.text.startswith(now.text)
            assert now.field("why")
            assert born.field("why").startswith(now.field("why"))
        else:
            assert now.text == born.text
            assert now.field("why") == born.field("why")
        assert now.field("alternatives") == born.field("alternatives")
    assert min(counts.values()) > 0


@pytest.mark.parametrize("after", [1, 5, 12, CYCLES])
def test_every_address_leads_to_its_text(lives, after):
    """Every fragment's address leads to an entry of a journal that says the fragment's words."""
    memory = lives[after]
    entries = {}
    for path in memory.view.journals:
        journal = memory.view.journal(path)
        entries |= {entry.address: journal.text[entry.start : entry.end] for entry in journal.entries}
    for at, one in memory.placed():
        text = " ".join(entries[one.identity].split())
        assert all(address in entries for address in one.addresses)
        assert at == "cold" or " ".join(one.text.split())[:60] in text


@pytest.mark.parametrize("after", [5, 12, CYCLES])
def test_the_memory_is_coherent(lives, after):
    """After any number of cycles no check fails."""
    found = checks.check(lives[after].view, Settings(), "2026-11-22T00:00:00Z")
    assert [one for one in found if one.level == "fail"] == []


def test_hot_memory_holds_what_binds_and_the_last_two(lives):
    """Hot memory is all that is open but decisions, at any age, the last two instances, and nothing else."""
    memory = lives[CYCLES]
    recent = {CYCLES, CYCLES - 1}
    hot = [one for at, one in memory.placed() if at == "hot"]
    held = [one for one in hot if one.is_record and one.kind != "decision" and one.is_open]
    assert min(one.identity.number for one in held) <= 3
    for one in hot:
        assert one in held or recent & {address.number for address in one.addresses}
    for at, one in memory.placed():
        if at != "hot":
            assert one.kind == "decision" or not one.is_open
    assert {one.identity.number for one in hot if one.kind == "tone"} == recent


def test_one_tier_a_cycle():
    """A fragment goes from hot to warm and from warm to cold, never further in one cycle, and never back unasked."""
    order = ("hot", "warm", "cold")
    seen = set()
    for memory, before, prose, _ in _live(Settings(keep_warm=3, warm_tokens=900)):
        for at, one in memory.placed():
            was = before.get(one.identity) if one.is_record else prose.get((one.identity, one.text))
            if was is None:
                assert at == "hot" or not one.is_record
                continue
            seen.add((was, at))
            assert order.index(at) - order.index(was) in (0, 1), (was, at, one)
    assert seen >= {("hot", "warm"), ("warm", "cold"), ("cold", "cold")}


def test_topic_files_stay_under_the_cap():
    """No topic file passes the cap, whatever the cap is, but for a fragment that is longer by itself."""
    for limit in (300, 2000):
        for memory, *_ in _live(Settings(topic_tokens=limit), 15):
            for folder in (paths.WARM, paths.COLD):
                for path in memory.view.files(folder):
                    assert (
                        tokens.count(memory.texts[path]) <= limit or len(tier.parse(memory.texts[path]).fragments) == 1
                    )


def test_prose_meets_the_ratios(lives):
    """Where no record forces more, a journal becomes at most half of itself in hot memory, and warm less again."""
    memory = Memory()
    for number in range(1, 8):
        lines = [f"- Added `src/{number}/{count}.py` that reads table_{count}." for count in range(60)]
        memory.journal("\n".join(lines) + "\n")
        for one in memory.sleep():
            if one.decided.after:
                assert one.decided.before / one.decided.after >= one.decided.ratio * 0.98 or one.decided.short


def test_hot_memory_does_not_grow_for_ever(lives):
    """What hot memory keeps beside open records is bounded by the last two journals."""
    sizes = []
    for memory in lives.values():
        rest = [one for at, one in memory.placed() if at == "hot" and not one.is_open]
        sizes.append(len(rest))
    assert max(sizes[-5:]) <= max(sizes[:10]) * 2


def test_the_same_twice(lives):
    """The same journals make the same files, byte for byte."""
    *_, (memory, *_) = _live()
    assert memory.texts == lives[CYCLES].texts


def test_journals_stay_as_they_are(lives):
    """No cycle changes a sealed journal."""
    first = {}
    for memory in lives.values():
        for path in memory.view.journals:
            assert first.setdefault(path, memory.texts[path]) == memory.texts[path]


def test_what_is_spoken_of_does_not_go_cold():
    """A warm decision that a recent journal names stays warm, and one that nobody names goes cold."""
    memory = Memory(Settings(keep_warm=3))
    memory.journal("## Decision: use one `a.py`\n\n- why: x\n\n## Decision: use two `b.py`\n\n- why: y\n")
    memory.sleep()
    for number in range(8):
        memory.journal(f"Day {number}: D-001 holds in `a.py`.\n")
        memory.sleep()
    where = {one.number: at for at, one in memory.placed() if one.kind == "decision"}
    assert where == {"D-001": "warm", "D-002": "cold"}


def test_an_event_reaches_a_record_wherever_it_stands():
    """A decision in cold memory can be reversed, with the reason, where it stands."""
    memory = Memory(Settings(keep_warm=3))
    memory.journal("## Decision: use one `a.py`\n\n- why: x\n")
    memory.sleep()
    for number in range(8):
        memory.journal(f"Day {number}.\n")
        memory.sleep()
    assert [at for at, one in memory.placed() if one.kind == "decision"] == ["cold"]
    memory.journal(_event("decision", "D-001", "reversed"))
    memory.sleep()
    (decision,) = [one for _, one in memory.placed() if one.kind == "decision"]
    assert (decision.state, decision.reason) == ("reversed", "because of it")
    assert len(decision.addresses) == 2


def test_entries_read_with_their_tags():
    """The journal that a fragment's address names can be found by number and tag."""
    memory = Memory()
    instance = memory.journal("We chose SQLite because it is small.\n")
    memory.sleep()
    path = memory.view.path_of(instance)
    assert journals.instance_of(memory.texts[path]) == instance


def test_a_secret_that_a_tier_held_goes_no_further():
    """A secret that stood in hot memory before a rule knew it is taken out by the step that moves it, which says so."""
    memory = Memory()
    memory.journal("# Day\n\n- The server of the lab is up and answers on port 22.\n- The parser reads all logs.\n")
    memory.sleep()
    memory.texts[paths.CONTEXT] = memory.texts[paths.CONTEXT].replace("port 22", "port 22, 密码: abc123")
    memory.texts["memory/cold/lab.md"] = "# Lab\n\n- The printer is old, 密码: def456 [i1abc.9]\n"
    steps = []
    for number in range(3):
        memory.journal(f"# Day {number}\n\n- Work on part {number} of the parser.\n")
        steps += memory.sleep()
    tiers = {path: text for path, text in memory.texts.items() if path.startswith(paths.TIERS)}
    assert "abc123" not in "".join(tiers.values())
    assert any("密码: [REDACTED:password]" in text for path, text in tiers.items() if "warm" in path)
    said = [(line, step) for step in steps for line in step.decided.lines if line.startswith("a secret that ")]
    assert {line for line, _ in said} == {f"a secret that {paths.CONTEXT} held is taken out"}
    assert all(line.split()[3] in step.decided.writes for line, step in said)


def test_a_secret_that_a_step_brings_is_refused(monkeypatch):
    """What no tier held is not taken out in silence: the step that would bring it is refused."""
    memory = Memory()
    memory.journal("# Day\n\n- The server abc123 of the lab is up, and 密码 is a word of its page.\n")
    decide = steps_of_sleep.hot_to_warm

    def leaky(*given):
        decided = decide(*given)
        return decided._replace(writes=decided.writes | {"memory/warm/x.md": "# X\n\n- 密码: abc123 [i1abc.1]\n"})

    monkeypatch.setattr(steps_of_sleep, "hot_to_warm", leaky)
    with pytest.raises(SecretError):
        memory.sleep()
