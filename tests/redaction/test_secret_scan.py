"""Redaction: what is a secret, what is none, and that nothing else of a text changes."""

import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import secrets_corpus as corpus
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from hypothesis import given
from hypothesis import strategies as st

from sleep.redaction.homes import hide as homes
from sleep.redaction.secret_scan import find, is_secret_name, redact

CASES = list(corpus.secrets(seed=1, rounds=3))
SHARED = os.environ.get("SLEEP_SHARED")  # read before the fixture that clears the environment
INNOCENT = list(corpus.innocent(seed=2, rounds=40))


def test_the_corpus_is_wide():
    """The corpus has at least 25 kinds of secrets and 25 kinds of innocent text."""
    assert len({case.kind for case in CASES}) >= 25
    assert len({kind for kind, _ in INNOCENT}) >= 25


def test_recall():
    """At least 98 % of the secrets are found, each kind in most of its contexts, and by their exact span."""
    missed = [case for case in CASES if (case.start, case.end) not in {each[:2] for each in find(case.text)}]
    assert len(missed) <= 0.02 * len(CASES), [(case.kind, case.context) for case in missed]
    assert max(Counter(case.kind for case in missed).values(), default=0) <= 3


def test_a_long_text_is_looked_through_like_a_short_one():
    """Behind many lines of a log, where only words are compared at first, each secret is found as it is alone."""
    log = "".join(f"row {number} of the listing, value {number * 37}\n" for number in range(700))
    assert len(log) > 20_000
    for case in CASES[::3]:
        alone = [each[:2] for each in find(f"\n{case.text}")]
        assert [(start - len(log), end - len(log)) for start, end, _ in find(f"{log}\n{case.text}")] == alone, case


@pytest.mark.parametrize("before", ["_", "key_", "backup-", "n_"])
def test_a_token_behind_a_word(before):
    """A token is one in the name of a file, behind a word that is no part of it, and between Markdown's signs."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert redact(f"see {before}{token}_ there")[0] == f"see {before}[REDACTED:github-token]_ there"
    assert redact(f"{before}{token}.md")[0] == f"{before}[REDACTED:github-token].md"


@pytest.mark.parametrize(
    ("before", "secret"),
    [
        ("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", "ede8a7b9-a088-a5fd-6882-64e4e47cf50b"),
        ("https://open.feishu.cn/open-apis/bot/v2/hook/", "716cb216-3d83-4e6d-8712-249f0b454f30"),
        ("curl https://api.telegram.org/bot", "1300892250:AAWAPmVUXM0N_2p3w6l7ggk2oSGIdK-UPx0"),
        ("the key is ", "ctx7" + "sk-a636add6-6519-8ff1-2627-996ae4b7b002"),
        ("the key is ", "fc" + "-0b9658d7dbc036095e68de96039211d9"),
        ("the key is ", "AQ" + ".Ab8RN6Qk3vT9xZ2mW7pL4sD8fG1hJ5kN0bV6cX3zY9rE2tU"),
        ("the key is ", "CCIPAT" + "_zymMlopiWfqUyHRSIf8NFm_d6bc64e5a22fac180d6b2e6e1b465e551305fd2d"),
        ("the key is ", "wandb" + "_v1_OfjtNayviHzm5YdOnCqIz0Wiw8S_E7diV3TMXVjM8AhghjsllAj7n4JuXFZo"),
        (
            "the key is ",
            "sgamp" + "_user_01K4QZ7X9W2M5N8P3R6T1V0Y4B_83b52901a6ccaccdb251bce79793a67c9e2ed829af48d9d59ce6ca6b",
        ),
        ("the key is ", "rpa" + "_Q7ZK3VT9XW2MLP4SD8FG1HJ5KN0BV6CX3ZY9RE2T1aB2cD"),
        ("the key is ", "vcp" + "_q7Zk3vT9xZ2mW7pL4sD8fG1hJ5kN0bV6cX3z"),
    ],
)
def test_keys_and_webhooks_of_late(before, secret):
    """Keys that providers of models and of agents issue, and the addresses of chats' robots, are taken out whole."""
    redacted, found = redact(f"{before}{secret} and on")
    assert len(found) == 1
    assert redacted == f"{before}[REDACTED:{found[0].kind}] and on"


@pytest.mark.parametrize(
    "head", ["Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n", "Version: GnuPG v2\n\n", ""]
)
def test_a_private_key_that_is_cut_off(head):
    """A private key whose end is missing, or was left out of its middle, is taken out as far as it goes."""
    rng = random.Random(5)
    lines = "\n".join(corpus.take(rng, corpus.BASE64, 64) for _ in range(6))
    begin = corpus.EDGE.replace("BEGIN ", "BEGIN RSA ")
    assert redact(f"{begin}\n{head}{lines}\nand more")[0] == "[REDACTED:private-key]\nand more"
    whole = f"{begin}\n{head}{lines}\n...\n{begin.replace('BEGIN', 'END')}"
    assert redact(f"{whole}\nand more")[0] == "[REDACTED:private-key]\nand more"


