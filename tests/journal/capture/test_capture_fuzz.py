"""Whatever a transcript holds: a capture ends, its journal reads back, and the second finds nothing new."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

import pytest
from examples import share
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scene import Scene
from side_by_side import CONTEXT, IGNORED
from talk import Talk

from sleep.journal.capture import digest_drafts, session_digest
from sleep.journal.capture import session_journal as captures
from sleep.journal.capture.session_journal import Source
from sleep.memory import place
from sleep.transcripts.events import Event

WORDS = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab .\n#-*`|:[]<>/\\@_~?!1é锁😀\u2028\x00\x1b\ufeff"), st.characters(exclude_categories=["Cs"])
    ),
    max_size=60,
)
SAID = st.one_of(
    WORDS,
    st.sampled_from(["## Note: x [i1abc.1]", "---\ninstance: 9\n---", "- why: y\n- transcript: s1:99999", "```\nopen"]),
    st.lists(st.sampled_from(["Use", "flock", "because", "never", "the", "lock.", "Shall", "I?"]), max_size=12).map(
        " ".join
    ),
)
ROLES = st.sampled_from(
    [("person", "prompt"), ("person", "answer")]
    + [("agent", kind) for kind in ("text", "summary", "plan", "tasks", "ask", "edit", "run", "call")]
    + [("tool", "result"), ("", "root"), ("", "unread"), ("odd", "odd")]
)


@st.composite
def events(draw):
    """Draw events as a reader gives them, with lines that go up, or none."""
    found = []
    line = 0
    numbered = draw(st.booleans())
    for role, kind in draw(st.lists(ROLES, max_size=25)):
        line += draw(st.integers(0, 3))
        text, path = draw(SAID), draw(st.one_of(st.just(""), WORDS))
        call, at = draw(st.sampled_from(["", "1", "2"])), draw(st.one_of(st.just("2026-11-21T10:00:00.123Z"), WORDS))
        ok, side = draw(st.booleans()), draw(st.sampled_from([False, False, True]))
        found.append(Event(role, kind, text, at, path, call, ok, side, max(1, line) if numbered else 0))
    return found


@given(events())
@settings(max_examples=share(150))
def test_a_digest_of_anything_is_one(found):
    """Any events give a digest within its budget, whose entries name the session."""
    made = session_digest.of(found, 300)
    for one in digest_drafts.drafts(made, "s1"):
        assert one.title.strip() or one.body.strip()
        assert dict(one.fields)["transcript"].startswith("s1")
    assert made.reached <= max((one.line for one in found), default=0) or made.reached <= len(found)


@given(first=events(), more=events())
@settings(max_examples=share(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_capture_of_anything_is_whole_and_once(first, more, tmp_path_factory, monkeypatch):
    """Any events become a journal that reads back with every entry, and a second capture adds nothing."""
    scene = Scene(tmp_path_factory.mktemp("fuzz") / "project")
    lines = max((one.line for one in first), default=0)
    later = [one._replace(line=one.line + lines) if one.line else one for one in more]
    transcript = tmp_path_factory.mktemp("client") / "t.jsonl"
    transcript.write_text("{}\n")
    for told in (first, first + later):
        monkeypatch.setattr(session_digest, "read", lambda *_, told=told: iter(told))
        done = captures.capture(scene.place, scene.now(), Source(str(transcript), "s1"))
        if done.path:
            journal = scene.view.journal(done.path)
            assert [str(one.address) for one in journal.entries][-len(done.addresses) :] == list(done.addresses)
            assert journal.fields["sessions"] == ["s1"]
            assert not journal.unmarked
        before = scene.owned()
        assert captures.capture(scene.place, scene.now(), Source(str(transcript), "s1")).path == ""
        assert scene.owned() == before


def _captured(root, transcript):
    where = place.find(root)
    return captures.capture(where, "2026-11-21T12:00:00Z", Source(transcript, "s1")).path


@pytest.mark.filterwarnings(IGNORED)
def test_two_at_once_are_once(scene, tmp_path):
    """Processes that capture one session at the same moment write it down once."""
    talk = Talk(tmp_path / "s1.jsonl").work()
    with ProcessPoolExecutor(4, CONTEXT) as pool:
        done = list(pool.map(_captured, [str(scene.home)] * 4, [str(talk.path)] * 4))
    assert sorted(done) == ["", "", "", "journal/instance-1.md"]
    assert scene.text("journal/instance-1.md").count("I decided to use flock") == 1
