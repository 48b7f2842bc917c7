"""What says nothing by itself: source text, passes, headings and tags, told from what went wrong."""

from __future__ import annotations

import pytest

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary import results, source_text
from sleep.conversation.summary.marks import ERROR

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]
SOURCE = """20→ throw new Error('Pinata JWT is required');
\treturn fmt.Errorf("invalid session ID for logging: %w", err)
cmd/validators.go-23-\t\treturn fmt.Errorf("invalid session ID %q: contains path separators", id)
/w/logger.go-7-//\t    // handle error
t.Fatalf("failed to read log file: %v", err)
-\t\treturn fmt.Errorf("invalid session ID for logging: %w", err)
3c721267 Address PR review: fail-closed on error
  if err != nil {
    raise KeyError(x)
14→| ERROR | Failures that prevent operation completion |
105:    except OSError as error:
src/a.ts:12:  throw new Error("x")
const [error, setError] = useState(null)
  status: "failed",
error.severity === 'error' &&
it("fails when empty", () => {"""
PASSES = """✓ returns an error when the name is missing
    --- PASS: TestError (0.00s)
(pass) eval CLI > fails with guidance for removed flags [4661.92ms]
test tests::error_is_told ... ok
0 errors, 3 warnings
cleanup completed failed_branches=0 failed_states=0
837 "cwd":"/srv/ann/Source/retry-on-error-1"
68e7ba66  claude  60f1-5c5c  retry-on-error-1  ~/work/retry-on-error-1
see docs/errors.md and src/failure/panic.go
types with comprehensive error handling
FAIL
</error>"""
FAILURES = """fatal: Could not read from remote repository.
hook_registry_test.go:87: failed to read log file: no such file or directory
main.go:12:5: undefined: x error
src/a.ts:3:1 - error TS2322: Type 'x' is not assignable.
foo.py:12: error: Incompatible types in assignment  [assignment]
E   AssertionError: kestrel gave 12
ValueError: must be positive
Error: Cannot find module 'x'
make: *** [kestrel] Error 2
FAILED tests/test_a.py::test_b - assert 1 == 2
src/errors/retry-on-error.go:12: panic: nil map
3 tests failed, 12 passed
error[E0382]: borrow of moved value: `x`
--- FAIL: TestInit (0.00s)
test result: FAILED. 12 passed; 3 failed; 0 ignored
curl: (7) Failed to connect to localhost port 80: Connection refused
TypeError: Cannot read properties of undefined (reading 'map')"""


@pytest.mark.parametrize("line", [*SOURCE.split("\n"), *PASSES.split("\n")])
def test_what_only_holds_a_word_of_failure_is_no_failure(line):
    """A line of a program, a diff, a log of commits, a test that passed and a bare tag tell no failure."""
    assert not source_text.tells_failure(line)


@pytest.mark.parametrize("line", FAILURES.split("\n"))
def test_what_tools_say_of_failures_is_one(line):
    """What compilers, tests and commands print when something went wrong tells a failure."""
    assert source_text.tells_failure(line)


@pytest.mark.parametrize(
    "line", ["## Errors", "**Fix**", "Error handling:", "The cause is:", "</error>", "- **Root cause:**"]
)
def test_a_heading_announces(line):
    """A heading, a lone label and a tag have no content."""
    assert source_text.is_heading(line)


@pytest.mark.parametrize("line", ["## Decision: use Redis", "**Root cause:** the clock", "It broke.", "Error: x"])
def test_a_line_with_content_is_no_heading(line):
    """A label with words behind it says something."""
    assert not source_text.is_heading(line)


def test_a_summary_has_the_failure_and_not_the_source():
    """Of what was read, searched and run, only the compiler's line is an error: it is the last one, told once."""
    rows = "\n".join(f"{number}→    raise ValueError('row {number} failed')" for number in range(60))
    printed = "ok\n" * 120 + "main.go:12:5: error: undefined name x\n" + "ok\n" * 120
    said = "## Errors\n\n</error>\n\nDone with `a.py`."
    talk = [{"role": "user", "content": "go"}, {"role": "tool", "name": "Read", "content": rows}]
    talk += [{"role": "tool", "name": "Bash", "content": printed}, {"role": "assistant", "content": said}]
    text = MemoryConsolidator().consolidate([*talk, *TAIL])[1]
    assert "- last error: [Bash] main.go:12:5: error: undefined name x (nothing ran after it)\n" in text
    assert "Errors and outcomes:" not in text
    assert "raise ValueError" not in text


