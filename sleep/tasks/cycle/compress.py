"""`compress`: any Markdown, shorter."""

from __future__ import annotations

from sleep.compression import document
from sleep.errors import UsageError
from sleep.language import tokens
from sleep.store import files
from sleep.tasks.arguments import content, decimal, number, prose
from sleep.tasks.output import facts, say
from sleep.tasks.task import task


@task(
    "compress",
    plain=("file",),
    help={
        "file": "the Markdown to compress; default: standard input (sleepwake also takes it as a plain word)",
        "ratio": "to 1/RATIO of its characters; default 2",
        "budget": "tokens to print at the most, in place of a ratio",
    },
)
def compress(file: str = "", ratio: str = "", budget: str = "", json: bool = False) -> None:
    """Print Markdown compressed: its own whole sentences and items, those that say most, in their order.

    Example: sleepwake compress docs/architecture.md --ratio 6
    """
    if ratio and budget:
        raise UsageError("--ratio and --budget exclude each other")
    text = _read(file)
    tokens_ = number(budget, "budget")
    short = (
        _within(text, tokens_) if tokens_ is not None else _to(text, int(len(text) / (decimal(ratio, "ratio") or 2)))
    )
    if json:
        return facts({"text": short, "characters": len(short), "of": len(text)})
    return say(short) if short else None


def _read(file: str) -> str:
    return files.decode(content(file)) if file else prose("-")


def _to(text: str, characters: int) -> str:
    """Return a text within so many characters, of which the last line's end is one."""
    return document.compress(text, max(0, characters - 1)).rstrip("\n")


def _within(text: str, budget: int) -> str:
    """Return a text within so many tokens; of CJK a token is a character, so the characters are told by trying."""
    characters = budget * tokens.CHARACTERS
    while True:
        short = _to(text, characters)
        over = tokens.count(short) - budget
        if over <= 0:
            return short
        characters -= max(over, characters // 10)


TASKS = (compress,)
