"""Sessions as people have them with an agent, and every record that was said in them: written down by hand, first.

A session is a list of turns: what the person types, and what the agent does then: texts, edits, commands. Tests play
them in a transcript that is made (`tests/journal/capture/test_scenarios.py`) and with the real clients
(`test_real_scenarios.py`). What is not listed under `records` is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.records import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.documents.entries import Entry

STATED, NOTICED = "stated", "noticed"


class Edit(NamedTuple):
    """The agent writes a file."""

    path: str
    text: str = "x = 1\n"


class Run(NamedTuple):
    """The agent runs a command, which fails with these words, or goes well."""

    command: str
    error: str = ""


class Turn(NamedTuple):
    """What a person types, and what the agent does: texts, edits and commands, in order."""

    prompt: str
    steps: tuple[str | Edit | Run, ...]


class Told(NamedTuple):
    """A record that was said: its kind, words that it has, words of its reason, and whether it binds.

    `line` are words of the line of the transcript that it names; its own words where nothing is given. `lacks` are
    words that it must not have.
    """

    kind: str
    words: str
    why: str = ""
    standing: str = STATED
    line: str = ""
    lacks: tuple[str, ...] = ()


class Session(NamedTuple):
    """A session by its name: its turns, all records that were said in it, and prose that is kept or left out.

    `files` are there before it begins.
    """

    name: str
    turns: tuple[Turn, ...]
    records: tuple[Told, ...]
    keeps: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


IMPORTS = "python3 -B -c 'import limits'"
GONE = "ModuleNotFoundError: No module named 'limits'"
TOTALS = "python3 -B check.py"

WRITES = Session(
    "s01",
    (
        Turn(
            "The import of the limits fails and the client gives up too early. Please mend both. Never retry a POST,"
            " because it would charge the customer twice.",
            (
                "Let me run the import.",
                Run(IMPORTS, GONE),
                "The module is not in the repository.",
                Edit("limits.py", "MOST = 3\n"),
                Run(IMPORTS),
                (
                    "The ModuleNotFoundError came from limits.py, which was never committed; I wrote it anew.\n\n"
                    "Open question: should the wait grow without an upper bound?"
                ),
            ),
        ),
        Turn(
            "Good. And now the client, please.",
            (
                "Now the retry constant.",
                Edit("client.py", "RETRIES = 5\n"),
                (
                    "I decided to use five retries instead of three because the gateway restarts within a minute.\n\n"
                    "The client is done. Who owns the cron job that cleans the queue?\n\nTODO: document the new limit"
                    " in README.md"
                ),
            ),
        ),
    ),
    (
        Told("constraint", "Never retry a POST", "charge the customer twice"),
        Told("fix", "limits.py", line="No module named 'limits'"),
        Told("question", "should the wait grow without an upper bound?"),
        Told("decision", "use five retries instead of three", "the gateway restarts within a minute"),
        Told("question", "Who owns the cron job that cleans the queue?"),
        Told("task", "document the new limit in README.md", standing=NOTICED),
    ),
    leaves=("Let me run", "Now the retry constant"),
)

RESUMES = Session(
    "s02",
    (
        Turn("How is the cache keyed?", ("By path and modification time.",)),
        Turn(
            "Give it a cap, please.",
            (
                Edit("cache.py"),
                (
                    "I went with a cap of 64 MB rather than a number of entries, since entries differ a thousandfold in"
                    " size."
                ),
            ),
        ),
    ),
    (Told("decision", "a cap of 64 MB rather than a number of entries", "entries differ a thousandfold in size"),),
)
FORKS = Session(
    "s02 fork",
    (
        Turn(
            "In a fork, try an LRU cache instead.",
            (
                Edit("lru.py"),
                "I tried an LRU cache, but every scan evicts the index. I took it out again.",
            ),
        ),
    ),
    (Told("dead end", "LRU cache", standing=NOTICED),),
)

DELEGATES = Session(
    "s04b",
    (
        Turn(
            "Split the staff module into a roster and crews. Never touch src/billing.py.",
            (
                Edit("src/roster.py"),
                (
                    "**Decision:** the roster keeps the old table names, because the nightly export reads them.\n\n"
                    "The roster half is done."
                ),
            ),
        ),
    ),
    (
        Told("constraint", "Never touch src/billing.py"),
        Told("decision", "the roster keeps the old table names", "the nightly export reads them"),
    ),
)

KILLED = Session(
    "s05",
    (
        Turn(
            "Price the lines of the cart. From now on never round prices before the total.",
            ("I decided to keep prices as Decimal because floats lose cents.", Edit("prices.py")),
        ),
    ),
    (
        Told("constraint", "never round prices before the total"),
        Told("decision", "keep prices as Decimal", "floats lose cents"),
    ),
)

COMPACTED = Session(
    "s08",
    (
        Turn(
            "Please make the ledger safe on NFS.",
            (
                Edit("ledger.py"),
                "I'm going with flock for the ledger because the server honours it. The lock is taken for each write.",
            ),
        ),
        Turn("/compact keep decisions", ()),
        Turn("And what does the index need?", ("Nothing: a reader tolerates an index that is a second old.",)),
    ),
    (Told("decision", "going with flock for the ledger", "the server honours it", lacks=("taken for each write",)),),
    leaves=("keep decisions", "continued from a previous conversation", "Resume directly"),
)

TOGETHER = Session(
    "s09",
    (
        Turn(
            "Jobs are run twice when two workers start at once. What do you make of it?",
            (
                Edit("lease.py"),
                (
                    "I decided to use a lease table because a lock file outlives its process. Open question: should a"
                    " lease be renewed while its job runs?"
                ),
            ),
        ),
        Turn("Good, go on.", (Edit("worker.py"), "The worker takes a lease now.")),
    ),
    (
        Told("decision", "use a lease table", "a lock file outlives its process", lacks=("renewed",)),
        Told("question", "should a lease be renewed while its job runs?", lacks=("lease table",)),
    ),
)

NATURAL = Session(
    "s16",
    (
        Turn(
            "total() of an empty cart is None and the totals drift. Can you have a look?",
            (
                "Let me reproduce it.",
                Run(TOTALS, "AssertionError: None"),
                "Reproduced: AssertionError: None. I'll guard it in Python.",
                Edit("cart.py", "def total():\n    return 0\n"),
                Run(TOTALS),
                (
                    "Both are mended, and this is what I found:\n\n"
                    "- The rounding has to be half-even, otherwise totals drift by a cent.\n"
                    "- Decision: `total()` returns a Decimal rather than a float, because the export rounds again.\n"
                    "- I tried strftime for the key of the month, but it depends on the locale.\n\n"
                    "Open questions:\n\n"
                    "- Should the export be capped?\n"
                    "- Who owns the exchange rates?\n\n"
                    "Next steps:\n\n"
                    "- Run the migration of the carts on staging"
                ),
            ),
        ),
    ),
    (
        Told("decision", "returns a Decimal rather than a float", "the export rounds again"),
        Told("dead end", "strftime", standing=NOTICED),
        Told("question", "Should the export be capped?", lacks=("exchange",)),
        Told("question", "Who owns the exchange rates?", lacks=("capped",)),
        Told("task", "Run the migration of the carts on staging", standing=NOTICED),
        Told("fix", "AssertionError: None", line="AssertionError: None"),
    ),
    keeps=("The rounding has to be half-even, otherwise totals drift by a cent.",),
    leaves=("Let me reproduce it",),
    files=(("check.py", "import os\n\nassert os.path.exists('cart.py'), None\n"),),
)

ORDINARY = Session(
    "p2",
    tuple(
        Turn(prompt, (answer,))
        for prompt, answer in (
            ("Don't worry about the warnings for now.", "The warnings stay as they are."),
            ("The button must be blue on the settings page.", "It is blue now."),
            ("Never mind, I fixed it myself.", "Good to know."),
            ("I always forget how the cache works, explain it to me.", "It maps a path to the parsed page."),
            ("You should not need more than ten lines for that.", "It took eight lines."),
            (
                (
                    "hi! the yearly report crashes on leap years, can you fix it? also please don't touch anything in"
                    " vendor/"
                ),
                "The report counts the days of the year now.",
            ),
            ("From now on write the tests before the code.", "The tests come first."),
            ("Don't add a flag for this one.", "There is no flag."),
            ("We never got that to run on Windows.", "It runs on Linux alone."),
            (
                "Always ask me before you add a dependency: our lawyers read every licence.",
                "No dependency was added.",
            ),
        )
    ),
    (
        Told("constraint", "don't touch anything in vendor/", lacks=("leap",)),
        Told("constraint", "write the tests before the code"),
        Told("constraint", "Always ask me before you add a dependency", "our lawyers read every licence"),
    ),
)

PASSAGES = Session(
    "p7",
    (
        Turn(
            "Please finish the parser.",
            (
                Edit("parser.py"),
                (
                    "Done. I decided to keep the parser recursive because the grammar has nested comments. parser.py"
                    " and builder.py are in place."
                ),
            ),
        ),
        Turn(
            "And the endpoint?",
            (
                Edit("endpoint.py"),
                (
                    "I've updated the three call sites.\n\n**Decision:** keep the old endpoint until v3, because two"
                    " partners still call it."
                ),
            ),
        ),
        Turn(
            "And the worker?",
            (
                Edit("worker.py"),
                (
                    "It starts with the server now. Changes:\n\n"
                    "- worker.py starts one process a core\n"
                    "- we chose a queue in memory over a table; a restart may lose jobs that nobody waits for\n"
                ),
            ),
        ),
        Turn(
            "Anything that we should talk about?",
            ("**Open questions**\n\n- Should retries be capped?\n- Who owns the cron job?",),
        ),
        Turn("Yes, cap them at five.", (Edit("retry.py"), "Retries are capped at five.")),
    ),
    (
        Told("decision", "keep the parser recursive", "the grammar has nested comments", lacks=("in place", "Done")),
        Told("decision", "keep the old endpoint until v3", "two partners still call it", lacks=("call sites",)),
        Told("decision", "chose a queue in memory over a table"),
        Told("question", "Who owns the cron job?", lacks=("capped",)),
        Told("decision", "cap them at five", line="cap them at five"),
    ),
)

UNANSWERED = PASSAGES._replace(
    name="p7 open",
    turns=PASSAGES.turns[:-1],
    records=(*PASSAGES.records[:-1], Told("question", "Should retries be capped?", lacks=("Who owns",))),
)
# What `codex exec` says in another run is captured by itself: the question stands there before it is answered.
IN_RUNS = PASSAGES._replace(
    name="p7 in runs",
    records=(*PASSAGES.records, Told("question", "Should retries be capped?", lacks=("Who owns", "cap them"))),
)

SESSIONS = (UNANSWERED, WRITES, RESUMES, FORKS, DELEGATES, KILLED, COMPACTED, TOGETHER, NATURAL, ORDINARY, PASSAGES)


def faults(session: Session, entries: Sequence[Entry], lines: Sequence[str]) -> list[str]:
    """Return what is wrong with the entries of a session whose transcript has these lines."""
    wrong = []
    left = [entry for entry in entries if kinds.is_record(entry.kind) or entry.kind == "fix"]
    for told in session.records:
        entry = next((entry for entry in left if _is(entry, told)), None)
        if entry is None:
            wrong.append(f"missing: {told.kind} {told.words!r} because {told.why!r}")
        else:
            left.remove(entry)
            wrong += _faults(entry, told, lines)
    wrong += [f"not said: {entry.kind} {entry.words!r} {entry.fields}" for entry in left]
    texts = "\n".join(entry.words for entry in entries)
    wrong += [f"not kept: {words}" for words in session.keeps if words not in texts]
    wrong += [f"kept: {words}" for words in session.leaves if words in texts]
    return wrong


def _is(entry: Entry, told: Told) -> bool:
    words = f"{entry.words} {entry.field('error')} {entry.field('change')}"
    return entry.kind == told.kind and told.words in words and not any(lack in words for lack in told.lacks)


def _faults(entry: Entry, told: Told, lines: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with a record: its reason, its standing, its line."""
    what = f"{told.kind} {told.words!r}"
    if told.why not in entry.field("why"):
        yield f"{what}: the reason is {entry.field('why')!r}"
    if bool(told.why) != bool(entry.field("why")) and told.kind != "fix":
        yield f"{what}: the reason is {entry.field('why')!r}, not {told.why!r}"
    if entry.noticed != (told.standing == NOTICED):
        yield f"{what}: {'noticed' if entry.noticed else 'stated'}"
    place = entry.field("transcript").rpartition(":")[2]
    first, _, last = place.partition("-")
    span = lines[int(first) - 1 : int(last or first)] if first.isdigit() else []
    if not any((told.line or told.words) in line.replace('\\"', '"') for line in span):
        yield f"{what}: line {place!r} does not say it"
