"""What stands in a result or in speech without saying anything by itself: source text, passes, headings, bare tags.

Owns telling them by their form, a line at a time, whatever tool printed it. A word such as `error` in a line of a
program, of a diff or of a test's name is no error; where a compiler or a test says what went wrong, the line tells
a place and then words. Refuses to read what a line means.
"""

from __future__ import annotations

import re

from sleep.conversation.summary import fact, marks
from sleep.language.output import listings

_LOOK = 400  # characters of a line that tell
_PASSES = tuple(  # of small letters
    re.compile(pattern)
    for pattern in (
        r"[✓✔√]|^\s*\(pass(?:ed)?\)|\bok\b\s*$|^\s*(?:---\s)?(?:pass(?:ed)?\b|ok\b)",  # `--- PASS: TestError`
        r"\.{2,} ?(?:ok|passed)\b|\bpassed\s*(?:\(|$|\[)",  # `test tests::error_is_told ... ok`
        r"\berror[- ](?:handl\w+|recover\w*|boundar\w+|states?|cases?|paths?|types?|messages?)\b(?!:)",
        r"(?:\b0|\bno|\bzero|\bwithout(?: any)?) (?:\w+ ){0,2}(?:error|failure|fail|issue|problem|warning)s?\b",
        # `failed=0`, `Error: (none)`
        r"\b(?:errors?|fail\w*|failures?)[\w-]*\s*[=:]\s*\(?(?:0|none|null|false|nil|empty|\[\])(?![\w.])",
        r"^\s*=== (?:run|pause|cont|name)\b|^\s*> [\"“]",  # `=== RUN   TestError`, what somebody is quoted with
        r"(?:&&|\|\|?|;) echo [\"'][^\"'\n]{1,80}[\"']",  # of a command: `cat x || echo "not found"`
    )
)
_FAILS = re.compile(r"\b[1-9]\d* (?:\w+ ){0,2}fail")  # same
# One of them stands, in small letters, in every line that says that something passed.
_PASS_SIGNS = (
    *("pass", "ok", "error", "fail", "issue", "problem", "warning", "=== ", "> ", "echo "),
    *("✓", "✔", "√"),
)
# `TestRunError`, `test_error_is_told`, `execution_error_runs`; not `fatal_error: x`. Then `on-error-1`, and a path.
_NAMES = re.compile(
    r"\b(?:Test[A-Z_]\w*|[a-z]+\d*(?:_[a-z0-9]+)+)\b(?!:)"
    r"|\b[a-z0-9]+(?:-[a-z0-9]+){2,}\b(?!:)|(?:~|\b[\w.-]+)?(?:/[\w.@+-]+)+(?![\w:])"
)
_NAME_SIGNS = ("_", "Test", "/", "-")  # one of them stands in each
# A row of `git merge`, `git status`, `git diff --stat` or a patch: which file changed. A box of a terminal.
_ROW = re.compile(
    r"(?:[MADRCTU?!]{1,2} [\w@~./-]+|(?:\.{3}/)?[\w@~./-]+\s+\|\s+(?:\d+ ?[+-]*|Bin .*)"
    r"|(?:## )?[\w./-]+\.{3}[\w./-]+(?: \[(?:ahead|behind) [^\]]*\])?"
    r"|(?:Auto-merging|From) [\w@~.:/-]+|(?:create|delete) mode \d+ .*|[│╭╰┌└├─━┃⎿].*)\s*$"
)
# What `git status` says around its rows, and those rows.
_STATUS = re.compile(
    r"\s*(?:On branch \S+|(?:modified|deleted|renamed|new file|both (?:modified|added)): {2,}\S.*"
    r"|\(use \"git .*|Changes (?:not staged for|to be) commit.*|Untracked files:|no changes added to commit.*"
    r"|Unmerged paths:|Your branch is .*|nothing to commit.*|\(commit or discard the untracked .*)\s*$"
)
# A test that passed or began: `--- PASS: TestX (0.1s)`, `(pass) eval > x [3ms]`, `✓ adds (2 ms)`, `a.py::b PASSED`.
_RUN = re.compile(
    r"\s*(?:--- (?:PASS|SKIP): |=== (?:RUN|PAUSE|CONT|NAME)\b|\(pass\) |\?\s+\S+\s+\[no test files\]"
    r"|[✓✔√] .*\d ?m?s\)?\s*$|ok\s+\S+\s+\(cached\)|.{0,300}(?:\.\.\. ok|::\S+ PASSED(?:\s+\[\s*\d+%\])?)\s*$)"
)
# One of them stands in every text that has a row of either.
_ROW_SIGNS = (
    *("branch ", ":  ", '(use "git', "Changes ", "Untracked files", "changes added", "Unmerged paths"),
    *("nothing to commit", "(commit or discard"),  # of `git status`; then of tests
    *("--- ", "=== ", "(pass) ", "[no test", "✓", "✔", "√", "(cached)", "... ok", "PASSED"),
)
_COMMIT = re.compile(r"\[[^\]]{1,120} [0-9a-f]{7,40}\] ")
_CELLS = 4  # tabs of a row of a table
_LEAST = 8  # characters of a line that tells a failure: `FAIL` alone tells none
_CODE_SIGNS = re.compile(r"[{};=→]")
_TAGS = re.compile(r"</?[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,200})?/?>")
_SIGNS = " \t*_`~#=-—–:|>•·.…"
_HEADING = re.compile(r"\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+)?(?:#{1,6}\s|[*_]{2}[^*_]{1,80}[*_]{2}\s*:?\s*$)")
_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)  # in an item of a list it is indented
_TITLE = re.compile(r"\s*#{1,6}\s")
_ANNOUNCED = 120  # characters of a line that may announce something by its colon
_COLON = re.compile(r"[^.!?\d]{1,80}:\s*$")


