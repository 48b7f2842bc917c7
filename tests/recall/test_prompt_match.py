"""What a memory has on a prompt: only what is surely about it, and nothing that is in the context or no longer so."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.language import tokenizer
from sleep.recall import prompt_match
from sleep.recall.index import index_file
from sleep.recall.index.database import Index
from sleep.recall.index.index_form import NAME
from tests.recall.test_search import journal

LOCK = "We use `src/store/lock.py` with flock and a timeout of 30 s, because no server is needed."
TEXTS = {
    "journal/instance-1.md": journal(
        1,
        "2026-05-08",
        LOCK,
        "The parser reads dates of the form 2026-05-08 alone.",
        "The colours of the dashboard are those of the logo.",
        "A test of the parser takes two seconds.",
        "我们决定用压缩算法保存记忆。",
    ),
    "journal/instance-2.md": journal(
        2,
        "2026-07-07",
        "The flood of messages is limited to nine a second.",
        "The retry queue drops messages after five attempts.",
        *(f"Note {number} tells about subject {number} and the parser." for number in range(20)),
    ),
    "memory/core/0.soul.md": "# Shop\n\nThe purpose is a catalogue of walrus tusks.\n",
    "memory/warm/store.md": "# store\n\n## Decisions\n\n- **D-001** Use flock for the lock of the store [i1abc.1]\n"
    "  - status: superseded\n  - superseded by: i9abc.4\n",
}


@pytest.fixture
def memory(tmp_path):
    """Return (index, root) of a small memory on disk whose files are some seconds old."""
    old = time.time_ns() - 10_000_000_000
    for path, text in TEXTS.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        os.utime(place, ns=(old, old))
    path = str(tmp_path / "index" / NAME)
    built = Index(index_file.open_file(path))
    built.refresh(str(tmp_path))
    built.close()
    return path, str(tmp_path)


def addresses(memory, prompt, known=()):
    """Return the addresses of what a prompt is given."""
    return [address for row in prompt_match.find_rows(*memory, prompt, known) for address in row.addresses]


@pytest.mark.parametrize(
    ("prompt", "address"),
    [
        ("Why does the store use flock with a timeout?", "i1abc.1"),
        ("please rename src/store/lock.py, and tell me about its timeout", "i1abc.1"),
        ("After how many attempts does the retry queue drop messages?", "i2abc.2"),
        ("i1abc.3", "i1abc.3"),
        ("What became of D-001?", "i1abc.1"),
        ("压缩算法保存记忆", "i1abc.5"),
    ],
)
def test_what_is_surely_meant_is_given(memory, prompt, address):
    """The passage that a prompt is about comes first."""
    assert addresses(memory, prompt)[:1] == [address]


@pytest.mark.parametrize(
    "prompt",
    [
        *("continue", "ok do it", "yes", "", "   ", "fix it", "commit and push", "implement 1, 2 and 3"),
        *("run the tests again please", "now update the docs", "the parser", "what is the parser?"),
        "Which note tells about the subject of the parser?",  # all that it says, twenty rows say
        "Does the retry queue drop messages of the zeppelin and the gondola?",  # a part of it alone is known
        "What is the purpose of a catalogue of walrus tusks?",  # told at every start
        "write a poem about the sea and its many colours at night",
        "the zeppelin and the airship were painted in the hangar with flock",
        "x" * 100_000,
        "why\n" * 50_000,
    ],
)
def test_what_is_not_surely_about_anything_gives_nothing(memory, prompt):
    """Words of every day, words that many rows have, and one word in common are no reason to speak."""
    assert prompt_match.find_rows(*memory, prompt) == []


def test_what_is_in_the_context_is_not_given(memory):
    """Neither what the session was given, nor what the prompt itself says."""
    prompt = "Why does the store use flock with a timeout?"
    assert addresses(memory, prompt) == ["i1abc.1"]
    assert addresses(memory, prompt, {"i1abc.1": len(LOCK)}) == []
    assert addresses(memory, prompt, {"i1abc.1": len(LOCK) // 3}) == ["i1abc.1"]  # it was only mentioned
    assert addresses(memory, f"I read: {LOCK.upper()} Why?") == []


def test_what_became_of_it_is_said(memory):
    """A record that a tier says is superseded says so, also where its journal was found."""
    (row,) = prompt_match.find_rows(*memory, "Why does the store use flock with a timeout?")
    assert row.state == "superseded by i9abc.4"
    assert row.day == "2026-05-08"


def test_what_changed_since_is_not_given(memory):
    """A row is given while every file that has its entry is as the index read it."""
    prompt = "Why does the store use flock with a timeout?"
    place = os.path.join(memory[1], "memory/warm/store.md")
    os.utime(place)
    assert addresses(memory, prompt) == []
    os.unlink(place)
    assert addresses(memory, prompt) == []


def test_without_an_index_nothing_is_given_and_none_is_made(tmp_path, memory):
    """No index, one of another version, and one that is being written: nothing, or what was committed; no file more."""
    assert prompt_match.find_rows(str(tmp_path / "none"), memory[1], "flock timeout") == []
    assert not (tmp_path / "none").exists()
    writer = Index(index_file.open_file(memory[0]))
    writer.base.execute("BEGIN IMMEDIATE")
    assert addresses(memory, "Why does the store use flock with a timeout?") == ["i1abc.1"]
    writer.base.execute("ROLLBACK")
    writer.base.execute("PRAGMA user_version = 1")
    writer.close()
    assert addresses(memory, "Why does the store use flock with a timeout?") == []
    assert prompt_match.is_stale(*memory)


def test_a_file_that_recall_does_not_read_makes_nothing_stale(memory):
    """A name that is no text, a hidden file and one that is no Markdown are in no index, and none is made for them."""
    for name in (b"\xff.md", b".hidden.md", b"notes.txt"):
        open(os.path.join(os.fsencode(memory[1]), b"journal", name), "wb").close()
    assert not prompt_match.is_stale(*memory)


def test_it_tells_when_the_index_is_behind(tmp_path, memory):
    """Files that come, change or go make it stale, and reading them in makes it fresh; a damaged one is stale."""
    assert not prompt_match.is_stale(*memory)
    assert prompt_match.is_stale(str(tmp_path / "none"), memory[1])
    place = tmp_path / "memory/cold/far/away.md"
    place.parent.mkdir(parents=True)
    place.write_text("# far\n", encoding="utf-8")
    os.utime(place, (1, 1))
    assert prompt_match.is_stale(*memory)
    built = Index(index_file.open_file(memory[0]))
    built.refresh(memory[1])
    built.close()
    assert not prompt_match.is_stale(*memory)
    (tmp_path / "main.md").write_text("# main\n", encoding="utf-8")
    assert prompt_match.is_stale(*memory)
    (tmp_path / "main.md").unlink()
    assert not prompt_match.is_stale(*memory)
    place.unlink()
    assert prompt_match.is_stale(*memory)
    (tmp_path / "bad").write_bytes(b"no database" * 500)
    assert prompt_match.is_stale(str(tmp_path / "bad"), memory[1])


def test_a_path_of_any_letters_is_found(tmp_path, memory):
    """A folder called `a?b#c%41 d` holds an index like any other."""
    odd = tmp_path / "a?b#c%41 d"
    odd.mkdir()
    with open(memory[0], "rb") as there:
        (odd / "x.sqlite").write_bytes(there.read())
    assert addresses((str(odd / "x.sqlite"), memory[1]), "Why does the store use flock with a timeout?") == ["i1abc.1"]


@given(st.text() | st.text("ab1_'’./:@\\+#- 昨ก가ー豈é…😀\u0dff\u0e00\u0eff\u0f00‿"))
def test_words_are_the_same_either_way(text):
    """Where nothing is of a script without spaces, the pattern that is made fast cuts as the other does."""
    if not tokenizer.has_wide(text):
        assert tokenizer._TOKEN.findall(text) == tokenizer._any_script().findall(text)
