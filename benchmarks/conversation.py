"""What survives the consolidation of a conversation, and what it costs.

    python benchmarks/conversation.py [--quick] [--seeds N] [--data DIRECTORY] [--against CHECKOUT]

A made history of some 22,000 tokens holds 48 facts in 8 forms and some secrets, all outside its first request and its
last messages. It is consolidated to 20 % of its tokens; then three times as much talk again is added and consolidated
to the same target. A fact survives when its telling words stand together in what is left. Beside it stand
`compatible`, cutting off the oldest messages, and, where LangChain is installed, its summarisation middleware with a
model that says nothing (so what survives is what its trim leaves) and its edit that clears tool uses.

Then a log of up to 20,000 tokens is pasted into the last messages of a history of 30,000 tokens in all, by a person, by
a tool, and as what an agent gives to a call: at every size at least 40 of the 48 facts are left.

The forms are worded apart from the cues in `sleep/language/data`: the generator imports nothing of the
program, and its phrases were written from what people and tools say. Times are processor time, beside that of
`compatible`, and with `--against` in turns with another checkout's; exits with 1 when a bar is missed.
"""

# ruff: noqa: PLC0415  # what is measured is loaded by who measures it, and LangChain where it is there

from __future__ import annotations

import argparse
import glob
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_TIME = "--time"  # with a checkout: print what 30,000 tokens take there, nothing else
sys.path.insert(0, sys.argv[2] if sys.argv[1:2] == [_TIME] else PROGRAM)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Message = dict[str, Any]
TOKENS = 22_000
PART = 0.2
FORMS = (
    "tool head",
    "tool end",
    "keyword",
    "short order",
    "long constraint",
    "decision",
    "open or to do",
    "error and name",
)
_FIRST, _AFTER, _ROUNDS = 46, 44, 3
_PASTES = (0, 500, 1_000, 2_000, 5_000, 9_000, 11_000, 12_125, 15_000, 20_000)
_WHOLE, _PASTED = 30_000, 40  # tokens of a history with a paste, and the facts that are left of it at the least
_TURNS = 5
_SAID = 0.68  # of the tokens of a scene, those that its messages say: the rest is their form
_SMALL, _LARGE = 0.003, 0.3  # seconds: 30,000 tokens, and ten million characters
_NAMES = """
    kestrel osprey heron plover avocet dunlin curlew gannet petrel shrike wagtail siskin linnet bunting fulmar
    merlin hobby harrier bittern egret spoonbill godwit whimbrel ruff teal wigeon pintail gadwall smew goosander
    eider scoter scaup pochard grebe diver skua tern guillemot razorbill puffin wryneck nightjar swift hoopoe
    oriole dipper wren robin whinchat stonechat wheatear redstart fieldfare redwing blackcap chiffchaff
    firecrest treecreeper nuthatch jay chough rook raven crossbill
"""
_NOUNS = [
    "the importer",
    "the session table",
    "the login page",
    "the nightly export",
    "the parser",
    "the search index",
    "the invoice view",
    "the retry loop",
    "the upload form",
    "the audit trail",
]
_SAY = (
    "Looking at {n} now and reading through how it is put together.",
    "This part of {n} is larger than I thought, there are several layers in it.",
    "{n} goes through three stages and each of them copies its input.",
    "I have read about half of {n} so far and it looks regular.",
    "The names in {n} follow the same pattern as everywhere else here.",
    "Next I am opening {n} and its neighbours to see who calls it.",
    "Most of {n} was written at one time, the style is the same all over.",
    "There is a comment at the top of {n} that explains the layout.",
    "The flow in {n} is the usual one: read, transform, write.",
    "I am going through {n} line by line and taking it in.",
)
_ASK = (
    "Go on.",
    "Thanks, continue.",
    "Fine.",
    "Carry on with it please.",
    "Sounds good.",
    "And the next one?",
    "Yes.",
    "Good, go ahead.",
)
_ROW = (
    "row {a} of the listing, value {b}",
    "copied block {a} in {b} ms",
    "  {a}: entry with {b} fields",
    "visited node {a} ({b} children)",
)


class Fact(NamedTuple):
    """A planted fact: its form, the words that must stand together, and the messages that tell it."""

    form: str
    telling: str
    messages: list[Message]


class Scene(NamedTuple):
    """A made history: its messages, what was planted, and the secrets in it."""

    messages: list[Message]
    facts: list[Fact]
    secrets: list[str]


