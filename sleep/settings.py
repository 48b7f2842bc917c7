"""Settings: defaults < `memory/sleep.yaml` < `SLEEP_*` < flags.

Owns every setting with its default and what it means, and is the only reader of the environment. Refuses to read files:
the store hands it what `sleep.yaml` says.
"""

from __future__ import annotations

import os

from sleep.errors import DocumentError, UsageError
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Mapping

FORMAT = 2
CEILING = 60_000
_SHOWN = 60  # characters of a wrong value that are repeated
OFF, ONCE, SCORE = "off", "once", "score"
_CHOICES = {
    "journal_ask": (OFF, ONCE),
    "debt_commits": ("note", OFF, SCORE),
    "sleep_auto": ("", OFF, "suggest", "run"),
}
_LEAST = {"ratio_hot": 1, "ratio_warm": 1, "ratio_cold": 1}  # others may be 0
_ELSEWHERE = frozenset({"relay"})  # groups of sleep.yaml that who needs them reads
_FORMER = frozenset({"debt_score_by"})  # settings of older programs, which may still read the same file
_SESSIONS = ("SLEEP_SESSION", "CLAUDE_CODE_SESSION_ID")
# What the clients set for the commands that their agents run.
_AGENTS = (
    *(*_SESSIONS, "CLAUDECODE", "CLAUDE_PROJECT_DIR", "QWEN_PROJECT_DIR", "QWEN_CODE", "GEMINI_CLI"),
    *("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"),
)
_TRUE, _FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})


class Settings(NamedTuple):
    """Every setting. In `sleep.yaml` `wake_budget` is `budget` under `wake`; in the environment `SLEEP_WAKE_BUDGET`."""

    format: int = 1  # of a file that does not say
    architecture: str = ""
    projects: str = ""
    ratio_hot: float = 2.0
    ratio_warm: float = 3.0
    ratio_cold: float = 10.0
    wake_budget: int = 20_000
    wake_main: int = 2_000
    wake_hot: int = 10_000
    wake_architecture: int = 3_000
    wake_warm: int = 5_000
    keep_hot: int = 2
    keep_warm: int = 10
    warm_tokens: int = 20_000
    topic_tokens: int = 2_000
    git_hooks: bool = True
    git_sign: bool = True
    lock_wait: float = 30.0
    compressor_use: str = "extractive"
    compressor_command: str = ""
    compressor_model: str = ""
    compressor_timeout: float = 300.0
    compressor_calls: int = 12
    compressor_tokens: int = 20_000
    debt_commits: str = "note"
    debt_light: int = 1
    debt_moderate: int = 4
    debt_heavy: int = 9
    debt_drowsy: int = 4
    debt_sleepy: int = 7
    debt_must: int = 10
    debt_cap: int = 50
    sleep_auto: str = ""
    sleep_cooldown: float = 60.0
    sleep_limit: float = 30.0
    sleep_pages: bool = True
    journal_auto: bool = True
    journal_tokens: int = 700
    journal_ask: str = OFF
    review_cycles: int = 5
    review_most: int = 24
    review_stale: int = 30
    recall_inject: bool = False
    recall_inject_budget: int = 400
    recall_vectors: str = ""


