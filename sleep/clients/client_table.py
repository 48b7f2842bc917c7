"""What there is to know about a client: one row, in a module of its name; the registry names them.

Owns the form of a row, how long a hook may take, and telling which client speaks. The names of events here are ours:
`stop`, `session-start`, `subagent-start`, `session-end`, `pre-compact`, `user-prompt-submit`. Hooks load this.
"""

from __future__ import annotations

import os

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

# The reader of a client's transcripts is `transcripts/formats/NAME.py`, named in `transcripts/readers.py`. Clients set
# the variables of those that they came from, so that those named later are asked first.
CLIENTS = {
    "claude": "sleep.clients.claude:CLIENT",
    "codex": "sleep.clients.codex:CLIENT",
    "gemini": "sleep.clients.gemini:CLIENT",
    "qwen": "sleep.clients.qwen:CLIENT",
    "copilot": "sleep.clients.copilot:CLIENT",
}
AGENTS = "AGENTS.md"  # the page that several clients read

# The events of Claude Code, which others took over.
EVENTS = (
    ("SessionStart", "session-start"),
    ("SubagentStart", "subagent-start"),
    ("Stop", "stop"),
    ("PreCompact", "pre-compact"),
    ("SessionEnd", "session-end"),
)
# How long a hook may take: what the installed entry says.
SECONDS = {
    "session-start": 120,
    "subagent-start": 15,
    "user-prompt-submit": 15,
    "stop": 30,
    "pre-compact": 60,
    "session-end": 30,
}
_SHARE = 0.75  # of that time, which what runs inside may use: a hook ends by itself before its client ends it


class Client(NamedTuple):
    """A client.

    `program` is the command it is started with; `folder` what it keeps in a project; `events` pairs of its name and
    ours, in the order of a session. `project` and `user` are its settings files, relative to the project and to the
    home; `private` the project file that a person keeps to herself, "" for none; `variable` what moves the folder at
    home. `nested` tells whether an entry stands in a group; `command` is the field of the command, `timeout` that of
    the timeout, and `unit` how many of it make a second; `fresh` is what a new settings file holds besides. `older` are
    events that versions below `since` refuse to hear of. `trust` says what a person has to do before the hooks run.
    `tried` is the version of the real program that our tests drive. `prompt` is its name for `user-prompt-submit`, ""
    where what is said there reaches no model; an entry for it is written only where the memory is to speak to prompts.

    `signs` are parts of a transcript's path that tell the client where it is not below its home, each with a rank: of
    all clients' the lowest that fits counts. `says` are fields of a payload that no other client has, each with its
    value, "" for any. `variables` are set in the environment of its hooks; `project_variable` holds the project's
    folder. `limits` are seconds that it grants an event where they are fewer than ours. `is_bare` is set where an
    answer is the fields alone, `compacts_often` where it announces a compaction before every call of its model.

    `transcript` is where a transcript stands in the client's folder at home, for a client that does not always say.
    `says_last` is unset where a Stop does not say the last message. `stamps` are members that the client writes into
    its settings by itself.
    `once` are the options with which it answers one prompt and ends without a word, for a client that does.

    `goes_on` is set where a Stop may be blocked: the client goes on with the reason, and says so at the next Stop.

    `pages` are the instructions that it reads before `AGENTS.md`, which it reads where `reads_agents`; `runs_hooks_of`
    names the client the project's hooks of which it runs too; `has_plugin` is set where our plugin can hold the hooks;
    `mcp_file` names the servers of a project, "" where it keeps them itself; `agent` is the page of our
    sub-agent, from the folder of its settings on.
    """

    name: str
    title: str
    program: str
    folder: str
    events: tuple[tuple[str, str], ...]
    project: str
    user: str
    private: str = ""
    variable: str = ""
    nested: bool = True
    command: str = "command"
    timeout: str = "timeout"
    unit: int = 1
    fresh: tuple[tuple[str, Any], ...] = ()
    older: tuple[str, ...] = ()
    since: tuple[int, ...] = ()
    trust: str = ""
    tried: str = ""
    prompt: str = ""
    signs: tuple[tuple[int, str], ...] = ()
    says: tuple[tuple[str, str], ...] = ()
    variables: tuple[str, ...] = ()
    project_variable: str = ""
    limits: tuple[tuple[str, int], ...] = ()
    is_bare: bool = False
    compacts_often: bool = False
    transcript: str = ""
    says_last: bool = True
    stamps: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    goes_on: bool = False
    pages: tuple[str, ...] = ()
    reads_agents: bool = False
    runs_hooks_of: str = ""
    has_plugin: bool = False
    mcp_file: str = ""
    agent: str = "agents/consolidate.md"

    @property
    def home(self) -> str:
        """What the path of a file has that lies in the client's folder at home."""
        return f"/{self.user.partition('/')[0]}/"

    def seconds(self, event: str) -> int:
        """Return the timeout that the entry for an event says."""
        return dict(self.limits).get(event, SECONDS[event])


