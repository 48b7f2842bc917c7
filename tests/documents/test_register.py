"""Records: their moves, and the registry that tiers and journals give."""

from __future__ import annotations

import pytest
from document_strategies import FLAT, FRAGMENTS, TEXTS
from examples import share
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sleep.documents import journal, paths, tier
from sleep.documents.journal import Draft
from sleep.documents.register import Record, find, from_entry, legal, moved, registry, used_numbers, whole
from sleep.errors import MoveError
from sleep.records.address import Address, InstanceId, number
from sleep.records.fragment import STATUS, Fragment, flat, render
from sleep.records.kinds import KINDS, event, names

OWN = InstanceId(9, "zzz")
AT = OWN.entry(50)
# The machine as it was decided (ADR 2, ADR 30): kind -> state -> the states it may go to.
MOVES: dict[str, dict[str, tuple[str, ...]]] = {
    "thread": {
        "active": ("paused", "resolved", "abandoned"),
        "paused": ("active", "resolved", "abandoned"),
        "resolved": ("active",),
        "abandoned": ("active",),
    },
    "decision": {
        "standing": ("reversed", "superseded"),
        "reversed": ("standing",),
        "superseded": (),
    },
    "question": {"open": ("answered",), "answered": ("open",)},
    "doubt": {"open": ("resolved",), "resolved": ("open",)},
    "constraint": {"active": ("lifted",), "lifted": ("active",)},
    "task": {"open": ("done", "dropped"), "done": ("open",), "dropped": ("open",)},
    "blocker": {"open": ("resolved",), "resolved": ("open",)},
    "dead end": {"standing": ("retried",), "retried": ("standing",)},
}
# What a move must say: the word a person is asked for.
SAYS = {
    "paused": "reason",
    "resolved": "outcome",
    "abandoned": "reason",
    "reversed": "reason",
    "superseded": "the decision that takes its place",
    "answered": "answer",
    "lifted": "reason",
    "dropped": "reason",
    "retried": "reason",
}
STATES = sorted({state for moves in MOVES.values() for state in moves})
RECORDS = st.sampled_from(sorted(MOVES))
SAID = st.one_of(st.just(""), FLAT.map(lambda text: journal._cited(text, OWN)))


def entries(text):
    return [("journal/instance-9.md", entry) for entry in journal.read(text).entries]


class Registry(RuleBasedStateMachine):
    """A journal is written, moves legal and illegal are journalled, and now and then all is slept on into a tier."""

    def __init__(self):
        super().__init__()
        self.text = journal.start(OWN, {})
        self.placed = []
        self.slept = 0
        self.model = {}
        self.numbers = {}

    def _write(self, draft):
        self.text, address = journal.append(self.text, draft, OWN)
        return address

    @rule(kind=RECORDS, title=FLAT.filter(bool))
    def open(self, kind, title):
        """A record is made."""
        letter = KINDS[kind].letter
        handle = ""
        if letter:
            self.numbers[letter] = self.numbers.get(letter, 0) + 1
            handle = number(letter, self.numbers[letter])
        address = self._write(Draft(kind, title, number=handle))
        self.model[address] = [kind, KINDS[kind].states[0], handle or str(address)]

    @rule(text=FLAT)
    def note(self, text):
        """Prose is written, which may quote a mark."""
        self._write(Draft("note", text))

    @precondition(lambda self: self.model)
    @rule(data=st.data(), to=st.sampled_from(STATES), says=SAID)
    def move(self, data, to, says):
        """A move is journalled that may be legal or not."""
        address = data.draw(st.sampled_from(sorted(self.model)))
        kind, state, handle = self.model[address]
        fields = (("record", handle), ("to", to), ("reason", says))
        self._write(Draft(event(kind), f"{handle} {to}", fields=fields))
        if to in MOVES[kind][state] and (says or not SAYS.get(to)):
            self.model[address][1] = to

    @rule()
    def sleep(self):
        """What the registry says now goes into a tier, and a new journal begins."""
        found = self._registry()
        page = tier.write("", add=[record.fragment for record in found.values()], title="Threads")
        self.placed = [(paths.THREADS, fragment) for fragment in tier.parse(page).fragments]
        self.slept = len(entries(self.text))

    def _registry(self):
        return registry(self.placed, entries(self.text)[self.slept :])

    @invariant()
    def agrees(self):
        """The registry is what the model says, and finds each record by number and by address."""
        found = self._registry()
        assert {
            at: [one.fragment.kind, one.fragment.state, one.fragment.handle] for at, one in found.items()
        } == self.model
        for at, (_, _, handle) in self.model.items():
            for name in (handle, str(at), handle.lower() if "-" in handle else handle):
                assert find(found.values(), name).fragment.identity == at

    @invariant()
    def numbers_agree(self):
        """Every number that was given is in use."""
        page = "".join(render(fragment) for _, fragment in self.placed)
        found = used_numbers([self.text, page])  # a title may quote a mark, which can only leave a gap
        assert all(found[letter] >= count for letter, count in self.numbers.items())


