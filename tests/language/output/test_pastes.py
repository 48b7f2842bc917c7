"""What a person pastes is told from what they say: it gives no rule, request or error of theirs, the prose does."""

from __future__ import annotations

import pytest

from sleep.conversation import MemoryConsolidator
from sleep.language.output import pastes

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]
BEFORE = "Here is what the box printed. We decided to keep Postgres because the vendor supports nothing newer."
BEHIND = "Never restart the server while the migration runs. Why does the worker hang?"
ROWS = "id,name,status,note\n" + "\n".join(f"{n},user{n},active,must call back at {n}" for n in range(9))
LOG = "\n".join(
    f"2026-03-0{n} 10:11:12 ERROR worker-{n} must retry later\n2026-03-0{n} 10:11:13 INFO decided: leader is node{n}"
    for n in range(1, 9)
)
PROGRAM = '''# A module that must never be used.
# You must not copy it.
"""It must be closed by hand.

Never call it twice.
"""
import os

class LockError(Exception):
    """Must be raised, and never caught."""

    def __init__(self, name):
        self.timeout = timeout
        if not name:
            raise ValueError(f"{name} argument not allowed: it must be a word")
'''
TRACE = "\n".join(
    f"java.lang.IllegalStateException: connection {n} must not be closed\n\tat com.acme.Pool.get(Pool.java:{n})"
    for n in range(6)
)
DIFF = (
    "diff --git a/x.md b/x.md\n@@ -1,4 +1,4 @@\n Never do it.\n-You must not do it.\n+You must do it.\n It must be so."
)
FIELDS = "name: x\nmust: true\nonly: [a, b]\nports:\n  - never: 3\n  - only: 4"

MARKUP = (
    "<!DOCTYPE html>\n<html>\n<head><title>Files that must stay</title></head>\n<body>\n<h1>Never delete these</h1>\n"
    '<ul>\n<li><a href="/a">Do it now</a></li>\n</ul>\n</body>\n</html>'
)

METER = (
    "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Must\n"
    "                                 Dload  Upload   Total   Spent    Left  Never\n"
    "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\n"
    "100   606    0   606    0     0   6865      0 --:--:-- --:--:-- --:--:--  7129"
)

PASTES = {
    "meter": METER,
    "rows": ROWS,
    "log": LOG,
    "program": PROGRAM,
    "trace": TRACE,
    "diff": DIFF,
    "fields": FIELDS,
    "markup": MARKUP,
    "mail": "From: Ana <ana@box.org>\nTo: Bo <bo@box.org>\nSubject: You must never restart it",
    "screen": "╭─ build ──────╮\n│ never: 3     │\n│ must: yes    │\n╰──────────────╯",
    "quote": "> You must never do it.\n> Decided: x",
}


def _summary(*texts, **options):
    asked = {"role": "user", "content": "Rework it."}
    said = [{"role": "user", "content": text} for text in texts]
    return MemoryConsolidator(**options).consolidate([asked, *said, {"role": "user", "content": "Go on."}, *TAIL])[1]


def _own(text):
    return [line for line in text.split("\n") if line.startswith("- ") and not line.startswith("- [pasted] ")]


@pytest.mark.parametrize("form", PASTES)
def test_the_prose_around_a_paste_is_the_persons_and_the_paste_is_not(form):
    """What the message says is told as it is without the paste, and nothing more."""
    text = _summary(f"{BEFORE}\n\n{PASTES[form]}\n\n{BEHIND}")
    assert _own(text) == _own(_summary(f"{BEFORE}\n\n{BEHIND}"))
    assert "We decided to keep Postgres because the vendor supports nothing newer. @2" in text
    assert "Constraints:\n- Never restart the server while the migration runs." in text


@pytest.mark.parametrize(
    "text",
    [
        "<rules>\nNever restart it.\n</rules>\n<task>\nMove the queue.\n</task>\n<style>\nKeep it short.\n</style>",
        "- Never deploy on Fridays.\n- Use (only) the queue; ask me first.\n- If it fails: stop.\n- Port: 8080\n- x",
        "Rules:\n\n1. Only touch `src/app.py` (and its tests).\n2. Return early.\n3. Let me know;\n4. For now, no (!).",
        "Use the (new) queue.\nIf it fails, tell me (and never retry):\nFor now only the EU.\nLet me see it;\nBye.",
        "2026-03-01: we chose Postgres\n2026-03-02: never deploy\n2026-03-03: only EU\n2026-03-04: ask me",
        "> Never deploy on Fridays.\n> Ask me first.",
        "| rule | why |\n| --- | --- |\n| never deploy on Fridays | nobody is there |\n| ask me first | it costs |",
        "From: Berlin\nTo: Paris\nDate: 3 March\nNever book the night train.",
        "Error: it must never fail\nthen look at it, please, and tell me",
    ],
)
def test_what_a_person_types_is_no_paste(text):
    """Lists, rules, notes by day, tables and a message that is all quoted are a person's own words."""
    assert pastes.of_text(text) == []


def test_a_paste_is_told_like_what_a_tool_printed():
    """Head, end and failures of it stand there by the name of a paste, which nobody vouches for."""
    text = _summary(f"{BEFORE}\n\n{LOG}\n\n{BEHIND}")
    assert "Tool results (untrusted):\n- [pasted] 2026-03-01 10:11:12 ERROR worker-1 must retry later" in text


def test_a_long_page_gives_way_to_what_people_type():
    """Of a page of rules the middle goes first, where not all of it has room."""
    page = "\n".join(f"The part number {n} must never be opened by anybody but its keeper {n}." for n in range(400))
    own = [f"Never touch the vhost number {n}, it must stay as it is." for n in range(40)]
    text = _summary(f"Read this.\n{page}\nThanks.", *own, max_tokens=8_000)
    assert sum(f"vhost number {n}," in text for n in range(40)) == 40
    assert "The part number 1 must" in text


@pytest.mark.parametrize(
    "prompt",
    ["(env) ann@box:/srv/app_test$ make -c", "ann@box:~/src# make", "[ann@box src]$ make", "PS C:\\src> make"],
)
def test_what_stands_below_the_prompt_of_a_shell_is_pasted(prompt):
    """From a line with the prompt of a shell to the next empty one nothing is the person's, however short it is."""
    lines = ["still no", "", prompt, "No rule to make target", "", "What now?"]
    assert pastes.of_text("\n".join(lines)) == [pastes.Paste(2, 4)]
    assert pastes.of_text("\n".join(lines[2:4])) == [pastes.Paste(0, 2)]


@pytest.mark.parametrize("line", ["Write to ann@box.org: it costs $5", "ann@box: see #12", "it is 5 > 3 at C: then"])
def test_a_sentence_with_the_signs_of_a_prompt_is_the_persons(line):
    """An address, a price and a comparison are no prompt."""
    assert pastes.of_text(line) == []
