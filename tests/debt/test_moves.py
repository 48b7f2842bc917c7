"""What happens to a ledger, in any order: nothing is lost, booked twice or given back twice."""

from __future__ import annotations

from examples import share
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sleep.debt import ledger as ledgers
from sleep.debt import moves, scores
from sleep.debt.ledger import Ledger, Session
from sleep.settings import Settings

NAMES = st.sampled_from("abc")
SETTINGS = Settings()


def scored(changes):
    """Return the score of so many changes."""
    return scores.score(changes, SETTINGS)


class Life(RuleBasedStateMachine):
    """Sessions stop, sleeps begin, end and are undone; what each session did is told by hand beside the ledger."""

    def __init__(self):
        super().__init__()
        self.ledger = Ledger()
        self.clock = 0
        self.did = {}  # session -> changes from its beginning
        self.bases = {}  # session -> what a session's file says is settled
        self.began = []  # what each cycle of the sleep of ours that is under way is still to settle
        self.cycle = 0
        self.manual = 0
        self.rest = 0

    def tick(self):
        """Return the next moment."""
        self.clock += 1
        return f"{self.clock:06}"

    @initialize(rest=st.integers(0, 12))
    def old(self, rest):
        """An older program left debt without sessions."""
        self.ledger = self.ledger._replace(rest=rest)
        self.rest = rest

    @rule(name=NAMES, more=st.integers(0, 12), pending=st.booleans())
    def stop(self, name, more, pending):
        """A session stops, with more changes than before; its transcript may be torn."""
        self.did[name] = self.did.get(name, 0) + more
        old = self.ledger.find(name)
        base = old.settled if old else self.bases.get(name, 0)
        record = (old or Session(name))._replace(stopped_at=self.tick(), settled=base, transcript_path=name)
        left = max(0, self.did[name] - base)
        record = record._replace(change_count=left, score=None if pending else scored(left))
        self.ledger = moves.record_stop(self.ledger, record)
        assert self.ledger.sessions[0].session_id == name

    @rule(name=NAMES)
    def catch_up(self, name):
        """A pending record is scored where it stands."""
        old = self.ledger.find(name)
        if old and old.score is None:
            before = [one.session_id for one in self.ledger.sessions]
            self.ledger = moves.insert(self.ledger, old._replace(score=scored(old.changes)))
            assert [one.session_id for one in self.ledger.sessions] == before

    @rule(score=st.integers(1, 3))
    def add(self, score):
        """Somebody adds an entry by hand."""
        self.manual += 1
        entry = Session(f"manual-{self.manual}", None, self.tick(), "talk", None, score)
        self.ledger = moves.record_stop(self.ledger, entry)

    @rule()
    def start(self):
        """A sleep by hand sets the epoch."""
        self.ledger = self.ledger._replace(epoch=moves.standing(self.ledger, self.tick()))

    @rule()
    def done(self):
        """A sleep by hand ends: with an epoch it settles what stood then, else everything."""
        epoch = self.ledger.epoch
        settlement = epoch or moves.standing(self.ledger, self.tick())
        self._settle(settlement)
        assert self.ledger.epoch is None
        if epoch is None:
            assert self.ledger.debt == 0
            assert self.ledger.sessions == ()

    @precondition(lambda self: not self.began)
    @rule(only=st.none() | st.sets(NAMES), journals=st.lists(st.sets(NAMES), min_size=1, max_size=3))
    def begin(self, only, journals):
        """A sleep of ours begins, on all sessions or on some: one cycle for each journal, which names sessions."""
        parts = [moves.CycleShare(self.cycle + at, "i1abc", tuple(names)) for at, names in enumerate(journals, 1)]
        self.cycle += len(parts)
        at = self.tick()
        whole = moves.standing(self.ledger, at, only)
        self.began = list(moves.divide(self.ledger, whole, at, parts, scored))
        both = moves.join(self.began)
        assert (both.debt, both.rest, sorted(both.portions)) == (whole.debt, whole.rest, sorted(whole.portions))

    @precondition(lambda self: self.began)
    @rule(lands=st.booleans())
    def end(self, lands):
        """Its next cycle ends and settles what it named; or it never landed, and so did none after it."""
        if lands:
            self._settle(self.began.pop(0))
        else:
            self.began = []

    def _settle(self, settlement):
        before, named = self.ledger, dict(settlement.portions)
        self.ledger = moves.settle(before, settlement, scored, at=self.tick(), summary="s", date="2026-11-21")
        for one in self.ledger.history[0].sessions:
            assert one.session_id in named
            self.bases[one.session_id] = max(self.bases.get(one.session_id, 0), named[one.session_id])
        untouched = [one for one in before.sessions if one.session_id not in named]
        assert [one for one in self.ledger.sessions if one.session_id not in named] == untouched

    @precondition(lambda self: self.cycle > 0)
    @rule(back=st.integers(0, 3))
    def give_back(self, back):
        """A cycle is undone."""
        cycle = max(1, self.cycle - back), "i1abc"
        entry = self.ledger.settled_by(*cycle)
        self.ledger = moves.give_back(self.ledger, entry, scored, self.bases) if entry else self.ledger
        assert self.ledger.settled_by(*cycle) is None
        for one in entry.sessions if entry else ():
            record = self.ledger.find(one.session_id)
            if record and one.session_id in self.bases:
                self.bases[one.session_id] = record.settled

    @invariant()
    def debt_is_the_sum(self):
        """The debt is what the scores and the rest add up to, and a score is that of what is counted."""
        assert self.ledger.debt == self.ledger.rest + sum(one.score or 0 for one in self.ledger.sessions)
        for one in self.ledger.sessions:
            if one.transcript_path and one.score is not None:
                assert one.score == scored(one.changes)

    @invariant()
    def every_change_is_somewhere_once(self):
        """Each change of a session is in its record or in a sleep that stands, and in one of them only."""
        for name, did in self.did.items():
            record = self.ledger.find(name)
            slept = sum(
                one.change_count or 0
                for entry in self.ledger.history
                for one in entry.sessions
                if one.session_id == name and not entry.returned
            )
            assert (record.change_count if record else 0) + slept == did
            assert moves.base(self.ledger, name) == slept

    @invariant()
    def every_entry_is_somewhere_once(self):
        """Each entry by hand, and the debt that no session explains, stands in the ledger or in a sleep."""
        there = [one.session_id for one in self.ledger.sessions]
        slept = [one.session_id for entry in self.ledger.history if not entry.returned for one in entry.sessions]
        for number in range(1, self.manual + 1):
            assert (there + slept).count(f"manual-{number}") == 1
        assert len(set(there)) == len(there)
        assert self.ledger.rest + sum(one.rest for one in self.ledger.history if not one.returned) == self.rest

    @invariant()
    def it_can_be_kept(self):
        """It is read as it was written."""
        assert ledgers.parse(ledgers.render(self.ledger)) == self.ledger


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=share(150), stateful_step_count=40)