class Maker:
    """Makes histories from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = _NAMES.split()
        self._random.shuffle(self._names)
        self._calls = 0

    def scene(self, tokens: int = TOKENS) -> Scene:
        """Return a history with six facts of each form, spread over its middle."""
        facts = [self._fact(form, number) for number in range(6) for form in FORMS]
        self._random.shuffle(facts)
        secrets = [self._secret(number) for number in range(6)]
        planted = [*((one.messages) for one in facts), *secrets_told(secrets)]
        self._random.shuffle(planted)
        body: list[Message] = []
        share = tokens / (len(planted) + 1)
        for messages in planted:
            body += self.filler(share - size(messages))
            body += messages
        first = {
            "role": "user",
            "content": "Please rework the billing area of this shop so that it can be sold in two more countries.",
        }
        return Scene([first, *body, *self.filler(900), {"role": "user", "content": "What is left?"}], facts, secrets)

    def filler(self, tokens: float) -> list[Message]:
        """Return talk of some tokens that says nothing: prose, calls with their results, and a person's nods."""
        out: list[Message] = []
        while size(out) < tokens:
            pick = self._random.random()
            if pick < 0.45:
                out += self._call(
                    self._random.choice(("read_file", "shell", "grep")), self._rows(self._random.randint(4, 14))
                )
            elif pick < 0.85:
                out.append(
                    {"role": "assistant", "content": " ".join(self._say() for _ in range(self._random.randint(2, 5)))}
                )
            else:
                out.append({"role": "user", "content": self._random.choice(_ASK)})
        return out

    def long(self, characters: int, tool: str = "read_file") -> list[Message]:
        """Return talk of some characters in messages of some 1,000, of which two in three are what a tool printed."""
        out: list[Message] = []
        have = 0
        while have < characters:
            if self._random.random() < 2 / 3:
                some = self._call(tool, self._rows(self._random.randint(20, 60)))
            else:
                said = " ".join(self._say() for _ in range(self._random.randint(8, 20)))
                some = [{"role": self._random.choice(("assistant", "assistant", "user")), "content": said}]
            out += some
            have += len(some[-1]["content"])
        return out

    def _say(self) -> str:
        text = self._random.choice(_SAY).format(n=self._random.choice(_NOUNS))
        return text[0].upper() + text[1:]

    def _rows(self, count: int) -> str:
        form = self._random.choice(_ROW)
        return "\n".join(
            form.format(a=self._random.randint(1, 999), b=self._random.randint(1, 99)) for _ in range(count)
        )

    def _call(self, name: str, result: str) -> list[Message]:
        self._calls += 1
        call = {
            "id": f"call_{self._calls}",
            "type": "function",
            "function": {"name": name, "arguments": '{"path": "src"}'},
        }
        return [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"call_{self._calls}", "name": name, "content": result},
        ]

    def _fact(self, form: str, number: int) -> Fact:
        name, figure = self._names.pop(), self._random.randint(1_000, 9_999)
        return Fact(form, *getattr(self, "_" + form.replace(" ", "_"))(name, figure, number))

    def _tool_head(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        telling = (
            f"{figure} objects moved to s3://{name}-store",
            f"listening on {name}.internal:{figure}",
            f"schema {name} is at revision {figure}",
            f"archive {name}-{figure}.tgz written",
            f"lease of {name} taken for {figure} s",
            f"{name}: {figure} of 9999 shards assigned",
        )[number]
        return telling, self._call("shell", f"{telling}\n{self._rows(self._random.randint(10, 18))}")

    def _tool_end(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        telling = (
            f"collected 312 items, 3 did not pass in test_{name}.py at {figure}",
            f"make: *** [{name}] stopped with status {figure}",
            f"E   AssertionError: {name} gave {figure}",
            f"total for {name} {figure} kB",
            f"{name} exited with code {figure}",
            f"Segmentation violation near {name}+{figure}",
        )[number]
        return telling, self._call("shell", f"{self._rows(self._random.randint(14, 24))}\n{telling}")

    def _keyword(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        word = ("result", "found", "created", "updated", "decided", "output")[number]
        telling = f"{word}: {name} has {figure} rows"
        return telling, [{"role": "assistant", "content": f"{self._say()}\n{telling}\n{self._say()}"}]

    def _short_order(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        telling = (
            f"Rename the {name} flag to {name}_{figure}",
            f"Look into {name} as well, ticket {figure}",
            f"Put {name} on port {figure}",
            f"Give {name} {figure} MB of memory",
            f"Tell me when {name} reaches {figure}",
            f"Use the {name} fixture from run {figure}",
        )[number]
        return telling, [{"role": "user", "content": telling}]

    def _long_constraint(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        telling = (
            f"whatever happens, nothing may write to the {name} ledger after {figure} UTC",
            f"{name} stays on version {figure} for the auditors, there is no way around that",
            f"I want to be asked before anybody runs the {name} job for more than {figure} accounts",
            f"the {name} endpoint has to answer within {figure} microseconds, legal signed that",
            f"nobody outside the team is to see the {name} figures of quarter {figure}",
            f"leave {name} as it is until contract {figure} has run out",
        )[number]
        around = "I talked to finance this morning and they were quite clear on one thing, so please take it to heart as we go through all of this:"  # noqa: E501  # one sentence
        return telling, [
            {
                "role": "user",
                "content": f"{around} {telling}. Apart from that I am happy and have nothing to add for the moment.",
            }
        ]

    def _decision(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        telling = (
            f"Decision: {name} keeps its own pool of {figure} workers",
            f"we will go with {name} because it needs only {figure} lines",
            f"I settled on {name} over the hand-written one, {figure} calls use it",
            f"After weighing both, {name} it is, capped at {figure}",
            f"The choice fell on {name} with a window of {figure}",
            f"Let us take {name} and drop the {figure} variant",
        )[number]
        return telling, [{"role": "assistant", "content": f"{self._say()} {telling}. {self._say()}"}]

    def _open_or_to_do(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        telling = (
            f"TODO: backfill {name} from day {figure}",
            f"Should {name} be billed under account {figure}?",
            f"It is not clear yet whether {name} may exceed {figure}",
            f"Still missing: the {name} migration for {figure} users",
            f"Does anybody know who owns {name} since ticket {figure}?",
            f"We have to come back to {name} once {figure} is merged",
        )[number]
        return telling, [{"role": "assistant", "content": f"{self._say()} {self._say()}\n{telling}\n{self._say()}"}]

    def _error_and_name(self, name: str, figure: int, number: int) -> tuple[str, list[Message]]:
        if number < 3:
            telling = (
                f"the {name} import failed on record {figure}",
                f"error: {name} refused the handshake after {figure} ms",
                f"the crash in {name} was caused by a stale cache of {figure} entries",
            )[number]
            return telling, [
                {
                    "role": "assistant",
                    "content": f"{self._say()} {telling}. Clearing it and running again went through.",
                }
            ]
        path = f"services/{name}/conf_{figure}.toml"
        told = {
            "role": "assistant",
            "content": f"{self._say()}\nThe settings of that part live in {path}\n{self._say()}",
        }
        used = self._call("read_file", self._rows(3))
        used[0]["tool_calls"][0]["function"]["arguments"] = json.dumps({"path": path})
        return path, [told, *self.filler(200), *used]

    def _secret(self, number: int) -> str:
        token = "".join(
            self._random.choice("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789") for _ in range(36)
        )
        return (
            f"ghp_{token}",
            f"AKIA{token[:16].upper()}",
            f"sk-proj-{token}",
            f"Vx{token[:14]}!7",
            f"xoxb-{'12345678901'}-{'12345678902'}-{token[:24]}",
            f"glpat-{token[:20]}",
        )[number]


def secrets_told(secrets: Sequence[str]) -> list[list[Message]]:
    """Return the messages that tell secrets, as people and tools do."""
    forms: list[Message] = [
        {"role": "user", "content": f"Use {secrets[0]} for the clone."},
        {"role": "assistant", "content": f"created: profile with access key {secrets[1]}"},
        {"role": "user", "content": f"the key is {secrets[2]}"},
        {"role": "user", "content": f"password: {secrets[3]}"},
        {"role": "assistant", "content": f"result: posted with {secrets[4]}"},
        {"role": "assistant", "content": f"Decision: the runner gets {secrets[5]} until Friday"},
    ]
    return [[one] for one in forms]


def size(messages: Sequence[Message]) -> int:
    """Return tokens, four characters each."""
    return (
        sum(
            len(str(one.get("content") or ""))
            + sum(len(call["function"]["arguments"]) for call in one.get("tool_calls", ()))
            for one in messages
        )
        // 4
    )


def surviving(facts: Sequence[Fact], messages: Sequence[Message]) -> list[Fact]:
    """Return the facts whose telling words stand together in what is left."""
    left = "\n".join(said(one) for one in messages)
    return [one for one in facts if one.telling in left]


def said(message: Message) -> str:
    """Return all that a message says, its calls too."""
    return f"{message.get('content') or ''} {json.dumps(message.get('tool_calls', ''), ensure_ascii=False)}"


def split_pairs(messages: Sequence[Message]) -> int:
    """Return how many results stand without their call, or calls before a result of another without theirs."""
    called: set[str] = set()
    answered = set()
    split = 0
    for one in messages:
        called.update(call["id"] for call in one.get("tool_calls") or ())
        if one.get("role") == "tool":
            answered.add(one["tool_call_id"])
            split += one["tool_call_id"] not in called
    return split + len(called - answered)


# --- who is measured -------------------------------------------------------------------------------------------------


def ours(messages: list[Message], target: int) -> list[Message]:
    """Consolidate with the default strategy."""
    from sleep.conversation import MemoryConsolidator

    return MemoryConsolidator(max_tokens=target, target_pct=1.0).consolidate(messages, "")[0]


def compatible(messages: list[Message], target: int) -> list[Message]:
    """Consolidate with the strategy `compatible`; it knows no target."""
    from sleep.conversation import MemoryConsolidator

    return MemoryConsolidator(max_tokens=target, strategy="compatible").consolidate(messages, "")[0]


def truncated(messages: list[Message], target: int) -> list[Message]:
    """Leave out the oldest messages until it fits."""
    at = 0
    while at < len(messages) - 1 and size(messages[at:]) > target:
        at += 1
    return messages[at:]


def _langchain(messages: list[Message], middleware: Any) -> list[Message]:  # noqa: ANN401  # LangChain is an extra
    from langchain_core.messages import convert_to_messages, convert_to_openai_messages

    given = convert_to_messages(messages)
    for number, one in enumerate(given):
        one.id = str(number)
    done = middleware.before_model({"messages": given}, None)
    left = given if done is None else [one for one in done["messages"] if one.type != "remove"]
    return convert_to_openai_messages(left)


def summarised(messages: list[Message], target: int) -> list[Message]:
    """LangChain's summarisation with a model that says nothing: what it keeps of the messages."""
    from langchain.agents.middleware import SummarizationMiddleware
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    middleware = SummarizationMiddleware(
        model=FakeListChatModel(responses=["(nothing)"]), trigger=("tokens", target), keep=("tokens", target - 50),
        token_counter=lambda some: sum(len(str(one.content)) for one in some) // 4,
    )  # fmt: skip
    return _langchain(messages, middleware)


def cleared(messages: list[Message], target: int) -> list[Message]:
    """LangChain's edit that clears the results of tools, oldest first, keeping three."""
    from langchain.agents.middleware import ClearToolUsesEdit
    from langchain_core.messages import convert_to_messages, convert_to_openai_messages

    given = convert_to_messages(messages)
    ClearToolUsesEdit(trigger=target, keep=3).apply(
        given, count_tokens=lambda some: sum(len(str(one.content)) for one in some) // 4
    )
    return convert_to_openai_messages(given)


class Real(Maker):
    """Makes histories whose talk is that of real transcripts, so that much of it is worth keeping too."""

    def __init__(self, seed: int, said: Sequence[tuple[str, str]]) -> None:
        super().__init__(seed)
        self._said = said

    def filler(self, tokens: float) -> list[Message]:
        """Return talk of some tokens, as it was said in many conversations."""
        out: list[Message] = []
        while size(out) < tokens:
            role, text = self._random.choice(self._said)
            out += self._call("Bash", text) if role == "tool" else [{"role": role, "content": text}]
        return out


def said_in(folder: str) -> list[tuple[str, str]]:
    """Return (role, text) of what stands in the transcripts of Claude Code in a folder."""
    from sleep.conversation.messages import loader, shapes

    found = []
    for path in sorted(glob.glob(os.path.join(folder, "cli_*.jsonl"))):
        with open(path, "rb") as file:
            turns = [shapes.read_turn(message) for message in loader.read(file.read()).messages]
        for turn in turns:
            for part in turn.parts:
                role = {"text": turn.role, "result": "tool"}.get(part.kind, "")
                if role and part.text.strip() and (role != "user" or len(part.text) < 600):
                    found.append((role, part.text[: 2_500 if role == "tool" else 1_500]))
    return found


def with_paste(maker: Maker, tokens: int, by: str) -> Scene:
    """Return a history of 30,000 tokens with a log in its last messages, pasted `by` user, tool or call."""
    scene = maker.scene(int((_WHOLE - tokens) * _SAID))
    rows = (
        f"2026-01-01 12:{row // 60 % 60:02}:{row % 60:02} worker-{row % 7} INFO handled item {row * 37 % 1_000}"
        for row in range(tokens // 10)
    )
    log = "\n".join(rows)[: tokens * 4]
    if not log:
        return scene
    if by == "user":
        pasted: list[Message] = [{"role": "user", "content": f"This is what it printed:\n{log}"}]
    elif by == "tool":
        pasted = maker._call("shell", log)  # noqa: SLF001  # of this module
    else:
        pasted = maker._call("write_file", "written")  # noqa: SLF001  # same
        pasted[0]["tool_calls"][0]["function"]["arguments"] = json.dumps({"path": "log.txt", "content": log})
    return scene._replace(messages=[*scene.messages[:-1], *pasted, scene.messages[-1]])


class Lived(NamedTuple):
    """What became of a scene: facts left after each round, tokens and target, split pairs, secrets told."""

    left: list[int]
    by_form: dict[str, int]
    tokens: list[int]
    target: int
    split: int
    secrets: int


def live(maker: Maker, way: Callable[[list[Message], int], list[Message]]) -> Lived:
    """Consolidate a scene once, and three times more with new talk."""
    scene = maker.scene()
    target = int(size(scene.messages) * PART)
    now = scene.messages
    left, sizes, split, secrets = [], [], 0, 0
    for number in range(1 + _ROUNDS):
        if number:
            now = [*now, *maker.filler(TOKENS - size(now))]
        now = way(now, target)
        kept = surviving(scene.facts, now)
        left.append(len(kept))
        sizes.append(size(now))
        split += split_pairs(now)
        secrets += sum(one in "\n".join(map(said, now)) for one in scene.secrets)
        if not number:
            by = {form: sum(one.form == form for one in kept) for form in FORMS}
    return Lived(left, by, sizes, target, split, secrets)


def ways() -> dict[str, Any]:
    """Return who is measured, by name."""
    found: dict[str, Any] = {"sleep, default": ours, "sleep, compatible": compatible, "oldest cut off": truncated}
    if importlib.util.find_spec("langchain") is not None:
        found |= {"LangChain, summarisation": summarised, "LangChain, clear tool uses": cleared}
    return found


def speed(*, quick: bool) -> list[tuple[str, float, float]]:
    """Return (what, seconds, bar): the least of some runs."""
    from sleep.conversation import MemoryConsolidator

    maker = Maker(7)
    rows = []
    for what, messages, runs, bar in (
        ("30,000 tokens", maker.long(120_000), 40, _SMALL),
        ("10 million characters", maker.long(1_000_000 if quick else 10_000_000), 5, _LARGE),
    ):
        consolidator = MemoryConsolidator()
        best = 9.0
        for _ in range(runs):
            start = time.process_time()
            consolidator.consolidate(messages, "")
            best = min(best, time.process_time() - start)
        rows.append((f"{what} ({len(messages):,} messages)", best, bar))
    return rows


def least(strategy: str = "default", runs: int = 40, tool: str = "read_file") -> float:
    """Return the least seconds that 30,000 tokens take in which a tool printed two thirds."""
    from sleep.conversation import MemoryConsolidator

    messages = Maker(7).long(120_000, tool)
    consolidator = MemoryConsolidator(strategy=strategy)
    best = 9.0
    for _ in range(runs):
        start = time.process_time()
        consolidator.consolidate(messages, "")
        best = min(best, time.process_time() - start)
    return best


def in_turns(other: str) -> None:
    """Print what 30,000 tokens take here and in another checkout, some times in turns: read in files, and printed."""
    for tool in ("read_file", "shell"):
        figures: dict[str, list[float]] = {"here": [], "there": []}
        for _ in range(_TURNS):
            for name, tree in (("there", other), ("here", PROGRAM)):
                words = [sys.executable, os.path.abspath(__file__), _TIME, os.path.abspath(tree), tool]
                answer = subprocess.run(words, check=True, capture_output=True, text=True)  # this program
                figures[name].append(float(answer.stdout) * 1_000)
        for name, times in figures.items():
            print(f"{f'30,000 tokens, {tool}, {name}':45}" + "".join(f"{figure:9.2f}" for figure in times) + " ms")
        print(f"{'here / there':45}{min(figures['here']) / min(figures['there']):9.2f}")


def _table(title: str, seeds: Sequence[int], make: Callable[[int], Maker]) -> list[str]:
    """Print what survives, a line for each way; return who missed a bar."""
    missed = []
    print(f"48 facts in 8 forms in {TOKENS:,} tokens of {title}, to {PART:.0%}: least / median of {len(seeds)} seeds\n")
    print(f"{'':28}{'round 1':>12}{'round 4':>12}{'tokens/target':>16}{'split':>7}{'secrets':>9}")
    for name, way in ways().items():
        lives = [live(make(seed), way) for seed in seeds]
        one, four = [each.left[0] for each in lives], [each.left[-1] for each in lives]
        worst = max(max(each.tokens) / each.target for each in lives)
        split, told = sum(each.split for each in lives), sum(each.secrets for each in lives)
        figures = [f"{min(some)} / {statistics.median(some):g}" for some in (one, four)]
        print(f"{name:28}{figures[0]:>12}{figures[1]:>12}{worst:>15.0%} {split:>6}{told:>9}")
        if name == "sleep, default":
            forms = {form: sum(each.by_form[form] for each in lives) / len(lives) for form in FORMS}
            if min(one) < _FIRST or min(four) < _AFTER or worst > 1 or split or told:
                missed.append(f"{name} ({title})")
    print("\nsleep, default, round 1: " + ", ".join(f"{form} {figure:.1f}" for form, figure in forms.items()) + "\n")
    return missed


def _paste_table(title: str, seeds: Sequence[int], make: Callable[[int], Maker]) -> list[str]:
    """Print what survives beside a paste, a column for each size; return who missed a bar."""
    from sleep.conversation import MemoryConsolidator

    missed = []
    print(f"48 facts in {_WHOLE:,} tokens of {title} with a paste in the last messages: least of {len(seeds)} seeds\n")
    print(f"{'tokens of the paste':28}" + "".join(f"{size:>8,}" for size in _PASTES))
    for by in ("user", "tool", "call"):
        least = []
        for tokens in _PASTES:
            scenes = [with_paste(make(seed), tokens, by) for seed in seeds]
            outcomes = [MemoryConsolidator().outcome(scene.messages) for scene in scenes]
            pairs = zip(scenes, outcomes, strict=True)
            least.append(min(len(surviving(scene.facts, outcome.messages)) for scene, outcome in pairs))
            if least[-1] < _PASTED or not all(outcome.report.fits for outcome in outcomes):
                missed.append(f"a paste of {tokens:,} by {by} ({title})")
        print(f"{f'pasted by {by}':28}" + "".join(f"{figure:>8}" for figure in least))
    print()
    return missed


def main() -> int:
    """Print the tables; 1 when a bar is missed."""
    if sys.argv[1:2] == [_TIME]:
        print(least(tool=sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one seed, and a tenth of the characters")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--data", help="also with the talk of the transcripts in this folder")
    parser.add_argument("--against", help="another checkout, whose time is taken in turns with this one's")
    given = parser.parse_args()
    seeds = range(1, 2 if given.quick else given.seeds + 1)
    missed = _table("made talk", seeds, Maker) + _paste_table("made talk", seeds, Maker)
    if given.data:
        said = said_in(given.data)
        missed += _table("talk of real transcripts", seeds, lambda seed: Real(seed, said))
        missed += _paste_table("talk of real transcripts", seeds, lambda seed: Real(seed, said))
    for what, seconds, bar in speed(quick=given.quick):
        bar_ = bar / 10 if given.quick and "million" in what else bar
        print(f"{what:45}{seconds * 1000:9.2f} ms   (bar {bar_ * 1000:g} ms)")
        if seconds > bar_:
            missed.append(what)
    print(f"{'30,000 tokens, compatible':45}{least('compatible') * 1_000:9.2f} ms")
    if given.against:
        in_turns(given.against)
    print(f"\nmissed: {', '.join(missed)}" if missed else "\nall bars are met")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
