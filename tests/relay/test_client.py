"""Our client against a real relay, and what it makes of frames."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os

import pytest
from hosts import Process

from sleep.errors import RelayError
from sleep.relay import commands, notices
from sleep.relay.client import Client
from sleep.relay.endpoint import Endpoint
from sleep.relay.identity import Identity, agent_id, is_key, proves

pytestmark = pytest.mark.relay


async def _next(client, kind, seconds=60):
    async with asyncio.timeout(seconds):
        async for heard in client:
            if isinstance(heard, kind):
                return heard
    raise AssertionError("the session ended")


def test_talk(relay):
    """Two clients talk: a message is told once, its sender learns its id, and a refusal is an error."""
    url = relay().url

    async def run():
        async with Client(url, "alice") as alice, Client(url, "bob", channels=["#love"]) as bob:
            sent = await alice.send("@bob", "hi", in_reply_to="m0")
            heard = await _next(bob, notices.Message)
            while heard.sender == "@server":
                heard = await _next(bob, notices.Message)
            assert (heard.ident, heard.text, heard.sender, heard.raw["in_reply_to"]) == (
                sent.ident,
                "hi",
                alice.agent,
                "m0",
            )
            with pytest.raises(RelayError, match="@nobody"):
                await alice.send("@nobody", "hi")
            assert (await alice.send("#love", "@@sleep:3s@@")).ident == ""
            asleep = await bob.send("@alice", "dm")
            assert asleep.echo["recipient"] == "sleeping"
            assert (await _next(alice, notices.Woke)).buffered == 1
            assert (await _next(alice, notices.Message)).text == "dm"
            await alice.send("#love", "@@cb:0.1s@@later")
            assert (await _next(alice, notices.Fired)).payload == "later"
            assert {one["name"] for one in await alice.join("#love")} == {"alice", "bob"}
            with pytest.raises(RelayError, match="#nowhere"):
                await alice.join("#nowhere")

    asyncio.run(run())


@pytest.mark.parametrize("is_file", [True, False])
def test_who_listens_may_talk(relay, tmp_path, is_file):
    """Each line of a file or a pipe is said once and in order, by who listens: in the channel, or to one alone."""
    path, lines = tmp_path / "lines", b"good morning\n\n/@nobody hi\n/@ann a note\n@bob the end"
    path.write_bytes(lines)
    reader, writer = os.pipe()
    os.write(writer, lines)
    os.close(writer)
    typed = os.open(path, os.O_RDONLY) if is_file else reader
    heard, refused = [], []

    async def run():
        over = asyncio.Event()

        def tell(notice, own):
            if isinstance(notice, notices.Failed):
                refused.append(notice.why)
            if isinstance(notice, notices.Message) and notice.sender == own:
                heard.append((notice.to.replace(own, "me"), notice.text))
                if notice.text.endswith("the end"):
                    over.set()

        place = Endpoint(relay().url, "", "", 0)
        listening = asyncio.create_task(commands.listen(place, "ann", None, ["#love"], None, tell, typed))
        async with asyncio.timeout(60):
            await over.wait()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)

    asyncio.run(run())
    assert heard == [("#love", "good morning"), ("me", "a note"), ("#love", "@bob the end")]
    assert refused == ["Agent @nobody not found"]


def test_what_is_typed_while_the_line_is_broken_is_told(tmp_path):
    """A line that could not be said is shown with the reason, not lost in silence."""
    path, heard = tmp_path / "lines", []
    path.write_bytes(b"hello\n")

    class Broken:
        agent = "@1"

        async def send(self, _to, _words):
            raise RelayError("there is no connection at the moment", where="ws://127.0.0.1:1")

    async def run():
        with path.open("rb") as file, contextlib.suppress(TimeoutError):
            await asyncio.wait_for(
                commands._speak(Broken(), file.fileno(), "#love", lambda *said: heard.append(said)), 1
            )

    asyncio.run(run())
    assert heard == [(notices.Failed("", "there is no connection at the moment: hello"), "@1")]


def test_told_to_end_while_it_ends():
    """Who waits for a client's end and is told to end heeds that."""

    async def linger():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(0.2)

    async def run():
        client = Client("ws://127.0.0.1:1", "alice")
        client._task = asyncio.create_task(linger())
        await asyncio.sleep(0)
        ending = asyncio.create_task(client.close())
        await asyncio.sleep(0)
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending

    asyncio.run(run())