MEANING: dict[str, str] = {
    "format": "the format of this memory, written by `init`; a newer one than the program knows is refused",
    "architecture": "the page that `wake` loads as architecture, below the root; empty: memory/architecture.md, "
    "architecture.md or docs/architecture.md, the first that exists",
    "projects": "what is a project of its own in this memory: names with commas between; `off`: nothing is; empty: "
    "what sessions, imports and topics say",
    "ratio_hot": "journal to hot: tokens in for one token out",
    "ratio_warm": "hot to warm",
    "ratio_cold": "warm to cold",
    "wake_budget": "tokens that `wake` may print; 60000 is the most",
    "wake_main": "of which main.md",
    "wake_hot": "of which hot memory",
    "wake_architecture": "of which the architecture page",
    "wake_warm": "of which warm memory, chosen by the task",
    "keep_hot": "instances whose fragments stay hot",
    "keep_warm": "instances after which a warm fragment that no journal refers to goes cold",
    "warm_tokens": "tokens of warm memory above which the least salient goes cold",
    "topic_tokens": "tokens above which a topic file is split",
    "git_hooks": "run your git hooks on the program's commits",
    "git_sign": "sign commits when git is set up to (`commit.gpgsign`)",
    "lock_wait": "seconds to wait for another sleepwake process that writes",
    "compressor_use": "what compresses: `extractive` (calls no program and no model), `command` or `llm`",
    "compressor_command": "the program with its arguments, for `command`; in sleep.yaml only where this is allowed",
    "compressor_model": "the model, for `llm`; in sleep.yaml only where this is allowed",
    "compressor_timeout": "seconds that one call may take",
    "compressor_calls": "the most calls in one sleep",
    "compressor_tokens": "the most tokens in one call; the rest is compressed by `extractive`",
    "debt_commits": "commits since the last sleep that no counted session made: `note` tells of them, `score` makes "
    "them debt too (the files in them are its changes), `off` reads no commits",
    "debt_light": "changes from which a session scores 1",
    "debt_moderate": "changes from which it scores 2",
    "debt_heavy": "changes from which it scores 3",
    "debt_drowsy": "debt from which the level is Drowsy; below it is Alert",
    "debt_sleepy": "debt from which it is Sleepy, and a session start says so",
    "debt_must": "debt from which it is Must Sleep, and a session start tells the agent to sleep",
    "debt_cap": "megabytes of a transcript above which it is not counted",
    "sleep_auto": "sleep by itself at a session start: `off`, `suggest` or `run`; empty: `suggest`, and `run` where "
    "the memory is a repository of its own",
    "sleep_cooldown": "minutes after a sleep in which none starts by itself; a sleep by hand is always possible",
    "sleep_pages": "a sleep adds to the pages that are there: 2.memory.md and CHANGELOG.json in memory/core, and those "
    "of the tasks and features that the journal names",
    "sleep_limit": "seconds that a session start may wait for a sleep of its own or for a missed digest",
    "journal_auto": "write what a session held into its journal when it ends, without a model",
    "journal_tokens": "tokens of such a digest, at most; with more than 8 messages of a person up to three times as "
    "many",
    "journal_ask": "ask the agent at the end of a turn to journal what later sessions must know: `off`, or `once` a "
    "session that did something and journaled nothing; of Claude Code alone",
    "review_cycles": "cycles that a record which was only noticed waits in hot memory for a word, since it was last "
    "said or referred to",
    "review_most": "the most noticed records that may wait",
    "review_stale": "days after which an open task, question, blocker, doubt or thread that no journal comes back to "
    "is stale, counted to the last journal; 0: never",
    "recall_inject": "give the agent, with a prompt, the few passages of the memory that are surely about it; off "
    "until you say so, and then `sleepwake clients.install` once more",
    "recall_inject_budget": "tokens of these, at most",
    "recall_vectors": "an embedding model of the library llm, by which `recall` finds what means nearly the same, too; "
    "empty: words alone; in sleep.yaml only where this is allowed",
}


def resolve(
    file: Mapping[str, object], *, where: str = "memory/sleep.yaml", environ: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings that a parsed `sleep.yaml` and the environment give.

    Raises:
        DocumentError: a name that is no setting, a value of the wrong type, or a format newer than this program's.
        UsageError: the same in a `SLEEP_*` variable.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, object] = {}
    for name, value in _flat(file).items():
        if name in _FORMER:
            continue
        if name not in Settings._fields:
            import difflib  # late: hooks read settings, and this costs 5 ms  # noqa: PLC0415

            near = difflib.get_close_matches(name, Settings._fields, n=1)
            meant = f"; did you mean {_dotted(near[0])}?" if near else ""
            raise DocumentError(
                f"no setting is called {_dotted(name)}{meant}",
                where=where,
                hint="sleepwake help configuration lists them all",
            )
        values[name] = _typed(name, value, DocumentError, where)
    for name in Settings._fields:
        variable = f"SLEEP_{name.upper()}"
        if environ.get(variable):
            values[name] = _typed(name, environ[variable], UsageError, variable)
    settings = Settings(**values)  # type: ignore[arg-type]  # each value was typed by its default
    if settings.format > FORMAT:
        raise DocumentError(
            f"this memory has format {settings.format}, and this program reads {FORMAT}",
            where=where,
            hint="upgrade sleepwake",
        )
    return settings


