"""Rows that mean nearly the same: the file of vectors, and the search in it."""

import contextlib
import os
import re
import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from sleep import extra_install
from sleep.recall import search, vectors
from sleep.recall.index import access
from sleep.recall.postings import ANY, Limits
from sleep.recall.vectors import Model, VectorsError
from sleep.store.tree import InMemory

pytestmark = pytest.mark.llm  # numpy comes with the extra

_ALIKE = {"velocipede": "tandem", "vehicle": "tandem", "procured": "bought", "leaks": "drips", "dwelling": "house"}
_LENGTH = 64


def journal(number, *lines):
    """Return a journal with a line an entry."""
    rows = "".join(f"- {line} [i{number}abc.{at}]\n" for at, line in enumerate(lines, 1))
    head = f"---\ninstance: {number}\ntag: abc\nstarted: 2023-05-0{number}T09:00:00Z\n---\n"
    return f"{head}# Journal: instance {number}\n\n{rows}"


TEXTS = {
    "journal/instance-1.md": journal(1, "Ada bought a tandem", "the roof drips", "Bob sings"),
    "journal/instance-2.md": journal(2, "a bridge was closed"),
    "memory/warm/cars.md": "# cars\n\n## Notes\n\n- Ada bought a tandem [i1abc.1]\n- old tandem wheels [i9gon.1]\n",
}


class Words:
    """A model by which words of one meaning share a dimension; `given` are the texts of each call."""

    def __init__(self, name="words"):
        self.name = name
        self.given = []

    def __call__(self, texts):
        """Return their vectors."""
        self.given.append(list(texts))
        return [self._vector(text) for text in texts]

    @property
    def model(self):
        """What is handed to the search."""
        return Model(self.name, self)

    def _vector(self, text):
        vector = [0.0] * _LENGTH
        for word in text.lower().split():
            if len(word) > 2:
                plain = _ALIKE.get(word, word)
                vector[sha256(plain.encode()).digest()[0] % _LENGTH] += 1.0
        return vector


@pytest.fixture
def memory():
    """Return the index of a small memory."""
    return access.index_tree(InMemory(TEXTS))


@pytest.fixture
def words():
    """Return a model."""
    return Words()


@pytest.fixture
def path(tmp_path):
    """Return where the vectors are kept, in a folder that is not there yet."""
    return str(tmp_path / "kept" / vectors.NAME)


def found(memory, model, path, text="velocipede procured", limits=ANY):
    """Return the addresses of what means nearly the same, best first."""
    cosines = vectors.find_similar(memory.base, text, limits, model.model, path)
    place = dict(memory.base.execute("SELECT id, addresses FROM row"))
    return [place[row] for row in sorted(cosines, key=cosines.__getitem__, reverse=True) if cosines[row] >= 0.5]


def test_a_question_without_a_shared_word(memory, words, path):
    """It finds its row by vectors, and not by words alone."""
    assert not search.recall(memory, "velocipede procured").passages

    def near(base, text, limits):
        return vectors.find_similar(base, text, limits, words.model, path)

    answer = search.recall(memory, "velocipede procured", near=near)
    assert answer.passages[0].best.addresses == ("i1abc.1",)
    assert not search.recall(memory, "quantum chromodynamics", near=near).passages


def test_only_what_is_new_is_embedded(memory, words, path):
    """The first question costs every text once; the next costs itself; an edit costs what it brought."""
    found(memory, words, path)
    [first] = words.given
    assert first[0] == "velocipede procured"
    assert sorted(first[1:]) == sorted(set(first[1:]))
    assert len(first) == 6  # the question, four lines of journals, and what a tier alone has
    found(memory, words, path, "which roof leaks")
    assert words.given[1:] == [["which roof leaks"]]
    later = access.index_tree(InMemory({**TEXTS, "journal/instance-3.md": journal(3, "a new dwelling")}))
    assert found(later, words, path, "house new") == ["i3abc.1"]
    assert words.given[2:] == [["house new", "a new dwelling"]]


def test_the_file_may_be_deleted(memory, words, path):
    """Without the file everything is embedded anew, and the answer is the same."""
    before = found(memory, words, path)
    os.unlink(path)
    assert found(memory, words, path) == before
    assert words.given[0] == words.given[1]


def test_another_model_has_vectors_of_its_own(memory, words, path):
    """Vectors of one name are never compared with those of another; both are kept."""
    other = Words("others")
    assert found(memory, words, path) == found(memory, other, path)
    assert other.given == words.given
    found(memory, words, path)
    assert words.given[1:] == [["velocipede procured"]]