Registry.TestCase.settings = settings(max_examples=share(25), stateful_step_count=15)
TestRegistry = Registry.TestCase


@given(RECORDS, st.sampled_from(STATES), st.sampled_from(STATES), SAID)
def test_moved(kind, state, to, says):
    """A record goes only where the table lets it, with what the move must say; else the error names what is legal."""
    if state not in MOVES[kind]:
        return
    record = Fragment(kind, "x", (Address(7, "qxk", 1),)).with_field(
        STATUS, "" if state == KINDS[kind].states[0] else state
    )
    if to in MOVES[kind][state] and (says or not SAYS.get(to)):
        after = moved(record, to, says, AT)
        assert (after.state, after.identity, after.text) == (to, record.identity, record.text)
        assert after.addresses == (*record.addresses, AT)
        assert moved(record, to, says, record.identity).addresses == record.addresses
        assert to == KINDS[kind].states[0] or after.reason == flat(says) or says.endswith(")") or says.startswith("(")
        return
    with pytest.raises(MoveError) as refused:
        moved(record, to, says, AT)
    if to in MOVES[kind][state]:
        assert SAYS[to] in str(refused.value)
    elif legal(kind, state):
        assert all(option in str(refused.value) for option in legal(kind, state))
    else:
        assert "final" in str(refused.value)


def test_prose_does_not_move():
    """What is no record cannot be moved, and the error says so."""
    with pytest.raises(MoveError, match="note"):
        moved(Fragment("note", "x", (AT,)), "resolved", "done", AT)


@pytest.mark.parametrize("to", sorted(SAYS))
@pytest.mark.parametrize("says", ["", "  ", "\n"])
def test_must_say(to, says):
    """Every move away from open must say its reason, outcome or answer."""
    kind = next(kind for kind, moves in MOVES.items() if to in moves[KINDS[kind].states[0]])
    with pytest.raises(MoveError, match="without saying"):
        moved(Fragment(kind, "x", (AT,)), to, says, AT)


@given(st.lists(FRAGMENTS, max_size=6))
def test_placed(fragments):
    """The records of tiers are in the registry with their path, and the last of two with one identity counts."""
    placed = [(paths.CONTEXT, one) for one in fragments]
    wanted = {one.identity: one for one in fragments if one.kind in MOVES}
    assert registry(placed, []) == {at: Record(one, paths.CONTEXT) for at, one in wanted.items()}


def test_tier_wins():
    """A record that stands in a tier is not made anew by the journal that created it."""
    text, at = journal.append(journal.start(OWN, {}), Draft("thread", "as it was"), OWN)
    placed = Fragment("thread", "as it is", (at,)).with_field(STATUS, "paused (later)")
    assert registry([(paths.THREADS, placed)], entries(text))[at].fragment == placed


def test_history():
    """A record knows the moves that were made, and passes over those that were not legal or move nothing."""
    text, at = journal.append(journal.start(OWN, {}), Draft("decision", "use flock", number="D-001"), OWN)
    for record, to, reason in [
        ("D-001", "paused", "no such state"),
        ("D-002", "reversed", "no such record"),
        ("", "reversed", "no record"),
        ("d-1", "superseded", "slow"),
        ("D-001", "standing", "final"),
    ]:
        fields = (("record", record), ("to", to), ("by", "D-003"), ("reason", reason))
        text, _ = journal.append(text, Draft("decision event", "move", fields=fields), OWN)
    (record,) = registry([], entries(text)).values()
    assert record.fragment.field(STATUS) == "superseded (by D-003; slow)"
    assert [one.field("reason") for one in record.moves] == ["slow"]
    assert record.fragment.addresses == (at, record.moves[0].address)


@pytest.mark.parametrize(
    ("handle", "found"),
    [
        ("D-014", 1),
        ("d-14", 1),
        (" D-0014 ", 1),
        ("i9zzz.1", 1),
        ("D-14x", 0),
        ("i9zzz.2", 0),
        ("T-014", 0),
        ("", 0),
        ("no", 0),
    ],
)
def test_find(handle, found):
    """A record is found by its number, however written, or by its address."""
    record = Record(Fragment("decision", "x", (OWN.entry(1), OWN.entry(2)), "D-014"), "")
    assert bool(find([record], handle)) == bool(found)


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("- **D-014** x [i1abc.1]\n- **Q-2** y [i1abc.2]\n", {"D": 14, "Q": 2}),
        ("x [i1abc.1 decision D-003]\ny [i1abc.2 D-001]\n", {"D": 3}),
        ("see D-999, [D-998], **D-997**, [D-996](x)\n", {}),
        ("- \\**D-014** not a number [i1abc.1]\n", {}),
        ("", {}),
    ],
)
def test_used_numbers(text, used):
    """A number is in use where it stands as one, in bold before a fragment or in a mark, not in prose."""
    assert used_numbers([text]) == used