@pytest.mark.parametrize(
    "printed",
    [
        "M src/pages_4711.py",
        "src/pages_4711.py   | 12 ++--",
        "Auto-merging src/pages_4711.py",
        "Your branch is up to date with 'origin/src/pages_4711.py'.",
        "│ folder: src/pages_4711.py │",
        "## pages_4711...origin/pages_4711 [ahead 1]",
        "runs are kept apart\\n- the src/pages_4711.py of it\\n- and more",
        "• Edited src/pages_4711.py\n• Working (29s • esc to interrupt)",
    ],
)
def test_a_row_a_box_and_a_screen_are_not_told(printed):
    """Which files changed the state tells; another agent's screen and pieces of a string tell nothing alone."""
    rows = "\n".join(f"a line of it, {number}" for number in range(90))
    call = {"id": "c1", "type": "function", "function": {"name": "apply", "arguments": "{}"}}
    talk = [
        {"role": "user", "content": "Mend it."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": f"{rows[:280]}\n{printed}\n{rows}"},
        *[{"role": "assistant", "content": "Nothing."}] * 3,
        {"role": "user", "content": "What of src/pages_4711.py?"},
    ]
    assert "pages_4711" not in MemoryConsolidator(keep=1).consolidate(talk)[1]


@pytest.mark.parametrize(
    "printed",
    [
        "exit: 0\nexit (should be 0): 0",
        "<shellId: 45 completed with exit code 0>",
        "Updated 2 paths from the index",
        "[main 1b33e998] feat: cap the runs\n 2 files changed",
    ],
)
def test_what_only_says_that_it_went_through_is_not_told(printed):
    """Of a commit the state tells; where it was pushed to is told."""
    assert not list(results.extract(printed, "shell", 0, 0))
    assert list(results.extract("[main 1b33e998] feat: cap the runs\n 5a..1b main -> main", "shell", 0, 0))


RAN = "\n".join(f"=== RUN   TestPart{number}\n--- PASS: TestPart{number} (0.0{number}s)" for number in range(9))


@pytest.mark.parametrize(
    ("printed", "end"),
    [
        (f"{RAN}\nPASS\nok  \tacme/cli\t0.6s", "… PASS · ok  \tacme/cli\t0.6s"),
        ("".join(f"(pass) eval > part {n} [3ms]\n" for n in range(40)) + " 40 pass\n 0 fail", "… 40 pass · 0 fail"),
        ("".join(f"ok  \tacme/cli/part{n}\t(cached)\n" for n in range(30)), "… ok  \tacme/cli/part29\t(cached)"),
        ("?   \tacme/a\t[no test files]\nok  \tacme/b\t1.2s", "ok  \tacme/b\t1.2s"),
        ("On branch main\n\tmodified:   a.py\n\nno changes added to commit (use git add)", ""),
        ("On branch main\n\tmodified:   a.py\nconflict in b.py", "conflict in b.py"),
        ("Command: make it\nDirectory: (root)\nOutput: built a.whl\nExit Code: 0\nSignal: 0", "built a.whl"),
        ("Command: rm a\nDirectory: (root)\nOutput: (empty)\nError: (none)\nProcess Group PGID: 7", ""),
        ("Command: make it\nDirectory: (root)\nOutput: no rule\nExit Code: 2", "no rule · Exit Code: 2"),
    ],
)
def test_rows_of_what_went_well_are_not_told(printed, end):
    """Of tests that passed the sum is told, of `git status` nothing, and of Gemini CLI's form what was printed."""
    texts = [fact.text if not fact.end else f"… {fact.text}" for fact in results.extract(printed, "Bash", 0, 0)]
    assert texts == [end] * bool(end)


@pytest.mark.parametrize("line", ['current command: cat a.json || echo "not found"', "cd b && echo 'build failed'"])
def test_a_command_that_would_say_so_is_no_failure(line):
    """What stands in the quotation marks of `echo` was not printed."""
    assert not source_text.tells_failure(line)


@pytest.mark.parametrize("name", ["Task", "Agent", "spawn_agent"])
def test_what_another_agent_writes_about_is_no_failure(name):
    """Its report is prose; an error by its name is one, in a client's tags too."""
    report = (
        f"I read the hook.\n{'It is regular. ' * 30}\nIt returns isLoading, error and a count.\n{'It is so. ' * 30}"
    )
    named = "<tool_use_error>InputValidationError: the task failed:\nThe parameter `prompt` is missing</tool_use_error>"
    assert not [fact for fact in results.extract(report, name, 0, 0) if fact.kind == ERROR]
    assert [fact.kind for fact in results.extract(named, name, 0, 0)] == [ERROR]