def tells_failure(line: str) -> bool:
    """Return whether a line that has a word of failure may say that something failed.

    Not where it is source text, the name of a test that passed, or a count of none.
    """
    line = line[:_LOOK]
    if _passes(low := line.lower()) and not _FAILS.search(low):
        return False
    if line.count("\t") >= _CELLS or ("/" in line and " " not in line.strip()):
        return False  # a row of a table, a path
    if any(sign in line for sign in _NAME_SIGNS) and _is_of_names(line):
        return False
    return not listings.is_source(line) and len(without_tags(line).strip(_SIGNS)) >= _LEAST


def _is_of_names(line: str) -> bool:
    """Return whether the words of failure in a line are pieces of names, of tests or of a program."""
    rest = _NAMES.sub("", line)
    return rest != line and not any(word in rest.lower() for word in marks.broken())


def tells_pass(line: str) -> bool:
    """Return whether a line only says that something passed or is there: a test's name, a path."""
    return " " not in line.strip() or _passes(line[:_LOOK].lower())


def _passes(low: str) -> bool:
    """Return whether a line in small letters says that something passed."""
    return any(sign in low for sign in _PASS_SIGNS) and any(passes.search(low) for passes in _PASSES)


def is_row(line: str) -> bool:
    """Return whether a line only says that a file changed, which the state tells, or is of a box on a terminal.

    `M src/a.py`, `modified:   src/a.py`, `src/a.py | 12 ++--`, `│ model: large │`.
    """
    return _ROW.match(line) is not None or _STATUS.match(line) is not None


def without_rows(text: str, *, is_end: bool = True) -> str:
    """Return a text without the rows of `git status` and of tests that passed.

    Where nothing else stands in the end of a result the last row of a test stays.
    """
    for sign in _ROW_SIGNS:  # a generator costs twice as much, for both ends of each result
        if sign in text:
            break
    else:
        return text
    lines = text.split("\n")
    rest = [line for line in lines if not (_STATUS.match(line) or _RUN.match(line))]
    if len(rest) == len(lines):
        return text
    if is_end and not any(map(str.strip, rest)):
        rest = [line for line in lines if _RUN.match(line)][-1:]
    return "\n".join(rest)


def tells_commit(line: str) -> bool:
    """Return whether a line is what git prints of a commit that was made: `[main 1a2b3c4] the subject`."""
    return _COMMIT.match(line) is not None


def is_code(text: str, joint: str) -> bool:
    """Return whether all of a text, its lines apart by a joint, is source text."""
    return bool(_CODE_SIGNS.search(text)) and all(map(listings.is_source, text.split(joint)))


def without_tags(text: str) -> str:
    """Return a text without the tags that clients put around it."""
    return _TAGS.sub("", text).strip() if "<" in text else text


def is_title(line: str) -> bool:
    """Return whether a line is a title of Markdown: `### Step 2: mend it`; `#12 is merged` is none."""
    return _TITLE.match(line) is not None


def is_heading(line: str) -> bool:
    """Return whether a line only announces what stands below it: `## Errors`, `**Fix**`, `The cause is:`."""
    if len(line) > _ANNOUNCED and line[0].isalnum() and "<" not in line and not line[0].isdigit():
        return False  # longer than what ends in a colon, and without a sign before it
    bare = fact.bare(without_tags(line))
    if not bare.strip(_SIGNS):
        return True
    return bool(_COLON.fullmatch(bare) or (_HEADING.match(line) and ":" not in bare.strip(_SIGNS)))


def has_fences(text: str) -> bool:
    """Return whether a text may hold code between fences."""
    return "```" in text or "~~~" in text


def fenced(text: str) -> set[int]:
    """Return the indexes of lines that are code."""
    if not has_fences(text):
        return set()
    fences = [index for index, line in enumerate(text.split("\n")) if _FENCE.match(line)]
    return {index for start, end in zip(fences[::2], fences[1::2], strict=False) for index in range(start, end + 1)}