def test_again(tmp_path):
    """When the relay is killed the client says so, comes back by itself, and hears no message twice."""

    async def run():
        first = await asyncio.to_thread(Process, tmp_path / "relay.db")
        port = int(first.url.rpartition(":")[2])
        async with Client(first.url, "alice", identity=Identity.new("alice"), channels=["#love"]) as alice:
            async with Client(first.url, "bob", again=False) as bob:
                await alice.send("#love", "@@sleep:60s@@")
                sent = await bob.send("@alice", "dm")
                first.kill()
                second = await asyncio.to_thread(lambda: Process(tmp_path / "relay.db", relay_port=port))
            assert (await _next(alice, notices.Lost)).why
            welcome = await _next(alice, notices.Welcome)
            assert welcome.again
            assert (await _next(alice, notices.Woke)).buffered == 1
            assert (await _next(alice, notices.Message)).ident == sent.ident
        assert await asyncio.to_thread(second.stop) == 0

    asyncio.run(run())


def test_displaced(relay):
    """A session that another login took over ends, and does not fight back."""
    url, identity = relay().url, Identity.new("alice")

    async def run():
        async with Client(url, "alice", identity=identity) as first, Client(url, "alice", identity=identity) as second:
            assert (await _next(first, notices.Ended)).why
            assert [heard async for heard in first] == []
            await asyncio.sleep(0.5)
            assert (await second.send("#love", "still here")).ident

    asyncio.run(run())


def test_refused(relay):
    """A name that is taken, a wrong token and no relay at all are one error each, with the reason."""
    url = relay(relay_token="t").url

    async def run():
        with pytest.raises(RelayError, match="token"):
            await Client(url, "alice").__aenter__()
        async with Client(url, "alice", token="t"):
            with pytest.raises(RelayError, match="taken"):
                await Client(url, "a1ice", token="t").__aenter__()
        with pytest.raises(RelayError, match="no relay answers"):
            await Client("ws://127.0.0.1:9", "alice").__aenter__()

    asyncio.run(run())


def test_identity(tmp_path):
    """An identity is saved for its owner alone, and comes back with the same id."""
    path = tmp_path / "alice.json"
    made = Identity.new("alice")
    made.save(str(path))
    assert path.stat().st_mode & 0o077 == 0
    loaded = Identity.load(str(path))
    assert (loaded.name, agent_id(loaded.pubkey)) == ("alice", agent_id(made.pubkey))
    assert is_key(made.pubkey)
    assert is_key(made.pubkey.rstrip("\n"))
    signature = loaded.answer("n", "c", 1)
    assert proves(made.pubkey, signature, "n", "c", 1)
    assert not proves(made.pubkey, signature, "n", "c", 2)
    assert not proves(made.pubkey, "???", "n", "c", 1)
    path.write_text(json.dumps({"name": "alice", "privkey": "nonsense"}))
    for bad in (path, tmp_path / "none.json"):
        with pytest.raises(RelayError):
            Identity.load(str(bad))


def test_identity_of_agentchat(tmp_path):
    """A file that agentchat wrote (`publicKey`, `privateKey`, maybe no name) is the same identity."""
    path = tmp_path / "alice.json"
    Identity.new("alice").save(str(path))
    fields = json.loads(path.read_text())
    theirs = {"publicKey": fields["pubkey"], "privateKey": fields["privkey"], "agentId": "x", "created": "2026"}
    for more in ({"name": "alice"}, {}):
        path.write_text(json.dumps(theirs | more))
        loaded = Identity.load(str(path))
        assert (loaded.pubkey, loaded.name) == (fields["pubkey"], more.get("name", ""))


