"""Whatever a client says, a hook exits with 0, raises nothing, and prints nothing or the client's exact answer."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path

import pytest
from examples import share
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sleep.clients.hooks import client_output, hook, hook_child, log
from sleep.recall.index import index_file, index_form
from sleep.recall.index.database import Index
from sleep.store import context
from tests.clients.conftest import EVENTS, SAMPLES, SOUL
from tests.recall.test_search import journal

GIVEN = [one for events in SAMPLES.values() for one in events.values()]
ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1e400,
        10**30,
        "",
        "\0",
        "../../x",
        "-rf",
        "a\nb",
        "\ud83d",
        "x" * 5000,
        "/",
        ".",
        [],
        {},
        [[]],
        "NaN",
        "~",
        "/dev/null",
        "/dev/zero",
        "/proc/self/environ",
        "/",
    ]
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = sorted({name for one in GIVEN for name in one})


@st.composite
def payloads(draw):
    """Return a real payload with some fields dropped, changed to something odd, or added; or bytes of any kind."""
    if draw(st.integers(0, 5)) == 0:
        return draw(st.binary(max_size=200))
    fields = dict(draw(st.sampled_from(GIVEN)))
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=5)):
        kind = draw(st.integers(0, 2))
        if kind == 0:
            fields.pop(name, None)
        else:
            fields[name] = draw(ODD if kind == 1 else JSON)
    text = json.dumps(fields, ensure_ascii=draw(st.booleans()))
    content = text.encode("utf-8", "surrogatepass")
    cut = draw(st.integers(0, 3))
    return content if cut else content[: draw(st.integers(0, len(content)))]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Return the folder that all examples run in, made anew by each."""
    return tmp_path_factory.mktemp("fuzz")


@settings(max_examples=share(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    event=st.sampled_from(EVENTS),
    content=payloads(),
    ledger=st.sampled_from(
        [None, b"", b"[]", b"{", b'{"sessions": null}', b'{"debt": 12, "sessions": [3, {}]}', b"\xff"]
    ),
    yaml=st.sampled_from(
        [
            None,
            b"format: 1\n",
            b"format: 9\n",
            b"debt: {",
            b"\xff",
            b"sleep: {auto: run}\n",
            b"a: &b\n",
            b"recall:\n  inject: on\n",
        ]
    ),
    variables=st.dictionaries(
        st.sampled_from(["COPILOT_CLI", "CLAUDECODE", "CLAUDE_PROJECT_DIR", "SLEEP_DEBT_MUST"]),
        st.sampled_from(["1", "/x", ""]),
    ),
)
def test_any_words(tree, monkeypatch, event, content, ledger, yaml, variables):
    """Any bytes and any change of a real payload, with any ledger and settings: exit code 0, an answer or nothing."""
    said, complaint, memory = hooked(tree, monkeypatch, event, content, ledger, yaml, variables)
    assert complaint == ""
    if said:
        assert event in ("session-start", "subagent-start")
        text = said.removesuffix("\n")
        if text.startswith("{"):
            value = json.loads(text)
            assert "\n" not in text
            value = value.get("hookSpecificOutput", value)
            assert set(value) <= {"hookEventName", "additionalContext"}
            text = value["additionalContext"]
        assert 0 < client_output.size(text) <= client_output.CAP
    assert not any("Traceback" in line for line in logged(memory))
    assert not any(
        bug in line for line in logged(memory) for bug in ("TypeError", "AttributeError", "KeyError", "IndexError")
    ), logged(memory)


@settings(max_examples=share(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(exclude_categories=()), max_size=80)
    | st.lists(st.sampled_from(["i1abc.1", "D-1", "kiln", "porcelain", '"', "OR", "*", "NEAR(", "漢字", "\0"])).map(
        " ".join
    ),
    session=ODD | st.just("s"),
    content=st.none() | st.binary(max_size=200) | st.integers(0, 40_000),
)
def test_any_prompt(tree, monkeypatch, text, session, content):
    """Any prompt, over an index that is whole, cut short or anything: exit code 0, an answer or nothing."""
    (tree / ".git/sleepwake").mkdir(parents=True, exist_ok=True)
    (tree / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    path = tree / ".git/sleepwake" / index_form.NAME
    for end in ("", "-wal", "-shm"):
        path.with_name(f"{index_form.NAME}{end}").unlink(missing_ok=True)
    (tree / "journal").mkdir(exist_ok=True)
    (tree / "journal/instance-1.md").write_text(journal(1, "2026-05-08", "The kiln fires porcelain."), encoding="utf-8")
    built = Index(index_file.open_file(str(path)))
    built.refresh(str(tree))
    built.close()
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else path.read_bytes()[:content])
    payload = json.dumps({"session_id": session, "prompt": text, "hook_event_name": "UserPromptSubmit"})
    on = b"format: 1\nrecall:\n  inject: on\n"
    said, complaint, memory = hooked(tree, monkeypatch, "user-prompt-submit", payload.encode(), None, on, {})
    assert complaint == ""
    if said:
        assert set(json.loads(said)["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    bugs = ("TypeError", "AttributeError", "KeyError", "IndexError")
    assert not any(bug in line for line in logged(memory) for bug in bugs), logged(memory)


def hooked(tree, monkeypatch, event, content, ledger, yaml, variables):
    """Run a hook in a fresh memory; return what it printed, what it complained of, and the memory."""
    shutil.rmtree(tree / "memory", ignore_errors=True)
    (tree / "memory/state").mkdir(parents=True)
    (tree / "memory/core").mkdir()
    (tree / "memory/core/0.soul.md").write_text(SOUL, encoding="utf-8")
    for name, text in (("state/.sleep.json", ledger), ("sleep.yaml", yaml)):
        if text is not None:
            (tree / "memory" / name).write_bytes(text)
    out, complaint = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with monkeypatch.context() as patch:
        patch.chdir(tree)
        patch.setattr(hook_child, "run", lambda *_: (0, "{}"))
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", complaint)
        for name, value in variables.items():
            patch.setenv(name, value)
        assert hook.main([event]) == 0
    out.flush()
    return out.buffer.getvalue().decode("utf-8"), complaint.getvalue(), context.require(str(tree))


def logged(memory):
    """Return the lines of the log."""
    path = Path(log.path(memory))
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.mark.parametrize("event", [*EVENTS, "", "stop\n", "--help", "\udcff"])
@pytest.mark.parametrize("words", [[], ["extra", "--x"]])
def test_any_name(tree, monkeypatch, event, words):
    """Any name of an event, with words behind it or not, exits with 0."""
    monkeypatch.chdir(tree)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert hook.main([event, *words] if event else words) == 0
    assert os.getcwd() == str(tree)
