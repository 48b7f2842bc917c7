"""Signs of secrets: a look that misses next to none of what the rules take, and loads none of them."""

import subprocess
import sys

import pytest
import secrets_corpus

from sleep.redaction import secret_scan, secret_signs

LEAST = 0.99


def test_what_the_rules_take_has_a_sign():
    """Of the texts in which the rules find a secret, 99 of 100 have a sign of one."""
    texts = [case.text for case in secrets_corpus.secrets(7) if secret_scan.find(case.text)]
    assert sum(map(secret_signs.may_hold, texts)) >= LEAST * len(texts) > 0


@pytest.mark.parametrize("text", ["in /ho" + "me/ana/work", "C:\\Users\\ana\\x", "/ro" + "ot/.config", "密码是 abc123"])
def test_homes_and_other_scripts_have_a_sign(text):
    """A home directory is a sign, and a word with a digit in a line of another script."""
    assert secret_signs.may_hold(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- **D-014** Use flock for the lock; the tests passed: all of them [i7qxk.12]",
        "- 2026-11-28T21:19:52.016Z (pending): the password is checked and the token expires",
        '- 2026-11-28 4b17df0 ana: "pass the token to ccdbd761"',
        "- updated: 2026-11-28T20:42:00Z by instance i2jpy\n- commit 077a459 in sleep/store/lock.py",
        "## Open questions\n\n- Q-001 Does the token of the relay expire? (why: nobody knows) [i1qxk.2]",
    ],
)
def test_lines_of_a_memory_have_none(text):
    """Records, dates, commits, paths and addresses are no signs, so a session start loads no rule for them."""
    assert not secret_signs.may_hold(text)


def test_a_look_loads_no_rule():
    """To look for signs loads nothing else of the program."""
    code = (
        "import sys; from sleep.redaction import secret_signs; secret_signs.may_hold('x');"
        "print(sorted(name for name in sys.modules if name.startswith('sleep')))"
    )
    shown = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "['sleep', 'sleep.redaction', 'sleep.redaction.secret_signs']"
