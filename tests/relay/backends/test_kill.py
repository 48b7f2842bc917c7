"""Nodes and NATS itself killed with -9 under load: what was echoed reaches the keyed sleeper, on whatever node."""

from __future__ import annotations

import random
import threading
import time

import pytest
from nodes import Nats, Process
from peer import Key, Peer
from senders import PATIENT, Sender, receive

pytestmark = pytest.mark.relay
LONG = 60  # seconds that something may take on a busy machine


@pytest.fixture
def nats(tmp_path):
    """Return a NATS server."""
    server = Nats(tmp_path / "js")
    yield server
    server.kill()


class Nodes:
    """Two nodes of one log, of which one after the other is killed."""

    def __init__(self, nats, every):
        self._start = lambda: Process(nats.url, every=every, **PATIENT)
        self.all = [self._start() for _ in range(2)]

    def replace(self, victim):
        """Have a new node in the place of one that was killed."""
        self.all[victim] = self._start()


@pytest.fixture
def nodes(nats):
    """Return two nodes that take a snapshot often, so that those that come later begin with one."""
    made = Nodes(nats, 2000)
    yield made
    for one in made.all:
        one.kill()


def load(nodes, key):
    """Return a sender at each node, slow enough for the log to keep up."""
    return [Sender(one.url, f"sender-{nth}-{key.id[1:9]}", key.id, 0.03) for nth, one in enumerate(nodes)]


def check(senders, got, again):
    """Check what a sleeper got, on two connections, against what its senders saw echoed; return how much that was."""
    echoed = {ident: text for one in senders for ident, text in one.echoed.items()}
    for frame in again:
        if "msg_id" in frame:
            got.setdefault(frame["msg_id"], set()).add(frame["content"])
    assert not {ident: text for ident, text in echoed.items() if got.get(ident) != {text}}
    texts = [text for found in got.values() for text in found]
    assert len(texts) == len(set(texts)), "a repeat came under another id"
    return len(echoed)


def in_order(frames):
    """Check that what each sender said is there from the first on, in order."""
    order = [(one["from"], int(one["content"].split()[1])) for one in frames if "msg_id" in one]
    for sender in {who for who, _ in order}:
        numbers = [number for who, number in order if who == sender]
        assert numbers == list(range(len(numbers)))


def kill_a_node(nodes, chance):
    """Kill the node of a keyed sleeper at some moment, and let it come back to the other one at once."""
    victim, seconds = chance.randrange(2), chance.choice([3600, 3600, 0.1, 0.2, 0.3])
    doomed, other = nodes.all[victim], nodes.all[1 - victim]
    key, got = Key(), {}
    sleeper = Peer(doomed.url, f"sleeper-{key.id[1:9]}", key)
    sleeper.say("#love", f"@@sleep:{seconds}s@@")
    sleeper.until_now()
    listening = threading.Thread(target=receive, args=(sleeper, got), daemon=True)
    listening.start()
    senders = load((doomed, other), key)
    time.sleep(chance.uniform(0.05, 0.4))
    doomed.kill()
    time.sleep(chance.choice([0, 0, 0.2]))
    again = Peer(other.url, sleeper.name, key)
    frames = [one for one in again.until_now() if one["type"] == "MSG"]
    senders[1].peer.close()  # what it saw echoed up to now
    frames += [one for one in again.until_now() if one["type"] == "MSG"]
    for one in senders:
        one.join()
    listening.join(LONG)
    for one in (sleeper, again):
        one.close()
    nodes.replace(victim)
    if seconds == 3600:
        assert frames[0]["content"] == "@@wake@@"
        in_order(frames)
    return check(senders, got, frames)


def until_woken(sleeper):
    """Return the messages that a sleeper gets up to its wake, with what came before it slept."""
    end, found = time.monotonic() + LONG, []
    while not found or found[-1].get("content") != "@@wake@@":
        frame = sleeper.receive(max(0.0, end - time.monotonic()))
        if frame["type"] == "MSG":
            found.append(frame)
    return found


def kill_nats(nats, nodes, chance):
    """Kill NATS at some moment while a keyed agent sleeps, and let it wake by its time, or by its word elsewhere."""
    home, seconds = chance.randrange(2), chance.choice([3600, 0.1, 0.3, 1.0])
    key, got = Key(), {}
    sleeper = Peer(nodes.all[home].url, f"sleeper-{key.id[1:9]}", key)
    sleeper.say("#love", f"@@sleep:{seconds}s@@")
    sleeper.until_now()
    senders = load(nodes.all, key)
    time.sleep(chance.uniform(0.05, 0.4))
    nats.kill()
    time.sleep(chance.choice([0, 0.1, 0.5]))
    nats.start()
    before = [len(one.echoed) for one in senders]
    end = time.monotonic() + LONG
    while any(len(one.echoed) <= count for one, count in zip(senders, before, strict=True)):
        assert time.monotonic() < end, "nothing is echoed any more"
        time.sleep(0.02)
    for one in senders:
        one.peer.close()
        one.join()
    if seconds == 3600:
        again = Peer(nodes.all[1 - home].url, sleeper.name, key)
        frames = [one for one in again.until_now() if one["type"] == "MSG"]
        again.close()
        assert frames[0]["content"] == "@@wake@@"
    else:
        frames = until_woken(sleeper)  # the other node may take in a word before the log has that somebody sleeps
        frames += [one for one in sleeper.until_now() if one["type"] == "MSG"]
    sleeper.close()
    return check(senders, got, frames)


def test_a_node(nodes):
    """No message that was echoed is lost to a keyed sleeper whose node is killed, asleep or just waking."""
    chance = random.Random(7)
    assert sum(kill_a_node(nodes, chance) for _ in range(3)) > 20


def test_nats(nats, nodes):
    """Nor when NATS is killed: agents stay, and sleepers wake by their time or when they come."""
    chance = random.Random(7)
    assert sum(kill_nats(nats, nodes, chance) for _ in range(3)) > 20


@pytest.mark.torture
@pytest.mark.parametrize("part", range(4))
def test_a_node_often(nodes, part):
    """The same a hundred times, at other moments, twenty-five of them on one log."""
    echoed = [kill_a_node(nodes, random.Random(25 * part + seed)) for seed in range(25)]
    print(f"{len(echoed)} kills, {sum(echoed)} messages echoed, none lost")


@pytest.mark.torture
@pytest.mark.parametrize("part", range(4))
def test_nats_often(nats, nodes, part):
    """Nor when NATS is killed a hundred times."""
    echoed = [kill_nats(nats, nodes, random.Random(25 * part + seed)) for seed in range(25)]
    print(f"{len(echoed)} kills, {sum(echoed)} messages echoed, none lost")
