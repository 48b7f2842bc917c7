"""The heap against a plain dictionary."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from sleep.relay.engine.timers import Timers


class Machine(RuleBasedStateMachine):
    """Timers beside a dictionary of (when, order)."""

    keys = Bundle("keys")

    def __init__(self):
        super().__init__()
        self.timers, self.model, self.order = Timers(), {}, 0

    @rule(target=keys, key=st.integers(0, 30))
    def key(self, key):
        """Name a key."""
        return key

    @rule(key=keys, when=st.integers(0, 20))
    def set(self, key, when):
        """Set a key's timer."""
        self.timers.set(key, when)
        self.order += 1
        self.model[key] = (when, self.order)

    @rule(key=keys)
    def cancel(self, key):
        """Cancel it, whether it is set or not."""
        assert self.timers.cancel(key) == (self.model.pop(key, None) is not None)

    @rule(now=st.integers(0, 20))
    def pop(self, now):
        """Take what is due."""
        first = min(self.model, key=self.model.get, default=None)
        due = first if first is not None and self.model[first][0] <= now else None
        assert self.timers.pop(now) == due
        self.model.pop(due, None)

    @invariant()
    def same(self):
        """Both have the same keys and the same next one."""
        assert len(self.timers) == len(self.model)
        assert self.timers.next() == min((when for when, _ in self.model.values()), default=None)
        assert all(key in self.timers for key in self.model)
        assert list(self.timers) == sorted(self.model, key=self.model.get)

    @invariant()
    def ordered(self):
        """The heap is one, and holds no more of what was cancelled than of what is due."""
        heap = self.timers._heap
        assert all(heap[(index - 1) >> 1] <= heap[index] for index in range(1, len(heap)))
        assert len(heap) <= 2 * len(self.model)

    @invariant()
    def taken_up(self):
        """What was taken goes on as this one does."""
        other = Timers()
        other.load(*self.timers.dump())
        assert (list(other), other.next(), other.dump()) == (list(self.timers), self.timers.next(), self.timers.dump())


TestTimers = Machine.TestCase
