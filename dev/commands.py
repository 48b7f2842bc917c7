"""`dev.*`: the tasks of those who work on this project.

Owns what each check runs, and the namespace that adds these tasks to the user's. Refuses to be needed by a memory: only
this repository's `tasks.py` loads it, and what it runs comes with the `dev` extra.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dev import ROOT, tracked
from dev import quality as figures
from dev.ci import table
from dev.house import offenders
from sleep import settings
from sleep.errors import NoMemoryError, UsageError
from sleep.tasks import collection
from sleep.tasks.command_line import invoke_program
from sleep.tasks.output import say
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Step = tuple[str, Callable[[], int]]

LOCK = "requirements/ci.txt"
# What the lock holds besides the core, and the marks of the tests that need more than the core and a moment.
_EXTRAS = (
    *("dev", "llm", "vectors", "bench", "langchain", "pydantic-ai", "openai-agents", "relay", "nats", "mcp"),
    "servers",
)
MARKS = ("real", "torture", "llm", "adapters", "relay", "browser", "mcp")
# Pages that are a memory's own words are not documentation: a fragment moves, and its links stay as they were written.
WRITTEN_BY_SLEEP = ("journal/", "memory/", "main.md", "tests/")
# Made-up homes and registries, for the redaction to find.
EXAMPLES = ("tests/redaction/test_secret_scan.py", "tests/support/secrets_corpus.py")


def _run(*words: str, **variables: str) -> int:
    return subprocess.run(words, cwd=ROOT, env={**settings.environment(), **variables}, check=False).returncode


def _module(name: str, *words: str, **variables: str) -> int:
    return _run(sys.executable, "-m", name, *words, **variables)


def _steps(steps: Sequence[Step]) -> int:
    """Run every step, whatever became of those before it; return 1 when one failed."""
    failed = []
    for name, run in steps:
        say(f"== {name}")
        start = time.perf_counter()
        code = run()
        say(f"   {name}: {'FAILED' if code else 'ok'}, {time.perf_counter() - start:.1f} s")
        if code:
            failed.append(name)
    say(f"FAILED: {', '.join(failed)}" if failed else f"all {len(steps)} ok")
    return int(bool(failed))


def _tracked() -> list[str]:
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode("utf-8", "surrogateescape")
    return sorted({name for name in names.split("\0") if name and (ROOT / name).is_file()})


def _text(name: str) -> str:
    return (ROOT / name).read_bytes().decode("utf-8", "replace")


def _complain(complaints: Sequence[str]) -> int:
    for complaint in complaints:
        say(complaint)
    return int(bool(complaints))


def _private() -> int:
    here = [str(place) for place in (ROOT, ROOT.parent / "shared") if len(place.parts) > 2]  # not `/x`  # noqa: PLR2004
    names = [name for name in _tracked() if name not in EXAMPLES]
    return _complain([complaint for name in names for complaint in tracked.private(name, _text(name), here=here)])


def _links() -> int:
    names = _tracked()
    pages = {name: _text(name) for name in names if name.endswith(".md") and not name.startswith(WRITTEN_BY_SLEEP)}
    return _complain(tracked.dead_links(pages, {*names, *(str(up) for name in names for up in Path(name).parents)}))


def _house(check: str) -> int:
    return _complain(offenders.complaints(ROOT, check))


def _cog(*words: str) -> int:
    pages = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page.is_file()]
    generated = [str(page.relative_to(ROOT)) for page in pages if "[[[cog" in page.read_text(encoding="utf-8")]
    return _module("cogapp", *words, "--verbosity=1", *generated) if generated else 0


def _benchmarks() -> int:
    """Find names and arguments that scripts of benchmarks use and nobody has; what they compute is read by people."""
    loose = ("misc", "var-annotated", "union-attr", "assignment", "index", "arg-type", "operator", "call-overload")
    options = ("--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--allow-redefinition")
    scripts = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "benchmarks").glob("*.py"))
    return _module("mypy", *options, *(f"--disable-error-code={code}" for code in loose), *scripts)


def _pytest(*words: str, **variables: str) -> int:
    return _module("pytest", *words, **variables)


@task("dev.check")
def check() -> int:
    """Run every check of form and structure; all run, also after one fails. Example: inv dev.check."""
    return _steps(
        [
            ("ruff check", partial(_module, "ruff", "check", "--output-format=concise")),
            ("ruff format", partial(_module, "ruff", "format", "--check", "--output-format=concise")),
            ("mypy", partial(_module, "mypy")),
            ("names in benchmarks", _benchmarks),
            ("import contracts", partial(_run, str(Path(sys.executable).with_name("lint-imports")), "--no-logo")),
            ("deptry", partial(_module, "deptry", ".")),
            ("vulture", partial(_module, "vulture")),
            ("generated docs", partial(_cog, "--check", "--diff", "--check-fail-msg=run inv dev.docs")),
            ("links", _links),
            ("private paths and registries", _private),
            *((name, partial(_house, name)) for name in offenders.RULES),
        ]
    )


@task("dev.ci", help={"stage": "only this stage; repeat it for more"})
def ci(stage: list[str] | None = None) -> int:
    """Run everything that must hold: checks, tests, real data, extras, other Pythons. Example: inv dev.ci."""
    return table.run(stage or [])


@task("dev.fix")
def fix() -> int:
    """Mend what ruff can mend, format, and shorten the list of offenders. Example: inv dev.fix."""
    return _steps(
        [
            ("ruff check --fix", partial(_module, "ruff", "check", "--fix")),
            ("ruff format", partial(_module, "ruff", "format")),
            ("offenders", partial(offenders.shrink, ROOT)),
        ]
    )


@task(
    "dev.test",
    help={
        "also": f"a mark whose tests are run too, out of {', '.join(MARKS)}; repeat it for more",
        "k": "only tests whose names match this expression of pytest's",
    },
)
def run_tests(also: list[str] | None = None, k: str = "") -> int:
    """Run the tests. Example: inv dev.test --also real --also relay -k journal."""
    if strange := [mark for mark in also or [] if mark not in MARKS]:
        raise UsageError(f"no tests are marked {strange[0]!r} (one of {', '.join(MARKS)} would be right)")
    left_out = [f"not {mark}" for mark in MARKS if mark not in (also or [])]
    words = ["-m", " and ".join(left_out), *(["-k", k] if k else [])]
    return _pytest(*words, **({"SLEEP_SHARED": _shared()} if "real" in (also or []) else {}))


@task("dev.torture", help={"k": "only runs whose names match this expression of pytest's"})
def run_torture(k: str = "") -> int:
    """Run the long forms of what tests do in short, then the tests at random. Example: inv dev.torture -k killed."""
    chosen = ["-k", k] if k else []
    return _steps(
        [
            ("long runs", partial(_pytest, "-m", "torture", *chosen)),
            ("examples at random", partial(_pytest, "--hypothesis-profile=random", *chosen)),
        ]
    )


@task("dev.docs")
def docs() -> int:
    """Write the generated parts of README.md and docs/ anew. Example: inv dev.docs."""
    return _steps([("generated docs", partial(_cog, "-r"))])


@task("dev.bench", help={"name": "only benchmarks whose file names contain this"})
def bench(name: str = "") -> int:
    """Run the benchmarks, scripts and pytest's, one after another. Example: inv dev.bench --name wake."""
    scripts = [script for script in sorted((ROOT / "benchmarks").glob("[!_]*.py")) if name in script.stem]
    if not scripts:
        raise UsageError(f"no file in benchmarks/ has {name!r} in its name" if name else "benchmarks/ is empty")
    return _steps([(script.stem, partial(_bench, script)) for script in scripts])


