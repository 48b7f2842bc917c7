"""The table of kinds: one row each.

Owns names, headings, fields, states and their moves, commands, where a kind is kept and where it is shown. Refuses to
look at text. A new kind is one row here; its words, for what nobody journaled as one, are sections of `language/data`,
looked for in the order of the tables in `classification` and `grammar`.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple


class Move(NamedTuple):
    """A move of a record into the state `to`, from one of the states `origins`; its command is named by the `verb`.

    `says` is what has to be told: `reason`, `outcome`, `answer`, or `by` for what takes the record's place. It may be
    left out where the move `is_free`. `about` explains the move to whoever asks for help, `ask` what is to be told.
    """

    verb: str
    to: str
    origins: tuple[str, ...]
    says: str
    about: str
    ask: str
    is_free: bool = False

    @property
    def option(self) -> str:
        """What commands and tools call it: a reason is `why`, as where a record is written."""
        return "why" if self.says == "reason" else self.says


class Kind(NamedTuple):
    """A kind of entry.

    `plural` heads its section in a tier. `priority` orders what is lost last (0 is last, 5 first). `fields` are what a
    person is asked for, the most telling first. `example` is a number of such a record (`D-014`), "" where records of
    the kind are known by their address alone.

    `states` is empty for prose. Any other kind is a record: the first state is the one it is born in, `moves` lead from
    state to state, and it binds in the states of `open_states`. `amends` are fields that an event may say anew while it
    binds, each by a command of its name. `must_state` is set for a record that binds only where
    somebody stated it: what was noticed (in passing, in a transcript, in an imported document) is prose of a kind of
    its own, such as `noticed task`. `cools` is set for a record that leaves hot memory although it binds, `unsettled`
    for one that waits for somebody.

    `hot` names its document in hot memory. `section` is the section of the snapshot that lists it: a kind that
    `heads_section` gives the section its command, any other is labelled there. `held` is what `main.md` calls those
    that bind, and `main_rank` their place there; `part` is the part of the brief that tells it.
    `briefing_rank` is the place in what a sub-agent is told (0 for none),
    `session_rank` that in what a session is told of itself, `noticed_rank` says how likely it is right where it was
    noticed. `tools` are the verbs that the MCP server offers, `about` what the tool that lists them
    says. `is_finding` is set for what a transcript tells of work that was done,
    `is_lesson` for what a digest of a session tells as learnt, `is_lasting` for what no later report of work ends.
    """

    name: str
    plural: str
    priority: int
    fields: tuple[str, ...] = ()
    example: str = ""
    states: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    open_states: tuple[str, ...] = ()
    amends: tuple[str, ...] = ()
    must_state: bool = False
    cools: bool = False
    unsettled: bool = False
    hot: str = "context"
    section: str = ""
    heads_section: bool = True
    held: str = ""
    main_rank: int = 0
    part: str = ""
    briefing_rank: int = 0
    session_rank: int = 6
    noticed_rank: int = 9
    tools: tuple[str, ...] = ()
    about: str = ""
    is_finding: bool = False
    is_lesson: bool = False
    is_lasting: bool = False

    @property
    def is_record(self) -> bool:
        """True for what is kept whole in a register and never compressed while it is open."""
        return bool(self.states)

    @property
    def born(self) -> str:
        """The state that a record of this kind begins in; "" for prose."""
        return self.states[0] if self.states else ""

    @property
    def label(self) -> str:
        """The word that heads an entry of this kind: `Dead end`."""
        return self.name.capitalize()

    @property
    def letter(self) -> str:
        """The letter of its records' numbers, "" where they have none."""
        return self.example.partition("-")[0]

    @property
    def command(self) -> str:
        """What the commands of this kind begin with: `deadend`, in `deadend.list`."""
        return self.name.replace(" ", "")

    def is_open(self, state: str) -> bool:
        """True where a record in this state still binds."""
        return state in self.open_states if self.open_states else bool(state) and state == self.born


