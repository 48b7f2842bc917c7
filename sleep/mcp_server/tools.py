"""The tools that a model is offered: one table.

Owns each tool's words for the model, its fields, and the command that it stands for. A tool without words is answered
in this process. Refuses to run anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sleep.records import kinds

WORD, TEXT, NUMBER, FLAG, LIST = "word", "text", "number", "flag", "list"
LONGEST = {WORD: 8_000, TEXT: 100_000}  # characters: a word is one argument of a process, a text is its standard input
MANY = 50  # values of a list
_QUICK, _LONG = 120.0, 900.0  # seconds; a sleep may ask a model
# Claude Code shows 2 KB of a result above 50,000 characters, unless this says more.
_WHOLE = "anthropic/maxResultSizeChars"
LARGEST = 400_000
_BUDGET = 10_000  # tokens of `wake`: Codex cuts the middle out of what is above 48,000 characters
_HANDLE = r"^[A-Za-z0-9][A-Za-z0-9.\-]*$"


class Field(NamedTuple):
    """A field of a tool.

    `flag` begins the word that gives it to the command (`--why=`); what a `text` says goes through standard input. A
    number that is not given is its `default`, 0 for none.
    """

    name: str
    says: str
    flag: str = ""
    form: str = WORD
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int = 0
    pattern: str = ""
    default: int = 0

    @property
    def schema(self) -> dict[str, Any]:
        """The field as JSON Schema."""
        if self.form == FLAG:
            return {"type": "boolean", "description": self.says, "default": False}
        if self.form == NUMBER:
            bounds = {name: value for name, value in (("maximum", self.most), ("default", self.default)) if value}
            return {"type": "integer", "description": self.says, "minimum": self.least, **bounds}
        schema: dict[str, Any] = {"type": "string", "maxLength": LONGEST[TEXT if self.form == TEXT else WORD]}
        if self.required:
            schema["minLength"] = 1
        if self.choices:
            schema = {"type": "string", "enum": list(self.choices)}
        if self.pattern:
            schema["pattern"] = self.pattern
        if self.form == LIST:
            return {"type": "array", "items": schema, "maxItems": MANY, "description": self.says}
        return {**schema, "description": self.says}


class Tool(NamedTuple):
    """A tool: what a model is told, and what runs.

    `words` are the command's, none for what is answered in this process. `is_facts`: it is asked for JSON, which
    is told as text.
    """

    name: str
    title: str
    says: str
    words: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    is_facts: bool = False
    limit: float = _QUICK

    @property
    def wire(self) -> dict[str, Any]:
        """The tool as `tools/list` gives it."""
        hints = {"readOnlyHint": self.reads, "openWorldHint": False}
        if not self.reads:
            hints |= {"destructiveHint": self.destroys, "idempotentHint": self.repeats}
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {field.name: field.schema for field in self.fields},
            "additionalProperties": False,
        }
        if required := [field.name for field in self.fields if field.required]:
            schema["required"] = required
        return {
            "name": self.name,
            "title": self.title,
            "description": self.says,
            "inputSchema": schema,
            "annotations": {"title": self.title, **hints},
            "_meta": {_WHOLE: LARGEST},
        }


def _reading(name: str, title: str, says: str, words: str, *fields: Field, is_facts: bool = True) -> Tool:
    return Tool(name, title, says, tuple(words.split()), fields, reads=True, repeats=True, is_facts=is_facts)


def _handle(example: str) -> Field:
    says = f"its number or its address, such as {' or '.join(filter(None, (example, 'i7qxk.12')))}"
    return Field("handle", says, "--handle=", required=True, pattern=_HANDLE)


def _text_field(name: str, says: str, *, required: bool = True) -> Field:
    return Field(name, says, f"--{name}=", TEXT, required)


def _list(kind: kinds.Kind) -> Tool:
    says = f"List the {kind.name}s of this memory that are {kind.born}, whole, with their reasons and addresses."
    return _reading(
        f"{kinds.key(kind.name)}_list",
        f"List {kind.name}s",
        f"{says} {kind.about}",
        f"{kind.command}.list --json",
        Field("all", f"also those that are no longer {kind.born}, and those that were only noticed", "--all", FLAG),
        Field("state", "only those in one state", "--state=", choices=(*kind.states, kinds.NOTICED)),
    )


def _show(kind: kinds.Kind) -> Tool:
    name = kind.name
    says = f"Show one {name} with its state, its fields, the addresses that said it, and the document it stands in."
    return _reading(
        f"{kinds.key(name)}_show", f"Show a {name}", says, f"{kind.command}.show --json", _handle(kind.example)
    )


def _move(kind: kinds.Kind, move: kinds.Move) -> Tool:
    title = f"{move.verb.capitalize()} a {kind.name}"
    fields = [_handle(kind.example), _text_field(move.option, move.ask, required=not move.is_free)]
    if move.says == "by":
        fields[1:] = [
            Field("by", f"{move.ask}, such as {kind.example}", "--by=", required=True, pattern=_HANDLE),
            _text_field("why", "the reason", required=False),
        ]
    words = (f"{kind.command}.{move.verb}",)
    return Tool(f"{kinds.key(kind.name)}_{move.verb}", title, move.about, words, tuple(fields))


def _of_kind(kind: kinds.Kind) -> list[Tool]:
    """Return the tools that a kind of record offers, in the order of its row."""
    own = {move.verb: _move(kind, move) for move in kind.moves}
    own |= {"list": _list(kind), "show": _show(kind), "open": _OPEN}
    return [own[verb] for verb in kind.tools]


_RECALL = Tool(
    "recall",
    "Recall",
    "Search this project's memory: what earlier sessions knew, decided, tried, or left open. Use it before you decide"
    " something that may have been decided already, when the person refers to earlier work, or when a reason is missing"
    " in the code. Ask in plain words, in the language of the memory; `what is blocked?`, `what is next?` and"
    " `what did we decide about X?` list such records. Every passage begins with its address (i7qxk.12),"
    " which `trace` follows. It says plainly when nothing surely fits, and shows what comes nearest.",
    (),
    (
        Field("question", "the question, in words; an address or a number such as D-014 is looked up", required=True),
        Field("budget", "the most tokens of the answer; default 2000", form=NUMBER, least=100, most=20_000),
        Field("tiers", "only these; default: all", form=LIST, choices=("journal", "hot", "warm", "cold")),
        Field("kinds", "only entries of these kinds; default: all", form=LIST, choices=tuple(kinds.ENTRIES)),
        Field("project", "of a memory of several projects only this one"),
        Field("since", "only from this day on, such as 2026-03-01 or 'last week'"),
        Field("at", "what was known at a past day or commit, such as 2026-03-01"),
        Field("ever", "also what is gone from the memory, with the commit that last had it", form=FLAG),
        Field("least", "what comes closest unmarked, where nothing surely fits", form=FLAG),
    ),
    reads=True,
    repeats=True,
)
_WAKE = Tool(
    "wake",
    "Wake",
    "Read what the last session left for this one: purpose, handoff, decisions, constraints, open questions, threads,"
    " and what of older memory fits the task. Call it once, when you begin, unless the session's start already told"
    " you. It opens the journal that `journal_add` writes to; with peek it only looks.",
    ("wake",),
    (
        Field("task", "what you are about to do; it chooses what of older memory is shown", "--task="),
        Field("budget", "the most tokens to print", "--budget=", NUMBER, most=60_000, default=_BUDGET),
        Field("project", "of a memory of several projects mostly this one; default: that of here", "--project="),
        Field("peek", "only look: open no journal", "--peek", FLAG),
        Field("at", "wake as of a past commit, branch or tag; changes nothing", "--at="),
    ),
    repeats=True,
)
_SAID_BY = Field(
    "said_by", "person where these are the person's words; else leave it out", "--said-by=", choices=("person",)
)
_ADD = Tool(
    "journal_add",
    "Add to the journal",
    "Write one idea into this session's journal, so that later sessions know it: a decision when it is taken (with why"
    " and what was rejected), a question, a doubt, a constraint, an insight, a dead end, a fix, and the handoff before"
    " you stop. One entry an idea, in your own words; say why. Secrets are taken out.",
    ("journal.add",),
    (
        Field("kind", "what it is", "--kind=", required=True, choices=tuple(kinds.ENTRIES)),
        Field("text", "what it says: the first line is its heading", "--text=", TEXT, True),
        Field("why", "the reason; a decision and a constraint want one", "--why="),
        Field("alternatives", "what was rejected (decision), one each", "--alternative=", LIST),
        Field("confidence", "how sure (decision)", "--confidence=", choices=kinds.CONFIDENCES),
        Field("revisit_when", "when to look again (decision), e.g. 'after 2027-01-01'", "--revisit-when="),
        _SAID_BY,
        Field("thread", "the thread it belongs to, e.g. T-001", "--thread="),
        Field("topic", "the topic it goes to when it cools", "--topic="),
        Field("commit", "the commit it is about", "--commit="),
        Field("next", "what comes next (thread, handoff)", "--next="),
        Field("session_summary", "handoff: what this session did", "--field=session summary="),
        Field("next_priority", "handoff: what to do first", "--field=next priority="),
        Field("open_risk", "handoff: what may go wrong", "--field=open risk="),
        Field("emotional_register", "handoff: how the work felt, and how the person is", "--field=emotional register="),
        Field("for_my_successor", "handoff: what else to tell the next session", "--field=for my successor="),
    ),
)
_NAMED = {field.name for field in _ADD.fields} | {"files"}  # a transcript tells which files a change is of
_ADD = _ADD._replace(
    fields=(
        *_ADD.fields,
        *(
            Field(kinds.key(name), f"{kind.name}: {name}", f"--field={name}=")
            for kind in kinds.ENTRIES.values()
            for name in kind.fields
            if kinds.key(name) not in _NAMED
        ),
    )
)
_TRACE = _reading(
    "trace",
    "Trace",
    "Say where a statement comes from and what became of it: who said it, in which session, which commits wrote it,"
    " each step that shortened, merged or dropped it, and where it stands now. Use it when you must be sure of what was"
    " really said.",
    "trace",
    Field(
        "what",
        "an address (i7qxk.12), a number (D-014, T-001, Q-003), a place (memory/warm/auth.md:12), or a line's words",
        "--what=",
        TEXT,
        required=True,
    ),
    is_facts=False,
)
_DEBT = _reading(
    "debt",
    "Sleep debt",
    "Show whether sleep is due: the sleep debt, its level, the last sleep, and the sessions that wait for one.",
    "sleep.status",
    is_facts=False,
)
_STATUS = _reading(
    "status",
    "Status",
    "Show on one screen what this memory has and what is due: where it is, which journals are open or wait for a sleep,"
    " what is open and settled by kind, what waits for the person's word, what was committed since the last sleep.",
    "status",
    is_facts=False,
)
_SLEEP = Tool(
    "sleep",
    "Sleep",
    "Consolidate the memory: the journal goes into hot, hot into warm, warm into cold, one reviewable commit a step."
    " Call it when the person asks, or when the debt says that sleep is due, after the handoff is in the journal."
    " Nothing is lost: journals stay, and `sleepwake sleep.undo` takes a cycle back. A second call right after does"
    " nothing.",
    ("sleep",),
    (Field("dry_run", "show the plan and its diff; change nothing", "--dry-run", FLAG),),
    repeats=True,
    limit=_LONG,
)
_OPEN = Tool(
    "thread_open",
    "Open a thread",
    "Open a thread: a line of work that goes on across sessions. Not for what this session finishes.",
    ("thread.open",),
    (Field("text", "what it is about", "--text=", TEXT, True), Field("next", "its next step", "--next=")),
)
_REVIEW = _reading(
    "review",
    "What waits for a word",
    "List what waits for the person's word: records that were only noticed in what was said, changes of mind,"
    " contradictions, decisions that are due. None of them binds. Settle those that the person's own words decide.",
    "review --json",
)
_WAITING = _handle("D-014")
_FURTHER = Field("also", "further ones", "--also=", LIST)
_WHY = _text_field("why", "the reason, if one was given", required=False)
_SETTLE = (
    Tool(
        "review_confirm",
        "Confirm what waits",
        "Say that it is so, in the person's words: what was noticed becomes a record, of two that contradict this one"
        " holds, a decision that was due is kept. It is told as your confirmation.",
        ("review.confirm",),
        (_WAITING, _FURTHER, _WHY),
    ),
    Tool(
        "review_correct",
        "Correct what waits",
        "Say what is right in its place; that becomes the record.",
        ("review.correct",),
        (
            _WAITING,
            _text_field("text", "what it says rightly"),
            Field("why", "the reason", "--why="),
            _SAID_BY,
            Field("kind", "the kind that it is", "--kind=", choices=tuple(kind.name for kind in kinds.RECORDS)),
        ),
    ),
    Tool(
        "review_reject",
        "Reject what waits",
        "Say that nobody meant it so: what was noticed never comes back, a record that was stated is closed.",
        ("review.reject",),
        (_WAITING, _FURTHER, _WHY),
    ),
)
_ALL = (
    _RECALL,
    _TRACE,
    _WAKE,
    _ADD,
    _STATUS,
    _DEBT,
    _SLEEP,
    _REVIEW,
    *_SETTLE,
    *(tool for kind in kinds.RECORDS for tool in _of_kind(kind)),
)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in _ALL}
INSTRUCTIONS = (
    "This is the project's own memory, kept in git as Markdown. `wake` tells what the last session left; `recall` finds"
    " what was known, decided or tried before: ask it before you decide something that may have been decided already."
    " Write down with `journal_add` what a later session should know, when it happens, and say why. Statements carry"
    " addresses such as [i7qxk.12]: cite them, and `trace` them when it matters. Memory may be older than the code: the"
    " code is how it is, memory is why, and the person decides."
)
