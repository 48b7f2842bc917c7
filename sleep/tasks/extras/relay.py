"""`relay.*`: a chat relay in which agents put themselves to sleep, and commands that speak to one."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from sleep import extra_install, settings
from sleep.documents import yaml_reader
from sleep.errors import RelayError, UsageError
from sleep.relay import configuration, endpoint
from sleep.store import context as contexts
from sleep.store import files, private
from sleep.tasks.arguments import decimal, number, prose, target, wanted
from sleep.tasks.output import facts, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from sleep.relay.endpoint import Endpoint
    from sleep.relay.notices import Notice

URL_HELP = "the relay, `ws://host:port`; default: the one that runs for this memory"
TOKEN_HELP = "what the relay demands; default: SLEEP_RELAY_TOKEN, or that of the one that runs here"  # noqa: S105
KEY_HELP = "the file of an identity, for an agent that stays the same one"


@task(
    "relay.serve",
    help={
        "host": "the address to listen on; anything but loopback demands SLEEP_RELAY_TOKEN; default 127.0.0.1",
        "port": "the port to listen on, 0 for a free one; default 6667",
        "journal": "the file that outlives a crash; default: beside the memory; `off` for none",
        "nats": "the URL of a NATS with JetStream: this is one of many nodes, and the log there is their journal",
        "json": "print where it listens as JSON",
    },
)
def serve(host: str = "", port: str = "", journal: str = "", nats: str = "", json: bool = False) -> None:
    """Run a relay until it is interrupted.

    Example: sleepwake relay.serve --port 6667
    """
    from sleep.dashboard.site import Site  # late: for this task alone  # noqa: PLC0415

    running = _program("commands")
    here, environ = os.getcwd(), settings.environment()
    options = configuration.resolve(environ, _file(here), relay_host=host or None, relay_port=number(port, "port"))
    if journal == "off":
        options = options._replace(relay_journal="off")
    path = journal if journal not in ("", "off") else endpoint.journal(here, environ)

    def tell(noted: Endpoint, aside: str) -> None:
        endpoint.write(here, environ, noted)
        if aside:
            say(f"the old journal could not be read and is now {aside}")
        journal_path = nats or ("off" if options.relay_journal == "off" else path)
        if json:
            open_to_all = noted.dashboard.partition("?")[0]
            facts({"url": noted.url, "dashboard": open_to_all, "pid": noted.pid, "journal": journal_path})
        else:
            say(f"listening on {noted.url} (journal: {journal_path}); Ctrl-C ends it")
            say(f"dashboard: {_dashboard(noted)}")

    known = private.secrets()
    site = Site(here)
    node = _program("backends.nats").NatsNode(options, nats, known, site=site) if nats else None
    noted = asyncio.run(running.run(options, path, known, tell, node, site))
    endpoint.erase(here, environ, noted)


def _file(start: str) -> dict[str, object]:
    """Return the settings of the relay in the settings file, {} for none; DocumentError where it cannot be read."""
    memory = contexts.find(start)
    fields = yaml_reader.load_settings(files.read(memory.settings) or "", memory.settings) if memory else {}
    own = fields.get("relay")
    lines = {key.removeprefix("relay."): value for key, value in fields.items() if key.startswith("relay.")}
    return {**(own if isinstance(own, dict) else {}), **lines}


@task(
    "relay.send",
    help={
        "to": "a #channel or an @agent",
        "text": "what to say, or - for standard input; a sleep or a callback in it ends with this command",
        "name": "who says it; default: the identity's name, or you",
        "identity": KEY_HELP,
        "url": URL_HELP,
        "token": TOKEN_HELP,
    },
)
def send(
    to: str = "",
    text: str = "",
    name: str = "",
    identity: str = "",
    url: str = "",
    token: str = "",
    json: bool = False,
) -> None:
    """Say something, and wait until it is committed.

    Example: sleepwake relay.send --to '#general' --text 'the build is green'
    """
    from sleep.relay.engine import markers  # late: for this task alone  # noqa: PLC0415

    running = _program("commands")
    wanted(to, "to", "relay.send")
    relay, (nickname, key) = _relay(url, token), _speaker(name, identity)
    words = wanted(prose(text), "text", "relay.send", "--to", to)
    sent = asyncio.run(running.send(relay, nickname, key, to, words))
    if markers.parse(words).marked:
        _note("Note: a sleep or a callback ends when its agent leaves, as this one did (see relay.durable_sleep)")
    if json:
        return facts({"msg_id": sent.ident, "echo": sent.echo})
    return say(f"sent {sent.ident}" if sent.ident else "done; nothing was left to relay")


@task(
    "relay.listen",
    help={
        "channel": "a channel to join besides the public ones, whose history and members are told; may be repeated",
        "name": "who listens; default: the identity's name, or you",
        "identity": KEY_HELP,
        "new": "make the identity's file if there is none",
        "talk": "say each line of standard input in the first channel, or `/@bob words` to bob alone",
        "seconds": "end after so many seconds; default: when interrupted",
        "url": URL_HELP,
        "token": TOKEN_HELP,
        "json": "print each event as one line of JSON",
    },
)
def listen(
    channel: list[str] | None = None,
    name: str = "",
    identity: str = "",
    new: bool = False,
    seconds: str = "",
    url: str = "",
    token: str = "",
    json: bool = False,
    talk: bool = False,
) -> None:
    """Print what is said, connecting again whenever the line breaks; with --talk, say what is typed.

    Example: sleepwake relay.listen --channel '#love' --talk
    """
    running, solo = _program("commands"), _program("runner.solo")
    relay, limit = _relay(url, token), decimal(seconds, "seconds")
    nickname, key = _speaker(name, identity, new=new)
    channels = channel or []

    def tell(notice: Notice, own: str) -> None:
        if line := running.as_json(notice) if json else running.as_text(notice, own, channels):
            say(line)

    typed = sys.stdin.fileno() if talk else None
    asyncio.run(solo.interruptible(running.listen(relay, nickname, key, channels, limit, tell, typed)))


@task("relay.status", help={"url": URL_HELP, "token": TOKEN_HELP})
def status(url: str = "", token: str = "", json: bool = False) -> None:
    """Show who is on a relay, who sleeps and until when.

    Example: sleepwake relay.status
    """
    running = _program("commands")
    relay = _relay(url, token)
    view = running.status(relay)
    if json:
        return facts(view)
    there = f"{view['connections']} connection{'s' * (view['connections'] != 1)}"
    say(f"{relay.url}  up {view['uptime']:.0f} s, {there}, journal {view['journal']}\n")
    heads = ["agent", "name", "presence", "wakes", "buffered", "dropped"]
    say(table(heads, [running.row(agent, view["ts"]) for agent in view["agents"]]))
    if more := view["count"] - len(view["agents"]):
        say(f"and {more:,} more")
    return say(f"\ndashboard: {_dashboard(relay)}") if relay.pages else None


def _dashboard(relay: Endpoint) -> str:
    """Return the link that opens the dashboard; an agent may read what no terminal shows, so there it has no key."""
    if sys.stdout.isatty():
        return f"{relay.dashboard} (for you alone)"
    return f"{relay.dashboard.partition('?')[0]} (with its key: sleepwake relay.status, on a terminal)"


@task(
    "relay.kick",
    help={
        "agent": "the agent's id or name",
        "reason": "what it is told",
        "url": URL_HELP,
        "token": TOKEN_HELP,
    },
)
def kick(agent: str, reason: str = "", url: str = "", token: str = "", json: bool = False) -> None:
    """End an agent's session, asleep or not; only who started the relay can.

    Example: sleepwake relay.kick @bob --reason 'runs in a loop'
    """
    running = _program("commands")
    relay = _relay(url, token)
    if not relay.admin:
        raise RelayError("only who started the relay can end sessions, on the same machine", where=relay.url)
    ended = asyncio.run(running.kick(relay, agent, reason))
    if json:
        return facts({"agent": ended})
    return say(f"{ended} is out")


@task(
    "relay.run",
    remainder="command",
    help={
        "name": "what the agent is called; default: the identity's name, or you",
        "channel": "a channel that it listens to; may be repeated; the first is where it speaks; default #general",
        "identity": KEY_HELP,
        "new": "make the identity's file if there is none",
        "prompt": "what it is prompted with at once, or - for standard input",
        "mentions": "in channels it hears only what mentions it",
        "bare": "prompt it with the words of messages alone, without who said them",
        "argument": "the prompt is the last argument instead of standard input; so it is where a word is {}",
        "alone": "without a relay: prompt it, sleep as its marker says, prompt it again; without a marker, end",
        "turns": "turns in any hour, at least 1; default 30",
        "limit": "seconds after which a turn is ended; default 600",
        "url": URL_HELP,
        "token": TOKEN_HELP,
    },
)
def run_(
    name: str = "",
    channel: list[str] | None = None,
    identity: str = "",
    new: bool = False,
    prompt: str = "",
    mentions: bool = False,
    bare: bool = False,
    argument: bool = False,
    alone: bool = False,
    turns: str = "",
    limit: str = "",
    url: str = "",
    token: str = "",
    command: list[str] | None = None,
) -> None:
    """Make a headless agent's command an agent on a relay: what it hears is its prompt, what it prints is said.

    Example: sleepwake relay.run --name alice --channel '#love' -- claude -p
    """
    # late: asyncio's subprocesses, for this task alone
    from sleep.relay.runner import message_backlog, solo  # noqa: PLC0415
    from sleep.relay.runner.guards import Guards, Limits  # noqa: PLC0415
    from sleep.relay.runner.process_group import Command  # noqa: PLC0415

    agent = Command(_command(command or []), argument, decimal(limit, "limit") or Command._field_defaults["limit"])
    agent.insist()
    hourly = number(turns, "turns")
    if hourly == 0:
        raise UsageError("--turns is 0 (would be right: a whole number from 1)")
    limits = Limits(turns=hourly or Limits._field_defaults["turns"])
    first = prose(prompt)
    more: dict[str, Any] = {"secrets": private.secrets(), "note": lambda line: _note(f"{time.strftime('%T')} {line}")}
    if alone:
        longest = configuration.resolve(settings.environment()).relay_max_sleep
        opening = wanted(first, "prompt", "relay.run", "--alone")
        asyncio.run(solo.run(agent, limits._replace(longest=longest), opening, say, **more))
        return
    runner = _program("runner.agent")
    relay, channels = _relay(url, token), channel or ["#general"]
    nickname, key = _speaker(name, identity, new=new)
    guards = Guards(nickname, channels, limits, mentions=mentions, bare=bare)
    pending = message_backlog.path_of(identity) if identity else ""
    joined = runner.join(relay, nickname, key, guards, agent, channels=channels, first=first, pending=pending, **more)
    asyncio.run(joined)


def _command(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of an agent's command."""
    if not words:
        raise UsageError("the agent's command is needed (would be right: sleepwake relay.run -- claude -p)")
    if not hasattr(os, "killpg"):
        raise RelayError("running an agent needs process groups, and this system has none")
    return tuple(words)


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _program(name: str) -> ModuleType:
    """Return a module of the relay that needs the extra."""
    import importlib  # late: with what follows  # noqa: PLC0415

    try:
        return importlib.import_module(f"sleep.relay.{name}")  # late: an extra, and 150 ms
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in ("websockets", "cryptography", "nats"):
            raise
        hint = extra_install.command("relay", "nats") if library == "nats" else extra_install.command("relay")
        raise RelayError(f"the library {error.name} is not installed", hint=hint) from None