@given(TEXTS, TEXTS, st.sampled_from(sorted(MOVES)))
@example("", "<!-- # Title", "blocker")
@example("", "# Title", "blocker")  # a heading below which nothing stands leads to nothing
def test_from_entry(title, body, kind):
    """A record has all the words of its entry on one line, and reads back from a tier."""
    text, _ = journal.append(journal.start(OWN, {}), Draft(kind, title, body), OWN)
    ((_, entry),) = entries(text)
    record = from_entry(entry)
    assert record.text == flat(record.text)
    words = {*record.text.replace(";", " ").split(), *record.text.replace("`", " ").split()}  # code may begin with it
    for word in entry.body.split():
        assert word in words or not word.isalpha()
    page = tier.write("", add=[record], title="x")
    assert tier.parse(page).fragments == (record,)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("paused (later)", "paused"),
        ("Paused: later", "active"),
        ("resolved", "resolved"),
        ("active", "active"),
        ("odd", "active"),
    ],
)
def test_status(status, state):
    """An entry may say the state that its record is in; what is no state of its kind is not believed."""
    text, _ = journal.append(journal.start(OWN, {}), Draft("thread", "x", fields=(("status", status),)), OWN)
    assert from_entry(journal.read(text).entries[0]).state == state


@pytest.mark.parametrize(
    ("lead", "item", "text"),
    [
        ("**Never:**", "push to main", "Never: push to main"),
        ("Ask first for:", "mails to customers", "Ask first for: mails to customers"),
        ("禁止：", "共享密钥", "禁止： 共享密钥"),
        ("Never:", "**Rule:** push to main", "**Rule:** push to main"),
        ("Rules:", "push to main", "push to main"),
        ("## Do not", "push to main", "Do not: push to main"),
        ("## Do not", "**Rule:** push to main", "**Rule:** push to main"),
        ("## Rules", "**Rule:** Never push to main", "Never push to main"),
        ("## Rules", "**Lesson:** Never push to main", "Never push to main"),
        ("## Rules", "**Lesson (staging):** Never push to main", "**Lesson (staging):** Never push to main"),
        ("## Rules", "**教训（测试环境）：** 不要推", "**教训（测试环境）：** 不要推"),
        ("## Rules", "**Rule (AB-12):** Never push to main", "**Rule (AB-12):** Never push to main"),
        ("## Rules", "**Rule (until May):** Never push to main", "**Rule (until May):** Never push to main"),
        ("## Rules", "**Owner's rule:** Never push to main", "**Owner's rule:** Never push to main"),
        ("## Rules", "**Rejected rule:** Never push to main", "**Rejected rule:** Never push to main"),
        ("## Rules", "**Fix:** Never push to main", "**Fix:** Never push to main"),
    ],
)
def test_a_record_keeps_the_lead_of_its_list(lead, item, text):
    """An item that says the contrary without the words above its list is told behind them."""
    page = f"{journal.start(OWN, {})}\n{lead}\n\n- {item} [i9zzz.1 constraint]\n"
    assert from_entry(journal.read(page).entries[0]).text == text


def test_whole():
    """The items of a list are set apart by semicolons, and a hundred thousand of them are no trap."""
    text, _ = journal.append(journal.start(OWN, {}), Draft("note", "Three:", "- a\n- [ ] b\n1. c\n\nwords\n  - d"), OWN)
    assert whole(journal.read(text).entries[0]) == "Three: a; b; c words; d"
    entry = journal.read(text).entries[0]._replace(body="- word\n" * 100_000)
    assert len(whole(entry)) == len("Three: ") + 100_000 * len("word; ") - 2


def test_events():
    """Every kind of record has an event that moves it."""
    assert {
        kind.name: {state: legal(kind.name, state) for state in kind.states} for kind in KINDS.values() if kind.states
    } == MOVES
    assert {event(kind) for kind in MOVES} == {name for name in names() if name.endswith(" event")}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("| Script | Type |\n| --- | --- |\n| a | b |", "Use both"),
        ("```bash\n# once\nmake test\n```", "Use both `make test`"),
        ("```\nmake\nmake test\nmake push\n```\nThen wait.", "Use both `make`, `make test` ... Then wait."),
        ("A | B is no table.", "Use both A | B is no table."),
    ],
)
def test_a_table_and_code_are_not_told_on_one_line(body, said):
    text, _ = journal.append(journal.start(OWN, {}), Draft("decision", "Use both", body), OWN)
    entry = journal.read(text).entries[0]
    assert from_entry(entry).text == said
    assert whole(entry) == flat(f"Use both {body}")
