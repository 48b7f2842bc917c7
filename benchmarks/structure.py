"""The shape of the program: sizes, what a typical change touches, and how far the four flows reach.

    python benchmarks/structure.py [--checkout DIR]... [--flows]

Prints one table, a column a checkout; without `--checkout` it is this one's. Of each it reads the source alone, so any
commit can be counted, an old one in a worktree. `--flows` also runs sleep, stop, wake and recall of that checkout on a
small memory, each in a process of its own, and counts what they enter.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "sleep"
EXTRAS = ("relay", "conversation", "evaluation")  # packages that the product does without
_LONG, _FILE, _ROOM = 50, 400, 15  # lines of a function, lines of a file, modules of a package


class Change(NamedTuple):
    """A typical change, and the one that is there already of its sort: every file whose code names it takes part.

    `name` is looked for in identifiers and strings, not in comments and docstrings: `is_word` anywhere in a string, and
    as a module's name, else as the whole of it; `is_text` in strings alone. A change of what pages say is looked for
    `in_pages` too, as a pattern in any text.
    """

    what: str
    name: str
    is_word: bool = False
    in_pages: bool = False
    is_text: bool = False


CHANGES = (
    Change("a ratio", r"3:1|ratio_warm: float", in_pages=True),
    Change("a secret rule", "stripe-key"),
    Change("a section of the snapshot", "Dead Ends"),
    Change("a client", "copilot", is_word=True),
    Change("a kind of record", "doubt", is_text=True),
    Change("a kind of prose", "relation"),
    Change("a language", "nl"),
    Change("a form of import", "BANK"),
    Change("what waits for review", "contradiction"),
    Change("a check", "continuity"),
    Change("a setting", "keep_warm"),
    Change("a task", "demo"),
)


class Module(NamedTuple):
    """A module: its path below the checkout, its lines, and its tree."""

    path: str
    lines: int
    tree: ast.Module

    @property
    def package(self) -> str:
        """The room: the first folder below the package, the module's own name where there is none."""
        parts = Path(self.path).with_suffix("").parts
        return parts[1]


class Shape(NamedTuple):
    """What is counted of a checkout, by the name of the row."""

    name: str
    rows: dict[str, str]


def modules(checkout: Path) -> list[Module]:
    """Return the modules of a checkout's package, by path."""
    paths = sorted((checkout / PACKAGE).rglob("*.py"))
    texts = [(str(path.relative_to(checkout)), path.read_text(encoding="utf-8")) for path in paths]
    return [Module(path, text.count("\n"), ast.parse(text)) for path, text in texts]


def touched(checkout: Path, found: Iterable[Module], change: Change) -> list[str]:
    """Return the files of the product whose code names what a change is one of."""
    if change.in_pages:
        said = re.compile(rf"(?<!\w)(?:{change.name})(?!\w)")
        every = [*(checkout / PACKAGE).rglob("*.py"), *(checkout / "docs").glob("*.md"), checkout / "README.md"]
        return [str(path.relative_to(checkout)) for path in every if said.search(path.read_text(encoding="utf-8"))]
    word = re.compile(rf"(?<![\w]){re.escape(change.name)}(?![\w])", re.IGNORECASE)
    return [
        one.path
        for one in found
        if one.package not in EXTRAS
        and any(
            (word.search if change.is_word else word.fullmatch)(name)
            for name in (
                *(strings if change.is_text else names)(one.tree),
                *([Path(one.path).stem] if change.is_word else ()),
            )
        )
    ]