@task("dev.quality", help={"quick": "leave the slow ones out: LoCoMo, ADRs and the coverage of wakes"})
def quality(quick: bool = False) -> int:
    """Hold every bar of what is remembered and told against the shared harness: one table. Example: inv dev.quality."""
    return figures.run(Path(_shared()), quick=quick)


def _bench(script: Path) -> int:
    if script.stem.startswith("test_"):
        return _pytest(str(script), "-n0", "--benchmark-only", "--benchmark-columns=min,median,max,rounds")
    return _run(sys.executable, str(script))


@task("dev.lock", help={"upgrade": "take the newest versions, not those in the file where they still fit"})
def lock(upgrade: bool = False) -> int:
    """Write requirements/ci.txt anew: every version pinned, every file's hash, no registry. Example: inv dev.lock."""
    lowest = tomllib.loads(_text("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    if not sys.version.startswith(f"{lowest}."):
        raise UsageError(
            f"this is Python {sys.version.split()[0]} (would be right: {lowest}, the lowest that we support)"
        )
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        tool = Path(place, "Scripts" if sys.platform == "win32" else "bin")
        return _run(str(tool / "pip"), "install", "--quiet", "pip-tools") or _run(
            str(tool / "pip-compile"),
            *(
                "--quiet",
                *(f"--extra={extra}" for extra in _EXTRAS),
                "--build-deps-for=editable",
                "--generate-hashes",
                "--allow-unsafe",
            ),
            *("--strip-extras", "--no-header", "--no-annotate", "--no-emit-options", f"--output-file={LOCK}"),
            *(["--upgrade"] if upgrade else []),
            "pyproject.toml",
        )


def _shared() -> str:
    variable = settings.environment().get("SLEEP_SHARED")
    shared = Path(variable) if variable else ROOT.parent / "shared"
    if not shared.is_dir():
        raise NoMemoryError(f"{shared} is no directory", hint="SLEEP_SHARED=DIRECTORY inv dev.test --also real")
    return str(shared.resolve())


TASKS = (check, ci, fix, run_tests, run_torture, docs, bench, quality, lock)
namespace = invoke_program.made([*collection.every().values(), *TASKS])  # the user's, with `dev`