_REASON, _OUTCOME, _ANSWER, _BY = "reason", "outcome", "answer", "by"


def _again(verb: str, to: str, origins: tuple[str, ...], about: str) -> Move:
    return Move(verb, to, origins, _REASON, about, "why")


# The order of priorities is that of section 6 of the design: constraints, questions and doubts, decisions with their
# why, tone and relationship, technical facts, procedure.
ROWS = (
    Kind(
        "constraint",
        "Constraints",
        priority=0,
        fields=("why",),
        states=("active", "lifted"),
        moves=(
            Move(
                "lift",
                "lifted",
                ("active",),
                _REASON,
                "Say that a constraint no longer binds. Only with the person's word.",
                "why it is lifted",
            ),
            _again("restore", "active", ("lifted",), "Say that a constraint that was lifted binds again."),
        ),
        noticed_rank=3,
        section="Standing Constraints",
        held="constraints that bind",
        main_rank=4,
        session_rank=2,
        is_lesson=True,
        tools=("list", "lift"),
        part="rules",
        is_lasting=True,
    ),
    Kind(
        "question",
        "Questions",
        priority=1,
        fields=("why",),
        example="Q-003",
        states=("open", "answered"),
        moves=(
            Move("answer", "answered", ("open",), _ANSWER, "Answer an open question.", "the answer, and who gave it"),
            _again("reopen", "open", ("answered",), "Ask a question again that was answered."),
        ),
        unsettled=True,
        noticed_rank=6,
        section="Open Questions",
        held="open questions",
        main_rank=5,
        briefing_rank=5,
        session_rank=3,
        tools=("list", "answer"),
        about="They wait for an answer: if you have it, give it with `question_answer`.",
        part="waits",
    ),
    Kind(
        "doubt",
        "Doubts",
        priority=1,
        fields=("why",),
        states=("open", "resolved"),
        moves=(
            Move("resolve", "resolved", ("open",), _OUTCOME, "Say that a doubt is settled.", "what settled it"),
            _again("reopen", "open", ("resolved",), "Raise a doubt again that was settled."),
        ),
        unsettled=True,
        noticed_rank=7,
        section="Open Questions",
        heads_section=False,
        held="unresolved doubts",
        main_rank=6,
        session_rank=3,
        tools=("list", "resolve"),
        part="waits",
        is_lasting=True,
    ),
    Kind(
        "decision",
        "Decisions",
        priority=2,
        fields=("why", "alternatives", "confidence", "revisit when"),
        example="D-014",
        states=("standing", "reversed", "superseded"),
        moves=(
            Move(
                "reverse",
                "reversed",
                ("standing",),
                _REASON,
                "Say that a decision no longer holds and that nothing takes its place. Only with the person's word.",
                "why it no longer holds",
            ),
            Move(
                "supersede",
                "superseded",
                ("standing",),
                _BY,
                "Say that another decision takes a decision's place; journal the new one first.",
                "the decision that takes its place",
            ),
            Move(
                "reinstate",
                "standing",
                ("reversed",),
                _REASON,
                "Say that a decision that was reversed holds again.",
                "why it holds again",
            ),
        ),
        cools=True,
        hot="decisions",
        noticed_rank=8,
        section="Standing Decisions",
        briefing_rank=1,
        session_rank=1,
        tools=("list", "show", "reverse", "supersede", "reinstate"),
        about="Look here before you decide against one of them.",
        part="decisions",
        is_lasting=True,
    ),
    Kind(
        "thread",
        "Threads",
        priority=2,
        fields=("next",),
        example="T-001",
        states=("active", "paused", "resolved", "abandoned"),
        moves=(
            Move("pause", "paused", ("active",), _REASON, "Set a thread aside that will go on later.", "why it waits"),
            Move(
                "resume",
                "active",
                ("paused", "resolved", "abandoned"),
                _REASON,
                "Take a thread up again that was paused or closed.",
                "why now",
                is_free=True,
            ),
            Move(
                "resolve", "resolved", ("active", "paused"), _OUTCOME, "Close a thread that is done.", "what came of it"
            ),
            Move(
                "abandon",
                "abandoned",
                ("active", "paused"),
                _REASON,
                "Give a thread up: nobody will go on with it.",
                "why it is given up",
            ),
        ),
        open_states=("active", "paused"),
        amends=("next",),
        unsettled=True,
        hot="threads",
        noticed_rank=5,
        section="Active Threads",
        held="threads that are active or paused",
        main_rank=1,
        session_rank=3,
        tools=("list", "show", "open", "pause", "resume", "resolve", "abandon"),
        about="A thread is a line of work that goes on across sessions.",
        part="next",
    ),
    Kind("tone", "Tone", priority=3, is_lesson=True, is_lasting=True),
    Kind("relation", "Relations", priority=3, is_finding=True, is_lesson=True, is_lasting=True),
    Kind(
        "blocker",
        "Blockers",
        priority=3,
        fields=("why",),
        states=("open", "resolved"),
        moves=(
            Move("resolve", "resolved", ("open",), _OUTCOME, "Say that a blocker is out of the way.", "how"),
            _again("reopen", "open", ("resolved",), "Say that a blocker is in the way again."),
        ),
        must_state=True,
        unsettled=True,
        hot="threads",
        noticed_rank=2,
        section="Open Tasks",
        heads_section=False,
        held="blockers",
        main_rank=3,
        briefing_rank=3,
        session_rank=3,
        tools=("list", "resolve"),
        about="What is in the way; close one with `blocker_resolve`.",
        part="waits",
    ),
    Kind(
        "task",
        "Tasks",
        priority=3,
        fields=("why",),
        states=("open", "done", "dropped"),
        moves=(
            Move(
                "done",
                "done",
                ("open",),
                _OUTCOME,
                "Say that a task is done.",
                "what came of it, where that is worth knowing",
                is_free=True,
            ),
            Move("drop", "dropped", ("open",), _REASON, "Say that nobody will do a task.", "why"),
            _again("reopen", "open", ("done", "dropped"), "Say that a task is to be done after all."),
        ),
        must_state=True,
        unsettled=True,
        hot="threads",
        noticed_rank=4,
        section="Open Tasks",
        held="open tasks",
        main_rank=2,
        briefing_rank=4,
        session_rank=3,
        tools=("list", "done"),
        about="They stay until they are done: say so with `task_done`.",
        part="next",
    ),
    Kind(
        "handoff",
        "Handoff",
        priority=3,
        fields=("session summary", "next priority", "open risk", "emotional register", "for my successor"),
        is_lasting=True,
    ),
    Kind("insight", "Insights", priority=4, is_finding=True, is_lesson=True, is_lasting=True),
    Kind(
        "dead end",
        "Dead ends",
        priority=4,
        fields=("why",),
        states=("standing", "retried"),
        moves=(
            Move(
                "retry",
                "retried",
                ("standing",),
                _REASON,
                "Say that a dead end is worth another try, since what made it fail has changed.",
                "what has changed",
            ),
            _again("reinstate", "standing", ("retried",), "Say that what was tried again failed again."),
        ),
        must_state=True,
        noticed_rank=1,
        section="Dead Ends",
        held="dead ends",
        main_rank=7,
        briefing_rank=2,
        session_rank=4,
        tools=("list", "retry"),
        about="What was tried and failed: look here before you try it again.",
        part="failed",
        is_lasting=True,
    ),
    Kind(
        "fix",
        "Fixes",
        priority=4,
        fields=("error", "change", "why", "files"),
        session_rank=4,
        is_finding=True,
        is_lesson=True,
    ),
    Kind("change", "Changes", priority=5, fields=("commit", "files"), session_rank=5, is_finding=True),
    Kind("note", "Notes", priority=5),
)