def strings(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module, docstrings left out."""
    texts = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.value


def names(tree: ast.Module) -> Iterator[str]:
    """Yield the identifiers and strings of a module, docstrings left out."""
    yield from strings(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias)):
            yield from node.name.split(".")
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from node.module.split(".")
        else:
            found = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
            if isinstance(found, str):
                yield found


def functions(found: Iterable[Module]) -> Iterator[tuple[str, int, int]]:
    """Yield every function as its place, its lines, and its cyclomatic complexity (McCabe, as `C901` counts)."""
    for module in found:
        for node in ast.walk(module.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                yield f"{module.path}:{node.name}", lines, complexity(node)


def complexity(node: ast.AST) -> int:
    """Return one, and one for each way that a function may branch."""
    ways = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension, ast.match_case)
    return 1 + sum(isinstance(one, ways) for one in ast.walk(node))


def sizes(found: list[Module]) -> dict[str, str]:
    """Return lines, files, base names and functions of the product."""
    own = [one for one in found if one.package not in EXTRAS]
    folders = Counter(str(Path(one.path).parent) for one in own if not one.path.endswith("__init__.py"))
    bases = Counter(Path(one.path).stem for one in own if not one.path.endswith("__init__.py"))
    each = list(functions(own))
    longest = max(each, key=lambda one: one[1])
    hardest = max(each, key=lambda one: one[2])
    widest, count = folders.most_common(1)[0]
    biggest = max(own, key=lambda one: one.lines)
    return {
        "lines of the product": f"{sum(one.lines for one in own):,}",
        "lines with relay, conversation and evaluation": f"{sum(one.lines for one in found):,}",
        "files of the product": str(len(own)),
        "base names that stand twice or more": str(sum(count > 1 for count in bases.values())),
        f"packages of more than {_ROOM} modules": str(sum(count > _ROOM for count in folders.values())),
        "most modules of a package": f"{count} ({widest})",
        f"files of more than {_FILE} lines": str(sum(one.lines > _FILE for one in own)),
        "longest file": f"{biggest.lines} ({biggest.path})",
        f"functions of more than {_LONG} lines": str(sum(lines > _LONG for _, lines, _ in each)),
        "longest function": f"{longest[1]} ({longest[0]})",
        "highest complexity": f"{hardest[2]} ({hardest[0]})",
    }


def rooms(found: Iterable[Module]) -> dict[str, str]:
    """Return lines and files of each room."""
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for one in found:
        lines[one.package] += one.lines
        files[one.package] += 1
    return {f"`{name}`": f"{lines[name]:,} / {files[name]}" for name in sorted(lines)}


def changes(checkout: Path = ROOT) -> dict[str, list[str]]:
    """Return by typical change the files that it touches."""
    found = modules(checkout)
    return {change.what: touched(checkout, found, change) for change in CHANGES}


_TRACER = """
import json, os, sys
here, out, words = sys.argv[1], sys.argv[2], sys.argv[3:]
sys.path.insert(0, here)
own = os.path.join(here, "sleep") + os.sep
files, functions, state = set(), set(), {"moves": 0, "last": ""}
def trace(frame, event, arg):
    if event != "call":
        return
    code = frame.f_code
    if not code.co_filename.startswith(own) or code.co_name in ("<module>", "<lambda>"):
        return
    files.add(code.co_filename)
    functions.add((code.co_filename, code.co_name, code.co_firstlineno))
    if state["last"] != code.co_filename:
        state["moves"] += bool(state["last"])
        state["last"] = code.co_filename
from sleep import __main__
sys.setprofile(trace)
try:
    __main__.main(["sleepwake", *words])
except SystemExit:
    pass
finally:
    sys.setprofile(None)
    with open(out, "w") as file:
        json.dump([len(files), len(functions), state["moves"]], file)
"""
_FLOWS = {
    "sleep": ("sleep",),
    "stop": ("hook", "stop"),
    "wake": ("wake", "--task", "the lock"),
    "recall": ("recall", "why flock"),
}


def flows(checkout: Path) -> dict[str, str]:
    """Return by flow the own files entered, the own functions called, and how often it moves between files."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "project")
        top.mkdir()
        environ = {**os.environ, "HOME": folder, "GIT_CONFIG_GLOBAL": os.devnull, "SLEEP_SESSION": ""}
        environ |= {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

        def run(words: Iterable[str], says: str = "") -> str:
            out = Path(folder, "counts")
            call = (sys.executable, "-c", _TRACER, str(checkout), str(out), *words)
            done = subprocess.run(call, cwd=top, env=environ, input=says, capture_output=True, text=True, check=False)
            if not out.exists():
                raise SystemExit(f"{checkout}: {' '.join(words)} failed: {done.stderr.strip()[-400:]}")
            counts = json.loads(out.read_text(encoding="utf-8"))
            out.unlink()
            return " / ".join(f"{count:,}" for count in counts)

        subprocess.run(("git", "init", "-q"), cwd=top, env=environ, check=True)
        run(("init",))
        for number in range(2):
            run(("journal.add", "--kind=decision", f"--text=Use flock for lock {number}", "--why=no server is needed"))
            run(("journal.add", f"--text=The lock {number} ends with its holder, whoever kills it."))
            if not number:
                run(("sleep",))
                run(("journal.open",))
        transcript = top / "t.jsonl"
        lines = [
            {"type": "user", "uuid": "a", "sessionId": "s", "message": {"role": "user", "content": "Mend the lock."}},
            {
                "type": "assistant",
                "uuid": "b",
                "sessionId": "s",
                "message": {
                    "id": "m",
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "a.py"}}],
                },
            },
        ]
        transcript.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
        says = json.dumps({"session_id": "s", "hook_event_name": "Stop", "transcript_path": str(transcript)})
        order = ("stop", "wake", "recall", "sleep")
        counted = {name: run(_FLOWS[name], says if name == "stop" else "") for name in order}
        return {f"{name}: files / functions / moves": counted[name] for name in _FLOWS}


def shape(checkout: Path, *, is_run: bool = False) -> Shape:
    """Return all that is counted of a checkout."""
    found = modules(checkout)
    rows = sizes(found)
    rows |= {f"files that {what} touches": str(len(paths)) for what, paths in changes(checkout).items()}
    if is_run:
        rows |= flows(checkout)
    rows |= {f"lines / files of {name}": said for name, said in rooms(found).items()}
    return Shape(checkout.name, rows)


def table(shapes: list[Shape]) -> str:
    """Return the shapes side by side as a table of Markdown."""
    keys = dict.fromkeys(key for one in shapes for key in one.rows)
    lines = [f"| | {' | '.join(one.name for one in shapes)} |", f"| --- {'| --- ' * len(shapes)}|"]
    lines += [f"| {key} | {' | '.join(one.rows.get(key, '-') for one in shapes)} |" for key in keys]
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--checkout", action="append", type=Path, help="a folder that holds a checkout; may be given again"
    )
    parser.add_argument("--flows", action="store_true", help="also run the four flows")
    given = parser.parse_args()
    print(table([shape(one.resolve(), is_run=given.flows) for one in given.checkout or [ROOT]]))


if __name__ == "__main__":
    main()