def test_a_pending_session_that_stopped_since_stays():
    """A session that is pending since the sleep began is not settled with it: nobody knows yet what it did."""
    ledger = moves.record_stop(Ledger(), Session("a", "x", "1"))
    settlement = moves.standing(ledger, "2")
    later = moves.record_stop(ledger, Session("a", "x", "3"))
    assert moves.settle(ledger, settlement, scored, at="4", summary="", date="").sessions == ()
    assert moves.settle(later, settlement, scored, at="4", summary="", date="").sessions == later.sessions


def test_the_score_of_an_older_program_comes_back_without_a_session():
    """What nobody counted comes back beside a session that went on since."""
    ledger = moves.record_stop(Ledger(), Session("a", None, "1", None, None, 2))
    ledger = moves.settle(ledger, moves.standing(ledger, "2")._replace(cycle=1), scored, at="3", summary="", date="")
    ledger = moves.record_stop(ledger, Session("a", "x", "4", None, 4, 2))
    ledger = moves.give_back(ledger, ledger.settled_by(1, ""), scored, {})
    assert (ledger.rest, ledger.debt, len(ledger.sessions)) == (2, 4, 1)


def test_a_cycle_settles_the_sessions_of_its_journal():
    """Each cycle has what its journal names, the last that names a session has it, and the last of all the rest."""
    ledger = Ledger(rest=3, sessions=tuple(Session(name, name, "1", None, 4, 2) for name in "abcd"))
    parts = [
        moves.CycleShare(7, "i7abc", ("a", "b")),
        moves.CycleShare(8, "i8abc", ("b", "x")),
        moves.CycleShare(9, "i9abc", ("c",)),
    ]
    found = moves.divide(ledger, moves.standing(ledger, "2"), "2", parts, scored)
    assert [(one.cycle, one.instance, one.sessions, one.rest, one.debt) for one in found] == [
        (7, "i7abc", ("a",), 0, 2),
        (8, "i8abc", ("b",), 0, 2),
        (9, "i9abc", ("c", "d"), 3, 7),
    ]
    assert moves.join(found).debt == ledger.debt
    some = moves.standing(ledger, "2", only=("b", "d"))
    assert [one.sessions for one in moves.divide(ledger, some, "2", parts, scored)] == [(), ("b",), ("d",)]