def test_an_example_of_a_private_key():
    """A key that an example shows by one line is none."""
    text = f"{corpus.EDGE}\nMIIEoTYJKoZIhvcNAQEFBQADggEPADCCAQoCggEBAL8zXq0\n...\n{corpus.EDGE.replace('BEGIN', 'END')}"
    assert find(text) == []


def test_no_false_positives():
    """No innocent text has a finding: hashes, ids, images, lock files, placeholders, code and prose about secrets."""
    assert [(kind, text) for kind, text in INNOCENT if find(text)] == []


def test_innocent_text_between_secrets_is_kept():
    """A text of everything at once loses its secrets and no line of innocent text."""
    lines = [text for case, (_, plain) in zip(CASES, INNOCENT, strict=False) for text in (case.text, plain)]
    redacted, found = redact("\n\n".join(lines))
    assert len(found) >= len(lines) // 2 * 0.97
    assert all(plain in redacted for _, plain in INNOCENT[: len(lines) // 2])


def test_everything_that_detect_secrets_finds():
    """What the shape plugins of detect-secrets find in the corpus, we find too."""
    left_out = {"Secret Keyword", "Base64 High Entropy String", "Hex High Entropy String", "Public IP (ipv4)"}
    plugins = [make() for kind, make in get_mapping_from_secret_type_to_class().items() if kind not in left_out]
    seen = 0
    for case in CASES:
        ours = find(case.text)
        for line in case.text.splitlines():
            for plugin in plugins:
                for secret in plugin.analyze_string(line):
                    if secret not in case.text[case.start : case.end]:
                        continue  # a greedy pattern that takes more than the secret
                    seen += 1
                    at = case.text.find(secret, case.start)
                    assert any(at < each.end and at + len(secret) > each.start for each in ours), (plugin, case)
    assert seen > 500


SOUP = st.text(st.sampled_from(list("aB3_-=:\"'\\`|*.@/ \n[]{}$?é\ud800\udcff🔑")), max_size=60)
PARTS = st.lists(
    st.one_of(
        SOUP,
        st.sampled_from([case.text for case in CASES[::7]] + [text for _, text in INNOCENT[::7]]),
        st.sampled_from(
            ["password", "api_key=", "token: ", "[REDACTED:", "]", "://", "-----BEGIN ", "Bearer ", "=", "pass"]
        ),
    ),
    max_size=8,
).map("".join)


@given(PARTS, st.lists(st.text(max_size=20), max_size=3))
def test_redaction_is_idempotent_and_touches_only_the_spans(text, known):
    """Spans are sorted and apart, the text outside them is unchanged, and a second redaction changes nothing."""
    redacted, found = redact(text, known)
    at, rebuilt = 0, ""
    for start, end, kind in found:
        assert at <= start < end <= len(text)
        assert re.fullmatch(r"[a-z-]+", kind)
        rebuilt += text[at:start] + f"[REDACTED:{kind}]"
        at = end
    assert rebuilt + text[at:] == redacted
    assert found == find(text, known)
    assert redact(redacted, known) == (redacted, [])


@given(st.text(st.characters(), max_size=200))
def test_any_text_is_accepted(text):
    """No text raises, lone surrogates included, and offsets are those of the string."""
    assert redact(f"é🔑{text}\ud800 api_key='{'q7Rt2' + 'mZx9Lk4v'}'")[1][-1].kind == "api-key"


def test_bytes_that_are_no_text_survive():
    """Undecodable bytes around a secret come through as they were."""
    raw = b"\xff\xfe password: Dragon!2931 \x80\n"
    redacted, _ = redact(raw.decode("utf-8", "surrogateescape"))
    assert redacted.encode("utf-8", "surrogateescape") == b"\xff\xfe password: [REDACTED:password] \x80\n"


def test_values_of_the_environment():
    """A known value is hidden wherever it stands, also escaped for JSON; words, paths, numbers and short ones stay."""
    text = (
        r"a wf8#Kq21z b wf8#Kq21z c {\"k\": \"p\\\"q8w7e6r5\"} changeme /srv/app/bin true 12345678 http://localhost:80"
    )
    known = ["wf8#Kq21z", 'p"q8w7e6r5', "changeme", "/srv/app/bin", "true", "12345678", "http://localhost:80", "a", ""]
    assert [text[each.start : each.end] for each in find(text, known)] == ["wf8#Kq21z", "wf8#Kq21z"]
    assert [each.kind for each in find('x p\\"q8w7e6r5 y', known)] == ["environment"]


def test_a_password_told_once_is_hidden_everywhere():
    """A value that was named a password is hidden at its other places too."""
    assert redact("password: Copper?7741\nlogin with Copper?7741 works")[0].count("[REDACTED:password]") == 2


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        *(
            (name, True)
            for name in ("GITHUB_TOKEN", "OPENAI_API_KEY", "DB_PASSWORD", "PGPASSWORD", "DB_PASS", "GH_PAT")
        ),
        *(
            (name, True)
            for name in ("AWS_SECRET_ACCESS_KEY", "SECRET_KEY_BASE", "STRIPE_KEY_LIVE", "API_KEY_1", "apiKey")
        ),
        *(
            (name, True)
            for name in ("CLIENT_SECRET", "GOOGLE_APPLICATION_CREDENTIALS", "MYSQL_PWD", "NPM_CONFIG__AUTH")
        ),
        *((name, False) for name in ("KEYBOARD", "TOKENIZERS_PARALLELISM", "SSH_AUTH_SOCK", "GPG_KEY", "PATH", "PWD")),
        *(
            (name, False)
            for name in ("OLDPWD", "MAX_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "AWS_SHARED_CREDENTIALS_FILE")
        ),
        *(
            (name, False)
            for name in ("PUBLIC_KEY", "SECRET_NAME", "AWS_ACCESS_KEY_ID", "TOKEN_LIMIT", "MONKEY", "KEY", "")
        ),
        *((name, False) for name in ("XAUTHORITY", "BYPASS", "COMPASS", "PASSWORD_MIN_LENGTH", "HOTKEY", "LANG")),
    ],
)
def test_names_of_secrets(name, secret):
    """A name promises a secret by its words, not by its letters."""
    assert is_secret_name(name) is secret


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see /home/ann/src/x.py", "see ~/src/x.py"),
        ('"cwd":"/Users/ann.b/work"', '"cwd":"~/work"'),
        ("first\\n/home/ann/x", "first\\n~/x"),
        ("PATH=/usr/bin:/home/ann/bin:/root/bin", "PATH=/usr/bin:~/bin:~/bin"),
        (r"C:\Users\Ann B\work", r"~\work"),
        (r'"C:\\Users\\ann\\work"', r'"~\\work"'),
        ("c:/Users/ann/work and /mnt/c/Users/ann/work", "~/work and ~/work"),
        ("gcc -I/home/ann/include", "gcc -I~/include"),
        ("file:///home/ann/x", "file://~/x"),
        ("/srv/people/ann and /srv/people/ann/x, /srv/people/ann.", "~ and ~/x, ~."),
        (
            "/srv/people/anna /srv/people/ann.d /srv/people/ann-b",
            "/srv/people/anna /srv/people/ann.d /srv/people/ann-b",
        ),
        ("https://x.org/home/foo/ http://h:80/home/foo/bar", "https://x.org/home/foo/ http://h:80/home/foo/bar"),
        ("src/home/page/x ./home/page/x ${X}/home/page/x", "src/home/page/x ./home/page/x ${X}/home/page/x"),
        ("route('/home/news')", "route('/home/news')"),
        ("/Users/Shared/x /home/linuxbrew/.linuxbrew/bin", "/Users/Shared/x /home/linuxbrew/.linuxbrew/bin"),
        ("/rooted/x /root", "/rooted/x /root"),
        ("路径/home/山田/x，在“/Users/zoë/x”和→/home/ann/x", "路径~/x，在“~/x”和→~/x"),
        ("\x1b[1;32m/home/ann/x\x1b[0m \x1b[38;5;208m/home/ann/x", "\x1b[1;32m~/x\x1b[0m \x1b[38;5;208m~/x"),
        (r'{"cwd":"\/home\/ann\/x"}', r'{"cwd":"~\/x"}'),
        ("@/srv/people/ann/x +/srv/people/ann/y ^/srv/people/ann/", "@~/x +~/y ^~/"),
        (r"c:\users\ann\x D:\Users\Ann B\x or \\?\C:\Users\ann\x", r"~\x ~\x or \\?\~\x"),
        (r"C:\Users\ann or /tmp/x", r"C:\Users\ann or /tmp/x"),
        (r"\\wsl$\Ubuntu\home\ann\x //wsl.localhost/Debian/home/ann/x", r"~\x ~/x"),
        ("/mnt/c/Users/Ann Bee/x /cygdrive/c/Users/ann/x", "~/x ~/x"),
        ("file%3A%2F%2F%2Fhome%2Fann%2Fx", "file%3A%2F%2F~%2Fx"),
        ("~/.claude/projects/-srv-people-ann-x/1.jsonl", "~/.claude/projects/~-x/1.jsonl"),
        ("/.claude/projects/-home-ann-x/1.jsonl", "/.claude/projects/~-x/1.jsonl"),
        ("/Volumes/Macintosh HD/Users/ann/x", "~/x"),
        (r"\\nas\homes\ann\x \\srv\Users\ann\x", r"~\x ~\x"),
        ("c%3A%5CUsers%5Cann%5Cx file:///c%3A/Users/ann/x", "c%3A~%5Cx file:///~/x"),
        ("ls\n-Users-ann-app\n-home-ann-app", "ls\n~-app\n~-app"),
        ("tool -home-page x-home-ann-b", "tool -home-page x-home-ann-b"),
        ("@/home/page/x #/home/page/x **/home/page/x", "@/home/page/x #/home/page/x **/home/page/x"),
    ],
)
def test_home_directories(text, expected):
    """A home directory becomes `~` where an absolute path starts, and nothing else does."""
    assert homes(text, ["/srv/people/ann/", "/", ""]) == expected
    assert homes(expected, ["/srv/people/ann/", "/", ""]) == expected