def _relay(url: str, token: str) -> Endpoint:
    environ = settings.environment()
    return endpoint.find(os.getcwd(), environ, url, token or environ.get("SLEEP_RELAY_TOKEN", ""))


def _name(name: str) -> str:
    if name:
        return name
    import getpass  # late: seldom needed  # noqa: PLC0415

    from sleep.relay.engine import names  # late: seldom needed  # noqa: PLC0415

    try:
        user = "".join(sign if sign.isalnum() and sign.isascii() else "-" for sign in getpass.getuser())
    except (OSError, KeyError):
        raise UsageError("--name is needed", hint="--name ana") from None
    return f"{user}-user"[: names.NAME] if names.refusal(user[: names.NAME]) else user[: names.NAME]


def _speaker(name: str, path: str, *, new: bool = False) -> tuple[str, Any]:
    """Return the name and the identity of who speaks: the name that was given, else the identity's, else the user's."""
    if new and not path:
        raise UsageError("--new makes the file that --identity names", hint="--new --identity alice.json")
    identity = _identity(path, _name(name) if new else "")
    return name or (identity.name if identity else "") or _name(""), identity


def _identity(path: str, new: str = "") -> Any:
    """Return the identity in a file, None for no path; `new` is the name of one that is made where there is none."""
    if not path:
        return None
    identities = _program("identity")
    if new and not os.path.exists(path):
        identity = identities.Identity.new(new)
        identity.save(target(path, "identity"))
        return identity
    return identities.Identity.load(path)


TASKS = (serve, send, listen, status, kick, run_)
