"""The criteria of the requirements, each with the test that shows it: what `docs/requirements.md` is made of.

Owns reading the docstrings of `tests/requirements/` and the table of each document. A docstring is `NUMBER: WORDS`, and
below it `Deviates: docs/PAGE.md` or `Deviates: ADR N` where the program does otherwise on purpose. Refuses a criterion
without a number, and a decision that is not there.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from dev import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER = ROOT / "tests" / "requirements"
DOCUMENTS = (
    ("test_sleep_debt.py", "Sleep debt"),
    ("test_conversation_consolidation.py", "Consolidating a conversation"),
    ("test_sleep_architecture.py", "The architecture of sleep"),
    ("test_context_snapshot.py", "The snapshot"),
    ("test_sleep_wake_markers.py", "Markers of sleep in a chat"),
    ("test_design_card.py", "The design card"),
)
_RUNS = {"do": "sleepwake {}", "facts": "sleepwake {}", "inv": "inv {}", "hook": "sleepwake hook {}"}
_FORM = re.compile(r"(\d[\da-z.]*): (.+?)(?:\n\nDeviates: (.+))?", re.DOTALL)


class Criterion(NamedTuple):
    """A criterion: number, words, where a deviation is written down ("" if it is met), and what is owed.

    `commands` are those that the test runs, as a person types them.
    """

    number: str
    words: str
    deviation: str
    owed: str
    commands: tuple[str, ...]


def page() -> str:
    """Return how many criteria each document has and which are not met as asked, then its table, as Markdown.

    The text ends with a newline.
    """
    totals = ["| document | criteria | deviates, or not met | tests |", "| --- | --- | --- | --- |"]
    parts = []
    for name, title in DOCUMENTS:
        criteria = read(name)
        other = [criterion.number for criterion in criteria if criterion.deviation or criterion.owed]
        totals.append(f"| {title} | {len(criteria)} | {', '.join(other)} | `tests/requirements/{name}` |")
        head = ["| | criterion | verdict | with |", "| --- | --- | --- | --- |"]
        parts.append("\n".join([f"## {title}", "", *head, *map(_row, criteria), ""]))
    return "\n".join([*totals, "", *parts])


def read(name: str) -> list[Criterion]:
    """Return the criteria of a document's file of tests, in their order.

    Raises:
        ValueError: A test's docstring has not the form, or its name is not that of its number.
    """
    tree = ast.parse((FOLDER / name).read_text(encoding="utf-8"))
    return [_criterion(node) for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"]


def _criterion(node: ast.FunctionDef) -> Criterion:
    match = _FORM.fullmatch(ast.get_docstring(node) or "")
    if not match:
        raise ValueError(f"{node.name}: the docstring is not `NUMBER: WORDS` (and `Deviates: WHERE`)")
    number, words, deviation = match.groups()
    if node.name != f"test_{number.replace('.', '_')}":
        raise ValueError(f"{node.name}: the test of {number} is called after its number")
    return Criterion(number, " ".join(words.split()), deviation or "", next(_owed(node), ""), _commands(node))


def _commands(node: ast.FunctionDef) -> tuple[str, ...]:
    """Return the commands that a test names where it runs them, each once."""
    calls = (call for call in ast.walk(node) if isinstance(call, ast.Call) and call.args)
    return tuple(command for command in dict.fromkeys(map(_command, calls)) if command)


def _command(call: ast.Call) -> str:
    """Return what a call of a method of the fixture `clerk` runs, or ""."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    word = call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
    return _RUNS[name].format(word) if name in _RUNS and word and word != "hook" else ""


def _owed(node: ast.FunctionDef) -> Iterator[str]:
    """Yield the reason of each mark that says the test is known to fail."""
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.xfail":
            yield from (str(ast.literal_eval(word.value)) for word in mark.keywords if word.arg == "reason")


def _row(criterion: Criterion) -> str:
    verdict = f"deviates: {_link(criterion.deviation)}" if criterion.deviation else "met"
    verdict = f"not met: {criterion.owed}" if criterion.owed else verdict
    commands = ", ".join(f"`{command}`" for command in criterion.commands)
    cells = (criterion.number, criterion.words.rstrip("."), verdict, commands)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _link(where: str) -> str:
    """Return the link from a page of `docs/` to what explains a deviation."""
    if where.startswith("docs/"):
        return f"[{where}]({where.removeprefix('docs/')})"
    (decision,) = _decisions(int(where.removeprefix("ADR ")))
    return f"[{where}](adr/{decision.name})"


def _decisions(number: int) -> list[Path]:
    return list((ROOT / "docs" / "adr").glob(f"{number:04}-*.md"))