def _flat(file: Mapping[str, object]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in file.items():
        if key.partition(".")[0] in _ELSEWHERE:
            continue
        if isinstance(value, dict):
            flat.update({f"{key}_{inner}".replace("-", "_"): setting for inner, setting in value.items()})
        elif value is not None:
            flat[key.replace("-", "_").replace(".", "_")] = value  # `git.sign: false`, as hints and pages name it
    return flat


def group_of(name: str) -> str:
    """Return the map of `sleep.yaml` that a setting stands in (`wake` for `wake_budget`), "" for one alone."""
    head, _, rest = name.partition("_")
    return head if rest and sum(field.startswith(f"{head}_") for field in Settings._fields) > 1 else ""


def _dotted(name: str) -> str:
    group = group_of(name)
    return f"{group}.{name.removeprefix(f'{group}_')}" if group else name


def _typed(name: str, value: object, error: type[DocumentError | UsageError], where: str) -> object:
    word, wanted = str(value).strip(), type(Settings._field_defaults[name])
    try:
        if wanted is str and isinstance(value, (list, dict)):
            raise ValueError("text")  # noqa: TRY301  # said as the others are
        return typed(wanted, word, _CHOICES.get(name, ()), _LEAST.get(name, 0))
    except ValueError as wrong:
        shown = word if len(word) <= _SHOWN else f"{word[:_SHOWN]}…"
        raise error(f"{_dotted(name)} is {shown!r} (would be right: {wrong})", where=where) from None


def typed(wanted: type, word: str, choices: tuple[str, ...] = (), least: int = 0) -> object:
    """Return the value of a type (bool, int, float, str) that a word gives; ValueError saying what would be right."""
    numbers = {int: f"a whole number from {least}", float: f"a number from {least}"}
    shape = {bool: "true or false", **numbers}.get(wanted, "text")
    wrong = ValueError(" or ".join(filter(None, choices)) or shape)
    if choices and word not in choices:
        raise wrong
    if wanted is bool:
        if word.lower() not in _TRUE | _FALSE:
            raise wrong
        return word.lower() in _TRUE
    try:
        value = wanted(word)
    except ValueError:
        raise wrong from None
    if wanted is not str and not least <= value < float("inf"):
        raise wrong
    return value


def named_projects(projects: str) -> frozenset[str]:
    """Return the names that the setting of projects lists, in small letters; none where it is empty or `off`."""
    names = (name.strip().casefold() for name in projects.split(","))
    return frozenset(name for name in names if name and projects != OFF)


def root_override() -> str | None:
    """Return `SLEEP_ROOT`, or None."""
    return os.environ.get("SLEEP_ROOT") or None


def session(environ: Mapping[str, str] | None = None) -> str | None:
    """Return the session that binds journal commands to an instance: `SLEEP_SESSION`, the client's own, or None."""
    environ = os.environ if environ is None else environ
    return next((environ[name] for name in _SESSIONS if environ.get(name)), None)


def is_agents() -> bool:
    """Return whether an agent's client runs this command: a person at a terminal has none of its variables."""
    return any(os.environ.get(name) for name in _AGENTS)


def is_from_environment(name: str, environ: Mapping[str, str] | None = None) -> bool:
    """True if a setting's value was given on this machine, as a `SLEEP_*` variable, and not by a tracked file."""
    return bool((os.environ if environ is None else environ).get(f"SLEEP_{name.upper()}"))


def is_off() -> bool:
    """True if `SLEEP_OFF` silences every hook."""
    return os.environ.get("SLEEP_OFF", "").strip().lower() in _TRUE


def environment() -> Mapping[str, str]:
    """Return the whole environment, for those who look for secrets in it, or hand it on to a program."""
    return os.environ