@given(
    st.lists(
        st.sampled_from(
            [
                "/home/",
                "/Users/",
                "/root/",
                "C:\\Users\\",
                "ann",
                "n",
                "/",
                "\\",
                ":",
                " ",
                "~",
                "file://",
                "-I",
                "\\n",
                "=",
                ".",
            ]
        ),
        max_size=14,
    ).map("".join)
)
def test_homes_is_idempotent(text):
    """Replacing home directories twice is replacing them once."""
    once = homes(text, ["/srv/ann", "C:\\Users\\ann", "/root"])
    assert homes(once, ["/srv/ann", "C:\\Users\\ann", "/root"]) == once


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "password=",
            "key=",
            "token=password=",
            "token ",
            "://",
            "://a:b",
            "eyJ-",
            "s" + "k-",
            "-----BEGIN ",
            "auth",
            "bearer a",
        ),
        *(
            corpus.EDGE,
            corpus.EDGE + "A",
            "mnemonic: abandon ",
            "[REDACTED:token]",
            "a",
            "/home/a",
        ),
        *(
            "SG.aaaaaaaaaaaaaaaaaaaaa",
            "1:",
            'key="',
            "pass**",
            "-u a:",
            "**password**:",
            "=" * 7 + "key",
            "pw is ",
            "\\",
        ),
    ],
)
def test_no_line_is_slow(unit):
    """The time of any hostile repetition grows with its length, not with the square of it."""

    def cost(size):
        text = unit * (size // len(unit))
        start = time.process_time()
        redact(text)
        homes(text, ["/home/ann"])
        return time.process_time() - start

    # Linear is 3, quadratic 9; what else the machine does is no reason.
    assert any(cost(60_000) < max(6 * cost(20_000), 0.06) for _ in range(4))


def test_importing_is_cheap():
    """The modules load nothing beyond `re` and what it loads, and compile nothing."""
    code = (
        "import re, sys; before = set(sys.modules); compiled = len(re._cache);"
        "import sleep.redaction.secret_scan; new = set(sys.modules) - before;"
        "new -= {'__future__', 'sleep', 'sleep.redaction'};"
        "ours = {'secret_scan', 'secret_forms', 'secret_rules', 'secret_shapes', 'secret_text'};"
        "assert new <= {'sleep.tuples', *('sleep.redaction.' + one for one in ours)}, new;"
        "assert len(re._cache) == compiled"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.real
def test_real_journals_and_transcripts():
    """In real journals and transcripts there is at most one value a megabyte, and none is an id, a path or a word."""
    shared = SHARED
    assert shared, "set SLEEP_SHARED to the directory that holds data/journals and data/transcripts"
    size, found = 0, []
    for root in ("journals", "transcripts"):
        files = [path for path in Path(shared, "data", root).rglob("*") if path.is_file()]
        assert files, f"no files under data/{root}"
        for path in files:
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            size += len(text)
            found += [(path.name, each.kind, text[each.start : each.end]) for each in find(text)]
    assert len({value for _, _, value in found}) <= size / 1e6, Counter((name, kind) for name, kind, _ in found)
    innocent = re.compile(
        r"(?:toolu|msg|req|call)_\w+|[0-9a-f]{8}-[0-9a-f-]{27}|sha\d+[-:].*|[~./].*|https?:.*|[a-z]+([_.-][a-z]+)+"
    )
    assert [(name, kind) for name, kind, value in found if innocent.fullmatch(value)] == []