UNKNOWN = Client("", "", "", "", (), "", "")


def of(name: str) -> Client:
    """Return a client by its name; KeyError for none."""
    module, _, attribute = CLIENTS[name].partition(":")
    client: Client = getattr(__import__(module, fromlist=[attribute]), attribute)  # importlib costs a hook 0.3 ms
    return client


def known(name: str) -> Client:
    """Return a client by its name, `UNKNOWN` for none."""
    return of(name) if name in CLIENTS else UNKNOWN


def usable(name: str, event: str) -> float:
    """Return the seconds that a hook of this event may use in all."""
    return known(name).seconds(event) * _SHARE


def name_of(transcript: str, event: str, fields: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """Return the name of the client that speaks, "" if none can be told.

    It is told by the path of its transcript, by an event or a field that only one client has, by its environment.
    """
    path = transcript.replace("\\", "/")
    rows: list[Client] = []
    for name in CLIENTS:  # each row costs a hook 0.1 ms, and the first says it for most
        rows.append(of(name))
        if rows[-1].home in path:
            return name
    signs = [(rank, row.name) for row in rows for rank, sign in row.signs if sign in path]
    if signs:
        return min(signs)[1]
    named = [row.name for row in rows if event and event in (row.prompt, *dict(row.events))]
    if len(named) == 1:
        return named[0]
    return next(_by_marks(rows, fields, environ), "")


def transcript_of(name: str, session: str, environ: Mapping[str, str]) -> str:
    """Return where a client that did not say it has the transcript of a session, "" where nobody can tell."""
    client = known(name)
    home = environ.get(client.variable) or (environ.get("HOME", "") and environ["HOME"] + client.home)
    if not client.transcript or not home or not session.replace("-", "").isalnum():
        return ""
    path = os.path.join(home, client.transcript.format(session))
    return path if os.path.isdir(os.path.dirname(os.path.dirname(path))) else ""


def session_of(name: str, transcript: str) -> str:
    """Return the session that a transcript is of, by where the client keeps it; "" where nobody can tell."""
    lead, _, tail = known(name).transcript.partition("{}")
    path = transcript.replace("\\", "/")
    is_its = bool(tail) and path.endswith(tail) and f"/{lead}" in path
    return path.rpartition(f"/{lead}")[2].removesuffix(tail) if is_its else ""


def _by_marks(rows: Sequence[Client], fields: Mapping[str, object], environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the clients of whom a field of the payload, or else the environment, has a mark."""
    for row in rows:
        if any(field in fields and value in ("", fields[field]) for field, value in row.says):
            yield row.name
    yield from (row.name for row in reversed(rows) if any(map(environ.get, row.variables)))


def projects(environ: Mapping[str, str]) -> list[str]:
    """Return the folders that clients name as the project."""
    return [environ.get(name.project_variable, "") for name in map(of, CLIENTS) if name.project_variable]
