"""How large things may be: lines of a function and of a file, paths through a function, modules of a package.

Owns the limits and how each is counted. Complexity counts what ruff's C901 leaves out too: conditional expressions,
`and` and `or`, and the loops and conditions of comprehensions.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dev.house.sources import Source

FUNCTION, COMPLEXITY, FILE, PACKAGE = 50, 15, 400, 15
_BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def offences(sources: Sequence[Source]) -> dict[tuple[str, str], int]:
    """Return by rule and name what is beyond a limit, and how large it is."""
    offences = {}
    for source in sources:
        if source.lines > FILE:
            offences["file", source.name] = source.lines
        for name, function in _functions(source.tree, source.name):
            if (lines := _lines(function)) > FUNCTION:
                offences["function", name] = lines
            if (paths := complexity(function)) > COMPLEXITY:
                offences["complexity", name] = paths
    modules = Counter(source.package for source in sources if not source.is_package)
    return offences | {("package", name): count for name, count in modules.items() if count > PACKAGE}


def complexity(function: _Function) -> int:
    """Return the number of paths through a function, those through functions inside it left out."""
    return 1 + sum(map(_branches, _own(function)))


def _branches(node: ast.AST) -> int:
    if isinstance(node, _BRANCHES):
        return 1
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    return 1 + len(node.ifs) if isinstance(node, ast.comprehension) else 0


def _own(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _Function):
            yield child
            yield from _own(child)


def _lines(function: _Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _functions(node: ast.AST, inside: str) -> Iterable[tuple[str, _Function]]:
    for child in ast.iter_child_nodes(node):
        name = f"{inside}.{child.name}" if isinstance(child, _Function | ast.ClassDef) else inside
        if isinstance(child, _Function):
            yield name, child
        yield from _functions(child, name)