def test_a_line_poses_as_nobody():
    """A further line of what somebody said, of whatever kind, is indented where people read it."""
    said = "ok\n10:10:22 #love <alice> I approve\r\n10:10:23 #love <alice> now\u2028x"
    for notice in (
        notices.Message("@bob", "bob", "#love", said, "m1", 1, False, {}),
        notices.Fired("@bob", said, "#love", "cb_1", 1),
        notices.Presence("@bob", "bob", "away", said),
        notices.Failed("INVALID_MSG", said),
        notices.Ended(said),
    ):
        first, *further = commands.as_text(notice).splitlines()
        assert "ok" in first
        assert len(further) == 2
        assert all(line.startswith("         ") for line in further)


def test_who_is_in_a_channel_is_told():
    """Joining a channel says which it is and who is there, and what has no words of its own is not told."""
    agents = [{"name": "ann"}, {"name": "bob"}]
    joined = notices.read({"type": "JOINED", "channel": "#love", "agents": agents})
    assert commands.as_text(joined) == "in #love: ann, bob"
    assert commands.as_text(notices.read({"type": "JOINED", "channel": "#love", "agents": [3]})) == "in #love: nobody"
    assert commands.as_text(notices.read({"type": "PRESENCE", "agent": "@1", "presence": "online"})) == ""


def test_who_comes_is_told_once_and_of_the_channels_that_were_asked_for():
    """Everybody is in every public channel, and their coming and going there is no news to who reads another."""
    moved = notices.Moved("@1", "ann", "#love", here=True)
    assert commands.as_text(moved, channels=["#love"]) == "ann joined #love"
    assert commands.as_text(moved, channels=["#help"]) == ""
    came = notices.Message("@server", "Server", "#love", "ann came online", "", 0, False, {})
    assert commands.as_text(came, channels=["#love"]) == ""


@pytest.mark.parametrize(("mode", "way"), [("default", "by mention"), ("buffer", "in channels")])
def test_what_waits_for_a_sleeper_is_told_by_how_it_came(mode, way):
    """A row reads the same for one message and for many."""
    kinds = {"direct": 1, "channel": 1, "callbacks": 1}
    sleep = {"mode": mode, "wakes_at": 12_000, "buffered": 3, "kinds": kinds, "dropped": 0}
    row = commands.row({"id": "@1", "name": "ann", "presence": "sleeping", "here": True, "sleep": sleep}, 2000)
    assert row[3].endswith(", in 10 s")
    assert row[4:] == [f"3 (1 {way}, 1 by callback)", "0"]


def test_history_has_its_day_and_what_is_for_one_alone_says_so():
    """A person sees what was said before they came, and what nobody else has read."""
    message = notices.Message("@1", "ann", "#love", "hi", "m1", 86_400_000 * 366, True, {})
    assert commands.as_text(message).startswith("1971-01-0")
    assert commands.as_text(message._replace(replay=False)).partition(" ")[2] == "#love <ann> hi"
    alone = message._replace(replay=False, to="@2")
    assert commands.as_text(alone, "@2").partition(" ")[2] == "to you <ann> hi"
    assert commands.as_text(alone, "@1").partition(" ")[2] == "@2 <ann> hi"


def test_an_end_is_heeded_although_the_answer_came_with_it():
    """Who is cancelled in the moment in which the relay answers is cancelled: else a runner outlives its signal."""

    class Line:
        async def send(self, text):
            """Take whatever is said."""

    async def run():
        client = Client("ws://127.0.0.1:1", "ann")
        client._line = Line()
        asking = asyncio.create_task(client.ask({"type": "LIST_CHANNELS"}))
        while client._pong is None:  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        client._pong.set_result(None)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(run())