@pytest.mark.parametrize("harm", ["garbage", "cut", "other tables"])
def test_a_damaged_file_is_made_anew(memory, words, path, harm):
    """What is no file of vectors is put out of the way, and made again in the same question."""
    before = found(memory, words, path)
    if harm == "other tables":
        os.unlink(path)
        base = sqlite3.connect(path)
        base.execute("CREATE TABLE vector (something)")
        base.close()
    else:
        content = Path(path).read_bytes()
        Path(path).write_bytes(b"garbage " * 1000 if harm == "garbage" else content[: len(content) // 2])
    assert found(memory, words, path) == before
    assert words.given[-1] == words.given[0]


def test_two_at_once(path):
    """Two that embed the same texts at once do not disturb each other: both answer, and each text is kept once."""
    both = threading.Barrier(2, timeout=60)

    def asking():
        def embed(texts):
            both.wait()
            return Words()(texts)

        memory = access.index_tree(InMemory(TEXTS))
        return vectors.find_similar(memory.base, "velocipede procured", ANY, Model("words", embed), path)

    with ThreadPoolExecutor(2) as pool:
        one, other = (each.result() for each in [pool.submit(asking) for _ in range(2)])
    assert one == other != {}
    with contextlib.closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT count(*) FROM vector").fetchone() == (5,)


def test_limits_hold(memory, words, path):
    """Tiers, kinds and the first day hold for what comes by its meaning; what a journal has is not found in a tier."""
    assert set(found(memory, words, path, "vehicle")) == {"i1abc.1", "i9gon.1"}
    assert found(memory, words, path, "vehicle", Limits(tiers=("journal",))) == ["i1abc.1"]
    assert set(found(memory, words, path, "vehicle", Limits(tiers=("warm",)))) == {"i1abc.1", "i9gon.1"}
    assert "i1abc.1" not in found(memory, words, path, "vehicle", Limits(since="2023-05-02"))
    assert found(memory, words, path, "vehicle", Limits(kinds=("decision",))) == []


def test_the_nearest_is_first(memory, words, path):
    """More of the same meaning comes before less; what is less than half alike does not come."""
    assert found(memory, words, path, "old vehicle wheels")[0] == "i9gon.1"
    assert "i1abc.2" not in found(memory, words, path, "old vehicle wheels")


def test_many_are_embedded_in_parts(words, path, monkeypatch):
    """Parts are kept as they come, so that what breaks off goes on from there; who waits is told how far it is."""
    monkeypatch.setattr(vectors, "_AT_ONCE", 10)
    memory = access.index_tree(
        InMemory({"journal/instance-1.md": journal(1, *(f"line number{at}" for at in range(35)))})
    )
    told = []

    def failing(texts):
        if len(words.given) == 2:
            raise VectorsError("it broke")
        return words(texts)

    with pytest.raises(VectorsError, match="it broke"):
        vectors.find_similar(memory.base, "number7", ANY, Model("words", failing), path)
    done = sum(map(len, words.given)) - 1
    assert done == 19
    rows = vectors.find_similar(memory.base, "number7", ANY, words.model, path, lambda *one: told.append(one))
    assert sum(map(len, words.given[2:])) - 1 == 35 - done
    assert told == [(9, 16)]
    assert max(rows.values()) == pytest.approx(0.5**0.5)
    assert all(len(given) <= 10 for given in words.given)


@pytest.mark.parametrize(
    "given",
    [
        lambda texts: [[1.0, 2.0]] * (len(texts) - 1),
        lambda texts: [[1.0]] * (len(texts) - 1) + [[1.0, 2.0]],
        lambda texts: [[float("nan"), 1.0]] * len(texts),
        lambda texts: [[]] * len(texts),
        lambda texts: [["x"]] * len(texts),
        lambda _: [],
    ],
    ids=["too few", "of two lengths", "no numbers", "empty", "words", "none"],
)
def test_what_is_no_vector_is_refused(memory, words, path, given):
    """What is not one vector for each text is an error with a sentence, and nothing of it is kept."""
    with pytest.raises(VectorsError, match="odd did not return a vector for each text"):
        vectors.find_similar(memory.base, "x y", ANY, Model("odd", given), path)
    with contextlib.closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT count(*) FROM vector").fetchone() == (0,)


def test_a_model_that_changed(memory, words, path):
    """Vectors of another length under the same name are not compared: the sentence names the file to delete."""
    found(memory, words, path)
    with pytest.raises(VectorsError, match=f"another length than before .delete .*{vectors.NAME}"):
        vectors.find_similar(memory.base, "x y", ANY, Model("words", lambda texts: [[1.0, 2.0]] * len(texts)), path)


def test_a_vector_of_zeros_is_near_nothing(memory, path):
    """A text of which the model makes nothing is neither found nor a division by zero."""
    zeros = Model("zeros", lambda texts: [[0.0, 0.0]] * len(texts))
    assert set(vectors.find_similar(memory.base, "x y", ANY, zeros, path).values()) == {0.0}


def test_nothing_is_asked_for_nothing(words, path):
    """An empty memory or question costs no call and no file."""
    assert vectors.find_similar(access.index_tree(InMemory({})).base, "x", ANY, words.model, path) == {}
    assert vectors.find_similar(access.index_tree(InMemory(TEXTS)).base, "  ", ANY, words.model, path) == {}
    assert (words.given, os.path.exists(path)) == ([], False)


def test_a_place_that_cannot_be_used(memory, words, tmp_path):
    """Where no file can be there are no vectors, with a sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(VectorsError, match="cannot be used"):
        found(memory, words, str(tmp_path / "file" / "kept.sqlite"))


def test_without_numpy(memory, words, path, monkeypatch):
    """Without the extra the sentence says how to get it."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(VectorsError, match=re.escape(f"({extra_install.command('vectors')})")):
        found(memory, words, path)
