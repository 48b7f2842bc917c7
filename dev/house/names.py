"""What things may be called: nouns for modules and values, verbs for functions, and no base name twice.

Owns the words that are refused: as the last word of a module, a function or a constant, and as a variable, an argument
or a field. Members of enums are exempt, and so are `is_told`, a question, and the options of a task. Modules that
mirror each other may share a base name: those of `tasks` with the room that they drive, and a client's in `clients` and
`transcripts`.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dev.house.sources import Source

# Participles and gerunds that stood for things, and words that stand for anything.
_REFUSED = frozenset(
    (
        "asking",
        "coming",
        "ever",
        "found",
        "given",
        "hearing",
        "heard",
        "kept",
        "lost",
        "said",
        "taken",
        "telling",
        "told",
    )
)
_ANYTHING = frozenset({"one"})
# Nouns of this form.
_NOUNS = frozenset(
    ("binding", "briefing", "embedding", "finding", "heading", "meaning", "opening", "ring", "spelling", "string")
)
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_MIRRORS = ("sleep.clients.", "sleep.transcripts.")


def offences(sources: Sequence[Source]) -> dict[tuple[str, str], int]:
    """Return by rule and name what is refused, and how often it stands there."""
    offences = {}
    for source in sources:
        if _is_refused(source.base) or _is_gerund(source.base):
            offences["module", source.name] = 1
        offences |= {("name", f"{source.name}.{name}"): 1 for name in _top_level(source.tree) if _is_refused(name)}
        values = Counter(name.strip("_") for name in _values(source.tree))
        offences |= {
            ("value", f"{source.name}:{name}"): values[name] for name in sorted(_REFUSED | _ANYTHING) if values[name]
        }
    return offences | _doubles(sources)


def _is_refused(name: str) -> bool:
    words = name.lower().strip("_").split("_")
    return words[-1] in _REFUSED and words[0] != "is"


def _is_gerund(base: str) -> bool:
    return base.endswith("ing") and base.rpartition("_")[2] not in _NOUNS


def _doubles(sources: Sequence[Source]) -> dict[tuple[str, str], int]:
    """Return the base names that several modules of one program have which do not mirror each other."""
    places = defaultdict(set)
    for source in sources:
        if not source.name.startswith("sleep.tasks.") and source.base != "sleep":
            is_mirror = source.name.startswith(_MIRRORS)
            program = source.name.partition(".")[0]
            places[program, source.base].add("sleep.clients" if is_mirror else source.name)
    return {("base", base): len(names) for (_, base), names in places.items() if len(names) > 1}


def _top_level(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _targets(node)


def _targets(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _values(tree: ast.AST) -> Iterator[str]:
    """Yield the names that are bound to values, fields of classes and arguments among them."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef) and any(_name(base) in _ENUMS for base in node.bases):
            yield from (name for inner in node.body if isinstance(inner, ast.FunctionDef) for name in _values(inner))
            continue
        if isinstance(node, ast.arguments) and isinstance(tree, ast.FunctionDef) and _is_task(tree):
            continue  # the options of a command, which keep their names
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        yield from _values(node)


def _is_task(function: ast.FunctionDef) -> bool:
    return any(isinstance(call, ast.Call) and _name(call.func) == "task" for call in function.decorator_list)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
